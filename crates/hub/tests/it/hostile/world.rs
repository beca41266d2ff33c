//! A hub with a victim and two attackers: the org `acme` with an honest host, the org `beta` with a hostile one, and a
//! hostile host of `beta` that also runs jobs of `acme`.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use domain::{HostId, OrgId, Span, job::RunStatus};
use hostile::{
    attacks::Page,
    channel::{Channel, HostKey, Refusal, hello},
    frames::Shape,
    names::{KnownIds, Names},
    rows::{RowKind, row},
    session::{Ended, RawSession},
};
use http_body_util::BodyExt as _;
use hub::{Hub, Options};
use proto::{
    api::host::JoinTokenRequest,
    work::{Grant, RunRef},
};
use runtime::Clock;
use serde_json::{Value, json};
use store::{Store, dump::Shape as TableShape};
use tempfile::TempDir;
use testkit::TestDb;
use tower::ServiceExt as _;

use crate::fixture::{Answer, As, join_request, local, request};

/// A runner of the test: its key, and its open session.
pub(crate) struct RawRunner {
    pub(crate) key: HostKey,
    pub(crate) session: RawSession,
    /// The runs that it has not ended.
    pub(crate) held: Vec<RunRef>,
}

/// The hub, its orgs and its runners.
pub(crate) struct HostileWorld {
    pub(crate) hub: Hub,
    store: Store,
    pub(crate) acme: OrgId,
    pub(crate) beta: OrgId,
    pub(crate) honest: RawRunner,
    /// A host of beta.
    pub(crate) attacker: RawRunner,
    /// A host of beta that is shared with acme.
    pub(crate) shared: RawRunner,
    /// The targets of the attacks: a running job of acme, a finished one, and rows that acme's host has replicated.
    pub(crate) victims: [Names; 3],
    pub(crate) removed: Names,
    /// The seed of its key.
    pub(crate) removed_seed: [u8; 32],
    /// The job of acme that the shared host runs.
    pub(crate) lent: Option<Grant>,
    /// Things that the attackers own.
    owned: BTreeSet<String>,
    tables: Vec<TableShape>,
    _folder: TempDir,
}

/// Tables that honest work and background loops change at any time.
const VOLATILE: &[&str] =
    &["holder", "host_usage", "tally", "event", "audit", "audit_head", "sample", "lane", "quota", "notice", "alert"];
/// Tables with rejected data and the ids in it.
const EVIDENCE: &[&str] = &["stale_report", "sync_parked", "host_rejection", "rejection"];
/// Tables whose key has the host that wrote the row, so that a row with an id of a victim is not a row of the victim. The
/// attackers own the only ones with their hosts.
const OF_A_HOST: &[&str] = &["replicated_log", "sync_row", "sync_cursor"];
/// Tables of the whole hub, which no host may change.
const OF_THE_HUB: &[&str] = &["sync_hub", "hub_identity"];

/// The seed of a key by a short number.
fn seed(number: u8) -> [u8; 32] {
    [number; 32]
}

impl HostileWorld {
    pub(crate) async fn new(db: &TestDb) -> Self {
        let folder = TempDir::new().expect("a folder");
        // No heartbeat is due during the test, so that rows change only when the test says so.
        let options = Options {
            heartbeat: Span::from_secs(3_600),
            lost_after: Span::from_secs(7_200),
            requests_per_second: 1_000_000,
            runners_per_second: 1_000_000,
            secret_key_file: Some(folder.path().join("secret.key")),
            ..Options::default()
        };
        let hub = Hub::open(db.store.clone(), options, Clock::system()).await.expect("the hub opens");
        let acme = org(&hub, "acme").await;
        let beta = org(&hub, "beta").await;
        let honest = RawRunner::join(&hub, acme, "web-1", 1).await;
        let attacker = RawRunner::join(&hub, beta, "evil", 2).await;
        let shared = RawRunner::join(&hub, beta, "pool-1", 3).await;
        let none = Names::all([0; 16]);
        let mut world = Self {
            tables: db.store.shapes().await.expect("the tables"),
            store: db.store.clone(),
            hub,
            acme,
            beta,
            honest,
            attacker,
            shared,
            victims: [none; 3],
            removed: none,
            removed_seed: seed(4),
            lent: None,
            owned: BTreeSet::new(),
            _folder: folder,
        };
        world.furnish(beta).await;
        world
    }

