//! Accounts: rights that end together, refusals in the audit log, unverified addresses, limits per caller.

use std::net::SocketAddr;

use axum::{
    body::Body,
    http::{Request, Response, StatusCode, header},
};
use domain::{OrgId, Role};
use hub::{Options, Peer, loops::RefusalRecorder, options::BrowserTls};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::fixture::{Answer, As, TestHub, request};

/// The newest audit rows with this action, of an org or of the installation.
async fn audit(test: &TestHub, path: &str, action: &str) -> Vec<Value> {
    let list = test.call(&As::Local, "GET", &format!("{path}?limit=200"), None).await.json();
    let rows = list["items"].as_array().expect("a list").iter();
    rows.filter(|row| row["action"] == action).cloned().collect()
}

const INSTALLATION: &str = "/api/v1/admin/audit";

/// A request that comes from this address.
fn from(address: [u8; 4], mut request: Request<Body>) -> Request<Body> {
    request.extensions_mut().insert(Peer::Tcp { address: SocketAddr::from((address, 4711)), is_tls: false });
    request
}

async fn sign_in(test: &TestHub, address: [u8; 4], password: &str, browser: Option<&str>) -> Answer {
    let body = json!({"email": "ana@acme.example", "password": password});
    let mut request = from(address, request(&As::Nobody, "POST", "/api/v1/sign-in/password", Some(body)));
    if let Some(browser) = browser {
        request.headers_mut().insert(header::COOKIE, browser.parse().expect("a value"));
    }
    test.send(request).await
}

/// Moves the clock to the beginning of a minute: failed attempts are counted per minute.
fn begin_minute(test: &TestHub) {
    let since = test.hub.now().since(test.hub.now().minute()).as_millis() / 1_000;
    test.pass(u32::try_from(61 - since).expect("less than a minute"));
}

const PASSWORD: &str = "correct horse battery";

/// A user with a password. Returns the browser session.
async fn with_password(test: &TestHub, org: OrgId, role: Role) -> As {
    let (_, own) = test.browser(org, "ana@acme.example", role).await;
    let set = test.call(&own, "POST", "/api/v1/me/password", Some(json!({"new": PASSWORD}))).await;
    assert_eq!(set.status, 204, "{}", set.text);
    own
}

testkit::db_test!(token_creates_tokens_only_with_that_right, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let user = test.person(org, "ana@acme.example", Role::Admin).await;
    let plain = As::Bearer(test.token_with(org, user, Role::Admin, json!({"name": "plain"})).await.1);
    let refused = test.call(&plain, "POST", "/api/v1/tokens", Some(json!({"name": "x"}))).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "forbidden"), "{}", refused.text);
    assert!(refused.text.contains("--may-create-tokens"), "{}", refused.text);

    let request = json!({"name": "maker", "may_create_tokens": true});
    let (id, secret) = test.token_with(org, user, Role::Admin, request).await;
    let maker = As::Bearer(secret);
    let child = test.call(&maker, "POST", "/api/v1/tokens", Some(json!({"name": "child"}))).await.json();
    assert_eq!(
        (child["parent_id"].as_str(), child["created_by"].as_str()),
        (Some(&*id.to_string()), Some("token:maker"))
    );
    assert_eq!(child["may_create_tokens"], false);
    let child = As::Bearer(child["secret"].as_str().expect("a secret").to_owned());
    let refused = test.call(&child, "POST", "/api/v1/tokens", Some(json!({"name": "grandchild"}))).await;
    assert_eq!(refused.code(), "forbidden", "the right is not passed on unless asked for");
    let list = test.call(&As::Local, "GET", "/api/v1/tokens", None).await.json();
    let creators: Vec<&str> =
        list["items"].as_array().expect("a list").iter().filter_map(|token| token["created_by"].as_str()).collect();
    assert_eq!(creators, ["test", "test", "token:maker"]);
});

