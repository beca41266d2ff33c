//! Machines.
//!
//! - `host`: the host itself
//! - `join_token`: invitations of hosts
//! - `key`: public keys of hosts
//! - `outage`: times at which a host was away
//! - `primary`: which hub a host works for
//! - `sample`: measurements of a host
//! - `session`: links of runners

pub mod host;
pub mod join_token;
pub mod key;
pub mod outage;
pub mod primary;
pub mod sample;
pub mod session;
