//! Alerts, notification channels, mute windows, pings and webhook endpoints, through the router and the loops.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, http::HeaderMap, routing::post};
use domain::{
    AlertId, HostId, OrgId, Span,
    alert::{AlertKind, AlertStatus, Severity, SubjectKind},
};
use hub::{
    Options,
    loops::{Alerts, HubHeartbeat, NotificationSender, ScheduleCatchUp, Schedules},
};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use store::alert::Alert;

use crate::fixture::{As, TestHub};

/// Inserts an open alert of an org.
pub(crate) async fn open(test: &TestHub, org: OrgId, name: &str) -> AlertId {
    let now = test.hub.now();
    let alert = Alert {
        id: test.hub.ids.next(),
        org_id: org,
        kind: AlertKind::JobFailed,
        subject_kind: SubjectKind::Definition,
        subject_id: name.to_owned(),
        subject_name: name.to_owned(),
        host_id: None,
        severity: Severity::Warning,
        status: AlertStatus::Open,
        text: "it failed".to_owned(),
        since_at: now,
        raised_at: Some(now),
        notified_at: None,
        reminded_at: None,
        clear_since_at: None,
        flaps: 1,
        acked_at: None,
        acked_by: None,
        note: None,
        snoozed_until: None,
        resolved_at: None,
        resolved_reason: None,
        created_at: now,
        updated_at: now,
    };
    let id = alert.id;
    test.write(move |tx| Box::pin(async move { Ok(tx.alert_insert(&[alert]).await?) })).await;
    id
}

pub(crate) async fn get(test: &TestHub, path: &str) -> Value {
    let answer = test.call(&As::Local, "GET", path, None).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()
}

pub(crate) async fn send(test: &TestHub, method: &str, path: &str, body: Value) -> Value {
    let answer = test.call(&As::Local, method, path, Some(body)).await;
    assert!(answer.status.is_success(), "{path}: {}", answer.text);
    if answer.text.is_empty() { Value::Null } else { answer.json() }
}

async fn alerts(test: &TestHub) -> Vec<Value> {
    get(test, "/api/v1/alerts?status=all").await["items"].as_array().expect("items").clone()
}

/// Advances the clock in steps that are shorter than the hub's own heartbeat timeout.
pub(crate) async fn pass(test: &TestHub, seconds: u32) {
    let mut heartbeat = HubHeartbeat::new(test.hub.clone());
    for _ in 0..seconds / 10 {
        test.pass(10);
        heartbeat.pass(Pass { now: test.hub.now() }).await.expect("passes");
    }
}

pub(crate) async fn look(test: &TestHub) {
    Alerts::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("looks");
}

/// The notifications that the receiver got.
pub(crate) type Got = Arc<Mutex<Vec<Value>>>;

/// A hub whose channels may call this machine, and a receiver on it.
async fn with_receiver(options: Options) -> (TestHub, Got, String) {
    with_receiver_on(testkit::TestDb::sqlite().await, options).await
}

