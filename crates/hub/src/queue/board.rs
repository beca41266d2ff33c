//! The runners linked to this hub: how many grants each still takes, which lanes it serves, and whose turn it is.
//!
//! Only hints: a claim asks the store for everything it relies on, and the poll finds what a hint has missed.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use domain::{DefinitionId, HostId, JobId, LaneId, Span, Timestamp};
use proto::{
    link::ToRunner,
    work::{FRAME_BYTES_GOAL, Grants},
};
use store::{
    claim::{Head, LaneRoom, OpenLane},
    insert::Lease,
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{
    claim::{self, Claimant, Claimed},
    coming::{Coming, Expected},
    finish::Report,
    foresight::{self, Came, Foresight},
    frames::{self, FrameSender, Frames},
    grant,
    known::Known,
    turn::Ask,
};
use crate::Hub;

/// How often the hosts of a lane that nobody here serves are asked for.
const ASK_EVERY: Span = Span::from_secs(15);

/// Where a runner stands with its claims.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Nothing to do for it.
    Calm,
    /// In the line.
    Queued,
    /// Being served; `true` if it was woken meanwhile.
    Claiming(bool),
}

struct Seat {
    epoch: i64,
    /// Grants it takes in all, and has got, in this session.
    limit: u64,
    granted: u64,
    lanes: HashSet<LaneId>,
    turn: Turn,
    frames: FrameSender,
    /// Ends the session: it does not take what was granted to it.
    broken: CancellationToken,
    /// Definitions it was sent in this session.
    known: HashSet<(DefinitionId, i32)>,
    /// Until then its ends are written without a claim.
    alone_until: Option<Timestamp>,
    /// How the last claim left it, if that is worth remembering.
    calm: Option<Known>,
    /// Until then it is looked at all the same: what was remembered was wrong.
    looked_at_until: Option<Timestamp>,
    /// Leases it got, while they last.
    leases: HashMap<JobId, Lease>,
    /// Until then its turns are taken with locks.
    timid_until: Option<Timestamp>,
    /// What it may begin with next, between its turns.
    foresight: Option<Foresight>,
    /// Until then it is not looked ahead for it: what was foreseen was wrong, or too much.
    blind_until: Option<Timestamp>,
    /// What has come to be known of its lanes since its turn began.
    came: Came,
    /// Jobs for it that are being written.
    coming: Arc<Coming>,
    /// The lanes that were open and empty after its last turn, as far as that is known.
    empty: HashSet<LaneId>,
    /// Whether its last turn has waited for jobs that were being written.
    has_waited: bool,
    /// Whether somebody reads what stands behind what is foreseen.
    is_read_on: bool,
}

/// More are not remembered of one host: some may have ended unseen.
const LEASES_MAX: usize = 4_096;

impl Seat {
    fn room(&self) -> u32 {
        u32::try_from(self.limit.saturating_sub(self.granted)).unwrap_or(u32::MAX)
    }

    /// Its turn begins.
    fn begin(&mut self) {
        self.turn = Turn::Claiming(false);
        self.came = Came::default();
        self.foresight = None;
    }

    /// Something has come into one of its lanes; `None` if nobody knows what.
    fn note(&mut self, lane: LaneId, heads: impl FnOnce() -> Option<Vec<Head>>) {
        if self.foresight.is_none() && !matches!(self.turn, Turn::Claiming(_)) {
            return;
        }
        let mut came = Came::default();
        came.note(lane, heads());
        self.learn(came);
    }

    /// More has come to be known of its lanes.
    fn learn(&mut self, came: Came) {
        if let Turn::Claiming(_) = self.turn {
            self.came.join(came);
        } else {
            self.foresight = self.foresight.take().and_then(|foresight| foresight.with(came, &self.leases));
        }
    }
}

#[derive(Default)]
struct Inner {
    seats: HashMap<HostId, Seat>,
    by_lane: HashMap<LaneId, VecDeque<HostId>>,
    line: VecDeque<HostId>,
    /// Lanes whose hosts were asked for, and when: most are served by nobody here.
    asked: HashMap<LaneId, Timestamp>,
}

/// Which lanes were not asked for lately.
pub(crate) struct Unasked {
    known: HashSet<LaneId>,
}

impl Unasked {
    /// Whether to ask for the hosts of this lane.
    pub(crate) fn asks(&self, lane: LaneId) -> bool {
        !self.known.contains(&lane)
    }
}

