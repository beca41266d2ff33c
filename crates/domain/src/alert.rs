//! Alerts: something is wrong, from when it began until it is over, and who is told.
//!
//! Facts become conditions ([`Condition`]); one function ([`step`]) says what a condition, or its absence, means for
//! the alert that is known of it. Everything it depends on is in the alert's row, so nothing is lost or told twice when
//! a hub is started anew, and what is open without reason is closed by the next look.

mod quiet;
mod rule;

pub use quiet::{BadQuiet, Clock, QuietHours, Window, Windows};
pub use rule::{BadRule, Rule, defaults};

use serde::{Deserialize, Serialize};

use crate::{
    HostId,
    job::JobStatus,
    time::{Span, Timestamp},
    words,
};

words! {
    /// What can be wrong.
    pub enum AlertKind {
        /// A host that should always be there is not.
        HostOffline = "host_offline",
        /// A host that comes and goes has not run its schedules for too long.
        StaleSchedule = "stale_schedule",
        /// A job ended in a way its definition says not to repeat.
        JobFailed = "job_failed",
        /// A job has used up its attempts.
        DeadLetter = "dead_letter",
        /// Jobs that any host could run wait for too long.
        QueueAge = "queue_age",
        /// Something is wrong with a host that is there.
        HostDegraded = "host_degraded",
        /// A host's clock is off.
        ClockSkew = "clock_skew",
        /// Two machines use one key.
        DuplicateHost = "duplicate_host",
        /// A worker holds jobs and is silent.
        StaleWorker = "stale_worker",
        /// A trigger could not make its job.
        TriggerFailed = "trigger_failed",
        /// A program elsewhere has not said that it ran.
        PingMissed = "ping_missed",
        /// A server ends again and again.
        CrashLoop = "crash_loop",
        /// A host's runner is of another version than the hub.
        VersionSkew = "version_skew",
        /// Rows of a host that is there do not arrive.
        SyncLag = "sync_lag",
    }
}

impl AlertKind {
    /// What the end of a run is, by what became of its job: nothing as long as the job is tried again. So a failure that
    /// a later try repairs, as of a laptop whose network is not there yet, is no alert; one that no try repairs is.
    #[must_use]
    pub const fn of_end(status: JobStatus) -> Option<Self> {
        match status {
            JobStatus::Failed => Some(Self::JobFailed),
            JobStatus::DeadLetter => Some(Self::DeadLetter),
            JobStatus::Queued | JobStatus::Running | JobStatus::Succeeded | JobStatus::Canceled => None,
        }
    }
}

words! {
    /// How bad it is. Ordered.
    pub enum Severity {
        /// Good to know.
        Info = "info",
        /// Somebody should look.
        Warning = "warning",
        /// Somebody must look now.
        Critical = "critical",
    }
}

words! {
    /// Where an alert is in its life.
    pub enum AlertStatus {
        /// Its condition holds, but not for long enough yet.
        Pending = "pending",
        /// It is wrong, and nobody has said that they know.
        Open = "open",
        /// Somebody has.
        Acked = "acked",
        /// It is over.
        Resolved = "resolved",
    }
}

words! {
    /// What an alert is about.
    pub enum SubjectKind {
        /// A host.
        Host = "host",
        /// A definition.
        Definition = "definition",
        /// A trigger.
        Trigger = "trigger",
        /// A worker of another language.
        Worker = "worker",
        /// The org's queue.
        Queue = "queue",
        /// A program elsewhere.
        Ping = "ping",
        /// A server.
        Server = "server",
    }
}

/// So many raises within [`FLAP_WINDOW`] make an alert flap.
pub const FLAPS_MAX: i32 = 4;
/// The time in which raises are counted.
pub const FLAP_WINDOW: Span = Span::from_secs(3_600);
/// What flaps must be gone for this long before it counts as over.
const FLAPPING_CLEAR: Span = Span::from_secs(1_800);

/// Something that is wrong now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// What kind.
    pub kind: AlertKind,
    /// What it is about.
    pub subject_kind: SubjectKind,
    /// The id of that.
    pub subject_id: String,
    /// Its name.
    pub subject_name: String,
    /// The host it happens on, for windows that are meant for some hosts.
    pub host: Option<HostId>,
    /// Since when.
    pub since: Timestamp,
    /// One sentence.
    pub text: String,
}

/// What is known of an alert that is not resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Where it is in its life.
    pub status: AlertStatus,
    /// Since when its condition has held.
    pub since: Timestamp,
    /// Since when its condition has been gone.
    pub clear_since: Option<Timestamp>,
    /// What it says.
    pub text: String,
    /// How often it was raised lately.
    pub flaps: i32,
    /// When somebody was told that it began.
    pub told_at: Option<Timestamp>,
    /// When somebody was last reminded of it.
    pub reminded_at: Option<Timestamp>,
    /// Nobody is told before.
    pub snoozed_until: Option<Timestamp>,
}

