//! Leases for claimed jobs.

use std::collections::HashMap;

use domain::{DefinitionId, HolderId, JobId, OrgId, RunId, Timestamp};

use super::{heads::Head, jobs::ClaimedJob};
use crate::{
    Result, Tx,
    columns::{column, ids, share_columns},
    value::Db,
};

/// A lease to insert.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLease {
    pub head: Head,
    pub run_id: RunId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    /// The ids of the limits that the run counts towards, joined by commas.
    pub counted: Option<String>,
}

statements! {
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
}

impl Tx<'_> {
    /// Replaces locked heads by leases of a holder, and returns the content of their jobs in the same order. A head's
    /// fence increases by one. Takes the content out of the heads, if it was read with them.
    pub async fn lease_insert(
        &mut self,
        leases: &mut [NewLease],
        holder: HolderId,
        epoch: i64,
        now: Timestamp,
    ) -> Result<Vec<ClaimedJob>> {
        let mut claimed: Vec<ClaimedJob> = leases.iter_mut().filter_map(|lease| lease.head.job.take()).collect();
        let l = &*leases;
        if claimed.len() < l.len() {
            // Before the writes: a query sends all deferred writes.
            let jobs: Vec<JobId> = l.iter().map(|l| l.head.job_id).collect();
            let mut found: HashMap<JobId, ClaimedJob> =
                self.claimed_jobs(&jobs).await?.into_iter().map(|job| (job.job_id, job)).collect();
            claimed = jobs.iter().filter_map(|job| found.remove(job)).collect();
        }
        let ready: Vec<&NewLease> = l.iter().filter(|l| !l.head.is_new).collect();
        if !ready.is_empty() {
            defer!(
                self,
                CLAIM_READY_DELETE,
                each(ready.as_slice(), |l| Db(l.head.job_id)),
                postgres(column(&ready, |l| l.head.tid)),
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
}
