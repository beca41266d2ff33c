//! The local times that an expression matches, without a time zone. Local times are seconds since 1970 as if the zone
//! were UTC.
//!
//! croner parses the fields and matches days. The search is our own, because croner's search handles clock changes
//! differently from the rules in [`super`]: with lists of hours, and with changes by two hours or around midnight.

use std::ops::Range;

use croner::{
    CronComponent, CronPattern, Weekday,
    parser::{CronParser, Seconds, Year},
};
use jiff::{civil::Date, tz::Offset};

use super::{BadSchedule, syntax::Fields};

pub(super) const DAY: i64 = 86_400;

/// The local times that an expression matches.
#[derive(Clone)]
pub(super) struct Pattern {
    cron: CronPattern,
    is_interval: bool,
    // One bit for each value.
    seconds: u64,
    minutes: u64,
    hours: u64,
    months: u64,
}

impl Pattern {
    /// From fields that [`super::syntax`] has validated.
    pub(super) fn new(fields: &Fields) -> Result<Self, BadSchedule> {
        let parser = CronParser::builder().seconds(Seconds::Required).year(Year::Disallowed).build();
        let cron = parser
            .parse(&fields.text)
            .map_err(|reason| BadSchedule::Expression { text: fields.text.clone(), reason: reason.to_string() })?;
        let cron = cron.pattern;
        Ok(Self {
            is_interval: fields.is_interval,
            seconds: bits(&cron.seconds),
            minutes: bits(&cron.minutes),
            hours: bits(&cron.hours),
            months: bits(&cron.months),
            cron,
        })
    }

    /// Whether the schedule is an interval instead of times of day.
    pub(super) const fn is_interval(&self) -> bool {
        self.is_interval
    }

    /// The day fields, for the description.
    pub(super) const fn days(&self) -> &CronPattern {
        &self.cron
    }

    /// The matching seconds, minutes and hours, for the description.
    pub(super) fn times(&self) -> [Vec<u32>; 3] {
        [self.seconds, self.minutes, self.hours].map(|bits| (0..60).filter(|value| bits >> value & 1 == 1).collect())
    }

    /// The first matching local time in `from..end`.
    pub(super) fn first(&self, from: i64, end: i64) -> Option<i64> {
        let mut midnight = from - from.rem_euclid(DAY);
        let mut date = date(midnight)?;
        let mut time = from - midnight;
        while midnight < end {
            if !has(self.months, i64::from(date.month())) {
                let days = i64::from(date.days_in_month() - date.day()) + 1;
                (midnight, date, time) = (midnight + days * DAY, date.last_of_month().tomorrow().ok()?, 0);
                continue;
            }
            if self.names_day(date)
                && let Some(time) = self.first_time(time)
            {
                return Some(midnight + time).filter(|found| *found < end);
            }
            (midnight, date, time) = (midnight + DAY, date.tomorrow().ok()?, 0);
        }
        None
    }

    /// The last matching local time in `floor..=until`.
    pub(super) fn last(&self, until: i64, floor: i64) -> Option<i64> {
        let mut midnight = until - until.rem_euclid(DAY);
        let mut date = date(midnight)?;
        let mut time = until - midnight;
        while midnight + time >= floor {
            if !has(self.months, i64::from(date.month())) {
                let days = i64::from(date.day());
                (midnight, date, time) = (midnight - days * DAY, date.first_of_month().yesterday().ok()?, DAY - 1);
                continue;
            }
            if self.names_day(date)
                && let Some(time) = self.last_time(time)
            {
                return Some(midnight + time).filter(|found| *found >= floor);
            }
            (midnight, date, time) = (midnight - DAY, date.yesterday().ok()?, DAY - 1);
        }
        None
    }

    /// The first matching local time in a gap, without days that lie in the gap as a whole.
    pub(super) fn first_in_gap(&self, gap: Range<i64>) -> Option<i64> {
        let mut from = gap.start;
        while from < gap.end {
            let found = self.first(from, gap.end)?;
            let midnight = found - found.rem_euclid(DAY);
            if midnight < gap.start || midnight + DAY > gap.end {
                return Some(found);
            }
            from = midnight + DAY;
        }
        None
    }

    fn names_day(&self, date: Date) -> bool {
        let weekday = Weekday::from_days_from_sunday(u32::from(date.weekday().to_sunday_zero_offset().unsigned_abs()));
        let (month, day) = (u32::from(date.month().unsigned_abs()), u32::from(date.day().unsigned_abs()));
        self.cron.day_match(i32::from(date.year()), month, day, weekday).unwrap_or(false)
    }

    /// The first matching second of the day at or after `time`.
    fn first_time(&self, time: i64) -> Option<i64> {
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
        if has(self.hours, hour) {
            if has(self.minutes, minute)
                && let Some(second) = at_or_after(self.seconds, second)
            {
                return Some(hour * 3_600 + minute * 60 + second);
            }
            if let Some(minute) = at_or_after(self.minutes, minute + 1) {
                return Some(hour * 3_600 + minute * 60 + at_or_after(self.seconds, 0)?);
            }
        }
        let hour = at_or_after(self.hours, hour + 1)?;
        Some(hour * 3_600 + at_or_after(self.minutes, 0)? * 60 + at_or_after(self.seconds, 0)?)
    }

    /// The last matching second of the day at or before `time`.
    fn last_time(&self, time: i64) -> Option<i64> {
        let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
        if has(self.hours, hour) {
            if has(self.minutes, minute)
                && let Some(second) = at_or_before(self.seconds, second)
            {
                return Some(hour * 3_600 + minute * 60 + second);
            }
            if let Some(minute) = at_or_before(self.minutes, minute - 1) {
                return Some(hour * 3_600 + minute * 60 + at_or_before(self.seconds, 59)?);
            }
        }
        let hour = at_or_before(self.hours, hour - 1)?;
        Some(hour * 3_600 + at_or_before(self.minutes, 59)? * 60 + at_or_before(self.seconds, 59)?)
    }
}

/// The date of a local midnight.
pub(super) fn date(midnight: i64) -> Option<Date> {
    let at = jiff::Timestamp::from_second(midnight).ok()?;
    Some(Offset::UTC.to_datetime(at).date())
}

fn bits(field: &CronComponent) -> u64 {
    field.values().into_iter().fold(0, |bits, value| bits | 1 << value)
}

const fn has(bits: u64, value: i64) -> bool {
    bits >> value & 1 == 1
}

fn at_or_after(bits: u64, value: i64) -> Option<i64> {
    let left = bits >> value << value;
    (left != 0).then(|| i64::from(left.trailing_zeros()))
}

fn at_or_before(bits: u64, value: i64) -> Option<i64> {
    let left = if value < 0 { 0 } else { bits << (63 - value) >> (63 - value) };
    (left != 0).then(|| 63 - i64::from(left.leading_zeros()))
}