/// What to do about one alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Leave it.
    Nothing,
    /// Note that something began; it is not told yet.
    Begin,
    /// It is wrong for long enough.
    Raise,
    /// It goes on; its text or its clearing is out of date.
    Refresh,
    /// Its condition is gone, perhaps not for good.
    Clear,
    /// It was never raised, and is gone.
    Forget,
    /// It is over.
    Resolve,
}

/// What a condition, or its absence, means for what is known.
#[must_use]
pub fn step(rule: &Rule, known: Option<&Known>, condition: Option<&Condition>, now: Timestamp) -> Step {
    match (known, condition.filter(|_| rule.is_enabled)) {
        (None, None) => Step::Nothing,
        (None, Some(condition)) if now.since(condition.since) >= rule.hold() => Step::Raise,
        (None, Some(_)) => Step::Begin,
        (Some(known), Some(condition)) => match known.status {
            AlertStatus::Pending if now.since(condition.since) >= rule.hold() => Step::Raise,
            _ if known.clear_since.is_some() || known.text != condition.text => Step::Refresh,
            _ => Step::Nothing,
        },
        (Some(known), None) => match (known.status, known.clear_since) {
            (AlertStatus::Pending, _) => Step::Forget,
            (_, None) if clear_for(rule, known) == Span::ZERO => Step::Resolve,
            (_, None) => Step::Clear,
            (_, Some(since)) if now.since(since) >= clear_for(rule, known) => Step::Resolve,
            (_, Some(_)) => Step::Nothing,
        },
    }
}

fn clear_for(rule: &Rule, known: &Known) -> Span {
    if is_flapping(known.flaps) { FLAPPING_CLEAR.max(rule.clear()) } else { rule.clear() }
}

/// Whether an alert comes and goes too often to be told each time.
#[must_use]
pub const fn is_flapping(flaps: i32) -> bool {
    flaps >= FLAPS_MAX
}

/// What people are to be told of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// Nothing now.
    Nothing,
    /// That it began.
    Raised,
    /// That it still lasts.
    Reminder,
}

/// What people are to be told of an alert that is open. What a window or a snooze held back is told when that ends, if
/// it is still wrong by then.
#[must_use]
pub fn telling(rule: &Rule, known: &Known, is_quiet: bool, now: Timestamp) -> Telling {
    let is_snoozed = known.snoozed_until.is_some_and(|until| now < until);
    if is_quiet || is_snoozed || known.status == AlertStatus::Pending || known.clear_since.is_some() {
        return Telling::Nothing;
    }
    let Some(told_at) = known.told_at else {
        // Somebody who has seen it need not be told that it began.
        return if known.status == AlertStatus::Open { Telling::Raised } else { Telling::Nothing };
    };
    let last = known.reminded_at.unwrap_or(told_at).max(told_at);
    // The end of a snooze asks again, whatever the pace.
    let is_over = known.snoozed_until.is_some_and(|until| last < until);
    let is_due = rule.repeat().is_some_and(|every| now.since(last) >= every);
    match known.status {
        AlertStatus::Open if is_over || is_due => Telling::Reminder,
        AlertStatus::Acked if is_over => Telling::Reminder,
        _ => Telling::Nothing,
    }
}

/// What a channel is told of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wants {
    /// Only these kinds; all if empty.
    #[serde(default)]
    pub kinds: Vec<AlertKind>,
    /// Only what is at least this bad.
    #[serde(default)]
    pub min_severity: Option<Severity>,
}

