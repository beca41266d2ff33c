//! Forgets finished jobs, events and keys that are old. Bounded: a little at a time, until nothing is left to do.

use domain::{JobId, OrgId, Span, Timestamp, job::JobStatus};
use runtime::{Next, Pass, Task};

use crate::{Error, Hub, queue::events::Changes};

/// Jobs forgotten in one transaction.
const BATCH: u32 = 500;
/// Rows of other kinds forgotten in one transaction.
const ROWS: u32 = 5_000;
/// Orgs looked at in one pass.
const ORGS: u32 = 1_000;
/// How long events can be replayed.
const EVENTS_KEPT: Span = Span::from_secs(24 * 3_600);
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

/// The smallest id that can have been made at a time.
fn first_id(at: Timestamp) -> JobId {
    let ms = u64::try_from(at.as_micros() / 1_000).unwrap_or(0);
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&ms.to_be_bytes()[2..]);
    JobId::from_bytes(bytes)
}

impl Task for Retention {
    const NAME: &'static str = "retention";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let mut is_more = self.rows(cx.now).await?;
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
                is_more |= self.jobs(org.id, status, first_id(cx.now - kept), cx.now).await?;
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

    /// Forgets events, keys, answers and traces whose time is over.
    async fn rows(&self, now: Timestamp) -> Result<bool, Error> {
        let pruned = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let counts = [
                    tx.event_prune(now - EVENTS_KEPT, ROWS).await?,
                    tx.dedupe_prune(now, ROWS).await?,
                    tx.idempotency_prune(now, ROWS).await?,
                    tx.stale_prune(now - TRACES_KEPT, ROWS).await?,
                    tx.worker_prune(now - TRACES_KEPT, ROWS).await?,
                ];
                Ok::<_, Error>(counts.iter().any(|count| *count >= u64::from(ROWS)))
            })
        });
        pruned.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_time_sort_with_it() {
        let at = Timestamp::from_micros(1_700_000_000_123_000);
        let made: JobId = domain::id::IdSource::default().next(at, 7);
        assert!(first_id(at) <= made && made < first_id(at + Span::from_millis(1)));
    }
}
