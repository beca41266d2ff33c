//! The queue's hot path: enqueue and finish; the claim is in [`crate::claim`]. Batches of any length; each function is one statement or few.
//!
//! On PostgreSQL look-ups are `cross join lateral (… limit 1)` and locked rows are deleted by `ctid`: plain joins
//! let the planner scan whole tables. On SQLite the batch is one JSON text on the outer side of a `cross join`.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{
    DefinitionId, HolderId, JobId, LaneId, OrgId, RunId, Span, Timestamp,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
};
use serde_json::{Value, json};
use sqlx::types::Json as PgJson;

use crate::{
    Result, Sql, Tx,
    columns::{column, ids, share_columns, times},
    tx::Conn,
    value::{Db, hex},
};

/// So many sessions are asked for their leases one by one.
const SESSIONS_FEW: usize = 4;

/// A job to insert. What was asked; never changed later.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    pub id: JobId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub definition_version: i32,
    pub lane_id: LaneId,
    pub source: Source,
    pub source_ref: Option<String>,
    pub priority: i32,
    pub payload: Value,
    pub sealed: Option<Vec<u8>>,
    pub dedupe_key: Option<String>,
    pub correlation_id: Option<String>,
    pub scheduled_for: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub max_attempts: i32,
    pub timeout: Span,
    pub on_lost: OnLost,
    pub created_by: String,
    pub queued_at: Timestamp,
}

/// A job's place in its lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub job_id: JobId,
    pub lane_id: LaneId,
    pub priority: i32,
    pub due_at: Timestamp,
    pub fence: i32,
}

/// A lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    pub job_id: JobId,
    pub run_id: RunId,
    pub holder_id: HolderId,
    pub epoch: i64,
    pub fence: i32,
    pub org_id: OrgId,
    pub lane_id: LaneId,
    pub definition_id: DefinitionId,
    pub priority: i32,
    pub started_at: Timestamp,
    pub pid: Option<i32>,
    pub held_at: Option<Timestamp>,
    pub cancel_at: Option<Timestamp>,
    pub cancel_reason: Option<String>,
    pub counted: Option<String>,
}

/// By what a report names a run: zero rows = stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunKey {
    pub job_id: JobId,
    pub fence: i32,
    pub holder_id: HolderId,
    pub epoch: i64,
}

impl Lease {
    /// The key by which its holder names it.
    #[must_use]
    pub const fn key(&self) -> RunKey {
        RunKey { job_id: self.job_id, fence: self.fence, holder_id: self.holder_id, epoch: self.epoch }
    }
}

/// What decides about the next step when a run of a job ends badly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    pub job_id: JobId,
    pub definition_id: DefinitionId,
    pub definition_version: i32,
    pub max_attempts: i32,
    pub expires_at: Option<Timestamp>,
    /// Ended runs since the last redrive that count.
    pub attempts: i64,
    /// Ended runs since then that were free.
    pub free_ends: i64,
}

/// A run that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedRun {
    pub job_id: JobId,
    pub no: i32,
    pub id: RunId,
    pub org_id: OrgId,
    pub holder_id: HolderId,
    pub status: RunStatus,
    pub started_at: Timestamp,
    pub finished_at: Timestamp,
    pub pid: Option<i32>,
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub error_text: Option<String>,
    pub stdout_tail: Option<String>,
    pub stderr_tail: Option<String>,
    pub output: Option<Value>,
}

/// A job's end. A run that has succeeded says that itself, and needs none beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub job_id: JobId,
    pub fence: i32,
    pub org_id: OrgId,
    pub status: JobStatus,
    pub reason: Option<EndReason>,
    pub finished_at: Timestamp,
}

rows! {
    Lease { job_id, run_id, holder_id, epoch, fence, org_id, lane_id, definition_id, priority, started_at, pid, held_at, cancel_at, cancel_reason, counted }
    Place { job_id, lane_id, priority, due_at, fence }
    JobRecord { job_id, definition_id, definition_version, max_attempts, expires_at, attempts, free_ends }
}

/// All of a lease.
macro_rules! lease {
    () => {
        "job_id, run_id, holder_id, epoch, fence, org_id, lane_id, definition_id, priority, started_at, pid, held_at, cancel_at,
            cancel_reason, counted"
    };
}

