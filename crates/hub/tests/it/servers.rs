//! Servers through the router: who may create them, how their jobs affect each other, and their display.

use domain::{HostId, OrgId, Role, ServerId, server::ServerState};
use hub::loops::{Alerts, EventPublisher, Servers};
use runtime::{Pass, Task as _};
use serde_json::{Value, json};
use store::server::{Live, ServerRun};

use crate::fixture::{As, TestHub};

const S: &str = "/api/v1/servers";

async fn create(test: &TestHub, name: &str, host: &str) -> Value {
    let body = json!({"name": name, "host": host, "argv": ["redis-server", "--port", "6399"]});
    let answer = test.call(&As::Local, "POST", S, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn get(test: &TestHub, path: &str) -> Value {
    let answer = test.call(&As::Local, "GET", path, None).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()
}

async fn act(test: &TestHub, server: &str, op: &str) -> Value {
    let answer = test.call(&As::Local, "POST", &format!("{S}/{server}/{op}"), Some(json!({}))).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()
}

async fn job(test: &TestHub, id: &Value) -> Value {
    get(test, &format!("/api/v1/jobs/{}", id.as_str().expect("an id"))).await
}

/// Applies a state that a host would report.
async fn lives(test: &TestHub, server: &Value, live: Live) {
    let (id, now): (ServerId, _) = (server["id"].as_str().expect("an id").parse().expect("an id"), test.hub.now());
    let event = test.hub.ids.next();
    test.write(move |tx| {
        Box::pin(async move {
            let row = tx.server_anywhere(&[id]).await?.remove(0);
            Ok(tx.server_live(&row, &live, event, now).await?)
        })
    })
    .await;
}

async fn world(test: &TestHub) -> (OrgId, HostId) {
    let org = test.first_org().await;
    (org, test.host(org, "web-1").await)
}

testkit::db_test!(server_environment_is_visible_only_to_server_managers, |db| async move {
    let test = TestHub::new(db).await;
    let (org, _) = world(&test).await;
    let body = json!({"name": "cache", "host": "web-1", "argv": ["x"], "env": {"TOKEN": "hunter2", "MODE": "fast"}});
    assert_eq!(test.call(&As::Local, "POST", S, Some(body)).await.status, 201);
    let change = json!({"env": {"TOKEN": "hunter3", "MODE": "fast"}});
    let changed = test.call(&As::Local, "PATCH", &format!("{S}/cache"), Some(change)).await;
    assert_eq!(changed.json()["spec"]["env"]["TOKEN"], "hunter3", "{}", changed.text);
    EventPublisher::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("numbers events");
    for role in [Role::Viewer, Role::Operator, Role::Admin] {
        let (_, who) = test.browser(org, &format!("{role}@acme.example"), role).await;
        for path in [S.to_owned(), format!("{S}/cache"), "/api/v1/hosts/web-1".to_owned(), "/api/v1/events".to_owned()]
        {
            let seen = test.call(&who, "GET", &path, None).await;
            assert_eq!(seen.status, 200, "{}", seen.text);
            let may = role == Role::Admin && path.starts_with(S);
            assert_eq!(seen.text.contains("hunter"), may, "{role} {path}: {}", seen.text);
        }
    }
    let audit = get(&test, "/api/v1/audit").await.to_string();
    assert!(!audit.contains("hunter") && audit.contains("TOKEN") && audit.contains("••• (changed)"), "{audit}");
    let events = get(&test, "/api/v1/events").await.to_string();
    assert!(events.contains("server.created") && events.contains("server.updated"), "{events}");
});

testkit::db_test!(server_can_be_created_changed_and_removed, |db| async move {
    let test = TestHub::new(db).await;
    world(&test).await;
    let made = create(&test, "cache", "web-1").await;
    assert_eq!(
        (&made["state"], &made["desired_state"], &made["host"]),
        (&json!("stopped"), &json!("down"), &json!("web-1"))
    );
    assert_eq!(get(&test, S).await["items"].as_array().expect("items").len(), 1);
    let taken = test.call(&As::Local, "POST", S, Some(json!({"name": "cache", "host": "web-1", "argv": ["x"]}))).await;
    assert_eq!((taken.status.as_u16(), taken.code()), (409, "name_taken".to_owned()), "{}", taken.text);
    let changed =
        test.call(&As::Local, "PATCH", &format!("{S}/cache"), Some(json!({"autostart": true, "name": "redis"}))).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    let shown = get(&test, &format!("{S}/redis")).await;
    assert_eq!((&shown["spec"]["autostart"], &shown["version"]), (&json!(true), &json!(2)));
    let host = get(&test, "/api/v1/hosts/web-1").await;
    assert_eq!(host["servers"][0]["name"], "redis");
    let refused = test.call(&As::Local, "DELETE", "/api/v1/hosts/web-1", None).await;
    assert!(refused.status == 409 && refused.text.contains("still has servers (1): redis"), "{}", refused.text);
    assert_eq!(test.call(&As::Local, "DELETE", &format!("{S}/redis"), None).await.status, 204);
    assert_eq!(test.call(&As::Local, "GET", &format!("{S}/redis"), None).await.status, 404);
});

testkit::db_test!(invalid_servers_are_rejected_with_a_pointer, |db| async move {
    let test = TestHub::new(db).await;
    world(&test).await;
    for (body, expected) in [
        (json!({"host": "web-1", "argv": ["x"]}), "name"),
        (json!({"name": "x", "argv": ["x"]}), "host"),
        (json!({"name": "a b", "host": "web-1", "argv": ["x"]}), "must be letters"),
        (json!({"name": "x", "host": "nowhere", "argv": ["x"]}), "nowhere"),
        (json!({"name": "x", "host": "web-1"}), "/argv"),
        (json!({"name": "x", "host": "web-1", "argv": ["x"], "autostrat": true}), "autostrat"),
        (json!({"name": "x", "host": "web-1", "argv": ["x"], "definition_key": "hello"}), "either"),
        (json!({"name": "x", "host": "web-1", "definition_key": "nothing"}), "nothing"),
        (json!({"name": "x", "host": "web-1", "definition_key": "SERVER_START", "payload": {"server": "y"}}), "starts"),
        (json!({"name": "x", "host": "web-1", "argv": ["x"], "stop": {"signal": "KILL"}}), "/stop/signal"),
        (json!({"name": "x", "host": "web-1", "argv": ["x"], "ready": {"kind": "tcp"}}), "port"),
    ] {
        let answer = test.call(&As::Local, "POST", S, Some(body.clone())).await;
        assert!(answer.status.is_client_error() && answer.text.contains(expected), "{body}: {}", answer.text);
    }
});

testkit::db_test!(free_commands_require_a_super_admin, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    test.host(org, "web-1").await;
    let user = test.person(org, "ana@acme.example", Role::Admin).await;
    let admin = As::Bearer(test.token(org, user, Role::Admin).await.1);
    let free = json!({"name": "x", "host": "web-1", "argv": ["sh", "-c", "evil"]});
    let answer = test.call(&admin, "POST", S, Some(free)).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (403, "forbidden".to_owned()), "{}", answer.text);
    let listed = json!({"name": "x", "host": "web-1", "definition_key": "sleep", "payload": {"seconds": 60}});
    let made = test.call(&admin, "POST", S, Some(listed)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(made.json()["spec"]["argv"], json!(["sleep", "60"]));
    for patch in
        [json!({"argv": ["sh"]}), json!({"user": "root"}), json!({"ready": {"kind": "command", "argv": ["sh"]}})]
    {
        assert_eq!(test.call(&admin, "PATCH", &format!("{S}/x"), Some(patch)).await.status, 403);
    }
    assert_eq!(test.call(&admin, "PATCH", &format!("{S}/x"), Some(json!({"autostart": true}))).await.status, 200);
    let other = test.call(&admin, "PATCH", &format!("{S}/x"), Some(json!({"payload": {"seconds": 5}}))).await;
    assert_eq!(other.json()["spec"]["argv"], json!(["sleep", "5"]));
});

testkit::db_test!(variables_and_folder_of_a_definition_based_server_require_a_super_admin, |db| async move {
    let test = TestHub::new(db).await;
    let org = test.org("acme").await;
    test.host(org, "web-1").await;
    let user = test.person(org, "ana@acme.example", Role::Admin).await;
    let admin = As::Bearer(test.token(org, user, Role::Admin).await.1);
    for (key, settable) in [("site", json!(["PORT"])), ("other", json!([]))] {
        let definition = json!({"key": key, "argv": ["bash", "/srv/site.sh"], "env_settable": settable});
        let put = test.call(&As::Local, "POST", "/api/v1/admin/jobs/definitions", Some(definition)).await;
        assert!(put.status.is_success(), "{}", put.text);
    }
    let server = |more: Value| {
        let mut body = json!({"name": "x", "host": "web-1", "definition_key": "site"});
        body.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
        body
    };
    let evil = [
        json!({"env": {"BASH_ENV": "$(id > /tmp/f)"}}),
        json!({"env": {"PATH": "/tmp"}}),
        json!({"env": {"LD_PRELOAD": "/tmp/x.so", "PORT": "1"}}),
        json!({"folder": "/etc"}),
        json!({"definition_key": "other", "env": {"PORT": "1"}}),
    ];
    for more in &evil {
        let refused = test.call(&admin, "POST", S, Some(server(more.clone()))).await;
        assert_eq!((refused.status.as_u16(), refused.code()), (403, "forbidden".to_owned()), "{}", refused.text);
    }
    let refused = test.call(&admin, "POST", S, Some(server(evil[0].clone()))).await;
    for part in ["`BASH_ENV`", "it lets them set `PORT`", "env_settable", "/env/BASH_ENV"] {
        assert!(refused.text.contains(part), "{part}: {}", refused.text);
    }
    let made = test.call(&admin, "POST", S, Some(server(json!({"env": {"PORT": "8080"}})))).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let path = format!("{S}/x");
    for more in &evil {
        assert_eq!(test.call(&admin, "PATCH", &path, Some(more.clone())).await.status, 403, "{more}");
    }
    // The super admin's values stay when the org's admin edits another field, but not with another definition.
    let env = json!({"env": {"PORT": "1", "BASH_ENV": "/srv/env"}, "folder": "/srv"});
    assert_eq!(test.call(&As::Local, "PATCH", "/api/v1/orgs/acme/servers/x", Some(env.clone())).await.status, 200);
    assert_eq!(test.call(&admin, "PATCH", &path, Some(json!({"autostart": true}))).await.status, 200);
    assert_eq!(
        test.call(&admin, "PATCH", &path, Some(env)).await.status,
        200,
        "a form sends the unchanged values, too"
    );
    for patch in [
        json!({"env": {"PORT": "1", "BASH_ENV": "/tmp/env"}}),
        json!({"env": {"PORT": "1"}}),
        json!({"folder": "/tmp"}),
        json!({"definition_key": "other"}),
        json!({"definition_key": "other", "folder": null}),
    ] {
        assert_eq!(test.call(&admin, "PATCH", &path, Some(patch.clone())).await.status, 403, "{patch}");
    }
    let shown = get_in(&test, "acme", "x").await;
    assert_eq!((&shown["spec"]["env"]["BASH_ENV"], &shown["spec"]["folder"]), (&json!("/srv/env"), &json!("/srv")));
});

async fn get_in(test: &TestHub, org: &str, server: &str) -> Value {
    get(test, &format!("/api/v1/orgs/{org}/servers/{server}")).await
}

testkit::db_test!(newer_server_operation_replaces_queued_ones, |db| async move {
    let test = TestHub::new(db).await;
    world(&test).await;
    create(&test, "mc-1", "web-1").await;
    let start = act(&test, "mc-1", "start").await;
    let why = get(&test, &format!("/api/v1/jobs/{}/why", start["id"].as_str().expect("an id"))).await;
    assert!(why["text"].as_str().expect("text").contains("web-1"), "{why}");
    let again = act(&test, "mc-1", "start").await;
    assert_eq!((&again["id"], &again["deduplicated"]), (&start["id"], &json!(true)), "the operation is already queued");
    let stop = act(&test, "mc-1", "stop").await;
    assert_eq!(stop["superseded"], json!([start["id"]]), "the response lists the replaced job");
    let ended = job(&test, &start["id"]).await;
    assert_eq!((&ended["status"], &ended["end_reason"]), (&json!("canceled"), &json!("superseded")));
    assert_eq!(job(&test, &stop["id"]).await["status"], "queued");
    // Through the general route, by name, and not on another host.
    let body = json!({"definition_key": "SERVER_RESTART", "payload": {"server": "mc-1"}});
    let restart = test.call(&As::Local, "POST", "/api/v1/jobs", Some(body)).await;
    assert_eq!(restart.status, 201, "{}", restart.text);
    assert_eq!(job(&test, &stop["id"]).await["status"], "canceled");
    assert_eq!(get(&test, &format!("{S}/mc-1")).await["job_id"], restart.json()["id"]);
    let org = test.first_org().await;
    test.host(org, "web-2").await;
    for (body, status) in [
        (json!({"definition_key": "SERVER_STOP", "payload": {"server": "mc-1"}, "host": "web-2"}), 422),
        (json!({"definition_key": "SERVER_STOP", "payload": {"server": "nobody"}}), 404),
        (json!({"definition_key": "SERVER_STOP", "payload": {}}), 422),
        (json!({"definition_key": "SERVER_STOP", "payload": {"server": "mc-1"}, "dedupe_key": "x"}), 422),
    ] {
        let answer = test.call(&As::Local, "POST", "/api/v1/jobs", Some(body.clone())).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text);
    }
    let refused = test.call(&As::Local, "DELETE", &format!("{S}/mc-1"), None).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (409, "server_in_use".to_owned()), "a job waits for it");
    assert_eq!(test.call(&As::Local, "DELETE", &format!("{S}/mc-1?cancel_jobs=true"), None).await.status, 204);
    assert_eq!(job(&test, &restart.json()["id"]).await["status"], "canceled");
});

