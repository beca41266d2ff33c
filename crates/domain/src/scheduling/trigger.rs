//! Triggers: event rules and schedules that create jobs, and their policies for missed times and overlapping jobs.
//!
//! All functions depend only on the trigger, the clock and the state of its earlier jobs. The caller holds a lock on
//! the trigger's row and writes one fire row for each nominal time, so no time fires twice.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    HostId,
    event_match::{self, BadMatch},
    schedule::{BadSchedule, Schedule},
    string_enum,
    time::{Span, Timestamp},
};

string_enum! {
    /// The kinds of triggers.
    pub enum TriggerType {
        /// An event with a matching name and fields.
        Event = "event",
        /// The clock.
        Schedule = "schedule",
    }
}

string_enum! {
    /// The place where a schedule fires.
    pub enum FiresAt {
        /// On the hub.
        Hub = "hub",
        /// On the host itself, also while the hub is unreachable.
        Host = "host",
    }
}

string_enum! {
    /// The policy for nominal times that passed while no hub or host could fire them.
    pub enum MissedPolicy {
        /// Record the times; create no job.
        Skip = "skip",
        /// Create one job for all of them.
        Once = "once",
        /// Create one job for each; only the newest if there are too many.
        All = "all",
    }
}

string_enum! {
    /// The policy for a fire while an earlier job of the same trigger is queued or running.
    pub enum Overlap {
        /// Create the job.
        Allow = "allow",
        /// Skip the fire.
        Forbid = "forbid",
        /// Cancel the earlier job, then create the new one.
        Replace = "replace",
        /// Queue the job behind the running one; at most one may wait.
        QueueOne = "queue_one",
    }
}

string_enum! {
    /// Fan-out: how many of the matching hosts get a job.
    pub enum FanOut {
        /// All of them.
        Each = "each",
        /// The first one with a free slot.
        Any = "any",
    }
}

string_enum! {
    /// The outcome of one nominal time on one host.
    pub enum FireStatus {
        /// A job was created.
        Fired = "fired",
        /// The job of a later time covers it.
        CaughtUp = "caught_up",
        /// The time was missed and the trigger's policy creates no job for it.
        Missed = "missed",
        /// The host was asleep; the time is caught up when the host returns.
        Asleep = "asleep",
        /// An earlier job was still queued or running.
        Skipped = "skipped",
        /// The payload or the target was invalid.
        Failed = "failed",
    }
}

/// The longest label, in characters.
const LABEL_CHARS_MAX: usize = 100;
/// The upper limit of the jitter.
const JITTER_SECONDS_MAX: u32 = 86_400;
/// The longest dedupe window.
pub const WINDOW_SECONDS_MAX: u32 = 30 * 86_400;
/// The upper limit of `missed_window_seconds`.
const MISSED_WINDOW_SECONDS_MAX: u32 = 366 * 86_400;
/// The upper limit of `missed_max`.
const MISSED_MAX: u32 = 1_000;
/// The default dedupe window of event rules.
pub const EVENT_WINDOW_SECONDS: u32 = 300;
/// A fire up to this late counts as on time: a hub was restarted or busy.
pub const ON_TIME: Span = Span::from_secs(60);
/// The number of missed times that get a row each; older ones share one row.
const ROWS_MAX: usize = 100;
/// The number of nominal times that one pass evaluates.
const SLOTS_MAX: usize = 20_000;

/// The settings of a trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    pub label: String,
    /// A disabled trigger creates no jobs.
    pub is_enabled: bool,
    /// The event or the schedule.
    #[serde(flatten)]
    pub when: When,
    pub definition_key: String,
    /// The payload of its jobs, with slots for values of the event or the fire.
    pub payload_template: Value,
    /// A template for the dedupe key of its jobs.
    #[serde(default)]
    pub dedupe_key: Option<String>,
    /// For this long no second job with the same dedupe key is created.
    #[serde(default)]
    pub dedupe_window_seconds: Option<u32>,
    /// The target of its jobs.
    #[serde(default)]
    pub target: FireTarget,
    pub place: FiresAt,
    /// The policy for missed times.
    pub missed: MissedPolicy,
    /// The most jobs that the policy `all` creates for missed times.
    pub missed_max: u32,
    /// Times missed longer ago than this are not caught up.
    pub missed_window_seconds: u32,
    /// The policy for overlapping jobs.
    pub overlap: Overlap,
    /// Each job starts up to this much later than its nominal time; the delay is spread evenly.
    #[serde(rename = "jitter")]
    pub jitter_seconds: u32,
    /// No fires before this time.
    #[serde(default)]
    pub starts_at: Option<Timestamp>,
    /// No fires after this time.
    #[serde(default)]
    pub ends_at: Option<Timestamp>,
    /// No fires before this time; set by a pause.
    #[serde(default)]
    pub paused_until: Option<Timestamp>,
    pub priority: i32,
}

