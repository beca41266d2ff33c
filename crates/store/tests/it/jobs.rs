//! Reading jobs: the view in every state, lists, runs and redrives.

use domain::{
    Id, JobId,
    job::{EndReason, JobStatus, RunStatus, WaitReason},
    lane::{LaneKey, Target, TargetKind},
};
use serde_json::json;
use store::{
    Error, Store,
    holder::HolderRelease,
    insert::{EndedRun, NewJob, Outcome, Place},
    job::JobNow,
};

use crate::{
    reads,
    seed::{T0, Yard, at, claim, ended, enqueue, finish, id, job, jobs, lane_key, outcome, place, yard},
    writes,
};

const NEWEST: JobId = JobId::from_bytes([0xff; 16]);

async fn get(store: &Store, yard: &Yard, id: JobId) -> JobNow {
    let org = yard.org;
    let one = reads!(store, |tx| tx.job_get(org, id).await).expect("exists");
    let many = reads!(store, |tx| tx.jobs_by_id(org, &[id]).await);
    assert_eq!(many, std::slice::from_ref(&one), "`job_get` and `jobs_by_id` return the same job");
    let locked = writes!(store, |tx| tx.job_get_locked(org, id).await).expect("reads");
    assert_eq!(locked, Some(one.clone()));
    one
}

/// Cancels a waiting job as the hub does: with a new fence.
async fn cancel(store: &Store, yard: &Yard, id: JobId, now: u32) {
    let org_id = yard.org;
    writes!(store, |tx| {
        let mut places = tx.ready_take(&[id]).await?;
        places.extend(tx.waiting_take(&[id]).await?);
        let place = places.pop().expect("the job waits");
        tx.outcome_insert(&[Outcome {
            job_id: id,
            fence: place.fence + 1,
            org_id,
            status: JobStatus::Canceled,
            reason: Some(EndReason::Asked),
            finished_at: at(now),
        }])
        .await
    })
    .expect("cancels");
}

async fn redrive(store: &Store, yard: &Yard, id: JobId, payload: Option<serde_json::Value>, now: u32) {
    let before = get(store, yard, id).await;
    let place =
        Place { job_id: id, lane_id: before.lane_id, priority: before.priority, due_at: at(now), fence: before.fence };
    writes!(store, |tx| {
        tx.redrive_insert(id, before.fence, payload.map(|payload| (payload, None)), "bo", at(now)).await?;
        tx.ready_insert(&[place]).await
    })
    .expect("redrives");
}

testkit::db_test!(queued_job_shows_its_lane_and_wait_reason, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let (ready, later, backoff) = (job(&acme), job(&acme), job(&acme));
    enqueue(&db.store, std::slice::from_ref(&ready)).await;
    let (new, places) =
        (vec![later.clone(), backoff.clone()], (place(&later, 0), Place { fence: 2, ..place(&backoff, 2) }));
    let due = (Place { due_at: at(60), priority: 7, ..places.0 }, Place { due_at: at(30), ..places.1 });
    writes!(db.store, |tx| {
        tx.job_insert(&new).await?;
        tx.waiting_insert(&[due.0], WaitReason::Later).await?;
        tx.waiting_insert(&[due.1], WaitReason::RetryBackoff).await
    })
    .expect("inserts");
    let now = get(&db.store, &acme, ready.id).await;
    assert_eq!((now.status, now.parked, now.fence, now.redriven_at), (JobStatus::Queued, None, 0, 0));
    assert_eq!((now.end_reason, now.finished_at, &now.lease, &now.last), (None, None, &None, &None));
    assert_eq!((now.target_kind, now.target.as_str(), now.limit_key.as_str()), (TargetKind::Queue, "default", ""));
    assert_eq!((now.definition_key.as_str(), &now.host_name, &now.host_labels), ("deploy-acme", &None, &None));
    assert_eq!((now.first_started_at, now.heard_at, now.target_name), (None, None, None));
    let now = get(&db.store, &acme, later.id).await;
    assert_eq!((now.status, now.parked), (JobStatus::Queued, Some((WaitReason::Later, at(60)))));
    assert_eq!(now.priority, 7, "the priority in the lane counts, not the requested one");
    let now = get(&db.store, &acme, backoff.id).await;
    assert_eq!((now.status, now.parked, now.fence), (JobStatus::Queued, Some((WaitReason::RetryBackoff, at(30))), 2));
});

