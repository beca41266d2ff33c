//! Audit lines that a caller can cause at any rate: refusals, failed sign-ins, sent events. The first one of a minute is
//! written immediately; repetitions are counted and written as one line after the minute.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use domain::{OrgId, Timestamp};
use serde_json::{Value, json};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result};

/// Most different lines counted at a time. Further ones share one counter per action, so that callers with many
/// addresses fill neither the memory nor the audit log.
const COUNTERS_MAX: usize = 10_000;

/// An entry for the audit log that can repeat.
pub(crate) struct RepeatedEntry {
    pub(crate) action: &'static str,
    pub(crate) kind: &'static str,
    /// Entries of one actor, action and org with the same key are repetitions.
    pub(crate) key: String,
    pub(crate) name: Option<String>,
    pub(crate) detail: Value,
}

impl RepeatedEntry {
    /// The line of the first occurrence.
    pub(crate) fn first(&self) -> AuditEntry<'_> {
        let (action, kind, name) = (self.action, self.kind, self.name.as_deref());
        AuditEntry { action, kind, id: None, name, diff: self.detail.clone() }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Counter {
    minute: Timestamp,
    action: &'static str,
    actor: String,
    org: Option<OrgId>,
    key: String,
}

struct Repetitions {
    by: RequestContext,
    entry: RepeatedEntry,
    count: u64,
}

/// Counters of repeated audit lines, in memory. A crash loses the counts of one minute, never a first line.
#[derive(Default)]
pub(crate) struct RepeatedAudit(Mutex<HashMap<Counter, Repetitions>>);

impl RepeatedAudit {
    fn lock(&self) -> MutexGuard<'_, HashMap<Counter, Repetitions>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an occurrence. Returns the counter if it is the first of its minute, which the caller must write.
    fn count(&self, now: Timestamp, by: &RequestContext, org: Option<OrgId>, entry: RepeatedEntry) -> Option<Counter> {
        let mut counters = self.lock();
        let actor = &by.caller.actor;
        let mut counter = Counter {
            minute: now.minute(),
            action: entry.action,
            actor: format!("{} {}", actor.kind(), actor.id_text().unwrap_or_default()),
            org,
            key: entry.key.clone(),
        };
        if counters.len() >= COUNTERS_MAX {
            let minute = counter.minute;
            counters.retain(|counter, repetitions| counter.minute >= minute || repetitions.count > 0);
        }
        if counters.len() >= COUNTERS_MAX && !counters.contains_key(&counter) {
            (counter.org, counter.key, counter.actor) = (None, String::new(), String::new());
        }
        if let Some(repetitions) = counters.get_mut(&counter) {
            repetitions.count += 1;
            return None;
        }
        counters.insert(counter.clone(), Repetitions { by: by.detached(), entry, count: 0 });
        Some(counter)
    }

    /// Removes the counters of minutes before `until` and returns those with repetitions.
    fn take(&self, until: Timestamp) -> Vec<(Counter, Repetitions)> {
        let mut counters = self.lock();
        let over: Vec<Counter> = counters.keys().filter(|counter| counter.minute < until).cloned().collect();
        let taken = over.into_iter().filter_map(|counter| counters.remove_entry(&counter));
        taken.filter(|(_, repetitions)| repetitions.count > 0).collect()
    }
}

/// A first occurrence that the caller writes in its own transaction.
pub(crate) struct FirstOccurrence(Counter);

impl Hub {
    /// Writes an entry, or counts it if the same entry was written in this minute.
    ///
    /// # Errors
    /// Fails on a database error; the next occurrence is written instead.
    pub(crate) async fn record_repeated(
        &self,
        by: &RequestContext,
        org: Option<OrgId>,
        entry: RepeatedEntry,
    ) -> Result<()> {
        let copy =
            RepeatedEntry { key: String::new(), name: entry.name.clone(), detail: entry.detail.clone(), ..entry };
        let Some(first) = self.first_occurrence(by, org, entry) else { return Ok(()) };
        let (hub, by) = (self.clone(), by.detached());
        let written =
            self.store.write(move |tx| Box::pin(async move { by.record(&hub, tx, org, copy.first()).await })).await;
        if written.is_err() {
            self.not_written(first);
        }
        written
    }

