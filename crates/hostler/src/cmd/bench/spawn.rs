//! `hostler bench spawn`: throughput and memory of real processes, with a hub and a runner as in production.

use std::{
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
    time::{Duration, Instant},
};

use clap::Args;
use futures_util::{StreamExt as _, stream};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use super::figures::{failed, figure, rate};
use crate::{client::Client, fail::Result, globals::Globals, messages, output::text};

/// Measure real processes per second, with shim, log and result, and their memory
#[derive(Args)]
pub(crate) struct SpawnArgs {
    /// Number of jobs
    #[arg(long, default_value_t = 2_000)]
    jobs: usize,
    /// Number of jobs that run at the same time
    #[arg(long, default_value_t = 16)]
    slots: u32,
    /// Program that the jobs run
    #[arg(long, default_value = "/bin/true")]
    program: String,
}

/// Time limit of every wait except the one for all jobs.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit of the wait for all jobs.
const JOBS_TIMEOUT: Duration = Duration::from_secs(300);
/// Poll interval.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A hub and a runner in temporary data folders.
struct SpawnBench {
    folder: tempfile::TempDir,
    address: String,
    client: Client,
    hub: Child,
    runner: Option<Child>,
}

pub(crate) async fn spawn(globals: &Globals, args: SpawnArgs) -> Result<ExitCode> {
    messages::note(globals, format!("{} × {}, {} at the same time", args.jobs, args.program, args.slots));
    let mut bench = SpawnBench::start(globals).await?;
    bench.join(globals, args.slots).await?;
    // By then the processes have returned the memory that only startup needed.
    tokio::time::sleep(Duration::from_secs(15)).await;
    let runner = bench.runner.as_ref().and_then(Child::id);
    for (name, pid) in [("idle runner", runner), ("idle hub", bench.hub.id())] {
        figure("memory", name, pid.map_or(f64::NAN, pss_mb), "MB");
    }
    // Measured together, because the shims share the pages of the executable and PSS splits shared pages among them.
    figure("memory", "idle shim", bench.shims_mb(args.slots).await? / f64::from(args.slots), "MB");
    let with_hostler = bench.jobs(&args).await?;
    figure("spawn", "jobs with shim, log and result", with_hostler, "jobs/s");
    figure("memory", "runner after them", runner.map_or(f64::NAN, pss_mb), "MB");
    let direct = rate_without_hostler(&args).await?;
    figure("spawn", "plain start and wait", direct, "processes/s");
    figure("spawn", "ratio", with_hostler / direct, "×");
    bench.stop().await;
    Ok(ExitCode::SUCCESS)
}

/// The proportional set size of a process: its private memory plus its share of shared pages.
fn pss_mb(pid: u32) -> f64 {
    let kb = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("Pss:"))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    });
    kb.map_or(f64::NAN, |kb| kb / 1_024.0)
}

fn start_hostler(home: &Path, words: &[&str], log: &Path) -> Result<Child> {
    let log = std::fs::OpenOptions::new().create(true).append(true).open(log).map_err(failed)?;
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.arg("--home").arg(home).args(words).env("HOSTLER_LOG", "warn").stdin(Stdio::null());
    command.stdout(log.try_clone().map_err(failed)?).stderr(log).kill_on_drop(true).spawn().map_err(failed)
}

