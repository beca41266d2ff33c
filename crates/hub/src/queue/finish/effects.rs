//! Effects of a finish after its commit: wake-ups and counts.

use domain::{
    LaneId, OrgId, Span,
    job::{JobStatus, RunStatus},
    presence::end_mark,
};
use store::claim::Position;

use crate::Hub;

/// The changes of a committed finish, for wake-ups and counts.
#[derive(Default)]
pub(crate) struct FinishEffects {
    /// For each report, whether its lease existed.
    pub(crate) applied: Vec<bool>,
    pub(crate) ended: Vec<Ended>,
    /// Whether a job waits for its next attempt.
    pub(super) has_delayed: bool,
    /// Whether a limit was released.
    pub(crate) has_freed_limit: bool,
    /// Jobs that can be claimed again immediately.
    pub(super) ready: Vec<(LaneId, Position)>,
}

/// A run that has ended, for counts.
pub(crate) struct Ended {
    pub(crate) org: OrgId,
    pub(crate) run: RunStatus,
    pub(crate) took: Span,
    /// `Queued` if the job is retried.
    pub(crate) job: JobStatus,
}

impl FinishEffects {
    /// Wakes the loops and runners that wait for these rows, and counts the runs.
    pub(crate) fn after_commit(&self, hub: &Hub) {
        let now = hub.now();
        hub.metrics.note_ends(&self.ended);
        for one in &self.ended {
            hub.queue.stats.ended(one.org, 1, u64::from(end_mark(one.run) == 'x'), now);
            hub.samples.ended(one, now);
        }
        for (lane, position) in &self.ready {
            hub.queue.lane_cursors.inserted(*lane, *position);
            hub.queue.dispatcher.wake_lane(*lane, 1);
        }
        hub.news();
        if self.has_delayed {
            hub.wakes.delayed_jobs.wake();
        }
        if self.has_freed_limit {
            hub.wakes.dispatch_poll.wake();
        }
    }
}
