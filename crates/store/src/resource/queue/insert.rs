//! Inserting jobs, and finishing their runs. [`crate::claim`] has the steps between.
//!
//! Each function takes a batch of any length, and runs one statement for each table. Look-ups on PostgreSQL are `cross
//! join lateral (… limit 1)`: for a plain join the planner may scan whole tables. On SQLite a batch is bound value by
//! value, or is one JSON text on the outer side of a `cross join`.

use std::collections::{HashMap, HashSet};

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
    value::{Db, Json, hex},
};

/// A job to insert. Its row never changes.
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

/// A job in its lane, or in `waiting`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub job_id: JobId,
    pub lane_id: LaneId,
    pub priority: i32,
    pub due_at: Timestamp,
    pub fence: i32,
}

/// A lease: the right of a holder to run a job. It exists while the run is in progress.
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
    /// The ids of the limits that the run counts towards, joined by commas.
    pub counted: Option<String>,
}

/// The key of a run in a report of its holder. A report is stale if no lease has this key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunKey {
    pub job_id: JobId,
    pub fence: i32,
    pub holder_id: HolderId,
    pub epoch: i64,
}

impl Lease {
    /// The key of its run.
    #[must_use]
    pub const fn key(&self) -> RunKey {
        RunKey { job_id: self.job_id, fence: self.fence, holder_id: self.holder_id, epoch: self.epoch }
    }
}

/// The properties of a job that decide whether it is retried after a failed run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    pub job_id: JobId,
    pub definition_id: DefinitionId,
    pub definition_version: i32,
    pub max_attempts: i32,
    pub expires_at: Option<Timestamp>,
    /// Ended runs since the last redrive that count as attempts.
    pub attempts: i64,
    /// Ended runs since the last redrive that do not count: lost or not started.
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

/// The end of a job. A job with a succeeded run has none: the run implies it.
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

/// The columns of [`Lease`].
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
    // The insert waits for another transaction that has inserted the job and is still open.
    JOB_IS_COMMITTED = pair(
        "select 1 from job where id = $1",
        "insert into job (id, org_id, definition_id, definition_version, lane_id, source, priority, payload, scheduled_for,
            max_attempts, timeout_ms, on_lost, created_by, queued_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        on conflict (id) do nothing"
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
    // Several hubs take due jobs concurrently: rows that another hub has locked are skipped.
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
    // Locks the leases by ascending job id, so that two transactions that take the same leases cannot deadlock. Deletes
    // by key and not by `ctid`: if another transaction has changed a lease since this statement began, the changed row
    // is at a position that the statement's snapshot does not see.
    LEASE_TAKE = pair(
        "delete from lease where job_id in ($1)",
        concat!(
            "with hit as materialized (
                select l.job_id
                from (
                    select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::bigint[]) k (job_id, fence, holder_id, epoch)
                    order by job_id) x
                cross join lateral (
                    select job_id from lease
                    where job_id = x.job_id and fence = x.fence and holder_id = x.holder_id and epoch = x.epoch
                    limit 1 for update) l)
            delete from lease where job_id = any (array(select job_id from hit)) returning ",
            lease!()
        )
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

/// The ids of jobs as a JSON text for SQLite.
pub(crate) fn job_rows<T>(rows: &[T], of: impl Fn(&T) -> JobId) -> String {
    Value::Array(rows.iter().map(|row| Value::String(hex(of(row)))).collect()).to_string()
}

fn place_rows(places: &[Place]) -> String {
    let row = |p: &Place| json!([hex(p.lane_id), p.priority, p.due_at.as_micros(), hex(p.job_id), p.fence]);
    Value::Array(places.iter().map(row).collect()).to_string()
}

