//! Points in time and spans, in microseconds. Time zones are used only in texts for people.

use std::{
    fmt,
    ops::{Add, Sub},
    str::FromStr,
    time::Duration,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time: microseconds since 1970 UTC, displayed as RFC 3339 in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a time from microseconds since 1970 UTC.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970 UTC.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The time elapsed since `earlier`; zero if `earlier` is later. Ages are never negative.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Span {
        Span(if self.0 > earlier.0 { self.0 - earlier.0 } else { 0 })
    }

    /// The start of the minute: the bucket of per-minute counters.
    #[must_use]
    pub const fn minute(self) -> Self {
        Self(self.0 - self.0.rem_euclid(60_000_000))
    }
}

impl Timestamp {
    /// The local time in a zone, as in `2026-11-16T02:00:00-05:00[America/New_York]`; `None` for an unknown zone.
    #[must_use]
    pub fn in_zone(self, zone: &str) -> Option<String> {
        let at = jiff::Timestamp::from_microsecond(self.0).ok()?;
        at.in_tz(zone).ok().map(|local| local.to_string())
    }

    /// The local date in a zone; `None` for an unknown zone.
    pub(crate) fn date_in(self, zone: &str) -> Option<jiff::civil::Date> {
        Some(jiff::Timestamp::from_microsecond(self.0).ok()?.in_tz(zone).ok()?.date())
    }

    /// The local time for people, as in `Mon 16 Nov 2026 02:00 EST`; seconds only if they are not zero.
    #[must_use]
    pub fn format_in(self, zone: &str) -> Option<String> {
        let local = jiff::Timestamp::from_microsecond(self.0).ok()?.in_tz(zone).ok()?;
        let clock = if self.0.rem_euclid(60_000_000) == 0 { "%H:%M" } else { "%H:%M:%S" };
        Some(local.strftime(&format!("%a %-d %b %Y {clock} %Z")).to_string())
    }
}

/// RFC 3339 in UTC with microseconds; `{:.0}` leaves them out, for texts that people read.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            // A fixed number of digits, so that the texts sort in the order of the times.
            Ok(at) => write!(f, "{at:.0$}", f.precision().unwrap_or(6)),
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text with each RFC 3339 time in UTC replaced by `shown`. A time for which it returns `None` stays as it is.
#[must_use]
pub fn replace_times(text: &str, shown: impl Fn(Timestamp) -> Option<String>) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, end)) = first_time(rest) {
        let time = &rest[start..end];
        replaced.push_str(&rest[..start]);
        match time.parse().ok().and_then(&shown) {
            Some(words) => replaced.push_str(&words),
            None => replaced.push_str(time),
        }
        rest = &rest[end..];
    }
    replaced + rest
}

/// The first RFC 3339 time in UTC in a text: its start and its end.
fn first_time(text: &str) -> Option<(usize, usize)> {
    const FORM: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    let is_form = |window: &[u8]| {
        window.iter().zip(FORM).all(|(byte, form)| if *form == b'd' { byte.is_ascii_digit() } else { byte == form })
    };
    let mut from = 0;
    while let Some(found) = text.as_bytes()[from..].windows(FORM.len()).position(is_form) {
        let (start, end) = (from + found, from + found + FORM.len());
        let fraction = text[end..].find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len() - end);
        if text[end + fraction..].starts_with('Z') {
            return Some((start, end + fraction + 1));
        }
        from = end;
    }
    None
}

/// A text that is not a time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a time (write 2026-11-15T14:00:00Z)")]
pub struct NotATime(pub String);

