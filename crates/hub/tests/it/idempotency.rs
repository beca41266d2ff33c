//! Repeated requests with an idempotency key: executed once, same response, private to the caller.

use axum::http::StatusCode;
use domain::Role;
use hub::loops::Retention;
use runtime::{Pass, Task as _};
use serde_json::{Value, json};

use crate::fixture::{Answer, As, TestHub, request};

/// Creates a token, whose response is shown only once.
const TOKENS: &str = "/api/v1/tokens";
const VIEWS: &str = "/api/v1/views";

fn named(name: &str) -> Option<Value> {
    Some(json!({"name": name}))
}

fn view(name: &str, visibility: &str) -> Option<Value> {
    Some(json!({"page": "jobs", "name": name, "query": "", "visibility": visibility}))
}

fn is_replayed(answer: &Answer) -> bool {
    answer.headers.get("idempotency-replayed").is_some_and(|value| value == "true")
}

fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

fn held() -> (u16, String) {
    (409, "key_held".to_owned())
}

fn mismatch() -> (u16, String) {
    (409, "idempotency_mismatch".to_owned())
}

async fn count(test: &TestHub, who: &As, path: &str) -> usize {
    test.call(who, "GET", path, None).await.json()["items"].as_array().expect("a list").len()
}

/// A user with a token.
async fn caller(test: &TestHub, name: &str, role: Role) -> As {
    let org = test.first_org().await;
    let user = test.person(org, &format!("{name}@acme.example"), role).await;
    As::Bearer(test.token(org, user, role).await.1)
}

/// All stored responses, as they are in the database.
async fn kept(test: &TestHub) -> Vec<Value> {
    let store = test.db.store.clone();
    let shapes = store.shapes().await.expect("shapes");
    let shapes: Vec<_> = shapes.into_iter().filter(|shape| shape.table == "request_key").collect();
    let (sender, mut receiver) = tokio::sync::mpsc::channel(4);
    let dumped = async move { store.dump(&shapes, &[], &sender).await };
    let taken = async {
        let mut rows = Vec::new();
        while let Some(batch) = receiver.recv().await {
            rows.extend(batch.rows);
        }
        rows
    };
    let (dumped, rows) = futures_util::future::join(dumped, taken).await;
    dumped.expect("dumps");
    rows
}

testkit::db_test!(repeated_request_gets_the_first_response, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    let before = count(&test, &ana, TOKENS).await;
    let first = test.post_under("k", &ana, TOKENS, named("one")).await;
    assert_eq!((first.status, is_replayed(&first)), (StatusCode::CREATED, false), "{}", first.text);
    for _ in 0..2 {
        let again = test.post_under("k", &ana, TOKENS, named("one")).await;
        assert_eq!((again.status, again.text.as_str(), is_replayed(&again)), (first.status, first.text.as_str(), true));
        assert_eq!(again.headers["content-type"], first.headers["content-type"]);
        assert_ne!(again.headers["x-request-id"], first.headers["x-request-id"]);
    }
    assert_eq!(count(&test, &ana, TOKENS).await, before + 1, "created once");

    // A key identifies one request: another body, another path for the same route, or another route is a mismatch.
    let scoped = format!("/api/v1/orgs/default{}", TOKENS.trim_start_matches("/api/v1"));
    for (path, body) in [(TOKENS, named("two")), (&*scoped, named("one")), (VIEWS, named("one"))] {
        assert_eq!(refusal(&test.post_under("k", &ana, path, body).await), mismatch(), "{path}");
    }
    assert_eq!(test.post_under("l", &ana, TOKENS, named("two")).await.status, StatusCode::CREATED);
    for wrong in ["", &"x".repeat(201)] {
        assert_eq!(test.post_under(wrong, &ana, TOKENS, named("three")).await.status.as_u16(), 422);
    }

    // Responses with an error about the content are stored too, and responses without a body.
    let refused = test.post_under("m", &ana, "/api/v1/hosts/nowhere/pause", None).await;
    assert_eq!(refusal(&refused), (404, "not_found".to_owned()));
    let again = test.post_under("m", &ana, "/api/v1/hosts/nowhere/pause", None).await;
    assert_eq!((again.text.as_str(), is_replayed(&again)), (refused.text.as_str(), true));
    assert_eq!(again.headers["content-type"], "application/problem+json");
    let (_, browser) = test.browser(test.first_org().await, "bo@acme.example", Role::Viewer).await;
    let password = Some(json!({"new": "correct horse battery"}));
    for expected in [false, true] {
        let set = test.post_under("n", &browser, "/api/v1/me/password", password.clone()).await;
        assert_eq!((set.status, is_replayed(&set)), (StatusCode::NO_CONTENT, expected), "{}", set.text);
    }

    test.pass(86_401);
    let anew = test.post_under("k", &ana, TOKENS, named("four")).await;
    assert_eq!((anew.status, is_replayed(&anew)), (StatusCode::CREATED, false), "the key expires after a day");
    Retention::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("passes");
    assert_eq!(kept(&test).await.len(), 1, "expired responses are deleted");
});

