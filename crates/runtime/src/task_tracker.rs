//! Tasks that belong to somebody: one per connection, all of them waited for.

use std::{future::Future, time::Duration};

use tokio_util::{sync::CancellationToken, task};

/// The tasks of one owner. Dropping the owner does not end them; [`TaskTracker::stop`] does.
#[derive(Debug, Clone, Default)]
pub struct TaskTracker {
    tasks: task::TaskTracker,
    stop: CancellationToken,
}

impl TaskTracker {
    /// Starts a task. It is told to end by [`TaskTracker::stopping`].
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Counts a future as one of the crew although somebody else runs it.
    pub fn track<F: Future>(&self, task: F) -> impl Future<Output = F::Output> + use<F> {
        self.tasks.track_future(task)
    }

    /// Resolves when the crew is told to stop.
    #[must_use]
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// How many tasks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Tells all to stop and waits for them, up to the deadline. Says how many were still there.
    pub async fn stop(&self, grace: Duration) -> usize {
        self.stop.cancel();
        self.tasks.close();
        let _ = tokio::time::timeout(grace, self.tasks.wait()).await;
        self.tasks.len()
    }
}
