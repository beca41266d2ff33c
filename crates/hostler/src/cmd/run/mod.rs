//! Commands for definitions and jobs.
//!
//! - `batch`: `hostler batch`, and starting batches for other commands
//! - `create`: `hostler run`, creating a job and following it
//! - `def`: `hostler def`
//! - `files`: reading definition and trigger files
//! - `follow`: following a job's output until it ends
//! - `job`: `hostler job`, and its short forms `ps`, `why`, `logs`, `cancel`, `retry`, `wait`, `queue`
//! - `limit`: `hostler limit`, `pause` and `resume`
//! - `outcome`: how a job ended, in words and as an exit status
//! - `payload`: payload values from arguments
//! - `progress`: `hostler progress`
//! - `report`: `hostler report`

pub(crate) mod batch;
pub(crate) mod create;
pub(crate) mod def;
pub(crate) mod files;
pub(crate) mod follow;
pub(crate) mod job;
pub(crate) mod limit;
pub(crate) mod outcome;
pub(crate) mod payload;
pub(crate) mod progress;
pub(crate) mod report;
