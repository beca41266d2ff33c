//! Definitions: versions, validation, and who may read and write them.

use axum::http::StatusCode;
use domain::Role;
use serde_json::{Value, json};

use crate::{
    fixture::As,
    queue_fixture::{Fixture, QUEUE, pointers, text, work},
};

const PATH: &str = "/api/v1/admin/jobs/definitions";

/// The documented fields of a definition.
const FIELDS: &[&str] = &[
    "id",
    "key",
    "version",
    "description",
    "argv",
    "arg_schema",
    "timeout_seconds",
    "max_attempts",
    "backoff",
    "no_retry_exit_codes",
    "on_lost",
    "queue",
    "selector",
    "max_running",
    "jobs_per_minute",
    "secrets",
    "env_allow",
    "env_settable",
    "orgs",
    "is_active",
    "created_at",
    "updated_at",
];

fn sync() -> Value {
    json!({
        "key": "sync",
        "argv": ["rsync", "{{ from }}", ["--path", "{{ prefix }}"]],
        "arg_schema": {
            "type": "object",
            "properties": {"from": {"type": "string"}, "prefix": {"type": "string"}},
            "required": ["from"],
            "additionalProperties": false,
        },
    })
}

testkit::db_test!(definition_versions_count_changes, |db| async move {
    let fixture = Fixture::new(db).await;
    let made = fixture.post(PATH, sync()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let first = made.json()["definition"].clone();
    for field in FIELDS {
        assert!(first.get(field).is_some(), "{field} is missing in {first}");
    }
    assert_eq!(
        (&first["timeout_seconds"], &first["max_attempts"], &first["queue"], &first["version"], &first["orgs"]),
        (&json!(3_600), &json!(3), &json!("default"), &json!(1), &Value::Null)
    );

    // An identical definition changes nothing.
    let again = fixture.post(PATH, sync()).await;
    assert_eq!((again.status, &again.json()["definition"]["version"]), (StatusCode::OK, &json!(1)));
    assert_eq!((&again.json()["changes"], &again.json()["is_new"]), (&json!([]), &json!(false)));
    let same = fixture.patch(&format!("{PATH}/sync"), json!({"timeout_seconds": 3_600})).await.json();
    assert_eq!((&same["definition"]["version"], &same["changes"]), (&json!(1), &json!([])));

    // A dry run changes nothing.
    let path = format!("{PATH}/{}", text(&first["id"]));
    let looked = fixture.patch(&path, json!({"timeout_seconds": 60, "dry_run": true})).await.json();
    assert_eq!(looked["changes"], json!([{"field": "timeout_seconds", "old": 3_600, "new": 60}]));
    assert_eq!(fixture.get(&path).await["version"], 1);

    let changed = fixture.patch(&path, json!({"timeout_seconds": 60})).await.json();
    assert_eq!((&changed["definition"]["version"], &changed["definition"]["id"]), (&json!(2), &first["id"]));
    // POST replaces the definition: absent fields get their default.
    let put = fixture.post(PATH, sync()).await.json();
    assert_eq!((&put["definition"]["version"], &put["definition"]["timeout_seconds"]), (&json!(3), &json!(3_600)));

    let history = fixture.get(&format!("{PATH}/sync/history")).await["items"].clone();
    let versions: Vec<_> = history.as_array().expect("versions").iter().map(|one| one["version"].clone()).collect();
    assert_eq!(versions, [3, 2, 1]);
    assert_eq!(history[1]["changes"], json!([{"field": "timeout_seconds", "old": 3_600, "new": 60}]));
    assert_eq!(history[2]["changes"], json!([]));
    assert_eq!(fixture.patch(&format!("{PATH}/nothing"), json!({})).await.code(), "not_found");
});

testkit::db_test!(job_keeps_its_definition_version, |db| async move {
    let fixture = Fixture::new(db).await;
    let old = fixture.job(json!({})).await;
    fixture
        .patch(
            &format!("{PATH}/work"),
            json!({"arg_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}),
        )
        .await;
    assert_eq!(pointers(&fixture.post("/api/v1/jobs", work(json!({}))).await).len(), 1);
    let new = fixture.job(json!({"payload": {"n": 1}})).await;
    assert_eq!(fixture.show(&old).await["definition_version"], 1);
    assert_eq!(fixture.show(&new).await["definition_version"], 2);
});

testkit::db_test!(invalid_definition_is_rejected_with_a_pointer, |db| async move {
    let fixture = Fixture::new(db).await;
    let object = |properties: Value| json!({"type": "object", "properties": properties});
    for (fields, pointer) in [
        (json!({"arg_schema": object(json!({"a": {"$ref": "https://example.com/a.json"}}))}), "/arg_schema"),
        (json!({"arg_schema": object(json!({"a": {"$ref": "file:///etc/passwd"}}))}), "/arg_schema"),
        (json!({"arg_schema": object(json!({"a": {"type": "string", "pattern": "(("}}))}), "/arg_schema"),
        (json!({"arg_schema": {"type": "array"}}), "/arg_schema"),
        (json!({"argv": ["echo", "{{ missing }}"]}), "/argv/1"),
        (json!({"argv": ["{{ program }}"], "arg_schema": object(json!({"program": {"type": "string"}}))}), "/argv/0"),
        (json!({"argv": []}), "/argv"),
        (json!({"argv": ["echo", "{{ a"]}), "/argv/1"),
        (json!({"argv": ["echo", 7]}), "/argv/1"),
        (json!({"timeout_seconds": 0}), "/timeout_seconds"),
        (json!({"max_attempts": 0}), "/max_attempts"),
        (json!({"max_running": 0}), "/max_running"),
        (json!({"jobs_per_minute": 0}), "/jobs_per_minute"),
        (json!({"backoff": {"initial_ms": 0, "cap_ms": 10, "factor": 2.0}}), "/backoff/initial_ms"),
        (json!({"no_retry_exit_codes": [300]}), "/no_retry_exit_codes"),
        (json!({"queue": "No Queue"}), "/queue"),
        (json!({"orgs": []}), "/orgs"),
        (json!({"env_allow": ["HOSTLER_HOME"]}), "/env_allow/0"),
        (json!({"key": "Not A Key"}), "/key"),
    ] {
        let mut body = json!({"key": "wrong", "argv": ["true"], "arg_schema": {"type": "object"}});
        for (name, value) in fields.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let answer = fixture.post(PATH, body).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, "definition_invalid"), "{fields}");
        assert_eq!(pointers(&answer), [pointer], "{fields}: {}", answer.text);
    }
    for body in [json!({"argv": ["true"]}), json!({"key": "wrong", "argv": ["true"], "unknown": 1})] {
        assert_eq!(fixture.post(PATH, body).await.code(), "definition_invalid");
    }
    assert!(fixture.test.call(&As::Local, "GET", &format!("{PATH}/wrong"), None).await.code() == "not_found");
});

testkit::db_test!(disabled_definition_holds_its_jobs, |db| async move {
    let fixture = Fixture::new(db).await;
    let worker = fixture.worker("w").await;
    let queued = fixture.job(json!({})).await;
    fixture.patch(&format!("{PATH}/work"), json!({"is_active": false})).await;
    let refused = fixture.post("/api/v1/jobs", work(json!({}))).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "definition_disabled"));
    assert!(fixture.claim(&worker, 9).await.is_empty());
    let job = fixture.show(&queued).await;
    assert_eq!(
        (&job["wait_reason"], &job["why"]["text"], &job["why"]["hints"]),
        (
            &json!("definition_disabled"),
            &json!("the definition of the job is disabled"),
            &json!(["hostler def enable work"])
        )
    );
    fixture.patch(&format!("{PATH}/work"), json!({"is_active": true})).await;
    assert_eq!(fixture.claim_one(&worker).await["id"], json!(queued));
});

