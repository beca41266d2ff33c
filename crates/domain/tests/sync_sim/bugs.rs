//! Planted bugs in the storage around the protocol: how rows are numbered, stored and forwarded.

use domain::sync::planted::Bug;

/// A bug in a storage implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiskBug {
    /// Sequence numbers are derived from the wall clock: two simultaneous rows share a number, and a clock that is set
    /// back gives old numbers to new rows.
    NumberedByClock,
    /// All rows of a transaction share one number: a page that ends between them loses the rest.
    OneNumberPerTransaction,
    /// Numbers are assigned before the commit: a later number can become visible first.
    LateCommit,
    /// The page limit applies to each table, and the cursor moves to the highest number in the page.
    LimitPerTable,
    /// The last row to arrive is stored, whatever its version.
    NoGuard,
    /// The row with the later wall clock time is stored.
    GuardByClock,
    /// A deleted row is removed without a tombstone.
    HardDelete,
    /// Tombstones are purged before all hubs have confirmed them.
    ForgetsEarly,
    /// A host that joins a thread receives only later messages.
    NoBackfill,
    /// The cursor of a host in the hub's log is the highest sequence number among the rows that it has received.
    ForwardByOriginsNumbers,
    /// Forwarded rows are treated as own rows and sent on.
    Echo,
    /// The owner of a row is taken from its content instead of its sender.
    BelievesRows,
    /// A row is confirmed by any version of it, even by one older than the stored version.
    AnyStateEndsDoubt,
    /// The next owner starts when the move is requested, not when the previous owner has released.
    StartsWhenRequested,
    /// Every hub assigns names, not only the primary hub.
    EveryHubGivesNames,
    /// A request for a name that another host has requested is rejected.
    RefusesTakenNames,
    /// A hub that starts a new epoch does not assign the names again.
    NamesOfAnOldHistory,
    /// A usage row that is received again is added again, with another id.
    CountsTwice,
    /// A row that is larger than a frame is sent again and again.
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
        Self::StartsWhenRequested,
        Self::EveryHubGivesNames,
        Self::RefusesTakenNames,
        Self::NamesOfAnOldHistory,
        Self::CountsTwice,
        Self::NoBudget,
    ];
}

/// The bugs in the protocol itself.
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
