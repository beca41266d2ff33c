//! Triggers through the router, and the loops that fire them.

use domain::{HostId, Role, Span, Timestamp};
use hub::loops::{EventMatcher, HubHeartbeat, ScheduleCatchUp, Schedules};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};

use crate::{
    fixture::{As, TestHub},
    queue_fixture::Fixture,
};

const T: &str = "/api/v1/jobs/triggers";

async fn create(test: &TestHub, body: Value) -> Value {
    let answer = test.call(&As::Local, "POST", T, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn get(test: &TestHub, path: &str) -> Value {
    let answer = test.call(&As::Local, "GET", path, None).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()
}

/// Runs one pass of the scheduler.
async fn tick(test: &TestHub) {
    let now = test.hub.now();
    Schedules::new(test.hub.clone()).pass(Pass { now }).await.expect("passes");
}

async fn history(test: &TestHub, trigger: &Value) -> Vec<Value> {
    let page = get(test, &format!("{T}/{}/history", trigger["id"].as_str().expect("an id"))).await;
    page["items"].as_array().expect("items").clone()
}

/// The statuses of the fires.
fn statuses(fires: &[Value]) -> Vec<&str> {
    fires.iter().filter_map(|fire| fire["status"].as_str()).collect()
}

async fn jobs(test: &TestHub) -> Vec<Value> {
    get(test, "/api/v1/jobs").await["items"].as_array().expect("items").clone()
}

fn every_minute(label: &str) -> Value {
    json!({"label": label, "cron_expr": "* * * * *", "definition_key": "hello", "overlap": "allow"})
}

testkit::db_test!(schedule_can_be_created_changed_and_removed, |db| async move {
    let test = TestHub::new(db).await;
    test.call(&As::Local, "PATCH", "/api/v1/org", Some(json!({"timezone": "Europe/Berlin"}))).await;
    let made = create(
        &test,
        json!({"label": "Nightly", "cron_expr": "0 2 * * *", "definition_key": "hello",
            "payload_template": {"name": "{{ trigger.label }}"}}),
    )
    .await;
    assert_eq!(made["timezone"], "Europe/Berlin", "the org's time zone is used and stored");
    assert_eq!(
        (&made["trigger_type"], &made["missed"], &made["overlap"]),
        (&json!("schedule"), &json!("once"), &json!("forbid"))
    );
    assert!(made["next_fire_at"].is_string() && made["last_fire"].is_null());
    for field in [
        "id",
        "label",
        "is_enabled",
        "trigger_type",
        "event_name",
        "match",
        "cron_expr",
        "timezone",
        "definition_key",
        "payload_template",
        "dedupe_window_seconds",
        "target",
        "place",
        "missed",
        "overlap",
        "jitter",
        "starts_at",
        "ends_at",
        "created_by",
        "created_at",
        "updated_at",
        "next_fire_at",
        "last_fire",
    ] {
        assert!(made.get(field).is_some(), "{field} is missing");
    }
    let by_label = get(&test, &format!("{T}/Nightly")).await;
    assert_eq!(by_label["id"], made["id"]);
    let next = get(&test, &format!("{T}/Nightly/next?count=3&after=2026-03-28T12:00:00Z")).await;
    let times: Vec<&str> = next["times"].as_array().expect("times").iter().filter_map(|t| t["at"].as_str()).collect();
    // 02:00 does not exist on the 29th in Berlin: it fires at the end of the skipped hour.
    assert_eq!(times[..2], ["2026-03-29T01:00:00.000000Z", "2026-03-30T00:00:00.000000Z"]);
    assert_eq!(next["clock_changes"].as_array().map(Vec::len), Some(1));

    let path = format!("{T}/Nightly");
    let off = test.call(&As::Local, "PATCH", &path, Some(json!({"is_enabled": false}))).await.json();
    assert_eq!((&off["is_enabled"], &off["next_fire_at"]), (&json!(false), &Value::Null));
    let event =
        json!({"event_name": "folder.changed", "is_enabled": true, "payload_template": {"name": "{{event.who}}"}});
    let rule = test.call(&As::Local, "PATCH", &path, Some(event)).await.json();
    assert_eq!(
        (&rule["trigger_type"], &rule["cron_expr"], &rule["dedupe_window_seconds"]),
        (&json!("event"), &Value::Null, &json!(300))
    );
    assert_eq!(test.call(&As::Local, "DELETE", &path, None).await.status, 204);
    assert_eq!(test.call(&As::Local, "GET", &path, None).await.status, 404);
    let actions: Vec<Value> = get(&test, "/api/v1/audit").await["items"].as_array().expect("items").clone();
    let names: Vec<&str> = actions.iter().filter_map(|row| row["action"].as_str()).collect();
    for action in ["trigger.created", "trigger.updated", "trigger.removed"] {
        assert!(names.contains(&action), "{names:?}");
    }
});

testkit::db_test!(invalid_triggers_and_events_are_rejected, |db| async move {
    let test = TestHub::new(db).await;
    let base = json!({"label": "x", "cron_expr": "0 2 * * *", "definition_key": "hello"});
    for (change, expected) in [
        (json!({"cron_expr": "0 0 30 2 *"}), "never"),
        (json!({"cron_expr": "1--100000000 * * * *"}), "1--100000000"),
        (json!({"cron_expr": "a b"}), "fields"),
        (json!({"timezone": "Mars/Olympus"}), "Mars/Olympus"),
        (json!({"event_name": "folder.changed"}), "not both"),
        (json!({"definition_key": "missing"}), "missing"),
        (json!({"payload_template": {"name": "{{ event.who }}"}}), "there is no `event.who`"),
        (json!({"payload_template": {"nonsense": 1}}), "nonsense"),
        (json!({"payload_template": {"name": "{% for %}{{"}}), "without `}}`"),
        (json!({"target": {"host": "nowhere"}}), "nowhere"),
        (json!({"target": {"host": "a", "queue": "b"}}), "only one of"),
        (json!({"place": "host"}), "place: host needs"),
        (json!({"missed": "sometimes"}), "skip"),
        (json!({"unknown": 1}), "unknown"),
        (json!({"dedupe_window_seconds": 5}), "dedupe"),
        (json!({"cron_expr": null}), "cron_expr"),
    ] {
        let mut body = base.clone();
        body.as_object_mut().expect("an object").extend(change.as_object().expect("an object").clone());
        let answer = test.call(&As::Local, "POST", T, Some(body)).await;
        assert!(answer.status.as_u16() >= 400 && answer.status.as_u16() < 500, "{change}: {}", answer.text);
        assert!(answer.text.contains(expected), "{change}: {}", answer.text);
    }
    for (event, expected) in [
        (json!({"name": "job.created"}), "reserved"),
        (json!({"name": "No"}), "valid event name"),
        (json!({"name": "a.b", "data": [1]}), "object"),
    ] {
        let answer = test.call(&As::Local, "POST", "/api/v1/events", Some(event)).await;
        assert_eq!(answer.status, 422, "{}", answer.text);
        assert!(answer.text.contains(expected), "{}", answer.text);
    }
});

testkit::db_test!(each_time_fires_once_with_concurrent_schedulers, |db| async move {
    let test = TestHub::new(db).await;
    let trigger = create(&test, every_minute("each")).await;
    for minute in 1..=3 {
        test.pass(60);
        // Two concurrent schedulers fire each time once.
        let (a, b) = (tick(&test), tick(&test));
        tokio::join!(a, b);
        // Both skip a trigger that the hub's own loop has just evaluated at the previous time; the next pass fires it.
        while history(&test, &trigger).await.len() < minute {
            tick(&test).await;
        }
    }
    let fires = history(&test, &trigger).await;
    assert_eq!(statuses(&fires), ["fired", "fired", "fired"]);
    let made = jobs(&test).await;
    assert_eq!(made.len(), 3);
    assert!(made.iter().all(|job| job["source"] == "schedule" && job["source_ref"] == trigger["id"]));
    assert_eq!(made[0]["created_by"], "trigger:each");
});

testkit::db_test!(missed_times_follow_the_policy_after_hub_downtime, |db| async move {
    let test = TestHub::new(db).await;
    let mut triggers = Vec::new();
    for (missed, max) in [("skip", 10), ("once", 10), ("all", 4)] {
        let mut body = every_minute(missed);
        body["missed"] = json!(missed);
        body["missed_max"] = json!(max);
        triggers.push(create(&test, body).await);
    }
    test.pass(10 * 60);
    tick(&test).await;
    let count = |fires: &[Value], word: &str| statuses(fires).iter().filter(|status| **status == word).count();
    let (skip, once, all) =
        (history(&test, &triggers[0]).await, history(&test, &triggers[1]).await, history(&test, &triggers[2]).await);
    // The clock of a database server runs during the test: another minute may have started.
    for (trigger, fires) in triggers.iter().zip([&skip, &once, &all]) {
        let minute = |at: &Value| {
            let at: Timestamp = serde_json::from_value(at.clone()).expect("a time");
            at.as_micros() / 60_000_000
        };
        let passed = minute(&fires[0]["nominal_at"]) - minute(&trigger["created_at"]);
        assert!((10..=12).contains(&passed), "{fires:?}");
        assert_eq!(fires.len(), usize::try_from(passed).expect("few"), "each minute has a row");
    }
    assert_eq!((count(&skip, "fired"), count(&skip, "missed")), (1, skip.len() - 1), "{skip:?}");
    assert_eq!((count(&once, "fired"), count(&once, "caught_up")), (1, once.len() - 1));
    assert!(once.iter().all(|fire| fire["job_id"] == once[0]["job_id"]), "one job covers all of them");
    let newest = (5, all.len() - 5);
    assert_eq!((count(&all, "fired"), count(&all, "missed")), newest, "the newest four, and the time that is due now");
});

testkit::db_test!(overlapping_fires_follow_the_policy, |db| async move {
    let test = TestHub::new(db).await;
    let mut triggers = Vec::new();
    for overlap in ["forbid", "replace", "queue_one", "allow"] {
        let mut body = every_minute(overlap);
        body["overlap"] = json!(overlap);
        triggers.push(create(&test, body).await);
    }
    for _ in 0..2 {
        test.pass(60);
        tick(&test).await;
    }
    let mut seen = Vec::new();
    for trigger in &triggers {
        let fires = history(&test, trigger).await;
        let newest = statuses(&fires)[0].to_owned();
        let open = fires.iter().filter(|fire| fire["job_status"] == "queued").count();
        seen.push((newest, open));
    }
    let expected = [("skipped", 1), ("fired", 1), ("skipped", 1), ("fired", 2)];
    assert_eq!(seen, expected.map(|(word, open)| (word.to_owned(), open)));
    // A skipped fire has a reason; after the job has ended, the next time fires again.
    let forbidden = history(&test, &triggers[0]).await;
    assert!(forbidden[0]["reason"].as_str().is_some_and(|why| why.contains("still queued")), "{forbidden:?}");
    let job = forbidden[1]["job_id"].as_str().expect("a job").to_owned();
    test.call(&As::Local, "POST", &format!("/api/v1/jobs/{job}/cancel"), None).await;
    test.pass(60);
    tick(&test).await;
    assert_eq!(statuses(&history(&test, &triggers[0]).await)[0], "fired");
});

testkit::db_test!(trigger_can_be_tested_fired_and_backfilled, |db| async move {
    let test = TestHub::new(db).await;
    let trigger = create(&test, json!({"label": "hourly", "cron_expr": "0 * * * *", "definition_key": "hello"})).await;
    let would = test.call(&As::Local, "POST", &format!("{T}/hourly/test"), None).await.json();
    assert_eq!(would["jobs"].as_array().map(Vec::len), Some(1), "{would}");
    assert!(jobs(&test).await.is_empty(), "a test creates nothing");
    let fired = test.call(&As::Local, "POST", &format!("{T}/hourly/fire"), None).await.json();
    assert_eq!(fired["jobs"].as_array().map(Vec::len), Some(1), "{fired}");
    let now = test.hub.now();
    let range = json!({"from": now - Span::from_secs(5 * 3_600), "until": now, "dry_run": true});
    let dry = test.call(&As::Local, "POST", &format!("{T}/hourly/backfill"), Some(range.clone())).await.json();
    assert_eq!((dry["times"].as_array().map(Vec::len), dry["jobs"].as_array().map(Vec::len)), (Some(5), Some(0)));
    let real = json!({"from": range["from"], "until": range["until"]});
    for (expected, before) in [(5, 0), (0, 5)] {
        let done = test.call(&As::Local, "POST", &format!("{T}/hourly/backfill"), Some(real.clone())).await.json();
        assert_eq!((done["jobs"].as_array().map(Vec::len), &done["done_before"]), (Some(expected), &json!(before)));
    }
    assert_eq!(history(&test, &trigger).await.len(), 6);
    let long = json!({"from": "2001-01-01T00:00:00Z", "until": now});
    assert_eq!(test.call(&As::Local, "POST", &format!("{T}/hourly/backfill"), Some(long)).await.status, 422);
});

testkit::db_test!(history_pages_continue_within_one_time, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    for name in ["a", "b", "c"] {
        let host = test.host(org, name).await;
        let labels = json!({"labels": {"env": "prod"}});
        assert_eq!(test.call(&As::Local, "PATCH", &format!("/api/v1/hosts/{host}"), Some(labels)).await.status, 200);
    }
    let mut body = every_minute("each");
    body["target"] = json!({"selector": "env=prod", "spread": "each"});
    let trigger = create(&test, body).await;
    for _ in 0..2 {
        test.pass(60);
        tick(&test).await;
    }
    // One time has three rows: a page that ends among them continues with the others.
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = get(&test, &format!("{T}/each/history?limit=2{cursor}")).await;
        seen.extend(page["items"].as_array().expect("items").iter().map(|fire| fire.to_string()));
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={}", next.replace(':', "%3A"));
    }
    assert_eq!(seen.len(), 6);
    let whole: Vec<String> = history(&test, &trigger).await.iter().map(ToString::to_string).collect();
    assert_eq!(seen, whole);
    assert_eq!(test.call(&As::Local, "GET", &format!("{T}/each/history?cursor=x"), None).await.status, 422);
});

