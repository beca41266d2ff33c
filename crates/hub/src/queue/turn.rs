//! A host's turn: what has ended there is written, and what it begins with instead is claimed, in one transaction.
//!
//! Short runs end one by one. With a commit for the end and another for the claim, the host's holder would be locked twice
//! as long, and whoever waits for a place there would wait for both.

use std::sync::Arc;

use domain::{HostId, Span};
use store::{Tx, insert::Lease};

use super::{
    bold::{boldly, can_be_bold, stale_view},
    claim::{self, Begins, Claimant, Claimed},
    finish::{self, Done, Ends, Report, Written},
    foresight::Foresight,
    grant::Begun,
    handover::Seat,
    takeover::{Taker, take_over},
};
use crate::{Error, Hub, Result};

/// More ends than these are written alone: others are served meanwhile. Not where there is one writer: they wait for it anyway.
const ENDS_MAX: usize = 32;
/// For so long after a failure a host's ends are written alone: what a claim waits for is nothing to them.
const ALONE_FOR: Span = Span::from_secs(10);

/// For so long after something was foreseen for it that was not so a host is looked at for each turn.
const BLIND_FOR: Span = Span::from_secs(1);
/// For so long after it was stale_view a host's turns are taken with locks.
const TIMID_FOR: Span = Span::from_secs(2);
/// Jobs that are looked at without a lock, although most of them are not taken.
pub(super) const HEADS_MAX: usize = 256;

/// What has ended, and what was claimed, if anything could be.
type Turned = (Done, Option<Claimed>);

/// What a host takes from now on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ask {
    pub(crate) host: HostId,
    pub(crate) epoch: i64,
    /// Grants in all, in this session.
    pub(crate) limit: u64,
}

/// Writes a host's reports and, if no limit was given back with them, claims for it. `None` if it is not its turn, or if it
/// did not work: then nothing is known, and the reports are to be written alone.
pub(super) async fn take(hub: &Hub, reports: &Arc<Vec<Report>>, ask: Ask) -> Option<Written> {
    let Ask { host, epoch, limit } = ask;
    if reports.len() > ENDS_MAX && hub.store.kind() == store::Kind::Postgres {
        return None;
    }
    let room = hub.queue.board.begin_turn(host, epoch, limit, hub.now())?;
    let seat = Seat::new(hub, host, epoch, room);
    let begun = Begins::default();
    if let Some(coming) = hub.queue.board.awaited(host, epoch) {
        coming.arrived().await;
    }
    let mut written = Err(stale_view());
    if let Some(foreseen) = hub.queue.board.foresee(host, epoch, room, hub.now()) {
        written = take_boldly(hub, reports, (ask, room), Some(foreseen), &begun).await;
    }
    if written.as_ref().is_err_and(Error::is_stale_view) {
        written = take_boldly(hub, reports, (ask, room), None, &begun).await;
    }
    let is_alone = hub.store.kind() == store::Kind::Sqlite;
    let known = if is_alone { finish::remembered(hub, reports.iter()) } else { None };
    if known.is_some() {
        written = take_locked(hub, reports, (ask, room), known, &begun).await;
    }
    if written.as_ref().is_err_and(Error::is_stale_view) {
        written = take_locked(hub, reports, (ask, room), None, &begun).await;
    }
    match written {
        Ok((done, claimed)) => {
            hub.queue.board.ended(reports.iter());
            done.wake(hub);
            let is_claimed = claimed.is_some();
            if let Some(claimed) = claimed {
                seat.deal(claimed);
            }
            Some(Written { applied: done.applied, is_claimed })
        }
        Err(error) => {
            tracing::debug!(host.id = %host, error = %error, "cannot write results and a claim in one transaction");
            begun.failed(hub, Some(host), epoch, &error);
            hub.queue.board.no_turn_before(host, epoch, hub.now() + ALONE_FOR);
            None
        }
    }
}

/// With locks on what it relies on. Claims nothing if a limit was given back. Where there is one writer, it may rely on what is
/// remembered of the leases that end; if they are not so, nothing is written.
async fn take_locked(
    hub: &Hub,
    reports: &Arc<Vec<Report>>,
    (ask, room): (Ask, u32),
    known: Option<Vec<Lease>>,
    begun: &Begins,
) -> Result<Turned> {
    let (hub_in, reports, begins) = (hub.clone(), reports.clone(), begun.clone());
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let done = match known {
                Some(leases) => finish::apply_remembered(&hub_in, tx, leases, reports.iter()).await?,
                None => finish::apply(&hub_in, tx, &reports).await?,
            };
            // A claim locks limits in their order; those that were just given back are locked already.
            if done.has_room {
                return Ok::<_, Error>((done, None));
            }
            let claimed = claim::take(&hub_in, tx, &Claimant::Host(ask.host), ask.epoch, room).await?;
            begins.note(&claimed);
            Ok((done, Some(claimed)))
        })
    });
    written.await
}

