//! Computes which alerts open, change and resolve, from the open alerts and the conditions that hold now.
//!
//! A pure function, so that it can run once without a lock to see whether anything changes, and again under the lock.

use std::collections::{BTreeMap, HashMap};

use domain::{
    AlertId, OrgId, Timestamp,
    alert::{AlertKind, AlertStatus, AlertStep, Condition, NotificationDecision, Windows, notification_decision, step},
    presence::HostStatus,
};
use store::{alert::Alert, notice::NotificationState};

use super::facts::Facts;

/// Kinds raised by job events ([`super::outcomes`]), not by a condition that holds now.
pub(crate) const OF_OUTCOMES: [AlertKind; 2] = [AlertKind::JobFailed, AlertKind::DeadLetter];

/// Alerts changed in one transaction. The next evaluation follows immediately and changes the rest; other writers get
/// their turn in between.
pub(crate) const STEP_MAX: usize = 2_500;

/// Changes of one evaluation.
#[derive(Default)]
pub(crate) struct AlertPlan {
    pub(crate) new: Vec<Alert>,
    pub(crate) changed: Vec<Alert>,
    /// Pending alerts whose condition ended before they opened; they are deleted.
    pub(crate) forgotten: Vec<AlertId>,
    /// Alerts to notify about, grouped so that one notification per channel covers many alerts.
    pub(crate) to_notify: BTreeMap<(OrgId, AlertKind, NotificationState), Vec<Alert>>,
    /// For the events `alert.raised` and `alert.resolved`.
    pub(crate) raised: Vec<Alert>,
    pub(crate) resolved: Vec<Alert>,
    /// More alerts change than [`STEP_MAX`].
    pub(crate) has_more: bool,
}

impl AlertPlan {
    pub(crate) fn is_empty(&self) -> bool {
        self.new.is_empty() && self.changed.is_empty() && self.forgotten.is_empty() && self.to_notify.is_empty()
    }

    fn is_full(&self) -> bool {
        self.new.len() + self.changed.len() + self.forgotten.len() >= STEP_MAX
    }

    fn notify(&mut self, alert: &Alert, what: NotificationState) {
        self.to_notify.entry((alert.org_id, alert.kind, what)).or_default().push(alert.clone());
    }
}

/// Compares the live alerts with the conditions in `facts`.
pub(crate) fn plan(facts: &Facts, live: Vec<Alert>, now: Timestamp, new_id: &mut dyn FnMut() -> AlertId) -> AlertPlan {
    let mut plan = AlertPlan::default();
    let windows: HashMap<OrgId, Windows> =
        facts.windows.iter().map(|(org, all)| (*org, Windows::at(all.clone(), now))).collect();
    let mut wrong: HashMap<(OrgId, AlertKind, String), &Condition> = facts
        .conditions
        .iter()
        .map(|(org, condition)| ((*org, condition.kind, condition.subject_id.clone()), condition))
        .collect();
    for alert in live {
        let condition = wrong.remove(&(alert.org_id, alert.kind, alert.subject_id.clone()));
        if plan.is_full() {
            plan.has_more = true;
            continue;
        }
        let is_undecided =
            facts.undecided.contains(&(alert.org_id, alert.kind)) && facts.rule(alert.org_id, alert.kind).is_enabled;
        if OF_OUTCOMES.contains(&alert.kind) || is_undecided {
            let is_touched = remind(facts, &windows, &mut plan, &mut alert.clone(), now);
            if let Some(alert) = is_touched {
                plan.changed.push(alert);
            }
            continue;
        }
        advance(facts, &windows, &mut plan, alert, condition, now);
    }
    let mut fresh: Vec<_> = wrong.into_iter().collect();
    fresh.sort_by(|a, b| a.0.cmp(&b.0));
    for ((org, kind, _), condition) in fresh {
        if plan.is_full() {
            plan.has_more = true;
            break;
        }
        let rule = facts.rule(org, kind);
        let status = match step(&rule, None, Some(condition), now) {
            AlertStep::Raise => AlertStatus::Open,
            AlertStep::Begin => AlertStatus::Pending,
            _ => continue,
        };
        let mut alert = alert_of(new_id(), org, condition, rule.severity, status, now);
        if status == AlertStatus::Open {
            plan.raised.push(alert.clone());
            if let Some(notified) = remind(facts, &windows, &mut plan, &mut alert, now) {
                alert = notified;
            }
        }
        plan.new.push(alert);
    }
    plan
}

