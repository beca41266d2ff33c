//! Rejected data of hosts, and the limits of worker tokens.

use domain::{
    HubId, Role,
    rejection::RejectReason,
    role::Scope,
    secret::SecretHash,
    sync::frame::{Rejected, SyncError},
};
use store::{
    rejection::RejectionCount,
    replication::{RefusedRow, ServerOwner},
    token::Token,
    worker_token::WorkerToken,
};

use crate::{
    reads,
    seed::{T0, at, id, world, yard},
    writes,
};

testkit::db_test!(rejections_add_up_per_host_and_reason, |db| async move {
    let (acme, beta) = (yard(&db.store, "acme").await, yard(&db.store, "beta").await);
    let count = |host_id, reason, count, second| RejectionCount {
        host_id,
        reason,
        count,
        detail: format!("case {second}"),
        last_at: at(second),
    };
    let first = vec![
        count(acme.host, RejectReason::ForeignRow, 2, 1),
        count(beta.host, RejectReason::TooDeep, 1, 1),
        count(id(), RejectReason::ForeignRow, 9, 1),
    ];
    let second = vec![count(acme.host, RejectReason::ForeignRow, 3, 5)];
    for counts in [first, second, Vec::new()] {
        writes!(db.store, |tx| tx.rejection_add(&counts, at(6)).await).expect("adds");
    }
    let of_acme = reads!(db.store, |tx| tx.rejection_list(acme.org, acme.host).await);
    let shown: Vec<_> = of_acme.iter().map(|one| (one.count, one.detail.as_str(), one.first_at, one.last_at)).collect();
    assert_eq!(shown, [(5, "case 5", at(1), at(5))]);
    assert!(reads!(db.store, |tx| tx.rejection_list(beta.org, acme.host).await).is_empty(), "another org");
    let lately = reads!(db.store, |tx| tx.rejections_since(at(1), 10).await);
    assert_eq!(lately.iter().map(|one| (one.host_id, one.org_id)).collect::<Vec<_>>(), [(acme.host, acme.org)]);
    assert_eq!(reads!(db.store, |tx| tx.rejections_since(T0, 10).await).len(), 2, "removed hosts are skipped");
    writes!(db.store, |tx| tx.rejection_clear(acme.org, acme.host, at(7)).await).expect("clears");
    assert_eq!(reads!(db.store, |tx| tx.rejection_list(acme.org, acme.host).await)[0].cleared_at, Some(at(7)));
});

testkit::db_test!(rows_that_a_hub_rejects_are_kept_for_a_week, |db| async move {
    let hub: HubId = id();
    let rejected = |row: &str, error| Rejected { table: "job".into(), id: row.into(), error };
    let put = async |rows: Vec<Rejected>, second| {
        writes!(db.store, |tx| tx.sync_refused_put(hub, &rows, at(second)).await).expect("puts");
    };
    put(vec![rejected("a", SyncError::Ownership), rejected("b", SyncError::TooDeep)], 1).await;
    put(vec![rejected("a", SyncError::Rejected)], 2).await;
    let row = |row: &str, error, second| RefusedRow {
        hub_id: hub,
        tbl: "job".into(),
        id: row.into(),
        error,
        updated_at: at(second),
    };
    let all = reads!(db.store, |tx| tx.sync_refused_list(10).await);
    assert_eq!(all, [row("a", SyncError::Rejected, 2), row("b", SyncError::TooDeep, 1)]);
    put(Vec::new(), 7 * 86_400 + 2).await;
    assert_eq!(reads!(db.store, |tx| tx.sync_refused_list(10).await), [row("a", SyncError::Rejected, 2)]);
});

testkit::db_test!(server_without_a_row_has_no_known_owner, |db| async move {
    let (acme, server) = (yard(&db.store, "acme").await, id());
    let sender = acme.sender();
    let owners = reads!(db.store, |tx| tx.server_owners(sender, &[server]).await);
    assert_eq!(owners.into_iter().collect::<Vec<_>>(), [(server, ServerOwner::Unknown)]);
});

testkit::db_test!(worker_token_has_queues_and_definitions, |db| async move {
    let (acme, user, host) = world(&db.store, "acme").await;
    let token = Token {
        id: id(),
        org_id: acme,
        user_id: user,
        parent_id: None,
        name: "worker".into(),
        hint: "hst_abcd".into(),
        role: Role::Operator,
        scope: Scope::Worker,
        is_login: false,
        may_create_tokens: false,
        created_by: String::new(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        created_at: T0,
    };
    let bound =
        WorkerToken { token_id: token.id, queues: vec!["gpu".into()], definitions: Some(vec!["render".into()]) };
    let limits = bound.clone();
    writes!(db.store, |tx| {
        tx.token_insert(&token, SecretHash([7; 32])).await?;
        tx.worker_token_put(&limits, T0).await
    })
    .expect("puts");
    let (one, other) = (bound.token_id, id());
    assert_eq!(reads!(db.store, |tx| tx.worker_tokens(&[one, other]).await), [bound]);
    let queues = vec!["default".to_owned(), "gpu".to_owned()];
    let offered = queues.clone();
    writes!(db.store, |tx| tx.host_queues_set(host, &offered).await).expect("sets");
    let mut found = reads!(db.store, |tx| tx.host_queues(host).await);
    found.sort();
    assert_eq!(found, queues);
});
