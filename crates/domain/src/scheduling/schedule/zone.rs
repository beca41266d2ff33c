//! Time zones: names, and the segments between two clock changes.
//!
//! The time zone database is built into the program instead of read from the machine: a hub and its hosts must compute
//! the same fires.

use std::ops::Range;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::BadSchedule;

/// The range of searches, in seconds since 1970: year 1 to the end of 9998, within jiff's range.
pub(super) const FIRST_SECOND: i64 = -62_135_596_800;
pub(super) const LAST_SECOND: i64 = 253_370_764_800;

/// The longest name to look up; the longest existing name has 32 letters.
const NAME_MAX: usize = 64;
/// The number of similar names proposed, and the largest edit distance of a proposal.
const PROPOSALS: usize = 3;
const DISTANCE_MAX: usize = 2;

/// An existing time zone.
#[derive(Clone)]
pub(super) struct Zone {
    name: String,
    rules: TimeZone,
}

/// A period with a constant offset from UTC. All numbers are seconds.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    /// A clock change, or the start of the search range.
    pub(super) start: i64,
    /// The start of the next segment.
    pub(super) end: i64,
    /// The offset from UTC.
    pub(super) offset: i64,
    /// The offset from UTC before `start`.
    pub(super) offset_before: i64,
}

impl Segment {
    /// The local times that the clock change skips; empty if it skips none.
    pub(super) fn gap(&self) -> Range<i64> {
        self.start + self.offset_before..self.start + self.offset
    }

    /// The local times that occur a second time after the clock change; empty if there are none.
    pub(super) fn fold(&self) -> Range<i64> {
        self.start + self.offset..self.start + self.offset_before
    }
}

impl Zone {
    /// Looks up a zone; case is ignored.
    pub(super) fn get(name: &str) -> Result<Self, BadSchedule> {
        let name = name.trim();
        let zones = TimeZoneDatabase::bundled();
        let refuse = || BadSchedule::Zone { given: name.chars().take(NAME_MAX).collect(), near: near(&zones, name) };
        if name.len() > NAME_MAX {
            return Err(refuse());
        }
        let rules = zones.get(name).map_err(|_| refuse())?;
        match rules.iana_name() {
            Some(name) if !rules.is_unknown() => Ok(Self { name: name.to_owned(), rules }),
            _ => Err(refuse()),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The segment that contains a second.
    pub(super) fn segment(&self, second: i64) -> Segment {
        let at = moment(second);
        let offset = |second: i64| i64::from(self.rules.to_offset(moment(second)).seconds());
        let before = self.rules.preceding(moment(second + 1)).next().map(|change| change.timestamp().as_second());
        let after = self.rules.following(at).next().map(|change| change.timestamp().as_second());
        let start = before.unwrap_or(FIRST_SECOND).max(FIRST_SECOND);
        Segment {
            start,
            end: after.unwrap_or(LAST_SECOND).min(LAST_SECOND + 1).max(second + 1),
            offset: offset(second),
            offset_before: if start > FIRST_SECOND { offset(start - 1) } else { offset(second) },
        }
    }
}

fn moment(second: i64) -> jiff::Timestamp {
    let second = second.clamp(FIRST_SECOND - 86_400, LAST_SECOND + 86_400);
    jiff::Timestamp::from_second(second).expect("clamped to jiff's range")
}

/// Zones with a similar name or a similar city, the nearest first.
fn near(zones: &TimeZoneDatabase, name: &str) -> Vec<String> {
    let wanted = name.to_ascii_lowercase().replace(' ', "_");
    if wanted.is_empty() || wanted.len() > NAME_MAX {
        return Vec::new();
    }
    let mut found: Vec<(usize, String)> = zones
        .available()
        .filter_map(|zone| {
            let lower = zone.as_str().to_ascii_lowercase();
            let city = lower.rsplit('/').next().unwrap_or(&lower);
            let distance = distance(&wanted, &lower).min(1 + distance(&wanted, city));
            (distance <= DISTANCE_MAX).then(|| (distance, zone.as_str().to_owned()))
        })
        .collect();
    found.sort();
    found.truncate(PROPOSALS);
    found.into_iter().map(|(_, name)| name).collect()
}

/// The edit distance of two names.
fn distance(one: &str, other: &str) -> usize {
    if one.len().abs_diff(other.len()) > DISTANCE_MAX {
        return usize::MAX - 1;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, known) in other.bytes().enumerate() {
            let changed = diagonal + usize::from(letter != known);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> String {
        Zone::get(name).err().expect(name).to_string()
    }

    #[test]
    fn zone_names_ignore_case_and_similar_ones_are_proposed() {
        assert_eq!(Zone::get(" europe/berlin ").expect("exists").name(), "Europe/Berlin");
        assert_eq!(Zone::get("utc").expect("exists").name(), "UTC");
        assert_eq!(refused("Europe/Berln"), "there is no time zone `Europe/Berln` (did you mean Europe/Berlin?)");
        assert!(refused("Berlin").contains("Europe/Berlin"), "{}", refused("Berlin"));
        assert!(refused("new york").contains("America/New_York"), "{}", refused("new york"));
        for name in ["", "Mars/Olympus", "../../etc/passwd", "+02:00", "CET-1CEST", "Etc/Unknown", &"x".repeat(10_000)]
        {
            assert!(refused(name).ends_with("(write a name like Europe/Berlin, or UTC)"), "{}", refused(name));
        }
    }

    #[test]
    fn segments_meet_at_clock_changes() {
        let zone = Zone::get("Europe/Berlin").expect("exists");
        // 2026-03-29T01:00:00Z: from 02:00 to 03:00.
        let change = 1_774_746_000;
        let (winter, summer) = (zone.segment(change - 1), zone.segment(change));
        assert_eq!((winter.end, winter.offset), (change, 3_600));
        assert_eq!((summer.start, summer.offset, summer.offset_before), (change, 7_200, 3_600));
        assert_eq!(summer.gap().end - summer.gap().start, 3_600);
        assert!(summer.fold().is_empty() && !winter.fold().is_empty());
        let utc = Zone::get("UTC").expect("exists").segment(change);
        assert_eq!((utc.start, utc.end), (FIRST_SECOND, LAST_SECOND));
    }
}
