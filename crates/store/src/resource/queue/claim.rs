//! The claim: the jobs that a holder may take, and the leases for them.
//!
//! - `calm`: claims for an idle host
//! - `turn`: finished runs and the next claim of a host, in one transaction

use std::collections::HashMap;

use domain::{
    DefinitionId, HolderId, HostId, JobId, LaneId, OrgId, RunId, Span, Timestamp, job::OnLost, quota::Recent,
};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids, share_columns, times},
    insert::{Lease, NewJob, job_rows},
    sql::Both,
    tx::Conn,
    value::{Db, Json, id_texts, pg},
};

/// So many heads of several lanes are read with what they are to run, although not all of them may be claimed.
const TOGETHER_MAX: u32 = 256;

/// A claimable job, locked.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    pub job_id: JobId,
    pub lane_id: LaneId,
    pub priority: i32,
    pub due_at: Timestamp,
    pub fence: i32,
    /// Where the row lies, on PostgreSQL.
    tid: Option<pg::Tid>,
    /// What it is to run, where that was asked in the same breath.
    job: Option<Claimed>,
    /// Made by the same transaction, and in no lane.
    is_new: bool,
}

impl Head {
    /// Where it stands in its lane.
    #[must_use]
    pub const fn spot(&self) -> Spot {
        Spot { priority: self.priority, due_at: self.due_at, job_id: self.job_id }
    }

    /// A job that this transaction makes and that need not wait.
    #[must_use]
    pub fn new(job: &NewJob) -> Self {
        Self { is_new: true, ..Self::waiting(job) }
    }

    /// A job that was made a moment ago and waits in its lane.
    #[must_use]
    pub fn waiting(job: &NewJob) -> Self {
        Self {
            job_id: job.id,
            lane_id: job.lane_id,
            priority: job.priority,
            due_at: job.scheduled_for,
            fence: 0,
            tid: None,
            job: Some(Claimed::from(job)),
            is_new: false,
        }
    }

    #[must_use]
    pub const fn job(&self) -> Option<&Claimed> {
        self.job.as_ref()
    }
}

/// Where a job stands in its lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub priority: i32,
    pub due_at: Timestamp,
    pub job_id: JobId,
}

impl Spot {
    const START: Self =
        Self { priority: i32::MIN, due_at: Timestamp::from_micros(0), job_id: JobId::from_bytes([0; 16]) };
}

/// What is asked of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneRoom {
    pub lane_id: LaneId,
    /// At most so many.
    pub room: u32,
    /// From here on; from its start if absent. SQLite keeps nothing of what was taken and looks at all.
    pub from: Option<Spot>,
}

impl LaneRoom {
    #[must_use]
    pub const fn new(lane_id: LaneId, room: u32) -> Self {
        Self { lane_id, room, from: None }
    }
}

/// Lanes that are taken for open without a look whether they hold something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unseen<'a> {
    /// They held more than was asked for a moment ago.
    Full(&'a [LaneId]),
    /// They are about to hold something; it is asked whether they do already.
    New(&'a [LaneId]),
}

/// A lease to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLease {
    pub head: Head,
    pub run_id: RunId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub counted: Option<String>,
}

impl NewLease {
    /// As it is held from then on.
    #[must_use]
    pub fn held(&self, holder_id: HolderId, epoch: i64, started_at: Timestamp) -> Lease {
        Lease {
            job_id: self.head.job_id,
            run_id: self.run_id,
            holder_id,
            epoch,
            fence: self.head.fence + 1,
            org_id: self.org_id,
            lane_id: self.head.lane_id,
            definition_id: self.definition_id,
            priority: self.head.priority,
            started_at,
            pid: None,
            held_at: None,
            cancel_at: None,
            cancel_reason: None,
            counted: self.counted.clone(),
        }
    }
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

struct HeadRow {
    job_id: JobId,
    lane_id: LaneId,
    priority: i32,
    due_at: Timestamp,
    fence: i32,
    tid: Option<pg::Tid>,
}

/// A head with what it is to run.
type HeadJobRow = Both<HeadRow, ClaimedRow>;

/// A lane, where there is one beside what else is in the row.
struct LaneRow {
    lane_id: Option<LaneId>,
    org_id: Option<OrgId>,
    definition_id: Option<DefinitionId>,
    limit_key: Option<String>,
    is_waiting: bool,
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

/// A holder of leases, locked: what it runs and what it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub running: i32,
    pub recent: Recent,
    /// Of its host; a worker's are what it asks for.
    pub max_running: Option<i32>,
    pub jobs_per_minute: Option<i32>,
    pub is_paused: bool,
    /// Whether there is any limit besides those of hosts.
    pub has_limits: bool,
    /// Whether its host is in the pool of several orgs.
    pub is_shared: bool,
    /// Changes with everything that decides what a host may begin with, but for what waits and what runs.
    pub rules: i64,
}

/// A host's holder, locked, and what is open to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostOpen {
    pub holder: Holder,
    pub lanes: Vec<OpenLane>,
    /// Whether something waits in any of them already.
    pub is_waiting: bool,
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
    HeadRow { job_id, lane_id, priority, due_at, fence, tid }
    LaneRow { lane_id, org_id, definition_id, limit_key, is_waiting }
    ClaimedRow { job_id, org_id, definition_id, definition_version, payload, sealed, timeout_ms, on_lost, expires_at, correlation_id }
    Holder { running, recent, max_running, jobs_per_minute, is_paused, has_limits, is_shared, rules }
    OpenLane { lane_id, org_id, definition_id, limit_key }
}

