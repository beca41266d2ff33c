//! Writes the hub's heartbeat, and follows the database's clock.
//!
//! The heartbeats of all hubs show since when one was running: the silence of a host counts only from then.

use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Writes the hub's heartbeat.
pub struct HubHeartbeat {
    hub: Hub,
}

impl HubHeartbeat {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for HubHeartbeat {
    const NAME: &'static str = "hub_heartbeat";
    const BACKOFF_CAP: domain::Span = crate::loops::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        // SQLite has no clock. Follow the machine's wall clock there, because the monotonic one stops while a laptop
        // sleeps.
        let time = self.hub.store.database_time().await?.unwrap_or_else(runtime::clock::wall);
        self.hub.clock.follow(time);
        let now = self.hub.now();
        let liveness = self
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.hub_beat(now).await.map_err(Error::from) }))
            .await?;
        self.hub.set_liveness(liveness);
        Ok(Next::Wait)
    }
}
