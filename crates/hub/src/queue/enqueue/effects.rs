//! Effects of an enqueue after its commit: cached lanes, wake-ups and counts.

use std::collections::HashMap;

use domain::{LaneId, OrgId, Timestamp};
use store::claim::Position;

use super::EnqueueAnswer;
use crate::{Hub, app::jobs::change::Canceled, queue::cache::lanes::FoundLane};

/// Jobs inserted into one lane.
pub(super) struct LaneArrivals {
    pub(super) count: u32,
    pub(super) first: Position,
}

/// The changes of a committed enqueue, and the answer to each request.
#[derive(Default)]
pub(crate) struct EnqueueEffects {
    pub(crate) answers: Vec<EnqueueAnswer>,
    /// Lanes that the transaction has read or created.
    pub(super) found_lanes: Vec<FoundLane>,
    pub(super) arrivals: HashMap<LaneId, LaneArrivals>,
    /// Whether a job is due later.
    pub(super) has_delayed: bool,
    pub(super) created: HashMap<OrgId, u64>,
    /// Jobs of servers that were superseded.
    pub(super) canceled: Vec<Canceled>,
}

impl EnqueueEffects {
    /// Adds the effects of another part of the same transaction.
    pub(super) fn merge(&mut self, part: Self) {
        self.answers.extend(part.answers);
        self.found_lanes.extend(part.found_lanes);
        for (lane, arrivals) in part.arrivals {
            let all = self.arrivals.entry(lane).or_insert(LaneArrivals { count: 0, first: arrivals.first });
            (all.count, all.first) = (all.count + arrivals.count, all.first.min(arrivals.first));
        }
        self.has_delayed |= part.has_delayed;
        for (org, count) in part.created {
            *self.created.entry(org).or_default() += count;
        }
        self.canceled.extend(part.canceled);
    }

    /// Wakes the runners and loops that wait for these jobs, and counts them. Returns the answers.
    pub(crate) fn after_commit(self, hub: &Hub) -> Vec<EnqueueAnswer> {
        let now = hub.now();
        keep_lanes(hub, &self.found_lanes, now);
        for (lane, arrivals) in &self.arrivals {
            hub.queue.lane_cursors.inserted(*lane, arrivals.first);
            hub.queue.dispatcher.wake_lane(*lane, arrivals.count);
        }
        if self.has_delayed {
            hub.wakes.delayed_jobs.wake();
        }
        for (org, count) in self.created {
            hub.metrics.note_created(count);
            hub.queue.stats.created(org, count, now);
            hub.samples.created(org, count, now);
        }
        for canceled in self.canceled {
            canceled.after_commit(hub);
        }
        hub.news();
        self.answers
    }
}

/// Caches lanes after the commit, and notes which linked runners serve them.
pub(super) fn keep_lanes(hub: &Hub, lanes: &[FoundLane], now: Timestamp) {
    hub.queue.lanes.keep(lanes, now);
    for lane in lanes {
        hub.queue.dispatcher.serve_lane(lane.id, &lane.hosts);
    }
}
