//! Fixtures for engine tests: real processes, with the test in place of the hub.

use std::{path::PathBuf, time::Duration};

use domain::{
    DefinitionId, HubId, JobId, OrgId, RunId, Timestamp,
    argv::Argv,
    definition::{Definition, Trust},
    id::IdSource,
    log_budget::LogBudget,
    trust::OrderSender,
};
use proto::{
    link::ToHub,
    work::{Grant, Grants, Kept, LogLine, ProgressFrame, RunResult, Verdicts},
};
use runner::{
    EngineChannel, HubGate,
    channel::{HubMessage, Outgoing},
    exec::Confinement,
    servers::ServerManager,
    work::{Engine, EngineSettings},
};
use runtime::{Shutdown, TaskTracker};
use serde_json::{Value, json};
use store::Store;
use tempfile::TempDir;
use tokio::{
    sync::mpsc::{Receiver, Sender},
    task::JoinHandle,
};

/// Time limit for every wait.
const PATIENCE: Duration = Duration::from_secs(30);

/// A machine: the data folder of its runner.
pub(crate) struct Machine {
    pub(crate) home: TempDir,
}

/// A runner on the machine, and the frames it has sent.
pub(crate) struct Runner {
    to_runner: Sender<HubMessage>,
    from_runner: Receiver<Outgoing>,
    shutdown: Shutdown,
    tasks: TaskTracker,
    store: Store,
    work: JoinHandle<()>,
    epoch: i64,
    pub(crate) lines: Vec<LogLine>,
    pub(crate) results: Vec<RunResult>,
    pub(crate) progress: Vec<ProgressFrame>,
    /// Number of received inventories.
    pub(crate) inventory: usize,
}

