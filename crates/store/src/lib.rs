//! The only crate that speaks SQL: one store over SQLite and PostgreSQL.
//!
//! ```text
//! let host = store.read(move |tx| Box::pin(async move { tx.host_get(org, id).await })).await?;
//! ```
//!
//! A statement is written once and runs on both databases; a pair stands only where the dialects truly
//! differ. Every function takes the org it may see. No type of the database driver is in a signature; errors carry one as their cause.
//!
//! A call is never cut short by its caller: the work runs on threads of its own (SQLite), or goes on in a task
//! of its own if its caller is gone (PostgreSQL), so a request that is dropped half-way leaves no open transaction behind.

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

// Callers name a resource without its folder.
pub use error::{Error, Result};
pub use postgres::deferred::Version;
pub use resource::{
    alert::{alert, channel, hook, mute_window, notice, ping},
    audit,
    host::{host, join_token, key, outage, primary, sample, session},
    hub,
    people::{device, failed_attempt, invitation, org, request_key, sign_in, socket_credential, token, user, view},
    queue::{
        batch, claim, dedupe, definition, event, fair_share, holder, insert, job, lane, lease, log, quota, retention,
        stale_report, tally, worker,
    },
    schedule::{fire, trigger},
    secret, server,
};
pub use runner::journal;
pub use sql::Sql;
pub use store::{Kind, Listener, Options, Store, Work};
pub use tx::Tx;