testkit::db_test!(event_creates_jobs_of_matching_triggers, |db| async move {
    let test = TestHub::new(db).await;
    create(
        &test,
        json!({"label": "on folder", "event_name": "folder.changed", "match": {"kind": {"in": ["added"]}},
            "definition_key": "hello", "payload_template": {"name": "{{ event.folder }}"}, "dedupe_window_seconds": 120}),
    )
    .await;
    let event = |data: Value| json!({"name": "folder.changed", "data": data, "correlation_id": "trace-7"});
    let emit = |data: Value| {
        let (test, body) = (&test, event(data));
        async move { test.call(&As::Local, "POST", "/api/v1/events", Some(body)).await.json() }
    };
    let first = emit(json!({"kind": "added", "folder": "/srv"})).await;
    assert_eq!((first["triggers"].as_u64(), first["jobs"].as_array().map(Vec::len)), (Some(1), Some(1)), "{first}");
    let again = emit(json!({"kind": "added", "folder": "/srv"})).await;
    assert_eq!(again["deduplicated"], first["jobs"], "the earlier job within the dedupe window");
    let other = emit(json!({"kind": "added", "folder": "/home"})).await;
    assert_eq!(other["jobs"].as_array().map(Vec::len), Some(1), "another payload is another job");
    assert_eq!(emit(json!({"kind": "removed", "folder": "/srv"})).await["triggers"], 0);
    let refused = emit(json!({"kind": "added"})).await;
    assert!(refused["refused"][0].as_str().is_some_and(|why| why.contains("event.folder")), "{refused}");
    let job = get(&test, &format!("/api/v1/jobs/{}", first["jobs"][0].as_str().expect("an id"))).await;
    assert_eq!(
        (&job["source"], &job["source_ref"], &job["correlation_id"]),
        (&json!("event"), &first["id"], &json!("trace-7"))
    );
    assert_eq!(job["payload"]["name"], "/srv");
    // Events are stored, so a rule can be tested against them.
    test.write(|tx| Box::pin(async move { Ok(tx.event_number(1_000).await?) })).await;
    let would = test.call(&As::Local, "POST", &format!("{T}/on%20folder/test"), None).await.json();
    assert_eq!((&would["events_examined"], &would["would_have_fired"]), (&json!(5), &json!(4)), "{would}");
});

