//! Commands that add, remove and manage machines.
//!
//! - `host`: `hostler host`
//! - `invite`: `hostler invite`
//! - `join`: `hostler join` and `hostler leave`
//! - `timeline`: `hostler host timeline`

pub(crate) mod host;
pub(crate) mod invite;
pub(crate) mod join;
mod timeline;
