//! What makes jobs by itself: schedules, hosts that return, events.
//!
//! Every decision about a trigger is made under a lock on its row, and what it comes to (its fires, its jobs, up to
//! where it is settled) is one transaction. So any number of hubs can try at once, and be killed at any moment.

pub(crate) mod catch_up;
pub(crate) mod event_match;
pub(crate) mod fire;
pub(crate) mod job_from_trigger;
pub(crate) mod placement;
pub(crate) mod targets;
