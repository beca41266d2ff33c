//! Schedules.
//!
//! - `fire`: times at which a trigger fired
//! - `trigger`: schedules, hooks and event triggers

pub mod fire;
pub mod trigger;
