//! Sign-in in every way, and rejected attempts.

use domain::Role;
use serde_json::json;

use crate::fixture::{Answer, As, TestHub, local};

fn cookie(answer: &Answer) -> As {
    let header = answer.headers["set-cookie"].to_str().expect("text");
    assert!(header.contains("HttpOnly") && header.contains("SameSite=Lax") && header.contains("Path=/"), "{header}");
    let (name, value) = header.split(';').next().and_then(|pair| pair.split_once('=')).expect("a pair");
    assert_eq!(name, "hostler", "plain HTTP has the plain name");
    As::Cookie(value.to_owned())
}

testkit::db_test!(sign_in_link_works_once, |db| async move {
    let test = TestHub::new(db).await;
    let link = test.call(&As::Local, "POST", "/api/v1/sign-in/links", None).await.json();
    let secret = link["url"].as_str().expect("a link").rsplit('/').next().expect("a secret").to_owned();
    let signed = test.call(&As::Nobody, "POST", "/api/v1/sign-in/link", Some(json!({"secret": secret}))).await;
    assert_eq!(signed.status, 204, "{}", signed.text);
    let me = test.call(&cookie(&signed), "GET", "/api/v1/me", None).await.json();
    assert_eq!((me["kind"].as_str(), me["is_super_admin"].as_bool()), (Some("user"), Some(true)));
    let again = test.call(&As::Nobody, "POST", "/api/v1/sign-in/link", Some(json!({"secret": secret}))).await;
    assert_eq!((again.status.as_u16(), again.code().as_str()), (410, "link_invalid"));
});

testkit::db_test!(sessions_end_by_sign_out_age_and_inactivity, |db| async move {
    let test = TestHub::new(db).await;
    let sign_in = async || {
        let link = test.hub.sign_in_link_create(&local()).await.expect("a link");
        let secret = link.url.rsplit('/').next().expect("a secret").to_owned();
        cookie(&test.call(&As::Nobody, "POST", "/api/v1/sign-in/link", Some(json!({"secret": secret}))).await)
    };
    let first = sign_in().await;
    assert_eq!(test.call(&first, "POST", "/api/v1/sign-out", None).await.status, 204);
    assert_eq!(test.call(&first, "GET", "/api/v1/me", None).await.code(), "session_ended");

    let idle = sign_in().await;
    test.pass(12 * 3_600 + 1);
    assert_eq!(test.call(&idle, "GET", "/api/v1/me", None).await.code(), "session_ended");

    let used = sign_in().await;
    for _ in 0..20 {
        test.pass(8 * 3_600);
        assert_eq!(test.call(&used, "GET", "/api/v1/me", None).await.status, 200);
    }
    test.pass(9 * 3_600);
    assert_eq!(test.call(&used, "GET", "/api/v1/me", None).await.code(), "session_ended", "seven days are the maximum");
});

testkit::db_test!(passwords_are_hashed_and_attempts_throttled, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (user, own) = test.browser(org, "ana@acme.example", Role::Viewer).await;
    let set = |old: Option<&str>, new: &str| json!({"old": old, "new": new});
    assert_eq!(
        test.call(&own, "POST", "/api/v1/me/password", Some(set(None, "too short"))).await.code(),
        "invalid_value"
    );
    assert_eq!(
        test.call(&own, "POST", "/api/v1/me/password", Some(set(None, "correct horse battery"))).await.status,
        204
    );
    assert_eq!(
        test.call(&own, "POST", "/api/v1/me/password", Some(set(Some("wrong"), "another long password"))).await.code(),
        "login_failed"
    );
    let kept = test
        .write(move |tx| Box::pin(async move { Ok(tx.user_get(user).await?) }))
        .await
        .expect("exists")
        .password_hash
        .expect("is set");
    assert!(kept.starts_with("$argon2id$") && !kept.contains("horse"), "{kept}");

    let try_with = async |password: &str| {
        test.call(
            &As::Nobody,
            "POST",
            "/api/v1/sign-in/password",
            Some(json!({"email": "Ana@acme.example", "password": password})),
        )
        .await
    };
    assert_eq!(try_with("correct horse battery").await.status, 204);
    let mut codes = Vec::new();
    for _ in 0..12 {
        codes.push(try_with("wrong wrong wrong").await.code());
    }
    assert_eq!(
        codes.iter().filter(|code| *code == "login_throttled").count(),
        2,
        "ten failed attempts; the one in the session above has its own count: {codes:?}"
    );
    assert_eq!(
        try_with("correct horse battery").await.code(),
        "login_throttled",
        "the correct password is throttled too"
    );
    test.pass(60);
    assert_eq!(try_with("correct horse battery").await.status, 204, "attempts are allowed in the next minute");
});

