//! `hostler bench`: benchmarks, with the benchmark of many linked runners.

use std::{
    collections::HashMap,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::{Args, Subcommand};
use domain::Span;
use futures_util::{StreamExt as _, stream};
use proto::{Code, api::host::JoinTokenRequest, metrics::HostMetrics};
use reqwest::Method;
use runner::{Dial, Identity, Link, LinkState, join::Join};
use runtime::{Random, Shutdown, TaskTracker, clock::wall, signals};
use serde_json::json;
use tokio::sync::watch;

use super::bench_accept::Returns;
use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{Failure, Result},
    output::{self, column, text},
    say,
};

/// Run benchmarks
#[derive(Subcommand)]
pub(crate) enum BenchCommand {
    /// Link many runners to one hub and measure how they reconnect after an outage of the hub
    Link(LinkArgs),
    /// Measure the throughput and latency of the queue
    Queue(super::bench_queue::QueueArgs),
    /// Measure how fast the row backlog of a machine is replicated to an empty hub
    Sync(super::bench_sync::SyncArgs),
    /// Measure real processes per second, with shim, log and result, and their memory
    Spawn(super::bench_spawn::SpawnArgs),
}

/// Link many runners to one hub and measure how they reconnect after an outage of the hub
#[derive(Args)]
pub(crate) struct LinkArgs {
    /// Number of runners
    #[arg(long, default_value_t = 200)]
    runners: u32,
    /// Join token valid for this number of machines [default: created with your own rights]
    #[arg(long)]
    join_token: Option<String>,
    /// Duration of the benchmark [default: until Ctrl-C]
    #[arg(long = "for", value_name = "DURATION")]
    length: Option<String>,
    /// Remove the hosts from the hub at the end
    #[arg(long)]
    clean: bool,
}

/// Number of concurrent joins: enough to be quick, few enough not to overload the hub.
const JOINS_AT_ONCE: usize = 16;
/// Poll interval of the number of linked runners.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Measurements of the link benchmark.
#[derive(Default)]
struct LinkObservations {
    first_all_up: Option<Duration>,
    drops: u32,
    back_after: Option<Duration>,
    /// Reconnections since all runners were last linked.
    returns: Returns,
}

pub(crate) async fn bench(globals: &Globals, command: BenchCommand) -> Result<ExitCode> {
    match command {
        BenchCommand::Link(args) => link(globals, args).await,
        BenchCommand::Queue(args) => Box::pin(super::bench_queue::queue(globals, args)).await,
        BenchCommand::Sync(args) => Box::pin(super::bench_sync::sync(globals, args)).await,
        BenchCommand::Spawn(args) => Box::pin(super::bench_spawn::spawn(globals, args)).await,
    }
}

/// Prints one measurement as a tab-separated line: kind, name, value, unit.
pub(crate) fn figure(kind: &str, name: &str, value: f64, unit: &str) {
    let shown = if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") };
    output::line(&format!("{kind}\t{name}\t{shown}\t{unit}"));
}

#[expect(clippy::cast_precision_loss, reason = "rounded for display")]
pub(crate) fn rate(count: usize, took: Duration) -> f64 {
    count as f64 / took.as_secs_f64()
}

async fn link(globals: &Globals, args: LinkArgs) -> Result<ExitCode> {
    let hub =
        globals.hub.clone().filter(|hub| !hub.is_empty()).ok_or_else(|| {
            Failure::usage("the address of the hub is missing").hint("add --hub http://127.0.0.1:7411")
        })?;
    let length = args
        .length
        .as_ref()
        .map(|text| text.parse::<Span>())
        .transpose()
        .map_err(|error| Failure::usage(error.to_string()))?;
    let token = match args.join_token {
        Some(token) => token,
        None => invite(globals, args.runners).await?,
    };
    let crew = TaskTracker::default();
    let shutdown = signals(&crew)
        .map_err(|error| Failure::new(Code::Internal, "cannot install the signal handlers").because(&error))?;
    let identities = enrol(globals, &hub, &token, args.runners).await?;
    let began = Instant::now();
    let states = start(&hub, &identities, &crew, &shutdown)?;
    let seen = watch_states(globals, &states, began, length, &shutdown).await;
    shutdown.begin();
    crew.stop(Duration::from_secs(10)).await;
    if args.clean {
        clean(globals, &identities).await?;
    }
    report(globals, args.runners, &states, &seen)
}

async fn invite(globals: &Globals, uses: u32) -> Result<String> {
    // Use the local socket if the hub is on this machine, else the token of the context.
    let own = Globals { hub: None, ..globals.clone() };
    let client = Client::new(&own).or_else(|_| Client::new(globals))?;
    let request = JoinTokenRequest { uses: Some(uses), ttl_seconds: Some(3_600), ..JoinTokenRequest::default() };
    match client.write(&own, Method::POST, "/join-tokens", Some(&request)).await? {
        Done::Answer(answer) => Ok(text(&answer, "secret")),
        Done::WouldDo => Err(Failure::usage("benchmarks do not support --dry-run")),
    }
}

async fn enrol(globals: &Globals, hub: &str, token: &str, count: u32) -> Result<Vec<Identity>> {
    let dial = Dial::url(hub)?;
    let joins = stream::iter(0..count).map(|n| {
        let wish = Join {
            dial: dial.clone(),
            hub_url: Some(hub.to_owned()),
            token: token.to_owned(),
            name: Some(format!("bench-{n:05}")),
            always_on: Some(true),
            ignore_clock: true,
            now: wall(),
            random: (Random.bytes(), Random.bytes()),
            host_id: None,
        };
        runner::join::join(wish)
    });
    let began = Instant::now();
    let joined: Vec<_> = joins.buffer_unordered(JOINS_AT_ONCE).collect().await;
    let identities = joined
        .into_iter()
        .map(|joined| joined.map(|(identity, _)| identity))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    say::done(globals, format!("{count} hosts joined in {:.1} s", began.elapsed().as_secs_f64()));
    Ok(identities)
}

