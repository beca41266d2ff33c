//! Schedules and their times: cron expressions in a time zone, and `@every`.
//!
//! Clock changes: a schedule whose hour field is `*`, `*/n` or `H/n` is an interval. It fires at every matching minute
//! of the local clock, twice if the clock shows that minute twice. Every other schedule names times of day. A time that
//! the clock skips fires at the end of the skipped hour (several times in one skipped hour fire once); a time that the
//! clock shows twice fires the first time only. So a nightly job runs exactly once on both days of a clock change. A
//! day that a zone skips altogether (Pacific/Apia, 2011-12-30) has no fires.
//!
//! This module computes times only; `trigger` decides whether a fire creates a job.
//!
//! - `changes`: the effect of clock changes on a schedule, in words
//! - `pattern`: the local times that an expression matches
//! - `syntax`: the parser of expressions
//! - `text`: a schedule in words
//! - `zone`: time zones and their clock changes

mod changes;
mod pattern;
mod syntax;
mod text;
mod zone;

use std::fmt;

use sha2::{Digest, Sha256};

use self::{
    pattern::Pattern,
    syntax::Parsed,
    zone::{LAST_SECOND, Segment, Zone},
};
use crate::time::{Span, Timestamp};

pub use changes::{CLOCK_CHANGES_MAX, ClockChange};

/// The longest expression, in characters.
pub const EXPRESSION_MAX: usize = 256;
/// The shortest `@every`. The scheduler cannot keep up with shorter ones.
pub const EVERY_MIN: Span = Span::from_secs(1);

/// How far into the future a search goes. 29 February falls on a given weekday at least once in 40 years.
const HORIZON: i64 = 50 * 366 * 86_400;
/// The fires and days that [`Schedule::period`] examines: the next fires one by one, and a week in steps of an hour,
/// which includes nights and a weekend.
const PERIOD_FIRES: usize = 32;
const PERIOD_YEARS: Span = Span::from_secs(5 * 366 * 86_400);
const PERIOD_DAYS: Span = Span::from_secs(8 * 86_400);

/// Why a schedule is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSchedule {
    #[error("the schedule is empty (write `0 2 * * *` for 02:00 every day, or `@every 15m`)")]
    Empty,
    #[error("the schedule is longer than {EXPRESSION_MAX} characters (split it into several)")]
    TooLong,
    #[error(
        "a schedule has 5 fields, or 6 with seconds first, not {0} (write minute hour day month weekday: `0 2 * * *`)"
    )]
    Fields(usize),
    #[error("`{0}` is not a schedule name (write @hourly, @daily, @weekly, @monthly, @yearly or @every 15m)")]
    Nickname(String),
    #[error("`@every {0}` needs a duration of at least one second (write @every 90s, 15m, 8h or 7d)")]
    Every(String),
    /// The parser rejects the expression as a whole.
    #[error("`{text}` is not a cron expression: {reason}")]
    Expression { text: String, reason: String },
    #[error("`{item}` in the {field} field {detail}")]
    Item {
        field: &'static str,
        item: String,
        /// The problem and the fix.
        detail: String,
    },
    #[error("there is no time zone `{given}` ({})", did_you_mean(near))]
    Zone {
        given: String,
        /// Zones with similar names.
        near: Vec<String>,
    },
    /// The expression is valid, but no date within the search range matches it.
    #[error("`{0}` never fires: no date within 50 years matches (check the day and month)")]
    NeverFires(String),
}

fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => "write a name like Europe/Berlin, or UTC".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

/// A parsed schedule.
#[derive(Clone)]
pub struct Schedule {
    expression: String,
    zone: Zone,
    rule: Recurrence,
}

#[derive(Clone)]
enum Recurrence {
    /// Local times. Boxed, because the other variant is small.
    Cron(Box<Pattern>),
    /// A multiple of `period` after `anchor`, independent of clock changes.
    Every { period: Span, anchor: Timestamp },
}

