//! How a server lives: a function of what happened and when. Whoever acts on it does what it says and tells it what came
//! of that; it never waits, and nothing it has once decided is lost with a process, because all of it is kept.

use serde::{Deserialize, Serialize};

use super::{RestartPolicy, Server, ServerOp, ServerState, Wish};
use crate::{
    RunId,
    time::{Span, Timestamp},
};

/// How long a server must stay up to be ready, if nothing else tells.
pub const UP_FOR: Span = Span::from_secs(1);
/// How often all of it is killed again, if something is still there.
const KILL_AGAIN: Span = Span::from_secs(5);

/// How a server lives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// Whether it is to run.
    pub wish: Wish,
    /// Where it stands.
    pub phase: Phase,
    /// Ends in a row that nobody asked for.
    #[serde(default)]
    pub ends_in_a_row: u32,
    /// All its ends: whoever waits for one sees it here.
    #[serde(default)]
    pub ends: u32,
    /// How it ended last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_end: Option<String>,
    /// How often it was started again by itself since somebody asked for it.
    #[serde(default)]
    pub restarts: u32,
    /// The run of the job that asked last, and where it stood then: after a restart of the runner it is not asked twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_by: Option<(RunId, Asked)>,
    /// Which of its caps are not in force in the run it has, because the machine cannot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmet_caps: Vec<String>,
}

/// Where a server stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Phase {
    /// Nothing of it runs.
    Down {
        /// Whether that is not as it should be.
        is_bad: bool,
    },
    /// It runs and is not ready.
    Starting {
        /// Its run.
        run: RunId,
        /// Since when.
        since: Timestamp,
    },
    /// It is ready.
    Up {
        /// Its run.
        run: RunId,
        /// Since when it is ready.
        since: Timestamp,
    },
    /// It was asked to end.
    Stopping {
        /// Its run.
        run: RunId,
        /// How it was asked last.
        step: Step,
        /// When it was.
        since: Timestamp,
        /// What follows.
        then: Then,
    },
    /// It has ended and is started again then.
    Waiting {
        /// When.
        until: Timestamp,
    },
}

/// The steps of asking a server to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Its own command.
    Command,
    /// A signal.
    Signal,
    /// All of it is killed.
    Kill,
}

/// What follows when a server has ended as it was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// It stays down.
    Down,
    /// It is started again.
    Again,
    /// It was not ready in time: as if it had ended badly by itself.
    NotReady,
}

/// What happens to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// A job asks for something.
    Asked(ServerOp),
    /// It is to be killed, whatever else is under way.
    KillAsked,
    /// The runner has started, after a boot of the machine or in the middle of one.
    Woke {
        /// Whether the machine was started meanwhile.
        is_new_boot: bool,
    },
    /// It is ready.
    BecameReady {
        /// Which run.
        run: RunId,
    },
    /// Its run is over.
    Ended {
        /// Which.
        run: RunId,
        /// Whether it ended well.
        is_good: bool,
        /// Whether trying again is pointless: its program is not there.
        is_hopeless: bool,
        /// How, for people.
        how: String,
    },
    /// Time has passed.
    Tick,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A run with this id is to begin.
    Begin(RunId),
    /// The server's own command is to be said to it.
    SayStop,
    /// Its signal is to be sent to it.
    Signal,
    /// All of it is to be killed.
    Kill,
}

