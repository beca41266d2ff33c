//! Triggers: what makes jobs by itself, and what it does when it could not or must not.
//!
//! Everything here is a function of the trigger, the clock and what is known of its earlier jobs. Whoever acts on it
//! does so under a lock on the trigger's row, and writes one fire row for each nominal time.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    HostId,
    event_match::{self, BadMatch},
    schedule::{BadSchedule, Schedule},
    time::{Span, Timestamp},
    words,
};

words! {
    /// What sets a trigger off.
    pub enum TriggerType {
        /// Something that happens.
        Event = "event",
        /// The clock.
        Schedule = "schedule",
    }
}

words! {
    /// Where a schedule fires.
    pub enum FiresAt {
        /// At the hub.
        Hub = "hub",
        /// On its host, also when the hub is away.
        Host = "host",
    }
}

words! {
    /// What becomes of times that passed while nobody could act on them.
    pub enum Missed {
        /// They are noted, and that is all.
        Skip = "skip",
        /// One job stands for all of them.
        Once = "once",
        /// Each gets its job, the newest ones first if there are too many.
        All = "all",
    }
}

words! {
    /// What a fire does while an earlier job of its trigger is queued or running.
    pub enum Overlap {
        /// It makes its job all the same.
        Allow = "allow",
        /// It is skipped.
        Forbid = "forbid",
        /// The earlier one is canceled.
        Replace = "replace",
        /// It waits behind the one that runs; one may wait.
        QueueOne = "queue_one",
    }
}

words! {
    /// How many of the hosts that match get a job.
    pub enum Spread {
        /// Every one.
        Each = "each",
        /// Whichever is free first.
        Any = "any",
    }
}

words! {
    /// What became of one nominal time on one host.
    pub enum FireStatus {
        /// It made its job.
        Fired = "fired",
        /// The job of a later time stands for it.
        CaughtUp = "caught_up",
        /// Nobody could act on it in time, and its trigger does not make up for it.
        Missed = "missed",
        /// Its host slept; it is made up for when the host is back.
        Asleep = "asleep",
        /// An earlier job was still queued or running.
        Skipped = "skipped",
        /// Its payload or its target was not right.
        Failed = "failed",
    }
}

/// The longest label.
const LABEL_CHARS_MAX: usize = 100;
/// Jitter, at most.
const JITTER_SECONDS_MAX: u32 = 86_400;
/// The longest dedupe window.
pub const WINDOW_SECONDS_MAX: u32 = 30 * 86_400;
/// The longest time back that missed times are made up for.
const MISSED_WINDOW_SECONDS_MAX: u32 = 366 * 86_400;
/// Jobs that `all` makes at most.
const MISSED_MAX: u32 = 1_000;
/// For how long the same event makes no second job, unless the trigger says otherwise.
pub const EVENT_WINDOW_SECONDS: u32 = 300;
/// A fire this late is still on time: a hub was restarted, or busy.
pub const ON_TIME: Span = Span::from_secs(60);
/// Missed times that get a row each; older ones share one.
const ROWS_MAX: usize = 100;
/// Nominal times looked at in one go.
const SLOTS_MAX: usize = 20_000;

/// A trigger, as its owner wants it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    /// What people call it.
    pub label: String,
    /// Whether it makes jobs.
    pub is_enabled: bool,
    /// What sets it off.
    #[serde(flatten)]
    pub when: When,
    /// What it runs.
    pub definition_key: String,
    /// The payload, with slots.
    pub payload_template: Value,
    /// A template for the key by which its jobs are told apart.
    #[serde(default)]
    pub dedupe_key: Option<String>,
    /// For how long a second job with the same key is not made.
    #[serde(default)]
    pub dedupe_window_seconds: Option<u32>,
    /// Where its jobs run.
    #[serde(default)]
    pub target: Aim,
    /// Where it fires.
    pub place: FiresAt,
    /// What becomes of missed times.
    pub missed: Missed,
    /// How many jobs `all` makes at most.
    pub missed_max: u32,
    /// Times that lie further back are not made up for.
    pub missed_window_seconds: u32,
    /// What a fire does while an earlier job is not over.
    pub overlap: Overlap,
    /// Jobs begin up to this much later than their nominal time, spread evenly.
    #[serde(rename = "jitter")]
    pub jitter_seconds: u32,
    /// No fires before.
    #[serde(default)]
    pub starts_at: Option<Timestamp>,
    /// No fires after.
    #[serde(default)]
    pub ends_at: Option<Timestamp>,
    /// No fires until then.
    #[serde(default)]
    pub paused_until: Option<Timestamp>,
    /// The priority of its jobs.
    pub priority: i32,
}

