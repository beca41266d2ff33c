//! Collects requests into batches, which several writers take.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::sync::{Mutex, Notify, mpsc};
use tokio_util::sync::CancellationToken;

/// Longest time that a small batch waits for the one before it.
const MAX_BATCH_WAIT: Duration = Duration::from_millis(15);

/// A channel from which several writers take batches.
pub(crate) struct Batcher<T> {
    pub(crate) sender: mpsc::Sender<T>,
    receiver: Mutex<mpsc::Receiver<T>>,
    writing: Arc<BatchesInProgress>,
    /// Amount of work in one request.
    weigh: fn(&T) -> usize,
    /// Smallest batch that starts a second writer while one is busy.
    min_batch: usize,
    max_wait: Duration,
}

/// Number of batches that are being written.
#[derive(Default)]
struct BatchesInProgress {
    count: AtomicUsize,
    ended: Notify,
}

/// Counts a batch as being written until it is dropped.
pub(crate) struct BatchSlot(Arc<BatchesInProgress>);

impl BatchSlot {
    fn new(writing: &Arc<BatchesInProgress>) -> Self {
        writing.count.fetch_add(1, Ordering::SeqCst);
        Self(writing.clone())
    }
}

impl Drop for BatchSlot {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
        self.0.ended.notify_one();
    }
}

impl<T> Batcher<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self::with_min_batch(capacity, 1, |_| 1)
    }

    /// A batcher where work below `min_batch` waits for the batch that is being written, and then forms one batch.
    pub(crate) fn with_min_batch(capacity: usize, min_batch: usize, weigh: fn(&T) -> usize) -> Self {
        let (sender, receiver) = mpsc::channel(capacity);
        Self {
            sender,
            receiver: Mutex::new(receiver),
            writing: Arc::default(),
            weigh,
            min_batch,
            max_wait: MAX_BATCH_WAIT,
        }
    }

    /// Takes all waiting requests up to `most`, at least one; returns none when the hub stops.
    pub(crate) async fn take(&self, most: usize, stop: &CancellationToken) -> (Vec<T>, BatchSlot) {
        let mut batch = Vec::new();
        tokio::select! {
            biased;
            mut receiver = self.receiver.lock() => self.gather(&mut receiver, &mut batch, most, stop).await,
            () = stop.cancelled() => {}
        }
        (batch, BatchSlot::new(&self.writing))
    }

    async fn gather(
        &self,
        receiver: &mut mpsc::Receiver<T>,
        batch: &mut Vec<T>,
        most: usize,
        stop: &CancellationToken,
    ) {
        tokio::select! {
            biased;
            _ = receiver.recv_many(batch, most) => {}
            () = stop.cancelled() => return,
        }
        // The wait is limited: the batch before may be stuck behind a lock that these requests do not need.
        let mut max_wait = std::pin::pin!(tokio::time::sleep(self.max_wait));
        let is_little = |batch: &[T]| batch.iter().map(self.weigh).sum::<usize>() < self.min_batch;
        while batch.len() < most && is_little(batch) && self.writing.count.load(Ordering::SeqCst) > 0 {
            tokio::select! {
                biased;
                () = self.writing.ended.notified() => {}
                () = &mut max_wait => break,
                count = receiver.recv_many(batch, most - batch.len()) => if count == 0 { return },
            }
        }
        // Callers that just received an answer send their next request immediately; yielding lets it join this batch.
        tokio::task::yield_now().await;
        while batch.len() < most
            && let Ok(one) = receiver.try_recv()
        {
            batch.push(one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn filled(count: usize, min_batch: usize) -> Batcher<usize> {
        let mut batcher = Batcher::with_min_batch(100, min_batch, |_| 1);
        batcher.max_wait = Duration::from_secs(3_600);
        for number in 0..count {
            batcher.sender.send(number).await.expect("has room");
        }
        batcher
    }

    #[tokio::test]
    async fn take_returns_all_waiting_up_to_the_limit() {
        let (batcher, stop) = (filled(5, 1).await, CancellationToken::new());
        assert_eq!(batcher.take(3, &stop).await.0, [0, 1, 2]);
        assert_eq!(batcher.take(3, &stop).await.0, [3, 4]);
    }

    #[tokio::test]
    async fn small_batch_is_taken_after_max_wait() {
        let (mut batcher, stop) = (filled(1, 3).await, CancellationToken::new());
        batcher.max_wait = Duration::ZERO;
        let (_, _stuck) = batcher.take(10, &stop).await;
        batcher.sender.send(1).await.expect("has room");
        assert_eq!(batcher.take(10, &stop).await.0, [1]);
    }

    #[tokio::test]
    async fn small_batch_waits_for_the_one_before_and_large_does_not() {
        let (batcher, stop) = (filled(2, 3).await, CancellationToken::new());
        let (first, slot) = batcher.take(10, &stop).await;
        assert_eq!(first, [0, 1], "no batch is being written");
        batcher.sender.send(2).await.expect("has room");
        let mut second = std::pin::pin!(batcher.take(10, &stop));
        assert!(futures_util::poll!(second.as_mut()).is_pending());
        assert!(futures_util::poll!(second.as_mut()).is_pending(), "one request is below min_batch");
        drop(slot);
        let (taken, slot) = second.await;
        assert_eq!(taken, [2]);
        for number in 3..6 {
            batcher.sender.send(number).await.expect("has room");
        }
        assert_eq!(batcher.take(10, &stop).await.0, [3, 4, 5], "three reach min_batch");
        drop(slot);
    }

    #[tokio::test]
    async fn take_returns_nothing_when_the_hub_stops() {
        let (batcher, stop) = (filled(0, 1).await, CancellationToken::new());
        stop.cancel();
        assert!(batcher.take(10, &stop).await.0.is_empty());
    }
}
