//! Times without notifications: maintenance windows, mutes, and a channel's quiet hours.

use serde::{Deserialize, Serialize};

use super::AlertKind;
use crate::{
    HostId,
    label::{Labels, Selector},
    schedule::{BadSchedule, Schedule},
    time::{Span, Timestamp},
};

/// The longest duration of a recurring window.
const DURATION_MAX: u32 = 7 * 86_400;

/// A maintenance window or mute: alerts are recorded, but not sent. One-time or recurring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Only this host; all hosts if absent. A mute of one host uses this field.
    #[serde(default)]
    pub host: Option<HostId>,
    /// Only hosts with these labels.
    #[serde(default)]
    pub selector: Option<String>,
    /// Only these kinds; all if empty.
    #[serde(default)]
    pub kinds: Vec<AlertKind>,
    /// Only this subject, as in `definition:sync`; all if absent.
    #[serde(default)]
    pub subject: Option<String>,
    /// The start; for a recurring window the earliest occurrence.
    pub starts_at: Timestamp,
    /// The end; for a recurring window no occurrence applies after it. No end if absent.
    #[serde(default)]
    pub ends_at: Option<Timestamp>,
    /// When the window recurs.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The time zone of `cron_expr`.
    #[serde(default)]
    pub timezone: Option<String>,
    /// The duration of each occurrence.
    #[serde(default)]
    pub duration_seconds: Option<u32>,
}

/// An invalid window or invalid quiet hours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMuteWindow {
    /// The schedule is invalid.
    #[error(transparent)]
    Schedule(#[from] BadSchedule),
    /// A field is invalid, or two fields contradict each other.
    #[error("{0}")]
    Field(String),
}

impl Window {
    /// Whether the window is valid.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn check(&self) -> Result<(), BadMuteWindow> {
        let refuse = |text: &str| Err(BadMuteWindow::Field(text.to_owned()));
        if self.ends_at.is_some_and(|ends| ends <= self.starts_at) {
            return refuse("ends_at must be after starts_at");
        }
        if let Some(selector) = &self.selector {
            selector.parse::<Selector>().map_err(|error| BadMuteWindow::Field(error.to_string()))?;
        }
        match (&self.cron_expr, &self.timezone, self.duration_seconds) {
            (None, None, None) if self.ends_at.is_none() => refuse("a window that does not recur needs ends_at"),
            (None, None, None) => Ok(()),
            (Some(_), Some(_), Some(seconds)) if (1..=DURATION_MAX).contains(&seconds) => {
                self.schedule()?;
                Ok(())
            }
            (Some(_), Some(_), Some(_)) => {
                Err(BadMuteWindow::Field(format!("duration_seconds must be between 1 and {DURATION_MAX}")))
            }
            _ => refuse("a recurring window needs cron_expr, timezone and duration_seconds"),
        }
    }

    fn schedule(&self) -> Result<Option<Schedule>, BadSchedule> {
        let (Some(cron), Some(zone)) = (&self.cron_expr, &self.timezone) else { return Ok(None) };
        Schedule::parse(cron, zone, "window", self.starts_at).map(Some)
    }

    /// Whether the window applies at this time.
    #[must_use]
    pub fn holds(&self, now: Timestamp) -> bool {
        if now < self.starts_at || self.ends_at.is_some_and(|ends| ends <= now) {
            return false;
        }
        let Some(seconds) = self.duration_seconds else { return true };
        let length = Span::from_secs(seconds);
        // The schedule was valid when it was saved. One that no longer parses suppresses nothing.
        let Ok(Some(schedule)) = self.schedule() else { return false };
        schedule.last_until(now, now - length).is_some_and(|began| now < began + length)
    }

    fn is_for(&self, about: &About<'_>) -> bool {
        let host = self.host.is_none_or(|host| about.host == Some(host));
        let labels = self.selector.as_ref().is_none_or(|selector| {
            let Some(labels) = about.labels else { return false };
            selector.parse::<Selector>().is_ok_and(|selector| selector.matches(labels))
        });
        let kind = self.kinds.is_empty() || self.kinds.contains(&about.kind);
        let subject = self.subject.as_ref().is_none_or(|subject| subject == about.subject);
        host && labels && kind && subject
    }
}

