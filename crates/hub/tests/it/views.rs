//! Saved views, and metrics over time, through the router.

use axum::http::StatusCode;
use domain::Role;
use hub::loops::Samples;
use runtime::{Pass, Task as _};
use serde_json::{Value, json};

use crate::{
    fixture::{As, TestHub},
    queue_fixture::Fixture,
};

async fn views(test: &TestHub, who: &As) -> Vec<String> {
    let answer = test.call(who, "GET", "/api/v1/views", None).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let all = answer.json()["items"].as_array().expect("a list").clone();
    all.iter()
        .map(|view| {
            format!("{}{}", view["name"].as_str().unwrap_or_default(), if view["is_mine"] == true { "*" } else { "" })
        })
        .collect()
}

fn jobs(name: &str, visibility: &str) -> Option<Value> {
    Some(json!({"page": "jobs", "name": name, "query": "q=status%3Afailed", "visibility": visibility}))
}

testkit::db_test!(views_are_private_until_shared, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, viewer) = test.browser(org, "vi@acme.example", Role::Viewer).await;
    let (_, operator) = test.browser(org, "op@acme.example", Role::Operator).await;
    let (_, admin) = test.browser(org, "ad@acme.example", Role::Admin).await;
    let kept = async |who: &As, body| test.call(who, "POST", "/api/v1/views", body).await;
    assert_eq!(kept(&viewer, jobs("mine", "private")).await.status, StatusCode::CREATED);
    let refused = kept(&viewer, jobs("ours", "org")).await;
    assert_eq!((refused.status, refused.code().as_str()), (StatusCode::FORBIDDEN, "forbidden"));
    let shared = kept(&operator, jobs("ours", "org")).await.json();
    assert_eq!(views(&test, &viewer).await, ["mine*", "ours"]);
    assert_eq!(views(&test, &admin).await, ["ours"]);

    // A shared view can be changed by its creator and by admins of the org.
    let path = format!("/api/v1/views/{}", shared["id"].as_str().expect("an id"));
    let rename = |name: &str| Some(json!({"name": name}));
    assert_eq!(test.call(&viewer, "PATCH", &path, rename("no")).await.status, StatusCode::FORBIDDEN);
    assert_eq!(test.call(&admin, "PATCH", &path, rename("theirs")).await.json()["created_by"], shared["created_by"]);
    let private = test.call(&operator, "PATCH", &path, Some(json!({"visibility": "private"}))).await;
    assert_eq!(private.json()["visibility"], "private", "{}", private.text);
    assert_eq!(test.call(&admin, "PATCH", &path, rename("mine")).await.status, StatusCode::NOT_FOUND, "private now");
    assert_eq!(test.call(&operator, "DELETE", &path, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(views(&test, &operator).await, [""; 0]);

    for wrong in [jobs("", "private"), Some(json!({"page": "jobs", "name": "x", "query": "a b"}))] {
        let refused = kept(&viewer, wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    }
    let actions: Vec<String> = test.call(&admin, "GET", "/api/v1/audit", None).await.json()["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["action"].as_str().filter(|action| action.starts_with("view.")).map(str::to_owned))
        .collect();
    let mut actions = actions;
    actions.sort();
    assert_eq!(actions, ["view.created", "view.updated", "view.updated"], "changes of private views are not audited");
});

testkit::db_test!(job_metrics_are_stored_per_minute, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let since = fixture.test.hub.now();
    for _ in 0..3 {
        fixture.job(json!({})).await;
    }
    let claimed = fixture.claim_with(&worker, json!({"request_id": "r1"})).await.json()["jobs"][0].clone();
    fixture.complete(&worker, &claimed).await;
    let mut samples = Samples::new(fixture.test.hub.clone());
    let pass = async |samples: &mut Samples| samples.pass(Pass { now: fixture.test.hub.now() }).await.expect("passes");
    pass(&mut samples).await;
    let path = format!("/api/v1/jobs/series?after={since}");
    let sum = |shown: &Value, name: &str| -> f64 {
        let series = shown["series"].as_array().expect("a list").iter().find(|one| one["name"] == name);
        series.expect("exists")["values"].as_array().expect("values").iter().filter_map(Value::as_f64).sum()
    };
    fixture.test.pass(60);
    assert!(sum(&fixture.get(&path).await, "enqueued").abs() < 0.01, "the minute had not ended");
    pass(&mut samples).await;
    pass(&mut samples).await;
    let shown = fixture.get(&path).await;
    assert_eq!(shown["step_s"], 60);
    assert!((sum(&shown, "enqueued") - 3.0).abs() < 0.01, "{shown}");
    assert!((sum(&shown, "succeeded") - 1.0).abs() < 0.01, "{shown}");
    assert!(sum(&shown, "wait_p95") > 0.0 && sum(&shown, "run_p50") > 0.0, "{shown}");
    let wrong = fixture.test.call(&As::Local, "GET", "/api/v1/jobs/series?after=2020-01-01T00:00:00Z", None).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", wrong.text);
});