pub(crate) async fn with_receiver_on(db: testkit::TestDb, options: Options) -> (TestHub, Got, String) {
    let got: Got = Arc::default();
    let kept = got.clone();
    let take = move |_: HeaderMap, body: Bytes| {
        let kept = kept.clone();
        async move {
            kept.lock().expect("no panic").push(serde_json::from_slice(&body).expect("JSON"));
            "thanks"
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    #[expect(clippy::disallowed_methods, reason = "the receiver ends with its test's runtime")]
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/hook", post(take))).await });
    let allow = "127.0.0.0/8".parse().expect("a network");
    let test = TestHub::with(db, Options { notify_allow: allow, ..options }).await;
    let config = json!({"kind": "webhook", "url": url, "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="});
    send(&test, "POST", "/api/v1/channels", json!({"name": "ops", "config": config})).await;
    (test, got, url)
}

/// Runs the notification sender until no notification is being sent; the hub's own loop may have been faster.
pub(crate) async fn deliver(test: &TestHub) {
    test.pass(31);
    NotificationSender::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("delivers");
    for _ in 0..1_000 {
        let notices = get(test, "/api/v1/notices").await;
        let is_on_its_way = |notice: &Value| notice["status"] == "due" && notice["last_error"].is_null();
        if !notices["items"].as_array().expect("items").iter().any(is_on_its_way) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("notices stay in delivery");
}

pub(crate) fn notices_in(got: &Got) -> Vec<(String, String, u64)> {
    let got = got.lock().expect("no panic");
    let text = |value: &Value, name: &str| value[name].as_str().unwrap_or_default().to_owned();
    got.iter()
        .map(|one| (text(one, "type"), text(&one["data"], "subject"), one["data"]["count"].as_u64().unwrap_or(0)))
        .collect()
}

/// Options under which the alert loop does not run by itself between the steps of a test.
pub(crate) fn slow() -> Options {
    Options { alerts_every: Span::from_secs(3_600), ..Options::default() }
}

#[test]
fn offline_always_on_host_raises_an_alert_and_its_return_resolves_it() {
    testkit::block_on(async {
        let (test, got, _) = with_receiver(slow()).await;
        let org = test.first_org().await;
        let (web, lap) = (test.host(org, "web-1").await, test.host(org, "laptop").await);
        send(&test, "PATCH", "/api/v1/hosts/laptop", json!({"always_on": false})).await;
        for host in [web, lap] {
            test.runner(host).await;
        }
        pass(&test, 600).await;
        look(&test).await;
        assert!(alerts(&test).await.is_empty(), "ten minutes are below alert_after");
        pass(&test, 400).await;
        look(&test).await;
        look(&test).await;
        let open = alerts(&test).await;
        assert_eq!(open.len(), 1, "{open:?}");
        assert_eq!(
            (&open[0]["kind"], &open[0]["subject_name"], &open[0]["status"]),
            (&json!("host_offline"), &json!("web-1"), &json!("open"))
        );
        assert_eq!(get(&test, "/api/v1/hosts/laptop").await["status"], "asleep", "it may be offline");
        assert!(notices_in(&got).is_empty(), "it waits to be grouped with similar alerts");
        deliver(&test).await;
        assert_eq!(notices_in(&got), [("alert.raised".into(), "web-1".into(), 1)]);

        test.runner(web).await;
        look(&test).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).last(), Some(&("alert.resolved".into(), "web-1".into(), 1)));
        let over = alerts(&test).await;
        assert_eq!(
            (&over[0]["status"], &over[0]["resolved_reason"]),
            (&json!("resolved"), &json!("the host is online again"))
        );
        let notices = get(&test, "/api/v1/notices").await;
        assert!(notices["items"].as_array().expect("items").iter().all(|one| one["status"] == "sent"), "{notices}");

        // The host's timeline contains the outage and the alert.
        let path = format!("/api/v1/hosts/web-1/timeline?from={}", test.hub.now() - Span::from_secs(7_200));
        let past = get(&test, &path).await;
        let words: Vec<&str> =
            past["items"].as_array().expect("items").iter().filter_map(|one| one["word"].as_str()).collect();
        assert!(words.contains(&"offline") && words.contains(&"host_offline"), "{past}");
    });
}

#[test]
fn alerts_of_many_hosts_are_grouped_into_one_notification() {
    testkit::block_on(async {
        let (test, got, _) = with_receiver(slow()).await;
        let org = test.first_org().await;
        let mut hosts: Vec<HostId> = Vec::new();
        for number in 0..60 {
            let host = test.host(org, &format!("web-{number}")).await;
            test.runner(host).await;
            hosts.push(host);
        }
        pass(&test, 1_000).await;
        look(&test).await;
        assert_eq!(alerts(&test).await.len(), 60);
        deliver(&test).await;
        assert_eq!(notices_in(&got), [("alert.grouped".into(), "60 × host offline".into(), 60)]);
        for host in &hosts {
            test.runner(*host).await;
        }
        look(&test).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).len(), 2, "and one when they return");
        // They drop and return before the first notification: none is sent.
        pass(&test, 1_000).await;
        look(&test).await;
        for host in &hosts {
            test.runner(*host).await;
        }
        look(&test).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).len(), 2);
    });
}

