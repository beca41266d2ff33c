//! The middleware of all requests: limits, request ids, headers, cross-site checks.

use axum::{body::Body, http::Request};
use hub::{Options, Peer};
use serde_json::json;

use crate::fixture::{As, TestHub};

testkit::db_test!(errors_have_a_code_a_page_and_a_request_id, |db| async move {
    let test = TestHub::new(db).await;
    for (method, path, body, status, code) in [
        ("GET", "/api/v1/nowhere", None, 404, "unknown_route"),
        ("PUT", "/api/v1/hosts", None, 405, "method_not_allowed"),
        ("GET", "/api/v1/hosts", None, 401, "unauthenticated"),
    ] {
        let answer = test.call(&As::Nobody, method, path, body).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{path}");
        assert_eq!(answer.headers["content-type"], "application/problem+json");
        let problem = answer.json();
        assert_eq!(problem["request_id"], answer.headers["x-request-id"].to_str().expect("text"));
        let page = test.call(&As::Nobody, "GET", problem["type"].as_str().expect("a page"), None).await;
        assert!(page.text.starts_with(&format!("# {code}")), "{}", page.text);
    }
});

async fn raw(test: &TestHub, body: impl Into<Body>, headers: &[(&str, &str)]) -> crate::fixture::Answer {
    let mut request = Request::builder().method("PATCH").uri("/api/v1/org").header("host", "hub.test");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut request = request.body(body.into()).expect("a request");
    request.extensions_mut().insert(Peer::Local { uid: 0 });
    test.send(request).await
}

testkit::db_test!(invalid_bodies_are_rejected_and_change_nothing, |db| async move {
    let test = TestHub::new(db).await;
    let before = test.call(&As::Local, "GET", "/api/v1/org", None).await.json();
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(hub::http::extract::BODY_MAX));
    for (body, status, code) in [
        (large, 413, "body_too_large"),
        ("{\"name\":".to_owned(), 400, "malformed_request"),
        ("not json".to_owned(), 400, "malformed_request"),
        ("{\"nom\":\"x\"}".to_owned(), 422, "invalid_value"),
        ("{\"name\":7}".to_owned(), 422, "invalid_value"),
        ("{\"name\":\"a\\u0000b\"}".to_owned(), 422, "invalid_value"),
        ("{\"timezone\":\"Mars/Olympus\"}".to_owned(), 422, "invalid_value"),
        ("{\"offline_after_seconds\":0}".to_owned(), 422, "invalid_value"),
    ] {
        let answer = raw(&test, body.clone(), &[]).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{}", &body[..body.len().min(60)]);
    }
    assert_eq!(test.call(&As::Local, "GET", "/api/v1/org", None).await.json(), before);
});

testkit::db_test!(cross_site_requests_are_rejected, |db| async move {
    let test = TestHub::new(db).await;
    let evil = raw(&test, "{\"name\":\"x\"}", &[("origin", "https://evil.example")]).await;
    assert_eq!((evil.status.as_u16(), evil.code().as_str()), (403, "cross_site"));
    let ours =
        raw(&test, "{\"name\":\"x\"}", &[("origin", "http://hub.test"), ("sec-fetch-site", "same-origin")]).await;
    assert_eq!(ours.status, 200, "{}", ours.text);
});

testkit::db_test!(pages_have_a_strict_policy_with_a_fresh_nonce, |db| async move {
    let test = TestHub::new(db).await;
    let policy = async |path: &str| {
        let answer = test.call(&As::Nobody, "GET", path, None).await;
        assert_eq!(answer.status, 200, "{path}");
        answer.headers["content-security-policy"].to_str().expect("text").to_owned()
    };
    let (one, two) = (policy("/").await, policy("/hosts/deep/link").await);
    assert!(
        one.starts_with("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-")
            && one.contains("frame-ancestors 'none'"),
        "{one}"
    );
    assert!(!one.contains("unsafe") && one != two);
    assert_eq!(policy("/api/v1/hub").await, "default-src 'none'; frame-ancestors 'none'");
    let missing = test.call(&As::Nobody, "GET", "/assets/nothing.js", None).await;
    assert_eq!(missing.status, 404, "an unknown file is not a page");
});

