//! Forgets finished jobs, events and keys that are old, and all jobs of orgs that are gone. Bounded: a little at a
//! time, until nothing is left to do. How long jobs are kept is each org's own, or the hub's.

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

/// Jobs forgotten in one transaction.
const BATCH: u32 = 500;
/// Rows of other kinds forgotten in one transaction.
const ROWS: u32 = 5_000;
/// Orgs that are gone and looked after in one pass.
const PURGED: u32 = 10;
/// Orgs looked at in one pass.
const ORGS: u32 = 1_000;
/// How long events can be replayed.
const EVENTS_KEPT: Span = Span::from_secs(24 * 3_600);
/// How long bulk actions that are over can be looked up.
const BATCHES_KEPT: Span = Span::from_secs(30 * 86_400);
/// How long the past of schedules, hosts and alerts can be looked up.
const FIRES_KEPT: Span = Span::from_secs(92 * 86_400);
/// How long what has ended can be looked at in any case: a job that ran longer than it is kept must not be gone with its
/// end.
const ENDS_SHOWN: Span = domain::org::KEEP_RANGE.0;
/// How much longer than the last of its jobs an empty lane is kept.
const LANES_KEPT: Span = Span::from_secs(86_400);
/// How jobs end.
const ENDS: [JobStatus; 4] = [JobStatus::Succeeded, JobStatus::Failed, JobStatus::DeadLetter, JobStatus::Canceled];
/// How long evidence of stale reports and workers that are gone are kept.
const TRACES_KEPT: Span = Span::from_secs(7 * 86_400);

/// Forgets what is old.
pub struct Retention {
    hub: Hub,
    /// The org that was looked at last; empty where a round begins.
    after: String,
    /// Whether something was left in this round.
    is_more: bool,
}

impl Retention {
    /// For this hub.
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

/// How long an org keeps jobs that ended so.
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
    /// Forgets some of what an org has kept long enough; says whether there may be more.
    async fn org(&self, org: &Org, now: Timestamp) -> Result<bool, Error> {
        let mut longest = Span::ZERO;
        let mut is_more = false;
        for status in ENDS {
            let kept = kept(&self.hub.options, org, status);
            longest = longest.max(kept);
            is_more |= self.jobs(org.id, status, now - kept, now).await?;
        }
        // As long as any job of a lane can be looked up or put back: a lane was touched when its last job was made.
        let (id, unused) = (org.id, now - longest - LANES_KEPT);
        let pruned = self
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.lane_prune(id, unused, ROWS).await.map_err(Error::from) }));
        Ok(is_more | (pruned.await? >= u64::from(ROWS)))
    }

    /// Forgets one batch of jobs that were made before a time; says whether there may be more.
    async fn jobs(&self, org: OrgId, status: JobStatus, made: Timestamp, now: Timestamp) -> Result<bool, Error> {
        let (hub, ended) = (self.hub.clone(), now - ENDS_SHOWN);
        // Mostly there is nothing to do, which is found out without keeping those waiting who write.
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

    /// Forgets some of what orgs that are gone have left; says whether there is more.
    async fn purge(&self) -> Result<bool, Error> {
        let read =
            self.hub.store.read(move |tx| Box::pin(async move { tx.org_purges(PURGED).await.map_err(Error::from) }));
        let mut is_more = false;
        for org in read.await? {
            let hub = self.hub.clone();
            let step = self.hub.store.write(move |tx| Box::pin(async move { purge_step(&hub, tx, org).await }));
            let Purged { is_done, told } = step.await?;
            is_more |= !is_done;
            for lease in told {
                let host = HostId::from_bytes(lease.holder_id.to_bytes());
                self.hub.queue.board.tell(host, ToRunner::Cancel { runs: vec![cancel_of(&lease)] });
            }
        }
        Ok(is_more)
    }

    /// Forgets events, keys, answers and traces whose time is over.
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
                    tx.batch_prune(now - BATCHES_KEPT, ROWS).await?,
                    tx.fire_prune(now - FIRES_KEPT, ROWS).await?,
                    tx.alert_prune(now - FIRES_KEPT, ROWS).await?,
                    tx.gap_prune(now - FIRES_KEPT, ROWS).await?,
                    tx.notice_prune(now - BATCHES_KEPT, ROWS).await?,
                    tx.quiet_prune(now - BATCHES_KEPT, ROWS).await?,
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

/// How far an org that is gone has been forgotten.
struct Purged {
    is_done: bool,
    /// Runs that were ended here, and whose holders are to end them too.
    told: Vec<Lease>,
}

/// One bounded step: first what runs is ended, so that nobody writes about these jobs any more; then they are forgotten.
async fn purge_step(hub: &Hub, tx: &mut Tx<'_>, org: OrgId) -> Result<Purged, Error> {
    let told = tx.leases_of_org(org, BATCH).await?;
    if !told.is_empty() {
        let mut reports = Vec::new();
        for lease in &told {
            let report = Report::instead(tx, lease, bare(lease, RunStatus::Canceled)).await?;
            reports.push(Report { is_forced: true, ..report });
        }
        finish::apply(hub, tx, &reports).await?;
        return Ok(Purged { is_done: false, told });
    }
    let jobs = tx.jobs_of_org(org, BATCH).await?;
    if !jobs.is_empty() {
        tx.jobs_unqueue(&jobs).await?;
        tx.jobs_forget(&jobs).await?;
        return Ok(Purged { is_done: false, told });
    }
    let is_done = tx.org_purge_rows(org, ROWS).await? == 0;
    if is_done {
        tx.org_purge_done(org).await?;
    }
    Ok(Purged { is_done, told })
}

#[cfg(test)]
mod tests {
    use domain::JobId;

    use super::*;
    use crate::queue::pool::Pool;

    #[test]
    fn ids_of_a_time_sort_with_it() {
        let at = Timestamp::from_micros(1_700_000_000_123_000);
        let made: JobId = domain::id::IdSource::default().next(at, 7);
        assert!(JobId::first_at(at) <= made && made < JobId::first_at(at + Span::from_millis(1)));
    }

    testkit::db_test!(a_lane_is_forgotten_after_its_jobs, |db| async move {
        let pool = Pool::new(db, 1).await;
        pool.enqueue(pool.acme, 1).await;
        pool.enqueue_as(pool.beta, 1, serde_json::json!({"definition_key": "hello"})).await;
        for _ in 0..2 {
            let grants = pool.claim().await;
            let status = if grants[0].org == pool.acme { RunStatus::Succeeded } else { RunStatus::NotStarted };
            pool.end_as(&grants[0], Span::from_millis(10), status).await;
        }
        let (acme, beta) = (pool.acme, pool.beta);
        let lanes = async || {
            let read = pool.hub.store.read(move |tx| {
                Box::pin(async move {
                    Ok::<_, Error>((tx.lanes_of_org(acme).await?.len(), tx.lanes_of_org(beta).await?.len()))
                })
            });
            read.await.expect("reads")
        };
        let days = |days: u32| pool.clock.advance(Span::from_secs(days * 86_400));
        for (passed, left) in [(85, (1, 1)), (7, (0, 1))] {
            days(passed);
            let mut retention = Retention::new(pool.hub.clone());
            while retention.pass(Pass { now: pool.hub.now() }).await.expect("passes") == Next::Again {}
            assert_eq!(lanes().await, left, "a lane with a job that waits stays, however old");
        }
        pool.enqueue(pool.acme, 1).await;
        assert_eq!(lanes().await, (1, 1), "it is made again when it is needed");
    });
}
