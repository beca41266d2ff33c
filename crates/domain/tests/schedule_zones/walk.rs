//! The wall clock of a zone, minute by minute, and what was promised about it.

use std::ops::Range;

use jiff::{Timestamp, ToSpan as _, civil::DateTime, tz::TimeZone};

use crate::cases::Case;

const MINUTE: i64 = 60;
/// How long before a window the clock is looked at, so that it is known what it has shown already.
const LEAD: i64 = 26 * 60 * MINUTE;

/// What the wall clock showed in a window.
pub(crate) struct ZoneWalls {
    /// The seconds since 1970 that were looked at.
    pub(crate) window: Range<i64>,
    shown: Vec<Shown>,
}

/// What it showed in one minute.
struct Shown {
    at: i64,
    wall: DateTime,
    /// Whether it had never shown that before.
    is_first: bool,
    /// What it has leapt over just now, without days that it leaves out.
    leapt: Vec<DateTime>,
}

impl ZoneWalls {
    /// Looks at the clock of a zone. All changes of the forty years happen at full minutes.
    pub(crate) fn look(rules: &TimeZone, window: Range<i64>) -> Self {
        let mut shown = Vec::new();
        let mut before: Option<DateTime> = None;
        let mut latest: Option<DateTime> = None;
        let from = window.start - LEAD;
        for at in (from - from.rem_euclid(MINUTE)..window.end).step_by(MINUTE as usize) {
            let wall = rules.to_datetime(Timestamp::from_second(at).expect("in range"));
            if at >= window.start {
                let leapt = before.map(|before| leapt(before, wall)).unwrap_or_default();
                let is_first = latest.is_none_or(|latest| wall > latest);
                shown.push(Shown { at, wall, is_first, leapt });
            }
            before = Some(wall);
            latest = latest.max(before);
        }
        Self { window, shown }
    }

    /// When a pattern must fire.
    pub(crate) fn fires<'a>(&'a self, case: &'a Case) -> impl Iterator<Item = i64> + 'a {
        let due = move |shown: &&Shown| {
            let is_named = names(case, shown.wall);
            if case.is_interval {
                return is_named;
            }
            (is_named && shown.is_first) || shown.leapt.iter().any(|wall| names(case, *wall))
        };
        self.shown.iter().filter(due).map(|shown| shown.at)
    }
}

fn names(case: &Case, wall: DateTime) -> bool {
    (case.minute)(wall.minute()) && (case.hour)(wall.hour()) && (case.day)(wall.date())
}

/// The minutes between two walls that follow each other, unless their whole day is left out.
fn leapt(before: DateTime, wall: DateTime) -> Vec<DateTime> {
    let next = |wall: DateTime| wall.checked_add(1.minute()).expect("in range");
    let between = std::iter::successors(Some(next(before)), |wall| Some(next(*wall)));
    let is_shown = |leapt: &DateTime| leapt.date() == before.date() || leapt.date() == wall.date();
    between.take_while(|leapt| *leapt < wall).filter(is_shown).collect()
}
