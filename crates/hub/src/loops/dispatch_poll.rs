//! Polls for work whose wake this hub did not receive: jobs of another hub, freed limits, lost notifications. Also
//! repeats cancels and server orders, and reads the head of the hub-to-host replication log.
//!
//! Wakes are hints: correctness depends on this poll only, and a lost hint costs at most its period.

use domain::{HolderId, Span};
use proto::link::ToRunner;
use runtime::{Next, Pass, Task};

use crate::{Error, Hub, link::work::cancel_of};

/// Lanes read in one pass.
const LANES_MAX: u32 = 10_000;

/// Cancels repeated in one pass.
const CANCELS_MAX: u32 = 1_000;

/// Wakes the runners of every lane that has ready jobs.
pub struct DispatchPoll {
    hub: Hub,
}

impl DispatchPoll {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl DispatchPoll {
    /// Sends cancels again until their results arrive: the first frame may be lost, or the cancel was requested at
    /// another hub.
    async fn repeat_cancels(&self) -> anyhow::Result<()> {
        let hosts = self.hub.queue.dispatcher.hosts();
        let canceled = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.leases_canceling(CANCELS_MAX).await.map_err(Error::from) }));
        for lease in canceled.await? {
            let here =
                hosts.iter().find(|(host, epoch)| HolderId::from(*host) == lease.holder_id && *epoch == lease.epoch);
            if let Some((host, _)) = here {
                self.hub.queue.dispatcher.send(*host, ToRunner::Cancel { runs: vec![cancel_of(&lease)] });
            }
        }
        Ok(())
    }
}

impl Task for DispatchPoll {
    const NAME: &'static str = "dispatch_poll";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        if self.hub.queue.dispatcher.hosts().is_empty() {
            return Ok(Next::Wait);
        }
        let known = self.hub.queue.dispatcher.known_lanes(self.hub.now());
        let read = self.hub.store.read(move |tx| {
            Box::pin(async move {
                let lanes = tx.lanes_ready(LANES_MAX).await?;
                let mut served = Vec::new();
                for lane in lanes.iter().filter(|lane| known.lacks(**lane)) {
                    served.push((*lane, tx.hosts_of_lane(*lane).await?));
                }
                Ok::<_, Error>((lanes, served, tx.sync_hub_head().await?))
            })
        });
        let (lanes, served, log_head) = read.await?;
        self.hub.log_head.send_if_modified(|known| std::mem::replace(known, log_head) != log_head);
        for (lane, hosts) in &served {
            self.hub.queue.dispatcher.serve_lane(*lane, hosts);
            self.hub.queue.dispatcher.note_looked_up(*lane, self.hub.now());
        }
        self.hub.queue.dispatcher.wake_lanes(&lanes);
        self.repeat_cancels().await?;
        self.hub.repeat_orders(&self.hub.queue.dispatcher.hosts()).await?;
        Ok(Next::Wait)
    }
}
