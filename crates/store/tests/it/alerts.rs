//! Alerts, channels, notices, mute windows, outages, pings and hooks.

use domain::{
    AlertId, OrgId, Span,
    alert::{AlertKind, AlertStatus, Severity, SubjectKind, Window},
    channel::ChannelKind,
    hook::HookScheme,
    ping::{Ping as PingBody, PingWord},
    timeline::OutageKind,
};
use serde_json::json;
use store::{
    Error,
    alert::Alert,
    channel::Channel,
    hook::Hook,
    mute_window::MuteWindow,
    notice::{Notice, NoticeStatus, NotificationState},
    outage::Outage,
    ping::{Ping, PingReport},
};

use crate::{
    reads,
    seed::{T0, at, claim, enqueue, hash, id, job, world, yard},
    writes,
};

fn alert(org: OrgId, subject: &str) -> Alert {
    Alert {
        id: id(),
        org_id: org,
        kind: AlertKind::HostOffline,
        subject_kind: SubjectKind::Host,
        subject_id: subject.into(),
        subject_name: format!("{subject} 'ö'"),
        host_id: None,
        severity: Severity::Warning,
        status: AlertStatus::Open,
        text: "gone".into(),
        since_at: T0,
        raised_at: Some(at(1)),
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
        created_at: at(1),
        updated_at: at(1),
    }
}