testkit::db_test!(idempotency_keys_are_private_to_the_caller, |db| async move {
    let test = TestHub::new(db).await;
    let (ana, bo) = (caller(&test, "ana", Role::Admin).await, caller(&test, "bo", Role::Admin).await);
    let all = caller(&test, "all", Role::SuperAdmin).await;
    test.org("beta").await;
    let mut seen = std::collections::HashSet::new();
    let (first, second) = ("/api/v1/orgs/default/join-tokens", "/api/v1/orgs/beta/join-tokens");
    for (who, path) in [(&ana, first), (&bo, first), (&all, first), (&all, second), (&As::Local, first)] {
        let made = test.post_under("same", who, path, None).await;
        assert_eq!((made.status, is_replayed(&made)), (StatusCode::CREATED, false), "{path}: {}", made.text);
        assert!(seen.insert(made.json()["secret"].as_str().expect("a secret").to_owned()));
    }
    // A caller without the permission gets no stored response.
    let org = test.first_org().await;
    let user = test.person(org, "cy@acme.example", Role::Admin).await;
    let (id, secret) = test.token(org, user, Role::Admin).await;
    let cy = As::Bearer(secret);
    assert_eq!(test.post_under("same", &cy, TOKENS, named("one")).await.status, StatusCode::CREATED);
    let now = test.hub.now();
    test.write(move |tx| Box::pin(async move { Ok(tx.member_put(org, user, Role::Operator, now).await?) })).await;
    assert_eq!(refusal(&test.post_under("same", &cy, TOKENS, named("one")).await), mismatch(), "the role has changed");
    test.hub.token_revoke(&crate::fixture::local(), org, id).await.expect("revokes");
    assert_eq!(test.post_under("same", &cy, TOKENS, named("one")).await.status, StatusCode::UNAUTHORIZED);
});

testkit::db_test!(one_of_many_concurrent_requests_is_executed, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    let before = count(&test, &ana, TOKENS).await;
    let together = (0..16).map(|_| test.post_under("crowd", &ana, TOKENS, named("one")));
    let answers = futures_util::future::join_all(together).await;
    let done = answers.iter().filter(|answer| answer.status == StatusCode::CREATED && !is_replayed(answer)).count();
    assert_eq!(done, 1);
    for answer in answers.iter().filter(|answer| answer.status != StatusCode::CREATED) {
        assert_eq!(refusal(answer), held(), "{}", answer.text);
        assert!(answer.headers.contains_key("retry-after"), "{}", answer.text);
    }
    assert_eq!(count(&test, &ana, TOKENS).await, before + 1);
    assert!(is_replayed(&test.post_under("crowd", &ana, TOKENS, named("one")).await));
});

