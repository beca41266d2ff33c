//! Numbers events after their commit and tells them to whoever listens here.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Events numbered and told in one pass.
const BATCH: u32 = 1_000;

/// Tells what happened, in one order for everybody.
pub struct Herald {
    hub: Hub,
    /// The last number told; `None` before the first pass: what happened before is not news.
    told: Option<i64>,
    /// Whether it numbers them: the owner of the database does.
    numbers: bool,
    /// Whether there was more to number than one pass does.
    is_more: bool,
}

impl Herald {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub, told: None, numbers: true, is_more: false }
    }

    /// For a hub that only shows what another one numbers.
    #[must_use]
    pub fn looking(hub: Hub) -> Self {
        Self { hub, told: None, numbers: false, is_more: false }
    }
}

impl Task for Herald {
    const NAME: &'static str = "herald";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let told = self.told;
        // In SQLite they have their numbers from the beginning, unless a version has written them that did not give them any.
        let is_first = told.is_none() || self.is_more;
        let numbered = if self.numbers && (is_first || self.hub.store.kind() == store::Kind::Postgres) {
            self.hub
                .store
                .write(|tx| Box::pin(async move { tx.event_number(BATCH).await.map_err(Error::from) }))
                .await?
        } else {
            0
        };
        // Whoever begins to listen from here on knows of all up to this one already.
        let head =
            self.hub.store.glance(|tx| Box::pin(async move { tx.event_head().await.map_err(Error::from) })).await?;
        self.is_more = numbered == u64::from(BATCH);
        let (Some(from), true) = (told, self.hub.live.has_listeners()) else {
            self.told = Some(head);
            return Ok(if self.is_more { Next::Again } else { Next::Wait });
        };
        let read = self
            .hub
            .store
            .glance(move |tx| Box::pin(async move { tx.event_after(from, BATCH).await.map_err(Error::from) }));
        let events = read.await?;
        for event in &events {
            self.hub.live.tell(event);
        }
        self.told = Some(events.last().map_or(from, |event| event.seq));
        let is_more = self.is_more || events.len() == BATCH as usize;
        Ok(if is_more { Next::Again } else { Next::Wait })
    }
}
