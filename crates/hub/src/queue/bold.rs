//! Work that looks without locks, and is done again with them if somebody was faster.

use store::{Tx, Work};

use crate::{Error, Hub, Result};

/// Does work as [`store::Store::write_optimistic`] does. If it is known to be stale_view before anything was said, nothing is: the
/// connection is as good as before.
pub(super) async fn boldly<T: Send + 'static>(hub: &Hub, work: impl Work<T, Error>) -> Result<T> {
    let written = hub.store.write_optimistic(move |tx: &mut Tx<'_>| {
        Box::pin(async move {
            let done = work(&mut *tx).await;
            if done.as_ref().is_err_and(Error::is_stale_view) {
                tx.discard_deferred();
                return Ok(None);
            }
            done.map(Some)
        })
    });
    written.await.and_then(|done| done.ok_or_else(stale_view))
}

/// Does work that relies on what is remembered and makes sure of it when it writes: boldly, or like any other where there is one
/// writer, between whose statements nobody comes.
pub(super) async fn by_memory<T: Send + 'static>(hub: &Hub, work: impl Work<T, Error>) -> Result<T> {
    match hub.store.kind() {
        store::Kind::Sqlite => hub.store.write(work).await,
        store::Kind::Postgres => boldly(hub, work).await,
    }
}

/// Whether work can be done [`by_memory`] on this hub's database.
pub(super) fn can_go_by_memory(hub: &Hub) -> bool {
    hub.store.kind() == store::Kind::Sqlite || can_be_bold(hub)
}

/// Somebody was faster, or more must be asked than can be without a lock.
pub(super) fn stale_view() -> Error {
    store::Error::StaleView.into()
}

/// Whether this hub's database can be written to so: one with several writers, and nobody between.
pub(crate) fn can_be_bold(hub: &Hub) -> bool {
    hub.store.kind() == store::Kind::Postgres && !hub.store.is_pooled()
}