/// Whether something in lane `l` can be claimed. A look into each lane, not `exists`: as a join it would read all of
/// `ready` where the planner thinks it empty.
macro_rules! has_ready {
    () => {
        has_ready!("l.id")
    };
    ($lane:literal) => {
        concat!(
            "(select r.job_id from ready r where r.lane_id = ",
            $lane,
            " order by r.priority, r.due_at limit 1) is not null"
        )
    };
}

/// What makes a lane `l` of a definition `d` open: switched on, and paused by nobody; `$3` is now.
macro_rules! is_open {
    () => {
        "d.is_active
            and not exists (
                select 1 from pause p
                where p.org_id = l.org_id and (p.until_at is null or p.until_at > $3)
                    and (p.kind = 'org'
                        or p.kind = 'definition' and p.subject = d.key
                        or p.kind = 'queue' and l.target_kind = 'queue' and p.subject = l.target
                        or p.kind = 'key' and p.subject = l.limit_key))"
    };
}

/// A holder `o` and what its host may; `$3` is now.
macro_rules! holder {
    ($rules:literal) => {
        concat!(
            "o.running, o.recent, h.max_running, h.jobs_per_minute,
            coalesce(h.is_paused and (h.pause_until is null or h.pause_until > $3), false) as is_paused,
            exists (select 1 from quota) as has_limits,
            exists (select 1 from host_share x where x.host_id = o.id) as is_shared, ",
            $rules,
            " as rules"
        )
    };
}

/// Holder `$1` in its session `$2`, heard from since `$4`.
macro_rules! of_holder {
    () => {
        "o.id = $1 and o.epoch = $2
            and (s.host_id is null or s.epoch = o.epoch and s.closed_at is null and s.heartbeat_at > $4)"
    };
}