impl Tx<'_> {
    /// Inserts jobs, without their rows in `ready` or `waiting`.
    pub async fn job_insert(&mut self, jobs: &[NewJob]) -> Result<()> {
        let j = jobs;
        // Jobs of one request often differ only in their payload.
        let same = share_columns(j, |j| {
            let what =
                (j.org_id, j.definition_id, j.definition_version, j.lane_id, j.source, j.priority, &j.source_ref);
            let keys = (&j.sealed, &j.dedupe_key, &j.correlation_id, &j.created_by);
            (what, keys, j.expires_at, j.max_attempts, j.timeout, j.on_lost)
        });
        let same_time = share_columns(j, |j| (j.scheduled_for, j.queued_at));
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
                same_time.times(|j| j.scheduled_for),
                same.times_opt(|j| j.expires_at),
                same.column(|j| j.max_attempts),
                same.column(|j| j.timeout.as_millis()),
                same.column(|j| j.on_lost.as_str()),
                same.column(|j| j.created_by.as_str()),
                same_time.times(|j| j.queued_at),
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

    /// Whether the transaction that inserted this job was committed, for a caller whose answer to the commit was lost.
    ///
    /// On PostgreSQL this inserts the same row: if the other transaction is still open, the insert waits for its end,
    /// at most until the lock time-out ([`crate::Error::Busy`]). The caller must roll its transaction back.
    pub async fn job_is_committed(&mut self, job: &NewJob) -> Result<bool> {
        if matches!(self.conn, Conn::Sqlite(_)) {
            return Ok(value!(self, JOB_IS_COMMITTED => i64, job.id)?.is_some());
        }
        let inserted = execute!(
            self,
            JOB_IS_COMMITTED,
            job.id,
            job.org_id,
            job.definition_id,
            job.definition_version,
            job.lane_id,
            job.source,
            job.priority,
            Json(job.payload.clone()),
            job.scheduled_for,
            job.max_attempts,
            job.timeout,
            job.on_lost,
            job.created_by.clone(),
            job.queued_at,
        );
        match inserted {
            Ok(rows) => Ok(rows == 0),
            // A row that the job refers to was deleted, so the job does not exist either.
            Err(crate::Error::Dangling) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Inserts jobs into their lanes, where they can be claimed.
    pub async fn ready_insert(&mut self, places: &[Place]) -> Result<()> {
        let p = places;
        let same = share_columns(p, |p| (p.lane_id, p.priority, p.fence));
        let same_time = share_columns(p, |p| p.due_at);
        defer!(
            self,
            READY_INSERT,
            each(places, |p| Db(p.lane_id), p.priority, Db(p.due_at), Db(p.job_id), p.fence),
            postgres(
                same.ids(|p| p.lane_id),
                same.column(|p| p.priority),
                same_time.times(|p| p.due_at),
                ids(p, |p| p.job_id),
                same.column(|p| p.fence)
            ),
        )?;
        Ok(())
    }

    /// Inserts jobs into `waiting`, until they become due.
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

    /// Removes at most `limit` due jobs from `waiting` and returns them, longest due first.
    pub async fn waiting_take_due(&mut self, now: Timestamp, limit: u32) -> Result<Vec<Place>> {
        let mut places = all!(self, WAITING_TAKE_DUE => Place, now, i64::from(limit))?;
        // `returning` has no order.
        places.sort_by_key(|place| (place.due_at, place.job_id));
        Ok(places)
    }

    /// Returns the earliest due time in `waiting`.
    pub async fn waiting_next(&mut self) -> Result<Option<Timestamp>> {
        value!(self, WAITING_NEXT => Timestamp)
    }

    /// Runs a statement for the leases with these keys. On SQLite its only parameters are the job ids.
    async fn leases_named(&mut self, sql: Sql, keys: &[RunKey]) -> Result<Vec<Lease>> {
        listed!(
            self, sql => Lease,
            each(keys, |key| Db(key.job_id)),
            postgres(ids(keys, |k| k.job_id), column(keys, |k| k.fence), ids(keys, |k| k.holder_id), column(keys, |k| k.epoch)),
        )
    }

    /// Locks and returns the leases with these keys. A report whose key has no lease is stale.
    pub async fn lease_hits(&mut self, keys: &[RunKey]) -> Result<Vec<Lease>> {
        let mut hits = self.leases_named(LEASE_HITS, keys).await?;
        if matches!(self.conn, Conn::Sqlite(_)) {
            // The statement matches only the job ids: binding all four values of each key costs more than this
            // comparison.
            let found: HashMap<RunKey, Lease> = hits.into_iter().map(|lease| (lease.key(), lease)).collect();
            hits = keys.iter().filter_map(|key| found.get(key).cloned()).collect();
        }
        Ok(hits)
    }

    /// Deletes and returns the leases with these keys, in any order. A report whose key has no lease is stale.
    pub async fn lease_take(&mut self, keys: &[RunKey]) -> Result<Vec<Lease>> {
        if matches!(self.conn, Conn::Postgres(_)) {
            return self.leases_named(LEASE_TAKE, keys).await;
        }
        // The single writer needs no lock between the two statements, and SQLite would copy the rows of a `returning`
        // into a temporary table.
        let mut taken = self.lease_hits(keys).await?;
        let mut seen = HashSet::new();
        taken.retain(|lease| seen.insert(lease.job_id));
        if let Conn::Sqlite(conn) = &mut self.conn {
            conn.execute_many(LEASE_TAKE.sqlite, &taken, |lease, binder| binder.bind(Db(lease.job_id)))?;
        }
        Ok(taken)
    }

    /// Inserts ended runs.
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

    /// Inserts the ends of jobs. Their key is the job and the fence, so a second end of the same run fails with
    /// [`crate::Error::UniqueViolation`].
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

    /// Returns the properties that decide whether these jobs are retried.
    pub async fn job_records(&mut self, jobs: &[JobId]) -> Result<Vec<JobRecord>> {
        split!(self, JOB_RECORDS => JobRecord, sqlite(job_rows(jobs, |id| *id)), postgres(ids(jobs, |id| *id)))
    }
}
