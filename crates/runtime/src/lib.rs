//! Supervised loops, wake-ups, back-off, shutdown, clock. Knows nothing of jobs or hosts.

pub mod clock;
pub mod loop_supervisor;
pub mod shutdown;
pub mod status;
pub mod task;
pub mod task_tracker;
pub mod wake;

pub use clock::{Clock, FakeClock, Ids, Random};
pub use loop_supervisor::{LoopSupervisor, Period};
pub use shutdown::{Shutdown, signals};
pub use status::{LoopState, LoopStatus};
pub use task::{Next, Pass, Task};
pub use task_tracker::TaskTracker;
pub use wake::Wake;
