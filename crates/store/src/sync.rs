//! Rows that travel between runners and hubs. The protocol is `domain::sync`; here is where its two shelves lie.

mod capture;
mod docs;
mod down;
mod fires;
mod held;
mod hub;
mod mirror;
mod origin;
mod replay;
mod servers;
mod status;

pub use down::{Handed, Holding};
pub use held::Seat;
pub use hub::HubSide;
pub use replay::{Handled, NeedsWrite, OriginSide};
pub use status::{Behind, LaneLag, OwnLane, Parked};

use domain::sync::{Mark, Place, Version};

use crate::Sql;

/// Every statement of these files.
pub(crate) fn statements() -> Vec<Sql> {
    [
        docs::STATEMENTS,
        down::STATEMENTS,
        fires::STATEMENTS,
        held::STATEMENTS,
        hub::STATEMENTS,
        mirror::STATEMENTS,
        origin::STATEMENTS,
        servers::STATEMENTS,
        status::STATEMENTS,
    ]
    .concat()
}

/// Numbers of the protocol as they lie in a database. None of ours come near the end of it; those of others are refused
/// before they get here.
pub(crate) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(crate) fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// Marks are only ever compared: their sign does not matter.
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
