//! Servers on this machine: long-running processes that the runner starts, watches and restarts, also without a hub.
//!
//! One manager for all servers and one supervisor for each. The definition of a server arrives in the database from its
//! owner; [`domain::server::life`] decides the next actions, the new state is committed, and then the actions are
//! performed. A restarted runner so finds the desired state in the database and continues. A crash between commit and
//! action repeats the action, never the decision.
//!
//! - `check`: readiness checks
//! - `context`: state that all supervisors share
//! - `manager`: finds servers in the database and starts their supervisors
//! - `operate`: jobs that start, stop or restart a server
//! - `output`: stores the output of servers in the database
//! - `process`: the order for a server's process, and the meaning of its exit
//! - `supervisor`: the life of one server
//! - `usage`: CPU and memory usage of servers

mod check;
mod context;
mod manager;
mod operate;
mod output;
mod process;
mod supervisor;
mod usage;

pub(crate) use manager::ServerOwner;
pub use manager::{ServerManager, ServerSettings, Servers};
pub(crate) use operate::Operated;
