//! Jobs that are being written while their host is about to take its turn: a turn that waits for their commit takes them along;
//! otherwise they would wait for the rest of it, for another place, and for the next.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::sync::Notify;

/// A turn waits no longer than this.
const PATIENCE: Duration = Duration::from_millis(2);

/// How many are being written for a host.
#[derive(Default)]
pub(super) struct Coming {
    count: AtomicUsize,
    gone: Notify,
}

/// Some jobs that are being written, for as long as this is held: until whoever waits was told of them, or they came to nothing.
pub(super) struct Expected(Arc<Coming>);

impl Expected {
    pub(super) fn new(coming: &Arc<Coming>) -> Self {
        coming.count.fetch_add(1, Ordering::SeqCst);
        Self(coming.clone())
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
        self.0.gone.notify_waiters();
    }
}

impl Coming {
    /// Whether any are being written.
    pub(super) fn is_any(&self) -> bool {
        self.count.load(Ordering::SeqCst) > 0
    }

    /// Waits until those that are being written have come, or for so long.
    pub(super) async fn arrived(&self) {
        let all = async {
            loop {
                let mut gone = std::pin::pin!(self.gone.notified());
                // From now on, not from the first poll on.
                gone.as_mut().enable();
                if !self.is_any() {
                    return;
                }
                gone.await;
            }
        };
        let _ = tokio::time::timeout(PATIENCE, all).await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    #[tokio::test]
    async fn a_turn_waits_for_all_that_are_being_written_but_not_for_ever() {
        let coming = Arc::new(Coming::default());
        coming.arrived().await;
        let (one, two) = (Expected::new(&coming), Expected::new(&coming));
        let mut arrived = std::pin::pin!(coming.arrived());
        assert!(poll!(arrived.as_mut()).is_pending());
        drop(one);
        assert!(poll!(arrived.as_mut()).is_pending(), "another is still on its way");
        drop(two);
        assert!(poll!(arrived.as_mut()).is_ready());
        let _stuck = Expected::new(&coming);
        coming.arrived().await;
        assert!(coming.is_any(), "somebody else may hold it up: it is not waited for");
    }
}