testkit::db_test!(running_job_shows_its_run, |db| async move {
    use store::session::NewSession;
    let acme = yard(&db.store, "acme").await;
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let session = NewSession {
        host_id: acme.host,
        hub_id: id(),
        token_hash: crate::seed::hash(1),
        incarnation: "run-1".into(),
        boot_id: "boot".into(),
        runner_version: "0.1.0".into(),
        address: "10.0.0.5".into(),
        clock_skew_ms: 0,
    };
    writes!(db.store, |tx| tx.host_session_open(&session, at(2)).await).expect("opens");
    let lease = claim(&db.store, &acme, 1, at(1)).await.0[0].clone();
    let started = writes!(db.store, |tx| tx.lease_started(&acme.sent(vec![(new.id, 1, 4711)])).await);
    assert_eq!(started.expect("notes"), 1);
    assert!(writes!(db.store, |tx| tx.lease_cancel(new.id, 1, "asked", at(5)).await).expect("asks"));
    let now = get(&db.store, &acme, new.id).await;
    let run = now.lease.clone().expect("it runs");
    assert_eq!((now.status, now.parked, now.fence, now.finished_at), (JobStatus::Running, None, 1, None));
    assert_eq!((run.run_id, run.holder_id, run.epoch, run.started_at), (lease.run_id, acme.holder, 1, at(1)));
    assert_eq!((run.pid, run.cancel_at, run.is_held), (Some(4711), Some(at(5)), false));
    assert_eq!((now.host_name.as_deref(), now.heard_at), (Some("web-1"), Some(at(2))));
    assert_eq!(now.host_labels.expect("the host's").to_string(), "env=prod");
    let runs = reads!(db.store, |tx| tx.runs_of_job(acme.org, new.id).await);
    assert_eq!((runs.len(), runs[0].status, runs[0].no, runs[0].finished_at), (1, RunStatus::Running, 1, None));
    assert_eq!((runs[0].id, runs[0].pid, runs[0].host_name.as_deref()), (lease.run_id, Some(4711), Some("web-1")));

    // Its holder is silent: the job shows as queued, and the lease stays with the holder.
    let silent = reads!(db.store, |tx| tx.leases_silent(at(50), 10).await).pop().expect("is silent");
    assert!(writes!(db.store, |tx| tx.lease_hold(&silent, at(60)).await).expect("holds"));
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!((now.status, now.parked), (JobStatus::Queued, Some((WaitReason::Held, at(60)))));
    assert!(now.lease.expect("is kept").is_held);
});

testkit::db_test!(outcome_sets_the_status_of_a_job, |db| async move {
    let acme = yard(&db.store, "acme").await;
    for (run, status) in [
        (RunStatus::Succeeded, JobStatus::Succeeded),
        (RunStatus::Failed, JobStatus::Failed),
        (RunStatus::Timeout, JobStatus::DeadLetter),
        (RunStatus::Canceled, JobStatus::Canceled),
    ] {
        let new = job(&acme);
        enqueue(&db.store, std::slice::from_ref(&new)).await;
        let leases = claim(&db.store, &acme, 1, at(1)).await.0;
        finish(&db.store, &leases, (run, Some(status)), at(9)).await;
        let now = get(&db.store, &acme, new.id).await;
        assert_eq!((now.status, now.finished_at, now.end_reason, now.parked), (status, Some(at(9)), None, None));
        let last = now.last.expect("has run");
        assert_eq!((last.id, last.no, last.status, last.holder_id), (leases[0].run_id, 1, run, acme.holder));
        assert_eq!((last.started_at, last.finished_at, now.first_started_at), (at(1), at(9), Some(at(1))));
        assert_eq!((now.lease, now.host_name.as_deref()), (None, Some("web-1")), "the host that ran it last");
        let over = reads!(db.store, |tx| tx.job_ids_over(acme.org, status, NEWEST, 10).await);
        assert_eq!(over, [new.id]);
    }
});

