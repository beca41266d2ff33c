//! Comparison of each step with the transition tables of jobs and runs.
//!
//! An action may cause only some events, so it is not enough that some event of a table explains a change.

use domain::{
    job::{self, Event, JobStatus, RunStatus},
    run::{self, RunEvent, RunState},
};

use crate::{
    state::{Folder, Message, ModelSlot, Row, State},
    steps::Action,
};

pub(crate) const JOB_TABLE: &str = "the table of jobs";
pub(crate) const RUN_TABLE: &str = "the table of runs";

/// The change of this step that is in no table, in words.
pub(crate) fn missing(before: &State, action: Action, state: &State) -> Option<String> {
    if let Some((from, to)) = missing_job(before, action, state) {
        return Some(format!("{JOB_TABLE} has no event of {action:?} from {from} to {to}"));
    }
    let (fence, from, to) =
        missing_at_runner(before, action, state).or_else(|| missing_at_hub(before, action, state))?;
    Some(format!("{RUN_TABLE} has no event of {action:?} that moves run {fence} from {from:?} to {to}"))
}

/// The events of the job that this action may cause.
fn job_events(action: Action) -> &'static [Event] {
    match action {
        Action::Claim { .. } => &[Event::Claim],
        Action::ReapWrite { .. } => &[Event::Hold, Event::Requeue, Event::Exhaust, Event::Cancel],
        Action::Cancel | Action::Force => &[Event::Cancel],
        Action::Deliver(message) | Action::Duplicate(message) => match message {
            Message::Result { .. } => &[Event::Succeed, Event::Fail, Event::Requeue, Event::Exhaust, Event::Cancel],
            Message::Inventory { .. } => &[Event::Requeue, Event::Exhaust, Event::Cancel],
            Message::Grant { .. } | Message::Cancel { .. } | Message::Forget { .. } => &[],
        },
        _ => &[],
    }
}

fn missing_job(before: &State, action: Action, state: &State) -> Option<(JobStatus, JobStatus)> {
    let (from, to) = (before.db.status(), state.db.status());
    if from == to {
        return None;
    }
    let leads = |from: JobStatus| job_events(action).iter().any(|event| job::next(from, *event) == Some(to));
    // A message of its holder moves a held job to `running` first; an end may follow in the same transaction.
    let is_held = before.db.lease.is_some_and(|lease| lease.is_held);
    let is_heard = is_held && matches!(action, Action::Deliver(_) | Action::Duplicate(_));
    let resumed = if is_heard { job::next(from, Event::Resume) } else { None };
    let is_known = leads(from) || resumed == Some(to) || resumed.is_some_and(leads);
    (!is_known).then_some((from, to))
}

/// The events of a run that this action may cause.
fn run_events(action: Action) -> [Option<RunEvent>; 2] {
    match action {
        Action::Deliver(message) | Action::Duplicate(message) => match message {
            Message::Grant { .. } => [Some(RunEvent::Accept), None],
            Message::Cancel { .. } => {
                [Some(RunEvent::Exit(RunStatus::Canceled)), Some(RunEvent::Abort(RunStatus::Canceled))]
            }
            Message::Inventory { .. } => [Some(RunEvent::Absent), None],
            Message::Result { status, .. } => [Some(RunEvent::Report(status)), None],
            Message::Forget { .. } => [None; 2],
        },
        Action::Journal { .. } => [Some(RunEvent::Launch), None],
        Action::Begin { .. } => [Some(RunEvent::Start), None],
        Action::Exit { status, .. } => [Some(RunEvent::Exit(status)), None],
        Action::Notice { .. } => [Some(RunEvent::Store), None],
        Action::Restart { .. } => [Some(RunEvent::Store), Some(RunEvent::Abort(RunStatus::NotStarted))],
        Action::Deadline { .. } => {
            [Some(RunEvent::Exit(RunStatus::Lost)), Some(RunEvent::Abort(RunStatus::NotStarted))]
        }
        Action::Reboot { .. } => [Some(RunEvent::Crash), None],
        Action::ReapWrite { .. } => [Some(RunEvent::Lose), None],
        Action::Force => [Some(RunEvent::Force(RunStatus::Canceled)), None],
        _ => [None; 2],
    }
}

/// The state of a run as its runner has it; `None` once the runner has deleted it.
fn at_runner(slot: ModelSlot) -> Option<RunState> {
    Some(match (slot.row, slot.folder) {
        (Row::Gone, _) => return None,
        (Row::Ended(status), _) => RunState::Ended(status),
        (_, Folder::Exited(status)) => RunState::Exited(status),
        (_, Folder::Dead) => RunState::Exited(RunStatus::Crashed),
        (_, Folder::Running) => RunState::Running,
        (Row::Starting, _) => RunState::Starting,
        (Row::Accepted, _) => RunState::Accepted,
        (Row::None, _) => RunState::Granted,
    })
}

/// A change at a runner, also of a run whose end is recorded: its runner may not know that yet.
fn missing_at_runner(before: &State, action: Action, state: &State) -> Option<(u8, RunState, String)> {
    if before.runners == state.runners {
        return None;
    }
    for (was, is) in before.runners.iter().zip(&state.runners) {
        for ((was, is), fence) in was.slots.iter().zip(&is.slots).zip(1..) {
            let (Some(from), Some(to)) = (at_runner(*was), at_runner(*is)) else { continue };
            let is_known = run_events(action).into_iter().flatten().any(|event| run::next(from, event) == Some(to));
            if from != to && !is_known {
                return Some((fence, from, format!("{to:?}")));
            }
        }
    }
    None
}

/// The end of a lease: the hub records the end of its run.
fn missing_at_hub(before: &State, action: Action, state: &State) -> Option<(u8, RunState, String)> {
    let lease = before.db.lease.filter(|lease| !state.db.is_leased_to(lease.holder, lease.fence))?;
    let slot = before.runners[usize::from(lease.holder)].slots[usize::from(lease.fence) - 1];
    // P6 reports a run that its runner has deleted too early.
    let from = at_runner(slot)?;
    let is_end = |event: RunEvent| matches!(run::next(from, event), Some(RunState::Recorded(_)));
    let is_known = run_events(action).into_iter().flatten().any(is_end);
    (!is_known).then(|| (lease.fence, from, "its recorded end".to_owned()))
}
