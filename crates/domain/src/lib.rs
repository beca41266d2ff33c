//! The rules of Hostler as pure functions: states, transitions, limits, schedules, permissions.
//!
//! Every function depends only on its arguments. There is no I/O, no `async`, no clock and no randomness: callers pass
//! the time, the random bytes and the ids. So every rule can be tested with a table of inputs and outputs.

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
pub mod home;
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
pub mod quota;
pub mod role;
pub mod schedule;
pub mod schema;
pub mod secret;
pub mod series;
pub mod server;
pub mod session;
pub mod strip;
pub mod sync;
pub mod template;
pub mod throttle;
pub mod time;
pub mod timeline;
pub mod trigger;
pub mod view;
pub mod why;
pub mod word;

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
