//! Replication of outages from a host to its hub.

use domain::{Timestamp, sync::tables::OUTAGE, timeline::OutageKind};
use store::outage::Outage;

use crate::{
    reads,
    seed::{T0, at},
    sync::{Pair, pair},
    writes,
};

async fn note(pair: &Pair, kind: OutageKind, from: Timestamp, until: Option<Timestamp>) {
    let host_id = pair.yard.host;
    let outage = Outage { host_id, kind, from_at: from, until_at: until, note: "the link was down".to_owned() };
    writes!(pair.runner.store, |tx| tx.outage_put(&[outage], at(1)).await).expect("notes");
}

/// The outages of the host as stored on the hub, newest first.
async fn shown(pair: &Pair) -> Vec<(OutageKind, Timestamp, Option<Timestamp>)> {
    let host = pair.host;
    let outages = reads!(pair.hub, |tx| tx.outage_list(host, T0, at(100_000), 100).await);
    outages.into_iter().map(|outage| (outage.kind, outage.from_at, outage.until_at)).collect()
}

testkit::db_test!(host_outages_are_replicated_once, |db| async move {
    let mut pair = pair(&db.store).await;
    note(&pair, OutageKind::Suspended, at(10), Some(at(40))).await;
    note(&pair, OutageKind::HubAway, at(50), None).await;
    // Outages that hubs detected are not replicated by the host.
    note(&pair, OutageKind::Offline, at(60), None).await;
    pair.link().await;
    let lasts = [(OutageKind::HubAway, at(50), None), (OutageKind::Suspended, at(10), Some(at(40)))];
    assert_eq!(shown(&pair).await, lasts);
    pair.assert_same().await;
    // The outage ends, the link reconnects, and all rows are resent.
    note(&pair, OutageKind::HubAway, at(50), Some(at(70))).await;
    let over = [(OutageKind::HubAway, at(50), Some(at(70))), lasts[1]];
    for _ in 0..3 {
        pair.link().await;
        pair.changed().await;
        assert_eq!(shown(&pair).await, over);
    }
    // Outages that the hub detected stay, also when the host deletes its own.
    let (host, seen) = (pair.host, OutageKind::Asleep);
    let outage = Outage { host_id: host, kind: seen, from_at: at(5), until_at: Some(at(9)), note: String::new() };
    writes!(db.store, |tx| tx.outage_put(&[outage], at(9)).await).expect("notes");
    writes!(pair.runner.store, |tx| tx.outage_prune(at(1_000), 100).await).expect("forgets");
    pair.changed().await;
    assert_eq!(shown(&pair).await, [(seen, at(5), Some(at(9)))]);
    pair.assert_same().await;
    writes!(db.store, |tx| tx.outage_remove(host, seen, at(5)).await).expect("removes");
    assert!(shown(&pair).await.is_empty());
});

testkit::db_test!(outage_is_numbered_once_and_never_ends_before_it_begins, |db| async move {
    let mut pair = pair(&db.store).await;
    note(&pair, OutageKind::Suspended, at(10), Some(at(40))).await;
    let heads = reads!(pair.runner.store, |tx| tx.sync_heads().await);
    writes!(pair.runner.store, |tx| tx.sync_capture(T0)).expect("is captured already");
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_heads().await), heads, "and not numbered again");
    pair.link().await;
    let host = pair.host;
    assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, &OUTAGE).await).rows, 1);
    // An outage cannot end before it started, whatever the clock is set to.
    note(&pair, OutageKind::HubAway, at(50), None).await;
    let own = pair.yard.host;
    writes!(pair.runner.store, |tx| tx.outage_close(own, OutageKind::HubAway, at(45)).await).expect("closes");
    pair.changed().await;
    assert_eq!(shown(&pair).await[0], (OutageKind::HubAway, at(50), Some(at(50))));
    let org = pair.org;
    assert!(reads!(db.store, |tx| tx.sync_parked_list(org, 10).await).is_empty());
    // The hub has received all rows, and then learns of more.
    assert!(reads!(db.store, |tx| tx.sync_behind(10).await).is_empty());
    db.store
        .execute_raw("update sync_cursor set head_seq = seq + 4 where priority = 'control'")
        .await
        .expect("updates the cursor");
    let behind = reads!(db.store, |tx| tx.sync_behind(10).await);
    assert_eq!((behind.len(), behind[0].origin, behind[0].behind), (1, host, 4));
});

testkit::db_test!(runner_upgrade_starts_replicating_outages, |db| async move {
    let mut pair = pair(&db.store).await;
    // As before outages were replicated.
    for sql in ["drop trigger sync_outage_gone", "drop trigger sync_14_host_outage", "drop trigger sync_15_host_outage"]
    {
        pair.runner.store.execute_raw(sql).await.expect("drops the trigger");
    }
    note(&pair, OutageKind::Suspended, at(10), Some(at(40))).await;
    pair.link().await;
    assert!(shown(&pair).await.is_empty());
    writes!(pair.runner.store, |tx| tx.sync_capture(T0)).expect("captures outages from now on");
    note(&pair, OutageKind::Suspended, at(50), Some(at(60))).await;
    pair.link().await;
    let told = [(OutageKind::Suspended, at(50), Some(at(60))), (OutageKind::Suspended, at(10), Some(at(40)))];
    assert_eq!(shown(&pair).await, told, "earlier outages are replicated too");
    pair.assert_same().await;
});
