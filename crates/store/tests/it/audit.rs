//! The audit log and its chain.

use domain::{
    AuditId, OrgId,
    actor::ActorKind,
    audit::{AuditRow, Broken, Verified},
};
use store::{Store, audit::AuditFilter};

use crate::{
    reads,
    seed::{T0, at, id, world},
    writes,
};

fn line(org: Option<OrgId>, action: &str, actor: &str, secs: u32) -> AuditRow {
    AuditRow {
        id: id(),
        org,
        at: at(secs),
        actor_kind: ActorKind::User,
        actor_id: Some("01".into()),
        actor_name: actor.into(),
        address: Some("10.0.0.7".into()),
        action: action.into(),
        subject_kind: "host".into(),
        subject_id: None,
        subject_name: Some("web-1".into()),
        diff: r#"{"name":["a","b"]}"#.into(),
        request_id: Some("r1".into()),
    }
}

async fn add(store: &Store, rows: Vec<AuditRow>) {
    writes!(store, |tx| {
        for row in &rows {
            tx.audit_insert(row).await?;
        }
        Ok(())
    })
    .expect("inserts");
}

async fn verify(store: &Store, org: Option<OrgId>) -> Result<i64, Broken> {
    let (sealed, _) = reads!(store, |tx| tx.audit_counts(org).await);
    let page = reads!(store, |tx| tx.audit_chain_page(org, 0, 1_000).await);
    Verified::default().next(&page)?.end(sealed)
}

const NEWEST: AuditId = AuditId::from_bytes([0xff; 16]);

testkit::db_test!(audit_chains_are_sealed_per_org_and_detect_tampering, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    add(&db.store, (0..5).map(|n| line(Some(acme), "host.renamed", "ana", n)).collect()).await;
    add(&db.store, vec![line(Some(beta), "host.renamed", "bo", 9), line(None, "org.created", "local:0", 10)]).await;
    assert_eq!(reads!(db.store, |tx| tx.audit_counts(Some(acme)).await), (0, 5));

    assert_eq!(writes!(db.store, |tx| tx.audit_seal(3, at(20)).await).expect("seals"), 3);
    assert_eq!(writes!(db.store, |tx| tx.audit_seal(100, at(21)).await).expect("seals"), 4);
    assert_eq!(writes!(db.store, |tx| tx.audit_seal(100, at(22)).await).expect("no line is unsealed"), 0);
    assert_eq!(reads!(db.store, |tx| tx.audit_counts(Some(acme)).await), (5, 0));
    assert_eq!(verify(&db.store, Some(acme)).await, Ok(5));
    assert_eq!(verify(&db.store, None).await, Ok(1));
    let mut chains = reads!(db.store, |tx| tx.audit_chains().await);
    chains.sort();
    let mut expected = vec![None, Some(acme), Some(beta)];
    expected.sort();
    assert_eq!(chains, expected);

    assert_eq!(db.store.execute_raw("update audit set actor_name = 'eve' where number = 3").await.expect("damages"), 1);
    assert!(matches!(verify(&db.store, Some(acme)).await, Err(Broken::Altered { number: 3, .. })));
    assert_eq!(verify(&db.store, Some(beta)).await, Ok(1), "other chains are intact");
    db.store.execute_raw("delete from audit where number = 5").await.expect("damages");
    db.store.execute_raw("update audit set actor_name = 'ana' where number = 3").await.expect("mends");
    assert_eq!(verify(&db.store, Some(acme)).await, Err(Broken::Cut { expected: 5, found: 4 }));
});

testkit::db_test!(concurrent_sealing_seals_each_line_once, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    add(&db.store, (0..40).map(|n| line(Some(acme), "x", "ana", n)).collect()).await;
    let sealers = (0..4).map(|_| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.audit_seal(100, T0).await).expect("seals") }
    });
    assert_eq!(futures_util::future::join_all(sealers).await.into_iter().sum::<usize>(), 40);
    assert_eq!(verify(&db.store, Some(acme)).await, Ok(40));
});

testkit::db_test!(lines_are_listed_newest_first_and_filtered, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let rows = vec![
        line(Some(acme), "host.renamed", "ana", 1),
        line(Some(acme), "host.paused", "bo", 2),
        line(Some(acme), "token.created", "ana", 3),
        line(Some(beta), "host.paused", "eve", 4),
    ];
    add(&db.store, rows.clone()).await;
    let list = async |filter: AuditFilter| {
        let found = reads!(db.store, |tx| tx.audit_list(Some(acme), filter, NEWEST, 10).await);
        found.into_iter().map(|line| line.row.action).collect::<Vec<_>>()
    };
    assert_eq!(list(AuditFilter::default()).await, ["token.created", "host.paused", "host.renamed"]);
    assert_eq!(
        list(AuditFilter { actor: Some("ana".into()), ..Default::default() }).await,
        ["token.created", "host.renamed"]
    );
    assert_eq!(
        list(AuditFilter { action: Some("host.*".into()), ..Default::default() }).await,
        ["host.paused", "host.renamed"]
    );
    assert_eq!(list(AuditFilter { action: Some("host.paused".into()), ..Default::default() }).await, ["host.paused"]);
    assert_eq!(list(AuditFilter { since: Some(at(2)), ..Default::default() }).await, ["token.created", "host.paused"]);
    let newest = rows[2].id;
    let older = reads!(db.store, |tx| tx.audit_list(Some(acme), AuditFilter::default(), newest, 1).await);
    assert_eq!(older[0].row, rows[1]);
});

testkit::db_test!(audit_insert_all_inserts_lines_of_many_requests, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let bare = AuditRow {
        actor_id: None,
        address: None,
        subject_id: Some("7".into()),
        subject_name: None,
        request_id: None,
        ..line(None, "org.created", "local:0 \"ö\"", 2)
    };
    let rows = vec![line(Some(acme), "job.created", "ana", 1), bare, line(Some(acme), "job.canceled", "42", 3)];
    let added = rows.clone();
    writes!(db.store, |tx| {
        tx.audit_insert_all(&[]).await?;
        tx.audit_insert_all(&added).await
    })
    .expect("inserts");
    let list = async |org| {
        let found = reads!(db.store, |tx| tx.audit_list(org, AuditFilter::default(), NEWEST, 10).await);
        found.into_iter().map(|line| line.row).collect::<Vec<_>>()
    };
    assert_eq!(list(Some(acme)).await, [rows[2].clone(), rows[0].clone()]);
    assert_eq!(list(None).await, [rows[1].clone()]);
    assert_eq!(writes!(db.store, |tx| tx.audit_seal(10, at(9)).await).expect("seals"), 3);
    assert_eq!(verify(&db.store, Some(acme)).await, Ok(2));
    let many: Vec<AuditRow> = (0..1_000).map(|_| line(Some(acme), "job.created", "ana", 5)).collect();
    writes!(db.store, |tx| tx.audit_insert_all(&many).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.audit_counts(Some(acme)).await), (2, 1_000));
});
