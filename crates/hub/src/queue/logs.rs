//! Who waits for lines of which run.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::RunId;
use tokio::sync::Notify;

/// Readers that wait for lines. A hint: lines may also arrive at another hub, so every wait is short.
#[derive(Default)]
pub(crate) struct Logs(Mutex<HashMap<RunId, Arc<Notify>>>);

impl Logs {
    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lines of a run have come.
    pub(crate) fn changed(&self, run: RunId) {
        if let Some(readers) = self.waiting().remove(&run) {
            readers.notify_waiters();
        }
    }

    /// Waits until lines of a run come, at most this long.
    pub(crate) async fn wait(&self, run: RunId, most: Duration) {
        let readers = self.waiting().entry(run).or_default().clone();
        let _ = tokio::time::timeout(most, readers.notified()).await;
        let mut waiting = self.waiting();
        // The last reader takes the entry along: ours and the map's.
        if waiting.get(&run).is_some_and(|readers| Arc::strong_count(readers) <= 2) {
            waiting.remove(&run);
        }
    }
}
