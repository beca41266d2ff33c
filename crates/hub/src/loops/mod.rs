//! The hub's loops, one per file. Each pass is bounded, takes no input and can be repeated.

mod alerts;
mod batches;
mod catcher;
mod courier;
mod due;
mod expiry;
mod herald;
mod matcher;
mod poll;
mod presence;
mod pruner;
mod refusals;
mod retention;
mod rights;
mod samples;
mod schedules;
mod sealer;
mod servers;
mod sweeper;
mod tallies;
mod watch;

use domain::{Span, hubs};
use runtime::{Period, Wake};

use crate::Hub;

pub use alerts::Alerts;
pub use batches::Batches;
pub use catcher::Catcher;
pub use courier::Courier;
pub use due::Due;
pub use expiry::Expiry;
pub use herald::Herald;
pub(crate) use herald::number_left;
pub use matcher::Matcher;
pub use poll::Poll;
pub use presence::Presence;
pub use pruner::Pruner;
pub use refusals::Refusals;
pub use retention::Retention;
pub use rights::Rights;
pub use samples::Samples;
pub use schedules::Schedules;
pub use sealer::Sealer;
pub use servers::Servers;
pub use sweeper::Sweeper;
pub use tallies::Tallies;
pub use watch::Watcher;

/// The longest pause after an error of a loop that others rely on within seconds.
const SOON: Span = Span::from_secs(3);

/// Starts all loops.
pub(crate) fn start(hub: &Hub) {
    hub.loops.add(Watcher::new(hub.clone()), Period(hubs::BEAT_EVERY), Wake::default());
    hub.loops.add(Presence::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.presence.clone());
    hub.loops.add(Rights::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.rights.clone());
    hub.loops.add(Sealer::new(hub.clone()), Period(Span::from_secs(2)), Wake::default());
    hub.loops.add(Due::new(hub.clone()), Period(Span::from_secs(1)), hub.wakes.due.clone());
    hub.loops.add(Poll::new(hub.clone()), Period(Span::from_secs(1)), hub.wakes.poll.clone());
    hub.loops.add(Herald::new(hub.clone()), Period(Span::from_millis(500)), hub.wakes.events.clone());
    hub.loops.add(Sweeper::new(hub.clone()), Period(Span::from_secs(2)), Wake::default());
    hub.loops.add(Expiry::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(Batches::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.batches.clone());
    hub.loops.add(Schedules::new(hub.clone()), Period(Span::from_secs(1)), hub.wakes.schedules.clone());
    hub.loops.add(Servers::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.servers.clone());
    hub.loops.add(Catcher::new(hub.clone()), Period(hub.options.catch_up_every()), Wake::default());
    hub.loops.add(Matcher::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(Alerts::new(hub.clone()), Period(hub.options.alerts_every), hub.wakes.alerts.clone());
    hub.loops.add(Courier::new(hub.clone()), Period(Span::from_secs(5)), hub.wakes.courier.clone());
    hub.loops.add(Tallies::new(hub.clone()), Period(Span::from_secs(1)), Wake::default());
    hub.loops.add(Samples::new(hub.clone()), Period(Span::from_secs(20)), Wake::default());
    hub.loops.add(Retention::new(hub.clone()), Period(Span::from_secs(300)), hub.wakes.retention.clone());
    hub.loops.add(Refusals::new(hub.clone()), Period(Span::from_secs(10)), Wake::default());
    hub.loops.add(Pruner::new(hub.clone()), Period(Span::from_secs(600)), Wake::default());
}

/// Starts what a process needs that only shows a database: nothing that decides or writes.
pub(crate) fn start_looking(hub: &Hub) {
    hub.loops.add(Presence::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.presence.clone());
    hub.loops.add(Rights::new(hub.clone()), Period(Span::from_secs(2)), hub.wakes.rights.clone());
    hub.loops.add(Herald::looking(hub.clone()), Period(Span::from_millis(500)), hub.wakes.events.clone());
}
