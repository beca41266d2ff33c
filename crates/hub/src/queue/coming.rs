//! Jobs that are being written while their host is about to take its turn: a turn that waits for their commit takes them along;
//! otherwise they would wait for the rest of it, for another place, and for the next.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::sync::Notify;

/// A turn waits no longer than this.
const PATIENCE: Duration = Duration::from_millis(2);

/// How many were about to be written for a host, and how many no longer are.
#[derive(Default)]
pub(super) struct Coming {
    begun: AtomicU64,
    over: AtomicU64,
    gone: Notify,
}

/// Some jobs that are being written, for as long as this is held: until whoever waits was told of them, or they came to nothing.
pub(super) struct Expected(Arc<Coming>);

impl Expected {
    pub(super) fn new(coming: &Arc<Coming>) -> Self {
        coming.begun.fetch_add(1, Ordering::SeqCst);
        Self(coming.clone())
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.0.over.fetch_add(1, Ordering::SeqCst);
        self.0.gone.notify_waiters();
    }
}

impl Coming {
    /// Whether any are being written.
    pub(super) fn is_any(&self) -> bool {
        self.over.load(Ordering::SeqCst) < self.begun.load(Ordering::SeqCst)
    }

    /// Waits until as many have come as are being written now, or for so long. Not for those that begin meanwhile.
    pub(super) async fn arrived(&self) {
        let begun = self.begun.load(Ordering::SeqCst);
        let all = async {
            loop {
                let mut gone = std::pin::pin!(self.gone.notified());
                // From now on, not from the first poll on.
                gone.as_mut().enable();
                if self.over.load(Ordering::SeqCst) >= begun {
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
        let later = Expected::new(&coming);
        drop(one);
        assert!(poll!(arrived.as_mut()).is_pending(), "another is still on its way");
        drop(two);
        assert!(poll!(arrived.as_mut()).is_ready(), "whoever comes later is not waited for");
        assert!(coming.is_any());
        drop(later);
        let _stuck = Expected::new(&coming);
        coming.arrived().await;
        assert!(coming.is_any(), "somebody else may hold it up: it is not waited for");
    }
}
