//! Stores counts of unauthenticated requests, in bulk per address, and of repeated audit lines, per minute: a write for
//! each would let a flood of requests become a flood of writes.

use domain::throttle::{self, Guess};
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Stores counts of unauthenticated requests and of repeated audit lines.
pub struct RefusalRecorder {
    hub: Hub,
}

impl RefusalRecorder {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for RefusalRecorder {
    const NAME: &'static str = "refusal_recorder";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        self.hub.write_repetitions(cx.now.minute()).await?;
        let (counts, now) = (self.hub.address_limiter.take_refusals(), cx.now);
        if counts.is_empty() {
            return Ok(Next::Wait);
        }
        let written = self.hub.store.write(move |tx| {
            Box::pin(async move {
                for (address, count) in counts {
                    tx.failed_attempt_add(Guess::Request, &throttle::key(&address), count, now).await?;
                }
                Ok::<_, Error>(())
            })
        });
        written.await?;
        Ok(Next::Wait)
    }
}
