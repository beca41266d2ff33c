//! Closes live sockets whose credential was revoked or whose rights have changed. It reads the store, so a revocation
//! at any hub closes the sockets of all hubs.

use runtime::{Next, Pass, Task};
use store::socket_credential::SocketCredential;

use crate::{Error, Hub};

/// Credentials checked in one transaction.
const BATCH: usize = 200;

/// Checks every credential that a live socket depends on.
pub struct SocketRevoker {
    hub: Hub,
}

impl SocketRevoker {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for SocketRevoker {
    const NAME: &'static str = "socket_revoker";
    const BACKOFF_CAP: domain::Span = crate::loops::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        for batch in self.hub.live.credentials_of().chunks(BATCH) {
            for credential in lost(&self.hub, batch.to_vec(), cx.now).await? {
                let closed = self.hub.live.close(credential);
                tracing::info!(credential = ?credential, sockets = closed, "closed live sockets because their credential was revoked or changed");
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