#[test]
fn alert_within_a_mute_window_is_not_sent() {
    testkit::block_on(async {
        let (test, got, _) = with_receiver(slow()).await;
        let host = test.host(test.first_org().await, "web-1").await;
        send(&test, "PATCH", "/api/v1/hosts/web-1", json!({"labels": {"env": "prod"}})).await;
        test.runner(host).await;
        let ends = test.hub.now() + Span::from_secs(3_000);
        let window = json!({"label": "new kernel", "selector": "env=prod", "ends_at": ends});
        send(&test, "POST", "/api/v1/maintenance", window).await;
        pass(&test, 1_000).await;
        look(&test).await;
        let quiet = alerts(&test).await;
        assert_eq!((quiet.len(), &quiet[0]["notified_at"]), (1, &Value::Null), "recorded, but not sent");
        test.runner(host).await;
        look(&test).await;
        deliver(&test).await;
        assert!(notices_in(&got).is_empty());
        // It drops again for longer than the window: the alert is sent when the window ends.
        pass(&test, 1_000).await;
        look(&test).await;
        deliver(&test).await;
        assert!(notices_in(&got).is_empty());
        pass(&test, 1_500).await;
        look(&test).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).len(), 1);
    });
}

#[test]
fn switching_off_always_on_resolves_the_offline_alert() {
    testkit::block_on(async {
        let (test, got, _) = with_receiver(slow()).await;
        let host = test.host(test.first_org().await, "web-1").await;
        test.runner(host).await;
        pass(&test, 1_000).await;
        look(&test).await;
        deliver(&test).await;
        send(&test, "PATCH", "/api/v1/hosts/web-1", json!({"always_on": false})).await;
        let over = alerts(&test).await;
        assert_eq!(
            (&over[0]["status"], &over[0]["resolved_reason"]),
            (&json!("resolved"), &json!("always-on was switched off by local:0"))
        );
        deliver(&test).await;
        // The clock of the test jumps, so the database may seem to be slow.
        let notices: Vec<_> = notices_in(&got).into_iter().filter(|notice| notice.1 == "web-1").collect();
        assert_eq!(notices.len(), 2, "the resolved alert is sent: {notices:?}");
        let audit = get(&test, "/api/v1/audit").await;
        let actions: Vec<&str> =
            audit["items"].as_array().expect("items").iter().filter_map(|row| row["action"].as_str()).collect();
        assert!(actions.contains(&"host.mode_updated") && actions.contains(&"alert.resolved"), "{actions:?}");
        // Always on again: it is offline immediately, and the next pass raises an alert if the silence was long enough.
        pass(&test, 1_000).await;
        send(&test, "PATCH", "/api/v1/hosts/web-1", json!({"always_on": true})).await;
        look(&test).await;
        let offline = alerts(&test).await.into_iter().filter(|alert| alert["kind"] == "host_offline").count();
        assert_eq!(offline, 2);
    });
}

#[test]
fn schedule_without_success_for_a_week_is_stale() {
    testkit::block_on(async {
        let (test, _, _) = with_receiver(slow()).await;
        let host = test.host(test.first_org().await, "laptop").await;
        send(&test, "PATCH", "/api/v1/hosts/laptop", json!({"always_on": false})).await;
        let body = json!({"label": "backup", "cron_expr": "0 2 * * *", "definition_key": "hello", "target": {"host": "laptop"}});
        let trigger = send(&test, "POST", "/api/v1/jobs/triggers", body).await;
        let id = trigger["id"].as_str().expect("an id").parse::<domain::TriggerId>().expect("an id");
        let org = test.first_org().await;
        test.runner(host).await;
        // Without a first success a schedule cannot be stale.
        pass(&test, 1_000).await;
        look(&test).await;
        assert!(alerts(&test).await.is_empty());
        let now = test.hub.now();
        test.write(move |tx| {
            Box::pin(async move {
                let trigger = tx.trigger_get(org, id).await?.expect("exists");
                tx.trigger_host_put(&trigger, &[host], now).await?;
                Ok(tx.trigger_host_succeeded(id, host, now - Span::from_secs(7 * 86_400 - 60), now).await?)
            })
        })
        .await;
        look(&test).await;
        assert!(alerts(&test).await.is_empty(), "a minute is left");
        pass(&test, 120).await;
        look(&test).await;
        let stale = alerts(&test).await;
        assert_eq!((stale.len(), &stale[0]["kind"]), (1, &json!("stale_schedule")));
        assert!(stale[0]["text"].as_str().is_some_and(|text| text.contains("backup")), "{stale:?}");
        let now = test.hub.now();
        test.write(move |tx| Box::pin(async move { Ok(tx.trigger_host_succeeded(id, host, now, now).await?) })).await;
        look(&test).await;
        assert_eq!(alerts(&test).await[0]["status"], "resolved");
    });
}

