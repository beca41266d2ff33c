//! The store behind a transaction pooler: no state may depend on a session.

use domain::{Role, hubs::BREAK_AFTER};
use store::{Options, Store};
use testkit::{block_on, pgbouncer, postgres};

use crate::{
    reads,
    seed::{T0, at, org, world},
    writes,
};

#[test]
fn store_works_behind_a_transaction_pooler() {
    block_on(async {
        let url = pgbouncer::in_front_of(&postgres::empty_database().await);
        let mut options = Options::new(format!("{url}?pooler=transaction"));
        options.connections = 8;
        // Two hubs start concurrently on an empty database, through the pooler.
        let (one, two) = tokio::join!(Store::open(&options), Store::open(&options));
        let (one, two) = (one.expect("opens"), two.expect("opens"));
        assert!(one.is_pooled());
        // The pooler has two server connections: later hubs get a connection that another hub has used.
        for later in ["a third hub", "a fourth hub"] {
            Store::open(&options).await.expect(later);
        }
        let (acme, ana, _) = world(&one, "acme").await;
        // Far more calls than server connections, from both hubs, each in its own transaction.
        let calls = (0..64_u32).map(|n| {
            let (store, new) = (if n % 2 == 0 { one.clone() } else { two.clone() }, org(&format!("org-{n:02}")));
            async move {
                writes!(store, |tx| {
                    tx.org_insert(&new).await?;
                    tx.member_put(new.id, ana, Role::Viewer, T0).await
                })
                .expect("writes");
                reads!(store, |tx| tx.memberships(ana).await).len()
            }
        });
        assert!(futures_util::future::join_all(calls).await.iter().all(|seen| *seen >= 2));
        assert_eq!(reads!(two, |tx| tx.memberships(ana).await).len(), 65);
        assert_eq!(reads!(two, |tx| tx.host_list(acme, "", 10).await).len(), 1);
        assert!(one.database_time().await.expect("answers").is_some());
        let watch = writes!(one, |tx| tx.hub_beat(T0).await).expect("beats");
        assert_eq!(writes!(two, |tx| tx.hub_beat(T0 + BREAK_AFTER).await).expect("beats").since, watch.since);
        assert_eq!(writes!(one, |tx| tx.audit_seal(10, at(1)).await).expect("seals"), 0);
    });
}
