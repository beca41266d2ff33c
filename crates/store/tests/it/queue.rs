//! The hot path of the queue: enqueue, heads, leases, outcomes.

use std::collections::BTreeSet;

use domain::{
    HolderId, JobId, LaneId, Span, Timestamp,
    job::{JobStatus, OnLost, RunStatus, Source, WaitReason},
    presence::ManualMark,
    quota::{QuotaKind, Recent},
};
use serde_json::json;
use store::{
    Error,
    claim::{AssumedOpen, Head, LaneCapacity, LockedHost, NewLease, OpenLane, Position},
    holder::HolderRelease,
    insert::{NewJob, Place, RunKey},
    quota::QuotaKey,
};
use testkit::{TestDb, block_on};

use crate::{
    reads,
    seed::{T0, Yard, at, claim, ended, enqueue, finish, host, id, job, jobs, lane_key, outcome, place, world, yard},
    writes,
};

/// Sessions with a heartbeat after this time are current.
const HEARD_SINCE: Timestamp = Timestamp::from_micros(T0.as_micros() - 300_000_000);

const DONE: (RunStatus, Option<JobStatus>) = (RunStatus::Succeeded, Some(JobStatus::Succeeded));

testkit::db_test!(job_runs_from_enqueue_to_outcome, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let (leases, claimed) = claim(&db.store, &acme, 10, at(1)).await;
    let lease = leases.first().expect("one lease").clone();
    assert_eq!((leases.len(), claimed.len()), (1, 1));
    assert_eq!((lease.job_id, lease.holder_id, lease.epoch, lease.fence), (new.id, acme.holder, 1, 1));
    assert_eq!((lease.org_id, lease.lane_id, lease.definition_id), (acme.org, acme.lane, acme.definition));
    assert_eq!((lease.priority, lease.started_at, lease.pid, lease.held_at), (100, at(1), None, None));
    assert_eq!((lease.cancel_at, lease.cancel_reason.clone(), lease.counted.clone()), (None, None, None));
    let grant = &claimed[0];
    assert_eq!((grant.job_id, grant.org_id, grant.definition_id), (new.id, acme.org, acme.definition));
    assert_eq!((grant.definition_version, &grant.payload, &grant.sealed), (1, &new.payload, &None));
    assert_eq!((grant.timeout, grant.on_lost, grant.expires_at), (Span::from_secs(60), OnLost::Retry, None));
    assert!(claim(&db.store, &acme, 10, at(2)).await.0.is_empty(), "it is claimed once");

    assert_eq!(finish(&db.store, &leases, DONE, at(3)).await, 1);
    assert_eq!(finish(&db.store, &leases, DONE, at(4)).await, 0, "a repeated result is applied once");
    let now = reads!(db.store, |tx| tx.job_get(acme.org, new.id).await).expect("exists");
    assert_eq!((now.status, now.finished_at, now.fence), (JobStatus::Succeeded, Some(at(3)), 1));
});

testkit::db_test!(every_job_column_is_read_back, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let full = NewJob {
        source: Source::Schedule,
        source_ref: Some("trigger 7 \"ö\" \\ '".into()),
        priority: -5,
        payload: json!({"text": "123", "deep": [1, 2.5, null, true, {"a": "\n\t\"\\ü€😀"}], "big": 9_007_199_254_740_991_i64}),
        sealed: Some(vec![0, 1, 255]),
        dedupe_key: Some("42".into()),
        correlation_id: Some("null".into()),
        scheduled_for: at(5),
        expires_at: Some(at(50)),
        max_attempts: 1,
        timeout: Span::from_millis(1),
        on_lost: OnLost::Hold,
        created_by: String::new(),
        queued_at: at(2),
        definition_version: 3,
        ..job(&acme)
    };
    let odd: Vec<NewJob> = [json!(null), json!("text"), json!([]), json!(7), json!({}), json!(true)]
        .into_iter()
        .map(|payload| NewJob { payload, sealed: Some(Vec::new()), ..job(&acme) })
        .collect();
    enqueue(&db.store, std::slice::from_ref(&full)).await;
    enqueue(&db.store, &odd).await;
    let now = reads!(db.store, |tx| tx.job_get(acme.org, full.id).await).expect("exists");
    assert_eq!((now.source, now.source_ref, now.priority), (full.source, full.source_ref.clone(), -5));
    assert_eq!(
        (now.payload, now.dedupe_key, now.correlation_id),
        (full.payload.clone(), full.dedupe_key.clone(), full.correlation_id.clone())
    );
    assert_eq!((now.scheduled_for, now.expires_at, now.queued_at), (at(5), Some(at(50)), at(2)));
    assert_eq!((now.max_attempts, now.timeout, now.on_lost), (1, Span::from_millis(1), OnLost::Hold));
    assert_eq!((now.created_by.as_str(), now.definition_version), ("", 3));
    let claimed = claim(&db.store, &acme, 100, at(9)).await.1;
    let grant = claimed.iter().find(|grant| grant.job_id == full.id).expect("is claimed");
    assert_eq!((&grant.sealed, &grant.correlation_id), (&full.sealed, &full.correlation_id));
    assert_eq!((grant.expires_at, grant.on_lost, grant.definition_version), (Some(at(50)), OnLost::Hold, 3));
    for new in &odd {
        let grant = claimed.iter().find(|grant| grant.job_id == new.id).expect("is claimed");
        assert_eq!((&grant.payload, &grant.sealed), (&new.payload, &Some(Vec::new())));
    }
});

