//! Jobs that begin at once: made and leased in one transaction, for a runner that waits for work while nothing waits for
//! it. One commit less between a request and its start, under the same limits as any claim.

use std::{collections::HashSet, sync::Arc};

use domain::{HostId, JobId};

use super::{
    board::deal,
    claim::{Begun, Claimant, Claimed, take_new},
    enqueue::{Draft, Made, Wish},
    secrets,
};
use crate::{Hub, Result};

/// A runner whose turn it is, with the epoch of its session and its room.
pub(super) type Seat = (HostId, i64, u32);

/// Writes requests and begins with their jobs. If that fails, nothing is written and the runner waits again.
pub(super) async fn write(hub: &Hub, wishes: Vec<Arc<Wish>>, seat: Seat) -> Result<Vec<Result<Vec<Made>>>> {
    let (host, epoch, room) = seat;
    let hub_in = hub.clone();
    let both = hub.store.write(move |tx| {
        Box::pin(async move {
            let (now, who) = (hub_in.now(), Claimant::Host(host));
            let mut draft = Draft::of(&hub_in, tx, wishes, now).await?;
            let due: Vec<_> = draft.jobs.iter().filter(|job| job.scheduled_for <= now).collect();
            let begun = if due.is_empty() {
                None
            } else {
                take_new(&hub_in, tx, &who, epoch, room, &due, &mut draft.changes).await?
            };
            let Begun { mut claimed, refused } = begun.unwrap_or_default();
            let refusals = refused.iter().map(|(lease, _)| lease.head.job_id);
            let begun: HashSet<JobId> = claimed.grants.iter().map(|grant| grant.job).chain(refusals).collect();
            let written = draft.write(&hub_in, tx, &begun, now).await?;
            claimed.refused = secrets::refuse(&hub_in, tx, &who, epoch, refused).await?;
            Ok((written, claimed))
        })
    });
    let (written, claimed) = match both.await {
        Ok(both) => both,
        Err(error) => {
            deal(hub, host, epoch, room, Claimed::default());
            return Err(error);
        }
    };
    claimed.tell(hub);
    deal(hub, host, epoch, room, claimed);
    Ok(written.tell(hub))
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
        let made = write(&pool.hub, vec![Arc::new(wish)], (pool.host, pool.epoch, 100)).await.expect("writes");
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
