//! The schema of both databases.
//!
//! - `inspect`: columns, plans and statements, for tests and `doctor`
//! - `migrate`: bringing a schema up to date

mod inspect;
pub(crate) mod migrate;

pub use inspect::{Column, NEWEST, Planner, statements};
