//! What a runner does with what it is granted: journal, start, follow, report. All of it is written to the runner's
//! own database first, so a hub that is away and a runner that is restarted change nothing for what runs.
//!
//! ```text
//! grant → journal `accepted` → journal `starting` → shim → … → outcome + outbox in one commit → shim acknowledged
//!       → results to the hub → settled by number → forgotten
//! ```

mod catalogue;
mod engine;
mod folders;
mod log_upload;
mod order;
mod recover;
mod redaction;
mod run;
mod run_socket;
mod servers;

pub use catalogue::Catalogue;
pub use engine::{Engine, EngineSettings};
pub(crate) use log_upload::log_line;
pub(crate) use order::plain_environment;