testkit::db_test!(refusals_inside_handlers_and_probes_are_audited, |db| async move {
    let test = TestHub::new(db).await;
    let (acme, beta) = (test.org("acme").await, test.org("beta").await);
    let user = test.person(acme, "vi@acme.example", Role::Viewer).await;
    let viewer = As::Bearer(test.token(acme, user, Role::Viewer).await.1);
    test.host(beta, "db-1").await;
    let log = "/api/v1/orgs/acme/audit";
    // In order: by the route, by the handler (a shared view, a token above the role), and another org.
    let view = json!({"page": "jobs", "name": "ours", "query": "", "visibility": "org"});
    for (method, path, body, status) in [
        ("POST", "/api/v1/join-tokens", json!({}), 403),
        ("POST", "/api/v1/views", view, 403),
        ("POST", "/api/v1/tokens", json!({"name": "x", "role": "admin"}), 403),
        ("GET", "/api/v1/orgs/beta/hosts/db-1", Value::Null, 404),
        ("GET", "/api/v1/orgs/nowhere/hosts", Value::Null, 404),
    ] {
        let answer = test.call(&viewer, method, path, Some(body).filter(|body| !body.is_null())).await;
        assert_eq!(answer.status.as_u16(), status, "{path}: {}", answer.text);
        let rows = audit(&test, log, "request.refused").await;
        let row = rows.iter().find(|row| row["diff"]["path"] == path);
        let row = row.unwrap_or_else(|| panic!("{path} is not in {rows:?}"));
        assert_eq!((row["actor"].as_str(), &row["diff"]["method"]), (Some("token:test"), &json!(method)));
    }
    assert!(audit(&test, "/api/v1/orgs/beta/audit", "request.refused").await.is_empty(), "not in the other org's log");
    // A missing object of the own org is no refusal.
    assert_eq!(test.call(&viewer, "GET", "/api/v1/hosts/nowhere", None).await.status, 404);
    assert_eq!(audit(&test, log, "request.refused").await.len(), 5);
});

testkit::db_test!(repeated_refusals_become_one_audit_line_per_minute, |db| async move {
    let test = TestHub::new(db).await;
    let acme = test.org("acme").await;
    let user = test.person(acme, "vi@acme.example", Role::Viewer).await;
    let viewer = As::Bearer(test.token(acme, user, Role::Viewer).await.1);
    let other = test.person(acme, "op@acme.example", Role::Operator).await;
    let other = As::Bearer(test.token(acme, other, Role::Operator).await.1);
    // The flood fits into one minute of the test's clock.
    for n in 0..50 {
        assert_eq!(test.call(&viewer, "DELETE", &format!("/api/v1/hosts/h{n}"), None).await.status, 403);
    }
    assert_eq!(test.call(&other, "DELETE", "/api/v1/hosts/h1", None).await.status, 403);
    let rows = async || audit(&test, "/api/v1/orgs/acme/audit", "request.refused").await;
    let before = rows().await;
    assert!((2..=4).contains(&before.len()), "one line per caller and minute: {}", before.len());
    test.pass(120);
    let mut recorder = RefusalRecorder::new(test.hub.clone());
    recorder.pass(Pass { now: test.hub.now() }).await.expect("passes");
    let after = rows().await;
    let repeated: u64 = after.iter().filter_map(|row| row["diff"]["repeated"].as_u64()).sum();
    let single = after.iter().filter(|row| row["diff"].get("repeated").is_none()).count();
    assert_eq!(single as u64 + repeated, 51, "{after:?}");
    assert!(after.len() <= 7, "{}", after.len());
    recorder.pass(Pass { now: test.hub.now() }).await.expect("passes");
    assert_eq!(rows().await.len(), after.len(), "each count is written once");
});

testkit::db_test!(failed_sign_ins_events_and_channel_tests_are_audited, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    with_password(&test, org, Role::Operator).await;
    for _ in 0..3 {
        assert_eq!(sign_in(&test, [203, 0, 113, 7], "wrong wrong wrong", None).await.code(), "login_failed");
    }
    let failed = audit(&test, INSTALLATION, "sign_in.failed").await;
    assert!((1..=2).contains(&failed.len()), "{failed:?}");
    assert_eq!(
        (&failed[0]["subject"], &failed[0]["address"], &failed[0]["diff"]["how"]),
        (&json!("ana@acme.example"), &json!("203.0.113.7"), &json!("password"))
    );
    for _ in 0..3 {
        let sent = test.call(&As::Local, "POST", "/api/v1/events", Some(json!({"name": "shop.paid"}))).await;
        assert_eq!(sent.status, 201, "{}", sent.text);
    }
    let sent = audit(&test, "/api/v1/audit", "event.sent").await;
    assert!((1..=2).contains(&sent.len()), "one line per minute: {sent:?}");
    assert_eq!(sent[0]["subject"], "shop.paid");
    // An event under an idempotency key is audited, too, and sent once.
    let emit = || test.post_under("one", &As::Local, "/api/v1/events", Some(json!({"name": "shop.sent"})));
    assert_eq!((emit().await.status, emit().await.status), (StatusCode::CREATED, StatusCode::CREATED));
    let config = json!({"kind": "webhook", "url": "http://127.0.0.1:9/x", "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="});
    let channel = json!({"name": "ops", "config": config});
    assert_eq!(test.call(&As::Local, "POST", "/api/v1/channels", Some(channel)).await.status, 201);
    test.call(&As::Local, "POST", "/api/v1/channels/ops/test", None).await;
    let tested = audit(&test, "/api/v1/audit", "channel.tested").await;
    assert_eq!((tested.len(), &tested[0]["diff"]["is_delivered"]), (1, &json!(false)));
});

