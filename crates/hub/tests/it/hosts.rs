//! Hosts: join, list, change, audit log.

use domain::{
    Role,
    secret::{Secret, SecretKind},
};
use proto::{
    Code,
    api::host::{HostMarkRequest, HostPatch},
    link::{Bytes32, JoinRequest, is_signed_by, signed},
    metrics::Machine,
};
use serde_json::json;

use crate::fixture::{As, TestHub, join_request, local, stranger};

testkit::db_test!(join_can_be_repeated_by_the_same_machine, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, token) = test.join_token(org).await;
    let request = join_request(&token, "Web-1.lan", [1; 32]);
    let joined = test.hub.join(&stranger("10.0.0.1"), request.clone()).await.expect("joins");
    assert_eq!((joined.name.as_str(), joined.org.as_str(), joined.always_on), ("web-1", "default", true));
    let key = test.hub.identity.public_key();
    assert!(is_signed_by(&key, &signed::hub_proof(&key, &request.nonce, None), &joined.proof));
    let again = test.hub.join(&stranger("10.0.0.1"), request).await.expect("a repeated join after a lost response");
    assert_eq!(again.host_id, joined.host_id);
    let second =
        test.hub.join(&stranger("10.0.0.2"), join_request(&token, "web-1", [2; 32])).await.expect_err("single use");
    assert_eq!(second.code(), Code::JoinTokenUsed);

    let (_, token) = test.join_token(org).await;
    let other = test.hub.join(&stranger("10.0.0.2"), join_request(&token, "web-1", [3; 32])).await.expect("joins");
    assert_eq!((other.name.as_str(), other.name_was_taken), ("web-1-2", true));
    let (_, token) = test.join_token(org).await;
    let copied =
        test.hub.join(&stranger("10.0.0.3"), join_request(&token, "copy", [3; 32])).await.expect_err("a copied key");
    assert_eq!(copied.code(), Code::DuplicateHost);
});

testkit::db_test!(invalid_join_tokens_have_their_own_errors_and_are_throttled, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (id, revoked) = test.join_token(org).await;
    test.hub.join_token_revoke(&local(), org, id).await.expect("revokes");
    let (_, expired) = test.join_token(org).await;
    let unknown = Secret::new(SecretKind::Join, [9; 32], &[1; 32]).reveal().to_owned();
    let ask = async |token: &str| {
        test.hub.join(&stranger("10.0.0.9"), join_request(token, "x", [7; 32])).await.expect_err("refused")
    };
    assert_eq!(ask(&revoked).await.code(), Code::JoinTokenInvalid);
    assert_eq!(ask(&unknown).await.code(), Code::JoinTokenInvalid);
    assert_eq!(ask("hsj_cut").await.code(), Code::JoinTokenInvalid);
    test.pass(16 * 60);
    let late = ask(&expired).await;
    assert_eq!((late.code(), late.to_string().as_str()), (Code::JoinTokenExpired, "this join token expired 1 min ago"));
    assert_eq!(late.problem.hint.as_deref(), Some("on the hub run: hostler invite"));
    for _ in 0..12 {
        ask(&unknown).await;
    }
    assert_eq!(ask(&unknown).await.code(), Code::LoginThrottled);
    assert_eq!(
        test.call(&As::Local, "GET", "/api/v1/hosts", None).await.json()["items"],
        json!([]),
        "nothing was changed"
    );
});

testkit::db_test!(hosts_can_be_listed_and_filtered, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    for name in ["web-1", "web-2", "db-1"] {
        let host = test.host(org, name).await;
        if name != "db-1" {
            test.runner(host).await;
        }
        let label = json!({"labels": {"env": if name == "web-2" { "dev" } else { "prod" }}});
        test.call(&As::Local, "PATCH", &format!("/api/v1/hosts/{host}"), Some(label)).await;
    }
    let names = async |query: &str| {
        let page = test.call(&As::Local, "GET", &format!("/api/v1/hosts?{query}"), None).await.json();
        page["items"]
            .as_array()
            .map(|items| items.iter().filter_map(|host| host["name"].as_str().map(str::to_owned)).collect::<Vec<_>>())
    };
    assert_eq!(names("").await, Some(vec!["db-1".into(), "web-1".into(), "web-2".into()]));
    assert_eq!(names("status=online").await, Some(vec!["web-1".into(), "web-2".into()]));
    assert_eq!(names("status=pending").await, Some(vec!["db-1".into()]));
    assert_eq!(names("labels=env%20in%20(prod)&name=web-*").await, Some(vec!["web-1".into()]));
    assert_eq!(names("labels=env!%3Dprod").await, Some(vec!["web-2".into()]));
    for wrong in ["status=sleepy", "labels=%3D", "limit=many", "nonsense=1"] {
        let refused = test.call(&As::Local, "GET", &format!("/api/v1/hosts?{wrong}"), None).await;
        assert!(refused.status.is_client_error(), "{wrong}: {}", refused.text);
    }
    let first = test.call(&As::Local, "GET", "/api/v1/hosts?limit=2", None).await.json();
    let next = first["next"].as_str().expect("there is more");
    assert_eq!(names(&format!("limit=2&cursor={next}")).await, Some(vec!["web-2".into()]));
});