/// The event or the schedule that fires a trigger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "trigger_type", rename_all = "snake_case")]
pub enum When {
    /// An event with this name whose fields match.
    Event {
        event_name: String,
        /// Conditions on its fields.
        #[serde(rename = "match", default)]
        fields: Map<String, Value>,
    },
    Schedule {
        /// The five fields of cron, or a nickname.
        cron_expr: String,
        /// The time zone of the schedule.
        timezone: String,
    },
}

/// The target of a trigger's jobs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FireTarget {
    /// The target of the definition.
    #[default]
    Definition,
    Host(HostId),
    /// Any host that serves this queue.
    Queue(String),
    /// Hosts whose labels match.
    Selector {
        selector: String,
        /// All matching hosts or one of them.
        spread: FanOut,
    },
}

/// An invalid trigger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTrigger {
    #[error(transparent)]
    Schedule(#[from] BadSchedule),
    #[error(transparent)]
    Match(#[from] BadMatch),
    /// A value is out of range, or two fields contradict each other.
    #[error("{0}")]
    Field(String),
}

impl Trigger {
    /// The kind of the trigger.
    #[must_use]
    pub const fn trigger_type(&self) -> TriggerType {
        match self.when {
            When::Event { .. } => TriggerType::Event,
            When::Schedule { .. } => TriggerType::Schedule,
        }
    }

    /// The name of the event that fires it.
    #[must_use]
    pub fn event_name(&self) -> Option<&str> {
        match &self.when {
            When::Event { event_name, .. } => Some(event_name),
            When::Schedule { .. } => None,
        }
    }

    /// Its schedule, if it has one. `seed` is the trigger's id: the values of `H` and the jitter derive from it.
    /// `anchor` is the first occurrence of `@every`.
    ///
    /// # Errors
    /// The expression or the time zone is invalid.
    pub fn schedule(&self, seed: &str, anchor: Timestamp) -> Result<Option<Schedule>, BadSchedule> {
        match &self.when {
            When::Event { .. } => Ok(None),
            When::Schedule { cron_expr, timezone } => {
                Schedule::parse(cron_expr, timezone, seed, self.starts_at.unwrap_or(anchor)).map(Some)
            }
        }
    }

    /// Checks everything that needs no look-up.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn check(&self, seed: &str, anchor: Timestamp) -> Result<(), BadTrigger> {
        let refuse = |text: String| Err(BadTrigger::Field(text));
        let label = self.label.trim();
        if label.is_empty() || label.chars().count() > LABEL_CHARS_MAX || label.contains(char::is_control) {
            return refuse(format!("label must have 1 to {LABEL_CHARS_MAX} characters and no control characters"));
        }
        for (name, value, max) in [
            ("jitter", self.jitter_seconds, JITTER_SECONDS_MAX),
            ("dedupe_window_seconds", self.dedupe_window_seconds.unwrap_or(0), WINDOW_SECONDS_MAX),
            ("missed_window_seconds", self.missed_window_seconds, MISSED_WINDOW_SECONDS_MAX),
            ("missed_max", self.missed_max, MISSED_MAX),
        ] {
            if value > max {
                return refuse(format!("{name} must be at most {max}, not {value}"));
            }
        }
        if self.missed_max == 0 {
            return refuse("missed_max must be at least 1; to skip missed times, set missed: skip".to_owned());
        }
        if self.starts_at.zip(self.ends_at).is_some_and(|(starts, ends)| ends <= starts) {
            return refuse("ends_at must be after starts_at".to_owned());
        }
        match &self.when {
            When::Event { event_name, fields } => {
                event_match::check_name(event_name).map_err(BadTrigger::Match)?;
                event_match::check(fields)?;
                if self.place == FiresAt::Host {
                    return refuse("only a schedule can have place: host, because events arrive at the hub".to_owned());
                }
            }
            When::Schedule { .. } => {
                self.schedule(seed, anchor)?;
                if self.dedupe_key.is_some() || self.dedupe_window_seconds.is_some() {
                    return refuse("a schedule has no dedupe key or window: each time creates one job".to_owned());
                }
                let is_bound =
                    matches!(self.target, FireTarget::Host(_) | FireTarget::Selector { spread: FanOut::Each, .. });
                if self.place == FiresAt::Host && !is_bound {
                    return refuse("place: host needs a target host, or a selector with spread: each".to_owned());
                }
            }
        }
        Ok(())
    }

    /// The first nominal time after `after`, within the trigger's start, end and pause.
    #[must_use]
    pub fn next_fire(&self, schedule: &Schedule, after: Timestamp) -> Option<Timestamp> {
        if !self.is_enabled {
            return None;
        }
        // `starts_at` and `paused_until` are inclusive: a nominal time at that very instant fires.
        let from = [self.starts_at, self.paused_until].into_iter().flatten();
        let after = from.map(|from| from - Span::from_micros(1)).fold(after, Timestamp::max);
        schedule.next_after(after).filter(|next| self.ends_at.is_none_or(|ends| *next <= ends))
    }
}

