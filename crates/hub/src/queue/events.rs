//! Events about jobs, gathered in a transaction and appended once per name and org.

use std::collections::BTreeMap;

use domain::{OrgId, Timestamp};
use proto::api::job::JobEvent;
use serde_json::{Value, json};
use store::{Tx, event::NewEvent, tally::Tally};

use crate::{Hub, Result};

/// Things in one event row; more make more rows.
const ITEMS_MAX: usize = 500;

/// What a transaction on the queue changes for those who watch: events and counts.
#[derive(Default)]
pub(crate) struct Changes {
    /// In the order in which the names first came: a run's end is told before what follows from it.
    events: Vec<((OrgId, &'static str), Vec<Value>)>,
    tallies: BTreeMap<OrgId, Tally>,
}

impl Changes {
    pub(crate) fn event(&mut self, org: OrgId, name: &'static str, event: &JobEvent) {
        self.raw(org, name, json!(event));
    }

    pub(crate) fn raw(&mut self, org: OrgId, name: &'static str, item: Value) {
        match self.events.iter_mut().find(|(key, _)| *key == (org, name)) {
            Some((_, items)) => items.push(item),
            None => self.events.push(((org, name), vec![item])),
        }
    }

    pub(crate) fn tally(&mut self, org: OrgId) -> &mut Tally {
        self.tallies.entry(org).or_default()
    }

    /// Appends all of it.
    pub(crate) async fn write(self, hub: &Hub, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        let mut rows = Vec::new();
        for ((org, name), items) in self.events {
            for chunk in items.chunks(ITEMS_MAX) {
                rows.push(NewEvent {
                    id: hub.ids.next(),
                    org_id: org,
                    name: name.to_owned(),
                    at: now,
                    items: chunk.to_vec(),
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