testkit::db_test!(invitation_creates_an_account, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, secret) = test.invitation(org, "bo@acme.example").await;
    let view =
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation/view", Some(json!({"secret": secret}))).await.json();
    assert_eq!((view["email"].as_str(), view["is_known"].as_bool()), (Some("bo@acme.example"), Some(false)));
    let accept = |secret: &str, password: &str| json!({"secret": secret, "name": "Bo", "password": password});
    let accepted =
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation", Some(accept(&secret, "a long password"))).await;
    assert_eq!(accepted.status, 204, "{}", accepted.text);
    let me = test.call(&cookie(&accepted), "GET", "/api/v1/me", None).await.json();
    assert_eq!((me["name"].as_str(), me["orgs"][0]["role"].as_str()), (Some("Bo"), Some("viewer")));
    let again =
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation", Some(accept(&secret, "a long password"))).await;
    assert_eq!(again.code(), "link_invalid");

    // Into a second org: the link alone must not give access to an existing account.
    let other = test.org("other").await;
    let (_, secret) = test.invitation(other, "bo@acme.example").await;
    let stolen =
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation", Some(accept(&secret, "a wrong password"))).await;
    assert_eq!(stolen.code(), "login_failed");
    let own =
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation", Some(accept(&secret, "a long password"))).await;
    assert_eq!(own.status, 204);
});

testkit::db_test!(device_login_gives_one_token_after_approval, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (user, person) = test.browser(org, "ana@acme.example", Role::Operator).await;
    let started = test
        .call(&As::Nobody, "POST", "/api/v1/sign-in/device", Some(json!({"client": "hostler on laptop"})))
        .await
        .json();
    let poll = json!({"device_secret": started["device_secret"]});
    let code = started["user_code"].as_str().expect("a code").to_owned();
    assert_eq!(
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/device/poll", Some(poll.clone())).await.code(),
        "device_pending"
    );
    let view = test.call(&person, "GET", &format!("/api/v1/sign-in/device/{}", code.to_lowercase()), None).await.json();
    assert_eq!(view["client"], "hostler on laptop");
    // A token that could approve could create a token with more permissions.
    let weak = As::Bearer(test.token_with(org, user, Role::Operator, json!({"name": "weak", "scope": "read"})).await.1);
    let answer = json!({"user_code": code, "approve": true});
    assert_eq!(test.call(&weak, "POST", "/api/v1/sign-in/device/answer", Some(answer)).await.code(), "forbidden");
    assert_eq!(
        test.call(&person, "POST", "/api/v1/sign-in/device/answer", Some(json!({"user_code": code, "approve": true})))
            .await
            .status,
        204
    );
    let made = test.call(&As::Nobody, "POST", "/api/v1/sign-in/device/poll", Some(poll.clone())).await.json();
    assert_eq!(made["role"], "operator");
    let device = As::Bearer(made["secret"].as_str().expect("a secret").to_owned());
    assert_eq!(test.call(&device, "GET", "/api/v1/hosts", None).await.status, 200);
    assert_eq!(
        test.call(&As::Nobody, "POST", "/api/v1/sign-in/device/poll", Some(poll)).await.code(),
        "device_ended",
        "one token only"
    );
});

