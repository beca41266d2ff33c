//! Retention of jobs: the settings of an org, and their effect.

use axum::http::StatusCode;
use domain::Role;
use hub::loops::Retention;
use runtime::{Next, Pass, Task as _};
use serde_json::{Value, json};

use crate::{
    fixture::As,
    queue_fixture::{Fixture, Worker, text, work},
};

const DAY: u32 = 86_400;
const ENDS: [&str; 4] = ["succeeded", "failed", "dead_letter", "canceled"];

async fn keep(fixture: &Fixture, patch: Value) -> Value {
    let answer = fixture.patch("/api/v1/org", patch).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()
}

/// One job for each final status, in this order.
async fn ended(fixture: &Fixture, worker: &Worker) -> Vec<String> {
    fixture.define(json!({"key": "work", "no_retry_exit_codes": [3]})).await;
    let mut jobs = Vec::new();
    for end in ENDS {
        let id = fixture.job(json!({"max_attempts": 1})).await;
        if end == "canceled" {
            fixture.change(&id, "cancel", json!({})).await;
        } else {
            let claimed = fixture.claim_one(worker).await;
            match end {
                "succeeded" => fixture.complete(worker, &claimed).await,
                "failed" => assert_eq!(fixture.fail(worker, &claimed, json!({"exit_code": 3})).await, "failed"),
                _ => assert_eq!(fixture.fail(worker, &claimed, json!({})).await, "dead_letter"),
            }
        }
        assert_eq!(fixture.state(&id).await.0, end);
        jobs.push(id);
    }
    jobs
}

/// The final statuses of those jobs that still exist.
async fn left(fixture: &Fixture, jobs: &[String]) -> Vec<&'static str> {
    let mut retention = Retention::new(fixture.test.hub.clone());
    let now = fixture.test.hub.now();
    while retention.pass(Pass { now }).await.expect("passes") == Next::Again {}
    let mut left = Vec::new();
    for (id, end) in jobs.iter().zip(ENDS) {
        let answer = fixture.test.call(&As::Local, "GET", &format!("/api/v1/jobs/{id}"), None).await;
        if answer.status == StatusCode::OK {
            left.push(end);
        }
    }
    left
}

testkit::db_test!(retention_settings_are_validated_and_audited, |db| async move {
    let fixture = Fixture::new(db).await;
    let before = fixture.get("/api/v1/org").await;
    for end in ENDS {
        assert_eq!(before[format!("keep_{end}_seconds")], Value::Null, "the hub's setting");
    }
    let after = keep(&fixture, json!({"keep_failed_seconds": 7 * DAY, "keep_canceled_seconds": 3_600})).await;
    assert_eq!((&after["keep_failed_seconds"], &after["keep_canceled_seconds"]), (&json!(7 * DAY), &json!(3_600)));
    assert_eq!(fixture.get("/api/v1/org").await["keep_failed_seconds"], json!(7 * DAY));
    let after = keep(&fixture, json!({"keep_failed_seconds": null})).await;
    assert_eq!(
        (&after["keep_failed_seconds"], &after["keep_canceled_seconds"]),
        (&Value::Null, &json!(3_600)),
        "null resets to the hub's setting; absent fields keep their value"
    );
    for end in ENDS {
        for wrong in [0, 3_599, 3_650 * DAY + 1] {
            let refused = fixture.patch("/api/v1/org", json!({format!("keep_{end}_seconds"): wrong})).await;
            assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "invalid_value"), "{end} {wrong}");
            assert!(refused.text.contains(&format!("keep_{end} must be between 1 h and 3650 d")), "{}", refused.text);
        }
    }
    let audit = fixture.get("/api/v1/audit?limit=1").await["items"][0].clone();
    assert_eq!(text(&audit["action"]), "org.updated");
    assert_eq!(audit["diff"]["keep_failed_seconds"], json!([7 * DAY, null]), "{audit}");
    let (_, viewer) = fixture.test.browser(fixture.org, "vi@acme.example", Role::Operator).await;
    let refused = fixture.test.call(&viewer, "PATCH", "/api/v1/org", Some(json!({"keep_failed_seconds": 3_600}))).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
});

testkit::db_test!(each_final_status_has_its_own_retention_time, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w:1:x").await;
    let beta = fixture.test.org("beta").await;
    let theirs = fixture.worker_of(beta, "w:2:x").await;
    let jobs = ended(&fixture, &worker).await;
    let answer = fixture.post("/api/v1/orgs/beta/jobs", work(json!({}))).await;
    let foreign = text(&answer.json()["id"]);
    let claimed = fixture.claim_one(&theirs).await;
    fixture.complete(&theirs, &claimed).await;
    keep(
        &fixture,
        json!({"keep_succeeded_seconds": 3_600, "keep_failed_seconds": 2 * DAY, "keep_dead_letter_seconds": 200 * DAY}),
    )
    .await;
    assert_eq!(left(&fixture, &jobs).await, ENDS, "nothing is old yet");
    for (days, expected) in [
        (1, &["failed", "dead_letter", "canceled"][..]),
        (2, &["dead_letter", "canceled"]),
        // Canceled jobs are kept for the hub's retention time.
        (88, &["dead_letter"]),
        (100, &["dead_letter"]),
        (10, &[]),
    ] {
        fixture.test.pass(days * DAY);
        assert_eq!(left(&fixture, &jobs).await, expected, "after {days} more days");
        let path = format!("/api/v1/orgs/beta/jobs/{foreign}");
        let is_left = fixture.test.call(&As::Local, "GET", &path, None).await.status == StatusCode::OK;
        assert_eq!(is_left, expected.len() > 1, "the hub's retention time applies to other orgs");
    }
    fixture.fold().await;
    let counts = fixture.get("/api/v1/jobs/summary").await;
    assert!(ENDS.iter().all(|end| counts["counts"][*end] == 0), "{counts}");
});

testkit::db_test!(retention_counts_from_the_end_of_a_job, |db| async move {
    let fixture = Fixture::new(db).await;
    keep(&fixture, json!({"keep_canceled_seconds": 3_600})).await;
    let id = fixture.job(json!({})).await;
    fixture.test.pass(10 * DAY);
    fixture.change(&id, "cancel", json!({})).await;
    for (seconds, is_left) in [(0, true), (3_599, true), (2, false)] {
        fixture.test.pass(seconds);
        left(&fixture, &[]).await;
        let answer = fixture.test.call(&As::Local, "GET", &format!("/api/v1/jobs/{id}"), None).await;
        assert_eq!(answer.status == StatusCode::OK, is_left, "created long ago, {seconds} s after the cancel");
    }
});
