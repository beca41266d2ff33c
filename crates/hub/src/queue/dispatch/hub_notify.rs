//! Notifications between hubs on the same database. A hub notifies the others of jobs that no runner here can take.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::Hub;

/// Shortest time between two notifications.
const NOTIFY_EVERY: Duration = Duration::from_millis(100);
/// Pause before listening again after the connection was lost.
const LISTEN_AGAIN: Duration = Duration::from_secs(2);

/// Notifies the other hubs.
pub(crate) async fn send(hub: Hub, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = hub.queue.dispatcher.hub_notify.woken() => {}
            () = stop.cancelled() => return,
        }
        // Only a hint: a hub that does not receive it finds the jobs by polling.
        if let Err(error) = hub.store.notify().await {
            tracing::debug!(error = %error, "cannot notify the other hubs");
        }
        tokio::time::sleep(NOTIFY_EVERY).await;
    }
}

/// Receives the notifications of other hubs.
pub(crate) async fn receive(hub: Hub, stop: CancellationToken) {
    loop {
        let listening = async {
            let Some(mut listener) = hub.store.listen().await? else { return Ok(false) };
            loop {
                listener.received().await?;
                hub.wakes.dispatch_poll.wake();
                hub.news();
            }
            #[expect(unreachable_code, reason = "gives the block its type")]
            Ok::<bool, store::Error>(true)
        };
        tokio::select! {
            listened = listening => match listened {
                Ok(false) => return,
                Ok(true) => {}
                Err(error) => tracing::debug!(error = %error, "cannot receive from the other hubs"),
            },
            () = stop.cancelled() => return,
        }
        tokio::select! {
            () = tokio::time::sleep(LISTEN_AGAIN) => {}
            () = stop.cancelled() => return,
        }
    }
}
