//! What a machine tells of its own absences, on its way to its hub.

use domain::{Timestamp, sync::tables::GAP, timeline::OutageKind};
use store::outage::Outage;

use crate::{
    reads,
    seed::{T0, at},
    sync::{Pair, pair},
    writes,
};

async fn note(pair: &Pair, kind: OutageKind, from: Timestamp, until: Option<Timestamp>) {
    let host_id = pair.yard.host;
    let gap = Outage { host_id, kind, from_at: from, until_at: until, note: "the link was down".to_owned() };
    writes!(pair.runner.store, |tx| tx.gap_put(&[gap], at(1)).await).expect("notes");
}

/// What the hub shows of its host, newest first.
async fn shown(pair: &Pair) -> Vec<(OutageKind, Timestamp, Option<Timestamp>)> {
    let host = pair.host;
    let gaps = reads!(pair.hub, |tx| tx.gap_list(host, T0, at(100_000), 100).await);
    gaps.into_iter().map(|gap| (gap.kind, gap.from_at, gap.until_at)).collect()
}

testkit::db_test!(a_host_tells_of_its_absences_once, |db| async move {
    let mut pair = pair(&db.store).await;
    note(&pair, OutageKind::Suspended, at(10), Some(at(40))).await;
    note(&pair, OutageKind::HubAway, at(50), None).await;
    // What was seen of it by others is not its own to tell.
    note(&pair, OutageKind::Offline, at(60), None).await;
    pair.link().await;
    let lasts = [(OutageKind::HubAway, at(50), None), (OutageKind::Suspended, at(10), Some(at(40)))];
    assert_eq!(shown(&pair).await, lasts);
    pair.assert_same().await;
    // It ends; the link comes and goes; everything is said again.
    note(&pair, OutageKind::HubAway, at(50), Some(at(70))).await;
    let over = [(OutageKind::HubAway, at(50), Some(at(70))), lasts[1]];
    for _ in 0..3 {
        pair.link().await;
        pair.changed().await;
        assert_eq!(shown(&pair).await, over);
    }
    // What the hub has seen itself stays, also when the host forgets its own.
    let (host, seen) = (pair.host, OutageKind::Asleep);
    let gap = Outage { host_id: host, kind: seen, from_at: at(5), until_at: Some(at(9)), note: String::new() };
    writes!(db.store, |tx| tx.gap_put(&[gap], at(9)).await).expect("notes");
    writes!(pair.runner.store, |tx| tx.gap_prune(at(1_000), 100).await).expect("forgets");
    pair.changed().await;
    assert_eq!(shown(&pair).await, [(seen, at(5), Some(at(9)))]);
    pair.assert_same().await;
    writes!(db.store, |tx| tx.gap_remove(host, seen, at(5)).await).expect("removes");
    assert!(shown(&pair).await.is_empty());
});

testkit::db_test!(a_gap_is_numbered_once_and_never_ends_before_it_begins, |db| async move {
    let mut pair = pair(&db.store).await;
    note(&pair, OutageKind::Suspended, at(10), Some(at(40))).await;
    let heads = reads!(pair.runner.store, |tx| tx.sync_heads().await);
    writes!(pair.runner.store, |tx| tx.sync_capture(T0)).expect("is watched already");
    assert_eq!(reads!(pair.runner.store, |tx| tx.sync_heads().await), heads, "and not numbered again");
    pair.link().await;
    let host = pair.host;
    assert_eq!(reads!(db.store, |tx| tx.sync_digest(host, &GAP).await).rows, 1);
    // A gap cannot end before it began, whatever a clock says.
    note(&pair, OutageKind::HubAway, at(50), None).await;
    let own = pair.yard.host;
    writes!(pair.runner.store, |tx| tx.gap_close(own, OutageKind::HubAway, at(45)).await).expect("closes");
    pair.changed().await;
    assert_eq!(shown(&pair).await[0], (OutageKind::HubAway, at(50), Some(at(50))));
    let org = pair.org;
    assert!(reads!(db.store, |tx| tx.sync_parked_list(org, 10).await).is_empty());
    // All of it is here; and then the hub hears of more.
    assert!(reads!(db.store, |tx| tx.sync_behind(10).await).is_empty());
    db.store.execute_raw("update sync_cursor set head_seq = seq + 4 where lane = 'control'").await.expect("says so");
    let behind = reads!(db.store, |tx| tx.sync_behind(10).await);
    assert_eq!((behind.len(), behind[0].origin, behind[0].behind), (1, host, 4));
});

testkit::db_test!(a_runner_of_an_earlier_version_learns_to_tell, |db| async move {
    let mut pair = pair(&db.store).await;
    // As it was before gaps travelled.
    for sql in ["drop trigger sync_gap_gone", "drop trigger sync_14_host_gap", "drop trigger sync_15_host_gap"] {
        pair.runner.store.execute_raw(sql).await.expect("was not there");
    }
    note(&pair, OutageKind::Suspended, at(10), Some(at(40))).await;
    pair.link().await;
    assert!(shown(&pair).await.is_empty());
    writes!(pair.runner.store, |tx| tx.sync_capture(T0)).expect("watches them from now on");
    note(&pair, OutageKind::Suspended, at(50), Some(at(60))).await;
    pair.link().await;
    let told = [(OutageKind::Suspended, at(50), Some(at(60))), (OutageKind::Suspended, at(10), Some(at(40)))];
    assert_eq!(shown(&pair).await, told, "what was noted before, too");
    pair.assert_same().await;
});
