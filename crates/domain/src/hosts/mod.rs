//! Hosts: join, sessions, presence, outages and the primary hub.
//!
//! - `from_host`: data of a runner link with its sender
//! - `hubs`: the heartbeat of all hubs together
//! - `join`: join tokens of hosts
//! - `presence`: the state of a host and its reason
//! - `primary`: the primary hub of a host
//! - `rejection`: why data of a host is rejected
//! - `session`: admission of runners and detection of cloned machines
//! - `timeline`: outages of hosts
//! - `trust`: trust between a host and its hubs

pub mod from_host;
pub mod hubs;
pub mod join;
pub mod presence;
pub mod primary;
pub mod rejection;
pub mod session;
pub mod timeline;
pub mod trust;
