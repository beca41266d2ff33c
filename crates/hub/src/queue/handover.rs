//! Jobs that begin at once: made and leased in one transaction, for a runner that waits for work while nothing waits for
//! it. One commit less between a request and its start, under the same limits as any claim.

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
};

use domain::{HostId, JobId, LaneId, Span, Timestamp};
use store::{Tx, insert::NewJob};

use super::{
    board::deal,
    bold::boldly,
    claim::{Claimant, Claimed, take_new},
    enqueue::{Draft, Made, NewWork, Wish, Written},
    grant::Begun,
    secrets,
};
use crate::{Error, Hub, Result, http::deferred_auth::DeferredAuth};

/// For so long jobs are handed over with locks after it did not work without.
const TIMID_FOR: Span = Span::from_secs(1);

/// A runner whose turn it is. If nothing is dealt to it, it waits again.
pub(super) struct Seat {
    hub: Hub,
    host: HostId,
    epoch: i64,
    room: u32,
    claimed: Claimed,
}

impl Seat {
    /// A runner whose turn has begun.
    pub(super) fn new(hub: &Hub, host: HostId, epoch: i64, room: u32) -> Self {
        Self { hub: hub.clone(), host, epoch, room, claimed: Claimed::default() }
    }

    /// A runner here that could begin with one of these jobs at once.
    fn seize(hub: &Hub, jobs: &[NewJob], now: Timestamp) -> Option<Self> {
        let mut due = jobs.iter().filter(|job| job.scheduled_for <= now);
        let (host, epoch, room) = due.find_map(|job| hub.queue.board.seize(job.lane_id))?;
        Some(Self::new(hub, host, epoch, room))
    }

    /// Hands out what was claimed, once that is committed.
    pub(super) fn deal(mut self, mut claimed: Claimed) {
        claimed.tell(&self.hub);
        self.claimed = claimed;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        deal(&self.hub, self.host, self.epoch, self.room, std::mem::take(&mut self.claimed));
    }
}

/// Requests were not written, or nobody knows.
pub(super) struct Failed {
    pub(super) error: Error,
    /// It is certain that nothing was written.
    pub(super) is_undone: bool,
    /// Something was remembered of the runner that is not so.
    was_recalled: bool,
}

/// How far a transaction came, for those who do not hear how it ended.
#[derive(Clone, Default)]
struct Reached(Arc<Mutex<Far>>);

impl Reached {
    fn get(&self) -> Far {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, far: Far) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = far;
    }
}

#[derive(Clone, Copy, Default)]
struct Far {
    /// Everything was said but the commit.
    is_decided: bool,
    /// The session that leases were written for.
    begun: Option<(HostId, i64)>,
}

/// Whether it is worth to hand jobs over without locks: not where limits or others are mostly in the way.
#[derive(Default)]
pub(crate) struct Boldness(AtomicI64);

impl Boldness {
    pub(crate) fn is_optimistic(&self, now: Timestamp) -> bool {
        self.0.load(Ordering::Relaxed) <= now.as_micros()
    }

    fn rest(&self, now: Timestamp) {
        self.0.store((now + TIMID_FOR).as_micros(), Ordering::Relaxed);
    }
}

/// Writes requests; if a runner waits for work, it begins with their jobs.
pub(super) async fn write(hub: &Hub, wishes: Vec<Arc<Wish>>) -> std::result::Result<Vec<Result<Vec<Made>>>, Failed> {
    if is_plain(&wishes) && hub.queue.boldness.is_optimistic(hub.now()) {
        let mut done = attempt(hub, wishes.clone(), Way::Bold).await;
        if done.as_ref().is_err_and(|failed| failed.was_recalled) {
            // What was remembered of the runner was wrong, and is forgotten: now it is looked at.
            done = attempt(hub, wishes.clone(), Way::Bold).await;
        }
        match done {
            Err(failed) if failed.error.is_stale_view() => {}
            done => return done,
        }
        let done = attempt(hub, wishes.clone(), Way::Locked).await;
        // A token that is not what was remembered says nothing about runners and limits.
        if wishes.iter().filter_map(|wish| wish.deferred_auth.as_ref()).all(DeferredAuth::is_confirmed) {
            hub.queue.boldness.rest(hub.now());
        }
        return done;
    }
    attempt(hub, wishes, Way::Locked).await
}

/// Whether nothing but the runner must be looked at.
pub(super) fn is_plain(wishes: &[Arc<Wish>]) -> bool {
    let mut work = wishes.iter().flat_map(|wish| &wish.work);
    wishes.iter().all(|wish| wish.idempotency.is_none()) && work.all(NewWork::is_plain)
}

