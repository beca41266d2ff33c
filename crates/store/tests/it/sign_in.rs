//! Browser sessions, sign-in links, device logins, failed attempts, and credentials of open sockets.

use domain::{Role, role::Scope, throttle::Guess};
use store::{
    device::{DeviceDecision, DeviceLogin, DeviceState},
    session::NewSession,
    socket_credential::SocketCredential,
    token::Token,
};

use crate::{
    reads,
    seed::{T0, at, hash, id, world},
    writes,
};

testkit::db_test!(browser_sessions_expire_and_are_removed, |db| async move {
    let (_, ana, _) = world(&db.store, "acme").await;
    let (one, two) = (id(), id());
    writes!(db.store, |tx| {
        tx.browser_session_insert(one, ana, hash(1), "10.0.0.1", at(100), T0).await?;
        tx.browser_session_insert(two, ana, hash(2), "10.0.0.2", at(100), T0).await
    })
    .expect("inserts");
    writes!(db.store, |tx| tx.browser_session_seen(one, at(50)).await).expect("marks");
    let session = reads!(db.store, |tx| tx.browser_session_auth(hash(1)).await).expect("is known");
    assert_eq!((session.id, session.user_id, session.last_seen_at, session.expires_at), (one, ana, at(50), at(100)));

    assert_eq!(writes!(db.store, |tx| tx.sign_in_prune(at(60), at(40)).await).expect("prunes"), 1, "the idle session");
    assert_eq!(reads!(db.store, |tx| tx.browser_session_auth(hash(2)).await), None);
    assert_eq!(
        writes!(db.store, |tx| tx.browser_session_remove_others(ana, one).await).expect("keeps the current session"),
        0
    );
    writes!(db.store, |tx| tx.browser_session_remove(one).await).expect("removes");
    assert_eq!(reads!(db.store, |tx| tx.browser_session_auth(hash(1)).await), None);
});

testkit::db_test!(login_link_is_used_once_before_it_expires, |db| async move {
    let (_, ana, _) = world(&db.store, "acme").await;
    writes!(db.store, |tx| {
        tx.login_link_insert(id(), ana, hash(1), at(60), T0).await?;
        tx.login_link_insert(id(), ana, hash(2), at(60), T0).await
    })
    .expect("inserts");
    assert_eq!(writes!(db.store, |tx| tx.login_link_use(hash(1), at(59)).await).expect("runs"), Some(ana));
    assert_eq!(writes!(db.store, |tx| tx.login_link_use(hash(1), at(59)).await).expect("runs"), None, "used before");
    assert_eq!(writes!(db.store, |tx| tx.login_link_use(hash(2), at(60)).await).expect("runs"), None, "expired");
    assert_eq!(writes!(db.store, |tx| tx.login_link_use(hash(3), T0).await).expect("runs"), None, "unknown");
});

testkit::db_test!(device_login_is_approved_and_finished_once, |db| async move {
    let (acme, ana, _) = world(&db.store, "acme").await;
    let login = DeviceLogin {
        id: id(),
        user_code: "WXQZ-BTKM".into(),
        client: "hostler on laptop".into(),
        address: "10.0.0.9".into(),
        state: DeviceState::Pending,
        user_id: None,
        org_id: None,
        role_asked: Some(Role::Operator),
        role_granted: None,
        expires_at: at(60),
        created_at: T0,
    };
    let decision = move |state| DeviceDecision { state, user: ana, org: acme, role: Role::Viewer };
    let new = login.clone();
    writes!(db.store, |tx| tx.device_insert(&new, hash(1)).await).expect("inserts");
    assert_eq!(reads!(db.store, |tx| tx.device_by_code("WXQZ-BTKM", at(1)).await), Some(login.clone()));
    assert_eq!(reads!(db.store, |tx| tx.device_by_code("WXQZ-BTKM", at(61)).await), None);
    assert!(!writes!(db.store, |tx| tx.device_finish(login.id, at(2)).await).expect("not yet"));
    assert!(
        writes!(db.store, |tx| tx.device_answer("WXQZ-BTKM", decision(DeviceState::Approved), at(2)).await)
            .expect("answers")
    );
    assert!(
        !writes!(db.store, |tx| tx.device_answer("WXQZ-BTKM", decision(DeviceState::Refused), at(3)).await)
            .expect("used before")
    );
    let now = reads!(db.store, |tx| tx.device_by_hash(hash(1)).await).expect("is known");
    assert_eq!((now.state, now.user_id, now.org_id), (DeviceState::Approved, Some(ana), Some(acme)));
    assert_eq!((now.role_asked, now.role_granted), (Some(Role::Operator), Some(Role::Viewer)));
    assert!(writes!(db.store, |tx| tx.device_finish(login.id, at(4)).await).expect("finishes"));
    assert!(!writes!(db.store, |tx| tx.device_finish(login.id, at(4)).await).expect("a token is issued once"));
    assert_eq!(writes!(db.store, |tx| tx.device_prune(at(61)).await).expect("prunes"), 1);
});

