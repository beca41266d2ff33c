//! The SQLite side: one writer with group commit, readers beside it, one process per file.
//!
//! - `bulk`: one statement for many rows
//! - `connection`: a connection, on the thread that uses it
//! - `error`: SQLite's errors as ours
//! - `readers`: the pool of reading connections
//! - `writer`: the thread that writes, and the lock file

pub(crate) mod bulk;
pub(crate) mod connection;
mod error;
pub(crate) mod readers;
mod writer;

pub(crate) use writer::Sqlite;
