//! What the world of the model is made of: a database, two runners with their machines, and what is under way.
//!
//! A state is a plain value without references, so that millions of them can be kept and compared.

use std::ops::Add;

use domain::job::{FREE_ENDS, JobStatus, OnLost, RunStatus};

/// Runners, each on a machine of its own.
pub(crate) const RUNNERS: usize = 2;
/// How many runs may count.
pub(crate) const MAX_ATTEMPTS: u32 = 2;
/// No job is granted more often: each run counts, or is one of the free ends. The last one ends the job.
pub(crate) const FENCES: usize = (MAX_ATTEMPTS + FREE_ENDS) as usize;
/// Messages under way at once. Reaching it is an error of the bounds, not a silent loss.
const NET_MAX: usize = 12;

/// The run of this fence, as its runner's journal has it. Durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Row {
    None,
    Accepted,
    Starting,
    Ended(RunStatus),
    /// The hub has it, or wants nothing of it. The row stays, so that a late grant finds it.
    Gone,
}

/// The run's folder and what is alive in it. Survives the runner, not the processes a reboot ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Folder {
    Empty,
    /// A shim is on its way; nobody has taken the marker yet.
    Spawned,
    /// The shim has the marker and the command runs.
    Running,
    /// The exit file is there.
    Exited(RunStatus),
    /// Of an earlier boot: it began, and nothing says how it ended.
    Dead,
    /// Somebody has the marker and nothing can begin any more.
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
    /// The hello it waits for an answer to, named by the epoch the answer brings; 0 = none. Volatile.
    pub(crate) awaited: u8,
    /// Its session; 0 = none. Volatile.
    pub(crate) epoch: u8,
    /// By fence, from 1.
    pub(crate) slots: [ModelSlot; FENCES],
}

impl RunnerModel {
    /// The highest fence it has ever accepted: nothing up to it begins again.
    pub(crate) fn high(&self) -> u8 {
        let found = self.slots.iter().rposition(|slot| slot.row != Row::None);
        found.map_or(0, |index| index as u8 + 1)
    }

    pub(crate) fn slot(&mut self, fence: u8) -> &mut ModelSlot {
        &mut self.slots[usize::from(fence) - 1]
    }

    /// Forgets the link; what comes next is a hello.
    pub(crate) fn hang_up(&mut self) {
        self.epoch = 0;
        self.awaited = 0;
    }

    /// The fences that are not over with, as bits.
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
pub(crate) struct Session {
    pub(crate) epoch: u8,
    /// Its inventory has arrived, so that it may be granted something.
    pub(crate) is_synced: bool,
    /// Not heard from for longer than `lost_after` and the margin.
    pub(crate) is_silent: bool,
}

/// The tables, each on its own, so that a job in two of them can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Db {
    pub(crate) ready: Option<u8>,
    pub(crate) waiting: Option<u8>,
    pub(crate) lease: Option<Lease>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) sessions: [Session; RUNNERS],
    pub(crate) attempts: u8,
    pub(crate) free_ends: u8,
}

impl Db {
    /// The status people see, derived as the view does.
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
    /// Committed, or nothing the hub knows of: stop it if it runs, and keep nothing of it.
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

/// What is under way: a set, so that everything may overtake everything.
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

/// What a hub's sweeper has read and not yet acted upon. The only thing a hub remembers between transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Note {
    pub(crate) holder: u8,
    pub(crate) epoch: u8,
    pub(crate) fence: u8,
}

/// How many faults of each kind may still happen. They make the space finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Faults {
    /// RunnerModel processes.
    pub(crate) crashes: u8,
    /// Machines.
    pub(crate) reboots: u8,
    /// Messages, each with its link.
    pub(crate) losses: u8,
    /// Messages that arrive twice.
    pub(crate) duplicates: u8,
    /// Runners not heard from for too long.
    pub(crate) silences: u8,
    /// Links cut, by the network or by a hub that went down.
    pub(crate) cuts: u8,
    /// Sessions replaced behind the runner's back, by a hello of its own that came late.
    pub(crate) strays: u8,
    /// Cancels people ask for.
    pub(crate) cancels: u8,
}

