//! Works off bulk actions on jobs, one bounded step at a time, round robin over the batches.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::Hub;

/// Steps in one pass.
const STEPS_MAX: usize = 20;

/// Works off batches. Any hub may take the next step, because each step stores its cursor in its transaction.
pub struct Batches {
    hub: Hub,
}

impl Batches {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Batches {
    const NAME: &'static str = "batches";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        for _ in 0..STEPS_MAX {
            if !self.hub.batch_advance().await? {
                return Ok(Next::Wait);
            }
        }
        Ok(Next::Again)
    }
}
