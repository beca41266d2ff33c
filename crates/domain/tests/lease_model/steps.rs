//! The possible steps of a state and their effects.

use domain::job::RunStatus;

use crate::state::{Folder, Message, Model, Mutant, Note, RUNNERS, Row, State};

/// One atomic step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    // --- hubs
    Claim { runner: u8, epoch: u8 },
    Promote,
    ReapRead { hub: u8 },
    ReapWrite { hub: u8 },
    Cancel,
    Force,
    TellCancel,
    // --- runners and machines
    Hello { runner: u8 },
    Welcomed { runner: u8 },
    Refused { runner: u8 },
    Restart { runner: u8 },
    Journal { runner: u8, fence: u8 },
    Spawn { runner: u8, fence: u8 },
    Begin { runner: u8, fence: u8 },
    Exit { runner: u8, fence: u8, status: RunStatus },
    Notice { runner: u8, fence: u8 },
    Report { runner: u8, fence: u8 },
    // --- the net
    Deliver(Message),
    // --- faults
    Duplicate(Message),
    Lose(Message),
    Cut { runner: u8 },
    Orphan { runner: u8 },
    Deadline { runner: u8 },
    Crash { runner: u8 },
    Reboot { runner: u8 },
}

impl Action {
    /// Whether the step uses one of the limited faults or cancel requests.
    pub(crate) const fn is_fault(self) -> bool {
        matches!(
            self,
            Self::Duplicate(_)
                | Self::Lose(_)
                | Self::Cut { .. }
                | Self::Orphan { .. }
                | Self::Deadline { .. }
                | Self::Crash { .. }
                | Self::Reboot { .. }
                | Self::Cancel
                | Self::Force
        )
    }
}

impl Model {
    /// The steps that are possible in this state.
    pub(crate) fn actions(&self, state: &State, found: &mut Vec<Action>) {
        self.hub_actions(state, found);
        for runner in 0..RUNNERS as u8 {
            self.runner_actions(state, runner, found);
            Self::machine_faults(state, runner, found);
        }
        for message in state.net.iter() {
            if message.is_for_runner() && !state.runners[usize::from(message.runner())].is_up {
                continue;
            }
            found.push(Action::Deliver(message));
            if state.left.duplicates > 0 {
                found.push(Action::Duplicate(message));
            }
        }
        if state.left.losses > 0 {
            found.extend(state.net.iter().map(Action::Lose));
        }
    }

    fn hub_actions(&self, state: &State, found: &mut Vec<Action>) {
        let db = &state.db;
        for runner in 0..RUNNERS as u8 {
            // Both runners are equal until one has had the job: the first one is chosen.
            if runner > 0 && db.ready == Some(0) {
                continue;
            }
            // A hub may have a stale view of the session: any epoch so far.
            let known = 1..=db.sessions[usize::from(runner)].epoch;
            let may = known.filter(|epoch| self.may_claim(db, runner, *epoch));
            found.extend(may.map(|epoch| Action::Claim { runner, epoch }));
        }
        if db.waiting.is_some() {
            found.push(Action::Promote);
        }
        for hub in 0..self.hubs as u8 {
            if state.notes[usize::from(hub)].is_some() {
                found.push(Action::ReapWrite { hub });
            } else if Self::reap_read(db).is_some() {
                found.push(Action::ReapRead { hub });
            }
        }
        if let Some(lease) = db.lease.filter(|lease| lease.is_cancel_asked) {
            let message = Message::Cancel { runner: lease.holder, fence: lease.fence };
            if !state.net.has(message) && db.sessions[usize::from(lease.holder)].is_synced {
                found.push(Action::TellCancel);
            }
        }
        if state.left.cancels > 0 && db.outcome.is_none() {
            found.push(Action::Cancel);
            if db.lease.is_some_and(|lease| lease.is_held) {
                found.push(Action::Force);
            }
        }
    }

