//! The life of a run, from its claim to the end that the hub records.
//!
//! [`next`] is the transition table. No program calls it: the statements of a hub match a lease by fence, holder and
//! epoch, and the runner takes its steps in the order of its code. The lease model (`tests/lease_model`) checks each
//! change of a run against the table, and `docs/states.md` is generated from it.
//!
//! The table describes a protocol in which databases, disks and clocks work. A runner that lost its database, a hub
//! that was restored from a backup and a suspended machine are outside of it.

use crate::job::RunStatus::{self, Canceled, Crashed, Failed, Lost, NotStarted, Succeeded, Timeout};

/// The state of a run. Until the end is recorded, the API shows the run as `running`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunState {
    Granted,
    Accepted,
    Starting,
    Running,
    Exited(RunStatus),
    Ended(RunStatus),
    Recorded(RunStatus),
}

impl RunState {
    /// Every state, with every status.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let with_status = [Self::Exited, Self::Ended, Self::Recorded];
        [Self::Granted, Self::Accepted, Self::Starting, Self::Running]
            .into_iter()
            .chain(with_status.into_iter().flat_map(|state| RunStatus::ALL.iter().copied().map(state)))
    }

    /// The name of the state, without its status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::Accepted => "accepted",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Exited(_) => "exited",
            Self::Ended(_) => "ended",
            Self::Recorded(_) => "recorded",
        }
    }

    /// The stored facts about the run in this state.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Granted => "The hub has inserted the lease. The runner has not stored the run.",
            Self::Accepted => "The journal of the runner contains the run. Its shim was not launched.",
            Self::Starting => "The journal says `starting`: the command may be running.",
            Self::Running => "The command runs under its shim.",
            Self::Exited(_) => "The command has ended. The runner has not stored the result.",
            Self::Ended(_) => "The outbox of the runner contains the result. The hub has not recorded it.",
            Self::Recorded(_) => "The hub has deleted the lease and recorded the end. Later reports change nothing.",
        }
    }

    /// How the run ended, as far as it has.
    #[must_use]
    pub const fn status(self) -> Option<RunStatus> {
        match self {
            Self::Granted | Self::Accepted | Self::Starting | Self::Running => None,
            Self::Exited(status) | Self::Ended(status) | Self::Recorded(status) => Some(status),
        }
    }
}

/// An event in the life of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunEvent {
    Accept,
    Launch,
    Start,
    Exit(RunStatus),
    Crash,
    Abort(RunStatus),
    Operate(RunStatus),
    Store,
    Report(RunStatus),
    WorkerReport(RunStatus),
    Absent,
    Lose,
    Force(RunStatus),
}

impl RunEvent {
    /// Every event, with every status.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let every = |event: fn(RunStatus) -> Self| RunStatus::ALL.iter().copied().map(event);
        [Self::Accept, Self::Launch, Self::Start]
            .into_iter()
            .chain(every(Self::Exit))
            .chain([Self::Crash])
            .chain(every(Self::Abort))
            .chain(every(Self::Operate))
            .chain([Self::Store])
            .chain(every(Self::Report))
            .chain(every(Self::WorkerReport))
            .chain([Self::Absent, Self::Lose])
            .chain(every(Self::Force))
    }

    /// The name of the event, without its status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Launch => "launch",
            Self::Start => "start",
            Self::Exit(_) => "exit",
            Self::Crash => "crash",
            Self::Abort(_) => "abort",
            Self::Operate(_) => "operate",
            Self::Store => "store",
            Self::Report(_) => "report",
            Self::WorkerReport(_) => "worker_report",
            Self::Absent => "absent",
            Self::Lose => "lose",
            Self::Force(_) => "force",
        }
    }

    /// The event in words.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Accept => "The runner stores the grant in its journal.",
            Self::Launch => "The runner stores the step `starting`, then launches the shim.",
            Self::Start => "The shim starts the command.",
            Self::Exit(_) => {
                "The command exits, or the shim kills it: at its timeout, on a cancel request, or because its lease expires."
            }
            Self::Crash => "The machine restarts, or the shim is killed. The outcome of the command is lost.",
            Self::Abort(_) => "The run ends without a command: it could not be started, or was canceled before.",
            Self::Operate(_) => "The operation on a server ends. A job for a server has no command of its own.",
            Self::Store => "The runner writes the result to its journal and its outbox.",
            Self::Report(_) => "The hub commits the result that the runner sent.",
            Self::WorkerReport(_) => "The hub commits the result of a worker. Workers have no journal and no shim.",
            Self::Absent => "The inventory of a new session does not list the run: the runner never received it.",
            Self::Lose => "The holder sent no heartbeat for too long, and the job has `on_lost = retry`.",
            Self::Force(_) => {
                "A user cancels the job by force or removes the host. The command may run until the runner learns of it."
            }
        }
    }
}

