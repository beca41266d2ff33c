//! Alerts: the life of a detected problem, from its first observation until it is resolved, and when people are
//! notified.
//!
//! The hub turns facts into conditions ([`Condition`]). [`step`] compares a condition, or its absence, with the stored
//! alert and returns the change to make; [`notification_decision`] decides whether a notification is due. All their input is in the
//! alert's row, so a restarted hub neither loses nor repeats a notification, and the next pass closes an alert whose
//! condition disappeared meanwhile.
//!
//! - `database`: the health of the hub's database
//! - `mute_window`: times without notifications: maintenance windows, mutes, quiet hours
//! - `rule`: the settings of each kind of alert

mod database;
mod mute_window;
mod rule;

pub use database::{BlockerKind, DatabaseHealth, DatabaseMonitor, VacuumBlocker, WriterTime};
pub use mute_window::{BadMuteWindow, Clock, QuietHours, Window, Windows};
pub use rule::{BadRule, Rule, defaults};

use serde::{Deserialize, Serialize};

use crate::{
    HostId,
    job::JobStatus,
    string_enum,
    time::{Span, Timestamp},
};

string_enum! {
    /// The kinds of problems.
    pub enum AlertKind {
        /// A host that should always be online is not.
        HostOffline = "host_offline",
        /// A host that is not always online has not run its schedules for too long.
        StaleSchedule = "stale_schedule",
        /// A job ended in a way that its definition does not retry.
        JobFailed = "job_failed",
        /// A job has used all its attempts.
        DeadLetter = "dead_letter",
        /// Jobs that any host could run have waited for too long.
        QueueAge = "queue_age",
        /// An online host reports a problem.
        HostDegraded = "host_degraded",
        /// A host's clock differs too much from the hub's.
        ClockSkew = "clock_skew",
        /// Two machines use the same host key.
        DuplicateHost = "duplicate_host",
        /// A host sends data that it may not send.
        HostMisbehaving = "host_misbehaving",
        /// A worker holds jobs and sends no heartbeats.
        StaleWorker = "stale_worker",
        /// A trigger could not create its job.
        TriggerFailed = "trigger_failed",
        /// An external program did not send its ping in time.
        PingMissed = "ping_missed",
        /// A server keeps crashing.
        CrashLoop = "crash_loop",
        /// A host's runner has a different version than the hub.
        VersionSkew = "version_skew",
        /// Rows of an online host do not arrive.
        SyncLag = "sync_lag",
        /// A transaction holds back vacuum, or SQLite's writer is overloaded.
        DatabaseSlow = "database_slow",
    }
}

impl AlertKind {
    /// The alert for a job's status after a run, if any. A job that will be retried raises none: a failure that a later
    /// attempt repairs, such as a laptop without a network yet, is not an alert.
    #[must_use]
    pub const fn of_end(status: JobStatus) -> Option<Self> {
        match status {
            JobStatus::Failed => Some(Self::JobFailed),
            JobStatus::DeadLetter => Some(Self::DeadLetter),
            JobStatus::Queued | JobStatus::Running | JobStatus::Succeeded | JobStatus::Canceled => None,
        }
    }
}

string_enum! {
    /// Severity, in ascending order.
    pub enum Severity {
        /// For information.
        Info = "info",
        /// Someone should look at it.
        Warning = "warning",
        /// Someone must look at it now.
        Critical = "critical",
    }
}

string_enum! {
    /// The status of an alert.
    pub enum AlertStatus {
        /// The condition holds, but not for long enough yet.
        Pending = "pending",
        /// The condition holds and no one has acknowledged the alert.
        Open = "open",
        /// Someone has acknowledged the alert.
        Acked = "acked",
        /// The condition is gone.
        Resolved = "resolved",
    }
}

string_enum! {
    /// The kinds of things an alert can be about.
    pub enum SubjectKind {
        Host = "host",
        Definition = "definition",
        Trigger = "trigger",
        /// A worker in another language.
        Worker = "worker",
        /// The queue of an org.
        Queue = "queue",
        /// An external program that sends pings.
        Ping = "ping",
        Server = "server",
        /// The hub itself.
        Hub = "hub",
    }
}

/// This many raises within [`FLAP_WINDOW`] make an alert flapping.
pub const FLAPS_MAX: i32 = 4;
/// The period in which raises are counted.
pub const FLAP_WINDOW: Span = Span::from_secs(3_600);
/// The condition of a flapping alert must be gone for this long before the alert is resolved.
const FLAPPING_CLEAR: Span = Span::from_secs(1_800);

