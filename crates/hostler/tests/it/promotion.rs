//! Promotion of a mirror to the primary hub.

use std::time::Duration;

use domain::{HubId, primary::Promotion};
use hub::Hub;
use proto::{api::audit::AuditQuery, sync::hub_id};
use runner::{
    HubRole,
    primary::{Joined, PrimaryHub},
};
use serde_json::Value;
use store::Store;

use crate::{
    hub::{Home, Kind, Process, until},
    link::{by, hub, join, link_at, run},
};

const OTHER: HubId = HubId::from_bytes([9; 16]);
const OTHER_URL: &str = "http://other:7411";

/// Waits until the hub has this primary hub recorded for its host; `None` is the hub itself.
async fn wait_for_primary(hub: &Hub, org: domain::OrgId, primary: Option<&str>) {
    for _ in 0..2_000 {
        if hub.host_get(org, "web-1").await.expect("exists").host.primary_hub.as_deref() == primary {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the primary hub is not {primary:?}");
}

async fn audited(hub: &Hub, org: domain::OrgId, action: &str) -> usize {
    let query = AuditQuery { action: Some(action.to_owned()), ..AuditQuery::default() };
    hub.audit_list(Some(org), query).await.expect("lists").items.len()
}

testkit::db_test!(host_follows_the_highest_promotion_and_reports_it_to_its_hubs, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}", folder.path().join("runner.db").display());
    let store = Store::open(&store::Options::new(url)).await.expect("opens");
    let ours = hub_id(&identity.hub_key);
    let joined = |hub, url: &str| Joined { hub, url: url.to_owned(), is_trusted: true };
    let hubs = vec![joined(OTHER, OTHER_URL), joined(ours, "http://ours")];
    let primary = PrimaryHub::open(folder.path(), store, hubs).await.expect("opens");
    let mut linked = run(link_at(&hub, &identity, "one", None, HubRole::of(&primary, ours)));
    linked.up().await;
    wait_for_primary(&hub, org, Some(OTHER_URL)).await;

    let promoted = hub.promote(&by(), org).await.expect("is promoted");
    assert_eq!((promoted.number, promoted.moving), (1, vec!["web-1".to_owned()]));
    wait_for_primary(&hub, org, None).await;
    assert_eq!(primary.promotion(), Some(Promotion { number: 1, hub: ours }));
    assert_eq!((audited(&hub, org, "hub.promoted").await, audited(&hub, org, "hub.superseded").await), (1, 0));

    // The other hub is promoted later: the host reports it to this hub.
    primary.receive_promotion(Promotion { number: 2, hub: OTHER }).await;
    wait_for_primary(&hub, org, Some(OTHER_URL)).await;
    assert_eq!(audited(&hub, org, "hub.superseded").await, 1);
    // A lower promotion number is ignored.
    primary.receive_promotion(Promotion { number: 1, hub: ours }).await;
    assert_eq!(primary.hub(), Some(OTHER));
    assert_eq!(hub.promote(&by(), org).await.expect("is promoted").number, 3, "one above the highest known number");
    wait_for_primary(&hub, org, None).await;
    linked.goodbye().await;
});

fn start(machine: &Home) -> Process {
    let process = Process::start(&mut machine.command(&["runner"]));
    process.wait_for("host \"");
    process
}

fn job_is(hub: &Home, job: &str, status: &str) {
    until(status, || (hub.json(&["job", "show", job])["status"] == status).then_some(()));
}

fn id_of(job: &Value) -> String {
    job["id"].as_str().expect("an id").to_owned()
}

#[test]
fn mirror_is_promoted_while_the_primary_hub_is_down() {
    let machine = Home::new(Kind::Sqlite);
    let (first, second) = (Home::new(Kind::Sqlite), Home::new(Kind::Postgres));
    let (first_hub, first_url) = first.serve(&["hub"], "127.0.0.1:0");
    let (second_hub, second_url) = second.serve(&["hub"], "127.0.0.1:0");
    for (hub, url) in [(&first, &first_url), (&second, &second_url)] {
        let token = hub.ok(&["invite", "-o", "name"]);
        machine.ok(&["join", url, token.trim(), "--name", "nas"]);
    }
    let runner = start(&machine);
    first.wait_for_host("nas", "online");
    until("a mirror", || second.json(&["host", "show", "nas"]).get("primary_hub").is_some().then_some(()));

    // One job is running and one is queued when the primary hub is lost.
    let runs = id_of(&first.json(&["run", "sleep", "seconds:=4", "--on", "nas"]));
    job_is(&first, &runs, "running");
    let waits = id_of(&first.json(&["run", "hello", "--on", "nas", "--at", "6s"]));
    first_hub.kill();

    let unsure = second.run(&["hub", "promote", "--no-input"]);
    assert!(String::from_utf8_lossy(&unsure.stderr).contains("--yes"), "the promotion needs a confirmation");
    assert!(second.run(&["run", "hello", "--on", "nas"]).status.code() == Some(7), "still a mirror");
    second.ok(&["hub", "promote", "--yes"]);
    until("the new primary hub", || second.json(&["host", "show", "nas"]).get("primary_hub").is_none().then_some(()));
    assert!(second.ok(&["run", "hello", "--on", "nas", "--wait"]).contains("This is nas"));
    assert_eq!(second.json(&["audit", "--action", "hub.promoted"])[0]["diff"]["number"], serde_json::json!([0, 1]));

    // The promotion is kept across a restart.
    assert_eq!(runner.stop(), Some(0));
    let runner = Process::start(&mut machine.command(&["runner"]));
    runner.wait_for(&format!("primary hub {second_url}"));
    assert!(second.ok(&["run", "hello", "--on", "nas", "--wait"]).contains("This is nas"));

    // The former primary hub returns: it receives the result of its run and learns that it is a mirror.
    let (first_hub, _) = first.serve(&["hub"], first_url.trim_start_matches("http://"));
    until("a mirror", || (first.json(&["host", "show", "nas"])["primary_hub"] == second_url.as_str()).then_some(()));
    job_is(&first, &runs, "succeeded");
    until("the reason", || {
        let why = first.json(&["why", &waits]);
        (why["reason"] == "not_primary" && why["text"].as_str().is_some_and(|text| text.contains(&second_url)))
            .then_some(())
    });
    let refused = first.run(&["run", "hello", "--on", "nas", "-o", "json"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("not_primary"));

    // After promoting it again, the job that was queued there runs.
    first.ok(&["hub", "promote", "--yes"]);
    job_is(&first, &waits, "succeeded");
    until("a mirror", || (second.json(&["host", "show", "nas"])["primary_hub"] == first_url.as_str()).then_some(()));
    assert_eq!(runner.stop(), Some(0));
    assert_eq!(first_hub.stop(), Some(0));
    assert_eq!(second_hub.stop(), Some(0));
}