testkit::db_test!(host_has_the_documented_fields, |db| async move {
    let test = TestHub::new(db).await;
    let host = test.host(test.first_org().await, "web-1").await;
    let shown = test.call(&As::Local, "GET", "/api/v1/hosts", None).await.json()["items"][0].clone();
    let mut fields: Vec<&str> = shown.as_object().expect("an object").keys().map(String::as_str).collect();
    fields.sort_unstable();
    assert_eq!(
        fields,
        [
            "always_on",
            "created_at",
            "id",
            "key_version",
            "key_version_wanted",
            "labels",
            "last_heartbeat_at",
            "last_metrics",
            "limits",
            "name",
            "queues",
            "rotation_due",
            "runner_version",
            "status",
            "status_reason",
            "updated_at"
        ]
    );
    assert_eq!((&shown["id"], &shown["limits"]), (&json!(host), &json!({"max_running": 1, "jobs_per_minute": null})));
});

testkit::db_test!(host_changes_are_audited, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let user = test.person(org, "olga@acme.example", Role::Operator).await;
    let operator = As::Bearer(test.token(org, user, Role::Operator).await.1);
    let host = test.host(org, "web-1").await;
    test.runner(host).await;
    let path = format!("/api/v1/hosts/{host}");
    let changed = test.call(&operator, "PATCH", &path, Some(json!({"always_on": false}))).await.json();
    assert_eq!(changed["always_on"], false);
    assert_eq!(
        test.call(&operator, "PATCH", &path, Some(json!({"name": "www"}))).await.code(),
        "forbidden",
        "operators do not rename"
    );
    assert_eq!(
        test.call(&As::Local, "PATCH", &path, Some(json!({"name": "www", "max_running": null, "dry_run": true})))
            .await
            .json()["name"],
        "www"
    );
    assert_eq!(test.call(&As::Local, "GET", &path, None).await.json()["name"], "web-1", "a dry run changes nothing");
    test.call(&As::Local, "PATCH", &path, Some(json!({"name": "www"}))).await;
    assert_eq!(
        test.call(&As::Local, "GET", "/api/v1/hosts/www", None).await.json()["id"],
        json!(host),
        "found by name"
    );
    let paused =
        test.call(&operator, "POST", "/api/v1/hosts/www/pause", Some(json!({"note": "new disk"}))).await.json();
    assert_eq!(
        (paused["status"].as_str(), paused["status_reason"].as_str()),
        (Some("paused"), Some("paused: new disk"))
    );
    assert_eq!(
        test.call(&operator, "POST", "/api/v1/hosts/www/pause", Some(json!({"until": "2020-01-01T00:00:00Z"})))
            .await
            .code(),
        "invalid_value"
    );
    assert_eq!(test.call(&operator, "POST", "/api/v1/hosts/www/resume", None).await.json()["status"], "online");

    let log = test.call(&As::Local, "GET", "/api/v1/audit?action=host.*", None).await.json();
    let actions: Vec<&str> =
        log["items"].as_array().expect("a list").iter().filter_map(|line| line["action"].as_str()).collect();
    assert_eq!(actions, ["host.resumed", "host.paused", "host.updated", "host.mode_updated", "host.joined"]);
    assert_eq!(log["items"][3]["diff"], json!({"always_on": [true, false]}));
    assert_eq!(log["items"][3]["actor"], "token:test");
});

