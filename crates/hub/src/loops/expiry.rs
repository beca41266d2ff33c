//! Ends queued jobs that have expired.

use domain::{Span, job::EndReason};
use runtime::{Next, Pass, Task};

use crate::{Error, Hub, app::jobs};

/// Jobs ended in one pass.
const BATCH: u32 = 500;

/// Ends jobs that did not start before their `expires_at`.
pub struct Expiry {
    hub: Hub,
}

impl Expiry {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Expiry {
    const NAME: &'static str = "expiry";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let hub = self.hub.clone();
        let ended = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let jobs = tx.expiry_take(cx.now, BATCH).await?;
                if !jobs.is_empty() {
                    jobs::end_queued(&hub, tx, &jobs, EndReason::Expired).await?;
                }
                Ok::<_, Error>(jobs.len())
            })
        });
        let count = ended.await?;
        if count > 0 {
            self.hub.news();
        }
        Ok(if count == BATCH as usize { Next::Again } else { Next::Wait })
    }
}
