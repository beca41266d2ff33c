//! Copies of hosts' own jobs, runs, definitions and logs, in the hub's own tables, so that lists contain them. They
//! have no lane, so no claim returns them.

use domain::{
    DefinitionId, HostId, JobId, LaneId, OrgId, RunId,
    sync::{
        doc::{DefinitionDoc, Doc, JobDoc, LogDoc, OutageDoc, RunDoc, StoredDoc, outage_of_id},
        frame::Row,
        tables::{FIRE, JOB, OUTAGE, SERVER, SERVER_RUN, TRIGGER},
    },
};
use sqlx::types::Json as PgJson;

use super::HubSide;
use crate::{
    Result, Sql, Tx,
    columns::{column, ids, share_columns, times, times_opt},
    insert::{EndedRun, Outcome},
    log::Chunk,
    outage::Outage,
    value::{Db, Json, id_texts},
};

struct ReplicatedJobRow {
    job_id: JobId,
}

struct RunOf {
    run_id: RunId,
    origin: HostId,
}

struct DefinitionOwnerRow {
    id: DefinitionId,
    origin: Option<HostId>,
}

rows! {
    ReplicatedJobRow { job_id }
    RunOf { run_id, origin }
    DefinitionOwnerRow { id, origin }
}

macro_rules! replicated_log_put {
    () => {
        "insert or ignore into replicated_log (run_id, origin, first_line, lines, bytes, body, at)
        values ($1, $2, $3, $4, $5, $6, $7)"
    };
}

macro_rules! replicated_log_new {
    () => {
        "insert into replicated_log (origin, run_id, first_line, lines, bytes, body, at)
        select $1, x.* from unnest($2::uuid[], $3::bigint[], $4::int[], $5::int[], $6::bytea[], $7::timestamptz[]) x"
    };
}