impl Machine {
    pub(crate) fn new() -> Self {
        Self { home: TempDir::new().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    pub(crate) fn settings(&self) -> EngineSettings {
        EngineSettings {
            folder: self.path("runs"),
            slots: 4,
            socket: self.path("runner.sock"),
            source: "hub".to_owned(),
        }
    }

    /// Starts a runner and begins a session with it.
    pub(crate) async fn start(&self) -> Runner {
        self.start_trusting(Trust::Hub).await
    }

    /// Starts a runner with this trust in its hub.
    pub(crate) async fn start_trusting(&self, trust: Trust) -> Runner {
        let settings = &self.settings();
        let url = format!("sqlite:{}", self.path("runner.db").display());
        let store = Store::open(&store::Options::new(url)).await.expect("the database opens");
        let ((to_runner, from_link), (to_link, from_runner)) =
            (tokio::sync::mpsc::channel(100), tokio::sync::mpsc::channel(100));
        let (shutdown, tasks) = (Shutdown::default(), TaskTracker::default());
        let channel = EngineChannel { from_link, to_link, outbox: tokio::sync::watch::Sender::new(None) };
        let kept = runner::servers::ServerSettings {
            folder: self.path("servers"),
            confinement: std::sync::Arc::new(Confinement::none(self.home.path())),
        };
        let (manager, servers) = ServerManager::new(store.clone(), &kept, tasks.clone()).expect("created");
        let sender = OrderSender::Joined(HubId::from_bytes([1; 16]));
        let gate = HubGate::new(trust, sender, self.path("catalogue.d"), servers);
        let engine =
            Engine::new(store.clone(), settings, "web-1".into(), channel, gate, tasks.clone()).expect("created");
        let stop = shutdown.clone();
        #[expect(clippy::disallowed_methods, reason = "the test waits for it")]
        let work = tokio::spawn(async move {
            tokio::join!(engine.run(stop.clone()), manager.run(stop));
        });
        let (lines, results, progress) = (Vec::new(), Vec::new(), Vec::new());
        let mut runner = Runner {
            to_runner,
            from_runner,
            shutdown,
            tasks,
            store,
            work,
            epoch: 1,
            lines,
            results,
            progress,
            inventory: 0,
        };
        runner
            .send(HubMessage::Begun {
                epoch: 1,
                lost_after_ms: 300_000,
                log_budget: LogBudget::default(),
                name: "web-1".into(),
            })
            .await;
        runner.send(HubMessage::Verdicts(Verdicts { stop: Vec::new() })).await;
        runner.until(|runner| runner.inventory > 0).await;
        runner
    }
}

impl Runner {
    pub(crate) async fn send(&self, message: HubMessage) {
        self.to_runner.send(message).await.expect("the runner is alive");
    }

    /// Grants a run of this definition.
    pub(crate) async fn grant(&self, grant: &Grant, definition: &Definition) {
        let grants = Grants { grants: vec![grant.clone()], definitions: vec![definition.clone()] };
        self.send(HubMessage::Grants(grants)).await;
    }

    /// Handles the frames of the runner like a hub that stores everything, until a condition holds.
    pub(crate) async fn until(&mut self, is_true: impl Fn(&Self) -> bool) {
        while !is_true(self) {
            let received = tokio::time::timeout(PATIENCE, self.from_runner.recv()).await;
            let outgoing = received.unwrap_or_else(|_| panic!("{:?} {:?}", self.lines, self.results)).expect("alive");
            assert_eq!(outgoing.epoch, self.epoch);
            match outgoing.frame {
                ToHub::Log(log) => {
                    let through = log.lines.last().map_or(0, |line| line.no);
                    self.lines.extend(log.lines);
                    self.send(HubMessage::Logged { run: log.run, through }).await;
                }
                ToHub::Results(results) => {
                    self.results.extend(results.results);
                    self.send(HubMessage::Settled { through: results.through }).await;
                }
                ToHub::Progress(frame) => self.progress.push(frame),
                ToHub::Inventory(_) => self.inventory += 1,
                _ => {}
            }
        }
    }

    /// The result of the only run.
    pub(crate) async fn result(&mut self) -> RunResult {
        self.until(|runner| !runner.results.is_empty()).await;
        self.results.remove(0)
    }

    /// All received lines, as one text.
    pub(crate) fn output(&self) -> String {
        self.lines.iter().map(|line| format!("{}\n", line.text)).collect()
    }

    /// Stops the runner; its runs continue.
    pub(crate) async fn stop(self) {
        self.shutdown.begin();
        self.work.await.expect("it ends");
        self.tasks.stop(Duration::ZERO).await;
        self.store.close().await;
    }
}

pub(crate) fn id<K>() -> domain::Id<K> {
    use std::sync::{Mutex, OnceLock, PoisonError};
    static SOURCE: OnceLock<Mutex<IdSource>> = OnceLock::new();
    let source = SOURCE.get_or_init(Mutex::default);
    source.lock().unwrap_or_else(PoisonError::into_inner).next(runtime::clock::wall(), 7)
}

/// A definition that runs a script; its slots are `$1`, `$2` and so on.
pub(crate) fn script(text: &str, slots: &[&str], schema: Value) -> Definition {
    let mut argv = vec![json!("/bin/sh"), json!("-c"), json!(text), json!("script")];
    argv.extend(slots.iter().map(|slot| json!(slot)));
    let argv = Argv::parse(Value::Array(argv)).expect("a command");
    let id: DefinitionId = id();
    Definition::new(id, "script", argv, schema, Timestamp::from_micros(0))
}

/// A grant for a run of the definition.
pub(crate) fn granted(definition: &Definition, payload: Value) -> Grant {
    let (job, run, org): (JobId, RunId, OrgId) = (id(), id(), id());
    Grant {
        job,
        fence: 1,
        run,
        org,
        org_slug: "acme".into(),
        definition: definition.id,
        version: definition.version,
        payload,
        secrets: Kept::default(),
        hidden: Kept::default(),
        timeout_ms: 60_000,
        is_leased: false,
        correlation_id: None,
    }
}
