//! Key versions that hosts must rotate to, cached from the store. The presence loop refreshes the cache, since the
//! rotation may have been requested at another hub of this database; open sessions send it to their runners.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::HostId;
use tokio::sync::watch;

/// Requested key version per host.
#[derive(Default)]
pub(crate) struct KeyRotations {
    wanted: Mutex<HashMap<HostId, i32>>,
    changed: watch::Sender<()>,
}

impl KeyRotations {
    /// The key version that a host must rotate to.
    pub(crate) fn of(&self, host: HostId) -> Option<i32> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).get(&host).copied()
    }

    /// Replaces all requests by those from the store, and wakes the sessions if one has changed.
    pub(crate) fn set(&self, all: impl Iterator<Item = (HostId, i32)>) {
        let new: HashMap<HostId, i32> = all.collect();
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if *wanted != new {
            *wanted = new;
            drop(wanted);
            self.changed.send_replace(());
        }
    }

    /// Notifies when any request has changed.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}
