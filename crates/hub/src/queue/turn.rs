//! A host's turn: what has ended there is written, and what it begins with instead is claimed, in one transaction.
//!
//! Short runs end one by one. With a commit for the end and another for the claim, the host's holder would be locked twice
//! as long, and whoever waits for a place there would wait for both.

use std::sync::Arc;

use domain::{HostId, Span};

use super::{
    claim::{self, Begins, Claimant},
    finish::{self, Report, Written},
    handover::Seat,
};
use crate::{Error, Hub};

/// More ends than these are written alone: others are served meanwhile.
const ENDS_MAX: usize = 32;
/// For so long after a failure a host's ends are written alone: what a claim waits for is nothing to them.
const ALONE_FOR: Span = Span::from_secs(10);

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
    if reports.len() > ENDS_MAX {
        return None;
    }
    let room = hub.queue.board.begin_turn(host, epoch, limit, hub.now())?;
    let seat = Seat::new(hub, host, epoch, room);
    let (hub_in, reports, begun) = (hub.clone(), reports.clone(), Begins::default());
    let begins = begun.clone();
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let done = finish::apply(&hub_in, tx, &reports).await?;
            // A claim locks limits in their order; those that were just given back are locked already.
            if done.has_room {
                return Ok::<_, Error>((done, None));
            }
            let claimed = claim::take(&hub_in, tx, &Claimant::Host(host), epoch, room).await?;
            begins.note(&claimed);
            Ok((done, Some(claimed)))
        })
    });
    match written.await {
        Ok((done, claimed)) => {
            done.wake(hub);
            let is_claimed = claimed.is_some();
            if let Some(claimed) = claimed {
                seat.deal(claimed);
            }
            Some(Written { applied: done.applied, is_claimed })
        }
        Err(error) => {
            tracing::debug!(host.id = %host, error = %error, "ends and a claim were not written together");
            begun.failed(hub, Some(host), epoch, &error);
            hub.queue.board.no_turn_before(host, epoch, hub.now() + ALONE_FOR);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::job::RunStatus;
    use proto::work::{Grant, RunResult};
    use store::queue::RunKey;

    use super::*;
    use crate::queue::pool::{Pool, local};

    fn report(pool: &Pool, grant: &Grant, fence: i32) -> Report {
        Report {
            key: RunKey { job_id: grant.job, fence, holder_id: pool.host.into(), epoch: pool.epoch },
            result: RunResult::new(grant.job, fence, RunStatus::Succeeded),
            clock_offset_ms: 0,
            host: Some(pool.host),
            is_forced: false,
        }
    }

    /// The pool's host sits at this hub, with nothing but what was granted to it.
    fn sits(pool: &Pool, granted: u64) -> super::super::board::Seated {
        let seated = pool.hub.queue.board.join(pool.host, pool.epoch, &[]);
        pool.hub.queue.board.grant_for_test(pool.host, granted);
        seated
    }

    testkit::db_test!(ends_make_room_for_what_begins_with_them, |db| async move {
        let pool = Pool::new(db, 2).await;
        pool.enqueue(pool.acme, 5).await;
        let grants = pool.claim().await;
        assert_eq!(grants.len(), 2, "there are two places");
        let mut seated = sits(&pool, 2);
        let ask = Ask { host: pool.host, epoch: pool.epoch, limit: 4 };
        let ends = vec![report(&pool, &grants[0], 7), report(&pool, &grants[0], 1), report(&pool, &grants[1], 1)];
        let written = take(&pool.hub, &Arc::new(ends), ask).await.expect("is its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![false, true, true], true), "a stale one harms nobody");
        let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
        let begun: Vec<i32> = frame.grants.iter().map(|grant| grant.fence).collect();
        assert_eq!(begun, [1, 1], "as many as there are places again");
        assert!(frame.grants.iter().all(|grant| grants.iter().all(|before| before.job != grant.job)));
        let more = claim::claim(&pool.hub, Claimant::Host(pool.host), pool.epoch, 10).await.expect("claims");
        assert!(more.grants.is_empty(), "both places are taken");
    });

    testkit::db_test!(no_turn_without_room_or_during_a_claim, |db| async move {
        let pool = Pool::new(db, 2).await;
        pool.enqueue(pool.acme, 3).await;
        let grants = pool.claim().await;
        let seated = sits(&pool, 2);
        let ends = Arc::new(vec![report(&pool, &grants[0], 1)]);
        let ask = |limit| Ask { host: pool.host, epoch: pool.epoch, limit };
        assert!(take(&pool.hub, &ends, ask(2)).await.is_none(), "it takes no more");
        let other = Ask { epoch: pool.epoch + 1, ..ask(3) };
        assert!(take(&pool.hub, &ends, other).await.is_none(), "another session");
        let (board, now) = (&pool.hub.queue.board, pool.hub.now());
        board.no_turn_before(pool.host, pool.epoch, now + ALONE_FOR);
        assert!(take(&pool.hub, &ends, ask(3)).await.is_none(), "it did not work a moment ago");
        pool.clock.advance(ALONE_FOR);
        assert_eq!(board.begin_turn(pool.host, pool.epoch, 3, now + ALONE_FOR), Some(1), "somebody claims for it");
        assert!(take(&pool.hub, &ends, ask(3)).await.is_none());
        drop(seated);
        pool.end(&grants[0], domain::Span::from_secs(1)).await;
    });

    testkit::db_test!(what_gives_a_limit_back_is_claimed_for_later, |db| async move {
        let pool = Pool::new(db, 2).await;
        let limit = proto::api::org::OrgPatch { max_running: Some(Some(2)), ..Default::default() };
        pool.hub.org_update(&local(), pool.acme, limit).await.expect("limits");
        pool.enqueue(pool.acme, 3).await;
        let grants = pool.claim().await;
        let mut seated = sits(&pool, 2);
        let ask = Ask { host: pool.host, epoch: pool.epoch, limit: 4 };
        let written = take(&pool.hub, &Arc::new(vec![report(&pool, &grants[0], 1)]), ask).await.expect("its turn");
        assert_eq!((written.applied, written.is_claimed), (vec![true], false));
        // The hub's own poll may be faster.
        let mut begun = pool.claim().await;
        if begun.is_empty() {
            let Some(proto::link::ToRunner::Grants(frame)) = seated.frames.recv().await else { panic!("grants") };
            begun = frame.grants;
        }
        assert_eq!(begun.len(), 1, "the place is free for a claim of its own");
    });

    testkit::db_test!(leases_that_nobody_is_sure_of_end_the_session, |db| async move {
        let pool = Pool::new(db, 2).await;
        pool.enqueue(pool.acme, 1).await;
        let claimed = claim::claim(&pool.hub, Claimant::Host(pool.host), pool.epoch, 1).await.expect("claims");
        let seated = sits(&pool, 0);
        let (undone, unsure) = (Error::from(store::Error::Dangling), Error::from(store::Error::Closed));
        let begins = Begins::default();
        begins.failed(&pool.hub, Some(pool.host), pool.epoch, &unsure);
        assert!(!seated.broken.is_cancelled(), "it had not come to leases");
        begins.note(&claimed);
        begins.failed(&pool.hub, Some(pool.host), pool.epoch, &undone);
        assert!(!seated.broken.is_cancelled(), "the database has said no");
        begins.failed(&pool.hub, Some(pool.host), pool.epoch, &unsure);
        assert!(seated.broken.is_cancelled());
    });
}
