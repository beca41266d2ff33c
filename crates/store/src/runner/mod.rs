//! Tables that only a runner has.
//!
//! - `journal`: accepted runs, and the outbox of results

pub mod journal;