testkit::db_test!(crash_loop_is_one_alert_until_the_server_is_stable, |db| async move {
    let test = TestHub::new(db).await;
    world(&test).await;
    let server = create(&test, "mc-1", "web-1").await;
    let look = || async {
        Alerts::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("looks");
        let all = get(&test, "/api/v1/alerts?status=all").await["items"].as_array().expect("items").clone();
        all.into_iter().filter(|alert| alert["kind"] == "crash_loop").collect::<Vec<_>>()
    };
    assert!(look().await.is_empty());
    let reason = "exited 5 times in a row, last: exited with code 1".to_owned();
    let looping = Live { state: ServerState::CrashLoop, state_reason: reason, ..Live::new(test.hub.now()) };
    lives(&test, &server, looping.clone()).await;
    let alerts = look().await;
    assert_eq!(alerts.len(), 1, "{alerts:?}");
    assert_eq!((&alerts[0]["status"], &alerts[0]["subject_name"]), (&json!("open"), &json!("mc-1")));
    lives(&test, &server, Live { run_no: 9, ..looping }).await;
    assert_eq!(look().await.len(), 1, "still the same one");
    lives(&test, &server, Live { state: ServerState::Running, ..Live::new(test.hub.now()) }).await;
    let alerts = look().await;
    assert_eq!((alerts.len(), &alerts[0]["status"]), (1, &json!("resolved")));
});

