//! Retention: deletes old finished jobs, events and keys, and all rows of removed orgs, in small transactions.
//! Retention of jobs is set per org, with the hub's settings as default.

use domain::{
    HostId, OrgId, Span, Timestamp,
    job::{JobStatus, RunStatus},
};
use proto::link::ToRunner;
use runtime::{Next, Pass, Task};
use store::{Tx, insert::Lease, org::Org};

use crate::{
    Error, Hub, Options,
    link::work::{bare, cancel_of},
    queue::{
        events::Changes,
        finish::{self, Report},
    },
};

/// Jobs deleted in one transaction.
const BATCH: u32 = 500;
/// Rows of another table deleted in one transaction.
const ROWS: u32 = 5_000;
/// Removed orgs handled in one pass.
const PURGED: u32 = 10;
/// Orgs handled in one pass.
const ORGS: u32 = 1_000;
/// Retention of events: how far back a client can resume.
const EVENTS_KEPT: Span = Span::from_secs(24 * 3_600);
/// Retention of finished bulk actions and notifications.
const BATCHES_KEPT: Span = Span::from_secs(30 * 86_400);
/// Retention of fires, resolved alerts and outages.
const FIRES_KEPT: Span = Span::from_secs(92 * 86_400);
/// Minimum time between a job's end and its deletion. Retention counts from a job's creation, so a job that ran longer
/// than its retention would otherwise be deleted as it ends.
const ENDS_SHOWN: Span = domain::org::KEEP_RANGE.0;
/// Time that an empty lane is kept after the retention of its last job.
const LANES_KEPT: Span = Span::from_secs(86_400);
/// Final statuses of jobs.
const ENDS: [JobStatus; 4] = [JobStatus::Succeeded, JobStatus::Failed, JobStatus::DeadLetter, JobStatus::Canceled];
/// Retention of stale reports, inactive workers and received hook calls.
const TRACES_KEPT: Span = Span::from_secs(7 * 86_400);

/// Deletes old rows.
pub struct Retention {
    hub: Hub,
    /// Slug of the last org handled; empty at the start of a round.
    after: String,
    /// Whether rows remain from this round.
    is_more: bool,
}

impl Retention {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub, after: String::new(), is_more: false }
    }
}

impl Task for Retention {
    const NAME: &'static str = "retention";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        self.is_more |= self.rows(cx.now).await?;
        self.is_more |= self.purge().await?;
        let after = self.after.clone();
        let orgs = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.org_list(&after, ORGS).await.map_err(Error::from) }))
            .await?;
        for org in &orgs {
            self.is_more |= self.org(org, cx.now).await?;
        }
        let is_round_over = orgs.len() < ORGS as usize;
        self.after = orgs.last().filter(|_| !is_round_over).map(|org| org.slug.clone()).unwrap_or_default();
        let is_done = is_round_over && !std::mem::take(&mut self.is_more);
        Ok(if is_done { Next::Wait } else { Next::Again })
    }
}

/// Retention of jobs with this final status in an org.
fn kept(options: &Options, org: &Org, status: JobStatus) -> Span {
    let own = match status {
        JobStatus::Succeeded => org.keep_succeeded_ms,
        JobStatus::Failed => org.keep_failed_ms,
        JobStatus::DeadLetter => org.keep_dead_letter_ms,
        JobStatus::Canceled => org.keep_canceled_ms,
        JobStatus::Queued | JobStatus::Running => None,
    };
    let hubs = if status == JobStatus::Succeeded { options.keep_succeeded } else { options.keep_others };
    own.unwrap_or(hubs)
}