testkit::db_test!(rejected_or_failed_request_frees_its_key, |db| async move {
    let test = TestHub::new(db).await;
    let vi = caller(&test, "vi", Role::Viewer).await;
    // Rejected for the role, inside the handler and before it.
    let refused = test.post_under("k", &vi, VIEWS, view("ours", "org")).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);
    assert_eq!(test.post_under("k", &vi, "/api/v1/join-tokens", None).await.status, StatusCode::FORBIDDEN);
    assert_eq!(kept(&test).await.len(), 0);
    // Failed in the handler.
    test.db.store.execute_raw("alter table saved_view rename to saved_view_aside").await.expect("damages");
    for _ in 0..2 {
        let failed = test.post_under("k", &vi, VIEWS, view("mine", "private")).await;
        assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR, "{}", failed.text);
    }
    assert_eq!(kept(&test).await.len(), 0);
    test.db.store.execute_raw("alter table saved_view_aside rename to saved_view").await.expect("repairs");
    let made = test.post_under("k", &vi, VIEWS, view("mine", "private")).await;
    assert_eq!((made.status, is_replayed(&made)), (StatusCode::CREATED, false), "{}", made.text);
});

/// As if the hub had been killed after the commit of each request, before it stored the response.
const KILLED_AFTER_COMMIT: &str =
    "update request_key set status = null, content_type = null, sealed_answer = null where committed_at is not null";
/// As if the hub had been killed before the commit.
const KILLED_BEFORE_COMMIT: &str =
    "update request_key set status = null, content_type = null, sealed_answer = null, committed_at = null";

testkit::db_test!(committed_request_without_a_response_is_not_executed_again, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    let event = Some(json!({"name": "shop.order_paid"}));
    for (key, path, body) in
        [("k", TOKENS, named("one")), ("l", VIEWS, view("mine", "private")), ("m", "/api/v1/events", event)]
    {
        let first = test.post_under(key, &ana, path, body.clone()).await;
        assert_eq!(first.status, StatusCode::CREATED, "{}", first.text);
        test.db.store.execute_raw(KILLED_AFTER_COMMIT).await.expect("damages");
        let before = count(&test, &ana, TOKENS).await;
        let early = test.post_under(key, &ana, path, body.clone()).await;
        assert_eq!((refusal(&early), early.headers.contains_key("retry-after")), (held(), true), "{}", early.text);
        test.pass(60);
        let late = test.post_under(key, &ana, path, body).await;
        assert_eq!((refusal(&late), late.headers.contains_key("retry-after")), (held(), false), "{}", late.text);
        assert!(late.text.contains("took effect"), "{path}: {}", late.text);
        assert_eq!(refusal(&test.post_under(key, &ana, path, named("other")).await), mismatch());
        assert_eq!(count(&test, &ana, TOKENS).await, before);
    }
});

testkit::db_test!(uncommitted_request_of_a_dead_hub_is_executed_by_its_repetition, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    test.post_under("k", &ana, TOKENS, named("one")).await;
    test.db.store.execute_raw(KILLED_BEFORE_COMMIT).await.expect("damages");
    let before = count(&test, &ana, TOKENS).await;
    let early = test.post_under("k", &ana, TOKENS, named("one")).await;
    assert_eq!((refusal(&early), early.headers.contains_key("retry-after")), (held(), true), "{}", early.text);
    test.pass(60);
    assert_eq!(refusal(&test.post_under("k", &ana, TOKENS, named("two")).await), mismatch());
    let together = (0..8).map(|_| test.post_under("k", &ana, TOKENS, named("one")));
    let answers = futures_util::future::join_all(together).await;
    let done = answers.iter().filter(|answer| answer.status == StatusCode::CREATED && !is_replayed(answer)).count();
    assert_eq!(done, 1, "one repetition takes the key over");
    for answer in answers.iter().filter(|answer| answer.status != StatusCode::CREATED) {
        assert_eq!(refusal(answer), held(), "{}", answer.text);
    }
    assert_eq!(count(&test, &ana, TOKENS).await, before + 1);
    assert!(is_replayed(&test.post_under("k", &ana, TOKENS, named("one")).await));
});

