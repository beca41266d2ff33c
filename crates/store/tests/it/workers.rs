//! Workers over HTTP, and notifications between hubs.

use domain::{
    HolderId, JobId, TokenId,
    job::{JobStatus, RunStatus},
    quota::QuotaKind,
};
use serde_json::json;
use store::{quota::QuotaKey, worker::Worker};
use testkit::{TestDb, block_on};

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, id, jobs, yard},
    writes,
};

fn worker(org: domain::OrgId, token: TokenId, name: &str) -> Worker {
    Worker {
        id: id(),
        org_id: org,
        token_id: token,
        worker_id: name.to_owned(),
        hostname: "box".to_owned(),
        version: "1.2".to_owned(),
        queues: json!(["default"]),
        metadata: json!({"gpu": true}),
        last_seen_at: T0,
        last_request: None,
        last_request_at: None,
    }
}

testkit::db_test!(worker_registers_once_and_updates_last_seen, |db| async move {
    let (acme, token) = (yard(&db.store, "acme").await, id());
    let (first, again) = (worker(acme.org, token, "box:1:a"), worker(acme.org, token, "box:1:a"));
    let kept = writes!(db.store, |tx| tx.worker_put(&first).await).expect("registers");
    let same = writes!(db.store, |tx| tx.worker_put(&Worker { version: "1.3".into(), ..again }).await).expect("again");
    assert_eq!((same.id, same.version.as_str(), same.queues), (kept.id, "1.3", json!(["default"])));
    let own: HolderId = kept.id;
    writes!(db.store, |tx| {
        tx.worker_seen(own, at(10)).await?;
        tx.worker_seen(own, at(5)).await?;
        tx.worker_request(own, Some("r-1"), at(10)).await
    })
    .expect("notes");
    let found = reads!(db.store, |tx| tx.worker_get(acme.org, token, "box:1:a").await).expect("exists");
    assert_eq!(
        (found.last_seen_at, found.last_request.as_deref()),
        (at(10), Some("r-1")),
        "an older request does not lower the time"
    );
    assert_eq!(found.last_request_at, Some(at(10)));
    for (queue, since, serves) in [("default", 9, true), ("default", 10, false), ("other", 9, false)] {
        assert_eq!(
            reads!(db.store, |tx| tx.worker_serves(acme.org, queue, at(since)).await),
            serves,
            "{queue} {since}"
        );
    }
    assert!(
        reads!(db.store, |tx| tx.worker_get(acme.org, id(), "box:1:a").await).is_none(),
        "belongs to another token"
    );
    assert_eq!(reads!(db.store, |tx| tx.worker_list(10).await).len(), 1);
    assert_eq!(writes!(db.store, |tx| tx.worker_prune(at(10), 10).await).expect("prunes"), 0);
    assert_eq!(writes!(db.store, |tx| tx.worker_prune(at(11), 10).await).expect("prunes"), 1);
});

testkit::db_test!(claimed_jobs_can_be_read_again, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 3)).await;
    let (leases, claimed) = claim(&db.store, &acme, 2, T0).await;
    let ids: Vec<_> = leases.iter().map(|lease| lease.job_id).collect();
    let mut again = reads!(db.store, |tx| tx.claimed_jobs(&ids).await);
    again.sort_by_key(|job| job.job_id);
    let mut claimed = claimed;
    claimed.sort_by_key(|job| job.job_id);
    assert_eq!(again, claimed);
});

testkit::db_test!(leases_canceling_lists_cancels_until_the_run_ends, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 2)).await;
    let (leases, _) = claim(&db.store, &acme, 2, T0).await;
    let (job, fence) = (leases[0].job_id, leases[0].fence);
    assert!(writes!(db.store, |tx| tx.lease_cancel(job, fence, "enough", at(1)).await).expect("asks"));
    let found = reads!(db.store, |tx| tx.leases_canceling(10).await);
    assert_eq!(found.iter().map(|lease| lease.job_id).collect::<Vec<_>>(), [job]);
    finish(&db.store, &leases, (domain::job::RunStatus::Canceled, Some(domain::job::JobStatus::Canceled)), at(2)).await;
    assert!(reads!(db.store, |tx| tx.leases_canceling(10).await).is_empty());
});

