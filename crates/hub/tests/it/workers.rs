//! Claims over HTTP: the tokens that allow them, their secrets, and the redaction of the workers' reports.

use std::net::SocketAddr;

use axum::http::StatusCode;
use data_encoding::{BASE64, HEXLOWER};
use domain::{
    Role, TokenId,
    role::Scope,
    secret::{Secret, SecretKind},
};
use hub::{
    Peer,
    loops::{Alerts, EventPublisher},
};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};

use crate::{
    fixture::{Answer, As, request},
    queue_fixture::{Fixture, QUEUE, Worker, text},
};

const CLAIM: &str = "/api/v1/worker/jobs/claim";
const SECRET: &str = "correct-horse/battery+1";
const PIN: &str = "pin-of-kim-47";

/// A definition with a secret and a hidden payload value, whose secret is set.
async fn secretive(fixture: &Fixture) {
    fixture
        .define(json!({
            "key": "work", "secrets": ["API_KEY"], "max_attempts": 2,
            "arg_schema": {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": true}}},
        }))
        .await;
    set_secret(fixture, SECRET).await;
}

async fn set_secret(fixture: &Fixture, value: &str) {
    let put = fixture.test.call(&As::Local, "PUT", "/api/v1/secrets/API_KEY", Some(json!({"value": value}))).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
}

async fn secret_job(fixture: &Fixture) -> String {
    fixture.job(json!({"payload": {"pin": PIN}})).await
}

/// A claim over a TCP connection from this address.
async fn claim_from(fixture: &Fixture, worker: &Worker, address: &str, is_tls: bool, more: Value) -> Answer {
    let mut body = json!({"worker_id": worker.name, "queues": [QUEUE]});
    body.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
    let mut request = request(&worker.who, "POST", CLAIM, Some(body));
    let address: SocketAddr = address.parse().expect("an address");
    request.extensions_mut().insert(Peer::Tcp { address, is_tls });
    fixture.test.send(request).await
}

fn refused(answer: &Answer, part: &str) {
    assert_eq!((answer.status.as_u16(), answer.code().as_str()), (403, "forbidden"), "{}", answer.text);
    assert!(answer.text.contains(part), "{}", answer.text);
}

testkit::db_test!(only_worker_tokens_of_admins_claim, |db| async move {
    let fixture = Fixture::new(db).await;
    let (test, org) = (&fixture.test, fixture.org);
    secretive(&fixture).await;
    secret_job(&fixture).await;
    let claim = || Some(json!({"worker_id": "w", "queues": [QUEUE]}));
    for role in [Role::Viewer, Role::Operator, Role::Admin, Role::SuperAdmin] {
        let user = test.person(org, &format!("{role}@acme.example"), role).await;
        for scope in ["api", "read"] {
            let (_, secret) = test.token_with(org, user, role, json!({"name": "t", "scope": scope})).await;
            let answer = test.call(&As::Bearer(secret), "POST", CLAIM, claim()).await;
            refused(&answer, "--scope worker --queue");
        }
    }
    refused(&test.call(&As::Local, "POST", CLAIM, claim()).await, "scope `worker`");

    // Operators cannot create worker tokens, and admins must name queues that exist as names, and known definitions.
    let tokens = "/api/v1/tokens";
    let worker = json!({"name": "w", "scope": "worker", "queues": [QUEUE]});
    let operator = test.person(org, "op@acme.example", Role::Operator).await;
    let operator = As::Bearer(test.token(org, operator, Role::Operator).await.1);
    refused(&test.call(&operator, "POST", tokens, Some(worker.clone())).await, "only admins");
    for wrong in [
        json!({"name": "w", "scope": "worker"}),
        json!({"name": "w", "scope": "worker", "queues": ["No Queue"]}),
        json!({"name": "w", "scope": "worker", "queues": [QUEUE], "definitions": ["nothing"]}),
        json!({"name": "w", "scope": "api", "queues": [QUEUE]}),
        json!({"name": "w", "definitions": ["work"]}),
    ] {
        let answer = test.call(&As::Local, "POST", tokens, Some(wrong.clone())).await;
        assert!(matches!(answer.status.as_u16(), 404 | 422), "{wrong}: {}", answer.text);
    }

    // A worker token counts only while its maker is an admin.
    let maker = test.person(org, "maker@acme.example", Role::Admin).await;
    let (id, secret) = test.token_with(org, maker, Role::Admin, worker).await;
    let who = As::Bearer(secret);
    let listed = fixture.get(tokens).await;
    let own = listed["items"].as_array().expect("items").iter().find(|token| token["id"] == json!(id));
    let own = own.expect("it is listed");
    assert_eq!(
        (&own["queues"], &own["definitions"], &own["role"]),
        (&json!([QUEUE]), &Value::Null, &json!("operator"))
    );
    let now = test.hub.now();
    for role in [Role::Operator, Role::Viewer] {
        test.write(move |tx| Box::pin(async move { Ok(tx.member_put(org, maker, role, now).await?) })).await;
        refused(&test.call(&who, "POST", CLAIM, claim()).await, "created by an admin");
    }
    test.write(move |tx| Box::pin(async move { Ok(tx.member_put(org, maker, Role::Admin, now).await?) })).await;
    let claimed = test.call(&who, "POST", CLAIM, claim()).await;
    assert_eq!(claimed.json()["jobs"][0]["secrets"], json!({"API_KEY": SECRET}), "{}", claimed.text);
});

testkit::db_test!(worker_token_of_an_older_version_cannot_claim, |db| async move {
    let fixture = Fixture::new(db).await;
    let (test, org) = (&fixture.test, fixture.org);
    let user_id = test.person(org, "ana@acme.example", Role::Admin).await;
    let (secret, now) = (Secret::new(SecretKind::Token, test.hub.random.bytes(), &[]), test.hub.now());
    let id: TokenId = test.hub.ids.next();
    let token = store::token::Token {
        id,
        org_id: org,
        user_id,
        parent_id: None,
        is_login: false,
        may_create_tokens: false,
        created_by: String::new(),
        name: "old".into(),
        hint: secret.hint(),
        role: Role::Operator,
        scope: Scope::Worker,
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        created_at: now,
    };
    let hash = secret.hash();
    test.write(move |tx| Box::pin(async move { Ok(tx.token_insert(&token, hash).await?) })).await;
    let who = As::Bearer(secret.reveal().to_owned());
    refused(&test.call(&who, "POST", CLAIM, Some(json!({"worker_id": "w"}))).await, "names no queues");
});

testkit::db_test!(claims_are_bound_to_queues_and_definitions_of_the_token, |db| async move {
    let fixture = Fixture::new(db).await;
    let (test, org) = (&fixture.test, fixture.org);
    fixture.define(json!({"key": "other"})).await;
    let user = test.person(org, "ana@acme.example", Role::Admin).await;
    let limits = json!({"name": "w", "scope": "worker", "queues": [QUEUE], "definitions": ["work"]});
    let (_, secret) = test.token_with(org, user, Role::Admin, limits).await;
    let worker = Worker { who: As::Bearer(secret), name: "w".to_owned() };
    let other = fixture.post("/api/v1/jobs", json!({"definition_key": "other"})).await.json();
    let elsewhere = fixture.job(json!({"target": {"queue": "elsewhere"}})).await;
    let own = fixture.job(json!({})).await;
    let claimed = fixture.claim(&worker, 9).await;
    assert_eq!(claimed.iter().map(|job| text(&job["id"])).collect::<Vec<_>>(), [own]);
    for queues in [json!(["elsewhere"]), json!([QUEUE, "elsewhere"])] {
        refused(&fixture.claim_with(&worker, json!({"queues": queues})).await, "`elsewhere`");
    }
    // Without queues it claims from those of its token, not from `default`.
    let again = fixture.job(json!({})).await;
    let claimed = fixture.claim_with(&worker, json!({"queues": [], "max": 9})).await.json();
    assert_eq!(claimed["jobs"].as_array().map(Vec::len), Some(1));
    assert_eq!(claimed["jobs"][0]["id"], json!(again));
    for id in [text(&other["id"]), elsewhere] {
        assert_eq!(fixture.state(&id).await.0, "queued");
    }
});

testkit::db_test!(claim_with_secrets_is_refused_over_an_open_connection, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "plain", "queue": "elsewhere"})).await;
    secretive(&fixture).await;
    let (id, worker) = (secret_job(&fixture).await, fixture.worker("w").await);
    let refused = claim_from(&fixture, &worker, "192.0.2.7:9", false, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "not_encrypted"), "{}", refused.text);
    assert!(!refused.text.contains(SECRET) && !refused.text.contains(PIN));
    let job = fixture.show(&id).await;
    assert_eq!((&job["status"], &job["attempt_count"]), (&json!("queued"), &json!(0)), "nothing was claimed");

    // Jobs without secrets can be claimed over such a connection.
    fixture.post("/api/v1/jobs", json!({"definition_key": "plain"})).await;
    let plain = claim_from(&fixture, &worker, "192.0.2.7:9", false, json!({"queues": ["elsewhere"]})).await;
    assert_eq!(plain.json()["jobs"][0]["definition_key"], "plain", "{}", plain.text);

    // TLS and loopback; a repeated request is checked, too.
    let claimed = claim_from(&fixture, &worker, "192.0.2.7:9", true, json!({"request_id": "r1"})).await;
    assert_eq!(claimed.json()["jobs"][0]["secrets"], json!({"API_KEY": SECRET}), "{}", claimed.text);
    let repeated = claim_from(&fixture, &worker, "192.0.2.7:9", false, json!({"request_id": "r1"})).await;
    assert_eq!(repeated.code(), "not_encrypted", "{}", repeated.text);
    let repeated = claim_from(&fixture, &worker, "127.0.0.1:9", false, json!({"request_id": "r1"})).await;
    assert_eq!(repeated.json()["jobs"][0]["payload"], json!({"pin": PIN}), "{}", repeated.text);
});