testkit::db_test!(repeated_server_start_creates_one_job, |db| async move {
    let test = TestHub::new(db).await;
    let (org, ana) = (test.first_org().await, caller(&test, "ana", Role::Admin).await);
    test.host(org, "alfa").await;
    let server = Some(json!({"name": "arena", "host": "alfa", "argv": ["/bin/true"]}));
    let made = test.call(&As::Local, "POST", "/api/v1/servers", server).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let start = "/api/v1/servers/arena/start";
    let first = test.post_under("k", &ana, start, None).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.text);
    let id = first.json()["id"].clone();
    // Without the job, the dedupe key of the operation no longer holds back a second one.
    let cancel = format!("/api/v1/jobs/{}/cancel", id.as_str().expect("an id"));
    assert_eq!(test.call(&ana, "POST", &cancel, None).await.status, StatusCode::OK);
    test.db.store.execute_raw(KILLED_BEFORE_COMMIT).await.expect("damages");
    test.pass(60);
    let again = test.post_under("k", &ana, start, None).await;
    assert_eq!(again.status, StatusCode::CREATED, "{}", again.text);
    assert_eq!(again.json()["id"], id);
    assert_eq!(count(&test, &ana, "/api/v1/jobs").await, 1);
});

testkit::db_test!(response_is_stored_after_the_client_disconnects, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    let before = count(&test, &ana, TOKENS).await;
    let mut asked = request(&ana, "POST", TOKENS, named("one"));
    asked.headers_mut().insert("idempotency-key", "k".parse().expect("a value"));
    let is_taken = async { while kept(&test).await.is_empty() {} };
    tokio::select! {
        _ = test.send(asked) => {}
        () = is_taken => {}
    }
    let found = loop {
        let again = test.post_under("k", &ana, TOKENS, named("one")).await;
        if refusal(&again) != held() {
            break again;
        }
    };
    assert_eq!((found.status, is_replayed(&found)), (StatusCode::CREATED, true), "{}", found.text);
    assert_eq!(count(&test, &ana, TOKENS).await, before + 1);
});

testkit::db_test!(oversized_response_is_not_stored, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    // Each of these characters takes six bytes in JSON.
    let crontab = format!("A={}\n", "\u{1}".repeat(120)).repeat(1_000);
    let crontab = Some(json!({"crontab": crontab, "dry_run": true}));
    let first = test.post_under("k", &ana, "/api/v1/jobs/triggers/import", crontab.clone()).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.text);
    assert!(first.text.len() > 512 * 1024, "only {} bytes", first.text.len());
    let again = test.post_under("k", &ana, "/api/v1/jobs/triggers/import", crontab).await;
    assert_eq!(refusal(&again), held(), "{}", again.text);
    assert!(again.text.contains("completed with status 200"), "{}", again.text);
});

testkit::db_test!(stored_responses_are_encrypted, |db| async move {
    let test = TestHub::new(db).await;
    let ana = caller(&test, "ana", Role::Admin).await;
    let made = test.post_under("k", &ana, TOKENS, named("one")).await.json();
    let secret = made["secret"].as_str().expect("a secret");
    let invited = json!({"email": "cy@acme.example", "role": "viewer"});
    let url = test.post_under("l", &ana, "/api/v1/invitations", Some(invited)).await.json();
    let link = url["url"].as_str().expect("a link").rsplit('/').next().expect("its secret");
    let rows = kept(&test).await;
    assert_eq!(rows.len(), 2);
    let text = Value::from(rows).to_string();
    for plain in [secret, link, "cy@acme.example"] {
        // Bytes are dumped as hexadecimal text.
        let hex: String = plain.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!text.contains(plain) && !text.contains(&hex), "{plain} is stored in clear text");
    }
    // A stored response that was moved to another key cannot be decrypted, and the request is not executed again.
    test.db.store.execute_raw("update request_key set key = 'm' where key = 'k'").await.expect("damages");
    let moved = test.post_under("m", &ana, TOKENS, named("one")).await;
    assert_eq!(refusal(&moved), (500, "secret_key_wrong".to_owned()), "bound to its key");
});