/// What a session hears from the board.
pub(crate) struct Seated {
    /// What to say.
    pub(crate) frames: Frames,
    /// Resolves when the session must end, because what was granted could not be said.
    pub(crate) broken: CancellationToken,
}

/// All runners linked to this hub.
#[derive(Default)]
pub(crate) struct Board {
    inner: Mutex<Inner>,
    turn: Notify,
    arrived: Notify,
    /// Somebody must tell the other hubs: nobody here can take what has come.
    pub(crate) others: runtime::Wake,
}

impl Board {
    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A runner sits down. Returns what it is to be told.
    pub(crate) fn join(&self, host: HostId, epoch: i64, lanes: &[LaneId]) -> Seated {
        let (frames, receiver) = frames::way();
        let broken = CancellationToken::new();
        let mut inner = self.inner();
        inner.leave(host);
        let seat = Seat {
            epoch,
            limit: 0,
            granted: 0,
            lanes: lanes.iter().copied().collect(),
            turn: Turn::Calm,
            frames,
            broken: broken.clone(),
            known: HashSet::new(),
            alone_until: None,
            calm: None,
            looked_at_until: None,
            leases: HashMap::new(),
            timid_until: None,
            foresight: None,
            blind_until: None,
            came: Came::default(),
            coming: Arc::default(),
            empty: HashSet::new(),
            has_waited: false,
            is_read_on: false,
        };
        inner.seats.insert(host, seat);
        for lane in lanes {
            inner.by_lane.entry(*lane).or_default().push_back(host);
        }
        Seated { frames: receiver, broken }
    }

    /// A runner leaves, unless a newer session of it has sat down already.
    pub(crate) fn leave(&self, host: HostId, epoch: i64) {
        let mut inner = self.inner();
        if inner.seats.get(&host).is_some_and(|seat| seat.epoch == epoch) {
            inner.leave(host);
        }
    }

