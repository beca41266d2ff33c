//! Secrets of an org and secret values of payloads: who gets them, and that they appear nowhere else.

use axum::http::StatusCode;
use hub::{Hub, Options};
use serde_json::{Value, json};

use crate::{
    fixture::{As, TestHub},
    queue_fixture::{Fixture, Worker, pointers, text},
};

const VALUE: &str = "correct-horse-battery";

async fn set(fixture: &Fixture, name: &str, value: &str) {
    let answer = put(fixture, name, json!({"value": value})).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
}

async fn put(fixture: &Fixture, name: &str, body: Value) -> crate::fixture::Answer {
    fixture.test.call(&As::Local, "PUT", &format!("/api/v1/secrets/{name}"), Some(body)).await
}

async fn remove(fixture: &Fixture, name: &str) -> StatusCode {
    fixture.test.call(&As::Local, "DELETE", &format!("/api/v1/secrets/{name}"), None).await.status
}

/// Everything that users can read of the org and its jobs, as one text.
async fn everything(fixture: &Fixture, jobs: &[&str]) -> String {
    let mut all = String::new();
    let mut paths: Vec<String> = ["jobs", "audit", "events", "secrets", "jobs/definitions"].map(str::to_owned).into();
    for job in jobs {
        paths.extend(["", "/why", "/attempts"].map(|part| format!("jobs/{job}{part}")));
    }
    for path in paths {
        all.push_str(&fixture.get(&format!("/api/v1/{path}")).await.to_string());
    }
    all
}

testkit::db_test!(secrets_are_only_in_the_grant, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "secrets": ["DEPLOY_TOKEN", "SSH_KEY"]})).await;
    set(&fixture, "DEPLOY_TOKEN", VALUE).await;
    let refused = fixture.post("/api/v1/jobs", json!({"definition_key": "work"})).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "secret_missing"), "{}", refused.text);
    assert!(refused.text.contains("`SSH_KEY`") && refused.text.contains("hostler secret set SSH_KEY"));
    set(&fixture, "SSH_KEY", "a\nb").await;
    set(&fixture, "OTHER", "of no concern").await;

    let worker = fixture.worker("w").await;
    let id = fixture.job(json!({})).await;
    let claimed = fixture.claim_with(&worker, json!({"request_id": "r1"})).await.json()["jobs"][0].clone();
    assert_eq!(claimed["secrets"], json!({"DEPLOY_TOKEN": VALUE, "SSH_KEY": "a\nb"}));
    let again = fixture.claim_with(&worker, json!({"request_id": "r1"})).await.json()["jobs"][0].clone();
    assert_eq!(again, claimed, "a repeated request gets the same secrets");
    fixture.complete(&worker, &claimed).await;

    // A new value is used by the next run.
    set(&fixture, "DEPLOY_TOKEN", "another value").await;
    fixture.job(json!({})).await;
    assert_eq!(fixture.claim_one(&worker).await["secrets"]["DEPLOY_TOKEN"], "another value");

    let listed = fixture.get("/api/v1/secrets").await;
    let names: Vec<&str> =
        listed["items"].as_array().expect("items").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["DEPLOY_TOKEN", "OTHER", "SSH_KEY"]);
    let fields: Vec<&String> = listed["items"][0].as_object().expect("an object").keys().collect();
    assert_eq!(fields, ["created_at", "created_by", "name", "updated_at"]);
    let shown = everything(&fixture, &[&id]).await;
    assert!(!shown.contains(VALUE) && !shown.contains("another value"), "{shown}");
    assert!(shown.contains("secret.set"), "it is audited");
    let stored =
        fixture.test.write(|tx| Box::pin(async move { Ok(tx.secret_any().await?) })).await.expect("there is one");
    assert!(!stored.sealed.windows(4).any(|part| part == b"corr"), "it is encrypted");
});

testkit::db_test!(job_waits_for_a_removed_secret, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "secrets": ["TOKEN"]})).await;
    set(&fixture, "TOKEN", VALUE).await;
    let (id, worker) = (fixture.job(json!({})).await, fixture.worker("w").await);
    assert_eq!(remove(&fixture, "TOKEN").await, StatusCode::NO_CONTENT);
    assert_eq!(remove(&fixture, "TOKEN").await, StatusCode::NOT_FOUND);
    assert!(fixture.claim(&worker, 1).await.is_empty(), "it does not start");
    let job = fixture.show(&id).await;
    assert_eq!((&job["status"], &job["wait_reason"]), (&json!("queued"), &json!("secret_missing")));
    assert_eq!(job["why"]["text"], "the secret `TOKEN` is not set in its org");
    assert_eq!(job["why"]["hints"], json!(["hostler secret set TOKEN"]));
    set(&fixture, "TOKEN", "new").await;
    assert_eq!(fixture.claim_one(&worker).await["secrets"], json!({"TOKEN": "new"}));
});