testkit::db_test!(batch_of_zero_one_or_a_thousand_jobs_is_inserted, |db| async move {
    let acme = yard(&db.store, "acme").await;
    writes!(db.store, |tx| {
        tx.job_insert(&[]).await?;
        tx.ready_insert(&[]).await?;
        tx.waiting_insert(&[], WaitReason::Later).await?;
        assert!(tx.ready_heads(&[]).await?.is_empty());
        assert!(tx.lease_insert(&mut [], acme.holder, 1, T0).await?.is_empty());
        assert!(tx.lease_hits(&[]).await?.is_empty());
        assert!(tx.lease_take(&[]).await?.is_empty());
        tx.run_insert(&[]).await?;
        tx.outcome_insert(&[]).await?;
        assert!(tx.job_records(&[]).await?.is_empty());
        assert!(tx.ready_take(&[]).await?.is_empty());
        assert!(tx.waiting_take(&[]).await?.is_empty());
        assert!(tx.job_owners(&[]).await?.is_empty());
        assert!(tx.jobs_by_id(acme.org, &[]).await?.is_empty());
        assert_eq!(tx.lease_rebind(acme.holder, 1, &[]).await?, 0);
        assert_eq!(tx.lease_started(&acme.sent(Vec::new())).await?, 0);
        Ok(())
    })
    .expect("an empty list is no error");

    let many = jobs(&acme, 1_000);
    enqueue(&db.store, &many).await;
    let (leases, claimed) = claim(&db.store, &acme, 1_000, at(1)).await;
    assert_eq!((leases.len(), claimed.len()), (1_000, 1_000));
    let ids: Vec<JobId> = leases.iter().map(|lease| lease.job_id).collect();
    let asked = ids.clone();
    assert_eq!(reads!(db.store, |tx| tx.jobs_by_id(acme.org, &asked).await).len(), 1_000);
    assert_eq!(reads!(db.store, |tx| tx.job_records(&ids).await).len(), 1_000);
    assert_eq!(finish(&db.store, &leases, DONE, at(2)).await, 1_000);
    assert_eq!(
        reads!(db.store, |tx| tx.job_ids_over(acme.org, JobStatus::Succeeded, NEWEST, 2_000).await).len(),
        1_000
    );
});

const NEWEST: JobId = JobId::from_bytes([0xff; 16]);

testkit::db_test!(ready_heads_are_ordered_by_priority_due_time_and_id, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let made: Vec<NewJob> = [(100, 5), (100, 3), (50, 9), (-1, 20), (100, 3), (50, 1)]
        .into_iter()
        .map(|(priority, due)| NewJob { priority, scheduled_for: at(due), ..job(&acme) })
        .collect();
    enqueue(&db.store, &made).await;
    let order = [3, 5, 2, 1, 4, 0].map(|n: usize| made[n].id);
    let first = claim(&db.store, &acme, 4, at(30)).await.0;
    assert_eq!(first.iter().map(|lease| lease.job_id).collect::<Vec<_>>(), order[..4]);
    let rest = claim(&db.store, &acme, 4, at(30)).await.0;
    assert_eq!(rest.iter().map(|lease| lease.job_id).collect::<Vec<_>>(), order[4..]);
});

testkit::db_test!(ready_heads_start_at_a_cursor, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 6)).await;
    let heads = writes!(db.store, |tx| tx.ready_heads(&[LaneCapacity::new(acme.lane, 9)]).await).expect("reads");
    let from = heads[3].position();
    let later = LaneCapacity { from: Some(from), ..LaneCapacity::new(acme.lane, 2) };
    let found = writes!(db.store, |tx| tx.ready_heads(&[later]).await).expect("reads");
    // SQLite ignores the cursor and reads from the start of the lane.
    let first = if db.store.kind() == store::Kind::Postgres { 3 } else { 0 };
    let positions: Vec<Position> = found.iter().map(Head::position).collect();
    assert_eq!(positions, [heads[first].position(), heads[first + 1].position()]);
});

