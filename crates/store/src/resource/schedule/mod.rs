//! Triggers, and the times at which they fired.
//!
//! - `fire`: the outcome of each nominal time of a schedule
//! - `trigger`: schedules, hooks and event triggers

pub mod fire;
pub mod trigger;