testkit::db_test!(job_of_an_old_version_fails_if_its_secret_was_removed, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "secrets": ["TOKEN"], "max_attempts": 1})).await;
    set(&fixture, "TOKEN", VALUE).await;
    let (id, worker) = (fixture.job(json!({})).await, fixture.worker("w").await);
    // The newest version needs no secret, so the lane is open; this job keeps the version that it was created with.
    fixture.define(json!({"key": "work", "secrets": []})).await;
    remove(&fixture, "TOKEN").await;
    assert!(fixture.claim(&worker, 1).await.is_empty());
    let job = fixture.show(&id).await;
    assert_eq!(job["status"], "dead_letter", "{job}");
    assert!(text(&job["last_error"]).contains("hostler secret set TOKEN"), "{job}");
    assert_eq!(fixture.get("/api/v1/jobs/summary").await["running"], 0);
    fixture.job(json!({})).await;
    assert_eq!(fixture.claim(&worker, 5).await.len(), 1, "the worker has its capacity back");
});

testkit::db_test!(invalid_secrets_are_rejected_without_repeating_the_value, |db| async move {
    let fixture = Fixture::new(db).await;
    for (name, body) in [
        ("1ST", json!({"value": VALUE})),
        ("HOSTLER_TOKEN", json!({"value": VALUE})),
        ("A%20B", json!({"value": VALUE})),
        ("A", json!({"value": ""})),
        ("A", json!({"value": VALUE.repeat(2_000)})),
        ("A", json!({"value": 471_147_114})),
        ("A", json!({"value": VALUE, "more": 1})),
        ("A", json!({"valeu": VALUE})),
        ("A", json!(VALUE)),
        ("A", json!([VALUE])),
        ("A", json!({})),
    ] {
        let answer = put(&fixture, name, body).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, "invalid_value"), "{}", answer.text);
        assert!(!answer.text.contains(VALUE) && !answer.text.contains("471147114"), "{}", answer.text);
    }
    assert_eq!(fixture.get("/api/v1/secrets").await["items"], json!([]));
});