/// A job to create for one or more nominal times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The nominal time whose fire row refers to the job.
    pub nominal: Timestamp,
    /// Earlier nominal times that the job covers.
    pub stands_for: Vec<Timestamp>,
    /// Whether the nominal time was missed.
    pub is_late: bool,
}

/// Nominal times that were missed and get no job; they share one fire row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missed {
    pub nominal: Timestamp,
    /// How many they are.
    pub count: u32,
}

/// The fires that a schedule owes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueFires {
    /// Jobs to create, earliest first.
    pub planned: Vec<Planned>,
    /// Times to record without a job.
    pub gone: Vec<Missed>,
    /// Whether more times are due than this pass evaluated.
    pub has_more: bool,
    /// The schedule's new `settled_at`: every time up to here is decided once these rows are written.
    pub settled_at: Option<Timestamp>,
}

/// Decides all nominal times in (`settled_at`, `now`]: which get a job and which are only recorded.
#[must_use]
pub fn due(trigger: &Trigger, schedule: &Schedule, settled_at: Timestamp, now: Timestamp) -> DueFires {
    let mut times = Vec::new();
    let (mut at, mut has_more) = (settled_at, false);
    while let Some(next) = trigger.next_fire(schedule, at).filter(|next| *next <= now) {
        if times.len() == SLOTS_MAX {
            has_more = true;
            break;
        }
        times.push(next);
        at = next;
    }
    let last = times.last().copied();
    let window = now - Span::from_secs(trigger.missed_window_seconds);
    let is_fresh = |nominal: &Timestamp| now.since(*nominal) <= ON_TIME;
    let fresh_from = times.partition_point(|nominal| !is_fresh(nominal));
    let fresh = times.split_off(fresh_from);
    let late_from = times.partition_point(|nominal| *nominal < window);
    let late = times.split_off(late_from);
    let mut due = DueFires { has_more, settled_at: last, ..DueFires::default() };
    let mut gone = times;
    match trigger.missed {
        MissedPolicy::Skip => gone.extend(late),
        // A time that is due now covers the missed ones, so no second job is needed.
        MissedPolicy::Once => {
            let mut stands_for = late;
            let nominal = if fresh.is_empty() { stands_for.pop() } else { None };
            if let Some(nominal) = nominal {
                due.planned.push(Planned { nominal, stands_for, is_late: true });
            } else if let Some(first) = fresh.first().filter(|_| !stands_for.is_empty()) {
                due.planned.push(Planned { nominal: *first, stands_for, is_late: true });
            }
        }
        MissedPolicy::All => {
            let kept = late.len().saturating_sub(trigger.missed_max as usize);
            gone.extend(&late[..kept]);
            let each = late[kept..].iter();
            due.planned.extend(each.map(|nominal| Planned {
                nominal: *nominal,
                stands_for: Vec::new(),
                is_late: true,
            }));
        }
    }
    let done = due.planned.last().map(|planned| planned.nominal);
    let on_time = fresh.into_iter().filter(|nominal| done.is_none_or(|done| *nominal > done));
    due.planned.extend(on_time.map(|nominal| Planned { nominal, stands_for: Vec::new(), is_late: false }));
    due.gone = shared(&gone);
    for planned in &mut due.planned {
        let surplus = planned.stands_for.len().saturating_sub(ROWS_MAX);
        let older: Vec<Timestamp> = planned.stands_for.drain(..surplus).collect();
        due.gone.extend(collapsed(&older));
    }
    due
}

