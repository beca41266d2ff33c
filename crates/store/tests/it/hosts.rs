//! Hosts, keys, sessions, join tokens, the hub's own rows.

use domain::{HostSender, JoinTokenId, Labels, Span, join::FormerHost, lane::QueueNames, presence::ManualMark};
use serde_json::json;
use store::{
    Error,
    hub::HubIdentity,
    join_token::JoinToken,
    session::{Beat, BeatOutcome, NewSession},
};

use testkit::{TestDb, block_on};

use crate::{
    reads,
    seed::{T0, at, hash, host, id, world},
    writes,
};

testkit::db_test!(host_is_read_back_as_inserted, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let mut new = host(acme, "db-1");
    new.pause = Some(ManualMark { note: "new disk".into(), until: Some(at(60)) });
    new.degrade = Some(ManualMark { note: String::new(), until: None });
    new.offline_after = Some(Span::from_millis(250));
    let expected = new.clone();
    writes!(db.store, |tx| tx.host_insert(&new).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.host_get(acme, expected.id).await).expect("exists").host, expected);
    assert_eq!(reads!(db.store, |tx| tx.host_by_name(acme, "db-1").await).expect("exists").host.id, expected.id);
    assert_eq!(reads!(db.store, |tx| tx.host_get(beta, expected.id).await), None, "another org's host");
    assert_eq!(
        reads!(db.store, |tx| tx.host_anywhere(web).await).expect("exists").org_offline_after,
        Span::from_secs(90)
    );

    let twin = host(acme, "db-1");
    let taken = writes!(db.store, |tx| tx.host_insert(&twin).await);
    assert!(matches!(taken, Err(Error::UniqueViolation(name)) if name == "host_org_id_name_uq"));

    let names: Vec<String> =
        reads!(db.store, |tx| tx.host_list(acme, "", 10).await).into_iter().map(|v| v.host.name).collect();
    assert_eq!(names, ["db-1", "web-1"]);
    assert_eq!(reads!(db.store, |tx| tx.host_list(acme, "db-1", 10).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.host_list_all(domain::HostId::from_bytes([0; 16]), 10).await).len(), 3);

    let mut changed = expected.clone();
    changed.name = "db-2".into();
    changed.pause = None;
    changed.labels = Labels::default();
    changed.max_running = None;
    changed.revoked_at = Some(at(7));
    let update = changed.clone();
    assert!(writes!(db.store, |tx| tx.host_update(&update).await).expect("updates"));
    assert_eq!(reads!(db.store, |tx| tx.host_get(acme, expected.id).await).expect("exists").host, changed);
    assert!(!writes!(db.store, |tx| tx.host_remove(beta, expected.id, T0).await).expect("another org's host"));
    assert!(writes!(db.store, |tx| tx.host_remove(acme, expected.id, T0).await).expect("removes"));
});

testkit::db_test!(host_names_like_finds_names_with_suffix, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    for name in ["web-1-2", "web-11", "web_1"] {
        let new = host(acme, name);
        writes!(db.store, |tx| tx.host_insert(&new).await).expect("inserts");
    }
    let mut names = reads!(db.store, |tx| tx.host_names_like(acme, "web-1").await);
    names.sort();
    assert_eq!(names, ["web-1", "web-1-2"]);
    assert_eq!(
        reads!(db.store, |tx| tx.host_names_like(acme, "web_1").await),
        ["web_1"],
        "an underscore is no wildcard"
    );
});

testkit::db_test!(host_key_has_versions_and_one_owner, |db| async move {
    let (_, _, web) = world(&db.store, "acme").await;
    let (_, _, other) = world(&db.store, "beta").await;
    writes!(db.store, |tx| tx.host_key_insert(web, 1, [1; 32], T0).await).expect("inserts");
    writes!(db.store, |tx| tx.host_key_insert(web, 2, [2; 32], T0).await).expect("inserts");
    let stolen = writes!(db.store, |tx| tx.host_key_insert(other, 1, [1; 32], T0).await);
    assert!(matches!(stolen, Err(Error::UniqueViolation(name)) if name == "host_key_public_key_uq"));
    assert_eq!(reads!(db.store, |tx| tx.host_key_get(web, 2).await), Some([2; 32]));
    assert_eq!(reads!(db.store, |tx| tx.host_key_owner([1; 32]).await), Some(web));
    assert_eq!(writes!(db.store, |tx| tx.host_key_remove_below(web, 2).await).expect("removes"), 1);
    assert_eq!(reads!(db.store, |tx| tx.host_key_get(web, 1).await), None);
});

