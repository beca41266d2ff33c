//! Wake-ups: they carry no data and never block, so nothing is lost when one is missed.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes a loop before its period is over.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Wakes the loop; if it is in a pass, it makes another one after it.
    pub fn wake(&self) {
        self.0.notify_one();
    }

    /// Resolves when woken; at once if that happened since the last time.
    pub async fn woken(&self) {
        self.0.notified().await;
    }
}