testkit::db_test!(quota_recount_counts_running_jobs, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    for yard in [&acme, &beta] {
        enqueue(&db.store, &jobs(yard, 3)).await;
        claim(&db.store, yard, 3, T0).await;
    }
    let definition = acme.definition.to_string();
    let keys = [
        (QuotaKey { org: Some(acme.org), kind: QuotaKind::Org, subject: String::new(), host: None }, 3),
        (QuotaKey { org: None, kind: QuotaKind::Definition, subject: definition.clone(), host: None }, 3),
        (QuotaKey { org: None, kind: QuotaKind::DefinitionOnHost, subject: definition, host: Some(acme.host) }, 3),
        (QuotaKey { org: Some(acme.org), kind: QuotaKind::Key, subject: "nobody".into(), host: None }, 0),
    ];
    for (key, running) in keys {
        let (kept, kind) = (key.clone(), key.kind);
        writes!(db.store, |tx| {
            tx.quota_put(&key, id(), Some(5), None, T0).await?;
            let quota = tx.quota_get(&key).await?.expect("exists");
            assert_eq!(tx.quota_recount(&quota).await?, running);
            Ok(())
        })
        .expect("counts");
        let quota = reads!(db.store, |tx| tx.quota_get(&kept).await).expect("exists");
        assert_eq!(quota.running, i32::try_from(running).expect("small"), "{kind}");
        if running > 0 {
            let counted = reads!(db.store, |tx| tx.leases_counted(acme.org, quota.id).await);
            assert_eq!(u64::from(counted), running, "the leases count towards the limit");
        }
    }
});

#[test]
fn notify_reaches_other_hubs_on_postgres() {
    block_on(async {
        let db = TestDb::postgres().await;
        let other = store::Store::open(&store::Options::new(&db.url)).await.expect("opens");
        let mut listener = other.listen().await.expect("listens").expect("supports notifications");
        db.store.notify().await.expect("tells");
        let received = tokio::time::timeout(std::time::Duration::from_secs(20), listener.received()).await;
        received.expect("in time").expect("receives the notification");
        let alone = TestDb::sqlite().await;
        assert!(alone.store.listen().await.expect("answers").is_none(), "SQLite has no other hubs");
        alone.store.notify().await.expect("nothing to do");
    });
}

testkit::db_test!(worker_secrets_are_kept_per_run_until_the_run_is_over, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let beta = yard(&db.store, "beta").await;
    enqueue(&db.store, &jobs(&acme, 2)).await;
    let (leases, _) = claim(&db.store, &acme, 2, T0).await;
    let runs: Vec<(JobId, i32)> = leases.iter().map(|lease| (lease.job_id, lease.fence)).collect();
    let (one, two) = (runs[0], runs[1]);
    writes!(db.store, |tx| {
        tx.worker_secret_put(acme.org, one, b"first", T0).await?;
        tx.worker_secret_put(acme.org, one, b"second", at(5)).await?;
        tx.worker_secret_put(acme.org, two, b"other", T0).await
    })
    .expect("stores");
    let get = async |org, run| reads!(db.store, |tx| tx.worker_secret_get(org, run).await);
    assert_eq!(get(acme.org, one).await.as_deref(), Some(b"second".as_slice()), "a second response replaces it");
    assert_eq!(get(beta.org, one).await, None, "belongs to another org");
    assert_eq!(get(acme.org, (one.0, one.1 + 1)).await, None, "belongs to another run");
    writes!(db.store, |tx| tx.worker_secret_forget(beta.org, one).await).expect("runs");
    assert!(get(acme.org, one).await.is_some());
    // Only rows without a lease are pruned.
    assert_eq!(writes!(db.store, |tx| tx.worker_secret_prune(at(100), 10).await).expect("prunes"), 0);
    finish(&db.store, &leases[..1], (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(10)).await;
    assert_eq!(writes!(db.store, |tx| tx.worker_secret_prune(T0, 10).await).expect("prunes"), 0, "too young");
    assert_eq!(writes!(db.store, |tx| tx.worker_secret_prune(at(100), 10).await).expect("prunes"), 1);
    assert_eq!((get(acme.org, one).await, get(acme.org, two).await.is_some()), (None, true));
});

testkit::db_test!(worker_is_audited_once_per_minute, |db| async move {
    let (acme, token) = (yard(&db.store, "acme").await, id());
    let row = worker(acme.org, token, "box:1:a");
    let kept = writes!(db.store, |tx| tx.worker_put(&row).await).expect("registers").id;
    // The first second is the 20th of its minute.
    for (seconds, expected) in [(0, true), (30, false), (39, false), (40, true), (61, false), (200, true)] {
        let now = at(seconds);
        let is_first = writes!(db.store, |tx| tx.worker_audit(kept, now.minute(), now).await).expect("marks");
        assert_eq!(is_first, expected, "{seconds}");
    }
});