testkit::db_test!(shared_and_differing_columns_are_inserted_alike, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let mut same = jobs(&acme, 4);
    for (number, job) in same.iter_mut().enumerate() {
        job.payload = serde_json::json!({"number": number});
    }
    let mut different = jobs(&acme, 4);
    different[2].source_ref = Some("a trigger".to_owned());
    different[3].priority = 7;
    for all in [same, different] {
        enqueue(&db.store, &all).await;
        let found = writes!(db.store, |tx| tx.ready_heads(&[LaneCapacity::new(acme.lane, 100)]).await).expect("reads");
        for job in &all {
            let head = found.iter().find(|head| head.job_id == job.id).expect("is in its lane");
            assert_eq!((head.priority, head.fence), (job.priority, 0));
            let (org, id) = (acme.org, job.id);
            let view = reads!(db.store, |tx| tx.job_get(org, id).await).expect("exists");
            assert_eq!((&view.payload, &view.source_ref), (&job.payload, &job.source_ref));
        }
    }
    let leases = claim(&db.store, &acme, 8, at(1)).await.0;
    assert_eq!(leases.len(), 8);
    finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
    for lease in &leases {
        let (org, id) = (acme.org, lease.job_id);
        let view = reads!(db.store, |tx| tx.job_get(org, id).await).expect("exists");
        assert_eq!(view.status, JobStatus::Succeeded);
        let runs = reads!(db.store, |tx| tx.runs_of_job(org, id).await);
        assert_eq!(runs.iter().map(|run| run.id).collect::<Vec<_>>(), [lease.run_id]);
    }
});

testkit::db_test!(lane_assumed_full_is_open_without_a_query, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let locked = writes!(db.store, |tx| {
        tx.claim_lock_host(acme.host, acme.epoch, at(1), HEARD_SINCE, AssumedOpen::Full(&[acme.lane])).await
    });
    let locked = locked.expect("reads").expect("the session is current");
    assert_eq!(locked.lanes.iter().map(|lane| lane.lane_id).collect::<Vec<_>>(), [acme.lane]);
});

#[test]
fn claim_lock_host_skips_a_holder_locked_by_another_transaction() {
    block_on(async {
        let db = TestDb::postgres().await;
        let acme = yard(&db.store, "acme").await;
        let other = db.store.clone();
        let skipped = writes!(db.store, |tx| {
            let holder = tx.holder_lock(acme.holder, acme.epoch, at(1), HEARD_SINCE).await?;
            assert!(holder.is_some(), "the session is current");
            // In another transaction, while this one holds its lock.
            writes!(other, |tx| {
                tx.claim_lock_host(acme.host, acme.epoch, at(1), HEARD_SINCE, AssumedOpen::Full(&[acme.lane])).await
            })
        });
        assert_eq!(skipped.expect("does not wait"), None);
        assert_eq!(lock_host(&db, acme, 1, vec![acme.lane]).await.holder.running, 0, "the lock was released");
    });
}

testkit::db_test!(ready_heads_returns_the_requested_number_per_lane, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    enqueue(&db.store, &jobs(&acme, 5)).await;
    enqueue(&db.store, &jobs(&beta, 2)).await;
    let empty: LaneId = id();
    let lanes = [LaneCapacity::new(acme.lane, 3), LaneCapacity::new(empty, 9), LaneCapacity::new(beta.lane, 9)];
    let heads = writes!(db.store, |tx| tx.ready_heads(&lanes).await).expect("reads");
    let count = |lane| heads.iter().filter(|head| head.lane_id == lane).count();
    assert_eq!((count(acme.lane), count(beta.lane), count(empty)), (3, 2, 0));
    let none = writes!(db.store, |tx| tx.ready_heads(&[LaneCapacity::new(acme.lane, 0)]).await).expect("reads");
    assert!(none.is_empty(), "a limit of zero returns no heads");
    let doubled = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&doubled)).await;
    let again = Place { priority: 1, ..place(&doubled, 0) };
    let twice = writes!(db.store, |tx| tx.ready_insert(&[again]).await);
    assert!(matches!(twice, Err(Error::UniqueViolation(_))), "a job is claimable once: {twice:?}");
});

#[test]
fn concurrent_claims_never_get_the_same_head() {
    block_on(async {
        let db = TestDb::postgres().await;
        let acme = yard(&db.store, "acme").await;
        enqueue(&db.store, &jobs(&acme, 10)).await;
        let other = db.store.clone();
        let (first, second) = writes!(db.store, |tx| {
            let first = tx.ready_heads(&[LaneCapacity::new(acme.lane, 4)]).await?;
            // In another transaction, while this one holds its locks.
            let second = writes!(other, |tx| tx.ready_heads(&[LaneCapacity::new(acme.lane, 100)]).await)?;
            Ok((first, second))
        })
        .expect("reads");
        let ids = |heads: &[Head]| heads.iter().map(|head| head.job_id).collect::<BTreeSet<_>>();
        assert_eq!((first.len(), second.len()), (4, 6));
        assert!(ids(&first).is_disjoint(&ids(&second)));
    });
}

