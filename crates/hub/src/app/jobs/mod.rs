//! Jobs, as people and programs make, see and change them.

pub(crate) mod change;
pub(crate) mod list;
pub(crate) mod log;
mod make;
mod show;
mod stream;
mod why;

pub(crate) use change::end_queued;
pub use make::Maker;
pub(crate) use make::{IDEMPOTENT_FOR, bulk_of, check_key, checked_payload, checked_priority, target_in};
