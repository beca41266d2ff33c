//! The link between a real hub and a real runner in one process, through a pipe.

use std::{sync::Arc, time::Duration};

use domain::{
    Actor, Caller, Role, Span,
    job::{JobStatus, RunStatus},
    role::Scope,
};
use hub::{
    Hub, Options,
    app::{RequestContext, jobs::Maker},
};
use proto::{
    Code,
    api::{host::JoinTokenRequest, job::JobRequest},
    link::ToHub,
    work::{Inventory, Results, RunRef, RunResult, Verdicts},
};
use runner::{
    Dial, EngineChannel, Identity, IdentityFile, Link, LinkState,
    channel::{HubMessage, Outgoing, channels},
    join::Join,
};
use runtime::{Clock, Random, Shutdown};
use testkit::TestDb;
use tokio::{sync::watch, task::JoinHandle};

const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Linked {
    state: watch::Receiver<LinkState>,
    shutdown: Shutdown,
    task: JoinHandle<()>,
}

impl Linked {
    pub(crate) async fn wait(&mut self, what: impl FnMut(&LinkState) -> bool) -> LinkState {
        let seen =
            tokio::time::timeout(PATIENCE, self.state.wait_for(what)).await.expect("in time").expect("the link runs");
        seen.clone()
    }

    pub(crate) async fn up(&mut self) -> i64 {
        match self.wait(|state| matches!(state, LinkState::Up { .. })).await {
            LinkState::Up { epoch, .. } => epoch,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn down(&mut self) -> Code {
        match self.wait(|state| matches!(state, LinkState::Down { .. })).await {
            LinkState::Down { code, .. } => code,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn goodbye(self) {
        self.shutdown.begin();
        tokio::time::timeout(PATIENCE, self.task).await.expect("in time").expect("ends well");
    }
}

pub(crate) fn by() -> RequestContext {
    let caller = Caller { actor: Actor::Local { uid: 0 }, org: None, role: Some(Role::SuperAdmin), scope: Scope::Api };
    RequestContext::new(caller, "test", "test")
}

pub(crate) async fn hub(db: &TestDb) -> Hub {
    hub_with_heartbeat(db, Span::from_millis(200)).await
}

async fn hub_with_heartbeat(db: &TestDb, heartbeat: Span) -> Hub {
    let options = Options { heartbeat, ..Options::default() };
    Hub::open(db.store.clone(), options, Clock::system()).await.expect("opens")
}

fn pipe(hub: &Hub) -> Dial {
    let hub = hub.clone();
    Dial::Pipe(Arc::new(move || {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        hub.serve_pipe(theirs);
        ours
    }))
}

pub(crate) async fn join(hub: &Hub) -> (domain::OrgId, Identity) {
    let org = hub.org_list(&proto::page::PageQuery::default()).await.expect("lists").items[0].id;
    let token = hub.join_token_create(&by(), org, JoinTokenRequest::default()).await.expect("a token");
    let request = Join {
        dial: pipe(hub),
        hub_url: None,
        token: token.secret,
        name: Some("web-1".into()),
        always_on: None,
        ignore_clock: true,
        now: runtime::clock::wall(),
        random: (Random.bytes(), Random.bytes()),
        host_id: None,
        former_key: None,
    };
    (org, runner::join::join(request).await.expect("joins").0)
}

fn start(hub: &Hub, identity: &Identity, incarnation: &str, file: Option<IdentityFile>) -> Linked {
    run(link(hub, identity, incarnation, file))
}

pub(crate) fn link(hub: &Hub, identity: &Identity, incarnation: &str, file: Option<IdentityFile>) -> Link {
    link_at(hub, identity, incarnation, file, runner::HubRole::default())
}

/// A link to one of several hubs.
pub(crate) fn link_at(
    hub: &Hub,
    identity: &Identity,
    incarnation: &str,
    file: Option<IdentityFile>,
    role: runner::HubRole,
) -> Link {
    let options = runner::Options {
        dial: pipe(hub),
        name: None,
        incarnation: incarnation.into(),
        queues: Vec::new(),
        trust: domain::definition::Trust::Hub,
        role,
    };
    Link::new(options, identity.clone(), file)
}

#[expect(clippy::disallowed_methods, reason = "the test waits for it in `goodbye`")]
pub(crate) fn run(link: Link) -> Linked {
    let (state, shutdown) = (link.watch(), Shutdown::default());
    Linked { state, task: tokio::spawn(link.run(shutdown.clone())), shutdown }
}

pub(crate) async fn status(hub: &Hub, org: domain::OrgId) -> (String, String) {
    let host = hub.host_get(org, "web-1").await.expect("exists");
    (host.host.status.to_string(), host.host.status_reason)
}

testkit::db_test!(runner_links_and_its_goodbye_is_recorded, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    assert_eq!(status(&hub, org).await.0, "pending");
    let mut linked = start(&hub, &identity, "one", None);
    assert_eq!(linked.up().await, 1);
    assert_eq!(status(&hub, org).await, ("online".into(), "connected".into()));
    linked.goodbye().await;
    // The hub records the goodbye after the runner has closed the link.
    let mut goodbye = None;
    for _ in 0..500 {
        goodbye = hub.host_get(org, "web-1").await.expect("exists").session.expect("was linked").goodbye;
        if goodbye.is_some() {
            break;
        }
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(goodbye.as_deref(), Some("stop"));
});

testkit::db_test!(second_process_with_the_same_key_is_rejected_but_a_restart_is_accepted, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let mut first = start(&hub, &identity, "one", None);
    first.up().await;
    let mut copy = start(&hub, &identity, "two", None);
    assert_eq!(copy.down().await, Code::DuplicateHost);
    copy.goodbye().await;
    // The host is degraded after the first heartbeat that follows the copy's attempt.
    let mut last = status(&hub, org).await;
    for _ in 0..500 {
        if last.0 == "degraded" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        last = status(&hub, org).await;
    }
    assert_eq!(last, ("degraded".into(), "another machine uses the same key; remove one and join it again".into()));
    first.goodbye().await;
    let mut again = start(&hub, &identity, "three", None);
    assert_eq!(again.up().await, 2, "a restart after a goodbye is accepted immediately");
    assert_eq!(status(&hub, org).await.0, "online");
    again.goodbye().await;
});

testkit::db_test!(revoking_a_host_closes_its_link, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let mut linked = start(&hub, &identity, "one", None);
    linked.up().await;
    hub.host_revoke(&by(), org, "web-1").await.expect("revokes");
    assert_eq!(linked.down().await, Code::HostRevoked);
    linked.goodbye().await;
    let mut again = start(&hub, &identity, "two", None);
    assert_eq!(again.down().await, Code::HostRevoked, "and cannot link again");
    again.goodbye().await;
});

testkit::db_test!(key_is_rotated_when_the_host_next_links, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = IdentityFile::in_folder(folder.path());
    file.write(&identity).expect("writes");
    // Requested while the host is not linked.
    hub.host_rotate_key(&by(), org, "web-1").await.expect("asks");
    let mut linked = start(&hub, &identity, "one", Some(file.clone()));
    linked.up().await;
    let mut kept = file.read().expect("reads").expect("exists");
    for _ in 0..1_000 {
        if kept.key.version == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        kept = file.read().expect("reads").expect("exists");
    }
    assert_eq!((kept.key.version, kept.next_key.is_none()), (2, true));
    assert_ne!(kept.key.key.public(), identity.key.key.public());
    linked.goodbye().await;
    let result = hub.host_get(org, "web-1").await.expect("exists");
    assert_eq!((result.host.key_version, result.host.key_version_wanted), (2, None));
    let mut old = start(&hub, &identity, "two", None);
    assert_eq!(old.down().await, Code::HostRevoked, "the old key is no longer accepted");
    old.goodbye().await;
    let mut new = start(&hub, &kept, "three", None);
    new.up().await;
    new.goodbye().await;
});

testkit::db_test!(linked_host_replaces_its_key_without_ending_its_session, |db| async move {
    // No heartbeat is sent between: the hub asks, and the runner answers at once.
    let hub = hub_with_heartbeat(&db, Span::from_secs(3_600)).await;
    let (org, identity) = join(&hub).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = IdentityFile::in_folder(folder.path());
    file.write(&identity).expect("writes");
    let mut linked = start(&hub, &identity, "one", Some(file.clone()));
    linked.up().await;
    // On PostgreSQL the second request comes from another hub of this database.
    let is_shared = db.url.starts_with("postgres");
    let other = if is_shared { hub_with_heartbeat(&db, Span::from_secs(3_600)).await } else { hub.clone() };
    for (asked, version) in [(&hub, 2), (&other, 3)] {
        let due = asked.host_rotate_key(&by(), org, "web-1").await.expect("asks").host;
        assert_eq!((due.key_version_wanted, due.rotation_due), (Some(version), true));
        let mut kept = file.read().expect("reads").expect("exists");
        for _ in 0..2_000 {
            if kept.key.version == version {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
            kept = file.read().expect("reads").expect("exists");
        }
        assert_eq!((kept.key.version, kept.next_key.is_none()), (version, true));
        let shown = hub.host_get(org, "web-1").await.expect("exists");
        assert_eq!((shown.host.key_version, shown.host.key_version_wanted), (version, None));
        assert!(!shown.host.rotation_due);
        let session = shown.session.expect("is linked");
        assert_eq!((session.epoch, session.closed_at), (1, None), "in the same session");
    }
    linked.goodbye().await;
});

testkit::db_test!(host_links_with_its_new_key_after_a_lost_confirmation, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = IdentityFile::in_folder(folder.path());
    file.write(&identity).expect("writes");
    hub.host_rotate_key(&by(), org, "web-1").await.expect("asks");
    let mut linked = start(&hub, &identity, "one", Some(file.clone()));
    linked.up().await;
    while hub.host_get(org, "web-1").await.expect("exists").host.key_version == 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    linked.goodbye().await;
    // The hub has version 2. A machine that crashed before the confirmation still has key 1 and the next key 2.
    let stored = file.read().expect("reads").expect("exists");
    // The link may have ended before its own confirmation arrived: then the new key is still the next one.
    let next = stored.next_key.clone().unwrap_or_else(|| stored.key.clone());
    let crashed = Identity { key: identity.key.clone(), next_key: Some(next), ..stored };
    let mut back = start(&hub, &crashed, "two", None);
    back.up().await;
    back.goodbye().await;
});

testkit::db_test!(stopping_hub_closes_links_with_hub_stopping, |db| async move {
    let hub = hub(&db).await;
    let (_, identity) = join(&hub).await;
    let mut linked = start(&hub, &identity, "one", None);
    linked.up().await;
    hub.stop().await;
    assert_eq!(linked.down().await, Code::HubStopping);
    linked.goodbye().await;
});

testkit::db_test!(shorter_offline_threshold_shortens_the_heartbeat_interval_immediately, |db| async move {
    let hub = hub_with_heartbeat(&db, Span::from_secs(3_600)).await;
    let (org, identity) = join(&hub).await;
    let mut linked = start(&hub, &identity, "one", None);
    linked.up().await;
    let last_heartbeat = async || {
        hub.host_get(org, "web-1").await.expect("exists").host.last_heartbeat_at.expect("a heartbeat was received")
    };
    // The first heartbeat is sent with the link; with this interval the next one would follow an hour later.
    let shorter = proto::api::org::OrgPatch { offline_after_seconds: Some(2), ..Default::default() };
    hub.org_update(&by(), org, shorter).await.expect("changes");
    let (before, mut now, mut beats) = (last_heartbeat().await, last_heartbeat().await, 0);
    for _ in 0..1_000 {
        let next = last_heartbeat().await;
        if next > now {
            (now, beats) = (next, beats + 1);
        }
        if beats == 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(beats, 3, "first heartbeat at {before}, last at {now}");
    assert_eq!(status(&hub, org).await.0, "online");
    linked.goodbye().await;
});

/// A simulated engine of a runner.
struct SimulatedEngine {
    linked: Linked,
    channel: EngineChannel,
    epoch: i64,
}

impl SimulatedEngine {
    async fn link(hub: &Hub, identity: &Identity) -> Self {
        let (link_channel, engine_channel) = channels();
        let linked = run(link(hub, identity, "engine", None).with_engine(link_channel));
        let mut engine = Self { linked, channel: engine_channel, epoch: 0 };
        match engine.receive().await {
            HubMessage::Begun { epoch, .. } => engine.epoch = epoch,
            other => panic!("{other:?}"),
        }
        engine
    }

    async fn send(&self, frame: ToHub) {
        self.channel.to_link.send(Outgoing { epoch: self.epoch, frame }).await.expect("the link runs");
    }

    /// The next message about jobs.
    async fn receive(&mut self) -> HubMessage {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.channel.from_link.recv()).await.expect("in time");
            match message.expect("the link runs") {
                HubMessage::HeartbeatAck { .. } => {}
                other => return other,
            }
        }
    }
}

