//! Exhaustive check of the lease protocol: two runners, two hubs on one database, one job, and every possible fault
//! between them, in every order.
//!
//! The steps are those of the real program: a transaction of a hub, a journal write of a runner, the arrival of a
//! message. `domain::job::after` decides the consequence of the end of a run, and every change of the job or of a run
//! must be in the transition tables, `domain::job::next` and `domain::run::next`. The model has no time: silence is
//! a step, and when a reaper may act on it, the runner's own deadline has passed. A machine that is suspended and
//! resumes later is not covered by this model.
//!
//! The number of faults is limited, so each state space is finite and is explored completely: every pair of faults in
//! the ordinary tests; every combination of three faults, and some larger mixtures, with `HOSTLER_MODEL=full` (read at
//! compile time).
//!
//! - `check`: the invariants
//! - `explore`: the exploration of the state space
//! - `hub`: the steps of the hubs
//! - `runner`: the steps of the runners and their machines
//! - `state`: the state of the model
//! - `steps`: the possible steps of a state
//! - `tables`: comparison of each step with the transition tables

mod check;
mod explore;
mod hub;
mod runner;
mod state;
mod steps;
mod tables;

use std::{collections::BTreeSet, io::Write as _};

use domain::job::OnLost;

use crate::{
    explore::{Breach, explore},
    state::{Faults, Model, Mutant},
    tables::{JOB_TABLE, RUN_TABLE},
};

const HUBS: usize = 2;

/// No faults.
const CALM: Faults =
    Faults { crashes: 0, reboots: 0, losses: 0, duplicates: 0, silences: 0, cuts: 0, orphans: 0, cancels: 0 };

/// One fault of each kind.
const KINDS: [Faults; 8] = [
    Faults { crashes: 1, ..CALM },
    Faults { reboots: 1, ..CALM },
    Faults { losses: 1, ..CALM },
    Faults { duplicates: 1, ..CALM },
    Faults { silences: 1, ..CALM },
    Faults { cuts: 1, ..CALM },
    Faults { orphans: 1, ..CALM },
    Faults { cancels: 1, ..CALM },
];

/// Too large for every change, small enough for one night.
const MIXTURES: [(OnLost, Faults); 2] = [
    (OnLost::Retry, Faults { crashes: 1, reboots: 1, losses: 1, duplicates: 1, cancels: 1, ..CALM }),
    (OnLost::Hold, Faults { crashes: 1, losses: 1, duplicates: 1, silences: 1, cancels: 1, ..CALM }),
];

fn is_full() -> bool {
    option_env!("HOSTLER_MODEL") == Some("full")
}

/// All combinations of this many faults, with repetition.
fn choices(count: usize) -> Vec<Faults> {
    let mut chosen = vec![(0, CALM)];
    for _ in 0..count {
        let more = |(first, faults): &(usize, Faults)| {
            let (first, faults) = (*first, *faults);
            (first..KINDS.len()).map(move |kind| (kind, faults + KINDS[kind])).collect::<Vec<_>>()
        };
        chosen = chosen.iter().flat_map(more).collect();
    }
    chosen.into_iter().map(|(_, faults)| faults).collect()
}

/// Writes to stderr directly, past the capture of the test harness: the size of the explored space is part of the
/// result.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "lease model: {line}");
}

/// The protocol without a planted bug.
fn sound(on_lost: OnLost, faults: Faults, is_pruned: bool) -> Model {
    Model { on_lost, hubs: HUBS, faults, mutant: Mutant::None, is_pruned, has_tables: true }
}

/// Explores these state spaces; returns the number of states.
fn survives(on_lost: OnLost, bounds: &[Faults], is_pruned: bool) -> usize {
    let (mut states, mut steps, mut depth) = (0, 0, 0);
    for &faults in bounds {
        let report = explore(&sound(on_lost, faults, is_pruned));
        if let Some(found) = report.violation {
            panic!("{faults:?}: {}: {:#?}\nends in {:#?}", found.promise, found.trace, found.state);
        }
        states += report.states.len();
        steps += report.steps;
        depth = depth.max(report.depth);
    }
    let (count, how) = (bounds.len(), if is_pruned { "pruned" } else { "whole" });
    say(&format!("on_lost = {on_lost}, {count} {how} spaces: {states} states, {steps} steps, depth {depth}"));
    states
}

/// The combinations with a silence, and those without. The `on_lost` policies differ only after a silence.
fn by_silence(count: usize) -> (Vec<Faults>, Vec<Faults>) {
    choices(count).into_iter().partition(|faults| faults.silences > 0)
}

#[test]
fn lease_protocol_holds_for_every_pair_of_faults() {
    let (silent, heard) = by_silence(2);
    let mut states = survives(OnLost::Retry, &heard, false);
    states += survives(OnLost::Retry, &silent, true);
    states += survives(OnLost::Hold, &silent, false);
    assert!(states > 1_000_000, "only {states} states: the bounds are too small");
}

#[test]
fn pruning_hides_no_state_of_database_and_runners() {
    for (on_lost, faults) in [OnLost::Retry, OnLost::Hold].into_iter().flat_map(|on_lost| KINDS.map(|k| (on_lost, k))) {
        let situations = |is_pruned| -> BTreeSet<_> {
            let report = explore(&sound(on_lost, faults, is_pruned));
            report.states.iter().map(|state| (state.db, state.runners, state.ghost)).collect()
        };
        let (pruned, whole) = (situations(true), situations(false));
        assert!(pruned == whole, "{on_lost}, {faults:?}: {} of {}", pruned.len(), whole.len());
    }
}

#[test]
fn lease_protocol_holds_for_every_three_faults() {
    if !is_full() {
        return;
    }
    let (silent, heard) = by_silence(3);
    let rare: Vec<Faults> = silent.iter().copied().filter(|faults| faults.silences == 1).collect();
    survives(OnLost::Retry, &heard, true);
    survives(OnLost::Hold, &silent, true);
    survives(OnLost::Retry, &rare, true);
    for (on_lost, faults) in MIXTURES {
        survives(on_lost, &[faults], true);
    }
}

/// The first violation with this bug, by number of faults.
fn first_violation(mutant: Mutant, has_tables: bool, faults_max: usize) -> Option<Breach> {
    let models = (0..=faults_max).flat_map(choices).flat_map(|faults| {
        let model = move |on_lost| Model { on_lost, hubs: HUBS, faults, mutant, is_pruned: false, has_tables };
        [OnLost::Retry, OnLost::Hold].map(model)
    });
    models.map(|model| explore(&model)).find_map(|report| report.violation)
}

#[test]
fn every_planted_bug_is_found() {
    for (mutant, promise) in Mutant::ALL {
        // The invariants find their bugs without the tables.
        let has_tables = [JOB_TABLE, RUN_TABLE].contains(&promise);
        let found = first_violation(mutant, has_tables, 2).unwrap_or_else(|| panic!("{mutant:?} is not detected"));
        assert!(
            found.promise.starts_with(promise),
            "{mutant:?} breaks \"{}\": {:#?}\nends in {:#?}",
            found.promise,
            found.trace,
            found.state
        );
        if has_tables {
            let other = first_violation(mutant, false, 1).map(|found| found.promise);
            assert_eq!(other, None, "{mutant:?} is not detected by the tables alone");
        }
    }
    say(&format!("{} planted bugs found", Mutant::ALL.len()));
}
