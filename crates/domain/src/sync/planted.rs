//! Bugs that a test plants, to prove that it would find them.
//!
//! Each is a way in which such protocols have lost data. Without the feature `planted` there is none of it in the code.

/// A bug that can be planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bug {
    /// A runner does not compare what a hub asks after with its own history.
    NoDivergenceCheck,
    /// … compares numbers only.
    NoMarks,
    /// … ignores the furthest place the hub has heard of.
    NoWitness,
    /// Hubs are not told what runners have heard of others.
    NoSeen,
    /// A cursor below the floor is answered as if nothing had been forgotten.
    NoFloor,
    /// What is not said again in a reset stays.
    NoSweep,
    /// A hub takes a page that does not begin where its cursor is.
    NoFromCheck,
    /// A hub counts what it has sent as received, and a runner takes what comes.
    ForwardNotConfirmed,
    /// A runner takes entries of a hub's log that do not follow what it has.
    ForwardGaps,
    /// A hub that was wiped or restored goes on as if it had not been.
    NoHubEpoch,
    /// One row that is refused holds up its page.
    RejectionBlocks,
    /// A table that is not known holds up its page.
    UnknownBlocks,
    /// A runner may write rows of tables that are not runners' to write.
    NoOwnership,
    /// The two sides are never compared.
    NoCheck,
}

#[cfg(feature = "planted")]
mod plot {
    use std::cell::Cell;

    thread_local!(static PLANTED: Cell<Option<super::Bug>> = const { Cell::new(None) });

    /// Plants a bug for this thread, or none.
    pub fn plant(bug: Option<super::Bug>) {
        PLANTED.set(bug);
    }

    /// Whether this one is planted.
    #[must_use]
    pub fn has(bug: super::Bug) -> bool {
        PLANTED.get() == Some(bug)
    }
}
#[cfg(feature = "planted")]
pub use plot::{has, plant};

/// Whether this one is planted: none is.
#[cfg(not(feature = "planted"))]
#[must_use]
pub const fn has(_: Bug) -> bool {
    false
}