statements! {
    MIRROR_JOBS_DELETE = pair(
        "delete from job where origin = $1 and id in (select unhex(value) from json_each($2))",
        "delete from job where origin = $1 and id = any ($2::uuid[])"
    );
    MIRROR_OUTCOMES_DELETE = pair(
        "delete from outcome where job_id in (select unhex(value) from json_each($2))
            and not exists (select 1 from job j where j.id = outcome.job_id and j.origin is not $1)",
        "delete from outcome where job_id = any ($2::uuid[])
            and not exists (select 1 from job j where j.id = outcome.job_id and j.origin is distinct from $1)"
    );
    MIRROR_NOW_DELETE = pair(
        "delete from replicated_job where host_id = $1 and job_id in (select unhex(value) from json_each($2))",
        "delete from replicated_job where host_id = $1 and job_id = any ($2::uuid[])"
    );
    MIRROR_JOB_INSERT = pair(
        "insert into job (id, org_id, definition_id, definition_version, lane_id, source, source_ref, priority, payload,
            dedupe_key, correlation_id, scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at, origin)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)",
        "insert into job (org_id, lane_id, origin, id, definition_id, definition_version, source, source_ref, priority, payload,
            dedupe_key, correlation_id, scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at)
        select $1, $2, $3, x.* from unnest($4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::text[], $9::int[], $10::jsonb[],
            $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::int[], $16::bigint[], $17::text[], $18::text[],
            $19::timestamptz[]) x"
    );
    MIRROR_NOW_INSERT = pair(
        "insert into replicated_job (job_id, host_id, status, fence, reason, until_at, run_id, started_at, pid)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        "insert into replicated_job (host_id, job_id, status, fence, reason, until_at, run_id, started_at, pid)
        select $1, x.* from unnest($2::uuid[], $3::text[], $4::int[], $5::text[], $6::timestamptz[], $7::uuid[],
            $8::timestamptz[], $9::int[]) x"
    );
    MIRROR_RUNS_DELETE = pair(
        "delete from run where holder_id = $1 and (job_id, no) in
            (select unhex(value ->> 0), value ->> 1 from json_each($2))",
        "delete from run where holder_id = $1 and (job_id, no) in (select * from unnest($2::uuid[], $3::int[]))"
    );
    MIRROR_RUNS_OF_JOBS_DELETE = pair(
        "delete from run where holder_id = $1 and job_id in (select unhex(value) from json_each($2))",
        "delete from run where holder_id = $1 and job_id = any ($2::uuid[])"
    );
    MIRROR_RUNS_OF_JOBS = pair(
        "select r.id as run_id, j.origin from json_each($1) x
        cross join job j on j.id = unhex(x.value) and j.origin is not null cross join run r on r.job_id = j.id",
        "select r.id as run_id, j.origin from unnest($1::uuid[]) x (id)
        cross join lateral (select id, origin from job where id = x.id and origin is not null) j
        cross join lateral (select id from run where job_id = j.id) r"
    );
    MIRROR_JOBS_UNFINISHED = same("select job_id from replicated_job where host_id = $1 and job_id > $2 order by job_id limit $3");
    REPLICATED_LOGS_DELETE = same("delete from replicated_log where run_id = $1 and origin = $2");
    // A prefix search: ids of log rows are `<run>:<line>`, and `;` is the character after `:`.
    REPLICATED_LOG_ROWS_DELETE = same("
        delete from sync_row where origin = $1 and tbl = 'log' and id > $2 || ':' and id < $2 || ';'");
    REPLICATED_LOG_INSERT = pair(replicated_log_put!(), concat!(replicated_log_new!(), " on conflict do nothing"));
    REPLICATED_LOG_NEW = pair(replicated_log_put!(), replicated_log_new!());
    MIRROR_DEFINITION_OWNER = same("select id, origin from definition where key = $1 or id = $2");
    MIRROR_DEFINITION_PUT = same("
        insert into definition (id, key, version, is_active, origin, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
        on conflict (id) do update set version = excluded.version, updated_at = excluded.updated_at
        where definition.origin = excluded.origin");
    MIRROR_DEFINITION_VERSION_PUT = same("
        insert into definition_version (definition_id, version, body, created_by, created_at)
        select d.id, $2, $3, $4, $5 from definition d where d.id = $1 and d.origin = $6
        on conflict (definition_id, version) do update set body = excluded.body");
    REPLICATED_LOG_FROM = same("
        select run_id, first_line, lines, bytes, body, at from replicated_log
        where run_id = $1 and origin = $2 and first_line + lines > $3 order by first_line limit $4");
    REPLICATED_LOG_BEFORE = same("
        select run_id, first_line, lines, bytes, body, at from replicated_log
        where run_id = $1 and origin = $2 and first_line < $3 order by first_line desc limit $4");
    REPLICATED_LOG_LAST = same("
        select coalesce(max(first_line + lines - 1), 0) from replicated_log where run_id = $1 and origin = $2");
}

/// The id of no lane: no claim reads it.
fn no_lane() -> LaneId {
    LaneId::from_bytes([0; 16])
}

/// The key of a host's definition on the hub. No other key can contain an `@`.
fn key_here(doc: &DefinitionDoc, host_name: &str) -> String {
    format!("{}@{host_name}", doc.key)
}

impl Tx<'_> {
    /// Applies accepted rows to the hub's tables.
    pub(super) async fn project(&mut self, side: &HubSide, rows: Vec<Row<StoredDoc>>) -> Result<()> {
        let (origin, org) = (side.sender.host(), side.sender.org());
        let (mut jobs, mut runs, mut fires) = (Vec::new(), Vec::new(), Vec::new());
        let (mut outages, mut gone) = (Vec::new(), Vec::new());
        let mut server_runs = Vec::new();
        for row in rows {
            match row.body.doc {
                _ if row.is_deleted => gone.push((row.table, row.id)),
                Doc::Job(doc) => jobs.push(*doc),
                Doc::Run(doc) => runs.push(*doc),
                Doc::Definition(doc) => self.mirror_definition(side, &doc).await?,
                Doc::Trigger(doc) => self.mirror_trigger(side, &doc).await?,
                Doc::Fire(doc) => fires.push(*doc),
                Doc::Server(doc) => self.mirror_server(side, &doc).await?,
                Doc::ServerRun(doc) => server_runs.push(*doc),
                Doc::Outage(doc) => outages.push(outage_here(origin, *doc)),
                Doc::Log(_) | Doc::Other(_) | Doc::Refused(_) | Doc::Gone => {}
            }
        }
        self.definitions_back(side, &mut jobs).await?;
        self.mirror_jobs(org, origin, &jobs).await?;
        self.mirror_fires(side, &fires).await?;
        self.mirror_runs(org, origin, runs).await?;
        self.outage_put(&outages, side.now).await?;
        self.mirror_server_runs(side, server_runs).await?;
        for table in [JOB.name, TRIGGER.name, FIRE.name, OUTAGE.name, SERVER.name, SERVER_RUN.name] {
            let ids: Vec<String> = gone.iter().filter(|(of, _)| of == table).map(|(_, id)| id.clone()).collect();
            self.unproject(origin, table, &ids).await?;
        }
        Ok(())
    }

    /// Removes the copies of deleted rows. Runs and outcomes are removed with their job.
    pub(super) async fn unproject(&mut self, origin: HostId, table: &str, gone: &[String]) -> Result<()> {
        if table == FIRE.name {
            return self.mirror_fires_gone(origin, gone).await;
        }
        if table == TRIGGER.name {
            return self.mirror_triggers_gone(origin, gone).await;
        }
        if table == SERVER.name {
            return self.mirror_servers_gone(origin, gone).await;
        }
        if table == SERVER_RUN.name {
            return self.mirror_server_runs_gone(origin, gone).await;
        }
        if table == OUTAGE.name {
            for (kind, from_at) in gone.iter().filter_map(|id| outage_of_id(id)) {
                self.outage_remove(origin, kind, from_at).await?;
            }
            return Ok(());
        }
        let jobs: Vec<JobId> = gone.iter().filter_map(|id| id.parse().ok()).collect();
        if table != JOB.name || jobs.is_empty() {
            return Ok(());
        }
        self.replicated_logs_forget(&jobs).await?;
        self.mirror_jobs_delete(origin, &jobs, &[MIRROR_RUNS_OF_JOBS_DELETE]).await
    }

    /// Deletes a host's jobs with their outcomes. The job is deleted last: its row says whose the outcomes are.
    async fn mirror_jobs_delete(&mut self, origin: HostId, jobs: &[JobId], others: &[Sql]) -> Result<()> {
        let all = [MIRROR_OUTCOMES_DELETE, MIRROR_NOW_DELETE, MIRROR_JOBS_DELETE];
        for sql in others.iter().copied().chain(all) {
            split_execute!(self, sql, sqlite(Db(origin), id_texts(jobs)), postgres(Db(origin), ids(jobs, |id| *id)),)?;
        }
        Ok(())
    }

    /// Removes the copies of a host's queued and running jobs.
    pub(super) async fn replicated_jobs_end(&mut self, origin: HostId) -> Result<()> {
        let mut after = JobId::from_bytes([0; 16]);
        loop {
            let jobs = all!(self, MIRROR_JOBS_UNFINISHED => ReplicatedJobRow, origin, after, 10_000_i64)?;
            let Some(last) = jobs.last() else { return Ok(()) };
            after = last.job_id;
            let ids: Vec<String> = jobs.iter().map(|row| row.job_id.to_string()).collect();
            self.unproject(origin, JOB.name, &ids).await?;
        }
    }

    async fn mirror_jobs(&mut self, org: OrgId, origin: HostId, jobs: &[JobDoc]) -> Result<()> {
        if jobs.is_empty() {
            return Ok(());
        }
        let all: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
        self.mirror_jobs_delete(origin, &all, &[]).await?;
        let j = jobs;
        defer!(
            self,
            MIRROR_JOB_INSERT,
            each(
                j,
                |j| Db(j.id),
                Db(org),
                Db(j.definition),
                j.definition_version,
                Db(no_lane()),
                j.source.as_str(),
                j.source_ref.as_deref(),
                j.priority,
                j.payload.to_string(),
                j.dedupe_key.as_deref(),
                j.correlation_id.as_deref(),
                Db(j.scheduled_for),
                Db(j.expires_at),
                j.max_attempts,
                j.timeout_ms,
                j.on_lost.as_str(),
                j.created_by.as_str(),
                Db(j.queued_at),
                Db(origin),
            ),
            postgres(
                Db(org),
                Db(no_lane()),
                Db(origin),
                ids(j, |j| j.id),
                ids(j, |j| j.definition),
                column(j, |j| j.definition_version),
                column(j, |j| j.source.as_str()),
                column(j, |j| j.source_ref.as_deref()),
                column(j, |j| j.priority),
                column(j, |j| PgJson(&j.payload)),
                column(j, |j| j.dedupe_key.as_deref()),
                column(j, |j| j.correlation_id.as_deref()),
                times(j, |j| j.scheduled_for),
                times_opt(j, |j| j.expires_at),
                column(j, |j| j.max_attempts),
                column(j, |j| j.timeout_ms),
                column(j, |j| j.on_lost.as_str()),
                column(j, |j| j.created_by.as_str()),
                times(j, |j| j.queued_at),
            ),
        )?;
        let (over, now): (Vec<&JobDoc>, Vec<&JobDoc>) = jobs.iter().partition(|job| job.status.is_over());
        self.outcome_insert(&over.iter().map(|job| outcome(org, job)).collect::<Vec<_>>()).await?;
        self.mirror_now(origin, &now).await
    }

    async fn mirror_now(&mut self, origin: HostId, now: &[&JobDoc]) -> Result<()> {
        let n = now;
        let run = |job: &JobDoc| job.running.as_ref().map(|running| running.run);
        let since = |job: &JobDoc| job.running.as_ref().map(|running| running.started_at);
        let pid = |job: &JobDoc| job.running.as_ref().and_then(|running| running.pid);
        defer!(
            self,
            MIRROR_NOW_INSERT,
            each(
                n,
                |n| Db(n.id),
                Db(origin),
                n.status.as_str(),
                n.fence,
                n.waits.map(|(reason, _)| reason.as_str()),
                Db(n.waits.map(|(_, until)| until)),
                Db(run(n)),
                Db(since(n)),
                pid(n),
            ),
            postgres(
                Db(origin),
                ids(n, |n| n.id),
                column(n, |n| n.status.as_str()),
                column(n, |n| n.fence),
                column(n, |n| n.waits.map(|(reason, _)| reason.as_str())),
                times_opt(n, |n| n.waits.map(|(_, until)| until)),
                column(n, |n| run(n).map(|run| crate::value::pg::Uuid(run.to_bytes()))),
                times_opt(n, |n| since(n)),
                column(n, |n| pid(n)),
            ),
        )
    }

    async fn mirror_runs(&mut self, org: OrgId, origin: HostId, runs: Vec<RunDoc>) -> Result<()> {
        if runs.is_empty() {
            return Ok(());
        }
        let r = runs.as_slice();
        let keys = || {
            let key = |run: &RunDoc| serde_json::json!([crate::value::hex(run.job), run.no]);
            serde_json::Value::Array(runs.iter().map(key).collect()).to_string()
        };
        split_execute!(
            self,
            MIRROR_RUNS_DELETE,
            sqlite(Db(origin), keys()),
            postgres(Db(origin), ids(r, |r| r.job), column(r, |r| r.no)),
        )?;
        let ended = |run: RunDoc| EndedRun {
            job_id: run.job,
            no: run.no,
            id: run.id,
            org_id: org,
            holder_id: origin.into(),
            status: run.status,
            started_at: run.started_at,
            finished_at: run.finished_at,
            pid: run.pid,
            exit_code: run.exit_code,
            signal: run.signal,
            error_text: run.error_text,
            stdout_tail: run.stdout_tail,
            stderr_tail: run.stderr_tail,
            output: run.output,
        };
        self.run_insert(&runs.into_iter().map(ended).collect::<Vec<_>>()).await
    }

    /// Stores a host's definition as `key@host`. If another definition has this key, the definition's id is appended.
    async fn mirror_definition(&mut self, side: &HubSide, doc: &DefinitionDoc) -> Result<()> {
        let origin = side.sender.host();
        // A definition of this hub that the host holds under its host-side id: already here, under its own id.
        if !self.definitions_known(&[DefinitionDoc::id_across(doc.id, side.hub)]).await?.is_empty() {
            return Ok(());
        }
        let mut key = key_here(doc, &side.host_name);
        let owners = all!(self, MIRROR_DEFINITION_OWNER => DefinitionOwnerRow, key.clone(), doc.id)?;
        if owners.iter().any(|owner| owner.id == doc.id && owner.origin != Some(origin)) {
            // Another definition has this id: leave it as it is. The host's jobs then show that definition.
            return Ok(());
        }
        if owners.iter().any(|owner| owner.id != doc.id) {
            key = format!("{key}-{}", doc.id.to_string().to_lowercase());
        }
        let (version, at) = (doc.version, doc.created_at);
        execute!(self, MIRROR_DEFINITION_PUT, doc.id, key, version, false, origin, at)?;
        let body = Json(doc.body.clone());
        execute!(self, MIRROR_DEFINITION_VERSION_PUT, doc.id, version, body, doc.created_by.clone(), at, origin)?;
        Ok(())
    }

    /// Stores blocks of output. `is_new`: none of them is stored yet, so the insert skips the conflict check.
    pub(super) async fn mirror_logs(&mut self, origin: HostId, rows: &[&Row<StoredDoc>], is_new: bool) -> Result<()> {
        let docs: Vec<&LogDoc> = rows
            .iter()
            .filter_map(|row| match &row.body.doc {
                Doc::Log(doc) => Some(doc.as_ref()),
                _ => None,
            })
            .collect();
        let d = docs.as_slice();
        let sql = if is_new { REPLICATED_LOG_NEW } else { REPLICATED_LOG_INSERT };
        let same = share_columns(d, |d| (d.run, d.lines));
        defer!(
            self,
            sql,
            each(d, |d| Db(d.run), Db(origin), d.first_line, d.lines, d.bytes, d.body.as_slice(), Db(d.at)),
            postgres(
                Db(origin),
                same.ids(|d| d.run),
                column(d, |d| d.first_line),
                same.column(|d| d.lines),
                column(d, |d| d.bytes),
                column(d, |d| d.body.as_slice()),
                times(d, |d| d.at),
            ),
        )
    }

    /// Deletes the output of those jobs that are copies. Filters by host, because hosts choose the ids of their runs: a
    /// host must not be able to delete the output of another one.
    pub(crate) async fn replicated_logs_forget(&mut self, jobs: &[JobId]) -> Result<()> {
        let runs = split!(self, MIRROR_RUNS_OF_JOBS => RunOf, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))?;
        for RunOf { run_id, origin } in runs {
            self.replicated_log_forget(run_id, origin).await?;
        }
        Ok(())
    }

    /// Deletes the output of one run of a host.
    pub(crate) async fn replicated_log_forget(&mut self, run: RunId, origin: HostId) -> Result<()> {
        execute!(self, REPLICATED_LOGS_DELETE, run, origin)?;
        execute!(self, REPLICATED_LOG_ROWS_DELETE, origin, run.to_string())?;
        Ok(())
    }

    /// [`Tx::log_from`] for a run of a host's own queue.
    pub async fn replicated_log_from(
        &mut self,
        run: RunId,
        origin: HostId,
        line: i64,
        limit: u32,
    ) -> Result<Vec<Chunk>> {
        all!(self, REPLICATED_LOG_FROM => Chunk, run, origin, line, i64::from(limit))
    }

    /// [`Tx::log_before`] for a run of a host's own queue.
    pub async fn replicated_log_before(
        &mut self,
        run: RunId,
        origin: HostId,
        line: i64,
        limit: u32,
    ) -> Result<Vec<Chunk>> {
        all!(self, REPLICATED_LOG_BEFORE => Chunk, run, origin, line, i64::from(limit))
    }

    /// [`Tx::log_last`] for a run of a host's own queue.
    pub async fn replicated_log_last(&mut self, run: RunId, origin: HostId) -> Result<i64> {
        Ok(value!(self, REPLICATED_LOG_LAST => i64, run, origin)?.unwrap_or(0))
    }
}

/// An outage that the host measured itself; those that the hub noticed have other kinds.
fn outage_here(origin: HostId, doc: OutageDoc) -> Outage {
    let OutageDoc { kind, from_at, until_at, note } = doc;
    Outage { host_id: origin, kind, from_at, until_at, note }
}

/// The outcome of a finished job.
fn outcome(org: OrgId, job: &JobDoc) -> Outcome {
    Outcome {
        job_id: job.id,
        fence: job.fence,
        org_id: org,
        status: job.status,
        reason: job.end_reason,
        finished_at: job.finished_at.unwrap_or(job.queued_at),
    }
}
