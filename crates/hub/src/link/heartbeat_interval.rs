//! Heartbeat interval per host, cached from the store. The presence loop refreshes it; open sessions send a changed
//! interval to their runners.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{HostId, Span};
use tokio::sync::watch;

/// Heartbeat intervals of the hosts that do not use the default.
pub(crate) struct HeartbeatIntervals {
    usual: Span,
    unusual: Mutex<HashMap<HostId, Span>>,
    changed: watch::Sender<()>,
}

impl HeartbeatIntervals {
    pub(crate) fn new(usual: Span) -> Self {
        Self { usual, unusual: Mutex::default(), changed: watch::Sender::new(()) }
    }

    /// The heartbeat interval of a host.
    pub(crate) fn of(&self, host: HostId) -> Span {
        self.unusual.lock().unwrap_or_else(PoisonError::into_inner).get(&host).copied().unwrap_or(self.usual)
    }

    /// Replaces all intervals by those from the store, and wakes the sessions if one has changed.
    pub(crate) fn set(&self, all: impl Iterator<Item = (HostId, Span)>) {
        let new: HashMap<HostId, Span> = all.filter(|(_, interval)| *interval != self.usual).collect();
        let mut unusual = self.unusual.lock().unwrap_or_else(PoisonError::into_inner);
        if *unusual != new {
            *unusual = new;
            drop(unusual);
            self.changed.send_replace(());
        }
    }

    /// Notifies when any interval has changed.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}

/// An interval in the unit of the wire format.
pub(crate) fn millis(interval: Span) -> u32 {
    u32::try_from(interval.as_millis()).unwrap_or(u32::MAX)
}
