//! Handlers: each takes a request apart, calls one use case of `app`, and shows its result. One file per resource.
//!
//! - `admin`: loops, settings of the hub
//! - `alerts`: alerts and their rules
//! - `audit`: the audit log
//! - `batches`: bulk actions on jobs
//! - `channels`: notification channels
//! - `definitions`: definitions
//! - `docs`: pages of error codes
//! - `events`: live events over server-sent events and WebSocket
//! - `health`: `/healthz`, `/readyz`, `/metrics`
//! - `hosts`: hosts
//! - `install`: the install script and the program
//! - `jobs`: jobs, their logs and live streams
//! - `join_tokens`: invitations of hosts
//! - `limits`: limits
//! - `members`: members and invitations
//! - `orgs`: organizations
//! - `pings`: checks that expect a ping, and their public address
//! - `primary`: promotion of this hub to primary
//! - `runner`: the WebSocket of runners
//! - `secrets`: secrets
//! - `series`: measurements over time
//! - `servers`: servers and their console
//! - `sign_in`: sign-in, sign-out, devices
//! - `sync`: state of replication
//! - `tokens`: API tokens
//! - `triggers`: schedules, hooks and event triggers
//! - `views`: saved views of lists
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
pub(crate) mod members;
pub(crate) mod orgs;
pub(crate) mod pings;
pub(crate) mod primary;
pub(crate) mod runner;
pub(crate) mod secrets;
pub(crate) mod series;
pub(crate) mod servers;
pub(crate) mod sign_in;
pub(crate) mod sync;
pub(crate) mod tokens;
pub(crate) mod triggers;
pub(crate) mod views;
pub(crate) mod workers;
