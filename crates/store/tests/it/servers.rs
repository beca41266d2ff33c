//! Servers: storage, and replication between a hub and the host that runs them.

use domain::{
    HostId, HostSender, OrgId, ServerId, Timestamp,
    job::RunStatus,
    lane::{LaneKey, Target},
    server::{OrderKind, Server as Body, ServerState},
    sync::{hub, tables::SERVER},
};
use serde_json::json;
use store::{
    Store,
    insert::NewJob,
    log::Chunk,
    replication::StandaloneHost,
    server::{Live, Server, ServerJob, ServerOrder, ServerRun},
};

use crate::{
    reads,
    seed::{T0, at, enqueue, id, job, lane_key, world, yard},
    sync::{Pair, hub_id, pair},
    writes,
};

pub(crate) fn server(org: OrgId, host: HostId, name: &str) -> Server {
    Server {
        id: id(),
        org_id: org,
        host_id: host,
        name: name.to_owned(),
        version: 1,
        body: Body::new(vec!["redis-server".to_owned()]),
        live: Live::new(T0),
        next_host: None,
        starts_there: false,
        origin: None,
        hub_id: None,
        created_by: "ana".into(),
        created_at: T0,
        updated_at: T0,
        deleted_at: None,
    }
}

fn run(server: &Server, no: i32, finished_at: Option<Timestamp>) -> ServerRun {
    ServerRun {
        server_id: server.id,
        no,
        id: id(),
        org_id: server.org_id,
        host_id: server.host_id,
        status: if finished_at.is_some() { RunStatus::Failed } else { RunStatus::Running },
        started_at: at(u32::try_from(no).expect("small")),
        ready_at: None,
        finished_at,
        pid: Some(77),
        exit_code: finished_at.map(|_| 1),
        signal: None,
        is_oom: false,
        error_text: None,
        log_position: None,
        created_at: T0,
        updated_at: T0,
    }
}

fn chunk(run: &ServerRun, first_line: i64, bytes: i32) -> Chunk {
    Chunk { run_id: run.id, first_line, lines: 10, bytes, body: vec![1, 2, 3], at: T0 }
}

async fn put(store: &Store, server: &Server) {
    let row = server.clone();
    writes!(store, |tx| tx.server_put(&row).await).expect("puts");
}

async fn events(store: &Store, org: OrgId) -> Vec<String> {
    writes!(store, |tx| tx.event_number(100).await).expect("numbers");
    let all = reads!(store, |tx| tx.event_after_in(org, 0, 100).await);
    all.into_iter().filter(|event| event.name == "server.state_changed").map(|event| event.items.to_string()).collect()
}

testkit::db_test!(server_is_found_changed_and_listed, |db| async move {
    let (org, _, host) = world(&db.store, "acme").await;
    let (other, _, _) = world(&db.store, "beta").await;
    let game = server(org, host, "game");
    put(&db.store, &game).await;
    put(&db.store, &server(org, host, "web")).await;
    let id_of = game.id;
    assert_eq!(reads!(db.store, |tx| tx.server_get(org, id_of).await), Some(game.clone()));
    assert_eq!(reads!(db.store, |tx| tx.server_get(other, id_of).await), None, "another org's");
    assert_eq!(reads!(db.store, |tx| tx.server_by_name(org, "game").await), std::slice::from_ref(&game));
    let all = reads!(db.store, |tx| tx.server_list(org, ServerId::from_bytes([0; 16]), 10).await);
    assert_eq!(all.len(), 2);
    assert_eq!(reads!(db.store, |tx| tx.server_list(org, all[0].id, 10).await).len(), 1);
    assert_eq!(reads!(db.store, |tx| tx.server_of_host(host, 10).await).len(), 2);
    assert_eq!(reads!(db.store, |tx| tx.server_kept(10).await).len(), 2);
    // Names are unique.
    let twin = server(org, host, "game");
    let twice = writes!(db.store, |tx| tx.server_put(&twin).await);
    assert!(
        matches!(twice.expect_err("taken"), store::Error::UniqueViolation(name) if name == "server_org_id_name_uq")
    );

    // Of two concurrent changes, one is rejected.
    let changed = Server { version: 2, name: "games".into(), ..game.clone() };
    let row = changed.clone();
    let (first, second) = writes!(db.store, |tx| {
        let locked = tx.server_lock(org, id_of).await?;
        assert_eq!(locked.map(|server| server.version), Some(1));
        Ok((tx.server_want(&row, 1).await?, tx.server_want(&row, 1).await?))
    })
    .expect("changes");
    assert_eq!((first, second), (true, false));
    let gone = Server { version: 3, deleted_at: Some(at(9)), ..changed };
    assert!(writes!(db.store, |tx| tx.server_want(&gone, 2).await).expect("deletes"));
    assert_eq!(reads!(db.store, |tx| tx.server_get(org, id_of).await), None);
    assert_eq!(reads!(db.store, |tx| tx.server_anywhere(&[id_of]).await).len(), 1);
    put(&db.store, &server(org, host, "games")).await;
});

