//! What clock changes do to a schedule, in words: for people who look at its next fires.

use std::ops::Range;

use super::{
    pattern::{DAY, Pattern, date},
    timestamp,
    zone::{FIRST_SECOND, LAST_SECOND, Segment, Zone},
};
use crate::time::Timestamp;

/// The most changes in one answer: more than thirty years of two a year.
pub const CLOCK_CHANGES_MAX: usize = 64;

/// How many changes are looked at; those that touch nothing count too.
const LOOKED_AT_MAX: usize = 256;
/// How many times of the day are named before it says how many more there are.
const NAMED_MAX: usize = 3;
/// How many are counted before it gives up counting.
const COUNTED_MAX: usize = 100;

/// A clock change that touches the fires of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockChange {
    /// When the clock changes.
    pub at: Timestamp,
    /// Seconds that were added to UTC before it.
    pub offset_before: i64,
    /// Seconds that are added to UTC from then on.
    pub offset_after: i64,
    /// What happens: `02:30 does not exist: runs at 03:00`.
    pub text: String,
}

/// The changes in `after..=until` without `after` itself.
pub(super) fn list(pattern: &Pattern, zone: &Zone, after: i64, until: i64) -> Vec<ClockChange> {
    let until = until.min(LAST_SECOND);
    let mut at = after.max(FIRST_SECOND);
    let mut found = Vec::new();
    for _ in 0..LOOKED_AT_MAX {
        let end = if at <= until { zone.segment(at).end } else { break };
        if end > until || end >= LAST_SECOND || found.len() == CLOCK_CHANGES_MAX {
            break;
        }
        at = end;
        let segment = zone.segment(at);
        if let (Some(text), Some(at)) = (describe(pattern, &segment), timestamp(at)) {
            let (offset_before, offset_after) = (segment.offset_before, segment.offset);
            found.push(ClockChange { at, offset_before, offset_after, text });
        }
    }
    found
}

fn describe(pattern: &Pattern, segment: &Segment) -> Option<String> {
    let (gap, fold) = (segment.gap(), segment.fold());
    if !gap.is_empty() {
        let back = clock(gap.end);
        return match (pattern.is_interval(), pattern.first_in_gap(gap.clone())) {
            (true, _) => Some(format!("{}: goes on from {back}", missing(&walls(pattern, gap)?))),
            (false, Some(_)) => Some(format!("{}: runs at {back}", missing(&walls(pattern, gap)?))),
            // All that is in there is on days that are left out.
            (false, None) => {
                let day = date(pattern.first(gap.start, gap.end)?)?;
                Some(format!("{day} does not exist: does not run on it"))
            }
        };
    }
    let walls = walls(pattern, fold)?;
    let verb = if walls.is_one { "comes" } else { "come" };
    let times = if pattern.is_interval() { "both times" } else { "the first time" };
    Some(format!("{} {verb} twice: runs {times}", walls.text))
}

fn missing(walls: &Walls) -> String {
    format!("{} {} not exist", walls.text, if walls.is_one { "does" } else { "do" })
}

struct Walls {
    text: String,
    is_one: bool,
}

/// The times of the day that fall into a range of walls; nothing if none does.
fn walls(pattern: &Pattern, range: Range<i64>) -> Option<Walls> {
    let next = |wall: i64| pattern.first(wall, range.end);
    let all: Vec<i64> = std::iter::successors(next(range.start), |wall| next(*wall + 1)).take(COUNTED_MAX).collect();
    let named: Vec<String> = all.iter().take(NAMED_MAX).map(|wall| clock(*wall)).collect();
    let text = match (named.as_slice(), all.len() - named.len()) {
        ([], _) => return None,
        ([one], _) => one.clone(),
        ([some @ .., last], 0) => format!("{} and {last}", some.join(", ")),
        (some, _) if all.len() == COUNTED_MAX => format!("{} and many more", some.join(", ")),
        (some, more) => format!("{} and {more} more", some.join(", ")),
    };
    Some(Walls { text, is_one: all.len() == 1 })
}

/// A wall as a clock shows it, with seconds only if there are any.
fn clock(wall: i64) -> String {
    let time = wall.rem_euclid(DAY);
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    if second == 0 { format!("{hour:02}:{minute:02}") } else { format!("{hour:02}:{minute:02}:{second:02}") }
}
