//! Ten thousand hosts that disconnect and return: bounded transactions, one notification per channel, every alert
//! exactly once.

use std::collections::BTreeMap;

use domain::{HostId, HostSender, Labels, OrgId, alert::AlertStatus};
use hub::loops::Alerts;
use runtime::{Next, Pass, Task as _};
use serde_json::json;
use store::{
    host::Host,
    session::{Beat, NewSession},
};

use crate::{
    alerts::{deliver, get, notices_in, pass, send, slow, with_receiver_on},
    fixture::TestHub,
};

const HOSTS: usize = 10_000;
/// The most passes of the alert loop; each pass changes a limited number of alerts.
const LOOKS_MAX: usize = 6;

/// Inserts always-on hosts, each with a session, directly into the database.
async fn hosts(test: &TestHub, org: OrgId) -> Vec<HostId> {
    let now = test.hub.now();
    let host = |number: usize| Host {
        id: test.hub.ids.next(),
        org_id: org,
        name: format!("web-{number}"),
        is_named_by_person: false,
        labels: Labels::try_from(BTreeMap::new()).expect("valid"),
        always_on: true,
        machine: json!({}),
        max_running: None,
        jobs_per_minute: None,
        offline_after: None,
        alert_after: None,
        pause: None,
        degrade: None,
        key_version: 1,
        key_version_wanted: None,
        revoked_at: None,
        join_token_id: None,
        primary_hub: None,
        has_standalone: false,
        has_servers: false,
        queues: domain::lane::QueueNames::default(),
        created_at: now,
        updated_at: now,
    };
    let made: Vec<Host> = (0..HOSTS).map(host).collect();
    let (ids, hub, random) = (made.iter().map(|host| host.id).collect(), test.hub.id, test.hub.random);
    test.write(move |tx| {
        Box::pin(async move {
            for host in made {
                tx.host_insert(&host).await?;
                let session = NewSession {
                    host_id: host.id,
                    hub_id: hub,
                    token_hash: domain::secret::Secret::new(domain::secret::SecretKind::Runner, random.bytes(), &[])
                        .hash(),
                    incarnation: "test".into(),
                    boot_id: "test".into(),
                    runner_version: proto::VERSION.into(),
                    address: "test".into(),
                    clock_skew_ms: 0,
                };
                tx.host_session_open(&session, now).await?;
            }
            Ok(())
        })
    })
    .await;
    ids
}

/// Stores a heartbeat of every host.
async fn beat(test: &TestHub, hosts: &[HostId]) {
    let (now, org) = (test.hub.now(), test.first_org().await);
    let beat = |host: &HostId| Beat {
        sender: HostSender::proven(*host, org, 1),
        at: now,
        clock_skew_ms: 0,
        metrics: json!({}),
    };
    let beats: Vec<Beat> = hosts.iter().map(beat).collect();
    let kept = test.write(move |tx| Box::pin(async move { Ok(tx.host_session_beats(&beats).await?) })).await;
    assert_eq!(kept.len(), hosts.len());
}

/// Runs passes until nothing is left to do; returns their number.
async fn looks(test: &TestHub) -> usize {
    let mut alerts = Alerts::new(test.hub.clone());
    for count in 1..=LOOKS_MAX {
        if alerts.pass(Pass { now: test.hub.now() }).await.expect("looks") != Next::Again {
            return count;
        }
    }
    panic!("the passes never end");
}

/// The number of open alerts, of other alerts, and of outages that continue.
async fn counts(test: &TestHub, hosts: &[HostId]) -> (usize, usize, usize) {
    let (org, last) = (test.first_org().await, *hosts.last().expect("some"));
    let all = test
        .write(move |tx| {
            Box::pin(async move { Ok(tx.alert_list(org, domain::Id::from_bytes([255; 16]), 100_000).await?) })
        })
        .await;
    let open = all.iter().filter(|alert| alert.status == AlertStatus::Open).count();
    let outages = test.write(|tx| Box::pin(async move { Ok(tx.outage_open(100_000).await?) })).await;
    assert!(outages.is_empty() || outages.iter().any(|outage| outage.host_id == last));
    (open, all.len() - open, outages.len())
}

testkit::db_test!(ten_thousand_hosts_disconnect_and_return, |db| async move {
    let (test, got, url) = with_receiver_on(db, slow()).await;
    let second = json!({"kind": "webhook", "url": url, "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="});
    send(&test, "POST", "/api/v1/channels", json!({"name": "night", "config": second})).await;
    let hosts = hosts(&test, test.first_org().await).await;
    looks(&test).await;
    assert_eq!(counts(&test, &hosts).await, (0, 0, 0));

    pass(&test, 1_000).await;
    let bounded = looks(&test).await;
    assert!(bounded > 1, "other writers get their turn between the passes");
    assert_eq!(counts(&test, &hosts).await, (HOSTS, 0, HOSTS));
    looks(&test).await;
    assert_eq!(counts(&test, &hosts).await, (HOSTS, 0, HOSTS), "each once");
    deliver(&test).await;
    let dropped = ("alert.grouped".to_owned(), "10000 × host offline".to_owned(), HOSTS as u64);
    assert_eq!(notices_in(&got), [dropped.clone(), dropped.clone()], "one notice to each channel");

    beat(&test, &hosts).await;
    looks(&test).await;
    assert_eq!(counts(&test, &hosts).await, (0, HOSTS, 0));
    deliver(&test).await;
    assert_eq!(notices_in(&got).len(), 4, "{:?}", notices_in(&got));
    assert!(
        notices_in(&got)[2..].iter().all(|one| one.0 == "alert.resolved" && one.2 == HOSTS as u64),
        "{:?}",
        notices_in(&got)
    );
    let notices = get(&test, "/api/v1/notices").await;
    assert!(notices["items"].as_array().expect("items").iter().all(|one| one["status"] != "due"), "{notices}");
});
