//! For which orgs this hub was promoted: kept here by the presence loop, told to runners when it changes. Any hub on the
//! same database may be the one that was asked.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::OrgId;
use tokio::sync::watch;

/// The numbers of this hub's promotions.
#[derive(Default)]
pub(crate) struct Promotions {
    numbers: Mutex<HashMap<OrgId, u64>>,
    changed: watch::Sender<()>,
}

impl Promotions {
    /// The promotion that hosts of an org are to hear of.
    pub(crate) fn of(&self, org: OrgId) -> Option<u64> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).get(&org).copied()
    }

    /// Takes them as the store has them now, and wakes the sessions if any has changed.
    pub(crate) fn set(&self, all: impl IntoIterator<Item = (OrgId, u64)>) {
        let new: HashMap<OrgId, u64> = all.into_iter().collect();
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if *numbers != new {
            *numbers = new;
            drop(numbers);
            self.changed.send_replace(());
        }
    }

    /// Resolves each time some promotion has changed.
    pub(crate) fn watch(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }
}
