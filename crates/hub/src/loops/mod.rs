//! Background loops of the hub, one per file. Each pass is bounded, takes no input and can be repeated.
//!
//! - `alerts`: evaluates alert conditions
//! - `audit_sealer`: numbers and chains audit log entries
//! - `batches`: works off bulk actions on jobs
//! - `count_rollup`: sums job counts and updates the cached queue depths
//! - `delayed_jobs`: moves due jobs into their lanes
//! - `dispatch_poll`: finds work, cancels and orders whose wake was lost
//! - `event_matcher`: creates jobs of triggers for Hostler's own events
//! - `event_publisher`: numbers events and sends them to live sockets
//! - `expiry`: ends queued jobs that have expired
//! - `hub_heartbeat`: writes the hub's heartbeat and follows the database's clock
//! - `lost_run_reaper`: ends or holds runs of hosts without a heartbeat
//! - `notification_sender`: sends notifications to channels
//! - `presence`: computes the status of every host
//! - `pruner`: deletes expired sessions, sign-in codes and join tokens
//! - `refusal_recorder`: stores counts of rejected requests per address
//! - `rejection_recorder`: stores which data of hosts was rejected
//! - `retention`: deletes old jobs and events, and all rows of removed orgs
//! - `samples`: stores metrics of complete minutes
//! - `schedule_catch_up`: runs missed schedules of hosts that reconnected
//! - `schedules`: fires due schedules
//! - `servers`: continues moves of servers between hosts
//! - `socket_revoker`: closes live sockets whose credential was revoked

mod alerts;
mod audit_sealer;
mod batches;
mod count_rollup;
mod delayed_jobs;
mod dispatch_poll;
mod event_matcher;
mod event_publisher;
mod expiry;
mod hub_heartbeat;
mod lost_run_reaper;
mod notification_sender;
mod presence;
mod pruner;
mod refusal_recorder;
mod rejection_recorder;
mod retention;
mod samples;
mod schedule_catch_up;
mod schedules;
mod servers;
mod socket_revoker;

use domain::{Span, hubs};
use runtime::{Period, Wake};

use crate::Hub;

pub use alerts::Alerts;
pub use audit_sealer::AuditSealer;
pub use batches::Batches;
pub use count_rollup::CountRollup;
pub use delayed_jobs::DelayedJobs;
pub use dispatch_poll::DispatchPoll;
pub use event_matcher::EventMatcher;
pub use event_publisher::EventPublisher;
pub(crate) use event_publisher::number_left;
pub use expiry::Expiry;
pub use hub_heartbeat::HubHeartbeat;
pub use lost_run_reaper::LostRunReaper;
pub use notification_sender::NotificationSender;
pub use presence::Presence;
pub use pruner::Pruner;
pub use refusal_recorder::RefusalRecorder;
pub use rejection_recorder::RejectionRecorder;
pub use retention::Retention;
pub use samples::Samples;
pub use schedule_catch_up::ScheduleCatchUp;
pub use schedules::Schedules;
pub use servers::Servers;
pub use socket_revoker::SocketRevoker;

/// Longest back-off after an error, for loops whose delay users notice within seconds.
const SOON: Span = Span::from_secs(3);

/// Starts all loops.
pub(crate) fn start(hub: &Hub) {
    hub.loops.add(HubHeartbeat::new(hub.clone()), Period(hubs::BEAT_EVERY), Wake::default());
    hub.loops.add(Presence::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.presence.clone());
    hub.loops.add(SocketRevoker::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.socket_revoker.clone());
    hub.loops.add(AuditSealer::new(hub.clone()), Period(Span::from_secs(2)), Wake::default());
    hub.loops.add(DelayedJobs::new(hub.clone()), Period(Span::from_secs(1)), hub.wakes.delayed_jobs.clone());
    hub.loops.add(DispatchPoll::new(hub.clone()), Period(Span::from_secs(1)), hub.wakes.dispatch_poll.clone());
    hub.loops.add(EventPublisher::new(hub.clone()), Period(Span::from_millis(500)), hub.wakes.events.clone());
    hub.loops.add(LostRunReaper::new(hub.clone()), Period(Span::from_secs(2)), Wake::default());
    hub.loops.add(Expiry::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(Batches::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.batches.clone());
    hub.loops.add(Schedules::new(hub.clone()), Period(Span::from_secs(1)), hub.wakes.schedules.clone());
    hub.loops.add(Servers::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.servers.clone());
    hub.loops.add(ScheduleCatchUp::new(hub.clone()), Period(hub.options.catch_up_every()), Wake::default());
    hub.loops.add(EventMatcher::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(Alerts::new(hub.clone()), Period(hub.options.alerts_every), hub.wakes.alerts.clone());
    hub.loops.add(
        NotificationSender::new(hub.clone()),
        Period(Span::from_secs(5)),
        hub.wakes.notification_sender.clone(),
    );
    hub.loops.add(CountRollup::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(Samples::new(hub.clone()), Period(Span::from_secs(20)), Wake::default());
    hub.loops.add(Retention::new(hub.clone()), Period(Span::from_secs(300)), hub.wakes.retention.clone());
    hub.loops.add(RejectionRecorder::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(RefusalRecorder::new(hub.clone()), Period(Span::from_secs(10)), Wake::default());
    hub.loops.add(Pruner::new(hub.clone()), Period(Span::from_secs(600)), Wake::default());
}

/// Starts the loops of a process that only serves the web UI: none of them decides or writes.
pub(crate) fn start_polling(hub: &Hub) {
    hub.loops.add(Presence::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.presence.clone());
    hub.loops.add(SocketRevoker::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.socket_revoker.clone());
    hub.loops.add(EventPublisher::polling(hub.clone()), Period(Span::from_millis(500)), hub.wakes.events.clone());
}
