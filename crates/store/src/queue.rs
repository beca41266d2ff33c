//! The queue's hot path: enqueue, claim, finish. Batches of any length; each function is one statement or few.
//!
//! On PostgreSQL look-ups are `cross join lateral (… limit 1)` and locked rows are deleted by `ctid`: plain joins
//! let the planner scan whole tables. On SQLite the batch is one JSON text on the outer side of a `cross join`.

use domain::{
    DefinitionId, HolderId, JobId, LaneId, OrgId, RunId, Span, Timestamp,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source, WaitReason},
    quota::Recent,
};
use serde_json::{Value, json};
use sqlx::types::Json as PgJson;

use crate::{
    Result, Tx,
    codec::{Db, Json, column, hex, hex_bytes, ids, times, times_opt},
};

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

/// A claimable job, locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    pub job_id: JobId,
    pub lane_id: LaneId,
    pub priority: i32,
    pub due_at: Timestamp,
    pub fence: i32,
    /// Where the row lies, on PostgreSQL.
    tid: Option<String>,
}

/// A lease to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLease {
    pub head: Head,
    pub run_id: RunId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub counted: Option<String>,
}

/// What a holder is handed with a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    pub job_id: JobId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub definition_version: i32,
    pub payload: Value,
    pub sealed: Option<Vec<u8>>,
    pub timeout: Span,
    pub on_lost: OnLost,
    pub expires_at: Option<Timestamp>,
    pub correlation_id: Option<String>,
}

struct Load {
    running: i32,
    recent: Recent,
}

struct ClaimedRow {
    job_id: JobId,
    org_id: OrgId,
    definition_id: DefinitionId,
    definition_version: i32,
    payload: Json<Value>,
    sealed: Option<Vec<u8>>,
    timeout_ms: Span,
    on_lost: OnLost,
    expires_at: Option<Timestamp>,
    correlation_id: Option<String>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A job's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub job_id: JobId,
    pub fence: i32,
    pub org_id: OrgId,
    pub status: JobStatus,
    pub reason: Option<EndReason>,
    pub finished_at: Timestamp,
}

/// A holder of leases, locked: what it runs and what it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub running: i32,
    pub recent: Recent,
    /// Of its host; a worker's are what it asks for.
    pub max_running: Option<i32>,
    pub jobs_per_minute: Option<i32>,
    pub is_paused: bool,
}

/// A lane with something to claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenLane {
    pub lane_id: LaneId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub limit_key: String,
}

rows! {
    Lease { job_id, run_id, holder_id, epoch, fence, org_id, lane_id, definition_id, priority, started_at, pid, held_at, cancel_at, cancel_reason, counted }
    Head { job_id, lane_id, priority, due_at, fence, tid }
    Place { job_id, lane_id, priority, due_at, fence }
    ClaimedRow { job_id, org_id, definition_id, definition_version, payload, sealed, timeout_ms, on_lost, expires_at, correlation_id }
    JobRecord { job_id, definition_id, definition_version, max_attempts, expires_at, attempts, free_ends }
    Load { running, recent }
    Holder { running, recent, max_running, jobs_per_minute, is_paused }
    OpenLane { lane_id, org_id, definition_id, limit_key }
}

