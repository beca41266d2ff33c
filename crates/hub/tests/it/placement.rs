//! Schedules that fire on their hosts, as the hub sees them: what it hands over, and what it still does itself.

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

/// A host whose runner can fire by itself, or cannot.
async fn host(test: &TestHub, name: &str, has_desk: bool) -> HostId {
    let org = test.first_org().await;
    let id = test.host(org, name).await;
    test.runner(id).await;
    test.write(move |tx| {
        Box::pin(async move {
            let mut host = tx.host_get(org, id).await?.expect("is there").host;
            host.has_desk = has_desk;
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
fn a_host_that_can_fires_and_the_hub_fires_for_one_that_cannot() {
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
        assert_eq!(jobs(&test).await, 0, "its host decides");
        let other = json!({"label": "other", "target": {"host": "old"}});
        let mut wish = every_minute(&json!(null));
        wish.as_object_mut().expect("an object").extend(other.as_object().expect("an object").clone());
        let ours = call(&test, "POST", T, wish).await;
        assert!(held(&test, &ours).await.is_empty());
        assert!(ours["note"].as_str().is_some_and(|note| note.contains("the hub fires it")), "{ours}");
        tick(&test, 61).await;
        assert_eq!(jobs(&test).await, 1, "the hub fires for {old}");
        // Its times cannot be made up for from here: nobody knows yet which of them ran.
        let range = json!({"from": "2020-01-01T00:00:00Z", "until": "2020-01-01T01:00:00Z"});
        let path = format!("{T}/{}/backfill", theirs["id"].as_str().expect("an id"));
        assert_eq!(test.call(&As::Local, "POST", &path, Some(range)).await.status, 422);

        // To the hub: it waits until the host has said that it stopped.
        let path = format!("{T}/{}", theirs["id"].as_str().expect("an id"));
        let moved = call(&test, "PATCH", &path, json!({"place": "hub"})).await;
        assert!(moved["note"].as_str().is_some_and(|note| note.contains("nas")) && moved["next_fire_at"].is_null());
        assert!(held(&test, &theirs).await[0].is_deleted);
        tick(&test, 61).await;
        assert_eq!(jobs(&test).await, 2, "only the other one's");
        // And back: the host begins where the hub's word ends.
        let back = call(&test, "PATCH", &path, json!({"place": "host"})).await;
        let entry = held(&test, &theirs).await[0];
        assert!(!entry.is_deleted && back["note"].is_null());
        let first = entry.hseq;
        // Another version of what it runs is told, too; and that it is gone.
        call(&test, "PATCH", "/api/v1/admin/jobs/definitions/hello", json!({"description": "another"})).await;
        let entry = held(&test, &theirs).await[0];
        assert!(entry.hseq > first && !entry.is_deleted);
        assert_eq!(test.call(&As::Local, "DELETE", &path, None).await.status, 204);
        assert!(held(&test, &theirs).await[0].is_deleted);
    });
}

testkit::db_test!(hosts_that_match_come_and_go, |db| async move {
    let test = TestHub::new(db).await;
    let nas = host(&test, "nas", true).await;
    let target = json!({"selector": "role=backup", "spread": "each"});
    let trigger = call(&test, "POST", T, every_minute(&target)).await;
    assert!(held(&test, &trigger).await.is_empty(), "nobody matches yet");
    call(&test, "PATCH", "/api/v1/hosts/nas", json!({"labels": {"role": "backup"}})).await;
    let entries = held(&test, &trigger).await;
    assert_eq!(entries.iter().map(|entry| (entry.host_id, entry.is_deleted)).collect::<Vec<_>>(), [(nas, false)]);
    call(&test, "PATCH", "/api/v1/hosts/nas", json!({"labels": {"role": null}})).await;
    assert!(held(&test, &trigger).await[0].is_deleted, "it is to stop");
});

#[test]
fn a_machine_that_slept_makes_up_for_it_at_its_own_desk() {
    testkit::block_on(async {
        let options = Options { is_desk: true, ..Options::default() };
        let test = TestHub::with(testkit::TestDb::sqlite().await, options).await;
        host(&test, "laptop", false).await;
        call(&test, "PATCH", "/api/v1/hosts/laptop", json!({"always_on": false})).await;
        let trigger = call(&test, "POST", T, every_minute(&json!({"host": "laptop"}))).await;
        // The lid was closed for three hours: the session is the same, the last heartbeat is old.
        tick(&test, 3 * 3_600).await;
        assert_eq!(jobs(&test).await, 1, "one run for all that was missed");
        let path = format!("{T}/{}/history?limit=1", trigger["id"].as_str().expect("an id"));
        let last = test.call(&As::Local, "GET", &path, None).await.json()["items"][0].clone();
        assert_eq!(last["status"], "fired", "{last}");
    });
}