impl Schedule {
    /// Parses an expression. `seed` determines the values of `H`: the same seed gives the same values, so they survive
    /// a restart and are equal on all hubs and hosts. `@every` counts from `anchor`; its first fire is one period
    /// later. A cron expression must fire within 50 years of `anchor`.
    ///
    /// # Errors
    /// The expression or the zone is invalid, or the schedule never fires.
    pub fn parse(expression: &str, zone: &str, seed: &str, anchor: Timestamp) -> Result<Self, BadSchedule> {
        let expression = expression.trim();
        let rule = match syntax::parse(expression, seed)? {
            Parsed::Cron(fields) => Recurrence::Cron(Box::new(Pattern::new(&fields)?)),
            Parsed::Every(period) => Recurrence::Every { period, anchor },
        };
        let schedule = Self { expression: expression.to_owned(), zone: Zone::get(zone)?, rule };
        match schedule.next_after(anchor) {
            Some(_) => Ok(schedule),
            None => Err(BadSchedule::NeverFires(schedule.expression)),
        }
    }

    /// The first fire strictly after `after`; `None` if there is none.
    #[must_use]
    pub fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        match &self.rule {
            Recurrence::Cron(pattern) => {
                FireWalk::new(pattern, &self.zone).first(seconds(after) + 1).and_then(timestamp)
            }
            Recurrence::Every { period, anchor } => {
                let gone = i128::from(after.as_micros()) - i128::from(anchor.as_micros());
                let count = gone.div_euclid(i128::from(period.as_micros())) + 1;
                every(*period, *anchor, count.max(1))
            }
        }
    }

    /// The last fire at or before `at`, but not before `floor`.
    #[must_use]
    pub fn last_until(&self, at: Timestamp, floor: Timestamp) -> Option<Timestamp> {
        let found = match &self.rule {
            Recurrence::Cron(pattern) => {
                FireWalk::new(pattern, &self.zone).last(seconds(at), seconds(floor)).and_then(timestamp)
            }
            Recurrence::Every { period, anchor } => {
                let gone = i128::from(at.as_micros()) - i128::from(anchor.as_micros());
                let count = gone.div_euclid(i128::from(period.as_micros()));
                (count >= 1).then(|| every(*period, *anchor, count)).flatten()
            }
        };
        found.filter(|found| *found >= floor)
    }

    /// The fires after `after` and up to `until`, inclusive; at most `limit`, earliest first.
    #[must_use]
    pub fn between(&self, after: Timestamp, until: Timestamp, limit: usize) -> Vec<Timestamp> {
        // One `Walk` for all fires: finding the clock changes around a time is the most expensive part.
        let mut walk = match &self.rule {
            Recurrence::Cron(pattern) => Some(FireWalk::new(pattern, &self.zone)),
            Recurrence::Every { .. } => None,
        };
        let mut next = |at: &Timestamp| {
            let found = match &mut walk {
                Some(walk) => walk.first(seconds(*at) + 1).and_then(timestamp),
                None => self.next_after(*at),
            };
            found.filter(|found| *found <= until)
        };
        std::iter::successors(next(&after), next).take(limit).collect()
    }

    /// The longest gap between two of the following fires, including the nights and the weekend of the next week. Zero
    /// if fewer than two fires follow. Used as the time within which a run is expected.
    #[must_use]
    pub fn period(&self, at: Timestamp) -> Span {
        let next = |fire: &Timestamp| self.next_after(*fire);
        let fires: Vec<Timestamp> = std::iter::successors(next(&at), next)
            .take(PERIOD_FIRES)
            .enumerate()
            .take_while(|(index, fire)| *index < 2 || fire.since(at) < PERIOD_YEARS)
            .map(|(_, fire)| fire)
            .collect();
        let mut longest = fires.windows(2).map(|pair| pair[1].since(pair[0])).max().unwrap_or(Span::ZERO);
        // An expression with many fires a day may have gaps beyond the first fires. Probing every hour finds every gap
        // longer than an hour.
        let mut probe = at;
        while probe < at + PERIOD_DAYS
            && let Some(next) = self.next_after(probe)
        {
            longest = self.last_until(probe, at).map_or(longest, |last| longest.max(next.since(last)));
            probe = next.max(probe + Span::from_secs(3_600));
        }
        longest
    }

    /// The schedule in words: `at 02:00 every day`, `every 15 minutes`.
    #[must_use]
    pub fn describe(&self) -> String {
        match &self.rule {
            Recurrence::Cron(pattern) => text::describe(pattern),
            Recurrence::Every { period, .. } => text::describe_every(*period),
        }
    }

    /// The clock changes after `after` and up to `until`, inclusive, that affect the fires; earliest first, at most
    /// [`CLOCK_CHANGES_MAX`]. For previews.
    #[must_use]
    pub fn clock_changes(&self, after: Timestamp, until: Timestamp) -> Vec<ClockChange> {
        match &self.rule {
            Recurrence::Cron(pattern) => changes::list(pattern, &self.zone, seconds(after), seconds(until)),
            Recurrence::Every { .. } => Vec::new(),
        }
    }

    /// The canonical name of the time zone.
    #[must_use]
    pub fn zone(&self) -> &str {
        self.zone.name()
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schedule")
            .field("expression", &self.expression)
            .field("zone", &self.zone())
            .field("means", &self.describe())
            .finish()
    }
}

