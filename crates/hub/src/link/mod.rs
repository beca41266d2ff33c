//! The hub's side of the runner link: one WebSocket per runner.
//!
//! `accept` the handshake and clone detection · `admission` how many runners per second may connect · `session` an open
//! link, frame by frame · `work` frames about runs: inventory, results, output, progress · `heartbeat` writes heartbeats
//! in batches · `heartbeat_interval` the interval of each host · `promotion` tells hosts which hub is primary · `sync`
//! replication of the runner's rows.

pub mod accept;
pub mod admission;
pub mod heartbeat;
pub(crate) mod heartbeat_interval;
pub(crate) mod promotion;
pub mod session;
mod sync;
pub(crate) mod work;