testkit::db_test!(dead_letter_alert_is_resolved_by_a_later_success, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let org = test.first_org().await;
    let event = |name: &str, status: &str| {
        let item = json!([{"job_id": "01J00000000000000000000000", "run_id": null, "attempt": 1, "definition_key": "sync",
            "host_id": null, "server_id": null, "status": status, "reason": null, "duration_ms": 5, "error": "exit 7",
            "will_retry": false}]);
        let event = store::event::NewEvent {
            id: test.hub.ids.next(),
            org_id: org,
            name: name.to_owned(),
            at: test.hub.now(),
            items: item.to_string(),
        };
        test.write(move |tx| {
            Box::pin(async move {
                tx.event_insert(&[event]).await?;
                Ok(tx.event_number(100).await?)
            })
        })
    };
    look(&test).await;
    event("job_run.failed", "dead_letter").await;
    look(&test).await;
    event("job_run.failed", "dead_letter").await;
    look(&test).await;
    let open = alerts(&test).await;
    assert_eq!((open.len(), &open[0]["kind"], &open[0]["severity"]), (1, &json!("dead_letter"), &json!("critical")));
    assert_eq!(open[0]["text"], "2 jobs of sync have used all their attempts: exit 7");
    event("job_run.failed", "queued").await;
    event("job_run.completed", "succeeded").await;
    look(&test).await;
    let over = alerts(&test).await;
    assert_eq!(
        (&over[0]["status"], &over[0]["resolved_reason"]),
        (&json!("resolved"), &json!("a later job of sync succeeded"))
    );
});

testkit::db_test!(sync_lag_raises_an_alert_while_the_host_is_online, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let host = test.host(test.first_org().await, "web-1").await;
    test.runner(host).await;
    // The host has reported nine changes; five have arrived.
    let stuck = "insert into sync_cursor (origin, priority, org_id, epoch, seq, mark, head_epoch, head_seq, head_mark,
            resetting_over, error, created_at, updated_at)
        select h.id, 'control', h.org_id, 1, 5, 0, 1, 9, 0, null, null, s.connected_at, s.connected_at
        from host h join host_session s on s.host_id = h.id";
    test.db.store.execute_raw(stuck).await.expect("is stuck");
    let lags = async || {
        look(&test).await;
        let all = alerts(&test).await;
        let one = all.into_iter().find(|alert| alert["kind"] == "sync_lag");
        one.map(|alert| (alert["status"].as_str().unwrap_or_default().to_owned(), alert["text"].to_string()))
    };
    pass(&test, 800).await;
    test.runner(host).await;
    assert_eq!(lags().await, None, "not for long enough");
    pass(&test, 200).await;
    assert_eq!(lags().await, None, "a host that is away sends nothing");
    test.runner(host).await;
    let (status, text) = lags().await.expect("an alert");
    assert_eq!(status, "open");
    assert!(text.contains("from web-1 since") && text.contains("(pending changes: 4)"), "{text}");
    test.db.store.execute_raw("update sync_cursor set seq = head_seq").await.expect("arrives");
    assert_eq!(lags().await.expect("an alert").0, "resolved");
});

