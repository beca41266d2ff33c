//! The tested patterns, each with its meaning as Rust closures, written by hand so that no parser is trusted.

use jiff::civil::{Date, Weekday};

/// A pattern and its meaning.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// The expression.
    pub(crate) text: &'static str,
    /// Whether it is an interval.
    pub(crate) is_interval: bool,
    /// Whether it matches a minute.
    pub(crate) minute: fn(i8) -> bool,
    /// Whether it matches an hour.
    pub(crate) hour: fn(i8) -> bool,
    /// Whether it matches a day.
    pub(crate) day: fn(Date) -> bool,
}

const FIXED: Case = Case { text: "", is_interval: false, minute: |m| m == 0, hour: |_| true, day: |_| true };
const INTERVAL: Case = Case { is_interval: true, ..FIXED };

/// One pattern of every kind that clock changes affect differently.
pub(crate) const CASES: [Case; 16] = [
    Case { text: "30 2 * * *", minute: |m| m == 30, hour: |h| h == 2, ..FIXED },
    Case { text: "30 2,14 * * *", minute: |m| m == 30, hour: |h| h == 2 || h == 14, ..FIXED },
    Case { text: "0 0 * * *", hour: |h| h == 0, ..FIXED },
    Case { text: "59 23 * * *", minute: |m| m == 59, hour: |h| h == 23, ..FIXED },
    Case { text: "30 0-4 * * *", minute: |m| m == 30, hour: |h| h <= 4, ..FIXED },
    Case { text: "*/20 0-23 * * *", minute: |m| m % 20 == 0, ..FIXED },
    Case { text: "15 1 * * SUN", minute: |m| m == 15, hour: |h| h == 1, day: is_sunday, ..FIXED },
    Case {
        text: "0 3 * * MON-FRI",
        hour: |h| h == 3,
        day: |d| !is_sunday(d) && d.weekday() != Weekday::Saturday,
        ..FIXED
    },
    Case { text: "0 2 31 * *", hour: |h| h == 2, day: |d| d.day() == 31, ..FIXED },
    Case {
        text: "45 1,2 L * *",
        minute: |m| m == 45,
        hour: |h| h == 1 || h == 2,
        day: |d| d.day() == d.days_in_month(),
        ..FIXED
    },
    Case {
        text: "30 0,1,23 30 3,10,12 *",
        minute: |m| m == 30,
        hour: |h| matches!(h, 0 | 1 | 23),
        day: is_late,
        ..FIXED
    },
    Case { text: "*/15 * * * *", minute: |m| m % 15 == 0, ..INTERVAL },
    Case { text: "0 * * * *", ..INTERVAL },
    Case { text: "*/7 */2 * * *", minute: |m| m % 7 == 0, hour: |h| h % 2 == 0, ..INTERVAL },
    Case { text: "30 */3 * * SUN", minute: |m| m == 30, hour: |h| h % 3 == 0, day: is_sunday, ..INTERVAL },
    Case { text: "10 * 1-7 * *", minute: |m| m == 10, day: |d| d.day() <= 7, ..INTERVAL },
];

fn is_sunday(date: Date) -> bool {
    date.weekday() == Weekday::Sunday
}

fn is_late(date: Date) -> bool {
    date.day() == 30 && matches!(date.month(), 3 | 10 | 12)
}