    fn runner_actions(&self, state: &State, index: u8, found: &mut Vec<Action>) {
        let runner = &state.runners[usize::from(index)];
        if !runner.is_up {
            found.push(Action::Restart { runner: index });
        } else if runner.awaited > 0 {
            found.push(Action::Welcomed { runner: index });
        } else if runner.epoch == 0 {
            found.push(Action::Hello { runner: index });
        } else if runner.epoch != state.db.sessions[usize::from(index)].epoch {
            found.push(Action::Refused { runner: index });
        }
        for (slot, fence) in runner.slots.iter().zip(1..) {
            if slot.folder == Folder::Spawned {
                found.push(Action::Begin { runner: index, fence });
            }
            if slot.folder == Folder::Running {
                for status in [RunStatus::Succeeded, RunStatus::Failed] {
                    found.push(Action::Exit { runner: index, fence, status });
                }
            }
            if !runner.is_up {
                continue;
            }
            if self.has(Mutant::LaunchBeforeStarting) && (slot.row, slot.folder) == (Row::Accepted, Folder::Empty) {
                found.push(Action::Spawn { runner: index, fence });
            }
            match (slot.row, slot.folder) {
                (Row::Accepted, _) => found.push(Action::Journal { runner: index, fence }),
                (Row::None, folder) if folder != Folder::Empty && runner.epoch > 0 => {
                    assert!(self.has(Mutant::StartWithoutJournal), "nothing is started without a journal row");
                    found.push(Action::Journal { runner: index, fence });
                }
                (Row::Starting, Folder::Empty) => found.push(Action::Spawn { runner: index, fence }),
                (Row::Starting, Folder::Exited(_)) => found.push(Action::Notice { runner: index, fence }),
                (Row::Ended(status), _) if runner.epoch > 0 => {
                    let message = Message::Result { runner: index, epoch: runner.epoch, fence, status };
                    // Sending it again while it or its answer is under way would be a duplicate, which counts as a
                    // fault.
                    if !state.net.has(message) && !state.net.has(Message::Forget { runner: index, fence }) {
                        found.push(Action::Report { runner: index, fence });
                    }
                }
                _ => {}
            }
        }
    }

    fn machine_faults(state: &State, index: u8, found: &mut Vec<Action>) {
        let (runner, left) = (&state.runners[usize::from(index)], &state.left);
        let session = state.db.sessions[usize::from(index)];
        if left.crashes > 0 && runner.is_up {
            found.push(Action::Crash { runner: index });
        }
        if left.reboots > 0 {
            found.push(Action::Reboot { runner: index });
        }
        if left.silences > 0 && !session.is_silent {
            found.push(Action::Deadline { runner: index });
        }
        if left.cuts > 0 && (runner.epoch > 0 || runner.awaited > 0) {
            found.push(Action::Cut { runner: index });
        }
        if left.orphans > 0 {
            found.push(Action::Orphan { runner: index });
        }
    }

    /// Applies a step.
    pub(crate) fn step(&self, before: &State, action: Action) -> State {
        let mut state = *before;
        match action {
            Action::Claim { runner, epoch } => Self::claim(&mut state, runner, epoch),
            Action::Promote => state.db.ready = state.db.waiting.take(),
            Action::ReapRead { hub } => state.notes[usize::from(hub)] = Self::reap_read(&state.db),
            Action::ReapWrite { hub } => {
                let note: Option<Note> = state.notes[usize::from(hub)].take();
                note.into_iter().for_each(|note| self.reap_write(&mut state, note));
            }
            Action::TellCancel => {
                if let Some(lease) = state.db.lease {
                    state.net.send(Message::Cancel { runner: lease.holder, fence: lease.fence });
                }
            }
            Action::Deliver(message) => {
                state.net.take(message);
                self.deliver(&mut state, message);
            }
            action if action.is_fault() => self.fault(&mut state, action),
            action => self.runner_step(&mut state, action),
        }
        if self.is_pruned {
            prune(&mut state);
        }
        // It makes no difference which hub has which note.
        state.notes.sort_unstable();
        state
    }

    fn deliver(&self, state: &mut State, message: Message) {
        let runner = &mut state.runners[usize::from(message.runner())];
        match message {
            Message::Grant { epoch, fence, .. } => self.granted(runner, epoch, fence),
            Message::Cancel { fence, .. } => Self::canceled(runner.slot(fence)),
            Message::Forget { fence, .. } => self.forgotten(runner.slot(fence)),
            Message::Inventory { runner, epoch, mask } => self.reconcile(state, runner, epoch, mask),
            Message::Result { runner, epoch, fence, status } => self.finish(state, (runner, epoch, fence), status),
        }
    }

