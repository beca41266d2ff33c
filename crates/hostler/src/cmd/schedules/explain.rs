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
    cli::Globals,
    client::Client,
    fail::{Failure, Result},
    output::{self, Format, text},
    pick, say,
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

/// The simulated host.
struct Sleeper {
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
    fate: Fate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    /// The host is online.
    Runs,
    /// The host was asleep; one run after its return replaces the missed ones.
    CaughtUp { begins: Timestamp },
    /// The host was asleep; a later regular time ran before the catch-up and replaces the missed ones.
    Covered { by: Timestamp },
    /// The host counts as always on: the job is queued until it returns.
    Waits { begins: Timestamp },
    /// No job is created.
    Skipped { why: &'static str },
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
    let sleeper = sleeper(&args, host, &zone, now)?;
    let until = now + Span::from_secs(u32::from(args.days) * 86_400);
    let mut all: Vec<(Value, Entry)> = Vec::new();
    let mut elsewhere = 0;
    for shown in client.list("/jobs/triggers").await? {
        if text(&shown, "trigger_type") != "schedule" || text(&shown, "is_enabled") != "true" {
            continue;
        }
        if !aims_at(&shown, host) {
            elsewhere += 1;
            continue;
        }
        let Some((trigger, schedule)) = read(&shown) else { continue };
        let walked = sleeper.walk(&trigger, &schedule, now, until);
        if walked.is_cut {
            let label = text(&shown, "label");
            say::note(globals, format!("{label} fires very often; only its first {FIRES_MAX} times are shown"));
        }
        all.extend(walked.entries.into_iter().map(|entry| (shown.clone(), entry)));
    }
    all.sort_by_key(|(_, entry)| entry.first);
    let name = text(host, "name");
    say::note(
        globals,
        format!("assuming that {name} sleeps every day {} ({zone}) and that all earlier runs succeeded", args.asleep),
    );
    show(globals, &args, &zone, &all)?;
    if elsewhere > 0 {
        let others = output::count(elsewhere, "schedule");
        say::note(globals, format!("not shown: {others} for other hosts or without a fixed host"));
    }
    Ok(ExitCode::SUCCESS)
}

fn sleeper(args: &ExplainArgs, host: &Value, zone: &str, now: Timestamp) -> Result<Sleeper> {
    let wrong =
        || Failure::usage(format!("`{}` is not a range of hours", args.asleep)).hint("write --asleep 22:00-08:00");
    let (from, to) = args.asleep.split_once('-').ok_or_else(wrong)?;
    let (from, to) = (minute(from).ok_or_else(wrong)?, minute(to).ok_or_else(wrong)?);
    if from == to {
        return Err(wrong());
    }
    let daily = |minute: u32| {
        Schedule::parse(&format!("{} {} * * *", minute % 60, minute / 60), zone, "", now)
            .map_err(|refused| Failure::usage(refused.to_string()))
    };
    let settle = args.settle.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))?;
    let is_always_on = text(host, "always_on") == "true";
    Ok(Sleeper { falls_asleep: daily(from)?, wakes: daily(to)?, is_always_on, settle })
}

