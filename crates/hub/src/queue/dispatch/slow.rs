//! Transactions that take long: their writer continues with the next batch.
//!
//! A row that another program has locked, or a frozen server process, stops a transaction for up to the server's limits.
//! Without this, it would stop all hosts and requests that share the writer.

use std::time::Duration;

use tokio::sync::oneshot;

use crate::Hub;

/// Time after which a transaction counts as slow.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// Slow transactions at the same time, over all writers: each has a connection, and most connections must stay free.
pub(super) const SLOW_MAX: usize = 4;

/// Runs the work of a writer. Returns at its end, or when it is slow: then it ends in the background.
pub(super) async fn run(hub: &Hub, work: impl Future<Output = ()> + Send + 'static) {
    let (done, mut ended) = oneshot::channel::<()>();
    hub.tasks.spawn(async move {
        work.await;
        drop(done);
    });
    if tokio::time::timeout(SLOW_AFTER, &mut ended).await.is_ok() {
        return;
    }
    tokio::select! {
        _ = &mut ended => {}
        Ok(permit) = hub.queue.dispatcher.slow.clone().acquire_owned() => hub.tasks.spawn(async move {
            let _ = ended.await;
            drop(permit);
        }),
    }
}