testkit::db_test!(one_unresolved_alert_per_subject_and_kind, |db| async move {
    let (acme, _, host) = world(&db.store, "acme").await;
    let (beta, _, _) = world(&db.store, "beta").await;
    let first = Alert { host_id: Some(host), ..alert(acme, "a") };
    let (one, two) = (first.clone(), alert(acme, "a"));
    assert_eq!(writes!(db.store, |tx| tx.alert_insert(&[one]).await).expect("inserts"), 1);
    assert_eq!(writes!(db.store, |tx| tx.alert_insert(&[two]).await).expect("runs"), 0, "the first one is kept");
    assert_eq!(reads!(db.store, |tx| tx.alert_get(acme, first.id).await), Some(first.clone()));
    assert_eq!(reads!(db.store, |tx| tx.alert_get(beta, first.id).await), None);
    let kind = AlertKind::HostOffline;
    assert_eq!(reads!(db.store, |tx| tx.alert_live_of(acme, kind, "a").await), Some(first.clone()));
    assert_eq!(reads!(db.store, |tx| tx.alert_live(9).await), std::slice::from_ref(&first));
    let last = AlertId::from_bytes([255; 16]);
    assert_eq!(reads!(db.store, |tx| tx.alert_list_open(acme, last, 9).await), std::slice::from_ref(&first));
    assert!(reads!(db.store, |tx| tx.alert_list_open(beta, last, 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.alert_of_host(acme, host, T0, at(9), 9).await).len(), 1);
    assert!(reads!(db.store, |tx| tx.alert_of_host(acme, host, T0, at(1), 9).await).is_empty());

    let id_of = first.id;
    assert!(writes!(db.store, |tx| tx.alert_ack(acme, id_of, "kim", "mine", None, at(2)).await).expect("acks"));
    assert!(writes!(db.store, |tx| tx.alert_snooze(acme, id_of, at(50), at(3)).await).expect("snoozes"));
    assert!(!writes!(db.store, |tx| tx.alert_ack(beta, id_of, "eve", "", None, at(2)).await).expect("runs"));
    let acked = reads!(db.store, |tx| tx.alert_get(acme, id_of).await).expect("exists");
    assert_eq!(
        (acked.status, acked.acked_by.as_deref(), acked.note.as_deref()),
        (AlertStatus::Acked, Some("kim"), Some("mine"))
    );
    assert_eq!(acked.snoozed_until, Some(at(50)));
    let over = Alert {
        status: AlertStatus::Resolved,
        resolved_at: Some(at(9)),
        resolved_reason: Some("back".into()),
        notified_at: Some(at(4)),
        flaps: 3,
        text: "other".into(),
        ..acked
    };
    let row = over.clone();
    assert_eq!(writes!(db.store, |tx| tx.alert_update(&[row], at(9)).await).expect("updates"), 1);
    let now = reads!(db.store, |tx| tx.alert_get(acme, id_of).await).expect("exists");
    assert_eq!(now, Alert { updated_at: at(9), ..over });
    assert!(
        !writes!(db.store, |tx| tx.alert_snooze(acme, id_of, at(60), at(10)).await).expect("runs"),
        "the alert is resolved"
    );
    assert!(reads!(db.store, |tx| tx.alert_live(9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.alert_list(acme, last, 9).await).len(), 1);

    // The problem occurs again: a new alert is raised, and earlier ones are counted.
    let again = Alert { status: AlertStatus::Pending, raised_at: None, ..alert(acme, "a") };
    let (row, again_id) = (again.clone(), again.id);
    assert_eq!(writes!(db.store, |tx| tx.alert_insert(&[row]).await).expect("inserts"), 1);
    assert_eq!(reads!(db.store, |tx| tx.alert_raises(acme, kind, "a", T0).await), 1);
    assert_eq!(reads!(db.store, |tx| tx.alert_raises(acme, kind, "a", at(1)).await), 0);
    assert_eq!(writes!(db.store, |tx| tx.alert_forget(&[again_id, id_of]).await).expect("forgets"), 1);
    assert_eq!(writes!(db.store, |tx| tx.alert_prune(at(99), 9).await).expect("prunes"), 1);
});

testkit::db_test!(rules_and_mute_windows_belong_to_one_org, |db| async move {
    let (acme, _, _) = world(&db.store, "acme").await;
    let (beta, _, _) = world(&db.store, "beta").await;
    let kind = AlertKind::QueueAge;
    for seconds in [5, 6] {
        writes!(db.store, |tx| tx.alert_rule_put(acme, kind, json!({"for": seconds}), T0).await).expect("puts");
    }
    assert_eq!(reads!(db.store, |tx| tx.alert_rules(acme).await), [(kind, json!({"for": 6}))]);
    assert!(reads!(db.store, |tx| tx.alert_rules(beta).await).is_empty());
    writes!(db.store, |tx| tx.alert_rule_remove(acme, kind).await).expect("removes");
    assert!(reads!(db.store, |tx| tx.alert_rules(acme).await).is_empty());

    let body: Window = serde_json::from_value(json!({"starts_at": T0, "ends_at": at(60), "kinds": ["dead_letter"]}))
        .expect("a window");
    let window = MuteWindow {
        id: id(),
        org_id: acme,
        label: "update".into(),
        body,
        created_by: "kim".into(),
        created_at: T0,
        updated_at: T0,
    };
    let (row, id_of) = (window.clone(), window.id);
    writes!(db.store, |tx| tx.mute_window_insert(&row).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.mute_window_list(acme, 9).await), std::slice::from_ref(&window));
    assert!(reads!(db.store, |tx| tx.mute_window_list(beta, 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.mute_window_list_all(at(59), 9).await).len(), 1);
    assert!(reads!(db.store, |tx| tx.mute_window_list_all(at(60), 9).await).is_empty(), "the window has ended");
    assert!(!writes!(db.store, |tx| tx.mute_window_remove(beta, id_of).await).expect("runs"));
    assert_eq!(writes!(db.store, |tx| tx.mute_window_prune(at(60), 9).await).expect("prunes"), 0);
    assert_eq!(writes!(db.store, |tx| tx.mute_window_prune(at(61), 9).await).expect("prunes"), 1);
    let row = window.clone();
    writes!(db.store, |tx| tx.mute_window_insert(&row).await).expect("inserts");
    assert!(writes!(db.store, |tx| tx.mute_window_remove(acme, id_of).await).expect("removes"));
});

fn channel(org: OrgId, name: &str) -> Channel {
    Channel {
        id: id(),
        org_id: org,
        name: name.into(),
        kind: ChannelKind::Webhook,
        shown: json!({"kind": "webhook"}),
        sealed: vec![1, 2, 255],
        body: json!({"kinds": []}),
        is_enabled: true,
        last_ok_at: None,
        last_error: None,
        last_error_at: None,
        created_by: "kim".into(),
        created_at: T0,
        updated_at: T0,
    }
}

testkit::db_test!(notices_are_taken_retried_and_finished, |db| async move {
    let (acme, _, _) = world(&db.store, "acme").await;
    let (beta, _, _) = world(&db.store, "beta").await;
    let ops = channel(acme, "ops");
    let (row, taken, id_of) = (ops.clone(), channel(acme, "ops"), ops.id);
    writes!(db.store, |tx| tx.channel_insert(&row).await).expect("inserts");
    let refused = writes!(db.store, |tx| tx.channel_insert(&taken).await);
    assert!(matches!(refused, Err(Error::UniqueViolation(name)) if name == "channel_org_id_name_uq"));
    assert_eq!(reads!(db.store, |tx| tx.channel_get(acme, id_of).await), Some(ops.clone()));
    assert_eq!(reads!(db.store, |tx| tx.channel_get(beta, id_of).await), None);
    assert_eq!(reads!(db.store, |tx| tx.channel_by_name(acme, "ops").await), Some(ops.clone()));
    assert_eq!(reads!(db.store, |tx| tx.channel_list(acme, 9).await), std::slice::from_ref(&ops));
    assert_eq!(reads!(db.store, |tx| tx.channel_anywhere(id_of).await), Some(ops.clone()));
    let changed = Channel { is_enabled: false, sealed: vec![9], updated_at: at(5), ..ops.clone() };
    let row = changed.clone();
    assert!(writes!(db.store, |tx| tx.channel_update(&row).await).expect("updates"));
    writes!(db.store, |tx| tx.channel_failed(id_of, "no answer", at(6)).await).expect("notes");
    let now = reads!(db.store, |tx| tx.channel_get(acme, id_of).await).expect("exists");
    assert_eq!((now.last_error.as_deref(), now.last_error_at, now.sealed), (Some("no answer"), Some(at(6)), vec![9]));
    writes!(db.store, |tx| tx.channel_ok(id_of, at(7)).await).expect("notes");
    let now = reads!(db.store, |tx| tx.channel_get(acme, id_of).await).expect("exists");
    assert_eq!((now.last_error, now.last_ok_at), (None, Some(at(7))));

    let kind = AlertKind::HostOffline;
    let notice = Notice {
        id: id(),
        org_id: acme,
        channel_id: id_of,
        kind,
        state: NotificationState::Raised,
        severity: Severity::Warning,
        items: json!([{"id": "1"}]),
        count: 1,
        status: NoticeStatus::Due,
        due_at: at(30),
        tries: 0,
        last_error: None,
        sent_at: None,
        created_at: T0,
        updated_at: T0,
    };
    let (row, notice_id) = (notice.clone(), notice.id);
    writes!(db.store, |tx| tx.notice_insert(&row).await).expect("inserts");
    let open = writes!(db.store, |tx| tx.notice_open(id_of, kind, NotificationState::Raised).await).expect("reads");
    assert_eq!(open, Some(notice.clone()));
    assert_eq!(
        writes!(db.store, |tx| tx.notice_open(id_of, kind, NotificationState::Resolved).await).expect("reads"),
        None
    );
    assert_eq!(writes!(db.store, |tx| tx.notice_open_kind(acme, kind).await).expect("reads").len(), 1);
    let fuller = Notice { count: 2, items: json!([{"id": "1"}, {"id": "2"}]), severity: Severity::Critical, ..notice };
    writes!(db.store, |tx| tx.notice_fill(&fuller, at(2)).await).expect("fills");

    assert_eq!(reads!(db.store, |tx| tx.notice_next().await), Some(at(30)));
    assert!(writes!(db.store, |tx| tx.notice_take(at(29), at(99), 9).await).expect("takes").is_empty());
    let taken = writes!(db.store, |tx| tx.notice_take(at(30), at(99), 9).await).expect("takes");
    assert_eq!((taken.len(), taken[0].tries, taken[0].count, taken[0].due_at), (1, 1, 2, at(99)));
    assert!(
        writes!(db.store, |tx| tx.notice_take(at(31), at(99), 9).await).expect("takes").is_empty(),
        "another sender has taken it"
    );
    assert_eq!(
        writes!(db.store, |tx| tx.notice_open(id_of, kind, NotificationState::Raised).await).expect("reads"),
        None
    );
    writes!(db.store, |tx| tx.notice_later(notice_id, at(40), "500", 1, at(32)).await).expect("notes");
    assert_eq!(writes!(db.store, |tx| tx.notice_take(at(40), at(99), 9).await).expect("takes").len(), 1);
    writes!(db.store, |tx| tx.notice_sent(notice_id, at(41)).await).expect("notes");
    assert_eq!(reads!(db.store, |tx| tx.notice_sent_since(id_of, at(41)).await), 1);
    assert_eq!(reads!(db.store, |tx| tx.notice_sent_since(id_of, at(42)).await), 0);
    let last = domain::NoticeId::from_bytes([255; 16]);
    let listed = reads!(db.store, |tx| tx.notice_list(acme, last, 9).await);
    assert_eq!((listed.len(), listed[0].status, listed[0].sent_at), (1, NoticeStatus::Sent, Some(at(41))));
    assert!(reads!(db.store, |tx| tx.notice_list(beta, last, 9).await).is_empty());
    writes!(db.store, |tx| tx.notice_give_up(notice_id, "late", at(50)).await).expect("runs");
    assert_eq!(
        reads!(db.store, |tx| tx.notice_list(acme, last, 9).await)[0].status,
        NoticeStatus::Sent,
        "it was delivered before"
    );
    assert_eq!(writes!(db.store, |tx| tx.notice_prune(at(99), 9).await).expect("prunes"), 1);
    assert!(!writes!(db.store, |tx| tx.channel_remove(beta, id_of).await).expect("runs"));
    assert!(writes!(db.store, |tx| tx.channel_remove(acme, id_of).await).expect("removes"));
});

testkit::db_test!(outages_are_opened_listed_and_closed, |db| async move {
    let (_, _, host) = world(&db.store, "acme").await;
    let outage =
        Outage { host_id: host, kind: OutageKind::Asleep, from_at: at(10), until_at: None, note: String::new() };
    let row = outage.clone();
    writes!(db.store, |tx| tx.outage_put(&[row], at(10)).await).expect("puts");
    assert_eq!(reads!(db.store, |tx| tx.outage_open(9).await), std::slice::from_ref(&outage));
    assert_eq!(reads!(db.store, |tx| tx.outage_list(host, at(20), at(30), 9).await).len(), 1, "the outage is open");
    assert!(reads!(db.store, |tx| tx.outage_list(host, T0, at(10), 9).await).is_empty());
    assert_eq!(writes!(db.store, |tx| tx.outage_close(host, OutageKind::Offline, at(40)).await).expect("runs"), 0);
    assert_eq!(writes!(db.store, |tx| tx.outage_close(host, OutageKind::Asleep, at(40)).await).expect("closes"), 1);
    assert!(reads!(db.store, |tx| tx.outage_open(9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.outage_list(host, at(20), at(30), 9).await)[0].until_at, Some(at(40)));
    assert_eq!(writes!(db.store, |tx| tx.outage_prune(at(40), 9).await).expect("prunes"), 0);
    assert_eq!(writes!(db.store, |tx| tx.outage_prune(at(41), 9).await).expect("prunes"), 1);
});

testkit::db_test!(pings_update_their_check_and_keep_the_newest, |db| async move {
    let (acme, _, _) = world(&db.store, "acme").await;
    let (beta, _, _) = world(&db.store, "beta").await;
    let ping = Ping {
        id: id(),
        org_id: acme,
        label: "dump".into(),
        secret_hash: hash(7),
        body: PingBody { cron_expr: None, timezone: None, period_seconds: Some(60), grace_seconds: 5 },
        started_at: None,
        succeeded_at: None,
        reported_at: None,
        last_word: None,
        created_by: "kim".into(),
        created_at: T0,
        updated_at: T0,
    };
    let (row, id_of) = (ping.clone(), ping.id);
    writes!(db.store, |tx| tx.ping_insert(&row).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.ping_list(acme, 9).await), std::slice::from_ref(&ping));
    assert!(reads!(db.store, |tx| tx.ping_list(beta, 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.ping_list_all(domain::PingId::from_bytes([0; 16]), 9).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.ping_by_secret(hash(7)).await), Some(ping.clone()));
    assert_eq!(reads!(db.store, |tx| tx.ping_by_secret(hash(8)).await), None);
    for (secs, word) in [(1, PingWord::Start), (2, PingWord::Success), (3, PingWord::Log), (4, PingWord::Fail)] {
        let said = PingReport {
            id: id(),
            ping_id: id_of,
            at: at(secs),
            word,
            rid: Some("r".into()),
            exit_code: Some(0),
            address: "10.0.0.1".into(),
            body: "ö".into(),
        };
        writes!(db.store, |tx| tx.ping_report(&said, 3).await).expect("says");
    }
    let now = reads!(db.store, |tx| tx.ping_get(acme, id_of).await).expect("exists");
    assert_eq!(
        (now.started_at, now.succeeded_at, now.last_word, now.reported_at),
        (Some(at(1)), Some(at(2)), Some(PingWord::Fail), Some(at(4)))
    );
    let words: Vec<PingWord> =
        reads!(db.store, |tx| tx.ping_reports(id_of, 9).await).iter().map(|said| said.word).collect();
    assert_eq!(words, [PingWord::Fail, PingWord::Log, PingWord::Success], "only the newest pings are kept");
    assert!(!writes!(db.store, |tx| tx.ping_remove(beta, id_of).await).expect("runs"));
    assert!(writes!(db.store, |tx| tx.ping_remove(acme, id_of).await).expect("removes"));
});

testkit::db_test!(hook_message_is_accepted_once, |db| async move {
    let (acme, _, _) = world(&db.store, "acme").await;
    let hook = Hook {
        id: id(),
        org_id: acme,
        name: "shop".into(),
        scheme: HookScheme::Standard,
        event_name: "shop.paid".into(),
        sealed: vec![3],
        is_enabled: true,
        last_ok_at: None,
        last_error: None,
        last_error_at: None,
        created_by: "kim".into(),
        created_at: T0,
        updated_at: T0,
    };
    let (row, id_of) = (hook.clone(), hook.id);
    writes!(db.store, |tx| tx.hook_insert(&row).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.hook_list(acme, 9).await), std::slice::from_ref(&hook));
    assert!(writes!(db.store, |tx| tx.hook_see(id_of, "m1", at(1)).await).expect("sees"));
    assert!(
        !writes!(db.store, |tx| tx.hook_see(id_of, "m1", at(2)).await).expect("sees"),
        "the message was received before"
    );
    let body = |since, now| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.hook_see_body(id_of, "sha256:1", since, now).await).expect("sees") }
    };
    assert!(body(T0, at(2)).await && !body(at(1), at(3)).await, "the same body was received lately");
    assert!(body(at(3), at(4)).await, "it was received before that time only");
    writes!(db.store, |tx| tx.hook_failed(id_of, "old", at(3)).await).expect("notes");
    assert_eq!(
        reads!(db.store, |tx| tx.hook_anywhere(id_of).await).expect("exists").last_error.as_deref(),
        Some("old")
    );
    writes!(db.store, |tx| tx.hook_ok(id_of, at(4)).await).expect("notes");
    assert_eq!(reads!(db.store, |tx| tx.hook_anywhere(id_of).await).expect("exists").last_ok_at, Some(at(4)));
    assert_eq!(writes!(db.store, |tx| tx.hook_seen_prune(at(2), 9).await).expect("prunes"), 1);
    assert!(writes!(db.store, |tx| tx.hook_remove(acme, id_of).await).expect("removes"));
});

