//! Lists of jobs: filters, query parameters, pages, and the limit of a search.

use serde_json::{Value, json};

use crate::{
    fixture::As,
    queue_fixture::{Fixture, text, work},
};

async fn ids(fixture: &Fixture, query: &str) -> Vec<String> {
    let page = fixture.get(&format!("/api/v1/jobs?{query}")).await;
    page["items"].as_array().expect("jobs").iter().map(|job| text(&job["id"])).collect()
}

testkit::db_test!(jobs_are_filtered_by_filter_and_by_parameters, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    fixture.define(json!({"key": "other"})).await;
    let start = fixture.test.hub.now();
    let done = fixture.job(json!({"payload": {"disk": "sda", "n": 1}, "correlation_id": "c-1"})).await;
    let claimed = fixture.claim_one(&worker).await;
    fixture.test.pass(30);
    fixture.complete(&worker, &claimed).await;
    fixture.test.pass(60);
    let middle = fixture.test.hub.now();
    let dead = fixture.job(json!({"max_attempts": 1, "priority": 5})).await;
    let claimed = fixture.claim_one(&worker).await;
    fixture.fail(&worker, &claimed, json!({"error": "the disk is full", "exit_code": 9})).await;
    let other =
        text(&fixture.post("/api/v1/jobs", json!({"definition_key": "other", "dedupe_key": "k"})).await.json()["id"]);
    let later = fixture.job(json!({"scheduled_for": (middle + domain::Span::from_secs(600)).to_string()})).await;
    let all = [&later, &other, &dead, &done].map(Clone::clone).to_vec();
    assert_eq!(ids(&fixture, "").await, all, "newest first");
    for (query, expected) in [
        ("status=succeeded", vec![&done]),
        ("status=dead_letter,succeeded", vec![&dead, &done]),
        ("status=queued", vec![&later, &other]),
        ("status=running", vec![]),
        ("source=manual", vec![&later, &other, &dead, &done]),
        ("source=schedule", vec![]),
        ("limit=1&offset=2", vec![&dead]),
        ("filter=status:dead_letter", vec![&dead]),
        ("filter=-status:queued", vec![&dead, &done]),
        ("filter=def:oth*", vec![&other]),
        ("filter=reason:later", vec![&later]),
        ("filter=exit:9", vec![&dead]),
        ("filter=priority:%3C50", vec![&dead]),
        ("filter=%22disk%20full%22", vec![]),
        ("filter=%22disk%20is%20full%22", vec![&dead]),
        ("filter=arg.disk:sda", vec![&done]),
        ("filter=key:k", vec![&other]),
        ("filter=correlation:c-1", vec![&done]),
        ("filter=duration:%3E10s", vec![&done]),
        ("filter=queue:work%20status:succeeded", vec![&done]),
        ("filter=status:succeeded&status=queued", vec![]),
    ] {
        assert_eq!(ids(&fixture, query).await, expected.into_iter().cloned().collect::<Vec<_>>(), "{query}");
    }
    let middle = middle.to_string();
    assert_eq!(ids(&fixture, &format!("created_after={middle}")).await, all[..3]);
    assert_eq!(ids(&fixture, &format!("created_before={middle}")).await, all[3..]);
    assert_eq!(
        ids(&fixture, &format!("created_after={start}&created_before={middle}&status=succeeded")).await,
        all[3..]
    );
    for (query, code) in [
        ("filter=statsu:failed", "filter_invalid"),
        ("filter=status:done", "filter_invalid"),
        ("status=pending", "filter_invalid"),
        ("created_after=soon", "filter_invalid"),
        ("filter=%22open", "filter_invalid"),
        ("offset=10001", "offset_too_large"),
        ("cursor=nonsense", "invalid_value"),
        ("unknown=1", "malformed_request"),
        ("limit=x", "malformed_request"),
    ] {
        let answer = fixture.test.call(&As::Local, "GET", &format!("/api/v1/jobs?{query}"), None).await;
        assert_eq!(answer.code(), code, "{query}: {}", answer.text);
    }
    let hint = fixture.test.call(&As::Local, "GET", "/api/v1/jobs?offset=10001", None).await.json()["hint"].clone();
    assert!(text(&hint).contains("cursor"), "{hint}");
});

testkit::db_test!(pages_contain_every_job_exactly_once, |db| async move {
    let fixture = Fixture::new(db).await;
    let rows: Vec<Value> = (0..137).map(|n| work(json!({"payload": {"n": n}}))).collect();
    let made = fixture.post("/api/v1/jobs", json!(rows)).await.json();
    let mut expected: Vec<String> =
        made["results"].as_array().expect("rows").iter().map(|row| text(&row["id"])).collect();
    expected.reverse();
    for limit in [1, 10, 136, 137, 138] {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        for page_number in 0.. {
            let page = fixture.get(&format!("/api/v1/jobs?limit={limit}{cursor}")).await;
            seen.extend(page["items"].as_array().expect("jobs").iter().map(|job| text(&job["id"])));
            // Jobs created while a client reads the pages do not appear in them.
            if page_number < 3 {
                fixture.job(json!({"payload": {"late": true}})).await;
            }
            match page["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        seen.retain(|id| expected.contains(id));
        assert_eq!(seen, expected, "limit {limit}");
    }
});

testkit::db_test!(search_reports_the_number_of_examined_jobs, |db| async move {
    let fixture = Fixture::new(db).await;
    let needle = fixture.job(json!({"payload": {"needle": "here"}})).await;
    for part in [6_000, 6_000] {
        let rows: Vec<Value> = (0..part).map(|_| json!({"definition_key": "work"})).collect();
        assert_eq!(fixture.post("/api/v1/jobs", json!(rows)).await.json()["created"], part);
    }
    let first = fixture.get("/api/v1/jobs?filter=arg.needle:here&limit=5").await;
    assert_eq!((&first["items"], &first["searched"]), (&json!([]), &json!(10_000)));
    let next = text(&first["next"]);
    let second = fixture.get(&format!("/api/v1/jobs?filter=arg.needle:here&limit=5&cursor={next}")).await;
    assert_eq!((&second["items"][0]["id"], &second["searched"]), (&json!(needle), &json!(2_001)));
    assert!(second["next"].is_null(), "{second}");
    let page = fixture.get("/api/v1/jobs?offset=10000&limit=3").await;
    assert_eq!(page["items"].as_array().map(Vec::len), Some(3), "the highest offset works");
});