testkit::db_test!(one_address_cannot_lock_an_account_out, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    begin_minute(&test);
    with_password(&test, org, Role::Viewer).await;
    for _ in 0..60 {
        sign_in(&test, [203, 0, 113, 7], "wrong wrong wrong", None).await;
    }
    assert_eq!(sign_in(&test, [203, 0, 113, 7], PASSWORD, None).await.code(), "login_throttled");
    let own = sign_in(&test, [203, 0, 113, 8], PASSWORD, None).await;
    assert_eq!(own.status, 204, "throttled attempts of another address do not count: {}", own.text);
});

testkit::db_test!(known_browser_has_its_own_count_of_failed_attempts, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    begin_minute(&test);
    with_password(&test, org, Role::Viewer).await;
    let cookie = |answer: &Answer| {
        let all = answer.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let found = all.filter(|text| text.starts_with("hostler-browser=")).collect::<Vec<_>>();
        assert!(found.len() == 1 && found[0].contains("HttpOnly") && found[0].contains("SameSite=Lax"), "{found:?}");
        found[0].split(';').next().expect("a pair").to_owned()
    };
    let known = cookie(&sign_in(&test, [203, 0, 113, 1], PASSWORD, None).await);
    // Many addresses use up the account's attempts, and one of them is the browser's own.
    for last in [1, 2, 3, 4] {
        for _ in 0..10 {
            sign_in(&test, [203, 0, 113, last], "wrong wrong wrong", None).await;
        }
    }
    assert_eq!(sign_in(&test, [203, 0, 113, 9], PASSWORD, None).await.code(), "login_throttled", "the account's limit");
    let forged = format!("{}A{}", &known[..20], &known[21..]);
    assert_eq!(sign_in(&test, [203, 0, 113, 9], PASSWORD, Some(&forged)).await.code(), "login_throttled");
    assert_eq!(sign_in(&test, [203, 0, 113, 1], PASSWORD, Some(&known)).await.status, 204, "the known browser");
    for _ in 0..10 {
        let wrong = sign_in(&test, [203, 0, 113, 1], "wrong wrong wrong", Some(&known)).await;
        assert_eq!(wrong.code(), "login_failed");
    }
    assert_eq!(
        sign_in(&test, [203, 0, 113, 9], PASSWORD, Some(&known)).await.code(),
        "login_throttled",
        "its own limit"
    );
    // The cookie is of no use for another account.
    let (_, other) = test.browser(org, "bo@acme.example", Role::Viewer).await;
    test.call(&other, "POST", "/api/v1/me/password", Some(json!({"new": PASSWORD}))).await;
    test.pass(60);
    assert_eq!(sign_in(&test, [203, 0, 113, 9], PASSWORD, None).await.status, 204, "in the next minute");
});