statements! {
    JOB_INSERT = pair(
        "insert into job (id, org_id, definition_id, definition_version, lane_id, source, source_ref, priority, payload,
            sealed, dedupe_key, correlation_id, scheduled_for, expires_at, max_attempts, timeout_ms, on_lost, created_by, queued_at)
        select unhex(value ->> 0), unhex(value ->> 1), unhex(value ->> 2), value ->> 3, unhex(value ->> 4), value ->> 5,
            value ->> 6, value ->> 7, value -> 8, unhex(value ->> 9), value ->> 10, value ->> 11, value ->> 12, value ->> 13,
            value ->> 14, value ->> 15, value ->> 16, value ->> 17, value ->> 18
        from json_each($1)",
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
        select unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), value ->> 4 from json_each($1)",
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
    HOLDER_LOCK = pair(
        "select o.running, o.recent, h.max_running, h.jobs_per_minute,
            coalesce(h.is_paused and (h.pause_until is null or h.pause_until > $3), false) as is_paused
        from holder o left join host h on h.id = o.id left join host_session s on s.host_id = o.id
        where o.id = $1 and o.epoch = $2
            and (s.host_id is null or s.epoch = o.epoch and s.closed_at is null and s.heartbeat_at > $4)",
        "select o.running, o.recent, h.max_running, h.jobs_per_minute,
            coalesce(h.is_paused and (h.pause_until is null or h.pause_until > $3), false) as is_paused
        from holder o left join host h on h.id = o.id left join host_session s on s.host_id = o.id
        where o.id = $1 and o.epoch = $2
            and (s.host_id is null or s.epoch = o.epoch and s.closed_at is null and s.heartbeat_at > $4)
        for update of o"
    );
    // A new session takes over what the old one counted.
    HOLDER_PUT = same("
        insert into holder (id, epoch, running, recent) values ($1, $2, 0, '')
        on conflict (id) do update set epoch = excluded.epoch");
    HOLDER_GET = same("select running, recent from holder where id = $1");
    HOLDER_CHARGE = same("update holder set running = running + $2, recent = $3 where id = $1");
    HOLDER_RELEASE = same("update holder set running = running - $2 where id = $1");
    // A look into each lane, not `exists`: as a join it would read all of `ready` where the planner thinks it empty.
    LANES_OF_HOST = same("
        select l.id as lane_id, l.org_id, l.definition_id, l.limit_key
        from host_lane hl
        join lane l on l.id = hl.lane_id
        join definition d on d.id = l.definition_id
        where hl.host_id = $1 and d.is_active
            and (select r.job_id from ready r where r.lane_id = l.id order by r.priority, r.due_at limit 1) is not null
            and not exists (
                select 1 from pause p
                where p.org_id = l.org_id and (p.until_at is null or p.until_at > $2)
                    and (p.kind = 'org'
                        or p.kind = 'definition' and p.subject = d.key
                        or p.kind = 'queue' and l.target_kind = 'queue' and p.subject = l.target
                        or p.kind = 'key' and p.subject = l.limit_key))");
    LANES_OF_QUEUES = pair(
        "select l.id as lane_id, l.org_id, l.definition_id, l.limit_key
        from lane l
        join definition d on d.id = l.definition_id
        where l.org_id = $1 and l.target_kind = 'queue' and l.target in (select value from json_each($3)) and d.is_active
            and (select r.job_id from ready r where r.lane_id = l.id order by r.priority, r.due_at limit 1) is not null
            and not exists (
                select 1 from pause p
                where p.org_id = l.org_id and (p.until_at is null or p.until_at > $2)
                    and (p.kind = 'org'
                        or p.kind = 'definition' and p.subject = d.key
                        or p.kind = 'queue' and p.subject = l.target
                        or p.kind = 'key' and p.subject = l.limit_key))",
        "select l.id as lane_id, l.org_id, l.definition_id, l.limit_key
        from lane l
        join definition d on d.id = l.definition_id
        where l.org_id = $1 and l.target_kind = 'queue' and l.target in (select jsonb_array_elements_text($3)) and d.is_active
            and (select r.job_id from ready r where r.lane_id = l.id order by r.priority, r.due_at limit 1) is not null
            and not exists (
                select 1 from pause p
                where p.org_id = l.org_id and (p.until_at is null or p.until_at > $2)
                    and (p.kind = 'org'
                        or p.kind = 'definition' and p.subject = d.key
                        or p.kind = 'queue' and p.subject = l.target
                        or p.kind = 'key' and p.subject = l.limit_key))"
    );
    // SQLite has no lateral joins: one lane at a time there.
    READY_HEADS = pair(
        "select job_id, lane_id, priority, due_at, fence, null as tid
        from ready where lane_id = $1 order by priority, due_at, job_id limit $2",
        "select r.job_id, x.lane_id, r.priority, r.due_at, r.fence, r.tid
        from unnest($1::uuid[], $2::int[]) x (lane_id, room)
        cross join lateral (
            select ctid::text as tid, job_id, priority, due_at, fence
            from ready where lane_id = x.lane_id
            order by priority, due_at, job_id limit x.room
            for update skip locked) r"
    );
    CLAIM_READY_DELETE = pair(
        "delete from ready where job_id in (select unhex(value ->> 0) from json_each($1))",
        "delete from ready where ctid = any ($1::text[]::tid[])"
    );
    CLAIM_LEASE_INSERT = pair(
        "insert into lease (job_id, run_id, holder_id, epoch, fence, org_id, lane_id, priority, started_at, counted, definition_id)
        select unhex(value ->> 0), unhex(value ->> 1), $2, $3, value ->> 2, unhex(value ->> 3), unhex(value ->> 4), value ->> 5,
            $4, value ->> 6, unhex(value ->> 7)
        from json_each($1)",
        "insert into lease (job_id, run_id, holder_id, epoch, fence, org_id, lane_id, priority, started_at, counted, definition_id)
        select x.job_id, x.run_id, $9, $10, x.fence, x.org_id, x.lane_id, x.priority, $11, x.counted, x.definition_id
        from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::uuid[])
            x (job_id, run_id, fence, org_id, lane_id, priority, counted, definition_id)"
    );
    CLAIMED_JOBS = pair(
        "select j.id as job_id, j.org_id, j.definition_id, j.definition_version, coalesce(d.payload, j.payload) as payload,
            coalesce(d.sealed, j.sealed) as sealed, j.timeout_ms, j.on_lost, j.expires_at, j.correlation_id
        from json_each($1) x
        cross join job j on j.id = unhex(x.value ->> 0)
        left join redrive d on d.job_id = j.id and d.fence = (select max(y.fence) from redrive y where y.job_id = j.id)",
        "select x.job_id, j.org_id, j.definition_id, j.definition_version, coalesce(d.payload, j.payload) as payload,
            coalesce(d.sealed, j.sealed) as sealed, j.timeout_ms, j.on_lost, j.expires_at, j.correlation_id
        from unnest($1::uuid[]) x (job_id)
        cross join lateral (select * from job where id = x.job_id limit 1) j
        left join lateral (select payload, sealed from redrive where job_id = x.job_id order by fence desc limit 1) d on true"
    );
    LEASE_HITS = pair(
        "select l.job_id, l.run_id, l.holder_id, l.epoch, l.fence, l.org_id, l.lane_id, l.definition_id, l.priority, l.started_at, l.pid,
            l.held_at, l.cancel_at, l.cancel_reason, l.counted
        from json_each($1) x
        cross join lease l on l.job_id = unhex(x.value ->> 0) and l.fence = x.value ->> 1
            and l.holder_id = unhex(x.value ->> 2) and l.epoch = x.value ->> 3",
        "select l.*
        from unnest($1::uuid[], $2::int[], $3::uuid[], $4::bigint[]) x (job_id, fence, holder_id, epoch)
        cross join lateral (
            select job_id, run_id, holder_id, epoch, fence, org_id, lane_id, definition_id, priority, started_at, pid, held_at, cancel_at,
                cancel_reason, counted
            from lease
            where job_id = x.job_id and fence = x.fence and holder_id = x.holder_id and epoch = x.epoch
            limit 1 for update) l"
    );
    LEASE_DELETE = pair(
        "delete from lease where job_id in (select unhex(value ->> 0) from json_each($1))",
        "delete from lease where job_id = any ($1::uuid[])"
    );
    RUN_INSERT = pair(
        "insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at, pid, exit_code, signal,
            error_text, stdout_tail, stderr_tail, output)
        select unhex(value ->> 0), value ->> 1, unhex(value ->> 2), unhex(value ->> 3), unhex(value ->> 4), value ->> 5,
            value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13,
            nullif(value -> 14, 'null')
        from json_each($1)",
        "insert into run (job_id, no, id, org_id, holder_id, status, started_at, finished_at, pid, exit_code, signal,
            error_text, stdout_tail, stderr_tail, output)
        select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::timestamptz[],
            $8::timestamptz[], $9::int[], $10::int[], $11::int[], $12::text[], $13::text[], $14::text[], $15::jsonb[])"
    );
    OUTCOME_INSERT = pair(
        "insert into outcome (job_id, fence, org_id, status, reason, finished_at)
        select unhex(value ->> 0), value ->> 1, unhex(value ->> 2), value ->> 3, value ->> 4, value ->> 5 from json_each($1)",
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
        cross join job j on j.id = unhex(x.value ->> 0)",
        "select x.job_id, j.definition_id, j.definition_version, j.max_attempts, j.expires_at,
            (select count(*) from run r where r.job_id = x.job_id and r.status not in ('lost', 'not_started')
                and r.no > coalesce((select max(d.fence) from redrive d where d.job_id = x.job_id), 0)) as attempts,
            (select count(*) from run r where r.job_id = x.job_id and r.status in ('lost', 'not_started')
                and r.no > coalesce((select max(d.fence) from redrive d where d.job_id = x.job_id), 0)) as free_ends
        from unnest($1::uuid[]) x (job_id)
        cross join lateral (select * from job where id = x.job_id limit 1) j"
    );
}

