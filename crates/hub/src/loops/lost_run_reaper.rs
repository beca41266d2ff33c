//! Ends or holds runs whose host has sent no heartbeat for too long.
//!
//! It waits for `lost_after`, when a runner that is only cut off ends its retryable runs itself, plus `lost_grace` for
//! their end. Then a job with `on_lost = retry` is retried under a new fence, so a late result of the old run is
//! rejected; all others are held for their host, because a second run beside the first would not be safe.

use std::collections::HashMap;

use domain::job::{OnLost, RunStatus};
use runtime::{Next, Pass, Task};
use store::lease::Silent;

use crate::{
    Error, Hub,
    link::work::bare,
    queue::{
        events::Changes,
        finish::{self, Report},
    },
};

/// Leases read in one pass.
const BATCH: u32 = 500;

/// Ends or holds runs of lost holders.
pub struct LostRunReaper {
    hub: Hub,
}

impl LostRunReaper {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for LostRunReaper {
    const NAME: &'static str = "lost_run_reaper";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        // Silence counts only while a hub was running. After an outage of all hubs every host looks silent, and this
        // check gives them time to reconnect.
        let silence = self.hub.options.lost_after + self.hub.options.lost_grace;
        if cx.now.since(self.hub.judged_since(cx.now)) < silence {
            return Ok(Next::Wait);
        }
        let before = cx.now - silence;
        let silent = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.leases_silent(before, BATCH).await.map_err(Error::from) }))
            .await?;
        let (count, mut failed) = (silent.len(), HashMap::new());
        for one in silent {
            let holder = one.holder_id;
            // Rows of one holder that another transaction has locked must not delay the runs of others. The wait for the
            // locks of each of its runs would exceed the time limit of the pass.
            if failed.contains_key(&holder) {
                continue;
            }
            if let Err(error) = self.end_lost_run(one, cx).await {
                failed.insert(holder, error);
            }
        }
        if let Some(error) = failed.into_values().next() {
            return Err(error.into());
        }
        Ok(if count == BATCH as usize { Next::Again } else { Next::Wait })
    }
}

impl LostRunReaper {
    async fn end_lost_run(&self, silent: Silent, cx: Pass) -> Result<(), Error> {
        let hub = self.hub.clone();
        let ended = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let Some(lease) = tx.lease_get(silent.job_id).await?.filter(|lease| {
                    (lease.fence, lease.holder_id, lease.epoch) == (silent.fence, silent.holder_id, silent.epoch)
                }) else {
                    return Ok(None);
                };
                let key = hub.queue.definitions.key_in(tx, lease.definition_id).await?;
                tracing::info!(
                    job.id = %lease.job_id, org.id = %lease.org_id, definition.key = &*key, run.no = lease.fence,
                    host.id = %lease.holder_id, on_lost = %silent.on_lost, "the host of a run sent no heartbeat for too long"
                );
                if silent.on_lost == OnLost::Retry {
                    let result = bare(&lease, RunStatus::Lost);
                    let report = Report::for_holder(tx, &lease, result).await?;
                    let mut changes = Changes::default();
                    let effects = finish::finish(&hub, tx, &[report], &mut changes).await?;
                    changes.write(&hub, tx, cx.now).await?;
                    return Ok(Some(effects));
                }
                if tx.lease_hold(&silent, cx.now).await? {
                    let mut changes = Changes::default();
                    let tally = changes.tally(lease.org_id);
                    (tally.queued, tally.running) = (tally.queued + 1, tally.running - 1);
                    changes.raw(
                        lease.org_id,
                        "job.queued",
                        &serde_json::json!({
                            "job_id": lease.job_id, "run_id": lease.run_id, "attempt": lease.fence,
                            "definition_key": &*key,
                            "status": "queued", "reason": "held",
                        }),
                    );
                    changes.write(&hub, tx, cx.now).await?;
                }
                Ok::<_, Error>(None)
            })
        });
        if let Some(effects) = ended.await? {
            effects.after_commit(&self.hub);
        }
        Ok(())
    }
}
