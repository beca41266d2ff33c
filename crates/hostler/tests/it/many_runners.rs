//! Many runners reconnect to a hub that was killed and restarted.

use crate::hub::{Home, Kind, Process};

fn killed_and_back(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    hub.ok(&["org", "set", "--offline-after", "30s"]);
    let token = hub.ok(&["invite", "--uses", "50", "-o", "name"]);
    let bench = Process::start(&mut hub.command(&[
        "bench",
        "link",
        "--runners",
        "50",
        "--hub",
        &url,
        "--join-token",
        token.trim(),
    ]));
    bench.wait_for("all 50 linked");
    process.kill();
    bench.wait_for("lost their link");
    let (_process, _) = hub.serve(&["hub"], url.trim_start_matches("http://"));
    // The outage of the hub does not mark any host offline, from the first response on.
    let statuses = |home: &Home| home.json(&["status"])["hosts"].clone();
    assert_eq!(statuses(&hub), serde_json::json!({"online": 50}));
    bench.wait_for("all 50 linked again after");
    assert_eq!(statuses(&hub), serde_json::json!({"online": 50}));
    assert_eq!(bench.stop(), Some(0));
}

#[test]
fn runners_reconnect_after_a_hub_restart_on_sqlite() {
    killed_and_back(Kind::Sqlite);
}

#[test]
fn runners_reconnect_after_a_hub_restart_on_postgres() {
    killed_and_back(Kind::Postgres);
}
