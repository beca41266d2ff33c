//! Dedupe keys and idempotency keys.

use domain::{
    JobId,
    job::{JobStatus, RunStatus},
};
use serde_json::json;
use store::dedupe::KeyHolder;

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, id, job, yard},
    writes,
};

testkit::db_test!(dedupe_key_is_held_until_its_job_ends, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let (first, second) = (job(&acme), job(&acme));
    let (one, two) = (first.id, second.id);
    assert_eq!(
        writes!(db.store, |tx| tx.dedupe_take(acme.org, "k", one, T0, T0).await).expect("takes"),
        KeyHolder::Ours
    );
    enqueue(&db.store, std::slice::from_ref(&first)).await;
    let take = |job, until, now| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.dedupe_take(acme.org, "k", job, at(until), at(now)).await).expect("runs") }
    };
    assert_eq!(
        take(two, 100, 100).await,
        KeyHolder::Theirs(one),
        "the job is queued, so it keeps the key after its window"
    );
    assert_eq!(take(one, 100, 100).await, KeyHolder::Ours, "the same job takes its key again");
    let foreign = writes!(db.store, |tx| tx.dedupe_take(beta.org, "k", two, T0, T0).await).expect("takes");
    assert_eq!(foreign, KeyHolder::Ours, "keys are separate per org");
    let leases = claim(&db.store, &acme, 1, at(101)).await.0;
    assert_eq!(take(two, 102, 102).await, KeyHolder::Theirs(one), "running");
    finish(&db.store, &leases, (RunStatus::Failed, Some(JobStatus::DeadLetter)), at(103)).await;
    assert_eq!(
        take(two, 150, 104).await,
        KeyHolder::Ours,
        "the job and the window have ended, so the next job gets the key"
    );
    enqueue(&db.store, std::slice::from_ref(&second)).await;
    assert_eq!(
        take(one, 105, 105).await,
        KeyHolder::Theirs(two),
        "a redrive of the first job finds the key of the second"
    );
});

testkit::db_test!(dedupe_window_outlasts_its_job, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let first = job(&acme);
    let (one, two): (JobId, JobId) = (first.id, id());
    writes!(db.store, |tx| tx.dedupe_take(acme.org, "k", one, at(300), T0).await).expect("takes");
    enqueue(&db.store, std::slice::from_ref(&first)).await;
    let leases = claim(&db.store, &acme, 1, at(1)).await.0;
    finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
    let take = |now| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.dedupe_take(acme.org, "k", two, at(now), at(now)).await).expect("runs") }
    };
    assert_eq!(take(299).await, KeyHolder::Theirs(one));
    assert_eq!(take(300).await, KeyHolder::Ours, "the window has ended");
});

testkit::db_test!(one_job_of_a_batch_gets_the_key, |db| async move {
    // A hub takes the keys of a batch before it inserts the jobs.
    let acme = yard(&db.store, "acme").await;
    let (first, second) = (job(&acme), job(&acme));
    let keys = writes!(db.store, |tx| {
        let one = tx.dedupe_take(acme.org, "k", first.id, T0, at(1)).await?;
        let two = tx.dedupe_take(acme.org, "k", second.id, T0, at(1)).await?;
        tx.job_insert(std::slice::from_ref(&first)).await?;
        Ok((one, two, first.id))
    })
    .expect("takes");
    assert_eq!((keys.0, keys.1), (KeyHolder::Ours, KeyHolder::Theirs(keys.2)));
});

testkit::db_test!(one_of_many_concurrent_enqueues_gets_the_key, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let takes = (0..12).map(|_| {
        let (store, new) = (db.store.clone(), job(&acme));
        async move {
            writes!(store, |tx| {
                let key = tx.dedupe_take(acme.org, "k", new.id, T0, T0).await?;
                if key == KeyHolder::Ours {
                    tx.job_insert(std::slice::from_ref(&new)).await?;
                    tx.ready_insert(&[crate::seed::place(&new, 0)]).await?;
                }
                Ok((new.id, key))
            })
            .expect("runs")
        }
    });
    let answers = futures_util::future::join_all(takes).await;
    let winners: Vec<JobId> = answers.iter().filter(|(_, key)| *key == KeyHolder::Ours).map(|(id, _)| *id).collect();
    assert_eq!(winners.len(), 1);
    for (_, key) in answers.iter().filter(|(id, _)| *id != winners[0]) {
        assert_eq!(*key, KeyHolder::Theirs(winners[0]), "each loser gets the id of the winner");
    }
});

testkit::db_test!(dedupe_prune_deletes_keys_whose_job_and_window_ended, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let made = [job(&acme), job(&acme), job(&acme)];
    let [queued, window, over] = made.clone().map(|job| job.id);
    writes!(db.store, |tx| {
        tx.dedupe_take(acme.org, "queued", queued, T0, T0).await?;
        tx.dedupe_take(acme.org, "window", window, at(100), T0).await?;
        tx.dedupe_take(acme.org, "over", over, T0, T0).await
    })
    .expect("takes");
    enqueue(&db.store, &made[1..]).await;
    let leases = claim(&db.store, &acme, 2, at(1)).await.0;
    finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
    enqueue(&db.store, &made[..1]).await;
    assert_eq!(writes!(db.store, |tx| tx.dedupe_prune(at(50), 100).await).expect("prunes"), 1);
    assert_eq!(writes!(db.store, |tx| tx.dedupe_prune(at(150), 0).await).expect("prunes"), 0, "the limit is respected");
    assert_eq!(writes!(db.store, |tx| tx.dedupe_prune(at(150), 100).await).expect("prunes"), 1);
    let (new, now) = (id(), at(151));
    let held = writes!(db.store, |tx| tx.dedupe_take(acme.org, "queued", new, now, now).await).expect("runs");
    assert_eq!(held, KeyHolder::Theirs(queued));
});

testkit::db_test!(idempotency_response_is_returned_until_it_expires, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    assert_eq!(reads!(db.store, |tx| tx.idempotency_get(acme.org, "r1", T0).await), None);
    let put = |hash: u8, expires, now| {
        let store = db.store.clone();
        async move {
            let answer = json!([["id", hash]]);
            writes!(store, |tx| tx.idempotency_put(acme.org, "r1", [hash; 32], &answer, at(expires), at(now)).await)
                .expect("runs")
        }
    };
    assert!(put(1, 60, 0).await);
    assert!(!put(2, 60, 59).await, "a response is stored already");
    let get = |org, now| {
        let store = db.store.clone();
        async move { reads!(store, |tx| tx.idempotency_get(org, "r1", at(now)).await) }
    };
    assert_eq!(get(acme.org, 59).await, Some(([1; 32], json!([["id", 1]]))));
    assert_eq!(get(beta.org, 59).await, None, "the key of another org");
    assert_eq!(get(acme.org, 60).await, None, "expired");
    assert!(put(2, 120, 60).await, "the expired key can be used again");
    assert_eq!(get(acme.org, 61).await, Some(([2; 32], json!([["id", 2]]))));
    assert_eq!(writes!(db.store, |tx| tx.idempotency_prune(at(119), 10).await).expect("prunes"), 0);
    assert_eq!(writes!(db.store, |tx| tx.idempotency_prune(at(120), 10).await).expect("prunes"), 1);
});