impl Faults {
    /// What may still fail; the wishes of people aside.
    pub(crate) const fn total(&self) -> u8 {
        self.crashes + self.reboots + self.losses + self.duplicates + self.silences + self.cuts + self.strays
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
            strays: self.strays + other.strays,
            cancels: self.cancels + other.cancels,
        }
    }
}

/// What no part of the system keeps, for the properties alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ghost {
    /// The fences whose command has been started, as bits.
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
    /// One job, just enqueued; both runners are there with nothing in their hands.
    pub(crate) fn first(faults: Faults) -> Self {
        let slot = ModelSlot { row: Row::None, folder: Folder::Empty };
        let session = Session { epoch: 1, is_synced: true, is_silent: false };
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

    /// The job is over, nothing of it runs, and no runner has anything left to say.
    pub(crate) fn is_settled(&self) -> bool {
        let is_quiet = |slot: &ModelSlot| matches!(slot.row, Row::None | Row::Gone) && slot.folder != Folder::Running;
        self.db.outcome.is_some() && self.runners.iter().all(|runner| runner.slots.iter().all(is_quiet))
    }
}

/// What is checked: a policy, bounds, and the bug planted on purpose, if one is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Model {
    pub(crate) on_lost: OnLost,
    pub(crate) hubs: usize,
    pub(crate) faults: Faults,
    pub(crate) mutant: Mutant,
    /// Whether what can have no effect any more is left out. Only the true protocol is known to allow it.
    pub(crate) is_pruned: bool,
}

impl Model {
    pub(crate) fn has(&self, mutant: Mutant) -> bool {
        self.mutant == mutant
    }
}

/// Bugs to plant. Each must be found, or the model proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mutant {
    None,
    /// A report ends whatever its runner holds.
    FinishWithoutFence,
    /// A report of an earlier session is applied.
    FinishIgnoresEpoch,
    /// A report is applied though nothing is leased.
    FinishWithoutLease,
    /// A report of an earlier session is answered as if nobody waited for it any more.
    StaleForgets,
    /// The sweeper acts on what it read, whatever has happened since.
    SweepWithoutFence,
    /// The sweeper gives a held job away.
    SweepIgnoresHold,
    /// The hub gives up before the runner does.
    RegrantBeforeSelfFence,
    /// The self-fence ends what runs, and lets begin what was about to.
    StartAfterDeadline,
    /// The runner takes grants of sessions that are over.
    GrantOldEpochAccepted,
    /// The runner forgets a run altogether when the hub has its result.
    ForgetOnAck,
    /// A restarted runner calls a run not started without making sure.
    NoVoidMarker,
    /// The process is started first and written down later.
    StartWithoutJournal,
    /// A returned runner keeps its leases, whatever it says it has.
    InventoryIgnored,
    /// A returned runner loses its leases, whatever it says it has.
    InventoryFreesAll,
    /// An inventory also decides about what its own session was granted.
    InventoryOfOwnEpoch,
    /// A requeue does not look at the wish to cancel.
    CancelForgotten,
    /// Canceling a queued job leaves its row to be claimed.
    CancelLeavesReady,
    /// A message is lost and its link goes on as if nothing were missing.
    LossLeavesLink,
    /// A hub grants in the name of a session that has been replaced.
    ClaimOldEpoch,
    /// A hub grants to a runner that has been silent for too long.
    ClaimForSilent,
    /// A runner goes on with its session after its own deadline.
    SessionOutlivesDeadline,
}

impl Mutant {
    /// Each with the promise it is first seen to break.
    pub(crate) const ALL: [(Self, &'static str); 21] = [
        (Self::FinishWithoutFence, "P3"),
        (Self::FinishIgnoresEpoch, "P3"),
        (Self::FinishWithoutLease, "P3"),
        (Self::StaleForgets, "P6"),
        (Self::SweepWithoutFence, "P2"),
        (Self::SweepIgnoresHold, "P5"),
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
    ];
}
