//! Idempotency keys of requests: who has a key, and for how long.

use domain::OrgId;
use store::{
    Store,
    request_key::{Asked, KeptAnswer, RequestKey, RequestKeyState},
};

use crate::{
    seed::{T0, at, id, world},
    writes,
};

fn key(org: OrgId, caller: &str, key: &str) -> RequestKey {
    RequestKey { org_id: org, caller: caller.into(), key: key.into() }
}

fn answer(text: &str) -> KeptAnswer {
    KeptAnswer { status: 201, content_type: Some("text/plain".into()), sealed_answer: Some(text.into()) }
}

async fn take(store: &Store, own: &RequestKey, request: &'static str, expires: u32, now: u32) -> RequestKeyState {
    let own = own.clone();
    writes!(store, |tx| tx.request_key_take(&own, request.as_bytes(), at(expires), at(now)).await).expect("runs")
}

async fn keep(store: &Store, own: &RequestKey, request: &'static str, answer: &KeptAnswer) -> bool {
    let (own, answer) = (own.clone(), answer.clone());
    writes!(store, |tx| tx.request_key_keep(&own, request.as_bytes(), &answer, at(2)).await).expect("runs")
}

async fn free(store: &Store, own: &RequestKey, request: &'static str) -> bool {
    let own = own.clone();
    writes!(store, |tx| tx.request_key_free(&own, request.as_bytes()).await).expect("runs")
}

async fn commit(store: &Store, own: &RequestKey, request: &'static str) -> bool {
    let own = own.clone();
    writes!(store, |tx| tx.request_key_commit(&own, request.as_bytes(), at(3)).await).expect("runs")
}

async fn take_over(store: &Store, own: &RequestKey, from: &'static str, request: &'static str) -> bool {
    let own = own.clone();
    writes!(store, |tx| tx.request_key_take_over(&own, from.as_bytes(), request.as_bytes(), at(90), at(4)).await)
        .expect("runs")
}

testkit::db_test!(request_key_belongs_to_the_first_request, |db| async move {
    let store = &db.store;
    let (acme, beta) = (world(store, "acme").await.0, world(store, "beta").await.0);
    let mine = key(acme, "token:1", "k");
    assert_eq!(take(store, &mine, "first", 60, 0).await, RequestKeyState::Ours);
    let under_way = Asked {
        sealed_request: b"first".to_vec(),
        status: None,
        content_type: None,
        sealed_answer: None,
        committed_at: None,
        created_at: T0,
    };
    assert_eq!(take(store, &mine, "second", 99, 1).await, RequestKeyState::Before(under_way.clone()));
    for other in [key(beta, "token:1", "k"), key(acme, "token:2", "k"), key(acme, "token:1", "l")] {
        assert_eq!(take(store, &other, "theirs", 60, 1).await, RequestKeyState::Ours, "{other:?}");
    }

    let (kept, late) = (answer("done"), answer("late"));
    assert!(!keep(store, &mine, "second", &late).await, "another request has the key");
    assert!(!free(store, &mine, "second").await, "another request has the key");
    assert!(keep(store, &mine, "first", &kept).await);
    assert!(!keep(store, &mine, "first", &late).await, "a response is stored already");
    assert!(!free(store, &mine, "first").await, "a response is stored");
    let answered = Asked {
        status: Some(kept.status),
        content_type: kept.content_type,
        sealed_answer: kept.sealed_answer,
        ..under_way
    };
    assert_eq!(take(store, &mine, "third", 99, 59).await, RequestKeyState::Before(answered));

    assert_eq!(take(store, &mine, "fourth", 120, 60).await, RequestKeyState::Ours, "expired");
    let again = take(store, &mine, "fifth", 120, 61).await;
    assert!(
        matches!(&again, RequestKeyState::Before(asked) if asked.status.is_none()),
        "the earlier response is deleted: {again:?}"
    );
    assert!(free(store, &mine, "fourth").await);
    assert_eq!(take(store, &mine, "sixth", 150, 62).await, RequestKeyState::Ours, "it was freed");
});

