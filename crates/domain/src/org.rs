//! Orgs and their settings.

use crate::time::Span;

/// How long a host may be silent before it counts as offline, unless the org says otherwise.
pub const OFFLINE_AFTER: Span = Span::from_secs(90);
/// How long a host may be offline before somebody is told, unless the org says otherwise.
pub const ALERT_AFTER: Span = Span::from_secs(15 * 60);
/// The least and the most both settings can be.
pub const THRESHOLD_RANGE: (Span, Span) = (Span::from_secs(1), Span::from_secs(30 * 86_400));
/// The least and the most an org can keep its jobs: long enough to look at what has just ended, and short enough that all
/// times are ones that both databases know.
pub const KEEP_RANGE: (Span, Span) = (Span::from_secs(3_600), Span::from_secs(3_650 * 86_400));

/// The slug of the org that the first start makes.
pub const FIRST_ORG: &str = "default";

/// Why a setting of an org was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingRefused {
    /// Not a zone of the IANA database.
    #[error("`{0}` is not a time zone (write an IANA name, as in Europe/Berlin or UTC)")]
    Zone(String),
    /// Outside the range.
    #[error("{name} must be between {} and {}", THRESHOLD_RANGE.0, THRESHOLD_RANGE.1)]
    Threshold {
        /// Which setting.
        name: &'static str,
    },
    /// Jobs would be kept too short or too long.
    #[error("{name} must be between {} and {}, or null for the hub's own", KEEP_RANGE.0, KEEP_RANGE.1)]
    Keep {
        /// Which setting.
        name: &'static str,
    },
}

/// Checks an IANA zone name.
///
/// # Errors
/// The name is not in the database.
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

/// Checks how long jobs are to be kept.
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
            assert!(check_zone(wrong).is_err(), "{wrong} was taken");
        }
    }

    #[test]
    fn thresholds_have_bounds() {
        assert!(check_threshold("offline_after", OFFLINE_AFTER).is_ok());
        assert!(check_threshold("offline_after", Span::ZERO).is_err());
        assert!(check_threshold("alert_after", Span::from_secs(40 * 86_400)).is_err());
    }

    #[test]
    fn keeping_has_bounds() {
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
