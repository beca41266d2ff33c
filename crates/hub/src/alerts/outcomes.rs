//! Alerts about job outcomes, from job events in their order. A failed job raises an alert for its definition; a later
//! job of that definition that succeeds resolves it.
//!
//! The cursor is written in the same transaction as the alerts, so each event counts exactly once.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{
    HostId, OrgId, Timestamp,
    alert::{AlertKind, AlertStatus, Condition, SubjectKind},
};
use proto::api::job::JobEvent;
use serde_json::Value;
use store::{Tx, alert::Alert, event::Event};

use crate::alerts::{
    facts::Facts,
    plan::{AlertPlan, OF_OUTCOMES, alert_of, resolve},
};
use crate::{Hub, Result};

/// Name of the event cursor. Its row is also the lock between hubs that evaluate at the same time.
pub(crate) const READER: &str = "alerts";
/// Events read in one evaluation.
const BATCH: u32 = 1_000;
/// Names of the events that report the end of a run.
const FAILED: &str = "job_run.failed";
const COMPLETED: &str = "job_run.completed";
/// Characters of a job's error that the alert's text contains.
const ERROR_CHARS: usize = 300;

/// Outcomes of one definition within the events read.
struct DefinitionOutcome {
    kind: AlertKind,
    count: u32,
    since: Timestamp,
    host: Option<HostId>,
    error: String,
    /// A job succeeded after the last failure.
    is_over: bool,
}

/// Reads the events after the cursor `from`, adds their alerts to the plan and moves the cursor. Returns whether there
/// may be more events.
pub(crate) async fn read(
    hub: &Hub,
    tx: &mut Tx<'_>,
    facts: &Facts,
    live: &[Alert],
    plan: &mut AlertPlan,
    from: i64,
    now: Timestamp,
) -> Result<bool> {
    let headlines = tx.event_headlines(from, BATCH).await?;
    let Some(last) = headlines.last().map(|event| event.seq) else { return Ok(false) };
    let mut outcomes: BTreeMap<AlertKey, DefinitionOutcome> = BTreeMap::new();
    // Open alerts about outcomes. A copy that the plan has changed already replaces the stored one below, so that the
    // time of its reminder is not lost.
    let mut open: HashMap<AlertKey, Alert> = of_outcomes(live).map(|alert| (key(alert), alert.clone())).collect();
    // Successes are read only for orgs with an open or new alert: a busy queue has thousands of them per second.
    let mut watched: HashSet<OrgId> = open.keys().map(|key| key.0).collect();
    let mut wanted = Vec::new();
    for headline in &headlines {
        let is_wanted = match headline.name.as_str() {
            FAILED => {
                watched.insert(headline.org_id);
                true
            }
            COMPLETED => watched.contains(&headline.org_id),
            _ => false,
        };
        wanted.extend(is_wanted.then_some(headline.seq));
    }
    let events = if wanted.is_empty() { Vec::new() } else { tx.event_numbered(&wanted).await? };
    for event in &events {
        if event.name == FAILED {
            failures(event, &mut outcomes);
        } else {
            successes(event, &open, &mut outcomes);
        }
    }
    if !outcomes.is_empty() {
        let (planned, others) = std::mem::take(&mut plan.changed)
            .into_iter()
            .partition::<Vec<_>, _>(|alert| OF_OUTCOMES.contains(&alert.kind) && outcomes.contains_key(&key(alert)));
        plan.changed = others;
        open.extend(planned.into_iter().map(|alert| (key(&alert), alert)));
    }
    for (about, outcome) in outcomes {
        let known = open.remove(&about);
        conclude(hub, facts, known, plan, &about, &outcome, now);
    }
    tx.reader_set(READER, last, now).await?;
    Ok(headlines.len() == BATCH as usize)
}

fn items(event: &Event) -> impl Iterator<Item = JobEvent> + '_ {
    let all = event.items.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|item: &Value| serde_json::from_value(item.clone()).ok())
}

/// Org, kind and definition of an alert: one alert is open per key.
type AlertKey = (OrgId, AlertKind, String);

fn key(alert: &Alert) -> AlertKey {
    (alert.org_id, alert.kind, alert.subject_id.clone())
}

fn of_outcomes(alerts: &[Alert]) -> impl Iterator<Item = &Alert> {
    alerts.iter().filter(|alert| OF_OUTCOMES.contains(&alert.kind))
}

fn failures(event: &Event, outcomes: &mut BTreeMap<AlertKey, DefinitionOutcome>) {
    for item in items(event) {
        let Some(kind) = AlertKind::of_end(item.status) else { continue };
        let known = outcomes.entry((event.org_id, kind, item.definition_key)).or_insert_with(|| DefinitionOutcome {
            kind,
            count: 0,
            since: event.at,
            host: None,
            error: String::new(),
            is_over: false,
        });
        known.count += 1;
        known.is_over = false;
        known.host = item.host_id;
        known.error = item.error.unwrap_or_default().chars().take(ERROR_CHARS).collect();
    }
}

fn successes(event: &Event, open: &HashMap<AlertKey, Alert>, outcomes: &mut BTreeMap<AlertKey, DefinitionOutcome>) {
    for item in items(event) {
        for kind in OF_OUTCOMES {
            let key = (event.org_id, kind, item.definition_key.clone());
            if let Some(known) = outcomes.get_mut(&key) {
                known.is_over = true;
                continue;
            }
            if open.contains_key(&key) {
                let over = DefinitionOutcome {
                    kind,
                    count: 0,
                    since: event.at,
                    host: item.host_id,
                    error: String::new(),
                    is_over: true,
                };
                outcomes.insert(key, over);
            }
        }
    }
}

fn conclude(
    hub: &Hub,
    facts: &Facts,
    known: Option<Alert>,
    plan: &mut AlertPlan,
    (org, kind, definition): &AlertKey,
    outcome: &DefinitionOutcome,
    now: Timestamp,
) {
    let rule = facts.rule(*org, *kind);
    match (known, outcome.is_over) {
        (None, true) => {}
        (Some(alert), true) => resolve(plan, alert, format!("a later job of {definition} succeeded"), now),
        (Some(mut alert), false) => {
            alert.flaps = alert.flaps.saturating_add(i32::try_from(outcome.count).unwrap_or(0));
            alert.text = text(definition, outcome, alert.flaps);
            plan.changed.push(alert);
        }
        (None, false) if rule.is_enabled => {
            let condition = Condition {
                kind: outcome.kind,
                subject_kind: SubjectKind::Definition,
                subject_id: definition.clone(),
                subject_name: definition.clone(),
                host: outcome.host,
                since: outcome.since,
                text: text(definition, outcome, i32::try_from(outcome.count).unwrap_or(1)),
            };
            let alert = alert_of(hub.ids.next(), *org, &condition, rule.severity, AlertStatus::Open, now);
            plan.raised.push(alert.clone());
            plan.new.push(alert);
        }
        (None, false) => {}
    }
}

fn text(definition: &str, outcome: &DefinitionOutcome, count: i32) -> String {
    let is_one = count <= 1;
    let jobs = if is_one { "a job".to_owned() } else { format!("{count} jobs") };
    let what = match outcome.kind {
        AlertKind::DeadLetter if is_one => "has used all its attempts",
        AlertKind::DeadLetter => "have used all their attempts",
        _ => "failed",
    };
    let error = if outcome.error.is_empty() { String::new() } else { format!(": {}", outcome.error) };
    format!("{jobs} of {definition} {what}{error}")
}
