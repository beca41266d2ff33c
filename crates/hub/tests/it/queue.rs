//! The queue as workers see it: order, limits, fences, retries, lost workers.

use std::collections::HashSet;

use axum::http::StatusCode;
use domain::{JobId, quota::QuotaKind};
use hub::loops::LostRunReaper;
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use store::quota::QuotaKey;

use crate::queue_fixture::{Fixture, QUEUE, Worker, text, work};

/// Longer than a holder may be silent.
const LOST: u32 = 340;

testkit::db_test!(claims_return_jobs_in_priority_order, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let mut expected = Vec::new();
    for (priority, n) in [(100, 1), (50, 2), (100, 3), (-5, 4), (50, 5)] {
        expected.push((priority, n, fixture.job(json!({"priority": priority, "payload": {"n": n}})).await));
        fixture.test.pass(1);
    }
    expected.sort();
    let elsewhere = fixture.job(json!({"target": {"queue": "elsewhere"}})).await;
    let first = fixture.claim(&worker, 2).await;
    assert_eq!(first.len(), 2, "at most the requested number");
    let rest = fixture.claim(&worker, 100).await;
    let claimed: Vec<String> = first.iter().chain(&rest).map(|job| text(&job["id"])).collect();
    assert_eq!(claimed, expected.into_iter().map(|(_, _, id)| id).collect::<Vec<_>>());
    assert_eq!(first[0]["payload"], json!({"n": 4}));
    assert_eq!((&first[0]["fence"], &first[0]["definition_key"]), (&json!(1), &json!("work")));
    let other = fixture.claim_with(&worker, json!({"queues": ["elsewhere"]})).await.json();
    assert_eq!(other["jobs"][0]["id"], json!(elsewhere));
    assert_eq!((&other["epoch"], &other["lease_seconds"]), (&json!(1), &json!(300)));

    let workers = fixture.get("/api/v1/admin/workers").await;
    let mine = workers["items"].as_array().and_then(|all| all.iter().find(|one| one["worker_id"] == "w")).cloned();
    let mine = mine.expect("it is listed");
    assert_eq!((&mine["running_count"], &mine["stale"], &mine["org"]), (&json!(6), &json!(false), &json!("default")));
    for bad in [json!({"worker_id": ""}), json!({"queues": ["No Queue"]}), json!({"request_id": "a\nb"})] {
        assert_eq!(fixture.claim_with(&worker, bad).await.status.as_u16(), 422);
    }
});

testkit::db_test!(claim_waits_for_a_job, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let wait = fixture.claim_with(&worker, json!({"wait_s": 30}));
    let make = async {
        // When the worker is listed, its claim is waiting.
        for _ in 0..1_000 {
            let workers = fixture.get("/api/v1/admin/workers").await;
            if workers["items"].as_array().is_some_and(|all| all.iter().any(|one| one["worker_id"] == "w")) {
                break;
            }
            tokio::task::yield_now().await;
        }
        fixture.job(json!({})).await
    };
    let (answer, id) = tokio::join!(wait, make);
    assert_eq!(answer.json()["jobs"][0]["id"], json!(id));
});

testkit::db_test!(repeated_claim_request_returns_the_same_jobs, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    for n in 0..6 {
        fixture.job(json!({"payload": {"n": n}})).await;
    }
    let claim = |id: &'static str| {
        let (fixture, worker) = (&fixture, &worker);
        async move { fixture.claim_with(worker, json!({"max": 2, "request_id": id})).await.json()["jobs"].clone() }
    };
    let a = claim("a").await;
    assert_eq!(claim("a").await, a);
    fixture.test.pass(1);
    let b = claim("b").await;
    assert_eq!(b.as_array().map(Vec::len), Some(2));
    assert_eq!(claim("b").await, b, "without the jobs of the earlier request");
    fixture.complete(&worker, &b[0]).await;
    assert_eq!(claim("b").await, json!([b[1]]), "only the jobs that still run");
    fixture.test.pass(1);
    let rest = fixture.claim(&worker, 9).await;
    assert_eq!(rest.len(), 2);
    assert_eq!(claim("b").await, json!([]), "a later claim replaced it");
});

