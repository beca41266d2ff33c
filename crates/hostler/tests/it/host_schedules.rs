//! Schedules with `place: host`: they fire on their host while the hub is down, once per time, and reach the hub later.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::hub::{Home, Kind, Process, join, until};

const T: &str = "/api/v1/jobs/triggers";

fn api(home: &Home, method: &str, path: &str, body: Option<&Value>) -> Value {
    let text = body.map(Value::to_string);
    let mut args = vec!["api", method, path];
    args.extend(text.as_deref().map(|text| ["--input", text]).into_iter().flatten());
    let output = home.ok(&args);
    serde_json::from_str(&output).unwrap_or_else(|error| panic!("{args:?}: {error}: {output}"))
}

/// The history of a trigger, oldest first.
fn history(home: &Home, trigger: &str) -> Vec<Value> {
    let output = home.run(&["api", "GET", &format!("{T}/{trigger}/history?limit=1000")]);
    // The trigger may not have reached this side yet.
    let page: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let mut fires = page["items"].as_array().cloned().unwrap_or_default();
    fires.reverse();
    fires
}

fn start(machine: &Home) -> Process {
    let process = Process::start(&mut machine.command(&["runner"]));
    process.wait_for("host \"");
    until("the runner's answer", || machine.run(&["status"]).status.success().then_some(()));
    process
}

fn every_second(hub: &Home) -> String {
    let trigger = json!({"label": "tick", "cron_expr": "*/1 * * * * *", "definition_key": "hello", "place": "host",
        "overlap": "allow", "target": {"host": "nas"}, "payload_template": {"name": "{{ schedule.at }}"}});
    api(hub, "POST", T, Some(&trigger))["id"].as_str().expect("an id").to_owned()
}

/// The nominal times of fires in seconds; asserts that no time occurs twice.
fn seconds(fires: &[Value]) -> Vec<i64> {
    let of = |fire: &Value| {
        let at: domain::Timestamp = fire["nominal_at"].as_str().expect("a time").parse().expect("a time");
        at.as_micros() / 1_000_000
    };
    let all: Vec<i64> = fires.iter().map(of).collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a time occurs twice: {fires:?}");
    all
}

/// Asserts that every job of these fires is at the hub, has ended and ran once.
fn ran_once(hub: &Home, fires: &[Value]) {
    let jobs: BTreeSet<&str> = fires.iter().filter_map(|fire| fire["job_id"].as_str()).collect();
    assert_eq!(jobs.len(), fires.len(), "each time has a job of its own: {fires:?}");
    // No other job exists: a second job for a time would appear here.
    let made = api(hub, "GET", "/api/v1/jobs?limit=1000", None)["items"].as_array().cloned().unwrap_or_default();
    let made = made.iter().filter(|job| job["source"] == "schedule").filter_map(|job| job["id"].as_str());
    assert_eq!(made.collect::<BTreeSet<_>>(), jobs);
    for job in jobs {
        let result = until("the end of a job", || {
            let result = api(hub, "GET", &format!("/api/v1/jobs/{job}"), None);
            (result["status"] == "succeeded").then_some(result)
        });
        assert_eq!((&result["definition_key"], &result["source"]), (&json!("hello"), &json!("schedule")), "{result}");
        let runs = api(hub, "GET", &format!("/api/v1/jobs/{job}/attempts"), None);
        let runs = runs["items"].as_array().or(runs.as_array()).cloned().unwrap_or_default();
        assert_eq!(runs.len(), 1, "{runs:?}");
    }
}

fn at_least(home: &Home, trigger: &str, count: usize) -> Vec<Value> {
    until("more fires", || Some(history(home, trigger)).filter(|fires| fires.len() >= count))
}

/// Disables the trigger and waits until the host has applied it; returns the host's final history.
fn switched_off(hub: &Home, machine: &Home, trigger: &str) -> Vec<Value> {
    api(hub, "PATCH", &format!("{T}/{trigger}"), Some(&json!({"is_enabled": false})));
    until("the disabled trigger on the host", || {
        let there = api(machine, "GET", &format!("{T}/{trigger}"), None);
        (there["is_enabled"] == false && there["next_fire_at"].is_null()).then_some(())
    });
    history(machine, trigger)
}

