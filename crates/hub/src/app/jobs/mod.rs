//! Jobs.
//!
//! - `create` validates requests and creates jobs; `stream` creates them from an endless request
//! - `change` cancels, retries and moves jobs
//! - `list` filters; `show` builds the views of jobs and runs; `log` reads a run's log
//! - `why` explains why a job waits or how it ended

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
