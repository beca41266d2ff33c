//! Counters that the simulated runners of the queue benchmark update.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use domain::OrgId;
use proto::work::Grant;
use tokio::sync::Notify;

/// Counters that the simulated runners update.
#[derive(Default)]
pub(super) struct QueueCounters {
    pub(super) granted: AtomicU64,
    pub(super) settled: AtomicU64,
    /// Number of grants of the org with few jobs, and the time of the last one.
    pub(super) granted_own: AtomicU64,
    pub(super) granted_own_at: Mutex<Option<Instant>>,
    /// Notified when jobs are granted or results are settled.
    pub(super) changed: Notify,
}

impl QueueCounters {
    pub(super) fn count_grants(&self, grants: &[Grant], own: OrgId) {
        self.granted.fetch_add(grants.len() as u64, Ordering::SeqCst);
        let of_own = grants.iter().filter(|grant| grant.org == own).count();
        if of_own > 0 {
            *self.granted_own_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        self.granted_own.fetch_add(of_own as u64, Ordering::SeqCst);
        self.changed.notify_one();
    }
}