    /// Gives acme jobs, a server, a trigger and replicated rows, and the shared host a job of acme.
    async fn furnish(&mut self, beta: OrgId) {
        for (org, host) in [("acme", "web-1"), ("beta", "pool-1"), ("beta", "evil")] {
            self.ok("PATCH", &format!("/api/v1/orgs/{org}/hosts/{host}"), json!({"max_running": 100})).await;
        }
        self.ok("POST", "/api/v1/orgs/beta/hosts/pool-1/share", json!({"org": "acme"})).await;
        let server = json!({"name": "cache", "host": "web-1", "argv": ["redis-server"]});
        let server = self.ok("POST", "/api/v1/orgs/acme/servers", server).await;
        let trigger = json!({"label": "nightly", "cron_expr": "0 2 * * *", "definition_key": "hello"});
        let trigger = self.ok("POST", "/api/v1/orgs/acme/jobs/triggers", trigger).await;
        self.ok("PUT", "/api/v1/orgs/acme/secrets/PASSWORD", json!({"value": "hunter2"})).await;
        self.ok(
            "POST",
            "/api/v1/orgs/acme/jobs",
            json!({"definition_key": "hello", "scheduled_for": "2100-01-01T00:00:00Z"}),
        )
        .await;
        let finished = self.run_honest_job().await;
        let failed = self.start_on_honest().await;
        self.honest.session.finish(&failed, RunStatus::Failed).await.expect("the link stays open");
        let running = self.start_on_honest().await;
        self.honest.session.log(&running, 1, "private output").await.expect("the link stays open");
        self.honest.session.barrier().await.expect("the link stays open");
        self.honest.held.push(run_ref(&running));
        let names = |grant: &Grant| Names {
            host: self.honest.key.host,
            org: self.acme,
            job: grant.job,
            fence: grant.fence,
            run: grant.run,
            server: id_of(&server),
            order: domain::OrderId::from_bytes([9; 16]),
            definition: grant.definition,
            trigger: id_of(&trigger),
        };
        let (running, finished) = (names(&running), names(&finished));
        let replicated = Names { host: self.honest.key.host, org: self.acme, ..Names::all([0xac; 16]) };
        self.honest.session.begin_sync().await.expect("the link stays open");
        replicate(&mut self.honest.session, &replicated).await.expect("the link stays open");
        assert_eq!(self.honest.session.rejected, Vec::<Value>::new(), "the rows of an honest host are accepted");
        self.victims = [running, finished, replicated];
        self.removed = self.remove_a_host().await;
        self.lend_a_job(beta).await;
        self.attacker.session.begin_sync().await.expect("the link stays open");
        self.shared.session.begin_sync().await.expect("the link stays open");
    }

    /// A host of acme with rows of its own that was removed.
    async fn remove_a_host(&mut self) -> Names {
        let mut gone = RawRunner::join(&self.hub, self.acme, "gone", 4).await;
        let names = Names { host: gone.key.host, org: self.acme, ..Names::all([0xdd; 16]) };
        gone.session.begin_sync().await.expect("the link stays open");
        replicate(&mut gone.session, &names).await.expect("the link stays open");
        self.hub.leave(&local(), self.acme, gone.key.host).await.expect("the host leaves");
        names
    }

    /// Gives the shared host a job of acme.
    async fn lend_a_job(&mut self, beta: OrgId) {
        let job =
            self.ok("POST", "/api/v1/orgs/acme/jobs", json!({"definition_key": "hello", "max_attempts": 1})).await;
        let grant = self.shared.session.take().await.expect("the shared host gets the job");
        assert_eq!(json!(grant.job), job["id"]);
        self.shared.held.push(run_ref(&grant));
        let ids = [
            self.attacker.key.host.to_bytes(),
            self.shared.key.host.to_bytes(),
            beta.to_bytes(),
            grant.job.to_bytes(),
            grant.run.to_bytes(),
        ];
        self.owned = ids.iter().map(hex).collect();
        self.lent = Some(grant);
    }

    /// The knowledge of an attacker, with this victim.
    pub(crate) fn known(&self, host: HostId, victim: Names) -> KnownIds {
        KnownIds { own: Names { host, ..Names::all([0xbe; 16]) }, victim, removed: self.removed }
    }

