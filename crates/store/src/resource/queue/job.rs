//! Reading jobs: current status, runs, neighbours.

use domain::{
    DefinitionId, HolderId, HostId, JobId, Labels, LaneId, OrgId, RunId, Span, Timestamp,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
    lane::TargetKind,
};
use serde_json::Value;

use crate::{
    Result, Tx,
    columns::ids,
    value::{Json, id_texts},
};

/// A job with its current status.
#[derive(Debug, Clone, PartialEq)]
pub struct JobNow {
    pub id: JobId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub definition_key: String,
    pub definition_version: i32,
    pub source: Source,
    pub source_ref: Option<String>,
    pub priority: i32,
    pub payload: Value,
    pub dedupe_key: Option<String>,
    pub correlation_id: Option<String>,
    pub scheduled_for: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub max_attempts: i32,
    pub timeout: Span,
    pub on_lost: OnLost,
    pub created_by: String,
    pub queued_at: Timestamp,
    pub lane_id: LaneId,
    pub target_kind: TargetKind,
    pub target: String,
    pub limit_key: String,
    pub status: JobStatus,
    /// Why the job waits, and until when.
    pub parked: Option<(WaitReason, Timestamp)>,
    pub end_reason: Option<EndReason>,
    pub finished_at: Option<Timestamp>,
    /// The run in progress.
    pub lease: Option<LeaseNow>,
    /// Highest fence so far. Runs up to fence `redriven_at` belong to attempts before the last redrive.
    pub fence: i32,
    pub redriven_at: i32,
    /// Start of the first run that ended.
    pub first_started_at: Option<Timestamp>,
    pub last: Option<LastRun>,
    /// Name of the host that runs the job, ran it last, or is to run it.
    pub host_name: Option<String>,
    pub host_labels: Option<Labels>,
    /// Name of the host that the job is bound to.
    pub target_name: Option<String>,
    /// Last heartbeat of the lease's holder.
    pub heard_at: Option<Timestamp>,
    /// Set for a job that a host ran in standalone mode and replicated: read-only on the hub.
    pub origin: Option<HostId>,
}

/// The run in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseNow {
    pub run_id: RunId,
    pub holder_id: HolderId,
    pub epoch: i64,
    pub started_at: Timestamp,
    pub pid: Option<i32>,
    pub cancel_at: Option<Timestamp>,
    pub is_held: bool,
}

/// The last run that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    pub id: RunId,
    pub no: i32,
    pub status: RunStatus,
    pub holder_id: HolderId,
    pub started_at: Timestamp,
    pub finished_at: Timestamp,
    pub exit_code: Option<i32>,
    pub error_text: Option<String>,
}

/// A run of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    pub id: RunId,
    pub job_id: JobId,
    pub no: i32,
    pub holder_id: HolderId,
    pub status: RunStatus,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub pid: Option<i32>,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub error_text: Option<String>,
    pub stdout_tail: Option<String>,
    pub stderr_tail: Option<String>,
    pub output: Option<Value>,
    pub host_name: Option<String>,
}

struct Row {
    id: JobId,
    org_id: OrgId,
    definition_id: DefinitionId,
    definition_key: String,
    definition_version: i32,
    source: Source,
    source_ref: Option<String>,
    priority: i32,
    payload: Json<Value>,
    dedupe_key: Option<String>,
    correlation_id: Option<String>,
    scheduled_for: Timestamp,
    expires_at: Option<Timestamp>,
    max_attempts: i32,
    timeout_ms: Span,
    on_lost: OnLost,
    created_by: String,
    queued_at: Timestamp,
    lane_id: LaneId,
    target_kind: TargetKind,
    target: String,
    limit_key: String,
    status: JobStatus,
    parked_reason: Option<WaitReason>,
    parked_until: Option<Timestamp>,
    end_reason: Option<EndReason>,
    finished_at: Option<Timestamp>,
    run_id: Option<RunId>,
    holder_id: Option<HolderId>,
    epoch: Option<i64>,
    lease_started_at: Option<Timestamp>,
    pid: Option<i32>,
    cancel_at: Option<Timestamp>,
    fence: i32,
    redriven_at_fence: i32,
    first_started_at: Option<Timestamp>,
    last_no: Option<i32>,
    last_status: Option<RunStatus>,
    last_holder_id: Option<HolderId>,
    last_started_at: Option<Timestamp>,
    last_finished_at: Option<Timestamp>,
    last_exit_code: Option<i32>,
    last_error_text: Option<String>,
    last_id: Option<RunId>,
    host_name: Option<String>,
    host_labels: Option<Labels>,
    target_name: Option<String>,
    heard_at: Option<Timestamp>,
    origin: Option<HostId>,
}

