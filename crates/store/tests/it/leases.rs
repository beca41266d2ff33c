//! Leases outside of claims and reports: new sessions, lost holders, cancellation, expiry.

use domain::{
    FromHost, HostSender, JobId, QuotaId,
    job::{JobStatus, OnLost, RunStatus, WaitReason},
    quota::QuotaKind,
};
use store::{
    claim::{LaneCapacity, NewLease},
    insert::{NewJob, Place},
    lease::Silent,
    quota::QuotaKey,
    session::NewSession,
};
use testkit::{TestDb, block_on};

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, finish, hash, id, job, jobs, place, yard},
    writes,
};

testkit::db_test!(leases_are_found_by_job_holder_org_and_lane, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    enqueue(&db.store, &jobs(&acme, 3)).await;
    enqueue(&db.store, &jobs(&beta, 1)).await;
    let first = claim(&db.store, &acme, 1, at(5)).await.0;
    let rest = claim(&db.store, &acme, 2, at(1)).await.0;
    claim(&db.store, &beta, 2, at(1)).await;
    let mut expected = rest.clone();
    expected.extend(first.clone());
    assert_eq!(writes!(db.store, |tx| tx.leases_of_holder(acme.holder).await).expect("reads"), expected);
    assert_eq!(reads!(db.store, |tx| tx.leases_of_org(acme.org, 10).await), expected, "longest first");
    assert_eq!(reads!(db.store, |tx| tx.leases_of_org(acme.org, 2).await), rest);
    assert_eq!(reads!(db.store, |tx| tx.leases_in_lane(acme.lane).await), 3);
    assert_eq!(reads!(db.store, |tx| tx.leases_in_lane(id::<domain::id::kind::Lane>()).await), 0);
    let found = writes!(db.store, |tx| tx.lease_get(first[0].job_id).await).expect("reads");
    assert_eq!(found.as_ref(), expected.last());
    assert_eq!(writes!(db.store, |tx| tx.lease_get(id::<domain::id::kind::Job>()).await).expect("reads"), None);
});

testkit::db_test!(new_session_takes_over_leases_of_its_runner, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    enqueue(&db.store, &jobs(&acme, 2)).await;
    enqueue(&db.store, &jobs(&beta, 1)).await;
    let ours = claim(&db.store, &acme, 2, at(1)).await.0;
    let theirs = claim(&db.store, &beta, 1, at(1)).await.0;
    let silent = Silent {
        job_id: ours[0].job_id,
        fence: 1,
        holder_id: acme.holder,
        epoch: 1,
        on_lost: OnLost::Hold,
        heard_at: None,
    };
    let (wrong_fence, wrong_epoch) = (Silent { fence: 2, ..silent.clone() }, Silent { epoch: 2, ..silent.clone() });
    let wrong_holder = Silent { holder_id: beta.holder, ..silent.clone() };
    for wrong in [wrong_fence, wrong_epoch, wrong_holder] {
        assert!(!writes!(db.store, |tx| tx.lease_hold(&wrong, at(2)).await).expect("runs"), "fenced");
    }
    let again = silent.clone();
    assert!(writes!(db.store, |tx| tx.lease_hold(&silent, at(2)).await).expect("holds"));
    assert!(!writes!(db.store, |tx| tx.lease_hold(&again, at(3)).await).expect("runs"), "held once");

    let claims: Vec<JobId> = vec![ours[0].job_id, theirs[0].job_id, id()];
    assert_eq!(writes!(db.store, |tx| tx.lease_rebind(acme.holder, 2, &claims).await).expect("rebinds"), 1);
    let (our, their) = (ours[0].job_id, theirs[0].job_id);
    let mine = writes!(db.store, |tx| tx.lease_get(our).await).expect("reads").expect("exists");
    assert_eq!((mine.epoch, mine.held_at, mine.fence), (2, None, 1));
    let other = writes!(db.store, |tx| tx.lease_get(their).await).expect("reads").expect("exists");
    assert_eq!(other.epoch, 1, "another holder's lease");
    assert_eq!(finish(&db.store, &ours[..1], (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(4)).await, 0);
    assert_eq!(finish(&db.store, &[mine], (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(4)).await, 1);
});

testkit::db_test!(process_ids_are_fenced, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 2)).await;
    let leases = claim(&db.store, &acme, 2, at(1)).await.0;
    let (one, two) = (leases[0].job_id, leases[1].job_id);
    let runs = vec![(one, 1, 11), (two, 2, 22)];
    let sent = acme.sent(runs.clone());
    assert_eq!(writes!(db.store, |tx| tx.lease_started(&sent).await).expect("notes"), 1);
    for sender in [HostSender::proven(id(), acme.org, 1), HostSender::proven(acme.host, acme.org, 2)] {
        let sent = FromHost::new(sender, runs.clone());
        assert_eq!(writes!(db.store, |tx| tx.lease_started(&sent).await).expect("runs"), 0);
    }
    let pid = |job| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.lease_get(job).await).expect("reads").expect("exists").pid }
    };
    assert_eq!((pid(one).await, pid(two).await), (Some(11), None));
});