/// What sets a trigger off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "trigger_type", rename_all = "snake_case")]
pub enum When {
    /// An event of this name whose fields match.
    Event {
        /// Its name.
        event_name: String,
        /// Conditions on its fields.
        #[serde(rename = "match", default)]
        fields: Map<String, Value>,
    },
    /// The clock.
    Schedule {
        /// In the five fields of cron, or a nickname.
        cron_expr: String,
        /// The zone its hours are in.
        timezone: String,
    },
}

/// Where the jobs of a trigger run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// Where its definition says.
    #[default]
    Definition,
    /// On this host.
    Host(HostId),
    /// On any host that serves this queue.
    Queue(String),
    /// On hosts whose labels match.
    Selector {
        /// What their labels must be.
        selector: String,
        /// On all of them or on one.
        spread: Spread,
    },
}

/// A trigger that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadTrigger {
    /// Its schedule.
    #[error(transparent)]
    Schedule(#[from] BadSchedule),
    /// Its conditions.
    #[error(transparent)]
    Match(#[from] BadMatch),
    /// A number, a name or two fields that do not go together.
    #[error("{0}")]
    Field(String),
}

impl Trigger {
    /// Its type.
    #[must_use]
    pub const fn trigger_type(&self) -> TriggerType {
        match self.when {
            When::Event { .. } => TriggerType::Event,
            When::Schedule { .. } => TriggerType::Schedule,
        }
    }

    /// The name of the event that sets it off.
    #[must_use]
    pub fn event_name(&self) -> Option<&str> {
        match &self.when {
            When::Event { event_name, .. } => Some(event_name),
            When::Schedule { .. } => None,
        }
    }

    /// Its schedule, if it has one. `seed` is its id: `H` and jitter come from it. `anchor` is where `@every` begins.
    ///
    /// # Errors
    /// The expression or the zone is not one.
    pub fn schedule(&self, seed: &str, anchor: Timestamp) -> Result<Option<Schedule>, BadSchedule> {
        match &self.when {
            When::Event { .. } => Ok(None),
            When::Schedule { cron_expr, timezone } => {
                Schedule::parse(cron_expr, timezone, seed, self.starts_at.unwrap_or(anchor)).map(Some)
            }
        }
    }

    /// Everything about it that can be judged without looking anything up.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self, seed: &str, anchor: Timestamp) -> Result<(), BadTrigger> {
        let refuse = |text: String| Err(BadTrigger::Field(text));
        let label = self.label.trim();
        if label.is_empty() || label.chars().count() > LABEL_CHARS_MAX || label.contains(char::is_control) {
            return refuse(format!("a label has 1 to {LABEL_CHARS_MAX} plain characters"));
        }
        for (name, value, max) in [
            ("jitter", self.jitter_seconds, JITTER_SECONDS_MAX),
            ("dedupe_window_seconds", self.dedupe_window_seconds.unwrap_or(0), WINDOW_SECONDS_MAX),
            ("missed_window_seconds", self.missed_window_seconds, MISSED_WINDOW_SECONDS_MAX),
            ("missed_max", self.missed_max, MISSED_MAX),
        ] {
            if value > max {
                return refuse(format!("{name} is at most {max}, not {value}"));
            }
        }
        if self.missed_max == 0 {
            return refuse("missed_max is at least 1; write missed: skip to make up for nothing".to_owned());
        }
        if self.starts_at.zip(self.ends_at).is_some_and(|(starts, ends)| ends <= starts) {
            return refuse("ends_at must be after starts_at".to_owned());
        }
        match &self.when {
            When::Event { event_name, fields } => {
                event_match::check_name(event_name).map_err(BadTrigger::Match)?;
                event_match::check(fields)?;
                if self.place == FiresAt::Host {
                    return refuse("only a schedule can have place: host; events arrive at the hub".to_owned());
                }
            }
            When::Schedule { .. } => {
                self.schedule(seed, anchor)?;
                if self.dedupe_key.is_some() || self.dedupe_window_seconds.is_some() {
                    return refuse("a schedule has no dedupe window: each of its times is one job already".to_owned());
                }
                let is_bound = matches!(self.target, Aim::Host(_) | Aim::Selector { spread: Spread::Each, .. });
                if self.place == FiresAt::Host && !is_bound {
                    return refuse("place: host needs a target host, or a selector with spread: each".to_owned());
                }
            }
        }
        Ok(())
    }

    /// The first time after `after` at which it fires by its schedule, within its start, end and pause.
    #[must_use]
    pub fn next_fire(&self, schedule: &Schedule, after: Timestamp) -> Option<Timestamp> {
        if !self.is_enabled {
            return None;
        }
        // A pause or a start lets its own instant through.
        let from = [self.starts_at, self.paused_until].into_iter().flatten();
        let after = from.map(|from| from - Span::from_micros(1)).fold(after, Timestamp::max);
        schedule.next_after(after).filter(|next| self.ends_at.is_none_or(|ends| *next <= ends))
    }
}