/// Whether a text parses as an expression. Does not check that it ever fires.
pub(crate) fn is_expression(text: &str) -> bool {
    syntax::parse(text, "").is_ok()
}

/// The delay of one fire, in whole milliseconds below `max`. It is a hash of the seed and the nominal time, so every
/// hub computes the same delay.
#[must_use]
pub fn jitter(seed: &str, nominal: Timestamp, max: Span) -> Span {
    match u64::try_from(max.as_millis()) {
        Ok(max) if max > 0 => {
            let dice = dice(&[b"jitter", seed.as_bytes(), &nominal.as_micros().to_be_bytes()]);
            Span::from_millis(i64::try_from(dice % max).unwrap_or(0))
        }
        _ => Span::ZERO,
    }
}

/// A hash of the parts as a number, for pseudo-random choices that are the same everywhere.
fn dice(parts: &[&[u8]]) -> u64 {
    let mut hash = Sha256::new();
    for part in parts {
        // Length before content: otherwise (`ab`, `c`) and (`a`, `bc`) have the same hash.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let hash = hash.finalize();
    hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn seconds(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(1_000_000)
}

fn timestamp(seconds: i64) -> Option<Timestamp> {
    seconds.checked_mul(1_000_000).map(Timestamp::from_micros)
}

fn every(period: Span, anchor: Timestamp, count: i128) -> Option<Timestamp> {
    let micros = i128::from(anchor.as_micros()) + count * i128::from(period.as_micros());
    let at = i64::try_from(micros).ok().map(Timestamp::from_micros)?;
    let is_too_far = seconds(at) > LAST_SECOND || period.as_micros() / 1_000_000 > HORIZON;
    (!is_too_far).then_some(at)
}

/// A search over the segments of a zone between its clock changes. All numbers are seconds since 1970.
struct FireWalk<'a> {
    pattern: &'a Pattern,
    zone: &'a Zone,
    /// The last segment used.
    segment: Option<Segment>,
}

impl<'a> FireWalk<'a> {
    const fn new(pattern: &'a Pattern, zone: &'a Zone) -> Self {
        Self { pattern, zone, segment: None }
    }

    fn segment(&mut self, second: i64) -> Segment {
        let known = self.segment.filter(|segment| (segment.start..segment.end).contains(&second));
        let segment = known.unwrap_or_else(|| self.zone.segment(second));
        self.segment = Some(segment);
        segment
    }

    /// The first fire at or after `from`.
    fn first(&mut self, from: i64) -> Option<i64> {
        let from = from.max(zone::FIRST_SECOND);
        let end = from.saturating_add(HORIZON).min(LAST_SECOND);
        let mut at = from;
        while at < end {
            let segment = self.segment(at);
            if let Some(found) = self.first_in(&segment, at, end.min(segment.end)) {
                return Some(found);
            }
            at = segment.end;
        }
        None
    }

    /// The first fire of a segment in `from..end`.
    fn first_in(&self, segment: &Segment, from: i64, end: i64) -> Option<i64> {
        if from == segment.start && self.fires_after_gap(segment) {
            return Some(segment.start);
        }
        let wall = (from + segment.offset).max(self.wall_start(segment));
        self.pattern.first(wall, end + segment.offset).map(|wall| wall - segment.offset)
    }

    /// The last fire at or before `until`, but not before `floor`.
    fn last(&mut self, until: i64, floor: i64) -> Option<i64> {
        let mut until = until.min(LAST_SECOND);
        let floor = floor.max(until.saturating_sub(HORIZON)).max(zone::FIRST_SECOND);
        while until >= floor {
            let segment = self.segment(until);
            if let Some(found) = self.last_in(&segment, until, floor.max(segment.start)) {
                return Some(found);
            }
            until = segment.start - 1;
        }
        None
    }

    /// The last fire of a segment in `floor..=until`.
    fn last_in(&self, segment: &Segment, until: i64, floor: i64) -> Option<i64> {
        let wall = (floor + segment.offset).max(self.wall_start(segment));
        match self.pattern.last(until + segment.offset, wall) {
            Some(wall) => Some(wall - segment.offset),
            None => (floor == segment.start && self.fires_after_gap(segment)).then_some(segment.start),
        }
    }

    /// The first local time that counts in a segment. For times of day, local times that the previous segment has
    /// already shown do not count again.
    fn wall_start(&self, segment: &Segment) -> i64 {
        let repeated = if self.pattern.is_interval() { segment.offset } else { segment.offset_before };
        segment.start + segment.offset.max(repeated)
    }

    /// Whether a skipped time of day is due at the start of the segment.
    fn fires_after_gap(&self, segment: &Segment) -> bool {
        !self.pattern.is_interval() && self.pattern.first_in_gap(segment.gap()).is_some()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    fn read(expression: &str, zone: &str) -> Schedule {
        Schedule::parse(expression, zone, "seed", at("2011-01-01T00:00:00Z")).expect(expression)
    }

    fn refused(expression: &str) -> String {
        Schedule::parse(expression, "UTC", "seed", at("2026-01-01T00:00:00Z")).expect_err(expression).to_string()
    }

    /// The fires within some hours, as local times with their offset.
    fn fires(expression: &str, zone: &str, after: &str, hours: u32) -> Vec<String> {
        let schedule = read(expression, zone);
        let (after, rules) = (at(after), jiff::tz::TimeZoneDatabase::bundled().get(zone).expect(zone));
        let shown = |fire: Timestamp| {
            let fire = jiff::Timestamp::from_microsecond(fire.as_micros()).expect("in range");
            fire.to_zoned(rules.clone()).strftime("%d %H:%M%:z").to_string()
        };
        schedule.between(after, after + Span::from_secs(hours * 3_600), 100).into_iter().map(shown).collect()
    }

    #[test]
    fn times_of_day_fire_once_across_clock_changes() {
        let (spring, autumn) = ("2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z");
        for (expression, after, expected) in [
            ("30 2 * * *", spring, vec!["29 03:00+02:00", "30 02:30+02:00"]),
            ("0,30 2,14 * * *", spring, vec!["28 14:00+01:00", "28 14:30+01:00", "29 03:00+02:00", "29 14:00+02:00"]),
            ("15 2,3 * * *", spring, vec!["29 03:00+02:00", "29 03:15+02:00"]),
            ("0 3 * * *", spring, vec!["29 03:00+02:00", "30 03:00+02:00"]),
            ("30 2 * * *", autumn, vec!["25 02:30+02:00", "26 02:30+01:00"]),
            ("0 2,3 * * *", autumn, vec!["25 02:00+02:00", "25 03:00+01:00", "26 02:00+01:00"]),
            ("0 0-3 * * SUN", autumn, vec!["25 00:00+02:00", "25 01:00+02:00", "25 02:00+02:00", "25 03:00+01:00"]),
            ("30 */2 25 10 *", autumn, vec!["25 00:30+02:00", "25 02:30+02:00", "25 02:30+01:00", "25 04:30+01:00"]),
            ("30 * * * *", spring, vec!["28 13:30+01:00"]),
        ] {
            let found = fires(expression, "Europe/Berlin", after, 40);
            assert_eq!(found[..expected.len()], expected, "{expression} after {after}");
        }
        let hourly = fires("0 * * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 2);
        assert_eq!(hourly, ["29 03:00+02:00", "29 04:00+02:00"]);
    }

    #[test]
    fn unusual_clock_changes_are_handled() {
        // Lord Howe changes its clock by half an hour, Troll by two hours, and Apia skipped a day.
        let lord_howe = fires("*/15 1-2 * * *", "Australia/Lord_Howe", "2026-10-03T14:59:00Z", 2);
        assert_eq!(lord_howe[..3], ["04 01:30+10:30", "04 01:45+10:30", "04 02:30+11:00"]);
        let quarters = fires("*/15 * * * *", "Australia/Lord_Howe", "2026-10-03T15:15:00Z", 1);
        assert_eq!(quarters, ["04 02:30+11:00", "04 02:45+11:00", "04 03:00+11:00", "04 03:15+11:00"]);
        let troll = fires("0,30 1,2 * * *", "Antarctica/Troll", "2026-03-28T12:00:00Z", 24);
        assert_eq!(troll, ["29 03:00+02:00"]);
        let apia = fires("0 0,12 * * *", "Pacific/Apia", "2011-12-29T21:00:00Z", 60);
        assert_eq!(apia, ["29 12:00-10:00", "31 00:00+14:00", "31 12:00+14:00", "01 00:00+14:00", "01 12:00+14:00"]);
        assert_eq!(fires("30 12 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z", 24 * 60), [""; 0]);
        // Noon of the skipped day does not fire at the next midnight.
        let noon = fires("0 12 * * *", "Pacific/Apia", "2011-12-29T21:00:00Z", 60);
        assert_eq!(noon, ["29 12:00-10:00", "31 12:00+14:00", "01 12:00+14:00"]);
    }

    #[test]
    fn day_fields_match_as_in_cron() {
        for (expression, expected) in [
            ("0 0 L * *", vec!["31 00:00", "28 00:00"]),
            ("0 0 LW * *", vec!["30 00:00", "27 00:00"]),
            ("0 0 1W * *", vec!["02 00:00", "02 00:00", "01 00:00"]),
            ("0 0 * * FRI#2", vec!["09 00:00", "13 00:00"]),
            ("0 0 * * 5L", vec!["30 00:00", "27 00:00"]),
            ("0 0 * * 7L", vec!["25 00:00", "22 00:00"]),
            ("0 0 13 * FRI", vec!["02 00:00", "09 00:00", "13 00:00", "16 00:00"]),
            ("0 0 13 * +FRI", vec!["13 00:00", "13 00:00"]),
            ("0 0 ? JAN-FEB SAT-SUN", vec!["03 00:00", "04 00:00", "10 00:00"]),
            ("30 15 10 1 2 *", vec!["01 10:15"]),
            ("@weekly", vec!["04 00:00", "11 00:00"]),
            ("@Monthly", vec!["01 00:00", "01 00:00"]),
        ] {
            let after = at("2026-01-01T00:00:00Z");
            let found = read(expression, "UTC").between(after, after + Span::from_secs(86_400 * 150), expected.len());
            let found: Vec<String> = found.iter().map(|fire| fire.to_string()[8..16].replace('T', " ")).collect();
            assert_eq!(found, expected, "{expression}");
        }
        let leap = read("0 0 29 2 +MON", "UTC");
        assert_eq!(leap.next_after(at("2026-01-01T00:00:00Z")), Some(at("2044-02-29T00:00:00Z")));
        assert_eq!(leap.next_after(at("2072-02-29T00:00:00Z")), Some(at("2112-02-29T00:00:00Z")));
        assert_eq!(
            leap.last_until(at("2111-01-01T00:00:00Z"), at("1970-01-01T00:00:00Z")),
            Some(at("2072-02-29T00:00:00Z"))
        );
    }

    #[test]
    fn every_counts_from_its_anchor() {
        let anchor = at("2026-01-01T00:00:10Z");
        let schedule = Schedule::parse("@every 15m", "Europe/Berlin", "", anchor).expect("valid");
        let expected = ["2026-01-01T00:15:10Z", "2026-01-01T00:30:10Z"].map(at);
        assert_eq!(schedule.between(at("1999-01-01T00:00:00Z"), at("2027-01-01T00:00:00Z"), 2), expected);
        assert_eq!(schedule.next_after(expected[0]), Some(expected[1]));
        assert_eq!(schedule.last_until(at("2026-01-01T00:44:00Z"), anchor), Some(expected[1]));
        assert_eq!(schedule.last_until(at("2026-01-01T00:15:00Z"), anchor), None);
        assert_eq!(schedule.last_until(at("2026-01-01T00:44:00Z"), at("2026-01-01T00:31:00Z")), None);
        assert_eq!(schedule.period(anchor), Span::from_secs(900));
        assert_eq!(schedule.next_after(Timestamp::from_micros(i64::MAX)), None);
    }

    #[test]
    fn errors_name_the_fix() {
        for (expression, said) in [
            ("", "the schedule is empty (write `0 2 * * *` for 02:00 every day, or `@every 15m`)"),
            (
                "* * *",
                "a schedule has 5 fields, or 6 with seconds first, not 3 (write minute hour day month weekday: `0 2 * * *`)",
            ),
            ("60 * * * *", "`60` in the minute field is not between 0 and 59 (write a number in this range)"),
            (
                "0 0 * FOO *",
                "`FOO` in the month field is not between 1 and 12 (write a number in this range or a name like JAN)",
            ),
            ("0 22-2 * * *", "`22-2` in the hour field is in descending order (write 22-23,0-2)"),
            ("0 0 * * FRI-MON", "`FRI-MON` in the weekday field is in descending order (write 5-6,0-1)"),
            ("0/10 * * * *", "`0/10` in the minute field has a step without a range (write */10 or 0-59/10)"),
            (
                "*/90 * * * *",
                "`*/90` in the minute field has a step that is not between 1 and 60 (for other intervals write @every 90m)",
            ),
            ("1,,2 * * * *", "`` in the minute field is empty (remove the comma or write `*`)"),
            ("0 0 * * L", "`L` in the weekday field needs a weekday (write FRIL for the last Friday)"),
            (
                "0 0 * * FRI#6",
                "`FRI#6` in the weekday field is not a weekday of a month (write FRI#1 to FRI#5, or FRIL for the last)",
            ),
            (
                "H(5 * * * *",
                "`H(5` in the minute field is not a valid form of H (write H, H/15, H(0-29) or H(0-29)/10)",
            ),
            (
                "@reboot",
                "`@reboot` is not a schedule name (write @hourly, @daily, @weekly, @monthly, @yearly or @every 15m)",
            ),
            ("@every 10ms", "`@every 10ms` needs a duration of at least one second (write @every 90s, 15m, 8h or 7d)"),
            ("0 0 30 2 *", "`0 0 30 2 *` never fires: no date within 50 years matches (check the day and month)"),
            ("@every 99999d", "`@every 99999d` never fires: no date within 50 years matches (check the day and month)"),
        ] {
            assert_eq!(refused(expression), said);
        }
        assert_eq!(refused(&"*".repeat(257)), "the schedule is longer than 256 characters (split it into several)");
        for hostile in [
            "1--100000000 * * * *",
            "0-4294967295 * * * *",
            "0-99999999999999999999/1 * * * *",
            "*/0 * * * *",
            "*/65536 * * * *",
            "-1 * * * *",
            "1-2-3 * * * *",
            "H(0-100000000) * * * *",
            "H(30-10) * * * *",
            "H/0 * * * *",
            "٣ * * * *",
            "0 0 31 2,4,6,9,11 *",
            "0 0 0W * *",
            "0 0 * * #",
            "0 0 +1 * *",
            "MON * * * *",
        ] {
            refused(hostile);
        }
    }

    #[test]
    fn chosen_values_are_stable_and_distributed() {
        let anchor = at("2026-01-01T00:00:00Z");
        let minutes = |expression: &str, seed: &str| -> Vec<i64> {
            let schedule = Schedule::parse(expression, "UTC", seed, anchor).expect(expression);
            let fires = schedule.between(anchor, anchor + Span::from_secs(3_600), 60);
            fires.iter().map(|fire| fire.as_micros() / 60_000_000 % 60).collect()
        };
        let seen: std::collections::BTreeSet<i64> =
            (0..200).map(|seed| minutes("H * * * *", &seed.to_string())[0]).collect();
        assert!(seen.len() > 40, "{seen:?}");
        for seed in ["a", "b", "c"] {
            assert_eq!(minutes("H * * * *", seed), minutes("h * * * *", seed));
            let quarter = minutes("H/15 * * * *", seed);
            assert_eq!((quarter.len(), quarter[1] - quarter[0]), (4, 15));
            assert!(minutes("H(0-29) * * * *", seed)[0] < 30);
            let tens = minutes("H(0-29)/10 * * * *", seed);
            assert!(tens.len() == 3 && tens.iter().all(|minute| *minute < 30), "{tens:?}");
        }
        // A single `H` hour is a time of day; `H/n` hours are an interval.
        assert_eq!(fires("30 H(2-2) * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", 3), ["29 03:00+02:00"]);
        assert!(fires("30 H/1 * * *", "Europe/Berlin", "2026-03-29T00:31:00Z", 1) == ["29 03:30+02:00"]);
        for expression in ["H H H H H", "H H * * H(MON-FRI)", "0 0 H/10 * *", "H H(9-17)/2 * H/3 *"] {
            read(expression, "UTC");
        }
    }

    #[test]
    fn describe_puts_schedules_into_words() {
        for (expression, words) in [
            ("0 2 * * *", "at 02:00 every day"),
            ("30 2,14 * * *", "at 02:30 and 14:30 every day"),
            ("*/15 * * * *", "every 15 minutes"),
            ("* * * * *", "every minute"),
            ("@hourly", "every hour"),
            ("5 * * * *", "at minute 5 of every hour"),
            ("*/7 */2 * * *", "every 7 minutes from minute 0 to 56 of every 2 hours"),
            ("0 */2 * * *", "every 2 hours"),
            ("0 */12 * * *", "every 12 hours"),
            ("*/10 9-17 * * MON-FRI", "every 10 minutes during hours 9 to 17 on Monday to Friday"),
            ("0 9-17 * * 1", "at minute 0 during hours 9 to 17 on Monday"),
            ("0 2 1 * *", "at 02:00 on day 1 of the month"),
            ("0 2 1,15 1-3 *", "at 02:00 on days 1 and 15 in January to March"),
            ("0 2 * 6 *", "at 02:00 every day in June"),
            ("0 2 L * *", "at 02:00 on the last day of the month"),
            ("0 2 15W * *", "at 02:00 on the working day nearest to day 15 of the month"),
            ("0 2 LW 6 *", "at 02:00 on the last working day in June"),
            ("0 2 * * FRI#2", "at 02:00 on the second Friday of the month"),
            ("0 2 * * SUNL", "at 02:00 on the last Sunday of the month"),
            ("0 2 13 * FRI", "at 02:00 on day 13 of the month or Friday"),
            ("0 2 13 * +FRI", "at 02:00 on day 13 of the month if it is Friday"),
            ("*/10 * * * * *", "every 10 seconds"),
            ("* * * * * *", "every second"),
            ("30 0 2 * * *", "at 02:00:30 every day"),
            ("5,30 0 2 * * *", "at seconds 5 and 30 at minute 0 during hour 2 every day"),
            ("1-59/2 * * * *", "every 2 minutes from minute 1 to 59"),
            ("1,16,31,46 * * * *", "at minutes 1, 16, 31 and 46 of every hour"),
            ("0 1-23/2 * * *", "every 2 hours from hour 1 to 23"),
            ("@every 90s", "every 90 seconds"),
            ("@every 24h", "every 24 hours"),
            ("@every 48h", "every 48 hours"),
            ("@every 1h", "every hour"),
            ("@yearly", "at 00:00 on day 1 in January"),
        ] {
            assert_eq!(read(expression, "UTC").describe(), words, "{expression}");
        }
    }

    #[test]
    fn period_includes_nights_weekends_and_months() {
        let hours = |hours: u32| Span::from_secs(hours * 3_600);
        for (expression, period) in [
            ("*/15 * * * *", Span::from_secs(900)),
            ("0 2 * * *", hours(24)),
            ("*/5 9-17 * * *", hours(15) + Span::from_secs(300)),
            ("*/5 9-17 * * MON-FRI", hours(24 * 2 + 15) + Span::from_secs(300)),
            ("0 0 1 * *", hours(24 * 31)),
            ("*/15 * 1 1 *", hours(24 * 364) + Span::from_secs(900)),
        ] {
            assert_eq!(read(expression, "UTC").period(at("2026-01-01T10:00:00Z")), period, "{expression}");
        }
    }

    #[test]
    fn clock_changes_are_listed_if_they_affect_fires() {
        let told = |expression: &str, zone: &str| -> Vec<String> {
            let (after, until) = (at("2011-01-01T00:00:00Z"), at("2012-01-01T00:00:00Z"));
            let changes = read(expression, zone).clock_changes(after, until);
            changes.iter().map(|change| format!("{} {}", &change.at.to_string()[..10], change.text)).collect()
        };
        assert_eq!(
            told("30 2 * * *", "Europe/Berlin"),
            ["2011-03-27 02:30 does not exist: runs at 03:00", "2011-10-30 02:30 occurs twice: runs the first time"]
        );
        assert_eq!(
            told("0,30 2 * * *", "Europe/Berlin"),
            [
                "2011-03-27 02:00 and 02:30 do not exist: runs at 03:00",
                "2011-10-30 02:00 and 02:30 occur twice: runs the first time"
            ]
        );
        assert_eq!(
            told("*/10 * * * *", "Europe/Berlin"),
            [
                "2011-03-27 02:00, 02:10, 02:20 and 3 more do not exist: continues at 03:00",
                "2011-10-30 02:00, 02:10, 02:20 and 3 more occur twice: runs both times"
            ]
        );
        assert_eq!(told("0 12 * * *", "Pacific/Apia"), ["2011-12-30 2011-12-30 does not exist: no run on that day"]);
        for (expression, zone) in
            [("0 12 * * *", "Europe/Berlin"), ("30 2 * * *", "UTC"), ("@every 5m", "Europe/Berlin")]
        {
            assert!(told(expression, zone).is_empty(), "{expression} in {zone}");
        }
        let change = &read("30 2 * * *", "Europe/Berlin")
            .clock_changes(at("2026-03-01T00:00:00Z"), at("2026-04-01T00:00:00Z"))[0];
        assert_eq!((change.offset_before, change.offset_after), (3_600, 7_200));
        assert_eq!(change.at, at("2026-03-29T01:00:00Z"));
    }

    #[test]
    fn jitter_is_stable_and_below_its_limit() {
        let (noon, max) = (at("2026-01-01T12:00:00Z"), Span::from_secs(300));
        let all: Vec<Span> = (0..100).map(|seed| jitter(&seed.to_string(), noon, max)).collect();
        assert!(all.iter().all(|delay| *delay < max));
        assert!(
            all.iter().any(|delay| *delay > Span::from_secs(200))
                && all.iter().any(|delay| *delay < Span::from_secs(100))
        );
        assert_eq!(jitter("a", noon, max), jitter("a", noon, max));
        assert_ne!(jitter("a", noon, max), jitter("a", noon + Span::from_secs(60), max));
        assert_eq!(jitter("a", noon, Span::ZERO), Span::ZERO);
    }

    #[test]
    fn extreme_timestamps_do_not_panic() {
        let schedule = read("30 2 * * *", "Europe/Berlin");
        for micros in [i64::MIN, i64::MIN / 2, -62_135_596_800_000_000, 253_402_300_799_000_000, i64::MAX / 2, i64::MAX]
        {
            let at = Timestamp::from_micros(micros);
            assert!(schedule.next_after(at).is_none_or(|next| next > at), "{micros}");
            assert!(
                schedule.last_until(at, Timestamp::from_micros(i64::MIN)).is_none_or(|last| last <= at),
                "{micros}"
            );
            let _ = (schedule.clock_changes(Timestamp::from_micros(i64::MIN), at), schedule.period(at));
        }
        assert_eq!(schedule.clock_changes(Timestamp::from_micros(0), Timestamp::from_micros(i64::MAX)).len(), 64);
    }

    fn expression() -> impl Strategy<Value = String> {
        let field = "(\\*|\\*/[1-9]|[0-9]|1?[0-9]-[12][0-9]|[0-9],1[0-9]|H|H/[2-7])";
        prop_oneof![
            proptest::collection::vec(field, 5..7).prop_map(|fields| fields.join(" ")),
            "@every [1-9][0-9]{0,3}[smhd]",
            "[0-9*/,HLW#@A-Z?+() -]{0,40}",
            "\\PC{0,300}",
        ]
    }

    proptest! {
        #[test]
        fn next_and_last_agree_for_any_text(text in expression(), zone in 0..5_usize, micros in 0..4_000_000_000_000_000_i64) {
            let zone = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca"][zone];
            let now = Timestamp::from_micros(micros);
            if let Ok(schedule) = Schedule::parse(&text, zone, "seed", now) {
                let next = schedule.next_after(now).expect("parse checked that it fires");
                prop_assert!(next > now);
                // `next` is the last fire up to itself, and there is no fire between `now` and `next` or between two
                // successive fires.
                prop_assert_eq!(schedule.last_until(next, now), Some(next));
                let before = Timestamp::from_micros(next.as_micros() - 1);
                prop_assert!(schedule.last_until(before, now).is_none_or(|last| last == now));
                if let Some(second) = schedule.next_after(next) {
                    prop_assert!(second > next);
                    let before = Timestamp::from_micros(second.as_micros() - 1);
                    prop_assert_eq!(schedule.last_until(before, now), Some(next));
                }
                let words = schedule.describe();
                prop_assert!(!words.is_empty(), "no words");
                let _ = (schedule.clock_changes(now, now + Span::from_secs(86_400 * 400)), schedule.period(now));
            }
        }
    }
}