    /// A runner takes this many grants in all.
    pub(crate) fn credit(&self, host: HostId, epoch: i64, limit: u64) {
        let mut inner = self.inner();
        if let Some(seat) = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch) {
            seat.limit = seat.limit.max(limit);
        }
        inner.queue(host);
        drop(inner);
        self.turn.notify_one();
    }

    /// These hosts serve this lane, as was found just now.
    pub(crate) fn serve_lane(&self, lane: LaneId, hosts: &[HostId]) {
        let mut inner = self.inner();
        for host in hosts {
            if let Some(seat) = inner.seats.get_mut(host)
                && seat.lanes.insert(lane)
            {
                inner.by_lane.entry(lane).or_default().push_back(*host);
            }
        }
    }

    /// The lanes of a runner have changed.
    pub(crate) fn set_lanes(&self, host: HostId, lanes: &[LaneId]) {
        let mut inner = self.inner();
        let Some(seat) = inner.seats.get_mut(&host) else { return };
        let before = std::mem::replace(&mut seat.lanes, lanes.iter().copied().collect());
        seat.foresight = None;
        for lane in before {
            if let Some(hosts) = inner.by_lane.get_mut(&lane) {
                hosts.retain(|other| *other != host);
            }
        }
        for lane in lanes {
            inner.by_lane.entry(*lane).or_default().push_back(host);
        }
        inner.queue(host);
        drop(inner);
        self.turn.notify_one();
    }

    /// Jobs have come into a lane: as many runners as it takes get their turn. In rotation, so that all get some.
    pub(crate) fn wake_lane(&self, lane: LaneId, jobs: u32) {
        self.arrive(lane, jobs, || None);
    }

    /// The same where it may be known which, in case somebody wants to know.
    pub(super) fn arrive(&self, lane: LaneId, jobs: u32, heads: impl FnOnce() -> Option<Vec<Head>>) {
        let mut inner = self.inner();
        let Inner { seats, by_lane, line, .. } = &mut *inner;
        let (mut room, mut woken) = (0_u32, 0);
        if let Some(hosts) = by_lane.get_mut(&lane) {
            // Nothing is foreseen where others take from the same lane.
            if hosts.len() == 1
                && let Some(seat) = hosts.front().and_then(|host| seats.get_mut(host))
            {
                seat.note(lane, heads);
            }
            for _ in 0..hosts.len() {
                let Some(host) = hosts.pop_front() else { break };
                hosts.push_back(host);
                let Some(seat) = seats.get_mut(&host).filter(|seat| seat.room() > 0) else { continue };
                room = room.saturating_add(seat.room());
                woken += 1;
                if hosts.len() > 1 {
                    seat.note(lane, || None);
                }
                queue(seat, host, line);
                if room >= jobs {
                    break;
                }
            }
        }
        drop(inner);
        self.arrived.notify_waiters();
        for _ in 0..woken {
            self.turn.notify_one();
        }
        if room < jobs {
            self.others.wake();
        }
    }

    /// Resolves when jobs come to any lane: for workers that wait.
    pub(crate) fn arrivals(&self) -> impl Future<Output = ()> + '_ {
        let mut notified = Box::pin(self.arrived.notified());
        // From now on, not from the first poll on.
        notified.as_mut().enable();
        notified
    }

    /// Every runner that serves one of these lanes and has room gets its turn.
    pub(crate) fn wake_lanes(&self, lanes: &[LaneId]) {
        for lane in lanes {
            self.wake_lane(*lane, u32::MAX);
        }
    }

    /// The lanes whose hosts are known here or were asked for a moment ago.
    pub(crate) fn unknown_lanes_due(&self, now: Timestamp) -> Unasked {
        let mut inner = self.inner();
        inner.asked.retain(|_, at| now.since(*at) < ASK_EVERY);
        let known = inner.by_lane.keys().chain(inner.asked.keys()).copied().collect();
        Unasked { known }
    }

    /// The hosts of a lane were asked for.
    pub(crate) fn looked_up(&self, lane: LaneId, now: Timestamp) {
        self.inner().asked.insert(lane, now);
    }

    /// The runners that sit here, with their epochs.
    pub(crate) fn hosts(&self) -> Vec<(HostId, i64)> {
        self.inner().seats.iter().map(|(host, seat)| (*host, seat.epoch)).collect()
    }

    /// Tells a runner something, if it sits here and its socket keeps up.
    pub(crate) fn tell(&self, host: HostId, frame: ToRunner) -> bool {
        self.inner().seats.get(&host).is_some_and(|seat| seat.frames.try_send(frame))
    }

    /// Whose turn it is, with the epoch of its session and its room.
    fn next(&self) -> Option<(HostId, i64, u32)> {
        let mut inner = self.inner();
        while let Some(host) = inner.line.pop_front() {
            let Some(seat) = inner.seats.get_mut(&host).filter(|seat| seat.turn == Turn::Queued) else { continue };
            let room = seat.room();
            if room == 0 {
                seat.turn = Turn::Calm;
                continue;
            }
            seat.begin();
            return Some((host, seat.epoch, room));
        }
        None
    }

    /// A runner that waits for work and serves this lane: its turn begins, with the epoch of its session and its room.
    /// In rotation, so that all get some.
    pub(crate) fn seize(&self, lane: LaneId) -> Option<(HostId, i64, u32)> {
        let mut inner = self.inner();
        let Inner { seats, by_lane, .. } = &mut *inner;
        let hosts = by_lane.get_mut(&lane)?;
        for _ in 0..hosts.len() {
            let host = hosts.pop_front()?;
            hosts.push_back(host);
            if let Some(seat) = seats.get_mut(&host).filter(|seat| seat.turn == Turn::Calm && seat.room() > 0) {
                seat.begin();
                return Some((host, seat.epoch, seat.room()));
            }
        }
        None
    }

    /// A runner takes this many grants in all, and its turn begins, if it has room and neither waits for a claim nor gets
    /// one.
    pub(crate) fn begin_turn(&self, host: HostId, epoch: i64, limit: u64, now: Timestamp) -> Option<u32> {
        let mut inner = self.inner();
        let seat = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch)?;
        seat.limit = seat.limit.max(limit);
        if seat.turn != Turn::Calm || seat.room() == 0 || seat.alone_until.is_some_and(|until| now < until) {
            return None;
        }
        let foresight = seat.foresight.take();
        seat.begin();
        seat.foresight = foresight;
        Some(seat.room())
    }

    /// Jobs are being written into a lane that only one runner here serves, and that it had left empty: if its turn begins before
    /// they are there, it waits for them.
    pub(super) fn expect(&self, lane: LaneId) -> Option<Expected> {
        let inner = self.inner();
        let hosts = inner.by_lane.get(&lane).filter(|hosts| hosts.len() == 1)?;
        let seat = hosts.front().and_then(|host| inner.seats.get(host))?;
        seat.empty.contains(&lane).then(|| Expected::new(&seat.coming))
    }

    /// What a runner whose turn has begun is to wait for. Not for two turns one after the other: who makes one job after the other
    /// must not slow down all others.
    pub(super) fn awaited(&self, host: HostId, epoch: i64) -> Option<Arc<Coming>> {
        let mut inner = self.inner();
        let seat = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch)?;
        seat.has_waited = !seat.has_waited && seat.coming.is_any();
        seat.has_waited.then(|| seat.coming.clone())
    }

    /// What a runner whose turn has begun may begin with, if that is remembered and enough for so many.
    pub(super) fn foresee(&self, host: HostId, epoch: i64, room: u32, now: Timestamp) -> Option<Foresight> {
        let mut inner = self.inner();
        let seat = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch)?;
        let came = std::mem::take(&mut seat.came);
        let foresight = seat.foresight.take().and_then(|foresight| foresight.with(came, &seat.leases))?;
        let is_alone = foresight.lanes().all(|lane| inner.is_alone(lane));
        (is_alone && foresight.is_enough(room, now)).then_some(foresight)
    }

    /// Whether it is worth to look for more than a runner can take: nobody else here takes from its lanes, and what was
    /// foreseen for it was right.
    pub(super) fn looks_ahead(&self, host: HostId, epoch: i64, now: Timestamp) -> bool {
        let inner = self.inner();
        let Some(seat) = inner.seats.get(&host).filter(|seat| seat.epoch == epoch) else { return false };
        seat.blind_until.is_none_or(|until| until <= now) && seat.lanes.iter().all(|lane| inner.is_alone(*lane))
    }

    /// What stands behind what is foreseen for a runner was read.
    pub(super) fn has_read(&self, host: HostId, epoch: i64, came: Came) {
        if let Some(seat) = self.inner().seats.get_mut(&host).filter(|seat| seat.epoch == epoch) {
            seat.is_read_on = false;
            seat.learn(came);
        }
    }

    /// From where on to read for a runner, if that is worth it and nobody does. Somebody does from now on.
    fn reads_on(&self, host: HostId, epoch: i64) -> Option<Vec<LaneRoom>> {
        let mut inner = self.inner();
        let seat = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch && !seat.is_read_on)?;
        let ends = seat.foresight.as_ref().and_then(Foresight::ends)?;
        seat.is_read_on = true;
        Some(ends)
    }

    /// Until then a runner is looked at for each of its turns.
    pub(super) fn look_until(&self, host: HostId, epoch: i64, until: Timestamp) {
        if let Some(seat) = self.inner().seats.get_mut(&host).filter(|seat| seat.epoch == epoch) {
            seat.blind_until = Some(until);
        }
    }

    /// Whether something has come into another lane than these since this runner's turn began.
    pub(crate) fn has_come_beside(&self, host: HostId, epoch: i64, lanes: &[OpenLane]) -> bool {
        let inner = self.inner();
        let seat = inner.seats.get(&host).filter(|seat| seat.epoch == epoch);
        seat.is_some_and(|seat| seat.came.is_beside(lanes))
    }

    /// Until then no turn of this runner begins with its ends.
    pub(crate) fn no_turn_before(&self, host: HostId, epoch: i64, until: Timestamp) {
        if let Some(seat) = self.inner().seats.get_mut(&host).filter(|seat| seat.epoch == epoch) {
            seat.alone_until = Some(until);
        }
    }

    /// How a host was left, if that is known here, and that these lanes are open to it.
    pub(crate) fn recall(&self, host: HostId, epoch: i64, lanes: &[LaneId], now: Timestamp) -> Option<Known> {
        let inner = self.inner();
        let seat = inner.seats.get(&host).filter(|seat| seat.epoch == epoch)?;
        let is_trusted = seat.looked_at_until.is_none_or(|until| until <= now);
        seat.calm.as_ref().filter(|known| is_trusted && known.is_open(lanes)).cloned()
    }

    /// What is remembered of a host is wrong, and may be so for a while. Says whether anything was.
    pub(crate) fn forget(&self, host: HostId, epoch: i64, until: Timestamp) -> bool {
        let mut inner = self.inner();
        let seat = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch);
        seat.is_some_and(|seat| {
            let had_any = seat.calm.take().is_some();
            seat.looked_at_until = had_any.then_some(until).or(seat.looked_at_until);
            had_any
        })
    }

    /// The leases that these reports of a host are about, and its lanes, if all of them are known here and it was not long
    /// ago that it worked to rely on that.
    pub(crate) fn held(&self, ask: Ask, reports: &[Report], now: Timestamp) -> Option<(Vec<Lease>, Vec<LaneId>)> {
        let inner = self.inner();
        let seat = inner.seats.get(&ask.host).filter(|seat| seat.epoch == ask.epoch)?;
        if seat.timid_until.is_some_and(|until| now < until) {
            return None;
        }
        let held = |report: &Report| seat.leases.get(&report.key.job_id).filter(|lease| lease.key() == report.key);
        let leases = reports.iter().map(|report| held(report).cloned()).collect::<Option<Vec<_>>>()?;
        Some((leases, seat.lanes.iter().copied().collect()))
    }

    /// The leases that these reports are about, if all of them are known here. They are not from now on: they are about to
    /// end, one way or the other.
    pub(crate) fn take_held<'a>(&self, reports: impl Iterator<Item = &'a Report>) -> Option<Vec<Lease>> {
        let mut inner = self.inner();
        let mut take = |report: &Report| {
            let seat = inner.seats.get_mut(&report.host?)?;
            seat.foresight = None;
            seat.leases.remove(&report.key.job_id).filter(|lease| lease.key() == report.key)
        };
        reports.map(&mut take).collect()
    }

    /// Until then turns of this runner are taken with locks.
    pub(crate) fn timid_until(&self, host: HostId, epoch: i64, until: Timestamp) {
        if let Some(seat) = self.inner().seats.get_mut(&host).filter(|seat| seat.epoch == epoch) {
            seat.timid_until = Some(until);
        }
    }

    /// The runs that these are about are over.
    pub(crate) fn ended<'a>(&self, reports: impl Iterator<Item = &'a Report>) {
        let mut inner = self.inner();
        for report in reports {
            let seat = report.host.and_then(|host| inner.seats.get_mut(&host));
            if let Some(seat) = seat {
                seat.leases.remove(&report.key.job_id);
                seat.foresight = None;
            }
        }
    }

    /// As if so many grants had been sent to a runner.
    #[cfg(test)]
    pub(crate) fn grant_for_test(&self, host: HostId, count: u64) {
        if let Some(seat) = self.inner().seats.get_mut(&host) {
            seat.granted += count;
        }
    }

    /// What is foreseen for a runner between its turns. It is no more.
    #[cfg(test)]
    pub(crate) fn foresight_for_test(&self, host: HostId) -> Option<Foresight> {
        self.inner().seats.get_mut(&host).and_then(|seat| seat.foresight.take())
    }

    /// Whether something is foreseen for a runner.
    #[cfg(test)]
    pub(crate) fn foresees(&self, host: HostId) -> bool {
        self.inner().seats.get(&host).is_some_and(|seat| seat.foresight.is_some())
    }

    /// As if these leases had come with a claim.
    #[cfg(test)]
    pub(crate) fn remember_for_test(&self, host: HostId, leases: Vec<Lease>) {
        if let Some(seat) = self.inner().seats.get_mut(&host) {
            seat.leases.extend(leases.into_iter().map(|lease| (lease.job_id, lease)));
        }
    }

    /// Ends a session: its runner is to say what it has.
    pub(crate) fn end_session(&self, host: HostId, epoch: i64) {
        if let Some(seat) = self.inner().seats.get(&host).filter(|seat| seat.epoch == epoch) {
            seat.broken.cancel();
        }
    }

    /// A claim is over. Whoever got all it asked for, or was woken meanwhile, is served again.
    fn served(&self, host: HostId, epoch: i64, asked: u32, claimed: &mut Claimed) -> Option<(Way, bool)> {
        let mut inner = self.inner();
        let foresight = claimed.foresight.take().filter(|known| known.lanes().all(|lane| inner.is_alone(lane)));
        let seat = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch)?;
        let got = u32::try_from(claimed.grants.len()).unwrap_or(u32::MAX);
        seat.granted += u64::from(got);
        if let Some(known) = claimed.known.take() {
            seat.calm = Some(known.after(seat.calm.take()));
        }
        if seat.leases.len() + claimed.leases.len() > LEASES_MAX {
            seat.leases.clear();
        }
        seat.leases.extend(claimed.leases.drain(..).map(|lease| (lease.job_id, lease)));
        let came = std::mem::take(&mut seat.came);
        seat.foresight = foresight.and_then(|foresight| foresight.with(came, &seat.leases));
        seat.empty = seat.foresight.as_ref().map(Foresight::empty).unwrap_or_default();
        let is_again = matches!(seat.turn, Turn::Claiming(true)) || (got > 0 && got == asked);
        seat.turn = Turn::Calm;
        let way = Way { frames: seat.frames.clone(), broken: seat.broken.clone() };
        let again = is_again && seat.room() > 0;
        if again {
            inner.queue(host);
        }
        Some((way, again))
    }

    /// Which of these definitions a runner has not been sent in this session; from now on it has.
    fn unknown(&self, host: HostId, epoch: i64, wanted: &[(DefinitionId, i32)]) -> Vec<(DefinitionId, i32)> {
        let mut inner = self.inner();
        let Some(seat) = inner.seats.get_mut(&host).filter(|seat| seat.epoch == epoch) else { return Vec::new() };
        wanted.iter().copied().filter(|version| seat.known.insert(*version)).collect()
    }
}