testkit::db_test!(only_the_holder_can_report_a_run, |db| async move {
    let fixture = Fixture::new(db).await;
    let (worker, other) = (fixture.worker("w").await, fixture.worker("other").await);
    let far = fixture.test.org("far").await;
    let foreign = fixture.worker_of(far, "foreign").await;
    let impostor = Worker { name: worker.name.clone(), who: other.who.clone() };
    for one in [&other, &foreign] {
        fixture.claim(one, 1).await;
    }
    let id = fixture.job(json!({})).await;
    let claimed = fixture.claim_one(&worker).await;
    let wrong_fence = json!({"id": id, "fence": 7});
    for what in ["heartbeat", "complete", "fail"] {
        let more = if what == "fail" { json!({"error": "x"}) } else { json!({}) };
        for (who, job, status, code) in [
            (&other, &claimed, 409, "run_stale"),
            (&worker, &wrong_fence, 409, "run_stale"),
            (&impostor, &claimed, 404, "not_found"),
            (&foreign, &claimed, 404, "not_found"),
        ] {
            let answer = fixture.report(who, job, what, more.clone()).await;
            assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{what} by {}", who.name);
        }
        assert_eq!(fixture.state(&id).await.0, "running");
    }
    assert_eq!(fixture.evidence(&id).await, 4, "two completes and two fails of other holders; none of another org");

    // A repeated report counts once.
    fixture.complete(&worker, &claimed).await;
    fixture.complete(&worker, &claimed).await;
    assert_eq!(fixture.evidence(&id).await, 4);
    let late = fixture.report(&worker, &claimed, "fail", json!({"error": "x"})).await;
    assert_eq!(late.code(), "run_stale");
    assert_eq!(fixture.report(&worker, &claimed, "heartbeat", json!({})).await.code(), "run_stale");
    assert_eq!(fixture.state(&id).await.0, "succeeded");
    assert_eq!(fixture.evidence(&id).await, 5);

    let id = fixture.job(json!({"max_attempts": 1})).await;
    let claimed = fixture.claim_one(&worker).await;
    assert_eq!(fixture.fail(&worker, &claimed, json!({})).await, "dead_letter");
    assert_eq!(fixture.report(&worker, &claimed, "complete", json!({})).await.code(), "run_stale");
    assert_eq!(fixture.state(&id).await.0, "dead_letter");
    let large = json!({"output": "x".repeat(70_000)});
    assert_eq!(fixture.report(&worker, &claimed, "complete", large).await.status, StatusCode::PAYLOAD_TOO_LARGE);
});

testkit::db_test!(failed_jobs_are_retried_until_attempts_are_used_up, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture
        .define(json!({
            "key": "work", "no_retry_exit_codes": [3], "max_attempts": 3,
            "backoff": {"initial_ms": 10_000, "cap_ms": 10_000, "factor": 1.0},
        }))
        .await;
    let worker = fixture.worker("w").await;
    let id = fixture.job(json!({})).await;
    for attempt in 1..=3 {
        let claimed = fixture.claim_one(&worker).await;
        assert_eq!(claimed["fence"], attempt);
        let status = fixture.fail(&worker, &claimed, json!({"exit_code": 1, "stderr_tail": "oh"})).await;
        if attempt < 3 {
            assert_eq!(status, "queued");
            let job = fixture.show(&id).await;
            assert_eq!((&job["wait_reason"], &job["last_error"]), (&json!("retry_backoff"), &json!("it broke")));
            assert!(text(&job["why"]["text"]).starts_with("the last run failed; the next attempt starts at"), "{job}");
            fixture.later(11).await;
        } else {
            assert_eq!(status, "dead_letter");
        }
    }
    let dead = fixture.show(&id).await;
    assert_eq!((&dead["attempt_count"], &dead["exit_code"]), (&json!(3), &json!(1)));
    assert_eq!(dead["why"]["text"], "gave up after 3 of 3 attempts (exit 1): it broke");

    let id = fixture.job(json!({})).await;
    let claimed = fixture.claim_one(&worker).await;
    assert_eq!(fixture.fail(&worker, &claimed, json!({"exit_code": 3})).await, "failed");
    assert!(text(&fixture.show(&id).await["why"]["text"]).starts_with("failed (exit 3): it broke"));

    // Exit code 75 (try again later): after the requested delay.
    for (failure, seconds) in
        [(json!({"exit_code": 75, "retry_after_seconds": 500}), 500), (json!({"retry_after_seconds": 200}), 200)]
    {
        let id = fixture.job(json!({})).await;
        let claimed = fixture.claim_one(&worker).await;
        assert_eq!(fixture.fail(&worker, &claimed, failure).await, "queued");
        fixture.later(seconds - 1).await;
        assert!(fixture.claim(&worker, 9).await.is_empty());
        fixture.later(2).await;
        let claimed = fixture.claim_one(&worker).await;
        assert_eq!(claimed["id"], json!(id));
        fixture.complete(&worker, &claimed).await;
    }
});

