//! Numbers committed events and sends them to the live sockets of this hub.
//!
//! On PostgreSQL an event gets its number here, after the commit, and not in the transaction that writes it:
//! transactions do not commit in the order of their numbers, so a client that has received 8 would never ask for a 7
//! that commits later. One hub numbers at a time, under the lock on the head. SQLite has one writer, so there events
//! are numbered when they are written (ADR 8).

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Events numbered or sent in one pass.
const BATCH: u32 = 1_000;

/// Publishes events, in the same order on every hub.
pub struct EventPublisher {
    hub: Hub,
    /// Number of the last event sent; `None` before the first pass, which skips older events.
    published: Option<i64>,
    /// Whether this process numbers events: not on SQLite, and not if it only serves the web UI.
    numbers: bool,
}

impl EventPublisher {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        let numbers = hub.store.kind() == store::Kind::Postgres;
        Self { hub, published: None, numbers }
    }

    /// For a process that only serves the web UI; the owner of the database numbers the events.
    #[must_use]
    pub fn polling(hub: Hub) -> Self {
        Self { hub, published: None, numbers: false }
    }
}

/// Numbers events that an older version wrote to SQLite without numbers. It runs at the start, before new events take
/// numbers, so that the order stays correct.
pub(crate) async fn number_left(hub: &Hub) -> crate::Result<()> {
    // On PostgreSQL every pass numbers them.
    while hub.store.kind() == store::Kind::Sqlite && number(hub).await? == u64::from(BATCH) {}
    Ok(())
}

/// Numbers up to a batch of events; returns their count.
async fn number(hub: &Hub) -> crate::Result<u64> {
    hub.store.write(|tx| Box::pin(async move { tx.event_number(BATCH).await.map_err(Error::from) })).await
}

impl Task for EventPublisher {
    const NAME: &'static str = "event_publisher";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let published = self.published;
        let numbered = if self.numbers { number(&self.hub).await? } else { 0 };
        // Without sockets, skip to the head: a socket that subscribes later has read all events up to it.
        let head =
            self.hub.store.query(|tx| Box::pin(async move { tx.event_head().await.map_err(Error::from) })).await?;
        let (Some(from), true) = (published, self.hub.live.has_listeners()) else {
            self.published = Some(head);
            return Ok(if numbered == u64::from(BATCH) { Next::Again } else { Next::Wait });
        };
        let read = self
            .hub
            .store
            .query(move |tx| Box::pin(async move { tx.event_after(from, BATCH).await.map_err(Error::from) }));
        let events = read.await?;
        for event in &events {
            self.hub.live.notify(event);
        }
        self.published = Some(events.last().map_or(from, |event| event.seq));
        let is_more = numbered == u64::from(BATCH) || events.len() == BATCH as usize;
        Ok(if is_more { Next::Again } else { Next::Wait })
    }
}
