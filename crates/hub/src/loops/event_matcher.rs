//! Matches Hostler's own events with triggers. Events sent by programs are matched when they are received.

use domain::Span;
use runtime::{Next, Pass, Task};
use serde_json::Value;
use store::event::Event;

use crate::{
    Error, Hub,
    scheduler::event_match::{Happening, make_jobs},
};

/// Events read in one pass.
const BATCH: u32 = 1_000;
/// Name of its event cursor.
const READER: &str = "matcher";

/// Reads events in order. The cursor is written in the transaction that creates the jobs.
pub struct EventMatcher {
    hub: Hub,
}

impl EventMatcher {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for EventMatcher {
    const NAME: &'static str = "event_matcher";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let (hub, now) = (self.hub.clone(), cx.now);
        // Read first without a lock: most passes find nothing, and then nothing is written.
        let look = self.hub.store.read(|tx| {
            Box::pin(async move { Ok::<_, Error>((tx.event_head().await?, tx.reader_look(READER).await?)) })
        });
        let (head, read_to) = look.await?;
        if read_to.is_some_and(|read_to| read_to >= head) {
            return Ok(Next::Wait);
        }
        let read = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let names = tx.trigger_event_names().await?;
                let Some(from) = tx.reader_get(READER).await? else {
                    // First start: events before it are skipped.
                    let head = tx.event_head().await?;
                    tx.reader_set(READER, head, now).await?;
                    return Ok((0, None));
                };
                if names.is_empty() {
                    let head = tx.event_head().await?;
                    if head > from {
                        tx.reader_set(READER, head, now).await?;
                    }
                    return Ok((0, None));
                }
                let events = tx.event_unmatched(from, BATCH).await?;
                let Some(last) = events.last().map(|event| event.seq) else { return Ok((0, None)) };
                let wanted: Vec<&Event> = events.iter().filter(|event| names.contains(&event.name)).collect();
                let happenings = wanted.iter().flat_map(|event| happenings(event)).collect::<Vec<_>>();
                let written =
                    if happenings.is_empty() { None } else { Some(make_jobs(&hub, tx, &happenings, now).await?.1) };
                tx.reader_set(READER, last, now).await?;
                Ok::<_, Error>((events.len(), written))
            })
        });
        let (count, written) = read.await?;
        if let Some(written) = written {
            written.tell(&self.hub);
        }
        Ok(if count == BATCH as usize { Next::Again } else { Next::Wait })
    }
}

/// The items of one event row, each as its own event.
fn happenings(event: &Event) -> Vec<Happening<'_>> {
    let items = match &event.items {
        Value::Array(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    let one = |(number, data)| Happening {
        id: format!("{}.{number}", event.seq),
        org: event.org_id,
        name: &event.name,
        data,
        correlation_id: None,
        at: event.at,
    };
    items.iter().enumerate().map(one).collect()
}