/// The minute of the day of a clock time such as `22:00`.
fn minute(clock: &str) -> Option<u32> {
    let (hour, minute) = clock.trim().split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// Whether the jobs of a trigger always go to this host: it is the target, or one of several hosts with a job each.
fn aims_at(shown: &Value, host: &Value) -> bool {
    let target = text(shown, "target.host");
    if !target.is_empty() {
        return target == text(host, "name") || target == text(host, "id");
    }
    let selector = text(shown, "target.selector").parse::<Selector>();
    let labels: Labels = serde_json::from_value(host["labels"].clone()).unwrap_or_default();
    text(shown, "target.spread") == "each" && selector.is_ok_and(|selector| selector.matches(&labels))
}

/// Converts a trigger from the API into the domain type. The target is removed, because it is already checked.
fn read(shown: &Value) -> Option<(Trigger, Schedule)> {
    let mut fields = shown.as_object()?.clone();
    fields.remove("target");
    let trigger: Trigger = serde_json::from_value(Value::Object(fields)).ok()?;
    let schedule = trigger.schedule(&text(shown, "id"), text(shown, "created_at").parse().ok()?).ok()??;
    Some((trigger, schedule))
}

struct Walked {
    entries: Vec<Entry>,
    is_cut: bool,
}

impl Sleeper {
    fn is_asleep(&self, at: Timestamp) -> bool {
        let floor = at - Span::from_secs(3 * 86_400);
        self.falls_asleep.last_until(at, floor) > self.wakes.last_until(at, floor)
    }

    /// Walks through the times of a schedule and, between them, the returns of the host.
    fn walk(&self, trigger: &Trigger, schedule: &Schedule, from: Timestamp, until: Timestamp) -> Walked {
        // The last night is simulated to its end, because the first run of the morning decides its missed times.
        let morning = self.wakes.next_after(until).filter(|_| self.is_asleep(until));
        let until = morning.map_or(until, |back| back + self.settle);
        let next = |at: &Timestamp| trigger.next_fire(schedule, *at).filter(|next| *next <= until);
        let fires: Vec<Timestamp> = std::iter::successors(next(&from), next).take(FIRES_MAX).collect();
        let is_cut = fires.len() == FIRES_MAX;
        let mut returns = self.wakes.between(from, until + Span::from_secs(2 * 86_400), 40).into_iter().peekable();
        let mut night =
            Night { sleeper: self, trigger, schedule, succeeded: from, slept: Vec::new(), found: Vec::new() };
        for fire in fires {
            while let Some(back) = returns.next_if(|back| *back + self.settle < fire) {
                night.ends(back);
            }
            if self.is_asleep(fire) {
                night.slept.push(fire);
            } else {
                night.succeeded = fire;
                night.found.push(Entry { first: fire, last: fire, count: 1, fate: Fate::Runs });
            }
        }
        if let Some(back) = returns.find(|back| night.slept.last().is_some_and(|slept| back > slept)) {
            night.ends(back);
        }
        night.found.sort_by_key(|entry| entry.first);
        Walked { entries: shared(&night.found), is_cut }
    }
}

/// A period of sleep with the times missed in it.
struct Night<'a> {
    sleeper: &'a Sleeper,
    trigger: &'a Trigger,
    schedule: &'a Schedule,
    succeeded: Timestamp,
    slept: Vec<Timestamp>,
    found: Vec<Entry>,
}

impl Night<'_> {
    /// Decides the missed times when the host returns, as the hub does.
    fn ends(&mut self, back: Timestamp) {
        if self.sleeper.is_always_on {
            return self.waited(back);
        }
        let slept = std::mem::take(&mut self.slept);
        let (Some(first), Some(last)) = (slept.first(), slept.last()) else { return };
        let now = back + self.sleeper.settle;
        let host = OnHost { succeeded_at: Some(self.succeeded), since: self.succeeded, connected_at: back };
        let fate = match trigger::behind(self.trigger, self.schedule, host, now) {
            Some(_) => {
                self.succeeded = now;
                Fate::CaughtUp { begins: now }
            }
            None if self.trigger.missed == MissedPolicy::Skip => Fate::Skipped { why: "missed: skip" },
            None if self.succeeded > *last => Fate::Covered { by: self.succeeded },
            None => Fate::Skipped { why: "the trigger is paused or has ended by then" },
        };
        self.found.push(Entry { first: *first, last: *last, count: slept.len(), fate });
    }

    /// For a host that counts as always on, jobs are created at their time and wait for the host.
    fn waited(&mut self, back: Timestamp) {
        let mut queued = 0;
        for slept in std::mem::take(&mut self.slept) {
            let fate = match trigger::overlap(self.trigger.overlap, UnfinishedJobs { queued, running: 0 }) {
                OverlapDecision::Skip(why) => Fate::Skipped { why },
                OverlapDecision::Make => {
                    queued += 1;
                    Fate::Waits { begins: back }
                }
                OverlapDecision::Replace => {
                    let waiting = self.found.iter_mut().rev().find(|entry| entry.fate == Fate::Waits { begins: back });
                    if let Some(earlier) = waiting {
                        earlier.fate = Fate::Skipped { why: "replaced by a later time" };
                    }
                    Fate::Waits { begins: back }
                }
            };
            self.found.push(Entry { first: slept, last: slept, count: 1, fate });
        }
    }
}

