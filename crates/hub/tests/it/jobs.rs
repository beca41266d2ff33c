//! Creation of jobs: validation, deduplication and idempotency.

use std::collections::{BTreeSet, HashSet};

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::queue_fixture::{Fixture, pointers, text, work};

/// The documented fields of a job.
const FIELDS: &[&str] = &[
    "id",
    "org_id",
    "definition_key",
    "definition_version",
    "source",
    "source_ref",
    "status",
    "wait_reason",
    "priority",
    "payload",
    "dedupe_key",
    "correlation_id",
    "scheduled_for",
    "queued_at",
    "started_at",
    "finished_at",
    "attempt_count",
    "max_attempts",
    "lease_expires_at",
    "host",
    "worker",
    "last_error",
    "created_by",
];

/// Additional fields.
const MORE: &[&str] =
    &["end_reason", "limit_key", "target", "expires_at", "run_id", "exit_code", "is_canceling", "is_hosts_own"];

/// The documented fields of a run.
const RUN_FIELDS: &[&str] = &[
    "id",
    "no",
    "status",
    "worker_id",
    "host",
    "pid",
    "started_at",
    "finished_at",
    "duration_ms",
    "exit_code",
    "signal",
    "error_text",
    "stdout_tail",
    "stderr_tail",
    "output",
    "log_url",
];

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

testkit::db_test!(job_and_run_have_the_documented_fields, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w:1:x").await;
    let id = fixture.job(json!({"payload": {"a": 1}, "correlation_id": "c", "limit_key": "k"})).await;
    let page = fixture.get("/api/v1/jobs").await;
    let promised: BTreeSet<&str> = FIELDS.iter().chain(MORE).copied().collect();
    assert_eq!(names(&page["items"][0]), promised);
    let mut detail = fixture.show(&id).await;
    assert_eq!(names(&detail["why"]), BTreeSet::from(["status", "reason", "text", "hints"]));
    detail.as_object_mut().expect("an object").remove("why");
    assert_eq!(names(&detail), promised);
    assert_eq!(
        (&detail["source"], &detail["status"], &detail["priority"], &detail["attempt_count"], &detail["max_attempts"]),
        (&json!("manual"), &json!("queued"), &json!(100), &json!(0), &json!(3))
    );

    let claimed = fixture.claim_one(&worker).await;
    let running = fixture.show(&id).await;
    assert_eq!((&running["worker"], &running["attempt_count"]), (&json!("w:1:x"), &json!(1)));
    assert!(running["started_at"].is_string() && running["lease_expires_at"].is_string(), "{running}");
    assert_eq!(running["why"]["text"], "running on w:1:x");
    let result = json!({"output": {"rows": 7}, "stdout_tail": "done"});
    assert_eq!(fixture.report(&worker, &claimed, "complete", result).await.status, StatusCode::OK);
    let runs = fixture.get(&format!("/api/v1/jobs/{id}/attempts")).await;
    let run = &runs["items"][0];
    assert_eq!(names(run), RUN_FIELDS.iter().copied().collect());
    assert_eq!((&run["worker_id"], &run["no"], &run["output"]), (&json!("w:1:x"), &json!(1), &json!({"rows": 7})));
    let done = fixture.show(&id).await;
    assert_eq!(
        (&done["status"], &done["worker"], &done["last_error"]),
        (&json!("succeeded"), &Value::Null, &Value::Null)
    );
    assert!(done["finished_at"].is_string() && done["lease_expires_at"].is_null(), "{done}");
});

