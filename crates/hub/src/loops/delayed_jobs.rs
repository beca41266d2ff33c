//! Moves delayed jobs into their lanes when they are due.

use std::collections::HashMap;

use domain::{LaneId, Span};
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Jobs moved in one transaction.
const BATCH: u32 = 1_000;

/// Promotes delayed jobs.
pub struct DelayedJobs {
    hub: Hub,
}

impl DelayedJobs {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for DelayedJobs {
    const NAME: &'static str = "delayed_jobs";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let now = cx.now;
        let moved = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let places = tx.waiting_take_due(now, BATCH).await?;
                if !places.is_empty() {
                    tx.ready_insert(&places).await?;
                }
                Ok::<_, Error>((places, tx.waiting_next().await?))
            })
        });
        let (places, next) = moved.await?;
        let mut lanes: HashMap<LaneId, u32> = HashMap::new();
        for place in &places {
            *lanes.entry(place.lane_id).or_default() += 1;
        }
        for (lane, count) in lanes {
            self.hub.queue.lane_cursors.reset(lane);
            self.hub.queue.dispatcher.wake_lane(lane, count);
        }
        if places.len() == BATCH as usize {
            return Ok(Next::Again);
        }
        Ok(next.map_or(Next::Wait, |next| if next < now + Span::from_secs(1) { Next::At(next) } else { Next::Wait }))
    }
}