testkit::db_test!(console_pages_start_at_any_line, |db| async move {
    let test = TestHub::new(db).await;
    let (org, host) = world(&test).await;
    let server = create(&test, "mc-1", "web-1").await;
    let id: ServerId = server["id"].as_str().expect("an id").parse().expect("an id");
    let (now, run) = (test.hub.now(), test.hub.ids.next());
    let lines: Vec<proto::work::LogLine> = (1..=300)
        .map(|no| proto::work::LogLine {
            no,
            at: now,
            stream: proto::work::Stream::Stdout,
            text: format!("line {no}"),
            is_cut: false,
        })
        .collect();
    test.write(move |tx| {
        Box::pin(async move {
            for (no, finished_at) in [(1, Some(now)), (2, None)] {
                let row = ServerRun {
                    server_id: id,
                    no,
                    id: if no == 1 { run } else { domain::RunId::from_bytes([9; 16]) },
                    org_id: org,
                    host_id: host,
                    status: domain::job::RunStatus::Running,
                    started_at: now,
                    ready_at: None,
                    finished_at,
                    pid: None,
                    exit_code: None,
                    signal: None,
                    is_oom: false,
                    error_text: None,
                    log_position: None,
                    created_at: now,
                    updated_at: now,
                };
                tx.server_run_put(&row).await?;
            }
            let chunk = |part: &[proto::work::LogLine]| store::log::Chunk {
                run_id: run,
                first_line: i64::try_from(part[0].no).expect("small"),
                lines: i32::try_from(part.len()).expect("small"),
                bytes: 100,
                body: proto::work::fold(part).expect("folds").0,
                at: now,
            };
            let chunks: Vec<_> = lines.chunks(2).map(chunk).collect();
            Ok(tx.server_lines(id, 1, &chunks, None).await?)
        })
    })
    .await;
    let page = |query: &str| {
        let path = format!("{S}/mc-1/console?{query}");
        let test = &test;
        async move {
            let page = get(test, &path).await;
            let numbers: Vec<u64> =
                page["lines"].as_array().expect("lines").iter().filter_map(|line| line["no"].as_u64()).collect();
            (numbers, page)
        }
    };
    let (last, whole) = page("run=1&tail=3").await;
    assert_eq!((last, &whole["is_complete"], &whole["next_run"]), (vec![298, 299, 300], &json!(true), &json!(2)));
    assert_eq!(page("run=1&after=18&limit=4").await.0, [19, 20, 21, 22]);
    assert_eq!(page("run=1&before=22&limit=4").await.0, [18, 19, 20, 21]);
    assert_eq!(page("run=1&limit=1000").await.0.len(), 300, "regardless of the size of the chunks");
    assert_eq!(page("run=1&before=301&limit=250").await.0.first(), Some(&51));
    let (none, newest) = page("tail=5").await;
    assert_eq!((none.len(), &newest["run"], &newest["is_complete"]), (0, &json!(2), &json!(false)));
    assert_eq!(test.call(&As::Local, "GET", &format!("{S}/mc-1/console?run=9"), None).await.status, 404);
    let runs = get(&test, &format!("{S}/mc-1/runs")).await;
    assert_eq!(runs["items"][0]["no"], json!(2));
});

