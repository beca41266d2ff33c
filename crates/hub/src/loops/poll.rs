//! Looks for work that nobody was woken for: made by another hub, freed by a limit, or missed by a hint.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Lanes looked at in one pass.
const LANES_MAX: u32 = 10_000;

/// Wakes the runners of every lane that holds something.
pub struct Poll {
    hub: Hub,
}

impl Poll {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Poll {
    const NAME: &'static str = "poll";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        if self.hub.queue.board.hosts().is_empty() {
            return Ok(Next::Wait);
        }
        let unknown = self.hub.queue.board.unknown_lanes_due(self.hub.now());
        let read = self.hub.store.read(move |tx| {
            Box::pin(async move {
                let lanes = tx.lanes_ready(LANES_MAX).await?;
                let mut served = Vec::new();
                for lane in lanes.iter().filter(|lane| unknown.asks(**lane)) {
                    served.push((*lane, tx.hosts_of_lane(*lane).await?));
                }
                Ok::<_, Error>((lanes, served))
            })
        });
        let (lanes, served) = read.await?;
        for (lane, hosts) in &served {
            self.hub.queue.board.serve_lane(*lane, hosts);
            self.hub.queue.board.looked_up(*lane, self.hub.now());
        }
        self.hub.queue.board.wake_lanes(&lanes);
        Ok(Next::Wait)
    }
}