/// In one look and one write, where all of the leases are remembered and nothing else must be asked, or without even a look.
/// Otherwise, or if something was not as it seemed, nothing is written.
async fn take_boldly(
    hub: &Hub,
    reports: &Arc<Vec<Report>>,
    (ask, room): (Ask, u32),
    foreseen: Option<Foresight>,
    begun: &Begins,
) -> Result<Turned> {
    if !can_be_bold(hub) {
        return Err(stale_view());
    }
    let (leases, lanes) = hub.queue.board.held(ask, reports, hub.now()).ok_or_else(stale_view)?;
    let fence = leases.first().map(|lease| lease.fence).ok_or_else(stale_view)?;
    let heads = lanes.len().saturating_mul(room as usize);
    if leases.iter().any(|lease| lease.fence != fence) || heads > HEADS_MAX {
        return Err(stale_view());
    }
    let is_foreseen = foreseen.is_some();
    hub.queue.definitions.refresh(hub, leases.iter().map(|lease| lease.definition_id)).await?;
    let (hub_in, reports, begins) = (hub.clone(), reports.clone(), begun.clone());
    let written = boldly(hub, move |tx| {
        Box::pin(async move {
            let ends: Vec<(Lease, &Report)> = leases.into_iter().zip(reports.iter()).collect();
            let taker = Taker { host: ask.host, epoch: ask.epoch, room, lanes: &lanes };
            let turned = end_and_begin(&hub_in, tx, taker, foreseen, &ends).await;
            if let Ok((_, Some(claimed))) = &turned {
                begins.note(claimed);
            }
            turned
        })
    });
    let turned = written.await;
    if turned.as_ref().is_err_and(Error::is_stale_view) {
        let (was_said, now) = (begun.clear(), hub.now());
        match is_foreseen {
            // Otherwise what was foreseen may well have been right.
            true if was_said => hub.queue.board.look_until(ask.host, ask.epoch, now + BLIND_FOR),
            true => {}
            false => hub.queue.board.timid_until(ask.host, ask.epoch, now + TIMID_FOR),
        }
    }
    turned
}

async fn end_and_begin(
    hub: &Hub,
    tx: &mut Tx<'_>,
    taker: Taker<'_>,
    foreseen: Option<Foresight>,
    ends: &[(Lease, &Report)],
) -> Result<Turned> {
    let now = hub.now();
    let mut written = Ends::of(hub, tx, ends, now).await?;
    let mut done = Done { applied: vec![true; ends.len()], ..Done::default() };
    written.tell(&mut done);
    let given = written.given().filter(|_| !done.has_room).ok_or(store::Error::StaleView)?;
    let (mut changes, taken) = (std::mem::take(&mut written.changes), std::mem::take(&mut written.taken));
    let begun = take_over(hub, tx, taker, (given.clone(), &taken), foreseen, &mut changes).await?;
    tx.turn_end(&ends.iter().map(|(lease, _)| lease).collect::<Vec<_>>())?;
    written.write_runs(tx).await?;
    let begun = match begun {
        Some(begun) => begun,
        None => {
            tx.holder_release(&[given], &taken.list()).await?;
            Begun::default()
        }
    };
    changes.write(hub, tx, now).await?;
    // What cannot begin is ended in a transaction that asks.
    if !begun.refused.is_empty() {
        return Err(store::Error::StaleView.into());
    }
    Ok((done, Some(begun.claimed)))
}

#[cfg(test)]
mod tests {
    use domain::{JobId, LaneId, job::RunStatus};
    use proto::work::{Grant, RunResult};
    use store::{claim::OpenLane, insert::RunKey};

    use super::*;
    use crate::queue::test_support::{TestQueue, local};

    fn report(fixture: &TestQueue, grant: &Grant, fence: i32) -> Report {
        Report {
            key: RunKey { job_id: grant.job, fence, holder_id: fixture.host.into(), epoch: fixture.epoch },
            result: RunResult::new(grant.job, fence, RunStatus::Succeeded),
            clock_offset_ms: 0,
            host: Some(fixture.host),
            is_forced: false,
        }
    }

    /// The fixture's host sits at this hub, with nothing but what was granted to it.
    fn sits(fixture: &TestQueue, granted: u64) -> super::super::board::Seated {
        let seated = fixture.hub.queue.board.join(fixture.host, fixture.epoch, &[]);
        fixture.hub.queue.board.grant_for_test(fixture.host, granted);
        seated
    }