testkit::db_test!(succeeded_run_implies_the_jobs_outcome, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let both = jobs(&acme, 2);
    let mut ids: Vec<JobId> = both.iter().map(|job| job.id).collect();
    ids.sort();
    enqueue(&db.store, &both).await;
    let leases = claim(&db.store, &acme, 2, at(1)).await.0;
    finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(2)).await;
    // As earlier versions stored it: with an outcome row.
    let again = leases.iter().find(|lease| lease.job_id == ids[1]).expect("exists").clone();
    writes!(db.store, |tx| tx.outcome_insert(&[outcome(&again, JobStatus::Succeeded, None, at(2))]).await)
        .expect("writes");
    let over = reads!(db.store, |tx| tx.job_ids_over(acme.org, JobStatus::Succeeded, NEWEST, 10).await);
    assert_eq!(over, [ids[1], ids[0]], "each once, newest first");
    let over = reads!(db.store, |tx| tx.job_ids_over(acme.org, JobStatus::Succeeded, NEWEST, 1).await);
    assert_eq!(over, [ids[1]]);
    let newest = ids[1];
    let over = reads!(db.store, |tx| tx.job_ids_over(acme.org, JobStatus::Succeeded, newest, 10).await);
    assert_eq!(over, [ids[0]], "older jobs only");
    let beta = yard(&db.store, "beta").await;
    assert!(reads!(db.store, |tx| tx.job_ids_over(beta.org, JobStatus::Succeeded, NEWEST, 10).await).is_empty());
    let late = at(1_000_000);
    let old = reads!(db.store, |tx| tx.jobs_old(acme.org, JobStatus::Succeeded, late, late, 10).await);
    assert_eq!(old, ids, "each once, oldest first");
    assert_eq!(reads!(db.store, |tx| tx.jobs_old(acme.org, JobStatus::Succeeded, late, late, 1).await), ids[..1]);
    assert!(reads!(db.store, |tx| tx.jobs_old(acme.org, JobStatus::Succeeded, late, at(2), 10).await).is_empty());

    for id in ids {
        // A redriven job has not ended; canceled then, it has not succeeded; nor if its next run fails.
        redrive(&db.store, &acme, id, None, 3).await;
        let now = get(&db.store, &acme, id).await;
        assert_eq!((now.status, now.fence, now.finished_at), (JobStatus::Queued, 1, None));
        assert_eq!(now.last.expect("its past").status, RunStatus::Succeeded);
        cancel(&db.store, &acme, id, 4).await;
        let now = get(&db.store, &acme, id).await;
        assert_eq!((now.status, now.fence, now.finished_at), (JobStatus::Canceled, 2, Some(at(4))));
        assert_eq!(now.end_reason, Some(EndReason::Asked));
        redrive(&db.store, &acme, id, None, 5).await;
        let leases = claim(&db.store, &acme, 1, at(6)).await.0;
        finish(&db.store, &leases, (RunStatus::Failed, Some(JobStatus::DeadLetter)), at(7)).await;
        let now = get(&db.store, &acme, id).await;
        assert_eq!((now.status, now.fence, now.finished_at), (JobStatus::DeadLetter, 3, Some(at(7))));
    }
    assert!(reads!(db.store, |tx| tx.jobs_old(acme.org, JobStatus::Succeeded, late, late, 10).await).is_empty());
});