/// Merges long rows of equal outcomes into one entry each.
fn shared(entries: &[Entry]) -> Vec<Entry> {
    let is_like = |one: &Entry, other: &Entry| {
        std::mem::discriminant(&one.fate) == std::mem::discriminant(&other.fate) && one.count == 1 && other.count == 1
    };
    let rows = entries.chunk_by(is_like);
    let share = |row: &[Entry]| match row {
        [first, .., last] if row.len() > SHOWN_ONE_BY_ONE => {
            vec![Entry { first: first.first, last: last.last, count: row.len(), fate: first.fate.clone() }]
        }
        few => few.to_vec(),
    };
    rows.flat_map(share).collect()
}

fn show(globals: &Globals, args: &ExplainArgs, zone: &str, all: &[(Value, Entry)]) -> Result<()> {
    if !matches!(globals.output, None | Some(Format::Table | Format::Wide)) {
        let items = all.iter().map(|(shown, entry)| as_json(shown, entry)).collect();
        return output::list(globals, items, "label", &[]);
    }
    let clock = |at: Timestamp| short(at, zone, args.days);
    for (shown, entry) in all {
        let times = match entry.count {
            1 => clock(entry.first),
            count => format!("{} … {} ({count} times)", clock(entry.first), clock(entry.last)),
        };
        let fate = match &entry.fate {
            Fate::Runs => match seconds(shown, "jitter") {
                Span::ZERO => "runs".to_owned(),
                jitter => format!("runs within {jitter} (jitter)"),
            },
            Fate::CaughtUp { begins } => {
                let once = if entry.count > 1 { " once" } else { "" };
                format!("asleep → caught up{once} {} (settle {})", clock(*begins), said(&args.settle))
            }
            Fate::Covered { by } => format!("asleep → covered by the run of {}", clock(*by)),
            Fate::Waits { begins } => format!("offline → queued, runs {} (always-on host)", clock(*begins)),
            Fate::Skipped { why } => format!("asleep → skipped ({why})"),
        };
        output::line(&format!("{times} {}  {fate}", text(shown, "label")));
    }
    if all.is_empty() {
        say::note(globals, "no enabled schedule of this host fires in this period");
    }
    Ok(())
}

fn seconds(value: &Value, name: &str) -> Span {
    let seconds = value[name].as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    seconds.map_or(Span::ZERO, Span::from_secs)
}

/// A duration with a space before its unit: `60 s`. The unit stays as the user wrote it.
fn said(length: &str) -> String {
    let digits = length.chars().take_while(char::is_ascii_digit).count();
    format!("{} {}", &length[..digits], length[digits..].trim())
}

/// `Tue 02:00`, with the date if the weekday alone is ambiguous.
fn short(at: Timestamp, zone: &str, days: u8) -> String {
    let whole = at.said_in(zone).unwrap_or_else(|| at.to_string());
    match whole.split(' ').collect::<Vec<_>>().as_slice() {
        [weekday, _, _, _, clock, _] if days <= DAYS_BY_NAME => format!("{weekday} {clock}"),
        [weekday, day, month, _, clock, _] => format!("{weekday} {day} {month} {clock}"),
        _ => whole,
    }
}

fn as_json(shown: &Value, entry: &Entry) -> Value {
    let (outcome, runs_at, why) = match &entry.fate {
        Fate::Runs => ("runs", Some(entry.first).filter(|_| entry.count == 1), ""),
        Fate::CaughtUp { begins } => ("caught_up", Some(*begins), "asleep"),
        Fate::Covered { by } => ("covered", Some(*by), "asleep"),
        Fate::Waits { begins } => ("waits", Some(*begins), "offline, but always on"),
        Fate::Skipped { why } => ("skipped", None, *why),
    };
    json!({"trigger_id": text(shown, "id"), "label": text(shown, "label"), "place": text(shown, "place"),
        "at": entry.first, "last_at": entry.last, "times": entry.count, "outcome": outcome, "runs_at": runs_at,
        "why": why})
}

