//! The schema of both databases.
//!
//! - `inspect`: columns, query plans and statements, for tests and `doctor`
//! - `migrate`: applying missing migrations

mod inspect;
pub(crate) mod migrate;

pub use inspect::{Column, NEWEST, Planner, statements};