/// How jobs are handed over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// What is seen of the runner is locked.
    Locked,
    /// It is made sure of when all is written.
    Bold,
}

async fn attempt(hub: &Hub, wishes: Vec<Arc<Wish>>, way: Way) -> std::result::Result<Vec<Result<Vec<Made>>>, Failed> {
    let (hub_in, reached) = (hub.clone(), Reached::default());
    let reaches = reached.clone();
    let written = match way {
        Way::Locked => {
            let work = hub.store.write(move |tx| Box::pin(async move { hand(&hub_in, tx, wishes, &reaches).await }));
            work.await
        }
        Way::Bold => boldly(hub, move |tx| Box::pin(async move { hand(&hub_in, tx, wishes, &reaches).await })).await,
    };
    match written {
        Ok((written, seat, claimed)) => {
            if let Some(seat) = seat {
                seat.deal(claimed);
            }
            Ok(written.tell(hub))
        }
        Err(error) => {
            let Far { is_decided, begun } = reached.get();
            if let Some((host, epoch)) = begun.filter(|_| error.is_unsure()) {
                // Nobody knows whether there are leases now: the runner's next inventory settles it.
                hub.queue.board.end_session(host, epoch);
            }
            let stale_view = begun.filter(|_| error.is_stale_view());
            let was_recalled =
                stale_view.is_some_and(|(host, epoch)| hub.queue.board.forget(host, epoch, hub.now() + TIMID_FOR));
            Err(Failed { error, is_undone: !is_decided, was_recalled })
        }
    }
}

/// Does it in a transaction; what is to be told then.
async fn hand(
    hub: &Hub,
    tx: &mut Tx<'_>,
    wishes: Vec<Arc<Wish>>,
    reaches: &Reached,
) -> Result<(Written, Option<Seat>, Claimed)> {
    let now = hub.now();
    let mut draft = Draft::of(hub, tx, wishes, now).await?;
    // Making a lane locks the org, which others lock after the holder: then it waits like others.
    let seat = if draft.written.has_new_lanes() { None } else { Seat::seize(hub, &draft.jobs, now) };
    if seat.is_none() {
        let due = draft.jobs.iter().filter(|job| job.scheduled_for <= now);
        let lanes: HashSet<LaneId> = due.map(|job| job.lane_id).collect();
        draft.written.expected = lanes.into_iter().filter_map(|lane| hub.queue.board.expect(lane)).collect();
    }
    let (written, claimed) = write_and_begin(hub, tx, draft, seat.as_ref(), now).await?;
    let begun = seat.as_ref().filter(|_| !claimed.grants.is_empty()).map(|seat| (seat.host, seat.epoch));
    reaches.set(Far { is_decided: true, begun });
    Ok((written, seat, claimed))
}

async fn write_and_begin(
    hub: &Hub,
    tx: &mut Tx<'_>,
    mut draft: Draft,
    seat: Option<&Seat>,
    now: Timestamp,
) -> Result<(Written, Claimed)> {
    let Some(seat) = seat else {
        return Ok((draft.write(hub, tx, &HashSet::new(), now).await?, Claimed::default()));
    };
    let who = Claimant::Host(seat.host);
    let due: Vec<_> = draft.jobs.iter().filter(|job| job.scheduled_for <= now).collect();
    let begun = take_new(hub, tx, &who, seat.epoch, seat.room, &due, &mut draft.changes).await?;
    let Begun { mut claimed, refused, .. } = begun.unwrap_or_default();
    let refusals = refused.iter().map(|(lease, _)| lease.head.job_id);
    let begun: HashSet<JobId> = claimed.grants.iter().map(|grant| grant.job).chain(refusals).collect();
    let written = draft.write(hub, tx, &begun, now).await?;
    claimed.refused = secrets::refuse(hub, tx, &who, seat.epoch, refused).await?;
    Ok((written, claimed))
}

#[cfg(test)]
mod tests {
    use domain::{Span, job::JobStatus};
    use proto::api::job::JobRequest;
    use serde_json::json;

    use super::*;
    use crate::{
        app::jobs::Maker,
        queue::test_support::{TestQueue, local},
    };

