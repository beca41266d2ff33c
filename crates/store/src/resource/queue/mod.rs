//! Jobs, and the rows that decide when a job starts.
//!
//! - `batch`: bulk actions on many jobs
//! - `claim`: queue heads, and the leases created from them
//! - `dedupe`: dedupe keys and idempotency keys
//! - `definition`: definitions and their versions
//! - `event`: the event log
//! - `fair_share`: use of hosts that several organizations share
//! - `holder`: load of runners and workers that hold leases
//! - `insert`: inserting jobs and finishing runs
//! - `job`: reading jobs and runs, and redriving jobs
//! - `lane`: lanes, and the hosts that serve them
//! - `lease`: runs in progress, outside of claims
//! - `log`: output of runs
//! - `quota`: limits and pauses
//! - `retention`: deleting old jobs and removed organizations
//! - `run_owner`: the owners of runs
//! - `stale_report`: rejected reports of runs
//! - `tally`: counts of jobs by status
//! - `worker`: workers that claim jobs over HTTP
//! - `worker_secret`: values that workers received, to mask them in reports

pub mod batch;
pub mod claim;
pub mod dedupe;
pub mod definition;
pub mod event;
pub mod fair_share;
pub mod holder;
pub mod insert;
pub mod job;
pub mod lane;
pub mod lease;
pub mod log;
pub mod quota;
pub mod retention;
pub mod run_owner;
pub mod stale_report;
pub mod tally;
pub mod worker;
pub mod worker_secret;
