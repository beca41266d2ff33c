//! What this machine notices of its own absences: that it stood still, and that a hub was away. It is written to a
//! database of this machine and travels from there as every other row of it does.

use std::time::Duration;

use domain::{
    HostId, Span, Timestamp,
    timeline::{Absences, Clocks, Contact, GapKind, Noted},
};
use runtime::{Clock, Group, Next, Pass, Period, Shutdown, Task, Wake, clock::wall};
use store::{Store, outage::Gap};
use tokio::sync::watch;

/// How often the clocks are compared.
pub const EVERY: Span = Span::from_secs(10);
/// How long the last note may take.
const STOP_TIME_MAX: Duration = Duration::from_secs(2);

/// Compares the clocks and looks at the links.
pub struct AbsenceLog {
    store: Store,
    host: HostId,
    links: Vec<watch::Receiver<Contact>>,
    absences: Absences,
    read: Box<dyn FnMut() -> Clocks + Send>,
    /// What could not be written yet.
    unwritten: Vec<Gap>,
}

impl AbsenceLog {
    /// Notes in this database what this host was absent for, and when hubs behind these links are away. To be called
    /// before this host's own link is made: what lasted when the process ended is over since then, and when that was is
    /// known from when the host last spoke to its own desk.
    ///
    /// # Errors
    /// The database fails.
    pub async fn open(store: Store, host: HostId, links: Vec<watch::Receiver<Contact>>) -> store::Result<Self> {
        let close = store.write(move |tx| {
            Box::pin(async move {
                let view = tx.host_anywhere(host).await?;
                let Some(session) = view.and_then(|view| view.session) else { return Ok(0) };
                tx.gap_close(host, GapKind::HubAway, session.heartbeat_at).await
            })
        });
        close.await?;
        let absences = Absences::new(wall());
        Ok(Self { store, host, links, absences, read: Box::new(clocks), unwritten: Vec::new() })
    }

    /// Keeps watch until shutdown.
    pub async fn run(self, shutdown: Shutdown) {
        let group = Group::new(Clock::system());
        group.add(self, Period(EVERY), Wake::default());
        shutdown.asked().await;
        group.stop(STOP_TIME_MAX).await;
    }

    /// The same with clocks from elsewhere: for tests.
    #[must_use]
    pub fn with_clocks(mut self, began: Timestamp, read: impl FnMut() -> Clocks + Send + 'static) -> Self {
        (self.absences, self.read) = (Absences::new(began), Box::new(read));
        self
    }
}

impl Task for AbsenceLog {
    const NAME: &'static str = "absences";

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let contacts: Vec<Contact> = self.links.iter().map(|link| link.borrow().clone()).collect();
        let clocks = (self.read)();
        let noted = self.absences.look(clocks, &contacts);
        for one in &noted {
            tracing::info!(kind = %one.kind, from = %one.from, until = ?one.until, "this machine was away");
        }
        for Noted { kind, from, until, note } in noted {
            // One that was not written yet is written as it is now: each is there once.
            self.unwritten.retain(|gap| (gap.kind, gap.from_at) != (kind, from));
            self.unwritten.push(Gap { host_id: self.host, kind, from_at: from, until_at: until, note });
        }
        if self.unwritten.is_empty() {
            return Ok(Next::Wait);
        }
        let now = clocks.wall;
        let rows = self.unwritten.clone();
        self.store.write(move |tx| Box::pin(async move { tx.gap_put(&rows, now).await })).await?;
        self.unwritten.clear();
        Ok(Next::Wait)
    }
}

/// The clocks of this machine.
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
    fn a_machine_that_is_awake_was_not_suspended() {
        let before = clocks();
        assert!(before.boot.is_some(), "{before:?}");
        assert_eq!(domain::timeline::suspended(&before, &clocks()), None);
    }
}
