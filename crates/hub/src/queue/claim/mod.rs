//! The claim: locks a holder, reads the heads of its open lanes, chooses jobs within every limit, and turns their ready
//! rows into leases. There is one function, [`claim`]; it works inside a transaction of its caller.
//!
//! - `context`: the locked holder with its lanes and limits
//! - `grant`: grants for leased jobs
//! - `limits`: limits over the lanes of a claim
//! - `secrets`: secrets and hidden values that only a run receives
//! - `share`: fair shares of orgs on a shared host
//! - `worker`: claims over HTTP

mod context;
mod grant;
mod limits;
pub(crate) mod secrets;
pub(crate) mod share;
pub(crate) mod worker;

use std::sync::Arc;

use domain::{HolderId, HostId, JobId, LaneId, OrgId, Span};
use proto::work::Grant;
use store::{
    Tx,
    claim::{AssumedOpen, Head, LaneCapacity},
    insert::{NewJob, RunKey},
};

use self::{context::ClaimContext, worker::WorkerTerms};
use super::{
    cache::{
        definitions::Compiled,
        lane_cursor::{LaneScan, ReservedRange},
    },
    events::Changes,
};
use crate::{Hub, Result};

pub(crate) use grant::size;
pub(crate) use limits::{on_host_key, quota_keys};

/// Largest number of jobs in one claim.
const CAPACITY_MAX: u32 = 1_000;
/// Capacity from which a claim of one lane reads heads alone and reserves the range.
const LARGE: u32 = 128;

/// A holder that can claim jobs.
#[derive(Debug, Clone)]
pub(crate) enum Claimant {
    /// The runner of a host.
    Host(HostId),
    /// A worker that claims over HTTP.
    Worker {
        id: HolderId,
        org: OrgId,
        queues: Vec<String>,
        /// Id of the worker's request, stored so that a repetition returns the same grants.
        request: Option<String>,
        terms: Arc<WorkerTerms>,
    },
}

impl Claimant {
    pub(crate) fn holder(&self) -> HolderId {
        match self {
            Self::Host(host) => (*host).into(),
            Self::Worker { id, .. } => *id,
        }
    }

    pub(crate) fn host(&self) -> Option<HostId> {
        match self {
            Self::Host(host) => Some(*host),
            Self::Worker { .. } => None,
        }
    }
}

/// A claim: the holder, the epoch of its session, and how many grants it accepts.
#[derive(Debug, Clone)]
pub(crate) struct ClaimRequest {
    pub(crate) claimant: Claimant,
    pub(crate) epoch: i64,
    pub(crate) capacity: u32,
}

/// Where the jobs of a claim come from.
#[derive(Clone, Copy)]
pub(crate) enum JobSource<'a> {
    /// The open lanes of the holder.
    Lanes,
    /// Jobs that the same transaction inserts, unless other jobs are waiting for the holder.
    Inserted(&'a [&'a NewJob]),
}

/// A leased job that cannot start, because its secrets cannot be opened. Its run must be reported as failed.
pub(crate) struct RefusedRun {
    pub(crate) key: RunKey,
    pub(crate) host: Option<HostId>,
    pub(crate) reason: String,
}

/// The result of a claim. The grants may be sent only after the commit.
#[derive(Default)]
pub(crate) struct Claimed {
    pub(crate) grants: Vec<Grant>,
    pub(crate) definitions: Vec<Arc<Compiled>>,
    pub(crate) refused: Vec<RefusedRun>,
    /// Time that each job has waited, with its org.
    waits: Vec<(OrgId, Span)>,
    scans: Vec<LaneScan>,
    reserved: Option<ReservedRange>,
}

impl Claimed {
    /// Whether the transaction inserted leases.
    pub(crate) fn has_leases(&self) -> bool {
        !self.grants.is_empty() || !self.refused.is_empty()
    }