impl FromStr for Timestamp {
    type Err = NotATime;
    fn from_str(text: &str) -> Result<Self, NotATime> {
        let at = text.parse::<jiff::Timestamp>().map_err(|_| NotATime(text.chars().take(60).collect()))?;
        Ok(Self(at.as_microsecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Add<Span> for Timestamp {
    type Output = Self;
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub<Span> for Timestamp {
    type Output = Self;
    fn sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

/// A length of time, never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(i64);

impl Span {
    /// A span of length zero.
    pub const ZERO: Self = Self(0);

    /// A span of `secs` seconds.
    #[must_use]
    pub const fn from_secs(secs: u32) -> Self {
        Self(secs as i64 * 1_000_000)
    }

    /// A span of `micros` microseconds; negative counts as zero.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(if micros > 0 { micros } else { 0 })
    }

    /// A span of `ms` milliseconds; negative counts as zero.
    #[must_use]
    pub const fn from_millis(ms: i64) -> Self {
        Self(if ms > 0 { ms.saturating_mul(1_000) } else { 0 })
    }

    /// Whole milliseconds.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        self.0 / 1_000
    }

    /// Whole microseconds.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// The span as `std::time::Duration`.
    #[must_use]
    pub const fn to_duration(self) -> Duration {
        Duration::from_micros(self.0.unsigned_abs())
    }
}

impl fmt::Display for Span {
    /// One unit: `42 s`, `6 min`, `9 h`, `2 d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = self.0 / 1_000_000;
        match secs {
            0 if self.0 > 0 => write!(f, "{} ms", self.0 / 1_000),
            0..60 => write!(f, "{secs} s"),
            60..3_600 => write!(f, "{} min", secs / 60),
            3_600..172_800 => write!(f, "{} h", secs / 3_600),
            _ => write!(f, "{} d", secs / 86_400),
        }
    }
}

/// A text that is not a span.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a duration (write 90s, 15m, 8h or 7d)")]
pub struct NotASpan(pub String);

impl FromStr for Span {
    type Err = NotASpan;
    /// Parses `500ms`, `90s`, `15m`, `8h` or `7d`; a number without a unit is rejected.
    fn from_str(text: &str) -> Result<Self, NotASpan> {
        let refuse = || NotASpan(text.chars().take(32).collect());
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let micros: i64 = match unit.trim() {
            "ms" => 1_000,
            "s" => 1_000_000,
            "m" | "min" => 60_000_000,
            "h" => 3_600_000_000,
            "d" => 86_400_000_000,
            _ => return Err(refuse()),
        };
        let number: i64 = number.parse().map_err(|_| refuse())?;
        number.checked_mul(micros).map(Self).ok_or_else(refuse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed_times_sort_in_order() {
        let whole = Timestamp::from_micros(1_700_000_000_000_000);
        let half = Timestamp::from_micros(1_700_000_000_500_000);
        assert_eq!(whole.to_string(), "2023-11-14T22:13:20.000000Z");
        assert!(whole.to_string() < half.to_string());
        assert_eq!(half.to_string().parse::<Timestamp>().ok(), Some(half));
        let said = "*/5 * * * *".parse::<Timestamp>().expect_err("not a time").to_string();
        assert_eq!(said, "`*/5 * * * *` is not a time (write 2026-11-15T14:00:00Z)");
    }

    #[test]
    fn times_for_people_have_no_microseconds() {
        let at = Timestamp::from_micros(1_763_215_200_123_456);
        assert_eq!(format!("{at} {at:.0}"), "2025-11-15T14:00:00.123456Z 2025-11-15T14:00:00Z");
    }

    #[test]
    fn format_in_shows_local_time() {
        let at: Timestamp = "2026-11-06T07:00:00Z".parse().expect("a time");
        assert_eq!(at.format_in("America/New_York").as_deref(), Some("Fri 6 Nov 2026 02:00 EST"));
        assert_eq!((at + Span::from_secs(9)).format_in("UTC").as_deref(), Some("Fri 6 Nov 2026 07:00:09 UTC"));
        assert_eq!(at.format_in("Mars/Olympus"), None);
    }

    #[test]
    fn replace_times_replaces_only_times_in_utc() {
        let shown = |text: &str| replace_times(text, |at| at.format_in("America/New_York"));
        assert_eq!(
            shown("late (é) since 2026-11-06T07:00:00.123456Z, then 2026-11-06T07:01:00Z."),
            "late (é) since Fri 6 Nov 2026 02:00:00 EST, then Fri 6 Nov 2026 02:01 EST."
        );
        for same in ["", "at 2026-11-06", "2026-11-06T07:00:00+01:00", "2026-13-06T07:00:00Z"] {
            assert_eq!(shown(same), same);
        }
        assert_eq!(replace_times("2026-11-06T07:00:00Z", |at| at.format_in("Mars/Olympus")), "2026-11-06T07:00:00Z");
    }

    #[test]
    fn ages_are_never_negative() {
        let now = Timestamp::from_micros(10);
        assert_eq!(now.since(Timestamp::from_micros(20)), Span::ZERO);
    }

    #[test]
    fn spans_parse_and_display() {
        for (text, shown) in
            [("90s", "1 min"), ("45s", "45 s"), ("15m", "15 min"), ("8h", "8 h"), ("7d", "7 d"), ("500ms", "500 ms")]
        {
            assert_eq!(text.parse::<Span>().map(|s| s.to_string()), Ok(shown.to_owned()));
        }
        for wrong in ["", "15", "m", "1 week", "-3s", "99999999999999999d"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong} was accepted");
        }
    }
}
