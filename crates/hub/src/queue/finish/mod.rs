//! The finish: ends runs by reports. A report counts only if its lease exists with the same fence, holder and epoch;
//! `domain` decides what follows. There is one function, [`finish`]; it works inside a transaction of its caller.
//!
//! - `batch`: rows that a batch of ended runs writes
//! - `effects`: wake-ups and counts after the commit
//! - `report`: a report, and what follows from it

mod batch;
mod effects;
mod report;

use std::{borrow::Borrow, collections::HashMap, sync::Arc};

use domain::rejection::RejectReason;
use proto::Code;
use serde_json::json;
use store::{
    Tx,
    insert::{Lease, RunKey},
    run_owner::RunOwner,
    stale_report::StaleReport,
};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use self::batch::FinishBatch;
use super::events::Changes;
use crate::{
    Error, Hub, Result,
    batcher::{BatchSlot, Batcher},
};

pub(crate) use effects::{Ended, FinishEffects};
pub(crate) use report::Report;

/// Largest number of submissions in one transaction.
const SUBMISSIONS_MAX: usize = 64;
/// Smallest number of reports that starts a second transaction while one is being written; fewer wait and share the next
/// one. Without this, draining is a tenth slower.
const MIN_BATCH: usize = 32;
/// Submissions that can wait; beyond it sessions wait to hand in theirs.
const QUEUE: usize = 1_024;

/// The credit of a linked runner: grants that it accepts in all since its session began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Credit {
    pub(crate) host: domain::HostId,
    pub(crate) epoch: i64,
    pub(crate) limit: u64,
}

/// Reports that are finished together, for example those of one frame.
pub(crate) struct Submission {
    pub(crate) reports: Arc<Vec<Report>>,
    /// New credit of the runner that sent them.
    pub(crate) credit: Option<Credit>,
    pub(crate) reply: oneshot::Sender<Result<Finished>>,
}

/// The result of a submission.
pub(crate) struct Finished {
    /// For each report, whether its lease existed.
    pub(crate) applied: Vec<bool>,
    /// Whether the same transaction has claimed for the new credit.
    pub(crate) is_claimed: bool,
}

/// Queue of submissions; the writers take them in batches.
pub(crate) struct Finisher(Batcher<Submission>);

impl Finisher {
    pub(crate) fn new() -> Self {
        Self(Batcher::with_min_batch(QUEUE, MIN_BATCH, |submission: &Submission| submission.reports.len()))
    }

    /// Submits reports with the new credit of their runner, and waits for the commit.
    pub(crate) async fn submit(&self, reports: Vec<Report>, credit: Option<Credit>) -> Result<Finished> {
        let stopping = || Error::new(Code::HubStopping, "the hub is stopping");
        let (reply, finished) = oneshot::channel();
        let submission = Submission { reports: Arc::new(reports), credit, reply };
        self.0.sender.send(submission).await.map_err(|_| stopping())?;
        let interrupted = |_| Error::outcome_unknown("the hub stopped while the report was being written");
        finished.await.map_err(interrupted)?
    }

    /// The next batch; empty when the hub stops.
    pub(crate) async fn take(&self, stop: &CancellationToken) -> (Vec<Submission>, BatchSlot) {
        self.0.take(SUBMISSIONS_MAX, stop).await
    }
}

/// Ends runs by their reports inside a transaction: deletes the leases, inserts runs and outcomes or the next attempt,
/// and releases slots and limits. Locks leases, then holders, then limits, each in the order of their ids. Events and
/// counts go into `changes`, which the caller writes last. A report without a lease is stored as evidence.
pub(crate) async fn finish<R: Borrow<Report> + Sync>(
    hub: &Hub,
    tx: &mut Tx<'_>,
    reports: &[R],
    changes: &mut Changes,
) -> Result<FinishEffects> {
    let now = hub.now();
    let keys: Vec<RunKey> = reports.iter().map(|report| report.borrow().key).collect();
    // By the whole key: a stale report must not use up the lease of a valid one.
    let mut leases: HashMap<RunKey, Lease> =
        tx.lease_take(&keys).await?.into_iter().map(|lease| (lease.key(), lease)).collect();
    let (mut applied, mut ended) = (Vec::with_capacity(reports.len()), Vec::with_capacity(reports.len()));
    for report in reports.iter().map(Borrow::borrow) {
        // Two reports of the same run in one batch end it once.
        let lease = leases.remove(&report.key);
        applied.push(lease.is_some());
        match lease {
            Some(lease) => ended.push((lease, report)),
            None => reject(hub, tx, report).await?,
        }
    }
    if ended.is_empty() {
        return Ok(FinishEffects { applied, ..FinishEffects::default() });
    }
    let batch = FinishBatch::of(hub, tx, &ended, changes, now).await?;
    batch.write(tx, applied).await
}

/// Stores a report without a lease as evidence. Fails if the lease belongs to another session of the same holder: its
/// inventory moves the lease, and then the report counts.
async fn reject(hub: &Hub, tx: &mut Tx<'_>, report: &Report) -> Result<()> {
    let RunKey { job_id, fence, holder_id, epoch } = report.key;
    let is_of_other_session =
        |lease: Lease| lease.fence == fence && lease.holder_id == holder_id && lease.epoch != epoch;
    if tx.lease_get(job_id).await?.is_some_and(is_of_other_session) {
        return Err(Error::new(Code::SessionSuperseded, "this run is held by another session of its host"));
    }
    let result = &report.result;
    let evidence = StaleReport {
        id: hub.ids.next(),
        // The statement stores the org of the job.
        org_id: domain::OrgId::from_bytes([0; 16]),
        job_id,
        fence,
        holder_id,
        epoch,
        body: json!({"status": result.status, "exit_code": result.exit_code, "error": result.error}),
        at: hub.now(),
    };
    if let Some(host) = report.host {
        match tx.run_owner(job_id, fence, holder_id).await? {
            RunOwner::Holder => {}
            RunOwner::Other => hub.reject(host, RejectReason::ForeignRun, 1, &format!("result of job {job_id}")),
            // The job was deleted after its retention.
            RunOwner::Deleted => hub.reject(host, RejectReason::Superseded, 1, &format!("result of job {job_id}")),
        }
    }
    if tx.stale_insert(&evidence, result.status).await? {
        tracing::info!(job.id = %job_id, run.no = fence, holder.id = %holder_id, "stored a stale report as evidence");
    }
    Ok(())
}
