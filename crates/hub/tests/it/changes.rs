//! Cancel, retry, move, short ids, and counts.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::queue_fixture::{Fixture, pointers, text, work};

testkit::db_test!(cancel_works_in_every_state, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let queued = fixture.job(json!({})).await;
    let canceled = fixture.change(&queued, "cancel", json!({"reason": "not needed"})).await;
    assert_eq!(canceled.status, StatusCode::OK, "{}", canceled.text);
    assert_eq!((&canceled.json()["status"], &canceled.json()["end_reason"]), (&json!("canceled"), &json!("asked")));
    assert!(fixture.claim(&worker, 9).await.is_empty());
    let audit = fixture.get("/api/v1/audit?action=job.canceled").await;
    assert!(audit.to_string().contains("not needed"), "{audit}");

    let running = fixture.job(json!({})).await;
    let claimed = fixture.claim_one(&worker).await;
    assert_eq!(fixture.report(&worker, &claimed, "heartbeat", json!({})).await.json()["cancel"], false);
    let asked = fixture.change(&running, "cancel", json!({})).await.json();
    assert_eq!((&asked["status"], &asked["is_canceling"]), (&json!("running"), &json!(true)));
    assert_eq!(fixture.report(&worker, &claimed, "heartbeat", json!({})).await.json()["cancel"], true);
    assert_eq!(
        fixture.change(&running, "cancel", json!({})).await.status,
        StatusCode::OK,
        "a second request changes nothing"
    );
    assert_eq!(fixture.fail(&worker, &claimed, json!({"canceled": true})).await, "canceled");
    assert_eq!(fixture.get(&format!("/api/v1/jobs/{running}/attempts")).await["items"][0]["status"], "canceled");

    // After a cancel request a failed run is not retried; a successful run is a success.
    let failing = fixture.job(json!({})).await;
    let claimed = fixture.claim_one(&worker).await;
    fixture.change(&failing, "cancel", json!({})).await;
    assert_eq!(fixture.fail(&worker, &claimed, json!({})).await, "canceled");
    let lucky = fixture.job(json!({})).await;
    let claimed = fixture.claim_one(&worker).await;
    fixture.change(&lucky, "cancel", json!({})).await;
    fixture.complete(&worker, &claimed).await;

    let later =
        fixture.job(json!({"scheduled_for": (fixture.test.hub.now() + domain::Span::from_secs(99)).to_string()})).await;
    assert_eq!(fixture.change(&later, "cancel", json!({})).await.json()["status"], "canceled");
    for id in [queued, running, failing, lucky, later] {
        let answer = fixture.change(&id, "cancel", json!({})).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (409, "job_over"), "{id}");
        assert_eq!(fixture.change(&id, "cancel", json!({"force": true})).await.code(), "job_over");
    }
});

