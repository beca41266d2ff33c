//! Forgets finished jobs, events and keys that are old, and all jobs of orgs that are gone. Bounded: a little at a
//! time, until nothing is left to do.

use domain::{
    HostId, JobId, OrgId, Span, Timestamp,
    job::{JobStatus, RunStatus},
};
use proto::link::ToRunner;
use runtime::{Next, Pass, Task};
use store::{Tx, queue::Lease};

use crate::{
    Error, Hub,
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
/// How much longer than the last of its jobs an empty lane is kept.
const LANES_KEPT: Span = Span::from_secs(86_400);
/// How long evidence of stale reports and workers that are gone are kept.
const TRACES_KEPT: Span = Span::from_secs(7 * 86_400);

/// Forgets what is old.
pub struct Retention {
    hub: Hub,
}

impl Retention {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Retention {
    const NAME: &'static str = "retention";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        // As long as any job of a lane can be looked up or put back: a lane was touched when its last job was made.
        let longest = self.hub.options.keep_succeeded.max(self.hub.options.keep_others);
        let unused = cx.now - longest - LANES_KEPT;
        let mut is_more = self.rows(cx.now, unused).await?;
        is_more |= self.purge().await?;
        let orgs = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.org_list("", ORGS).await.map_err(Error::from) }))
            .await?;
        for org in orgs {
            for status in [JobStatus::Succeeded, JobStatus::Failed, JobStatus::DeadLetter, JobStatus::Canceled] {
                let kept = if status == JobStatus::Succeeded {
                    self.hub.options.keep_succeeded
                } else {
                    self.hub.options.keep_others
                };
                is_more |= self.jobs(org.id, status, JobId::first_at(cx.now - kept), cx.now).await?;
            }
        }
        Ok(if is_more { Next::Again } else { Next::Wait })
    }
}

impl Retention {
    /// Forgets one batch of jobs; says whether there may be more.
    async fn jobs(&self, org: OrgId, status: JobStatus, before: JobId, now: Timestamp) -> Result<bool, Error> {
        let hub = self.hub.clone();
        let forgotten = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let jobs = tx.jobs_old(org, status, before, BATCH).await?;
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

    /// Forgets events, keys, answers, traces and lanes whose time is over.
    async fn rows(&self, now: Timestamp, unused: Timestamp) -> Result<bool, Error> {
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
                    tx.lane_prune(unused, ROWS).await?,
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
