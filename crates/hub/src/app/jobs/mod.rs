//! Jobs: create, list, show, explain, change, follow.
//!
//! - `change`: cancels, retries and moves jobs
//! - `create`: validates requests and creates jobs
//! - `list`: filtered lists of jobs
//! - `log`: reads a run's log
//! - `show`: views of jobs and runs, counts of jobs
//! - `stream`: creates jobs from a stream of rows
//! - `why`: explains why a job waits or how it ended

pub(crate) mod change;
mod create;
pub(crate) mod list;
pub(crate) mod log;
mod show;
mod stream;
mod why;

pub(crate) use change::end_queued;
pub use create::Maker;
pub(crate) use create::{IDEMPOTENT_FOR, bulk_of, check_key, checked_payload, checked_priority, target_in};