fn session(host: domain::HostId, secret: u8) -> NewSession {
    NewSession {
        host_id: host,
        hub_id: id(),
        token_hash: hash(secret),
        incarnation: "run-1".into(),
        boot_id: "boot".into(),
        runner_version: "0.1.0".into(),
        address: "10.0.0.5".into(),
        clock_skew_ms: -3,
    }
}

testkit::db_test!(new_session_has_a_higher_epoch, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let first = writes!(db.store, |tx| tx.host_session_open(&session(web, 1), T0).await).expect("opens");
    let second = writes!(db.store, |tx| tx.host_session_open(&session(web, 2), at(1)).await).expect("opens");
    assert!(second > first);
    assert!(
        !writes!(db.store, |tx| tx.host_session_close(web, first, None, at(2)).await)
            .expect("the old session cannot be closed")
    );
    assert_eq!(reads!(db.store, |tx| tx.host_session_auth(hash(1)).await), None);
    let auth = reads!(db.store, |tx| tx.host_session_auth(hash(2)).await).expect("is known");
    assert_eq!((auth.host_id, auth.org_id, auth.epoch, auth.closed_at), (web, acme, second, None));

    writes!(db.store, |tx| tx.host_session_duplicate(web, at(3)).await).expect("marks");
    assert!(
        writes!(db.store, |tx| tx.host_session_close(web, second, Some("stop".into()), at(4)).await).expect("closes")
    );
    let seen = reads!(db.store, |tx| tx.host_get(acme, web).await).expect("exists").session.expect("was seen");
    assert_eq!((seen.goodbye.as_deref(), seen.closed_at, seen.duplicate_at), (Some("stop"), Some(at(4)), Some(at(3))));
    assert_eq!((seen.clock_skew_ms, seen.heartbeat_at), (Some(-3), at(1)));
});

testkit::db_test!(heartbeats_of_older_epochs_are_ignored, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let (_, _, other) = world(&db.store, "beta").await;
    let stale = writes!(db.store, |tx| tx.host_session_open(&session(web, 1), T0).await).expect("opens");
    let epoch = writes!(db.store, |tx| tx.host_session_open(&session(web, 2), at(1)).await).expect("opens");
    let foreign = writes!(db.store, |tx| tx.host_session_open(&session(other, 3), at(1)).await).expect("opens");
    let beat = |host, epoch, secs| Beat {
        sender: HostSender::proven(host, acme, epoch),
        at: at(secs),
        clock_skew_ms: 12,
        metrics: json!({"cpu_percent": 1.5}),
    };
    let beats = vec![beat(web, stale, 50), beat(web, epoch, 60), beat(other, foreign, 61)];
    let outcomes = writes!(db.store, |tx| tx.host_session_beats(&beats).await).expect("writes");
    assert_eq!(outcomes, [BeatOutcome::Superseded, BeatOutcome::Stored, BeatOutcome::Stored]);
    let seen = reads!(db.store, |tx| tx.host_get(acme, web).await).expect("exists").session.expect("was seen");
    assert_eq!(
        (seen.heartbeat_at, seen.clock_skew_ms, seen.metrics),
        (at(60), Some(12), Some(json!({"cpu_percent": 1.5})))
    );

    let late = vec![beat(web, epoch, 55)];
    writes!(db.store, |tx| tx.host_session_beats(&late).await).expect("writes");
    let seen = reads!(db.store, |tx| tx.host_get(acme, web).await).expect("exists").session.expect("was seen");
    assert_eq!(seen.heartbeat_at, at(60), "an older heartbeat does not lower the time");
    assert!(writes!(db.store, |tx| tx.host_session_beats(&[]).await).expect("an empty list").is_empty());

    assert!(writes!(db.store, |tx| tx.host_session_close(web, epoch, None, at(70)).await).expect("closes"));
    let closed = vec![beat(web, epoch, 71)];
    let outcomes = writes!(db.store, |tx| tx.host_session_beats(&closed).await).expect("writes");
    assert_eq!(outcomes, [BeatOutcome::Superseded], "the session is closed");
});