/// Starts the runners and returns the state of each link.
fn start(
    hub: &str,
    identities: &[Identity],
    crew: &TaskTracker,
    shutdown: &Shutdown,
) -> Result<Vec<watch::Receiver<LinkState>>> {
    let dial = Dial::url(hub)?;
    let reading = Arc::new(HostMetrics {
        cpu_percent: 1.0,
        memory_used_bytes: 1,
        memory_total_bytes: 100,
        ..HostMetrics::default()
    });
    let start_one = |identity: &Identity| {
        let options = runner::Options {
            dial: dial.clone(),
            name: None,
            incarnation: data_encoding::HEXLOWER.encode(&Random.bytes::<16>()),
            queues: Vec::new(),
            trust: domain::definition::Trust::Hub,
            seat: runner::HubRole::default(),
        };
        let reading = reading.clone();
        let link = Link::new(options, identity.clone(), None).with_meter(move || (*reading).clone());
        let state = link.watch();
        crew.spawn(link.run(shutdown.clone()));
        state
    };
    Ok(identities.iter().map(start_one).collect())
}

async fn watch_states(
    globals: &Globals,
    states: &[watch::Receiver<LinkState>],
    began: Instant,
    length: Option<Span>,
    shutdown: &Shutdown,
) -> LinkObservations {
    let mut seen = LinkObservations::default();
    let (mut was_all_up, mut down_since, mut last_said) = (false, None::<Instant>, Instant::now());
    while !shutdown.has_begun() && length.is_none_or(|length| began.elapsed() < length.to_duration()) {
        let up = count_up(states);
        let is_all_up = up == states.len();
        if down_since.is_some() {
            seen.returns.saw(began.elapsed(), up);
        }
        if is_all_up && !was_all_up {
            match down_since.take() {
                Some(since) => {
                    seen.back_after = Some(since.elapsed());
                    say::done(globals, format!("all {up} linked again after {:.1} s", since.elapsed().as_secs_f64()));
                }
                None => {
                    seen.first_all_up = Some(began.elapsed());
                    say::done(globals, format!("all {up} linked after {:.1} s", began.elapsed().as_secs_f64()));
                }
            }
        }
        if was_all_up && !is_all_up {
            seen.drops += 1;
            down_since = Some(Instant::now());
            seen.returns = Returns::default();
            say::note(globals, format!("{} of {} lost their link", states.len() - up, states.len()));
        }
        was_all_up = is_all_up;
        if !is_all_up && last_said.elapsed() > Duration::from_secs(2) {
            last_said = Instant::now();
            say::note(globals, format!("{up} of {} linked", states.len()));
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = shutdown.asked() => {}
        }
    }
    seen
}

fn count_up(states: &[watch::Receiver<LinkState>]) -> usize {
    states.iter().filter(|state| matches!(&*state.borrow(), LinkState::Up { .. })).count()
}

async fn clean(globals: &Globals, identities: &[Identity]) -> Result<()> {
    let own = Globals { hub: None, ..globals.clone() };
    let client = Client::new(&own)?;
    for identity in identities {
        client.write(&own, Method::DELETE, &format!("/hosts/{}", identity.host_id), None::<&()>).await?;
    }
    say::done(globals, format!("removed {}", output::count(identities.len(), "host")));
    Ok(())
}

fn report(
    globals: &Globals,
    runners: u32,
    states: &[watch::Receiver<LinkState>],
    seen: &LinkObservations,
) -> Result<ExitCode> {
    let mut reasons: HashMap<Code, u32> = HashMap::new();
    for state in states {
        if let LinkState::Down { code, .. } = &*state.borrow() {
            *reasons.entry(*code).or_default() += 1;
        }
    }
    let rounded = |value: f64| (value * 10.0).round() / 10.0;
    let seconds = |time: Option<Duration>| time.map(|time| rounded(time.as_secs_f64()));
    let accepted = seen.returns.accepted();
    let shown = json!({
        "accepted_per_s_mean": accepted.map(|accepted| rounded(accepted.mean)),
        "accepted_per_s_peak": accepted.map(|accepted| rounded(accepted.peak)),
        "accepted_peak_over_mean": accepted.map(|accepted| rounded(accepted.peak_over_mean())),
        "runners": runners, "all_linked_after_s": seconds(seen.first_all_up), "drops": seen.drops, "all_back_after_s": seconds(seen.back_after),
        "down_reasons": reasons.into_iter().map(|(code, count)| (code.to_string(), count)).collect::<HashMap<_, _>>(),
    });
    output::one(
        globals,
        shown,
        "runners",
        &[
            column("RUNNERS", |b| text(b, "runners")),
            column("ALL LINKED AFTER", |b| format!("{} s", text(b, "all_linked_after_s"))),
            column("DROPS", |b| text(b, "drops")),
            column("ALL BACK AFTER", |b| {
                Some(text(b, "all_back_after_s"))
                    .filter(|text| !text.is_empty())
                    .map(|text| format!("{text} s"))
                    .unwrap_or_default()
            }),
            column("ACCEPTED MEAN/S", |b| text(b, "accepted_per_s_mean")),
            column("PEAK/S", |b| text(b, "accepted_per_s_peak")),
            column("PEAK/MEAN", |b| text(b, "accepted_peak_over_mean")),
        ],
    )?;
    Ok(if seen.first_all_up.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