/// Four workers claim and complete until all jobs are done; returns the highest number of jobs running together.
async fn contend(fixture: &Fixture, jobs: usize) -> i64 {
    let rows: Vec<Value> = (0..jobs).map(|n| work(json!({"payload": {"n": n}, "limit_key": "gpu"}))).collect();
    let made = fixture.post("/api/v1/jobs", json!(rows)).await.json();
    assert_eq!(made["created"], json!(jobs));
    let running = std::sync::Mutex::new((0_i64, 0_i64));
    let done = std::sync::Mutex::new(HashSet::new());
    let mut workers = Vec::new();
    for name in ["a", "b", "c", "d"] {
        workers.push(fixture.worker(name).await);
    }
    let one = |worker: Worker| {
        let (running, done) = (&running, &done);
        async move {
            for _ in 0..20 * jobs {
                if done.lock().expect("no panic").len() == jobs {
                    return;
                }
                let claimed = fixture.claim(&worker, 3).await;
                {
                    let mut running = running.lock().expect("no panic");
                    running.0 += i64::try_from(claimed.len()).expect("a few");
                    running.1 = running.1.max(running.0);
                }
                for job in &claimed {
                    // Decremented before the report, so the counted number never exceeds the real one.
                    running.lock().expect("no panic").0 -= 1;
                    fixture.complete(&worker, job).await;
                    assert!(done.lock().expect("no panic").insert(text(&job["id"])), "run twice");
                }
            }
            panic!("the jobs do not finish");
        }
    };
    futures_util::future::join_all(workers.into_iter().map(one)).await;
    let seen = running.lock().expect("no panic").1;
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["counts"]["succeeded"], json!(jobs));
    seen
}

async fn limit(fixture: &Fixture, key: QuotaKey, max_running: Option<i32>, per_minute: Option<i32>) {
    let (id, now) = (fixture.test.hub.ids.next(), fixture.test.hub.now());
    fixture
        .test
        .write(move |tx| Box::pin(async move { Ok(tx.quota_put(&key, id, max_running, per_minute, now).await?) }))
        .await;
}

fn org_limit(fixture: &Fixture) -> QuotaKey {
    QuotaKey { org: Some(fixture.org), kind: QuotaKind::Org, subject: String::new(), host: None }
}

fn key_limit(fixture: &Fixture) -> QuotaKey {
    QuotaKey { org: Some(fixture.org), kind: QuotaKind::Key, subject: "gpu".into(), host: None }
}

testkit::db_test!(jobs_without_a_limit_are_not_limited, |db| async move {
    let fixture = Fixture::new(db).await;
    assert!(contend(&fixture, 200).await > 0);
});

testkit::db_test!(definition_limit_is_never_exceeded, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.patch("/api/v1/admin/jobs/definitions/work", json!({"max_running": 5})).await;
    let most = contend(&fixture, 200).await;
    assert!((1..=5).contains(&most), "{most}");
});

testkit::db_test!(org_and_key_limits_are_never_exceeded, |db| async move {
    let fixture = Fixture::new(db).await;
    limit(&fixture, org_limit(&fixture), Some(4), None).await;
    limit(&fixture, key_limit(&fixture), Some(2), None).await;
    let most = contend(&fixture, 200).await;
    assert!((1..=2).contains(&most), "{most}");
});

testkit::db_test!(starts_per_minute_are_never_exceeded, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.patch("/api/v1/admin/jobs/definitions/work", json!({"jobs_per_minute": 10})).await;
    let workers = [fixture.worker("a").await, fixture.worker("b").await];
    let rows: Vec<Value> = (0..60).map(|_| work(json!({}))).collect();
    fixture.post("/api/v1/jobs", json!(rows)).await;
    let mut begun = Vec::new();
    for second in 0..150_usize {
        let (a, b) = tokio::join!(fixture.claim(&workers[0], 3), fixture.claim(&workers[1], 3));
        begun.push(a.len() + b.len());
        let minute: usize = begun[(second + 1).saturating_sub(60)..].iter().sum();
        assert!(minute <= 10, "{minute} in the minute before second {second}");
        fixture.test.pass(1);
    }
    assert_eq!(begun.iter().sum::<usize>(), 30, "and the limit is used fully");
    let waits = fixture.get("/api/v1/jobs?status=queued&limit=1").await["items"][0]["id"].clone();
    let job = fixture.show(&text(&waits)).await;
    assert_eq!(job["wait_reason"], "rate_limit");
    assert!(
        text(&job["why"]["text"]).contains("the definition work has reached its limit of starts per minute"),
        "{job}"
    );
});

