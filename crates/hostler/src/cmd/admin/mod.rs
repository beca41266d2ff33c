//! Commands for users, tokens, orgs, secrets and the audit log, and for this command line itself.
//!
//! - `api`: `hostler api`
//! - `audit`: `hostler audit`
//! - `completion`: `hostler completion`
//! - `context`: `hostler context`
//! - `help`: `hostler help`
//! - `login`: `hostler login`, `logout` and `whoami`
//! - `open`: `hostler open`
//! - `org`: `hostler org`
//! - `secret`: `hostler secret`
//! - `token`: `hostler token`
//! - `user`: `hostler user`

pub(crate) mod api;
pub(crate) mod audit;
pub(crate) mod completion;
pub(crate) mod context;
pub(crate) mod help;
pub(crate) mod login;
pub(crate) mod open;
pub(crate) mod org;
pub(crate) mod secret;
pub(crate) mod token;
pub(crate) mod user;