testkit::db_test!(invited_user_is_unverified_until_a_super_admin_confirms, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, secret) = test.invitation(org, "ceo@other.example").await;
    let accept = json!({"secret": secret, "name": "Eve", "password": "a long password"});
    let accepted = test.call(&As::Nobody, "POST", "/api/v1/sign-in/invitation", Some(accept)).await;
    assert_eq!(accepted.status, 204, "{}", accepted.text);
    let pair = accepted.headers["set-cookie"].to_str().expect("text").split(';').next().expect("a pair").to_owned();
    let eve = As::Cookie(pair.split_once('=').expect("a pair").1.to_owned());
    let members = test.call(&As::Local, "GET", "/api/v1/members", None).await.json();
    let row = members["items"].as_array().expect("a list").iter().find(|row| row["email"] == "ceo@other.example");
    let row = row.expect("is a member").clone();
    assert_eq!(row["is_email_verified"], false);
    // The audit log names the account with the mark.
    assert_eq!(test.call(&eve, "POST", "/api/v1/join-tokens", None).await.code(), "forbidden");
    let refused = audit(&test, "/api/v1/audit", "request.refused").await;
    assert_eq!(refused[0]["actor"], "ceo@other.example (unverified)");
    let signed_in = audit(&test, INSTALLATION, "user.signed_in").await;
    assert_eq!(signed_in[0]["subject"], "ceo@other.example (unverified)");

    let path = format!("/api/v1/admin/users/{}", row["user_id"].as_str().expect("an id"));
    let patch = async |body: Value| test.call(&As::Local, "PATCH", &path, Some(body)).await;
    assert_eq!(patch(json!({"is_super_admin": true})).await.code(), "email_unverified");
    let verified = patch(json!({"is_email_verified": true})).await.json();
    assert!(verified["email_verified_at"].is_string(), "{verified}");
    assert_eq!(patch(json!({"is_super_admin": true})).await.status, 200);
    assert_eq!(patch(json!({"is_email_verified": false})).await.code(), "email_unverified", "not while a super admin");
    let who = test.call(&eve, "GET", "/api/v1/me", None).await.json();
    assert_eq!(who["is_super_admin"], true);
});

testkit::db_test!(new_password_revokes_login_tokens_and_their_tokens, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let own = with_password(&test, org, Role::Operator).await;
    let login = As::Bearer(device_login(&test, &own, json!({}), json!({})).await.1);
    let child = test.call(&login, "POST", "/api/v1/tokens", Some(json!({"name": "child"}))).await.json();
    let child = As::Bearer(child["secret"].as_str().expect("a secret").to_owned());
    let script = test.call(&own, "POST", "/api/v1/tokens", Some(json!({"name": "script"}))).await.json();
    let script = As::Bearer(script["secret"].as_str().expect("a secret").to_owned());
    let set = json!({"old": PASSWORD, "new": "another long password"});
    assert_eq!(test.call(&own, "POST", "/api/v1/me/password", Some(set)).await.status, 204);
    for (token, expected) in [(&login, "token_revoked"), (&child, "token_revoked"), (&script, "")] {
        assert_eq!(test.call(token, "GET", "/api/v1/me", None).await.code(), expected);
    }
    let set = audit(&test, INSTALLATION, "user.password_set").await;
    assert_eq!(set[0]["diff"]["revoked_tokens"][1], 2, "{set:?}");
});

/// Signs a device in; returns the role of its token and the token.
async fn device_login(test: &TestHub, who: &As, asks: Value, answer: Value) -> (String, String) {
    let started = test.call(&As::Nobody, "POST", "/api/v1/sign-in/device", Some(asks)).await.json();
    let mut body = json!({"user_code": started["user_code"], "approve": true});
    body.as_object_mut().expect("an object").extend(answer.as_object().cloned().unwrap_or_default());
    let answered = test.call(who, "POST", "/api/v1/sign-in/device/answer", Some(body)).await;
    assert_eq!(answered.status, 204, "{}", answered.text);
    let poll = json!({"device_secret": started["device_secret"]});
    let made = test.call(&As::Nobody, "POST", "/api/v1/sign-in/device/poll", Some(poll)).await.json();
    (made["role"].as_str().expect("a role").to_owned(), made["secret"].as_str().expect("a secret").to_owned())
}

testkit::db_test!(device_login_is_super_admin_only_if_the_user_chose_it, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, boss) = test.browser(org, "boss@acme.example", Role::SuperAdmin).await;
    for (asks, answer, expected) in [
        (json!({}), json!({}), "admin"),
        (json!({"role": "super_admin"}), json!({}), "admin"),
        (json!({"role": "viewer"}), json!({}), "viewer"),
        (json!({"role": "viewer"}), json!({"role": "operator"}), "operator"),
        (json!({}), json!({"role": "super_admin"}), "super_admin"),
    ] {
        assert_eq!(device_login(&test, &boss, asks.clone(), answer.clone()).await.0, expected, "{asks} {answer}");
    }
    let (_, viewer) = test.browser(org, "vi@acme.example", Role::Viewer).await;
    let started = test.call(&As::Nobody, "POST", "/api/v1/sign-in/device", Some(json!({"role": "admin"}))).await.json();
    let code = started["user_code"].as_str().expect("a code");
    let view = test.call(&viewer, "GET", &format!("/api/v1/sign-in/device/{code}"), None).await.json();
    assert_eq!((&view["role"], &view["roles"]), (&json!("viewer"), &json!(["viewer"])));
    let more = json!({"user_code": code, "approve": true, "role": "admin"});
    assert_eq!(test.call(&viewer, "POST", "/api/v1/sign-in/device/answer", Some(more)).await.code(), "forbidden");
});

