//! A future that continues in a spawned task when it is dropped.
//!
//! Cancel safety: a client that disconnects drops the future of its request. Without this type the drop would stop a
//! transaction half-way: its connection would have to be closed, and a sent `commit` would have an unknown outcome.
//! Spawning a task for each call would prevent that too, but costs two task switches, and most calls are awaited to
//! their end.
//!
//! A future of this type must be awaited or dropped. One that is stored and not polled keeps its connection.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{FutureExt as _, future::BoxFuture};
use tokio::runtime::Handle;

/// Runs in the awaiting task. If it is dropped before its end, a spawned task completes it.
pub(crate) struct DetachOnDrop<T: Send + 'static>(Option<BoxFuture<'static, T>>);

impl<T: Send + 'static> DetachOnDrop<T> {
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'static) -> Self {
        Self(Some(Box::pin(work)))
    }
}

impl<T: Send + 'static> Future for DetachOnDrop<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // Polled after completion: there is no result left.
        let Some(work) = &mut self.0 else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        if polled.is_ready() {
            self.0 = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for DetachOnDrop<T> {
    fn drop(&mut self) {
        // Outside of a runtime (at process exit) no task can be spawned.
        if let (Some(work), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            drop(runtime.spawn(work.map(drop)));
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn awaited_future_returns_its_output() {
        assert_eq!(DetachOnDrop::new(async { 7 }).await, 7);
    }

    #[tokio::test]
    async fn dropped_future_continues_in_a_task() {
        let (go, wait) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let mut work = DetachOnDrop::new(async move {
            let _ = wait.await;
            let _ = done.send(());
        });
        assert!((&mut work).now_or_never().is_none(), "started and pending");
        drop(work);
        go.send(()).expect("the task still waits");
        is_done.await.expect("the task completed");
    }
}
