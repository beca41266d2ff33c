//! Commands that start, inspect and maintain the processes: hub, runner and web UI.
//!
//! - `backup`: `hostler backup` and `hostler db`
//! - `config`: `hostler config`
//! - `doctor`: `hostler doctor`
//! - `finding`: the result of one check of `hostler doctor`
//! - `isolation`: the checks of `hostler doctor` about jobs
//! - `promote`: `hostler hub promote`
//! - `runner`: `hostler runner`
//! - `serve`: `hostler up` and `hostler hub`, and the parts that make up a process
//! - `service`: `hostler service`
//! - `service_user`: the user of the system service and its data folder
//! - `status`: `hostler status` and `hostler version`
//! - `sync`: `hostler sync`
//! - `ui`: `hostler ui`, the web UI on the database of a hub or runner

pub(crate) mod backup;
pub(crate) mod config;
pub(crate) mod doctor;
mod finding;
mod isolation;
pub(crate) mod promote;
pub(crate) mod runner;
pub(crate) mod serve;
pub(crate) mod service;
mod service_user;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod ui;
