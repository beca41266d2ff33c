//! The steps of runners and their machines: the journal first, then the process, then the report.

use domain::job::{OnLost, RunStatus};

use crate::state::{Folder, Message, Model, ModelSlot, Mutant, Row, RunnerModel, State};

impl Model {
    /// Accepts a grant of the current session with a fence above all earlier ones.
    pub(crate) fn granted(&self, runner: &mut RunnerModel, epoch: u8, fence: u8) {
        let is_present = epoch == runner.epoch || self.has(Mutant::GrantOldEpochAccepted);
        if !is_present || fence <= runner.high() {
            return;
        }
        if self.has(Mutant::StartWithoutJournal) {
            runner.slot(fence).folder = Folder::Spawned;
        } else {
            runner.slot(fence).row = Row::Accepted;
        }
    }

    /// Applies the hub's response to the hello. From now on grants of earlier sessions are rejected, so the inventory
    /// is complete.
    pub(crate) fn welcomed(state: &mut State, index: u8) {
        let runner = &mut state.runners[usize::from(index)];
        runner.epoch = runner.awaited;
        runner.awaited = 0;
        let (epoch, mask) = (runner.epoch, runner.inventory());
        state.net.send(Message::Inventory { runner: index, epoch, mask });
    }

    /// Applies a cancel request: a running process is killed, a process that has not started never starts.
    pub(crate) fn canceled(slot: &mut ModelSlot) {
        match (slot.row, slot.folder) {
            (Row::Starting, Folder::Running) => slot.folder = Folder::Exited(RunStatus::Canceled),
            (Row::Accepted | Row::Starting, Folder::Empty | Folder::Spawned) => slot.end(RunStatus::Canceled),
            _ => {}
        }
    }

    /// Applies `Forget`: the hub needs nothing more of this run.
    pub(crate) fn forgotten(&self, slot: &mut ModelSlot) {
        if self.has(Mutant::ForgetOnAck) {
            *slot = ModelSlot { row: Row::None, folder: Folder::Empty };
        } else if slot.row != Row::None {
            *slot = ModelSlot { row: Row::Gone, folder: Folder::Void };
        }
    }

    /// Restarts the runner: it inspects every journal row without an end.
    pub(crate) fn restart(&self, runner: &mut RunnerModel) {
        runner.is_up = true;
        for slot in &mut runner.slots {
            if !matches!(slot.row, Row::Accepted | Row::Starting) {
                continue;
            }
            match slot.folder {
                Folder::Exited(status) => slot.end(status),
                Folder::Running => slot.row = Row::Starting,
                Folder::Dead if self.has(Mutant::CrashReportedAsNotStarted) => slot.end(RunStatus::NotStarted),
                Folder::Dead => slot.end(RunStatus::Crashed),
                Folder::Empty | Folder::Spawned if self.has(Mutant::NoVoidMarker) => {
                    slot.row = Row::Ended(RunStatus::NotStarted);
                }
                // The runner takes the start marker itself; a shim that is still starting finds it taken.
                Folder::Empty | Folder::Spawned | Folder::Void => slot.end(RunStatus::NotStarted),
            }
        }
    }

    pub(crate) fn crash(runner: &mut RunnerModel) {
        runner.is_up = false;
        runner.hang_up();
    }

    /// Restarts the machine, which ends all its processes.
    pub(crate) fn reboot(runner: &mut RunnerModel) {
        Self::crash(runner);
        for slot in &mut runner.slots {
            slot.folder = match (slot.row, slot.folder) {
                (_, Folder::Running) => Folder::Dead,
                // The row was about to start in an earlier boot; whether it did is unknown.
                (Row::Starting, Folder::Empty | Folder::Spawned) => Folder::Dead,
                (_, Folder::Spawned) => Folder::Empty,
                (_, folder) => folder,
            };
        }
    }

    /// The hub was silent for `lost_after`. By now the runner (or each shim, if the runner is down) has ended every run
    /// that may be given to another runner and starts none of them, and the session is closed on both sides.
    pub(crate) fn deadline(&self, state: &mut State, index: u8) {
        state.db.sessions[usize::from(index)].is_silent = true;
        if self.has(Mutant::RegrantBeforeSelfFence) {
            return;
        }
        let runner = &mut state.runners[usize::from(index)];
        if !self.has(Mutant::SessionOutlivesDeadline) {
            runner.hang_up();
        }
        if self.on_lost == OnLost::Hold {
            return;
        }
        let is_up = runner.is_up;
        for slot in &mut runner.slots {
            match (slot.row, slot.folder) {
                (_, Folder::Running) => slot.folder = Folder::Exited(RunStatus::Lost),
                _ if self.has(Mutant::StartAfterDeadline) => {}
                (Row::Accepted | Row::Starting, Folder::Empty | Folder::Spawned) if is_up => {
                    slot.end(RunStatus::NotStarted);
                }
                (_, Folder::Spawned) => slot.folder = Folder::Empty,
                _ => {}
            }
        }
    }

    /// The shim takes the start marker and starts the command.
    pub(crate) fn begin(state: &mut State, index: u8, fence: u8) {
        state.runners[usize::from(index)].slot(fence).folder = Folder::Running;
        let bit = 1 << (fence - 1);
        state.ghost.is_started_twice |= state.ghost.started & bit != 0;
        state.ghost.started |= bit;
    }
}

impl ModelSlot {
    /// Ends a run: journal row and outbox entry in one write. The start marker stays taken.
    pub(crate) fn end(&mut self, status: RunStatus) {
        *self = Self { row: Row::Ended(status), folder: Folder::Void };
    }
}