    /// Hands jobs over to the fixture's host; returns where each stands then.
    async fn hand_over(fixture: &TestQueue, count: usize) -> Vec<(JobId, JobStatus)> {
        let maker = Maker::new(local(), fixture.acme);
        let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
        let wish = fixture.hub.enqueue_request(&maker, &vec![request; count]).await.expect("is right");
        let now = fixture.hub.now();
        let hub = fixture.hub.clone();
        let seat = Seat::new(&hub, fixture.host, fixture.epoch, 100);
        let done = fixture.hub.store.write(move |tx| {
            Box::pin(async move {
                let draft = Draft::of(&hub, tx, vec![Arc::new(wish)], now).await?;
                write_and_begin(&hub, tx, draft, Some(&seat), now).await
            })
        });
        let made = done.await.expect("writes").0.tell(&fixture.hub);
        let mut jobs = Vec::new();
        for made in made.into_iter().flat_map(|made| made.expect("is made")) {
            let Made::New(id) = made else { panic!("nobody else asked for it") };
            let org = fixture.acme;
            let read = fixture
                .hub
                .store
                .read(move |tx| Box::pin(async move { tx.job_get(org, id).await.map_err(crate::Error::from) }));
            jobs.push((id, read.await.expect("reads").expect("is there").status));
        }
        jobs
    }

