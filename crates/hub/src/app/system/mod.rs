//! The installation itself.
//!
//! - `audit`: the audit log
//! - `batches`: bulk actions on many jobs
//! - `first_start`: the first organization, its owner, the built-in definitions
//! - `primary`: promotion of this hub to primary
//! - `series`: measurements over time
//! - `status`: state of the installation
//! - `sync`: state of replication
//! - `workers`: workers over HTTP

pub(crate) mod audit;
pub(crate) mod batches;
pub(crate) mod first_start;
pub(crate) mod primary;
pub(crate) mod series;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod workers;