/// One row for each of the newest times, one shared row for all older ones.
fn shared(times: &[Timestamp]) -> Vec<Missed> {
    let older = times.len().saturating_sub(ROWS_MAX);
    let mut rows: Vec<Missed> = collapsed(&times[..older]).into_iter().collect();
    rows.extend(times[older..].iter().map(|nominal| Missed { nominal: *nominal, count: 1 }));
    rows
}

fn collapsed(times: &[Timestamp]) -> Option<Missed> {
    times.last().map(|nominal| Missed { nominal: *nominal, count: u32::try_from(times.len()).unwrap_or(u32::MAX) })
}

/// The unfinished jobs of a trigger for the target of the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnfinishedJobs {
    pub queued: usize,
    pub running: usize,
}

/// The decision of the overlap policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlapDecision {
    /// Create the job.
    Make,
    /// Create no job; the text is the reason.
    Skip(&'static str),
    /// Cancel the unfinished jobs, then create the new one.
    Replace,
}

/// Applies the overlap policy to the trigger's unfinished jobs.
#[must_use]
pub const fn overlap(policy: Overlap, open: UnfinishedJobs) -> OverlapDecision {
    let is_free = open.queued == 0 && open.running == 0;
    match policy {
        Overlap::Allow => OverlapDecision::Make,
        _ if is_free => OverlapDecision::Make,
        Overlap::Forbid if open.running > 0 => {
            OverlapDecision::Skip("an earlier job of this trigger was still running")
        }
        Overlap::Forbid => OverlapDecision::Skip("an earlier job of this trigger was still queued"),
        Overlap::QueueOne if open.queued > 0 => {
            OverlapDecision::Skip("another job of this trigger was already waiting")
        }
        Overlap::QueueOne => OverlapDecision::Make,
        Overlap::Replace => OverlapDecision::Replace,
    }
}

/// The state of a schedule on a host that is not always online.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnHost {
    /// When its job last succeeded on the host.
    pub succeeded_at: Option<Timestamp>,
    /// Since when its times count on the host: when it was created or enabled.
    pub since: Timestamp,
    /// When the host's session started.
    pub connected_at: Timestamp,
}

/// The missed times that one catch-up job on a returned host covers; `None` if nothing was missed. A schedule that has
/// never succeeded on the host needs a catch-up even if none of its times has passed yet.
#[must_use]
pub fn behind(trigger: &Trigger, schedule: &Schedule, host: OnHost, now: Timestamp) -> Option<Vec<Timestamp>> {
    if trigger.missed == MissedPolicy::Skip || !trigger.is_enabled {
        return None;
    }
    let is_held = |at: Option<Timestamp>, holds: fn(Timestamp, Timestamp) -> bool| at.is_some_and(|at| holds(at, now));
    if is_held(trigger.paused_until, |until, now| now < until)
        || is_held(trigger.starts_at, |starts, now| now < starts)
        || is_held(trigger.ends_at, |ends, now| ends < now)
    {
        return None;
    }
    let from = host.succeeded_at.unwrap_or(host.since);
    let newest = schedule.last_until(now, from).filter(|newest| *newest > from);
    match (newest, host.succeeded_at) {
        (None, Some(_)) => None,
        // The schedule was created while the host was online: its first time is still to come.
        (None, None) if host.since > host.connected_at => None,
        (None, None) => Some(Vec::new()),
        (Some(newest), _) => {
            let mut slots = schedule.between(from, newest, ROWS_MAX);
            if slots.last() != Some(&newest) {
                slots.push(newest);
            }
            Some(slots)
        }
    }
}

