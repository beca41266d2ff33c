//! SQL storage on SQLite and PostgreSQL: the only crate that contains SQL.
//!
//! ```text
//! let host = store.read(move |tx| Box::pin(async move { tx.host_get(org, id).await })).await?;
//! ```
//!
//! A statement is written once and runs on both databases (`same`); a `pair` holds two texts where the dialects differ.
//! Functions take the organization whose rows they may read. No public signature contains a type of the database
//! driver; errors carry the driver's error as their source.
//!
//! Dropping the future of a call does not interrupt its transaction: SQLite work runs on its own threads, and
//! PostgreSQL work continues in a spawned task. A cancelled request therefore leaves no open transaction behind.
//!
//! - `columns`: rows as PostgreSQL arrays, and columns whose rows share one value
//! - `dump`: export and import of all tables, for backups and copies between databases
//! - `erased`: type-erased transaction closures
//! - `error`: errors of the store
//! - `postgres`: running transactions on PostgreSQL
//! - `replication`: rows that are replicated between runners and hubs
//! - `resource`: the tables, one file for each resource
//! - `runner`: tables that only a runner has
//! - `schema`: migrations and inspection of the schema
//! - `sql`: statements, and the macros that run them
//! - `sqlite`: running transactions on SQLite
//! - `store`: opening a store; reads and writes
//! - `tx`: a transaction on either database
//! - `value`: how each type is stored in each database

#[macro_use]
mod sql;
mod columns;
mod erased;
mod error;
mod postgres;
mod sqlite;
mod store;
mod tx;
mod value;

pub mod dump;
pub mod replication;
pub mod resource;
pub mod runner;
pub mod schema;

// Callers use a resource without the name of its folder.
pub use error::{Error, Result};
pub use resource::{
    alert::{alert, channel, hook, mute_window, notice, ping},
    audit,
    host::{host, join_token, key, outage, primary, rejection, removed_host, sample, session},
    hub,
    people::{
        device, failed_attempt, invitation, org, request_key, sign_in, socket_credential, token, user, view,
        worker_token,
    },
    queue::{
        batch, claim, dedupe, definition, event, fair_share, holder, insert, job, lane, lease, log, quota, retention,
        run_owner, stale_report, tally, worker, worker_secret,
    },
    schedule::{fire, trigger},
    secret, server,
};
pub use runner::journal;
pub use sql::Sql;
pub use store::{Kind, Listener, Options, Store, Work};
pub use tx::Tx;