testkit::db_test!(why_explains_limits_and_pauses, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let id = fixture.job(json!({"limit_key": "gpu"})).await;
    let job = fixture.show(&id).await;
    assert_eq!(
        (&job["wait_reason"], &job["why"]["text"]),
        (&json!("no_host_matches"), &json!("no host matches queue work"))
    );
    fixture.claim_with(&worker, json!({"queues": [QUEUE], "max": 1})).await;
    let second = fixture.job(json!({"limit_key": "gpu"})).await;
    let job = fixture.show(&second).await;
    assert_eq!((&job["wait_reason"], &job["why"]["text"]), (&Value::Null, &json!("the job is about to start")));
    for (key, reason, text) in [
        (key_limit(&fixture), "at_limit", "the key gpu has reached its limit of running jobs (1)"),
        (org_limit(&fixture), "org_limit", "the org has reached its limit of running jobs (1)"),
    ] {
        limit(&fixture, key.clone(), Some(1), None).await;
        fixture.job(json!({"limit_key": "gpu"})).await;
        let third = fixture.job(json!({"limit_key": "gpu"})).await;
        let claimed = fixture.claim_one(&worker).await;
        assert!(fixture.claim(&worker, 9).await.is_empty());
        let job = fixture.show(&third).await;
        assert_eq!((&job["wait_reason"], &job["why"]["text"]), (&json!(reason), &json!(text)));
        fixture.complete(&worker, &claimed).await;
        fixture.test.write(move |tx| Box::pin(async move { Ok(tx.quota_remove(&key).await?) })).await;
        while let Some(job) = fixture.claim(&worker, 1).await.pop() {
            fixture.complete(&worker, &job).await;
        }
    }
    for (kind, subject, text) in [
        ("org", "", "the org is paused: lunch"),
        ("queue", QUEUE, "the queue work is paused: lunch"),
        ("definition", "work", "the definition work is paused: lunch"),
        ("key", "gpu", "the key gpu is paused: lunch"),
    ] {
        let pause = store::quota::Pause {
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            note: "lunch".to_owned(),
            until_at: Some(fixture.test.hub.now() + domain::Span::from_secs(60)),
            created_by: "test".to_owned(),
            created_at: fixture.test.hub.now(),
        };
        let org = fixture.org;
        fixture.test.write(move |tx| Box::pin(async move { Ok(tx.pause_put(org, &pause).await?) })).await;
        let id = fixture.job(json!({"limit_key": "gpu"})).await;
        assert!(fixture.claim(&worker, 9).await.is_empty(), "{kind}");
        let job = fixture.show(&id).await;
        assert_eq!((&job["wait_reason"], &job["why"]["text"]), (&json!("paused"), &json!(text)));
        fixture.test.pass(61);
        let claimed = fixture.claim_one(&worker).await;
        assert_eq!(claimed["id"], json!(id), "the pause has expired");
        fixture.complete(&worker, &claimed).await;
    }
});

testkit::db_test!(lost_worker_uses_no_attempt_three_times, |db| async move {
    let fixture = Fixture::new(db).await;
    let id = fixture.job(json!({"max_attempts": 1})).await;
    for lost in 1..=4 {
        let worker = fixture.worker(["a", "b", "c", "d"][lost - 1]).await;
        fixture.later(5).await;
        let claimed = fixture.claim_one(&worker).await;
        assert_eq!(claimed["fence"], json!(lost));
        fixture.watch(200).await;
        fixture.end_lost_runs().await;
        assert_eq!(fixture.state(&id).await.0, "running", "silent, but not for too long");
        if lost == 1 {
            assert_eq!(fixture.report(&worker, &claimed, "heartbeat", json!({})).await.status, StatusCode::OK);
            fixture.watch(200).await;
            fixture.end_lost_runs().await;
            assert_eq!(fixture.state(&id).await.0, "running", "it has sent a heartbeat");
        }
        fixture.watch(LOST).await;
        fixture.end_lost_runs().await;
        let job = fixture.show(&id).await;
        if lost < 4 {
            assert_eq!(job["status"], "queued", "{job}");
        } else {
            assert_eq!((&job["status"], &job["end_reason"]), (&json!("dead_letter"), &json!("host_lost")), "{job}");
        }
        assert_eq!(fixture.report(&worker, &claimed, "complete", json!({})).await.code(), "run_stale");
        assert_eq!(fixture.evidence(&id).await, lost);
    }
    let runs = fixture.get(&format!("/api/v1/jobs/{id}/attempts")).await;
    let words: Vec<String> = runs["items"].as_array().expect("runs").iter().map(|run| text(&run["status"])).collect();
    assert_eq!(words, ["lost"; 4]);
});