testkit::db_test!(alerts_are_acked_snoozed_and_resolved, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let id = open(&test, test.first_org().await, "sync").await;
    let path = format!("/api/v1/alerts/{id}");
    let acked = send(&test, "POST", &format!("{path}/ack"), json!({"note": "vendor outage"})).await;
    assert_eq!(
        (&acked["status"], &acked["acked_by"], &acked["note"]),
        (&json!("acked"), &json!("local:0"), &json!("vendor outage"))
    );
    let until = test.hub.now() + Span::from_secs(60);
    assert!(send(&test, "POST", &format!("{path}/snooze"), json!({"until": until})).await["snoozed_until"].is_string());
    let past = json!({"until": test.hub.now() - Span::from_secs(60)});
    assert_eq!(test.call(&As::Local, "POST", &format!("{path}/snooze"), Some(past)).await.status, 422);
    let over = send(&test, "POST", &format!("{path}/resolve"), json!({"note": "done"})).await;
    assert_eq!(over["resolved_reason"], "resolved by local:0: done");
    let again = test.call(&As::Local, "POST", &format!("{path}/ack"), Some(json!({}))).await;
    assert_eq!(again.code(), "alert_over");
    let rule =
        send(&test, "PUT", "/api/v1/alert-rules/queue_age", json!({"threshold_seconds": 60, "severity": "info"})).await;
    assert_eq!((&rule["threshold_seconds"], &rule["is_default"]), (&json!(60), &json!(false)));
    let rules = get(&test, "/api/v1/alert-rules").await;
    assert_eq!(rules["items"].as_array().map(Vec::len), Some(AlertKind::ALL.len()));
    assert_eq!(send(&test, "PUT", "/api/v1/alert-rules/queue_age", json!({})).await["is_default"], true);
    // Reminders can be set and removed on their own.
    for (repeat, shown) in [(json!(3_600), json!(3_600)), (json!(0), Value::Null)] {
        let settings = json!({"severity": "info", "repeat_seconds": repeat});
        let rule = send(&test, "PUT", "/api/v1/alert-rules/queue_age", settings).await;
        assert_eq!((&rule["repeat_seconds"], &rule["severity"]), (&shown, &json!("info")));
    }
    let rule = send(&test, "PUT", "/api/v1/alert-rules/queue_age", json!({"repeat_seconds": 0})).await;
    assert_eq!(rule["is_default"], true, "all values are the defaults: {rule}");
    let hasty = test.call(&As::Local, "PUT", "/api/v1/alert-rules/queue_age", Some(json!({"repeat_seconds": 5}))).await;
    assert_eq!(hasty.status, 422);
    let wrong = test.call(&As::Local, "PUT", "/api/v1/alert-rules/nonsense", Some(json!({}))).await;
    assert_eq!(wrong.status, 404);
});

testkit::db_test!(channel_secret_is_kept_and_never_returned, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let config = json!({"kind": "slack", "url": "https://hooks.slack.example/services/T0/B0/hunter2"});
    let made =
        send(&test, "POST", "/api/v1/channels", json!({"name": "ops", "config": config, "min_severity": "critical"}))
            .await;
    assert!(!made.to_string().contains("hunter2"), "{made}");
    let kept = send(&test, "PATCH", "/api/v1/channels/ops", json!({"per_day": 5, "min_severity": null})).await;
    assert_eq!((&kept["per_day"], &kept["min_severity"], &kept["config"]), (&json!(5), &Value::Null, &made["config"]));
    let audit = get(&test, "/api/v1/audit").await.to_string();
    assert!(!audit.contains("hunter2"));
    for (wrong, expected) in [
        (json!({"name": "x", "config": {"kind": "slack", "url": "ftp://x"}}), "http"),
        (json!({"name": "x", "config": {"kind": "nonsense"}}), "nonsense"),
        (
            json!({"name": "x", "config": {"kind": "ntfy", "url": "https://ntfy.example/t"}, "template": "{% for %}"}),
            "template",
        ),
        (json!({"name": "ops", "config": {"kind": "ntfy", "url": "https://ntfy.example/t"}}), "already"),
        (
            json!({"name": "x", "config": {"kind": "ntfy", "url": "https://ntfy.example/t"}, "quiet_hours": {"from": "25:00", "until": "07:00", "timezone": "UTC"}}),
            "25:00",
        ),
    ] {
        let answer = test.call(&As::Local, "POST", "/api/v1/channels", Some(wrong)).await;
        assert!(answer.status.is_client_error() && answer.text.contains(expected), "{expected}: {}", answer.text);
    }
    // A private address is not called unless the hub's settings allow it.
    let near = json!({"name": "near", "config": {"kind": "ntfy", "url": "http://169.254.169.254/latest"}});
    send(&test, "POST", "/api/v1/channels", near).await;
    let tested = send(&test, "POST", "/api/v1/channels/near/test", json!({})).await;
    assert_eq!(tested["is_delivered"], false, "{tested}");
    assert_eq!(test.call(&As::Local, "DELETE", "/api/v1/channels/near", None).await.status, 204);
});

