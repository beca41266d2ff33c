//! The commands, one file each, grouped as in `hostler --help`.
//!
//! - `admin`: users, tokens, orgs, secrets, the audit log, and this command line itself
//! - `alerts`: alerts, their rules and channels, maintenance windows, pings
//! - `bench`: benchmarks
//! - `hub`: starting the processes, their state, settings, backups
//! - `machines`: adding, removing and managing machines
//! - `run`: definitions, jobs and their limits
//! - `schedules`: triggers, events, webhooks
//! - `servers`: long-lived processes

pub(crate) mod admin;
pub(crate) mod alerts;
pub(crate) mod bench;
pub(crate) mod hub;
pub(crate) mod machines;
pub(crate) mod run;
pub(crate) mod schedules;
pub(crate) mod servers;