struct RunRow {
    id: RunId,
    job_id: JobId,
    no: i32,
    holder_id: HolderId,
    status: RunStatus,
    started_at: Timestamp,
    finished_at: Option<Timestamp>,
    pid: Option<i32>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    error_text: Option<String>,
    stdout_tail: Option<String>,
    stderr_tail: Option<String>,
    output: Option<Json<Value>>,
    host_name: Option<String>,
}

/// A run as shown on the page of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostRun {
    pub job_id: JobId,
    pub org_id: OrgId,
    pub org_slug: Option<String>,
    pub definition_key: Option<String>,
    pub no: i32,
    pub status: RunStatus,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    pub exit_code: Option<i32>,
    pub error_text: Option<String>,
}

struct Owner {
    job_id: JobId,
    org_id: OrgId,
    key: String,
}

struct JobIdRow {
    job_id: JobId,
}

#[derive(Default)]
struct Edited {
    payload: Option<Json<Value>>,
    sealed: Option<Vec<u8>>,
}

rows! {
    Row {
        id, org_id, definition_id, definition_key, definition_version, source, source_ref, priority, payload, dedupe_key,
        correlation_id, scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at, lane_id,
        target_kind, target, limit_key, status, parked_reason, parked_until, end_reason, finished_at, run_id, holder_id,
        epoch, lease_started_at, pid, cancel_at, fence, redriven_at_fence, first_started_at, last_no, last_status,
        last_holder_id, last_started_at, last_finished_at, last_exit_code, last_error_text, last_id, host_name, host_labels, target_name, heard_at,
        origin,
    }
    RunRow {
        id, job_id, no, holder_id, status, started_at, finished_at, pid, exit_code, signal, error_text, stdout_tail,
        stderr_tail, output, host_name,
    }
    HostRun { job_id, org_id, org_slug, definition_key, no, status, started_at, finished_at, exit_code, error_text }
    JobIdRow { job_id }
    Edited { payload, sealed }
    Owner { job_id, org_id, key }
}

macro_rules! select {
    ($from:literal) => {
        concat!(
            "select n.id, n.org_id, n.definition_id, coalesce(f.key, '') as definition_key, n.definition_version, n.source, n.source_ref,
                n.priority, n.payload, n.dedupe_key, n.correlation_id, n.scheduled_for, n.expires_at, n.max_attempts,
                n.timeout_ms, n.on_lost, n.created_by, n.queued_at, n.lane_id, coalesce(a.target_kind, 'queue') as target_kind,
                coalesce(a.target, '') as target, coalesce(a.limit_key, '') as limit_key, n.status, n.parked_reason,
                n.parked_until, n.end_reason, n.finished_at, n.run_id, n.holder_id, n.epoch, n.lease_started_at, n.pid,
                n.cancel_at, n.fence, n.redriven_at_fence,
                (select r.started_at from run r where r.job_id = n.id order by r.no limit 1) as first_started_at,
                n.last_no, n.last_status, n.last_holder_id, n.last_started_at, n.last_finished_at, n.last_exit_code, n.last_error_text,
                coalesce(h.name, w.worker_id, t.name, g.name) as host_name, coalesce(h.labels, t.labels, g.labels) as host_labels,
                t.name as target_name, coalesce(s.heartbeat_at, w.last_seen_at) as heard_at, n.last_id, n.origin
            ",
            $from,
            "
            left join definition f on f.id = n.definition_id
            left join lane a on a.id = n.lane_id
            left join host h on h.id = coalesce(n.holder_id, n.last_holder_id)
            left join worker w on w.id = coalesce(n.holder_id, n.last_holder_id)
            left join host t on t.id = a.host_id
            left join host g on g.id = n.origin
            left join host_session s on s.host_id = n.holder_id
            "
        )
    };
}

