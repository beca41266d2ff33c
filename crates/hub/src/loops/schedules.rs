//! Fires due schedules, and records how their jobs ended.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::{
    Error, Hub,
    scheduler::fire::{fire_due, note_ended},
};

/// Ended jobs recorded in one pass.
const BATCH: u32 = 500;

/// Fires due schedules.
pub struct Schedules {
    hub: Hub,
}

impl Schedules {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Schedules {
    const NAME: &'static str = "schedules";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let now = cx.now;
        let has_more = fire_due(&self.hub, now).await?;
        let ended = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let ended = tx.fire_ended(BATCH).await?;
                note_ended(tx, &ended, now).await?;
                Ok::<_, Error>((ended.len(), tx.trigger_next().await?))
            })
        });
        let (ended, next) = ended.await?;
        if has_more || ended == BATCH as usize {
            return Ok(Next::Again);
        }
        Ok(next.map_or(Next::Wait, |next| if next < now + Span::from_secs(1) { Next::At(next) } else { Next::Wait }))
    }
}
