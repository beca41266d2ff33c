//! The formats that a run's shim and its runner share: the files of a run folder and the lines of its socket.
//!
//! The shim itself is the binary `hostler-shim` in `process/`. This library does no I/O, so that both sides can use it.
//!
//! - `fields`: the text format of the small files: lines of `key value`
//! - `files`: the file names in a run folder
//! - `marker`: which process owns a run
//! - `outcome`: how a run ended
//! - `process`: the binary
//! - `record`: the format of output records
//! - `spec`: what to run
//! - `wire`: the socket protocol

pub mod fields;
pub mod files;
pub mod marker;
pub mod outcome;
pub mod record;
pub mod spec;
pub mod wire;

pub use marker::Marker;
pub use outcome::{Ending, Kind, Moment, Outcome, Step, Why};
pub use spec::{Caps, Fence, Isolation, Limits, Spec, User};