impl Wants {
    /// Whether the channel is told of this.
    #[must_use]
    pub fn is_told(&self, kind: AlertKind, severity: Severity) -> bool {
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
            text: "not heard from".into(),
        }
    }

    fn known(status: AlertStatus) -> Known {
        Known {
            status,
            since: T0,
            clear_since: None,
            text: "not heard from".into(),
            flaps: 1,
            told_at: Some(at(60)),
            reminded_at: None,
            snoozed_until: None,
        }
    }

    #[test]
    fn an_alert_begins_lasts_and_ends() {
        use AlertStatus::{Acked, Open, Pending};
        let (off, wrong) = (Rule { is_enabled: false, ..rule() }, condition());
        let clearing = |since| Known { clear_since: Some(at(since)), ..known(Open) };
        let flapping = |since| Known { flaps: FLAPS_MAX, ..clearing(since) };
        let other = Known { text: "else".into(), ..known(Acked) };
        let cases: &[(&str, Option<Known>, bool, u32, Step)] = &[
            ("all is well", None, false, 10, Step::Nothing),
            ("just began", None, true, 10, Step::Begin),
            ("began long ago", None, true, 60, Step::Raise),
            ("waits", Some(known(Pending)), true, 59, Step::Nothing),
            ("long enough", Some(known(Pending)), true, 60, Step::Raise),
            ("over before it was raised", Some(known(Pending)), false, 59, Step::Forget),
            ("goes on", Some(known(Open)), true, 999, Step::Nothing),
            ("says something else", Some(other), true, 999, Step::Refresh),
            ("seems over", Some(known(Open)), false, 999, Step::Clear),
            ("not for good", Some(clearing(990)), true, 999, Step::Refresh),
            ("not for long enough", Some(clearing(990)), false, 1_019, Step::Nothing),
            ("is over", Some(clearing(990)), false, 1_020, Step::Resolve),
            ("an acked one is over too", Some(Known { status: Acked, ..clearing(990) }), false, 1_020, Step::Resolve),
            ("one that flaps takes longer", Some(flapping(990)), false, 1_020, Step::Nothing),
            ("and ends, too", Some(flapping(990)), false, 2_790, Step::Resolve),
        ];
        for (case, known, is_wrong, now, expected) in cases {
            let condition = is_wrong.then_some(&wrong);
            assert_eq!(step(&rule(), known.as_ref(), condition, at(*now)), *expected, "{case}");
        }
        assert_eq!(step(&off, Some(&clearing(990)), Some(&wrong), at(1_020)), Step::Resolve, "a rule switched off");
        let at_once = Rule { clear_seconds: 0, ..rule() };
        assert_eq!(step(&at_once, Some(&known(Open)), None, at(999)), Step::Resolve);
    }

    #[test]
    fn people_are_told_once_reminded_at_a_pace_and_left_alone_when_they_ask() {
        use AlertStatus::{Acked, Open, Pending};
        let untold = Known { told_at: None, ..known(Open) };
        let snoozed = |until| Known { snoozed_until: Some(at(until)), ..known(Open) };
        for (case, known, is_quiet, now, expected) in [
            ("new", untold.clone(), false, 60, Telling::Raised),
            ("in a window", untold.clone(), true, 60, Telling::Nothing),
            ("after the window", untold.clone(), false, 9_999, Telling::Raised),
            ("healing", Known { clear_since: Some(at(70)), ..untold.clone() }, false, 80, Telling::Nothing),
            ("not raised yet", Known { status: Pending, ..untold.clone() }, false, 60, Telling::Nothing),
            ("seen before it was told", Known { status: Acked, ..untold }, false, 60, Telling::Nothing),
            ("told", known(Open), false, 70, Telling::Nothing),
            ("an hour later", known(Open), false, 3_660, Telling::Reminder),
            ("just reminded", Known { reminded_at: Some(at(3_660)), ..known(Open) }, false, 3_700, Telling::Nothing),
            ("acked", known(Acked), false, 9_999, Telling::Nothing),
            ("snoozed", snoozed(5_000), false, 4_000, Telling::Nothing),
            ("the snooze is over", snoozed(5_000), false, 5_000, Telling::Reminder),
            ("acked until then", Known { status: Acked, ..snoozed(5_000) }, false, 5_000, Telling::Reminder),
        ] {
            assert_eq!(telling(&rule(), &known, is_quiet, at(now)), expected, "{case}");
        }
        let never = Rule { repeat_seconds: None, ..rule() };
        assert_eq!(telling(&never, &known(Open), false, at(99_999)), Telling::Nothing);
    }

    #[test]
    fn a_failure_is_an_alert_only_when_it_is_not_tried_again() {
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
            ("no network yet, first try", RunStatus::Failed, record, None),
            ("the second", RunStatus::Failed, Record { attempts: 2, ..record }, None),
            ("the tries are used up", RunStatus::Failed, Record { attempts: 3, ..record }, Some(AlertKind::DeadLetter)),
            ("the only try", RunStatus::Failed, Record { max_attempts: 1, ..record }, Some(AlertKind::DeadLetter)),
            (
                "not to be repeated",
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
        assert_eq!(after(end, &late, Span::from_secs(2), T0), expired, "nobody waits for it any more");
    }

    #[test]
    fn channels_hear_what_they_want() {
        let wants = Wants { kinds: vec![AlertKind::DeadLetter], min_severity: Some(Severity::Warning) };
        assert!(wants.is_told(AlertKind::DeadLetter, Severity::Critical));
        assert!(!wants.is_told(AlertKind::DeadLetter, Severity::Info));
        assert!(!wants.is_told(AlertKind::HostOffline, Severity::Critical));
        assert!(Wants::default().is_told(AlertKind::HostOffline, Severity::Info));
    }
}