testkit::db_test!(failure_after_a_written_report_is_outcome_unknown, |db| async move {
    let fixture = Fixture::new(db).await;
    let id: JobId = fixture.job(json!({})).await.parse().expect("an id");
    let worker = fixture.worker("w").await;
    let claimed = fixture.claim_one(&worker).await;
    fixture.test.db.store.execute_raw("drop view job_now").await.expect("damages");
    let failed = fixture.report(&worker, &claimed, "complete", json!({})).await;
    assert_eq!((failed.status.as_u16(), failed.code()), (503, "outcome_unknown".to_owned()), "{}", failed.text);
    let lease = fixture.test.write(move |tx| Box::pin(async move { Ok(tx.lease_get(id).await?) })).await;
    assert!(lease.is_none(), "the report was written");
});

testkit::db_test!(lost_run_that_cannot_be_ended_does_not_keep_others, |db| async move {
    let fixture = Fixture::new(db).await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c"] {
        ids.push(fixture.job(json!({})).await);
        let worker = fixture.worker(name).await;
        fixture.claim_one(&worker).await;
    }
    // The first and the last lease name a definition that does not exist.
    let damage = if fixture.test.db.url.starts_with("postgres") {
        "update lease set definition_id = '00000000-0000-0000-0000-000000000000'
        where job_id <> (select job_id from lease order by job_id limit 1 offset 1)"
    } else {
        "update lease set definition_id = zeroblob(16)
        where job_id <> (select job_id from lease order by job_id limit 1 offset 1)"
    };
    assert_eq!(fixture.test.db.store.execute_raw(damage).await.expect("damages"), 2);
    fixture.watch(LOST).await;
    let pass = Pass { now: fixture.test.hub.now() };
    LostRunReaper::new(fixture.test.hub.clone()).pass(pass).await.expect_err("two runs have no definition");
    assert_eq!(fixture.state(&ids[1]).await.0, "queued");
});

testkit::db_test!(job_with_on_lost_hold_waits_for_its_holder, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "on_lost": "hold"})).await;
    let (worker, other) = (fixture.worker("w").await, fixture.worker("other").await);
    let ids = [fixture.job(json!({})).await, fixture.job(json!({})).await, fixture.job(json!({})).await];
    let claimed = fixture.claim(&worker, 3).await;
    fixture.watch(LOST).await;
    fixture.end_lost_runs().await;
    for id in &ids {
        let job = fixture.show(id).await;
        assert_eq!((&job["status"], &job["wait_reason"]), (&json!("queued"), &json!("held")));
        assert_eq!(job["why"]["hints"], json!([format!("hostler cancel {id} --force")]));
    }
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["queued"], 3);
    assert!(fixture.claim(&other, 9).await.is_empty(), "no other worker gets it");
    // It completes one run, continues another, and the third is canceled by force.
    fixture.complete(&worker, &claimed[0]).await;
    assert_eq!(fixture.report(&worker, &claimed[1], "heartbeat", json!({})).await.status, StatusCode::OK);
    assert_eq!(fixture.state(&text(&claimed[1]["id"])).await.0, "running");
    let forced = fixture.change(&text(&claimed[2]["id"]), "cancel", json!({"force": true})).await.json();
    assert_eq!((&forced["status"], &forced["end_reason"]), (&json!("canceled"), &json!("forced")));
    assert_eq!(fixture.report(&worker, &claimed[2], "complete", json!({})).await.code(), "run_stale");
    assert_eq!(fixture.evidence(&text(&claimed[2]["id"])).await, 1);
    fixture.fold().await;
    let summary = fixture.get("/api/v1/jobs/summary").await;
    assert_eq!(
        (&summary["running"], &summary["queued"], &summary["counts"]["canceled"], &summary["counts"]["succeeded"]),
        (&json!(1), &json!(0), &json!(1), &json!(1))
    );
});

