//! The state of the model: a database, two runners with their machines, and the messages under way.
//!
//! A state is a plain value without references, so that millions of states can be stored and compared.

use std::ops::Add;

use domain::job::{FREE_ENDS, JobStatus, OnLost, RunStatus};

use crate::tables::{JOB_TABLE, RUN_TABLE};

/// Each runner has its own machine.
pub(crate) const RUNNERS: usize = 2;
/// The maximum of attempts.
pub(crate) const MAX_ATTEMPTS: u32 = 2;
/// The maximum of grants of one job: each run counts as an attempt or is one of the free ends; the last one ends the
/// job.
pub(crate) const FENCES: usize = (MAX_ATTEMPTS + FREE_ENDS) as usize;
/// The maximum of messages under way. Reaching it fails the test instead of losing messages silently.
const NET_MAX: usize = 12;

/// The state of a run in its runner's journal. Survives crashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Row {
    None,
    Accepted,
    Starting,
    Ended(RunStatus),
    /// The hub has stored the result or does not need it. The row stays, so that a late grant is recognized.
    Gone,
}

/// The state of a run's folder and process. Survives a crash of the runner; processes do not survive a reboot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Folder {
    Empty,
    /// A shim is starting; the start marker is free.
    Spawned,
    /// The shim has taken the marker and the command runs.
    Running,
    /// The exit file exists.
    Exited(RunStatus),
    /// Started in an earlier boot, without an exit file.
    Dead,
    /// The marker is taken and nothing can start any more.
    Void,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ModelSlot {
    pub(crate) row: Row,
    pub(crate) folder: Folder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RunnerModel {
    pub(crate) is_up: bool,
    /// The epoch that the response to the pending hello will contain; 0 if none is pending. Lost in a crash.
    pub(crate) awaited: u8,
    /// The current session; 0 if there is none. Lost in a crash.
    pub(crate) epoch: u8,
    /// Indexed by fence, from 1.
    pub(crate) slots: [ModelSlot; FENCES],
}

impl RunnerModel {
    /// The highest accepted fence: no fence up to it starts again.
    pub(crate) fn high(&self) -> u8 {
        let found = self.slots.iter().rposition(|slot| slot.row != Row::None);
        found.map_or(0, |index| index as u8 + 1)
    }

    pub(crate) fn slot(&mut self, fence: u8) -> &mut ModelSlot {
        &mut self.slots[usize::from(fence) - 1]
    }

    /// Drops the link; the next step is a hello.
    pub(crate) fn hang_up(&mut self) {
        self.epoch = 0;
        self.awaited = 0;
    }

    /// The fences whose runs are not finished, as bits.
    pub(crate) fn inventory(&self) -> u8 {
        let held = |slot: &ModelSlot| !matches!(slot.row, Row::None | Row::Gone);
        self.slots.iter().enumerate().fold(0, |mask, (index, slot)| mask | u8::from(held(slot)) << index)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lease {
    pub(crate) holder: u8,
    pub(crate) epoch: u8,
    pub(crate) fence: u8,
    pub(crate) is_held: bool,
    pub(crate) is_cancel_asked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Outcome {
    pub(crate) fence: u8,
    pub(crate) status: JobStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RunnerSession {
    pub(crate) epoch: u8,
    /// Whether the runner's inventory has arrived; before that it gets no grants.
    pub(crate) is_synced: bool,
    /// Whether the runner has been silent for longer than `lost_after` plus the margin.
    pub(crate) is_silent: bool,
}

/// The tables, as separate fields, so that a job in two of them is detected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Db {
    pub(crate) ready: Option<u8>,
    pub(crate) waiting: Option<u8>,
    pub(crate) lease: Option<Lease>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) sessions: [RunnerSession; RUNNERS],
    pub(crate) attempts: u8,
    pub(crate) free_ends: u8,
}

impl Db {
    /// The visible status, derived as in the database view.
    pub(crate) fn status(&self) -> JobStatus {
        match (self.outcome, self.lease) {
            (Some(outcome), _) => outcome.status,
            (None, Some(lease)) if !lease.is_held => JobStatus::Running,
            (None, _) => JobStatus::Queued,
        }
    }

    pub(crate) fn is_leased_to(&self, runner: u8, fence: u8) -> bool {
        self.lease.is_some_and(|lease| (lease.holder, lease.fence) == (runner, fence))
    }
}

/// Messages between hubs and runners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Message {
    Grant {
        runner: u8,
        epoch: u8,
        fence: u8,
    },
    Cancel {
        runner: u8,
        fence: u8,
    },
    /// The result is stored, or the hub does not know the run: end it if it runs, and delete it.
    Forget {
        runner: u8,
        fence: u8,
    },
    Inventory {
        runner: u8,
        epoch: u8,
        mask: u8,
    },
    Result {
        runner: u8,
        epoch: u8,
        fence: u8,
        status: RunStatus,
    },
}

impl Message {
    pub(crate) const fn runner(self) -> u8 {
        match self {
            Self::Grant { runner, .. }
            | Self::Cancel { runner, .. }
            | Self::Forget { runner, .. }
            | Self::Inventory { runner, .. }
            | Self::Result { runner, .. } => runner,
        }
    }

    pub(crate) const fn is_for_runner(self) -> bool {
        matches!(self, Self::Grant { .. } | Self::Cancel { .. } | Self::Forget { .. })
    }
}

/// The messages under way: a set, so that messages can arrive in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Net([Option<Message>; NET_MAX]);

impl Net {
    pub(crate) fn iter(&self) -> impl Iterator<Item = Message> + use<> {
        self.0.into_iter().flatten()
    }

    pub(crate) fn has(&self, message: Message) -> bool {
        self.0.contains(&Some(message))
    }

    pub(crate) fn send(&mut self, message: Message) {
        if !self.has(message) {
            let free = self.0.iter().position(Option::is_none).expect("there is room in the net");
            self.0[free] = Some(message);
            self.0[..=free].sort_unstable();
        }
    }

    pub(crate) fn take(&mut self, message: Message) {
        if let Some(index) = self.0.iter().position(|other| *other == Some(message)) {
            self.0[index] = None;
            self.0[index..].rotate_left(1);
        }
    }
}

/// A lease that a hub's reaper has read and not acted on yet. The only thing that a hub remembers between transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Note {
    pub(crate) holder: u8,
    pub(crate) epoch: u8,
    pub(crate) fence: u8,
}

/// The number of faults of each kind that may still happen. They make the state space finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Faults {
    /// Crashes of runner processes.
    pub(crate) crashes: u8,
    /// Reboots of machines.
    pub(crate) reboots: u8,
    /// Lost messages; each loss also drops its link.
    pub(crate) losses: u8,
    /// Messages that arrive twice.
    pub(crate) duplicates: u8,
    /// Runners that are silent for too long.
    pub(crate) silences: u8,
    /// Dropped links, by the network or a hub that stops.
    pub(crate) cuts: u8,
    /// Sessions replaced by a late hello of the same runner.
    pub(crate) orphans: u8,
    /// Cancel requests.
    pub(crate) cancels: u8,
}