testkit::db_test!(internal_events_fire_triggers, |db| async move {
    let test = TestHub::new(db).await;
    create(
        &test,
        json!({"label": "after cancel", "event_name": "job.canceled", "match": {"definition_key": "sleep"},
            "definition_key": "hello", "payload_template": {"name": "{{ event.job_id }}"}}),
    )
    .await;
    let mut matcher = EventMatcher::new(test.hub.clone());
    let pass = || Pass { now: test.hub.now() };
    matcher.pass(pass()).await.expect("passes");
    let made = test
        .call(&As::Local, "POST", "/api/v1/jobs", Some(json!({"definition_key": "sleep", "payload": {"seconds": 5}})))
        .await
        .json();
    let id = made["id"].as_str().expect("an id").to_owned();
    test.call(&As::Local, "POST", &format!("/api/v1/jobs/{id}/cancel"), None).await;
    test.write(|tx| Box::pin(async move { Ok(tx.event_number(1_000).await?) })).await;
    for _ in 0..3 {
        matcher.pass(pass()).await.expect("passes");
    }
    let hello: Vec<Value> = jobs(&test).await.into_iter().filter(|job| job["definition_key"] == "hello").collect();
    assert_eq!(hello.len(), 1, "once, regardless of the number of passes");
    assert_eq!(hello[0]["payload"]["name"], json!(id));
});

