//! Request handlers, one file per resource. Each one extracts the request, calls one use case of `app` and returns its
//! result.
//!
//! - `admin`: organizations, users and loops of the installation
//! - `alerts`: alerts, alert rules, mute windows, host timelines
//! - `audit`: the audit log
//! - `batches`: bulk actions on jobs
//! - `channels`: notification channels and notifications
//! - `definitions`: job definitions
//! - `docs`: hub information, OpenAPI document, pages of error codes
//! - `events`: live events over WebSocket and server-sent events
//! - `health`: `/healthz`, `/readyz`, `/metrics`
//! - `hosts`: hosts
//! - `install`: install script and binary for new hosts
//! - `jobs`: jobs, their runs and logs
//! - `join_tokens`: join tokens of hosts
//! - `limits`: limits by key, and pauses
//! - `people`: the caller's account, organization, tokens and views, and members
//! - `pings`: pings of external programs, and webhooks
//! - `primary`: promotion of this hub to primary
//! - `runner`: join, link and own host of runners
//! - `secrets`: secrets of an organization
//! - `series`: time series of metrics
//! - `servers`: servers and their console
//! - `sync`: replication status
//! - `triggers`: schedules, event triggers and sent events
//! - `workers`: workers over HTTP

pub(crate) mod admin;
pub(crate) mod alerts;
pub(crate) mod audit;
pub(crate) mod batches;
pub(crate) mod channels;
pub(crate) mod definitions;
pub(crate) mod docs;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod hosts;
pub(crate) mod install;
pub(crate) mod jobs;
pub(crate) mod join_tokens;
pub(crate) mod limits;
pub(crate) mod people;
pub(crate) mod pings;
pub(crate) mod primary;
pub(crate) mod runner;
pub(crate) mod secrets;
pub(crate) mod series;
pub(crate) mod servers;
pub(crate) mod sync;
pub(crate) mod triggers;
pub(crate) mod workers;
