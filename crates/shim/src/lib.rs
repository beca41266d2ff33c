//! The formats that a run's shim and its runner share: the files of a run folder and the lines of its socket.
//!
//! `spec` what to run · `marker` which process owns the run · `record` output records · `outcome` how the run ended ·
//! `wire` the socket protocol · `files` file names · `fields` the `key value` text format.
//!
//! The shim itself is the binary `hostler-shim` in `process/`. This library does no I/O, so that both sides can use it.

pub mod fields;
pub mod files;
pub mod marker;
pub mod outcome;
pub mod record;
pub mod spec;
pub mod wire;

pub use marker::Marker;
pub use outcome::{Ending, Kind, Moment, Outcome, Step, Why};
pub use spec::{Caps, Fence, Limits, Spec, User};