testkit::db_test!(redriven_job_is_queued_and_keeps_its_runs, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = NewJob { sealed: Some(vec![9]), ..job(&acme) };
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let leases = claim(&db.store, &acme, 1, at(1)).await.0;
    finish(&db.store, &leases, (RunStatus::Failed, Some(JobStatus::DeadLetter)), at(2)).await;

    redrive(&db.store, &acme, new.id, Some(json!({"n": 2})), 3).await;
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!((now.status, now.fence, now.redriven_at), (JobStatus::Queued, 1, 1));
    assert_eq!((now.finished_at, now.end_reason, &now.payload), (None, None, &json!({"n": 2})));
    assert_eq!(now.last.expect("its past").status, RunStatus::Failed);

    // Canceled again with a new fence, so the first outcome is unchanged.
    cancel(&db.store, &acme, new.id, 4).await;
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!((now.status, now.fence, now.finished_at), (JobStatus::Canceled, 2, Some(at(4))));
    assert_eq!(now.end_reason, Some(EndReason::Asked));
    let dead = reads!(db.store, |tx| tx.job_ids_over(acme.org, JobStatus::DeadLetter, NEWEST, 10).await);
    assert_eq!(dead, [new.id], "it once ended with this status");

    // Redriven without a new payload: the edited payload is kept.
    redrive(&db.store, &acme, new.id, None, 5).await;
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!((now.status, now.fence, now.redriven_at), (JobStatus::Queued, 2, 2));
    assert_eq!(now.payload, json!({"n": 2}), "the edit survives the next redrive");
    let (leases, claimed) = claim(&db.store, &acme, 1, at(6)).await;
    assert_eq!((leases[0].fence, &claimed[0].payload), (3, &json!({"n": 2})));
    assert_eq!(get(&db.store, &acme, new.id).await.status, JobStatus::Running);
    finish(&db.store, &leases, (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(7)).await;
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!((now.status, now.finished_at, now.fence), (JobStatus::Succeeded, Some(at(7)), 3));
    assert_eq!(now.first_started_at, Some(at(1)));
    let runs = reads!(db.store, |tx| tx.runs_of_job(acme.org, new.id).await);
    assert_eq!(
        runs.iter().map(|run| (run.no, run.status)).collect::<Vec<_>>(),
        [(1, RunStatus::Failed), (3, RunStatus::Succeeded)]
    );
    let twice = writes!(db.store, |tx| tx.redrive_insert(new.id, 2, None, "bo", at(8)).await);
    assert!(matches!(twice, Err(Error::UniqueViolation(_))), "one redrive per fence");
});

testkit::db_test!(job_without_runs_is_canceled_and_redriven, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    for round in 0..3 {
        cancel(&db.store, &acme, new.id, 10 + round).await;
        let now = get(&db.store, &acme, new.id).await;
        assert_eq!((now.status, now.finished_at), (JobStatus::Canceled, Some(at(10 + round))));
        redrive(&db.store, &acme, new.id, None, 20 + round).await;
        let now = get(&db.store, &acme, new.id).await;
        assert_eq!((now.status, now.end_reason, &now.payload), (JobStatus::Queued, None, &json!({"n": 1})));
    }
});

testkit::db_test!(run_is_read_back_as_reported, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let beta = yard(&db.store, "beta").await;
    enqueue(&db.store, &jobs(&acme, 3)).await;
    let leases = claim(&db.store, &acme, 3, at(1)).await.0;
    let full = EndedRun {
        pid: Some(12),
        exit_code: Some(-1),
        signal: Some(9),
        error_text: Some("killed \"by\" \\ 'ö'".into()),
        stdout_tail: Some("123".into()),
        stderr_tail: Some(String::new()),
        output: Some(json!({"a": [1, null, "x"]})),
        ..ended(&leases[0], RunStatus::Failed, at(3))
    };
    let text = EndedRun { output: Some(json!("null")), ..ended(&leases[1], RunStatus::Crashed, at(4)) };
    let null = EndedRun { output: Some(json!(null)), ..ended(&leases[2], RunStatus::Lost, at(5)) };
    let rows = vec![full.clone(), text.clone(), null.clone()];
    writes!(db.store, |tx| tx.run_insert(&rows).await).expect("inserts");
    let (job, other) = (full.job_id, null.job_id);
    let keys: Vec<_> = leases.iter().map(store::insert::Lease::key).collect();
    assert_eq!(writes!(db.store, |tx| tx.lease_take(&keys).await).expect("ends").len(), leases.len());
    let run = reads!(db.store, |tx| tx.runs_of_job(acme.org, job).await).pop().expect("exists");
    assert_eq!((run.id, run.job_id, run.no, run.holder_id), (full.id, job, 1, acme.holder));
    assert_eq!((run.status, run.started_at, run.finished_at), (RunStatus::Failed, at(1), Some(at(3))));
    assert_eq!((run.pid, run.exit_code, run.signal), (Some(12), Some(-1), Some(9)));
    assert_eq!(
        (run.error_text, run.stdout_tail, run.stderr_tail),
        (full.error_text, full.stdout_tail, full.stderr_tail)
    );
    assert_eq!(run.output, full.output);
    let last = get(&db.store, &acme, job).await.last.expect("has run");
    assert_eq!((last.exit_code, last.error_text), (Some(-1), run.host_name.map(|_| "killed \"by\" \\ 'ö'".to_owned())));
    let none = reads!(db.store, |tx| tx.runs_of_job(acme.org, other).await).pop().expect("exists");
    assert_eq!((none.output, none.error_text, none.exit_code), (None, None, None), "null columns");
    assert!(reads!(db.store, |tx| tx.runs_of_job(beta.org, job).await).is_empty(), "a job of another org");
    let of_host = reads!(db.store, |tx| tx.runs_of_holder(acme.holder, 2).await);
    assert_eq!(of_host.iter().map(|run| run.status).collect::<Vec<_>>(), [RunStatus::Lost, RunStatus::Crashed]);
    assert_eq!(of_host[1].output, Some(json!("null")), "the text `null`, not a null");
});

