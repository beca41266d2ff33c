//! How many jobs wait in each org, as of a moment ago: for the bound on them.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use domain::OrgId;
use store::tally::Tally;

/// Depths by org, from the kept counts; what this hub has made since is added.
#[derive(Default)]
pub(crate) struct Depths(RwLock<HashMap<OrgId, i64>>);

impl Depths {
    pub(crate) fn set(&self, counts: &[(OrgId, Tally)]) {
        let depths = counts.iter().map(|(org, tally)| (*org, tally.queued)).collect();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = depths;
    }

    pub(crate) fn add(&self, org: OrgId, count: i64) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner).entry(org).or_default() += count;
    }

    pub(crate) fn get(&self, org: OrgId) -> i64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(&org).copied().unwrap_or(0)
    }
}
