//! Guarantees of transactions, also when callers disappear.

use std::time::Duration;

use domain::OrgId;
use store::{Error, Result, event::NewEvent};
use testkit::{TestDb, block_on};

use crate::{
    reads,
    seed::{T0, id, job, org, place, world, yard},
    writes,
};

testkit::db_test!(deferred_write_is_visible_to_the_next_query, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let new = job(&acme);
    let wanted = new.id;
    let seen = writes!(db.store, |tx| {
        tx.job_insert(std::slice::from_ref(&new)).await?;
        tx.ready_insert(&[place(&new, 0)]).await?;
        tx.job_get(acme.org, new.id).await
    });
    assert_eq!(seen.expect("writes").map(|job| job.id), Some(wanted));
});

testkit::db_test!(deferred_write_is_rolled_back_with_the_transaction, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let (new, twin) = (job(&acme), job(&acme));
    let (lost, wanted) = (new.id, twin.id);
    let failed: Result<()> = writes!(db.store, |tx| {
        tx.job_insert(std::slice::from_ref(&new)).await?;
        Err(Error::Dangling)
    });
    assert!(matches!(failed, Err(Error::Dangling)), "{failed:?}");
    let failed: Result<()> = writes!(db.store, |tx| {
        tx.job_insert(std::slice::from_ref(&twin)).await?;
        tx.ready_insert(&[place(&twin, 0)]).await?;
        // The same statement twice: the first is sent before the second.
        tx.job_insert(std::slice::from_ref(&twin)).await
    });
    assert!(matches!(failed, Err(Error::UniqueViolation(_))), "{failed:?}");
    for id in [lost, wanted] {
        assert!(reads!(db.store, |tx| tx.job_get(acme.org, id).await).is_none());
    }
    // After an error, connections are reset or closed.
    for _ in 0..20 {
        writes!(db.store, |tx| tx.org_insert(&org(&id::<domain::id::kind::Org>().to_string().to_lowercase())).await)
            .expect("later writes succeed");
    }
});

testkit::db_test!(flushed_write_is_rolled_back_with_the_transaction, |db| async move {
    let acme = yard(&db.store, "acme").await;
    let (first, second) = (job(&acme), job(&acme));
    let ids = [first.id, second.id];
    for is_kept in [false, true] {
        let (first, second) = (first.clone(), second.clone());
        let done: Result<()> = writes!(db.store, |tx| {
            tx.job_insert(std::slice::from_ref(&first)).await?;
            tx.flush_early().await?;
            tx.job_insert(std::slice::from_ref(&second)).await?;
            if is_kept { Ok(()) } else { Err(Error::Dangling) }
        });
        assert_eq!(done.is_ok(), is_kept);
        for id in ids {
            assert_eq!(reads!(db.store, |tx| tx.job_get(acme.org, id).await).is_some(), is_kept);
        }
    }
});

#[test]
fn connection_lost_in_the_commit_is_commit_unknown() {
    block_on(async {
        let db = TestDb::postgres().await;
        let (acme, ..) = world(&db.store, "acme").await;
        for sql in [
            "create function end_connection() returns trigger language plpgsql as $$
            begin
                perform pg_terminate_backend(pg_backend_pid());
                return null;
            end $$",
            "create constraint trigger org_commit after insert on org deferrable initially deferred
            for each row when (new.slug = 'in-commit') execute function end_connection()",
            "create trigger org_insert after insert on org
            for each row when (new.slug = 'before-commit') execute function end_connection()",
            "create constraint trigger event_commit after insert on event deferrable initially deferred
            for each row execute function end_connection()",
        ] {
            db.store.execute_raw(sql).await.expect(sql);
        }
        let insert = async |slug: &str| {
            let new = org(slug);
            writes!(db.store, |tx| tx.org_insert(&new).await)
        };
        let lost = insert("in-commit").await;
        assert!(matches!(&lost, Err(error) if error.is_commit_unknown()), "{lost:?}");
        let lost = insert("before-commit").await;
        assert!(matches!(lost, Err(Error::Down(_))), "nothing was committed: {lost:?}");
        // The deferred write is a transaction of its own, whose only statement commits.
        let event = NewEvent { id: id(), org_id: acme, name: "test".into(), at: T0, items: "[{}]".into() };
        let lost = writes!(db.store, |tx| tx.event_insert(&[event]).await);
        assert!(matches!(&lost, Err(error) if error.is_commit_unknown()), "{lost:?}");
        insert("later").await.expect("later writes succeed");
    });
}

testkit::db_test!(write_in_a_read_transaction_is_read_only, |db| async move {
    let new = org("acme");
    let failed: Result<()> = db.store.read(move |tx| Box::pin(async move { tx.org_insert(&new).await })).await;
    assert!(matches!(failed, Err(Error::ReadOnly(_))), "{failed:?}");
});