testkit::db_test!(job_lists_page_within_one_org, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let (ours, theirs) = (jobs(&acme, 7), jobs(&beta, 2));
    enqueue(&db.store, &ours).await;
    enqueue(&db.store, &theirs).await;
    let ids: Vec<JobId> = ours.iter().rev().map(|job| job.id).collect();
    assert_eq!(reads!(db.store, |tx| tx.job_ids_newest(acme.org, NEWEST, 3).await), ids[..3]);
    let before = ids[2];
    assert_eq!(reads!(db.store, |tx| tx.job_ids_newest(acme.org, before, 100).await), ids[3..]);
    let (from, to) = (ours[1].id, ours[3].id);
    let between = reads!(db.store, |tx| tx.job_ids_between(acme.org, from, to, 10).await);
    assert_eq!(between, ours[1..=3].iter().map(|job| job.id).collect::<Vec<_>>());
    assert_eq!(reads!(db.store, |tx| tx.job_ids_between(acme.org, from, to, 2).await).len(), 2);
    assert!(reads!(db.store, |tx| tx.job_ids_between(beta.org, from, to, 10).await).is_empty());
    claim(&db.store, &acme, 4, at(1)).await;
    let running = reads!(db.store, |tx| tx.job_ids_running(acme.org, NEWEST, 3).await);
    assert_eq!(running, [3, 2, 1].map(|n: usize| ours[n].id));
    let first = ours[1].id;
    assert_eq!(reads!(db.store, |tx| tx.job_ids_running(acme.org, first, 3).await), [ours[0].id]);
    assert!(reads!(db.store, |tx| tx.job_ids_running(beta.org, NEWEST, 3).await).is_empty());

    let asked: Vec<JobId> = vec![theirs[0].id, ours[2].id, ours[5].id, id()];
    let seen = asked.clone();
    let found = reads!(db.store, |tx| tx.jobs_by_id(acme.org, &seen).await);
    assert_eq!(found.iter().map(|job| job.id).collect::<Vec<_>>(), [ours[5].id, ours[2].id], "newest first");
    let foreign = theirs[0].id;
    assert!(reads!(db.store, |tx| tx.job_get(acme.org, foreign).await).is_none());
    assert!(writes!(db.store, |tx| tx.job_get_locked(acme.org, foreign).await).expect("reads").is_none());
    let mut owners = reads!(db.store, |tx| tx.job_owners(&asked).await);
    owners.sort();
    assert_eq!(owners.len(), 3);
    assert!(owners.contains(&(theirs[0].id, beta.org, "deploy-beta".to_owned())));
    assert!(owners.contains(&(ours[2].id, acme.org, "deploy-acme".to_owned())));
});

testkit::db_test!(queued_oldest_returns_the_longest_claimable_job, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    assert_eq!(reads!(db.store, |tx| tx.queued_oldest(acme.org).await), None);
    enqueue(
        &db.store,
        &[NewJob { scheduled_for: at(7), ..job(&acme) }, NewJob { scheduled_for: at(5), priority: 200, ..job(&acme) }],
    )
    .await;
    assert_eq!(reads!(db.store, |tx| tx.queued_oldest(acme.org).await), Some(at(5)));
    assert_eq!(reads!(db.store, |tx| tx.queued_oldest(beta.org).await), None);
});

