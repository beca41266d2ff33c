//! The link between a real hub and a real runner in one process, through a pipe.

use std::{sync::Arc, time::Duration};

use domain::{Actor, Caller, Role, Span, role::Scope};
use hub::{Hub, Options, app::By};
use proto::{Code, api::host::JoinTokenRequest};
use runner::{Dial, Identity, IdentityFile, Link, LinkState, join::Join};
use runtime::{Clock, Random, Shutdown};
use testkit::TestDb;
use tokio::{sync::watch, task::JoinHandle};

const PATIENCE: Duration = Duration::from_secs(30);

struct Linked {
    state: watch::Receiver<LinkState>,
    shutdown: Shutdown,
    task: JoinHandle<()>,
}

impl Linked {
    async fn wait(&mut self, what: impl FnMut(&LinkState) -> bool) -> LinkState {
        let seen =
            tokio::time::timeout(PATIENCE, self.state.wait_for(what)).await.expect("in time").expect("the link runs");
        seen.clone()
    }

    async fn up(&mut self) -> i64 {
        match self.wait(|state| matches!(state, LinkState::Up { .. })).await {
            LinkState::Up { epoch, .. } => epoch,
            other => panic!("{other:?}"),
        }
    }

    async fn down(&mut self) -> Code {
        match self.wait(|state| matches!(state, LinkState::Down { .. })).await {
            LinkState::Down { code, .. } => code,
            other => panic!("{other:?}"),
        }
    }

    async fn goodbye(self) {
        self.shutdown.begin();
        tokio::time::timeout(PATIENCE, self.task).await.expect("in time").expect("ends well");
    }
}

fn by() -> By {
    let caller = Caller { actor: Actor::Local { uid: 0 }, org: None, role: Some(Role::SuperAdmin), scope: Scope::Api };
    By { caller, address: "test".into(), request_id: "test".into() }
}

async fn hub(db: &TestDb) -> Hub {
    hub_at_pace(db, Span::from_millis(200)).await
}

async fn hub_at_pace(db: &TestDb, heartbeat: Span) -> Hub {
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

async fn join(hub: &Hub) -> (domain::OrgId, Identity) {
    let org = hub.org_list(&proto::page::PageQuery::default()).await.expect("lists").items[0].id;
    let token = hub.join_token_create(&by(), org, JoinTokenRequest::default()).await.expect("a token");
    let wish = Join {
        dial: pipe(hub),
        hub_url: None,
        token: token.secret,
        name: Some("web-1".into()),
        always_on: None,
        ignore_clock: true,
        now: runtime::clock::wall(),
        random: (Random.bytes(), Random.bytes()),
    };
    (org, runner::join::join(wish).await.expect("joins").0)
}

#[expect(clippy::disallowed_methods, reason = "the test waits for it in `goodbye`")]
fn start(hub: &Hub, identity: &Identity, incarnation: &str, file: Option<IdentityFile>) -> Linked {
    let options = runner::Options {
        dial: pipe(hub),
        name: None,
        incarnation: incarnation.into(),
        queues: Vec::new(),
        trust: domain::definition::Trust::Hub,
    };
    let link = Link::new(options, identity.clone(), file);
    let (state, shutdown) = (link.watch(), Shutdown::default());
    Linked { state, task: tokio::spawn(link.run(shutdown.clone())), shutdown }
}

async fn status(hub: &Hub, org: domain::OrgId) -> (String, String) {
    let host = hub.host_get(org, "web-1").await.expect("is there");
    (host.host.status.to_string(), host.host.status_reason)
}

testkit::db_test!(a_runner_links_beats_and_says_goodbye, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    assert_eq!(status(&hub, org).await.0, "pending");
    let mut linked = start(&hub, &identity, "one", None);
    assert_eq!(linked.up().await, 1);
    assert_eq!(status(&hub, org).await, ("online".into(), "connected".into()));
    linked.goodbye().await;
    // The hub writes the goodbye down after the runner has gone.
    let mut said = None;
    for _ in 0..500 {
        said = hub.host_get(org, "web-1").await.expect("is there").session.expect("was linked").goodbye;
        if said.is_some() {
            break;
        }
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(said.as_deref(), Some("stop"));
});

testkit::db_test!(a_copy_is_turned_away_and_a_restart_is_not, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let mut first = start(&hub, &identity, "one", None);
    first.up().await;
    let mut copy = start(&hub, &identity, "two", None);
    assert_eq!(copy.down().await, Code::DuplicateHost);
    copy.goodbye().await;
    // Degraded once the first one is heard again after the copy knocked.
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
    assert_eq!(again.up().await, 2, "a restart after a goodbye gets in at once");
    assert_eq!(status(&hub, org).await.0, "online");
    again.goodbye().await;
});

