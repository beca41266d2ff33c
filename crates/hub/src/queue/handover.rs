//! Jobs that begin at once: made and leased in one transaction, for a runner that waits for work while nothing waits for
//! it. One commit less between a request and its start, under the same limits as any claim.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{HostId, JobId, Timestamp};
use store::{Tx, queue::NewJob};

use super::{
    board::deal,
    claim::{Begun, Claimant, Claimed, take_new},
    enqueue::{Draft, Made, Wish, Written},
    secrets,
};
use crate::{Error, Hub, Result};

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
    pub(super) fn deal(mut self, claimed: Claimed) {
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
}

/// How far a transaction came.
#[derive(Clone, Copy, Default)]
struct Reached {
    /// Everything was said but the commit.
    is_decided: bool,
    /// The session that leases were written for.
    begun: Option<(HostId, i64)>,
}

/// Writes requests; if a runner waits for work, it begins with their jobs.
pub(super) async fn write(hub: &Hub, wishes: Vec<Arc<Wish>>) -> std::result::Result<Vec<Result<Vec<Made>>>, Failed> {
    let (hub_in, reached) = (hub.clone(), Arc::new(Mutex::new(Reached::default())));
    let reaches = reached.clone();
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let now = hub_in.now();
            let draft = Draft::of(&hub_in, tx, wishes, now).await?;
            // Making a lane locks the org, which others lock after the holder: then it waits like others.
            let seat = if draft.written.has_new_lanes() { None } else { Seat::seize(&hub_in, &draft.jobs, now) };
            let (written, claimed) = write_and_begin(&hub_in, tx, draft, seat.as_ref(), now).await?;
            let begun = seat.as_ref().filter(|_| !claimed.grants.is_empty()).map(|seat| (seat.host, seat.epoch));
            *reaches.lock().unwrap_or_else(PoisonError::into_inner) = Reached { is_decided: true, begun };
            Ok::<_, Error>((written, seat, claimed))
        })
    });
    match written.await {
        Ok((written, seat, claimed)) => {
            if let Some(seat) = seat {
                seat.deal(claimed);
            }
            Ok(written.tell(hub))
        }
        Err(error) => {
            let Reached { is_decided, begun } = *reached.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((host, epoch)) = begun.filter(|_| error.is_unsure()) {
                // Nobody knows whether there are leases now: the runner's next inventory settles it.
                hub.queue.board.end_session(host, epoch);
            }
            Err(Failed { error, is_undone: !is_decided })
        }
    }
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
    let Begun { mut claimed, refused } = begun.unwrap_or_default();
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
        queue::pool::{Pool, local},
    };

    /// Hands jobs over to the pool's host; returns where each stands then.
    async fn hand_over(pool: &Pool, count: usize) -> Vec<(JobId, JobStatus)> {
        let maker = Maker { by: local(), org: pool.acme, idempotency_key: None, part: 0 };
        let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
        let wish = pool.hub.wish_for(&maker, &vec![request; count]).await.expect("is right");
        let now = pool.hub.now();
        let hub = pool.hub.clone();
        let seat = Seat::new(&hub, pool.host, pool.epoch, 100);
        let done = pool.hub.store.write(move |tx| {
            Box::pin(async move {
                let draft = Draft::of(&hub, tx, vec![Arc::new(wish)], now).await?;
                write_and_begin(&hub, tx, draft, Some(&seat), now).await
            })
        });
        let made = done.await.expect("writes").0.tell(&pool.hub);
        let mut jobs = Vec::new();
        for made in made.into_iter().flat_map(|made| made.expect("is made")) {
            let Made::New(id) = made else { panic!("nobody else asked for it") };
            let org = pool.acme;
            let read = pool
                .hub
                .store
                .read(move |tx| Box::pin(async move { tx.job_get(org, id).await.map_err(crate::Error::from) }));
            jobs.push((id, read.await.expect("reads").expect("is there").status));
        }
        jobs
    }

    testkit::db_test!(jobs_begin_with_their_request_as_far_as_there_is_room, |db| async move {
        let pool = Pool::new(db, 2).await;
        let jobs = hand_over(&pool, 3).await;
        let status: Vec<JobStatus> = jobs.iter().map(|(_, status)| *status).collect();
        assert_eq!(status, [JobStatus::Running, JobStatus::Running, JobStatus::Queued]);
        assert!(pool.claim().await.is_empty(), "both places are taken");
        let holder = pool.host.into();
        let held = pool
            .hub
            .store
            .write(move |tx| Box::pin(async move { tx.leases_of_holder(holder).await.map_err(crate::Error::from) }));
        assert_eq!(held.await.expect("reads").len(), 2);
    });

    testkit::db_test!(what_waits_for_the_host_comes_first, |db| async move {
        let pool = Pool::new(db, 5).await;
        pool.enqueue(pool.beta, 1).await;
        let jobs = hand_over(&pool, 1).await;
        assert_eq!(jobs[0].1, JobStatus::Queued);
        let grants = pool.claim().await;
        assert_eq!(grants.len(), 2);
        for grant in &grants {
            pool.end(grant, Span::from_secs(1)).await;
        }
        assert_eq!(hand_over(&pool, 1).await[0].1, JobStatus::Running, "nothing waits any more");
    });

    testkit::db_test!(what_is_paused_does_not_begin, |db| async move {
        let pool = Pool::new(db, 5).await;
        let pause = serde_json::from_value(json!({"kind": "definition", "subject": "hello"})).expect("a request");
        pool.hub.pause_set(&local(), pool.acme, pause).await.expect("pauses");
        assert_eq!(hand_over(&pool, 1).await[0].1, JobStatus::Queued);
        assert!(pool.claim().await.is_empty());
    });
}