testkit::db_test!(concurrent_claims_take_each_job_once, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 60)).await;
    let claims = (0..8).map(|_| {
        let store = db.store.clone();
        async move {
            writes!(store, |tx| {
                let heads = tx.ready_heads(&[LaneCapacity::new(acme.lane, 10)]).await?;
                let mut leases: Vec<NewLease> = heads
                    .into_iter()
                    .map(|head| NewLease {
                        head,
                        run_id: id(),
                        org_id: acme.org,
                        definition_id: acme.definition,
                        counted: Some("quota".into()),
                    })
                    .collect();
                Ok(tx.lease_insert(&mut leases, acme.holder, 1, at(1)).await?.len())
            })
            .expect("claims")
        }
    });
    let taken: usize = futures_util::future::join_all(claims).await.into_iter().sum();
    assert_eq!(taken, 60);
    let leases = writes!(db.store, |tx| tx.leases_of_holder(acme.holder).await).expect("reads");
    assert_eq!(leases.iter().map(|lease| lease.job_id).collect::<BTreeSet<_>>().len(), 60);
    assert!(leases.iter().all(|lease| lease.counted.as_deref() == Some("quota")));
});

testkit::db_test!(fence_increments_and_reports_match_the_whole_key, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    for fence in 1..=3 {
        let leases = claim(&db.store, &acme, 1, at(1)).await.0;
        let lease = leases[0].clone();
        assert_eq!(lease.fence, fence);
        let key = lease.key();
        let wrong = vec![
            RunKey { fence: fence - 1, ..key },
            RunKey { fence: fence + 1, ..key },
            RunKey { holder_id: id(), ..key },
            RunKey { epoch: 2, ..key },
            RunKey { job_id: id(), ..key },
        ];
        let (asked, taken) = (wrong.clone(), wrong);
        assert!(writes!(db.store, |tx| tx.lease_hits(&asked).await).expect("reads").is_empty());
        let twice = vec![key, RunKey { epoch: 7, ..key }, key];
        let hits = writes!(db.store, |tx| tx.lease_hits(&twice).await).expect("reads");
        assert!(
            hits.len() == 2 && hits.iter().all(|hit| *hit == lease),
            "a key listed twice is returned twice: {hits:?}"
        );
        assert!(writes!(db.store, |tx| tx.lease_take(&taken).await).expect("reads").is_empty());
        let still = writes!(db.store, |tx| tx.lease_get(lease.job_id).await).expect("reads");
        assert_eq!(still.as_ref(), Some(&lease), "a report with a different key ends nothing");
        assert_eq!(finish(&db.store, &leases, (RunStatus::Failed, None), at(2)).await, 1);
        let again = place(&new, fence);
        writes!(db.store, |tx| tx.ready_insert(&[again]).await).expect("is queued for a retry");
    }
    let runs = reads!(db.store, |tx| tx.runs_of_job(acme.org, new.id).await);
    assert_eq!(runs.iter().map(|run| run.no).collect::<Vec<_>>(), [1, 2, 3]);
});

testkit::db_test!(lease_take_waits_for_a_concurrent_update, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 1)).await;
    let lease = claim(&db.store, &acme, 1, at(1)).await.0[0].clone();
    let (job, key) = (lease.job_id, lease.key());
    let (changed, is_changed) = tokio::sync::oneshot::channel();
    let (go_on, goes_on) = tokio::sync::oneshot::channel::<()>();
    let change = async {
        let done = writes!(db.store, |tx| {
            assert!(tx.lease_cancel(job, 1, "enough", at(2)).await?);
            let _ = changed.send(());
            let _ = goes_on.await;
            Ok(())
        });
        done.expect("changes");
    };
    let take = async {
        is_changed.await.expect("is changed");
        let mut take = std::pin::pin!(async { writes!(db.store, |tx| tx.lease_take(&[key]).await) });
        let early = tokio::time::timeout(std::time::Duration::from_millis(100), &mut take).await;
        assert!(early.is_err(), "it waits for the change");
        go_on.send(()).expect("goes on");
        take.await.expect("takes")
    };
    let ((), taken) = tokio::join!(change, take);
    assert_eq!(taken.iter().map(|lease| lease.cancel_at).collect::<Vec<_>>(), [Some(at(2))]);
});

