//! The dispatcher: linked runners with their credit, and the transactions that serve them.
//!
//! Everything in memory here is a hint: a claim reads the store for all it relies on, and the dispatch poll finds a job
//! that had no wake-up.
//!
//! - `channel`: frames to the session of a runner
//! - `claim_loop`: claims for runners that wait in the line, and for HTTP workers
//! - `enqueue_and_claim`: requests, and the start of their jobs on an idle runner
//! - `finish_and_claim`: reports, and the next claim of their runner
//! - `reserved_runner`: a runner reserved for a claim
//! - `hub_notify`: notifications between hubs
//! - `runner`: a linked runner
//! - `slow`: transactions that take long

mod channel;
pub(crate) mod claim_loop;
pub(crate) mod enqueue_and_claim;
pub(crate) mod finish_and_claim;
pub(crate) mod hub_notify;
mod reserved_runner;
mod runner;
pub(crate) mod slow;

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use domain::{HostId, LaneId, Span, Timestamp};
use proto::link::ToRunner;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;

use self::{
    channel::frame_channel,
    reserved_runner::GrantChannel,
    runner::{LinkedRunner, RunnerState},
};
use super::{
    claim::{Claimed, RefusedRun},
    finish::{Credit, Report},
};
use crate::Hub;

pub(crate) use channel::{Frames, RunnerChannel};
pub(crate) use reserved_runner::DispatchGuard;

/// Shortest time between two look-ups of the hosts of a lane that no runner here serves.
const LOOK_UP_EVERY: Span = Span::from_secs(15);

/// The linked runners, the line of those that wait for a claim, and the runners of each lane.
#[derive(Default)]
struct Runners {
    by_host: HashMap<HostId, LinkedRunner>,
    by_lane: HashMap<LaneId, VecDeque<HostId>>,
    line: VecDeque<HostId>,
    /// Lanes whose hosts were looked up, with the time. No runner here serves most of them.
    looked_up: HashMap<LaneId, Timestamp>,
}

/// Lanes whose hosts are known, or were looked up recently.
pub(crate) struct KnownLanes(HashSet<LaneId>);

impl KnownLanes {
    /// Whether the hosts of this lane must be looked up.
    pub(crate) fn lacks(&self, lane: LaneId) -> bool {
        !self.0.contains(&lane)
    }
}

/// Serves the runners that are linked to this hub.
pub(crate) struct Dispatcher {
    runners: Mutex<Runners>,
    /// Notified when a runner joins the line.
    queued: Notify,
    /// Notified when jobs arrive in any lane.
    arrived: Notify,
    /// Woken when jobs arrived that no runner here can take.
    pub(crate) hub_notify: runtime::Wake,
    /// Permits of slow transactions.
    slow: Arc<Semaphore>,
}

impl Default for Dispatcher {
    fn default() -> Self {
        Self {
            runners: Mutex::default(),
            queued: Notify::new(),
            arrived: Notify::new(),
            hub_notify: runtime::Wake::default(),
            slow: Arc::new(Semaphore::new(slow::SLOW_MAX)),
        }
    }
}

impl Dispatcher {
    fn runners(&self) -> std::sync::MutexGuard<'_, Runners> {
        self.runners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a runner whose session has opened.
    pub(crate) fn link(&self, host: HostId, epoch: i64, lanes: &[LaneId]) -> RunnerChannel {
        let (sender, frames) = frame_channel();
        let broken = CancellationToken::new();
        let mut runners = self.runners();
        runners.remove(host);
        let runner = LinkedRunner {
            epoch,
            credit: 0,
            granted: 0,
            lanes: lanes.iter().copied().collect(),
            state: RunnerState::Idle,
            frames: sender,
            broken: broken.clone(),
            sent_definitions: HashSet::new(),
        };
        runners.by_host.insert(host, runner);
        for lane in lanes {
            runners.by_lane.entry(*lane).or_default().push_back(host);
        }
        RunnerChannel { frames, broken }
    }

    /// Removes a runner whose session has ended, unless a newer session was linked.
    pub(crate) fn unlink(&self, host: HostId, epoch: i64) {
        let mut runners = self.runners();
        if runners.by_host.get(&host).is_some_and(|runner| runner.epoch == epoch) {
            runners.remove(host);
        }
    }

    /// Sets the credit of a runner, and wakes it.
    pub(crate) fn set_credit(&self, credit: Credit) {
        let mut runners = self.runners();
        if let Some(runner) = runners.get(credit.host, credit.epoch) {
            runner.credit = runner.credit.max(credit.limit);
        }
        runners.wake(credit.host);
        drop(runners);
        self.queued.notify_one();
    }

    /// Adds a lane to these hosts, as read from the store.
    pub(crate) fn serve_lane(&self, lane: LaneId, hosts: &[HostId]) {
        let mut runners = self.runners();
        for host in hosts {
            if let Some(runner) = runners.by_host.get_mut(host)
                && runner.lanes.insert(lane)
            {
                runners.by_lane.entry(lane).or_default().push_back(*host);
            }
        }
    }

