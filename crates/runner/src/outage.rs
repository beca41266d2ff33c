//! Outages that this machine detects itself: its own suspends and unreachable hubs. They are stored in the database of
//! this machine and replicated to the hubs like its other rows.

use std::time::Duration;

use domain::{
    HostId, Span, Timestamp,
    timeline::{Clocks, Contact, Noted, OutageKind, OutageTracker},
};
use runtime::{Clock, LoopSupervisor, Next, Pass, Period, Shutdown, Task, Wake, clock::wall};
use store::{Store, outage::Outage};
use tokio::sync::watch;

/// Interval at which clocks and links are read.
pub const EVERY: Span = Span::from_secs(10);
/// Time limit for the last write at shutdown.
const STOP_TIME_MAX: Duration = Duration::from_secs(2);

/// Loop that detects outages and stores them.
pub struct OutageLog {
    store: Store,
    host: HostId,
    links: Vec<watch::Receiver<Contact>>,
    outages: OutageTracker,
    read: Box<dyn FnMut() -> Clocks + Send>,
    /// Outages whose write failed; retried with the next pass.
    unwritten: Vec<Outage>,
}

impl OutageLog {
    /// Creates the loop for these links, and closes the outage that was open when the previous process ended.
    ///
    /// Call it before the runner connects to its standalone hub: the outage ended at the last heartbeat of the previous
    /// session, and the new session overwrites that time.
    ///
    /// # Errors
    /// The outage cannot be read or closed.
    pub async fn open(store: Store, host: HostId, links: Vec<watch::Receiver<Contact>>) -> store::Result<Self> {
        let close = store.write(move |tx| {
            Box::pin(async move {
                let view = tx.host_anywhere(host).await?;
                let Some(session) = view.and_then(|view| view.session) else { return Ok(0) };
                tx.outage_close(host, OutageKind::HubAway, session.heartbeat_at).await
            })
        });
        close.await?;
        let outages = OutageTracker::new(wall());
        Ok(Self { store, host, links, outages, read: Box::new(clocks), unwritten: Vec::new() })
    }

    /// Runs the loop until shutdown.
    pub async fn run(self, shutdown: Shutdown) {
        let group = LoopSupervisor::new(Clock::system());
        group.add(self, Period(EVERY), Wake::default());
        shutdown.asked().await;
        group.stop(STOP_TIME_MAX).await;
    }

    /// Replaces the clocks, for tests.
    #[must_use]
    pub fn with_clocks(mut self, began: Timestamp, read: impl FnMut() -> Clocks + Send + 'static) -> Self {
        (self.outages, self.read) = (OutageTracker::new(began), Box::new(read));
        self
    }
}

impl Task for OutageLog {
    const NAME: &'static str = "outages";

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let contacts: Vec<Contact> = self.links.iter().map(|link| link.borrow().clone()).collect();
        let clocks = (self.read)();
        let noted = self.outages.look(clocks, &contacts);
        for one in &noted {
            let is_suspend = one.kind == OutageKind::Suspended;
            let what = if is_suspend { "this machine was suspended" } else { "the hub was unreachable" };
            let until = one.until.map_or_else(|| "now".to_owned(), |until| format!("{until:.0}"));
            tracing::info!("recorded an outage: {what} from {:.0} until {until}", one.from);
        }
        for Noted { kind, from, until, note } in noted {
            // Replace an older version of the same outage that was not written yet.
            self.unwritten.retain(|outage| (outage.kind, outage.from_at) != (kind, from));
            self.unwritten.push(Outage { host_id: self.host, kind, from_at: from, until_at: until, note });
        }
        if self.unwritten.is_empty() {
            return Ok(Next::Wait);
        }
        let now = clocks.wall;
        let rows = self.unwritten.clone();
        self.store.write(move |tx| Box::pin(async move { tx.outage_put(&rows, now).await })).await?;
        self.unwritten.clear();
        Ok(Next::Wait)
    }
}

/// Reads the clocks of this machine.
fn clocks() -> Clocks {
    use rustix::time::{ClockId, clock_gettime};
    let span = |id| {
        let time = clock_gettime(id);
        Span::from_micros(time.tv_sec.saturating_mul(1_000_000).saturating_add(time.tv_nsec / 1_000))
    };
    #[cfg(target_os = "linux")]
    let boot = Some(span(ClockId::Boottime));
    #[cfg(not(target_os = "linux"))]
    let boot = None;
    Clocks { wall: wall(), awake: span(ClockId::Monotonic), boot }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readings_of_a_running_machine_show_no_suspend() {
        let before = clocks();
        assert!(before.boot.is_some(), "{before:?}");
        assert_eq!(domain::timeline::suspended(&before, &clocks()), None);
    }
}
