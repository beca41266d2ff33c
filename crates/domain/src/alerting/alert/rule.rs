//! Alert rules: the settings of each kind of alert, and their defaults.

use serde::{Deserialize, Serialize};

use super::{AlertKind, Severity, database::VACUUM_HELD_SECONDS};
use crate::time::Span;

/// The upper limit of all times in a rule.
const SECONDS_MAX: u32 = 90 * 86_400;
/// The shortest interval of reminders.
const REPEAT_MIN: u32 = 60;

/// The rule for one kind of alert.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// Whether alerts of this kind are raised.
    pub is_enabled: bool,
    pub severity: Severity,
    /// How long the condition must hold before the alert is opened.
    pub for_seconds: u32,
    /// How long the condition must be gone before the alert is resolved.
    pub clear_seconds: u32,
    /// The interval of reminders; `None` sends none.
    pub repeat_seconds: Option<u32>,
    /// The threshold of kinds that have one: the age of the queue, of the last success, of the last heartbeat, of a
    /// transaction on PostgreSQL.
    pub threshold_seconds: Option<u32>,
}

/// An invalid rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRule {
    #[error("{0} must be between {1} and {SECONDS_MAX}")]
    Range(&'static str, u32),
    #[error("alerts of the kind {0} have no threshold of their own")]
    NoThreshold(AlertKind),
}

impl Rule {
    /// How long the condition must hold before the alert is opened.
    #[must_use]
    pub const fn hold(&self) -> Span {
        Span::from_secs(self.for_seconds)
    }

    /// How long the condition must be gone before the alert is resolved.
    #[must_use]
    pub const fn clear(&self) -> Span {
        Span::from_secs(self.clear_seconds)
    }

    /// The interval of reminders.
    #[must_use]
    pub fn repeat(&self) -> Option<Span> {
        self.repeat_seconds.map(Span::from_secs)
    }

    /// The threshold; zero for kinds without one.
    #[must_use]
    pub fn threshold(&self) -> Span {
        Span::from_secs(self.threshold_seconds.unwrap_or(0))
    }

    /// Whether this rule is valid for this kind.
    ///
    /// # Errors
    /// The first invalid field.
    pub fn check(&self, kind: AlertKind) -> Result<(), BadRule> {
        let threshold = defaults(kind).threshold_seconds;
        if self.threshold_seconds.is_some() && threshold.is_none() {
            return Err(BadRule::NoThreshold(kind));
        }
        for (name, value, least) in [
            ("for_seconds", Some(self.for_seconds), 0),
            ("clear_seconds", Some(self.clear_seconds), 0),
            ("repeat_seconds", self.repeat_seconds, REPEAT_MIN),
            ("threshold_seconds", self.threshold_seconds, 1),
        ] {
            if value.is_some_and(|value| value > SECONDS_MAX || value < least) {
                return Err(BadRule::Range(name, least));
            }
        }
        Ok(())
    }
}

/// The rule of a kind that an org has not changed.
#[must_use]
pub const fn defaults(kind: AlertKind) -> Rule {
    use AlertKind as K;
    let (severity, for_seconds, clear_seconds, threshold_seconds) = match kind {
        // Hosts and orgs have a delay of their own for this kind: `alert_after`.
        K::HostOffline => (Severity::Warning, 0, 0, None),
        K::StaleSchedule => (Severity::Warning, 0, 0, Some(7 * 86_400)),
        K::JobFailed => (Severity::Warning, 0, 0, None),
        K::DeadLetter => (Severity::Critical, 0, 0, None),
        K::QueueAge => (Severity::Warning, 60, 60, Some(600)),
        K::HostDegraded => (Severity::Warning, 300, 120, None),
        K::ClockSkew => (Severity::Warning, 120, 60, None),
        K::DuplicateHost => (Severity::Critical, 0, 60, None),
        // A day without rejected data ends the condition; a person can end it before.
        K::HostMisbehaving => (Severity::Critical, 0, 0, None),
        K::StaleWorker => (Severity::Warning, 0, 0, Some(300)),
        K::TriggerFailed => (Severity::Warning, 0, 0, None),
        K::PingMissed => (Severity::Warning, 0, 0, None),
        K::CrashLoop => (Severity::Critical, 0, 0, None),
        K::VersionSkew => (Severity::Info, 86_400, 0, None),
        K::SyncLag => (Severity::Warning, 0, 0, Some(900)),
        // The threshold is for PostgreSQL; the load of SQLite's writer has a period of its own.
        K::DatabaseSlow => (Severity::Warning, 0, 60, Some(VACUUM_HELD_SECONDS)),
    };
    Rule { is_enabled: true, severity, for_seconds, clear_seconds, repeat_seconds: None, threshold_seconds }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_valid_default_rule() {
        for kind in AlertKind::ALL {
            assert_eq!(defaults(*kind).check(*kind), Ok(()), "{kind}");
        }
    }

    #[test]
    fn every_kind_is_documented_and_named_on_the_pages() {
        let documentation = include_str!("../../../../../docs/alerts.md");
        let pages = include_str!("../../../../../ui/src/messages/alerts.ts");
        for kind in AlertKind::ALL {
            let start = format!("| `{kind}` |");
            let row = documentation.lines().find(|line| line.starts_with(&start));
            let severity = format!("| {} |", defaults(*kind).severity);
            assert!(row.is_some_and(|row| row.ends_with(&severity)), "docs/alerts.md, {kind}: {row:?}");
            // Its name and its note.
            let texts = pages.lines().filter(|line| line.trim_start().starts_with(&format!("{kind}: \""))).count();
            assert_eq!(texts, 2, "ui/src/messages/alerts.ts, {kind}");
        }
    }

    #[test]
    fn rules_are_bounded() {
        let rule = defaults(AlertKind::QueueAge);
        for (wrong, said) in [
            (Rule { for_seconds: SECONDS_MAX + 1, ..rule.clone() }, "for_seconds"),
            (Rule { repeat_seconds: Some(5), ..rule.clone() }, "repeat_seconds"),
            (Rule { threshold_seconds: Some(0), ..rule }, "threshold_seconds"),
        ] {
            assert!(wrong.check(AlertKind::QueueAge).expect_err(said).to_string().contains(said));
        }
        assert!(
            defaults(AlertKind::QueueAge)
                .check(AlertKind::DeadLetter)
                .expect_err("has none")
                .to_string()
                .contains("no threshold")
        );
    }
}
