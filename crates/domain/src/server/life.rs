//! The state machine of a server: a function of events and time. The runner performs the returned actions and reports
//! their results as further events. The whole state is stored with the server, so a restarted runner continues where it
//! stopped.
//!

use serde::{Deserialize, Serialize};

use super::{DesiredState, RestartPolicy, Server, ServerOp, ServerState};
use crate::{
    RunId,
    time::{Span, Timestamp},
};

/// How long a process must stay up to be ready, if the server has no other check.
pub const UP_FOR: Span = Span::from_secs(1);
/// The interval at which the kill is repeated while processes remain.
const KILL_AGAIN: Span = Span::from_secs(5);

/// The state of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// The desired state. Stored rows may still have its former name.
    #[serde(alias = "wish")]
    pub desired_state: DesiredState,
    pub phase: Phase,
    /// Unrequested exits in a row; reset once the server is stable.
    #[serde(default)]
    pub ends_in_a_row: u32,
    /// All exits so far: a pending job compares it with [`Asked`] to see whether the process exited.
    #[serde(default)]
    pub ends: u32,
    /// How the last run ended, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_end: Option<String>,
    /// Automatic restarts since the last requested start.
    #[serde(default)]
    pub restarts: u32,
    /// The run of the last job and the server's state when it was requested. A restarted runner finds its job here and
    /// waits for the result instead of starting the operation a second time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<(RunId, Asked)>,
    /// The resource limits that are not enforced for the current run, because the machine cannot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmet_caps: Vec<String>,
}

/// The phase of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// No process.
    Down {
        /// Whether the last run failed.
        is_bad: bool,
    },
    /// The process runs, but is not ready.
    Starting { run: RunId, since: Timestamp },
    /// The process is ready.
    Up {
        run: RunId,
        /// Since when it is ready.
        since: Timestamp,
    },
    /// The process is being stopped.
    Stopping {
        run: RunId,
        /// The current step.
        step: StopStep,
        /// The start of the step.
        since: Timestamp,
        /// The next step after the exit.
        then: Then,
    },
    /// The process exited and will be restarted.
    Waiting {
        /// The time of the restart.
        until: Timestamp,
    },
}

/// The steps of stopping a server, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopStep {
    Command,
    Signal,
    /// Kill all its processes.
    Kill,
}

/// The next step after a stopped process has exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The server stays down.
    Down,
    /// The server is started again.
    Again,
    /// The server was not ready in time: the exit counts as a failure.
    NotReady,
}

/// An event in the life of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A job requests an operation.
    Asked(ServerOp),
    /// Someone ordered a kill, which overrides the operation in progress.
    KillAsked,
    /// The runner started.
    Woke {
        /// Whether the machine was booted since the runner stopped.
        is_new_boot: bool,
    },
    /// The readiness check succeeded.
    BecameReady { run: RunId },
    /// The process exited.
    Ended {
        run: RunId,
        /// Whether it exited successfully.
        is_good: bool,
        /// Whether a restart is pointless: the program does not exist or cannot be executed.
        is_hopeless: bool,
        /// The result, for people.
        how: String,
    },
    /// A timer expired.
    Tick,
}

/// An action for the runner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Start a run with this id.
    Begin(RunId),
    /// Write the stop command to standard input.
    SayStop,
    /// Send the stop signal.
    Signal,
    /// Kill all processes of the server.
    Kill,
}

impl Default for Life {
    fn default() -> Self {
        Self {
            desired_state: DesiredState::Down,
            phase: Phase::Down { is_bad: false },
            ends_in_a_row: 0,
            ends: 0,
            last_end: None,
            restarts: 0,
            asked_by: None,
            unmet_caps: Vec::new(),
        }
    }
}

impl Life {
    /// The run that has a process, or is about to start one.
    #[must_use]
    pub const fn run(&self) -> Option<RunId> {
        match self.phase {
            Phase::Starting { run, .. } | Phase::Up { run, .. } | Phase::Stopping { run, .. } => Some(run),
            Phase::Down { .. } | Phase::Waiting { .. } => None,
        }
    }