/// Evaluates the alert rules and returns the open alerts about jobs. Alerts about this machine are excluded.
async fn job_alerts(hub: &Hub) -> Vec<(String, String)> {
    use runtime::Task as _;
    let cx = || runtime::Pass { now: hub.now() };
    hub::loops::EventPublisher::new(hub.clone()).pass(cx()).await.expect("numbers");
    hub::loops::Alerts::new(hub.clone()).pass(cx()).await.expect("looks");
    let live = hub.store.read(|tx| Box::pin(async move { tx.alert_live(100).await })).await.expect("reads");
    let of_jobs = live.into_iter().filter(|alert| alert.subject_kind == domain::alert::SubjectKind::Definition);
    of_jobs.map(|alert| (alert.kind.to_string(), alert.text)).collect()
}

testkit::db_test!(failure_within_the_settle_time_raises_an_alert_only_if_retries_fail, |db| async move {
    use runtime::Task as _;
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let laptop: proto::api::host::HostPatch =
        serde_json::from_value(serde_json::json!({"always_on": false})).expect("a change");
    hub.host_update(&by(), org, "web-1", laptop).await.expect("changes");
    let mut engine = SimulatedEngine::link(&hub, &identity).await;
    engine.send(ToHub::Inventory(Inventory { runs: Vec::new() })).await;
    assert_eq!(engine.receive().await, HubMessage::Verdicts(Verdicts { stop: Vec::new() }));
    engine.send(ToHub::Credit { limit: 9 }).await;
    // Within the settle time of one minute the first attempt has no network; the second attempt of one job has.
    let mut sent = 0;
    for (network_at_last, expected) in [(true, None), (false, Some("dead_letter"))] {
        let job = serde_json::json!({"definition_key": "hello", "host": "web-1", "max_attempts": 2});
        let job: JobRequest = serde_json::from_value(job).expect("a request");
        hub.job_create(&Maker::new(by(), org), job).await.expect("is queued");
        for (attempt, exit) in [(1, 6), (2, if network_at_last { 0 } else { 6 })] {
            let grant = match engine.receive().await {
                HubMessage::Grants(grants) => grants.grants[0].clone(),
                other => panic!("attempt {attempt}: {other:?}"),
            };
            let status = if exit == 0 { RunStatus::Succeeded } else { RunStatus::Failed };
            let error = (exit != 0).then(|| "no route to host".to_owned());
            let result = RunResult { exit_code: Some(exit), error, ..RunResult::new(grant.job, grant.fence, status) };
            let results = Results { after: sent, through: sent + 1, results: vec![result], credit: None };
            sent += 1;
            engine.send(ToHub::Results(results)).await;
            assert_eq!(engine.receive().await, HubMessage::Settled { through: sent });
            if attempt == 1 {
                assert_eq!(job_alerts(&hub).await, [], "a retry is pending");
            }
            // Skip the retry delay.
            let later = runtime::Pass { now: hub.now() + Span::from_secs(3_600) };
            hub::loops::DelayedJobs::new(hub.clone()).pass(later).await.expect("moves");
        }
        let alerts = job_alerts(&hub).await;
        assert_eq!(alerts.first().map(|alert| alert.0.as_str()), expected, "{alerts:?}");
        assert!(alerts.iter().all(|alert| alert.1.contains("no route to host")), "{alerts:?}");
    }
    engine.linked.goodbye().await;
});

