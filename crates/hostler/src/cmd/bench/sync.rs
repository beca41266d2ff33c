//! `hostler bench sync`: replication of a large row backlog to an empty hub, and the latency of urgent rows meanwhile.

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::Args;
use domain::{DefinitionId, RunId, Span, sync::SyncPriority};
use hub::Hub;
use proto::Code;
use runner::{Identity, Link, join::Join, sync::RowSync};
use runtime::{Clock, Ids, Random, Shutdown, TaskTracker, clock::wall};
use serde_json::json;
use store::{Store, definition::Definition, log::Chunk};

use crate::{
    cmd::hub::serve::{local_caller, pipe},
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, column, text},
};

/// Rows per write transaction.
const BATCH: usize = 5_000;
/// Interval of the urgent rows, which must not wait behind the backlog.
const URGENT_EVERY: Duration = Duration::from_millis(100);
/// Poll interval of arrivals.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Measure how fast the row backlog of a machine is replicated to an empty hub
#[derive(Args)]
pub(crate) struct SyncArgs {
    /// Database of the hub; rows are added to it and not removed [default: a new SQLite file]
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Number of rows in the backlog: log chunks with one line each
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
}

struct SyncBench {
    hub: Hub,
    runner: Store,
    identity: Identity,
    ids: Ids,
    _folder: tempfile::TempDir,
}

pub(super) async fn sync(globals: &Globals, args: SyncArgs) -> Result<ExitCode> {
    let bench = SyncBench::new(args.database_url).await?;
    messages::note(globals, format!("writing {} …", output::count(args.rows, "row")));
    bench.fill(args.rows).await?;
    let (tasks, shutdown) = (TaskTracker::default(), Shutdown::default());
    let (rows_channel, rows) = RowSync::new(bench.runner.clone(), &bench.identity.hub_key);
    let options = runner::Options {
        dial: pipe(&bench.hub),
        name: None,
        incarnation: data_encoding::HEXLOWER.encode(&Random.bytes::<16>()),
        queues: Vec::new(),
        trust: domain::definition::Trust::Hub,
        role: runner::HubRole::default(),
    };
    let began = Instant::now();
    tasks.spawn(Link::new(options, bench.identity.clone(), None).with_rows(rows_channel).run(shutdown.clone()));
    tasks.spawn(rows.run(shutdown.clone()));
    let backlog = async {
        let took = bench.arrived(args.rows as u64, began).await?;
        shutdown.begin();
        Ok::<_, Failure>(took)
    };
    let (took, urgent) = tokio::join!(backlog, bench.urgent(&shutdown));
    let (took, mut waits) = (took?, urgent?);
    tasks.stop(Duration::from_secs(10)).await;
    waits.sort_unstable();
    let at = |part: f64| waits.get(((waits.len().max(1) - 1) as f64 * part) as usize).map_or(0, |ms| *ms);
    let summary = json!({
        "database": bench.hub.store.kind(),
        "rows": args.rows,
        "seconds": took.as_secs_f64(),
        "rows_per_second": (args.rows as f64 / took.as_secs_f64()).round(),
        "urgent": waits.len(),
        "urgent_ms": {"p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": at(1.0)},
        "memory_mb": memory_mb(),
    });
    bench.hub.stop().await;
    bench.runner.close().await;
    output::one(
        globals,
        summary,
        "database",
        &[
            column("DATABASE", |s| text(s, "database")),
            column("ROWS", |s| text(s, "rows")),
            column("ROWS/S", |s| text(s, "rows_per_second")),
            column("URGENT p50/p95/p99 ms", |s| {
                let of = |name: &str| s["urgent_ms"][name].to_string();
                format!("{} / {} / {} of {}", of("p50"), of("p95"), of("p99"), text(s, "urgent"))
            }),
            column("MEMORY, BOTH SIDES", |s| format!("{} MB at most", text(s, "memory_mb"))),
        ],
    )?;
    Ok(ExitCode::SUCCESS)
}

