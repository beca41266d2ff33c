//! Stores which data of hosts was rejected, and logs it once a minute for each host.

use std::collections::HashMap;

use domain::{HostId, Span, Timestamp};
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Shortest time between two log lines about one host.
const LOG_EVERY: Span = Span::from_secs(60);

/// Stores rejections.
pub struct RejectionRecorder {
    hub: Hub,
    logged: HashMap<HostId, Timestamp>,
}

impl RejectionRecorder {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub, logged: HashMap::new() }
    }
}

impl Task for RejectionRecorder {
    const NAME: &'static str = "rejection_recorder";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let (now, counts) = (cx.now, self.hub.rejections.take());
        self.logged.retain(|_, at| now.since(*at) < LOG_EVERY);
        if counts.is_empty() {
            return Ok(Next::Wait);
        }
        let written = counts.clone();
        let write = self
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.rejection_add(&written, now).await.map_err(Error::from) }));
        if let Err(error) = write.await {
            self.hub.rejections.put_back(counts);
            return Err(error.into());
        }
        for count in counts.iter().filter(|count| count.reason.is_misbehavior()) {
            if self.logged.insert(count.host_id, now).is_none() {
                tracing::warn!(
                    host.id = %count.host_id, reason = %count.reason, count = count.count,
                    "rejected data of a host: {}", count.detail
                );
            }
            self.hub.wakes.alerts.wake();
        }
        Ok(Next::Wait)
    }
}
