//! Bugs that a test can switch on, to prove that the simulation finds them.
//!
//! Each one is a way in which replication protocols have lost data. Without the feature `planted` none of it is
//! compiled.

/// A bug that can be switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bug {
    /// A runner does not compare the requested position with its own history.
    NoDivergenceCheck,
    /// A runner compares sequence numbers only, not marks.
    NoMarks,
    /// A runner ignores the positions that the hub learned from other runners.
    NoWitness,
    /// Runners do not send the positions that they learned from other hubs.
    NoSeen,
    /// A cursor below the floor is answered as if no deletions had been purged.
    NoFloor,
    /// Rows that a full resend does not contain are kept.
    NoSweep,
    /// A hub accepts a page that does not start at its cursor.
    NoFromCheck,
    /// A hub counts sent rows as received, and a runner applies any page.
    ForwardNotConfirmed,
    /// A runner applies entries of a hub's log that do not follow its position.
    ForwardGaps,
    /// A wiped or restored hub continues its old epoch.
    NoHubEpoch,
    /// One rejected row blocks its page.
    RejectionBlocks,
    /// An unknown table blocks its page.
    UnknownBlocks,
    /// A runner may write rows of tables that belong to hubs.
    NoOwnership,
    /// Checksums are never compared.
    NoCheck,
}

#[cfg(feature = "planted")]
mod plot {
    use std::cell::Cell;

    thread_local!(static PLANTED: Cell<Option<super::Bug>> = const { Cell::new(None) });

    /// Switches on a bug for this thread; `None` switches it off.
    pub fn plant(bug: Option<super::Bug>) {
        PLANTED.set(bug);
    }

    /// Whether this bug is switched on.
    #[must_use]
    pub fn has(bug: super::Bug) -> bool {
        PLANTED.get() == Some(bug)
    }
}
#[cfg(feature = "planted")]
pub use plot::{has, plant};

/// Whether this bug is switched on: always `false` without the feature `planted`.
#[cfg(not(feature = "planted"))]
#[must_use]
pub const fn has(_: Bug) -> bool {
    false
}
