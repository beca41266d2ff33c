//! Hosts: join, sessions, presence, outages and the primary hub.
//!
//! - `hubs`: the heartbeat of all hubs together
//! - `join`: join tokens of hosts
//! - `presence`: the state of a host and its reason
//! - `primary`: the primary hub of a host
//! - `session`: admission of runners and detection of cloned machines
//! - `timeline`: outages of hosts

pub mod hubs;
pub mod join;
pub mod presence;
pub mod primary;
pub mod session;
pub mod timeline;