#[test]
fn heartbeats_skip_a_locked_session_row() {
    block_on(async {
        let db = TestDb::postgres().await;
        let (acme, _, web) = world(&db.store, "acme").await;
        let (_, _, other) = world(&db.store, "beta").await;
        let epoch = writes!(db.store, |tx| tx.host_session_open(&session(web, 1), T0).await).expect("opens");
        let second = writes!(db.store, |tx| tx.host_session_open(&session(other, 2), T0).await).expect("opens");
        let beat = |host, epoch| Beat {
            sender: HostSender::proven(host, acme, epoch),
            at: at(60),
            clock_skew_ms: 12,
            metrics: json!({"cpu_percent": 1.5}),
        };
        let beats = vec![beat(web, epoch), beat(other, second), beat(web, epoch + 1)];
        let (again, store) = (beats.clone(), db.store.clone());
        let outcomes = writes!(db.store, |tx| {
            tx.host_session_duplicate(web, at(1)).await?;
            // In another transaction, while this one has locked the row of `web`.
            writes!(store, |tx| tx.host_session_beats(&beats).await)
        });
        assert_eq!(
            outcomes.expect("does not wait"),
            [BeatOutcome::Locked, BeatOutcome::Stored, BeatOutcome::Superseded]
        );
        let outcomes = writes!(db.store, |tx| tx.host_session_beats(&again).await).expect("writes");
        assert_eq!(outcomes, [BeatOutcome::Stored, BeatOutcome::Stored, BeatOutcome::Superseded]);
    });
}

testkit::db_test!(join_token_cannot_exceed_its_uses, |db| async move {
    let (acme, ..) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    let token = JoinToken {
        id: id(),
        org_id: acme,
        hint: "hsj_abcd".into(),
        labels: Labels::default(),
        queues: QueueNames::try_from(vec!["gpu".to_owned()]).expect("valid"),
        always_on: Some(false),
        uses: 2,
        used: 0,
        expires_at: at(60),
        revoked_at: None,
        created_at: T0,
    };
    let new = token.clone();
    writes!(db.store, |tx| tx.join_token_insert(&new, hash(1)).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.join_token_by_hash(hash(1)).await), Some(token.clone()));
    let tries = (0..8).map(|_| {
        let store = db.store.clone();
        async move { writes!(store, |tx| tx.join_token_use(token.id, at(1)).await).expect("runs") }
    });
    let taken = futures_util::future::join_all(tries).await.into_iter().filter(|ok| *ok).count();
    assert_eq!(taken, 2, "eight concurrent machines, two uses");
    let zero = JoinTokenId::from_bytes([0; 16]);
    assert_eq!(reads!(db.store, |tx| tx.join_token_list(acme, zero, 10).await)[0].used, 2);
    assert_eq!(
        writes!(db.store, |tx| tx.join_token_revoke(beta, token.id, at(2)).await).expect("runs"),
        None,
        "another org's"
    );
    let revoked = writes!(db.store, |tx| tx.join_token_revoke(acme, token.id, at(2)).await).expect("revokes");
    assert_eq!(revoked.as_deref(), Some("hsj_abcd"));
    assert_eq!(writes!(db.store, |tx| tx.join_token_prune(at(61)).await).expect("prunes"), 1);
});

testkit::db_test!(all_hubs_use_the_first_identity, |db| async move {
    let offer = |byte: u8| HubIdentity {
        private_key: vec![byte; 48],
        public_key: [byte; 32],
        certificate: format!("cert {byte}"),
    };
    let first = writes!(db.store, |tx| tx.hub_identity(&offer(1), T0).await).expect("offers");
    let second = writes!(db.store, |tx| tx.hub_identity(&offer(2), at(1)).await).expect("offers");
    assert_eq!((first, second), (offer(1), offer(1)));
});

testkit::db_test!(hub_heartbeat_detects_a_break, |db| async move {
    assert_eq!(reads!(db.store, |tx| tx.hub_heartbeat().await), None);
    assert!(!reads!(db.store, |tx| tx.hub_read_only().await), "the database accepts writes");
    let first = writes!(db.store, |tx| tx.hub_beat(T0).await).expect("beats");
    assert_eq!(writes!(db.store, |tx| tx.hub_beat(at(5)).await).expect("beats").since, first.since);
    assert_eq!(writes!(db.store, |tx| tx.hub_beat(at(500)).await).expect("beats").since, at(500));
    assert_eq!(reads!(db.store, |tx| tx.hub_heartbeat().await).expect("exists").seen_at, at(500));
});

