//! Loops: the tests call their passes with a clock that they advance.

use domain::Span;
use hub::loops::{AuditSealer, HubHeartbeat, Presence, Pruner};
use runtime::{Next, Pass, Task as _};

use crate::fixture::{As, TestHub};

fn cx(test: &TestHub) -> Pass {
    Pass { now: test.hub.now() }
}

async fn status(test: &TestHub, name: &str) -> (String, String) {
    let host = test.call(&As::Local, "GET", &format!("/api/v1/hosts/{name}"), None).await.json();
    (
        host["status"].as_str().unwrap_or_default().to_owned(),
        host["status_reason"].as_str().unwrap_or_default().to_owned(),
    )
}

#[test]
fn host_silence_counts_only_while_the_hub_is_up() {
    testkit::block_on(async {
        // On SQLite the hub uses its own clock, which a test can advance.
        let test = TestHub::new(testkit::TestDb::sqlite().await).await;
        let org = test.first_org().await;
        let host = test.host(org, "web-1").await;
        test.runner(host).await;
        assert_eq!(status(&test, "web-1").await.0, "online");
        // The hub's heartbeat continues while the host is silent: offline after the threshold.
        let mut heartbeat = HubHeartbeat::new(test.hub.clone());
        for _ in 0..10 {
            test.pass(10);
            heartbeat.pass(cx(&test)).await.expect("passes");
        }
        assert_eq!(status(&test, "web-1").await, ("offline".into(), "no heartbeat for 1 min".into()));

        // The hub itself is down for an hour: the clock jumps without a heartbeat. That silence does not count.
        test.runner(host).await;
        test.pass(3_600);
        assert_eq!(status(&test, "web-1").await.0, "online", "also before the next hub heartbeat");
        heartbeat.pass(cx(&test)).await.expect("passes");
        let (state, reason) = status(&test, "web-1").await;
        assert_eq!(state, "online", "{reason}");
        assert!(reason.starts_with("the hub was down"), "{reason}");
        for _ in 0..10 {
            test.pass(10);
            heartbeat.pass(cx(&test)).await.expect("passes");
        }
        assert_eq!(status(&test, "web-1").await.0, "offline", "silent for a threshold since the hub returned");
        // A host that is not always on is asleep instead.
        test.call(&As::Local, "PATCH", "/api/v1/hosts/web-1", Some(serde_json::json!({"always_on": false}))).await;
        assert_eq!(
            status(&test, "web-1").await,
            ("asleep".into(), "asleep · last seen 1 h ago · will catch up on return".into())
        );
    });
}

testkit::db_test!(sealer_seals_all_rows_in_one_pass, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    for n in 0..5 {
        test.host(org, &format!("host-{n}")).await;
    }
    assert_eq!(AuditSealer::new(test.hub.clone()).pass(cx(&test)).await.expect("passes"), Next::Wait);
    let verdict = test.hub.audit_verify_all().await.expect("verifies");
    assert!(verdict.is_intact && verdict.unsealed == 0 && verdict.sealed >= 10, "{verdict:?}");
    test.db
        .store
        .execute_raw("update audit set actor_name = 'eve' where number = 3 and org_id is not null")
        .await
        .expect("damages");
    let verdict = test.call(&As::Local, "GET", "/api/v1/admin/audit/verify", None).await.json();
    assert_eq!(verdict["is_intact"], false);
    assert!(
        verdict["problem"]
            .as_str()
            .is_some_and(|problem| problem.contains("entry 3") && problem.contains("was altered")),
        "{verdict}"
    );
});

testkit::db_test!(pruner_deletes_expired_device_logins, |db| async move {
    let test = TestHub::new(db).await;
    let started = test.hub.device_start(&crate::fixture::local(), Default::default()).await.expect("begins");
    let mut pruner = Pruner::new(test.hub.clone());
    pruner.pass(cx(&test)).await.expect("passes");
    let left = test
        .call(
            &As::Nobody,
            "POST",
            "/api/v1/sign-in/device/poll",
            Some(serde_json::json!({"device_secret": started.device_secret})),
        )
        .await;
    assert_eq!(left.code(), "device_pending", "a pending login stays");
    pruner.pass(Pass { now: test.hub.now() + Span::from_secs(11 * 60) }).await.expect("passes");
    let gone = test
        .call(
            &As::Nobody,
            "POST",
            "/api/v1/sign-in/device/poll",
            Some(serde_json::json!({"device_secret": started.device_secret})),
        )
        .await;
    assert_eq!(gone.code(), "device_ended");
});

testkit::db_test!(presence_publishes_each_change_once, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    // The hub's own loops would publish the same events, so they are stopped.
    test.hub.loops.stop(std::time::Duration::from_secs(10)).await;
    let mut presence = Presence::new(test.hub.clone());
    let host = test.host(org, "web-1").await;
    presence.pass(cx(&test)).await.expect("passes");
    let mut events = test.hub.live.listen();
    test.runner(host).await;
    presence.pass(cx(&test)).await.expect("passes");
    presence.pass(cx(&test)).await.expect("passes");
    let mut kinds = Vec::new();
    while let Ok(event) = events.try_recv() {
        kinds.push(event.event.kind.clone());
    }
    assert_eq!(kinds, ["host.online"]);
});
