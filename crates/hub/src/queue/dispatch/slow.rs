//! Transactions that take long: their writer continues with the next batch.
//!
//! A row that another program has locked, or a frozen server process, stops a transaction for up to the server's limits.
//! Without this, it would stop all hosts and requests that share the writer.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
use runtime::{TaskTracker, Writers};
use tokio::sync::{Semaphore, oneshot};

use crate::Hub;

/// Time after which a transaction counts as slow.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// Slow transactions at the same time, over all writers: each has a connection, and most connections must stay free.
pub(super) const SLOW_MAX: usize = 4;

/// Runs the work of a writer. Returns at its end, or when it is slow: then it ends in the background.
///
/// If the work panics, its requests get an error, because their channels close, and the panic goes on in the writer:
/// its supervisor counts it and starts the writer again.
pub(super) async fn run(hub: &Hub, writer: &'static str, work: impl Future<Output = ()> + Send + 'static) {
    run_within(&hub.tasks, &hub.writers, &hub.queue.dispatcher.slow, writer, work).await;
}

/// Like [`run`], with permits of the caller. Waits for the end of slow work if there is no permit.
pub(crate) async fn run_within(
    tasks: &TaskTracker,
    writers: &Writers,
    permits: &Arc<Semaphore>,
    writer: &'static str,
    work: impl Future<Output = ()> + Send + 'static,
) {
    let (done, mut ended) = oneshot::channel();
    tasks.spawn(async move {
        let _ = done.send(AssertUnwindSafe(work).catch_unwind().await);
    });
    let ended_in_time = match tokio::time::timeout(SLOW_AFTER, &mut ended).await {
        Ok(ended) => Some(ended),
        Err(_) => tokio::select! {
            ended = &mut ended => Some(ended),
            Ok(permit) = permits.clone().acquire_owned() => {
                let writers = writers.clone();
                tasks.spawn(async move {
                    if let Ok(Err(panic)) = ended.await {
                        writers.note_panic(writer, &*panic);
                    }
                    drop(permit);
                });
                None
            }
        },
    };
    if let Some(Ok(Err(panic))) = ended_in_time {
        std::panic::resume_unwind(panic);
    }
}
