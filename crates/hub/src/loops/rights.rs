//! Closes live sockets whose rights have changed: on this hub and, through the store, on every other.

use runtime::{Next, Pass, Task};
use store::socket_credential::Ground;

use crate::{Error, Hub};

/// Grounds checked in one transaction.
const BATCH: usize = 200;

/// Checks every ground that some live socket stands on.
pub struct Rights {
    hub: Hub,
}

impl Rights {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Rights {
    const NAME: &'static str = "rights";
    const BACKOFF_CAP: domain::Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        for batch in self.hub.live.grounds().chunks(BATCH) {
            for ground in lost(&self.hub, batch.to_vec(), cx.now).await? {
                let closed = self.hub.live.close(ground);
                tracing::info!(ground = ?ground, sockets = closed, "closed live sockets whose rights have changed");
            }
        }
        Ok(Next::Wait)
    }
}

async fn lost(hub: &Hub, grounds: Vec<Ground>, now: domain::Timestamp) -> Result<Vec<Ground>, Error> {
    hub.store
        .read(move |tx| {
            Box::pin(async move {
                let mut lost = Vec::new();
                for ground in grounds {
                    if !tx.ground_holds(ground, now).await? {
                        lost.push(ground);
                    }
                }
                Ok(lost)
            })
        })
        .await
}