/// Ids as SQLite takes them: an array of arrays of one.
fn job_rows<T>(rows: &[T], of: impl Fn(&T) -> JobId) -> String {
    Value::Array(rows.iter().map(|row| json!([hex(of(row))])).collect()).to_string()
}

fn place_rows(places: &[Place]) -> String {
    let row = |p: &Place| json!([hex(p.lane_id), p.priority, p.due_at.as_micros(), hex(p.job_id), p.fence]);
    Value::Array(places.iter().map(row).collect()).to_string()
}

fn new_job_rows(jobs: &[NewJob]) -> String {
    let row = |j: &NewJob| {
        json!([
            hex(j.id),
            hex(j.org_id),
            hex(j.definition_id),
            j.definition_version,
            hex(j.lane_id),
            j.source,
            j.source_ref,
            j.priority,
            j.payload,
            j.sealed.as_deref().map(hex_bytes),
            j.dedupe_key,
            j.correlation_id,
            j.scheduled_for.as_micros(),
            j.expires_at.map(Timestamp::as_micros),
            j.max_attempts,
            j.timeout.as_millis(),
            j.on_lost,
            j.created_by,
            j.queued_at.as_micros(),
        ])
    };
    Value::Array(jobs.iter().map(row).collect()).to_string()
}

fn run_rows(runs: &[EndedRun]) -> String {
    let row = |r: &EndedRun| {
        json!([
            hex(r.job_id),
            r.no,
            hex(r.id),
            hex(r.org_id),
            hex(r.holder_id),
            r.status,
            r.started_at.as_micros(),
            r.finished_at.as_micros(),
            r.pid,
            r.exit_code,
            r.signal,
            r.error_text,
            r.stdout_tail,
            r.stderr_tail,
            r.output,
        ])
    };
    Value::Array(runs.iter().map(row).collect()).to_string()
}

