//! Pings: external programs that report when they run, such as a cron job on a machine without a runner, and their
//! monitoring.

use serde::{Deserialize, Serialize};

use crate::{
    schedule::{BadSchedule, Schedule},
    string_enum,
    time::{Span, Timestamp},
};

string_enum! {
    /// The kinds of reports of a program.
    pub enum PingWord {
        Start = "start",
        Success = "success",
        Fail = "fail",
        /// A message for the record; no effect on the state.
        Log = "log",
    }
}

/// The shortest and the longest period in seconds.
const PERIOD: std::ops::RangeInclusive<u32> = 30..=366 * 86_400;
// The longest grace period in seconds.
const GRACE_MAX: u32 = 30 * 86_400;

/// When a ping is expected: by a schedule, or after a period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ping {
    /// A cron expression; needs `timezone`.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The time zone of `cron_expr`.
    #[serde(default)]
    pub timezone: Option<String>,
    /// The longest time between two successes, instead of `cron_expr`.
    #[serde(default)]
    pub period_seconds: Option<u32>,
    /// How late a success may be, and how long a run may take after its `start`.
    pub grace_seconds: u32,
}

/// Why a ping is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPing {
    #[error(transparent)]
    Schedule(#[from] BadSchedule),
    #[error("{0}")]
    Field(String),
}

/// The reports received so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedReports {
    /// The start of monitoring.
    pub since: Timestamp,
    pub succeeded_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    /// The last report and its time.
    pub last: Option<(PingWord, Timestamp)>,
}

/// The problem of a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PingFault {
    /// No success by this expected time plus grace.
    Late(Timestamp),
    /// Started at this time, without an end.
    Hangs(Timestamp),
    /// Reported a failure at this time.
    Failed(Timestamp),
}

impl Ping {
    /// Checks the fields of a ping.
    ///
    /// # Errors
    /// The first invalid field.
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
            _ => refuse("set either cron_expr and timezone, or period_seconds".to_owned()),
        }
    }

    fn schedule(&self, anchor: Timestamp) -> Result<Option<Schedule>, BadSchedule> {
        let (Some(cron), Some(zone)) = (&self.cron_expr, &self.timezone) else { return Ok(None) };
        Schedule::parse(cron, zone, "ping", anchor).map(Some)
    }

    /// When the next success is expected, without the grace period.
    #[must_use]
    pub fn expected_at(&self, reports: ReceivedReports) -> Option<Timestamp> {
        let last = reports.succeeded_at.unwrap_or(reports.since);
        match self.period_seconds {
            Some(seconds) => Some(last + Span::from_secs(seconds)),
            None => self.schedule(reports.since).ok().flatten()?.next_after(last),
        }
    }

    /// The problem at time `now`.
    #[must_use]
    pub fn fault(&self, reports: ReceivedReports, now: Timestamp) -> Option<PingFault> {
        let grace = Span::from_secs(self.grace_seconds);
        match reports.last {
            Some((PingWord::Fail, at)) => return Some(PingFault::Failed(at)),
            Some((PingWord::Start, at)) if now > at + grace => return Some(PingFault::Hangs(at)),
            _ => {}
        }
        let expected = self.expected_at(reports)?;
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
        let reports = |succeeded: Option<&str>, last: Option<(PingWord, &str)>| ReceivedReports {
            since: at("10T00:00"),
            succeeded_at: succeeded.map(at),
            started_at: None,
            last: last.map(|(word, text)| (word, at(text))),
        };
        let done = |text| reports(Some(text), Some((PingWord::Success, text)));
        for (case, reports, now, fault) in [
            ("new", reports(None, None), "10T02:59", None),
            ("never came", reports(None, None), "10T03:01", Some(PingFault::Late(at("10T02:00")))),
            ("came", done("10T02:10"), "11T03:00", None),
            ("not again", done("10T02:10"), "11T03:01", Some(PingFault::Late(at("11T02:00")))),
            ("runs", reports(Some("10T02:10"), Some((PingWord::Start, "11T02:00"))), "11T02:50", None),
            (
                "hangs",
                reports(Some("10T02:10"), Some((PingWord::Start, "11T02:00"))),
                "11T03:01",
                Some(PingFault::Hangs(at("11T02:00"))),
            ),
            (
                "failed",
                reports(Some("10T02:10"), Some((PingWord::Fail, "11T02:01"))),
                "11T02:02",
                Some(PingFault::Failed(at("11T02:01"))),
            ),
        ] {
            assert_eq!(nightly().fault(reports, at(now)), fault, "{case}");
        }
        let hourly = Ping { cron_expr: None, timezone: None, period_seconds: Some(3_600), grace_seconds: 60 };
        assert_eq!(hourly.fault(done("10T02:00"), at("10T03:01")), None);
        assert_eq!(hourly.fault(done("10T02:00"), at("10T03:02")), Some(PingFault::Late(at("10T03:00"))));
    }

    #[test]
    fn invalid_pings_are_rejected() {
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
