//! Programs elsewhere that say when they run: a cron job on a machine without Hostler, watched all the same.

use serde::{Deserialize, Serialize};

use crate::{
    schedule::{BadSchedule, Schedule},
    time::{Span, Timestamp},
    words,
};

words! {
    /// What such a program says.
    pub enum PingWord {
        /// It has begun.
        Start = "start",
        /// It has succeeded.
        Success = "success",
        /// It has failed.
        Fail = "fail",
        /// Something for the record.
        Log = "log",
    }
}

/// The shortest and the longest period, and the longest grace.
const PERIOD: std::ops::RangeInclusive<u32> = 30..=366 * 86_400;
const GRACE_MAX: u32 = 30 * 86_400;

/// When a ping is expected: by a schedule, or after a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ping {
    /// By the clock.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The zone of that.
    #[serde(default)]
    pub timezone: Option<String>,
    /// Or at least so often.
    #[serde(default)]
    pub period_seconds: Option<u32>,
    /// How late it may be, and how long it may take once it has begun.
    pub grace_seconds: u32,
}

/// A ping that cannot be expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPing {
    /// Its schedule.
    #[error(transparent)]
    Schedule(#[from] BadSchedule),
    /// Its fields.
    #[error("{0}")]
    Field(String),
}

/// What a program has said so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// Since when it has been expected.
    pub since: Timestamp,
    /// When it last succeeded.
    pub succeeded_at: Option<Timestamp>,
    /// When it last began.
    pub started_at: Option<Timestamp>,
    /// The last that it said, and when.
    pub last: Option<(PingWord, Timestamp)>,
}

/// What is wrong, since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PingFault {
    /// It was expected by then.
    Late(Timestamp),
    /// It began then and has not ended.
    Hangs(Timestamp),
    /// It said then that it failed.
    Failed(Timestamp),
}

impl Ping {
    /// Whether it can be expected.
    ///
    /// # Errors
    /// What is wrong first.
    pub fn check(&self, now: Timestamp) -> Result<(), BadPing> {
        let refuse = |text: String| Err(BadPing::Field(text));
        if self.grace_seconds > GRACE_MAX {
            return refuse(format!("grace_seconds is at most {GRACE_MAX}"));
        }
        match (&self.cron_expr, &self.timezone, self.period_seconds) {
            (Some(_), Some(_), None) => self.schedule(now).map(drop).map_err(BadPing::Schedule),
            (None, None, Some(seconds)) if PERIOD.contains(&seconds) => Ok(()),
            (None, None, Some(_)) => {
                refuse(format!("period_seconds must be between {} and {}", PERIOD.start(), PERIOD.end()))
            }
            _ => refuse("a ping is expected by cron_expr and timezone, or by period_seconds".to_owned()),
        }
    }

    fn schedule(&self, anchor: Timestamp) -> Result<Option<Schedule>, BadSchedule> {
        let (Some(cron), Some(zone)) = (&self.cron_expr, &self.timezone) else { return Ok(None) };
        Schedule::parse(cron, zone, "ping", anchor).map(Some)
    }

    /// When the next success is expected, grace not counted.
    #[must_use]
    pub fn expected_at(&self, heard: Heard) -> Option<Timestamp> {
        let last = heard.succeeded_at.unwrap_or(heard.since);
        match self.period_seconds {
            Some(seconds) => Some(last + Span::from_secs(seconds)),
            None => self.schedule(heard.since).ok().flatten()?.next_after(last),
        }
    }

    /// What is wrong now.
    #[must_use]
    pub fn fault(&self, heard: Heard, now: Timestamp) -> Option<PingFault> {
        let grace = Span::from_secs(self.grace_seconds);
        match heard.last {
            Some((PingWord::Fail, at)) => return Some(PingFault::Failed(at)),
            Some((PingWord::Start, at)) if now > at + grace => return Some(PingFault::Hangs(at)),
            _ => {}
        }
        let expected = self.expected_at(heard)?;
        (now > expected + grace).then_some(PingFault::Late(expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-11-{text}:00Z").parse().expect("a time")
    }

    fn nightly() -> Ping {
        Ping {
            cron_expr: Some("0 2 * * *".into()),
            timezone: Some("UTC".into()),
            period_seconds: None,
            grace_seconds: 3_600,
        }
    }

    #[test]
    fn a_ping_is_late_hangs_or_fails() {
        let heard = |succeeded: Option<&str>, last: Option<(PingWord, &str)>| Heard {
            since: at("10T00:00"),
            succeeded_at: succeeded.map(at),
            started_at: None,
            last: last.map(|(word, text)| (word, at(text))),
        };
        let done = |text| heard(Some(text), Some((PingWord::Success, text)));
        for (case, heard, now, fault) in [
            ("new", heard(None, None), "10T02:59", None),
            ("never came", heard(None, None), "10T03:01", Some(PingFault::Late(at("10T02:00")))),
            ("came", done("10T02:10"), "11T03:00", None),
            ("not again", done("10T02:10"), "11T03:01", Some(PingFault::Late(at("11T02:00")))),
            ("runs", heard(Some("10T02:10"), Some((PingWord::Start, "11T02:00"))), "11T02:50", None),
            (
                "hangs",
                heard(Some("10T02:10"), Some((PingWord::Start, "11T02:00"))),
                "11T03:01",
                Some(PingFault::Hangs(at("11T02:00"))),
            ),
            (
                "failed",
                heard(Some("10T02:10"), Some((PingWord::Fail, "11T02:01"))),
                "11T02:02",
                Some(PingFault::Failed(at("11T02:01"))),
            ),
        ] {
            assert_eq!(nightly().fault(heard, at(now)), fault, "{case}");
        }
        let hourly = Ping { cron_expr: None, timezone: None, period_seconds: Some(3_600), grace_seconds: 60 };
        assert_eq!(hourly.fault(done("10T02:00"), at("10T03:01")), None);
        assert_eq!(hourly.fault(done("10T02:00"), at("10T03:02")), Some(PingFault::Late(at("10T03:00"))));
    }

    #[test]
    fn pings_that_cannot_be_are_refused() {
        let now = at("10T00:00");
        assert_eq!(nightly().check(now), Ok(()));
        for wrong in [
            Ping { timezone: None, ..nightly() },
            Ping { period_seconds: Some(60), ..nightly() },
            Ping { cron_expr: None, timezone: None, period_seconds: Some(1), ..nightly() },
            Ping { grace_seconds: u32::MAX, ..nightly() },
            Ping { cron_expr: Some("0 0 30 2 *".into()), ..nightly() },
        ] {
            assert!(wrong.check(now).is_err(), "{wrong:?}");
        }
    }
}
