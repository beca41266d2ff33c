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
/// Items of events matched in one transaction: each may create jobs, whose locks other transactions wait for.
const ITEMS_MAX: usize = 1_000;
/// Name of its event cursor.
const READER: &str = "matcher";

/// Reads events in order. The cursor is written in the transaction that creates the jobs.
pub struct EventMatcher {
    hub: Hub,
}

impl EventMatcher {
    /// Creates the loop of this hub.
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
                    return Ok((false, None));
                };
                if names.is_empty() {
                    let head = tx.event_head().await?;
                    if head > from {
                        tx.reader_set(READER, head, now).await?;
                    }
                    return Ok((false, None));
                }
                let mut events = tx.event_unmatched(from, BATCH).await?;
                let is_full = cut(&mut events) || events.len() == BATCH as usize;
                let Some(last) = events.last().map(|event| event.seq) else { return Ok((false, None)) };
                let wanted: Vec<&Event> = events.iter().filter(|event| names.contains(&event.name)).collect();
                let happenings = wanted.iter().flat_map(|event| happenings(event)).collect::<Vec<_>>();
                let effects =
                    if happenings.is_empty() { None } else { Some(make_jobs(&hub, tx, &happenings, now).await?.1) };
                tx.reader_set(READER, last, now).await?;
                Ok::<_, Error>((is_full, effects))
            })
        });
        let (is_full, effects) = read.await?;
        if let Some(effects) = effects {
            effects.after_commit(&self.hub);
        }
        Ok(if is_full { Next::Again } else { Next::Wait })
    }
}

/// Leaves out the events of a batch beyond [`ITEMS_MAX`] items. Returns whether there were any.
fn cut(events: &mut Vec<Event>) -> bool {
    let mut items = 0;
    let fits = events.iter().take_while(|event| {
        items += event.items.as_array().map_or(1, Vec::len);
        items <= ITEMS_MAX
    });
    // At least one, however many items it has: one row has a bounded number.
    let count = fits.count().max(1);
    let has_more = count < events.len();
    events.truncate(count);
    has_more
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

#[cfg(test)]
mod tests {
    use domain::{OrgId, Timestamp};
    use serde_json::json;

    use super::*;

    #[test]
    fn cut_keeps_whole_rows_within_the_limit_and_at_least_one() {
        for (rows, kept, has_more) in [
            (&[][..], 0, false),
            (&[500, 500][..], 2, false),
            (&[500, 500, 1][..], 2, true),
            (&[999, 2][..], 1, true),
            (&[ITEMS_MAX + 1][..], 1, false),
            (&[ITEMS_MAX + 1, 1][..], 1, true),
        ] {
            let row = |(seq, items): (usize, &usize)| Event {
                seq: i64::try_from(seq).expect("small"),
                org_id: OrgId::from_bytes([1; 16]),
                name: "job.canceled".to_owned(),
                at: Timestamp::from_micros(0),
                items: vec![json!({}); *items].into(),
            };
            let mut events: Vec<Event> = rows.iter().enumerate().map(row).collect();
            assert_eq!(cut(&mut events), has_more, "{rows:?}");
            assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), Vec::from_iter(0..kept), "{rows:?}");
        }
    }
}