impl Faults {
    /// The number of faults, without cancel requests.
    pub(crate) const fn total(&self) -> u8 {
        self.crashes + self.reboots + self.losses + self.duplicates + self.silences + self.cuts + self.orphans
    }
}

impl Add for Faults {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            crashes: self.crashes + other.crashes,
            reboots: self.reboots + other.reboots,
            losses: self.losses + other.losses,
            duplicates: self.duplicates + other.duplicates,
            silences: self.silences + other.silences,
            cuts: self.cuts + other.cuts,
            orphans: self.orphans + other.orphans,
            cancels: self.cancels + other.cancels,
        }
    }
}

/// History that no part of the system stores; only for the invariants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ghost {
    /// The fences whose command was started, as bits.
    pub(crate) started: u8,
    pub(crate) is_started_twice: bool,
    pub(crate) is_cancel_accepted: bool,
    pub(crate) is_forced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct State {
    pub(crate) db: Db,
    pub(crate) runners: [RunnerModel; RUNNERS],
    pub(crate) net: Net,
    /// One per hub.
    pub(crate) notes: [Option<Note>; 2],
    pub(crate) left: Faults,
    pub(crate) ghost: Ghost,
}

impl State {
    /// One job was just enqueued; both runners are connected and idle.
    pub(crate) fn first(faults: Faults) -> Self {
        let slot = ModelSlot { row: Row::None, folder: Folder::Empty };
        let session = RunnerSession { epoch: 1, is_synced: true, is_silent: false };
        Self {
            db: Db {
                ready: Some(0),
                waiting: None,
                lease: None,
                outcome: None,
                sessions: [session; RUNNERS],
                attempts: 0,
                free_ends: 0,
            },
            runners: [RunnerModel { is_up: true, awaited: 0, epoch: 1, slots: [slot; FENCES] }; RUNNERS],
            net: Net([None; NET_MAX]),
            notes: [None; 2],
            left: faults,
            ghost: Ghost { started: 0, is_started_twice: false, is_cancel_accepted: false, is_forced: false },
        }
    }

    pub(crate) fn folders(&self) -> impl Iterator<Item = Folder> {
        self.runners.into_iter().flat_map(|runner| runner.slots).map(|slot| slot.folder)
    }

