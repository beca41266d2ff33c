//! Events and counts of a transaction, inserted once per name and org at its end.

use std::collections::BTreeMap;

use domain::{OrgId, Timestamp};
use proto::api::job::JobEvent;
use serde::Serialize;
use store::{Tx, event::NewEvent, tally::Tally};

use crate::{Hub, Result};

/// Items in one event row; more items make more rows.
const ITEMS_MAX: usize = 500;

/// The items of one event row, as the text of a JSON array.
#[derive(Default)]
struct Items {
    bytes: Vec<u8>,
    count: usize,
}

impl Items {
    fn push(&mut self, item: &impl Serialize) {
        self.bytes.push(if self.count == 0 { b'[' } else { b',' });
        let before = self.bytes.len();
        // Items have string keys and always serialize; `null` replaces one that does not.
        if serde_json::to_writer(&mut self.bytes, item).is_err() {
            self.bytes.truncate(before);
            self.bytes.extend_from_slice(b"null");
        }
        self.count += 1;
    }

    fn text(mut self) -> String {
        self.bytes.push(b']');
        String::from_utf8(self.bytes).unwrap_or_default()
    }
}

/// Events and counts that a transaction adds.
#[derive(Default)]
pub(crate) struct Changes {
    /// By the first event of each name: the end of a run comes before the events that follow from it.
    events: Vec<((OrgId, &'static str), Vec<Items>)>,
    tallies: BTreeMap<OrgId, Tally>,
}

impl Changes {
    pub(crate) fn event(&mut self, org: OrgId, name: &'static str, event: &JobEvent) {
        self.raw(org, name, event);
    }

    /// Adds an event with other fields than those of a job event.
    pub(crate) fn raw(&mut self, org: OrgId, name: &'static str, item: &impl Serialize) {
        let known = self.events.iter().position(|(key, _)| *key == (org, name));
        let index = known.unwrap_or_else(|| {
            self.events.push(((org, name), Vec::new()));
            self.events.len() - 1
        });
        let rows = &mut self.events[index].1;
        if rows.last().is_none_or(|row| row.count == ITEMS_MAX) {
            rows.push(Items::default());
        }
        if let Some(row) = rows.last_mut() {
            row.push(item);
        }
    }

    pub(crate) fn tally(&mut self, org: OrgId) -> &mut Tally {
        self.tallies.entry(org).or_default()
    }

    /// Inserts all events and counts: once, at the end of the transaction, so that they share a statement.
    pub(crate) async fn write(self, hub: &Hub, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        let mut rows = Vec::new();
        for ((org, name), items) in self.events {
            for items in items {
                rows.push(NewEvent {
                    id: hub.ids.next(),
                    org_id: org,
                    name: name.to_owned(),
                    at: now,
                    items: items.text(),
                });
            }
        }
        tx.event_insert(&rows).await?;
        let tallies: Vec<(OrgId, Tally)> =
            self.tallies.into_iter().filter(|(_, tally)| *tally != Tally::default()).collect();
        let ids = hub.ids.clone();
        tx.tally_add(&tallies, &mut move || ids.next::<domain::id::kind::Audit>().to_bytes()).await?;
        Ok(())
    }
}
