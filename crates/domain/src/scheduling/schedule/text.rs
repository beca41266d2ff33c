//! A schedule in words: `at 02:00 every day`, `every 15 minutes on Monday to Friday`.

use croner::CronComponent;

use super::pattern::Pattern;
use crate::time::Span;

// croner's flags for special values.
const NTH: [(u8, &str); 6] =
    [(1 << 1, "first"), (1 << 2, "second"), (1 << 3, "third"), (1 << 4, "fourth"), (1 << 5, "fifth"), (1 << 6, "last")];
const LAST: u8 = 1 << 6;
const NEAREST: u8 = 1 << 7;

/// Up to this many times of day are listed.
const TIMES_MAX: usize = 6;
/// Up to this many values with the same distance are listed.
const LISTED_MAX: usize = 4;

const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `every 15 minutes`.
pub(super) fn describe_every(period: Span) -> String {
    let micros = period.as_micros();
    let units = [(3_600_000_000, "hour"), (60_000_000, "minute"), (1_000_000, "second")];
    let whole = units.iter().find(|(unit, _)| micros % unit == 0);
    let (unit, name) = whole.copied().unwrap_or((1_000, "millisecond"));
    every(u64::try_from(micros / unit).unwrap_or(0), name)
}

/// A cron expression in words.
pub(super) fn describe(pattern: &Pattern) -> String {
    let (time, is_named) = times(pattern);
    match days(pattern) {
        Some(days) => format!("{time} {days}"),
        None if is_named => format!("{time} every day"),
        None => time,
    }
}

/// The time of day in words, and whether it needs a day to be a complete phrase.
fn times(pattern: &Pattern) -> (String, bool) {
    let [seconds, minutes, hours] = pattern.times();
    if let [second] = seconds[..]
        && minutes.len() * hours.len() <= TIMES_MAX
        && hours.len() < 24
    {
        let clock = |hour: &u32, minute: &u32| match second {
            0 => format!("{hour:02}:{minute:02}"),
            _ => format!("{hour:02}:{minute:02}:{second:02}"),
        };
        let times = hours.iter().flat_map(|hour| minutes.iter().map(move |minute| clock(hour, minute)));
        let is_step = step(&hours, 24).is_some_and(|step| step < 24) && minutes == [0] && pattern.is_interval();
        if !is_step {
            return (format!("at {}", and(times.collect())), true);
        }
    }
    let within_hour = match (seconds.as_slice(), step(&minutes, 60)) {
        ([0], Some(60)) => None,
        ([0], Some(step)) => Some(every(step.into(), "minute")),
        ([0], None) => Some(numbers("at", "minute", &minutes)),
        (some, Some(1)) => Some(seconds_of(some)),
        (some, _) => Some(format!("{} {}", seconds_of(some), numbers("at", "minute", &minutes))),
    };
    let of_day = match step(&hours, 24) {
        Some(1) => None,
        Some(step) if step < 24 => Some(every(step.into(), "hour")),
        _ => Some(numbers("during", "hour", &hours)),
    };
    match (within_hour, of_day) {
        (None, None) => ("every hour".to_owned(), false),
        (None, Some(hours)) if hours.starts_with("every") => (hours, false),
        (None, Some(hours)) => (format!("at minute 0 {hours}"), true),
        (Some(minutes), None) if minutes.starts_with("at") => (format!("{minutes} of every hour"), false),
        (Some(minutes), None) => (minutes, false),
        (Some(minutes), Some(hours)) if hours.starts_with("every") => (format!("{minutes} of {hours}"), false),
        (Some(minutes), Some(hours)) => (format!("{minutes} {hours}"), true),
    }
}

fn seconds_of(seconds: &[u32]) -> String {
    match step(seconds, 60) {
        Some(60) => "at second 0".to_owned(),
        Some(step) => every(step.into(), "second"),
        None => numbers("at", "second", seconds),
    }
}

