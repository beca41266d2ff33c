//! Supervision of tasks that write for others, such as the task that inserts the jobs of all requests. If one panics,
//! the requests of its batch end with an error, because their channels close; the task is started again with back-off.

use std::{
    any::Any,
    collections::BTreeMap,
    future::Future,
    panic::AssertUnwindSafe,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{Span, backoff::Backoff};
use futures_util::FutureExt as _;

use crate::{Random, TaskTracker};

/// Delays before a task is started again.
const BACKOFF: Backoff = Backoff { first: Span::from_millis(200), cap: Span::from_secs(10) };
/// A task that has run for this long starts again with the first delay.
const HEALTHY_AFTER: std::time::Duration = std::time::Duration::from_secs(60);

/// The status of the tasks with one name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriterStatus {
    pub panics: u64,
    /// Tasks that wait for their next start.
    pub down: usize,
}

/// The supervised tasks of one owner. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Writers(Arc<Mutex<BTreeMap<&'static str, WriterStatus>>>);

impl Writers {
    /// Runs the task that `start` makes until it ends, and again after each panic.
    pub fn spawn<F: Future<Output = ()> + Send + 'static>(
        &self,
        tasks: &TaskTracker,
        name: &'static str,
        start: impl Fn() -> F + Send + Sync + 'static,
    ) {
        let (writers, stop) = (self.clone(), tasks.stopping());
        self.change(name, |_| {});
        tasks.spawn(async move {
            let mut failures = 0;
            loop {
                let began = tokio::time::Instant::now();
                let Err(panic) = AssertUnwindSafe(start()).catch_unwind().await else { return };
                if began.elapsed() >= HEALTHY_AFTER {
                    failures = 0;
                }
                let delay = BACKOFF.delay(failures, Random.unit());
                failures += 1;
                writers.note_panic(name, &*panic);
                writers.change(name, |status| status.down += 1);
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = tokio::time::sleep(delay.to_duration()) => {}
                }
                writers.change(name, |status| status.down -= 1);
            }
        });
    }

    /// Counts a panic that the task has survived.
    pub fn note_panic(&self, name: &'static str, panic: &(dyn Any + Send)) {
        tracing::error!(task = name, "a task that writes for others panicked: {}", panic_text(panic));
        self.change(name, |status| status.panics += 1);
    }

    fn change(&self, name: &'static str, change: impl FnOnce(&mut WriterStatus)) {
        change(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(name).or_default());
    }

    /// The status of all tasks, by name.
    #[must_use]
    pub fn status(&self) -> BTreeMap<&'static str, WriterStatus> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The names of tasks that wait for their next start.
    #[must_use]
    pub fn down(&self) -> Vec<&'static str> {
        self.status().into_iter().filter(|(_, status)| status.down > 0).map(|(name, _)| name).collect()
    }
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::{sync::atomic::AtomicU32, time::Duration};

    use tokio::sync::{mpsc, oneshot};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_that_panics_fails_its_batch_and_starts_again() {
        let (writers, tasks) = (Writers::default(), TaskTracker::default());
        let (sender, receiver) = mpsc::channel::<(u32, oneshot::Sender<u32>)>(4);
        let receiver = Arc::new(tokio::sync::Mutex::new(receiver));
        let starts = Arc::new(AtomicU32::new(0));
        let counted = starts.clone();
        writers.spawn(&tasks, "doubler", move || {
            let receiver = receiver.clone();
            counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            async move {
                while let Some((number, answer)) = receiver.lock().await.recv().await {
                    assert_ne!(number, 13, "a bug");
                    let _ = answer.send(number * 2);
                }
            }
        });
        let asker = sender.clone();
        let ask = move |number| {
            let sender = asker.clone();
            async move {
                let (reply, answer) = oneshot::channel();
                sender.send((number, reply)).await.expect("the channel stays open");
                answer.await.ok()
            }
        };
        assert_eq!(ask(1).await, Some(2));
        assert_eq!(ask(13).await, None, "its caller gets an error");
        assert_eq!(writers.down(), ["doubler"]);
        assert_eq!(ask(2).await, Some(4), "the next one is answered by the restarted task");
        assert_eq!(writers.status()["doubler"], WriterStatus { panics: 1, down: 0 });
        assert_eq!(starts.load(std::sync::atomic::Ordering::SeqCst), 2);
        drop(ask);
        drop(sender);
        assert_eq!(tasks.stop(Duration::from_secs(5)).await, 0, "the task ends with its channel");
    }
}
