//! The wire formats: bodies of the HTTP API, frames between runner and hub, and error responses. Types and
//! serialization only; no decisions and no I/O.
//!
//! - `api`: bodies of the HTTP API
//! - `bytes`: byte strings of fixed length
//! - `error`: error codes and error responses
//! - `link`: frames of the link between runner and hub
//! - `metrics`: metrics of a machine
//! - `page`: pages of lists
//! - `sync`: replication frames
//! - `work`: frames about jobs and runs

pub mod api;
pub mod bytes;
pub mod error;
pub mod link;
pub mod metrics;
pub mod page;
pub mod sync;
pub mod work;

pub use error::{Code, Problem};
pub use page::Page;

/// The version of this build.
pub const VERSION: &str = "0.1.0";
