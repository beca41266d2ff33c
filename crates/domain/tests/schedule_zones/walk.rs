//! The local clock of a zone, minute by minute, and the documented rules.

use std::ops::Range;

use jiff::{Timestamp, ToSpan as _, civil::DateTime, tz::TimeZone};

use crate::cases::Case;

const MINUTE: i64 = 60;
/// The walk starts this long before a window, to know which local times have already occurred.
const LEAD: i64 = 26 * 60 * MINUTE;

/// The local times in a window.
pub(crate) struct ZoneWalls {
    /// The window, in seconds since 1970.
    pub(crate) window: Range<i64>,
    shown: Vec<Shown>,
}

/// One minute of the walk.
struct Shown {
    at: i64,
    wall: DateTime,
    /// Whether this local time occurs for the first time.
    is_first: bool,
    /// The local times skipped just before, without days that are skipped as a whole.
    leapt: Vec<DateTime>,
}

impl ZoneWalls {
    /// Walks through a window. All clock changes of the forty years happen at full minutes.
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

    /// The expected fires of a pattern.
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

/// The skipped minutes between two successive local times, without days that are skipped as a whole.
fn leapt(before: DateTime, wall: DateTime) -> Vec<DateTime> {
    let next = |wall: DateTime| wall.checked_add(1.minute()).expect("in range");
    let between = std::iter::successors(Some(next(before)), |wall| Some(next(*wall)));
    let is_shown = |leapt: &DateTime| leapt.date() == before.date() || leapt.date() == wall.date();
    between.take_while(|leapt| *leapt < wall).filter(is_shown).collect()
}