impl SyncBench {
    async fn new(url: Option<String>) -> Result<Self> {
        let folder = tempfile::tempdir().map_err(|error| Failure::new(Code::FolderUnusable, error.to_string()))?;
        let at = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
        let runner = Store::open(&store::Options::new(at("runner.db"))).await?;
        let now = wall();
        runner.write(move |tx| Box::pin(async move { tx.sync_capture(now) })).await?;
        let store = Store::open(&store::Options::new(url.unwrap_or_else(|| at("hub.db")))).await?;
        let hub = Hub::open(store, hub::Options::default(), Clock::system()).await?;
        let orgs = hub.org_list(&proto::page::PageQuery { cursor: None, limit: Some(1) }).await?.items;
        let org = orgs.first().ok_or_else(|| Failure::new(Code::Internal, "the hub has no org"))?.id;
        let request = proto::api::host::JoinTokenRequest::default();
        let token = hub.join_token_create(&local_caller(), org, request).await?;
        let join = Join {
            dial: pipe(&hub),
            hub_url: None,
            token: token.secret,
            name: Some("backlog".to_owned()),
            always_on: Some(true),
            ignore_clock: true,
            now,
            random: (Random.bytes(), Random.bytes()),
            host_id: None,
            former_key: None,
        };
        let identity = runner::join::join(join).await?.0;
        Ok(Self { hub, runner, identity, ids: Ids::new(Clock::system()), _folder: folder })
    }

    /// Writes log chunks, as a machine has them after a long time without its hub.
    async fn fill(&self, rows: usize) -> Result<()> {
        let mut run: RunId = self.ids.next();
        let now = wall();
        for first in (0..rows).step_by(BATCH) {
            let chunk = |number: usize| {
                let body = Random.bytes::<96>().to_vec();
                let line = i64::try_from(number).unwrap_or(0) + 1;
                Chunk { run_id: run, first_line: line, lines: 1, bytes: 120, body, at: now }
            };
            let chunks: Vec<Chunk> = (0..BATCH.min(rows - first)).map(chunk).collect();
            self.runner.write(move |tx| Box::pin(async move { tx.log_insert(&chunks).await })).await?;
            run = self.ids.next();
        }
        Ok(())
    }

    /// Waits until the hub has stored the whole backlog.
    async fn arrived(&self, rows: u64, began: Instant) -> Result<Duration> {
        let host = self.identity.host_id;
        loop {
            let cursor = self
                .hub
                .store
                .read(move |tx| Box::pin(async move { tx.sync_cursor(host, SyncPriority::Bulk).await }))
                .await?;
            if cursor.place.is_some_and(|place| place.at.seq >= rows) {
                return Ok(began.elapsed());
            }
            tokio::time::sleep(POLL_INTERVAL * 4).await;
        }
    }

    /// Writes small urgent rows and measures the time until the hub has them.
    async fn urgent(&self, shutdown: &Shutdown) -> Result<Vec<u128>> {
        let mut waits = Vec::new();
        for number in 0_u32.. {
            let pause = tokio::time::sleep(URGENT_EVERY);
            tokio::select! {
                () = shutdown.asked() => break,
                () = pause => {}
            }
            let id: DefinitionId = self.ids.next();
            let now = wall();
            let definition = Definition {
                id,
                key: format!("urgent-{number}"),
                version: 1,
                is_active: true,
                body: json!({"argv": ["true"]}),
                created_by: "bench".to_owned(),
                created_at: now,
                updated_at: now + Span::ZERO,
            };
            let began = Instant::now();
            self.runner.write(move |tx| Box::pin(async move { tx.definition_put(&definition, now).await })).await?;
            let key = format!("urgent-{number}@backlog");
            loop {
                let key = key.clone();
                let found =
                    self.hub.store.read(move |tx| Box::pin(async move { tx.definition_get(&key).await })).await?;
                if found.is_some() {
                    waits.push(began.elapsed().as_millis());
                    break;
                }
                tokio::select! {
                    () = shutdown.asked() => return Ok(waits),
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
        }
        Ok(waits)
    }
}

/// The peak resident memory of this process.
fn memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) / 1024
}
