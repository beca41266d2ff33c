//! Leases outside of claims and reports: new sessions, lost holders, cancellation, process ids.
//!
//! Every update names the fence, holder and epoch it was decided for. If the run has been reported, lost or claimed
//! again since, the update matches no row, so a late decision cannot change a newer run.

use domain::{FromHost, HolderId, JobId, LaneId, OrgId, QuotaId, Timestamp};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::{column, ids},
    insert::{Lease, Place},
    value::{Db, hex, id_texts},
};

/// A lease whose holder has stopped sending heartbeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silent {
    pub job_id: JobId,
    pub fence: i32,
    pub holder_id: HolderId,
    pub epoch: i64,
    pub on_lost: domain::job::OnLost,
    pub heard_at: Option<Timestamp>,
}

struct Counted {
    counted: Option<String>,
}

rows! {
    Silent { job_id, fence, holder_id, epoch, on_lost, heard_at }
    Counted { counted }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select job_id, run_id, holder_id, epoch, fence, org_id, lane_id, definition_id, priority, started_at, pid, held_at, cancel_at,
                cancel_reason, counted
            from lease ",
            $rest
        )
    };
}

statements! {
    LEASES_OF_HOLDER = pair(
        select!("where holder_id = $1 order by job_id"),
        select!("where holder_id = $1 order by job_id for update")
    );
    LEASE_GET = pair(select!("where job_id = $1"), select!("where job_id = $1 for update"));
    LEASES_OF_ORG = same(select!("where org_id = $1 order by started_at, job_id limit $2"));
    // A new session takes over the leases of runs that its runner still has. Any other lease keeps the old epoch, so
    // that reports in the new session do not match it.
    LEASE_REBIND = pair(
        "update lease set epoch = $2, held_at = null
        where holder_id = $3 and job_id in (select unhex(value) from json_each($1))",
        "update lease set epoch = $2, held_at = null where holder_id = $3 and job_id = any ($1::uuid[])"
    );
    LEASE_STARTED = pair(
        "update lease set pid = x.pid
        from (select unhex(value ->> 0) as job_id, value ->> 1 as fence, value ->> 2 as pid from json_each($1)) x
        where lease.job_id = x.job_id and lease.fence = x.fence and lease.holder_id = $2 and lease.epoch = $3",
        "update lease set pid = x.pid
        from (
            select l.job_id, r.pid
            from (select * from unnest($1::uuid[], $2::int[], $3::int[]) k (job_id, fence, pid) order by job_id) r
            cross join lateral (
                select job_id from lease
                where job_id = r.job_id and fence = r.fence and holder_id = $4 and epoch = $5
                limit 1 for update) l
        ) x
        where lease.job_id = x.job_id and lease.job_id = any ($1::uuid[])"
    );
    LEASE_CANCEL = same("
        update lease set cancel_at = $3, cancel_reason = $4 where job_id = $1 and fence = $2 and cancel_at is null");
    LEASES_CANCELING = same(select!("where cancel_at is not null limit $1"));
    LEASES_CANCELED = same(select!("where holder_id = $1 and epoch = $2 and cancel_at is not null"));
    // A holder without any heartbeat counts as silent since the start of its lease.
    LEASES_SILENT = same("
        select l.job_id, l.fence, l.holder_id, l.epoch, j.on_lost,
            coalesce((select s.heartbeat_at from host_session s where s.host_id = l.holder_id),
                (select w.last_seen_at from worker w where w.id = l.holder_id)) as heard_at
        from lease l
        join job j on j.id = l.job_id
        where l.held_at is null
            and coalesce((select s.heartbeat_at from host_session s where s.host_id = l.holder_id),
                (select w.last_seen_at from worker w where w.id = l.holder_id), l.started_at) < $1
        limit $2");
    LEASE_HOLD = same("
        update lease set held_at = $5
        where job_id = $1 and fence = $2 and holder_id = $3 and epoch = $4 and held_at is null");
    READY_TAKE = pair(
        "delete from ready where job_id in (select unhex(value) from json_each($1))
        returning job_id, lane_id, priority, due_at, fence",
        "delete from ready where job_id = any ($1::uuid[]) returning job_id, lane_id, priority, due_at, fence"
    );
    WAITING_TAKE = pair(
        "delete from waiting where job_id in (select unhex(value) from json_each($1))
        returning job_id, lane_id, priority, due_at, fence",
        "delete from waiting where job_id = any ($1::uuid[]) returning job_id, lane_id, priority, due_at, fence"
    );
    EXPIRY_TAKE = pair(
        "delete from expiry where (expires_at, job_id) in
            (select expires_at, job_id from expiry where expires_at <= $1 order by expires_at limit $2)
        returning job_id",
        "with due as materialized (
            select ctid as tid from expiry where expires_at <= $1 order by expires_at limit $2 for update skip locked)
        delete from expiry where ctid = any (array(select tid from due)) returning job_id"
    );
    COUNTED_BY_LANE_ORG = same("select counted from lease where org_id = $1");
    LEASES_IN_LANES = same("select count(*) from lease where lane_id = $1");
}

struct LeaseJobRow {
    job_id: JobId,
}
rows! { LeaseJobRow { job_id } }

impl Tx<'_> {
    /// Returns all leases of a holder, longest first. Locks them by ascending job id, as every transaction does.
    pub async fn leases_of_holder(&mut self, holder: HolderId) -> Result<Vec<Lease>> {
        let mut leases = all!(self, LEASES_OF_HOLDER => Lease, holder)?;
        leases.sort_by_key(|lease| (lease.started_at, lease.job_id));
        Ok(leases)
    }

    /// Returns the lease of a job, locked.
    pub async fn lease_get(&mut self, job: JobId) -> Result<Option<Lease>> {
        one!(self, LEASE_GET => Lease, job)
    }

    /// Returns the leases of an organization, longest first.
    pub async fn leases_of_org(&mut self, org: OrgId, limit: u32) -> Result<Vec<Lease>> {
        all!(self, LEASES_OF_ORG => Lease, org, i64::from(limit))
    }

    /// Moves leases that a holder still runs to its new session.
    pub async fn lease_rebind(&mut self, holder: HolderId, epoch: i64, jobs: &[JobId]) -> Result<u64> {
        split_execute!(
            self,
            LEASE_REBIND,
            sqlite(id_texts(jobs), epoch, Db(holder)),
            postgres(ids(jobs, |id| *id), epoch, Db(holder)),
        )
    }

    /// Stores the process ids of runs, each as job, fence, pid.
    pub async fn lease_started(&mut self, runs: &FromHost<Vec<(JobId, i32, i32)>>) -> Result<u64> {
        let (holder, epoch, runs) = (runs.sender().holder(), runs.sender().epoch(), runs.value().as_slice());
        let rows = || Value::Array(runs.iter().map(|run| json!([hex(run.0), run.1, run.2])).collect());
        split_execute!(
            self,
            LEASE_STARTED,
            sqlite(rows().to_string(), Db(holder), epoch),
            postgres(ids(runs, |r| r.0), column(runs, |r| r.1), column(runs, |r| r.2), Db(holder), epoch),
        )
    }

    /// Requests cancellation of a run. Returns `false` if it was requested before, or if the fence is outdated.
    pub async fn lease_cancel(&mut self, job: JobId, fence: i32, reason: &str, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, LEASE_CANCEL, job, fence, now, reason.to_owned())? == 1)
    }

    /// Returns the leases of a session with requested cancellation.
    pub async fn leases_canceled(&mut self, holder: HolderId, epoch: i64) -> Result<Vec<Lease>> {
        all!(self, LEASES_CANCELED => Lease, holder, epoch)
    }

    /// Returns leases of all holders with requested cancellation.
    pub async fn leases_canceling(&mut self, limit: u32) -> Result<Vec<Lease>> {
        all!(self, LEASES_CANCELING => Lease, i64::from(limit))
    }

    /// Returns leases that are not held yet and whose holder sent its last heartbeat before a time.
    pub async fn leases_silent(&mut self, before: Timestamp, limit: u32) -> Result<Vec<Silent>> {
        all!(self, LEASES_SILENT => Silent, before, i64::from(limit))
    }

    /// Marks a lease as held for its silent holder. Matches only the same fence, holder and epoch.
    pub async fn lease_hold(&mut self, silent: &Silent, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, LEASE_HOLD, silent.job_id, silent.fence, silent.holder_id, silent.epoch, now)? == 1)
    }

    /// Removes jobs from their lanes and returns those that were there.
    pub async fn ready_take(&mut self, jobs: &[JobId]) -> Result<Vec<Place>> {
        split!(self, READY_TAKE => Place, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))
    }

    /// Removes jobs from `waiting` and returns those that were there.
    pub async fn waiting_take(&mut self, jobs: &[JobId]) -> Result<Vec<Place>> {
        split!(self, WAITING_TAKE => Place, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))
    }

    /// Deletes at most `limit` due rows of `expiry` and returns their jobs. Some of these may have started or ended
    /// already.
    pub async fn expiry_take(&mut self, now: Timestamp, limit: u32) -> Result<Vec<JobId>> {
        Ok(all!(self, EXPIRY_TAKE => LeaseJobRow, now, i64::from(limit))?.into_iter().map(|row| row.job_id).collect())
    }

    /// Returns the number of an organization's runs that count towards a limit.
    pub async fn leases_counted(&mut self, org: OrgId, quota: QuotaId) -> Result<u32> {
        let text = quota.to_string();
        let rows = all!(self, COUNTED_BY_LANE_ORG => Counted, org)?;
        let count = rows.iter().filter(|row| row.counted.as_deref().is_some_and(|counted| counted.contains(&text)));
        Ok(u32::try_from(count.count()).unwrap_or(u32::MAX))
    }

    /// Returns the number of runs in progress of a lane.
    pub async fn leases_in_lane(&mut self, lane: LaneId) -> Result<i64> {
        Ok(value!(self, LEASES_IN_LANES => i64, lane)?.unwrap_or(0))
    }
}