testkit::db_test!(cancel_is_requested_once_per_run, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 2)).await;
    let leases = claim(&db.store, &acme, 2, at(1)).await.0;
    let job = leases[0].job_id;
    assert!(!writes!(db.store, |tx| tx.lease_cancel(job, 2, "asked", at(2)).await).expect("runs"), "another run");
    assert!(reads!(db.store, |tx| tx.leases_canceled(acme.holder, 1).await).is_empty());
    assert!(writes!(db.store, |tx| tx.lease_cancel(job, 1, "asked", at(2)).await).expect("asks"));
    assert!(!writes!(db.store, |tx| tx.lease_cancel(job, 1, "forced", at(3)).await).expect("runs"), "already");
    let canceled = reads!(db.store, |tx| tx.leases_canceled(acme.holder, 1).await);
    assert_eq!((canceled.len(), canceled[0].job_id), (1, job));
    assert_eq!((canceled[0].cancel_at, canceled[0].cancel_reason.as_deref()), (Some(at(2)), Some("asked")));
    assert!(reads!(db.store, |tx| tx.leases_canceled(acme.holder, 2).await).is_empty(), "another session");
});

testkit::db_test!(silence_is_measured_from_the_last_heartbeat, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let hold = NewJob { on_lost: OnLost::Hold, ..job(&acme) };
    enqueue(&db.store, std::slice::from_ref(&hold)).await;
    enqueue(&db.store, &jobs(&beta, 1)).await;
    claim(&db.store, &acme, 1, at(1)).await;
    claim(&db.store, &beta, 1, at(20)).await;
    let session = NewSession {
        host_id: acme.host,
        hub_id: id(),
        token_hash: hash(1),
        incarnation: "run-1".into(),
        boot_id: "boot".into(),
        runner_version: "0.1.0".into(),
        address: "10.0.0.5".into(),
        clock_skew_ms: 0,
    };
    writes!(db.store, |tx| tx.host_session_open(&session, at(10)).await).expect("opens");
    assert!(reads!(db.store, |tx| tx.leases_silent(at(10), 10).await).is_empty(), "heartbeat at exactly this time");
    let silent = reads!(db.store, |tx| tx.leases_silent(at(11), 10).await);
    assert_eq!(
        silent,
        [Silent {
            job_id: hold.id,
            fence: 1,
            holder_id: acme.holder,
            epoch: 1,
            on_lost: OnLost::Hold,
            heard_at: Some(at(10)),
        }]
    );
    // A holder without any heartbeat is silent since the start of its lease.
    let both = reads!(db.store, |tx| tx.leases_silent(at(21), 10).await);
    let other = both.iter().find(|silent| silent.holder_id == beta.holder).expect("silent too");
    assert_eq!((both.len(), other.heard_at, other.on_lost), (2, None, OnLost::Retry));
    assert_eq!(reads!(db.store, |tx| tx.leases_silent(at(21), 1).await).len(), 1);
    let first = silent[0].clone();
    assert!(writes!(db.store, |tx| tx.lease_hold(&first, at(22)).await).expect("holds"));
    let left = reads!(db.store, |tx| tx.leases_silent(at(30), 10).await);
    assert_eq!(
        left.iter().map(|silent| silent.holder_id).collect::<Vec<_>>(),
        [beta.holder],
        "a held lease is not returned"
    );
});

testkit::db_test!(ready_take_and_waiting_take_return_each_job_once, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let (ready, waiting) = (NewJob { priority: 3, scheduled_for: at(4), ..job(&acme) }, job(&acme));
    enqueue(&db.store, std::slice::from_ref(&ready)).await;
    let aside = Place { due_at: at(9), ..place(&waiting, 2) };
    let put = aside.clone();
    writes!(db.store, |tx| tx.waiting_insert(&[put], WaitReason::Later).await).expect("inserts");
    let all = [ready.id, waiting.id];
    assert_eq!(writes!(db.store, |tx| tx.ready_take(&all).await).expect("takes"), [place(&ready, 0)]);
    assert!(writes!(db.store, |tx| tx.ready_take(&all).await).expect("takes").is_empty());
    assert_eq!(writes!(db.store, |tx| tx.waiting_take(&all).await).expect("takes"), [aside]);
    assert!(writes!(db.store, |tx| tx.waiting_take(&all).await).expect("takes").is_empty());
});