/// A definition with a secret token, and a secret pin per login.
async fn hiding(fixture: &Fixture) {
    fixture
        .define(json!({
            "key": "work", "argv": ["true", ["--to", "{{ to }}"]],
            "arg_schema": {
                "type": "object", "additionalProperties": false, "required": ["token"],
                "properties": {
                    "to": {"type": "string"},
                    "token": {"type": "string", "minLength": 8, "writeOnly": true},
                    "logins": {"type": "array", "items": {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": true}, "who": {}}}},
                },
            },
        }))
        .await;
}

async fn dead(fixture: &Fixture, worker: &Worker) -> Value {
    let job = fixture.claim_one(worker).await;
    assert_eq!(fixture.fail(worker, &job, json!({})).await, "dead_letter");
    job
}

testkit::db_test!(write_only_payload_values_are_revealed_only_to_the_run, |db| async move {
    let fixture = Fixture::new(db).await;
    hiding(&fixture).await;
    let worker = fixture.worker("w").await;
    for (payload, wrong) in [
        (json!({"token": "horsey"}), "/token"),
        (json!({"token": 77_177_177}), "/token"),
        (json!({"token": "•••"}), "/token"),
        (json!({"token": "•••horse"}), ""),
        (json!({"token": VALUE, "logins": [{"pin": "•••"}]}), "/logins/0/pin"),
        (json!({"token": VALUE, "more": "horsey"}), ""),
    ] {
        let answer = fixture.post("/api/v1/jobs", json!({"definition_key": "work", "payload": payload})).await;
        if wrong.is_empty() && answer.status == StatusCode::CREATED {
            let made = fixture.claim_one(&worker).await;
            assert_eq!(made["payload"]["token"], "•••horse", "only the mask itself is rejected");
            fixture.complete(&worker, &made).await;
            continue;
        }
        assert_eq!((answer.status.as_u16(), pointers(&answer)), (422, vec![wrong.to_owned()]), "{}", answer.text);
        assert!(!answer.text.contains("horse") && !answer.text.contains("77177"), "{}", answer.text);
    }

    let payload =
        json!({"to": "here", "token": VALUE, "logins": [{"pin": "pin-of-kim", "who": "kim"}, {"pin": "pin-of-lee"}]});
    let id = fixture.job(json!({"payload": payload, "max_attempts": 1})).await;
    let shown = json!({"to": "here", "token": "•••", "logins": [{"pin": "•••", "who": "kim"}, {"pin": "•••"}]});
    assert_eq!(fixture.show(&id).await["payload"], shown);
    assert_eq!(fixture.claim_one(&worker).await["payload"], payload);
    let (org, job) = (fixture.org, id.parse().expect("an id"));
    let row = fixture.test.write(move |tx| Box::pin(async move { Ok(tx.job_get(org, job).await?) })).await;
    assert_eq!(row.expect("exists").payload, shown, "also in the database");
    let all = everything(&fixture, &[&id]).await;
    assert!(!all.contains("horse-battery") && !all.contains("pin-of"), "{all}");
});

testkit::db_test!(edited_payload_keeps_masked_values, |db| async move {
    let fixture = Fixture::new(db).await;
    hiding(&fixture).await;
    let worker = fixture.worker("w").await;
    let payload = json!({"token": VALUE, "logins": [{"pin": "pin-of-kim", "who": "kim"}]});
    let id = fixture.job(json!({"payload": payload, "max_attempts": 1})).await;
    dead(&fixture, &worker).await;
    for (edited, runs_with) in [
        (None, payload.clone()),
        (Some(json!({"to": "there"})), json!({"to": "there", "token": VALUE})),
        (Some(json!({"token": "•••", "to": "x"})), json!({"to": "x", "token": VALUE})),
        (Some(json!({"token": "newer-secret"})), json!({"token": "newer-secret"})),
        (None, json!({"token": "newer-secret"})),
    ] {
        let body = edited.as_ref().map_or(json!({}), |edited| json!({"payload": edited}));
        let answer = fixture.change(&id, "retry", body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.json()["payload"]["token"], "•••");
        assert_eq!(dead(&fixture, &worker).await["payload"], runs_with, "{edited:?}");
    }
    let refused = fixture.change(&id, "retry", json!({"payload": {"logins": [{"pin": "•••"}]}})).await;
    assert_eq!((refused.status.as_u16(), pointers(&refused)), (422, vec!["/logins/0/pin".to_owned()]));
    let all = everything(&fixture, &[&id]).await;
    assert!(!all.contains(VALUE) && !all.contains("newer-secret") && !all.contains("pin-of"), "{all}");
});

testkit::db_test!(hub_with_another_secret_key_claims_nothing_and_says_why, |db| async move {
    let fixture = Fixture::new(db).await;
    fixture.define(json!({"key": "work", "secrets": ["TOKEN"]})).await;
    set(&fixture, "TOKEN", VALUE).await;
    let (id, worker) = (fixture.job(json!({})).await, fixture.worker("w").await);

    let key = fixture.test.folder.path().join("other.key");
    let options = Options { secret_key_file: Some(key.clone()), requests_per_second: 1_000_000, ..Options::default() };
    let hub = Hub::open(fixture.test.db.store.clone(), options, fixture.test.clock.clock()).await.expect("opens");
    let Fixture { test, org } = fixture;
    let TestHub { hub: right, clock, db, folder } = test;
    let other = Fixture { test: TestHub { hub, clock, db, folder }, org };
    for what in ["is missing", "holds the key"] {
        let refused = put(&other, "TOKEN", json!({"value": "x"})).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (500, "secret_key_wrong"), "{}", refused.text);
        assert!(refused.text.contains(what) && refused.text.contains("HOSTLER_SECRET_KEY_FILE"), "{}", refused.text);
        assert!(other.claim(&worker, 1).await.is_empty());
        let job = other.show(&id).await;
        assert_eq!((&job["status"], &job["attempt_count"]), (&json!("queued"), &json!(0)));
        assert_eq!(job["wait_reason"], "secret_missing");
        assert!(text(&job["why"]["text"]).contains(what), "{job}");
        std::fs::write(&key, [9; 32]).expect("writes");
    }
    let TestHub { clock, db, folder, .. } = other.test;
    let fixture = Fixture { test: TestHub { hub: right, clock, db, folder }, org };
    assert_eq!(fixture.claim_one(&worker).await["secrets"], json!({"TOKEN": VALUE}));
});
