//! `hostler schedule explain`: simulates the schedules of a host that sleeps every night, with the scheduler's rules.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::{
    Span, Timestamp,
    label::{Labels, Selector},
    schedule::Schedule,
    trigger::{self, MissedPolicy, OnHost, OverlapDecision, Trigger, UnfinishedJobs},
};
use serde_json::{Value, json};

use crate::{
    client::Client,
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text},
    parse, pick,
};

/// Maximum number of simulated times per schedule.
const FIRES_MAX: usize = 20_000;
/// Longest row of equal outcomes that is printed line by line; a longer row is printed as one line.
const SHOWN_ONE_BY_ONE: usize = 3;
/// Up to this number of days the weekday alone identifies the day.
const DAYS_BY_NAME: u8 = 7;

/// Preview what the schedules of a host do
#[derive(Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Preview which schedules of a host run, are caught up or skipped if the host sleeps every day at these hours
    Explain(ExplainArgs),
}

/// Options of `hostler schedule explain`
#[derive(Args)]
pub(crate) struct ExplainArgs {
    /// Host name, id or id prefix
    #[arg(long)]
    host: String,
    /// Hours of the day in which the host sleeps, for example 22:00-08:00
    #[arg(long, value_name = "FROM-TO")]
    asleep: String,
    /// Number of days to preview
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=31))]
    days: u8,
    /// Time zone of these hours [default: the org's time zone]
    #[arg(long, value_name = "ZONE")]
    tz: Option<String>,
    /// Delay after a host reconnects before its missed schedules run: the hub's setting hub.settle
    #[arg(long, value_name = "DURATION", default_value = "60s")]
    settle: String,
}

const COLUMNS: &[Column] = &[
    column("TIME", |entry| text(entry, "times")),
    column("SCHEDULE", |entry| text(entry, "label")),
    column("OUTCOME", |entry| text(entry, "outcome")),
];

/// The simulated host.
struct SimulatedHost {
    /// The daily start of its sleep.
    falls_asleep: Schedule,
    wakes: Schedule,
    is_always_on: bool,
    settle: Span,
}