#[cfg(test)]
mod tests {
    use domain::trigger::Overlap;

    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-11-{text}:00Z").parse().expect("a time")
    }

    fn sleeper(is_always_on: bool) -> Sleeper {
        let daily = |hour: u32| Schedule::parse(&format!("0 {hour} * * *"), "UTC", "", at("16T00:00")).expect("parses");
        Sleeper { falls_asleep: daily(22), wakes: daily(8), is_always_on, settle: Span::from_secs(60) }
    }

    fn walk(sleeper: &Sleeper, expression: &str, change: fn(&mut Trigger)) -> Vec<Entry> {
        let shown = json!({"id": "01K4Z", "created_at": "2026-11-01T00:00:00Z", "label": "x", "is_enabled": true,
            "trigger_type": "schedule", "event_name": null, "match": {}, "cron_expr": expression, "timezone": "UTC",
            "definition_key": "hello", "payload_template": {}, "target": {"host": "a"}, "place": "hub",
            "missed": "once", "missed_max": 10, "missed_window_seconds": 604_800, "overlap": "forbid", "jitter": 0,
            "priority": 100, "paused_until": null, "last_fire": null});
        let (mut trigger, schedule) = read(&shown).expect("a trigger as a hub shows it");
        change(&mut trigger);
        sleeper.walk(&trigger, &schedule, at("16T12:00"), at("18T00:00")).entries
    }

    fn entry(first: &str, last: &str, count: usize, fate: Fate) -> Entry {
        Entry { first: at(first), last: at(last), count, fate }
    }

    #[test]
    fn missed_time_is_caught_up_or_skipped_after_the_return() {
        let caught = Fate::CaughtUp { begins: at("17T08:01") };
        assert_eq!(walk(&sleeper(false), "0 2 * * *", |_| {})[0], entry("17T02:00", "17T02:00", 1, caught));
        let skipped = Fate::Skipped { why: "missed: skip" };
        let found = walk(&sleeper(false), "0 2 * * *", |trigger| trigger.missed = MissedPolicy::Skip);
        assert_eq!(found[0], entry("17T02:00", "17T02:00", 1, skipped));
        assert_eq!(walk(&sleeper(false), "0 9 * * *", |_| {}), [entry("17T09:00", "17T09:00", 1, Fate::Runs)]);
    }

    #[test]
    fn regular_time_before_the_catch_up_covers_the_missed_times() {
        let found = walk(&sleeper(false), "0 */2 * * *", |_| {});
        let night = |day: u32| Fate::Covered { by: at(&format!("{day}T08:00")) };
        let expected = [
            entry("16T14:00", "16T20:00", 4, Fate::Runs),
            entry("16T22:00", "17T06:00", 5, night(17)),
            entry("17T08:00", "17T20:00", 7, Fate::Runs),
            entry("17T22:00", "18T06:00", 5, night(18)),
            entry("18T08:00", "18T08:00", 1, Fate::Runs),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn jobs_of_an_always_on_host_wait_for_its_return() {
        let (waits, back) = (|begins| Fate::Waits { begins }, at("17T08:00"));
        let forbidden = walk(&sleeper(true), "0 2,4 * * *", |_| {});
        assert_eq!(forbidden[0], entry("17T02:00", "17T02:00", 1, waits(back)));
        let why = "an earlier job of this trigger was still queued";
        assert_eq!(forbidden[1], entry("17T04:00", "17T04:00", 1, Fate::Skipped { why }));
        let replaced = walk(&sleeper(true), "0 2,4 * * *", |trigger| trigger.overlap = Overlap::Replace);
        assert_eq!(replaced[1], entry("17T04:00", "17T04:00", 1, waits(back)));
        assert_eq!(replaced[0].fate, Fate::Skipped { why: "replaced by a later time" });
    }
}