testkit::db_test!(query_reads_committed_rows_and_survives_errors, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    for _ in 0..20 {
        let found = db.store.query(move |tx| Box::pin(async move { tx.org_get(acme).await })).await;
        assert_eq!(found.expect("reads").map(|org| org.slug).as_deref(), Some("acme"));
        let failed: Result<()> = db.store.query(|_| Box::pin(async { Err(Error::Dangling) })).await;
        assert!(matches!(failed, Err(Error::Dangling)), "{failed:?}");
    }
});

testkit::db_test!(lanes_lock_is_exclusive_per_org, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (store, late) = (db.store.clone(), org("late"));
    writes!(db.store, |tx| {
        tx.lanes_lock(acme).await?;
        tx.lanes_lock(acme).await?;
        tx.lanes_lock(id()).await
    })
    .expect("a missing organization is no error");
    // Foreign-key checks on the organization, and other organizations, are not blocked.
    if db.url.starts_with("postgres") {
        writes!(db.store, |tx| {
            tx.lanes_lock(acme).await?;
            writes!(store, |tx| tx.org_insert(&late).await)
        })
        .expect("inserts");
    }
});

testkit::db_test!(error_rolls_back_the_transaction, |db| async move {
    let (new, slug) = (org("acme"), "acme");
    let failed: Result<()> = writes!(db.store, |tx| {
        tx.org_insert(&new).await?;
        Err(Error::Dangling)
    });
    assert!(matches!(failed, Err(Error::Dangling)));
    assert_eq!(reads!(db.store, |tx| tx.org_by_slug(slug).await), None);
});

testkit::db_test!(panic_rolls_back_only_its_own_transaction, |db| async move {
    let (lost, kept) = (org("lost"), org("kept"));
    let failed: Result<()> = writes!(db.store, |tx| {
        tx.org_insert(&lost).await?;
        assert!(lost.slug.is_empty(), "a bug in a use case");
        Ok(())
    });
    assert!(matches!(failed, Err(Error::Panicked)), "{failed:?}");
    writes!(db.store, |tx| tx.org_insert(&kept).await).expect("later writes succeed");
    assert_eq!(reads!(db.store, |tx| tx.org_list("", 10).await).len(), 1);
});

testkit::db_test!(dropped_caller_leaves_no_open_transaction, |db| async move {
    // Callers are dropped at every await point; the store must stay usable.
    for n in 0..60_u64 {
        let new = org(&format!("org-{n}"));
        let call = async { writes!(db.store, |tx| tx.org_insert(&new).await) };
        let _ = tokio::time::timeout(Duration::from_micros(n * 40), call).await;
    }
    // More calls than connections: a connection left in a transaction would block one of them forever.
    for n in 0..16 {
        let new = org(&format!("after-{n}"));
        writes!(db.store, |tx| tx.org_insert(&new).await).expect("later writes succeed");
    }
    let found = reads!(db.store, |tx| tx.org_list("after-", 100).await);
    assert_eq!(found.iter().filter(|org| org.slug.starts_with("after-")).count(), 16);
});

testkit::db_test!(concurrent_writers_get_their_own_results, |db| async move {
    let twin: OrgId = id();
    let calls = (0..64).map(|n| {
        let mut new = org(&format!("org-{:02}", n % 32));
        if n == 0 {
            new.id = twin;
        }
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.org_insert(&new).await) }
    });
    let outcomes = futures_util::future::join_all(calls).await;
    let conflicts =
        outcomes.iter().filter(|o| matches!(o, Err(Error::UniqueViolation(name)) if name == "org_slug_uq")).count();
    assert_eq!((outcomes.iter().filter(|o| o.is_ok()).count(), conflicts), (32, 32), "each slug once");
    assert_eq!(reads!(db.store, |tx| tx.org_list("", 100).await).len(), 32);
});

testkit::db_test!(read_uses_one_snapshot, |db| async move {
    world(&db.store, "acme").await;
    let (store, late) = (db.store.clone(), org("late"));
    let (before, after) = reads!(db.store, |tx| {
        let before = tx.org_list("", 10).await?.len();
        writes!(store, |tx| tx.org_insert(&late).await)?;
        Ok((before, tx.org_list("", 10).await?.len()))
    });
    assert_eq!((before, after), (1, 1));
    assert_eq!(reads!(db.store, |tx| tx.org_list("", 10).await).len(), 2);
});

testkit::db_test!(closed_store_returns_closed, |db| async move {
    db.store.close().await;
    let new = org("late");
    assert!(writes!(db.store, |tx| tx.org_insert(&new).await).is_err());
    let read: Result<usize> = db.store.read(|tx| Box::pin(async move { Ok(tx.org_list("", 1).await?.len()) })).await;
    assert!(read.is_err());
});
