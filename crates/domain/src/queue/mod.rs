//! Jobs: definitions, states, claims, limits and lanes.
//!
//! - `argv`: templates for the command lines and environments of definitions
//! - `batch`: bulk actions on many jobs
//! - `claim`: the choice of jobs for a claim: order, limits, fairness between orgs
//! - `definition`: definitions: commands that may be run, and their validation
//! - `job`: states and transitions of jobs
//! - `lane`: targets of jobs and lanes of the queue
//! - `log_budget`: how much output is stored
//! - `quota`: limits on running jobs and on starts per minute
//! - `run`: states and transitions of runs
//! - `schema`: validation of payloads with a subset of JSON Schema
//! - `why`: why a job waits, in words

pub mod argv;
pub mod batch;
pub mod claim;
pub mod definition;
pub mod job;
pub mod lane;
pub mod log_budget;
pub mod quota;
pub mod run;
pub mod schema;
pub mod why;