/// The properties of an alert that windows match on.
struct About<'a> {
    kind: AlertKind,
    host: Option<HostId>,
    labels: Option<&'a Labels>,
    subject: &'a str,
}

/// The windows of an org that apply at one point in time.
#[derive(Debug, Clone, Default)]
pub struct Windows(Vec<Window>);

impl Windows {
    /// Selects the windows that apply at this time.
    #[must_use]
    pub fn at(all: Vec<Window>, now: Timestamp) -> Self {
        Self(all.into_iter().filter(|window| window.holds(now)).collect())
    }

    /// Whether notifications of this alert are suppressed.
    #[must_use]
    pub fn hold_back(&self, kind: AlertKind, host: Option<HostId>, labels: Option<&Labels>, subject: &str) -> bool {
        let about = About { kind, host, labels, subject };
        self.0.iter().any(|window| window.is_for(&about))
    }
}

/// A time of day, as in `22:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock(u16);

impl std::str::FromStr for Clock {
    type Err = BadMuteWindow;
    fn from_str(text: &str) -> Result<Self, BadMuteWindow> {
        let refuse = || {
            let shown: String = text.chars().take(20).collect();
            BadMuteWindow::Field(format!("`{shown}` is not a time of day (write 22:00)"))
        };
        let (hours, minutes) = text.split_once(':').ok_or_else(refuse)?;
        let is_number = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(hours) || !is_number(minutes) {
            return Err(refuse());
        }
        let (hours, minutes): (u16, u16) =
            (hours.parse().map_err(|_| refuse())?, minutes.parse().map_err(|_| refuse())?);
        if hours > 23 || minutes > 59 { Err(refuse()) } else { Ok(Self(hours * 60 + minutes)) }
    }
}

/// Hours of the day in which a channel receives only critical alerts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// Start, as in `22:00`.
    pub from: String,
    /// End, as in `07:00`.
    pub until: String,
    pub timezone: String,
}

impl QuietHours {
    /// Whether the quiet hours are valid.
    ///
    /// # Errors
    /// A time or the time zone is invalid.
    pub fn check(&self) -> Result<(), BadMuteWindow> {
        let (from, until): (Clock, Clock) = (self.from.parse()?, self.until.parse()?);
        if from == until {
            return Err(BadMuteWindow::Field("quiet hours need a start and a different end".to_owned()));
        }
        crate::org::check_zone(&self.timezone).map_err(|error| BadMuteWindow::Field(error.to_string()))
    }