    /// Replaces the lanes of a runner, and wakes it.
    pub(crate) fn set_lanes(&self, host: HostId, lanes: &[LaneId]) {
        let mut runners = self.runners();
        let Some(runner) = runners.by_host.get_mut(&host) else { return };
        let before = std::mem::replace(&mut runner.lanes, lanes.iter().copied().collect());
        for lane in before {
            if let Some(hosts) = runners.by_lane.get_mut(&lane) {
                hosts.retain(|other| *other != host);
            }
        }
        for lane in lanes {
            runners.by_lane.entry(*lane).or_default().push_back(host);
        }
        runners.wake(host);
        drop(runners);
        self.queued.notify_one();
    }

    /// Wakes enough runners of a lane for this number of jobs, in rotation. If their capacity is too small, notifies the
    /// other hubs.
    pub(crate) fn wake_lane(&self, lane: LaneId, jobs: u32) {
        let mut runners = self.runners();
        let Runners { by_host, by_lane, line, .. } = &mut *runners;
        let (mut capacity, mut woken) = (0_u32, 0);
        if let Some(hosts) = by_lane.get_mut(&lane) {
            for _ in 0..hosts.len() {
                let Some(host) = hosts.pop_front() else { break };
                hosts.push_back(host);
                let Some(runner) = by_host.get_mut(&host).filter(|runner| runner.capacity() > 0) else { continue };
                capacity = capacity.saturating_add(runner.capacity());
                woken += 1;
                runner.wake(host, line);
                if capacity >= jobs {
                    break;
                }
            }
        }
        drop(runners);
        self.arrived.notify_waiters();
        for _ in 0..woken {
            self.queued.notify_one();
        }
        if capacity < jobs {
            self.hub_notify.wake();
        }
    }

    /// Wakes every runner with capacity that serves one of these lanes.
    pub(crate) fn wake_lanes(&self, lanes: &[LaneId]) {
        for lane in lanes {
            self.wake_lane(*lane, u32::MAX);
        }
    }

    /// Resolves when jobs arrive in any lane, for workers that wait.
    pub(crate) fn arrivals(&self) -> impl Future<Output = ()> + '_ {
        let mut notified = Box::pin(self.arrived.notified());
        // Registers now, not at the first poll: a job that arrives in between must be noticed.
        notified.as_mut().enable();
        notified
    }

    /// The lanes whose hosts need not be looked up now.
    pub(crate) fn known_lanes(&self, now: Timestamp) -> KnownLanes {
        let mut runners = self.runners();
        runners.looked_up.retain(|_, at| now.since(*at) < LOOK_UP_EVERY);
        KnownLanes(runners.by_lane.keys().chain(runners.looked_up.keys()).copied().collect())
    }

    /// Notes that the hosts of a lane were looked up.
    pub(crate) fn note_looked_up(&self, lane: LaneId, now: Timestamp) {
        self.runners().looked_up.insert(lane, now);
    }

    /// The linked runners with their epochs.
    pub(crate) fn hosts(&self) -> Vec<(HostId, i64)> {
        self.runners().by_host.iter().map(|(host, runner)| (*host, runner.epoch)).collect()
    }

    /// Sends a frame to a runner. Returns `false` if it is not linked here or its channel is full.
    pub(crate) fn send(&self, host: HostId, frame: ToRunner) -> bool {
        self.runners().by_host.get(&host).is_some_and(|runner| runner.frames.try_send(frame))
    }

    /// Reserves the next runner of the line.
    fn reserve_next(&self, hub: &Hub) -> Option<DispatchGuard> {
        let mut runners = self.runners();
        while let Some(host) = runners.line.pop_front() {
            let Some(runner) = runners.by_host.get_mut(&host).filter(|runner| runner.state == RunnerState::Queued)
            else {
                continue;
            };
            if runner.capacity() == 0 {
                runner.state = RunnerState::Idle;
                continue;
            }
            return Some(runner.reserve(hub, host));
        }
        None
    }

    /// Reserves an idle runner that serves this lane, in rotation.
    fn reserve_idle(&self, hub: &Hub, lane: LaneId) -> Option<DispatchGuard> {
        let mut runners = self.runners();
        let Runners { by_host, by_lane, .. } = &mut *runners;
        let hosts = by_lane.get_mut(&lane)?;
        for _ in 0..hosts.len() {
            let host = hosts.pop_front()?;
            hosts.push_back(host);
            if let Some(runner) = by_host.get_mut(&host).filter(|runner| runner.is_free()) {
                return Some(runner.reserve(hub, host));
            }
        }
        None
    }

    /// Sets the credit of a runner and reserves it, unless it has no capacity or waits for a claim already.
    fn reserve_with(&self, hub: &Hub, credit: Credit) -> Option<DispatchGuard> {
        let mut runners = self.runners();
        let runner = runners.get(credit.host, credit.epoch)?;
        runner.credit = runner.credit.max(credit.limit);
        runner.is_free().then(|| runner.reserve(hub, credit.host))
    }

    /// Notes the grants of a claim; returns the channel to send them on, or `None` if the session has ended.
    fn note_granted(&self, host: HostId, epoch: i64, claimed: &Claimed) -> Option<GrantChannel> {
        let mut runners = self.runners();
        let runner = runners.get(host, epoch)?;
        runner.granted += claimed.grants.len() as u64;
        let versions = claimed.definitions.iter().map(|one| (one.definition.id, one.definition.version));
        Some(GrantChannel {
            new_definitions: versions.filter(|version| runner.sent_definitions.insert(*version)).collect(),
            frames: runner.frames.clone(),
            broken: runner.broken.clone(),
        })
    }

    /// Ends the reservation of a runner. It joins the line again if it was woken meanwhile or its claim was filled.
    fn release(&self, host: HostId, epoch: i64, is_filled: bool) {
        let mut runners = self.runners();
        let Some(runner) = runners.get(host, epoch) else { return };
        let is_woken = runner.state == RunnerState::Claiming { is_woken: true };
        runner.state = RunnerState::Idle;
        if is_woken || is_filled {
            runners.wake(host);
            drop(runners);
            self.queued.notify_one();
        }
    }

    /// Ends a session, so that its runner connects again and sends its inventory.
    fn end_session(&self, host: HostId, epoch: i64) {
        if let Some(runner) = self.runners().get(host, epoch) {
            runner.broken.cancel();
        }
    }
}