testkit::db_test!(a_revoked_host_loses_its_link, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let mut linked = start(&hub, &identity, "one", None);
    linked.up().await;
    hub.host_revoke(&by(), org, "web-1").await.expect("revokes");
    assert_eq!(linked.down().await, Code::HostRevoked);
    linked.goodbye().await;
    let mut again = start(&hub, &identity, "two", None);
    assert_eq!(again.down().await, Code::HostRevoked, "and does not get in again");
    again.goodbye().await;
});

testkit::db_test!(a_key_is_rotated_at_the_next_hello, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = IdentityFile::in_folder(folder.path());
    file.write(&identity).expect("writes");
    // Asked while the host sleeps.
    hub.host_rotate_key(&by(), org, "web-1").await.expect("asks");
    let mut linked = start(&hub, &identity, "one", Some(file.clone()));
    linked.up().await;
    let mut kept = file.read().expect("reads").expect("is there");
    for _ in 0..1_000 {
        if kept.key.version == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        kept = file.read().expect("reads").expect("is there");
    }
    assert_eq!((kept.key.version, kept.next_key.is_none()), (2, true));
    assert_ne!(kept.key.key.public(), identity.key.key.public());
    linked.goodbye().await;
    let shown = hub.host_get(org, "web-1").await.expect("is there");
    assert_eq!((shown.host.key_version, shown.key_version_wanted), (2, None));
    let mut old = start(&hub, &identity, "two", None);
    assert_eq!(old.down().await, Code::HostRevoked, "the old key is no longer accepted");
    old.goodbye().await;
    let mut new = start(&hub, &kept, "three", None);
    new.up().await;
    new.goodbye().await;
});

testkit::db_test!(a_lost_confirmation_of_a_new_key_is_survived, |db| async move {
    let hub = hub(&db).await;
    let (org, identity) = join(&hub).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = IdentityFile::in_folder(folder.path());
    file.write(&identity).expect("writes");
    hub.host_rotate_key(&by(), org, "web-1").await.expect("asks");
    let mut linked = start(&hub, &identity, "one", Some(file.clone()));
    linked.up().await;
    while hub.host_get(org, "web-1").await.expect("is there").host.key_version == 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    linked.goodbye().await;
    // The hub has version 2; a machine that crashed before it heard so still has 1 in force and 2 beside it.
    let confirmed = file.read().expect("reads").expect("is there");
    let crashed = Identity { key: identity.key.clone(), next_key: Some(confirmed.key.clone()), ..confirmed };
    let mut back = start(&hub, &crashed, "two", None);
    back.up().await;
    back.goodbye().await;
});

testkit::db_test!(a_hub_that_stops_tells_its_runners, |db| async move {
    let hub = hub(&db).await;
    let (_, identity) = join(&hub).await;
    let mut linked = start(&hub, &identity, "one", None);
    linked.up().await;
    hub.stop().await;
    assert_eq!(linked.down().await, Code::HubStopping);
    linked.goodbye().await;
});

testkit::db_test!(a_shorter_threshold_quickens_the_pace_at_once, |db| async move {
    let hub = hub_at_pace(&db, Span::from_secs(3_600)).await;
    let (org, identity) = join(&hub).await;
    let mut linked = start(&hub, &identity, "one", None);
    linked.up().await;
    let heard = async || hub.host_get(org, "web-1").await.expect("is there").host.last_heartbeat_at.expect("was heard");
    // The first beat comes with the link; with this pace the next would be an hour away.
    let shorter = proto::api::org::OrgPatch { offline_after_seconds: Some(2), ..Default::default() };
    hub.org_update(&by(), org, shorter).await.expect("changes");
    let (before, mut now, mut beats) = (heard().await, heard().await, 0);
    for _ in 0..1_000 {
        let next = heard().await;
        if next > now {
            (now, beats) = (next, beats + 1);
        }
        if beats == 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(beats, 3, "last heard at {before}, then {now}");
    assert_eq!(status(&hub, org).await.0, "online");
    linked.goodbye().await;
});
