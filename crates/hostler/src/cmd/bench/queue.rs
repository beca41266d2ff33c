//! `hostler bench queue`: the queue on its real path: enqueue → hub → link frames → simulated runners → results.
//!
//! Everything except the database runs in one process. Nothing is disabled: schema checks, limits, audit, events,
//! fences, history, and a commit before every acknowledgement.

use std::{
    process::ExitCode,
    sync::{Arc, PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

use bytes::Bytes;
use clap::Args;
use domain::{Actor, Caller, HostId, OrgId, Role, Span, role::Scope};
use futures_util::StreamExt as _;
use hub::{
    Hub,
    app::{RequestContext, jobs::Maker},
};
use proto::api::{host::HostPatch, job::JobRequest};
use runner::{Dial, Identity, Link, join::Join};
use runtime::{Clock, Random, Shutdown, TaskTracker, clock::wall};
use serde_json::json;
use store::Store;

use super::{
    counters::QueueCounters,
    figures::{failed, figure, ranks, rate},
    http::HttpCaller,
    runners::{idle, slow},
};
use crate::{
    fail::{Failure, Result},
    globals::Globals,
    messages, parse,
};

/// Measure the throughput and latency of the queue
#[derive(Args)]
pub(crate) struct QueueArgs {
    /// Database: sqlite:PATH or postgres://…; it is filled with jobs [default: a new SQLite file]
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Number of jobs to drain
    #[arg(long, default_value_t = 60_000)]
    jobs: usize,
    /// Number of runners
    #[arg(long, default_value_t = 4)]
    runners: usize,
    /// Number of jobs that each runner holds at the same time
    #[arg(long, default_value_t = 1_000)]
    slots: u64,
    /// Number of other jobs in the database: this many scheduled, this many ready of another org, this many finished
    #[arg(long, default_value_t = 0)]
    beside: usize,
    /// Run only these parts, separated by commas: bulk, stream, single, http, drain, latency, fair (only if named), or
    /// fill, which only adds the jobs of --beside
    #[arg(long)]
    parts: Option<String>,
    /// Duration of the parts single and http
    #[arg(long, default_value = "3s")]
    length: String,
}

/// Rows of one bulk request.
const CHUNK: usize = 5_000;
/// Rows of one batch of a stream.
const STREAM_ROWS: usize = 1_000;
/// Number of concurrent callers.
const CALLERS: usize = 16;
/// Number of latency samples, so that the p95 depends on twenty of them.
const SAMPLES: usize = 400;
/// Number of samples before them that are discarded, because every connection prepares each statement once.
const WARM_UP: usize = 100;

fn local_context() -> RequestContext {
    let actor = Actor::Local { uid: 0 };
    let caller = Caller { actor, org: None, role: Some(Role::SuperAdmin), scope: Scope::Api };
    RequestContext::new(caller, "bench", "bench")
}

fn request(queue: Option<&str>) -> JobRequest {
    let target = queue.map(|queue| proto::api::job::JobTarget { queue: Some(queue.to_owned()), ..Default::default() });
    JobRequest {
        definition_key: "hello".to_owned(),
        payload: json!({"name": "bench"}),
        target,
        ..JobRequest::default()
    }
}

/// Measurements of a drain.
struct DrainRate {
    rate: f64,
    /// Number of finished jobs over time.
    progress: Vec<(Duration, u64)>,
}

impl DrainRate {
    /// The rates of the first and the last second, if the drain took long enough for both.
    fn seconds(&self) -> Option<(f64, f64)> {
        const SECOND: Duration = Duration::from_secs(1);
        let (took, all) = *self.progress.last()?;
        let end = took.checked_sub(SECOND).filter(|end| *end > 2 * SECOND)?;
        let by = |at: Duration| self.progress.iter().take_while(|(when, _)| *when <= at).last().copied();
        let ((first_at, first), (last_at, before_last)) = (by(SECOND)?, by(end)?);
        let count = |jobs: u64| usize::try_from(jobs).unwrap_or(0);
        Some((rate(count(first), first_at), rate(count(all - before_last), took - last_at)))
    }
}

/// Runs callers concurrently, each in its own task, and returns the total rate per second.
async fn total_rate<C>(callers: impl Iterator<Item = C>) -> Result<f64>
where
    C: Future<Output = Result<usize>> + Send + 'static,
{
    let began = Instant::now();
    let mut tasks: tokio::task::JoinSet<Result<usize>> = callers.collect();
    let mut made = 0;
    while let Some(ended) = tasks.join_next().await {
        made += ended.map_err(failed)??;
    }
    Ok(rate(made, began.elapsed()))
}

struct QueueBench {
    hub: Hub,
    maker: Maker,
    other: Maker,
    tasks: TaskTracker,
    shutdown: Shutdown,
    counters: Arc<QueueCounters>,
    _folder: Option<tempfile::TempDir>,
}

pub(crate) async fn queue(globals: &Globals, args: QueueArgs) -> Result<ExitCode> {
    let length = parse::span(&args.length)?;
    let bench = QueueBench::new(&args).await?;
    let kind = bench.hub.store.kind();
    messages::note(globals, format!("queue on {kind}, {} runners × {} slots", args.runners, args.slots));
    let includes =
        |part: &str| args.parts.as_deref().is_none_or(|parts| parts.split(',').any(|one| one.trim() == part));
    if args.beside > 0 {
        bench.bulk(&bench.maker, args.jobs, None, None).await?;
        let drained = bench.drain(args.runners, args.slots).await?;
        figure(kind.as_str(), "drain before", drained.rate, "jobs/s");
        bench.fill(globals, args.beside, args.runners, args.slots).await?;
    }
    if includes("latency") {
        bench.latency(kind.as_str()).await?;
    }
    if includes("bulk") || includes("drain") {
        let rate = bench.bulk(&bench.maker, args.jobs, None, None).await?;
        figure(kind.as_str(), "bulk enqueue, one client", rate, "jobs/s");
    }
    if includes("drain") {
        let drained = bench.drain(args.runners, args.slots).await?;
        figure(kind.as_str(), "drain", drained.rate, "jobs/s");
        if let Some((first, last)) = drained.seconds() {
            figure(kind.as_str(), "drain, first second", first, "jobs/s");
            figure(kind.as_str(), "drain, last second", last, "jobs/s");
        }
    }
    // Only if named, because it needs a backlog of another org, which an earlier run may have created.
    if args.parts.is_some() && includes("fair") {
        bench.fair(kind.as_str()).await?;
    }
    // The jobs created from here on are in queues that no runner serves.
    if includes("stream") {
        let rate = bench.stream(args.jobs).await?;
        figure(kind.as_str(), "bulk enqueue, one stream", rate, "jobs/s");
    }
    if includes("single") {
        let rate = bench.single(length).await?;
        figure(kind.as_str(), "single enqueue, 16 callers in process", rate, "jobs/s");
    }
    if includes("http") {
        let rate = bench.http(length).await?;
        figure(kind.as_str(), "single enqueue, 16 HTTP clients", rate, "jobs/s");
    }
    bench.shutdown.begin();
    bench.tasks.stop(Duration::from_secs(5)).await;
    Ok(ExitCode::SUCCESS)
}

impl QueueBench {
    async fn new(args: &QueueArgs) -> Result<Self> {
        let (url, folder) = match &args.database_url {
            Some(url) => (url.clone(), None),
            None => {
                let folder = tempfile::tempdir().map_err(failed)?;
                (format!("sqlite:{}", folder.path().join("bench.db").display()), Some(folder))
            }
        };
        let store = Store::open(&store::Options::new(url)).await?;
        let options =
            hub::Options { requests_per_second: 10_000_000, runners_per_second: 100_000, ..hub::Options::default() };
        let hub = Hub::open(store, options, Clock::system()).await?;
        let orgs = hub.org_list(&proto::page::PageQuery { cursor: None, limit: Some(10) }).await?.items;
        let org = orgs.iter().find(|org| org.slug == domain::org::FIRST_ORG).ok_or_else(|| failed("no org"))?.id;
        let other = match orgs.iter().find(|org| org.slug == "bench-other") {
            Some(other) => other.id,
            None => {
                let request = serde_json::from_value(json!({"slug": "bench-other"})).map_err(failed)?;
                hub.org_create(&local_context(), request).await?.id
            }
        };
        let maker = |org: OrgId| {
            let mut by = local_context();
            by.caller.org = Some(org);
            Maker::new(by, org)
        };
        Ok(Self {
            maker: maker(org),
            other: maker(other),
            hub,
            tasks: TaskTracker::default(),
            shutdown: Shutdown::default(),
            counters: Arc::default(),
            _folder: folder,
        })
    }

    /// Creates jobs in bulk requests, one after the other.
    async fn bulk(&self, maker: &Maker, jobs: usize, queue: Option<&str>, ahead: Option<Span>) -> Result<f64> {
        let mut row = request(queue);
        row.scheduled_for = ahead.map(|ahead| self.hub.now() + ahead);
        let began = Instant::now();
        let mut made = 0;
        while made < jobs {
            let rows = vec![row.clone(); CHUNK.min(jobs - made)];
            let answer = self.hub.job_create_bulk(maker, &rows).await?;
            if answer.refused > 0 {
                return Err(failed("a job was rejected"));
            }
            made += rows.len();
        }
        Ok(rate(jobs, began.elapsed()))
    }

    /// Joins a host for a simulated runner.
    async fn identity(&self, number: usize) -> Result<Identity> {
        let org = self.maker.org;
        let token =
            self.hub.join_token_create(&local_context(), org, proto::api::host::JoinTokenRequest::default()).await?;
        let join = Join {
            dial: self.pipe(),
            hub_url: None,
            token: token.secret,
            name: Some(format!("bench-{number}")),
            always_on: Some(true),
            ignore_clock: true,
            now: wall(),
            random: (Random.bytes(), Random.bytes()),
            host_id: None,
            former_key: None,
        };
        let identity = runner::join::join(join).await?.0;
        let patch = HostPatch { max_running: Some(Some(100_000)), ..HostPatch::default() };
        let mut by = local_context();
        by.caller.org = Some(org);
        let host: HostId = identity.host_id;
        self.hub.host_update(&by, org, &host.to_string(), patch).await?;
        Ok(identity)
    }

    fn pipe(&self) -> Dial {
        let hub = self.hub.clone();
        Dial::Pipe(Arc::new(move || {
            let (ours, theirs) = tokio::io::duplex(256 * 1024);
            hub.serve_pipe(theirs);
            ours
        }))
    }

    /// Starts a runner that answers every grant with a success after `length`.
    fn start(&self, identity: Identity, (slots, length): (u64, Duration), tasks: &TaskTracker, shutdown: &Shutdown) {
        let (link_channel, engine_channel) = runner::channels();
        let options = runner::Options {
            dial: self.pipe(),
            name: None,
            incarnation: data_encoding::HEXLOWER.encode(&Random.bytes::<16>()),
            queues: Vec::new(),
            trust: domain::definition::Trust::Hub,
            role: runner::HubRole::default(),
        };
        let link = Link::new(options, identity, None)
            .with_engine(link_channel)
            .with_meter(proto::metrics::HostMetrics::default);
        tasks.spawn(link.run(shutdown.clone()));
        let own = self.maker.org;
        if length.is_zero() {
            tasks.spawn(idle(engine_channel, slots, self.counters.clone(), own));
        } else {
            tasks.spawn(slow(engine_channel, slots, length, self.counters.clone(), own));
        }
    }

    /// Drains everything that is ready; returns jobs per second from the first grant to the last commit.
    async fn drain(&self, runners: usize, slots: u64) -> Result<DrainRate> {
        let summary = self.hub.job_summary(self.maker.org).await?;
        let jobs = u64::try_from(summary.queued).unwrap_or(0);
        let (tasks, shutdown) = (TaskTracker::default(), Shutdown::default());
        let mut identities = Vec::new();
        for number in 0..runners {
            identities.push(self.identity(number).await?);
        }
        let before = self.counters.settled.load(Ordering::SeqCst);
        let granted = self.counters.granted.load(Ordering::SeqCst);
        for identity in identities {
            self.start(identity, (slots, Duration::ZERO), &tasks, &shutdown);
        }
        while self.counters.granted.load(Ordering::SeqCst) == granted {
            self.counters.changed.notified().await;
        }
        let began = Instant::now();
        let mut progress = vec![(Duration::ZERO, 0)];
        // `jobs` excludes scheduled jobs and jobs of the other org, which must not be drained.
        while self.counters.settled.load(Ordering::SeqCst) - before < jobs {
            progress.push((began.elapsed(), self.counters.settled.load(Ordering::SeqCst) - before));
            let waited = tokio::time::timeout(Duration::from_secs(30), self.counters.changed.notified()).await;
            if waited.is_err() {
                let done = self.counters.settled.load(Ordering::SeqCst) - before;
                return Err(failed(format!("only {done} of {jobs} jobs were drained")));
            }
        }
        let took = began.elapsed();
        shutdown.begin();
        tasks.stop(Duration::from_secs(5)).await;
        progress.push((took, jobs));
        Ok(DrainRate { rate: rate(usize::try_from(jobs).unwrap_or(0), took), progress })
    }

    /// Latency of an org with few jobs on a host shared with an org that has a large backlog.
    async fn fair(&self, kind: &str) -> Result<()> {
        // About the duration of the shortest real process, from its start to its result.
        const LENGTH: Duration = Duration::from_millis(10);
        // With 32 slots one becomes free every third of a millisecond. With half of them the wait for a free slot alone
        // would be 1.9 ms at p95, which is not a latency of the queue.
        const PLACES: u16 = 32;
        let (tasks, shutdown) = (TaskTracker::default(), Shutdown::default());
        let identity = self.identity(2_000).await?;
        let host = identity.host_id;
        let patch = HostPatch { max_running: Some(Some(PLACES.into())), ..HostPatch::default() };
        self.hub.host_update(&local_context(), self.maker.org, &host.to_string(), patch).await?;
        self.start(identity, (PLACES.into(), LENGTH), &tasks, &shutdown);
        let idle = self.waits().await?;
        ranks(kind, "wait when idle", &idle);
        let share = proto::api::host::HostShareRequest { org: "bench-other".to_owned() };
        self.hub.host_share(&local_context(), self.maker.org, &host.to_string(), share).await?;
        let granted = self.counters.granted.load(Ordering::SeqCst);
        while self.counters.granted.load(Ordering::SeqCst) < granted + 1_000 {
            self.counters.changed.notified().await;
        }
        let busy = self.waits().await?;
        ranks(kind, "wait beside many", &busy);
        shutdown.begin();
        tasks.stop(Duration::from_secs(5)).await;
        Ok(())
    }

    /// Measures how long single jobs of one org wait for their start. It runs in a task, as requests do: otherwise the
    /// thread of `main` would have to be woken for each job.
    async fn waits(&self) -> Result<Vec<Duration>> {
        let (reply, waited) = tokio::sync::oneshot::channel();
        let (hub, maker, counters) = (self.hub.clone(), self.maker.clone(), self.counters.clone());
        self.tasks.spawn(async move {
            let _ = reply.send(waits(hub, maker, counters).await);
        });
        waited.await.map_err(failed)?
    }

    /// Throughput of callers in this process that create one job after the other.
    async fn single(&self, length: Span) -> Result<f64> {
        let until = Instant::now() + length.to_duration();
        let caller = |(hub, maker): (Hub, Maker)| async move {
            let mut made = 0;
            while Instant::now() < until {
                hub.job_create(&maker, request(Some("bench-single"))).await?;
                made += 1;
            }
            Ok::<usize, Failure>(made)
        };
        total_rate((0..CALLERS).map(|_| caller((self.hub.clone(), self.maker.clone())))).await
    }

    /// Throughput of callers that create one job after the other over HTTP with a token.
    async fn http(&self, length: Span) -> Result<f64> {
        let tcp = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(failed)?;
        let address = tcp.local_addr().map_err(failed)?;
        let (hub, shutdown) = (self.hub.clone(), self.shutdown.clone());
        self.tasks.spawn(async move {
            let stop = async move { shutdown.asked().await };
            let _ = hub.serve(hub::Listeners { tcp: Some(tcp), local: None }, stop).await;
        });
        let token = self.token().await?;
        let body = Bytes::from(serde_json::to_vec(&request(Some("bench-single"))).map_err(failed)?);
        let mut callers = Vec::with_capacity(CALLERS);
        for _ in 0..CALLERS {
            callers.push(HttpCaller::connect(address, &token, body.clone(), &self.tasks).await?);
        }
        let until = Instant::now() + length.to_duration();
        let caller = |mut caller: HttpCaller| async move {
            let mut made = 0;
            while Instant::now() < until {
                caller.create_job().await?;
                made += 1;
            }
            Ok::<usize, Failure>(made)
        };
        total_rate(callers.into_iter().map(caller)).await
    }

    /// Throughput of one stream, as with NDJSON: batches of a thousand jobs, as fast as the hub accepts them.
    async fn stream(&self, jobs: usize) -> Result<f64> {
        let batches =
            (0..jobs / STREAM_ROWS).map(|_| Ok((0..STREAM_ROWS).map(|_| Ok(request(Some("bench-stream")))).collect()));
        let began = Instant::now();
        let answers = self.hub.job_create_stream(self.maker.clone(), futures_util::stream::iter(batches));
        let made: Vec<_> = answers.collect().await;
        let made = made.iter().flatten().filter(|made| made.id.is_some()).count();
        if made != jobs / STREAM_ROWS * STREAM_ROWS {
            return Err(failed("a job was rejected"));
        }
        Ok(rate(made, began.elapsed()))
    }

    async fn token(&self) -> Result<String> {
        let org = self.maker.org;
        let users = self.hub.user_list(&proto::page::PageQuery { cursor: None, limit: Some(1) }).await?.items;
        let user = users.first().ok_or_else(|| failed("there is no user"))?;
        let caller = Caller {
            actor: Actor::User { id: user.id, name: user.name.clone() },
            org: Some(org),
            role: Some(Role::Admin),
            scope: Scope::Api,
        };
        let by = RequestContext::new(caller, "bench", "bench");
        let request =
            serde_json::from_value(json!({"name": format!("bench-{}", wall().as_micros())})).map_err(failed)?;
        Ok(self.hub.token_create(&by, org, request).await?.secret)
    }

    /// Latency of one job at a time on an idle hub, from the call until the runner receives it.
    async fn latency(&self, kind: &str) -> Result<()> {
        let (tasks, shutdown) = (TaskTracker::default(), Shutdown::default());
        self.start(self.identity(1_000).await?, (16, Duration::ZERO), &tasks, &shutdown);
        // Warm up.
        for _ in 0..10 {
            self.hub.job_create(&self.maker, request(None)).await?;
        }
        let took = self.waits().await?;
        ranks(kind, "enqueue to runner", &took);
        shutdown.begin();
        tasks.stop(Duration::from_secs(5)).await;
        Ok(())
    }

    /// Fills the database with jobs that must not slow down the queue.
    async fn fill(&self, globals: &Globals, count: usize, runners: usize, slots: u64) -> Result<()> {
        messages::note(globals, format!("  adding {count} finished jobs …"));
        self.bulk(&self.maker, count, None, None).await?;
        self.drain(runners, slots).await?;
        messages::note(globals, format!("  adding {count} scheduled jobs …"));
        self.bulk(&self.other, count, None, Some(Span::from_secs(30 * 86_400))).await?;
        messages::note(globals, format!("  adding {count} ready jobs of another org …"));
        self.bulk(&self.other, count, None, None).await?;
        Ok(())
    }
}

/// Measures the time from the call until the runner receives the job, for single jobs; sorted, shortest first.
async fn waits(hub: Hub, maker: Maker, counters: Arc<QueueCounters>) -> Result<Vec<Duration>> {
    let mut took = Vec::with_capacity(SAMPLES);
    for number in 0..WARM_UP + SAMPLES {
        tokio::time::sleep(Duration::from_millis(10 + (Random.unit() * 40.0) as u64)).await;
        let granted = counters.granted_own.load(Ordering::SeqCst);
        let began = Instant::now();
        let received = async {
            while counters.granted_own.load(Ordering::SeqCst) == granted {
                counters.changed.notified().await;
            }
            // Use the time at which the runner received the grant, not the time at which this task woke up.
            let at = *counters.granted_own_at.lock().unwrap_or_else(PoisonError::into_inner);
            at.unwrap_or_else(Instant::now).duration_since(began)
        };
        let (made, waited) = tokio::join!(hub.job_create(&maker, request(None)), received);
        made?;
        if number >= WARM_UP {
            took.push(waited);
        }
    }
    took.sort();
    Ok(took)
}
