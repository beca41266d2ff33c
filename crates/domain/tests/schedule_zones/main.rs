//! Tests schedules in every time zone, around every clock change from 2000 to 2040: compares the fires of `Schedule`
//! with a minute-by-minute walk over the local clock that implements the documented rules directly.
//!
//! The ordinary test covers 26 hours on both sides of each change. `HOSTLER_ZONES=full` (read at compile time) covers
//! all forty years. Zones with the same clock changes are tested once.
//!
//! - `cases`: the tested patterns
//! - `walk`: the minute-by-minute walk

mod cases;
mod walk;

use std::{collections::BTreeMap, io::Write as _, ops::Range};

use domain::{Timestamp, schedule::Schedule};
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::{
    cases::{CASES, Case},
    walk::ZoneWalls,
};

const HOUR: i64 = 3_600;
/// The time covered before and after a change.
const AROUND: i64 = 26 * HOUR;
/// The length of one window of the full test.
const PIECE: i64 = 20 * 24 * HOUR;
/// Larger than the number of fires in any window.
const FIRES_MAX: usize = 100_000;

fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "schedules: {line}");
}

fn is_full() -> bool {
    option_env!("HOSTLER_ZONES") == Some("full")
}

fn second(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().expect("a time").as_second()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_micros(second * 1_000_000)
}

/// The clock changes of a zone in the forty years, with the offset after each; the first entry is the start.
fn changes(rules: &TimeZone, years: &Range<i64>) -> Vec<(i64, i32)> {
    let start = jiff::Timestamp::from_second(years.start).expect("in range");
    let following = rules.following(start).map(|change| (change.timestamp().as_second(), change.offset().seconds()));
    let mut found = vec![(years.start, rules.to_offset(start).seconds())];
    found.extend(following.take_while(|(at, _)| *at < years.end));
    found
}

#[test]
fn schedules_follow_the_clock_change_rules_in_every_zone() {
    let years = second("2000-01-01T00:00:00Z")..second("2040-01-01T00:00:00Z");
    let database = TimeZoneDatabase::bundled();
    let names: Vec<String> = database.available().map(|name| name.as_str().to_owned()).collect();
    let mut tables = BTreeMap::new();
    for name in &names {
        let rules = database.get(name).expect("it is available");
        tables.entry(changes(&rules, &years)).or_insert((name, rules));
    }
    let (mut transitions, mut fires) = (0, 0);
    for (changes, (name, rules)) in &tables {
        transitions += changes.len() - 1;
        let schedules = CASES.map(|case| {
            let schedule = Schedule::parse(case.text, name, "", at(years.start));
            (case, schedule.unwrap_or_else(|refused| panic!("{} in {name}: {refused}", case.text)))
        });
        for window in windows(changes, &years) {
            let walls = ZoneWalls::look(rules, window);
            fires += schedules.iter().map(|(case, schedule)| compare(&walls, case, schedule, name)).sum::<usize>();
        }
    }
    say(&format!(
        "{} zones with {} tables × {transitions} transitions × {} patterns checked, {fires} fires{}",
        names.len(),
        tables.len(),
        CASES.len(),
        if is_full() { ", all of forty years" } else { "" }
    ));
    assert!(names.len() > 500 && transitions > 5_000 && fires > 1_000_000, "fewer cases than expected");
}

/// The windows to test in a zone.
fn windows(changes: &[(i64, i32)], years: &Range<i64>) -> Vec<Range<i64>> {
    if is_full() {
        let starts = (years.start..years.end).step_by(PIECE as usize);
        return starts.map(|start| start..start + PIECE).collect();
    }
    changes.iter().map(|(at, _)| at - AROUND..at + AROUND).collect()
}

/// The fires found: one by one, or with `between` in the full test.
fn fires(schedule: &Schedule, after: Timestamp, until: Timestamp) -> Vec<Timestamp> {
    if is_full() {
        return schedule.between(after, until, FIRES_MAX);
    }
    let next = |fire: &Timestamp| schedule.next_after(*fire).filter(|next| *next <= until);
    std::iter::successors(next(&after), next).take(FIRES_MAX).collect()
}

/// Compares the fires in a window; returns their number.
fn compare(walls: &ZoneWalls, case: &Case, schedule: &Schedule, zone: &str) -> usize {
    let expected: Vec<Timestamp> = walls.fires(case).map(at).collect();
    let (start, end) = (walls.window.start, walls.window.end);
    let found = fires(schedule, at(start - 1), at(end - 1));
    if let Some(wrong) = (0..found.len().max(expected.len())).find(|index| found.get(*index) != expected.get(*index)) {
        let (found, expected) = (found.get(wrong), expected.get(wrong));
        panic!("{} in {zone} from {}: found {found:?}, expected {expected:?}", case.text, at(start));
    }
    // `last_until` gives the same fires: at both ends, in the middle (the change), and around it.
    let middle = i64::midpoint(start, end);
    for looked in [start, middle - HOUR, middle - 1, middle, middle + HOUR / 2, middle + HOUR, end - 1].map(at) {
        let last = schedule.last_until(looked, at(start));
        let known = expected.partition_point(|fire| *fire <= looked).checked_sub(1).map(|index| expected[index]);
        assert_eq!(last, known, "{} in {zone}: the last until {looked}", case.text);
    }
    found.len()
}