testkit::db_test!(tokens_expire_and_are_limited_by_scope_and_role, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let user = test.person(org, "ana@acme.example", Role::Admin).await;
    let short = As::Bearer(test.token_with(org, user, Role::Admin, json!({"name": "t", "ttl_seconds": 60})).await.1);
    let read = As::Bearer(test.token_with(org, user, Role::Admin, json!({"name": "t", "scope": "read"})).await.1);
    let small = As::Bearer(test.token_with(org, user, Role::Admin, json!({"name": "t", "role": "viewer"})).await.1);
    for token in [&short, &read, &small] {
        assert_eq!(test.call(token, "GET", "/api/v1/hosts", None).await.status, 200);
    }
    assert_eq!(test.call(&read, "POST", "/api/v1/join-tokens", None).await.code(), "forbidden");
    assert_eq!(test.call(&small, "POST", "/api/v1/join-tokens", None).await.code(), "forbidden");
    assert_eq!(
        test.call(&small, "POST", "/api/v1/tokens", Some(json!({"name": "more", "role": "admin"}))).await.code(),
        "forbidden"
    );
    test.pass(61);
    assert_eq!(test.call(&short, "GET", "/api/v1/hosts", None).await.code(), "token_expired");
    for (wrong, code) in [("hst_nonsense", "token_invalid"), ("", "token_invalid")] {
        assert_eq!(test.call(&As::Bearer(wrong.to_owned()), "GET", "/api/v1/hosts", None).await.code(), code);
    }
    // Removed from the org: its tokens are revoked.
    test.hub.member_remove(&local(), org, user).await.expect("removes");
    assert_eq!(test.call(&read, "GET", "/api/v1/hosts", None).await.code(), "token_revoked");
});

testkit::db_test!(invitation_never_gives_access_to_an_existing_account, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    let (_, admin) = test.browser(org, "ana@acme.example", Role::Admin).await;
    // The owner of the installation has no password: an invitation link for that address would give full access.
    let owner = json!({"email": "owner@localhost", "role": "viewer"});
    assert_eq!(test.call(&admin, "POST", "/api/v1/invitations", Some(owner)).await.code(), "forbidden");
    // Nor by an invitation that was created before the account.
    let (_, secret) = test.invitation(org, "late@acme.example").await;
    test.person(org, "late@acme.example", Role::SuperAdmin).await;
    let accept = json!({"secret": secret, "name": "Eve", "password": "a long password"});
    assert_eq!(test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation", Some(accept)).await.code(), "forbidden");
});

testkit::db_test!(tokens_created_by_a_token_end_with_it, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let user = test.person(org, "ana@acme.example", Role::SuperAdmin).await;
    let (parent, secret) = test
        .token_with(org, user, Role::SuperAdmin, json!({"name": "t", "ttl_seconds": 3600, "may_create_tokens": true}))
        .await;
    let token = As::Bearer(secret);
    assert_eq!(test.call(&token, "POST", "/api/v1/sign-in/links", None).await.code(), "forbidden");
    let child = test
        .call(
            &token,
            "POST",
            "/api/v1/tokens",
            Some(json!({"name": "child", "ttl_seconds": 0, "may_create_tokens": true})),
        )
        .await
        .json();
    assert_ne!(child["expires_at"], serde_json::Value::Null, "the child expires");
    let child = As::Bearer(child["secret"].as_str().expect("a secret").to_owned());
    let grandchild = test.call(&child, "POST", "/api/v1/tokens", Some(json!({"name": "grandchild"}))).await.json();
    let grandchild = As::Bearer(grandchild["secret"].as_str().expect("a secret").to_owned());
    assert_eq!(test.call(&grandchild, "GET", "/api/v1/me", None).await.status, 200);
    test.hub.token_revoke(&local(), org, parent).await.expect("revokes");
    for token in [&token, &child, &grandchild] {
        assert_eq!(test.call(token, "GET", "/api/v1/me", None).await.code(), "token_revoked");
    }
});

testkit::db_test!(concurrent_sign_in_attempts_are_counted_before_the_check, |db| async move {
    let test = TestHub::new(db).await;
    let guess = || {
        test.call(
            &As::Nobody,
            "POST",
            "/api/v1/sign-in/password",
            Some(json!({"email": "x@y.example", "password": "wrong"})),
        )
    };
    let answers = futures_util::future::join_all((0..40).map(|_| guess())).await;
    let tried = answers.iter().filter(|answer| answer.code() == "login_failed").count();
    assert_eq!(tried, 10, "ten per minute, even if they arrive together");
});