testkit::db_test!(uncommitted_request_key_is_taken_over_once, |db| async move {
    let store = &db.store;
    let own = key(id(), "token:1", "k");
    take(store, &own, "first", 60, 0).await;
    assert!(take_over(store, &own, "first", "second").await);
    assert!(!take_over(store, &own, "first", "third").await, "the second request has the key");
    assert!(!commit(store, &own, "first").await, "the first request no longer has the key");
    assert!(!free(store, &own, "first").await, "the first request no longer has the key");
    let RequestKeyState::Before(asked) = take(store, &own, "fourth", 99, 5).await else { panic!("the key is taken") };
    assert_eq!((asked.sealed_request, asked.created_at), (b"second".to_vec(), at(4)));

    assert!(commit(store, &own, "second").await);
    assert!(commit(store, &own, "second").await, "a request can write in several transactions");
    assert!(!take_over(store, &own, "second", "fifth").await, "the second request is committed");
    assert!(!free(store, &own, "second").await, "the second request is committed");
    let RequestKeyState::Before(asked) = take(store, &own, "sixth", 99, 6).await else { panic!("the key is taken") };
    assert_eq!((asked.status, asked.committed_at), (None, Some(at(3))));
    assert!(keep(store, &own, "second", &answer("done")).await, "the response follows the commit");

    assert_eq!(take(store, &own, "seventh", 150, 90).await, RequestKeyState::Ours, "expired");
    let RequestKeyState::Before(asked) = take(store, &own, "eighth", 150, 91).await else { panic!("the key is taken") };
    assert_eq!(asked.committed_at, None, "the mark of the expired request is deleted");
});

testkit::db_test!(take_over_waits_for_the_open_transaction_of_the_request, |db| async move {
    for (is_committed, name) in [(true, "a"), (false, "b")] {
        let own = key(id(), "token:1", name);
        take(&db.store, &own, "first", 60, 0).await;
        let (marked, has_marked) = tokio::sync::oneshot::channel();
        let (store, of) = (db.store.clone(), own.clone());
        let first = async move {
            writes!(store, |tx| {
                assert!(tx.request_key_commit(&of, b"first", at(3)).await?);
                let _ = marked.send(());
                // The repetition arrives meanwhile.
                tokio::task::yield_now().await;
                if is_committed { Ok(()) } else { Err(store::Error::Dangling) }
            })
        };
        let second = async {
            has_marked.await.expect("marks");
            take_over(&db.store, &own, "first", "second").await
        };
        let (first, has_taken) = futures_util::future::join(first, second).await;
        assert_eq!((first.is_ok(), has_taken), (is_committed, !is_committed));
    }
});

testkit::db_test!(expired_request_keys_are_pruned, |db| async move {
    let org = id();
    for (name, expires) in [("a", 10), ("b", 20), ("c", 30)] {
        take(&db.store, &key(org, "local:0", name), "x", expires, 0).await;
    }
    let prune = |now, limit| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.request_key_prune(at(now), limit).await).expect("prunes") }
    };
    assert_eq!([prune(9, 10).await, prune(25, 1).await, prune(25, 10).await, prune(25, 10).await], [0, 1, 1, 0]);
    assert_eq!(
        writes!(db.store, |tx| tx.org_purge_rows(org, 10).await).expect("purges"),
        1,
        "deleted with its organization"
    );
});

testkit::db_test!(one_of_many_concurrent_requests_takes_the_key, |db| async move {
    let own = key(id(), "user:1", "crowd");
    let takes = (0..16_u8).map(|n| {
        let (store, own) = (db.store.clone(), own.clone());
        async move { writes!(store, |tx| tx.request_key_take(&own, &[n], at(60), T0).await).expect("takes") }
    });
    let taken = futures_util::future::join_all(takes).await;
    assert_eq!(taken.iter().filter(|taken| **taken == RequestKeyState::Ours).count(), 1);
});