testkit::db_test!(row_locks_serialize_read_modify_write, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    let (beta, ..) = world(&db.store, "beta").await;
    assert_eq!(writes!(db.store, |tx| tx.host_lock(beta, web).await).expect("runs"), None, "another org's host");
    // Each transaction reads the limit and writes it plus one: without the lock, updates would be lost.
    let raise = (0..20).map(|_| {
        let store = db.store.clone();
        async move {
            writes!(store, |tx| {
                let mut host = tx.host_lock(acme, web).await?.expect("exists").host;
                host.max_running = host.max_running.map(|limit| limit + 1);
                tx.host_update(&host).await
            })
        }
    });
    for raised in futures_util::future::join_all(raise).await {
        assert!(raised.expect("writes"));
    }
    let now = reads!(db.store, |tx| tx.host_get(acme, web).await).expect("exists").host;
    assert_eq!(now.max_running, Some(21));
    let org = writes!(db.store, |tx| tx.org_lock(acme).await).expect("runs").expect("exists");
    assert_eq!(org.slug, "acme");
    writes!(db.store, |tx| tx.installation_lock().await).expect("also without an identity yet");
});

testkit::db_test!(session_close_all_closes_open_sessions, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    writes!(db.store, |tx| tx.host_session_open(&session(web, 1), T0).await).expect("opens");
    assert_eq!(writes!(db.store, |tx| tx.host_session_close_all(at(9)).await).expect("closes"), 1);
    assert_eq!(writes!(db.store, |tx| tx.host_session_close_all(at(10)).await).expect("none is left"), 0);
    let seen = reads!(db.store, |tx| tx.host_get(acme, web).await).expect("exists").session.expect("was seen");
    assert_eq!((seen.closed_at, seen.heartbeat_at), (Some(at(9)), T0), "the last heartbeat is kept");
});

testkit::db_test!(removed_host_is_known_by_its_last_key_and_org, |db| async move {
    let (acme, _, web) = world(&db.store, "acme").await;
    assert_eq!(reads!(db.store, |tx| tx.removed_host_get(web).await), None);
    writes!(db.store, |tx| {
        tx.host_key_insert(web, 1, [1; 32], T0).await?;
        tx.host_key_insert(web, 2, [2; 32], T0).await?;
        let host = tx.host_get(acme, web).await?.expect("exists").host;
        tx.host_update(&store::host::Host { key_version: 2, ..host }).await
    })
    .expect("writes");
    let samples = |host| store::sample::Sample {
        subject_id: domain::series::SubjectId::of(host),
        hour_at: T0,
        lines: "a\n".into(),
    };
    let (hub, other): (domain::HubId, domain::HostId) = (id(), id());
    let lines = [samples(web), samples(other)];
    writes!(db.store, |tx| tx.sample_append(hub, &lines, T0).await).expect("appends");
    assert!(writes!(db.store, |tx| tx.host_remove(acme, web, at(1)).await).expect("removes"));
    let former = FormerHost { org: acme, public_key: Some([2; 32]), is_revoked: false };
    assert_eq!(reads!(db.store, |tx| tx.removed_host_get(web).await), Some(former));
    for (host, kept) in [(web, 0), (other, 1)] {
        let subject = domain::series::SubjectId::of(host);
        assert_eq!(reads!(db.store, |tx| tx.sample_list(subject, T0, at(60), 10).await).len(), kept);
    }
    // Removed again after its return, with a revoked key.
    let again = crate::seed::host(acme, "web-1");
    let again = store::host::Host { id: web, revoked_at: Some(at(2)), ..again };
    writes!(db.store, |tx| {
        tx.removed_host_forget(web).await?;
        tx.host_insert(&again).await?;
        tx.host_key_insert(web, 1, [3; 32], T0).await?;
        tx.host_remove(acme, web, at(3)).await
    })
    .expect("writes");
    let former = FormerHost { org: acme, public_key: Some([3; 32]), is_revoked: true };
    assert_eq!(reads!(db.store, |tx| tx.removed_host_get(web).await), Some(former));
});
