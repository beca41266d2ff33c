//! The health of the database: vacuum blockers on PostgreSQL, the load of the writer on SQLite.

use domain::{
    Role, Span,
    alert::{BlockerKind, VacuumBlocker},
};
use store::{Options, Store, user::User};
use testkit::{TestDb, block_on};
use tokio::sync::oneshot;

use crate::{
    reads,
    seed::{T0, user, world},
    writes,
};

async fn blockers(store: &Store) -> Vec<VacuumBlocker> {
    store.query(|tx| Box::pin(async move { tx.database_vacuum_blockers(100).await })).await.expect("reads")
}

#[test]
fn open_snapshot_is_a_vacuum_blocker_until_its_transaction_ends() {
    let test = async |db: TestDb| {
        assert_eq!(blockers(&db.store).await, [], "not the reading session itself");
        let other = Store::open(&Options::new(&db.url)).await.expect("opens");
        let (opened, is_open) = oneshot::channel();
        let (release, released) = oneshot::channel::<()>();
        let transaction = other.read(move |tx| {
            Box::pin(async move {
                tx.org_list("", 1).await?;
                let _ = opened.send(());
                let _ = released.await;
                Ok::<_, store::Error>(())
            })
        });
        let check = async {
            is_open.await.expect("the transaction opens");
            let found = blockers(&db.store).await;
            let [session] = found.as_slice() else { panic!("one session: {found:?}") };
            assert_eq!((session.kind, session.application.as_str()), (BlockerKind::Session, "hostler"));
            assert_eq!(session.user_name, "postgres");
            assert!(session.name.parse::<u32>().is_ok(), "a process id: {session:?}");
            assert!(session.open_ms.is_some_and(|open| open < Span::from_secs(60)), "{session:?}");
            let again = blockers(&db.store).await;
            assert_eq!(again[0].snapshot, session.snapshot, "the snapshot keeps its name");
            // In a transaction, too, the reading session is left out.
            assert_eq!(reads!(db.store, |tx| tx.database_vacuum_blockers(100).await).len(), 1);
            assert_eq!(reads!(db.store, |tx| tx.database_vacuum_blockers(0).await), []);
            release.send(()).expect("the transaction waits");
        };
        let (ended, ()) = tokio::join!(transaction, check);
        ended.expect("reads");
        // Waits until the connection is closed.
        other.close().await;
        assert_eq!(blockers(&db.store).await, []);
        assert_eq!((db.store.writer_time(), db.store.sqlite_url()), (None, None));
    };
    block_on(async { testkit::with(TestDb::postgres().await, test).await });
}

#[test]
fn writer_time_counts_the_work_of_the_sqlite_writer() {
    /// Takes some milliseconds.
    const WORK: &str = "delete from org where name in (
        with recursive c (n) as (select 1 union all select n + 1 from c where n < 200000) select n from c)";
    let test = async |db: TestDb| {
        assert_eq!(blockers(&db.store).await, []);
        assert_eq!(db.store.sqlite_url().as_deref(), Some(db.url.as_str()));
        let before = db.store.writer_time().expect("SQLite has a writer");
        db.store.execute_raw(WORK).await.expect("works");
        // The counter of the first write is complete when the second one ends.
        db.store.execute_raw(WORK).await.expect("works");
        let after = db.store.writer_time().expect("SQLite has a writer");
        let grown = after.busy.as_micros() - before.busy.as_micros();
        assert!(grown > 1_000, "{grown} microseconds");
        assert!(grown <= after.elapsed.as_micros() - before.elapsed.as_micros());
    };
    block_on(async { testkit::with(TestDb::sqlite().await, test).await });
}

testkit::db_test!(orgs_of_active_super_admins_receive_alerts_about_the_hub, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    world(&db.store, "beta").await;
    assert_eq!(reads!(db.store, |tx| tx.alert_hub_orgs(9).await), []);
    for (email, is_disabled) in [("kim@example.com", false), ("lee@example.com", false), ("max@example.com", true)] {
        let admin = User { is_super: true, is_disabled, ..user(email) };
        writes!(db.store, |tx| {
            tx.user_insert(&admin).await?;
            tx.member_put(acme, admin.id, Role::Viewer, T0).await
        })
        .expect("writes");
    }
    assert_eq!(reads!(db.store, |tx| tx.alert_hub_orgs(9).await), [acme], "once");
    let everyone: Vec<User> = reads!(db.store, |tx| tx.user_list("", 99).await);
    for admin in everyone.into_iter().filter(|user| user.is_super && !user.is_disabled) {
        assert!(writes!(db.store, |tx| tx.user_remove(admin.id).await).expect("removes"));
    }
    assert_eq!(reads!(db.store, |tx| tx.alert_hub_orgs(9).await), [], "the other super admin is disabled");
});