    /// Whether the server has failed too often in a row.
    #[must_use]
    pub const fn is_looping(&self, server: &Server) -> bool {
        self.ends_in_a_row >= server.restart.loop_after
    }

    /// The state shown to people.
    #[must_use]
    pub fn state(&self, server: &Server) -> ServerState {
        match self.phase {
            Phase::Down { is_bad: true } => ServerState::Failed,
            Phase::Down { is_bad: false } => ServerState::Stopped,
            Phase::Stopping { .. } => ServerState::Stopping,
            _ if self.is_looping(server) => ServerState::CrashLoop,
            Phase::Starting { .. } => ServerState::Starting,
            Phase::Up { .. } => ServerState::Running,
            Phase::Waiting { .. } => ServerState::Waiting,
        }
    }

    /// The reason for the state, for people.
    #[must_use]
    pub fn reason(&self, server: &Server) -> String {
        let last = || self.last_end.clone().unwrap_or_default();
        match &self.phase {
            Phase::Down { .. } => last(),
            Phase::Waiting { until } if self.is_looping(server) => {
                format!("exited {} times in a row, last: {}; next attempt at {until:.0}", self.ends_in_a_row, last())
            }
            Phase::Waiting { until } => format!("{}; restarts at {until:.0}", last()),
            Phase::Starting { .. } | Phase::Up { .. } if self.is_looping(server) => {
                let seconds = server.restart.stable_seconds;
                format!("exited {} times in a row; running again, stable after {seconds} s", self.ends_in_a_row)
            }
            Phase::Starting { .. } => match &server.ready.check {
                super::ReadyCheck::Up => "the ready check passes after one second of running".to_owned(),
                super::ReadyCheck::Tcp { host, port } => {
                    format!("the port {host}:{port} does not accept connections yet")
                }
                super::ReadyCheck::Http { url } => format!("{url} does not answer with a success status yet"),
                super::ReadyCheck::Log { contains } => format!("no line of output contains `{contains}` yet"),
                super::ReadyCheck::Command { .. } => "the check command has not succeeded yet".to_owned(),
            },
            Phase::Up { .. } if !self.unmet_caps.is_empty() => {
                let which = self.unmet_caps.join(", ");
                format!("limits not enforced ({which}): the runner has no control group on this machine")
            }
            Phase::Up { .. } => String::new(),
            Phase::Stopping { step, then, .. } => {
                let how = match step {
                    StopStep::Command => "the stop command was sent",
                    StopStep::Signal => "the stop signal was sent",
                    StopStep::Kill => "the server is being killed",
                };
                match then {
                    Then::Down => how.to_owned(),
                    Then::Again => format!("{how}; the server starts again after that"),
                    Then::NotReady => format!("not ready in time; {how}"),
                }
            }
        }
    }

    /// The time of the next timer.
    #[must_use]
    pub fn wakes_at(&self, server: &Server) -> Option<Timestamp> {
        match &self.phase {
            Phase::Down { .. } => None,
            Phase::Starting { since, .. } => Some(*since + Span::from_secs(server.ready.timeout_seconds)),
            Phase::Up { since, .. } => (self.ends_in_a_row > 0).then(|| *since + server.restart.stable()),
            Phase::Stopping { step, since, .. } => Some(*since + patience(server, *step)),
            Phase::Waiting { until } => Some(*until),
        }
    }

