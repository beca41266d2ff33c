//! Replication of rows between runners and hubs: the storage of the protocol in `domain::sync` (ADR 10, ADR 12).
//!
//! - `capture`: on a runner, sequence numbers for changes of its own rows
//! - `documents`: on a runner, the content of replicated rows
//! - `drive`: the state machines of the protocol, run on a database
//! - `fires`: on a hub, triggers and fires of hosts
//! - `hub`: on a hub, the cursor of each host, and the application of its pages
//! - `hub_to_host`: on a hub, the log of triggers and servers that each host must have
//! - `mirror`: on a hub, copies of hosts' jobs, runs, definitions and logs in the hub's own tables
//! - `origin`: on a runner, its rows by sequence number, and the position each hub has confirmed
//! - `ownership`: on a hub, which rows a host may write
//! - `replica`: on a runner, the hub's triggers, servers and definitions
//! - `servers`: servers and their runs, in both directions
//! - `status`: the progress of replication, for the web UI and the CLI

mod capture;
mod documents;
mod drive;
mod fires;
mod hub;
mod hub_to_host;
mod mirror;
mod origin;
mod ownership;
mod replica;
mod servers;
mod status;

pub use drive::{Handled, NeedsWrite, OriginSide};
pub use hub::HubSide;
pub use hub_to_host::{Handed, Holding};
pub use ownership::ServerOwner;
pub use replica::StandaloneHost;
pub use status::{Behind, OwnPriority, Parked, PriorityLag, RefusedRow};

use domain::sync::{Mark, Place, Version};

use crate::Sql;

/// All statements of the replication.
pub(crate) fn statements() -> Vec<Sql> {
    [
        documents::STATEMENTS,
        hub_to_host::STATEMENTS,
        fires::STATEMENTS,
        replica::STATEMENTS,
        hub::STATEMENTS,
        mirror::STATEMENTS,
        origin::STATEMENTS,
        ownership::STATEMENTS,
        servers::STATEMENTS,
        status::STATEMENTS,
    ]
    .concat()
}

/// A sequence number as stored in the database. Numbers assigned here stay far below `i64::MAX`.
pub(crate) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(crate) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// Marks are only compared for equality, so the sign bit may change.
pub(crate) fn bits(mark: Mark) -> i64 {
    mark.0.cast_signed()
}

pub(crate) fn mark(bits: i64) -> Mark {
    Mark(bits.cast_unsigned())
}

pub(crate) fn epoch(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

pub(crate) fn place(epoch_: i64, seq: i64, bits: i64) -> Place {
    Place { at: Version { epoch: epoch(epoch_), seq: unsigned(seq) }, mark: mark(bits) }
}