testkit::db_test!(queue_metrics_count_jobs_and_runs, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    for _ in 0..4 {
        fixture.job(json!({"max_attempts": 1})).await;
    }
    fixture.job(json!({"max_attempts": 2})).await;
    fixture.test.pass(20);
    let claimed = fixture.claim(&worker, 9).await;
    assert_eq!(claimed.len(), 5);
    fixture.test.pass(2);
    fixture.complete(&worker, &claimed[0]).await;
    assert_eq!(fixture.fail(&worker, &claimed[1], json!({})).await, "dead_letter");
    assert_eq!(fixture.fail(&worker, &claimed[4], json!({})).await, "queued");
    let waiting = fixture.job(json!({})).await;
    fixture.change(&waiting, "cancel", json!({})).await;
    let old = fixture.job(json!({"priority": 500})).await;
    fixture.test.pass(30);
    fixture.job(json!({"priority": 1})).await;

    let numbers = fixture.test.call(&crate::fixture::As::Local, "GET", "/metrics", None).await.text;
    for line in [
        "hostler_jobs{org=\"default\",status=\"queued\"} 3",
        "hostler_jobs{org=\"default\",status=\"running\"} 2",
        "hostler_jobs{org=\"default\",status=\"dead_letter\"} 1",
        "hostler_jobs_created_total 8",
        "hostler_jobs_ended_total{status=\"succeeded\"} 1",
        "hostler_jobs_ended_total{status=\"dead_letter\"} 1",
        "hostler_jobs_ended_total{status=\"canceled\"} 1",
        "hostler_runs_retried_total 1",
        "hostler_job_wait_seconds_count 5",
        "hostler_job_wait_seconds_bucket{le=\"10.0\"} 0",
        "hostler_job_wait_seconds_bucket{le=\"30.0\"} 5",
        "hostler_run_seconds_count 3",
        "hostler_claim_jobs_sum 5.0",
        "hostler_runner_outbox_results 0",
    ] {
        assert!(numbers.lines().any(|found| found == line), "{line} is missing in {numbers}");
    }
    let all = fixture.get("/api/v1/admin/jobs/summary").await;
    let own = all["items"].as_array().and_then(|all| all.iter().find(|one| one["org"] == "default")).cloned();
    let own = own.expect("is listed");
    assert_eq!((&own["counts"]["queued"], &own["counts"]["succeeded"]), (&json!(3), &json!(1)), "{own}");
    assert_eq!(own["oldest_queued_age_seconds"], json!(30), "{old} is the oldest, though not the next: {own}");
    assert_eq!((&own["wait_p50_ms"], &own["wait_p95_ms"]), (&json!(20_000), &json!(20_000)));
    assert!(own["created_per_minute"].as_f64().is_some_and(|rate| (rate - 1.6).abs() < 0.001), "{own}");
    assert!(own["failed_part"].as_f64().is_some_and(|part| (part - 2.0 / 3.0).abs() < 0.001), "{own}");
});

testkit::db_test!(queued_jobs_per_org_are_limited, |db| async move {
    let options = hub::Options { max_queued: 4, ..hub::Options::default() };
    let fixture = Fixture::with(db, options).await;
    let worker = fixture.worker("w").await;
    for _ in 0..3 {
        fixture.job(json!({})).await;
    }
    let two = fixture.post("/api/v1/jobs", json!([work(json!({})), work(json!({}))])).await;
    assert_eq!((two.status.as_u16(), two.code().as_str()), (429, "queue_full"), "{}", two.text);
    fixture.job(json!({})).await;
    let full = fixture.post("/api/v1/jobs", work(json!({}))).await;
    assert_eq!(full.code(), "queue_full");
    assert!(full.headers.contains_key("retry-after"), "{:?}", full.headers);
    let far = fixture.test.org("far").await;
    let other = fixture.post(&format!("/api/v1/orgs/{far}/jobs"), work(json!({}))).await;
    assert_eq!(other.status, StatusCode::CREATED, "other orgs have their own limit");
    // Running jobs do not count.
    assert_eq!(fixture.claim(&worker, 2).await.len(), 2);
    fixture.fold().await;
    fixture.job(json!({})).await;
});
