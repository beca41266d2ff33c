//! Schedules that fire on their hosts: the triggers that the hub sends to hosts, and those that it fires itself.

use domain::{HostId, TriggerId};
use hub::{Options, loops::Schedules};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use store::replication::Holding;

use crate::fixture::{As, TestHub};

const T: &str = "/api/v1/jobs/triggers";

async fn call(test: &TestHub, method: &str, path: &str, body: Value) -> Value {
    let answer = test.call(&As::Local, method, path, Some(body)).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text);
    answer.json()
}

async fn tick(test: &TestHub, seconds: u32) {
    test.pass(seconds);
    let now = test.hub.now();
    Schedules::new(test.hub.clone()).pass(Pass { now }).await.expect("passes");
}

async fn jobs(test: &TestHub) -> usize {
    let page = test.call(&As::Local, "GET", "/api/v1/jobs", None).await.json();
    page["items"].as_array().expect("items").len()
}

async fn held(test: &TestHub, trigger: &Value) -> Vec<Holding> {
    let id: TriggerId = trigger["id"].as_str().expect("an id").parse().expect("an id");
    test.write(move |tx| Box::pin(async move { Ok(tx.sync_log_of(&[id]).await?) })).await
}

/// A host whose runner can or cannot fire schedules itself.
async fn host(test: &TestHub, name: &str, has_standalone: bool) -> HostId {
    let org = test.first_org().await;
    let id = test.host(org, name).await;
    test.runner(id).await;
    test.write(move |tx| {
        Box::pin(async move {
            let mut host = tx.host_get(org, id).await?.expect("exists").host;
            host.has_standalone = has_standalone;
            Ok(tx.host_update(&host).await?)
        })
    })
    .await;
    id
}

fn every_minute(target: &Value) -> Value {
    json!({"label": "tick", "cron_expr": "* * * * *", "definition_key": "hello", "place": "host", "overlap": "allow",
        "target": target})
}

#[test]
fn host_schedules_fire_on_the_host_if_its_runner_supports_it() {
    testkit::block_on(async {
        let test = TestHub::new(testkit::TestDb::sqlite().await).await;
        let nas = host(&test, "nas", true).await;
        let old = host(&test, "old", false).await;
        let theirs = call(&test, "POST", T, every_minute(&json!({"host": "nas"}))).await;
        assert_eq!(
            held(&test, &theirs).await.iter().map(|h| (h.host_id, h.is_deleted)).collect::<Vec<_>>(),
            [(nas, false)]
        );
        assert!(theirs["note"].is_null() && theirs["next_fire_at"].is_string());
        tick(&test, 61).await;
        assert_eq!(jobs(&test).await, 0, "the host fires it");
        let other = json!({"label": "other", "target": {"host": "old"}});
        let mut request = every_minute(&json!(null));
        request.as_object_mut().expect("an object").extend(other.as_object().expect("an object").clone());
        let ours = call(&test, "POST", T, request).await;
        assert!(held(&test, &ours).await.is_empty());
        assert!(ours["note"].as_str().is_some_and(|note| note.contains("fires at the hub")), "{ours}");
        tick(&test, 61).await;
        assert_eq!(jobs(&test).await, 1, "the hub fires for {old}");
        // The hub cannot backfill its times, because it does not know yet which of them ran.
        let range = json!({"from": "2020-01-01T00:00:00Z", "until": "2020-01-01T01:00:00Z"});
        let path = format!("{T}/{}/backfill", theirs["id"].as_str().expect("an id"));
        assert_eq!(test.call(&As::Local, "POST", &path, Some(range)).await.status, 422);

        // Moved to the hub: it waits until the host has confirmed that it stopped firing.
        let path = format!("{T}/{}", theirs["id"].as_str().expect("an id"));
        let moved = call(&test, "PATCH", &path, json!({"place": "hub"})).await;
        assert!(moved["note"].as_str().is_some_and(|note| note.contains("nas")) && moved["next_fire_at"].is_null());
        assert!(held(&test, &theirs).await[0].is_deleted);
        tick(&test, 61).await;
        assert_eq!(jobs(&test).await, 2, "only the other schedule's");
        // Moved back: the host starts after the last time that the hub has decided.
        let back = call(&test, "PATCH", &path, json!({"place": "host"})).await;
        let entry = held(&test, &theirs).await[0];
        assert!(!entry.is_deleted && back["note"].is_null());
        let first = entry.hseq;
        // A new version of its definition is sent to the host, and its removal.
        call(&test, "PATCH", "/api/v1/admin/jobs/definitions/hello", json!({"description": "another"})).await;
        let entry = held(&test, &theirs).await[0];
        assert!(entry.hseq > first && !entry.is_deleted);
        assert_eq!(test.call(&As::Local, "DELETE", &path, None).await.status, 204);
        assert!(held(&test, &theirs).await[0].is_deleted);
    });
}

testkit::db_test!(host_schedules_follow_label_changes, |db| async move {
    let test = TestHub::new(db).await;
    let nas = host(&test, "nas", true).await;
    let target = json!({"selector": "role=backup", "spread": "each"});
    let trigger = call(&test, "POST", T, every_minute(&target)).await;
    assert!(held(&test, &trigger).await.is_empty(), "no host matches yet");
    call(&test, "PATCH", "/api/v1/hosts/nas", json!({"labels": {"role": "backup"}})).await;
    let entries = held(&test, &trigger).await;
    assert_eq!(entries.iter().map(|entry| (entry.host_id, entry.is_deleted)).collect::<Vec<_>>(), [(nas, false)]);
    call(&test, "PATCH", "/api/v1/hosts/nas", json!({"labels": {"role": null}})).await;
    assert!(held(&test, &trigger).await[0].is_deleted, "the host must stop firing");
});

#[test]
fn standalone_machine_catches_up_after_a_suspend() {
    testkit::block_on(async {
        let options = Options { is_standalone: true, ..Options::default() };
        let test = TestHub::with(testkit::TestDb::sqlite().await, options).await;
        host(&test, "laptop", false).await;
        call(&test, "PATCH", "/api/v1/hosts/laptop", json!({"always_on": false})).await;
        let trigger = call(&test, "POST", T, every_minute(&json!({"host": "laptop"}))).await;
        // The machine was suspended for three hours: the same session, with an old last heartbeat.
        tick(&test, 3 * 3_600).await;
        assert_eq!(jobs(&test).await, 1, "one run for all missed times");
        let path = format!("{T}/{}/history?limit=1", trigger["id"].as_str().expect("an id"));
        let last = test.call(&As::Local, "GET", &path, None).await.json()["items"][0].clone();
        assert_eq!(last["status"], "fired", "{last}");
    });
}
