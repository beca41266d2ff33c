//! Wake-ups of loops. They carry no data and never block: the loop reads its work from the store.

use std::sync::Arc;

use tokio::sync::Notify;

/// A handle that wakes a loop before the end of its period.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Wakes the loop. During a pass, it causes another pass afterwards.
    pub fn wake(&self) {
        self.0.notify_one();
    }

    /// Resolves at the next wake-up, or immediately if one happened since the last call.
    pub async fn woken(&self) {
        self.0.notified().await;
    }
}
