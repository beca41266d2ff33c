//! Orgs for which this hub was promoted to primary, cached from the store. The presence loop refreshes the cache, since
//! the promotion may have been requested at another hub of this database; open sessions send it to their runners.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::OrgId;
use tokio::sync::watch;

/// Promotion number of this hub per org.
#[derive(Default)]
pub(crate) struct Promotions {
    numbers: Mutex<HashMap<OrgId, u64>>,
    changed: watch::Sender<()>,
}

impl Promotions {
    /// The promotion number to send to hosts of an org.
    pub(crate) fn of(&self, org: OrgId) -> Option<u64> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).get(&org).copied()
    }

    /// Replaces all numbers by those from the store, and wakes the sessions if one has changed.
    pub(crate) fn set(&self, all: impl IntoIterator<Item = (OrgId, u64)>) {
        let new: HashMap<OrgId, u64> = all.into_iter().collect();
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if *numbers != new {
            *numbers = new;
            drop(numbers);
            self.changed.send_replace(());
        }
    }

    /// Notifies when any promotion has changed.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}