/// Host `$1` is served by its session `$2`, heard from since then, if it has one.
macro_rules! is_attended {
    ($heard:literal) => {
        concat!(
            "not exists (
                select 1 from host_session s
                where s.host_id = $1 and not (s.epoch = $2 and s.closed_at is null and s.heartbeat_at > ",
            $heard,
            "))"
        )
    };
}

/// No limit, pause, share or switch has changed since the rules had this number.
macro_rules! is_under_rules {
    ($rules:literal) => {
        concat!("exists (select 1 from config_version where id = 1 and version = ", $rules, ")")
    };
}

macro_rules! holder_lock {
    ($rules:literal, $lock:literal) => {
        concat!(
            "select ",
            holder!($rules),
            " from holder o left join host h on h.id = o.id left join host_session s on s.host_id = o.id where ",
            of_holder!(),
            $lock
        )
    };
}

/// With the lanes that hold something, or are about to: those in `$new` may be empty. `$6` asks whether they are.
macro_rules! host_open {
    ($rules:literal, $lanes:literal, $new:literal, $end:literal, $lock:literal) => {
        concat!(
            "select ",
            holder!($rules),
            ", l.id as lane_id, l.org_id, l.definition_id, l.limit_key,
                case when $6 and l.id ",
            $new,
            " then ",
            has_ready!(),
            " else true end as is_waiting
            from holder o left join host h on h.id = o.id left join host_session s on s.host_id = o.id
            left join ",
            $lanes,
            is_open!(),
            " and (l.id ",
            $new,
            " or ",
            has_ready!(),
            ")",
            $end,
            " where ",
            of_holder!(),
            $lock
        )
    };
}

macro_rules! host_open_postgres {
    ($lock:literal) => {
        host_open!(
            "(select version from config_version where id = 1)",
            "(host_lane hl join lane l on l.id = hl.lane_id join definition d on d.id = l.definition_id)
                on hl.host_id = o.id and ",
            "= any ($5::uuid[])",
            "",
            $lock
        )
    };
}

macro_rules! lanes_of_queues {
    ($queues:literal) => {
        concat!(
            "select l.id as lane_id, l.org_id, l.definition_id, l.limit_key
            from lane l join definition d on d.id = l.definition_id
            where l.org_id = $1 and l.target_kind = 'queue' and l.target in (",
            $queues,
            ") and ",
            is_open!(),
            " and ",
            has_ready!()
        )
    };
}

/// What job `j` is to run, with what it was changed to in `d`.
macro_rules! claimed {
    () => {
        "j.org_id, j.definition_id, j.definition_version, coalesce(d.payload, j.payload) as payload,
            coalesce(d.sealed, j.sealed) as sealed, j.timeout_ms, j.on_lost, j.expires_at, j.correlation_id"
    };
}

mod calm;
mod turn;

pub use calm::Calm;
pub use turn::{TurnLook, Unchanged};

/// Statements of all of it.
pub(crate) const CALM_STATEMENTS: &[crate::Sql] = calm::STATEMENTS;
pub(crate) const TURN_STATEMENTS: &[crate::Sql] = turn::STATEMENTS;

statements! {
    HOLDER_LOCK = pair(holder_lock!("0", ""), holder_lock!("cast(0 as bigint)", " for update of o"));
    // SQLite would make a table of a join within a join, of all hosts; PostgreSQL would read all lanes for an `in`.
    HOST_OPEN = pair(
        host_open!(
            "0",
            "lane l on l.id in (select lane_id from host_lane where host_id = $1)
                and exists (select 1 from definition d where d.id = l.definition_id and ",
            "in (select unhex(value) from json_each($5))",
            ")",
            ""
        ),
        host_open_postgres!(" for update of o")
    );
    // Without a lock, for those who make sure of it when they write.
    HOST_LOOK = pair(
        "select 1",
        host_open_postgres!("")
    );
    LANES_OF_QUEUES = pair(
        lanes_of_queues!("select value from json_each($2)"),
        lanes_of_queues!("select jsonb_array_elements_text($2)")
    );
    // SQLite has no lateral joins: one lane at a time there.
    READY_HEADS = pair(
        "select job_id, lane_id, priority, due_at, fence, null as tid
        from ready where lane_id = $1 order by priority, due_at, job_id limit $2",
        "select r.job_id, x.lane_id, r.priority, r.due_at, r.fence, r.tid
        from unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[], $5::uuid[]) x (lane_id, room, priority, due_at, job_id)
        cross join lateral (
            select ctid as tid, job_id, priority, due_at, fence
            from ready where lane_id = x.lane_id and (priority, due_at, job_id) >= (x.priority, x.due_at, x.job_id)
            order by priority, due_at, job_id limit x.room
            for update skip locked) r"
    );
    // With what they are to run, where few of what is found is not claimed: one round trip less.
    READY_HEADS_AND_JOBS = pair(
        concat!(
            "select r.lane_id, r.priority, r.due_at, r.fence, null as tid, r.job_id, ",
            claimed!(),
            " from (
                select lane_id, job_id, priority, due_at, fence
                from ready where lane_id = $1 order by priority, due_at, job_id limit $2) r
            cross join job j on j.id = r.job_id
            left join redrive d on r.fence > 0 and d.job_id = j.id
                and d.fence = (select max(y.fence) from redrive y where y.job_id = j.id)"
        ),
        concat!(
            "select x.lane_id, r.priority, r.due_at, r.fence, r.tid, r.job_id, ",
            claimed!(),
            " from unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[], $5::uuid[])
                x (lane_id, room, priority, due_at, job_id)
            cross join lateral (
                select ctid as tid, job_id, priority, due_at, fence
                from ready where lane_id = x.lane_id and (priority, due_at, job_id) >= (x.priority, x.due_at, x.job_id)
                order by priority, due_at, job_id limit x.room
                for update skip locked) r
            cross join lateral (select * from job where id = r.job_id limit 1) j
            left join lateral (
                select payload, sealed from redrive where r.fence > 0 and job_id = r.job_id order by fence desc limit 1) d on true"
        )
    );
    CLAIM_READY_DELETE = pair(
        "delete from ready where job_id in ($1)",
        "delete from ready where ctid = any ($1::tid[])"
    );
    CLAIM_LEASE_INSERT = pair(
        "insert into lease (job_id, run_id, holder_id, epoch, fence, org_id, lane_id, priority, started_at, counted, definition_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        "insert into lease (job_id, run_id, holder_id, epoch, fence, org_id, lane_id, priority, started_at, counted, definition_id)
        select x.job_id, x.run_id, $9, $10, x.fence, x.org_id, x.lane_id, x.priority, $11, x.counted, x.definition_id
        from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::uuid[], $6::int[], $7::text[], $8::uuid[])
            x (job_id, run_id, fence, org_id, lane_id, priority, counted, definition_id)"
    );
    CLAIMED_JOBS = pair(
        concat!(
            "select j.id as job_id, ",
            claimed!(),
            " from json_each($1) x
            cross join job j on j.id = unhex(x.value)
            left join redrive d on d.job_id = j.id and d.fence = (select max(y.fence) from redrive y where y.job_id = j.id)"
        ),
        concat!(
            "select x.job_id, ",
            claimed!(),
            " from unnest($1::uuid[]) x (job_id)
            cross join lateral (select * from job where id = x.job_id limit 1) j
            left join lateral (select payload, sealed from redrive where job_id = x.job_id order by fence desc limit 1) d on true"
        )
    );
}