testkit::db_test!(retry_keeps_the_run_history, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture
        .define(json!({
            "key": "work", "max_attempts": 2,
            "arg_schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
            "backoff": {"initial_ms": 1_000, "cap_ms": 1_000, "factor": 1.0},
        }))
        .await;
    let worker = fixture.worker("w").await;
    let id = fixture.job(json!({"payload": {"n": 1}, "dedupe_key": "k"})).await;
    assert_eq!(fixture.change(&id, "retry", json!({})).await.code(), "job_not_over", "it has not started");
    for _ in 0..2 {
        fixture.later(2).await;
        let claimed = fixture.claim_one(&worker).await;
        let refused = fixture.change(&id, "retry", json!({})).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "job_not_over"));
        fixture.fail(&worker, &claimed, json!({})).await;
    }
    assert_eq!(fixture.state(&id).await.0, "dead_letter");

    let refused = fixture.change(&id, "retry", json!({"payload": {"n": "x"}})).await;
    assert_eq!((refused.code().as_str(), pointers(&refused)), ("payload_invalid", vec!["/n".to_owned()]));
    let blocking = fixture.job(json!({"dedupe_key": "k"})).await;
    let refused = fixture.change(&id, "retry", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "key_held"));
    assert!(refused.text.contains(&blocking), "{}", refused.text);
    fixture.change(&blocking, "cancel", json!({})).await;

    let back = fixture.change(&id, "retry", json!({"payload": {"n": 2}})).await.json();
    assert_eq!(
        (&back["status"], &back["finished_at"], &back["end_reason"]),
        (&json!("queued"), &Value::Null, &Value::Null)
    );
    assert_eq!(fixture.change(&id, "retry", json!({})).await.code(), "job_not_over", "already queued again");
    for (number, status) in [(3, "queued"), (4, "dead_letter")] {
        fixture.later(2).await;
        let claimed = fixture.claim_one(&worker).await;
        assert_eq!((&claimed["fence"], &claimed["payload"]), (&json!(number), &json!({"n": 2})));
        assert_eq!(fixture.fail(&worker, &claimed, json!({})).await, status, "a retried job has new attempts");
    }
    fixture.change(&id, "retry", json!({})).await;
    let claimed = fixture.claim_one(&worker).await;
    assert_eq!((&claimed["fence"], &claimed["payload"]), (&json!(5), &json!({"n": 2})), "with the last payload");
    fixture.complete(&worker, &claimed).await;
    let runs = fixture.get(&format!("/api/v1/jobs/{id}/attempts")).await;
    let history: Vec<(i64, String)> = runs["items"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| (run["no"].as_i64().expect("a number"), text(&run["status"])))
        .collect();
    let failed = |no| (no, "failed".to_owned());
    assert_eq!(history, [failed(1), failed(2), failed(3), failed(4), (5, "succeeded".to_owned())]);
    let refused = fixture.change(&id, "retry", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "job_not_over"));
    assert!(refused.text.contains("a succeeded job is not retried"), "{}", refused.text);
});

testkit::db_test!(queued_job_can_be_moved, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    fixture.test.host(fixture.org, "box").await;
    let id = fixture.job(json!({})).await;
    let later =
        fixture.job(json!({"scheduled_for": (fixture.test.hub.now() + domain::Span::from_secs(99)).to_string()})).await;
    for id in [&id, &later] {
        let moved = fixture.change(id, "move", json!({"target": {"queue": "elsewhere"}, "priority": 7})).await;
        assert_eq!(moved.status, StatusCode::OK, "{}", moved.text);
        let moved = moved.json();
        assert_eq!((&moved["target"], &moved["priority"]), (&json!({"queue": "elsewhere"}), &json!(7)));
    }
    assert_eq!(fixture.state(&later).await.1.as_deref(), Some("later"), "also a delayed job");
    assert!(fixture.claim(&worker, 9).await.is_empty());
    let moved = fixture.change(&id, "move", json!({"target": {"host": "box"}})).await.json();
    assert_eq!((&moved["target"], &moved["wait_reason"]), (&json!({"host": "box"}), &json!("host_offline")));
    for (body, code) in [
        (json!({"target": {"host": "nowhere"}}), "not_found"),
        (json!({"target": {"host": "box", "queue": "a"}}), "invalid_value"),
        (json!({"priority": 5_000}), "invalid_value"),
    ] {
        assert_eq!(fixture.change(&id, "move", body.clone()).await.code(), code, "{body}");
    }
    fixture.change(&id, "move", json!({"target": {"queue": "work"}})).await;
    let claimed = fixture.claim_one(&worker).await;
    assert_eq!(claimed["id"], json!(id));
    let refused = fixture.change(&id, "move", json!({"target": {"queue": "elsewhere"}})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "job_running"));
    fixture.complete(&worker, &claimed).await;
    assert_eq!(fixture.change(&id, "move", json!({"priority": 1})).await.code(), "job_over");
});

