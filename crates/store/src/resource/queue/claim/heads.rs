//! Heads: the first claimable jobs of lanes.

use domain::{JobId, LaneId, Timestamp};

use super::jobs::{ClaimedJob, ClaimedRow};
use crate::{
    Result, Tx,
    columns::{column, ids, times},
    insert::NewJob,
    sql::Both,
    tx::Conn,
    value::{Db, pg},
};

/// Up to this many heads of several lanes are read together with the content of their jobs. That saves a round trip,
/// but the content of heads that the claim leaves is read in vain. The heads of a single lane are all claimed.
const HEADS_WITH_JOBS_MAX: u32 = 256;

/// A claimable job. Its row is locked.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    pub job_id: JobId,
    pub lane_id: LaneId,
    pub priority: i32,
    pub due_at: Timestamp,
    pub fence: i32,
    /// Physical position of its row; `None` on SQLite.
    pub(super) tid: Option<pg::Tid>,
    /// Content of the job, if it was read with the head.
    pub(super) job: Option<ClaimedJob>,
    /// Whether this transaction inserts the job, without a row in its lane.
    pub(super) is_new: bool,
}

impl Head {
    /// The head of a job that this transaction inserts and claims, so that it never gets a row in its lane.
    #[must_use]
    pub fn new(job: &NewJob) -> Self {
        Self {
            job_id: job.id,
            lane_id: job.lane_id,
            priority: job.priority,
            due_at: job.scheduled_for,
            fence: 0,
            tid: None,
            job: Some(ClaimedJob::from(job)),
            is_new: true,
        }
    }

    /// The position of the job in its lane.
    #[must_use]
    pub const fn position(&self) -> Position {
        Position { priority: self.priority, due_at: self.due_at, job_id: self.job_id }
    }
}

/// The position of a job in its lane. Jobs with a lower position are claimed earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub priority: i32,
    pub due_at: Timestamp,
    pub job_id: JobId,
}

impl Position {
    const START: Self =
        Self { priority: i32::MIN, due_at: Timestamp::from_micros(0), job_id: JobId::from_bytes([0; 16]) };
}

/// The number of heads to read from a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneCapacity {
    pub lane_id: LaneId,
    pub capacity: u32,
    /// Position to read from; `None` for the start of the lane. Skips dead rows of claimed jobs, which PostgreSQL keeps
    /// until vacuum. SQLite has none and ignores it.
    pub from: Option<Position>,
}

impl LaneCapacity {
    /// A number of heads from the start of a lane.
    #[must_use]
    pub const fn new(lane_id: LaneId, capacity: u32) -> Self {
        Self { lane_id, capacity, from: None }
    }
}

struct HeadRow {
    job_id: JobId,
    lane_id: LaneId,
    priority: i32,
    due_at: Timestamp,
    fence: i32,
    tid: Option<pg::Tid>,
}

/// A head with the content of its job.
type HeadJobRow = Both<HeadRow, ClaimedRow>;

rows! {
    HeadRow { job_id, lane_id, priority, due_at, fence, tid }
}

statements! {
    // SQLite has no lateral joins, so it reads one lane per statement.
    READY_HEADS = pair(
        "select job_id, lane_id, priority, due_at, fence, null as tid
        from ready where lane_id = $1 order by priority, due_at, job_id limit $2",
        "select r.job_id, x.lane_id, r.priority, r.due_at, r.fence, r.tid
        from unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[], $5::uuid[])
            x (lane_id, capacity, priority, due_at, job_id)
        cross join lateral (
            select ctid as tid, job_id, priority, due_at, fence
            from ready where lane_id = x.lane_id and (priority, due_at, job_id) >= (x.priority, x.due_at, x.job_id)
            order by priority, due_at, job_id limit x.capacity
            for update skip locked) r"
    );
    READY_HEADS_AND_JOBS = pair(
        concat!(
            "select r.lane_id, r.priority, r.due_at, r.fence, null as tid, r.job_id, ",
            job_content!(),
            " from (
                select lane_id, job_id, priority, due_at, fence
                from ready where lane_id = $1 order by priority, due_at, job_id limit $2) r
            cross join job j on j.id = r.job_id
            left join redrive d on r.fence > 0 and d.job_id = j.id
                and d.fence = (select max(y.fence) from redrive y where y.job_id = j.id)"
        ),
        concat!(
            "select x.lane_id, r.priority, r.due_at, r.fence, r.tid, r.job_id, ",
            job_content!(),
            " from unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[], $5::uuid[])
                x (lane_id, capacity, priority, due_at, job_id)
            cross join lateral (
                select ctid as tid, job_id, priority, due_at, fence
                from ready where lane_id = x.lane_id and (priority, due_at, job_id) >= (x.priority, x.due_at, x.job_id)
                order by priority, due_at, job_id limit x.capacity
                for update skip locked) r
            cross join lateral (select * from job where id = r.job_id limit 1) j
            left join lateral (
                select payload, sealed from redrive where r.fence > 0 and job_id = r.job_id order by fence desc limit 1) d on true"
        )
    );
}

impl Tx<'_> {
    /// Locks and returns the first jobs of each lane, at most its capacity. Skips jobs that another claim has locked.
    pub async fn ready_heads(&mut self, lanes: &[LaneCapacity]) -> Result<Vec<Head>> {
        let capacity: u32 = lanes.iter().map(|lane| lane.capacity).fold(0, u32::saturating_add);
        let is_with_jobs = lanes.len() == 1 || capacity <= HEADS_WITH_JOBS_MAX;
        if matches!(self.conn, Conn::Postgres(_)) {
            let from: Vec<Position> = lanes.iter().map(|lane| lane.from.unwrap_or(Position::START)).collect();
            let capacities = column(lanes, |lane| i32::try_from(lane.capacity).unwrap_or(i32::MAX));
            let lanes = ids(lanes, |lane| lane.lane_id);
            let (priorities, dues, jobs) =
                (column(&from, |from| from.priority), times(&from, |from| from.due_at), ids(&from, |from| from.job_id));
            return Ok(if is_with_jobs {
                let rows = split!(
                    self, READY_HEADS_AND_JOBS => HeadJobRow,
                    sqlite(),
                    postgres(lanes, capacities, priorities, dues, jobs),
                );
                rows?.into_iter().map(Head::from).collect()
            } else {
                let rows =
                    split!(self, READY_HEADS => HeadRow, sqlite(), postgres(lanes, capacities, priorities, dues, jobs));
                rows?.into_iter().map(Head::from).collect()
            });
        }
        let mut heads = Vec::new();
        for lane in lanes {
            let (lane, capacity) = (Db(lane.lane_id), i64::from(lane.capacity));
            if is_with_jobs {
                let rows = split!(self, READY_HEADS_AND_JOBS => HeadJobRow, sqlite(lane, capacity), postgres());
                heads.extend(rows?.into_iter().map(Head::from));
            } else {
                let rows = split!(self, READY_HEADS => HeadRow, sqlite(lane, capacity), postgres());
                heads.extend(rows?.into_iter().map(Head::from));
            }
        }
        Ok(heads)
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
