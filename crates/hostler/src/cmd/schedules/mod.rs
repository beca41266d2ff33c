//! Commands for triggers and events.
//!
//! - `event`: `hostler event`
//! - `explain`: `hostler schedule explain`
//! - `hook`: `hostler hook`
//! - `tail`: `hostler tail`
//! - `trigger`: `hostler trigger`

pub(crate) mod event;
pub(crate) mod explain;
pub(crate) mod hook;
pub(crate) mod tail;
pub(crate) mod trigger;