testkit::db_test!(lease_take_deletes_the_leases_of_several_sessions, |db| async move {
    let mut leases = Vec::new();
    for slug in ["acme", "beta", "gamma", "delta", "epsilon"] {
        let yard = yard(&db.store, slug).await;
        enqueue(&db.store, &jobs(&yard, 2)).await;
        leases.extend(claim(&db.store, &yard, 2, at(1)).await.0);
    }
    let keys: Vec<RunKey> = leases.iter().rev().map(store::insert::Lease::key).collect();
    let mut taken = writes!(db.store, |tx| tx.lease_take(&keys).await).expect("takes");
    taken.sort_by_key(|lease| lease.job_id);
    leases.sort_by_key(|lease| lease.job_id);
    assert_eq!(taken, leases);
});

/// The answer of `job_is_committed`, from a transaction that is rolled back.
async fn is_committed(db: &TestDb, job: &NewJob) -> bool {
    struct RolledBack(Result<bool, Error>);
    impl From<Error> for RolledBack {
        fn from(error: Error) -> Self {
            Self(Err(error))
        }
    }
    let job = job.clone();
    let rolled_back: Result<(), RolledBack> =
        db.store.write(move |tx| Box::pin(async move { Err(RolledBack(tx.job_is_committed(&job).await)) })).await;
    rolled_back.expect_err("is rolled back").0.expect("reads")
}

testkit::db_test!(job_is_committed_tells_a_committed_from_an_aborted_insert, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let (kept, aborted, open) = (job(&acme), job(&acme), job(&acme));
    enqueue(&db.store, std::slice::from_ref(&kept)).await;
    let new = aborted.clone();
    let failed: Result<(), Error> = writes!(db.store, |tx| {
        tx.job_insert(std::slice::from_ref(&new)).await?;
        tx.flush_early().await?;
        Err(Error::Dangling)
    });
    assert!(failed.is_err());
    assert!(is_committed(&db, &kept).await);
    assert!(!is_committed(&db, &aborted).await);
    assert!(!is_committed(&db, &aborted).await, "the first call inserted nothing");

    let (inserted, is_inserted) = tokio::sync::oneshot::channel();
    let (go_on, goes_on) = tokio::sync::oneshot::channel::<()>();
    let new = open.clone();
    let insert = async {
        let done = writes!(db.store, |tx| {
            tx.job_insert(std::slice::from_ref(&new)).await?;
            tx.flush_early().await?;
            let _ = inserted.send(());
            let _ = goes_on.await;
            Ok(())
        });
        done.expect("inserts");
    };
    let look = async {
        is_inserted.await.expect("is inserted");
        let mut look = std::pin::pin!(is_committed(&db, &open));
        let early = tokio::time::timeout(std::time::Duration::from_millis(100), &mut look).await;
        assert!(early.is_err(), "it waits for the open transaction");
        go_on.send(()).expect("goes on");
        look.await
    };
    let ((), is_committed) = tokio::join!(insert, look);
    assert!(is_committed);
});

testkit::db_test!(one_outcome_per_job_and_fence, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let failed = (RunStatus::Failed, Some(JobStatus::Failed));
    for (end, status) in [(DONE, JobStatus::Succeeded), (failed, JobStatus::Failed)] {
        enqueue(&db.store, &jobs(&acme, 1)).await;
        let lease = claim(&db.store, &acme, 1, at(1)).await.0[0].clone();
        assert_eq!(finish(&db.store, std::slice::from_ref(&lease), end, at(2)).await, 1);
        // A succeeded job has no outcome row, only its run.
        if status != JobStatus::Succeeded {
            let second = outcome(&lease, JobStatus::Canceled, None, at(3));
            let refused = writes!(db.store, |tx| tx.outcome_insert(&[second]).await);
            assert!(matches!(refused, Err(Error::UniqueViolation(_))), "{refused:?}");
        }
        let run = ended(&lease, RunStatus::Timeout, at(3));
        let refused = writes!(db.store, |tx| tx.run_insert(&[run]).await);
        assert!(matches!(refused, Err(Error::UniqueViolation(_))), "{refused:?}");
        let now = reads!(db.store, |tx| tx.job_get(acme.org, lease.job_id).await).expect("exists");
        assert_eq!((now.status, now.finished_at), (status, Some(at(2))), "the first outcome is kept");
    }
});

testkit::db_test!(failed_insert_rolls_back_the_batch, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let (one, two) = (job(&acme), job(&acme));
    enqueue(&db.store, std::slice::from_ref(&one)).await;
    let (fresh, twin) = (two.clone(), one.clone());
    let refused = writes!(db.store, |tx| {
        tx.job_insert(std::slice::from_ref(&fresh)).await?;
        tx.job_insert(std::slice::from_ref(&twin)).await
    });
    assert!(matches!(refused, Err(Error::UniqueViolation(_))), "{refused:?}");
    assert!(reads!(db.store, |tx| tx.job_get(acme.org, two.id).await).is_none());
});

