//! Number of queued jobs per org, for the limit on them.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use domain::OrgId;
use store::tally::Tally;

/// Numbers of the last count, plus the jobs that this hub has inserted since.
#[derive(Default)]
pub(crate) struct QueueDepth(RwLock<HashMap<OrgId, i64>>);

impl QueueDepth {
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
