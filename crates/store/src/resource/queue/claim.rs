//! The claim: locking a holder, reading the heads of its lanes, and inserting leases for them.
//!
//! The steps of a claim, in the order of their locks: [`Tx::claim_lock_host`] or [`Tx::holder_lock`], the limits
//! ([`crate::quota`]), [`Tx::ready_heads`], and [`Tx::lease_insert`]. Only [`Tx::holder_lock`] and the locks of limits
//! can wait; the others skip rows that another transaction has locked.
//!
//! - `heads`: the first jobs of lanes
//! - `jobs`: the content of claimed jobs
//! - `leases`: leases for claimed jobs

use domain::{DefinitionId, HolderId, HostId, LaneId, OrgId, Timestamp, quota::Recent};
use serde_json::json;

use crate::{
    Result, Tx,
    columns::ids,
    sql::Both,
    value::{Db, Json, id_texts},
};

/// A holder of leases, with its load and limits. Its row is locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    pub running: i32,
    pub recent: Recent,
    /// The limit of its host. `None` for a worker, whose limit is the number of jobs in its request.
    pub max_running: Option<i32>,
    pub jobs_per_minute: Option<i32>,
    pub is_paused: bool,
    /// Whether any limit exists besides those of hosts.
    pub has_limits: bool,
    /// Whether its host is shared with other organizations.
    pub is_shared: bool,
}

/// The locked holder of a host, with the lanes that the host may claim from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedHost {
    pub holder: Holder,
    pub lanes: Vec<OpenLane>,
    /// Whether a job waits in any of these lanes.
    pub is_waiting: bool,
}

/// A lane whose definition is active, that is not paused, and that has a claimable job or is assumed to have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenLane {
    pub lane_id: LaneId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub limit_key: String,
}