testkit::db_test!(invalid_payloads_are_rejected_with_a_pointer, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture
        .define(json!({
            "key": "strict",
            "argv": ["rsync", "{{ from }}", ["--path", "{{ prefix }}"]],
            "arg_schema": {
                "type": "object",
                "properties": {
                    "from": {"type": "string", "maxLength": 400_000}, "prefix": {"type": "string"},
                    "n": {"type": "integer", "minimum": 1},
                    "inner": {"type": "object", "properties": {"x": {"type": "boolean"}}},
                },
                "required": ["from"],
                "additionalProperties": false,
            },
        }))
        .await;
    for (payload, wrong) in [
        (json!({}), vec![""]),
        (json!([]), vec![""]),
        (json!({"from": 7}), vec!["/from"]),
        (json!({"from": "a", "n": 0}), vec!["/n"]),
        (json!({"from": "a", "n": "x", "inner": {"x": 1}}), vec!["/inner/x", "/n"]),
        (json!({"from": "a", "other": 1}), vec![""]),
        (json!({"from": "-rf"}), vec!["/from"]),
        (json!({"from": "@/etc/passwd"}), vec!["/from"]),
        (json!({"from": "a\nb"}), vec!["/from"]),
        (json!({"from": "a", "prefix": "--x"}), vec!["/prefix"]),
        (json!({"from": "x".repeat(300_000)}), vec![""]),
    ] {
        let answer = fixture.post("/api/v1/jobs", json!({"definition_key": "strict", "payload": payload})).await;
        let shown = answer.text.chars().take(300).collect::<String>();
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, "payload_invalid"), "{shown}");
        let mut found = pointers(&answer);
        found.sort();
        assert_eq!(found, wrong, "{shown}");
    }
    let nul =
        fixture.send("/api/v1/jobs", &[], r#"{"definition_key":"strict","payload":{"from":"a\u0000b"}}"#.into()).await;
    assert_eq!((nul.status.as_u16(), nul.code().as_str()), (422, "invalid_value"), "{}", nul.text);
    assert_eq!(fixture.get("/api/v1/jobs").await["items"], json!([]), "nothing was created");
});