testkit::db_test!(result_is_confirmed_only_after_all_earlier_results, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let job: JobRequest = serde_json::from_value(serde_json::json!({"definition_key": "hello"})).expect("a request");
    hub.job_create(&Maker::new(by(), org), job).await.expect("is queued");
    let mut engine = SimulatedEngine::link(&hub, &identity).await;
    engine.send(ToHub::Inventory(Inventory { runs: Vec::new() })).await;
    assert_eq!(engine.receive().await, HubMessage::Verdicts(Verdicts { stop: Vec::new() }));
    engine.send(ToHub::Credit { limit: 1 }).await;
    let grant = match engine.receive().await {
        HubMessage::Grants(grants) => grants.grants[0].clone(),
        other => panic!("{other:?}"),
    };
    engine.linked.goodbye().await;

    let mut engine = SimulatedEngine::link(&hub, &identity).await;
    let result = RunResult { exit_code: Some(0), ..RunResult::new(grant.job, grant.fence, RunStatus::Succeeded) };
    // Before the inventory the lease belongs to another session: this result is not stored, so later ones must not be
    // confirmed.
    let first = Results { after: 0, through: 1, results: vec![result.clone()], credit: None };
    engine.send(ToHub::Results(first)).await;
    engine.send(ToHub::Results(Results { after: 1, through: 2, results: Vec::new(), credit: None })).await;
    let run = RunRef { job: grant.job, fence: grant.fence };
    engine.send(ToHub::Inventory(Inventory { runs: vec![run] })).await;
    assert_eq!(engine.receive().await, HubMessage::Verdicts(Verdicts { stop: Vec::new() }));
    engine.send(ToHub::Results(Results { after: 0, through: 2, results: vec![result], credit: None })).await;
    assert_eq!(engine.receive().await, HubMessage::Settled { through: 2 });
    let jobs = hub.job_get(org, &grant.job.to_string()).await.expect("exists");
    assert_eq!(jobs.job.status, JobStatus::Succeeded);
    engine.linked.goodbye().await;
});