/// The way to a runner.
struct Way {
    frames: FrameSender,
    broken: CancellationToken,
}

fn queue(seat: &mut Seat, host: HostId, line: &mut VecDeque<HostId>) {
    match seat.turn {
        Turn::Calm => {
            seat.turn = Turn::Queued;
            line.push_back(host);
        }
        Turn::Claiming(_) => seat.turn = Turn::Claiming(true),
        Turn::Queued => {}
    }
}

impl Inner {
    /// Whether at most one runner here serves this lane.
    fn is_alone(&self, lane: LaneId) -> bool {
        self.by_lane.get(&lane).is_none_or(|hosts| hosts.len() <= 1)
    }

    fn queue(&mut self, host: HostId) {
        if let Some(seat) = self.seats.get_mut(&host).filter(|seat| seat.room() > 0) {
            queue(seat, host, &mut self.line);
        }
    }

    fn leave(&mut self, host: HostId) {
        let Some(seat) = self.seats.remove(&host) else { return };
        for lane in seat.lanes {
            if let Some(hosts) = self.by_lane.get_mut(&lane) {
                hosts.retain(|other| *other != host);
                if hosts.is_empty() {
                    self.by_lane.remove(&lane);
                }
            }
        }
    }
}

/// Serves runners, one claim at a time.
pub(crate) async fn serve(hub: Hub, stop: CancellationToken) {
    loop {
        let Some((host, epoch, room)) = hub.queue.board.next() else {
            tokio::select! {
                () = hub.queue.board.turn.notified() => continue,
                () = stop.cancelled() => return,
            }
        };
        if stop.is_cancelled() {
            return;
        }
        let claimed = claim::claim(&hub, Claimant::Host(host), epoch, room).await;
        let claimed = claimed.unwrap_or_else(|error| {
            tracing::warn!(host.id = %host, error = %error, "a claim failed; the poll tries again");
            Claimed::default()
        });
        deal(&hub, host, epoch, room, claimed);
    }
}