/// A problem that exists now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub kind: AlertKind,
    pub subject_kind: SubjectKind,
    pub subject_id: String,
    pub subject_name: String,
    /// The host it happens on, for maintenance windows that select hosts.
    pub host: Option<HostId>,
    pub since: Timestamp,
    /// One sentence for people.
    pub text: String,
}

/// The stored state of an alert that is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveAlert {
    pub status: AlertStatus,
    /// Start of the condition.
    pub since: Timestamp,
    /// Since when the condition has been gone; `None` while it holds.
    pub clear_since: Option<Timestamp>,
    pub text: String,
    /// The number of raises within [`FLAP_WINDOW`].
    pub flaps: i32,
    /// The time of the first notification.
    pub notified_at: Option<Timestamp>,
    /// The time of the last reminder.
    pub reminded_at: Option<Timestamp>,
    /// No notifications before this time.
    pub snoozed_until: Option<Timestamp>,
}

/// The change to make to one alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AlertStep {
    Nothing,
    /// Create the alert as pending, without a notification.
    Begin,
    /// Open the alert: the condition has held for long enough.
    Raise,
    /// Update the text, or cancel the clearing: the condition still holds.
    Refresh,
    /// Start clearing: the condition is gone, perhaps only for a moment.
    Clear,
    /// Delete the pending alert: the condition disappeared before the alert was opened.
    Forget,
    /// Resolve the alert: the condition has been gone for long enough.
    Resolve,
}

/// Compares a condition, or its absence, with the stored alert and returns the change to make.
#[must_use]
pub fn step(rule: &Rule, known: Option<&LiveAlert>, condition: Option<&Condition>, now: Timestamp) -> AlertStep {
    match (known, condition.filter(|_| rule.is_enabled)) {
        (None, None) => AlertStep::Nothing,
        (None, Some(condition)) if now.since(condition.since) >= rule.hold() => AlertStep::Raise,
        (None, Some(_)) => AlertStep::Begin,
        (Some(known), Some(condition)) => match known.status {
            AlertStatus::Pending if now.since(condition.since) >= rule.hold() => AlertStep::Raise,
            _ if known.clear_since.is_some() || known.text != condition.text => AlertStep::Refresh,
            _ => AlertStep::Nothing,
        },
        (Some(known), None) => match (known.status, known.clear_since) {
            (AlertStatus::Pending, _) => AlertStep::Forget,
            (_, None) if clear_for(rule, known) == Span::ZERO => AlertStep::Resolve,
            (_, None) => AlertStep::Clear,
            (_, Some(since)) if now.since(since) >= clear_for(rule, known) => AlertStep::Resolve,
            (_, Some(_)) => AlertStep::Nothing,
        },
    }
}

fn clear_for(rule: &Rule, known: &LiveAlert) -> Span {
    if is_flapping(known.flaps) { FLAPPING_CLEAR.max(rule.clear()) } else { rule.clear() }
}

/// Whether an alert was raised too often to resolve it after the usual time.
#[must_use]
pub const fn is_flapping(flaps: i32) -> bool {
    flaps >= FLAPS_MAX
}

/// The notification that is due for an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotificationDecision {
    Nothing,
    /// The first notification.
    Raised,
    /// The condition still holds.
    Reminder,
}

/// The notification that is due for an open alert. A notification suppressed by a window or a snooze is sent when that
/// ends, if the condition still holds.
#[must_use]
pub fn notification_decision(rule: &Rule, known: &LiveAlert, is_quiet: bool, now: Timestamp) -> NotificationDecision {
    let is_snoozed = known.snoozed_until.is_some_and(|until| now < until);
    if is_quiet || is_snoozed || known.status == AlertStatus::Pending || known.clear_since.is_some() {
        return NotificationDecision::Nothing;
    }
    let Some(notified_at) = known.notified_at else {
        // No first notification for an alert that someone has already acknowledged.
        return if known.status == AlertStatus::Open {
            NotificationDecision::Raised
        } else {
            NotificationDecision::Nothing
        };
    };
    let last = known.reminded_at.unwrap_or(notified_at).max(notified_at);
    // The end of a snooze sends a reminder, independent of the repeat interval.
    let is_over = known.snoozed_until.is_some_and(|until| last < until);
    let is_due = rule.repeat().is_some_and(|every| now.since(last) >= every);
    match known.status {
        AlertStatus::Open if is_over || is_due => NotificationDecision::Reminder,
        AlertStatus::Acked if is_over => NotificationDecision::Reminder,
        _ => NotificationDecision::Nothing,
    }
}