testkit::db_test!(invalid_job_requests_are_rejected, |db| async move {
    let fixture = Fixture::new(db).await;
    let other = fixture.test.org("other").await;
    let foreign = fixture.test.host(other, "far").await;
    for (fields, status, code) in [
        (json!({"definition_key": "unknown"}), 404, "not_found"),
        (json!({"host": foreign}), 404, "not_found"),
        (json!({"host": "far"}), 404, "not_found"),
        (json!({"target": {"host": "far"}}), 404, "not_found"),
        (json!({"target": {"queue": "a", "selector": "env=prod"}}), 422, "invalid_value"),
        (json!({"host": "a", "target": {"queue": "b"}}), 422, "invalid_value"),
        (json!({"target": {"queue": "No Queue"}}), 422, "invalid_value"),
        (json!({"target": {"selector": "=="}}), 422, "invalid_value"),
        (json!({"scheduled_for": "yesterday"}), 422, "invalid_value"),
        (json!({"scheduled_for": "9999-12-31T23:59:59Z"}), 422, "invalid_value"),
        (json!({"scheduled_for": 5}), 422, "invalid_value"),
        (json!({"expires_at": "2001-01-01T00:00:00Z"}), 422, "invalid_value"),
        (json!({"dedupe_window_seconds": 5}), 422, "invalid_value"),
        (json!({"dedupe_key": "k", "dedupe_window_seconds": 99_999_999}), 422, "invalid_value"),
        (json!({"dedupe_key": ""}), 422, "invalid_value"),
        (json!({"dedupe_key": "x".repeat(201)}), 422, "invalid_value"),
        (json!({"correlation_id": "a\nb"}), 422, "invalid_value"),
        (json!({"priority": 1_001}), 422, "invalid_value"),
        (json!({"priority": 1.5}), 422, "invalid_value"),
        (json!({"max_attempts": 0}), 422, "invalid_value"),
        (json!({"timeout_seconds": 0}), 422, "invalid_value"),
        (json!({"unknown": 1}), 422, "invalid_value"),
    ] {
        let answer = fixture.post("/api/v1/jobs", work(fields.clone())).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{fields}: {}", answer.text);
    }
    for (body, status) in [("", 400), ("{", 400), ("null", 422), ("7", 422)] {
        assert_eq!(fixture.send("/api/v1/jobs", &[], body.to_owned()).await.status.as_u16(), status, "{body}");
    }
    let large = json!({"definition_key": "work", "payload": {"a": "x".repeat(10_000_000)}}).to_string();
    let answer = fixture.send("/api/v1/jobs", &[], large).await;
    assert_eq!((answer.status, answer.code().as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"));
    // A start time in the past means now.
    let past = fixture.job(json!({"scheduled_for": "2001-01-01T00:00:00Z"})).await;
    assert_eq!(fixture.show(&past).await["wait_reason"], "no_host_matches");
});

testkit::db_test!(delayed_job_becomes_claimable_and_expired_job_is_canceled, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let at = |seconds: u32| (fixture.test.hub.now() + domain::Span::from_secs(seconds)).to_string();
    let later = fixture.job(json!({"scheduled_for": at(600)})).await;
    let expiring = fixture.job(json!({"scheduled_for": at(60), "expires_at": at(120)})).await;
    let ready = fixture.job(json!({"expires_at": at(120)})).await;
    assert_eq!(fixture.state(&later).await, ("queued".into(), Some("later".into())));
    assert!(text(&fixture.show(&later).await["why"]["text"]).starts_with("scheduled for "));
    assert_eq!(fixture.claim_one(&worker).await["id"], json!(ready), "the others are delayed");
    fixture.later(61).await;
    assert_eq!(fixture.state(&expiring).await.1, None, "it could start");
    fixture.test.pass(60);
    fixture.expire().await;
    let gone = fixture.show(&expiring).await;
    assert_eq!((&gone["status"], &gone["end_reason"]), (&json!("canceled"), &json!("expired")));
    assert_eq!(gone["why"]["text"], "canceled: it expired before it started");
    assert_eq!(fixture.state(&ready).await.0, "running", "a started job does not expire");
    assert!(fixture.claim(&worker, 9).await.is_empty());
    fixture.later(600).await;
    assert_eq!(fixture.claim_one(&worker).await["id"], json!(later));
});

testkit::db_test!(dedupe_key_has_one_job_at_a_time, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let first = fixture.job(json!({"dedupe_key": "k"})).await;
    let loser = fixture.post("/api/v1/jobs", work(json!({"dedupe_key": "k"}))).await;
    assert_eq!(loser.status, StatusCode::OK);
    assert_eq!(loser.json(), json!({"id": first, "deduplicated": true}));
    let claimed = fixture.claim_one(&worker).await;
    assert_eq!(fixture.post("/api/v1/jobs", work(json!({"dedupe_key": "k"}))).await.json()["id"], json!(first));
    fixture.complete(&worker, &claimed).await;
    let second = fixture.job(json!({"dedupe_key": "k", "dedupe_window_seconds": 300})).await;
    fixture.change(&second, "cancel", json!({})).await;
    assert_eq!(
        fixture.post("/api/v1/jobs", work(json!({"dedupe_key": "k"}))).await.json()["id"],
        json!(second),
        "its dedupe window has not ended"
    );
    fixture.test.pass(301);
    let third = fixture.job(json!({"dedupe_key": "k"})).await;
    assert!(third != second && third != first);

    // Within one array, and in concurrent requests that are written in one batch.
    let rows: Vec<Value> = (0..4).map(|_| work(json!({"dedupe_key": "same"}))).collect();
    let made = fixture.post("/api/v1/jobs", json!(rows)).await.json();
    let ids: HashSet<String> = made["results"].as_array().expect("rows").iter().map(|row| text(&row["id"])).collect();
    assert_eq!((ids.len(), &made["created"]), (1, &json!(1)), "{made}");
    let together = (0..24).map(|_| fixture.post("/api/v1/jobs", work(json!({"dedupe_key": "crowd"}))));
    let answers = futures_util::future::join_all(together).await;
    let ids: HashSet<String> = answers.iter().map(|answer| text(&answer.json()["id"])).collect();
    let made = answers.iter().filter(|answer| answer.status == StatusCode::CREATED).count();
    assert_eq!((ids.len(), made), (1, 1));
});

