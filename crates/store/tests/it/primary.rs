//! Promotions of hubs.

use domain::primary::HubPromotions;

use crate::{
    reads,
    seed::{T0, at, world},
    writes,
};

testkit::db_test!(promotions_are_stored_per_org, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    assert_eq!(reads!(db.store, |tx| tx.primary_get(acme).await), HubPromotions::default(), "no hub was promoted");
    let first = HubPromotions::default().promoted();
    writes!(db.store, |tx| tx.primary_put(acme, first, T0).await).expect("keeps");
    assert_eq!(reads!(db.store, |tx| tx.primary_get(acme).await), first);
    assert_eq!(reads!(db.store, |tx| tx.primary_get(beta).await), HubPromotions::default());
    assert_eq!(reads!(db.store, |tx| tx.primary_ours(10).await), [(acme, 1)]);
    let lost = HubPromotions { number: 7, is_ours: false };
    writes!(db.store, |tx| tx.primary_put(acme, lost, at(5)).await).expect("changes");
    assert_eq!(reads!(db.store, |tx| tx.primary_get(acme).await), lost);
    assert_eq!(reads!(db.store, |tx| tx.primary_ours(10).await), []);
    writes!(db.store, |tx| tx.org_remove(acme, at(6)).await).expect("removes");
    assert_eq!(
        reads!(db.store, |tx| tx.primary_get(acme).await),
        HubPromotions::default(),
        "deleted with its organization"
    );
});