/// Builds a new alert for a condition.
pub(crate) fn alert_of(
    id: AlertId,
    org: OrgId,
    condition: &Condition,
    severity: domain::alert::Severity,
    status: AlertStatus,
    now: Timestamp,
) -> Alert {
    Alert {
        id,
        org_id: org,
        kind: condition.kind,
        subject_kind: condition.subject_kind,
        subject_id: condition.subject_id.clone(),
        subject_name: condition.subject_name.clone(),
        host_id: condition.host,
        severity,
        status,
        text: condition.text.clone(),
        since_at: condition.since,
        raised_at: (status == AlertStatus::Open).then_some(now),
        notified_at: None,
        reminded_at: None,
        clear_since_at: None,
        flaps: 1,
        acked_at: None,
        acked_by: None,
        note: None,
        snoozed_until: None,
        resolved_at: None,
        resolved_reason: None,
        created_at: now,
        updated_at: now,
    }
}

/// Moves one live alert to its next state.
fn advance(
    facts: &Facts,
    windows: &HashMap<OrgId, Windows>,
    plan: &mut AlertPlan,
    mut alert: Alert,
    condition: Option<&Condition>,
    now: Timestamp,
) {
    let rule = facts.rule(alert.org_id, alert.kind);
    let mut is_changed = true;
    match step(&rule, Some(&alert.known()), condition, now) {
        AlertStep::Nothing | AlertStep::Begin => is_changed = false,
        AlertStep::Raise => {
            (alert.status, alert.raised_at, alert.severity) = (AlertStatus::Open, Some(now), rule.severity);
            plan.raised.push(alert.clone());
        }
        AlertStep::Refresh => {
            if let Some(condition) = condition {
                alert.text.clone_from(&condition.text);
                alert.subject_name.clone_from(&condition.subject_name);
            }
            // The condition returned before the alert was resolved.
            alert.flaps += i32::from(alert.clear_since_at.take().is_some());
        }
        AlertStep::Clear => alert.clear_since_at = Some(now),
        AlertStep::Forget => {
            plan.forgotten.push(alert.id);
            return;
        }
        AlertStep::Resolve => {
            let reason = why_over(facts, &alert);
            resolve(plan, alert, reason, now);
            return;
        }
    }
    match remind(facts, windows, plan, &mut alert, now) {
        Some(notified) => plan.changed.push(notified),
        None if is_changed => plan.changed.push(alert),
        None => {}
    }
}

/// Resolves an alert. Sends a "resolved" notification only if the raise was sent.
pub(crate) fn resolve(plan: &mut AlertPlan, mut alert: Alert, reason: String, now: Timestamp) {
    (alert.status, alert.resolved_at, alert.resolved_reason) = (AlertStatus::Resolved, Some(now), Some(reason));
    plan.resolved.push(alert.clone());
    if alert.notified_at.is_some() {
        plan.notify(&alert, NotificationState::Resolved);
    }
    plan.changed.push(alert);
}

/// The reason shown with a resolved alert.
fn why_over(facts: &Facts, alert: &Alert) -> String {
    if !facts.rule(alert.org_id, alert.kind).is_enabled {
        return "the alert rule was disabled".to_owned();
    }
    let host = alert.host_id.map(|host| facts.hosts.get(&host));
    let text = match (alert.kind, host) {
        (_, Some(None)) => "the host was removed",
        (AlertKind::HostOffline, Some(Some((_, false)))) => "the host is no longer always on",
        (AlertKind::HostOffline, Some(Some((HostStatus::Paused, _)))) => "the host was paused",
        (AlertKind::HostOffline, _) => "the host is online again",
        (AlertKind::StaleSchedule, _) => "the schedules are up to date again",
        (AlertKind::SyncLag, _) => "replication resumed, or the host went offline",
        (AlertKind::QueueAge, _) => "no job waits longer than the threshold",
        (AlertKind::TriggerFailed, _) => "the trigger no longer fails",
        (AlertKind::PingMissed, _) => "a ping was received",
        (AlertKind::StaleWorker, _) => "the worker reported again, or no longer holds jobs",
        (AlertKind::DatabaseSlow, _) => "the database is no longer slow",
        _ => "the problem no longer exists",
    };
    text.to_owned()
}

/// Queues the raise or the reminder of an open alert if one is due and no mute window covers it. Returns the alert with
/// the time of the notification.
fn remind(
    facts: &Facts,
    windows: &HashMap<OrgId, Windows>,
    plan: &mut AlertPlan,
    alert: &mut Alert,
    now: Timestamp,
) -> Option<Alert> {
    let rule = facts.rule(alert.org_id, alert.kind);
    let labels = alert.host_id.and_then(|host| facts.labels.get(&host));
    let is_quiet = windows
        .get(&alert.org_id)
        .is_some_and(|windows| windows.hold_back(alert.kind, alert.host_id, labels, &alert.subject()));
    let what = match notification_decision(&rule, &alert.known(), is_quiet, now) {
        NotificationDecision::Nothing => return None,
        NotificationDecision::Raised => {
            alert.notified_at = Some(now);
            NotificationState::Raised
        }
        NotificationDecision::Reminder => {
            alert.reminded_at = Some(now);
            NotificationState::Reminder
        }
    };
    plan.notify(alert, what);
    Some(alert.clone())
}