/// The alerts that a channel receives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelFilter {
    /// Only these kinds; all if empty.
    #[serde(default)]
    pub kinds: Vec<AlertKind>,
    /// Only alerts of at least this severity.
    #[serde(default)]
    pub min_severity: Option<Severity>,
}

impl ChannelFilter {
    /// Whether the channel receives alerts of this kind and severity.
    #[must_use]
    pub fn matches(&self, kind: AlertKind, severity: Severity) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind)) && self.min_severity.is_none_or(|least| severity >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn at(secs: u32) -> Timestamp {
        T0 + Span::from_secs(secs)
    }

    fn rule() -> Rule {
        Rule { for_seconds: 60, clear_seconds: 30, repeat_seconds: Some(3_600), ..defaults(AlertKind::HostOffline) }
    }

    fn condition() -> Condition {
        Condition {
            kind: AlertKind::HostOffline,
            subject_kind: SubjectKind::Host,
            subject_id: "h".into(),
            subject_name: "db-2".into(),
            host: None,
            since: T0,
            text: "no heartbeat".into(),
        }
    }

    fn known(status: AlertStatus) -> LiveAlert {
        LiveAlert {
            status,
            since: T0,
            clear_since: None,
            text: "no heartbeat".into(),
            flaps: 1,
            notified_at: Some(at(60)),
            reminded_at: None,
            snoozed_until: None,
        }
    }

    #[test]
    fn step_follows_an_alert_from_pending_to_resolved() {
        use AlertStatus::{Acked, Open, Pending};
        let (off, wrong) = (Rule { is_enabled: false, ..rule() }, condition());
        let clearing = |since| LiveAlert { clear_since: Some(at(since)), ..known(Open) };
        let flapping = |since| LiveAlert { flaps: FLAPS_MAX, ..clearing(since) };
        let other = LiveAlert { text: "else".into(), ..known(Acked) };
        let cases: &[(&str, Option<LiveAlert>, bool, u32, AlertStep)] = &[
            ("no condition", None, false, 10, AlertStep::Nothing),
            ("just began", None, true, 10, AlertStep::Begin),
            ("began long ago", None, true, 60, AlertStep::Raise),
            ("waits", Some(known(Pending)), true, 59, AlertStep::Nothing),
            ("long enough", Some(known(Pending)), true, 60, AlertStep::Raise),
            ("gone before it was raised", Some(known(Pending)), false, 59, AlertStep::Forget),
            ("still holds", Some(known(Open)), true, 999, AlertStep::Nothing),
            ("text changed", Some(other), true, 999, AlertStep::Refresh),
            ("condition gone", Some(known(Open)), false, 999, AlertStep::Clear),
            ("condition back", Some(clearing(990)), true, 999, AlertStep::Refresh),
            ("not gone for long enough", Some(clearing(990)), false, 1_019, AlertStep::Nothing),
            ("gone for long enough", Some(clearing(990)), false, 1_020, AlertStep::Resolve),
            (
                "an acked alert is resolved",
                Some(LiveAlert { status: Acked, ..clearing(990) }),
                false,
                1_020,
                AlertStep::Resolve,
            ),
            ("a flapping alert takes longer", Some(flapping(990)), false, 1_020, AlertStep::Nothing),
            ("a flapping alert is resolved", Some(flapping(990)), false, 2_790, AlertStep::Resolve),
        ];
        for (case, known, is_wrong, now, expected) in cases {
            let condition = is_wrong.then_some(&wrong);
            assert_eq!(step(&rule(), known.as_ref(), condition, at(*now)), *expected, "{case}");
        }
        assert_eq!(step(&off, Some(&clearing(990)), Some(&wrong), at(1_020)), AlertStep::Resolve, "a disabled rule");
        let at_once = Rule { clear_seconds: 0, ..rule() };
        assert_eq!(step(&at_once, Some(&known(Open)), None, at(999)), AlertStep::Resolve);
    }

    #[test]
    fn notification_decision_notifies_once_then_reminds_at_the_interval_or_after_a_snooze() {
        use AlertStatus::{Acked, Open, Pending};
        let not_notified = LiveAlert { notified_at: None, ..known(Open) };
        let snoozed = |until| LiveAlert { snoozed_until: Some(at(until)), ..known(Open) };
        for (case, known, is_quiet, now, expected) in [
            ("new", not_notified.clone(), false, 60, NotificationDecision::Raised),
            ("in a window", not_notified.clone(), true, 60, NotificationDecision::Nothing),
            ("after the window", not_notified.clone(), false, 9_999, NotificationDecision::Raised),
            (
                "clearing",
                LiveAlert { clear_since: Some(at(70)), ..not_notified.clone() },
                false,
                80,
                NotificationDecision::Nothing,
            ),
            (
                "not raised yet",
                LiveAlert { status: Pending, ..not_notified.clone() },
                false,
                60,
                NotificationDecision::Nothing,
            ),
            (
                "acknowledged before the notification",
                LiveAlert { status: Acked, ..not_notified },
                false,
                60,
                NotificationDecision::Nothing,
            ),
            ("notified", known(Open), false, 70, NotificationDecision::Nothing),
            ("an hour later", known(Open), false, 3_660, NotificationDecision::Reminder),
            (
                "just reminded",
                LiveAlert { reminded_at: Some(at(3_660)), ..known(Open) },
                false,
                3_700,
                NotificationDecision::Nothing,
            ),
            ("acked", known(Acked), false, 9_999, NotificationDecision::Nothing),
            ("snoozed", snoozed(5_000), false, 4_000, NotificationDecision::Nothing),
            ("the snooze has ended", snoozed(5_000), false, 5_000, NotificationDecision::Reminder),
            (
                "acknowledged and snoozed",
                LiveAlert { status: Acked, ..snoozed(5_000) },
                false,
                5_000,
                NotificationDecision::Reminder,
            ),
        ] {
            assert_eq!(notification_decision(&rule(), &known, is_quiet, at(now)), expected, "{case}");
        }
        let never = Rule { repeat_seconds: None, ..rule() };
        assert_eq!(notification_decision(&never, &known(Open), false, at(99_999)), NotificationDecision::Nothing);
    }

    #[test]
    fn a_failure_raises_an_alert_only_when_the_job_is_not_retried() {
        use crate::job::{After, End, EndReason, Record, RunStatus, after};
        let record = Record {
            attempts: 1,
            free_ends: 0,
            max_attempts: 3,
            is_cancel_asked: false,
            is_final_exit: false,
            expires_at: None,
        };
        let kind = |status: RunStatus, record: &Record| {
            let end = End { status, exit_code: Some(6), retry_after: None };
            match after(end, record, Span::from_secs(2), T0) {
                After::Over(status, _) => AlertKind::of_end(status),
                After::Again(_) => AlertKind::of_end(JobStatus::Queued),
            }
        };
        for (case, status, record, expected) in [
            ("no network yet, first attempt", RunStatus::Failed, record, None),
            ("the second", RunStatus::Failed, Record { attempts: 2, ..record }, None),
            ("all attempts used", RunStatus::Failed, Record { attempts: 3, ..record }, Some(AlertKind::DeadLetter)),
            ("the only attempt", RunStatus::Failed, Record { max_attempts: 1, ..record }, Some(AlertKind::DeadLetter)),
            (
                "an exit code that is not retried",
                RunStatus::Failed,
                Record { is_final_exit: true, ..record },
                Some(AlertKind::JobFailed),
            ),
            ("too slow", RunStatus::Timeout, record, None),
            ("asleep in the middle", RunStatus::Lost, Record { free_ends: 1, ..record }, None),
            ("lost too often", RunStatus::Lost, Record { free_ends: 4, ..record }, Some(AlertKind::DeadLetter)),
            ("canceled", RunStatus::Failed, Record { is_cancel_asked: true, ..record }, None),
            ("repaired", RunStatus::Succeeded, Record { attempts: 2, ..record }, None),
        ] {
            assert_eq!(kind(status, &record), expected, "{case}");
        }
        let expired = After::Over(JobStatus::Canceled, Some(EndReason::Expired));
        let late = Record { expires_at: Some(T0), ..record };
        let end = End { status: RunStatus::Failed, exit_code: None, retry_after: None };
        assert_eq!(after(end, &late, Span::from_secs(2), T0), expired, "expired before the retry");
    }

    #[test]
    fn channels_filter_by_kind_and_severity() {
        let wants = ChannelFilter { kinds: vec![AlertKind::DeadLetter], min_severity: Some(Severity::Warning) };
        assert!(wants.matches(AlertKind::DeadLetter, Severity::Critical));
        assert!(!wants.matches(AlertKind::DeadLetter, Severity::Info));
        assert!(!wants.matches(AlertKind::HostOffline, Severity::Critical));
        assert!(ChannelFilter::default().matches(AlertKind::HostOffline, Severity::Info));
    }
}
