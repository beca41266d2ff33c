//! Continues moves of servers between hosts.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::Hub;

/// Finds servers whose old host has released them, and assigns them to the new one.
pub struct Servers {
    hub: Hub,
}

impl Servers {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Servers {
    const NAME: &'static str = "servers";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let moved = self.hub.servers_move().await?;
        Ok(if moved > 0 { Next::Again } else { Next::Wait })
    }
}
