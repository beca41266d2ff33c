//! The hub's side of the runner link: one WebSocket per runner.
//!
//! - `accept`: handshake and clone detection
//! - `admission`: rate limit of new handshakes
//! - `heartbeat`: writes heartbeats in batches
//! - `heartbeat_interval`: cached heartbeat interval per host
//! - `host_servers`: the servers that a host may report metrics of
//! - `key_rotation`: cached requests to hosts to replace their key
//! - `promotion`: cached promotions of this hub to primary
//! - `runner_session`: state of an open session and the frames that its steps send
//! - `session`: an open runner session, frame by frame
//! - `sync`: replication with one runner
//! - `work`: frames about runs: inventory, results, output, progress

pub mod accept;
pub mod admission;
pub mod heartbeat;
pub(crate) mod heartbeat_interval;
pub(crate) mod host_servers;
pub(crate) mod key_rotation;
pub(crate) mod promotion;
pub(crate) mod runner_session;
pub mod session;
mod sync;
pub(crate) mod work;