#[test]
fn failed_notification_is_retried_and_quiet_hours_delay_it() {
    testkit::block_on(async {
        let (test, got, url) = with_receiver(slow()).await;
        let tested = send(&test, "POST", "/api/v1/channels/ops/test", json!({})).await;
        assert_eq!((&tested["is_delivered"], notices_in(&got).len()), (&json!(true), 1), "{tested}");
        let gone = url.replace("/hook", "/gone");
        let config =
            json!({"kind": "webhook", "url": gone, "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="});
        send(&test, "PATCH", "/api/v1/channels/ops", json!({"config": config})).await;
        let org = test.first_org().await;
        open(&test, org, "sync").await;
        look(&test).await;
        deliver(&test).await;
        let notice = get(&test, "/api/v1/notices").await["items"][0].clone();
        assert_eq!((&notice["status"], &notice["tries"]), (&json!("due"), &json!(1)), "{notice}");
        assert!(get(&test, "/api/v1/channels/ops").await["last_error"].is_string());
        let config = json!({"kind": "webhook", "url": url, "secret": "•••"});
        send(&test, "PATCH", "/api/v1/channels/ops", json!({"config": config})).await;
        pass(&test, 1_900).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).len(), 2, "it arrives once the channel is fixed");

        let hour = |at: domain::Timestamp| at.to_string()[11..13].parse::<u32>().expect("an hour");
        let now = hour(test.hub.now());
        let quiet =
            json!({"from": format!("{:02}:00", now), "until": format!("{:02}:00", (now + 2) % 24), "timezone": "UTC"});
        send(&test, "PATCH", "/api/v1/channels/ops", json!({"quiet_hours": quiet})).await;
        open(&test, org, "other").await;
        look(&test).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).len(), 2, "it waits for the end of the quiet hours");
        pass(&test, 2 * 3_600).await;
        deliver(&test).await;
        assert_eq!(notices_in(&got).len(), 3);
    });
}

testkit::db_test!(missed_ping_raises_an_alert, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let made =
        send(&test, "POST", "/api/v1/pings", json!({"label": "dump", "period_seconds": 60, "grace_seconds": 60})).await;
    let path = made["url"]
        .as_str()
        .expect("an address")
        .split_once("/ping/")
        .map(|(_, rest)| format!("/ping/{rest}"))
        .expect("a path");
    for (word, status) in [("/start?rid=7", "started"), ("", "up"), ("/log", "up"), ("/3", "down"), ("/0", "up")] {
        let (path, query) = word
            .split_once('?')
            .map_or((format!("{path}{word}"), ""), |(word, query)| (format!("{path}{word}"), query));
        let answer = test.call(&As::Nobody, "POST", &format!("{path}?{query}"), Some(json!("output"))).await;
        assert_eq!((answer.status.as_u16(), answer.text.as_str()), (200, "OK"));
        assert_eq!(get(&test, "/api/v1/pings").await["items"][0]["status"], status, "after {word}");
    }
    let id = made["ping"]["id"].as_str().expect("an id");
    let history = get(&test, &format!("/api/v1/pings/{id}/history")).await;
    assert_eq!((history["items"].as_array().map(Vec::len), &history["items"][4]["rid"]), (Some(5), &json!("7")));
    for wrong in ["/ping/hsp_nonsense", &format!("{path}/nonsense"), &format!("{path}/256")] {
        assert_eq!(test.call(&As::Nobody, "GET", wrong, None).await.status, 404, "{wrong}");
    }
    test.pass(200);
    look(&test).await;
    let late = alerts(&test).await;
    assert_eq!(
        (&late[0]["kind"], &late[0]["subject_name"], &late[0]["status"]),
        (&json!("ping_missed"), &json!("dump"), &json!("open"))
    );
    test.call(&As::Nobody, "GET", &path, None).await;
    look(&test).await;
    assert_eq!(alerts(&test).await[0]["status"], "resolved");
});

