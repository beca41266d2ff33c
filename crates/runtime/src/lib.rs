//! Supervised loops, wake-ups, back-off, shutdown, clock. Knows nothing of jobs or hosts.

pub mod clock;
pub mod crew;
pub mod group;
pub mod shutdown;
pub mod status;
pub mod task;
pub mod wake;

pub use clock::{Clock, FakeClock, Ids, Random};
pub use crew::Crew;
pub use group::{Group, Period};
pub use shutdown::{Shutdown, signals};
pub use status::{LoopState, LoopStatus};
pub use task::{Next, Pass, Task};
pub use wake::Wake;
