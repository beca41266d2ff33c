//! The installation: first start, status, replication, audit log, bulk actions, workers, metrics.
//!
//! - `audit`: lists and verifies the audit log
//! - `batches`: bulk actions on many jobs
//! - `first_start`: creates the first organization, its owner and the built-in definitions
//! - `primary`: promotion of this hub to primary
//! - `series`: time series of metrics
//! - `status`: summary of an organization and of the hub
//! - `sync`: replication status
//! - `workers`: API workers over HTTP

pub(crate) mod audit;
pub(crate) mod batches;
pub(crate) mod first_start;
pub(crate) mod primary;
pub(crate) mod series;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod workers;
