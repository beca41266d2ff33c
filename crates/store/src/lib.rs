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
mod conn;
mod codec;
mod error;
mod later;
mod lite;
mod migrate;
mod open;
mod piece;
mod postgres;
mod row;
mod sqlite;
mod to_the_end;
mod warm;

pub mod alert;
pub mod audit;
pub mod batch;
pub mod channel;
pub mod claim;
pub mod dedupe;
pub mod definition;
pub mod device;
pub mod dump;
pub mod event;
pub mod fire;
pub mod gap;
pub mod holder;
pub mod home;
pub mod hook;
pub mod host;
pub mod hub;
pub mod invitation;
pub mod job;
pub mod join_token;
pub mod journal;
pub mod key;
pub mod lane;
pub mod lease;
pub mod log;
pub mod notice;
pub mod org;
pub mod ping;
pub mod queue;
pub mod quiet;
pub mod quota;
pub mod refusal;
pub mod request_key;
pub mod retention;
pub mod rights;
pub mod sample;
pub mod schema;
pub mod secret;
pub mod server;
pub mod session;
pub mod sign_in;
pub mod sync;
pub mod tally;
pub mod token;
pub mod trigger;
pub mod usage;
pub mod user;
pub mod view;
pub mod worker;

pub use conn::{Sql, Tx};
pub use error::{Error, Result};
pub use later::Version;
pub use open::{Kind, Listener, Options, Store, Work};