testkit::db_test!(idempotency_key_returns_the_first_response, |db| async move {
    let fixture = Fixture::new(db).await;
    let key = [("idempotency-key", "once")];
    let body = work(json!({"payload": {"a": 1}})).to_string();
    let first = fixture.send("/api/v1/jobs", &key, body.clone()).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text);
    let again = fixture.send("/api/v1/jobs", &key, body.clone()).await;
    assert_eq!((again.status, again.json()), (first.status, first.json()));
    let other = fixture.send("/api/v1/jobs", &key, work(json!({})).to_string()).await;
    assert_eq!((other.status.as_u16(), other.code().as_str()), (409, "idempotency_mismatch"));

    // The stored response is returned even if the request would be rejected now.
    fixture.patch("/api/v1/admin/jobs/definitions/work", json!({"is_active": false})).await;
    assert_eq!(fixture.send("/api/v1/jobs", &key, body.clone()).await.json(), first.json());
    fixture.patch("/api/v1/admin/jobs/definitions/work", json!({"is_active": true})).await;

    // An array with an invalid row returns the same results again.
    let rows = json!([work(json!({})), {"definition_key": "unknown"}, work(json!({}))]).to_string();
    let bulk = [("idempotency-key", "many")];
    let made = fixture.send("/api/v1/jobs", &bulk, rows.clone()).await.json();
    let repeated = fixture.send("/api/v1/jobs", &bulk, rows).await.json();
    let ids = |made: &Value| {
        made["results"].as_array().expect("rows").iter().map(|row| row["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&made), ids(&repeated));

    let before = fixture.get("/api/v1/jobs/summary").await["queued"].clone();
    let crowd = [("idempotency-key", "crowd")];
    let together = (0..16).map(|_| fixture.send("/api/v1/jobs", &crowd, body.clone()));
    let answers = futures_util::future::join_all(together).await;
    let ids: HashSet<String> = answers.iter().map(|answer| text(&answer.json()["id"])).collect();
    assert_eq!(ids.len(), 1, "one job");
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["queued"], json!(before.as_i64().expect("a count") + 1));
    // The key expires after a day.
    fixture.test.pass(86_401);
    assert_ne!(fixture.send("/api/v1/jobs", &key, body).await.json(), first.json());
    let bad = fixture.send("/api/v1/jobs", &[("idempotency-key", "")], work(json!({})).to_string()).await;
    assert_eq!(bad.status.as_u16(), 422);
});

testkit::db_test!(array_returns_one_result_per_row, |db| async move {
    let fixture = Fixture::new(db).await;
    let rows = json!([
        work(json!({"payload": {"n": 0}})),
        {"definition_key": "unknown"},
        work(json!({"payload": {"n": 1}, "dedupe_key": "k"})),
        work(json!({"payload": 7})),
        work(json!({"priority": "high"})),
        work(json!({"payload": {"n": 2}, "dedupe_key": "k"})),
        "nonsense",
        work(json!({"payload": {"n": 3}})),
    ]);
    let answer = fixture.post("/api/v1/jobs", rows).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let made = answer.json();
    let results = made["results"].as_array().expect("rows");
    let codes: Vec<&str> = results.iter().map(|row| row["error"]["code"].as_str().unwrap_or("made")).collect();
    assert_eq!(
        codes,
        ["made", "not_found", "made", "payload_invalid", "invalid_value", "made", "invalid_value", "made"]
    );
    assert_eq!((&made["created"], &made["refused"]), (&json!(3), &json!(4)));
    assert_eq!((&results[5]["id"], &results[5]["deduplicated"]), (&results[2]["id"], &json!(true)));
    for (index, n) in [(0, 0), (2, 1), (7, 3)] {
        assert_eq!(fixture.show(&text(&results[index]["id"])).await["payload"]["n"], n, "in order");
    }
    let audit = fixture.get("/api/v1/audit?action=job.created").await;
    assert_eq!(audit["items"].as_array().map(Vec::len), Some(1), "one row for the whole request");

    // An array may be larger than other request bodies.
    let large: Vec<Value> = (0..40).map(|_| work(json!({"payload": {"a": "x".repeat(100_000)}}))).collect();
    assert_eq!(fixture.post("/api/v1/jobs", json!(large)).await.json()["created"], 40);
    let many: Vec<Value> = (0..10_001).map(|_| work(json!({}))).collect();
    let refused = fixture.post("/api/v1/jobs", json!(many)).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"));
    assert_eq!(fixture.post("/api/v1/jobs", json!([])).await.json()["results"], json!([]));
});

testkit::db_test!(long_array_is_one_request_although_written_in_parts, |db| async move {
    let fixture = Fixture::new(db).await;
    let row = |n: usize| match n {
        1_234 => json!({"definition_key": "unknown"}),
        // The same dedupe key in the first part and in the last.
        10 | 2_490 => work(json!({"payload": {"n": n}, "dedupe_key": "k"})),
        _ => work(json!({"payload": {"n": n}})),
    };
    let made = fixture.post("/api/v1/jobs", (0..2_500).map(row).collect::<Value>()).await.json();
    assert_eq!((&made["created"], &made["refused"]), (&json!(2_498), &json!(1)));
    let results = made["results"].as_array().expect("rows");
    assert_eq!(results[1_234]["error"]["code"], "not_found");
    assert_eq!((&results[2_490]["id"], &results[2_490]["deduplicated"]), (&results[10]["id"], &json!(true)));
    for n in [0, 999, 1_000, 2_499] {
        let shown = fixture.show(&text(&results[n]["id"])).await;
        assert_eq!((&shown["payload"]["n"], &shown["status"]), (&json!(n), &json!("queued")), "in order");
    }
    let audit = fixture.get("/api/v1/audit?action=job.created").await;
    let audit = audit["items"].as_array().expect("rows");
    assert_eq!(audit.len(), 1, "one row for the whole request");
    assert_eq!(audit[0]["diff"]["count"][1], 2_499);
    // All are claimable: no job was delayed because it was checked after the first part was written.
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["queued"], 2_498);
    assert!(fixture.get("/api/v1/jobs?filter=reason:later").await["items"].as_array().expect("rows").is_empty());
});

