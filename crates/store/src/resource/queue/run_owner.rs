//! The owner of a run: a holder reports only runs that were granted to it.

use domain::{HolderId, JobId, RunId};

use crate::{Result, Tx};

/// The owner of a run, as a holder sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunOwner {
    Holder,
    /// It was granted to another holder, or to none.
    Other,
    /// Its job does not exist (any more).
    Deleted,
}

struct OwnerRow {
    run_id: Option<RunId>,
    holder_id: Option<HolderId>,
}

rows! { OwnerRow { run_id, holder_id } }

statements! {
    // At most one of lease and run exists for a fence.
    RUN_OWNER = same("
        select coalesce(l.run_id, r.id) as run_id, coalesce(l.holder_id, r.holder_id) as holder_id
        from job j
        left join lease l on l.job_id = j.id and l.fence = $2
        left join run r on r.job_id = j.id and r.no = $2
        where j.id = $1
        limit 1");
}

impl Tx<'_> {
    /// The owner of the run of a job with this fence.
    pub async fn run_owner(&mut self, job: JobId, fence: i32, holder: HolderId) -> Result<RunOwner> {
        self.owner_of(job, fence, holder, |_| true).await
    }

    /// The owner of the run of a job with this fence and this id.
    pub async fn run_owner_by_id(&mut self, job: JobId, fence: i32, run: RunId, holder: HolderId) -> Result<RunOwner> {
        self.owner_of(job, fence, holder, |found| found == Some(run)).await
    }

    async fn owner_of(
        &mut self,
        job: JobId,
        fence: i32,
        holder: HolderId,
        is_run: impl Fn(Option<RunId>) -> bool,
    ) -> Result<RunOwner> {
        Ok(match one!(self, RUN_OWNER => OwnerRow, job, fence)? {
            None => RunOwner::Deleted,
            Some(row) if row.holder_id == Some(holder) && is_run(row.run_id) => RunOwner::Holder,
            Some(_) => RunOwner::Other,
        })
    }
}