/// Polls until a value is available.
async fn until<T>(event: &str, timeout: Duration, mut poll: impl AsyncFnMut() -> Option<T>) -> Result<T> {
    let end = Instant::now() + timeout;
    while Instant::now() < end {
        if let Some(found) = poll().await {
            return Ok(found);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Err(failed(format!("{event} did not happen in {} s", timeout.as_secs())))
}

impl SpawnBench {
    async fn start(globals: &Globals) -> Result<Self> {
        let folder = tempfile::tempdir().map_err(failed)?;
        let home = folder.path().join("hub");
        // The port was free a moment ago, and no other process knows of it.
        let address = std::net::TcpListener::bind("127.0.0.1:0").and_then(|port| port.local_addr()).map_err(failed)?;
        let address = address.to_string();
        let hub = start_hostler(&home, &["hub", "--listen", &address], &folder.path().join("log"))?;
        let globals = Globals { hub: None, home: Some(home), org: None, ..globals.clone() };
        let client = until("the hub's answer", TIMEOUT, async || {
            let client = Client::new(&globals).ok()?;
            client.get("/jobs/summary").await.ok().map(|_| client)
        })
        .await?;
        Ok(Self { folder, address, client, hub, runner: None })
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("runner")
    }

    async fn join(&mut self, globals: &Globals, slots: u32) -> Result<()> {
        let token = self.client.send(Method::POST, &self.client.path("/join-tokens"), Some(&json!({}))).await?;
        let log = self.folder.path().join("log");
        let words = ["join", &format!("http://{}", self.address), &text(&token, "secret"), "--name", "bench"];
        let joined = start_hostler(&self.home(), &words, &log)?.wait().await.map_err(failed)?;
        if !joined.success() {
            return Err(failed(std::fs::read_to_string(&log).unwrap_or_default()));
        }
        self.runner = Some(start_hostler(&self.home(), &["runner"], &log)?);
        let limits = json!({"max_running": slots});
        self.client.send(Method::PATCH, &self.client.path("/hosts/bench"), Some(&limits)).await?;
        until("the runner's hello", TIMEOUT, async || {
            let host = self.client.get("/hosts/bench").await.ok()?;
            (text(&host, "status") == "online").then_some(())
        })
        .await?;
        messages::note(globals, "  hub and runner are running");
        Ok(())
    }

    /// The total memory of the shims of `count` running jobs. The jobs are canceled afterwards.
    async fn shims_mb(&self, count: u32) -> Result<f64> {
        let job = json!({"definition_key": "sleep", "payload": {"seconds": 600}});
        let jobs = Value::Array(vec![job; count as usize]);
        let made = self.client.send(Method::POST, &self.client.path("/jobs"), Some(&jobs)).await?;
        let made = made.pointer("/results").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut shims = Vec::with_capacity(made.len());
        for job in &made {
            let attempts = format!("/jobs/{}/attempts", text(job, "id"));
            let started = until("the start of a job", TIMEOUT, async || {
                let runs = self.client.get(&attempts).await.ok()?;
                let pid = runs.pointer("/items/0/pid").and_then(Value::as_u64)?;
                parent(pid)
            });
            shims.push(started.await?);
        }
        let memory = shims.iter().map(|shim| pss_mb(*shim)).sum();
        for job in &made {
            let cancel = self.client.path(&format!("/jobs/{}/cancel", text(job, "id")));
            self.client.send(Method::POST, &cancel, Some(&json!({}))).await?;
        }
        until("the end of these jobs", TIMEOUT, async || {
            let summary = self.client.get("/jobs/summary").await.ok()?;
            (summary.get("running").and_then(Value::as_u64) == Some(0)).then_some(())
        })
        .await?;
        Ok(memory)
    }

    async fn jobs(&self, args: &SpawnArgs) -> Result<f64> {
        let definition = json!({"key": "bench-nothing", "argv": [args.program], "arg_schema": {}});
        self.client.send(Method::POST, "/api/v1/admin/jobs/definitions", Some(&definition)).await?;
        let succeeded = async || {
            let summary = self.client.get("/jobs/summary").await.ok()?;
            Some(summary.pointer("/counts/succeeded").and_then(Value::as_u64).unwrap_or(0))
        };
        let before = until("an answer", TIMEOUT, succeeded).await?;
        let expected = before + args.jobs as u64;
        let began = Instant::now();
        for chunk in (0..args.jobs).collect::<Vec<_>>().chunks(1_000) {
            let rows: Vec<Value> = chunk.iter().map(|_| json!({"definition_key": "bench-nothing"})).collect();
            self.client.send(Method::POST, &self.client.path("/jobs"), Some(&rows)).await?;
        }
        until("the end of all jobs", JOBS_TIMEOUT, async || {
            succeeded().await.filter(|count| *count >= expected).map(drop)
        })
        .await?;
        Ok(rate(args.jobs, began.elapsed()))
    }

    async fn stop(mut self) {
        for child in self.runner.iter_mut().chain([&mut self.hub]) {
            let _ = child.kill().await;
        }
    }
}

fn parent(pid: u64) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// Starts per second of the same program without Hostler.
async fn rate_without_hostler(args: &SpawnArgs) -> Result<f64> {
    let began = Instant::now();
    let starts = stream::iter(0..args.jobs)
        .map(|_| async { Command::new(&args.program).stdin(Stdio::null()).stdout(Stdio::null()).status().await });
    let ended: Vec<_> = starts.buffer_unordered(args.slots as usize).collect().await;
    if let Some(Err(error)) = ended.into_iter().find(Result::is_err) {
        return Err(failed(error));
    }
    Ok(rate(args.jobs, began.elapsed()))
}