testkit::db_test!(machines_with_the_same_name_can_join_concurrently, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let mut joins = Vec::new();
    for n in 0..6 {
        let (_, token) = test.join_token(org).await;
        joins.push((token, [n + 1; 32]));
    }
    let all = joins.iter().map(|(token, key)| {
        let request = join_request(token, "web", *key);
        async { test.hub.join(&stranger("10.0.0.1"), request).await.expect("joins").name }
    });
    let mut names = futures_util::future::join_all(all).await;
    names.sort();
    assert_eq!(names, ["web", "web-2", "web-3", "web-4", "web-5", "web-6"]);
});

testkit::db_test!(concurrent_host_changes_are_not_lost, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    for round in 0..5 {
        let host = test.host(org, &format!("web-{round}")).await.to_string();
        let (by, mark) = (local(), HostMarkRequest::default());
        let labels =
            HostPatch { labels: Some([("env".to_owned(), Some("prod".to_owned()))].into()), ..HostPatch::default() };
        let (revoked, paused, labelled) = tokio::join!(
            test.hub.host_revoke(&by, org, &host),
            test.hub.host_pause(&by, org, &host, mark),
            test.hub.host_update(&by, org, &host, labels)
        );
        for changed in [revoked, paused, labelled] {
            changed.expect("changes");
        }
        let now = test.hub.host_get(org, &host).await.expect("exists");
        assert_eq!(now.host.status.as_str(), "revoked");
        assert!(now.pause.is_some() && now.host.labels.get("env") == Some("prod"), "{now:?}");
    }
});

testkit::db_test!(shared_host_runs_jobs_of_other_orgs_but_stays_private, |db| async move {
    let test = TestHub::new(db).await;
    let (acme, beta) = (test.org("acme").await, test.org("beta").await);
    test.host(acme, "web-1").await;
    let call = |method: &'static str, path: String, body: Option<serde_json::Value>| {
        let test = &test;
        async move { test.call(&As::Local, method, &path, body).await }
    };
    let share = |path: &str, org: &str| {
        call("POST", format!("/api/v1/orgs/acme/hosts/web-1/{path}"), Some(json!({"org": org})))
    };
    for (path, org, status) in [("share", "gamma", 404), ("share", "acme", 422), ("unshare", "beta", 404)] {
        let answer = share(path, org).await;
        assert_eq!(answer.status.as_u16(), status, "{path} {org}: {}", answer.text);
    }
    assert_eq!(share("share", "beta").await.json()["shared_with"][0]["org"], "beta");
    assert_eq!(share("share", &beta.to_string()).await.status, 200, "sharing again is allowed");
    let host = call("GET", "/api/v1/orgs/acme/hosts/web-1".into(), None).await.json();
    assert_eq!(host["shared_with"].as_array().map(Vec::len), Some(1), "{host}");

    // The other org can send jobs to the host and sees only the host's name in those jobs.
    assert_eq!(call("GET", "/api/v1/orgs/beta/hosts".into(), None).await.json()["items"], json!([]));
    assert_eq!(call("GET", "/api/v1/orgs/beta/hosts/web-1".into(), None).await.status, 404);
    let pause = json!({"note": "the cellar is under water"});
    call("POST", "/api/v1/orgs/acme/hosts/web-1/pause".into(), Some(pause)).await;
    let body = json!({"definition_key": "hello", "host": "web-1"});
    let made = call("POST", "/api/v1/orgs/beta/jobs".into(), Some(body.clone())).await.json();
    let job = call("GET", format!("/api/v1/orgs/beta/jobs/{}", made["id"].as_str().expect("an id")), None).await;
    assert_eq!(job.json()["host"], "web-1", "{}", job.text);
    assert!(!job.text.contains("cellar"), "{}", job.text);

    assert_eq!(share("unshare", "beta").await.json()["shared_with"], json!([]));
    let refused = call("POST", "/api/v1/orgs/beta/jobs".into(), Some(body)).await;
    assert_eq!(refused.status, 404, "{}", refused.text);
    let audit = call("GET", "/api/v1/orgs/acme/audit".into(), None).await.text;
    assert_eq!(audit.matches("host.shared").count(), 1, "{audit}");
    assert_eq!(audit.matches("host.unshared").count(), 1, "{audit}");
});

