//! Hosts: machines with a runner.
//!
//! - `host`: hosts with their settings and session
//! - `join_token`: tokens with which a machine joins
//! - `key`: public keys of hosts
//! - `outage`: times in which a host was not connected
//! - `primary`: which hub a host works for
//! - `rejection`: data that was rejected
//! - `removed_host`: ids of removed hosts
//! - `sample`: measurements of a host
//! - `session`: sessions of runners

pub mod host;
pub mod join_token;
pub mod key;
pub mod outage;
pub mod primary;
pub mod rejection;
pub mod removed_host;
pub mod sample;
pub mod session;
