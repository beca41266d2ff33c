//! The sync protocol under everything that can happen to it, by dice: frames that are lost, doubled and late, crashes at
//! any write, disks that are restored or copied, hubs that are wiped, clocks that are set, rows that are refused, hubs
//! that do not know a table yet. The numbers of the dice come from a seed, so whatever was found can be looked at again.
//!
//! After all that the links hold, and soon every hub has every row of every runner once and in its last state, every
//! host has what is for it and nothing else, no copy ever went back, what was used adds up to the same everywhere, what
//! has one place runs at one place, and a name that several want is one's. Then a hub is wiped, and it must be so again.
//!
//! Each bug that such protocols have had is planted once and must be found.

mod bugs;
mod hub_disk;
mod names;
mod rows;
mod runner_disk;
mod seats;
mod world;

use std::io::Write as _;

use domain::sync::planted::{Bug, plant};

use crate::{
    bugs::{BUGS, DiskBug},
    world::World,
};

/// Seeds, unless the environment names another number when this is built; and events in each.
const SEEDS: u64 = 3_000;
const STEPS: u32 = 400;
/// A bug must be found within so many.
const BUDGET: u64 = 6_000;

fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "sync: {line}");
}

fn seeds() -> u64 {
    option_env!("HOSTLER_SEEDS").map_or(SEEDS, |text| text.parse().expect("a number"))
}

/// The first seed that breaks something, with what it broke.
fn hunt(seeds: impl Iterator<Item = u64>, bug: Option<Bug>, disk: Option<DiskBug>) -> Option<(u64, Vec<String>)> {
    plant(bug);
    let found = seeds.map(|seed| (seed, World::new(seed, disk).run(STEPS).0)).find(|(_, broken)| !broken.is_empty());
    plant(None);
    found
}

#[test]
fn nothing_is_lost_doubled_or_invented() {
    let mut faults = 0;
    for seed in 0..seeds() {
        let (broken, injected) = World::new(seed, None).run(STEPS);
        assert!(broken.is_empty(), "seed {seed}:\n  {}", broken.join("\n  "));
        faults += injected;
    }
    say(&format!("{} seeds, {faults} faults, nothing broken", seeds()));
}

#[test]
fn every_planted_bug_is_found() {
    let mut missed = Vec::new();
    for bug in BUGS {
        match hunt(0..BUDGET, Some(*bug), None) {
            Some((seed, broken)) => say(&format!("{bug:?}: seed {seed}: {}", broken[0])),
            None => missed.push(format!("{bug:?}")),
        }
    }
    for bug in DiskBug::ALL {
        match hunt(0..BUDGET, None, Some(*bug)) {
            Some((seed, broken)) => say(&format!("{bug:?}: seed {seed}: {}", broken[0])),
            None => missed.push(format!("{bug:?}")),
        }
    }
    say(&format!("{} planted bugs, {} not found", BUGS.len() + DiskBug::ALL.len(), missed.len()));
    assert!(missed.is_empty(), "not found within {BUDGET} seeds: {missed:?}");
}