/// The outcome of one or more consecutive times of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    first: Timestamp,
    last: Timestamp,
    count: usize,
    outcome: TimeOutcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum TimeOutcome {
    /// The host is online.
    Runs,
    /// The host was asleep; one run after its return replaces the missed ones.
    CaughtUp { begins: Timestamp },
    /// The host was asleep; a later regular time ran before the catch-up and replaces the missed ones.
    Covered { by: Timestamp },
    /// The host counts as always on: the job is queued until it returns.
    Waits { begins: Timestamp },
    /// No job is created.
    Skipped { reason: &'static str },
}

pub(crate) async fn schedule(globals: &Globals, command: ScheduleCommand) -> Result<ExitCode> {
    let ScheduleCommand::Explain(args) = command;
    let client = Client::new(globals)?;
    let hosts = client.list("/hosts").await?;
    let host = pick::pick_one(&hosts, "host", "name", &args.host)?;
    let zone = match &args.tz {
        Some(zone) => zone.clone(),
        None => text(&client.get("/org").await?, "timezone"),
    };
    let now = runtime::clock::wall();
    let simulated = simulated_host(&args, host, &zone, now)?;
    let until = now + Span::from_secs(u32::from(args.days) * 86_400);
    let mut entries: Vec<(Value, Entry)> = Vec::new();
    let mut elsewhere = 0;
    for trigger in client.list("/jobs/triggers").await? {
        if text(&trigger, "trigger_type") != "schedule" || text(&trigger, "is_enabled") != "true" {
            continue;
        }
        if !targets_host(&trigger, host) {
            elsewhere += 1;
            continue;
        }
        let Some((parsed, schedule)) = parse_trigger(&trigger) else { continue };
        let simulation = simulated.simulate(&parsed, &schedule, now, until);
        if simulation.is_cut {
            let label = text(&trigger, "label");
            messages::note(globals, format!("{label} fires very often; only its first {FIRES_MAX} times are shown"));
        }
        entries.extend(simulation.entries.into_iter().map(|entry| (trigger.clone(), entry)));
    }
    entries.sort_by_key(|(_, entry)| entry.first);
    let name = text(host, "name");
    messages::note(
        globals,
        format!("assuming that {name} sleeps every day {} ({zone}) and that all earlier runs succeeded", args.asleep),
    );
    print(globals, &args, &zone, &entries)?;
    if elsewhere > 0 {
        let others = output::count(elsewhere, "schedule");
        messages::note(globals, format!("not shown: {others} for other hosts or without a fixed host"));
    }
    Ok(ExitCode::SUCCESS)
}

fn simulated_host(args: &ExplainArgs, host: &Value, zone: &str, now: Timestamp) -> Result<SimulatedHost> {
    let malformed =
        || Failure::usage(format!("`{}` is not a range of hours", args.asleep)).hint("write --asleep 22:00-08:00");
    let (from, to) = args.asleep.split_once('-').ok_or_else(malformed)?;
    let (from, to) = (minute(from).ok_or_else(malformed)?, minute(to).ok_or_else(malformed)?);
    if from == to {
        return Err(malformed());
    }
    let daily = |minute: u32| {
        Schedule::parse(&format!("{} {} * * *", minute % 60, minute / 60), zone, "", now)
            .map_err(|error| Failure::usage(error.to_string()))
    };
    let settle = parse::span(&args.settle)?;
    let is_always_on = text(host, "always_on") == "true";
    Ok(SimulatedHost { falls_asleep: daily(from)?, wakes: daily(to)?, is_always_on, settle })
}

/// The minute of the day of a clock time such as `22:00`.
fn minute(clock: &str) -> Option<u32> {
    let (hour, minute) = clock.trim().split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// Whether the jobs of a trigger always go to this host: it is the target, or one of several hosts with a job each.
fn targets_host(trigger: &Value, host: &Value) -> bool {
    let target = text(trigger, "target.host");
    if !target.is_empty() {
        return target == text(host, "name") || target == text(host, "id");
    }
    let selector = text(trigger, "target.selector").parse::<Selector>();
    let labels: Labels = serde_json::from_value(host["labels"].clone()).unwrap_or_default();
    text(trigger, "target.spread") == "each" && selector.is_ok_and(|selector| selector.matches(&labels))
}

/// Converts a trigger from the API into the domain type. The target is removed, because it is already checked.
fn parse_trigger(trigger: &Value) -> Option<(Trigger, Schedule)> {
    let mut fields = trigger.as_object()?.clone();
    fields.remove("target");
    let parsed: Trigger = serde_json::from_value(Value::Object(fields)).ok()?;
    let schedule = parsed.schedule(&text(trigger, "id"), text(trigger, "created_at").parse().ok()?).ok()??;
    Some((parsed, schedule))
}

struct Simulation {
    entries: Vec<Entry>,
    is_cut: bool,
}

impl SimulatedHost {
    fn is_asleep(&self, at: Timestamp) -> bool {
        let floor = at - Span::from_secs(3 * 86_400);
        self.falls_asleep.last_until(at, floor) > self.wakes.last_until(at, floor)
    }

    /// Walks through the times of a schedule and, between them, the returns of the host.
    fn simulate(&self, trigger: &Trigger, schedule: &Schedule, from: Timestamp, until: Timestamp) -> Simulation {
        // The last night is simulated to its end, because the first run of the morning decides its missed times.
        let morning = self.wakes.next_after(until).filter(|_| self.is_asleep(until));
        let until = morning.map_or(until, |back| back + self.settle);
        let next = |at: &Timestamp| trigger.next_fire(schedule, *at).filter(|next| *next <= until);
        let fires: Vec<Timestamp> = std::iter::successors(next(&from), next).take(FIRES_MAX).collect();
        let is_cut = fires.len() == FIRES_MAX;
        let mut returns = self.wakes.between(from, until + Span::from_secs(2 * 86_400), 40).into_iter().peekable();
        let mut sleep =
            SleepPeriod { host: self, trigger, schedule, succeeded: from, missed: Vec::new(), entries: Vec::new() };
        for fire in fires {
            while let Some(back) = returns.next_if(|back| *back + self.settle < fire) {
                sleep.end(back);
            }
            if self.is_asleep(fire) {
                sleep.missed.push(fire);
            } else {
                sleep.succeeded = fire;
                sleep.entries.push(Entry { first: fire, last: fire, count: 1, outcome: TimeOutcome::Runs });
            }
        }
        if let Some(back) = returns.find(|back| sleep.missed.last().is_some_and(|time| back > time)) {
            sleep.end(back);
        }
        sleep.entries.sort_by_key(|entry| entry.first);
        Simulation { entries: merged(&sleep.entries), is_cut }
    }
}

/// A period of sleep with the times missed in it.
struct SleepPeriod<'a> {
    host: &'a SimulatedHost,
    trigger: &'a Trigger,
    schedule: &'a Schedule,
    succeeded: Timestamp,
    missed: Vec<Timestamp>,
    entries: Vec<Entry>,
}

impl SleepPeriod<'_> {
    /// Decides the missed times when the host returns, as the hub does.
    fn end(&mut self, back: Timestamp) {
        if self.host.is_always_on {
            return self.queue_for_return(back);
        }
        let missed = std::mem::take(&mut self.missed);
        let (Some(first), Some(last)) = (missed.first(), missed.last()) else { return };
        let now = back + self.host.settle;
        let host = OnHost { succeeded_at: Some(self.succeeded), since: self.succeeded, connected_at: back };
        let outcome = match trigger::behind(self.trigger, self.schedule, host, now) {
            Some(_) => {
                self.succeeded = now;
                TimeOutcome::CaughtUp { begins: now }
            }
            None if self.trigger.missed == MissedPolicy::Skip => TimeOutcome::Skipped { reason: "missed: skip" },
            None if self.succeeded > *last => TimeOutcome::Covered { by: self.succeeded },
            None => TimeOutcome::Skipped { reason: "the trigger is paused or has ended by then" },
        };
        self.entries.push(Entry { first: *first, last: *last, count: missed.len(), outcome });
    }

    /// For a host that counts as always on, jobs are created at their time and wait for the host.
    fn queue_for_return(&mut self, back: Timestamp) {
        let mut queued = 0;
        for time in std::mem::take(&mut self.missed) {
            let outcome = match trigger::overlap(self.trigger.overlap, UnfinishedJobs { queued, running: 0 }) {
                OverlapDecision::Skip(reason) => TimeOutcome::Skipped { reason },
                OverlapDecision::Make => {
                    queued += 1;
                    TimeOutcome::Waits { begins: back }
                }
                OverlapDecision::Replace => {
                    let waiting = self
                        .entries
                        .iter_mut()
                        .rev()
                        .find(|entry| entry.outcome == TimeOutcome::Waits { begins: back });
                    if let Some(earlier) = waiting {
                        earlier.outcome = TimeOutcome::Skipped { reason: "replaced by a later time" };
                    }
                    TimeOutcome::Waits { begins: back }
                }
            };
            self.entries.push(Entry { first: time, last: time, count: 1, outcome });
        }
    }
}

