//! Tasks that are stopped and awaited together, for example all connections of a server.

use std::{future::Future, time::Duration};

use tokio_util::{sync::CancellationToken, task};

/// The tasks of one owner. Dropping the tracker does not end them; [`TaskTracker::stop`] does.
#[derive(Debug, Clone, Default)]
pub struct TaskTracker {
    tasks: task::TaskTracker,
    stop: CancellationToken,
}

impl TaskTracker {
    /// Starts a task. It must end when [`TaskTracker::stopping`] is canceled.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Tracks a future that another executor runs.
    pub fn track<F: Future>(&self, task: F) -> impl Future<Output = F::Output> + use<F> {
        self.tasks.track_future(task)
    }

    /// The token that is canceled when the tasks must stop.
    #[must_use]
    pub fn stopping(&self) -> CancellationToken {
        self.stop.clone()
    }

    /// Number of running tasks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether no task is running.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Stops all tasks and waits for them, up to a time limit. Returns the number of tasks that still run.
    pub async fn stop(&self, grace: Duration) -> usize {
        self.stop.cancel();
        self.tasks.close();
        let _ = tokio::time::timeout(grace, self.tasks.wait()).await;
        self.tasks.len()
    }
}