    /// Applies an event; returns the new state and the actions to perform. `next` is the id of the next run, if one
    /// starts.
    #[must_use]
    pub fn after(mut self, server: &Server, what: Happening, next: RunId, now: Timestamp) -> (Self, Vec<Act>) {
        let mut acts = Vec::new();
        match what {
            Happening::Asked(op) => self.asked(server, op, next, now, &mut acts),
            Happening::KillAsked => {
                self.desired_state = DesiredState::Down;
                self.ends_in_a_row = 0;
                match self.run() {
                    Some(run) => self.stop(run, StopStep::Kill, Then::Down, now, &mut acts),
                    None => self.phase = Phase::Down { is_bad: false },
                }
            }
            Happening::Woke { is_new_boot } => self.woke(server, is_new_boot, next, now, &mut acts),
            Happening::BecameReady { run } => {
                if let Phase::Starting { run: mine, .. } = self.phase
                    && mine == run
                {
                    self.phase = Phase::Up { run, since: now };
                }
            }
            Happening::Ended { run, is_good, is_hopeless, how } => {
                if self.run() == Some(run) {
                    self.ended(server, is_good, is_hopeless, how, next, now, &mut acts);
                }
            }
            Happening::Tick => self.tick(server, next, now, &mut acts),
        }
        (self, acts)
    }

    fn asked(&mut self, server: &Server, op: ServerOp, next: RunId, now: Timestamp, acts: &mut Vec<Act>) {
        self.desired_state = if op == ServerOp::Stop { DesiredState::Down } else { DesiredState::Up };
        match (op, &mut self.phase) {
            (ServerOp::Stop, Phase::Stopping { then, .. }) => *then = Then::Down,
            (_, Phase::Stopping { then, .. }) => *then = Then::Again,
            (ServerOp::Start, Phase::Starting { .. } | Phase::Up { .. }) => {}
            (ServerOp::Stop, Phase::Down { is_bad }) => *is_bad = false,
            (ServerOp::Stop, Phase::Waiting { .. }) => {
                self.ends_in_a_row = 0;
                self.phase = Phase::Down { is_bad: false };
            }
            (ServerOp::Start | ServerOp::Restart, Phase::Down { .. } | Phase::Waiting { .. }) => {
                self.restarts = 0;
                self.begin(next, now, acts);
            }
            (_, Phase::Starting { run, .. } | Phase::Up { run, .. }) => {
                let (run, step) = (*run, first_step(server));
                let then = if op == ServerOp::Stop { Then::Down } else { Then::Again };
                self.stop(run, step, then, now, acts);
            }
        }
    }

