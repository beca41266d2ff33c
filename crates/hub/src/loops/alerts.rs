//! Evaluates alert conditions.

use domain::{Span, alert::DatabaseMonitor};
use runtime::{Next, Pass, Task};

use crate::{Hub, alerts::apply::look};

/// Compares the current conditions with the open alerts.
pub struct Alerts {
    hub: Hub,
    /// Measurements of the database, which need several passes.
    monitor: DatabaseMonitor,
}

impl Alerts {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub, monitor: DatabaseMonitor::default() }
    }
}

impl Task for Alerts {
    const NAME: &'static str = "alerts";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let (is_told, has_more) = look(&self.hub, &mut self.monitor, cx.now).await?;
        if is_told {
            self.hub.wakes.notification_sender.wake();
        }
        Ok(if has_more { Next::Again } else { Next::Wait })
    }
}