testkit::db_test!(each_user_has_a_limit_of_saved_views_and_admins_remove_any, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, greedy) = test.browser(org, "vi@acme.example", Role::Viewer).await;
    let (_, other) = test.browser(org, "bo@acme.example", Role::Viewer).await;
    let (_, admin) = test.browser(org, "ad@acme.example", Role::Admin).await;
    let keep = |who: As, n: u32| {
        let (test, body) = (&test, json!({"page": "jobs", "name": format!("v{n:03}"), "query": ""}));
        async move { test.call(&who, "POST", "/api/v1/views", Some(body)).await }
    };
    for n in 0..domain::view::VIEWS_PER_USER_MAX {
        assert_eq!(keep(greedy.clone(), n).await.status, 201);
    }
    assert_eq!(keep(greedy.clone(), 999).await.code(), "invalid_value");
    assert_eq!(keep(other.clone(), 1).await.status, 201, "the others keep their places");
    assert_eq!(test.call(&other, "GET", "/api/v1/views?all=true", None).await.code(), "forbidden");
    let all = test.call(&admin, "GET", "/api/v1/views?all=true", None).await.json();
    let all = all["items"].as_array().expect("a list");
    assert_eq!(all.len(), 101);
    let path = format!("/api/v1/views/{}", all[0]["id"].as_str().expect("an id"));
    assert_eq!(test.call(&other, "DELETE", &path, None).await.status, 404, "private views of others are hidden");
    assert_eq!(test.call(&admin, "DELETE", &path, None).await.status, 204);
    assert_eq!(audit(&test, "/api/v1/audit", "view.removed").await.len(), 1);
    assert_eq!(keep(greedy, 999).await.status, 201);
});

testkit::db_test!(public_routes_answer_only_under_known_names, |db| async move {
    let options = Options {
        public_url: "https://hub.example".to_owned(),
        allowed_hosts: vec!["hub.lan".to_owned()],
        ..Options::default()
    };
    let test = TestHub::with(db, options).await;
    let org = test.first_org().await;
    let under = async |name: &str, who: &As, method: &str, path: &str, body: Option<Value>| {
        let mut request = request(who, method, path, body);
        request.headers_mut().insert(header::HOST, name.parse().expect("a value"));
        test.send(request).await
    };
    let login = || Some(json!({"email": "a@b.example", "password": "x"}));
    for (method, path, body) in [
        ("GET", "/api/v1/hub", None),
        ("GET", "/healthz", None),
        ("GET", "/openapi.json", None),
        ("POST", "/api/v1/sign-in/device", Some(json!({}))),
        ("POST", "/api/v1/sign-in/password", login()),
    ] {
        let refused = under("rebound.example:7411", &As::Nobody, method, path, body.clone()).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (421, "name_not_served"), "{path}");
        assert!(refused.text.contains("hub.allowed_hosts"), "{}", refused.text);
        for name in ["localhost:7411", "10.0.0.5:7411", "[::1]:7411", "hub.example", "hub.lan"] {
            assert_ne!(under(name, &As::Nobody, method, path, body.clone()).await.status, 421, "{name}{path}");
        }
        assert_ne!(under("rebound.example", &As::Local, method, path, body).await.status, 421, "the Unix socket");
    }
    // Routes whose caller knows a secret: names in join tokens and in settings of other systems.
    let (_, secret) = test.join_token(org).await;
    let script = under("gateway.lan", &As::Nobody, "GET", &format!("/j/{secret}"), None).await;
    assert_ne!(script.status, 421, "{}", script.text);
    let join = json!(crate::fixture::join_request(&secret, "web-1", [7; 32]));
    assert_eq!(under("gateway.lan", &As::Nobody, "POST", "/api/v1/join", Some(join)).await.status, 200);
    assert_ne!(under("gateway.lan", &As::Nobody, "GET", "/api/v1/link", None).await.status, 421);
    let user = test.person(org, "ana@acme.example", Role::Viewer).await;
    let token = As::Bearer(test.token(org, user, Role::Viewer).await.1);
    assert_eq!(under("gateway.lan", &token, "GET", "/api/v1/hosts", None).await.status, 200, "with a credential");
});

