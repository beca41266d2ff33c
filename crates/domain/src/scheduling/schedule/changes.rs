//! The effect of clock changes on a schedule in words, for previews.

use std::ops::Range;

use super::{
    pattern::{DAY, Pattern, date},
    timestamp,
    zone::{FIRST_SECOND, LAST_SECOND, Segment, Zone},
};
use crate::time::Timestamp;

/// The most changes listed: more than thirty years with two changes each.
pub const CLOCK_CHANGES_MAX: usize = 64;

/// The most changes examined, including those without effect on the schedule.
const LOOKED_AT_MAX: usize = 256;
/// The number of times listed before the rest is only counted.
const NAMED_MAX: usize = 3;
/// The number of times counted.
const COUNTED_MAX: usize = 100;

/// A clock change that affects the fires of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockChange {
    pub at: Timestamp,
    /// Offset from UTC before the change, in seconds.
    pub offset_before: i64,
    /// Offset from UTC after the change, in seconds.
    pub offset_after: i64,
    /// The effect, as in `02:30 does not exist: runs at 03:00`.
    pub text: String,
}

/// The changes after `after` and up to `until`, inclusive.
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
            (true, _) => Some(format!("{}: continues at {back}", missing(&walls(pattern, gap)?))),
            (false, Some(_)) => Some(format!("{}: runs at {back}", missing(&walls(pattern, gap)?))),
            // All matching times in the gap are on skipped days.
            (false, None) => {
                let day = date(pattern.first(gap.start, gap.end)?)?;
                Some(format!("{day} does not exist: no run on that day"))
            }
        };
    }
    let walls = walls(pattern, fold)?;
    let verb = if walls.is_one { "occurs" } else { "occur" };
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

/// The matching local times within a range; `None` if there are none.
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

/// A local time as `HH:MM`, with seconds only if they are not zero.
fn clock(wall: i64) -> String {
    let time = wall.rem_euclid(DAY);
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    if second == 0 { format!("{hour:02}:{minute:02}") } else { format!("{hour:02}:{minute:02}:{second:02}") }
}