/// The days in words; `None` if every day matches.
fn days(pattern: &Pattern) -> Option<String> {
    let cron = pattern.days();
    let months = cron.months.values();
    let in_months = (months.len() < 12).then(|| {
        let names = runs(&months.iter().map(|month| u32::from(*month)).collect::<Vec<_>>());
        format!("in {}", and(names.iter().map(|run| named(*run, |month| MONTHS[month as usize - 1])).collect()))
    });
    let of_month = if in_months.is_none() { " of the month" } else { "" };
    let by_day = (!cron.is_dom_wildcard()).then(|| month_days(&cron.days, of_month));
    let by_weekday = (!cron.is_dow_wildcard()).then(|| weekdays(&cron.days_of_week, of_month));
    let days = match (by_day, by_weekday) {
        (None, None) => in_months.is_some().then(|| "every day".to_owned()),
        (Some(days), None) | (None, Some(days)) => Some(format!("on {days}")),
        (Some(days), Some(weekdays)) if cron.matches_dom_and_dow() => Some(format!("on {days} if it is {weekdays}")),
        (Some(days), Some(weekdays)) => Some(format!("on {days} or {weekdays}")),
    };
    match (days, in_months) {
        (Some(days), Some(months)) => Some(format!("{days} {months}")),
        (days, months) => days.or(months),
    }
}

fn month_days(days: &CronComponent, of_month: &str) -> String {
    let plain: Vec<u32> = days.values().into_iter().map(u32::from).collect();
    let mut parts = Vec::new();
    if !plain.is_empty() {
        parts.push(format!("{}{of_month}", list("day", &plain)));
    }
    for day in days.get_set_values(NEAREST) {
        parts.push(format!("the working day nearest to day {day}{of_month}"));
    }
    match (days.is_feature_enabled(LAST), days.is_feature_enabled(NEAREST)) {
        (true, true) => parts.push(format!("the last working day{of_month}")),
        (true, false) => parts.push(format!("the last day{of_month}")),
        _ => {}
    }
    and(parts)
}

fn weekdays(days: &CronComponent, of_month: &str) -> String {
    let plain: Vec<u32> = days.values().into_iter().map(u32::from).collect();
    let mut parts: Vec<String> = runs(&plain).iter().map(|run| named(*run, |day| WEEKDAYS[day as usize % 7])).collect();
    for (mark, nth) in NTH {
        for day in days.get_set_values(mark) {
            parts.push(format!("the {nth} {}{of_month}", WEEKDAYS[usize::from(day) % 7]));
        }
    }
    and(parts)
}

fn every(count: u64, unit: &str) -> String {
    if count == 1 { format!("every {unit}") } else { format!("every {count} {unit}s") }
}

/// The step if the values are every nth value from zero and the step divides the range.
fn step(values: &[u32], range: u32) -> Option<u32> {
    let step = values.get(1).copied().unwrap_or(range);
    let is_even =
        step > 0 && range.is_multiple_of(step) && values.iter().copied().eq((0..range).step_by(step as usize));
    is_even.then_some(step)
}

/// `at minutes 0, 15 and 20 to 30`, or `every 2 minutes from minute 1 to 59`.
fn numbers(preposition: &str, unit: &str, values: &[u32]) -> String {
    match spacing(values) {
        Some((first, step, last)) => format!("{} from {unit} {first} to {last}", every(step.into(), unit)),
        None => format!("{preposition} {}", list(unit, values)),
    }
}

/// The first value, the distance and the last value if many values have the same distance of at least 2.
fn spacing(values: &[u32]) -> Option<(u32, u32, u32)> {
    let (first, last) = (*values.first()?, *values.last()?);
    let step = values.get(1)? - first;
    let is_even = values.len() > LISTED_MAX && values.windows(2).all(|pair| pair[1] - pair[0] == step);
    (is_even && step > 1).then_some((first, step, last))
}

/// `minutes 0, 15 and 20 to 30`.
fn list(unit: &str, values: &[u32]) -> String {
    let shown = runs(values)
        .into_iter()
        .map(|(from, to)| if from == to { from.to_string() } else { format!("{from} to {to}") });
    let plural = if values.len() == 1 { "" } else { "s" };
    format!("{unit}{plural} {}", and(shown.collect()))
}

fn named(run: (u32, u32), name: impl Fn(u32) -> &'static str) -> String {
    let (from, to) = run;
    if from == to { name(from).to_owned() } else { format!("{} to {}", name(from), name(to)) }
}

/// Groups values into ranges of three or more consecutive values.
fn runs(values: &[u32]) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, to)) if *to + 1 == *value => *to = *value,
            _ => runs.push((*value, *value)),
        }
    }
    runs.into_iter()
        .flat_map(|(from, to)| if to == from + 1 { vec![(from, from), (to, to)] } else { vec![(from, to)] })
        .collect()
}

fn and(mut parts: Vec<String>) -> String {
    match parts.pop() {
        Some(last) if parts.is_empty() => last,
        Some(last) => format!("{} and {last}", parts.join(", ")),
        None => String::new(),
    }
}
