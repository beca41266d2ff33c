//! Seals the audit log: numbers new entries and chains their hashes per org.
//!
//! Entries are appended without a number by the transactions they describe. Sealing them there would make every
//! transaction of an org wait for the lock on its chain.

use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Entries sealed in one transaction.
const BATCH: u32 = 500;

/// Seals the audit log.
pub struct AuditSealer {
    hub: Hub,
}

impl AuditSealer {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for AuditSealer {
    const NAME: &'static str = "audit_sealer";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let now = cx.now;
        let sealed = self
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.audit_seal(BATCH, now).await.map_err(Error::from) }))
            .await?;
        Ok(if sealed == BATCH as usize { Next::Again } else { Next::Wait })
    }
}