impl Default for Life {
    fn default() -> Self {
        Self {
            wish: Wish::Down,
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
    /// The run that has a process, or is about to.
    #[must_use]
    pub const fn run(&self) -> Option<RunId> {
        match self.phase {
            Phase::Starting { run, .. } | Phase::Up { run, .. } | Phase::Stopping { run, .. } => Some(run),
            Phase::Down { .. } | Phase::Waiting { .. } => None,
        }
    }

    /// Whether it has ended too often in a row.
    #[must_use]
    pub const fn is_looping(&self, server: &Server) -> bool {
        self.ends_in_a_row >= server.restart.loop_after
    }

    /// What people see of it.
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

    /// Why it stands where it stands, for people.
    #[must_use]
    pub fn reason(&self, server: &Server) -> String {
        let last = || self.last_end.clone().unwrap_or_default();
        match &self.phase {
            Phase::Down { .. } => last(),
            Phase::Waiting { until } if self.is_looping(server) => {
                format!("ended {} times in a row, last: {}; tried again at {until}", self.ends_in_a_row, last())
            }
            Phase::Waiting { until } => format!("{}; started again at {until}", last()),
            Phase::Starting { .. } | Phase::Up { .. } if self.is_looping(server) => {
                let seconds = server.restart.stable_seconds;
                format!("ended {} times in a row; runs again, and counts as well after {seconds} s", self.ends_in_a_row)
            }
            Phase::Starting { .. } => match &server.ready.check {
                super::ReadyCheck::Up => "not up for long enough yet".to_owned(),
                super::ReadyCheck::Tcp { host, port } => format!("nothing accepts connections at {host}:{port} yet"),
                super::ReadyCheck::Http { url } => format!("{url} does not answer well yet"),
                super::ReadyCheck::Log { contains } => format!("no line of its output contains `{contains}` yet"),
                super::ReadyCheck::Command { .. } => "its check does not succeed yet".to_owned(),
            },
            Phase::Up { .. } if !self.unmet_caps.is_empty() => {
                let which = self.unmet_caps.join(", ");
                format!(
                    "its caps are not in force ({which}): this machine gives its runner no control group to set them in"
                )
            }
            Phase::Up { .. } => String::new(),
            Phase::Stopping { step, then, .. } => {
                let how = match step {
                    Step::Command => "its stop command was given",
                    Step::Signal => "it was sent its signal",
                    Step::Kill => "it is being killed",
                };
                match then {
                    Then::Down => how.to_owned(),
                    Then::Again => format!("{how}; it is started again then"),
                    Then::NotReady => format!("it was not ready in time; {how}"),
                }
            }
        }
    }

    /// When it must be told of the time.
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

    /// What follows from what happened, and what is to be done. `next` is the id of the next run, if one begins.
    #[must_use]
    pub fn after(mut self, server: &Server, what: Happening, next: RunId, now: Timestamp) -> (Self, Vec<Act>) {
        let mut acts = Vec::new();
        match what {
            Happening::Asked(op) => self.asked(server, op, next, now, &mut acts),
            Happening::KillAsked => {
                self.wish = Wish::Down;
                self.ends_in_a_row = 0;
                match self.run() {
                    Some(run) => self.stop(run, Step::Kill, Then::Down, now, &mut acts),
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
        self.wish = if op == ServerOp::Stop { Wish::Down } else { Wish::Up };
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
        // Whatever ran is gone with the machine.
        self.ends_in_a_row = 0;
        if self.run().is_some() {
            self.ends += 1;
            self.last_end = Some("the machine was restarted while it ran".to_owned());
        }
        if server.autostart {
            self.wish = Wish::Up;
            self.restarts = 0;
            self.begin(next, now, acts);
        } else {
            self.wish = Wish::Down;
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
            Some(Then::NotReady) => format!("it was not ready within {} s", server.ready.timeout_seconds),
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
                    Step::Command => Step::Signal,
                    Step::Signal | Step::Kill => Step::Kill,
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

    fn stop(&mut self, run: RunId, step: Step, then: Then, now: Timestamp, acts: &mut Vec<Act>) {
        self.phase = Phase::Stopping { run, step, since: now, then };
        acts.push(match step {
            Step::Command => Act::SayStop,
            Step::Signal => Act::Signal,
            Step::Kill => Act::Kill,
        });
    }

    /// What has become of something that was asked when it stood as `before` says; nothing if that is not clear yet.
    #[must_use]
    pub fn answer(&self, op: ServerOp, before: &Asked) -> Option<Result<(), String>> {
        let has_ended = |expected: u32| self.ends.wrapping_sub(before.ends) > expected;
        let why = || self.last_end.clone().unwrap_or_else(|| "it ended".to_owned());
        match (op, &self.phase) {
            (ServerOp::Stop, Phase::Down { .. }) => Some(Ok(())),
            // Somebody else wants it up again.
            (ServerOp::Stop, _) if self.wish == Wish::Up => Some(Err("it was asked to start meanwhile".to_owned())),
            (ServerOp::Stop, _) => None,
            (ServerOp::Start | ServerOp::Restart, _) if self.wish == Wish::Down => {
                Some(Err("it was asked to stop meanwhile".to_owned()))
            }
            // Of a restart the end of the run before it is what was asked for.
            (ServerOp::Restart, Phase::Up { run, .. }) => (Some(*run) != before.run).then_some(Ok(())),
            (ServerOp::Restart, _) if has_ended(u32::from(before.run.is_some())) => Some(Err(why())),
            (ServerOp::Start, Phase::Up { .. }) => Some(Ok(())),
            // A start that found it stopping lets that end first.
            (ServerOp::Start, _) if has_ended(u32::from(before.was_stopping)) => Some(Err(why())),
            (ServerOp::Start | ServerOp::Restart, Phase::Down { .. }) => Some(Err(why())),
            (ServerOp::Start | ServerOp::Restart, _) => None,
        }
    }

    /// Where it stands, for [`Life::answer`] later.
    #[must_use]
    pub const fn asked_at(&self) -> Asked {
        let was_stopping = matches!(self.phase, Phase::Stopping { .. });
        Asked { run: self.run(), ends: self.ends, was_stopping }
    }
}

/// Where a server stood when something was asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    run: Option<RunId>,
    ends: u32,
    was_stopping: bool,
}

fn first_step(server: &Server) -> Step {
    if server.stop.command.is_some() { Step::Command } else { Step::Signal }
}

/// How long a step may take.
fn patience(server: &Server, step: Step) -> Span {
    match step {
        Step::Command => Span::from_secs(server.stop.command_seconds),
        Step::Signal => Span::from_secs(server.stop.signal_seconds),
        Step::Kill => KILL_AGAIN,
    }
}

#[cfg(test)]
mod tests;
