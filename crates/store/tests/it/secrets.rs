//! Encrypted secrets of organizations.

use store::secret::Sealed;

use crate::{
    reads,
    seed::{T0, at, world},
    writes,
};

testkit::db_test!(secrets_are_stored_per_org_and_name, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    assert_eq!(reads!(db.store, |tx| tx.secret_any().await), None);
    writes!(db.store, |tx| {
        tx.secret_put(acme, "TOKEN", &[1, 0, 255], "ana", T0).await?;
        tx.secret_put(acme, "KEY", &[2], "bo", at(1)).await?;
        tx.secret_put(beta, "TOKEN", &[3], "cy", at(2)).await
    })
    .expect("sets");
    let any = reads!(db.store, |tx| tx.secret_any().await).expect("there is one");
    assert_eq!((any.name.as_str(), any.sealed.as_slice()), ("TOKEN", [1, 0, 255].as_slice()), "the oldest");

    writes!(db.store, |tx| tx.secret_put(acme, "TOKEN", &[4], "bo", at(3)).await).expect("sets again");
    let listed = reads!(db.store, |tx| tx.secret_list(acme, 10).await);
    let seen: Vec<_> =
        listed.iter().map(|one| (one.name.as_str(), one.created_by.as_str(), one.created_at, one.updated_at)).collect();
    assert_eq!(seen, [("KEY", "bo", at(1), at(1)), ("TOKEN", "bo", T0, at(3))]);
    assert_eq!(reads!(db.store, |tx| tx.secret_list(acme, 1).await).len(), 1);

    let names = ["TOKEN", "KEY", "NONE"].map(str::to_owned);
    let found = reads!(db.store, |tx| tx.secret_sealed(acme, &names).await);
    let sealed = |name: &str, sealed: &[u8]| Sealed { name: name.into(), sealed: sealed.into() };
    assert_eq!(found, [sealed("KEY", &[2]), sealed("TOKEN", &[4])]);
    assert!(reads!(db.store, |tx| tx.secret_sealed(acme, &[]).await).is_empty());

    assert!(!writes!(db.store, |tx| tx.secret_remove(beta, "KEY").await).expect("runs"), "belongs to another org");
    assert!(writes!(db.store, |tx| tx.secret_remove(acme, "KEY").await).expect("removes"));
    assert!(!writes!(db.store, |tx| tx.secret_remove(acme, "KEY").await).expect("runs"));
    assert_eq!(reads!(db.store, |tx| tx.secret_list(beta, 10).await).len(), 1);
});
