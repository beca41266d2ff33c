//! Jobs, as people and programs make, see and change them.

mod change;
mod list;
mod log;
mod make;
mod show;
mod why;

pub(crate) use change::end_queued;
pub use make::Maker;
pub(crate) use make::bulk_of;
