//! Supervised loops, task tracking, shutdown and clocks. Independent of jobs and hosts.
//!
//! - `clock`: clocks, randomness and ids
//! - `loop_supervisor`: runs loops with back-off, time limits and status
//! - `shutdown`: the shutdown signal of the process
//! - `status`: the status of each loop
//! - `task`: the trait of a loop
//! - `task_tracker`: tasks that are stopped and awaited together
//! - `wake`: wake-ups of loops
//! - `writers`: tasks that write for others, started again after a panic

pub mod clock;
pub mod loop_supervisor;
pub mod shutdown;
pub mod status;
pub mod task;
pub mod task_tracker;
pub mod wake;
pub mod writers;

pub use clock::{Clock, FakeClock, Ids, Random};
pub use loop_supervisor::{LoopSupervisor, Period};
pub use shutdown::{Shutdown, signals};
pub use status::{LoopState, LoopStatus};
pub use task::{Next, Pass, Task};
pub use task_tracker::TaskTracker;
pub use wake::Wake;
pub use writers::{WriterStatus, Writers};
