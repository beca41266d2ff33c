//! The runner: the Hostler process on a host. It joins a hub, keeps one outgoing link to it and runs the granted jobs.
//!
//! Hub and runner talk only by the types in `proto`; the runner never depends on the crate `hub`.
//!
//! - `catalogue`: the host's own definitions and rules in `catalogue.d`
//! - `channel`: the channel between link and engine
//! - `dial`: connections and HTTP requests to a hub
//! - `error`: the error type
//! - `exec`: starting, watching and inspecting processes through the shim
//! - `gate`: the permissions of a hub on this machine
//! - `identity`: the files with a host's id and keys
//! - `join`: joining a hub with a join token
//! - `link`: the WebSocket link to a hub
//! - `log_line`: lines of output in the format of the protocol
//! - `logind`: suspend and shutdown signals of systemd-logind
//! - `machine`: facts and metrics of this machine
//! - `outage`: outages that this machine detects itself
//! - `pin`: TLS pinned to a hub's key
//! - `primary`: which of several hubs is the primary hub
//! - `servers`: long-running servers
//! - `sync`: replication of this machine's rows to a hub
//! - `work`: jobs, from grant to result

pub mod catalogue;
pub mod channel;
pub mod dial;
pub mod error;
pub mod exec;
pub mod gate;
pub mod identity;
pub mod join;
pub mod link;
mod log_line;
pub mod logind;
pub mod machine;
pub mod outage;
pub mod pin;
pub mod primary;
pub mod servers;
pub mod sync;
pub mod work;

pub use channel::{EngineChannel, LinkChannel, channels};
pub use dial::Dial;
pub use error::{Error, Result};
pub use gate::HubGate;
pub use identity::{Identity, IdentityFile};
pub use link::{Link, LinkState, Options};
pub use primary::{HubRole, PrimaryHub};
