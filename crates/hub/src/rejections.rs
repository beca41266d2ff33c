//! Data of hosts that this hub has rejected: counted in metrics at once, written to the database by a loop.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use domain::{HostId, Timestamp, rejection::RejectReason};
use store::rejection::RejectionCount;

use crate::Hub;

/// Hosts and reasons that wait to be written; further ones are only counted in the metrics.
const PENDING_MAX: usize = 10_000;
/// Longest description of the rejected data, in characters.
const DETAIL_MAX: usize = 200;

/// Rejections that are not written yet.
#[derive(Default)]
pub(crate) struct RejectionBuffer(Mutex<HashMap<(HostId, RejectReason), RejectionCount>>);

impl RejectionBuffer {
    fn add(&self, host_id: HostId, reason: RejectReason, count: usize, detail: &str, now: Timestamp) {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (host_id, reason);
        if pending.len() >= PENDING_MAX && !pending.contains_key(&key) {
            return;
        }
        let entry = pending.entry(key).or_insert_with(|| RejectionCount {
            host_id,
            reason,
            count: 0,
            detail: String::new(),
            last_at: now,
        });
        entry.count = entry.count.saturating_add(i64::try_from(count).unwrap_or(i64::MAX));
        entry.detail = detail.chars().filter(|c| !c.is_control()).take(DETAIL_MAX).collect();
        entry.last_at = now;
    }

    /// Removes and returns all that wait.
    pub(crate) fn take(&self) -> Vec<RejectionCount> {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pending.drain().map(|(_, count)| count).collect()
    }

    /// Puts back what could not be written.
    pub(crate) fn put_back(&self, counts: Vec<RejectionCount>) {
        let mut pending = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for count in counts {
            pending
                .entry((count.host_id, count.reason))
                .and_modify(|known| known.count += count.count)
                .or_insert(count);
        }
    }
}

impl Hub {
    /// Records that data of a host was rejected.
    pub(crate) fn reject(&self, host: HostId, reason: RejectReason, count: usize, detail: &str) {
        self.metrics.note_rejected(reason, count);
        self.rejections.add(host, reason, count, detail, self.now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejections_of_one_host_and_reason_are_one_row() {
        let (buffer, at) = (RejectionBuffer::default(), Timestamp::from_micros(7));
        let host = HostId::from_bytes([1; 16]);
        buffer.add(host, RejectReason::ForeignRow, 2, "job a\u{1b}[31m", at);
        buffer.add(host, RejectReason::ForeignRow, 3, &"x".repeat(1_000), at);
        buffer.add(host, RejectReason::TooDeep, 1, "run b", at);
        let mut taken = buffer.take();
        taken.sort_by_key(|count| count.count);
        assert_eq!(taken.iter().map(|count| count.count).collect::<Vec<_>>(), [1, 5]);
        assert_eq!(taken[1].detail.len(), DETAIL_MAX);
        assert!(buffer.take().is_empty());
        buffer.put_back(taken);
        assert_eq!(buffer.take().len(), 2);
    }
}