/// Merges long rows of equal outcomes into one entry each.
fn merged(entries: &[Entry]) -> Vec<Entry> {
    let is_equal = |one: &Entry, other: &Entry| {
        std::mem::discriminant(&one.outcome) == std::mem::discriminant(&other.outcome)
            && one.count == 1
            && other.count == 1
    };
    let rows = entries.chunk_by(is_equal);
    let share = |row: &[Entry]| match row {
        [first, .., last] if row.len() > SHOWN_ONE_BY_ONE => {
            vec![Entry { first: first.first, last: last.last, count: row.len(), outcome: first.outcome.clone() }]
        }
        few => few.to_vec(),
    };
    rows.flat_map(share).collect()
}

fn print(globals: &Globals, args: &ExplainArgs, zone: &str, entries: &[(Value, Entry)]) -> Result<()> {
    if !output::is_table(globals) {
        let items = entries.iter().map(|(trigger, entry)| as_json(trigger, entry)).collect();
        return output::list(globals, items, "label", &[]);
    }
    if entries.is_empty() {
        messages::note(globals, "no enabled schedule of this host fires in this period");
        return Ok(());
    }
    let clock = |at: Timestamp| short_time(at, zone, args.days);
    let row = |(trigger, entry): &(Value, Entry)| {
        let times = match entry.count {
            1 => clock(entry.first),
            count => format!("{} … {} ({count} times)", clock(entry.first), clock(entry.last)),
        };
        json!({"times": times, "label": text(trigger, "label"), "outcome": sentence(trigger, entry, args, clock)})
    };
    output::list(globals, entries.iter().map(row).collect(), "label", COLUMNS)
}

fn sentence(trigger: &Value, entry: &Entry, args: &ExplainArgs, clock: impl Fn(Timestamp) -> String) -> String {
    match &entry.outcome {
        TimeOutcome::Runs => match output::length(trigger, "jitter") {
            none if none.is_empty() || none == "0s" => "runs".to_owned(),
            jitter => format!("runs within {jitter} (jitter)"),
        },
        TimeOutcome::CaughtUp { begins } => {
            let once = if entry.count > 1 { " once" } else { "" };
            format!("asleep → caught up{once} {} (settle {})", clock(*begins), args.settle)
        }
        TimeOutcome::Covered { by } => format!("asleep → covered by the run of {}", clock(*by)),
        TimeOutcome::Waits { begins } => format!("offline → queued, runs {} (always-on host)", clock(*begins)),
        TimeOutcome::Skipped { reason } => format!("asleep → skipped ({reason})"),
    }
}

/// `Tue 02:00`, with the date if the weekday alone is ambiguous.
fn short_time(at: Timestamp, zone: &str, days: u8) -> String {
    let whole = at.format_in(zone).unwrap_or_else(|| at.to_string());
    match whole.split(' ').collect::<Vec<_>>().as_slice() {
        [weekday, _, _, _, clock, _] if days <= DAYS_BY_NAME => format!("{weekday} {clock}"),
        [weekday, day, month, _, clock, _] => format!("{weekday} {day} {month} {clock}"),
        _ => whole,
    }
}

