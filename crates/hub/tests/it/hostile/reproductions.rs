//! Attacks that once succeeded, each as short as it can be.

use domain::sync::{doc, frame::FromOrigin, tables::SCHEMA};
use domain::{HostId, job::RunStatus, sync::SyncPriority};
use hostile::{
    attacks::{DEPTH_PACKED, Page, Step},
    channel::{RawFrame, text_of},
    frames::{FrameKind, Shape, frame, packed, received},
    fuzz::bomb_row,
    names::Names,
    rows::{AT, RowKind, deleted, row, row_of},
};
use proto::{
    api::host::JoinTokenRequest,
    link::ToHub,
    work::{Log, LogLine, Stream},
};
use serde_json::{Value, json};

use super::world::{HostileWorld, difference, hex};
use crate::fixture::{join_request, local};

/// The output that a hub keeps of one run.
const RUN_OUTPUT_MAX: u64 = 16 * 1024 * 1024;
/// The largest response to one page of output: a megabyte of text, and what JSON adds.
const PAGE_BYTES_MAX: usize = 2 * 1024 * 1024;

fn page(rows: Vec<domain::sync::frame::Row<Value>>) -> Step {
    Step::Page(Page { is_packed: false, ..Page::next(SyncPriority::Control, rows) })
}

testkit::db_test!(metrics_under_the_id_of_an_org_stop_no_writer, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let under_org = world.victims[0].under_org();
    let lent = world.lent.clone().expect("the shared host runs a job of acme");
    let shared = &mut world.shared.session;
    shared.send(frame(FrameKind::Heartbeat, &under_org, &Shape::plain())).await.expect("the link is open");
    shared.barrier().await.expect("heartbeats with unknown servers do not end a session");
    shared.finish(&lent, RunStatus::Failed).await.expect("the result is stored");
    world.assert_works("metrics under the id of an org").await;
});

testkit::db_test!(deletion_with_a_body_erases_no_row_of_another_host, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let before = world.rows_of_victims().await;
    for victim in world.victims {
        for body in [json!({"x": 1}), json!(null), row(RowKind::Job, &victim, &Shape::plain()).body] {
            for kind in RowKind::ALL {
                let row = deleted(*kind, &victim, &Shape::plain(), body.clone());
                let page = Page { is_packed: false, ..Page::next(kind.priority(), vec![row]) };
                world.attacker.session.step(&Step::Page(page)).await.expect("rejected rows do not end a session");
            }
        }
    }
    let changed = difference(&before, &world.rows_of_victims().await);
    assert!(changed.is_empty(), "deletions by another host:{changed}");
    let job = world.victims[1].job;
    let shown = world.ok("GET", &format!("/api/v1/orgs/acme/jobs/{job}"), Value::Null).await;
    assert_eq!((&shown["status"], &shown["attempt_count"]), (&json!("succeeded"), &json!(1)), "{shown}");
    world.assert_works("deletions with a body").await;
});

testkit::db_test!(positions_that_a_host_reports_of_another_are_ignored, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let victim = world.victims[2];
    let claim = frame(FrameKind::CatchUp, &victim, &Shape { epoch: u32::MAX, ..Shape::plain() });
    let _ = world.attacker.session.step(&Step::Frame(claim)).await;
    let hub = world.hub.clone();
    world.honest.reconnect(&hub).await.expect("the honest host connects again");
    for request in world.honest.session.requests.iter().flatten() {
        // Its own position is among them.
        let is_own = request.witnesses.iter().all(|place| place.at.epoch == 1);
        assert!(is_own, "the honest host gets a position of a history it never had: {request:?}");
        assert_eq!(request.since.map(|place| place.at.epoch), Some(1), "{request:?}");
    }
    world.assert_works("positions of another host").await;
});

testkit::db_test!(id_of_a_removed_host_needs_its_key_and_org, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let (removed, own_seed) = (world.removed.host, world.removed_seed);
    let join = async |org, seed| {
        let token =
            world.hub.join_token_create(&local(), org, JoinTokenRequest::default()).await.expect("a join token");
        let mut request = join_request(&token.secret, "heir", seed);
        request.host_id = Some(removed);
        world.hub.join(&local(), request).await.map(|joined| joined.host_id)
    };
    let took = |joined: &Result<HostId, hub::Error>| matches!(joined, Ok(id) if *id == removed);
    for (what, org, seed) in [
        ("another org and key", world.beta, [77; 32]),
        ("another org", world.beta, own_seed),
        ("another key", world.acme, [78; 32]),
    ] {
        assert!(!took(&join(org, seed).await), "{what} took the id of a removed host");
    }
    let joined = join(world.acme, own_seed).await;
    assert!(took(&joined), "the machine itself joins again under its id: {joined:?}");
    world.assert_works("joins under the id of a removed host").await;
});