testkit::db_test!(expiry_take_returns_each_job_once_oldest_first, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let made: Vec<NewJob> =
        [Some(30), None, Some(10), Some(20)].map(|due| NewJob { expires_at: due.map(at), ..job(&acme) }).into();
    enqueue(&db.store, &made).await;
    assert!(writes!(db.store, |tx| tx.expiry_take(at(9), 10).await).expect("takes").is_empty());
    assert_eq!(writes!(db.store, |tx| tx.expiry_take(at(30), 1).await).expect("takes"), [made[2].id]);
    let mut rest = writes!(db.store, |tx| tx.expiry_take(at(30), 10).await).expect("takes");
    rest.sort();
    assert_eq!(rest, [made[0].id, made[3].id]);
    assert!(writes!(db.store, |tx| tx.expiry_take(at(99), 10).await).expect("takes").is_empty());
});

testkit::db_test!(leases_counted_counts_runs_by_limit, |db| async move {
    let acme = yard(&db.store, "acme").await;
    enqueue(&db.store, &jobs(&acme, 3)).await;
    let (one, two): (QuotaId, QuotaId) = (id(), id());
    let counted = [Some(format!("{one},{two}")), Some(one.to_string()), None];
    writes!(db.store, |tx| {
        let heads = tx.ready_heads(&[LaneCapacity::new(acme.lane, 3)]).await?;
        let mut leases: Vec<NewLease> = heads
            .into_iter()
            .zip(counted)
            .map(|(head, counted)| NewLease {
                head,
                run_id: id(),
                org_id: acme.org,
                definition_id: acme.definition,
                counted,
            })
            .collect();
        tx.lease_insert(&mut leases, acme.holder, 1, T0).await
    })
    .expect("claims");
    assert_eq!(reads!(db.store, |tx| tx.leases_counted(acme.org, one).await), 2);
    assert_eq!(reads!(db.store, |tx| tx.leases_counted(acme.org, two).await), 1);
    assert_eq!(reads!(db.store, |tx| tx.leases_counted(id(), one).await), 0, "another org");
});

/// Sessions of this database that wait for a lock.
const WAITING: &str = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/// Runs work while another transaction has locked a lease. When the work waits for it, the other transaction locks a
/// lease with a higher job id: the work must not have locked that one yet.
async fn check_lock_order(db: &TestDb, (low, high): (JobId, JobId), work: impl Future<Output = store::Result<()>>) {
    let (is_locked, locked) = tokio::sync::oneshot::channel();
    let other = db.store.clone();
    let both = async {
        writes!(db.store, |tx| {
            tx.lease_get(low).await?;
            let _ = is_locked.send(());
            while other.execute_raw(WAITING).await? == 0 {}
            tx.lease_get(high).await.map(drop)
        })
    };
    let work = async {
        locked.await.expect("is locked");
        work.await
    };
    let (both, work) = tokio::join!(both, work);
    both.expect("no deadlock");
    work.expect("no deadlock");
}

#[test]
fn leases_are_locked_in_the_order_of_their_jobs() {
    block_on(async {
        let db = TestDb::postgres().await;
        let acme = yard(&db.store, "acme").await;
        // The job with the higher id starts first.
        let two = jobs(&acme, 2);
        for (job, second) in [(&two[1], 1), (&two[0], 5)] {
            enqueue(&db.store, std::slice::from_ref(job)).await;
            assert_eq!(claim(&db.store, &acme, 1, at(second)).await.0[0].job_id, job.id);
        }
        let (low, high) = (two[0].id, two[1].id);
        assert!(low < high);
        let of_holder = async { writes!(db.store, |tx| tx.leases_of_holder(acme.holder).await.map(drop)) };
        check_lock_order(&db, (low, high), of_holder).await;
        let runs = acme.sent(vec![(high, 1, 7), (low, 1, 8)]);
        let started = async { writes!(db.store, |tx| tx.lease_started(&runs).await.map(drop)) };
        check_lock_order(&db, (low, high), started).await;
        let key = QuotaKey { org: Some(acme.org), kind: QuotaKind::Org, subject: String::new(), host: None };
        let limit = async {
            writes!(db.store, |tx| {
                tx.quota_put(&key, id(), Some(1), None, T0).await?;
                let quota = tx.quota_get(&key).await?.expect("exists");
                tx.quota_recount(&quota).await.map(drop)
            })
        };
        check_lock_order(&db, (low, high), limit).await;
        let (definition, host) = (acme.definition, acme.host);
        let locked = writes!(db.store, |tx| tx.quota_leases_on_host_lock(definition, host).await);
        assert!(locked.expect("locks"), "no other transaction has locked one");
    });
}