statements! {
    JOB_GET = same(concat!(select!("from job_now n"), "where n.org_id = $1 and n.id = $2"));
    JOBS_BY_ID = pair(
        concat!(select!("from json_each($2) p cross join job_now n on n.id = unhex(p.value)"), "where n.org_id = $1"),
        // A lateral query per job: in a plain join of these tables the planner would read whole tables.
        concat!(
            select!("from unnest($2::uuid[]) p (id) cross join lateral (select * from job_now where id = p.id limit 1) n"),
            "where n.org_id = $1"
        )
    );
    JOB_IDS_NEWEST = same("select id as job_id from job where org_id = $1 and id < $2 order by id desc limit $3");
    JOB_IDS_PREFIX = same("select id as job_id from job where org_id = $1 and id >= $2 and id <= $3 order by id limit $4");
    JOB_IDS_OVER = same("
        select distinct job_id from outcome where org_id = $1 and status = $2 and job_id < $3 order by job_id desc limit $4");
    // Most succeeded jobs have no outcome row, only a run. Each half is sorted and limited by its index, so at most
    // twice the limit is sorted.
    JOB_IDS_SUCCEEDED = same("
        select job_id from (
            select job_id from (
                select distinct job_id from outcome where org_id = $1 and status = 'succeeded' and job_id < $2
                order by job_id desc limit $3) x
            union
            select job_id from (
                select distinct job_id from run where org_id = $1 and status = 'succeeded' and job_id < $2
                order by job_id desc limit $3) r) x
        order by job_id desc limit $3");
    JOB_IDS_RUNNING = same("select job_id from lease where org_id = $1 and job_id < $2 order by job_id desc limit $3");
    RUNS_OF_JOB = same("
        select r.id, r.job_id, r.no, r.holder_id, r.status, r.started_at, r.finished_at, r.pid, r.exit_code, r.signal,
            r.error_text, r.stdout_tail, r.stderr_tail, r.output, coalesce(h.name, w.worker_id) as host_name
        from run r left join host h on h.id = r.holder_id left join worker w on w.id = r.holder_id
        where r.job_id = $1 and r.org_id = $2
        union all
        select l.run_id, l.job_id, l.fence, l.holder_id, 'running', l.started_at, null, l.pid, null, null, null, null, null,
            null, coalesce(h.name, w.worker_id)
        from lease l left join host h on h.id = l.holder_id left join worker w on w.id = l.holder_id
        where l.job_id = $1 and l.org_id = $2
        union all
        select m.run_id, m.job_id, m.fence, m.host_id, 'running', m.started_at, null, m.pid, null, null, null, null, null,
            null, h.name
        from replicated_job m join job j on j.id = m.job_id left join host h on h.id = m.host_id
        where m.job_id = $1 and j.org_id = $2 and m.run_id is not null
        order by 3");
    RUNS_OF_HOLDER = same("
        select r.id, r.job_id, r.no, r.holder_id, r.status, r.started_at, r.finished_at, r.pid, r.exit_code, r.signal,
            r.error_text, r.stdout_tail, r.stderr_tail, r.output, null as host_name
        from run r where r.holder_id = $1 order by r.finished_at desc limit $2");
    HOST_RUNS_LAST = same("
        select r.job_id, r.org_id, o.slug as org_slug, d.key as definition_key, r.no, r.status, r.started_at, r.finished_at,
            r.exit_code, r.error_text
        from run r
        left join job j on j.id = r.job_id
        left join definition d on d.id = j.definition_id
        left join org o on o.id = r.org_id
        where r.holder_id = $1 order by r.finished_at desc limit $2");
    HOST_RUNS_BETWEEN = same("
        select r.job_id, r.org_id, o.slug as org_slug, d.key as definition_key, r.no, r.status, r.started_at, r.finished_at,
            r.exit_code, r.error_text
        from run r
        left join job j on j.id = r.job_id
        left join definition d on d.id = j.definition_id
        left join org o on o.id = r.org_id
        where r.holder_id = $1 and r.finished_at >= $2 and r.finished_at < $3 order by r.finished_at desc limit $4");
    // There are thousands of leases, not millions: one scan is cheaper than another index that every claim would
    // maintain.
    HOST_RUNS_NOW = pair(
        "select l.job_id, l.org_id, o.slug as org_slug, d.key as definition_key, l.fence as no, 'running' as status, l.started_at,
            null as finished_at, null as exit_code, null as error_text
        from lease l
        left join definition d on d.id = l.definition_id
        left join org o on o.id = l.org_id
        where l.holder_id = $1 order by l.started_at, l.job_id limit $2",
        "select l.job_id, l.org_id, o.slug as org_slug, d.key as definition_key, l.fence as no, 'running' as status, l.started_at,
            null::timestamptz as finished_at, null::int as exit_code, null as error_text
        from lease l
        left join definition d on d.id = l.definition_id
        left join org o on o.id = l.org_id
        where l.holder_id = $1 order by l.started_at, l.job_id limit $2"
    );
    JOBS_BOUND_READY = pair(
        "select x.job_id from lane l cross join ready x on x.lane_id = l.id
        where l.host_id = $1 limit $2",
        "select x.job_id from lane l
        cross join lateral (select job_id from ready where lane_id = l.id order by priority, due_at limit $2) x
        where l.host_id = $1 limit $2"
    );
    JOBS_BOUND_WAITING = pair(
        "select x.job_id from lane l cross join waiting x on x.lane_id = l.id
        where l.host_id = $1 limit $2",
        "select x.job_id from lane l
        cross join lateral (select job_id from waiting where lane_id = l.id order by due_at limit $2) x
        where l.host_id = $1 limit $2"
    );
    JOB_OWNERS = pair(
        "select j.id as job_id, j.org_id, d.key from json_each($1) x
        cross join job j on j.id = unhex(x.value) join definition d on d.id = j.definition_id",
        "select j.id as job_id, j.org_id, d.key from unnest($1::uuid[]) x (id)
        cross join lateral (select id, org_id, definition_id from job where id = x.id limit 1) j
        join definition d on d.id = j.definition_id"
    );
    JOB_LOCK = pair("select id as job_id from job where id = $1", "select id as job_id from job where id = $1 for update");
    REDRIVE_INSERT = same("
        insert into redrive (job_id, fence, payload, sealed, created_by, created_at) values ($1, $2, $3, $4, $5, $6)");
    // A payload that an earlier redrive replaced stays replaced.
    REDRIVE_LAST = same("select payload, sealed from redrive where job_id = $1 order by fence desc limit 1");
    // Reads only the first row of each priority of each lane, so the cost does not grow with the number of jobs.
    QUEUED_OLDEST = pair(
        "with recursive head (lane_id, priority) as (
            select l.id, (select r.priority from ready r where r.lane_id = l.id order by r.priority limit 1)
            from lane l where l.org_id = $1
            union all
            select head.lane_id, (
                select r.priority from ready r
                where r.lane_id = head.lane_id and r.priority > head.priority order by r.priority limit 1)
            from head where head.priority is not null)
        select min((
            select r.due_at from ready r
            where r.lane_id = head.lane_id and r.priority = head.priority order by r.due_at limit 1))
        from head where head.priority is not null",
        "with recursive head as (
            select l.id as lane_id, r.priority, r.due_at from lane l
            cross join lateral (
                select priority, due_at from ready where lane_id = l.id order by priority, due_at limit 1) r
            where l.org_id = $1
            union all
            select head.lane_id, r.priority, r.due_at from head
            cross join lateral (
                select priority, due_at from ready
                where lane_id = head.lane_id and priority > head.priority order by priority, due_at limit 1) r)
        select min(due_at) from head"
    );
}

impl Tx<'_> {
    /// Returns a job of this organization.
    pub async fn job_get(&mut self, org: OrgId, id: JobId) -> Result<Option<JobNow>> {
        Ok(one!(self, JOB_GET => Row, org, id)?.map(JobNow::from))
    }

    /// Returns a job of this organization and locks its row, so that no other transaction ends the job at the same
    /// time.
    pub async fn job_get_locked(&mut self, org: OrgId, id: JobId) -> Result<Option<JobNow>> {
        one!(self, JOB_LOCK => JobIdRow, id)?;
        self.job_get(org, id).await
    }

    /// Returns the organization and definition key of each job.
    pub async fn job_owners(&mut self, jobs: &[JobId]) -> Result<Vec<(JobId, OrgId, String)>> {
        let rows = split!(self, JOB_OWNERS => Owner, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))?;
        Ok(rows.into_iter().map(|row| (row.job_id, row.org_id, row.key)).collect())
    }

    /// Returns those of these jobs that belong to this organization, newest first.
    pub async fn jobs_by_id(&mut self, org: OrgId, jobs: &[JobId]) -> Result<Vec<JobNow>> {
        use crate::value::Db;
        let rows = split!(
            self, JOBS_BY_ID => Row,
            sqlite(Db(org), id_texts(jobs)),
            postgres(Db(org), ids(jobs, |id| *id)),
        )?;
        let mut jobs: Vec<JobNow> = rows.into_iter().map(JobNow::from).collect();
        jobs.sort_by_key(|job| std::cmp::Reverse(job.id));
        Ok(jobs)
    }

    /// Returns the newest jobs of an organization before `before`.
    pub async fn job_ids_newest(&mut self, org: OrgId, before: JobId, limit: u32) -> Result<Vec<JobId>> {
        only(all!(self, JOB_IDS_NEWEST => JobIdRow, org, before, i64::from(limit))?)
    }

    /// Returns jobs of an organization with an id in a range, to resolve an abbreviated id.
    pub async fn job_ids_between(&mut self, org: OrgId, from: JobId, to: JobId, limit: u32) -> Result<Vec<JobId>> {
        only(all!(self, JOB_IDS_PREFIX => JobIdRow, org, from, to, i64::from(limit))?)
    }

    /// Returns the newest jobs of an organization that ever ended with this status. Some may have been redriven since.
    pub async fn job_ids_over(
        &mut self,
        org: OrgId,
        status: JobStatus,
        before: JobId,
        limit: u32,
    ) -> Result<Vec<JobId>> {
        if status == JobStatus::Succeeded {
            return only(all!(self, JOB_IDS_SUCCEEDED => JobIdRow, org, before, i64::from(limit))?);
        }
        only(all!(self, JOB_IDS_OVER => JobIdRow, org, status, before, i64::from(limit))?)
    }

    /// Returns the newest running jobs of an organization.
    pub async fn job_ids_running(&mut self, org: OrgId, before: JobId, limit: u32) -> Result<Vec<JobId>> {
        only(all!(self, JOB_IDS_RUNNING => JobIdRow, org, before, i64::from(limit))?)
    }

    /// Returns the runs of a job in order, including the run in progress.
    pub async fn runs_of_job(&mut self, org: OrgId, job: JobId) -> Result<Vec<Run>> {
        Ok(all!(self, RUNS_OF_JOB => RunRow, job, org)?.into_iter().map(Run::from).collect())
    }

    /// Returns the last ended runs of a host, newest first.
    pub async fn runs_of_holder(&mut self, holder: HolderId, limit: u32) -> Result<Vec<Run>> {
        Ok(all!(self, RUNS_OF_HOLDER => RunRow, holder, i64::from(limit))?.into_iter().map(Run::from).collect())
    }

    /// Returns the last ended runs of a host, newest first, with their organization and definition.
    pub async fn host_runs_last(&mut self, host: HolderId, limit: u32) -> Result<Vec<HostRun>> {
        all!(self, HOST_RUNS_LAST => HostRun, host, i64::from(limit))
    }

    /// Returns runs of a host that ended within a time range, newest first.
    pub async fn host_runs_between(
        &mut self,
        host: HolderId,
        from: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> Result<Vec<HostRun>> {
        all!(self, HOST_RUNS_BETWEEN => HostRun, host, from, until, i64::from(limit))
    }

    /// Returns the runs in progress on a host, longest first.
    pub async fn host_runs_now(&mut self, host: HolderId, limit: u32) -> Result<Vec<HostRun>> {
        all!(self, HOST_RUNS_NOW => HostRun, host, i64::from(limit))
    }

    /// Returns at most `limit` waiting jobs of any organization that only this host can run.
    pub async fn jobs_bound(&mut self, host: HostId, limit: u32) -> Result<Vec<JobId>> {
        let mut jobs = only(all!(self, JOBS_BOUND_READY => JobIdRow, host, i64::from(limit))?)?;
        let room = i64::from(limit) - i64::try_from(jobs.len()).unwrap_or(i64::MAX);
        if room > 0 {
            jobs.extend(only(all!(self, JOBS_BOUND_WAITING => JobIdRow, host, room)?)?);
        }
        Ok(jobs)
    }

    /// Inserts a redrive: outcomes up to this fence no longer count. `None` keeps the payload of the last redrive.
    pub async fn redrive_insert(
        &mut self,
        job: JobId,
        fence: i32,
        payload: Option<(Value, Option<Vec<u8>>)>,
        by: &str,
        now: Timestamp,
    ) -> Result<()> {
        let Edited { payload, sealed } = match payload {
            Some((payload, sealed)) => Edited { payload: Some(Json(payload)), sealed },
            None => one!(self, REDRIVE_LAST => Edited, job)?.unwrap_or_default(),
        };
        execute!(self, REDRIVE_INSERT, job, fence, payload, sealed, by.to_owned(), now)?;
        Ok(())
    }

    /// Returns the due time of the job of an organization that has been claimable longest.
    pub async fn queued_oldest(&mut self, org: OrgId) -> Result<Option<Timestamp>> {
        Ok(value!(self, QUEUED_OLDEST => Option<Timestamp>, org)?.flatten())
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the last step of functions that can fail")]
fn only(rows: Vec<JobIdRow>) -> Result<Vec<JobId>> {
    Ok(rows.into_iter().map(|row| row.job_id).collect())
}

impl From<Row> for JobNow {
    fn from(r: Row) -> Self {
        let lease = || {
            Some(LeaseNow {
                run_id: r.run_id?,
                holder_id: r.holder_id?,
                epoch: r.epoch?,
                started_at: r.lease_started_at?,
                pid: r.pid,
                cancel_at: r.cancel_at,
                is_held: r.parked_reason == Some(WaitReason::Held),
            })
        };
        let last = || {
            Some(LastRun {
                id: r.last_id?,
                no: r.last_no?,
                status: r.last_status?,
                holder_id: r.last_holder_id?,
                started_at: r.last_started_at?,
                finished_at: r.last_finished_at?,
                exit_code: r.last_exit_code,
                error_text: r.last_error_text.clone(),
            })
        };
        let (lease, last) = (lease(), last());
        Self {
            id: r.id,
            org_id: r.org_id,
            definition_id: r.definition_id,
            definition_key: r.definition_key,
            definition_version: r.definition_version,
            source: r.source,
            source_ref: r.source_ref,
            priority: r.priority,
            payload: r.payload.0,
            dedupe_key: r.dedupe_key,
            correlation_id: r.correlation_id,
            scheduled_for: r.scheduled_for,
            expires_at: r.expires_at,
            max_attempts: r.max_attempts,
            timeout: r.timeout_ms,
            on_lost: r.on_lost,
            created_by: r.created_by,
            queued_at: r.queued_at,
            lane_id: r.lane_id,
            target_kind: r.target_kind,
            target: r.target,
            limit_key: r.limit_key,
            status: r.status,
            parked: r.parked_reason.zip(r.parked_until),
            end_reason: r.end_reason,
            finished_at: r.finished_at,
            lease,
            fence: r.fence,
            redriven_at: r.redriven_at_fence,
            first_started_at: r.first_started_at,
            last,
            host_name: r.host_name,
            host_labels: r.host_labels,
            target_name: r.target_name,
            heard_at: r.heard_at,
            origin: r.origin,
        }
    }
}

impl From<RunRow> for Run {
    fn from(r: RunRow) -> Self {
        Self {
            id: r.id,
            job_id: r.job_id,
            no: r.no,
            holder_id: r.holder_id,
            status: r.status,
            started_at: r.started_at,
            finished_at: r.finished_at,
            pid: r.pid,
            exit_code: r.exit_code,
            signal: r.signal,
            error_text: r.error_text,
            stdout_tail: r.stdout_tail,
            stderr_tail: r.stderr_tail,
            output: r.output.map(|json| json.0),
            host_name: r.host_name,
        }
    }
}