testkit::db_test!(alert_facts_list_pool_heads_and_busy_workers, |db| async move {
    let acme = yard(&db.store, "acme").await;
    assert!(reads!(db.store, |tx| tx.pool_heads().await).is_empty());
    let new = job(&acme);
    enqueue(&db.store, std::slice::from_ref(&new)).await;
    let heads = reads!(db.store, |tx| tx.pool_heads().await);
    assert_eq!(heads.len(), 1, "one job waits that is not bound to a host");
    assert!(reads!(db.store, |tx| tx.worker_list_busy(9).await).is_empty(), "no worker holds a lease");
    let (leases, _) = claim(&db.store, &acme, 1, at(61)).await;
    assert!(reads!(db.store, |tx| tx.pool_heads().await).is_empty());
    crate::seed::finish(
        &db.store,
        &leases,
        (domain::job::RunStatus::Succeeded, Some(domain::job::JobStatus::Succeeded)),
        at(70),
    )
    .await;
    let holder = acme.holder;
    assert_eq!(reads!(db.store, |tx| tx.host_runs_between(holder, at(60), at(80), 9).await).len(), 1);
    assert!(reads!(db.store, |tx| tx.host_runs_between(holder, at(71), at(80), 9).await).is_empty());
    assert_eq!(reads!(db.store, |tx| tx.reader_look("nobody").await), None);
    assert!(reads!(db.store, |tx| tx.fire_failed_last(at(9) + Span::from_secs(1), 9).await).is_empty());
});