/// Sends a runner the grants of a claim. If the runner has disconnected, its next inventory returns the leases.
pub(super) fn deal(hub: &Hub, host: HostId, epoch: i64, asked: u32, mut claimed: Claimed) {
    let Some((way, again)) = hub.queue.board.served(host, epoch, asked, &mut claimed) else { return };
    if again {
        hub.queue.board.turn.notify_one();
    }
    if claimed.grants.is_empty() {
        return;
    }
    let versions: Vec<_> = claimed.definitions.iter().map(|one| (one.definition.id, one.definition.version)).collect();
    let unknown = hub.queue.board.unknown(host, epoch, &versions);
    let news = claimed.definitions.iter().filter(|one| unknown.contains(&(one.definition.id, one.definition.version)));
    let mut frame = Grants { grants: Vec::new(), definitions: news.map(|one| one.definition.clone()).collect() };
    let mut bytes = 0;
    let hurry = |frame: Grants| {
        // A grant that cannot be said would stay a lease for ever: the session ends, and the next inventory frees it.
        if !way.frames.try_send(ToRunner::Grants(frame)) {
            tracing::warn!(host.id = %host, "a runner does not accept its grants; closing its session");
            way.broken.cancel();
        }
    };
    for grant in claimed.grants {
        let size = grant::size(&grant);
        if bytes > 0 && bytes + size > FRAME_BYTES_GOAL {
            hurry(std::mem::replace(&mut frame, Grants { grants: Vec::new(), definitions: Vec::new() }));
            bytes = 0;
        }
        bytes += size;
        frame.grants.push(grant);
    }
    hurry(frame);
    if let Some(ends) = hub.queue.board.reads_on(host, epoch) {
        hub.tasks.spawn(foresight::read_on(hub.clone(), host, epoch, ends));
    }
}
