//! Bugs of what is around the protocol: how rows are numbered, kept and forwarded.

use domain::sync::planted::Bug;

/// A bug of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiskBug {
    /// Rows are numbered by the wall clock, in steps: two at the same time have the same number, and a clock that is set
    /// back gives old numbers to new rows.
    NumberedByClock,
    /// All rows of a transaction have one number: a page that ends between them loses the rest.
    OneNumberPerTransaction,
    /// Numbers are taken before the commit: a later one can be seen first.
    LateCommit,
    /// A page holds so many rows of each table, and moves on to the greatest number in it.
    LimitPerTable,
    /// The last to arrive is kept, whatever its version.
    NoGuard,
    /// The one with the later wall clock is kept.
    GuardByClock,
    /// A deleted row is removed without a trace.
    HardDelete,
    /// Deletions are forgotten before all hubs have heard of them.
    ForgetsEarly,
    /// Whoever joins a thread gets what is said from then on only.
    NoBackfill,
    /// A host's place in the hub's log is the greatest number of others' rows that it has.
    ForwardByOriginsNumbers,
    /// Rows of others are taken for one's own and said on.
    Echo,
    /// Rows are whose they say they are.
    BelievesRows,
    /// A row is no longer doubted when any state of it is said, also one that is older than the one that is held.
    AnyStateEndsDoubt,
    /// Whoever is to take something over begins when it is told to, not when the one before has let go.
    StartsWhenTold,
    /// Every hub says whose a name is, not only the home: the first at each of them.
    EveryHubGivesNames,
    /// Whoever asks for a name that somebody else asks for is refused.
    RefusesTakenNames,
    /// A hub that begins another history does not say again whose names are.
    NamesOfAnOldHistory,
    /// A usage that comes again is added again, under a number of its own.
    CountsTwice,
    /// A row that is larger than a frame may be is tried for ever.
    NoBudget,
}

impl DiskBug {
    pub(crate) const ALL: &[Self] = &[
        Self::NumberedByClock,
        Self::OneNumberPerTransaction,
        Self::LateCommit,
        Self::LimitPerTable,
        Self::NoGuard,
        Self::GuardByClock,
        Self::HardDelete,
        Self::ForgetsEarly,
        Self::NoBackfill,
        Self::ForwardByOriginsNumbers,
        Self::Echo,
        Self::BelievesRows,
        Self::AnyStateEndsDoubt,
        Self::StartsWhenTold,
        Self::EveryHubGivesNames,
        Self::RefusesTakenNames,
        Self::NamesOfAnOldHistory,
        Self::CountsTwice,
        Self::NoBudget,
    ];
}

/// The bugs of the protocol itself.
pub(crate) const BUGS: &[Bug] = &[
    Bug::NoDivergenceCheck,
    Bug::NoMarks,
    Bug::NoWitness,
    Bug::NoSeen,
    Bug::NoFloor,
    Bug::NoSweep,
    Bug::NoFromCheck,
    Bug::ForwardNotConfirmed,
    Bug::ForwardGaps,
    Bug::NoHubEpoch,
    Bug::RejectionBlocks,
    Bug::UnknownBlocks,
    Bug::NoOwnership,
    Bug::NoCheck,
];
