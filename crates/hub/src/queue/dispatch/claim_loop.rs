//! The transaction that only claims: for runners that wait in the line, and for HTTP workers.

use tokio_util::sync::CancellationToken;

use super::{end_refused, slow};
use crate::{
    Error, Hub, Result,
    queue::{
        claim::{self, ClaimRequest, Claimed, JobSource},
        events::Changes,
    },
};

/// Name of the writer in metrics and logs.
pub(crate) const NAME: &str = "claim";

/// Serves the runners in the line.
pub(crate) async fn serve(hub: Hub, stop: CancellationToken) {
    loop {
        // Registered before the line is read: a runner that joins it in between is noticed.
        let queued = hub.queue.dispatcher.queued.notified();
        let Some(guard) = hub.queue.dispatcher.reserve_next(&hub) else {
            tokio::select! {
                () = queued => continue,
                () = stop.cancelled() => return,
            }
        };
        if stop.is_cancelled() {
            return;
        }
        let hub_in = hub.clone();
        slow::run(&hub, NAME, async move {
            match transact(&hub_in, guard.request()).await {
                Ok(claimed) => guard.send_grants(claimed),
                Err(error) => {
                    tracing::warn!(host.id = %guard.host, error = %error, "a claim failed; the dispatch poll retries it");
                    if error.is_commit_unknown() {
                        guard.end_session();
                    }
                }
            }
        })
        .await;
    }
}

/// Claims for an HTTP worker.
pub(crate) async fn claim_for_worker(hub: &Hub, request: ClaimRequest) -> Result<Claimed> {
    let mut claimed = transact(hub, request).await?;
    claimed.after_commit(hub);
    end_refused(hub, std::mem::take(&mut claimed.refused)).await;
    Ok(claimed)
}

async fn transact(hub: &Hub, request: ClaimRequest) -> Result<Claimed> {
    let hub_in = hub.clone();
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let mut changes = Changes::default();
            let claimed = claim::claim(&hub_in, tx, &request, JobSource::Lanes, &mut changes).await?;
            changes.write(&hub_in, tx, hub_in.now()).await?;
            Ok::<_, Error>(claimed)
        })
    });
    written.await
}