statements! {
    JOB_INSERT = pair(
        "insert into job (id, org_id, definition_id, definition_version, lane_id, source, source_ref, priority, payload,
            sealed, dedupe_key, correlation_id, scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
        "insert into job (id, org_id, definition_id, definition_version, lane_id, source, source_ref, priority, payload,
            sealed, dedupe_key, correlation_id, scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at)
        select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::int[],
            $9::jsonb[], $10::bytea[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::int[],
            $16::bigint[], $17::text[], $18::text[], $19::timestamptz[])"
    );
    EXPIRY_INSERT = pair(
        "insert into expiry (expires_at, job_id) select value ->> 0, unhex(value ->> 1) from json_each($1)",
        "insert into expiry (expires_at, job_id) select * from unnest($1::timestamptz[], $2::uuid[])"
    );
    READY_INSERT = pair(
        "insert into ready (lane_id, priority, due_at, job_id, fence)
        values ($1, $2, $3, $4, $5)",
        "insert into ready (lane_id, priority, due_at, job_id, fence)
        select * from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::uuid[], $5::int[])"
    );
    WAITING_INSERT = pair(
        "insert into waiting (lane_id, priority, due_at, job_id, fence, reason)
        select unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4, $2 from json_each($1)",
        "insert into waiting (lane_id, priority, due_at, job_id, fence, reason)
        select x.*, $6 from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::uuid[], $5::int[]) x"
    );
    // What has become due moves over; several hubs may do it side by side.
    WAITING_TAKE_DUE = pair(
        "delete from waiting
        where job_id in (select job_id from waiting where due_at <= $1 order by due_at limit $2)
        returning job_id, lane_id, priority, due_at, fence",
        "with due as materialized (
            select job_id from waiting where due_at <= $1 order by due_at limit $2 for update skip locked)
        delete from waiting where job_id = any (array(select job_id from due))
        returning job_id, lane_id, priority, due_at, fence"
    );
    WAITING_NEXT = same("select due_at from waiting order by due_at limit 1");
    LEASE_HITS = pair(
        concat!("select ", lease!(), " from lease where job_id in ($1)"),
        concat!(
            "select l.*
        from unnest($1::uuid[], $2::int[], $3::uuid[], $4::bigint[]) x (job_id, fence, holder_id, epoch)
        cross join lateral (
            select ",
            lease!(),
            " from lease
            where job_id = x.job_id and fence = x.fence and holder_id = x.holder_id and epoch = x.epoch
            limit 1 for update) l"
        )
    );
    // Not by place: a lease that somebody has just changed lies where this statement's snapshot sees nothing yet.
    LEASE_TAKE = pair(
        "delete from lease where job_id in ($1)",
        concat!(
            "with hit as materialized (
                select l.job_id from unnest($1::uuid[], $2::int[], $3::uuid[], $4::bigint[]) x (job_id, fence, holder_id, epoch)
                cross join lateral (
                    select job_id from lease
                    where job_id = x.job_id and fence = x.fence and holder_id = x.holder_id and epoch = x.epoch
                    limit 1 for update) l)
            delete from lease where job_id = any (array(select job_id from hit)) returning ",
            lease!()
        )
    );
    // The same where all keys are of one session and one fence.
    LEASE_TAKE_ALIKE = pair(
        "select 1",
        concat!(
            "delete from lease where job_id = any ($1::uuid[]) and fence = $2 and holder_id = $3 and epoch = $4 returning ",
            lease!()
        )
    );
    // The same for leases that are remembered: they must be as they were, and nobody may want them back.
    LEASE_END = pair(
        "delete from lease where job_id in ($1) and fence = $2 and holder_id = $3 and epoch = $4
            and counted is null and cancel_at is null and held_at is null",
        "delete from lease where job_id = any ($1::uuid[]) and fence = $2 and holder_id = $3 and epoch = $4
            and counted is null and cancel_at is null and held_at is null
        returning 1"
    );
    RUN_INSERT = pair(
        "insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at, pid, exit_code, signal,
            error_text, stdout_tail, stderr_tail, output)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        "insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at, pid, exit_code, signal,
            error_text, stdout_tail, stderr_tail, output)
        select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::timestamptz[],
            $8::timestamptz[], $9::int[], $10::int[], $11::int[], $12::text[], $13::text[], $14::text[], $15::jsonb[])"
    );
    OUTCOME_INSERT = pair(
        "insert into outcome (job_id, fence, org_id, status, reason, finished_at)
        values ($1, $2, $3, $4, $5, $6)",
        "insert into outcome (job_id, fence, org_id, status, reason, finished_at)
        select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::timestamptz[])"
    );
    JOB_RECORDS = pair(
        "select j.id as job_id, j.definition_id, j.definition_version, j.max_attempts, j.expires_at,
            (select count(*) from run r where r.job_id = j.id and r.status not in ('lost', 'not_started')
                and r.no > coalesce((select max(d.fence) from redrive d where d.job_id = j.id), 0)) as attempts,
            (select count(*) from run r where r.job_id = j.id and r.status in ('lost', 'not_started')
                and r.no > coalesce((select max(d.fence) from redrive d where d.job_id = j.id), 0)) as free_ends
        from json_each($1) x
        cross join job j on j.id = unhex(x.value)",
        "select x.job_id, j.definition_id, j.definition_version, j.max_attempts, j.expires_at,
            (select count(*) from run r where r.job_id = x.job_id and r.status not in ('lost', 'not_started')
                and r.no > coalesce((select max(d.fence) from redrive d where d.job_id = x.job_id), 0)) as attempts,
            (select count(*) from run r where r.job_id = x.job_id and r.status in ('lost', 'not_started')
                and r.no > coalesce((select max(d.fence) from redrive d where d.job_id = x.job_id), 0)) as free_ends
        from unnest($1::uuid[]) x (job_id)
        cross join lateral (select * from job where id = x.job_id limit 1) j"
    );
}