testkit::db_test!(job_bound_to_a_host_shows_the_host, |db| async move {
    use domain::lane::{LaneKey, Target};
    let acme = yard(&db.store, "acme").await;
    let key = LaneKey {
        org: acme.org,
        target: Target::Host(acme.host),
        definition: acme.definition,
        limit_key: "shop".into(),
    };
    let lane = writes!(db.store, |tx| tx.lane_put(&key, id(), T0).await).expect("puts");
    let new = NewJob { lane_id: lane, ..job(&acme) };
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!(
        (now.target_kind, now.target, now.limit_key.as_str()),
        (TargetKind::Host, acme.host.to_string(), "shop")
    );
    assert_eq!((now.target_name.as_deref(), now.host_name.as_deref()), (Some("web-1"), Some("web-1")));
    // Moved: the current lane counts, not the first one.
    let moved = Place { lane_id: acme.lane, priority: 3, ..place(&new, 0) };
    writes!(db.store, |tx| {
        tx.ready_take(&[new.id]).await?;
        tx.ready_insert(&[moved]).await
    })
    .expect("moves");
    let now = get(&db.store, &acme, new.id).await;
    assert_eq!((now.lane_id, now.priority, now.target.as_str()), (acme.lane, 3, "default"));
    assert!(writes!(db.store, |tx| tx.ready_take(&[Id::from_bytes([1; 16])]).await).expect("takes").is_empty());
});

testkit::db_test!(retention_deletes_old_jobs_with_all_their_rows, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    for yard in [&acme, &beta] {
        enqueue(&db.store, &jobs(yard, 4)).await;
        let (leases, _) = claim(&db.store, yard, 3, T0).await;
        finish(&db.store, &leases[..2], (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(1)).await;
    }
    let old_at = |org, status, made: u32, ended: u32| {
        let store = db.store.clone();
        async move { reads!(store, |tx| tx.jobs_old(org, status, at(made), at(ended), 10).await) }
    };
    let old = old_at(acme.org, JobStatus::Succeeded, 9, 9).await;
    assert_eq!(old.len(), 2);
    assert!(old_at(acme.org, JobStatus::Failed, 9, 9).await.is_empty());
    assert!(old_at(acme.org, JobStatus::Succeeded, 0, 9).await.is_empty(), "created since");
    assert!(old_at(acme.org, JobStatus::Succeeded, 9, 1).await.is_empty(), "ended since");
    let first = old[0];
    // A redriven job is not old.
    writes!(db.store, |tx| tx.redrive_insert(first, 1, None, "ana", at(2)).await).expect("redrives");
    let old = old_at(acme.org, JobStatus::Succeeded, 9, 9).await;
    assert_eq!(old.len(), 1);
    let gone = old[0];
    assert_eq!(writes!(db.store, |tx| tx.jobs_forget(&[gone]).await).expect("forgets"), 1);
    assert!(reads!(db.store, |tx| tx.job_get(acme.org, gone).await).is_none());
    assert!(reads!(db.store, |tx| tx.runs_of_job(acme.org, gone).await).is_empty());
    assert!(reads!(db.store, |tx| tx.job_get(acme.org, first).await).is_some());
    assert_eq!(old_at(beta.org, JobStatus::Succeeded, 9, 9).await.len(), 2);
});

