//! Work that comes to its end, whoever waits for it.
//!
//! A client that hangs up drops the future of its request, and a connection in the middle of something is of no use to anybody
//! else. A task for each call would prevent that, and cost two changes of tasks; most calls are waited for.
//!
//! Whoever keeps such a future must wait for it or drop it: one that is neither has its connection for as long.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use futures_util::{FutureExt as _, future::BoxFuture};
use tokio::runtime::Handle;

/// Runs where it is awaited. If it is dropped half-way, it goes on in a task of its own.
pub(crate) struct DetachOnDrop<T: Send + 'static>(Option<BoxFuture<'static, T>>);

impl<T: Send + 'static> DetachOnDrop<T> {
    pub(crate) fn new(work: impl Future<Output = T> + Send + 'static) -> Self {
        Self(Some(Box::pin(work)))
    }
}

impl<T: Send + 'static> Future for DetachOnDrop<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        // After its end there is nothing to wait for.
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
        // Without a runtime nobody could go on.
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
    async fn who_waits_gets_the_answer() {
        assert_eq!(DetachOnDrop::new(async { 7 }).await, 7);
    }

    #[tokio::test]
    async fn what_nobody_waits_for_goes_on() {
        let (go, wait) = oneshot::channel::<()>();
        let (done, is_done) = oneshot::channel();
        let mut work = DetachOnDrop::new(async move {
            let _ = wait.await;
            let _ = done.send(());
        });
        assert!((&mut work).now_or_never().is_none(), "it has begun");
        drop(work);
        go.send(()).expect("it is there");
        is_done.await.expect("came to its end");
    }
}