fn host_schedule_fires_while_the_hub_is_down(kind: Kind) {
    let hub = Home::new(kind);
    let (first, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let machine = join(&hub, &url, "nas");
    let runner = start(&machine);
    hub.wait_for_host("nas", "online");
    let trigger = every_second(&hub);
    at_least(&machine, &trigger, 2);
    at_least(&hub, &trigger, 1);
    let refused = machine.run(&["api", "DELETE", &format!("{T}/{trigger}")]);
    assert!(
        String::from_utf8_lossy(&refused.stderr).contains("managed by this machine's hub"),
        "the host has only a copy"
    );

    first.kill();
    let before = history(&machine, &trigger).len();
    at_least(&machine, &trigger, before + 4);
    let (_second, _) = hub.serve(&["hub"], url.trim_start_matches("http://"));
    hub.wait_for_host("nas", "online");
    let there = switched_off(&hub, &machine, &trigger);
    let here = until("all fires at the hub", || {
        let here = history(&hub, &trigger);
        (seconds(&here) == seconds(&there)).then_some(here)
    });
    assert!(here.len() >= before + 4);
    let times = seconds(&here);
    let all: Vec<i64> = (times[0]..=times[times.len() - 1]).collect();
    assert_eq!(times, all, "a time is missing between the first and the last");
    assert!(here.iter().all(|fire| fire["status"] == "fired" && fire["host"] == "nas"), "{here:?}");
    ran_once(&hub, &here);
    let result = api(&hub, "GET", &format!("{T}/{trigger}"), None);
    assert_eq!((&result["is_hosts_own"], &result["place"]), (&json!(false), &json!("host")));
    assert_eq!(runner.stop(), Some(0));
}

#[test]
fn host_schedule_fires_while_the_hub_is_down_on_sqlite() {
    host_schedule_fires_while_the_hub_is_down(Kind::Sqlite);
}

#[test]
fn host_schedule_fires_while_the_hub_is_down_on_postgres() {
    host_schedule_fires_while_the_hub_is_down(Kind::Postgres);
}

#[test]
fn changing_the_place_of_a_schedule_runs_no_time_twice() {
    let hub = Home::new(Kind::Sqlite);
    let (_hub, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let machine = join(&hub, &url, "nas");
    let runner = start(&machine);
    hub.wait_for_host("nas", "online");
    let trigger = every_second(&hub);
    at_least(&hub, &trigger, 2);
    let is_own = |fire: &Value| {
        let job = fire["job_id"].as_str().expect("a job");
        api(&hub, "GET", &format!("/api/v1/jobs/{job}"), None)["is_hosts_own"] == true
    };
    let last_is_own = |own: bool| {
        until("a fire at the other place", || {
            let fires = history(&hub, &trigger);
            fires.last().filter(|last| is_own(last) == own).map(|_| ())
        });
    };
    last_is_own(true);
    // While the host is offline the hub creates no jobs for it, because the host may still fire.
    assert_eq!(runner.stop(), Some(0));
    let path = format!("{T}/{trigger}");
    let moved = api(&hub, "PATCH", &path, Some(&json!({"place": "hub"})));
    assert!(moved["note"].as_str().is_some_and(|note| note.contains("nas")), "{moved}");
    assert!(moved["next_fire_at"].is_null(), "{moved}");
    let runner = start(&machine);
    last_is_own(false);
    assert!(api(&hub, "GET", &path, None)["note"].is_null());
    assert_eq!(machine.run(&["api", "GET", &path]).status.code(), Some(6), "the host no longer has it");
    api(&hub, "PATCH", &path, Some(&json!({"place": "host"})));
    last_is_own(true);
    let there = switched_off(&hub, &machine, &trigger);
    let last = seconds(&there).last().copied();
    let here = until("all fires at the hub", || {
        let here = history(&hub, &trigger);
        (seconds(&here).last().copied() == last).then_some(here)
    });
    // Missed times share one job, so only fired times are checked.
    let made: Vec<Value> = here.into_iter().filter(|fire| fire["status"] == "fired").collect();
    ran_once(&hub, &made);
    assert_eq!(runner.stop(), Some(0));
}