fn as_json(trigger: &Value, entry: &Entry) -> Value {
    let (outcome, runs_at, reason) = match &entry.outcome {
        TimeOutcome::Runs => ("runs", Some(entry.first).filter(|_| entry.count == 1), ""),
        TimeOutcome::CaughtUp { begins } => ("caught_up", Some(*begins), "asleep"),
        TimeOutcome::Covered { by } => ("covered", Some(*by), "asleep"),
        TimeOutcome::Waits { begins } => ("waits", Some(*begins), "offline, but always on"),
        TimeOutcome::Skipped { reason } => ("skipped", None, *reason),
    };
    json!({"trigger_id": text(trigger, "id"), "label": text(trigger, "label"), "place": text(trigger, "place"),
        "at": entry.first, "last_at": entry.last, "times": entry.count, "outcome": outcome, "runs_at": runs_at,
        "why": reason})
}

#[cfg(test)]
mod tests {
    use domain::trigger::Overlap;

    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-11-{text}:00Z").parse().expect("a time")
    }

    fn simulated_host(is_always_on: bool) -> SimulatedHost {
        let daily = |hour: u32| Schedule::parse(&format!("0 {hour} * * *"), "UTC", "", at("16T00:00")).expect("parses");
        SimulatedHost { falls_asleep: daily(22), wakes: daily(8), is_always_on, settle: Span::from_secs(60) }
    }

    fn simulate(host: &SimulatedHost, expression: &str, change: fn(&mut Trigger)) -> Vec<Entry> {
        let trigger = json!({"id": "01K4Z", "created_at": "2026-11-01T00:00:00Z", "label": "x", "is_enabled": true,
            "trigger_type": "schedule", "event_name": null, "match": {}, "cron_expr": expression, "timezone": "UTC",
            "definition_key": "hello", "payload_template": {}, "target": {"host": "a"}, "place": "hub",
            "missed": "once", "missed_max": 10, "missed_window_seconds": 604_800, "overlap": "forbid", "jitter": 0,
            "priority": 100, "paused_until": null, "last_fire": null});
        let (mut trigger, schedule) = parse_trigger(&trigger).expect("a trigger as a hub shows it");
        change(&mut trigger);
        host.simulate(&trigger, &schedule, at("16T12:00"), at("18T00:00")).entries
    }

    fn entry(first: &str, last: &str, count: usize, outcome: TimeOutcome) -> Entry {
        Entry { first: at(first), last: at(last), count, outcome }
    }

    #[test]
    fn missed_time_is_caught_up_or_skipped_after_the_return() {
        let caught = TimeOutcome::CaughtUp { begins: at("17T08:01") };
        assert_eq!(simulate(&simulated_host(false), "0 2 * * *", |_| {})[0], entry("17T02:00", "17T02:00", 1, caught));
        let skipped = TimeOutcome::Skipped { reason: "missed: skip" };
        let found = simulate(&simulated_host(false), "0 2 * * *", |trigger| trigger.missed = MissedPolicy::Skip);
        assert_eq!(found[0], entry("17T02:00", "17T02:00", 1, skipped));
        assert_eq!(
            simulate(&simulated_host(false), "0 9 * * *", |_| {}),
            [entry("17T09:00", "17T09:00", 1, TimeOutcome::Runs)]
        );
    }

    #[test]
    fn regular_time_before_the_catch_up_covers_the_missed_times() {
        let found = simulate(&simulated_host(false), "0 */2 * * *", |_| {});
        let night = |day: u32| TimeOutcome::Covered { by: at(&format!("{day}T08:00")) };
        let expected = [
            entry("16T14:00", "16T20:00", 4, TimeOutcome::Runs),
            entry("16T22:00", "17T06:00", 5, night(17)),
            entry("17T08:00", "17T20:00", 7, TimeOutcome::Runs),
            entry("17T22:00", "18T06:00", 5, night(18)),
            entry("18T08:00", "18T08:00", 1, TimeOutcome::Runs),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn jobs_of_an_always_on_host_wait_for_its_return() {
        let (waits, back) = (|begins| TimeOutcome::Waits { begins }, at("17T08:00"));
        let forbidden = simulate(&simulated_host(true), "0 2,4 * * *", |_| {});
        assert_eq!(forbidden[0], entry("17T02:00", "17T02:00", 1, waits(back)));
        let reason = "an earlier job of this trigger was still queued";
        assert_eq!(forbidden[1], entry("17T04:00", "17T04:00", 1, TimeOutcome::Skipped { reason }));
        let replaced = simulate(&simulated_host(true), "0 2,4 * * *", |trigger| trigger.overlap = Overlap::Replace);
        assert_eq!(replaced[1], entry("17T04:00", "17T04:00", 1, waits(back)));
        assert_eq!(replaced[0].outcome, TimeOutcome::Skipped { reason: "replaced by a later time" });
    }
}