    /// The job has ended, no process of it runs, and no runner has a result to report.
    pub(crate) fn is_settled(&self) -> bool {
        let is_quiet = |slot: &ModelSlot| matches!(slot.row, Row::None | Row::Gone) && slot.folder != Folder::Running;
        self.db.outcome.is_some() && self.runners.iter().all(|runner| runner.slots.iter().all(is_quiet))
    }
}

/// The subject of an exploration: a policy, bounds, and a planted bug, if any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    pub(crate) on_lost: OnLost,
    pub(crate) hubs: usize,
    pub(crate) faults: Faults,
    pub(crate) mutant: Mutant,
    /// Whether messages and notes without effect are removed. Known to be correct only for the protocol without a
    /// planted bug.
    pub(crate) is_pruned: bool,
    /// Whether each step is compared with the transition tables, too.
    pub(crate) has_tables: bool,
}

impl Model {
    pub(crate) fn has(&self, mutant: Mutant) -> bool {
        self.mutant == mutant
    }
}

/// Planted bugs. Each must be detected; otherwise the model proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mutant {
    None,
    /// A report ends whatever run its runner holds.
    FinishWithoutFence,
    /// A report of an earlier session is applied.
    FinishIgnoresEpoch,
    /// A report is applied although no run is leased.
    FinishWithoutLease,
    /// A report of an earlier session is answered as if the hub no longer needed it.
    StaleForgets,
    /// The reaper acts on the lease that it read, even if it has changed.
    ReapWithoutFence,
    /// The reaper requeues a held job.
    ReapIgnoresHold,
    /// The hub requeues a run before the runner has ended it.
    RegrantBeforeSelfFence,
    /// The self-fence ends running processes, but not starts in progress.
    StartAfterDeadline,
    /// The runner accepts grants of earlier sessions.
    GrantOldEpochAccepted,
    /// The runner deletes a run when the hub has stored its result.
    ForgetOnAck,
    /// A restarted runner reports a run as not started without taking the start marker.
    NoVoidMarker,
    /// The process is started before its journal row is written.
    StartWithoutJournal,
    /// A returned runner keeps its leases, whatever its inventory contains.
    InventoryIgnored,
    /// A returned runner loses its leases, whatever its inventory contains.
    InventoryFreesAll,
    /// An inventory also decides about grants of its own session.
    InventoryOfOwnEpoch,
    /// A requeue ignores a cancel request.
    CancelForgotten,
    /// Canceling a queued job leaves its row in the queue.
    CancelLeavesReady,
    /// A message is lost, but its link stays up.
    LossLeavesLink,
    /// A hub grants for a session that was replaced.
    ClaimOldEpoch,
    /// A hub grants to a runner that has been silent for too long.
    ClaimForSilent,
    /// A runner continues its session after its own deadline.
    SessionOutlivesDeadline,
    /// Canceling a queued job records it as failed.
    CancelRecordsFailure,
    /// The shim is launched before the journal says `starting`.
    LaunchBeforeStarting,
    /// A run that the machine ended is reported as not started.
    CrashReportedAsNotStarted,
}

impl Mutant {
    /// Each bug with the invariant that it violates first, or with the table that alone detects it.
    pub(crate) const ALL: [(Self, &'static str); 24] = [
        (Self::FinishWithoutFence, "P3"),
        (Self::FinishIgnoresEpoch, "P3"),
        (Self::FinishWithoutLease, "P3"),
        (Self::StaleForgets, "P6"),
        (Self::ReapWithoutFence, "P2"),
        (Self::ReapIgnoresHold, "P5"),
        (Self::RegrantBeforeSelfFence, "P5"),
        (Self::StartAfterDeadline, "P5"),
        (Self::GrantOldEpochAccepted, "P5"),
        (Self::ForgetOnAck, "P4"),
        (Self::NoVoidMarker, "P5"),
        (Self::StartWithoutJournal, "P5"),
        (Self::InventoryIgnored, "P1"),
        (Self::InventoryFreesAll, "P5"),
        (Self::InventoryOfOwnEpoch, "P5"),
        (Self::CancelForgotten, "P10"),
        (Self::CancelLeavesReady, "P1"),
        (Self::LossLeavesLink, "P1"),
        (Self::ClaimOldEpoch, "P1"),
        (Self::ClaimForSilent, "P2"),
        (Self::SessionOutlivesDeadline, "P5"),
        (Self::CancelRecordsFailure, JOB_TABLE),
        (Self::LaunchBeforeStarting, RUN_TABLE),
        (Self::CrashReportedAsNotStarted, RUN_TABLE),
    ];
}