testkit::db_test!(why_names_the_host, |db| async move {
    let fixture = Fixture::new(db).await;
    let host = fixture.test.host(fixture.org, "box").await;
    let id = fixture.job(json!({"host": "box"})).await;
    let why = |id: String| {
        let fixture = &fixture;
        async move {
            let why = fixture.get(&format!("/api/v1/jobs/{id}/why")).await;
            (why["reason"].as_str().unwrap_or_default().to_owned(), text(&why["text"]))
        }
    };
    let (reason, text) = why(id.clone()).await;
    assert!(
        reason == "host_offline" && text.ends_with("the job will run when the runner connects"),
        "{reason}: {text}"
    );
    fixture.test.runner(host).await;
    fixture.post("/api/v1/hosts/box/pause", json!({"note": "cleaning"})).await;
    let (reason, text) = why(id.clone()).await;
    assert!(reason == "host_paused" && text.contains("host box is paused"), "{reason}: {text}");
    assert_eq!(fixture.show(&id).await["why"]["hints"][0], "hostler host resume box");
    fixture.post("/api/v1/hosts/box/resume", json!({})).await;
    assert_eq!(why(id.clone()).await, (String::new(), "the job is about to start".to_owned()));
    fixture.watch(200).await;
    assert_eq!(why(id.clone()).await.0, "host_offline");
    fixture.patch("/api/v1/hosts/box", json!({"always_on": false})).await;
    let (reason, text) = why(id).await;
    assert!(reason == "host_asleep" && text.ends_with("the job will run when the host returns"), "{reason}: {text}");
    let nowhere = fixture.job(json!({"target": {"selector": "gpu=yes"}})).await;
    assert_eq!(why(nowhere).await, ("no_host_matches".to_owned(), "no host matches gpu=yes".to_owned()));
});

testkit::db_test!(jobs_are_found_by_id_prefix, |db| async move {
    let fixture = Fixture::new(db).await;
    let first = fixture.job(json!({})).await;
    fixture.test.pass(40_000_000);
    let second = fixture.job(json!({})).await;
    let common = first.bytes().zip(second.bytes()).take_while(|(a, b)| a == b).count();
    assert!(common < 8, "far apart: {first} {second}");
    for (id, short) in [(&first, first[..8].to_lowercase()), (&second, second[..25].to_owned())] {
        assert_eq!(fixture.show(&short).await["id"], json!(id));
    }
    assert_eq!(fixture.change(&first[..8], "cancel", json!({})).await.json()["status"], "canceled");
    let third = fixture.job(json!({})).await;
    let both =
        fixture.test.call(&crate::fixture::As::Local, "GET", &format!("/api/v1/jobs/{}", &third[..6]), None).await;
    assert_eq!((both.status.as_u16(), both.code().as_str()), (422, "invalid_value"), "{}", both.text);
    assert!(both.text.contains(&second) && both.text.contains(&third), "{}", both.text);
    for text in ["abc", "ZZZZZZZZ", "0000", "!!!!!!", "01ARZ3NDEKTSV4RRFFQ69G5FAVX"] {
        let answer = fixture.test.call(&crate::fixture::As::Local, "GET", &format!("/api/v1/jobs/{text}"), None).await;
        assert_eq!(answer.code(), "not_found", "{text}");
    }
    let other = fixture.test.org("other").await;
    let stranger = fixture.test.person(other, "s@other.example", domain::Role::Admin).await;
    let stranger = crate::fixture::As::Bearer(fixture.test.token(other, stranger, domain::Role::Admin).await.1);
    for path in [third.clone(), third[..12].to_owned()] {
        let answer = fixture.test.call(&stranger, "GET", &format!("/api/v1/jobs/{path}"), None).await;
        assert_eq!(answer.code(), "not_found");
    }
});

/// The jobs in the list, counted by status.
async fn counted(fixture: &Fixture) -> BTreeMap<String, i64> {
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    let jobs = fixture.get("/api/v1/jobs?limit=1000").await;
    for job in jobs["items"].as_array().expect("jobs") {
        *counts.entry(text(&job["status"])).or_default() += 1;
    }
    counts
}

async fn assert_counts(fixture: &Fixture, when: &str) {
    let summary = fixture.get("/api/v1/jobs/summary").await;
    let counts: BTreeMap<String, i64> = serde_json::from_value(summary["counts"].clone()).expect("counts");
    let shown: BTreeMap<String, i64> = counts.into_iter().filter(|(_, count)| *count != 0).collect();
    assert_eq!(shown, counted(fixture).await, "{when}");
    assert_eq!(summary["running"], summary["counts"]["running"]);
}

