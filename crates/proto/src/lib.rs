//! Words on the wire: HTTP bodies, the frames between runner and hub, and the error body.
//!
//! Types and their serde forms only. Nothing here decides and nothing here does I/O.

pub mod api;
pub mod error;
pub mod link;
pub mod metrics;
pub mod page;
pub mod sync;
pub mod work;

pub use error::{Code, Problem};
pub use page::Page;

/// The version every part of this build reports.
pub const VERSION: &str = "0.1.0";