/// A host that is not always on, with a daily schedule.
async fn laptop(test: &TestHub) -> (HostId, Value) {
    let host = test.host(test.first_org().await, "laptop").await;
    test.call(&As::Local, "PATCH", "/api/v1/hosts/laptop", Some(json!({"always_on": false}))).await;
    let body = json!({"label": "backup", "cron_expr": "0 2 * * *", "definition_key": "hello",
        "target": {"host": "laptop"}, "payload_template": {"name": "{{ host.name }}"}});
    (host, create(test, body).await)
}

/// Advances the clock by hours, with the hub's heartbeat and a scheduler pass every half hour.
async fn sleep_through(test: &TestHub, hours: u32) {
    let mut heartbeat = HubHeartbeat::new(test.hub.clone());
    for _ in 0..hours * 2 {
        // In steps that are shorter than the hub's heartbeat timeout.
        for _ in 0..180 {
            test.pass(10);
            heartbeat.pass(Pass { now: test.hub.now() }).await.expect("passes");
        }
        tick(test).await;
    }
}

async fn finish_job(test: &TestHub, job: &str) {
    let id: domain::JobId = job.parse().expect("an id");
    let now = test.hub.now();
    test.write(move |tx| {
        Box::pin(async move {
            let places = tx.ready_take(&[id]).await?;
            let outcome = store::insert::Outcome {
                job_id: id,
                fence: places[0].fence + 1,
                org_id: tx.job_owners(&[id]).await?[0].1,
                status: domain::job::JobStatus::Succeeded,
                reason: None,
                finished_at: now,
            };
            Ok(tx.outcome_insert(&[outcome]).await?)
        })
    })
    .await;
}