/// The jobs of each session and fence, in one order for all; `None` if these are many.
fn few_sessions(keys: impl Iterator<Item = RunKey>) -> Option<BTreeMap<(HolderId, i64, i32), Vec<JobId>>> {
    let mut sessions: BTreeMap<_, Vec<JobId>> = BTreeMap::new();
    for key in keys {
        sessions.entry((key.holder_id, key.epoch, key.fence)).or_default().push(key.job_id);
    }
    (sessions.len() <= SESSIONS_FEW).then_some(sessions)
}

/// Ids as SQLite takes them.
pub(crate) fn job_rows<T>(rows: &[T], of: impl Fn(&T) -> JobId) -> String {
    Value::Array(rows.iter().map(|row| Value::String(hex(of(row)))).collect()).to_string()
}

fn place_rows(places: &[Place]) -> String {
    let row = |p: &Place| json!([hex(p.lane_id), p.priority, p.due_at.as_micros(), hex(p.job_id), p.fence]);
    Value::Array(places.iter().map(row).collect()).to_string()
}

impl Tx<'_> {
    /// Inserts jobs. They are in no lane yet.
    pub async fn job_insert(&mut self, jobs: &[NewJob]) -> Result<()> {
        let j = jobs;
        // Jobs of one request are mostly for the same.
        let same = share_columns(j, |j| {
            let what =
                (j.org_id, j.definition_id, j.definition_version, j.lane_id, j.source, j.priority, &j.source_ref);
            let keys = (&j.sealed, &j.dedupe_key, &j.correlation_id, &j.created_by);
            (what, keys, j.expires_at, j.max_attempts, j.timeout, j.on_lost)
        });
        let at_once = share_columns(j, |j| (j.scheduled_for, j.queued_at));
        defer!(
            self,
            JOB_INSERT,
            each(
                jobs,
                |j| Db(j.id),
                Db(j.org_id),
                Db(j.definition_id),
                j.definition_version,
                Db(j.lane_id),
                j.source.as_str(),
                j.source_ref.as_deref(),
                j.priority,
                j.payload.to_string(),
                j.sealed.as_deref(),
                j.dedupe_key.as_deref(),
                j.correlation_id.as_deref(),
                Db(j.scheduled_for),
                Db(j.expires_at),
                j.max_attempts,
                j.timeout.as_millis(),
                j.on_lost.as_str(),
                j.created_by.as_str(),
                Db(j.queued_at),
            ),
            postgres(
                ids(j, |j| j.id),
                same.ids(|j| j.org_id),
                same.ids(|j| j.definition_id),
                same.column(|j| j.definition_version),
                same.ids(|j| j.lane_id),
                same.column(|j| j.source.as_str()),
                same.column(|j| j.source_ref.as_deref()),
                same.column(|j| j.priority),
                column(j, |j| PgJson(&j.payload)),
                same.column(|j| j.sealed.as_deref()),
                same.column(|j| j.dedupe_key.as_deref()),
                same.column(|j| j.correlation_id.as_deref()),
                at_once.times(|j| j.scheduled_for),
                same.times_opt(|j| j.expires_at),
                same.column(|j| j.max_attempts),
                same.column(|j| j.timeout.as_millis()),
                same.column(|j| j.on_lost.as_str()),
                same.column(|j| j.created_by.as_str()),
                at_once.times(|j| j.queued_at),
            ),
        )?;
        let expiring: Vec<(Timestamp, JobId)> = jobs.iter().filter_map(|j| Some((j.expires_at?, j.id))).collect();
        if expiring.is_empty() {
            return Ok(());
        }
        let rows = || Value::Array(expiring.iter().map(|(at, id)| json!([at.as_micros(), hex(*id)])).collect());
        defer!(
            self,
            EXPIRY_INSERT,
            sqlite(rows().to_string()),
            postgres(times(&expiring, |row| row.0), ids(&expiring, |row| row.1)),
        )?;
        Ok(())
    }

    /// Puts jobs into their lanes: they can be claimed.
    pub async fn ready_insert(&mut self, places: &[Place]) -> Result<()> {
        let p = places;
        let same = share_columns(p, |p| (p.lane_id, p.priority, p.fence));
        let at_once = share_columns(p, |p| p.due_at);
        defer!(
            self,
            READY_INSERT,
            each(places, |p| Db(p.lane_id), p.priority, Db(p.due_at), Db(p.job_id), p.fence),
            postgres(
                same.ids(|p| p.lane_id),
                same.column(|p| p.priority),
                at_once.times(|p| p.due_at),
                ids(p, |p| p.job_id),
                same.column(|p| p.fence)
            ),
        )?;
        Ok(())
    }

    /// Puts jobs aside until their time.
    pub async fn waiting_insert(&mut self, places: &[Place], reason: WaitReason) -> Result<()> {
        let p = places;
        defer!(
            self,
            WAITING_INSERT,
            sqlite(place_rows(p), reason.as_str()),
            postgres(
                ids(p, |p| p.lane_id),
                column(p, |p| p.priority),
                times(p, |p| p.due_at),
                ids(p, |p| p.job_id),
                column(p, |p| p.fence),
                reason.as_str()
            ),
        )?;
        Ok(())
    }

    /// Takes what has become due out of the waiting, at most `limit`, longest due first.
    pub async fn waiting_take_due(&mut self, now: Timestamp, limit: u32) -> Result<Vec<Place>> {
        let mut places = all!(self, WAITING_TAKE_DUE => Place, now, i64::from(limit))?;
        // What a delete returns is in no order.
        places.sort_by_key(|place| (place.due_at, place.job_id));
        Ok(places)
    }

    /// When the next one becomes due.
    pub async fn waiting_next(&mut self) -> Result<Option<Timestamp>> {
        value!(self, WAITING_NEXT => Timestamp)
    }

    /// What a statement about the leases of these keys returns; SQLite is given the jobs alone.
    async fn leases_named(&mut self, sql: Sql, keys: &[RunKey]) -> Result<Vec<Lease>> {
        listed!(
            self, sql => Lease,
            each(keys, |key| Db(key.job_id)),
            postgres(ids(keys, |k| k.job_id), column(keys, |k| k.fence), ids(keys, |k| k.holder_id), column(keys, |k| k.epoch)),
        )
    }

    /// The leases that these reports are about, locked. A report without one is stale.
    pub async fn lease_hits(&mut self, keys: &[RunKey]) -> Result<Vec<Lease>> {
        let mut hits = self.leases_named(LEASE_HITS, keys).await?;
        if matches!(self.conn, Conn::Sqlite(_)) {
            // There it is asked by job alone: all four values of each key cost more than looking here.
            let found: HashMap<RunKey, Lease> = hits.into_iter().map(|lease| (lease.key(), lease)).collect();
            hits = keys.iter().filter_map(|key| found.get(key).cloned()).collect();
        }
        Ok(hits)
    }

    /// Takes the leases that these reports are about: they are over with this transaction. A report without one is
    /// stale.
    pub async fn lease_take(&mut self, keys: &[RunKey]) -> Result<Vec<Lease>> {
        if let Some(taken) = self.lease_take_alike(keys).await? {
            return Ok(taken);
        }
        if matches!(self.conn, Conn::Postgres(_)) {
            return self.leases_named(LEASE_TAKE, keys).await;
        }
        // Nobody comes between, and what a delete returns would go through a table of its own.
        let mut taken = self.lease_hits(keys).await?;
        let mut seen = HashSet::new();
        taken.retain(|lease| seen.insert(lease.job_id));
        if let Conn::Sqlite(conn) = &mut self.conn {
            conn.execute_many(LEASE_TAKE.sqlite, &taken, |lease, binder| binder.bind(Db(lease.job_id)))?;
        }
        Ok(taken)
    }

    /// Most reports that come together are of few sessions about first runs. The leases of each are found and taken in one
    /// go. In one order: two that take the same leases must not wait for each other in a circle.
    async fn lease_take_alike(&mut self, keys: &[RunKey]) -> Result<Option<Vec<Lease>>> {
        if matches!(self.conn, Conn::Sqlite(_)) {
            return Ok(None);
        }
        let Some(sessions) = few_sessions(keys.iter().copied()) else { return Ok(None) };
        let mut taken = Vec::with_capacity(keys.len());
        for ((holder, epoch, fence), jobs) in sessions {
            let some = split!(
                self, LEASE_TAKE_ALIKE => Lease,
                sqlite(),
                postgres(ids(&jobs, |job| *job), fence, Db(holder), epoch),
            )?;
            taken.extend(some);
        }
        Ok(Some(taken))
    }

    /// These leases, which count against nothing, are over with what is written: on PostgreSQL only in
    /// [`crate::Store::write_optimistic`]. If one of them is not as it was, or somebody wants it back, nothing is.
    pub fn lease_end(&mut self, leases: &[Lease]) -> Result<()> {
        let sessions = few_sessions(leases.iter().map(Lease::key)).ok_or(crate::Error::StaleView)?;
        for ((holder, epoch, fence), jobs) in sessions {
            if let Conn::Sqlite(conn) = &mut self.conn {
                let same: [&dyn rusqlite::ToSql; 3] = [&fence, &Db(holder), &epoch];
                let ended = conn.execute_named(LEASE_END.sqlite, &jobs, |job, binder| binder.bind(Db(*job)), &same)?;
                if ended != jobs.len() as u64 {
                    return Err(crate::Error::StaleView);
                }
                continue;
            }
            self.deferred.begin(&LEASE_END, Some(0));
            self.deferred.bind(ids(&jobs, |job| *job))?;
            self.deferred.bind(fence)?;
            self.deferred.bind(Db(holder))?;
            self.deferred.bind(epoch)?;
            self.deferred.expect_rows(jobs.len())?;
        }
        Ok(())
    }

    /// Writes down runs that have ended.
    pub async fn run_insert(&mut self, runs: &[EndedRun]) -> Result<()> {
        let r = runs;
        let same = share_columns(r, |r| {
            let end = (r.no, r.org_id, r.status, r.exit_code, r.signal);
            (end, &r.error_text, &r.stdout_tail, &r.stderr_tail, &r.output)
        });
        let (one, pid) = (share_columns(r, |r| r.holder_id), share_columns(r, |r| r.pid));
        defer!(
            self,
            RUN_INSERT,
            each(
                runs,
                |r| Db(r.job_id),
                r.no,
                Db(r.id),
                Db(r.org_id),
                Db(r.holder_id),
                r.status.as_str(),
                Db(r.started_at),
                Db(r.finished_at),
                r.pid,
                r.exit_code,
                r.signal,
                r.error_text.as_deref(),
                r.stdout_tail.as_deref(),
                r.stderr_tail.as_deref(),
                r.output.as_ref().filter(|output| !output.is_null()).map(ToString::to_string),
            ),
            postgres(
                ids(r, |r| r.job_id),
                same.column(|r| r.no),
                ids(r, |r| r.id),
                same.ids(|r| r.org_id),
                one.ids(|r| r.holder_id),
                same.column(|r| r.status.as_str()),
                times(r, |r| r.started_at),
                times(r, |r| r.finished_at),
                pid.column(|r| r.pid),
                same.column(|r| r.exit_code),
                same.column(|r| r.signal),
                same.column(|r| r.error_text.as_deref()),
                same.column(|r| r.stdout_tail.as_deref()),
                same.column(|r| r.stderr_tail.as_deref()),
                same.column(|r| r.output.as_ref().filter(|output| !output.is_null()).map(PgJson)),
            ),
        )?;
        Ok(())
    }

    /// Writes down the ends of jobs. Its key is (job, fence): a second end of the same is refused.
    pub async fn outcome_insert(&mut self, outcomes: &[Outcome]) -> Result<()> {
        let o = outcomes;
        let same = share_columns(o, |o| (o.fence, o.org_id, o.status, o.reason));
        defer!(
            self,
            OUTCOME_INSERT,
            each(
                outcomes,
                |o| Db(o.job_id),
                o.fence,
                Db(o.org_id),
                o.status.as_str(),
                o.reason.map(EndReason::as_str),
                Db(o.finished_at),
            ),
            postgres(
                ids(o, |o| o.job_id),
                same.column(|o| o.fence),
                same.ids(|o| o.org_id),
                same.column(|o| o.status.as_str()),
                same.column(|o| o.reason.map(EndReason::as_str)),
                times(o, |o| o.finished_at),
            ),
        )?;
        Ok(())
    }

    /// What decides about jobs whose run ended badly.
    pub async fn job_records(&mut self, jobs: &[JobId]) -> Result<Vec<JobRecord>> {
        split!(self, JOB_RECORDS => JobRecord, sqlite(job_rows(jobs, |id| *id)), postgres(ids(jobs, |id| *id)))
    }
}
