//! What a runner does with what it is granted: journal, start, follow, report. All of it is written to the runner's
//! own database first, so a hub that is away and a runner that is restarted change nothing for what runs.
//!
//! ```text
//! grant → journal `accepted` → journal `starting` → shim → … → outcome + outbox in one commit → shim acknowledged
//!       → results to the hub → settled by number → forgotten
//! ```

mod catalogue;
mod door;
mod engine;
mod folders;
mod hidden;
mod order;
mod recover;
mod run;
mod servers;
mod ship;

pub use catalogue::Catalogue;
pub use engine::{Engine, Settings};
pub(crate) use order::plain_environment;
pub(crate) use ship::log_line;
