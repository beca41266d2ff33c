//! The schema of both databases.
//!
//! - `inspect`: columns, query plans and statements, for tests and `doctor`
//! - `migrate`: applying missing migrations
//! - `reworded`: checksums of migrations whose comments were rewritten

mod inspect;
pub(crate) mod migrate;
mod reworded;

pub use inspect::{Column, NEWEST, Planner, fingerprint, statements};