testkit::db_test!(claim_requires_the_newest_session, |db| async move {
    let acme = yard(&db.store, "acme").await;
    assert!(
        writes!(db.store, |tx| tx.holder_lock(acme.holder, 2, T0, T0 - domain::Span::from_secs(300)).await)
            .expect("reads")
            .is_none()
    );
    assert!(
        writes!(db.store, |tx| tx
            .holder_lock(id::<domain::id::kind::Holder>(), 1, T0, T0 - domain::Span::from_secs(300))
            .await)
        .expect("reads")
        .is_none()
    );
    let recent = Recent::default().add(3, at(1));
    let charged = recent.clone();
    writes!(db.store, |tx| tx.holder_charge(acme.holder, 3, &charged).await).expect("charges");
    writes!(db.store, |tx| tx.holder_put(acme.holder, 2).await).expect("a new session");
    assert!(
        writes!(db.store, |tx| tx.holder_lock(acme.holder, 1, T0, T0 - domain::Span::from_secs(300)).await)
            .expect("reads")
            .is_none(),
        "fenced off"
    );
    let now = writes!(db.store, |tx| tx.holder_lock(acme.holder, 2, T0, T0 - domain::Span::from_secs(300)).await)
        .expect("reads")
        .expect("the session is current");
    assert_eq!((now.running, &now.recent), (3, &recent), "leases of the old session still count");
    assert_eq!((now.max_running, now.jobs_per_minute, now.is_paused), (Some(1), None, false));
    assert!(!now.has_limits);
    let worker: HolderId = id();
    writes!(db.store, |tx| tx.holder_put(worker, 1).await).expect("puts");
    let given = |holder, count, ends: &str| HolderRelease { holder, count, ends: ends.to_owned() };
    let given = [given(acme.holder, 2, ".x"), given(worker, 1, ".")];
    writes!(db.store, |tx| tx.holder_release(&given, &[]).await).expect("releases");
    assert_eq!(reads!(db.store, |tx| tx.holder_get(acme.holder).await), Some((1, recent)));
    assert_eq!(reads!(db.store, |tx| tx.holder_get(worker).await).map(|load| load.0), Some(-1));
    assert_eq!(reads!(db.store, |tx| tx.holder_get(id::<domain::id::kind::Holder>()).await), None);

    // A worker has no host limits, only the limits of its jobs.
    let worker: HolderId = id();
    writes!(db.store, |tx| tx.holder_put(worker, 1).await).expect("puts");
    let limit = QuotaKey { org: Some(acme.org), kind: QuotaKind::Key, subject: "shop".into(), host: None };
    writes!(db.store, |tx| tx.quota_put(&limit, id(), Some(1), None, T0).await).expect("a limit");
    let now = writes!(db.store, |tx| tx.holder_lock(worker, 1, T0, T0 - domain::Span::from_secs(300)).await)
        .expect("reads")
        .expect("the session is current");
    assert_eq!((now.max_running, now.jobs_per_minute, now.is_paused, now.running), (None, None, false, 0));
    assert!(now.has_limits);
});

testkit::db_test!(host_pause_ends_at_its_time, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    for (until, paused) in [(None, true), (Some(at(10)), true), (Some(at(5)), false)] {
        let mut new = host(acme, &format!("h-{until:?}"));
        new.pause = Some(ManualMark { note: String::new(), until });
        new.jobs_per_minute = Some(7);
        let holder: HolderId = new.id.into();
        writes!(db.store, |tx| {
            tx.host_insert(&new).await?;
            tx.holder_put(holder, 1).await
        })
        .expect("inserts");
        let now = writes!(db.store, |tx| tx.holder_lock(holder, 1, at(5), T0 - domain::Span::from_secs(300)).await)
            .expect("reads")
            .expect("the session is current");
        assert_eq!((now.is_paused, now.jobs_per_minute), (paused, Some(7)), "{until:?}");
    }
});