testkit::db_test!(deeply_nested_row_breaks_no_list, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let own = Names { host: world.attacker.key.host, ..Names::all([0xd0; 16]) };
    let deep = row(RowKind::Job, &own, &Shape { depth: DEPTH_PACKED, ..Shape::plain() });
    let definition = row(RowKind::Definition, &own, &Shape::plain());
    let rows = vec![definition, deep];
    let sent = world.attacker.session.step(&Step::Page(Page::next(SyncPriority::Control, rows))).await;
    let jobs = world.call("GET", "/api/v1/orgs/beta/jobs", None).await;
    assert_eq!(jobs.status, 200, "{}", jobs.text);
    let batch = json!({"action": "cancel", "filter": "", "dry_run": true});
    world.ok("POST", "/api/v1/orgs/beta/batches", batch).await;
    sent.expect("a rejected row does not end the session");
    assert_eq!(world.attacker.session.rejected.len(), 1, "the runner learns that its row was rejected");
    world.assert_works("a deeply nested row").await;
});

testkit::db_test!(output_that_unpacks_to_megabytes_is_rejected, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let own = Names { host: world.attacker.key.host, ..Names::all([0xb0; 16]) };
    let session = &mut world.attacker.session;
    let rows = [RowKind::Definition, RowKind::Job, RowKind::Run].map(|kind| row(kind, &own, &Shape::plain()));
    session.step(&page(rows.to_vec())).await.expect("rows of its own");
    assert_eq!(session.rejected, Vec::<Value>::new(), "rows of its own are accepted");
    let bomb = |first: i64| row_of(RowKind::Log, doc::log_id(own.run, first), bomb_row(&own, first));
    let rows = vec![bomb(1), bomb(2), bomb(3)];
    let sent = session.step(&Step::Page(Page { is_packed: false, ..Page::next(SyncPriority::Bulk, rows) })).await;
    sent.expect("rejected rows do not end the session");
    let rejected = world.attacker.session.rejected.len();
    let logs = world.call("GET", &format!("/api/v1/orgs/beta/jobs/{}/logs", own.job), None).await;
    assert_eq!(logs.status, 200, "{}", logs.text.chars().take(500).collect::<String>());
    assert!(logs.text.len() < PAGE_BYTES_MAX, "one page of output has {} bytes", logs.text.len());
    assert_eq!(rejected, 3, "the runner learns that its output was rejected");
    world.assert_works("output that unpacks to megabytes").await;
});

testkit::db_test!(output_beyond_the_budget_of_a_run_is_not_stored, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let lent = world.lent.clone().expect("the shared host runs a job of acme");
    let shared = &mut world.shared.session;
    let text = "x".repeat(60 * 1024);
    let lines = 15;
    for part in 0..20 {
        let line = |no| LogLine { no, at: AT, stream: Stream::Stdout, text: text.clone(), is_cut: false };
        let lines = (part * lines + 1..=part * lines + lines).map(line).collect();
        let log = Log { job: lent.job, fence: lent.fence, run: lent.run, lines };
        shared.send(text_of(&ToHub::Log(log))).await.expect("output never ends a session");
    }
    shared.barrier().await.expect("output never ends a session");
    shared.finish(&lent, RunStatus::Succeeded).await.expect("the result is stored");
    let (run, bytes) = (world.column("log_chunk", "run_id"), world.column("log_chunk", "bytes"));
    let chunks = world.rows_of("log_chunk").await;
    let of_run = chunks.iter().filter(|row| row[run] == hex(&lent.run.to_bytes()));
    let stored: u64 = of_run.filter_map(|row| row[bytes].as_u64()).sum();
    assert!(stored > 0, "output within the budget is stored");
    assert!(stored <= RUN_OUTPUT_MAX, "{stored} bytes of one run are stored");
    let job = world.ok("GET", &format!("/api/v1/orgs/acme/jobs/{}", lent.job), Value::Null).await;
    assert_eq!(job["status"], "succeeded", "a full budget does not end a job: {job}");
    world.assert_works("output beyond the budget").await;
});