impl Retention {
    /// Deletes a batch of an org's old jobs and lanes; returns whether there may be more.
    async fn org(&self, org: &Org, now: Timestamp) -> Result<bool, Error> {
        let mut longest = Span::ZERO;
        let mut is_more = false;
        for status in ENDS {
            let kept = kept(&self.hub.options, org, status);
            longest = longest.max(kept);
            is_more |= self.jobs(org.id, status, now - kept, now).await?;
        }
        // A lane must outlive its jobs, which can be requeued. It was last used when its last job was created.
        let (id, unused) = (org.id, now - longest - LANES_KEPT);
        let pruned = self
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.lane_prune(id, unused, ROWS).await.map_err(Error::from) }));
        Ok(is_more | (pruned.await? >= u64::from(ROWS)))
    }

    /// Deletes a batch of jobs created before a time; returns whether there may be more.
    async fn jobs(&self, org: OrgId, status: JobStatus, made: Timestamp, now: Timestamp) -> Result<bool, Error> {
        let (hub, ended) = (self.hub.clone(), now - ENDS_SHOWN);
        // Read first without a lock: usually there is nothing to delete, and writers need not wait.
        let look = self.hub.store.read(move |tx| {
            Box::pin(async move { tx.jobs_old(org, status, made, ended, 1).await.map_err(Error::from) })
        });
        if look.await?.is_empty() {
            return Ok(false);
        }
        let forgotten = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let jobs = tx.jobs_old(org, status, made, ended, BATCH).await?;
                if jobs.is_empty() {
                    return Ok(0);
                }
                let count = tx.jobs_forget(&jobs).await?;
                let mut changes = Changes::default();
                *changes.tally(org).of(status) -= i64::try_from(count).unwrap_or(0);
                changes.write(&hub, tx, now).await?;
                Ok::<_, Error>(jobs.len())
            })
        });
        Ok(forgotten.await? == BATCH as usize)
    }

    /// Deletes a batch of rows of removed orgs; returns whether there are more.
    async fn purge(&self) -> Result<bool, Error> {
        let read =
            self.hub.store.read(move |tx| Box::pin(async move { tx.org_purges(PURGED).await.map_err(Error::from) }));
        let mut is_more = false;
        for org in read.await? {
            let hub = self.hub.clone();
            let step = self.hub.store.write(move |tx| Box::pin(async move { purge_step(&hub, tx, org).await }));
            let Purged { is_done, canceled } = step.await?;
            is_more |= !is_done;
            for lease in canceled {
                let host = HostId::from_bytes(lease.holder_id.to_bytes());
                self.hub.queue.dispatcher.send(host, ToRunner::Cancel { runs: vec![cancel_of(&lease)] });
            }
        }
        Ok(is_more)
    }

    /// Deletes old rows of tables that are not per org.
    async fn rows(&self, now: Timestamp) -> Result<bool, Error> {
        let pruned = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let counts = [
                    tx.event_prune(now - EVENTS_KEPT, ROWS).await?,
                    tx.dedupe_prune(now, ROWS).await?,
                    tx.idempotency_prune(now, ROWS).await?,
                    tx.request_key_prune(now, ROWS).await?,
                    tx.stale_prune(now - TRACES_KEPT, ROWS).await?,
                    tx.worker_prune(now - TRACES_KEPT, ROWS).await?,
                    tx.worker_secret_prune(now - TRACES_KEPT, ROWS).await?,
                    tx.batch_prune(now - BATCHES_KEPT, ROWS).await?,
                    tx.fire_prune(now - FIRES_KEPT, ROWS).await?,
                    tx.alert_prune(now - FIRES_KEPT, ROWS).await?,
                    tx.outage_prune(now - FIRES_KEPT, ROWS).await?,
                    tx.notice_prune(now - BATCHES_KEPT, ROWS).await?,
                    tx.mute_window_prune(now - BATCHES_KEPT, ROWS).await?,
                    tx.hook_seen_prune(now - TRACES_KEPT, ROWS).await?,
                    tx.order_prune(now, ROWS).await?,
                    tx.sync_marks_prune(ROWS).await?,
                    tx.sample_prune(domain::series::kept_since(now), ROWS).await?,
                ];
                Ok::<_, Error>(counts.iter().any(|count| *count >= u64::from(ROWS)))
            })
        });
        pruned.await
    }
}

/// Result of one step of deleting an org.
struct Purged {
    is_done: bool,
    /// Leases of ended runs; their holders receive a cancel.
    canceled: Vec<Lease>,
}

/// One bounded step: first ends running jobs, so that no result for them is accepted afterwards; then deletes the jobs;
/// then all other rows.
async fn purge_step(hub: &Hub, tx: &mut Tx<'_>, org: OrgId) -> Result<Purged, Error> {
    let canceled = tx.leases_of_org(org, BATCH).await?;
    if !canceled.is_empty() {
        let mut reports = Vec::new();
        for lease in &canceled {
            let report = Report::for_holder(tx, lease, bare(lease, RunStatus::Canceled)).await?;
            reports.push(Report { is_forced: true, ..report });
        }
        let mut changes = Changes::default();
        finish::finish(hub, tx, &reports, &mut changes).await?;
        changes.write(hub, tx, hub.now()).await?;
        return Ok(Purged { is_done: false, canceled });
    }
    let jobs = tx.jobs_of_org(org, BATCH).await?;
    if !jobs.is_empty() {
        tx.jobs_unqueue(&jobs).await?;
        tx.jobs_forget(&jobs).await?;
        return Ok(Purged { is_done: false, canceled });
    }
    let is_done = tx.org_purge_rows(org, ROWS).await? == 0;
    if is_done {
        tx.org_purge_done(org).await?;
    }
    Ok(Purged { is_done, canceled })
}

#[cfg(test)]
mod tests {
    use domain::JobId;

    use super::*;
    use crate::queue::test_support::TestQueue;

    #[test]
    fn first_id_of_a_time_sorts_before_ids_made_at_it() {
        let at = Timestamp::from_micros(1_700_000_000_123_000);
        let made: JobId = domain::id::IdSource::default().next(at, 7);
        assert!(JobId::first_at(at) <= made && made < JobId::first_at(at + Span::from_millis(1)));
    }

    testkit::db_test!(lane_is_deleted_after_its_last_job, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 1).await;
        fixture.enqueue_as(fixture.beta, 1, serde_json::json!({"definition_key": "hello"})).await;
        for _ in 0..2 {
            let grants = fixture.claim().await;
            let status = if grants[0].org == fixture.acme { RunStatus::Succeeded } else { RunStatus::NotStarted };
            fixture.end_as(&grants[0], Span::from_millis(10), status).await;
        }
        let (acme, beta) = (fixture.acme, fixture.beta);
        let lanes = async || {
            let read = fixture.hub.store.read(move |tx| {
                Box::pin(async move {
                    Ok::<_, Error>((tx.lanes_of_org(acme).await?.len(), tx.lanes_of_org(beta).await?.len()))
                })
            });
            read.await.expect("reads")
        };
        let days = |days: u32| fixture.clock.advance(Span::from_secs(days * 86_400));
        for (passed, left) in [(85, (1, 1)), (7, (0, 1))] {
            days(passed);
            let mut retention = Retention::new(fixture.hub.clone());
            while retention.pass(Pass { now: fixture.hub.now() }).await.expect("passes") == Next::Again {}
            assert_eq!(lanes().await, left, "a lane with a queued job stays, whatever its age");
        }
        fixture.enqueue(fixture.acme, 1).await;
        assert_eq!(lanes().await, (1, 1), "the lane is created again for a new job");
    });
}