/// The age of the last success at which a schedule is stale: the threshold, but at least its period plus one day.
#[must_use]
pub fn stale_after(threshold: Span, period: Span) -> Span {
    threshold.max(period + Span::from_secs(86_400))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-11-{text}:00Z").parse().expect("a time")
    }

    fn nightly(missed: MissedPolicy) -> (Trigger, Schedule) {
        let trigger: Trigger = serde_json::from_value(json!({
            "label": "nightly", "is_enabled": true, "trigger_type": "schedule", "cron_expr": "0 2 * * *",
            "timezone": "UTC", "definition_key": "backup", "payload_template": {}, "place": "hub", "missed": missed,
            "missed_max": 2, "missed_window_seconds": 5 * 86_400, "overlap": "forbid", "jitter": 0, "priority": 100,
        }))
        .expect("a trigger");
        let schedule = trigger.schedule("seed", at("01T00:00")).expect("parses").expect("is one");
        (trigger, schedule)
    }

    fn planned(due: &DueFires) -> Vec<(Timestamp, usize, bool)> {
        due.planned.iter().map(|p| (p.nominal, p.stands_for.len(), p.is_late)).collect()
    }

    #[test]
    fn missed_times_follow_their_policy() {
        // Settled on the 3rd; now it is the 12th, 30 seconds past 02:00.
        let (settled, now) = (at("03T02:00"), at("12T02:00") + Span::from_secs(30));
        let (trigger, schedule) = nightly(MissedPolicy::Once);
        let due_once = due(&trigger, &schedule, settled, now);
        // The time that is due now covers the four times within the window; four are too old.
        assert_eq!(planned(&due_once), [(at("12T02:00"), 4, true)]);
        assert_eq!(due_once.gone.len(), 4);
        assert_eq!(due_once.settled_at, Some(at("12T02:00")));

        let (trigger, schedule) = nightly(MissedPolicy::Skip);
        let due_skip = due(&trigger, &schedule, settled, now);
        assert_eq!(planned(&due_skip), [(at("12T02:00"), 0, false)]);
        assert_eq!(due_skip.gone.len(), 8);

        let (trigger, schedule) = nightly(MissedPolicy::All);
        let due_all = due(&trigger, &schedule, settled, now);
        let expected = [(at("10T02:00"), 0, true), (at("11T02:00"), 0, true), (at("12T02:00"), 0, false)];
        assert_eq!(planned(&due_all), expected);
        assert_eq!(due_all.gone.len(), 6);

        // One hour late and no time due now: the newest missed time gets the job.
        let (trigger, schedule) = nightly(MissedPolicy::Once);
        let late = due(&trigger, &schedule, at("10T02:00"), at("12T03:00"));
        assert_eq!(planned(&late), [(at("12T02:00"), 1, true)]);
        assert_eq!(due(&trigger, &schedule, at("12T02:00"), now), DueFires::default());
    }

    #[test]
    fn a_disabled_paused_or_ended_schedule_owes_nothing() {
        let (settled, now) = (at("09T12:00"), at("12T02:00"));
        type Change = fn(&mut Trigger);
        let cases: &[(Change, usize)] = &[
            (|_| {}, 1),
            (|t| t.is_enabled = false, 0),
            (|t| t.paused_until = Some(at("13T00:00")), 0),
            (|t| t.starts_at = Some(at("12T02:00")), 1),
            (|t| t.ends_at = Some(at("10T02:00")), 1),
            (|t| t.ends_at = Some(at("09T13:00")), 0),
        ];
        for (number, (change, count)) in cases.iter().enumerate() {
            let (mut trigger, schedule) = nightly(MissedPolicy::Once);
            change(&mut trigger);
            assert_eq!(due(&trigger, &schedule, settled, now).planned.len(), *count, "case {number}");
        }
    }

    #[test]
    fn thousands_of_missed_times_share_one_row() {
        let (mut trigger, _) = nightly(MissedPolicy::Once);
        trigger.when = When::Schedule { cron_expr: "* * * * *".into(), timezone: "UTC".into() };
        let schedule = trigger.schedule("seed", at("01T00:00")).expect("parses").expect("is one");
        let owed = due(&trigger, &schedule, at("01T00:00"), at("12T02:00"));
        // The last two minutes are on time; the first of them covers the missed ones.
        assert_eq!(owed.planned.len(), 2);
        assert_eq!(owed.planned[0].stands_for.len(), ROWS_MAX);
        let counted: u32 = owed.gone.iter().map(|gone| gone.count).sum();
        assert_eq!(counted as usize + ROWS_MAX + 2, 11 * 1_440 + 120, "each minute is in one row");
        assert!(owed.gone.len() < 2 * ROWS_MAX + 3, "{} rows", owed.gone.len());
    }

    #[test]
    fn overlap_follows_its_policy() {
        use Overlap::{Allow, Forbid, QueueOne, Replace};
        let (free, runs, waits) = (
            UnfinishedJobs::default(),
            UnfinishedJobs { queued: 0, running: 1 },
            UnfinishedJobs { queued: 1, running: 1 },
        );
        for (policy, open, makes) in [
            (Forbid, free, true),
            (Forbid, runs, false),
            (Forbid, UnfinishedJobs { queued: 1, running: 0 }, false),
            (QueueOne, runs, true),
            (QueueOne, waits, false),
            (Allow, waits, true),
        ] {
            assert_eq!(matches!(overlap(policy, open), OverlapDecision::Make), makes, "{policy} {open:?}");
        }
        assert_eq!(overlap(Replace, waits), OverlapDecision::Replace);
        assert_eq!(overlap(Replace, free), OverlapDecision::Make);
    }

    #[test]
    fn a_schedule_is_behind_when_its_last_success_precedes_its_last_time() {
        let (trigger, schedule) = nightly(MissedPolicy::Once);
        let host = |succeeded_at: Option<&str>, since: &str| OnHost {
            succeeded_at: succeeded_at.map(at),
            since: at(since),
            connected_at: at("12T08:00"),
        };
        let now = at("12T08:01");
        let slots = |host| behind(&trigger, &schedule, host, now).map(|slots| slots.len());
        assert_eq!(slots(host(Some("12T02:10"), "01T00:00")), None, "it ran last night");
        assert_eq!(slots(host(Some("09T02:10"), "01T00:00")), Some(3));
        assert_eq!(slots(host(None, "12T07:00")), Some(0), "never succeeded: its first run");
        assert_eq!(slots(host(None, "12T08:01")), None, "created while the host was online");
        let weekly = Trigger {
            when: When::Schedule { cron_expr: "0 2 * * 0".into(), timezone: "UTC".into() },
            ..trigger.clone()
        };
        let schedule = weekly.schedule("seed", at("01T00:00")).expect("parses").expect("is one");
        assert_eq!(
            behind(&weekly, &schedule, host(Some("09T02:10"), "01T00:00"), now),
            None,
            "only its own times count"
        );
        let (skip, schedule) = nightly(MissedPolicy::Skip);
        assert_eq!(behind(&skip, &schedule, host(Some("09T02:10"), "01T00:00"), now), None);
    }

    #[test]
    fn contradicting_fields_are_rejected() {
        type Change = fn(&mut Trigger);
        let cases: &[(Change, &str)] = &[
            (|t| t.label = " ".into(), "label"),
            (|t| t.jitter_seconds = 100_000, "jitter must be at most"),
            (|t| t.place = FiresAt::Host, "place: host needs"),
            (|t| t.dedupe_window_seconds = Some(3), "no dedupe key"),
            (|t| t.missed_max = 0, "missed_max"),
            (|t| (t.starts_at, t.ends_at) = (Some(at("02T00:00")), Some(at("01T00:00"))), "after starts_at"),
            (|t| t.when = When::Schedule { cron_expr: "0 0 30 2 *".into(), timezone: "UTC".into() }, "never"),
            (|t| t.when = When::Schedule { cron_expr: "1--100000000 * * * *".into(), timezone: "UTC".into() }, "1--1"),
            (
                |t| t.when = When::Schedule { cron_expr: "0 2 * * *".into(), timezone: "Mars/Olympus".into() },
                "Mars/Olympus",
            ),
            (|t| t.when = When::Event { event_name: "No".into(), fields: Map::new() }, "valid event name"),
        ];
        for (change, said) in cases {
            let (mut trigger, _) = nightly(MissedPolicy::Once);
            assert_eq!(trigger.check("seed", at("01T00:00")), Ok(()));
            change(&mut trigger);
            let error = trigger.check("seed", at("01T00:00")).expect_err(said).to_string();
            assert!(error.contains(said), "{error}");
        }
        assert_eq!(
            stale_after(Span::from_secs(7 * 86_400), Span::from_secs(30 * 86_400)),
            Span::from_secs(31 * 86_400)
        );
    }
}
