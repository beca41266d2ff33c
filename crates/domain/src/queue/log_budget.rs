//! Budgets of output: how much of a run's output a hub stores, and how much of one host's in a day. Hub and runner count
//! alike, so an honest runner stops before the hub has to cut.

use serde::{Deserialize, Serialize};

use crate::time::{Span, Timestamp};

/// Bytes that a line counts in addition to its text: number, time and stream.
const LINE_BYTES: u64 = 80;

/// Bytes that a line counts.
#[must_use]
pub const fn line_cost(text: usize) -> u64 {
    text as u64 + LINE_BYTES
}

/// The start of the day of a time, in UTC.
#[must_use]
pub fn day(at: Timestamp) -> Timestamp {
    let day = Span::from_secs(86_400).as_micros();
    Timestamp::from_micros(at.as_micros().div_euclid(day) * day)
}

/// The limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogBudget {
    /// Bytes of one run.
    pub run: u64,
    /// Bytes of all runs of a host in one day.
    pub day: u64,
}

impl Default for LogBudget {
    fn default() -> Self {
        Self { run: 16 * 1024 * 1024, day: 1024 * 1024 * 1024 }
    }
}

/// The used part of a budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogUse {
    /// Bytes of the run before the new lines.
    pub run: u64,
    /// Bytes of the host's day including the new lines.
    pub day: u64,
}

/// The limit at which output was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogCut {
    Run,
    Day,
}

impl LogBudget {
    /// How many of the new lines fit, and the limit that the next one exceeds.
    #[must_use]
    pub fn admit(&self, used: LogUse, costs: &[u64]) -> (usize, Option<LogCut>) {
        let new: u64 = costs.iter().sum();
        let (mut run, mut day) = (used.run, used.day.saturating_sub(new));
        for (count, cost) in costs.iter().enumerate() {
            (run, day) = (run.saturating_add(*cost), day.saturating_add(*cost));
            if run > self.run {
                return (count, Some(LogCut::Run));
            }
            if day > self.day {
                return (count, Some(LogCut::Day));
            }
        }
        (costs.len(), None)
    }

    /// The line at the end of output that was cut.
    #[must_use]
    pub fn text(&self, cut: LogCut) -> String {
        match cut {
            LogCut::Run => format!("output beyond {} per run is not stored", size(self.run)),
            LogCut::Day => format!("output beyond {} per host and day is not stored", size(self.day)),
        }
    }
}

fn size(bytes: u64) -> String {
    const MIB: u64 = 1024 * 1024;
    match bytes {
        0..MIB => format!("{bytes} bytes"),
        _ if bytes.is_multiple_of(1024 * MIB) => format!("{} GiB", bytes / (1024 * MIB)),
        _ => format!("{} MiB", bytes / MIB),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_until_the_first_limit() {
        let budget = LogBudget { run: 100, day: 150 };
        let used = |run, day| LogUse { run, day };
        for (name, used, costs, expected) in [
            ("all fit", used(0, 60), vec![30, 30], (2, None)),
            ("exactly the limit", used(40, 60), vec![30, 30], (2, None)),
            ("the run is full", used(41, 60), vec![30, 30], (1, Some(LogCut::Run))),
            ("the day is full", used(0, 151), vec![30, 30], (1, Some(LogCut::Day))),
            ("nothing fits", used(100, 1), vec![1], (0, Some(LogCut::Run))),
            ("no lines", used(500, 500), vec![], (0, None)),
        ] {
            assert_eq!(budget.admit(used, &costs), expected, "{name}");
        }
    }

    #[test]
    fn a_mark_names_its_limit() {
        let budget = LogBudget::default();
        assert_eq!(budget.text(LogCut::Run), "output beyond 16 MiB per run is not stored");
        assert_eq!(budget.text(LogCut::Day), "output beyond 1 GiB per host and day is not stored");
        assert_eq!(LogBudget { run: 500, day: 1 }.text(LogCut::Run), "output beyond 500 bytes per run is not stored");
    }

    #[test]
    fn days_begin_at_midnight_utc() {
        let midnight = Timestamp::from_micros(1_700_006_400_000_000);
        assert_eq!(day(midnight), midnight);
        assert_eq!(day(midnight + Span::from_secs(86_399)), midnight);
        assert_eq!(day(midnight + Span::from_secs(86_400)), midnight + Span::from_secs(86_400));
    }
}