testkit::db_test!(rows_of_a_long_array_reach_their_lanes, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let later = (fixture.test.hub.now() + domain::Span::from_secs(600)).to_string();
    let row = |n: usize| match n % 5 {
        0 => work(json!({"payload": {"n": n}, "target": {"queue": "left"}})),
        1 | 2 => work(json!({"payload": {"n": n}, "target": {"queue": "right"}})),
        3 => work(json!({"payload": {"n": n}, "target": {"queue": "left"}, "scheduled_for": later})),
        _ => work(json!({"payload": {"n": n}, "target": {"queue": "left"}, "priority": 7})),
    };
    // First into new lanes, then into lanes that were used a moment ago.
    for round in 1..=2_usize {
        let made = fixture.post("/api/v1/jobs", (0..1_500).map(row).collect::<Value>()).await.json();
        assert_eq!((&made["created"], &made["refused"]), (&json!(1_500), &json!(0)));
        let results = made["results"].as_array().expect("rows");
        for n in [3, 999, 1_000, 1_496] {
            let shown = fixture.show(&text(&results[n]["id"])).await;
            let expected = ["left", "right", "right", "left", "left"][n % 5];
            assert_eq!((&shown["payload"]["n"], &shown["target"]["queue"]), (&json!(n), &json!(expected)), "{shown}");
        }
        let counts = fixture.get("/api/v1/jobs/summary").await;
        assert_eq!(counts["queued"], 1_500 * round, "{counts}");
        let later = fixture.get("/api/v1/jobs?filter=reason:later&limit=1000").await;
        assert_eq!(later["items"].as_array().map(Vec::len), Some(300 * round));
    }
    let claimed = fixture.claim_with(&worker, json!({"max": 100, "queues": ["left"]})).await.json();
    let order: Vec<u64> =
        claimed["jobs"].as_array().expect("jobs").iter().filter_map(|job| job["payload"]["n"].as_u64()).collect();
    assert_eq!(order, (0..100).map(|n| n * 5 + 4).collect::<Vec<_>>(), "the highest priority first, in order");
});

testkit::db_test!(ndjson_returns_one_result_per_line, |db| async move {
    let fixture = Fixture::new(db).await;
    let mut body = String::new();
    for n in 0..2_500 {
        match n % 100 {
            7 => body.push_str("{\"definition_key\": broken\n"),
            8 => body.push_str("{\"definition_key\": \"unknown\"}\n\n"),
            _ => body.push_str(&format!("{}\n", work(json!({"payload": {"n": n}})))),
        }
    }
    let headers = [("content-type", "application/x-ndjson"), ("idempotency-key", "stream")];
    let answer = fixture.send("/api/v1/jobs", &headers, body.trim_end().to_owned()).await;
    assert_eq!(answer.headers["content-type"], "application/x-ndjson");
    let lines: Vec<Value> = answer.text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2_500, "{:?}", lines.last());
    for (n, line) in lines.iter().enumerate() {
        match n % 100 {
            7 => assert_eq!(line["error"]["code"], "malformed_request", "{n}: {line}"),
            8 => assert_eq!(line["error"]["code"], "not_found", "{n}: {line}"),
            _ => assert!(line["id"].is_string(), "{n}: {line}"),
        }
    }
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["queued"], 2_450);
    assert_eq!(fixture.show(&text(&lines[1_234]["id"])).await["payload"]["n"], 1_234);
    let again = fixture.send("/api/v1/jobs", &headers, body.trim_end().to_owned()).await;
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["queued"], 2_450, "a repeated request creates nothing");
    let second: Value = serde_json::from_str(again.text.lines().nth(2_400).expect("a line")).expect("JSON");
    assert_eq!(second["id"], lines[2_400]["id"]);
});
