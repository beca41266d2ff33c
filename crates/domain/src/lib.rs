//! The rules of Hostler as pure functions: states, transitions, limits, schedules, permissions.
//!
//! Every function depends only on its arguments. There is no I/O, no `async`, no clock and no randomness: callers pass
//! the time, the random bytes and the ids. So every rule can be tested with a table of inputs and outputs.
//!
//! - `actor`: the actor of a request, its name in the audit log, and its permissions
//! - `alert`: alert kinds and rules: opening, repeating, muting and resolving alerts
//! - `argv`: templates for the command lines and environments of definitions
//! - `audit`: the hash chain of the audit log
//! - `backoff`: exponential back-off with jitter
//! - `batch`: bulk actions on many jobs
//! - `channel`: notification channels and their settings
//! - `claim`: the choice of jobs for a claim: order, limits, fairness between orgs
//! - `crontab`: import of crontab files
//! - `definition`: definitions: commands that may be run, and their validation
//! - `event_match`: conditions on the fields of events
//! - `filter`: the filter language for jobs
//! - `hook`: signature schemes of webhook endpoints
//! - `hubs`: the heartbeat of all hubs together
//! - `id`: typed ids
//! - `job`: states and transitions of jobs and runs
//! - `join`: join tokens of hosts
//! - `label`: labels of hosts and selectors
//! - `lane`: targets of jobs and lanes of the queue
//! - `name`: validation of names
//! - `org`: settings of orgs
//! - `ping`: monitoring of external programs
//! - `presence`: the state of a host and its reason
//! - `primary`: the primary hub of a host
//! - `quota`: limits on running jobs and on starts per minute
//! - `role`: roles, permissions and token scopes
//! - `schedule`: cron expressions, one-time and interval schedules, and their times
//! - `schedule_history`: the last 30 days of a schedule, one state per day
//! - `schema`: validation of payloads with a subset of JSON Schema
//! - `secret`: the text form and hash of tokens and other secrets
//! - `series`: stored metrics per minute, and charts
//! - `server`: long-lived processes: settings, states and transitions
//! - `session`: admission of runners and detection of cloned machines
//! - `string_enum`: the macro for enums with a fixed text form
//! - `sync`: replication of rows between a host and its hubs
//! - `template`: placeholders in the payloads of triggers
//! - `throttle`: limits on failed authentication attempts
//! - `time`: timestamps and spans
//! - `timeline`: outages of hosts
//! - `trigger`: event rules and schedules: overlap, missed times, targets
//! - `view`: saved views of pages
//! - `why`: why a job waits, in words

pub mod actor;
pub mod alert;
pub mod argv;
pub mod audit;
pub mod backoff;
pub mod batch;
pub mod channel;
pub mod claim;
pub mod crontab;
pub mod definition;
pub mod event_match;
pub mod filter;
pub mod hook;
pub mod hubs;
pub mod id;
pub mod job;
pub mod join;
pub mod label;
pub mod lane;
pub mod name;
pub mod org;
pub mod ping;
pub mod presence;
pub mod primary;
pub mod quota;
pub mod role;
pub mod schedule;
pub mod schedule_history;
pub mod schema;
pub mod secret;
pub mod series;
pub mod server;
pub mod session;
pub mod string_enum;
pub mod sync;
pub mod template;
pub mod throttle;
pub mod time;
pub mod timeline;
pub mod trigger;
pub mod view;
pub mod why;

pub use actor::{Actor, Caller};
pub use channel::{Channel, ChannelKind};
pub use definition::Definition;
pub use id::{
    AlertId, AuditId, BatchId, ChannelId, DefinitionId, DeviceId, HolderId, HookId, HostId, HubId, Id, InvitationId,
    JobId, JoinTokenId, LaneId, LoginLinkId, NoticeId, OrderId, OrgId, PingId, QuotaId, RunId, ServerId, SessionId,
    TokenId, TriggerId, UserId, ViewId, WindowId,
};
pub use label::{Labels, Selector};
pub use role::{Permission, Role};
pub use time::{Span, Timestamp};