    testkit::db_test!(jobs_begin_with_their_request_as_far_as_there_is_room, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let jobs = hand_over(&fixture, 3).await;
        let status: Vec<JobStatus> = jobs.iter().map(|(_, status)| *status).collect();
        assert_eq!(status, [JobStatus::Running, JobStatus::Running, JobStatus::Queued]);
        assert!(fixture.claim().await.is_empty(), "both places are taken");
        assert_eq!(fixture.held(fixture.host).await.len(), 2);
    });

    testkit::db_test!(what_waits_for_the_host_comes_first, |db| async move {
        let fixture = TestQueue::new(db, 5).await;
        fixture.enqueue(fixture.beta, 1).await;
        let jobs = hand_over(&fixture, 1).await;
        assert_eq!(jobs[0].1, JobStatus::Queued);
        let grants = fixture.claim().await;
        assert_eq!(grants.len(), 2);
        for grant in &grants {
            fixture.end(grant, Span::from_secs(1)).await;
        }
        assert_eq!(hand_over(&fixture, 1).await[0].1, JobStatus::Running, "nothing waits any more");
    });

    testkit::db_test!(what_is_paused_does_not_begin, |db| async move {
        let fixture = TestQueue::new(db, 5).await;
        let pause = serde_json::from_value(json!({"kind": "definition", "subject": "hello"})).expect("a request");
        fixture.hub.pause_set(&local(), fixture.acme, pause).await.expect("pauses");
        assert_eq!(hand_over(&fixture, 1).await[0].1, JobStatus::Queued);
        assert!(fixture.claim().await.is_empty());
    });

    /// The fixture's host waits for work at this hub; what it hears.
    async fn waits(fixture: &TestQueue) -> (super::super::board::Seated, Wish) {
        // The first of a kind warms what is kept in memory.
        fixture.enqueue(fixture.acme, 1).await;
        for grant in fixture.claim().await {
            fixture.end(&grant, Span::from_secs(1)).await;
        }
        let maker = Maker::new(local(), fixture.acme);
        let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
        let wish = fixture.hub.enqueue_request(&maker, &[request]).await.expect("is right");
        let lane = fixture.hub.queue.lanes.get(&wish.work[0].lane, fixture.hub.now()).expect("is known");
        let seated = fixture.hub.queue.board.join(fixture.host, fixture.epoch, &[lane]);
        // Whoever serves turns in this hub must not be faster.
        let _ = fixture.hub.queue.board.begin_turn(fixture.host, fixture.epoch, 100, fixture.hub.now());
        drop(Seat::new(&fixture.hub, fixture.host, fixture.epoch, 100));
        (seated, wish)
    }

    testkit::db_test!(jobs_are_handed_over_without_locks_where_there_are_no_limits, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let alone = proto::api::host::HostShareRequest { org: "beta".to_owned() };
        fixture.hub.host_unshare(&local(), fixture.acme, "web-1", alone).await.expect("unshares");
        let (mut seated, wish) = waits(&fixture).await;
        let made = attempt(&fixture.hub, vec![Arc::new(wish)], Way::Bold)
            .await
            .unwrap_or_else(|failed| panic!("{}", failed.error));
        let Ok([Made::New(job)]) = made[0].as_deref() else { panic!("one is made") };
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        assert_eq!(frame.grants.iter().map(|grant| grant.job).collect::<Vec<_>>(), [*job]);
        assert_eq!(fixture.held(fixture.host).await.len(), 1);
        assert_eq!(fixture.running(fixture.host).await, 1, "it counts");
    });

    testkit::db_test!(a_runner_is_not_even_looked_at_if_it_is_remembered, |db| async move {
        let fixture = TestQueue::new(db, 3).await;
        let alone = proto::api::host::HostShareRequest { org: "beta".to_owned() };
        fixture.hub.host_unshare(&local(), fixture.acme, "web-1", alone).await.expect("unshares");
        let (mut seated, wish) = waits(&fixture).await;
        let maker = Maker::new(local(), fixture.acme);
        let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
        let another = async || {
            Arc::new(fixture.hub.enqueue_request(&maker, std::slice::from_ref(&request)).await.expect("is right"))
        };
        let granted = async |seated: &mut crate::queue::board::Seated| {
            let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
            frame.grants.len()
        };
        let bold =
            async |wish| attempt(&fixture.hub, vec![wish], Way::Bold).await.map_err(|failed| failed.was_recalled);
        assert!(bold(Arc::new(wish)).await.is_ok());
        assert_eq!(granted(&mut seated).await, 1);
        let is_postgres = fixture.hub.store.kind() == store::Kind::Postgres;
        let lanes: Vec<_> = fixture.held(fixture.host).await.iter().map(|lease| lease.lane_id).collect();
        let is_known =
            || fixture.hub.queue.board.recall(fixture.host, fixture.epoch, &lanes, fixture.hub.now()).is_some();
        assert!(is_known(), "what has begun there is known");
        let other = [domain::LaneId::from_bytes([7; 16])];
        let of_other = fixture.hub.queue.board.recall(fixture.host, fixture.epoch, &other, fixture.hub.now());
        assert_eq!(of_other, None, "of other lanes nothing is");
        assert!(bold(another().await).await.is_ok(), "what is remembered is right");
        assert_eq!((granted(&mut seated).await, fixture.running(fixture.host).await), (1, 2));
        // Somebody pauses what it runs: that is seen, although nobody looked.
        let pause = serde_json::from_value(json!({"kind": "definition", "subject": "hello"})).expect("a request");
        fixture.hub.pause_set(&local(), fixture.acme, pause).await.expect("pauses");
        if is_postgres {
            assert_eq!(bold(another().await).await.err(), Some(true), "it was not as remembered");
            assert!(!is_known(), "and is forgotten");
        }
        assert!(write(&fixture.hub, vec![another().await]).await.is_ok(), "it is made all the same");
        assert_eq!(fixture.running(fixture.host).await, 2, "and does not begin");
    });

    testkit::db_test!(what_is_remembered_never_passes_over_who_waits_nor_over_a_full_host, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let alone = proto::api::host::HostShareRequest { org: "beta".to_owned() };
        fixture.hub.host_unshare(&local(), fixture.acme, "web-1", alone).await.expect("unshares");
        let (mut seated, wish) = waits(&fixture).await;
        let wish = Arc::new(wish);
        assert!(attempt(&fixture.hub, vec![wish.clone()], Way::Bold).await.is_ok());
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        let maker = Maker::new(local(), fixture.acme);
        let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
        let another = async || {
            Arc::new(fixture.hub.enqueue_request(&maker, std::slice::from_ref(&request)).await.expect("is right"))
        };
        let made = write(&fixture.hub, vec![another().await]).await.unwrap_or_else(|failed| panic!("{}", failed.error));
        assert_eq!((made.len(), fixture.running(fixture.host).await), (1, 1), "it is full");
        fixture.end(&frame.grants[0], Span::from_secs(1)).await;
        let made = write(&fixture.hub, vec![another().await]).await.unwrap_or_else(|failed| panic!("{}", failed.error));
        assert_eq!(made.len(), 1);
        let Ok([Made::New(last)]) = made[0].as_deref() else { panic!("one is made") };
        let grants = fixture.claim().await;
        assert!(grants.iter().all(|grant| grant.job != *last), "who waited comes first");
    });

    testkit::db_test!(what_needs_locks_is_handed_over_with_them, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let limit = proto::api::org::OrgPatch { max_running: Some(Some(2)), ..Default::default() };
        fixture.hub.org_update(&local(), fixture.acme, limit).await.expect("limits");
        let (mut seated, wish) = waits(&fixture).await;
        let wishes = vec![Arc::new(wish)];
        if fixture.hub.store.kind() == store::Kind::Postgres {
            let bold = attempt(&fixture.hub, wishes.clone(), Way::Bold).await;
            assert!(bold.is_err_and(|failed| failed.error.is_stale_view()), "limits are locked");
        }
        let made = write(&fixture.hub, wishes).await.unwrap_or_else(|failed| panic!("{}", failed.error));
        assert!(matches!(made[0].as_deref(), Ok([Made::New(_)])));
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        assert_eq!(frame.grants.len(), 1);
    });
}
