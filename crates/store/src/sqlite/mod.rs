//! SQLite: one writer with group commit, concurrent readers, one owning process per file.
//!
//! - `bulk`: one statement for many rows
//! - `connection`: a connection that runs on the calling thread
//! - `error`: SQLite errors in the form of the PostgreSQL driver
//! - `readers`: the pool of reading connections
//! - `writer`: the writer thread with group commit, and the lock file

pub(crate) mod bulk;
pub(crate) mod connection;
mod error;
pub(crate) mod readers;
mod writer;

pub(crate) use writer::Sqlite;