    fn runner_step(&self, state: &mut State, action: Action) {
        match action {
            Action::Hello { runner } => state.runners[usize::from(runner)].awaited = Self::hello(state, runner),
            Action::Welcomed { runner } => Self::welcomed(state, runner),
            Action::Refused { runner } => state.runners[usize::from(runner)].hang_up(),
            Action::Restart { runner } => self.restart(&mut state.runners[usize::from(runner)]),
            Action::Journal { runner, fence } => state.runners[usize::from(runner)].slot(fence).row = Row::Starting,
            Action::Spawn { runner, fence } => state.runners[usize::from(runner)].slot(fence).folder = Folder::Spawned,
            Action::Begin { runner, fence } => Self::begin(state, runner, fence),
            Action::Exit { runner, fence, status } => {
                state.runners[usize::from(runner)].slot(fence).folder = Folder::Exited(status);
            }
            Action::Notice { runner, fence } => {
                let slot = state.runners[usize::from(runner)].slot(fence);
                if let Folder::Exited(status) = slot.folder {
                    slot.end(status);
                }
            }
            Action::Report { runner, fence } => {
                let holder = &mut state.runners[usize::from(runner)];
                if let Row::Ended(status) = holder.slot(fence).row {
                    state.net.send(Message::Result { runner, epoch: holder.epoch, fence, status });
                }
            }
            other => unreachable!("{other:?} is not a runner's step"),
        }
    }

    fn fault(&self, state: &mut State, action: Action) {
        match action {
            Action::Duplicate(message) => {
                state.left.duplicates -= 1;
                self.deliver(state, message);
            }
            Action::Lose(message) => {
                state.left.losses -= 1;
                state.net.take(message);
                // A link delivers everything or is dropped; losing a message of an earlier link has no further effect.
                let runner = &mut state.runners[usize::from(message.runner())];
                let is_old = match message {
                    Message::Grant { epoch, .. } | Message::Inventory { epoch, .. } | Message::Result { epoch, .. } => {
                        epoch != runner.epoch
                    }
                    Message::Cancel { .. } | Message::Forget { .. } => false,
                };
                if !is_old && !self.has(Mutant::LossLeavesLink) {
                    runner.hang_up();
                }
            }
            Action::Cut { runner } => {
                state.left.cuts -= 1;
                state.runners[usize::from(runner)].hang_up();
            }
            Action::Orphan { runner } => {
                state.left.orphans -= 1;
                Self::hello(state, runner);
            }
            Action::Deadline { runner } => {
                state.left.silences -= 1;
                self.deadline(state, runner);
            }
            Action::Crash { runner } => {
                state.left.crashes -= 1;
                Self::crash(&mut state.runners[usize::from(runner)]);
            }
            Action::Reboot { runner } => {
                state.left.reboots -= 1;
                Self::reboot(&mut state.runners[usize::from(runner)]);
            }
            Action::Cancel => {
                state.left.cancels -= 1;
                self.cancel(state);
            }
            Action::Force => {
                state.left.cancels -= 1;
                Self::force(state);
            }
            other => unreachable!("{other:?} is not a fault"),
        }
    }
}

/// Removes messages and notes that can have no effect: fences and epochs only grow, and an end is final.
fn prune(state: &mut State) {
    let db = state.db;
    let is_seen = |note: &Note| {
        db.lease.is_some_and(|lease| (lease.holder, lease.epoch, lease.fence) == (note.holder, note.epoch, note.fence))
    };
    state.notes = state.notes.map(|note| note.filter(is_seen));
    for message in state.net.iter() {
        if is_spent(state, message) {
            state.net.take(message);
        }
    }
}

fn is_spent(state: &State, message: Message) -> bool {
    let runner = &state.runners[usize::from(message.runner())];
    let session = state.db.sessions[usize::from(message.runner())];
    let row = |fence: u8| runner.slots[usize::from(fence) - 1].row;
    match message {
        Message::Grant { epoch, fence, .. } => {
            fence <= runner.high() || epoch < session.epoch && epoch != runner.epoch && epoch != runner.awaited
        }
        Message::Cancel { fence, .. } => matches!(row(fence), Row::Ended(_) | Row::Gone),
        Message::Forget { fence, .. } => row(fence) == Row::Gone,
        Message::Inventory { epoch, .. } => epoch < session.epoch,
        Message::Result { runner, epoch, fence, .. } => match state.db.lease {
            Some(lease) if (lease.holder, lease.fence) == (runner, fence) => epoch < lease.epoch,
            _ => row(fence) == Row::Gone,
        },
    }
}