testkit::db_test!(grants_are_sent_between_pipelined_results, |db| async move {
    const SLOTS: i64 = 20;
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let job: JobRequest = serde_json::from_value(serde_json::json!({"definition_key": "hello"})).expect("a request");
    let places = serde_json::from_value(serde_json::json!({"max_running": SLOTS})).expect("a change");
    hub.host_update(&by(), org, "web-1", places).await.expect("changes");
    let jobs = vec![job; 2 * SLOTS as usize];
    hub.job_create_bulk(&Maker::new(by(), org), &jobs).await.expect("are queued");
    let mut engine = SimulatedEngine::link(&hub, &identity).await;
    engine.send(ToHub::Inventory(Inventory { runs: Vec::new() })).await;
    assert_eq!(engine.receive().await, HubMessage::Verdicts(Verdicts { stop: Vec::new() }));
    engine.send(ToHub::Credit { limit: SLOTS as u64 }).await;
    let HubMessage::Grants(first) = engine.receive().await else { panic!("grants") };
    assert_eq!(first.grants.len(), SLOTS as usize);
    // All results are sent together, as when runs that started together end; each frees a slot for one more job.
    for (number, grant) in (1..).zip(&first.grants) {
        let result = RunResult { exit_code: Some(0), ..RunResult::new(grant.job, grant.fence, RunStatus::Succeeded) };
        let credit = Some((SLOTS + number) as u64);
        engine
            .send(ToHub::Results(Results { after: number - 1, through: number, results: vec![result], credit }))
            .await;
    }
    for number in 1..=SLOTS {
        assert_eq!(engine.receive().await, HubMessage::Settled { through: number });
        let message = engine.receive().await;
        let HubMessage::Grants(more) = message else {
            panic!("{message:?} instead of the grant for the slot freed by result {number}")
        };
        assert_eq!(more.grants.len(), 1);
    }
    engine.linked.goodbye().await;
});
