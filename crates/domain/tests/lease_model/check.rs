//! What must hold in every state and over every step. The names are those of the promises.

use domain::job::{Event, JobStatus, next};

use crate::{
    state::{Db, Folder, MAX_ATTEMPTS, Message, Model, Row, State},
    steps::Action,
};

/// From every state, without further faults, the job can come to its end and everybody to rest.
pub(crate) const NO_DEAD_END: &str = "P1: the end stays within reach";

/// The promise that this step breaks, if it breaks one.
pub(crate) fn broken(model: &Model, before: &State, action: Action, state: &State) -> Option<&'static str> {
    let rules = [
        ("P1: the job is in exactly one place", is_in_one_place(&state.db)),
        ("P2: no more runs count than may", u32::from(state.db.attempts) <= MAX_ATTEMPTS),
        (
            "P2: an end is free only if something failed",
            state.db.free_ends <= model.faults.total() - state.left.total(),
        ),
        ("P3: an outcome never changes", before.db.outcome.is_none() || before.db.outcome == state.db.outcome),
        ("P3: a stale report changes nothing", !is_stale(before, action) || before.db == state.db),
        ("P4: a run starts at most once", !state.ghost.is_started_twice),
        ("P5: two runs never overlap", running(state) <= 1),
        ("P6: a result is kept until it is committed", !is_result_lost(state)),
        ("P10: nothing runs once the job is over", is_over_and_quiet(state)),
        ("P10: no new attempt after a cancel", !state.ghost.is_cancel_accepted || !is_waiting(&state.db)),
        ("the table knows every change of status", is_in_table(before, state)),
    ];
    rules.into_iter().find(|(_, holds)| !holds).map(|(name, _)| name)
}

fn is_in_one_place(db: &Db) -> bool {
    let places = [db.ready.is_some(), db.waiting.is_some(), db.lease.is_some(), db.outcome.is_some()];
    places.into_iter().filter(|is_there| *is_there).count() == 1
}

fn is_waiting(db: &Db) -> bool {
    db.ready.is_some() || db.waiting.is_some()
}

/// Whether this step brings a report that names another lease than there is.
fn is_stale(before: &State, action: Action) -> bool {
    let (Action::Deliver(message) | Action::Duplicate(message)) = action else { return false };
    let Message::Result { runner, epoch, fence, .. } = message else { return false };
    before.db.lease.is_none_or(|lease| (lease.holder, lease.epoch, lease.fence) != (runner, epoch, fence))
}

fn running(state: &State) -> usize {
    state.folders().filter(|folder| *folder == Folder::Running).count()
}

/// A run whose runner keeps nothing of it while the hub still waits to hear of it.
fn is_result_lost(state: &State) -> bool {
    state.db.lease.is_some_and(|lease| {
        let slots = &state.runners[usize::from(lease.holder)].slots;
        slots[usize::from(lease.fence) - 1].row == Row::Gone
    })
}

/// Ending a held job by force is the one way to end it under a running process.
fn is_over_and_quiet(state: &State) -> bool {
    state.db.outcome.is_none() || state.ghost.is_forced || running(state) == 0
}

/// A held job is queued in name: what its holder says of it first makes it running again.
fn is_in_table(before: &State, state: &State) -> bool {
    let (from, to) = (before.db.status(), state.db.status());
    let leads = |from: JobStatus| Event::ALL.iter().any(|event| next(from, *event) == Some(to));
    let is_held = before.db.lease.is_some_and(|lease| lease.is_held);
    from == to || leads(from) || is_held && leads(JobStatus::Running)
}
