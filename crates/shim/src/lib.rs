//! What a run's shim and its runner tell each other: the files of a run folder and the words on its socket.
//!
//! The shim itself is the program `hostler-shim` beside this library. The library has no dependencies and does no I/O,
//! so that both sides can use it.

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