testkit::db_test!(id_of_a_removed_host_is_for_the_same_key_and_org, |db| async move {
    let test = TestHub::new(db).await;
    let (acme, beta) = (test.org("acme").await, test.org("beta").await);
    let join = async |org, seed: u8, host_id| {
        let (_, token) = test.join_token(org).await;
        let request = JoinRequest { host_id, ..join_request(&token, "web-1", [seed; 32]) };
        test.hub.join(&stranger("10.0.0.1"), request).await.map(|joined| joined.host_id)
    };
    // An id from another hub is new to this one.
    let id: domain::HostId = test.hub.ids.next();
    assert_eq!(join(acme, 1, Some(id)).await.expect("joins"), id);
    assert_eq!(join(beta, 2, Some(id)).await.expect_err("it exists").code(), Code::DuplicateHost);
    for _ in 0..2 {
        test.hub.host_remove(&local(), acme, "web-1", Default::default()).await.expect("removes");
        for (org, seed) in [(beta, 2), (beta, 1), (acme, 2)] {
            let refused = join(org, seed, Some(id)).await.expect_err("another org or another key");
            assert_eq!(refused.code(), Code::DuplicateHost, "{refused}");
        }
        assert_eq!(join(acme, 1, Some(id)).await.expect("the same machine"), id);
    }
    // A host that leaves counts as removed, and a revoked key stays revoked.
    test.hub.leave(&local(), acme, id).await.expect("leaves");
    assert_eq!(join(beta, 1, Some(id)).await.expect_err("another org").code(), Code::DuplicateHost);
    assert_eq!(join(acme, 1, Some(id)).await.expect("the same machine"), id);
    test.hub.host_revoke(&local(), acme, "web-1").await.expect("revokes");
    test.hub.host_remove(&local(), acme, "web-1", Default::default()).await.expect("removes");
    assert_eq!(join(acme, 1, Some(id)).await.expect_err("a revoked key").code(), Code::DuplicateHost);

    // An org that is removed takes the ids of its hosts along.
    let id: domain::HostId = test.hub.ids.next();
    assert_eq!(join(beta, 3, Some(id)).await.expect("joins"), id);
    let removal = proto::api::org::OrgRemoval { confirm: "beta".into() };
    test.hub.org_remove(&local(), "beta", removal).await.expect("removes");
    assert_eq!(join(acme, 3, Some(id)).await.expect_err("another org").code(), Code::DuplicateHost);
});

testkit::db_test!(join_rejects_weak_keys_and_texts_that_a_hello_may_not_contain, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    let (_, token) = test.join_token(org).await;
    let good = join_request(&token, "web-1", [1; 32]);
    let mut neutral = Bytes32([0; 32]);
    neutral.0[0] = 1;
    for weak in [neutral, Bytes32([0; 32])] {
        let request = JoinRequest { public_key: weak, ..good.clone() };
        let refused = test.hub.join(&stranger("10.0.0.1"), request).await.expect_err("a weak key");
        assert_eq!(refused.code(), Code::InvalidValue, "{refused}");
    }
    let (long, escape) = ("x".repeat(500_000), "linux\u{1b}]52;c;\u{7}".to_owned());
    for text in [long, escape] {
        for request in [
            JoinRequest { machine: Machine { os: text.clone(), ..Machine::default() }, ..good.clone() },
            JoinRequest { machine: Machine { os_version: text.clone(), ..Machine::default() }, ..good.clone() },
            JoinRequest { machine: Machine { arch: text.clone(), ..Machine::default() }, ..good.clone() },
            JoinRequest { runner_version: text.clone(), ..good.clone() },
            JoinRequest { name: text.clone(), ..good.clone() },
        ] {
            let refused = test.hub.join(&stranger("10.0.0.1"), request).await.expect_err("not plain");
            assert_eq!(refused.code(), Code::MalformedRequest, "{refused}");
        }
    }
    test.hub.join(&stranger("10.0.0.1"), good).await.expect("the token was not used up");
});

testkit::db_test!(list_shows_hosts_whose_key_rotation_is_due, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.first_org().await;
    test.host(org, "away").await;
    test.host(org, "other").await;
    test.hub.host_rotate_key(&local(), org, "away").await.expect("asks");
    let list = test.call(&As::Local, "GET", "/api/v1/hosts", None).await.json();
    let due: Vec<_> = list["items"].as_array().expect("hosts").iter().map(|host| &host["rotation_due"]).collect();
    assert_eq!(due, [&json!(true), &json!(false)], "{list}");
    assert_eq!(list["items"][0]["key_version_wanted"], 2);
});