testkit::db_test!(requests_are_rate_limited_by_address, |db| async move {
    let test = TestHub::new(db).await;
    // Another hub, because the fixture's limit is too high to reach.
    let slow = hub::Hub::open(
        test.db.store.clone(),
        Options { requests_per_second: 2, ..Options::default() },
        runtime::Clock::system(),
    )
    .await
    .expect("opens");
    let slow = TestHub { hub: slow, clock: test.clock.clone(), db: test.db, folder: test.folder };
    let mut codes = Vec::new();
    for _ in 0..6 {
        codes.push(slow.call(&As::Nobody, "GET", "/healthz", None).await.code());
    }
    assert_eq!(codes.iter().filter(|code| *code == "rate_limited").count(), 2, "a burst of four passes: {codes:?}");
    assert_eq!(slow.call(&As::Local, "GET", "/healthz", None).await.status, 200, "the local owner is not limited");
});

testkit::db_test!(forwarded_addresses_are_accepted_only_from_trusted_proxies, |db| async move {
    let options = Options { trusted_proxies: vec!["127.0.0.0/8".parse().expect("a range")], ..Options::default() };
    let test = TestHub::with(db, options).await;
    for (forwarded, expected) in [
        ("203.0.113.7", "203.0.113.7"),
        ("6.6.6.6, 203.0.113.8", "203.0.113.8"),
        ("6.6.6.6, 203.0.113.9, 127.0.0.2", "203.0.113.9"),
    ] {
        let mut request = Request::builder()
            .method("POST")
            .uri("/api/v1/sign-in/device")
            .header("x-forwarded-for", forwarded)
            .body(Body::from("{}"))
            .expect("a request");
        request.extensions_mut().insert(Peer::Tcp { address: ([127, 0, 0, 1], 1).into(), is_tls: false });
        let started = test.send(request).await.json();
        let view = test
            .hub
            .device_view(&crate::fixture::local(), started["user_code"].as_str().expect("a code"))
            .await
            .expect("waits");
        assert_eq!(view.address, expected);
    }
});

testkit::db_test!(health_metrics_and_loops_are_reported, |db| async move {
    let test = TestHub::new(db).await;
    assert_eq!(test.call(&As::Nobody, "GET", "/healthz", None).await.text, "ok\n");
    assert_eq!(test.call(&As::Nobody, "GET", "/readyz", None).await.text, "ready\n");
    let numbers = test.call(&As::Local, "GET", "/metrics", None).await.text;
    assert!(numbers.contains("route=\"/healthz\""), "requests are counted by route: {numbers}");
    for name in ["hostler_http_requests_total", "hostler_live_sockets", "hostler_loop_passes"] {
        assert!(numbers.contains(name), "{name} is missing in {numbers}");
    }
    let loops = test.call(&As::Local, "GET", "/api/v1/admin/loops", None).await.json();
    let names: Vec<&str> =
        loops["loops"].as_array().expect("a list").iter().filter_map(|l| l["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "hub_heartbeat",
            "presence",
            "socket_revoker",
            "audit_sealer",
            "delayed_jobs",
            "dispatch_poll",
            "event_publisher",
            "lost_run_reaper",
            "expiry",
            "batches",
            "schedules",
            "servers",
            "schedule_catch_up",
            "event_matcher",
            "alerts",
            "notification_sender",
            "count_rollup",
            "samples",
            "retention",
            "rejection_recorder",
            "refusal_recorder",
            "pruner"
        ]
    );
    let api = test.call(&As::Nobody, "GET", "/openapi.json", None).await.json();
    assert_eq!(api["info"]["title"], json!("Hostler"));
    test.hub.stopping().begin();
    assert_eq!(test.call(&As::Nobody, "GET", "/readyz", None).await.code(), "hub_stopping");
});

testkit::db_test!(routes_work_under_the_path_of_the_public_url, |db| async move {
    let options = Options { public_url: "https://example.com/fleet/".to_owned(), ..Options::default() };
    assert_eq!(options.prefix(), "/fleet");
    assert_eq!(Options::default().prefix(), "");
    let test = TestHub::with(db, options).await;
    let get = async |path: &str| test.call(&As::Nobody, "GET", path, None).await;
    // Proxies may keep the path prefix or remove it.
    for path in ["/fleet/healthz", "/healthz"] {
        assert_eq!(get(path).await.text, "ok\n", "{path}");
    }
    for path in ["/fleet", "/fleet/", "/fleet?x=1", "/fleet/hosts/web-1", "/hosts"] {
        let page = get(path).await.text;
        assert!(page.contains("content=\"/fleet\"") && page.contains("src=\"/fleet/boot.js\""), "{path}: {page}");
    }
    assert_ne!(get("/fleetish/healthz").await.text, "ok\n");
    let local = test.call(&As::Local, "GET", "/fleet/api/v1/hosts?limit=1", None).await;
    assert_eq!(local.status, 200, "{}", local.text);
});
