//! A linked runner: its credit, its lanes, and whether a claim for it is in progress.

use std::collections::{HashSet, VecDeque};

use domain::{DefinitionId, HostId, LaneId};
use tokio_util::sync::CancellationToken;

use super::channel::FrameSender;

/// Whether a claim for a runner is in progress.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RunnerState {
    Idle,
    /// In the line of the dispatcher.
    Queued,
    /// Reserved for a claim. `is_woken` if jobs arrived since: the runner is queued again after the claim.
    Claiming {
        is_woken: bool,
    },
}

/// A runner with an open session at this hub.
pub(super) struct LinkedRunner {
    pub(super) epoch: i64,
    /// Grants that it accepts in all in this session.
    pub(super) credit: u64,
    /// Grants that were sent to it in this session.
    pub(super) granted: u64,
    pub(super) lanes: HashSet<LaneId>,
    pub(super) state: RunnerState,
    pub(super) frames: FrameSender,
    /// Ends the session.
    pub(super) broken: CancellationToken,
    /// Definitions that were sent to it in this session.
    pub(super) sent_definitions: HashSet<(DefinitionId, i32)>,
}

impl LinkedRunner {
    /// Number of grants that it accepts now.
    pub(super) fn capacity(&self) -> u32 {
        u32::try_from(self.credit.saturating_sub(self.granted)).unwrap_or(u32::MAX)
    }

    /// Puts the runner into the line, or marks it as woken if a claim for it is in progress.
    pub(super) fn wake(&mut self, host: HostId, line: &mut VecDeque<HostId>) {
        match self.state {
            RunnerState::Idle => {
                self.state = RunnerState::Queued;
                line.push_back(host);
            }
            RunnerState::Claiming { .. } => self.state = RunnerState::Claiming { is_woken: true },
            RunnerState::Queued => {}
        }
    }
}