testkit::db_test!(summary_equals_the_counted_list, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "no_retry_exit_codes": [3], "max_attempts": 2})).await;
    fixture.define(json!({"key": "hold", "on_lost": "hold"})).await;
    let worker = fixture.worker("w").await;
    let rows: Vec<Value> =
        (0..40).map(|n| work(json!({"payload": {"n": n}, "dedupe_key": format!("k{}", n % 38)}))).collect();
    fixture.post("/api/v1/jobs", json!(rows)).await;
    for n in 0..3 {
        fixture.post("/api/v1/jobs", json!({"definition_key": "hold", "payload": {"n": n}})).await;
    }
    assert_counts(&fixture, "made").await;
    let claimed = fixture.claim(&worker, 30).await;
    assert_eq!(claimed.len(), 30);
    assert_counts(&fixture, "claimed").await;
    for (n, job) in claimed.iter().enumerate() {
        let id = text(&job["id"]);
        match n % 6 {
            0 => fixture.complete(&worker, job).await,
            1 => drop(fixture.fail(&worker, job, json!({"exit_code": 3})).await),
            2 => drop(fixture.fail(&worker, job, json!({})).await),
            3 => drop(fixture.change(&id, "cancel", json!({"force": true})).await),
            4 => {
                fixture.change(&id, "cancel", json!({})).await;
                fixture.fail(&worker, job, json!({"canceled": true})).await;
                fixture.change(&id, "retry", json!({})).await;
            }
            _ => {}
        }
    }
    assert_counts(&fixture, "ended in all ways").await;
    fixture.fold().await;
    assert_counts(&fixture, "folded").await;
    fixture.later(400).await;
    fixture.claim(&worker, 50).await;
    fixture.watch(340).await;
    fixture.end_lost_runs().await;
    assert_counts(&fixture, "lost and held").await;
    fixture.later(400).await;
    while let Some(job) = fixture.claim(&worker, 1).await.pop() {
        fixture.complete(&worker, &job).await;
    }
    fixture.fold().await;
    fixture.fold().await;
    assert_counts(&fixture, "all finished except held jobs").await;
    let summary = fixture.get("/api/v1/jobs/summary").await;
    assert_eq!((&summary["queued"], &summary["running"]), (&json!(3), &json!(0)), "{summary}");
});

async fn batch(fixture: &Fixture, body: Value) -> Value {
    let answer = fixture.post("/api/v1/batches", body).await;
    assert!(answer.status.is_success(), "{}", answer.text);
    answer.json()
}

/// Runs passes until a batch has ended; each with a new loop, as after a restart.
async fn worked_off(fixture: &Fixture, made: &Value) -> Value {
    loop {
        fixture.batches().await;
        let now = fixture.get(&format!("/api/v1/batches/{}", text(&made["id"]))).await;
        if now["status"] != "running" {
            return now;
        }
    }
}