testkit::db_test!(waiting_take_due_returns_longest_due_first, |db| async move {
    let acme = yard(&db.store, "acme").await;
    assert_eq!(reads!(db.store, |tx| tx.waiting_next().await), None);
    let made: Vec<NewJob> =
        [30, 10, 20, 40, 10].into_iter().map(|due| NewJob { scheduled_for: at(due), ..job(&acme) }).collect();
    let (new, places) = (made.clone(), made.iter().map(|job| place(job, 4)).collect::<Vec<_>>());
    writes!(db.store, |tx| {
        tx.job_insert(&new).await?;
        tx.waiting_insert(&places, WaitReason::Later).await
    })
    .expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.waiting_next().await), Some(at(10)));
    assert!(writes!(db.store, |tx| tx.waiting_take_due(at(9), 10).await).expect("takes").is_empty());
    let due = |taken: &[Place]| taken.iter().map(|place| place.due_at).collect::<Vec<_>>();
    let first = writes!(db.store, |tx| tx.waiting_take_due(at(30), 3).await).expect("takes");
    assert_eq!(due(&first), [at(10), at(10), at(20)]);
    assert!(first.iter().all(|place| (place.fence, place.priority, place.lane_id) == (4, 100, acme.lane)));
    let second = writes!(db.store, |tx| tx.waiting_take_due(at(30), 3).await).expect("takes");
    assert_eq!(
        (due(&second), second[0].job_id),
        (vec![at(30)], made[0].id),
        "a job due at exactly this time is returned"
    );
    assert_eq!(reads!(db.store, |tx| tx.waiting_next().await), Some(at(40)));
});

testkit::db_test!(concurrent_take_due_returns_each_job_once, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = jobs(&acme, 200);
    let places: Vec<Place> = new.iter().map(|job| place(job, 0)).collect();
    writes!(db.store, |tx| tx.waiting_insert(&places, WaitReason::RetryBackoff).await).expect("inserts");
    let takes = (0..8).map(|_| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.waiting_take_due(at(1), 50).await).expect("takes") }
    });
    let mut taken: Vec<Place> = futures_util::future::join_all(takes).await.into_iter().flatten().collect();
    // Rows that were skipped because another transaction had locked them are still there.
    taken.extend(writes!(db.store, |tx| tx.waiting_take_due(at(1), 500).await).expect("takes"));
    assert_eq!(taken.len(), 200);
    assert_eq!(taken.iter().map(|place| place.job_id).collect::<BTreeSet<_>>().len(), 200);
});

testkit::db_test!(job_records_count_runs_since_the_last_redrive, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = NewJob { expires_at: Some(at(999)), max_attempts: 5, ..job(&acme) };
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let ends = [
        RunStatus::Failed,
        RunStatus::Lost,
        RunStatus::Timeout,
        RunStatus::NotStarted,
        RunStatus::Crashed,
        RunStatus::Canceled,
    ];
    let record = |store: store::Store| async move {
        let record = reads!(store, |tx| tx.job_records(&[new.id]).await).pop().expect("exists");
        assert_eq!((record.definition_id, record.definition_version), (acme.definition, 1));
        assert_eq!((record.max_attempts, record.expires_at), (5, Some(at(999))));
        (record.attempts, record.free_ends)
    };
    assert_eq!(record(db.store.clone()).await, (0, 0));
    for (fence, end) in (1..).zip(ends) {
        let leases = claim(&db.store, &acme, 1, at(1)).await.0;
        finish(&db.store, &leases, (end, None), at(2)).await;
        let again = Place { fence, ..place(&job(&acme), 0) };
        let again = Place { job_id: new.id, ..again };
        writes!(db.store, |tx| tx.ready_insert(&[again]).await).expect("is queued for a retry");
    }
    assert_eq!(record(db.store.clone()).await, (4, 2));
    writes!(db.store, |tx| tx.redrive_insert(new.id, 6, None, "ana", at(3)).await).expect("redrives");
    assert_eq!(record(db.store.clone()).await, (0, 0), "a fresh budget");
    let leases = claim(&db.store, &acme, 1, at(4)).await.0;
    assert_eq!(leases[0].fence, 7, "run numbers continue");
    finish(&db.store, &leases, (RunStatus::Failed, None), at(5)).await;
    assert_eq!(record(db.store.clone()).await, (1, 0));
    assert!(reads!(db.store, |tx| tx.job_records(&[id::<domain::id::kind::Job>()]).await).is_empty());
});

async fn lanes_of_host(db: &TestDb, yard: &Yard, secs: u32) -> Vec<OpenLane> {
    lock_host(db, *yard, secs, Vec::new()).await.lanes
}

async fn lock_host(db: &TestDb, yard: Yard, secs: u32, new: Vec<LaneId>) -> LockedHost {
    let locked = writes!(db.store, |tx| {
        tx.claim_lock_host(yard.host, yard.epoch, at(secs), HEARD_SINCE, AssumedOpen::New(&new)).await
    });
    locked.expect("reads").expect("the session is current")
}

