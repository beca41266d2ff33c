//! Servers on this machine: kept as its database says, by itself, also when no hub is there.
//!
//! One [`ServerManager`] for all of them, and a minder for each. What a server is to be comes into the database from its owner;
//! how it lives is decided in [`domain::server::life`], written down, and then done. Whoever asks for something waits
//! for what the database says, so that a runner that was killed in between goes on where it was.

mod check;
mod manager;
mod operate;
mod output;
mod process;
mod supervisor;
mod usage;

pub use manager::{ServerManager, ServerSettings, Servers};