testkit::db_test!(claims_with_secrets_are_audited_once_per_worker_and_minute, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "plain", "queue": "elsewhere"})).await;
    secretive(&fixture).await;
    let (one, two) = (fixture.worker("one").await, fixture.worker("two").await);
    let rows = async || {
        let all = fixture.get("/api/v1/audit?limit=500").await;
        let items = all["items"].as_array().expect("items").clone();
        items.into_iter().filter(|row| row["action"] == "secret.claimed").collect::<Vec<_>>()
    };
    fixture.post("/api/v1/jobs", json!({"definition_key": "plain"})).await;
    fixture.claim_with(&one, json!({"queues": ["elsewhere"]})).await;
    assert_eq!(rows().await.len(), 0, "a claim without secrets is not audited");
    let mut first = String::new();
    for number in 0..3 {
        let id = secret_job(&fixture).await;
        fixture.claim_one(&one).await;
        if number == 0 {
            first = id;
        }
    }
    secret_job(&fixture).await;
    fixture.claim_one(&two).await;
    let found = rows().await;
    assert_eq!(found.len(), 2, "one row per worker: {found:?}");
    let shown = json!(found).to_string();
    assert!(shown.contains(&first) && shown.contains("API_KEY") && shown.contains("token:t-one"), "{shown}");
    assert!(!shown.contains(SECRET) && !shown.contains(PIN), "{shown}");
    fixture.watch(60).await;
    secret_job(&fixture).await;
    fixture.claim_one(&one).await;
    assert_eq!(rows().await.len(), 3, "one more in the next minute");
});

