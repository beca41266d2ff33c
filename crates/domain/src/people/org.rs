//! Settings of orgs: defaults and allowed ranges.

use crate::time::Span;

/// The default of `offline_after`: the longest silence of a host before it counts as offline.
pub const OFFLINE_AFTER: Span = Span::from_secs(90);
/// The default of `alert_after`: how long a host may be offline before an alert is raised.
pub const ALERT_AFTER: Span = Span::from_secs(15 * 60);
/// The allowed range of both thresholds.
pub const THRESHOLD_RANGE: (Span, Span) = (Span::from_secs(1), Span::from_secs(30 * 86_400));
/// The allowed range of retention times of jobs: long enough to inspect a job that has just ended, and short enough
/// that `now - keep` stays a time that both databases can represent.
pub const KEEP_RANGE: (Span, Span) = (Span::from_secs(3_600), Span::from_secs(3_650 * 86_400));

/// The slug of the org that the first start creates.
pub const FIRST_ORG: &str = "default";

/// Why a setting of an org is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingRefused {
    #[error("`{0}` is not a time zone (write an IANA name, as in Europe/Berlin or UTC)")]
    Zone(String),
    #[error("{name} must be between {} and {}", THRESHOLD_RANGE.0, THRESHOLD_RANGE.1)]
    Threshold { name: &'static str },
    #[error("{name} must be between {} and {}, or null for the hub's setting", KEEP_RANGE.0, KEEP_RANGE.1)]
    Keep { name: &'static str },
}

/// Checks an IANA zone name.
///
/// # Errors
/// The name is not in the IANA database.
pub fn check_zone(name: &str) -> Result<(), SettingRefused> {
    jiff::tz::TimeZone::get(name).map(drop).map_err(|_| SettingRefused::Zone(name.chars().take(64).collect()))
}

/// Checks `offline_after` or `alert_after`.
///
/// # Errors
/// The span is outside the allowed range.
pub fn check_threshold(name: &'static str, span: Span) -> Result<(), SettingRefused> {
    let (least, most) = THRESHOLD_RANGE;
    if span < least || span > most { Err(SettingRefused::Threshold { name }) } else { Ok(()) }
}

/// Checks a retention time of jobs.
///
/// # Errors
/// The span is outside the allowed range.
pub fn check_keep(name: &'static str, span: Span) -> Result<(), SettingRefused> {
    let (least, most) = KEEP_RANGE;
    if span < least || span > most { Err(SettingRefused::Keep { name }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_iana_names() {
        for good in ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"] {
            assert!(check_zone(good).is_ok(), "{good}");
        }
        for wrong in ["", "Berlin", "CET+1", "Mars/Olympus"] {
            assert!(check_zone(wrong).is_err(), "{wrong} was accepted");
        }
    }

    #[test]
    fn thresholds_have_bounds() {
        assert!(check_threshold("offline_after", OFFLINE_AFTER).is_ok());
        assert!(check_threshold("offline_after", Span::ZERO).is_err());
        assert!(check_threshold("alert_after", Span::from_secs(40 * 86_400)).is_err());
    }

    #[test]
    fn retention_times_have_bounds() {
        let (least, most) = KEEP_RANGE;
        for (span, is_right) in [
            (least, true),
            (Span::from_secs(30 * 86_400), true),
            (most, true),
            (Span::ZERO, false),
            (Span::from_millis(least.as_millis() - 1), false),
            (Span::from_millis(most.as_millis() + 1), false),
        ] {
            assert_eq!(check_keep("keep_failed", span).is_ok(), is_right, "{span}");
        }
        let refused = check_keep("keep_failed", Span::ZERO).expect_err("too short").to_string();
        assert!(refused.starts_with("keep_failed must be between 1 h and 3650 d"), "{refused}");
    }
}
