//! Tables that only a runner has.
//!
//! - `journal`: accepted work, the outbox, and the runner's own settings

pub mod journal;