    pub(crate) async fn call(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let response =
            self.hub.app().oneshot(request(&As::Local, method, path, body)).await.expect("the router answers");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the body ends").to_bytes();
        Answer { status: parts.status, headers: parts.headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// A request that succeeds.
    pub(crate) async fn ok(&self, method: &str, path: &str, body: Value) -> Value {
        let answer = self.call(method, path, (method != "GET").then_some(body)).await;
        assert!(answer.status.is_success(), "{method} {path}: {} {}", answer.status, answer.text);
        serde_json::from_str(&answer.text).unwrap_or(Value::Null)
    }

    /// Creates a job on the honest host and starts it there.
    pub(crate) async fn start_on_honest(&mut self) -> Grant {
        let job = json!({"definition_key": "hello", "host": "web-1", "max_attempts": 1});
        let made = self.ok("POST", "/api/v1/orgs/acme/jobs", job).await;
        let grant = self.honest.session.take().await.expect("the honest host gets its job");
        assert_eq!(json!(grant.job), made["id"]);
        grant
    }

    /// Runs a job on the honest host, and asserts that it succeeded with its only run.
    pub(crate) async fn run_honest_job(&mut self) -> Grant {
        let grant = self.start_on_honest().await;
        self.honest.session.finish(&grant, RunStatus::Succeeded).await.expect("the result is stored");
        let job = self.ok("GET", &format!("/api/v1/orgs/acme/jobs/{}", grant.job), Value::Null).await;
        assert_eq!((&job["status"], &job["attempt_count"]), (&json!("succeeded"), &json!(1)), "{job}");
        grant
    }

    /// Asserts that the hub is ready and that an honest job still succeeds.
    pub(crate) async fn assert_works(&mut self, after: &str) {
        let ready = self.call("GET", "/readyz", None).await;
        assert_eq!(ready.status, StatusCode::OK, "after {after}: {}", ready.text);
        self.run_honest_job().await;
    }

    /// The rows of acme and of the hub itself, by table.
    pub(crate) async fn rows_of_victims(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut ids: BTreeSet<String> = self
            .victims
            .iter()
            .chain([&self.removed])
            .flat_map(|names| {
                [
                    names.host.to_bytes(),
                    names.job.to_bytes(),
                    names.run.to_bytes(),
                    names.server.to_bytes(),
                    names.trigger.to_bytes(),
                    names.definition.to_bytes(),
                ]
            })
            .map(|bytes| hex(&bytes))
            .collect();
        let org = hex(&self.acme.to_bytes());
        ids.insert(org.clone());
        let is_kept = |table: &str, row: &str| {
            // Its rows name no org. An attacker can use the id of the org as the id of a definition of its own.
            if table == "definition_version" {
                return ids.iter().any(|id| *id != org && row.contains(id.as_str()));
            }
            let is_owned = || self.owned.iter().any(|id| row.contains(id.as_str()));
            if OF_THE_HUB.contains(&table) {
                return true;
            }
            ids.iter().any(|id| row.contains(id.as_str()))
                && !VOLATILE.contains(&table)
                && !(is_owned() && (EVIDENCE.contains(&table) || OF_A_HOST.contains(&table) || !self.is_victims(row)))
        };
        let mut kept: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (table, row) in all_rows(&self.store, &self.tables).await {
            if is_kept(&table, &row) {
                kept.entry(table).or_default().insert(row);
            }
        }
        kept
    }

    /// All rows of a table.
    pub(crate) async fn rows_of(&self, table: &str) -> Vec<Value> {
        let rows = all_rows(&self.store, &self.tables).await.into_iter().filter(|(name, _)| name == table);
        rows.map(|(_, row)| serde_json::from_str(&row).expect("rows are JSON")).collect()
    }

    /// The place of a column in the rows of a table.
    pub(crate) fn column(&self, table: &str, column: &str) -> usize {
        let shape = self.tables.iter().find(|shape| shape.table == table).expect("the table exists");
        shape.columns.iter().position(|(name, _)| name == column).expect("the column exists")
    }

    /// Whether a row is about a thing of acme, beyond naming the org.
    fn is_victims(&self, row: &str) -> bool {
        let ids = self
            .victims
            .iter()
            .chain([&self.removed])
            .flat_map(|names| [names.host.to_bytes(), names.job.to_bytes(), names.run.to_bytes()]);
        ids.map(|bytes| hex(&bytes)).any(|id| row.contains(&id))
    }
}

/// All rows of the hub, each with the name of its table.
async fn all_rows(store: &Store, tables: &[TableShape]) -> Vec<(String, String)> {
    let (sender, mut batches) = tokio::sync::mpsc::channel(64);
    let skip = vec![0; tables.len()];
    let reading = async {
        store.dump(tables, &skip, &sender).await.expect("the tables can be read");
        drop(sender);
    };
    let collecting = async {
        let mut rows = Vec::new();
        while let Some(batch) = batches.recv().await {
            rows.extend(batch.rows.iter().map(|row| (tables[batch.table].table.clone(), row.to_string())));
        }
        rows
    };
    tokio::join!(reading, collecting).1
}

/// The rows that are in one of two states only, for people.
pub(crate) fn difference(
    before: &BTreeMap<String, BTreeSet<String>>,
    after: &BTreeMap<String, BTreeSet<String>>,
) -> String {
    let none = BTreeSet::new();
    let tables: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut lines = String::new();
    for table in tables {
        let (old, new) = (before.get(table).unwrap_or(&none), after.get(table).unwrap_or(&none));
        for (sign, row) in old.difference(new).map(|row| ('-', row)).chain(new.difference(old).map(|row| ('+', row))) {
            lines.push_str(&format!("\n{sign} {table} {}", row.chars().take(600).collect::<String>()));
        }
    }
    lines
}

impl RawRunner {
    /// Joins an org with a new key and opens a session.
    pub(crate) async fn join(hub: &Hub, org: OrgId, name: &str, number: u8) -> Self {
        let token = hub.join_token_create(&local(), org, JoinTokenRequest::default()).await.expect("a join token");
        let joined = hub.join(&local(), join_request(&token.secret, name, seed(number))).await.expect("joins");
        let key = HostKey::new(seed(number), joined.host_id, hub.identity.public_key());
        let session = open(hub, &key).await.expect("a joined host may open a session");
        let mut runner = Self { key, session, held: Vec::new() };
        runner.session.inventory(&[]).await.expect("the link stays open");
        runner
    }

    /// Opens a session in place of one that the hub has ended.
    pub(crate) async fn reconnect(&mut self, hub: &Hub) -> Result<(), Refusal> {
        self.session = open(hub, &self.key).await?;
        let ended = |_| Refusal(Value::Null);
        self.session.inventory(&self.held).await.map_err(ended)?;
        self.session.begin_sync().await.map_err(ended)
    }
}

/// Opens a session through a pipe.
pub(crate) async fn open(hub: &Hub, key: &HostKey) -> Result<RawSession, Refusal> {
    let channel = connect(hub).await;
    RawSession::open(channel, key, &hello(key.host, "test", &[])).await
}

/// Opens a WebSocket through a pipe.
pub(crate) async fn connect(hub: &Hub) -> Channel {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    hub.serve_pipe(theirs);
    Channel::open(ours, "hostler").await.expect("the hub opens a link")
}

/// Sends one row of every table.
async fn replicate(session: &mut RawSession, names: &Names) -> Result<(), Ended> {
    for priority in domain::sync::SyncPriority::ALL {
        let kinds = RowKind::ALL.iter().filter(|kind| kind.priority() == *priority);
        // The org and the key of a definition are unique in the hub: the names of a host mark its rows.
        let shape = Shape { text_bytes: usize::from(names.job.to_bytes()[0]), ..Shape::plain() };
        let rows = kinds.map(|kind| row(*kind, names, &shape)).collect();
        session.page(&Page { is_packed: false, ..Page::next(*priority, rows) }).await?;
    }
    session.sync_barrier().await
}

fn run_ref(grant: &Grant) -> RunRef {
    RunRef { job: grant.job, fence: grant.fence }
}

pub(crate) fn hex(bytes: &[u8; 16]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn id_of<K>(body: &Value) -> domain::Id<K> {
    body["id"].as_str().and_then(|id| id.parse().ok()).expect("an id")
}

async fn org(hub: &Hub, slug: &str) -> OrgId {
    let request = serde_json::from_value(json!({"slug": slug})).expect("a request");
    hub.org_create(&local(), request).await.expect("the org is made").id
}
