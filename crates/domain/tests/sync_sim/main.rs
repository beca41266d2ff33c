//! Simulation of the replication protocol with random faults: lost, duplicated and delayed frames, crashes at any
//! write, restored and copied disks, wiped hubs, changed clocks, rejected rows, hubs that do not know a table yet. The
//! random numbers come from a seed, so every failure can be repeated.
//!
//! After the faults all links stay up. Then every hub soon has every row of every runner once and in its last version;
//! every host has the rows that concern it and no others; no copy ever went back to an older version; the totals of
//! usage rows are equal everywhere; a role is taken by one host only; and each requested name belongs to one host.
//! Finally a hub is wiped, and all of this must hold again.
//!
//! Each known bug of such protocols is planted once and must be detected.
//!
//! - `bugs`: planted bugs in the storage
//! - `hub_disk`: the storage of a hub
//! - `names`: unique names, assigned by the primary hub
//! - `primary_roles`: roles that one host has at a time and that move between hosts
//! - `rows`: the tables, and the state shared by a world
//! - `runner_disk`: the storage of a runner
//! - `world`: runners, hubs and links, and the random events

mod bugs;
mod hub_disk;
mod names;
mod primary_roles;
mod rows;
mod runner_disk;
mod world;

use std::io::Write as _;

use domain::sync::planted::{Bug, plant};

use crate::{
    bugs::{BUGS, DiskBug},
    world::World,
};

/// The default number of seeds; `HOSTLER_SEEDS` (read at compile time) changes it. And the events per seed.
const SEEDS: u64 = 3_000;
const STEPS: u32 = 400;
/// The number of seeds within which a planted bug must be detected.
const BUDGET: u64 = 6_000;

fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "sync: {line}");
}

fn seeds() -> u64 {
    option_env!("HOSTLER_SEEDS").map_or(SEEDS, |text| text.parse().expect("a number"))
}

/// The first seed that violates an invariant, with the violations.
fn hunt(seeds: impl Iterator<Item = u64>, bug: Option<Bug>, disk: Option<DiskBug>) -> Option<(u64, Vec<String>)> {
    plant(bug);
    let found = seeds.map(|seed| (seed, World::new(seed, disk).run(STEPS).0)).find(|(_, broken)| !broken.is_empty());
    plant(None);
    found
}

#[test]
fn replication_converges_after_random_faults() {
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
