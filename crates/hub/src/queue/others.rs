//! Other hubs on the same database: what this one cannot serve, they are told of; what they tell wakes this one.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::Hub;

/// At most so often, however much there is to tell.
const TELL_EVERY: Duration = Duration::from_millis(100);
/// How long to wait before listening anew after the connection was lost.
const AGAIN: Duration = Duration::from_secs(2);

/// Tells the others, debounced.
pub(crate) async fn tell(hub: Hub, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = hub.queue.board.others.woken() => {}
            () = stop.cancelled() => return,
        }
        // Only a hint: whoever misses it finds the work by polling.
        if let Err(error) = hub.store.notify().await {
            tracing::debug!(error = %error, "cannot notify the other hubs");
        }
        tokio::time::sleep(TELL_EVERY).await;
    }
}

/// Hears the others.
pub(crate) async fn hear(hub: Hub, stop: CancellationToken) {
    loop {
        let listening = async {
            let Some(mut listener) = hub.store.listen().await? else { return Ok(false) };
            loop {
                listener.received().await?;
                hub.wakes.dispatch_poll.wake();
                hub.news();
            }
            #[expect(unreachable_code, reason = "says what the block is worth")]
            Ok::<bool, store::Error>(true)
        };
        tokio::select! {
            heard = listening => match heard {
                Ok(false) => return,
                Ok(true) => {}
                Err(error) => tracing::debug!(error = %error, "cannot receive from the other hubs"),
            },
            () = stop.cancelled() => return,
        }
        tokio::select! {
            () = tokio::time::sleep(AGAIN) => {}
            () = stop.cancelled() => return,
        }
    }
}
