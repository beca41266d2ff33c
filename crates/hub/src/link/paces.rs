//! How often each host gives a sign of life: kept here by the presence loop, told to runners when it changes.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{HostId, Span};
use tokio::sync::watch;

/// The paces of all hosts that differ from the usual one.
pub(crate) struct Paces {
    usual: Span,
    unusual: Mutex<HashMap<HostId, Span>>,
    changed: watch::Sender<()>,
}

impl Paces {
    pub(crate) fn new(usual: Span) -> Self {
        Self { usual, unusual: Mutex::default(), changed: watch::Sender::new(()) }
    }

    /// The pace of a host.
    pub(crate) fn of(&self, host: HostId) -> Span {
        self.unusual.lock().unwrap_or_else(PoisonError::into_inner).get(&host).copied().unwrap_or(self.usual)
    }

    /// Takes the paces as the store has them now, and wakes the sessions if any has changed.
    pub(crate) fn set(&self, all: impl Iterator<Item = (HostId, Span)>) {
        let new: HashMap<HostId, Span> = all.filter(|(_, pace)| *pace != self.usual).collect();
        let mut unusual = self.unusual.lock().unwrap_or_else(PoisonError::into_inner);
        if *unusual != new {
            *unusual = new;
            drop(unusual);
            self.changed.send_replace(());
        }
    }

    /// Resolves each time some pace has changed.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}

/// As the wire has it.
pub(crate) fn millis(pace: Span) -> u32 {
    u32::try_from(pace.as_millis()).unwrap_or(u32::MAX)
}