    /// The jobs that have a lease.
    pub(crate) fn started(&self) -> impl Iterator<Item = JobId> + '_ {
        self.grants.iter().map(|grant| grant.job).chain(self.refused.iter().map(|run| run.key.job_id))
    }

    /// Moves lane cursors and counts the started runs, after the commit.
    pub(crate) fn after_commit(&mut self, hub: &Hub) {
        let now = hub.now();
        hub.metrics.note_claim(&self.waits);
        hub.queue.lane_cursors.settle(&self.scans, self.reserved.take(), now);
        for (org, wait) in &self.waits {
            hub.queue.stats.waited(*org, *wait, now);
            hub.samples.waited(*org, *wait, now);
        }
        if self.has_leases() {
            hub.news();
        }
    }
}

/// Claims jobs for a holder inside a transaction. Locks the holder, then limits, then ready rows; the last step skips
/// rows that other claims have locked. Events and counts go into `changes`, which the caller writes last.
pub(crate) async fn claim(
    hub: &Hub,
    tx: &mut Tx<'_>,
    request: &ClaimRequest,
    source: JobSource<'_>,
    changes: &mut Changes,
) -> Result<Claimed> {
    let now = hub.now();
    let full_lanes = hub.queue.lane_cursors.full_lanes(now);
    let new_lanes = match source {
        JobSource::Lanes => Vec::new(),
        JobSource::Inserted(jobs) => lanes_of(jobs),
    };
    let assumed_open = match source {
        JobSource::Lanes => AssumedOpen::Full(&full_lanes),
        JobSource::Inserted(_) => AssumedOpen::New(&new_lanes),
    };
    let Some(context) = ClaimContext::lock(hub, tx, request, assumed_open, now).await? else {
        return Ok(Claimed::default());
    };
    let mut lanes = context.lane_capacities(now);
    let mut claimed = Claimed::default();
    let heads = match source {
        JobSource::Inserted(_) if context.is_waiting => return Ok(claimed),
        JobSource::Inserted(jobs) => {
            let is_open = |job: &&&NewJob| lanes.iter().any(|lane| lane.lane_id == job.lane_id);
            jobs.iter().filter(is_open).map(|job| Head::new(job)).collect()
        }
        JobSource::Lanes if lanes.is_empty() => return Ok(claimed),
        JobSource::Lanes => read_heads(hub, tx, &mut lanes, &mut claimed).await?,
    };
    let (leases, jobs) = context.lease(hub, tx, heads, now).await?;
    LaneScan::note_claimed(&mut claimed.scans, &leases);
    grant::grant(hub, tx, request, leases, jobs, &mut claimed, changes).await?;
    if let Claimant::Worker { id, terms, .. } = &request.claimant {
        terms.complete(hub, tx, *id, &claimed.grants).await?;
    }
    Ok(claimed)
}

fn lanes_of(jobs: &[&NewJob]) -> Vec<LaneId> {
    let mut lanes: Vec<_> = jobs.iter().map(|job| job.lane_id).collect();
    lanes.sort();
    lanes.dedup();
    lanes
}