testkit::db_test!(host_lists_its_runs_and_bound_jobs, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let host = acme.host;
    let bound = LaneKey { target: Target::Host(host), ..lane_key(acme.org, acme.definition, "default") };
    let lane = writes!(db.store, |tx| tx.lane_put(&bound, id(), T0).await).expect("puts");
    assert!(reads!(db.store, |tx| tx.jobs_bound(host, 10).await).is_empty());
    let tied = jobs(&Yard { lane, ..acme }, 3);
    enqueue(&db.store, &tied).await;
    enqueue(&db.store, &jobs(&acme, 2)).await;
    let aside = job(&Yard { lane, ..acme });
    let waits = place(&aside, 0);
    writes!(db.store, |tx| tx.waiting_insert(&[waits], WaitReason::Later).await).expect("inserts");
    let mut expected: Vec<JobId> = tied.iter().map(|job| job.id).chain([aside.id]).collect();
    expected.sort();
    let mut found = reads!(db.store, |tx| tx.jobs_bound(host, 10).await);
    found.sort();
    assert_eq!(found, expected);
    for limit in 1..=4 {
        assert_eq!(reads!(db.store, |tx| tx.jobs_bound(host, limit).await).len(), limit as usize);
    }
    assert!(reads!(db.store, |tx| tx.jobs_bound(beta.host, 10).await).is_empty());

    let leases = claim(&db.store, &acme, 2, at(1)).await.0;
    let now = reads!(db.store, |tx| tx.host_runs_now(acme.holder, 10).await);
    assert_eq!(now.iter().map(|run| run.job_id).collect::<Vec<_>>(), [leases[0].job_id, leases[1].job_id]);
    assert_eq!((now[0].status, now[0].org_slug.as_deref()), (RunStatus::Running, Some("acme")));
    finish(&db.store, &leases[..1], (RunStatus::Failed, Some(JobStatus::Failed)), at(2)).await;
    finish(&db.store, &leases[1..], (RunStatus::Succeeded, Some(JobStatus::Succeeded)), at(3)).await;
    let last = reads!(db.store, |tx| tx.host_runs_last(acme.holder, 10).await);
    let seen: Vec<_> = last.iter().map(|run| (run.job_id, run.status, run.definition_key.as_deref())).collect();
    let key = Some("deploy-acme");
    assert_eq!(
        seen,
        [(leases[1].job_id, RunStatus::Succeeded, key), (leases[0].job_id, RunStatus::Failed, key)],
        "newest first"
    );
    assert!(reads!(db.store, |tx| tx.host_runs_last(beta.holder, 10).await).is_empty());
    for ends in ["..x", "x", &"x.".repeat(20)] {
        let given = HolderRelease { holder: acme.holder, count: 0, ends: ends.to_owned() };
        writes!(db.store, |tx| tx.holder_release(&[given], &[]).await).expect("notes");
    }
    let ends = reads!(db.store, |tx| tx.host_get(acme.org, acme.host).await).expect("exists").ends;
    assert_eq!(ends, "x.".repeat(10), "the last twenty");
});

testkit::db_test!(removed_org_is_purged, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    for yard in [&acme, &beta] {
        enqueue(&db.store, &jobs(yard, 5)).await;
        let org = yard.org;
        writes!(db.store, |tx| {
            tx.dedupe_take(org, "key", id(), at(9), T0).await?;
            tx.idempotency_put(org, "key", [1; 32], &json!([]), at(9), T0).await?;
            let tally = store::tally::Tally { queued: 5, ..Default::default() };
            tx.tally_add(&[(org, tally)], &mut || id::<domain::id::kind::Audit>().to_bytes()).await
        })
        .expect("writes");
    }
    let all = reads!(db.store, |tx| tx.jobs_of_org(acme.org, 10).await);
    assert_eq!((all.len(), reads!(db.store, |tx| tx.jobs_of_org(acme.org, 2).await).len()), (5, 2));
    writes!(db.store, |tx| {
        tx.jobs_unqueue(&all).await?;
        tx.jobs_forget(&all).await
    })
    .expect("forgets");
    assert_eq!(writes!(db.store, |tx| tx.org_purge_rows(acme.org, 100).await).expect("purges"), 3);
    assert_eq!(writes!(db.store, |tx| tx.org_purge_rows(acme.org, 100).await).expect("purges"), 0);
    assert!(reads!(db.store, |tx| tx.jobs_of_org(acme.org, 10).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.lanes_ready(10).await), [beta.lane], "lanes of another org stay");
    assert_eq!(reads!(db.store, |tx| tx.tally_sum(beta.org).await).queued, 5);
});

