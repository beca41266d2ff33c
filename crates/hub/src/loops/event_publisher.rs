//! Tells events to whoever listens here, once each has its number.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Events numbered or told in one pass.
const BATCH: u32 = 1_000;

/// Tells what happened, in one order for everybody.
pub struct EventPublisher {
    hub: Hub,
    /// The last number told; `None` before the first pass: what happened before is not news.
    told: Option<i64>,
    /// Whether it numbers them first: the owner of the database does, unless they have their numbers from the beginning.
    numbers: bool,
}

impl EventPublisher {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        let numbers = hub.store.kind() == store::Kind::Postgres;
        Self { hub, told: None, numbers }
    }

    /// For a hub that only shows what another one numbers.
    #[must_use]
    pub fn looking(hub: Hub) -> Self {
        Self { hub, told: None, numbers: false }
    }
}

/// Numbers what a version has left that gave no numbers when it wrote, before anything new gets one.
pub(crate) async fn number_left(hub: &Hub) -> crate::Result<()> {
    // On PostgreSQL that is what every pass does.
    while hub.store.kind() == store::Kind::Sqlite && number(hub).await? == u64::from(BATCH) {}
    Ok(())
}

/// Numbers events that have none; says how many.
async fn number(hub: &Hub) -> crate::Result<u64> {
    hub.store.write(|tx| Box::pin(async move { tx.event_number(BATCH).await.map_err(Error::from) })).await
}

impl Task for EventPublisher {
    const NAME: &'static str = "herald";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let told = self.told;
        let numbered = if self.numbers { number(&self.hub).await? } else { 0 };
        // Whoever begins to listen from here on knows of all up to this one already.
        let head =
            self.hub.store.query(|tx| Box::pin(async move { tx.event_head().await.map_err(Error::from) })).await?;
        let (Some(from), true) = (told, self.hub.live.has_listeners()) else {
            self.told = Some(head);
            return Ok(if numbered == u64::from(BATCH) { Next::Again } else { Next::Wait });
        };
        let read = self
            .hub
            .store
            .query(move |tx| Box::pin(async move { tx.event_after(from, BATCH).await.map_err(Error::from) }));
        let events = read.await?;
        for event in &events {
            self.hub.live.tell(event);
        }
        self.told = Some(events.last().map_or(from, |event| event.seq));
        let is_more = numbered == u64::from(BATCH) || events.len() == BATCH as usize;
        Ok(if is_more { Next::Again } else { Next::Wait })
    }
}
