//! Jobs on this machine, from grant to result. Each step is written to the runner's database first, so an unreachable
//! hub or a restarted runner does not affect running jobs.
//!
//! ```text
//! grant → journal `accepted` → journal `starting` → shim → … → outcome + outbox in one commit → shim acknowledged
//!       → results to the hub → acknowledged by number → deleted
//! ```
//!
//! - `context`: state that the engine shares with its runs
//! - `engine`: the task that handles messages of the hub and of the runs
//! - `folders`: removal of old run folders
//! - `log_upload`: sending output to the hub
//! - `message`: messages of runs to their engine
//! - `order`: from a grant to a command
//! - `recover`: runs of an earlier process of the runner
//! - `redaction`: the values to mask in a run's output
//! - `run`: one run, from grant to result
//! - `run_socket`: the local socket for progress reports of programs
//! - `servers`: jobs and orders for servers

mod context;
mod engine;
mod folders;
mod log_upload;
mod message;
mod order;
mod recover;
mod redaction;
mod run;
mod run_socket;
mod servers;

pub use engine::{Engine, EngineSettings};