testkit::db_test!(server_state_change_emits_an_event, |db| async move {
    let (org, _, host) = world(&db.store, "acme").await;
    let game = server(org, host, "game");
    put(&db.store, &game).await;
    let up = Live { state: ServerState::CrashLoop, run_no: 4, pid: Some(9), boot_id: "b".into(), ..Live::new(at(5)) };
    let (row, live) = (game.clone(), up.clone());
    writes!(db.store, |tx| tx.server_live(&row, &live, id(), at(6)).await).expect("lives");
    let key = game.id;
    let now = reads!(db.store, |tx| tx.server_get(org, key).await).expect("exists");
    assert_eq!(now.live, up);
    // The same state with another reason emits no event.
    let live = Live { state_reason: "still".into(), ..up };
    writes!(db.store, |tx| tx.server_live(&now, &live, id(), at(7)).await).expect("lives");
    let told = events(&db.store, org).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("crash_loop") && told[0].contains("game"), "{told:?}");
    let looping = reads!(db.store, |tx| tx.server_looping(ServerId::from_bytes([0; 16]), 10).await);
    assert_eq!(looping.iter().map(|server| server.id).collect::<Vec<_>>(), [game.id]);
});

testkit::db_test!(server_prune_bounds_runs_and_output, |db| async move {
    let (org, _, host) = world(&db.store, "acme").await;
    let game = server(org, host, "game");
    put(&db.store, &game).await;
    let runs = [run(&game, 1, Some(at(10))), run(&game, 2, Some(at(20))), run(&game, 3, None)];
    for run in &runs {
        let (row, chunks) = (run.clone(), [chunk(run, 1, 100), chunk(run, 11, 100)]);
        let (server, no) = (game.id, run.no);
        writes!(db.store, |tx| {
            tx.server_run_put(&row).await?;
            tx.server_lines(server, no, &chunks, Some(json!({"offset": 5}))).await
        })
        .expect("puts");
    }
    let server = game.id;
    let [first, second, last] = runs.map(|run| run.id);
    let listed = reads!(db.store, |tx| tx.server_run_list(server, i32::MAX, 2).await);
    assert_eq!(listed.iter().map(|run| run.no).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(reads!(db.store, |tx| tx.server_run_of(second).await).map(|run| run.no), Some(2));
    let third = reads!(db.store, |tx| tx.server_run_get(server, 3).await).expect("exists");
    assert_eq!(third.log_position, Some(json!({"offset": 5})));
    // A later update of the run keeps the read position.
    let ready = ServerRun { ready_at: Some(at(4)), log_position: None, ..third };
    writes!(db.store, |tx| tx.server_run_put(&ready).await).expect("puts");
    let third = reads!(db.store, |tx| tx.server_run_get(server, 3).await).expect("exists");
    assert_eq!((third.ready_at, third.log_position), (Some(at(4)), Some(json!({"offset": 5}))));

    // By age: the newest run stays, however old.
    let row = game.clone();
    assert!(!writes!(db.store, |tx| tx.server_prune(&row, at(15), 10_000, 100).await).expect("prunes"));
    assert_eq!(reads!(db.store, |tx| tx.server_run_list(server, i32::MAX, 9).await).len(), 2);
    assert!(reads!(db.store, |tx| tx.log_from(first, 1, 9).await).is_empty());
    // By size: the oldest lines are deleted first, also those of a run in progress.
    loop {
        let row = game.clone();
        if !writes!(db.store, |tx| tx.server_prune(&row, T0, 100, 1).await).expect("prunes") {
            break;
        }
    }
    assert!(reads!(db.store, |tx| tx.log_from(second, 1, 9).await).is_empty());
    let left = reads!(db.store, |tx| tx.log_from(last, 1, 9).await);
    assert_eq!(left.iter().map(|chunk| chunk.first_line).collect::<Vec<_>>(), [11]);

    let row = game.clone();
    writes!(db.store, |tx| tx.server_forget(&row).await).expect("forgets");
    assert!(reads!(db.store, |tx| tx.server_anywhere(&[server]).await).is_empty());
    assert!(reads!(db.store, |tx| tx.server_run_list(server, i32::MAX, 9).await).is_empty());
    assert!(reads!(db.store, |tx| tx.log_from(last, 1, 9).await).is_empty());
});

testkit::db_test!(server_order_is_answered_once_and_pruned, |db| async move {
    let (org, _, host) = world(&db.store, "acme").await;
    let (_, _, stranger) = world(&db.store, "beta").await;
    let order = ServerOrder {
        id: id(),
        org_id: org,
        server_id: id(),
        host_id: host,
        kind: OrderKind::Input,
        body: "say hi".into(),
        created_by: "ana".into(),
        created_at: T0,
        expires_at: at(15),
        answered_at: None,
        error: None,
    };
    let row = order.clone();
    writes!(db.store, |tx| tx.order_put(&row).await).expect("puts");
    assert_eq!(reads!(db.store, |tx| tx.orders_open(&[host, stranger], at(1), 10).await), std::slice::from_ref(&order));
    assert!(reads!(db.store, |tx| tx.orders_open(&[stranger], at(1), 10).await).is_empty());
    assert!(reads!(db.store, |tx| tx.orders_open(&[host], at(15), 10).await).is_empty(), "expired");
    let key = order.id;
    let (sender, stranger) = (HostSender::proven(host, org, 1), HostSender::proven(stranger, org, 1));
    let answers = writes!(db.store, |tx| Ok([
        tx.order_answer(stranger, key, None, at(2)).await?,
        tx.order_answer(sender, key, Some("it does not run".into()), at(2)).await?,
        tx.order_answer(sender, key, None, at(3)).await?,
    ]))
    .expect("answers");
    assert_eq!(answers, [false, true, false], "only its host can answer, and once");
    let known = reads!(db.store, |tx| tx.order_get(org, key).await).expect("exists");
    assert_eq!((known.answered_at, known.error.as_deref()), (Some(at(2)), Some("it does not run")));
    assert_eq!(writes!(db.store, |tx| tx.order_prune(at(16), 10).await).expect("prunes"), 1);
    assert_eq!(reads!(db.store, |tx| tx.order_get(org, key).await), None);
});

testkit::db_test!(jobs_of_server_finds_jobs_by_limit_key, |db| async move {
    let yard = yard(&db.store, "acme").await;
    let (target, limit_key) = (Target::Host(yard.host), "server:x".to_owned());
    let key = LaneKey { target: target.clone(), limit_key, ..lane_key(yard.org, yard.definition, "default") };
    let (lane_id, org, definition_id) = (id(), yard.org, yard.definition);
    writes!(db.store, |tx| tx.lane_put(&key, lane_id, T0).await).expect("puts");
    let (mine, other) = (NewJob { lane_id, ..job(&yard) }, job(&yard));
    let job_id = mine.id;
    enqueue(&db.store, &[mine, other]).await;
    let host = target.text();
    let found = reads!(db.store, |tx| tx.jobs_of_server(org, &host, "server:x").await);
    assert_eq!(found, [ServerJob { job_id, definition_id, is_running: false }]);
    let host = target.text();
    assert!(reads!(db.store, |tx| tx.jobs_of_server(org, &host, "server:y").await).is_empty());
});

/// A hub, and a runner that runs its servers.
async fn linked(hub: &Store) -> Pair {
    let mut pair = pair(hub).await;
    pair.standalone = Some(StandaloneHost { org: pair.org, host: pair.host });
    pair
}

/// Replicates the hub's changes until neither side has anything to send.
async fn news(pair: &mut Pair) {
    let frames = pair.hub_hears(hub::HubInput::Changed).await;
    let mut said = Vec::new();
    for frame in frames {
        said.extend(pair.origin_does(domain::sync::origin::OriginInput::Received(frame)).await);
    }
    pair.talk(said).await;
    pair.changed().await;
}

async fn kept(pair: &Pair, server: ServerId) -> Option<Server> {
    reads!(pair.runner.store, |tx| tx.server_anywhere(&[server]).await).pop()
}

testkit::db_test!(hub_server_is_replicated_and_reports_its_state, |db| async move {
    let mut pair = linked(&db.store).await;
    let game = server(pair.org, pair.host, "game");
    put(&db.store, &game).await;
    pair.link().await;
    let (host, key, org) = (pair.host, game.id, pair.org);
    writes!(db.store, |tx| tx.sync_log_server(host, key, false, 5, at(2)).await).expect("assigns");
    assert!(reads!(db.store, |tx| tx.sync_log_has_server(host, key).await));
    news(&mut pair).await;
    let there = kept(&pair, key).await.expect("the server has arrived");
    assert_eq!((there.hub_id, there.name.as_str(), there.body.clone()), (Some(hub_id()), "game", game.body.clone()));

    // The server runs on the host, and the hub stores its state.
    let live = Live { state: ServerState::Running, run_id: Some(id()), run_no: 1, pid: Some(5), ..Live::new(at(3)) };
    let (row, l, r) = (there.clone(), live.clone(), run(&there, 1, None));
    writes!(pair.runner.store, |tx| {
        tx.server_live(&row, &l, id(), at(3)).await?;
        tx.server_run_put(&r).await
    })
    .expect("lives");
    pair.changed().await;
    let seen = reads!(db.store, |tx| tx.server_get(org, key).await).expect("exists");
    assert_eq!((seen.live.state, seen.live.pid, seen.origin), (ServerState::Running, Some(5), None));
    assert_eq!(reads!(db.store, |tx| tx.server_run_list(key, 99, 9).await).len(), 1);
    assert_eq!(events(&db.store, pair.org).await.len(), 1);
    pair.assert_same().await;

    // A change of the settings keeps the state.
    let changed = Server { version: 2, body: Body::new(vec!["other".into()]), ..seen.clone() };
    writes!(db.store, |tx| {
        tx.server_want(&changed, 1).await?;
        tx.sync_log_server(host, key, false, 6, at(4)).await
    })
    .expect("changes");
    news(&mut pair).await;
    let there = kept(&pair, key).await.expect("exists");
    assert_eq!((there.body.argv[0].as_str(), there.version, there.live.state), ("other", 2, ServerState::Running));
});

testkit::db_test!(server_moves_after_its_host_released_it, |db| async move {
    let mut pair = linked(&db.store).await;
    let (_, _, elsewhere) = world(&db.store, "beta").await;
    let game = Server { next_host: Some(elsewhere), starts_there: true, ..server(pair.org, pair.host, "game") };
    put(&db.store, &game).await;
    pair.link().await;
    let (host, key) = (pair.host, game.id);
    writes!(db.store, |tx| tx.sync_log_server(host, key, false, 5, at(2)).await).expect("assigns");
    news(&mut pair).await;
    let there = kept(&pair, key).await.expect("the server has arrived");
    let mut life = there.live.life.clone();
    life.phase = domain::server::life::Phase::Up { run: id(), since: at(3) };
    let (row, live) = (there.clone(), Live { life, state: ServerState::Running, ..there.live.clone() });
    writes!(pair.runner.store, |tx| tx.server_live(&row, &live, id(), at(3)).await).expect("lives");
    writes!(db.store, |tx| tx.sync_log_server(host, key, true, 6, at(4)).await).expect("withdraws");
    news(&mut pair).await;
    let there = kept(&pair, key).await.expect("still exists");
    assert!(there.deleted_at.is_some(), "the server is marked as deleted");
    assert!(reads!(db.store, |tx| tx.server_movable(10).await).is_empty(), "it still runs on the old host");
    let (row, live) = (there.clone(), Live::new(at(5)));
    writes!(pair.runner.store, |tx| tx.server_live(&row, &live, id(), at(5)).await).expect("stops");
    pair.changed().await;
    let movable = reads!(db.store, |tx| tx.server_movable(10).await);
    assert_eq!(movable.iter().map(|server| server.id).collect::<Vec<_>>(), [key], "the host has released it");
    assert!(!reads!(db.store, |tx| tx.sync_log_has_server(host, key).await));
    // The server ran elsewhere meanwhile and returns: its run numbers continue.
    let live = Live { run_no: 7, ..Live::new(at(6)) };
    put(&db.store, &Server { next_host: None, version: game.version + 1, live, ..game }).await;
    writes!(db.store, |tx| tx.sync_log_server(host, key, false, 7, at(7)).await).expect("assigns again");
    news(&mut pair).await;
    let there = kept(&pair, key).await.expect("the server is back");
    assert_eq!((there.live.run_no, there.deleted_at), (7, None));
});

testkit::db_test!(host_may_write_only_its_own_servers, |db| async move {
    let mut pair = linked(&db.store).await;
    let (own_org, own_host, org) = (pair.yard.org, pair.host, pair.org);
    let mine = server(own_org, own_host, "mine");
    let key = mine.id;
    put(&pair.runner.store, &mine).await;
    pair.link().await;
    pair.changed().await;
    let shown = reads!(db.store, |tx| tx.server_get(org, key).await).expect("is shown");
    assert_eq!((shown.origin, shown.host_id, shown.name.as_str()), (Some(pair.host), pair.host, "mine"));
    pair.assert_same().await;

    // A server of another organization, sent by this host.
    let (beta, _, other) = world(&db.store, "beta").await;
    let theirs = server(beta, other, "theirs");
    put(&db.store, &theirs).await;
    let wanted = theirs.id;
    let forged = Server { name: "stolen".into(), org_id: own_org, host_id: own_host, ..theirs.clone() };
    put(&pair.runner.store, &forged).await;
    pair.changed().await;
    let kept = reads!(db.store, |tx| tx.server_get(beta, wanted).await).expect("exists");
    assert_eq!(kept.name, "theirs");
    let parked = reads!(db.store, |tx| tx.sync_parked_list(org, 10).await);
    assert!(parked.iter().any(|row| row.table == SERVER.name), "{parked:?}");

    writes!(pair.runner.store, |tx| tx.server_forget(&mine).await).expect("forgets");
    pair.changed().await;
    assert!(reads!(db.store, |tx| tx.server_anywhere(&[key]).await).is_empty());
});