/// Everything that people can read, as one text.
async fn everything(fixture: &Fixture, job: &str) -> String {
    EventPublisher::new(fixture.test.hub.clone()).pass(Pass { now: fixture.test.hub.now() }).await.expect("passes");
    Alerts::new(fixture.test.hub.clone()).pass(Pass { now: fixture.test.hub.now() }).await.expect("passes");
    let mut all = String::new();
    let mut paths: Vec<String> = ["jobs", "audit", "events", "alerts?status=all", "notices"].map(str::to_owned).into();
    paths.extend(["", "/why", "/attempts"].map(|part| format!("jobs/{job}{part}")));
    for path in paths {
        all.push_str(&fixture.get(&format!("/api/v1/{path}")).await.to_string());
    }
    all
}

/// The forms of the values that must not be shown.
fn forms() -> Vec<String> {
    let value = |value: &str| {
        [
            value.to_owned(),
            BASE64.encode(value.as_bytes()),
            HEXLOWER.encode(value.as_bytes()),
            value.replace('/', "%2F"),
        ]
    };
    [value(SECRET), value(PIN)].concat()
}

testkit::db_test!(reports_of_workers_show_no_secret, |db| async move {
    let fixture = Fixture::new(db).await;
    secretive(&fixture).await;
    let worker = fixture.worker("w").await;
    let said = forms().join(" ");

    let done = secret_job(&fixture).await;
    let job = fixture.claim_one(&worker).await;
    // The worker has the old value, whatever happens to the secret during the run.
    set_secret(&fixture, "another value").await;
    let beat = json!({"percent": 40, "message": format!("using {PIN}, then {SECRET}")});
    assert_eq!(fixture.report(&worker, &job, "heartbeat", beat).await.status, StatusCode::OK);
    let report = json!({
        "output": {"said": said, SECRET: [PIN, {"deep": SECRET}]},
        "stdout_tail": format!("first line\n{said}\nAuthorization: Bearer abcdef.12345678"),
    });
    assert_eq!(fixture.report(&worker, &job, "complete", report).await.status, StatusCode::OK);
    let shown = everything(&fixture, &done).await;
    for form in forms() {
        assert!(!shown.contains(&form), "{form} is in {shown}");
    }
    assert!(shown.contains("using •••, then •••"), "the progress is shown: {shown}");
    assert!(shown.contains("first line") && !shown.contains("abcdef.12345678"), "{shown}");

    set_secret(&fixture, SECRET).await;
    let failed = secret_job(&fixture).await;
    for status in ["queued", "dead_letter"] {
        fixture.later(600).await;
        fixture.watch(10).await;
        let job = fixture.claim_one(&worker).await;
        let report = json!({"error": format!("cannot log in with {SECRET}: {said}"), "stderr_tail": said});
        assert_eq!(fixture.fail(&worker, &job, report).await, status);
    }
    let shown = everything(&fixture, &failed).await;
    for form in forms() {
        assert!(!shown.contains(&form), "{form} is in {shown}");
    }
    assert!(shown.contains("cannot log in with •••"), "{shown}");
    let (org, left) = (fixture.org, failed.parse().expect("an id"));
    for fence in [1, 2] {
        let stored = fixture
            .test
            .write(move |tx| Box::pin(async move { Ok(tx.worker_secret_get(org, (left, fence)).await?) }))
            .await;
        assert_eq!(stored, None, "the values are deleted with the run");
    }
});

testkit::db_test!(late_report_of_a_worker_shows_no_secret, |db| async move {
    let fixture = Fixture::new(db).await;
    secretive(&fixture).await;
    let (one, two) = (fixture.worker("one").await, fixture.worker("two").await);
    let id = secret_job(&fixture).await;
    let lost = fixture.claim_one(&one).await;
    fixture.watch(900).await;
    fixture.end_lost_runs().await;
    fixture.later(900).await;
    fixture.watch(10).await;
    fixture.claim_one(&two).await;
    set_secret(&fixture, "another value").await;
    let late = json!({"error": format!("late {SECRET} {PIN}")});
    let answer = fixture.report(&one, &lost, "fail", late).await;
    assert_eq!(answer.code(), "run_stale", "{}", answer.text);
    assert_eq!(fixture.evidence(&id).await, 1);
    let (org, job) = (fixture.org, id.parse().expect("an id"));
    let kept = fixture.test.write(move |tx| Box::pin(async move { Ok(tx.stale_of_job(org, job).await?) })).await;
    assert_eq!(kept[0].body["error"], "late ••• •••");
});