testkit::db_test!(batch_stores_its_progress, |db| async move {
    use domain::batch::{BatchAction, BatchStatus};
    use store::batch::Batch;
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let new = |org, secs| Batch {
        id: id(),
        org_id: org,
        action: BatchAction::Retry,
        filter: "status:failed \"x\"".into(),
        options: json!({"reason": "ö"}),
        status: BatchStatus::Running,
        before_id: NEWEST,
        examined: 0,
        matched: 0,
        done: 0,
        failed: 0,
        failures: json!([]),
        created_by: "ana".into(),
        created_at: at(secs),
        updated_at: at(secs),
        finished_at: None,
    };
    let (first, second, other) = (new(acme.org, 1), new(acme.org, 2), new(beta.org, 3));
    for batch in [first.clone(), second.clone(), other.clone()] {
        writes!(db.store, |tx| tx.batch_insert(&batch).await).expect("inserts");
    }
    let (one, two) = (first.id, second.id);
    assert_eq!(reads!(db.store, |tx| tx.batch_get(acme.org, one).await), Some(first.clone()));
    assert_eq!(reads!(db.store, |tx| tx.batch_get(beta.org, one).await), None, "the batch of another org");
    let newest = Id::from_bytes([0xff; 16]);
    assert_eq!(reads!(db.store, |tx| tx.batch_list(acme.org, newest, 9).await), [second.clone(), first.clone()]);
    assert_eq!(reads!(db.store, |tx| tx.batch_list(acme.org, two, 9).await), std::slice::from_ref(&first));
    // The batch that was updated longest ago is next.
    assert_eq!(writes!(db.store, |tx| tx.batch_take().await).expect("takes"), Some(first.clone()));
    let step = Batch { examined: 500, matched: 9, done: 8, failed: 1, updated_at: at(10), ..first.clone() };
    let written = step.clone();
    assert!(writes!(db.store, |tx| tx.batch_step(&written).await).expect("steps"));
    assert_eq!(reads!(db.store, |tx| tx.batch_get(acme.org, one).await), Some(step.clone()));
    assert_eq!(writes!(db.store, |tx| tx.batch_take().await).expect("takes").map(|batch| batch.id), Some(two));
    assert!(
        !writes!(db.store, |tx| tx.batch_stop(beta.org, one, at(11)).await).expect("runs"),
        "the batch of another org"
    );
    assert!(writes!(db.store, |tx| tx.batch_stop(acme.org, one, at(11)).await).expect("stops"));
    assert!(!writes!(db.store, |tx| tx.batch_stop(acme.org, one, at(12)).await).expect("runs"), "it has ended");
    let late = Batch { done: 99, ..step };
    assert!(!writes!(db.store, |tx| tx.batch_step(&late).await).expect("runs"), "it was stopped");
    let stopped = reads!(db.store, |tx| tx.batch_get(acme.org, one).await).expect("exists");
    assert_eq!((stopped.status, stopped.done, stopped.finished_at), (BatchStatus::Stopped, 8, Some(at(11))));
    assert_eq!(writes!(db.store, |tx| tx.batch_prune(at(11), 9).await).expect("prunes"), 0);
    assert_eq!(writes!(db.store, |tx| tx.batch_prune(at(12), 9).await).expect("prunes"), 1, "only ended batches");
});

testkit::db_test!(batch_take_skips_batches_locked_by_another_hub, |db| async move {
    use domain::batch::{BatchAction, BatchStatus};
    let acme = yard(&db.store, "acme").await;
    let batch = store::batch::Batch {
        id: id(),
        org_id: acme.org,
        action: BatchAction::Cancel,
        filter: String::new(),
        options: json!({}),
        status: BatchStatus::Running,
        before_id: NEWEST,
        examined: 0,
        matched: 0,
        done: 0,
        failed: 0,
        failures: json!([]),
        created_by: "ana".into(),
        created_at: T0,
        updated_at: T0,
        finished_at: None,
    };
    let (org, id) = (batch.org_id, batch.id);
    writes!(db.store, |tx| tx.batch_insert(&batch).await).expect("inserts");
    // Each step adds one to the value it read: concurrent steps must not lose updates.
    let steps = (0..8).map(|_| {
        let store = db.store.clone();
        async move {
            writes!(store, |tx| {
                let Some(mut batch) = tx.batch_take().await? else { return Ok(0) };
                batch.done += 1;
                Ok(i64::from(tx.batch_step(&batch).await?))
            })
            .expect("steps")
        }
    });
    let stepped: i64 = futures_util::future::join_all(steps).await.into_iter().sum();
    let done = reads!(db.store, |tx| tx.batch_get(org, id).await).expect("exists").done;
    assert!(stepped >= 1);
    assert_eq!(done, stepped);
});