testkit::db_test!(server_moves_after_its_host_has_released_it, |db| async move {
    let test = TestHub::new(db).await;
    let (org, first) = world(&test).await;
    let second = test.host(org, "web-2").await;
    let server = create(&test, "mc-1", "web-1").await;
    let id: ServerId = server["id"].as_str().expect("an id").parse().expect("an id");
    let mut up = Live { state: ServerState::Running, ..Live::new(test.hub.now()) };
    up.life.desired_state = domain::server::DesiredState::Up;
    lives(&test, &server, up).await;
    let moving = test.call(&As::Local, "PATCH", &format!("{S}/mc-1"), Some(json!({"host": "web-2"}))).await.json();
    assert_eq!((&moving["host"], &moving["moves_to"]), (&json!("web-1"), &json!("web-2")));
    let pass = || async { Servers::new(test.hub.clone()).pass(Pass { now: test.hub.now() }).await.expect("passes") };
    pass().await;
    assert_eq!(get(&test, &format!("{S}/mc-1")).await["host"], "web-1", "its host still runs it");
    assert_eq!(get(&test, &format!("{S}/mc-1")).await["job_id"], Value::Null, "no job is queued for it");

    // A server that was never sent to its host, or that its host has released, moves immediately. It was running, so it
    // is started on the new host.
    let now = test.hub.now();
    test.write(move |tx| {
        Box::pin(async move {
            let row = tx.server_anywhere(&[id]).await?.remove(0);
            let (next_host, starts_there) = (Some(second), true);
            let free = store::server::Server {
                id: ServerId::from_bytes([7; 16]),
                name: "free".into(),
                host_id: first,
                next_host,
                starts_there,
                updated_at: now,
                ..row
            };
            Ok(tx.server_put(&free).await?)
        })
    })
    .await;
    pass().await;
    let moved = get(&test, &format!("{S}/free")).await;
    assert_eq!((&moved["host"], &moved["moves_to"]), (&json!("web-2"), &Value::Null));
    assert!(moved["job_id"].is_string(), "{moved}");
    let free = ServerId::from_bytes([7; 16]);
    let has = test.write(move |tx| Box::pin(async move { Ok(tx.sync_log_has_server(second, free).await?) })).await;
    assert!(has, "it is sent to the other host");
});