/// The transition table of runs: the state after an event, or `None` if the event is not allowed in this state.
#[must_use]
pub fn next(state: RunState, event: RunEvent) -> Option<RunState> {
    use RunState::{Accepted, Ended, Exited, Granted, Recorded, Running, Starting};
    match (state, event) {
        (Granted, RunEvent::Accept) => Some(Accepted),
        (Accepted, RunEvent::Launch) => Some(Starting),
        (Starting, RunEvent::Start) => Some(Running),
        (Running, RunEvent::Exit(status @ (Succeeded | Failed | Timeout | Canceled | Lost))) => Some(Exited(status)),
        // Also from `Starting`: after a restart of the machine the command may have run, so the run is an attempt.
        (Starting | Running, RunEvent::Crash) => Some(Exited(Crashed)),
        (Exited(status), RunEvent::Store) => Some(Ended(status)),
        (Accepted | Starting, RunEvent::Abort(status @ (Failed | Canceled | NotStarted)))
        | (Accepted, RunEvent::Operate(status @ (Succeeded | Failed | Timeout | Canceled))) => Some(Ended(status)),
        (Ended(stored), RunEvent::Report(status)) if stored == status => Some(Recorded(status)),
        (Granted, RunEvent::WorkerReport(status @ (Succeeded | Failed | Canceled))) => Some(Recorded(status)),
        (Granted, RunEvent::Absent) => Some(Recorded(NotStarted)),
        // Not from `Running`: the shim kills the command before the hub may give the job to another holder.
        (Granted | Accepted | Starting | Exited(_) | Ended(_), RunEvent::Lose) => Some(Recorded(Lost)),
        (
            Granted | Accepted | Starting | Running | Exited(_) | Ended(_),
            RunEvent::Force(status @ (Canceled | Lost)),
        ) => Some(Recorded(status)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::{
        prelude::*,
        sample::{Index, select},
    };

    use super::*;
    use crate::{
        job::{self, After, End, Event, JobStatus, Record, after},
        time::{Span, Timestamp},
    };

    /// The states that a run can reach from this one, including this one.
    fn reachable(from: RunState) -> BTreeSet<RunState> {
        let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(state) = open.pop() {
            open.extend(RunEvent::all().filter_map(|event| next(state, event)).filter(|to| found.insert(*to)));
        }
        found
    }

    #[test]
    fn every_state_is_reached_and_every_event_is_used() {
        let states = reachable(RunState::Granted);
        let names: BTreeSet<&str> = states.iter().map(|state| state.name()).collect();
        assert_eq!(names, RunState::all().map(RunState::name).collect());
        for &status in RunStatus::ALL {
            let is_end = status != RunStatus::Running;
            assert_eq!(states.contains(&RunState::Recorded(status)), is_end, "{status} is recorded");
        }
        let used: BTreeSet<&str> = RunEvent::all()
            .filter(|event| states.iter().any(|state| next(*state, *event).is_some()))
            .map(RunEvent::name)
            .collect();
        assert_eq!(used, RunEvent::all().map(RunEvent::name).collect());
    }

    #[test]
    fn every_run_can_be_recorded_and_only_recorded_runs_are_final() {
        for from in reachable(RunState::Granted) {
            let is_recorded = |state: &RunState| matches!(state, RunState::Recorded(_));
            assert!(reachable(from).iter().any(is_recorded), "{from:?} is a dead end");
            let is_final = RunEvent::all().all(|event| next(from, event).is_none());
            assert_eq!(is_final, is_recorded(&from), "{from:?}");
        }
    }

    /// Checks every path that continues this one.
    fn follow(path: &mut Vec<RunState>, count: &mut usize) {
        let from = *path.last().expect("the first state");
        for (event, to) in RunEvent::all().filter_map(|event| Some((event, next(from, event)?))) {
            assert!(path.iter().all(|state| state.name() != to.name()), "{path:?} returns to {to:?}");
            let is_taken = matches!(event, RunEvent::Lose | RunEvent::Force(_));
            assert!(is_taken || from.status().is_none_or(|known| to.status() == Some(known)), "{from:?} to {to:?}");
            let has_run = path.contains(&RunState::Running);
            assert!(to.status() != Some(NotStarted) || !has_run, "{path:?} to {to:?}");
            path.push(to);
            follow(path, count);
            path.pop();
            *count += 1;
        }
    }

    /// A run never returns to an earlier state, so its command starts at most once. Only the loss of its holder and a
    /// forced end replace a known end, and a run whose command started is never recorded as not started.
    #[test]
    fn every_path_of_a_run_leads_forward() {
        let mut count = 0;
        follow(&mut vec![RunState::Granted], &mut count);
        assert!(count > 100, "only {count} steps");
    }

    /// An event of a job or its run.
    #[derive(Debug, Clone, Copy)]
    enum Step {
        Job(Event),
        Run(RunEvent),
    }

    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Pair {
        job: JobStatus,
        run: Option<RunState>,
        record: Record,
    }

    impl Pair {
        fn step(self, step: Step) -> Self {
            match (step, self.run) {
                // These follow from the end of a run, below.
                (Step::Job(Event::Succeed | Event::Fail | Event::Requeue | Event::Exhaust), _) => self,
                // A held job has a run: it is not claimed or moved, and its cancellation ends the run.
                (Step::Job(Event::Claim | Event::Move), Some(_)) | (Step::Job(Event::Resume), None) => self,
                (Step::Job(Event::Cancel), Some(_)) => self.step(Step::Run(RunEvent::Force(Canceled))),
                (Step::Job(event), run) => {
                    let Some(job) = job::next(self.job, event) else { return self };
                    Self { job, run: if event == Event::Claim { Some(RunState::Granted) } else { run }, ..self }
                }
                (Step::Run(_), None) => self,
                (Step::Run(event), Some(run)) => match next(run, event) {
                    Some(RunState::Recorded(status)) => self.end(status),
                    to => Self { run: to.or(self.run), ..self },
                },
            }
        }

        fn end(self, status: RunStatus) -> Self {
            let job = job::next(self.job, Event::Resume).unwrap_or(self.job);
            let end = End { status, exit_code: None, retry_after: None };
            let after: After = after(end, &self.record, Span::from_secs(1), Timestamp::from_micros(0));
            let job = job::next(job, after.event());
            Self { job: job.unwrap_or_else(|| panic!("{self:?} cannot end as {status}: {after:?}")), run: None, ..self }
        }
    }

    fn every_step() -> Vec<Step> {
        Event::ALL.iter().copied().map(Step::Job).chain(RunEvent::all().map(Step::Run)).collect()
    }

    /// A job in any state, with a run in any state if it is claimed.
    fn pairs() -> impl Strategy<Value = Pair> {
        let run = proptest::option::of(select(reachable(RunState::Granted).into_iter().collect::<Vec<_>>()));
        let record = (0_u32..4, 0_u32..6, any::<[bool; 3]>()).prop_map(|(attempts, free_ends, flags)| Record {
            attempts,
            free_ends,
            max_attempts: 2,
            is_cancel_asked: flags[0],
            is_final_exit: flags[1],
            expires_at: flags[2].then_some(Timestamp::from_micros(0)),
        });
        (select(JobStatus::ALL), run, record).prop_map(|(job, run, record)| {
            let run = run.filter(|run| !matches!(run, RunState::Recorded(_)));
            let run = match job {
                JobStatus::Running => Some(run.unwrap_or(RunState::Granted)),
                JobStatus::Queued => run,
                _ => None,
            };
            Pair { job, run, record }
        })
    }

    proptest! {
        /// A finished job changes only by a redrive and has no run; a running job has one. Three of four steps are
        /// drawn from those that change something.
        #[test]
        fn random_steps_keep_job_and_run_consistent(
            first in pairs(),
            draws in proptest::collection::vec((0_u8..4, any::<Index>()), 1..100),
        ) {
            let (every, mut before) = (every_step(), first);
            for (kind, draw) in draws {
                let effective: Vec<Step> =
                    every.iter().copied().filter(|step| kind > 0 && before.step(*step) != before).collect();
                let step = *draw.get(if effective.is_empty() { &every } else { &effective });
                let pair = before.step(step);
                if before.job.is_over() && pair != before {
                    prop_assert!(matches!(step, Step::Job(Event::Redrive)), "{before:?} changes by {step:?}");
                    prop_assert!(before.job != JobStatus::Succeeded);
                }
                prop_assert!(!pair.job.is_over() || pair.run.is_none(), "{pair:?} after {step:?}");
                prop_assert!(pair.job != JobStatus::Running || pair.run.is_some(), "{pair:?} after {step:?}");
                before = pair;
            }
        }
    }
}