    /// The end of the current quiet hours; `None` outside of them.
    #[must_use]
    pub fn end(&self, now: Timestamp) -> Option<Timestamp> {
        let (from, until): (Clock, Clock) = (self.from.parse().ok()?, self.until.parse().ok()?);
        let zoned = jiff::Timestamp::from_microsecond(now.as_micros()).ok()?.in_tz(&self.timezone).ok()?;
        let minute = u16::try_from(zoned.hour()).ok()? * 60 + u16::try_from(zoned.minute()).ok()?;
        let is_quiet =
            if from.0 < until.0 { (from.0..until.0).contains(&minute) } else { minute >= from.0 || minute < until.0 };
        if !is_quiet {
            return None;
        }
        let day = if minute < until.0 { zoned.date() } else { zoned.date().tomorrow().ok()? };
        let (hour, minute) = (i8::try_from(until.0 / 60).ok()?, i8::try_from(until.0 % 60).ok()?);
        let end = day.at(hour, minute, 0, 0).in_tz(&self.timezone).ok()?;
        Some(Timestamp::from_micros(end.timestamp().as_microsecond()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("2026-11-{text}:00Z").parse().expect("a time")
    }

    fn window() -> Window {
        Window {
            host: None,
            selector: None,
            kinds: Vec::new(),
            subject: None,
            starts_at: at("10T00:00"),
            ends_at: Some(at("20T00:00")),
            cron_expr: None,
            timezone: None,
            duration_seconds: None,
        }
    }

    fn weekly() -> Window {
        Window {
            cron_expr: Some("0 22 * * 6".into()),
            timezone: Some("Europe/Berlin".into()),
            duration_seconds: Some(4 * 3_600),
            ends_at: None,
            ..window()
        }
    }

    #[test]
    fn windows_apply_between_start_and_end() {
        for (window, now, holds) in [
            (window(), "09T23:59", false),
            (window(), "10T00:00", true),
            (window(), "20T00:00", false),
            // Saturday the 14th, 22:00 in Berlin is 21:00 UTC.
            (weekly(), "14T20:59", false),
            (weekly(), "14T21:00", true),
            (weekly(), "15T00:59", true),
            (weekly(), "15T01:00", false),
        ] {
            assert_eq!(window.holds(at(now)), holds, "{now}");
        }
    }

    #[test]
    fn windows_suppress_matching_alerts() {
        let prod = Labels::try_from(BTreeMap::from([("env".to_owned(), "prod".to_owned())])).expect("labels");
        let now = at("11T00:00");
        let back = |window: Window, kind, host: Option<HostId>, labels: Option<&Labels>| {
            Windows::at(vec![window], now).hold_back(kind, host, labels, "host:x")
        };
        let (kind, me) = (AlertKind::HostOffline, HostId::from_bytes([7; 16]));
        assert!(back(window(), kind, None, None));
        assert!(back(Window { selector: Some("env=prod".into()), ..window() }, kind, None, Some(&prod)));
        assert!(!back(Window { selector: Some("env=dev".into()), ..window() }, kind, None, Some(&prod)));
        assert!(!back(Window { selector: Some("env=prod".into()), ..window() }, kind, None, None));
        assert!(!back(Window { kinds: vec![AlertKind::DeadLetter], ..window() }, kind, None, None));
        assert!(back(Window { host: Some(me), ..window() }, kind, Some(me), None));
        assert!(!back(Window { host: Some(me), ..window() }, kind, None, None));
        assert!(back(Window { subject: Some("host:x".into()), ..window() }, kind, None, None));
        assert!(!back(Window { subject: Some("host:y".into()), ..window() }, kind, None, None));
        assert!(!Windows::at(vec![window()], at("21T00:00")).hold_back(kind, None, None, ""));
    }

    #[test]
    fn invalid_windows_are_rejected() {
        assert_eq!((window().check(), weekly().check()), (Ok(()), Ok(())));
        for wrong in [
            Window { ends_at: None, ..window() },
            Window { ends_at: Some(at("09T00:00")), ..window() },
            Window { selector: Some("=".into()), ..window() },
            Window { timezone: None, ..weekly() },
            Window { duration_seconds: Some(0), ..weekly() },
            Window { cron_expr: Some("0 0 30 2 *".into()), ..weekly() },
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn quiet_hours_end_in_the_morning() {
        let night = QuietHours { from: "22:00".into(), until: "07:00".into(), timezone: "Europe/Berlin".into() };
        assert_eq!(night.check(), Ok(()));
        assert_eq!(night.end(at("10T20:59")), None);
        assert_eq!(night.end(at("10T21:00")), Some(at("11T06:00")));
        assert_eq!(night.end(at("11T02:00")), Some(at("11T06:00")));
        assert_eq!(night.end(at("11T06:00")), None);
        let noon = QuietHours { from: "12:00".into(), until: "13:00".into(), timezone: "UTC".into() };
        assert_eq!(noon.end(at("10T12:30")), Some(at("10T13:00")));
        for (from, until, zone) in
            [("24:00", "07:00", "UTC"), ("7", "08:00", "UTC"), ("07:00", "07:00", "UTC"), ("22:00", "07:00", "Mars")]
        {
            let wrong = QuietHours { from: from.into(), until: until.into(), timezone: zone.into() };
            assert!(wrong.check().is_err(), "{from} {until} {zone}");
        }
    }
}