testkit::db_test!(epoch_of_the_hub_that_a_host_claims_is_not_believed, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let before = world.rows_of("sync_hub").await;
    for number in [2, 1_000, 4_294_967_290, u32::MAX] {
        let claim: FromOrigin<Value> = FromOrigin::CatchUp {
            schema: SCHEMA,
            received: Some(received(number, 5)),
            is_doubting: false,
            seen: Vec::new(),
        };
        let RawFrame::Text(claim) = packed(&claim, false) else { panic!("is text") };
        let sent = world.attacker.session.step(&Step::Frame(RawFrame::Text(claim))).await;
        if sent.is_err() {
            let hub = world.hub.clone();
            world.attacker.reconnect(&hub).await.expect("the attacker connects again");
        }
        assert_eq!(world.rows_of("sync_hub").await, before, "after a claim of epoch {number}");
    }
    world.assert_works("claimed epochs").await;
});

testkit::db_test!(definition_of_a_host_is_visible_to_its_org_only, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let own = Names { host: world.attacker.key.host, ..Names::all([0xd1; 16]) };
    let definition = row(RowKind::Definition, &own, &Shape::plain());
    world.attacker.session.step(&page(vec![definition])).await.expect("a row of its own");
    let id = own.definition;
    let mut answers = Vec::new();
    for org in ["beta", "acme"] {
        answers.push(world.call("GET", &format!("/api/v1/orgs/{org}/jobs/definitions/{id}"), None).await);
    }
    let (theirs, others) = (&answers[0], &answers[1]);
    // The body of this row is no definition, so the org of the host learns that it cannot be read.
    assert_eq!((theirs.status.as_u16(), others.status.as_u16()), (422, 404), "{} {}", theirs.text, others.text);
});

testkit::db_test!(stored_value_that_is_too_deep_is_marked_in_lists, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let job = world.run_honest_job().await.job;
    let deep = format!("{}1{}", r#"{"a":"#.repeat(200), "}".repeat(200));
    let id = hex(&job.to_bytes());
    let (id, value) = match db.store.kind() {
        store::Kind::Sqlite => (format!("x'{id}'"), format!("'{deep}'")),
        store::Kind::Postgres => (format!("'{id}'"), format!("'{deep}'::jsonb")),
    };
    let sql = format!("update job set payload = {value} where id = {id}");
    db.store.execute_raw(sql.leak()).await.expect("writes");
    let jobs = world.ok("GET", "/api/v1/orgs/acme/jobs", Value::Null).await;
    assert!(jobs.to_string().contains("nested too deeply"), "the value is marked: {jobs}");
    world.assert_works("a deep value in the database").await;
});

testkit::db_test!(rejected_rows_are_shown_with_their_host_and_raise_an_alert, |db| async move {
    let mut world = HostileWorld::new(&db).await;
    let host = world.attacker.key.host;
    let rejections = async |world: &HostileWorld| loop {
        let shown = world.ok("GET", &format!("/api/v1/orgs/beta/hosts/{host}"), Value::Null).await;
        if let Some(one) = shown["rejections"].as_array().and_then(|all| all.first()) {
            return one.clone();
        }
        tokio::task::yield_now().await;
    };
    let alerts = async |world: &HostileWorld, org: &str| {
        let open = world.ok("GET", &format!("/api/v1/orgs/{org}/alerts?status=open"), Value::Null).await;
        let mut open = open["items"].as_array().cloned().unwrap_or_default();
        open.retain(|alert| alert["kind"] == "host_misbehaving");
        open
    };
    let foreign = row(RowKind::Job, &world.victims[0], &Shape::plain());
    world.attacker.session.step(&page(vec![foreign.clone()])).await.expect("a rejected row does not end the session");
    let one = rejections(&world).await;
    assert_eq!((&one["reason"], &one["is_misbehavior"]), (&json!("foreign_row"), &json!(true)), "{one}");
    let alert = loop {
        if let Some(alert) = alerts(&world, "beta").await.pop() {
            break alert;
        }
        world.hub.wakes.alerts.wake();
        tokio::task::yield_now().await;
    };
    assert!(alert["text"].as_str().is_some_and(|text| text.contains("rows that belong to others")), "{alert}");
    assert!(alerts(&world, "acme").await.is_empty(), "the alert belongs to the org of the host");
    let id = alert["id"].as_str().expect("an id");
    world.ok("POST", &format!("/api/v1/orgs/beta/alerts/{id}/resolve"), json!({})).await;
    let mut alerts_loop = hub::loops::Alerts::new(world.hub.clone());
    runtime::Task::pass(&mut alerts_loop, runtime::Pass { now: world.hub.now() }).await.expect("evaluates");
    assert!(alerts(&world, "beta").await.is_empty(), "a person has ended the condition");
    let metrics = world.call("GET", "/metrics", None).await.text;
    assert!(metrics.contains(r#"hostler_host_data_rejected_total{reason="foreign_row"} 1"#), "{metrics}");
});
