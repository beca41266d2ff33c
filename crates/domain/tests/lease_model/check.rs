//! The invariants of every state and every step, by the names of the guarantees (P1 to P10).

use crate::{
    state::{Db, Folder, MAX_ATTEMPTS, Message, Model, Row, State},
    steps::Action,
    tables,
};

/// From every state, without further faults, the job can finish and both runners can become idle.
pub(crate) const NO_DEAD_END: &str = "P1: the job can always finish";

/// The invariant that this step violates, if any, or its change that is in no transition table.
pub(crate) fn broken(model: &Model, before: &State, action: Action, state: &State) -> Option<String> {
    let rules = [
        ("P1: the job is in exactly one place", is_in_one_place(&state.db)),
        ("P2: at most the maximum of runs counts as attempts", u32::from(state.db.attempts) <= MAX_ATTEMPTS),
        (
            "P2: an end is not counted only after a fault",
            state.db.free_ends <= model.faults.total() - state.left.total(),
        ),
        ("P3: an outcome never changes", before.db.outcome.is_none() || before.db.outcome == state.db.outcome),
        ("P3: a stale report changes nothing", !is_stale(before, action) || before.db == state.db),
        ("P4: a run starts at most once", !state.ghost.is_started_twice),
        ("P5: two runs never overlap", running(state) <= 1),
        ("P6: a result is kept until it is committed", !is_result_lost(state)),
        ("P10: no process runs after the job has ended", is_over_and_quiet(state)),
        ("P10: no new attempt after a cancel", !state.ghost.is_cancel_accepted || !is_waiting(&state.db)),
    ];
    let violated = rules.into_iter().find(|(_, holds)| !holds).map(|(name, _)| name.to_owned());
    violated.or_else(|| model.has_tables.then(|| tables::missing(before, action, state)).flatten())
}

fn is_in_one_place(db: &Db) -> bool {
    let places = [db.ready.is_some(), db.waiting.is_some(), db.lease.is_some(), db.outcome.is_some()];
    places.into_iter().filter(|is_there| *is_there).count() == 1
}

fn is_waiting(db: &Db) -> bool {
    db.ready.is_some() || db.waiting.is_some()
}

/// Whether this step delivers a report that names another lease than the current one.
fn is_stale(before: &State, action: Action) -> bool {
    let (Action::Deliver(message) | Action::Duplicate(message)) = action else { return false };
    let Message::Result { runner, epoch, fence, .. } = message else { return false };
    before.db.lease.is_none_or(|lease| (lease.holder, lease.epoch, lease.fence) != (runner, epoch, fence))
}

fn running(state: &State) -> usize {
    state.folders().filter(|folder| *folder == Folder::Running).count()
}

/// Whether a runner has deleted its journal row of a run while the hub still waits for the result.
fn is_result_lost(state: &State) -> bool {
    state.db.lease.is_some_and(|lease| {
        let slots = &state.runners[usize::from(lease.holder)].slots;
        slots[usize::from(lease.fence) - 1].row == Row::Gone
    })
}

/// A forced cancel of a held job is the only way to end a job while its process runs.
fn is_over_and_quiet(state: &State) -> bool {
    state.db.outcome.is_none() || state.ghost.is_forced || running(state) == 0
}