testkit::db_test!(failed_attempts_are_counted_per_minute, |db| async move {
    writes!(db.store, |tx| tx.failed_attempt_add(Guess::Login, "addr:10.0.0.1", 2, T0).await).expect("adds");
    writes!(db.store, |tx| tx.failed_attempt_add(Guess::Login, "addr:10.0.0.1", 3, T0).await).expect("adds");
    assert_eq!(reads!(db.store, |tx| tx.failed_attempt_count(Guess::Login, "addr:10.0.0.1", T0).await), 5);
    assert_eq!(reads!(db.store, |tx| tx.failed_attempt_count(Guess::Join, "addr:10.0.0.1", T0).await), 0);
    assert_eq!(reads!(db.store, |tx| tx.failed_attempt_count(Guess::Login, "addr:10.0.0.1", at(60)).await), 0);
    assert_eq!(writes!(db.store, |tx| tx.failed_attempt_prune(at(120)).await).expect("prunes"), 1);
});

testkit::db_test!(socket_credential_becomes_invalid_when_revoked, |db| async move {
    let (acme, ana, host) = world(&db.store, "acme").await;
    let session = id();
    let token = Token {
        id: id(),
        org_id: acme,
        user_id: ana,
        parent_id: None,
        name: "t".into(),
        hint: "hst_".into(),
        role: Role::Viewer,
        scope: Scope::Api,
        is_login: false,
        may_create_tokens: false,
        created_by: String::new(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
        created_at: T0,
    };
    let (token_id, new) = (token.id, token.clone());
    writes!(db.store, |tx| tx.browser_session_insert(session, ana, hash(1), "a", at(100), T0).await).expect("inserts");
    writes!(db.store, |tx| tx.token_insert(&new, hash(2)).await).expect("inserts");
    let epoch = writes!(db.store, |tx| tx
        .host_session_open(
            &NewSession {
                host_id: host,
                hub_id: id(),
                token_hash: hash(3),
                incarnation: "i".into(),
                boot_id: "b".into(),
                runner_version: "0".into(),
                address: "a".into(),
                clock_skew_ms: 0,
            },
            T0
        )
        .await)
    .expect("opens");
    let authz_version = reads!(db.store, |tx| tx.user_get(ana).await).expect("exists").authz_version;
    let credentials = [
        SocketCredential::Browser { session, user: ana, authz_version },
        SocketCredential::Token { token: token_id, user: ana, authz_version },
        SocketCredential::Runner { host, epoch },
    ];
    for credential in credentials {
        assert!(reads!(db.store, |tx| tx.socket_credential_is_valid(credential, at(1)).await), "{credential:?}");
    }
    assert!(
        !reads!(db.store, |tx| tx.socket_credential_is_valid(credentials[0], at(101)).await),
        "the session has ended"
    );
    writes!(db.store, |tx| tx.member_put(acme, ana, Role::Viewer, at(2)).await).expect("changes rights");
    assert!(!reads!(db.store, |tx| tx.socket_credential_is_valid(credentials[0], at(3)).await), "rights changed");
    assert!(!reads!(db.store, |tx| tx.socket_credential_is_valid(credentials[1], at(3)).await), "rights changed");
    writes!(db.store, |tx| tx.host_session_close(host, epoch, None, at(3)).await).expect("closes");
    assert!(!reads!(db.store, |tx| tx.socket_credential_is_valid(credentials[2], at(4)).await), "closed");
});
