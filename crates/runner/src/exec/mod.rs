//! Running programs so that they outlive this process: each has a shim, and a folder through which it is found again.
//!
//! Independent of hub, link and database. What must be durable before a start and after an end is the caller's: note
//! that the run may begin, then [`start()`]; after a restart [`judge()`] each folder; keep the outcome, then
//! [`Finished::ack`] it.

mod handle;
mod install;
mod judge;
mod limits;
pub mod lines;
pub mod log;
mod not_begun;
mod order;
pub mod progress;
pub mod redact;
mod start;
mod strays;
pub mod tails;

pub use handle::{Ended, Finished, Handle, Refused};
pub use install::{InstallError, Shim};
pub use judge::{Crash, Verdict, judge};
pub use limits::unmet_limits;
pub use lines::{Line, Stream};
pub use log::{Follower, Position};
pub use not_begun::not_begun;
pub use order::Order;
pub use progress::Progress;
pub use redact::Redactor;
pub use shim::{Caps, Ending, Fence, Kind, Limits, Outcome, Step, User, Why};
pub use start::{StartError, Started, launch, prepare, start};
pub use strays::sweep_strays;
pub use tails::Tails;

/// Milliseconds since the boot, sleep included: the clock of leases. A shim keeps to the same one.
#[must_use]
pub fn boot_ms() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    u64::try_from(now.tv_sec * 1000 + now.tv_nsec / 1_000_000).unwrap_or_default()
}

/// Does small work on files where it keeps nobody waiting.
async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)?
}