    testkit::db_test!(ends_make_room_for_what_begins_with_them, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 5).await;
        let grants = fixture.claim().await;
        assert_eq!(grants.len(), 2, "there are two places");
        let mut seated = sits(&fixture, 2);
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 4 };
        let ends =
            vec![report(&fixture, &grants[0], 7), report(&fixture, &grants[0], 1), report(&fixture, &grants[1], 1)];
        let written = take(&fixture.hub, &Arc::new(ends), ask).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![false, true, true], true), "a stale one harms nobody");
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        let begun: Vec<i32> = frame.grants.iter().map(|grant| grant.fence).collect();
        assert_eq!(begun, [1, 1], "as many as there are places again");
        assert!(frame.grants.iter().all(|grant| grants.iter().all(|before| before.job != grant.job)));
        let more = claim::claim(&fixture.hub, Claimant::Host(fixture.host), fixture.epoch, 10).await.expect("claims");
        assert!(more.grants.is_empty(), "both places are taken");
    });

    /// Some jobs begin as if they were granted to a runner that sits here: what it has then.
    async fn begins(fixture: &TestQueue, count: u32) -> (super::super::board::Seated, Vec<Grant>) {
        let mut seated = sits(fixture, 0);
        let _ = fixture.hub.queue.board.begin_turn(fixture.host, fixture.epoch, u64::from(count), fixture.hub.now());
        let claimed =
            claim::claim(&fixture.hub, Claimant::Host(fixture.host), fixture.epoch, count).await.expect("claims");
        Seat::new(&fixture.hub, fixture.host, fixture.epoch, count).deal(claimed);
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        (seated, frame.grants)
    }

    testkit::db_test!(a_turn_in_one_look_and_one_write_is_like_any_other, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 6).await;
        fixture.enqueue(fixture.beta, 2).await;
        let (mut seated, grants) = begins(&fixture, 2).await;
        fixture.clock.advance(domain::Span::from_secs(3));
        let before = fixture.used().await;
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 3 };
        let reports = Arc::new(vec![report(&fixture, &grants[0], 1)]);
        let turned = take_boldly(&fixture.hub, &reports, (ask, 1), None, &Begins::default()).await;
        if fixture.hub.store.kind() != store::Kind::Postgres {
            assert!(turned.is_err_and(|error| error.is_stale_view()), "SQLite has one writer, and no round trips");
            return;
        }
        let (done, claimed) = turned.unwrap_or_else(|error| panic!("{error:?}"));
        let claimed = claimed.expect("a turn");
        assert_eq!((done.applied, claimed.grants.len()), (vec![true], 1));
        assert_eq!(fixture.running(fixture.host).await, 2, "one ended, one began");
        let (org, job) = (grants[0].org, grants[0].job);
        let view =
            fixture.hub.store.read(move |tx| Box::pin(async move { tx.job_get(org, job).await.map_err(Error::from) }));
        assert_eq!(view.await.expect("reads").expect("is there").status, domain::job::JobStatus::Succeeded);
        let after = fixture.used().await;
        let taken = after[&org].used_ms - before[&org].used_ms;
        let begun = if claimed.grants[0].org == org { after[&org].cost_ms } else { 0.0 };
        assert!((taken - begun - 2_000.0).abs() < 1.0, "three seconds instead of the one it was charged: {taken}");
        assert!((after[&org].cost_ms - 3_000.0).abs() < 1.0, "and so is the next expected to take");
        let held: Vec<_> = fixture.held(fixture.host).await.into_iter().map(|lease| lease.job_id).collect();
        assert!(held.contains(&claimed.grants[0].job) && held.contains(&grants[1].job) && held.len() == 2);
        // Again, as the runner hears of it; nothing of it is a repetition.
        let again = take_boldly(&fixture.hub, &reports, (ask, 1), None, &Begins::default()).await;
        assert!(again.is_err_and(|error| error.is_stale_view()), "that run is over");
        assert_eq!(fixture.running(fixture.host).await, 2, "nothing was written");
        assert!(seated.frames.try_recv().is_err());
    });

    testkit::db_test!(only_a_lane_that_holds_more_has_a_floor_after_a_turn, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 9).await;
        let (seated, grants) = begins(&fixture, 2).await;
        fixture.enqueue(fixture.beta, 1).await;
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 4 };
        let ends = Arc::new(grants.iter().map(|grant| report(&fixture, grant, 1)).collect::<Vec<_>>());
        take(&fixture.hub, &ends, ask).await.expect("is its turn");
        let mut held = fixture.held(fixture.host).await;
        held.sort_by_key(|lease| lease.org_id == fixture.beta);
        assert_eq!(
            held.iter().map(|lease| lease.org_id).collect::<Vec<_>>(),
            [fixture.acme, fixture.beta],
            "one of each"
        );
        let floors = held.iter().map(|lease| fixture.hub.queue.floors.of(lease.lane_id, fixture.hub.now()).is_some());
        assert_eq!(floors.collect::<Vec<_>>(), [true, false], "there is nothing left in one of them");
        drop(seated);
    });

    testkit::db_test!(who_comes_to_an_empty_lane_during_a_turn_is_looked_for, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 3).await;
        let (seated, grants) = begins(&fixture, 1).await;
        let (board, now) = (&fixture.hub.queue.board, fixture.hub.now());
        let lane = fixture.held(fixture.host).await[0].lane_id;
        let other = LaneId::from_bytes([7; 16]);
        let known = OpenLane {
            lane_id: lane,
            org_id: grants[0].org,
            definition_id: grants[0].definition,
            limit_key: String::new(),
        };
        let has_come = || board.has_come_beside(fixture.host, fixture.epoch, std::slice::from_ref(&known));
        board.serve_lane(lane, &[fixture.host]);
        board.serve_lane(other, &[fixture.host]);
        assert_eq!(board.begin_turn(fixture.host, fixture.epoch, 2, now), Some(1));
        assert!(!has_come(), "nothing has");
        board.wake_lane(lane, 1);
        assert!(!has_come(), "there was something in it already");
        board.wake_lane(other, 1);
        assert!(has_come());
        drop(Seat::new(&fixture.hub, fixture.host, fixture.epoch, 1));
        drop(seated);
    });

    /// A host with two places that has taken a turn, in the lanes of both orgs; what it runs, and its lanes.
    async fn turned(fixture: &TestQueue) -> (super::super::board::Seated, Vec<Grant>, Vec<LaneId>) {
        fixture.enqueue(fixture.acme, 80).await;
        fixture.enqueue(fixture.beta, 1).await;
        let (mut seated, grants) = begins(fixture, 2).await;
        let lanes: Vec<LaneId> = fixture.held(fixture.host).await.iter().map(|lease| lease.lane_id).collect();
        assert_ne!(lanes[0], lanes[1], "one of each org");
        for lane in &lanes {
            fixture.hub.queue.board.serve_lane(*lane, &[fixture.host]);
        }
        let (running, _) = next_turn(fixture, &mut seated, grants, 3).await;
        (seated, running, lanes)
    }

    /// The first of these ends; what runs then, and which began instead.
    async fn next_turn(
        fixture: &TestQueue,
        seated: &mut super::super::board::Seated,
        mut running: Vec<Grant>,
        limit: u64,
    ) -> (Vec<Grant>, Vec<Grant>) {
        let over = running.remove(0);
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit };
        let written = take(&fixture.hub, &Arc::new(vec![report(fixture, &over, 1)]), ask).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![true], true));
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        running.extend(frame.grants.clone());
        (running, frame.grants)
    }

    testkit::db_test!(a_turn_without_a_look_leaves_all_as_one_with_a_look_would, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let (mut seated, mut running, _) = turned(&fixture).await;
        let is_postgres = fixture.hub.store.kind() == store::Kind::Postgres;
        let (mut foreseen, mut of_other, mut limit) = (0, 0, 4);
        for turn in 0..40 {
            fixture.clock.advance(Span::from_millis(5));
            if turn % 10 == 3 {
                fixture.enqueue(fixture.beta, 1).await;
            }
            foreseen += u32::from(fixture.hub.queue.board.foresees(fixture.host));
            let begun;
            (running, begun) = next_turn(&fixture, &mut seated, running, limit).await;
            limit += 1;
            of_other += begun.iter().filter(|grant| grant.org == fixture.beta).count();
        }
        assert_eq!(of_other, 4, "who comes to an empty lane does not wait for the others' eighty");
        assert_eq!(foreseen > 30, is_postgres, "{foreseen} of 40 were foreseen");
        assert_eq!(fixture.running(fixture.host).await, 2);
        let Some(left) = fixture.hub.queue.board.foresight_for_test(fixture.host) else {
            assert!(!is_postgres, "something is left to foresee");
            return;
        };
        let (host, epoch, now) = (fixture.host, fixture.epoch, fixture.hub.now());
        let look = fixture.hub.store.query(move |tx| {
            let times = (now, now - Span::from_secs(1_000_000));
            Box::pin(async move { tx.turn_look(host, epoch, times, 99, &[]).await.map_err(Error::from) })
        });
        let look = look.await.expect("reads").expect("its session is in force");
        assert_eq!((&left.holder, left.version.get()), (&look.open.holder, look.version.get()));
        assert_eq!(left.shares, look.shares.iter().copied().collect());
        let rooms: Vec<_> = left.lanes().map(|lane| store::claim::LaneRoom::new(lane, 99)).collect();
        let heads: Vec<JobId> = left.heads(&rooms).iter().map(|head| head.job_id).collect();
        let seen: Vec<JobId> = look.heads.iter().map(|head| head.job_id).collect();
        assert!(!heads.is_empty() && seen.starts_with(&heads), "{heads:?} are not the first of {seen:?}");
    });

    testkit::db_test!(what_was_foreseen_and_is_not_so_is_looked_at, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let (mut seated, mut running, _) = turned(&fixture).await;
        let mut foreseen = fixture.hub.queue.board.foresight_for_test(fixture.host);
        let is_postgres = fixture.hub.store.kind() == store::Kind::Postgres;
        // The hub's own poll knows nothing of what has come, and makes it forget.
        let mut limit = 4;
        while is_postgres && foreseen.is_none() && limit < 20 {
            running = next_turn(&fixture, &mut seated, running, limit).await.0;
            foreseen = fixture.hub.queue.board.foresight_for_test(fixture.host);
            limit += 1;
        }
        assert_eq!(foreseen.is_some(), is_postgres);
        let pause = serde_json::from_value(serde_json::json!({"kind": "definition", "subject": "hello"}));
        fixture.hub.pause_set(&local(), fixture.acme, pause.expect("a request")).await.expect("pauses");
        let ends = Arc::new(vec![report(&fixture, &running[0], 1)]);
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit };
        if is_postgres {
            let bold = take_boldly(&fixture.hub, &ends, (ask, 1), foreseen, &Begins::default()).await;
            assert!(bold.is_err_and(|error| error.is_stale_view()), "there is a pause now");
            assert_eq!(fixture.running(fixture.host).await, 2, "nothing was written");
        }
        let written = take(&fixture.hub, &ends, ask).await.expect("is its turn");
        assert_eq!((written.applied, fixture.running(fixture.host).await), (vec![true], 1), "nothing paused has begun");
    });

    testkit::db_test!(nothing_is_foreseen_for_a_while_where_it_was_wrong, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let (mut seated, mut running, _) = turned(&fixture).await;
        fixture.hub.queue.board.look_until(fixture.host, fixture.epoch, fixture.hub.now() + BLIND_FOR);
        for limit in 4..7 {
            running = next_turn(&fixture, &mut seated, running, limit).await.0;
            assert!(!fixture.hub.queue.board.foresees(fixture.host), "not even what a look for this turn has left");
        }
    });

    testkit::db_test!(a_turn_with_locks_is_no_reason_for_another, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 6).await;
        let (seated, grants) = begins(&fixture, 2).await;
        let board = &fixture.hub.queue.board;
        board.timid_until(fixture.host, fixture.epoch, fixture.hub.now() + TIMID_FOR);
        fixture.clock.advance(Span::from_secs(1));
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 3 };
        let written =
            take(&fixture.hub, &Arc::new(vec![report(&fixture, &grants[0], 1)]), ask).await.expect("is its turn");
        assert_eq!(written.applied, [true]);
        let reports = [report(&fixture, &grants[1], 1)];
        assert!(board.held(ask, &reports, fixture.hub.now()).is_none(), "for a while");
        fixture.clock.advance(Span::from_secs(1));
        assert!(board.held(ask, &reports, fixture.hub.now()).is_some(), "and no longer");
        drop(seated);
    });

    testkit::db_test!(a_turn_waits_for_jobs_that_are_being_written_into_an_empty_lane, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let (_seated, _, lanes) = turned(&fixture).await;
        let board = &fixture.hub.queue.board;
        let expected: Vec<_> = lanes.iter().map(|lane| board.expect(*lane)).collect();
        let is_postgres = fixture.hub.store.kind() == store::Kind::Postgres;
        let empty = expected.iter().filter(|expected| expected.is_some()).count();
        assert_eq!(empty, usize::from(is_postgres), "only one of the lanes was left empty");
        assert_eq!(board.awaited(fixture.host, fixture.epoch).is_some(), is_postgres);
        assert!(board.awaited(fixture.host, fixture.epoch).is_none(), "not twice in a row");
        drop(expected);
        assert!(board.awaited(fixture.host, fixture.epoch).is_none(), "they have come");
        let (other, _) = fixture.another("web-2", 2).await;
        let _also = board.join(other, 1, &lanes);
        assert!(lanes.iter().all(|lane| board.expect(*lane).is_none()), "others take from these lanes, too");
    });

    testkit::db_test!(a_turn_that_is_outrun_is_taken_with_locks, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 6).await;
        let (mut seated, grants) = begins(&fixture, 2).await;
        let job = grants[0].job;
        let (fence, now) = (grants[0].fence, fixture.hub.now());
        let wanted_back = fixture.hub.store.write(move |tx| {
            Box::pin(async move { tx.lease_cancel(job, fence, "test", now).await.map_err(Error::from) })
        });
        assert!(wanted_back.await.expect("writes"));
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 4 };
        let ends = Arc::new(vec![report(&fixture, &grants[0], 1), report(&fixture, &grants[1], 1)]);
        let bold = take_boldly(&fixture.hub, &ends, (ask, 2), None, &Begins::default()).await;
        assert!(bold.is_err_and(|error| error.is_stale_view()), "somebody has written to a lease");
        assert_eq!(fixture.running(fixture.host).await, 2, "nothing was written");
        let written = take(&fixture.hub, &ends, ask).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![true, true], true));
        // The hub's own poll may say the cancel before it.
        let frame = loop {
            match seated.frames.recv().await.expect("grants") {
                proto::link::ToRunner::Grants(frame) => break frame,
                proto::link::ToRunner::Cancel { .. } => {}
                other => panic!("{other:?} instead of grants"),
            }
        };
        assert_eq!((frame.grants.len(), fixture.running(fixture.host).await), (2, 2));
    });

    testkit::db_test!(a_limit_that_is_made_meanwhile_gets_back_what_it_counted, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 2).await;
        let (seated, grants) = begins(&fixture, 2).await;
        let limit = proto::api::org::OrgPatch { max_running: Some(Some(2)), ..Default::default() };
        fixture.hub.org_update(&local(), fixture.acme, limit).await.expect("limits");
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 4 };
        let ends = Arc::new(vec![report(&fixture, &grants[0], 1), report(&fixture, &grants[1], 1)]);
        let written = take(&fixture.hub, &ends, ask).await.expect("is its turn");
        assert_eq!(written.applied, [true, true]);
        let key = store::quota::QuotaKey {
            org: Some(fixture.acme),
            kind: domain::quota::QuotaKind::Org,
            subject: String::new(),
            host: None,
        };
        let read =
            fixture.hub.store.read(move |tx| Box::pin(async move { tx.quota_get(&key).await.map_err(Error::from) }));
        assert_eq!(read.await.expect("reads").expect("is there").running, 0);
        drop(seated);
    });

    testkit::db_test!(a_lease_that_counts_otherwise_than_remembered_is_not_ended_by_memory, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 3).await;
        let (seated, grants) = begins(&fixture, 2).await;
        let wrong = fixture.held(fixture.host).await.into_iter().map(|lease| Lease { counted: None, ..lease });
        let wrong: Vec<Lease> = wrong.filter(|lease| lease.job_id == grants[0].job).collect();
        fixture.hub.queue.board.remember_for_test(fixture.host, wrong);
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 3 };
        let ends = Arc::new(vec![report(&fixture, &grants[0], 1)]);
        let bold = take_boldly(&fixture.hub, &ends, (ask, 1), None, &Begins::default()).await;
        assert!(bold.is_err_and(|error| error.is_stale_view()), "it was charged to its org's share of the host");
        assert_eq!(fixture.running(fixture.host).await, 2, "nothing was written");
        let before = fixture.used().await[&fixture.acme].used_ms;
        let written = take(&fixture.hub, &ends, ask).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![true], true));
        let used = fixture.used().await[&fixture.acme];
        assert!(used.used_ms < before - 900.0, "its share has back what it was charged: {used:?}");
        drop(seated);
    });

    testkit::db_test!(turns_of_a_host_with_remembered_leases_end_each_once, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (host, epoch) = fixture.another("web-2", 4).await;
        fixture.enqueue(fixture.acme, 9).await;
        let mut seated = fixture.hub.queue.board.join(host, epoch, &[]);
        let _ = fixture.hub.queue.board.begin_turn(host, epoch, 4, fixture.hub.now());
        let claimed = claim::claim(&fixture.hub, Claimant::Host(host), epoch, 4).await.expect("claims");
        Seat::new(&fixture.hub, host, epoch, 4).deal(claimed);
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        let end = |grant: &Grant| {
            let key = RunKey { job_id: grant.job, fence: 1, holder_id: host.into(), epoch };
            let result = RunResult::new(grant.job, 1, RunStatus::Succeeded);
            Report { key, result, clock_offset_ms: 0, host: Some(host), is_forced: false }
        };
        let [a, b, c, d] = &frame.grants[..] else { panic!("four") };
        let ask = |limit| Ask { host, epoch, limit };
        let written = take(&fixture.hub, &Arc::new(vec![end(a), end(b)]), ask(6)).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![true, true], true));
        // One of them is over, and one is held for somebody who is away: neither is as it is remembered.
        let (job, now) = (c.job, fixture.hub.now());
        let hold = fixture.hub.store.write(move |tx| {
            Box::pin(async move {
                let on_lost = domain::job::OnLost::Hold;
                let silent = store::lease::Silent {
                    job_id: job,
                    fence: 1,
                    holder_id: host.into(),
                    epoch,
                    on_lost,
                    heard_at: None,
                };
                Ok::<_, Error>(tx.lease_hold(&silent, now).await?)
            })
        });
        assert!(hold.await.expect("writes"));
        let written = take(&fixture.hub, &Arc::new(vec![end(a), end(c), end(d)]), ask(8)).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![false, true, true], true), "each once");
        assert_eq!((fixture.running(host).await, fixture.held(host).await.len()), (4, 4));
        let counts = fixture.hub.job_summary(fixture.acme).await.expect("counts");
        // What is held counts as queued, which nobody has noted here: by this it is known that it was looked at.
        assert_eq!((counts.queued, counts.running, counts.counts["succeeded"]), (0, 5, 4));
        drop(seated);
    });

    testkit::db_test!(who_holds_a_head_is_not_waited_for, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 3).await;
        let (seated, grants) = begins(&fixture, 2).await;
        let reports = Arc::new(vec![report(&fixture, &grants[0], 1)]);
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 3 };
        let of_other = |lease: &Lease| lease.job_id == grants[1].job;
        let lane = fixture.held(fixture.host).await.into_iter().find(of_other).expect("is held").lane_id;
        let (hub, reports) = (fixture.hub.clone(), reports.clone());
        let other = fixture.hub.store.write(move |tx| {
            Box::pin(async move {
                let locked = tx.ready_heads(&[store::claim::LaneRoom::new(lane, 1)]).await?;
                assert_eq!(locked.len(), 1);
                // On SQLite there is one writer, and this is it.
                if hub.store.kind() == store::Kind::Postgres {
                    let bold = take_boldly(&hub, &reports, (ask, 1), None, &Begins::default()).await;
                    assert!(bold.is_err_and(|error| error.is_stale_view()), "it is as good as gone");
                }
                Ok::<_, Error>(())
            })
        });
        other.await.expect("waits for nobody");
        assert_eq!(fixture.running(fixture.host).await, 2, "nothing was written");
        drop(seated);
    });

    testkit::db_test!(a_turn_with_nothing_to_begin_writes_its_ends, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 2).await;
        let (seated, grants) = begins(&fixture, 2).await;
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 4 };
        let ends = Arc::new(vec![report(&fixture, &grants[0], 1), report(&fixture, &grants[1], 1)]);
        let written = take(&fixture.hub, &ends, ask).await.expect("is its turn");
        assert_eq!(
            (written.applied, written.is_claimed, fixture.running(fixture.host).await),
            (vec![true, true], true, 0)
        );
        drop(seated);
    });

    /// A runner that ends each of its runs at once, a few at a time, until there is nothing more: the jobs it was given.
    async fn work(hub: Hub, (host, epoch): (HostId, i64), slots: u32) -> Vec<JobId> {
        let claimed = claim::claim(&hub, Claimant::Host(host), epoch, slots).await.expect("claims");
        let mut held = claimed.leases;
        let mut given: Vec<JobId> = held.iter().map(|lease| lease.job_id).collect();
        while !held.is_empty() {
            let some = held.split_off(held.len().saturating_sub(3));
            let result = |lease: &Lease| RunResult::new(lease.job_id, lease.fence, RunStatus::Succeeded);
            let report = |lease: &Lease| Report {
                key: lease.key(),
                result: result(lease),
                clock_offset_ms: 0,
                host: Some(host),
                is_forced: false,
            };
            let reports = Arc::new(some.iter().map(report).collect::<Vec<_>>());
            let (ask, room) = (Ask { host, epoch, limit: 0 }, u32::try_from(some.len()).expect("few"));
            let seat = hub.queue.board.join(host, epoch, &[]);
            hub.queue.board.remember_for_test(host, some);
            let turned = match take_boldly(&hub, &reports, (ask, room), None, &Begins::default()).await {
                Err(error) if error.is_stale_view() => {
                    take_locked(&hub, &reports, (ask, room), None, &Begins::default()).await
                }
                done => done,
            };
            let (done, claimed) = turned.expect("writes");
            assert!(done.applied.iter().all(|is_applied| *is_applied));
            let more = claimed.expect("no limit is in the way").leases;
            given.extend(more.iter().map(|lease| lease.job_id));
            held.extend(more);
            assert!(held.len() <= slots as usize, "as many as it has places");
            drop(seat);
        }
        given
    }

    testkit::db_test!(several_who_take_turns_at_one_lane_get_each_job_once, |db| async move {
        const JOBS: usize = 300;
        let fixture = TestQueue::new(db, 8).await;
        let mut hosts = vec![(fixture.host, fixture.epoch)];
        for name in ["web-2", "web-3"] {
            hosts.push(fixture.another(name, 8).await);
        }
        fixture.enqueue(fixture.acme, JOBS).await;
        let workers = hosts.iter().map(|host| work(fixture.hub.clone(), *host, 8));
        let given: Vec<Vec<JobId>> = futures_util::future::join_all(workers).await;
        let all: std::collections::BTreeSet<JobId> = given.iter().flatten().copied().collect();
        assert_eq!(given.iter().map(Vec::len).sum::<usize>(), all.len(), "each of them once");
        assert_eq!(all.len(), JOBS);
        for (host, _) in hosts {
            assert_eq!(fixture.running(host).await, 0, "everything was given back");
        }
        let counts = fixture.hub.job_summary(fixture.acme).await.expect("counts");
        assert_eq!((counts.queued, counts.running), (0, 0));
    });

    testkit::db_test!(no_turn_without_room_or_during_a_claim, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 3).await;
        let grants = fixture.claim().await;
        let seated = sits(&fixture, 2);
        let ends = Arc::new(vec![report(&fixture, &grants[0], 1)]);
        let ask = |limit| Ask { host: fixture.host, epoch: fixture.epoch, limit };
        assert!(take(&fixture.hub, &ends, ask(2)).await.is_none(), "it takes no more");
        let other = Ask { epoch: fixture.epoch + 1, ..ask(3) };
        assert!(take(&fixture.hub, &ends, other).await.is_none(), "another session");
        let (board, now) = (&fixture.hub.queue.board, fixture.hub.now());
        board.no_turn_before(fixture.host, fixture.epoch, now + ALONE_FOR);
        assert!(take(&fixture.hub, &ends, ask(3)).await.is_none(), "it did not work a moment ago");
        fixture.clock.advance(ALONE_FOR);
        assert_eq!(
            board.begin_turn(fixture.host, fixture.epoch, 3, now + ALONE_FOR),
            Some(1),
            "somebody claims for it"
        );
        assert!(take(&fixture.hub, &ends, ask(3)).await.is_none());
        drop(seated);
        fixture.end(&grants[0], domain::Span::from_secs(1)).await;
    });

    testkit::db_test!(what_gives_a_limit_back_is_claimed_for_later, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let limit = proto::api::org::OrgPatch { max_running: Some(Some(2)), ..Default::default() };
        fixture.hub.org_update(&local(), fixture.acme, limit).await.expect("limits");
        fixture.enqueue(fixture.acme, 3).await;
        let grants = fixture.claim().await;
        let mut seated = sits(&fixture, 2);
        let ask = Ask { host: fixture.host, epoch: fixture.epoch, limit: 4 };
        let written =
            take(&fixture.hub, &Arc::new(vec![report(&fixture, &grants[0], 1)]), ask).await.expect("its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![true], false));
        // The hub's own poll may be faster.
        let mut begun = fixture.claim().await;
        if begun.is_empty() {
            let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
            begun = frame.grants;
        }
        assert_eq!(begun.len(), 1, "the place is free for a claim of its own");
    });

    testkit::db_test!(leases_that_nobody_is_sure_of_end_the_session, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 1).await;
        let claimed = claim::claim(&fixture.hub, Claimant::Host(fixture.host), fixture.epoch, 1).await.expect("claims");
        let seated = sits(&fixture, 0);
        let (undone, unsure) = (Error::from(store::Error::Dangling), Error::from(store::Error::Closed));
        let begins = Begins::default();
        begins.failed(&fixture.hub, Some(fixture.host), fixture.epoch, &unsure);
        assert!(!seated.broken.is_cancelled(), "it had not come to leases");
        begins.note(&claimed);
        begins.failed(&fixture.hub, Some(fixture.host), fixture.epoch, &undone);
        assert!(!seated.broken.is_cancelled(), "the database has said no");
        begins.failed(&fixture.hub, Some(fixture.host), fixture.epoch, &unsure);
        assert!(seated.broken.is_cancelled());
    });
}