testkit::db_test!(batch_applies_the_action_to_all_matching_jobs, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let mut ids = Vec::new();
    for n in 0..6 {
        ids.push(fixture.job(json!({"max_attempts": 1, "payload": {"n": n}})).await);
    }
    let rows: Vec<Value> = (0..700).map(|n| work(json!({"payload": {"bulk": n}, "correlation_id": "many"}))).collect();
    assert_eq!(fixture.post("/api/v1/jobs", json!(rows)).await.json()["created"], 700);
    let claimed = fixture.claim(&worker, 4).await;
    for job in &claimed[..3] {
        assert_eq!(fixture.fail(&worker, job, json!({})).await, "dead_letter");
    }

    // A dry run counts the matching jobs and changes nothing.
    let request = json!({"action": "cancel", "filter": "correlation:many", "reason": "lunch"});
    let mut dry = request.clone();
    dry["dry_run"] = json!(true);
    let seen = batch(&fixture, dry).await;
    assert_eq!(seen["preview"], json!({"count": 700, "is_complete": true}), "{seen}");
    assert_eq!((&seen["status"], &fixture.get("/api/v1/batches").await["items"]), (&json!("preview"), &json!([])));
    let made = batch(&fixture, request).await;
    assert_eq!((&made["status"], &made["preview"]["count"]), (&json!("running"), &json!(700)));
    let late = fixture.job(json!({"correlation_id": "many"})).await;
    let over = worked_off(&fixture, &made).await;
    assert_eq!((&over["matched"], &over["done"], &over["failed"]), (&json!(700), &json!(700), &json!(0)), "{over}");
    assert_eq!(fixture.state(&late).await.0, "queued", "created after the batch");
    assert_eq!(fixture.state(&ids[0]).await.0, "dead_letter");
    let counts = fixture.get("/api/v1/jobs/summary").await["counts"].clone();
    assert_eq!((&counts["canceled"], &counts["dead_letter"], &counts["running"]), (&json!(700), &json!(3), &json!(1)));

    // Retry applies only to finished jobs and reports the jobs that it could not retry.
    fixture.job(json!({"dedupe_key": "one", "max_attempts": 1})).await;
    let first = fixture.claim(&worker, 9).await;
    assert_eq!(first.len(), 4, "two of the first, the late one and the one with a key");
    for job in &first {
        fixture.fail(&worker, job, json!({})).await;
    }
    let blocker = fixture.job(json!({"dedupe_key": "one"})).await;
    let made = batch(&fixture, json!({"action": "retry", "filter": "-correlation:many"})).await;
    let over = worked_off(&fixture, &made).await;
    assert_eq!(over["failed"], json!(1), "{over}");
    assert_eq!(over["failures"][0]["code"], "key_held");
    assert!(text(&over["failures"][0]["detail"]).contains(&blocker), "{over}");
    assert_eq!(over["done"], json!(5), "{over}");
    assert_eq!(fixture.state(&ids[0]).await.0, "queued");

    // Move changes queued jobs.
    let made =
        batch(&fixture, json!({"action": "move", "filter": "", "priority": 7, "target": {"queue": "far"}})).await;
    let over = worked_off(&fixture, &made).await;
    assert_eq!(over["failed"], json!(0), "{over}");
    let moved = fixture.show(&ids[0]).await;
    assert_eq!((&moved["priority"], &moved["target"]["queue"]), (&json!(7), &json!("far")), "{moved}");

    let listed = fixture.get("/api/v1/batches").await;
    let actions: Vec<String> =
        listed["items"].as_array().expect("a list").iter().map(|one| text(&one["action"])).collect();
    assert_eq!(actions, ["move", "retry", "cancel"], "newest first");
    let audit = fixture.get("/api/v1/audit?limit=1000").await.to_string();
    assert_eq!(audit.matches("batch.created").count(), 3, "one line for each request");
    assert_eq!((audit.matches("job.canceled").count(), audit.matches("job.moved").count()), (0, 0));
});

testkit::db_test!(batch_can_be_stopped_and_invalid_batches_are_rejected, |db| async move {
    let fixture = Fixture::new(db).await;
    let rows: Vec<Value> = (0..1_200).map(|_| work(json!({}))).collect();
    fixture.post("/api/v1/jobs", json!(rows)).await;
    for (body, code) in [
        (json!({"action": "cancel", "filter": "nonsense:"}), "filter_invalid"),
        (json!({"action": "move", "filter": ""}), "invalid_value"),
        (json!({"action": "cancel", "filter": "", "priority": 3}), "invalid_value"),
        (json!({"action": "move", "filter": "", "priority": 9_999}), "invalid_value"),
        (json!({"action": "move", "filter": "", "target": {"host": "nowhere"}}), "not_found"),
    ] {
        assert_eq!(fixture.post("/api/v1/batches", body.clone()).await.code(), code, "{body}");
    }
    let made = batch(&fixture, json!({"action": "cancel", "filter": ""})).await;
    let path = format!("/api/v1/batches/{}", text(&made["id"]));
    let stopped = fixture.post(&format!("{path}/stop"), json!({})).await.json();
    // The hub's own loop may have been faster.
    assert!(stopped["status"] == "stopped" || stopped["done"] == 1_200, "{stopped}");
    fixture.batches().await;
    let after = fixture.get(&path).await;
    assert_eq!(
        (&after["status"], &after["done"]),
        (&stopped["status"], &stopped["done"]),
        "no further jobs are changed"
    );
    assert_eq!(fixture.post(&format!("{path}/stop"), json!({})).await.status, 200, "stopping again is allowed");
    let far = fixture.test.org("far").await;
    let foreign = format!("/api/v1/orgs/{far}{}", &path["/api/v1".len()..]);
    let answer = fixture.test.call(&crate::fixture::As::Local, "GET", &foreign, None).await;
    assert_eq!(answer.status, 404, "a batch of another org");
});
