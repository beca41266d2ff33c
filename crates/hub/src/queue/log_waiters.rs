//! Requests that wait for output lines of a run.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::RunId;
use tokio::sync::Notify;

/// Waiting requests by run. A hint: lines may arrive at another hub, so every wait is short.
#[derive(Default)]
pub(crate) struct LogWaiters(Mutex<HashMap<RunId, Arc<Notify>>>);

impl LogWaiters {
    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the requests that wait for lines of this run.
    pub(crate) fn changed(&self, run: RunId) {
        if let Some(readers) = self.waiting().remove(&run) {
            readers.notify_waiters();
        }
    }

    /// Waits until lines of a run arrive, up to a limit.
    pub(crate) async fn wait(&self, run: RunId, most: Duration) {
        let readers = self.waiting().entry(run).or_default().clone();
        let _ = tokio::time::timeout(most, readers.notified()).await;
        let mut waiting = self.waiting();
        // The last reader removes the entry: two references are left, its own and that of the map.
        if waiting.get(&run).is_some_and(|readers| Arc::strong_count(readers) <= 2) {
            waiting.remove(&run);
        }
    }
}