testkit::db_test!(definition_is_visible_to_its_orgs_and_writable_by_super_admins, |db| async move {
    let fixture = Fixture::new(db).await;
    let (acme, beta) = (fixture.test.org("acme").await, fixture.test.org("beta").await);
    fixture.define(json!({"key": "acme-only", "orgs": ["acme"]})).await;
    let viewer = fixture.test.person(acme, "v@acme.example", Role::Viewer).await;
    let admin = fixture.test.person(beta, "a@beta.example", Role::Admin).await;
    let viewer = As::Bearer(fixture.test.token(acme, viewer, Role::Viewer).await.1);
    let admin = As::Bearer(fixture.test.token(beta, admin, Role::Admin).await.1);
    let call = |who: As, method: &'static str, path: &'static str, body: Option<Value>| {
        let test = &fixture.test;
        async move { test.call(&who, method, path, body).await }
    };
    let one = "/api/v1/jobs/definitions/acme-only";
    assert_eq!(call(viewer.clone(), "GET", one, None).await.json()["key"], "acme-only");
    assert_eq!(call(admin.clone(), "GET", one, None).await.code(), "not_found");
    let keys = |page: Value| -> Vec<String> {
        page["items"].as_array().expect("items").iter().map(|definition| text(&definition["key"])).collect()
    };
    let seen = keys(call(viewer.clone(), "GET", "/api/v1/jobs/definitions", None).await.json());
    let servers = ["SERVER_RESTART", "SERVER_START", "SERVER_STOP"];
    let expected = [&servers[..], &["acme-only", "hello", "host-report", "sleep", "work"]].concat();
    assert_eq!(seen, expected, "including the built-in ones");
    let unseen = keys(call(admin.clone(), "GET", "/api/v1/jobs/definitions", None).await.json());
    assert_eq!(unseen, [&servers[..], &["hello", "host-report", "sleep", "work"]].concat());
    let made = call(admin.clone(), "POST", "/api/v1/jobs", Some(json!({"definition_key": "acme-only"}))).await;
    assert_eq!(made.code(), "not_found", "the response does not reveal that it exists");
    for who in [viewer, admin] {
        for (method, path) in [("GET", PATH), ("POST", PATH), ("PATCH", "/api/v1/admin/jobs/definitions/work")] {
            assert_eq!(call(who.clone(), method, path, Some(sync())).await.code(), "forbidden", "{method} {path}");
        }
    }
    assert_eq!(fixture.get(&format!("{PATH}/work")).await["queue"], QUEUE);
});
