//! A machine in standalone mode joins two hubs and replicates its rows to both.

use serde_json::Value;

use crate::hub::{Home, Kind, Process, until};

fn digest(home: &Home, of: &[&str]) -> Value {
    home.json(&[&["sync", "digest"], of].concat())
}

fn start(machine: &Home) -> Process {
    let process = Process::start(&mut machine.command(&["runner"]));
    process.wait_for("host \"");
    until("the runner's answer", || machine.run(&["status"]).status.success().then_some(()));
    process
}

/// Waits until the hubs have the same rows as the machine.
fn all_have(machine: &Home, hubs: &[&Home]) {
    for hub in hubs {
        until("the same rows", || (digest(hub, &["nas"]) == digest(machine, &[])).then_some(()));
    }
}

#[test]
fn rows_reach_all_hubs_and_jobs_come_from_the_primary_hub() {
    let machine = Home::new(Kind::Sqlite);
    let alone = start(&machine);
    machine.ok(&["run", "hello", "--wait"]);
    assert_eq!(alone.stop(), Some(0));

    let (first, second) = (Home::new(Kind::Sqlite), Home::new(Kind::Postgres));
    let (first_hub, first_url) = first.serve(&["hub"], "127.0.0.1:0");
    let (second_hub, second_url) = second.serve(&["hub"], "127.0.0.1:0");
    for (hub, url) in [(&first, &first_url), (&second, &second_url)] {
        let token = hub.ok(&["invite", "-o", "name"]);
        machine.ok(&["join", url, token.trim(), "--name", "nas"]);
    }
    let again = machine.run(&["join", &second_url, "hsj_x"]);
    assert_eq!(again.status.code(), Some(7), "already joined");
    let runner = start(&machine);
    all_have(&machine, &[&first, &second]);
    assert_eq!(first.json(&["ps"])[0]["is_hosts_own"], true, "jobs of standalone mode are replicated");
    let ids: Vec<Value> =
        [&first, &second].iter().map(|hub| hub.wait_for_host("nas", "online")["id"].clone()).collect();
    assert_eq!(ids[0], ids[1], "one machine, one id");

    // Jobs come from the primary hub; the other hub is a mirror and rejects them.
    assert!(first.ok(&["run", "hello", "--on", "nas", "--wait"]).contains("This is nas"));
    assert_eq!(second.json(&["host", "show", "nas"])["primary_hub"], first_url.as_str());
    let refused = second.run(&["run", "hello", "--on", "nas", "-o", "json"]);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.code() == Some(7) && stderr.contains("not_primary") && stderr.contains(&first_url),
        "{stderr}"
    );
    let own = second.json(&["ps"])[0]["id"].as_str().expect("an id").to_owned();
    let refused = second.run(&["retry", &own, "-o", "json"]);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(stderr.contains("belongs to nas; this hub has only a copy of it"), "{stderr}");
    assert!(second.ok(&["logs", &own]).contains("Hello, world!"));

    // An outage of one hub does not affect the other.
    first_hub.kill();
    machine.ok(&["run", "hello", "--wait"]);
    all_have(&machine, &[&second]);
    let (_first_hub, _) = first.serve(&["hub"], first_url.trim_start_matches("http://"));
    all_have(&machine, &[&first, &second]);

    // The order of HOSTLER_HUBS selects the primary hub.
    assert_eq!(runner.stop(), Some(0));
    let mut command = machine.command(&["runner"]);
    command.env("HOSTLER_HUBS", format!("{second_url},{first_url}"));
    let moved = Process::start(&mut command);
    moved.wait_for("primary hub ");
    until("the new primary hub", || second.json(&["host", "show", "nas"]).get("primary_hub").is_none().then_some(()));
    second.wait_for_host("nas", "online");
    assert!(second.ok(&["run", "hello", "--on", "nas", "--wait"]).contains("This is nas"));
    assert_eq!(moved.stop(), Some(0));

    // The machine leaves one hub and keeps the other.
    let unclear = machine.run(&["leave", "--yes"]);
    assert!(String::from_utf8_lossy(&unclear.stderr).contains("name the hub to leave"));
    machine.ok(&["leave", &first_url, "--yes"]);
    assert_eq!(first.json(&["host", "list"]), serde_json::json!([]));
    let last = start(&machine);
    second.wait_for_host("nas", "online");
    assert_eq!(last.stop(), Some(0));

    // It returns to the hub that it left, under its id: it has kept its key, without which the hub would refuse it.
    let kept = std::fs::read_dir(machine.path().join("left")).expect("exists").next().expect("a file").expect("reads");
    let aside = machine.path().join("aside");
    std::fs::rename(kept.path(), &aside).expect("moves");
    let token = first.ok(&["invite", "--uses", "2", "-o", "name"]);
    let refused = machine.run(&["join", &first_url, token.trim(), "--name", "nas", "-o", "json"]);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(stderr.contains("duplicate_host") && stderr.contains("removed from this hub"), "{stderr}");
    std::fs::rename(&aside, kept.path()).expect("moves back");
    machine.ok(&["join", &first_url, token.trim(), "--name", "nas"]);
    assert!(!kept.path().exists());
    let returned = start(&machine);
    assert_eq!(first.wait_for_host("nas", "online")["id"], ids[0], "one machine, one id");
    all_have(&machine, &[&first, &second]);
    assert_eq!(returned.stop(), Some(0));
    assert_eq!(second_hub.stop(), Some(0));
}