impl Tx<'_> {
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

    /// Locks a host's holder as [`Tx::holder_lock`] does, with the lanes of the host that are open and hold something,
    /// or are taken for such.
    pub async fn host_open(
        &mut self,
        host: HostId,
        epoch: i64,
        now: Timestamp,
        heard: Timestamp,
        unseen: Unseen<'_>,
    ) -> Result<Option<HostOpen>> {
        let (lanes, is_asked) = match unseen {
            Unseen::Full(lanes) => (lanes, false),
            Unseen::New(lanes) => (lanes, true),
        };
        let sql = if self.is_optimistic() { HOST_LOOK } else { HOST_OPEN };
        self.allow_unlocked_query();
        let rows = split!(
            self, sql => Both<Holder, LaneRow>,
            sqlite(Db(host), epoch, Db(now), Db(heard), id_texts(lanes), Db(is_asked)),
            postgres(Db(host), epoch, Db(now), Db(heard), ids(lanes, |id| *id), is_asked),
        )?;
        let mut open: Option<HostOpen> = None;
        for Both(holder, lane) in rows {
            let open = open.get_or_insert_with(|| HostOpen { holder, lanes: Vec::new(), is_waiting: false });
            if let (Some(lane_id), Some(org_id), Some(definition_id), Some(limit_key)) =
                (lane.lane_id, lane.org_id, lane.definition_id, lane.limit_key)
            {
                open.is_waiting |= lane.is_waiting;
                open.lanes.push(OpenLane { lane_id, org_id, definition_id, limit_key });
            }
        }
        Ok(open)
    }

    /// The lanes of these queues of an org that are open and hold something.
    pub async fn lanes_of_queues(&mut self, org: OrgId, queues: &[String], now: Timestamp) -> Result<Vec<OpenLane>> {
        all!(self, LANES_OF_QUEUES => OpenLane, org, Json(json!(queues)), now)
    }

    /// The first jobs of each lane, at most so many, locked; others who claim pass over them.
    pub async fn ready_heads(&mut self, lanes: &[LaneRoom]) -> Result<Vec<Head>> {
        let room: u32 = lanes.iter().map(|lane| lane.room).fold(0, u32::saturating_add);
        let is_together = lanes.len() == 1 || room <= TOGETHER_MAX;
        if matches!(self.conn, Conn::Postgres(_)) {
            let from: Vec<Spot> = lanes.iter().map(|lane| lane.from.unwrap_or(Spot::START)).collect();
            let rooms = column(lanes, |lane| i32::try_from(lane.room).unwrap_or(i32::MAX));
            let lanes = ids(lanes, |lane| lane.lane_id);
            let (priorities, dues, jobs) =
                (column(&from, |from| from.priority), times(&from, |from| from.due_at), ids(&from, |from| from.job_id));
            return Ok(if is_together {
                let rows = split!(
                    self, READY_HEADS_AND_JOBS => HeadJobRow,
                    sqlite(),
                    postgres(lanes, rooms, priorities, dues, jobs),
                );
                rows?.into_iter().map(Head::from).collect()
            } else {
                let rows =
                    split!(self, READY_HEADS => HeadRow, sqlite(), postgres(lanes, rooms, priorities, dues, jobs));
                rows?.into_iter().map(Head::from).collect()
            });
        }
        let mut heads = Vec::new();
        for lane in lanes {
            let (lane, room) = (Db(lane.lane_id), i64::from(lane.room));
            if is_together {
                let rows = split!(self, READY_HEADS_AND_JOBS => HeadJobRow, sqlite(lane, room), postgres());
                heads.extend(rows?.into_iter().map(Head::from));
            } else {
                let rows = split!(self, READY_HEADS => HeadRow, sqlite(lane, room), postgres());
                heads.extend(rows?.into_iter().map(Head::from));
            }
        }
        Ok(heads)
    }

    /// Turns locked heads into leases of a holder and returns what they are to run, in the same order.
    pub async fn lease_insert(
        &mut self,
        leases: &mut [NewLease],
        holder: HolderId,
        epoch: i64,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let mut claimed: Vec<Claimed> = leases.iter_mut().filter_map(|lease| lease.head.job.take()).collect();
        let l = &*leases;
        if claimed.len() < l.len() {
            // Asked before anything is put off: asking would send it.
            let jobs: Vec<JobId> = l.iter().map(|l| l.head.job_id).collect();
            let mut found: HashMap<JobId, Claimed> =
                self.claimed_jobs(&jobs).await?.into_iter().map(|job| (job.job_id, job)).collect();
            claimed = jobs.iter().filter_map(|job| found.remove(job)).collect();
        }
        let waited: Vec<&NewLease> = l.iter().filter(|l| !l.head.is_new).collect();
        if !waited.is_empty() && self.is_optimistic() {
            self.turn_take(&waited.iter().map(|lease| &lease.head).collect::<Vec<_>>())?;
        } else if !waited.is_empty() {
            defer!(
                self,
                CLAIM_READY_DELETE,
                each(waited.as_slice(), |l| Db(l.head.job_id)),
                postgres(column(&waited, |l| l.head.tid)),
            )?;
        }
        let same = share_columns(l, |l| {
            (l.head.fence, l.org_id, l.head.lane_id, l.head.priority, &l.counted, l.definition_id)
        });
        defer!(
            self,
            CLAIM_LEASE_INSERT,
            each(
                l,
                |l| Db(l.head.job_id),
                Db(l.run_id),
                Db(holder),
                epoch,
                l.head.fence + 1,
                Db(l.org_id),
                Db(l.head.lane_id),
                l.head.priority,
                Db(now),
                l.counted.as_deref(),
                Db(l.definition_id),
            ),
            postgres(
                ids(l, |l| l.head.job_id),
                ids(l, |l| l.run_id),
                same.column(|l| l.head.fence + 1),
                same.ids(|l| l.org_id),
                same.ids(|l| l.head.lane_id),
                same.column(|l| l.head.priority),
                same.column(|l| l.counted.as_deref()),
                same.ids(|l| l.definition_id),
                Db(holder),
                epoch,
                Db(now),
            ),
        )?;
        Ok(claimed)
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
}

impl From<HeadRow> for Head {
    fn from(row: HeadRow) -> Self {
        let HeadRow { job_id, lane_id, priority, due_at, fence, tid } = row;
        Self { job_id, lane_id, priority, due_at, fence, tid, job: None, is_new: false }
    }
}

impl From<HeadJobRow> for Head {
    fn from(Both(head, job): HeadJobRow) -> Self {
        Self { job: Some(job.into()), ..head.into() }
    }
}

impl From<&NewJob> for Claimed {
    fn from(job: &NewJob) -> Self {
        Self {
            job_id: job.id,
            org_id: job.org_id,
            definition_id: job.definition_id,
            definition_version: job.definition_version,
            payload: job.payload.clone(),
            sealed: job.sealed.clone(),
            timeout: job.timeout,
            on_lost: job.on_lost,
            expires_at: job.expires_at,
            correlation_id: job.correlation_id.clone(),
        }
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