impl Tx<'_> {
    /// Inserts jobs. They are in no lane yet.
    pub async fn job_insert(&mut self, jobs: &[NewJob]) -> Result<()> {
        let j = jobs;
        split_execute!(
            self,
            JOB_INSERT,
            sqlite(new_job_rows(j)),
            postgres(
                ids(j, |j| j.id),
                ids(j, |j| j.org_id),
                ids(j, |j| j.definition_id),
                column(j, |j| j.definition_version),
                ids(j, |j| j.lane_id),
                column(j, |j| j.source.as_str()),
                column(j, |j| j.source_ref.as_deref()),
                column(j, |j| j.priority),
                column(j, |j| PgJson(&j.payload)),
                column(j, |j| j.sealed.as_deref()),
                column(j, |j| j.dedupe_key.as_deref()),
                column(j, |j| j.correlation_id.as_deref()),
                times(j, |j| j.scheduled_for),
                times_opt(j, |j| j.expires_at),
                column(j, |j| j.max_attempts),
                column(j, |j| j.timeout.as_millis()),
                column(j, |j| j.on_lost.as_str()),
                column(j, |j| j.created_by.as_str()),
                times(j, |j| j.queued_at),
            ),
        )?;
        let expiring: Vec<(Timestamp, JobId)> = jobs.iter().filter_map(|j| Some((j.expires_at?, j.id))).collect();
        if expiring.is_empty() {
            return Ok(());
        }
        let rows = || Value::Array(expiring.iter().map(|(at, id)| json!([at.as_micros(), hex(*id)])).collect());
        split_execute!(
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
        split_execute!(
            self,
            READY_INSERT,
            sqlite(place_rows(p)),
            postgres(
                ids(p, |p| p.lane_id),
                column(p, |p| p.priority),
                times(p, |p| p.due_at),
                ids(p, |p| p.job_id),
                column(p, |p| p.fence)
            ),
        )?;
        Ok(())
    }

    /// Puts jobs aside until their time.
    pub async fn waiting_insert(&mut self, places: &[Place], reason: WaitReason) -> Result<()> {
        let p = places;
        split_execute!(
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

    /// Begins a holder's session: what its earlier sessions hold still counts.
    pub async fn holder_put(&mut self, holder: HolderId, epoch: i64) -> Result<()> {
        execute!(self, HOLDER_PUT, holder, epoch)?;
        Ok(())
    }

    /// Locks a holder for a claim; `None` if this epoch is no longer in force, or was not heard from since `heard`.
    pub async fn holder_lock(
        &mut self,
        holder: HolderId,
        epoch: i64,
        now: Timestamp,
        heard: Timestamp,
    ) -> Result<Option<Holder>> {
        one!(self, HOLDER_LOCK => Holder, holder, epoch, now, heard)
    }

    /// How much a holder runs, and how many began lately.
    pub async fn holder_get(&mut self, holder: HolderId) -> Result<Option<(i32, Recent)>> {
        Ok(one!(self, HOLDER_GET => Load, holder)?.map(|load| (load.running, load.recent)))
    }

    /// Counts what a holder has taken.
    pub async fn holder_charge(&mut self, holder: HolderId, taken: i32, recent: &Recent) -> Result<()> {
        execute!(self, HOLDER_CHARGE, holder, taken, recent.clone())?;
        Ok(())
    }

    /// Counts what a holder has given back.
    pub async fn holder_release(&mut self, holder: HolderId, given: i32) -> Result<()> {
        execute!(self, HOLDER_RELEASE, holder, given)?;
        Ok(())
    }

    /// The lanes of a host that are open and hold something.
    pub async fn lanes_of_host(&mut self, host: domain::HostId, now: Timestamp) -> Result<Vec<OpenLane>> {
        all!(self, LANES_OF_HOST => OpenLane, host, now)
    }

    /// The lanes of these queues of an org that are open and hold something.
    pub async fn lanes_of_queues(&mut self, org: OrgId, queues: &[String], now: Timestamp) -> Result<Vec<OpenLane>> {
        all!(self, LANES_OF_QUEUES => OpenLane, org, now, Json(json!(queues)))
    }

    /// The first jobs of each lane, at most so many, locked; others who claim pass over them.
    pub async fn ready_heads(&mut self, lanes: &[(LaneId, u32)]) -> Result<Vec<Head>> {
        if matches!(self.conn, crate::conn::Conn::Postgres(_)) {
            let rooms = column(lanes, |lane| i32::try_from(lane.1).unwrap_or(i32::MAX));
            return split!(self, READY_HEADS => Head, sqlite(), postgres(ids(lanes, |lane| lane.0), rooms));
        }
        let mut heads = Vec::new();
        for (lane, room) in lanes {
            heads.extend(split!(self, READY_HEADS => Head, sqlite(Db(*lane), i64::from(*room)), postgres())?);
        }
        Ok(heads)
    }

    /// Turns locked heads into leases of a holder and returns what they are to run.
    pub async fn lease_insert(
        &mut self,
        leases: &[NewLease],
        holder: HolderId,
        epoch: i64,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let l = leases;
        split_execute!(
            self,
            CLAIM_READY_DELETE,
            sqlite(job_rows(l, |l| l.head.job_id)),
            postgres(column(l, |l| l.head.tid.as_deref())),
        )?;
        let row = |l: &NewLease| {
            json!([
                hex(l.head.job_id),
                hex(l.run_id),
                l.head.fence + 1,
                hex(l.org_id),
                hex(l.head.lane_id),
                l.head.priority,
                l.counted,
                hex(l.definition_id)
            ])
        };
        split_execute!(
            self,
            CLAIM_LEASE_INSERT,
            sqlite(Value::Array(l.iter().map(row).collect()).to_string(), Db(holder), epoch, Db(now)),
            postgres(
                ids(l, |l| l.head.job_id),
                ids(l, |l| l.run_id),
                column(l, |l| l.head.fence + 1),
                ids(l, |l| l.org_id),
                ids(l, |l| l.head.lane_id),
                column(l, |l| l.head.priority),
                column(l, |l| l.counted.as_deref()),
                ids(l, |l| l.definition_id),
                Db(holder),
                epoch,
                Db(now),
            ),
        )?;
        let jobs: Vec<JobId> = l.iter().map(|l| l.head.job_id).collect();
        self.claimed_jobs(&jobs).await
    }

    /// What these jobs are to run.
    pub async fn claimed_jobs(&mut self, jobs: &[JobId]) -> Result<Vec<Claimed>> {
        let claimed = split!(
            self, CLAIMED_JOBS => ClaimedRow,
            sqlite(job_rows(jobs, |id| *id)),
            postgres(ids(jobs, |id| *id)),
        )?;
        Ok(claimed.into_iter().map(Claimed::from).collect())
    }

    /// The leases that these reports are about, locked. A report without one is stale.
    pub async fn lease_hits(&mut self, keys: &[RunKey]) -> Result<Vec<Lease>> {
        let row = |k: &RunKey| json!([hex(k.job_id), k.fence, hex(k.holder_id), k.epoch]);
        split!(
            self, LEASE_HITS => Lease,
            sqlite(Value::Array(keys.iter().map(row).collect()).to_string()),
            postgres(ids(keys, |k| k.job_id), column(keys, |k| k.fence), ids(keys, |k| k.holder_id), column(keys, |k| k.epoch)),
        )
    }

    /// Ends leases that were locked in this transaction.
    pub async fn lease_delete(&mut self, jobs: &[JobId]) -> Result<u64> {
        split_execute!(self, LEASE_DELETE, sqlite(job_rows(jobs, |id| *id)), postgres(ids(jobs, |id| *id)))
    }

    /// Writes down runs that have ended.
    pub async fn run_insert(&mut self, runs: &[EndedRun]) -> Result<()> {
        let r = runs;
        split_execute!(
            self,
            RUN_INSERT,
            sqlite(run_rows(r)),
            postgres(
                ids(r, |r| r.job_id),
                column(r, |r| r.no),
                ids(r, |r| r.id),
                ids(r, |r| r.org_id),
                ids(r, |r| r.holder_id),
                column(r, |r| r.status.as_str()),
                times(r, |r| r.started_at),
                times(r, |r| r.finished_at),
                column(r, |r| r.pid),
                column(r, |r| r.exit_code),
                column(r, |r| r.signal),
                column(r, |r| r.error_text.as_deref()),
                column(r, |r| r.stdout_tail.as_deref()),
                column(r, |r| r.stderr_tail.as_deref()),
                column(r, |r| r.output.as_ref().filter(|output| !output.is_null()).map(PgJson)),
            ),
        )?;
        Ok(())
    }

    /// Writes down the ends of jobs. Its key is (job, fence): a second end of the same is refused.
    pub async fn outcome_insert(&mut self, outcomes: &[Outcome]) -> Result<()> {
        let o = outcomes;
        let row =
            |o: &Outcome| json!([hex(o.job_id), o.fence, hex(o.org_id), o.status, o.reason, o.finished_at.as_micros()]);
        split_execute!(
            self,
            OUTCOME_INSERT,
            sqlite(Value::Array(o.iter().map(row).collect()).to_string()),
            postgres(
                ids(o, |o| o.job_id),
                column(o, |o| o.fence),
                ids(o, |o| o.org_id),
                column(o, |o| o.status.as_str()),
                column(o, |o| o.reason.map(EndReason::as_str)),
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

impl From<ClaimedRow> for Claimed {
    fn from(row: ClaimedRow) -> Self {
        Self {
            job_id: row.job_id,
            org_id: row.org_id,
            definition_id: row.definition_id,
            definition_version: row.definition_version,
            payload: row.payload.0,
            sealed: row.sealed,
            timeout: row.timeout_ms,
            on_lost: row.on_lost,
            expires_at: row.expires_at,
            correlation_id: row.correlation_id,
        }
    }
}
