//! Outages recorded by a machine reach its hub and appear once in the timeline.

use std::sync::{Arc, Mutex};

use domain::{OrgId, Span, Timestamp, timeline::Clocks};
use hub::{Hub, Options};
use proto::api::alert::{TimelineItem, TimelineQuery};
use runner::{Dial, Identity, Link, outage::OutageLog, sync::RowSync};
use runtime::{Clock, Pass, Shutdown, Task as _, clock::wall};
use store::Store;
use testkit::TestDb;

use crate::link::{Linked, hub, join, run};

/// A hub that can be replaced by a restarted one while runners keep dialling it.
type ReplaceableHub = Arc<Mutex<Hub>>;

fn dial(hub: &ReplaceableHub) -> Dial {
    let hub = hub.clone();
    Dial::Pipe(Arc::new(move || {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        hub.lock().expect("no panic").serve_pipe(theirs);
        ours
    }))
}

/// A runner with row replication.
struct Runner {
    linked: Linked,
    contact: tokio::sync::watch::Receiver<domain::timeline::Contact>,
    rows: tokio::task::JoinHandle<()>,
    stop: Shutdown,
}

impl Runner {
    #[expect(clippy::disallowed_methods, reason = "the test waits for it in `stop`")]
    async fn start(hub: &ReplaceableHub, identity: &Identity, store: &Store, incarnation: &str) -> Self {
        let options = runner::Options {
            dial: dial(hub),
            name: None,
            incarnation: incarnation.into(),
            queues: Vec::new(),
            trust: domain::definition::Trust::Hub,
            role: runner::HubRole::default(),
        };
        let (rows_channel, rows) = RowSync::new(store.clone(), &identity.hub_key);
        let link = Link::new(options, identity.clone(), None).with_rows(rows_channel);
        let (contact, stop) = (link.contact(), Shutdown::default());
        let rows = tokio::spawn(rows.run(stop.clone()));
        let mut linked = run(link);
        linked.up().await;
        Self { linked, contact, rows, stop }
    }

    async fn stop(self) {
        self.linked.goodbye().await;
        self.stop.begin();
        self.rows.await.expect("ends well");
    }
}

/// Waits until the hub's timeline of its host has this number of ended outages, and returns them all.
async fn outages(hub: &Hub, org: OrgId, over: usize) -> Vec<TimelineItem> {
    let query =
        TimelineQuery { from: Some(wall() - Span::from_secs(86_400)), until: Some(wall() + Span::from_secs(60)) };
    for _ in 0..1_000 {
        let mut items = hub.host_timeline(org, "web-1", &query).await.expect("exists").items;
        items.retain(|item| item.kind == "outage");
        if items.iter().filter(|item| item.until.is_some()).count() >= over {
            return items;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the timeline does not have {over} ended outages")
}

fn words(items: &[TimelineItem]) -> Vec<(&str, bool)> {
    items.iter().map(|item| (item.word.as_str(), item.until.is_some())).collect()
}

testkit::db_test!(suspend_and_hub_outage_are_recorded_once, |db| async move {
    let replaceable: ReplaceableHub = Arc::new(Mutex::new(hub(&db).await));
    let current = || replaceable.lock().expect("no panic").clone();
    let (org, identity) = join(&current()).await;
    // The standalone hub of the machine, where it is a host too.
    let own = TestDb::sqlite().await;
    let options = Options { is_standalone: true, ..Options::default() };
    let own_hub = Hub::open(own.store.clone(), options, Clock::system()).await.expect("opens");
    let own_host = join(&own_hub).await.1.host_id;
    own.store.write(|tx| Box::pin(async move { tx.sync_capture(wall()) })).await.expect("watches");

    let runner = Runner::start(&replaceable, &identity, &own.store, "one").await;
    let began = wall();
    let clocks = Arc::new(Mutex::new(Clocks { wall: began, awake: Span::ZERO, boot: Some(Span::ZERO) }));
    let read = clocks.clone();
    let links = vec![runner.contact.clone()];
    let log = OutageLog::open(own.store.clone(), own_host, links).await.expect("opens");
    let mut log = log.with_clocks(began, move || *read.lock().expect("no panic"));
    let mut look = async |wall: Timestamp, awake: u32, boot: u32| {
        let boot = Some(Span::from_secs(boot));
        *clocks.lock().expect("no panic") = Clocks { wall, awake: Span::from_secs(awake), boot };
        log.pass(Pass { now: wall }).await.expect("looks");
    };
    look(began - Span::from_secs(3_610), 0, 0).await;
    look(began, 10, 3_610).await;
    let seen = outages(&current(), org, 1).await;
    assert_eq!(words(&seen), [("suspended", true)]);
    assert_eq!((seen[0].at, seen[0].until), (began - Span::from_secs(3_600), Some(began)));

    // An outage of the hub reaches it after its restart.
    let mut runner = runner;
    current().stop().await;
    runner.linked.down().await;
    look(wall() + Span::from_secs(20), 40, 3_640).await;
    let mut again = store::Options::new(&db.url);
    again.connections = 4;
    let again = Store::open(&again).await.expect("opens again");
    let options = Options { heartbeat: Span::from_millis(200), ..Options::default() };
    let again = Hub::open(again, options, Clock::system()).await.expect("opens");
    *replaceable.lock().expect("no panic") = again;
    runner.linked.up().await;
    look(wall() + Span::from_secs(30), 50, 3_650).await;
    let seen = outages(&current(), org, 2).await;
    assert_eq!(words(&seen), [("hub_away", true), ("suspended", true)]);
    assert!(seen[0].text.contains("the link to the hub in this process was down"), "{}", seen[0].text);

    // A restarted runner reports nothing twice.
    runner.stop().await;
    OutageLog::open(own.store.clone(), own_host, Vec::new()).await.expect("opens");
    let runner = Runner::start(&replaceable, &identity, &own.store, "two").await;
    assert_eq!(outages(&current(), org, 2).await, seen);
    runner.stop().await;
    current().stop().await;
    own_hub.stop().await;
});
