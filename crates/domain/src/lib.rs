//! The rules of Hostler as pure functions: states, transitions, limits, schedules, permissions.
//!
//! Every function depends only on its arguments. There is no I/O, no `async`, no clock and no randomness: callers pass
//! the time, the random bytes and the ids. So every rule can be tested with a table of inputs and outputs.
//!
//! - `alerting`: alerts, notification channels, pings and webhook endpoints
//! - `base`: values that every part uses: ids, time, names, labels, filters, metric series, the audit chain
//! - `hosts`: hosts: join, sessions, presence, outages and the primary hub
//! - `people`: users, orgs, roles, tokens and saved views
//! - `queue`: jobs: definitions, states, claims, limits and lanes
//! - `scheduling`: schedules and triggers: the times at which jobs are created, and the content of those jobs
//! - `server`: long-lived processes: settings, states and transitions
//! - `sync`: replication of rows between a host and its hubs

mod alerting;
mod base;
mod hosts;
mod people;
mod queue;
mod scheduling;
pub mod server;
pub mod sync;

// Callers name a module without its folder.
pub use alerting::{alert, channel, hook, ping};
pub use base::{audit, backoff, filter, id, label, name, redact, series, string_enum, time};
pub use hosts::{from_host, hubs, join, presence, primary, rejection, session, timeline, trust};
pub use people::{actor, org, role, secret, throttle, view};
pub use queue::{argv, batch, claim, definition, job, lane, log_budget, quota, run, schema, why};
pub use scheduling::{crontab, event_match, schedule, schedule_history, template, trigger};

pub use actor::{Actor, Caller};
pub use channel::{Channel, ChannelKind};
pub use definition::Definition;
pub use from_host::{FromHost, HostSender};
pub use id::{
    AlertId, AuditId, BatchId, ChannelId, DefinitionId, DeviceId, HolderId, HookId, HostId, HubId, Id, InvitationId,
    JobId, JoinTokenId, LaneId, LoginLinkId, NoticeId, OrderId, OrgId, PingId, QuotaId, RunId, ServerId, SessionId,
    TokenId, TriggerId, UserId, ViewId, WindowId,
};
pub use label::{Labels, Selector};
pub use role::{Permission, Role};
pub use time::{Span, Timestamp};
