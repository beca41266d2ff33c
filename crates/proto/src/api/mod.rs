//! Bodies of the HTTP API, one file per resource.
//!
//! - `alert`: alerts, alert rules, mute windows, timelines
//! - `audit`: the audit log
//! - `batch`: bulk actions on jobs
//! - `channel`: notification channels and sent notifications
//! - `definition`: definitions and their versions
//! - `hook`: webhook endpoints that receive events
//! - `host`: hosts, their schedules and runs, join tokens
//! - `hub`: the hub's identity, status, loops and events
//! - `job`: jobs, runs and their output
//! - `limit`: limits by limit key, and pauses
//! - `org`: orgs, members, invitations
//! - `person`: the caller, API tokens, users
//! - `ping`: monitored external programs
//! - `primary`: promotion to primary hub
//! - `secret`: secrets of an org
//! - `series`: metrics over time
//! - `server`: servers, their runs and their output
//! - `sign_in`: sign-in by password, link, invitation or device code
//! - `sync`: the progress of replication
//! - `trigger`: triggers, fires, previews, imports, events
//! - `view`: saved views
//! - `worker`: workers in other languages

pub mod alert;
pub mod audit;
pub mod batch;
pub mod channel;
pub mod definition;
pub mod hook;
pub mod host;
pub mod hub;
pub mod job;
pub mod limit;
pub mod org;
pub mod person;
pub mod ping;
pub mod primary;
pub mod secret;
pub mod series;
pub mod server;
pub mod sign_in;
pub mod sync;
pub mod trigger;
pub mod view;
pub mod worker;
