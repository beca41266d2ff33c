//! Hosts that may sleep and hosts that are always on, with real processes. Settings shorten days to seconds.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::hub::{Home, Kind, Process, join, until};

/// Settings that shorten the delays of catch-up and alerts.
const SHORT: [(&str, &str); 3] =
    [("HOSTLER_SETTLE", "2s"), ("HOSTLER_ALERTS_EVERY", "300ms"), ("HOSTLER_GROUP_WAIT", "300ms")];

fn serve(hub: &Home, address: &str) -> (Process, String) {
    let mut command = hub.command(&["hub", "--listen", address]);
    command.envs(SHORT);
    let process = Process::start(&mut command);
    let url = process.wait_for("listening").split_whitespace().last().expect("an address").to_owned();
    process.wait_for("Press Ctrl-C to stop");
    (process, url)
}

fn runner(machine: &Home) -> Process {
    let process = Process::start(&mut machine.command(&["runner"]));
    process.wait_for("host \"");
    process
}

fn api(hub: &Home, method: &str, path: &str, body: Option<&Value>) -> Value {
    let text = body.map(Value::to_string);
    let path = format!("/api/v1{path}");
    let mut args = vec!["api", method, &path];
    if let Some(text) = &text {
        args.extend(["--input", text]);
    }
    let output = hub.ok(&args);
    serde_json::from_str(&output).unwrap_or(Value::Null)
}

fn alerts(hub: &Home, host: &str) -> Vec<Value> {
    let all = api(hub, "GET", "/alerts?status=all", None);
    let about = |alert: &&Value| alert["subject_name"] == host && alert["kind"] == "host_offline";
    all["items"].as_array().expect("items").iter().filter(about).cloned().collect()
}

fn fires(hub: &Home) -> Vec<Value> {
    api(hub, "GET", "/jobs/triggers/backup/history?limit=500", None)["items"].as_array().expect("items").clone()
}

fn of<'f>(fires: &'f [Value], status: &str) -> Vec<&'f Value> {
    fires.iter().filter(|fire| fire["status"] == status).collect()
}

fn sleeping_host_catches_up_once_and_raises_no_alert(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = serve(&hub, "127.0.0.1:0");
    let (laptop, server) = (join(&hub, &url, "laptop"), join(&hub, &url, "server"));
    api(&hub, "PATCH", "/org", Some(&json!({"offline_after_seconds": 2, "alert_after_seconds": 3})));
    api(&hub, "PATCH", "/hosts/laptop", Some(&json!({"always_on": false})));
    let (first_laptop, first_server) = (runner(&laptop), runner(&server));
    hub.wait_for_host("laptop", "online");
    hub.wait_for_host("server", "online");
    let trigger = json!({"label": "backup", "cron_expr": "*/5 * * * * *", "definition_key": "hello",
        "target": {"host": "laptop"}, "payload_template": {"name": "{{ schedule.is_catch_up }}"}});
    // Template values keep their type: a boolean is rejected where the schema requires a string.
    let refused = hub.run(&["api", "POST", "/api/v1/jobs/triggers", "--input", &trigger.to_string()]);
    assert!(!refused.status.success());
    let mut trigger = trigger;
    trigger["payload_template"] = json!({"name": "{{ host.name }}"});
    api(&hub, "POST", "/jobs/triggers", Some(&trigger));
    until("a first success", || {
        of(&fires(&hub), "fired").iter().any(|fire| fire["job_status"] == "succeeded").then_some(())
    });

    // The laptop is suspended, and the server loses power.
    assert_eq!(first_laptop.stop(), Some(0));
    first_server.kill();
    hub.wait_for_host("laptop", "asleep");
    hub.wait_for_host("server", "offline");
    until("three missed times", || (of(&fires(&hub), "asleep").len() >= 3).then_some(()));
    until("the alert about the server", || {
        alerts(&hub, "server").iter().any(|one| one["status"] == "open").then_some(())
    });
    assert!(alerts(&hub, "laptop").is_empty(), "no alert for a host that may sleep");
    let state = hub.json(&["host", "show", "laptop"]);
    let reason = state["status_reason"].as_str().expect("a reason");
    assert!(reason.starts_with("asleep · last seen") && reason.ends_with("will catch up on return"), "{reason}");

    // A restart of the hub in between loses none of this.
    process.kill();
    let (process, _) = serve(&hub, url.trim_start_matches("http://"));
    // Exclude the catch-up of the first connection.
    let first: BTreeSet<String> =
        of(&fires(&hub), "caught_up").iter().filter_map(|fire| Some(fire["job_id"].as_str()?.to_owned())).collect();
    let is_new = |fire: &&Value| fire["job_id"].as_str().is_some_and(|job| !first.contains(job));
    let (second_laptop, second_server) = (runner(&laptop), runner(&server));
    until("the catch-up", || of(&fires(&hub), "caught_up").into_iter().any(|fire| is_new(&fire)).then_some(()));
    until("the end of the alert", || {
        alerts(&hub, "server").iter().all(|one| one["status"] == "resolved").then_some(())
    });
    assert!(alerts(&hub, "laptop").is_empty());
    let all = fires(&hub);
    let caught: Vec<&Value> = of(&all, "caught_up").into_iter().filter(is_new).collect();
    let jobs: BTreeSet<&str> = caught.iter().filter_map(|fire| fire["job_id"].as_str()).collect();
    assert_eq!(jobs.len(), 1, "one run replaces all missed times: {caught:?}");
    assert!(caught.len() >= 3, "all missed times refer to it: {caught:?}");
    assert!(of(&all, "asleep").is_empty(), "no missed time is left undecided: {all:?}");
    let job = (*jobs.first().expect("a job")).to_owned();
    until("its success", || (hub.json(&["job", "show", &job])["status"] == "succeeded").then_some(()));
    // The timeline shows the reason.
    let past = api(&hub, "GET", "/hosts/laptop/timeline", None);
    let words: BTreeSet<&str> =
        past["items"].as_array().expect("items").iter().filter_map(|one| one["word"].as_str()).collect();
    assert!(words.contains("asleep") && words.contains("caught_up") && words.contains("succeeded"), "{words:?}");
    assert_eq!(second_laptop.stop(), Some(0));
    assert_eq!(second_server.stop(), Some(0));
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn sleeping_host_catches_up_once_and_raises_no_alert_on_sqlite() {
    sleeping_host_catches_up_once_and_raises_no_alert(Kind::Sqlite);
}

#[test]
fn sleeping_host_catches_up_once_and_raises_no_alert_on_postgres() {
    sleeping_host_catches_up_once_and_raises_no_alert(Kind::Postgres);
}
