//! Processes that outlive the runner: each run has a shim that supervises it, and a folder by which a restarted runner
//! finds it again.
//!
//! Independent of hub, link and database. The caller provides durability: record that the run may start, then call
//! [`start()`]; after a restart call [`inspect()`] on each folder; store the outcome, then [`Finished::ack`] it.
//!
//! - `account`: the user that a run gets
//! - `confinement`: the isolation and the users of runs
//! - `environment`: the environment that every program gets
//! - `handle`: connection to the shim of a live run
//! - `inspect`: the state of a run, from its folder
//! - `install`: writing the embedded shim binary to disk
//! - `limits`: which resource limits are enforced
//! - `lines`: splitting output into lines
//! - `log`: reading the output files from any position
//! - `order`: what to run
//! - `orphans`: killing processes whose shim is gone
//! - `progress`: progress reports in the output
//! - `start`: starting a run
//! - `start_error`: messages for failed starts
//! - `tails`: the last part of each output stream

mod account;
mod confinement;
mod environment;
mod handle;
mod inspect;
mod install;
mod limits;
pub mod lines;
pub mod log;
mod order;
mod orphans;
pub mod progress;
mod start;
mod start_error;
pub mod tails;

pub(crate) use account::Account;
pub use account::{JobUser, ORG_UIDS};
pub use confinement::{Confinement, ConfinementSettings, IsolationLevel, Offer};
pub(crate) use confinement::{JobFolder, make_shared_folder};
pub use domain::redact::Redactor;
pub(crate) use environment::plain_environment;
pub use handle::{CommandRefused, Finished, Handle, RunEnd};
pub use inspect::{Crash, RunState, inspect};
pub use install::{InstallError, Shim};
pub use limits::unmet_limits;
pub use lines::{Line, OutputStream};
pub use log::{Follower, Position};
pub use order::Order;
pub use orphans::kill_orphans;
pub use progress::Progress;
pub use shim::{Caps, Ending, Fence, Isolation, Kind, Limits, Outcome, Step, User, Why};
pub use start::{StartError, Started, launch, prepare, start};
pub use start_error::start_error;
pub use tails::Tails;

/// Milliseconds since boot, suspend included. Leases use this clock, here and in the shim: it cannot be set back.
#[must_use]
pub fn boot_ms() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    u64::try_from(now.tv_sec * 1000 + now.tv_nsec / 1_000_000).unwrap_or_default()
}

/// Runs file operations on the blocking thread pool.
async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)?
}
