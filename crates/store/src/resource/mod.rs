//! The tables, by what they describe: one file for each resource. Each declares its rows, its statements, and its functions as methods of `Tx`.
//!
//! - `alert`, `host`, `people`, `queue`, `schedule`: folders of resources
//! - `audit`: the hash-chained audit log
//! - `hub`: hubs and when each was last alive
//! - `secret`: encrypted values
//! - `server`: long-lived processes, their runs and output
#![expect(clippy::module_inception, reason = "the resource `host` belongs into the folder of all that describes hosts")]

pub mod alert;
pub mod audit;
pub mod host;
pub mod hub;
pub mod people;
pub mod queue;
pub mod schedule;
pub mod secret;
pub mod server;