    /// Counts an entry. Returns a value if it is the first of its minute: the caller writes [`RepeatedEntry::first`] in
    /// its transaction, and calls [`Hub::not_written`] if that fails.
    pub(crate) fn first_occurrence(
        &self,
        by: &RequestContext,
        org: Option<OrgId>,
        entry: RepeatedEntry,
    ) -> Option<FirstOccurrence> {
        self.repeated_audit.count(self.now(), by, org, entry).map(FirstOccurrence)
    }

    /// Forgets a first occurrence whose line was not written.
    pub(crate) fn not_written(&self, FirstOccurrence(counter): FirstOccurrence) {
        self.repeated_audit.lock().remove(&counter);
    }

    /// Writes one line for the repetitions of each minute before `until`.
    ///
    /// # Errors
    /// Fails on a database error; the counts are kept.
    pub(crate) async fn write_repetitions(&self, until: Timestamp) -> Result<()> {
        let taken = self.repeated_audit.take(until);
        if taken.is_empty() {
            return Ok(());
        }
        let lines: Vec<_> = taken.iter().map(|(counter, repetitions)| line(counter, repetitions)).collect();
        let hub = self.clone();
        let written = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    for (by, org, entry) in &lines {
                        by.record(&hub, tx, *org, entry.first()).await?;
                    }
                    Ok::<_, Error>(())
                })
            })
            .await;
        if written.is_err() {
            self.repeated_audit.lock().extend(taken);
        }
        written
    }
}

/// The line for the repetitions of one minute: the detail of the first line, with their number.
fn line(counter: &Counter, repetitions: &Repetitions) -> (RequestContext, Option<OrgId>, RepeatedEntry) {
    let Repetitions { by, entry, count } = repetitions;
    let mut detail = entry.detail.clone();
    detail["repeated"] = json!(count);
    detail["minute"] = json!(counter.minute);
    let (action, kind, name) = (entry.action, entry.kind, entry.name.clone());
    (by.clone(), counter.org, RepeatedEntry { action, kind, key: String::new(), name, detail })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str) -> RepeatedEntry {
        let key = key.to_owned();
        RepeatedEntry { action: "request.refused", kind: "request", key, name: None, detail: json!({}) }
    }

    #[test]
    fn repetitions_of_a_minute_are_counted_once_it_is_over() {
        let (audit, by) = (RepeatedAudit::default(), RequestContext::system());
        let now = Timestamp::from_micros(1_700_000_000_000_000).minute();
        let next = now + domain::Span::from_secs(60);
        assert!(audit.count(now, &by, None, entry("a")).is_some());
        assert!((0..9).all(|_| audit.count(now, &by, None, entry("a")).is_none()));
        assert!(audit.count(now, &by, None, entry("b")).is_some(), "another key");
        assert!(audit.count(next, &by, None, entry("a")).is_some(), "another minute");
        assert!(audit.take(now).is_empty(), "the minute is not over");
        let taken = audit.take(next);
        assert_eq!(taken.iter().map(|(counter, r)| (counter.key.as_str(), r.count)).collect::<Vec<_>>(), [("a", 9)]);
        assert_eq!(audit.lock().len(), 1, "counters without repetitions are removed, too");
    }

    #[test]
    fn counters_beyond_the_maximum_are_shared() {
        let (audit, by) = (RepeatedAudit::default(), RequestContext::system());
        let now = Timestamp::from_micros(1_700_000_000_000_000);
        let written = (0..COUNTERS_MAX + 500).filter(|n| audit.count(now, &by, None, entry(&n.to_string())).is_some());
        assert_eq!(written.count(), COUNTERS_MAX + 1);
        assert_eq!(audit.lock().len(), COUNTERS_MAX + 1);
    }
}