    fn woke(&mut self, server: &Server, is_new_boot: bool, next: RunId, now: Timestamp, acts: &mut Vec<Act>) {
        if !is_new_boot {
            return;
        }
        // All processes ended with the machine.
        self.ends_in_a_row = 0;
        if self.run().is_some() {
            self.ends += 1;
            self.last_end = Some("the machine restarted while the server was running".to_owned());
        }
        if server.autostart {
            self.desired_state = DesiredState::Up;
            self.restarts = 0;
            self.begin(next, now, acts);
        } else {
            self.desired_state = DesiredState::Down;
            self.phase = Phase::Down { is_bad: false };
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one happening")]
    fn ended(
        &mut self,
        server: &Server,
        is_good: bool,
        is_hopeless: bool,
        how: String,
        next: RunId,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) {
        self.ends += 1;
        let (then, was_well) = match &self.phase {
            Phase::Stopping { then, .. } => (Some(*then), false),
            Phase::Up { since, .. } => (None, now.since(*since) >= server.restart.stable()),
            _ => (None, false),
        };
        self.last_end = Some(match then {
            Some(Then::NotReady) => format!("not ready within {} s", server.ready.timeout_seconds),
            _ => how,
        });
        match then {
            Some(Then::Down) => {
                self.ends_in_a_row = 0;
                self.phase = Phase::Down { is_bad: false };
                return;
            }
            Some(Then::Again) => return self.begin(next, now, acts),
            Some(Then::NotReady) | None => {}
        }
        let is_bad = !is_good || then == Some(Then::NotReady);
        let is_again = !is_hopeless
            && match server.restart.policy {
                RestartPolicy::Never => false,
                RestartPolicy::OnFailure => is_bad,
                RestartPolicy::Always => true,
            };
        if !is_again {
            self.ends_in_a_row = 0;
            self.phase = Phase::Down { is_bad };
            return;
        }
        self.ends_in_a_row = if was_well { 1 } else { self.ends_in_a_row.saturating_add(1) };
        self.phase = Phase::Waiting { until: now + server.restart.pause(self.ends_in_a_row) };
    }

    fn tick(&mut self, server: &Server, next: RunId, now: Timestamp, acts: &mut Vec<Act>) {
        if self.wakes_at(server).is_none_or(|at| at > now) {
            return;
        }
        match self.phase.clone() {
            Phase::Down { .. } => {}
            Phase::Starting { run, .. } => self.stop(run, first_step(server), Then::NotReady, now, acts),
            Phase::Up { .. } => self.ends_in_a_row = 0,
            Phase::Stopping { run, step, then, .. } => {
                let harder = match step {
                    StopStep::Command => StopStep::Signal,
                    StopStep::Signal | StopStep::Kill => StopStep::Kill,
                };
                self.stop(run, harder, then, now, acts);
            }
            Phase::Waiting { .. } => {
                self.restarts = self.restarts.saturating_add(1);
                self.begin(next, now, acts);
            }
        }
    }

    fn begin(&mut self, run: RunId, now: Timestamp, acts: &mut Vec<Act>) {
        self.phase = Phase::Starting { run, since: now };
        self.unmet_caps.clear();
        acts.push(Act::Begin(run));
    }

    fn stop(&mut self, run: RunId, step: StopStep, then: Then, now: Timestamp, acts: &mut Vec<Act>) {
        self.phase = Phase::Stopping { run, step, since: now, then };
        acts.push(match step {
            StopStep::Command => Act::SayStop,
            StopStep::Signal => Act::Signal,
            StopStep::Kill => Act::Kill,
        });
    }

    /// The result of an operation that was requested in the state `before`; `None` while it is undecided.
    #[must_use]
    pub fn answer(&self, op: ServerOp, before: &Asked) -> Option<Result<(), String>> {
        let has_ended = |expected: u32| self.ends.wrapping_sub(before.ends) > expected;
        let why = || self.last_end.clone().unwrap_or_else(|| "the server exited".to_owned());
        match (op, &self.phase) {
            (ServerOp::Stop, Phase::Down { .. }) => Some(Ok(())),
            // A later request wants the server to run.
            (ServerOp::Stop, _) if self.desired_state == DesiredState::Up => {
                Some(Err("a later request started the server".to_owned()))
            }
            (ServerOp::Stop, _) => None,
            (ServerOp::Start | ServerOp::Restart, _) if self.desired_state == DesiredState::Down => {
                Some(Err("a later request stopped the server".to_owned()))
            }
            // For a restart, the exit of the previous run is expected.
            (ServerOp::Restart, Phase::Up { run, .. }) => (Some(*run) != before.run).then_some(Ok(())),
            (ServerOp::Restart, _) if has_ended(u32::from(before.run.is_some())) => Some(Err(why())),
            (ServerOp::Start, Phase::Up { .. }) => Some(Ok(())),
            // A start that arrived while the server was stopping waits for that exit first.
            (ServerOp::Start, _) if has_ended(u32::from(before.was_stopping)) => Some(Err(why())),
            (ServerOp::Start | ServerOp::Restart, Phase::Down { .. }) => Some(Err(why())),
            (ServerOp::Start | ServerOp::Restart, _) => None,
        }
    }

    /// The current state, for a later call of [`Life::answer`].
    #[must_use]
    pub const fn asked_at(&self) -> Asked {
        let was_stopping = matches!(self.phase, Phase::Stopping { .. });
        Asked { run: self.run(), ends: self.ends, was_stopping }
    }
}

/// The state of a server when an operation was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    run: Option<RunId>,
    ends: u32,
    was_stopping: bool,
}

fn first_step(server: &Server) -> StopStep {
    if server.stop.command.is_some() { StopStep::Command } else { StopStep::Signal }
}

/// The timeout of a step.
fn patience(server: &Server, step: StopStep) -> Span {
    match step {
        StopStep::Command => Span::from_secs(server.stop.command_seconds),
        StopStep::Signal => Span::from_secs(server.stop.signal_seconds),
        StopStep::Kill => KILL_AGAIN,
    }
}

#[cfg(test)]
mod tests;