/// Lanes that [`Tx::claim_lock_host`] returns even if they have no claimable job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssumedOpen<'a> {
    /// The previous claim left jobs in these lanes: [`LockedHost::is_waiting`] counts them without a query.
    Full(&'a [LaneId]),
    /// This transaction inserts jobs into these lanes: [`LockedHost::is_waiting`] counts earlier jobs only.
    New(&'a [LaneId]),
}

/// The columns of a lane in a row that may have none.
struct LaneRow {
    lane_id: Option<LaneId>,
    org_id: Option<OrgId>,
    definition_id: Option<DefinitionId>,
    limit_key: Option<String>,
    is_waiting: bool,
}

rows! {
    Holder { running, recent, max_running, jobs_per_minute, is_paused, has_limits, is_shared }
    OpenLane { lane_id, org_id, definition_id, limit_key }
    LaneRow { lane_id, org_id, definition_id, limit_key, is_waiting }
}

/// Whether lane `l` has a claimable job. A subquery with a limit: PostgreSQL would turn `exists` into a join, and read
/// all of `ready` if the planner takes the table for empty.
macro_rules! has_ready {
    () => {
        "(select r.job_id from ready r where r.lane_id = l.id order by r.priority, r.due_at limit 1) is not null"
    };
}

/// Whether lane `l` of definition `d` is open at the time `$3`: an active definition, and no pause.
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

/// The columns of [`Holder`], at the time `$3`.
macro_rules! holder_columns {
    () => {
        "o.running, o.recent, h.max_running, h.jobs_per_minute,
            coalesce(h.is_paused and (h.pause_until is null or h.pause_until > $3), false) as is_paused,
            exists (select 1 from quota) as has_limits,
            exists (select 1 from host_share x where x.host_id = o.id) as is_shared"
    };
}

/// Holder `$1` in its session `$2`, with a heartbeat after `$4`, and not revoked. A worker has no session row and no host.
macro_rules! from_holder {
    () => {
        " from holder o left join host h on h.id = o.id left join host_session s on s.host_id = o.id
            where o.id = $1 and o.epoch = $2 and h.revoked_at is null
                and (s.host_id is null or s.epoch = o.epoch and s.closed_at is null and s.heartbeat_at > $4)"
    };
}

macro_rules! holder_lock {
    ($lock:literal) => {
        concat!("select ", holder_columns!(), from_holder!(), $lock)
    };
}

/// Locks holder `$1` and reads the lanes of its host. The lanes in `$new` need no job; `$6` says whether to look for
/// one. The lock is taken in a query of its own: with one lock per lane, a holder that is released meanwhile would be
/// returned with a part of its lanes.
macro_rules! claim_lock_host {
    ($lanes:literal, $new:literal, $end:literal, $lock:literal) => {
        concat!(
            "with locked as materialized (select ",
            holder_columns!(),
            from_holder!(),
            $lock,
            ")
            select locked.running, locked.recent, locked.max_running, locked.jobs_per_minute, locked.is_paused,
                locked.has_limits, locked.is_shared, l.id as lane_id, l.org_id, l.definition_id, l.limit_key,
                case when $6 and l.id ",
            $new,
            " then ",
            has_ready!(),
            " else true end as is_waiting
            from locked left join ",
            $lanes,
            is_open!(),
            " and (l.id ",
            $new,
            " or ",
            has_ready!(),
            ")",
            $end
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

/// The content of job `j`, with the changes of its last redrive `d`.
macro_rules! job_content {
    () => {
        "j.org_id, j.definition_id, j.definition_version, coalesce(d.payload, j.payload) as payload,
            coalesce(d.sealed, j.sealed) as sealed, j.timeout_ms, j.on_lost, j.expires_at, j.correlation_id"
    };
}

// After the macros: these files use `job_content!`.
pub(crate) mod heads;
pub(crate) mod jobs;
pub(crate) mod leases;

pub use heads::{Head, LaneCapacity, Position};
pub use jobs::ClaimedJob;
pub use leases::NewLease;

statements! {
    HOLDER_LOCK = pair(holder_lock!(""), holder_lock!(" for update of o"));
    // SQLite would copy a join inside of a join into a table, with the lanes of all hosts; PostgreSQL would read all
    // lanes for an `in`.
    CLAIM_LOCK_HOST = pair(
        claim_lock_host!(
            "lane l on l.id in (select lane_id from host_lane where host_id = $1)
                and exists (select 1 from definition d where d.id = l.definition_id and ",
            "in (select unhex(value) from json_each($5))",
            ")",
            ""
        ),
        claim_lock_host!(
            "(host_lane hl join lane l on l.id = hl.lane_id join definition d on d.id = l.definition_id)
                on hl.host_id = $1 and ",
            "= any ($5::uuid[])",
            "",
            " for update of o skip locked"
        )
    );
    LANES_OF_QUEUES = pair(
        lanes_of_queues!("select value from json_each($2)"),
        lanes_of_queues!("select jsonb_array_elements_text($2)")
    );
}

impl Tx<'_> {
    /// Locks a holder. Waits for another transaction that has locked it. Returns `None` if this is not its current
    /// session, or if the session had no heartbeat after `heard_since`.
    pub async fn holder_lock(
        &mut self,
        holder: HolderId,
        epoch: i64,
        now: Timestamp,
        heard_since: Timestamp,
    ) -> Result<Option<Holder>> {
        one!(self, HOLDER_LOCK => Holder, holder, epoch, now, heard_since)
    }

    /// Locks the holder of a host, and returns it with the open lanes of the host. `None` as in [`Tx::holder_lock`],
    /// and also, on PostgreSQL, if another transaction has locked the holder: this claim never waits for it, and the
    /// caller tries again at the next wake-up or poll.
    pub async fn claim_lock_host(
        &mut self,
        host: HostId,
        epoch: i64,
        now: Timestamp,
        heard_since: Timestamp,
        assumed: AssumedOpen<'_>,
    ) -> Result<Option<LockedHost>> {
        let (lanes, is_new) = match assumed {
            AssumedOpen::Full(lanes) => (lanes, false),
            AssumedOpen::New(lanes) => (lanes, true),
        };
        let rows = split!(
            self, CLAIM_LOCK_HOST => Both<Holder, LaneRow>,
            sqlite(Db(host), epoch, Db(now), Db(heard_since), id_texts(lanes), Db(is_new)),
            postgres(Db(host), epoch, Db(now), Db(heard_since), ids(lanes, |id| *id), is_new),
        )?;
        let mut locked: Option<LockedHost> = None;
        for Both(holder, lane) in rows {
            let locked = locked.get_or_insert_with(|| LockedHost { holder, lanes: Vec::new(), is_waiting: false });
            if let (Some(lane_id), Some(org_id), Some(definition_id), Some(limit_key)) =
                (lane.lane_id, lane.org_id, lane.definition_id, lane.limit_key)
            {
                locked.is_waiting |= lane.is_waiting;
                locked.lanes.push(OpenLane { lane_id, org_id, definition_id, limit_key });
            }
        }
        Ok(locked)
    }

    /// Returns the lanes of these queues of an organization that are open and have a claimable job.
    pub async fn lanes_of_queues(&mut self, org: OrgId, queues: &[String], now: Timestamp) -> Result<Vec<OpenLane>> {
        all!(self, LANES_OF_QUEUES => OpenLane, org, Json(json!(queues)), now)
    }
}