/// Reads and locks the heads of lanes. If a lane returns fewer than requested from its cursor, all lanes are read again
/// from the start of such lanes.
async fn read_heads(
    hub: &Hub,
    tx: &mut Tx<'_>,
    lanes: &mut [LaneCapacity],
    claimed: &mut Claimed,
) -> Result<Vec<Head>> {
    let now = hub.now();
    let cursors = &hub.queue.lane_cursors;
    // SQLite has one writer, so no other claim reads at the same time. Of several lanes fewer heads are claimed than
    // read, so a range behind them cannot be reserved.
    let is_large = matches!(&*lanes, [lane] if lane.capacity >= LARGE) && hub.store.kind() == store::Kind::Postgres;
    let large_read = if is_large { Some(cursors.large_read().await) } else { None };
    for lane in lanes.iter_mut() {
        lane.from = cursors.get(lane.lane_id, now);
    }
    let mut heads = tx.ready_heads(lanes).await?;
    claimed.scans = LaneScan::of(lanes, &heads);
    if claimed.scans.iter().any(LaneScan::may_have_skipped) {
        for (lane, _) in lanes.iter_mut().zip(&claimed.scans).filter(|(_, scan)| scan.may_have_skipped()) {
            lane.from = None;
        }
        heads = tx.ready_heads(lanes).await?;
        claimed.scans = LaneScan::of(lanes, &heads);
    }
    claimed.reserved = large_read.map(|_guard| cursors.reserve(hub, &mut claimed.scans, hub.now()));
    Ok(heads)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        Error,
        queue::test_support::{TestQueue, local},
    };

    testkit::db_test!(revoked_host_claims_nothing, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 1).await;
        fixture.hub.host_revoke(&local(), fixture.acme, "web-1").await.expect("revokes");
        assert!(fixture.claim().await.is_empty(), "although its session is not closed yet");
    });

    /// Claims in a transaction that rolls back.
    async fn claim_and_roll_back(fixture: &TestQueue, (host, epoch): (HostId, i64), capacity: u32) {
        let hub = fixture.hub.clone();
        let rolled_back = fixture.hub.store.write(move |tx| {
            Box::pin(async move {
                let request = ClaimRequest { claimant: Claimant::Host(host), epoch, capacity };
                let claimed = claim(&hub, tx, &request, JobSource::Lanes, &mut Changes::default()).await?;
                assert_eq!(claimed.grants.len(), capacity as usize);
                let is_reserved = !hub.queue.lane_cursors.full_lanes(hub.now()).is_empty();
                assert_eq!(is_reserved, hub.store.kind() == store::Kind::Postgres, "other claims read behind it");
                Err::<(), _>(Error::internal(anyhow::anyhow!("rolled back")))
            })
        });
        rolled_back.await.expect_err("rolls back");
        assert!(fixture.hub.queue.lane_cursors.full_lanes(fixture.hub.now()).is_empty(), "the range is released");
    }

    testkit::db_test!(concurrent_large_claims_never_get_the_same_job, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (one, two) = (fixture.another("web-2", 1_000).await, fixture.another("web-3", 1_000).await);
        fixture.enqueue(fixture.acme, 600).await;
        claim_and_roll_back(&fixture, one, 200).await;
        let first = fixture.claim_for(one, 200).await;
        assert_eq!(first.len(), 200);
        let (a, b) = tokio::join!(fixture.claim_for(one, 150), fixture.claim_for(two, 150));
        assert_eq!((a.len(), b.len()), (150, 150));
        let last = |grants: &[Grant]| grants.iter().map(|grant| grant.job).max();
        assert!(last(&first) < last(&a), "in the order of the lane");
        let rest = fixture.claim_for(two, 500).await;
        assert_eq!(rest.len(), 100, "including the jobs of the transaction that was rolled back");
        let jobs: BTreeSet<_> = [first, a, b, rest].concat().into_iter().map(|grant| grant.job).collect();
        assert_eq!(jobs.len(), 600);
    });

    testkit::db_test!(claim_skips_a_holder_locked_by_another_transaction, |db| async move {
        if !db.url.starts_with("postgres") {
            return;
        }
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 1).await;
        let (hub, holder, epoch) = (fixture.hub.clone(), HolderId::from(fixture.host), fixture.epoch);
        let (locked, is_locked) = tokio::sync::oneshot::channel();
        let (release, is_released) = tokio::sync::oneshot::channel::<()>();
        let lock = hub.store.write(move |tx| {
            Box::pin(async move {
                let long_ago = domain::Timestamp::from_micros(0);
                tx.holder_lock(holder, epoch, long_ago, long_ago).await?;
                let _ = locked.send(());
                let _ = is_released.await;
                Ok::<_, Error>(())
            })
        });
        let claim = async {
            is_locked.await.expect("locks");
            assert!(fixture.claim().await.is_empty(), "the claim does not wait");
            release.send(()).expect("is locked");
        };
        let (locked, ()) = tokio::join!(lock, claim);
        locked.expect("commits");
        assert_eq!(fixture.claim().await.len(), 1);
    });
}
