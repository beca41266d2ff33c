//! Closes live sockets whose rights have changed: on this hub and, through the store, on every other.

use runtime::{Next, Pass, Task};
use store::socket_credential::SocketCredential;

use crate::{Error, Hub};

/// Grounds checked in one transaction.
const BATCH: usize = 200;

/// Checks every credential that some live socket stands on.
pub struct SocketRevoker {
    hub: Hub,
}

impl SocketRevoker {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for SocketRevoker {
    const NAME: &'static str = "rights";
    const BACKOFF_CAP: domain::Span = crate::loops::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        for batch in self.hub.live.credentials_of().chunks(BATCH) {
            for credential in lost(&self.hub, batch.to_vec(), cx.now).await? {
                let closed = self.hub.live.close(credential);
                tracing::info!(credential = ?credential, sockets = closed, "closed live sockets whose rights have changed");
            }
        }
        Ok(Next::Wait)
    }
}

async fn lost(
    hub: &Hub,
    credentials_of: Vec<SocketCredential>,
    now: domain::Timestamp,
) -> Result<Vec<SocketCredential>, Error> {
    hub.store
        .read(move |tx| {
            Box::pin(async move {
                let mut lost = Vec::new();
                for credential in credentials_of {
                    if !tx.socket_credential_is_valid(credential, now).await? {
                        lost.push(credential);
                    }
                }
                Ok(lost)
            })
        })
        .await
}
