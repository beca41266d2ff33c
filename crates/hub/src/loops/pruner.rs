//! Deletes expired browser sessions, sign-in links, device codes, join tokens and counts of failed attempts.

use domain::{Span, log_budget};
use runtime::{Next, Pass, Task};

use crate::{Error, Hub, app::people::sign_in::SESSION_IDLE};

/// Retention of counts of failed attempts.
const REFUSALS_KEPT: Span = Span::from_secs(7 * 86_400);
/// Time that expired join tokens stay listed.
const JOIN_TOKENS_KEPT: Span = Span::from_secs(7 * 86_400);

/// Deletes expired rows.
pub struct Pruner {
    hub: Hub,
}

impl Pruner {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Pruner {
    const NAME: &'static str = "pruner";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let now = cx.now;
        let removed: u64 = self
            .hub
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let mut removed = tx.sign_in_prune(now, now - SESSION_IDLE).await?;
                    removed += tx.device_prune(now).await?;
                    removed += tx.join_token_prune(now - JOIN_TOKENS_KEPT).await?;
                    removed += tx.failed_attempt_prune(now - REFUSALS_KEPT).await?;
                    removed += tx.host_log_prune(log_budget::day(now)).await?;
                    Ok::<_, Error>(removed)
                })
            })
            .await?;
        if removed > 0 {
            tracing::debug!(removed, "deleted expired rows");
        }
        Ok(Next::Wait)
    }
}