testkit::db_test!(hsts_is_sent_if_the_hub_ends_browser_tls, |db| async move {
    let certificate = BrowserTls { certificates: String::new(), key: String::new() };
    let test = TestHub::with(db, Options { browser_tls: Some(certificate), ..Options::default() }).await;
    let hsts = async |test: &TestHub, is_tls: bool| {
        let mut request = request(&As::Nobody, "GET", "/healthz", None);
        request.extensions_mut().insert(Peer::Tcp { address: SocketAddr::from(([10, 0, 0, 1], 1)), is_tls });
        test.send(request).await.headers.get(header::STRICT_TRANSPORT_SECURITY).cloned()
    };
    assert_eq!(hsts(&test, true).await.expect("is sent"), "max-age=31536000");
    assert_eq!(hsts(&test, false).await, None, "not on plain HTTP");
    let without = TestHub::new(test.db).await;
    assert_eq!(hsts(&without, true).await, None, "browsers do not trust the hub's own certificate");
});

/// Opens an event stream without reading it.
async fn stream(test: &TestHub, address: [u8; 4], token: &str) -> Response<Body> {
    let mut request = from(address, request(&As::Bearer(token.to_owned()), "GET", "/api/v1/events", None));
    request.headers_mut().insert(header::ACCEPT, "text/event-stream".parse().expect("a value"));
    test.hub.app().oneshot(request).await.expect("the router answers")
}

testkit::db_test!(event_streams_are_limited_per_token_and_address, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let user = test.person(org, "ana@acme.example", Role::Viewer).await;
    let mut tokens = Vec::new();
    for _ in 0..6 {
        tokens.push(test.token(org, user, Role::Viewer).await.1);
    }
    let mut open = Vec::new();
    for token in &tokens[..5] {
        for _ in 0..100 {
            let answer = stream(&test, [203, 0, 113, 7], token).await;
            assert_eq!(answer.status(), 200);
            open.push(answer);
        }
        assert_eq!(stream(&test, [203, 0, 113, 8], token).await.status(), 429, "of one token, from any address");
    }
    assert_eq!(stream(&test, [203, 0, 113, 7], &tokens[5]).await.status(), 429, "of one address, with any token");
    let loopback = stream(&test, [127, 0, 0, 1], &tokens[5]).await;
    assert_eq!(loopback.status(), 200, "loopback is limited per token only");
    open.clear();
    assert_eq!(test.hub.live.len(), 1, "closed streams free their places");
    assert_eq!(stream(&test, [203, 0, 113, 7], &tokens[0]).await.status(), 200);
});

testkit::db_test!(parked_rows_are_shown_to_admins_with_masked_environments, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let host = test.host(org, "web-1").await;
    let hex = |bytes: [u8; 16]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let id = |bytes| match test.db.store.kind() {
        store::Kind::Sqlite => format!("x'{}'", hex(bytes)),
        store::Kind::Postgres => format!("'{}'::uuid", hex(bytes)),
    };
    let (at, is_deleted) = match test.db.store.kind() {
        store::Kind::Sqlite => ("0", "0"),
        store::Kind::Postgres => ("now()", "false"),
    };
    let body = json!({"name": "web", "spec": {"env": {"TOKEN": "hunter2"}, "argv": ["serve"]}});
    let sql: &'static str = Box::leak(
        format!(
            "insert into sync_parked (origin, tbl, id, org_id, epoch, seq, mark, is_deleted, error, body, at)
            values ({}, 'server', 'x', {}, 1, 1, 0, {is_deleted}, 'row_rejected', '{body}', {at})",
            id(host.to_bytes()),
            id(org.to_bytes()),
        )
        .into_boxed_str(),
    );
    test.db.store.execute_raw(sql).await.expect("inserts");
    for (role, count) in [(Role::Viewer, 0), (Role::Operator, 0), (Role::Admin, 1)] {
        let user = test.person(org, &format!("{role}@acme.example"), role).await;
        let token = As::Bearer(test.token(org, user, role).await.1);
        let status = test.call(&token, "GET", "/api/v1/sync", None).await;
        let parked = status.json()["parked"].as_array().expect("a list").clone();
        assert_eq!(parked.len(), count, "{role}: {}", status.text);
        assert!(!status.text.contains("hunter2"), "{}", status.text);
        if let Some(row) = parked.first() {
            assert_eq!(row["body"]["spec"], json!({"env": {"TOKEN": "•••"}, "argv": ["serve"]}));
        }
    }
});