testkit::db_test!(immediate_orders_require_a_connected_host, |db| async move {
    let test = TestHub::new(db).await;
    world(&test).await;
    create(&test, "mc-1", "web-1").await;
    for (path, body) in [("kill", None), ("input", Some(json!({"line": "say hi"})))] {
        let answer = test.call(&As::Local, "POST", &format!("{S}/mc-1/{path}"), body).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (409, "host_unreachable".to_owned()), "{}", answer.text);
    }
    let long = test.call(&As::Local, "POST", &format!("{S}/mc-1/input"), Some(json!({"line": "a\nb"}))).await;
    assert_eq!(long.status, 422);
});

testkit::db_test!(schedule_can_restart_a_server, |db| async move {
    let test = TestHub::new(db).await;
    world(&test).await;
    let server = create(&test, "mc-1", "web-1").await;
    let nightly = |payload: Value, target: Value| {
        json!({"label": "nightly", "cron_expr": "0 4 * * *", "definition_key": "SERVER_RESTART",
            "payload_template": payload, "target": target})
    };
    let t = "/api/v1/jobs/triggers";
    let wrong = test.call(&As::Local, "POST", t, Some(nightly(json!({"server": "nobody"}), Value::Null))).await;
    assert_eq!(wrong.status, 404, "{}", wrong.text);
    let wrong =
        test.call(&As::Local, "POST", t, Some(nightly(json!({"server": "mc-1"}), json!({"host": "web-1"})))).await;
    assert_eq!(wrong.status, 422, "{}", wrong.text);
    let made = test.call(&As::Local, "POST", t, Some(nightly(json!({"server": "mc-1"}), Value::Null))).await;
    assert_eq!(made.status, 201, "{}", made.text);
    assert_eq!(made.json()["payload_template"]["server"], server["id"]);
    let fired = test.call(&As::Local, "POST", &format!("{t}/nightly/fire"), Some(json!({}))).await;
    assert_eq!(fired.status, 201, "{}", fired.text);
    let shown = get(&test, &format!("{S}/mc-1")).await;
    let made = job(&test, &shown["job_id"]).await;
    assert_eq!((&made["definition_key"], &made["source"]), (&json!("SERVER_RESTART"), &json!("schedule")));
});