testkit::db_test!(lane_of_a_pending_insert_is_open, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let lanes = |locked: &LockedHost| locked.lanes.iter().map(|lane| lane.lane_id).collect::<Vec<_>>();
    let empty = lock_host(&db, acme, 1, Vec::new()).await;
    assert!(empty.lanes.is_empty() && !empty.is_waiting);
    let about = lock_host(&db, acme, 1, vec![acme.lane, id()]).await;
    assert_eq!((lanes(&about), about.is_waiting), (vec![acme.lane], false));
    let new = job(&acme);
    let mut leases = vec![NewLease {
        head: Head::new(&new),
        run_id: id(),
        org_id: acme.org,
        definition_id: acme.definition,
        counted: None,
    }];
    let wanted = new.clone();
    let begun = writes!(db.store, |tx| {
        tx.job_insert(std::slice::from_ref(&wanted)).await?;
        tx.lease_insert(&mut leases, acme.holder, acme.epoch, at(1)).await
    });
    assert_eq!(begun.expect("begins")[0].job_id, new.id);
    let lease = writes!(db.store, |tx| tx.lease_get(new.id).await).expect("reads").expect("exists");
    assert_eq!((lease.fence, lease.lane_id), (1, acme.lane), "the job never was in the lane");
    enqueue(&db.store, &jobs(&acme, 1)).await;
    let waiting = lock_host(&db, acme, 2, vec![acme.lane]).await;
    assert_eq!((lanes(&waiting), waiting.is_waiting), (vec![acme.lane], true));
});

/// Ids of the open lanes of a yard's host.
async fn open(db: &TestDb, yard: &Yard, secs: u32) -> Vec<LaneId> {
    let yard = *yard;
    let mut lanes: Vec<LaneId> = lanes_of_host(db, &yard, secs).await.iter().map(|lane| lane.lane_id).collect();
    let mut of_queue: Vec<LaneId> =
        reads!(db.store, |tx| tx.lanes_of_queues(yard.org, &["default".to_owned(), "x".to_owned()], at(secs)).await)
            .iter()
            .map(|lane| lane.lane_id)
            .collect();
    lanes.sort();
    of_queue.sort();
    assert_eq!(lanes, of_queue, "hosts and workers see the same lanes");
    lanes
}

testkit::db_test!(pauses_hide_lanes_until_they_end, |db| async move {
    use store::quota::Pause;
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    assert!(open(&db, &acme, 1).await.is_empty(), "the lane is empty");
    let keyed = domain::lane::LaneKey { limit_key: "shop".into(), ..lane_key(acme.org, acme.definition, "default") };
    let keyed = writes!(db.store, |tx| {
        let lane = tx.lane_put(&keyed, id(), T0).await?;
        tx.host_lanes_add(&[(acme.host, lane), (acme.host, lane)]).await?;
        Ok(lane)
    })
    .expect("puts");
    enqueue(&db.store, &jobs(&acme, 2)).await;
    enqueue(&db.store, &[NewJob { lane_id: keyed, ..job(&acme) }]).await;
    enqueue(&db.store, &jobs(&beta, 1)).await;
    let mut both = vec![acme.lane, keyed];
    both.sort();
    assert_eq!(open(&db, &acme, 1).await, both);
    let seen = lanes_of_host(&db, &acme, 1).await;
    assert!(seen.iter().all(|lane| (lane.org_id, lane.definition_id) == (acme.org, acme.definition)));
    let pause = |kind: &str, subject: &str, until_at| Pause {
        kind: kind.into(),
        subject: subject.into(),
        note: "n".into(),
        until_at,
        created_by: "ana".into(),
        created_at: T0,
    };
    for (kind, subject, left) in [
        ("org", "", vec![]),
        ("definition", "deploy-acme", vec![]),
        ("definition", "deploy-beta", both.clone()),
        ("queue", "default", vec![]),
        ("queue", "gpu", both.clone()),
        ("key", "shop", vec![acme.lane]),
    ] {
        for (until, shown) in [(None, left.clone()), (Some(at(10)), left.clone()), (Some(at(5)), both.clone())] {
            let new = pause(kind, subject, until);
            writes!(db.store, |tx| tx.pause_put(acme.org, &new).await).expect("pauses");
            assert_eq!(open(&db, &acme, 5).await, shown, "{kind} {subject} {until:?}");
        }
        assert_eq!(open(&db, &beta, 5).await, [beta.lane], "another org's pause");
        assert!(writes!(db.store, |tx| tx.pause_remove(acme.org, kind, subject).await).expect("ends"));
    }
    assert_eq!(open(&db, &acme, 5).await, both);
    let mut off = reads!(db.store, |tx| tx.definition_get("deploy-acme").await).expect("exists");
    (off.version, off.is_active) = (2, false);
    assert!(writes!(db.store, |tx| tx.definition_put(&off, at(6)).await).expect("puts"));
    assert!(open(&db, &acme, 6).await.is_empty(), "the definition is inactive");
    let foreign = reads!(db.store, |tx| tx.lanes_of_queues(beta.org, &[], at(1)).await);
    assert!(foreign.is_empty(), "no queues, no lanes");
});
