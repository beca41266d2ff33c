//! The scheduler: jobs that schedules, returning hosts and events create.
//!
//! Schedules are decided under a lock on the trigger's row. Fires, jobs and the trigger's new `settled_at` are
//! written in one transaction. So any number of hubs can decide at the same time, and a killed hub loses or repeats
//! nothing.
//!
//! - `catch_up`: missed schedules of hosts that reconnected
//! - `event_match`: triggers that an event fires
//! - `fire`: due nominal times of schedules
//! - `hosts`: hosts that a trigger or a selector names
//! - `job_from_trigger`: builds the job of a trigger
//! - `placement`: schedules that hosts fire themselves
//! - `targets`: hosts or queue of a trigger's jobs

pub(crate) mod catch_up;
pub(crate) mod event_match;
pub(crate) mod fire;
pub(crate) mod hosts;
pub(crate) mod job_from_trigger;
pub(crate) mod placement;
pub(crate) mod targets;
