//! The tables, grouped by the resource they describe. Each file declares the rows and statements of a resource, and its
//! functions as methods of `Tx`.
//!
//! - `alert`: alerts, and how people are notified of them
//! - `audit`: the hash-chained audit log
//! - `database`: the health of the database itself
//! - `host`: machines, their keys, sessions and measurements
//! - `hub`: the identity of the hub, and when a hub was last running
//! - `people`: organizations, users, and their credentials
//! - `queue`: jobs, and the rows that decide when a job starts
//! - `schedule`: triggers, and the times at which they fired
//! - `secret`: encrypted values
//! - `server`: long-running processes, their runs and orders to them
#![expect(clippy::module_inception, reason = "the resource `host` belongs into the folder of all that describes hosts")]

pub mod alert;
pub mod audit;
pub mod database;
pub mod host;
pub mod hub;
pub mod people;
pub mod queue;
pub mod schedule;
pub mod secret;
pub mod server;