testkit::db_test!(failed_trigger_raises_an_alert, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let made = send(
        &test,
        "POST",
        "/api/v1/jobs/triggers",
        json!({"label": "each", "cron_expr": "* * * * *", "definition_key": "hello"}),
    )
    .await;
    test.host(test.first_org().await, "gone").await;
    let id = made["id"].as_str().expect("an id");
    send(&test, "PATCH", &format!("/api/v1/jobs/triggers/{id}"), json!({"target": {"host": "gone"}})).await;
    send(&test, "DELETE", "/api/v1/hosts/gone", json!({})).await;
    test.pass(60);
    Schedules::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("passes");
    look(&test).await;
    let open = alerts(&test).await;
    assert_eq!(
        (open.len(), &open[0]["kind"], &open[0]["subject_name"]),
        (1, &json!("trigger_failed"), &json!("each")),
        "{open:?}"
    );
    let mut catch_up = ScheduleCatchUp::new(test.hub.clone());
    catch_up.pass(Pass { now: test.hub.now() }).await.expect("passes");
});

/// HMAC-SHA256, independent of the implementation under test.
fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    use sha2::{Digest as _, Sha256};
    let mut block = [0_u8; 64];
    block[..key.len()].copy_from_slice(key);
    let pad = |byte: u8| block.map(|one| one ^ byte);
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn signed(test: &TestHub, url: &str, delivery: &str, signature: &str, body: &str) -> crate::fixture::Answer {
    let path = url.split_once("/in/").map(|(_, id)| format!("/in/{id}")).expect("an address");
    let peer = hub::Peer::Tcp { address: ([127, 0, 0, 1], 4711).into(), is_tls: false };
    let request = axum::http::Request::builder()
        .method("POST")
        .uri(path)
        .header("host", "hub.test")
        .header("x-github-delivery", delivery)
        .header("x-github-event", "push")
        .header("x-hub-signature-256", signature);
    let mut request = request.body(axum::body::Body::from(body.to_owned())).expect("a request");
    request.extensions_mut().insert(peer);
    test.send(request).await
}

testkit::db_test!(signed_webhook_creates_its_event_once, |db| async move {
    let test = TestHub::with(db, slow()).await;
    let secret = "a secret of sixteen or more";
    let hook = json!({"name": "code", "event_name": "code.pushed", "scheme": "github", "secret": secret});
    let made = send(&test, "POST", "/api/v1/hooks", hook).await;
    let url = made["hook"]["url"].as_str().expect("an address").to_owned();
    let rule = json!({"label": "on push", "event_name": "code.pushed", "match": {"hook_event": "push"},
        "definition_key": "hello", "payload_template": {"name": "{{ event.branch }}"}});
    send(&test, "POST", "/api/v1/jobs/triggers", rule).await;
    let body = json!({"branch": "main"}).to_string();
    let good = format!("sha256={}", hex(&hmac(secret.as_bytes(), body.as_bytes())));

    for (signature, text, expected) in [
        ("sha256=00".to_owned(), body.clone(), "signature is invalid"),
        (good.clone(), json!({"branch": "evil"}).to_string(), "signature is invalid"),
    ] {
        let answer = signed(&test, &url, "1", &signature, &text).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (401, "signature_invalid"), "{}", answer.text);
        assert!(answer.text.contains(expected), "{}", answer.text);
    }
    let hooks = get(&test, "/api/v1/hooks").await;
    assert!(hooks["items"][0]["last_error"].is_string() && !hooks.to_string().contains(secret), "{hooks}");
    let taken = signed(&test, &url, "1", &good, &body).await.json();
    assert_eq!(taken["jobs"].as_array().map(Vec::len), Some(1), "{taken}");
    let again = signed(&test, &url, "1", &good, &body).await.json();
    assert_eq!(
        (again["jobs"].as_array().map(Vec::len), &again["refused"][0]),
        (Some(0), &json!("this message was already processed"))
    );
    // The delivery id is not signed: a captured message under another id is the same message, for a day.
    let replayed = signed(&test, &url, "another-id", &good, &body).await.json();
    assert_eq!(replayed["jobs"].as_array().map(Vec::len), Some(0), "{replayed}");
    assert_eq!(replayed["refused"][0], "this message was already processed");
    test.pass(86_400 + 1);
    let next_day = signed(&test, &url, "next-day", &good, &body).await.json();
    assert_eq!((&next_day["refused"], &next_day["triggers"]), (&json!([]), &json!(1)), "{next_day}");
    let list = json!([1]).to_string();
    let sign = format!("sha256={}", hex(&hmac(secret.as_bytes(), list.as_bytes())));
    assert_eq!(signed(&test, &url, "2", &sign, &list).await.status, 422, "an event is an object");
});