#[test]
fn returned_host_catches_up_once() {
    testkit::block_on(async {
        // On SQLite the hub uses its own clock, which a test can advance.
        let test = TestHub::new(testkit::TestDb::sqlite().await).await;
        let (host, trigger) = laptop(&test).await;
        let catch = || async {
            ScheduleCatchUp::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("passes");
            let all = jobs(&test).await;
            all.into_iter().map(|job| job["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
        };
        // Its first session: a schedule that never succeeded is behind, because it was created before the session.
        test.pass(1);
        test.runner(host).await;
        assert!(catch().await.is_empty(), "no catch-up within the settle time");
        test.pass(61);
        let first = catch().await;
        assert_eq!(first.len(), 1, "its first run");
        assert_eq!(catch().await.len(), 1, "only once");
        finish_job(&test, &first[0]).await;
        tick(&test).await;

        // Three nights asleep: no jobs accumulate.
        sleep_through(&test, 72).await;
        assert_eq!(jobs(&test).await.len(), 1);
        let slept = history(&test, &trigger).await;
        assert_eq!(statuses(&slept)[..3], ["asleep", "asleep", "asleep"]);
        let state = get(&test, "/api/v1/hosts/laptop").await;
        assert_eq!(state["status"], "asleep");
        let schedules = get(&test, "/api/v1/hosts/laptop/schedules").await;
        assert_eq!(schedules["catch_up"], json!(null), "no catch-up while the host is asleep");
        assert_eq!(last_days(&schedules, 3), ["missed", "missed", "missed"]);
        assert!(schedules["items"][0]["stale_at"].is_string(), "{schedules}");

        // It returns: no catch-up within the settle time, which starts again with each session; then one run for all
        // three.
        test.runner(host).await;
        assert_eq!(catch().await.len(), 1);
        let waits = get(&test, "/api/v1/hosts/laptop/schedules").await["catch_up"].clone();
        let due: Timestamp = waits["at"].as_str().expect("a time").parse().expect("a time");
        assert_eq!((due.since(test.hub.now()), &waits["jobs"]), (Span::from_secs(60), &json!(0)));
        test.pass(61);
        test.runner(host).await;
        assert_eq!(catch().await.len(), 1, "a new session restarts the settle time");
        test.pass(61);
        let caught = catch().await;
        assert_eq!(caught.len(), 2);
        assert_eq!(catch().await.len(), 2, "once");
        let fires = history(&test, &trigger).await;
        assert_eq!(statuses(&fires)[..3], ["caught_up", "caught_up", "caught_up"]);
        assert!(fires[..3].iter().all(|fire| fire["job_id"] == json!(caught[0])), "{fires:?}");
        assert!(fires[0]["reason"].as_str().is_some_and(|why| why.contains("one run for 3 missed times")), "{fires:?}");
        let schedules = get(&test, "/api/v1/hosts/laptop/schedules").await;
        assert_eq!(schedules["catch_up"]["jobs"], 1);
        assert_eq!(last_days(&schedules, 3), ["open", "open", "open"]);

        // It disconnects and returns while the catch-up job is queued: no second one is created.
        test.runner(host).await;
        test.pass(61);
        assert_eq!(catch().await.len(), 2);
        // It succeeded: nothing is left to catch up.
        finish_job(&test, &caught[0]).await;
        assert_eq!(catch().await.len(), 2);
        tick(&test).await;
        let schedules = get(&test, "/api/v1/hosts/laptop/schedules").await;
        assert_eq!(last_days(&schedules, 3), ["done", "done", "done"]);
    });
}

/// The states of the last days with times of a host's first schedule.
fn last_days(schedules: &Value, count: usize) -> Vec<String> {
    let days = schedules["items"][0]["days"].as_array().expect("days");
    let busy = days.iter().rev().filter(|day| day["times"].as_u64() > Some(0));
    busy.take(count).map(|day| day["state"].as_str().expect("a word").to_owned()).collect()
}

#[test]
fn time_due_on_return_is_covered_by_the_catch_up() {
    testkit::block_on(async {
        let test = TestHub::new(testkit::TestDb::sqlite().await).await;
        let (host, trigger) = laptop(&test).await;
        test.runner(host).await;
        test.pass(61);
        let catch = || async {
            ScheduleCatchUp::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("passes");
            jobs(&test).await.into_iter().map(|job| job["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
        };
        let first = catch().await;
        finish_job(&test, &first[0]).await;
        tick(&test).await;
        sleep_through(&test, 47).await;

        // It returns in the minute before the next time. If that time created its own job, its success would hide the
        // missed times.
        let next = get(&test, "/api/v1/jobs/triggers/backup").await["next_fire_at"].clone();
        let next: domain::Timestamp = serde_json::from_value(next).expect("a time");
        let left = u32::try_from(next.since(test.hub.now()).as_millis() / 1_000).expect("soon");
        test.pass(left.saturating_sub(30));
        tick(&test).await;
        test.runner(host).await;
        test.pass(31);
        tick(&test).await;
        assert_eq!(jobs(&test).await.len(), 1, "it waits for the end of the settle time");
        test.pass(35);
        let caught = catch().await;
        assert_eq!(caught.len(), 2, "one run for all of them");
        let fires = history(&test, &trigger).await;
        let slept: Vec<&Value> = fires.iter().filter(|fire| fire["status"] == "asleep").collect();
        assert!(slept.is_empty(), "every time is covered: {fires:?}");
    });
}

testkit::db_test!(crontab_import_is_previewed_and_idempotent, |db| async move {
    let fixture = Fixture::new(db).await;
    let crontab = "MAILTO=ops\n# Nightly\n0 2 * * * /usr/bin/backup --all\n* * * * * a | b\nnonsense\n";
    let path = "/api/v1/jobs/triggers/import";
    let looked =
        fixture.post(path, json!({"crontab": crontab, "timezone": "Europe/Berlin", "dry_run": true})).await.json();
    let verdicts: Vec<(i64, &str)> = looked["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| (line["line"].as_i64().expect("a number"), line["verdict"].as_str().expect("a word")))
        .collect();
    assert_eq!(verdicts, [(1, "variable"), (3, "ready"), (4, "needs_shell"), (5, "not_understood")]);
    assert_eq!((&looked["lines"][1]["label"], &looked["taken"]), (&json!("Nightly"), &json!(0)));
    let triggers = async || fixture.get("/api/v1/jobs/triggers").await["items"].as_array().expect("a list").clone();
    assert!(triggers().await.is_empty());
    for zone in ["Europe/Berlin", "Asia/Tokyo"] {
        let taken = fixture.post(path, json!({"crontab": crontab, "timezone": zone})).await;
        assert_eq!(taken.json()["taken"], 1, "{}", taken.text);
    }
    let made = triggers().await;
    assert_eq!(made.len(), 1, "the second import updates the trigger");
    assert_eq!((&made[0]["label"], &made[0]["timezone"]), (&json!("Nightly"), &json!("Asia/Tokyo")));
    // A caller who may not create definitions may still do a dry run.
    let admin = fixture.test.browser(fixture.org, "ad@acme.example", Role::Admin).await.1;
    for (dry_run, status) in [(true, 200), (false, 403)] {
        let body = json!({"crontab": crontab, "dry_run": dry_run});
        assert_eq!(fixture.test.call(&admin, "POST", path, Some(body)).await.status.as_u16(), status);
    }
});