/// A job that is to be made for one or more nominal times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// The time whose row carries the job.
    pub nominal: Timestamp,
    /// Earlier times that it stands for.
    pub stands_for: Vec<Timestamp>,
    /// Whether its time passed while nobody acted on it.
    pub is_late: bool,
}

/// Times that get no job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gone {
    /// The last of them.
    pub nominal: Timestamp,
    /// How many they are.
    pub count: u32,
}

/// What a schedule owes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Due {
    /// Jobs to make, earliest first.
    pub planned: Vec<Planned>,
    /// Times to note only.
    pub gone: Vec<Gone>,
    /// Whether there may be more than was looked at.
    pub has_more: bool,
    /// Up to where everything is decided once this is written.
    pub settled_at: Option<Timestamp>,
}

/// What a schedule owes for the times in (`settled_at`, `now`].
#[must_use]
pub fn due(trigger: &Trigger, schedule: &Schedule, settled_at: Timestamp, now: Timestamp) -> Due {
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
    let mut due = Due { has_more, settled_at: last, ..Due::default() };
    let mut gone = times;
    match trigger.missed {
        Missed::Skip => gone.extend(late),
        // A time that is due now anyway stands for those that were missed.
        Missed::Once => {
            let mut stands_for = late;
            let nominal = if fresh.is_empty() { stands_for.pop() } else { None };
            if let Some(nominal) = nominal {
                due.planned.push(Planned { nominal, stands_for, is_late: true });
            } else if let Some(first) = fresh.first().filter(|_| !stands_for.is_empty()) {
                due.planned.push(Planned { nominal: *first, stands_for, is_late: true });
            }
        }
        Missed::All => {
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

/// A row each for the newest, one row for all the others.
fn shared(times: &[Timestamp]) -> Vec<Gone> {
    let older = times.len().saturating_sub(ROWS_MAX);
    let mut rows: Vec<Gone> = collapsed(&times[..older]).into_iter().collect();
    rows.extend(times[older..].iter().map(|nominal| Gone { nominal: *nominal, count: 1 }));
    rows
}

fn collapsed(times: &[Timestamp]) -> Option<Gone> {
    times.last().map(|nominal| Gone { nominal: *nominal, count: u32::try_from(times.len()).unwrap_or(u32::MAX) })
}

/// What a trigger's earlier jobs are doing, where the new one would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Open {
    /// How many wait.
    pub queued: usize,
    /// How many run.
    pub running: usize,
}

/// What a fire may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lap {
    /// Make its job.
    Make,
    /// Nothing: the text says why.
    Skip(&'static str),
    /// Cancel the earlier jobs, then make its own.
    Replace,
}

/// What a fire may do while earlier jobs are not over.
#[must_use]
pub const fn overlap(policy: Overlap, open: Open) -> Lap {
    let is_free = open.queued == 0 && open.running == 0;
    match policy {
        Overlap::Allow => Lap::Make,
        _ if is_free => Lap::Make,
        Overlap::Forbid if open.running > 0 => Lap::Skip("an earlier job of this trigger was still running"),
        Overlap::Forbid => Lap::Skip("an earlier job of this trigger was still queued"),
        Overlap::QueueOne if open.queued > 0 => Lap::Skip("one job of this trigger was waiting already"),
        Overlap::QueueOne => Lap::Make,
        Overlap::Replace => Lap::Replace,
    }
}

/// What is known of a schedule on a host that comes and goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnHost {
    /// When its job last succeeded there.
    pub succeeded_at: Option<Timestamp>,
    /// From when on its times count there: it was made, or switched on.
    pub since: Timestamp,
    /// When the host's session began.
    pub connected_at: Timestamp,
}

/// The times that one catch-up job on a returned host stands for; `None` if it is not behind. A schedule that never
/// succeeded there is behind, also if none of its times has passed yet.
#[must_use]
pub fn behind(trigger: &Trigger, schedule: &Schedule, host: OnHost, now: Timestamp) -> Option<Vec<Timestamp>> {
    if trigger.missed == Missed::Skip || !trigger.is_enabled {
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
        // Made while the host was here: its first time is still to come.
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

/// A schedule is stale when its last success is older than this, but never before its own next time and a day.
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

    fn nightly(missed: Missed) -> (Trigger, Schedule) {
        let trigger: Trigger = serde_json::from_value(json!({
            "label": "nightly", "is_enabled": true, "trigger_type": "schedule", "cron_expr": "0 2 * * *",
            "timezone": "UTC", "definition_key": "backup", "payload_template": {}, "place": "hub", "missed": missed,
            "missed_max": 2, "missed_window_seconds": 5 * 86_400, "overlap": "forbid", "jitter": 0, "priority": 100,
        }))
        .expect("a trigger");
        let schedule = trigger.schedule("seed", at("01T00:00")).expect("parses").expect("is one");
        (trigger, schedule)
    }

    fn planned(due: &Due) -> Vec<(Timestamp, usize, bool)> {
        due.planned.iter().map(|p| (p.nominal, p.stands_for.len(), p.is_late)).collect()
    }

    #[test]
    fn times_that_nobody_acted_on_follow_their_policy() {
        // Settled on the 3rd; now it is the 12th, half a minute after two.
        let (settled, now) = (at("03T02:00"), at("12T02:00") + Span::from_secs(30));
        let (trigger, schedule) = nightly(Missed::Once);
        let due_once = due(&trigger, &schedule, settled, now);
        // The one that is due now stands for the four within the window; four are too old.
        assert_eq!(planned(&due_once), [(at("12T02:00"), 4, true)]);
        assert_eq!(due_once.gone.len(), 4);
        assert_eq!(due_once.settled_at, Some(at("12T02:00")));

        let (trigger, schedule) = nightly(Missed::Skip);
        let due_skip = due(&trigger, &schedule, settled, now);
        assert_eq!(planned(&due_skip), [(at("12T02:00"), 0, false)]);
        assert_eq!(due_skip.gone.len(), 8);

        let (trigger, schedule) = nightly(Missed::All);
        let due_all = due(&trigger, &schedule, settled, now);
        let expected = [(at("10T02:00"), 0, true), (at("11T02:00"), 0, true), (at("12T02:00"), 0, false)];
        assert_eq!(planned(&due_all), expected);
        assert_eq!(due_all.gone.len(), 6);

        // An hour late, and nothing due now: the newest carries the job.
        let (trigger, schedule) = nightly(Missed::Once);
        let late = due(&trigger, &schedule, at("10T02:00"), at("12T03:00"));
        assert_eq!(planned(&late), [(at("12T02:00"), 1, true)]);
        assert_eq!(due(&trigger, &schedule, at("12T02:00"), now), Due::default());
    }

    #[test]
    fn a_schedule_that_is_off_paused_or_over_owes_nothing() {
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
            let (mut trigger, schedule) = nightly(Missed::Once);
            change(&mut trigger);
            assert_eq!(due(&trigger, &schedule, settled, now).planned.len(), *count, "case {number}");
        }
    }

    #[test]
    fn a_flood_of_missed_times_stays_small() {
        let (mut trigger, _) = nightly(Missed::Once);
        trigger.when = When::Schedule { cron_expr: "* * * * *".into(), timezone: "UTC".into() };
        let schedule = trigger.schedule("seed", at("01T00:00")).expect("parses").expect("is one");
        let owed = due(&trigger, &schedule, at("01T00:00"), at("12T02:00"));
        // The last two minutes are on time; the first of them stands for the flood.
        assert_eq!(owed.planned.len(), 2);
        assert_eq!(owed.planned[0].stands_for.len(), ROWS_MAX);
        let counted: u32 = owed.gone.iter().map(|gone| gone.count).sum();
        assert_eq!(counted as usize + ROWS_MAX + 2, 11 * 1_440 + 120, "each minute is in one row");
        assert!(owed.gone.len() < 2 * ROWS_MAX + 3, "{} rows", owed.gone.len());
    }

    #[test]
    fn overlap_follows_its_policy() {
        use Overlap::{Allow, Forbid, QueueOne, Replace};
        let (free, runs, waits) = (Open::default(), Open { queued: 0, running: 1 }, Open { queued: 1, running: 1 });
        for (policy, open, makes) in [
            (Forbid, free, true),
            (Forbid, runs, false),
            (Forbid, Open { queued: 1, running: 0 }, false),
            (QueueOne, runs, true),
            (QueueOne, waits, false),
            (Allow, waits, true),
        ] {
            assert_eq!(matches!(overlap(policy, open), Lap::Make), makes, "{policy} {open:?}");
        }
        assert_eq!(overlap(Replace, waits), Lap::Replace);
        assert_eq!(overlap(Replace, free), Lap::Make);
    }

    #[test]
    fn a_schedule_is_behind_when_its_own_success_is_older_than_its_last_time() {
        let (trigger, schedule) = nightly(Missed::Once);
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
        assert_eq!(slots(host(None, "12T08:01")), None, "made while the host was here");
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
        let (skip, schedule) = nightly(Missed::Skip);
        assert_eq!(behind(&skip, &schedule, host(Some("09T02:10"), "01T00:00"), now), None);
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        type Change = fn(&mut Trigger);
        let cases: &[(Change, &str)] = &[
            (|t| t.label = " ".into(), "label"),
            (|t| t.jitter_seconds = 100_000, "jitter is at most"),
            (|t| t.place = FiresAt::Host, "place: host needs"),
            (|t| t.dedupe_window_seconds = Some(3), "no dedupe window"),
            (|t| t.missed_max = 0, "missed_max"),
            (|t| (t.starts_at, t.ends_at) = (Some(at("02T00:00")), Some(at("01T00:00"))), "after starts_at"),
            (|t| t.when = When::Schedule { cron_expr: "0 0 30 2 *".into(), timezone: "UTC".into() }, "never"),
            (|t| t.when = When::Schedule { cron_expr: "1--100000000 * * * *".into(), timezone: "UTC".into() }, "1--1"),
            (
                |t| t.when = When::Schedule { cron_expr: "0 2 * * *".into(), timezone: "Mars/Olympus".into() },
                "Mars/Olympus",
            ),
            (|t| t.when = When::Event { event_name: "No".into(), fields: Map::new() }, "name of an event"),
        ];
        for (change, said) in cases {
            let (mut trigger, _) = nightly(Missed::Once);
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
