//! Requests that wait to be dealt with together.

use std::sync::Arc;

/// A queue that several writers take batches from.
pub(crate) struct Inbox<T> {
    pub(crate) sender: tokio::sync::mpsc::Sender<T>,
    receiver: Arc<tokio::sync::Mutex<tokio::sync::mpsc::Receiver<T>>>,
}

impl<T> Inbox<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        let (sender, receiver) = tokio::sync::mpsc::channel(capacity);
        Self { sender, receiver: Arc::new(tokio::sync::Mutex::new(receiver)) }
    }

    /// Whatever is there, at least one; nothing when the hub stops.
    pub(crate) async fn take(&self, most: usize, stop: &tokio_util::sync::CancellationToken) -> Vec<T> {
        let mut batch = Vec::new();
        tokio::select! {
            biased;
            mut receiver = self.receiver.lock() => {
                tokio::select! {
                    biased;
                    _ = receiver.recv_many(&mut batch, most) => {}
                    () = stop.cancelled() => {}
                }
                // Whoever was just answered asks again at once: a moment later there is more to do together.
                tokio::task::yield_now().await;
                while batch.len() < most && let Ok(one) = receiver.try_recv() {
                    batch.push(one);
                }
            }
            () = stop.cancelled() => {}
        }
        batch
    }
}