impl LinkedRunner {
    /// Whether it can be reserved for a claim.
    fn is_free(&self) -> bool {
        self.state == RunnerState::Idle && self.capacity() > 0
    }

    fn reserve(&mut self, hub: &Hub, host: HostId) -> DispatchGuard {
        self.state = RunnerState::Claiming { is_woken: false };
        DispatchGuard::new(hub, host, self.epoch, self.capacity())
    }
}

impl Runners {
    fn get(&mut self, host: HostId, epoch: i64) -> Option<&mut LinkedRunner> {
        self.by_host.get_mut(&host).filter(|runner| runner.epoch == epoch)
    }

    fn wake(&mut self, host: HostId) {
        if let Some(runner) = self.by_host.get_mut(&host).filter(|runner| runner.capacity() > 0) {
            runner.wake(host, &mut self.line);
        }
    }

    fn remove(&mut self, host: HostId) {
        let Some(runner) = self.by_host.remove(&host) else { return };
        for lane in runner.lanes {
            if let Some(hosts) = self.by_lane.get_mut(&lane) {
                hosts.retain(|other| *other != host);
                if hosts.is_empty() {
                    self.by_lane.remove(&lane);
                }
            }
        }
    }
}

/// Reports leased runs that cannot start as failed, as a runner would.
async fn end_refused(hub: &Hub, refused: Vec<RefusedRun>) {
    if refused.is_empty() {
        return;
    }
    let sessions: Vec<(HostId, i64)> = refused.iter().filter_map(|run| Some((run.host?, run.key.epoch))).collect();
    let reports = refused.into_iter().map(|run| Report::refused(run.key, run.host, run.reason)).collect();
    if let Err(error) = hub.queue.finisher.submit(reports, None).await {
        tracing::warn!(error = %error, "cannot end runs whose secrets cannot be opened; closing their sessions");
        // The runner has no grant, so it would never report these runs: its next inventory returns the leases.
        for (host, epoch) in sessions {
            hub.queue.dispatcher.end_session(host, epoch);
        }
    }
}

#[cfg(test)]
mod tests {
    use store::insert::RunKey;

    use super::*;
    use crate::queue::test_support::TestQueue;

    testkit::db_test!(session_ends_if_its_refused_runs_cannot_be_ended, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 1).await;
        let grant = fixture.claim().await.remove(0);
        let channel = fixture.hub.queue.dispatcher.link(fixture.host, fixture.epoch, &[]);
        let (job_id, fence, epoch) = (grant.job, grant.fence, fixture.epoch);
        let key = RunKey { job_id, fence, holder_id: fixture.host.into(), epoch };
        let refused = || vec![RefusedRun { key, host: Some(fixture.host), reason: "no key".to_owned() }];
        end_refused(&fixture.hub, refused()).await;
        assert!(!channel.broken.is_cancelled() && fixture.held(fixture.host).await.is_empty(), "the run has ended");

        fixture.hub.store.close().await;
        end_refused(&fixture.hub, refused()).await;
        assert!(channel.broken.is_cancelled(), "the inventory of the next session returns the leases");
    });
}
