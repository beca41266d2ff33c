//! Jobs, and the rows that decide when one starts.
//!
//! - `batch`: bulk actions on many jobs
//! - `claim`: queue heads and the leases that are made of them
//! - `dedupe`: dedupe keys
//! - `definition`: versions of definitions
//! - `event`: the event log
//! - `fair_share`: shares of a host that several organizations use
//! - `holder`: runners and workers that hold leases
//! - `insert`: inserting jobs and finishing runs
//! - `job`: reading and changing jobs
//! - `lane`: lanes and their pauses
//! - `lease`: jobs that a holder works on
//! - `log`: lines of output
//! - `quota`: limits and rates
//! - `retention`: deleting old rows
//! - `stale_report`: evidence of reports that came too late
//! - `tally`: counts per hour
//! - `worker`: workers over HTTP

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
pub mod stale_report;
pub mod tally;
pub mod worker;
