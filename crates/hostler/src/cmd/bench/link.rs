//! `hostler bench link`: many runners on one hub, and how they reconnect after an outage of the hub.

use std::{
    collections::HashMap,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use clap::Args;
use domain::Span;
use futures_util::{StreamExt as _, stream};
use proto::{Code, api::host::JoinTokenRequest, metrics::HostMetrics};
use reqwest::Method;
use runner::{Dial, Identity, Link, LinkState, join::Join};
use runtime::{Random, Shutdown, TaskTracker, clock::wall, signals};
use serde_json::json;
use tokio::sync::watch;

use super::accept::LinkSamples;
use crate::{
    client::{Client, WriteOutcome},
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, column, text},
    parse,
};

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
const CONCURRENT_JOINS: usize = 16;
/// Poll interval of the number of linked runners.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Measurements of the link benchmark.
#[derive(Default)]
struct LinkObservations {
    first_all_up: Option<Duration>,
    drops: u32,
    back_after: Option<Duration>,
    /// Numbers of linked runners since all runners were last linked.
    samples: LinkSamples,
}

pub(super) async fn link(globals: &Globals, args: LinkArgs) -> Result<ExitCode> {
    let hub =
        globals.hub.clone().filter(|hub| !hub.is_empty()).ok_or_else(|| {
            Failure::usage("the address of the hub is missing").hint("add --hub http://127.0.0.1:7411")
        })?;
    let length = args.length.as_deref().map(parse::span).transpose()?;
    let token = match args.join_token {
        Some(token) => token,
        None => invite(globals, args.runners).await?,
    };
    let tasks = TaskTracker::default();
    let shutdown = signals(&tasks)
        .map_err(|error| Failure::new(Code::Internal, "cannot install the signal handlers").because(&error))?;
    let identities = enrol(globals, &hub, &token, args.runners).await?;
    let began = Instant::now();
    let states = start(&hub, &identities, &tasks, &shutdown)?;
    let observed = watch_states(globals, &states, began, length, &shutdown).await;
    shutdown.begin();
    tasks.stop(Duration::from_secs(10)).await;
    if args.clean {
        clean(globals, &identities).await?;
    }
    report(globals, args.runners, &states, &observed)
}

async fn invite(globals: &Globals, uses: u32) -> Result<String> {
    // Use the local socket if the hub is on this machine, else the token of the context.
    let own = Globals { hub: None, ..globals.clone() };
    let client = Client::new(&own).or_else(|_| Client::new(globals))?;
    let request = JoinTokenRequest { uses: Some(uses), ttl_seconds: Some(3_600), ..JoinTokenRequest::default() };
    match client.write(&own, Method::POST, "/join-tokens", Some(&request)).await? {
        WriteOutcome::Answer(answer) => Ok(text(&answer, "secret")),
        WriteOutcome::DryRun => Err(Failure::usage("benchmarks do not support --dry-run")),
    }
}

async fn enrol(globals: &Globals, hub: &str, token: &str, count: u32) -> Result<Vec<Identity>> {
    let dial = Dial::url(hub)?;
    let joins = stream::iter(0..count).map(|n| {
        let request = Join {
            dial: dial.clone(),
            hub_url: Some(hub.to_owned()),
            token: token.to_owned(),
            name: Some(format!("bench-{n:05}")),
            always_on: Some(true),
            ignore_clock: true,
            now: wall(),
            random: (Random.bytes(), Random.bytes()),
            host_id: None,
            former_key: None,
        };
        runner::join::join(request)
    });
    let began = Instant::now();
    let joined: Vec<_> = joins.buffer_unordered(CONCURRENT_JOINS).collect().await;
    let identities = joined
        .into_iter()
        .map(|joined| joined.map(|(identity, _)| identity))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    messages::done(
        globals,
        format!("{} joined in {:.1} s", output::count(count, "host"), began.elapsed().as_secs_f64()),
    );
    Ok(identities)
}

/// Starts the runners and returns the state of each link.
fn start(
    hub: &str,
    identities: &[Identity],
    tasks: &TaskTracker,
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
            role: runner::HubRole::default(),
        };
        let reading = reading.clone();
        let link = Link::new(options, identity.clone(), None).with_meter(move || (*reading).clone());
        let state = link.watch();
        tasks.spawn(link.run(shutdown.clone()));
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
    let mut observed = LinkObservations::default();
    let (mut was_all_up, mut down_since, mut last_printed) = (false, None::<Instant>, Instant::now());
    while !shutdown.has_begun() && length.is_none_or(|length| began.elapsed() < length.to_duration()) {
        let up = count_up(states);
        let is_all_up = up == states.len();
        if down_since.is_some() {
            observed.samples.add(began.elapsed(), up);
        }
        if is_all_up && !was_all_up {
            match down_since.take() {
                Some(since) => {
                    observed.back_after = Some(since.elapsed());
                    messages::done(
                        globals,
                        format!("all {up} linked again after {:.1} s", since.elapsed().as_secs_f64()),
                    );
                }
                None => {
                    observed.first_all_up = Some(began.elapsed());
                    messages::done(globals, format!("all {up} linked after {:.1} s", began.elapsed().as_secs_f64()));
                }
            }
        }
        if was_all_up && !is_all_up {
            observed.drops += 1;
            down_since = Some(Instant::now());
            observed.samples = LinkSamples::default();
            messages::note(globals, format!("{} of {} lost their link", states.len() - up, states.len()));
        }
        was_all_up = is_all_up;
        if !is_all_up && last_printed.elapsed() > Duration::from_secs(2) {
            last_printed = Instant::now();
            messages::note(globals, format!("{up} of {} linked", states.len()));
        }
        tokio::select! {
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            () = shutdown.asked() => {}
        }
    }
    observed
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
    messages::done(globals, format!("removed {}", output::count(identities.len(), "host")));
    Ok(())
}

fn report(
    globals: &Globals,
    runners: u32,
    states: &[watch::Receiver<LinkState>],
    observed: &LinkObservations,
) -> Result<ExitCode> {
    let mut reasons: HashMap<Code, u32> = HashMap::new();
    for state in states {
        if let LinkState::Down { code, .. } = &*state.borrow() {
            *reasons.entry(*code).or_default() += 1;
        }
    }
    let rounded = |value: f64| (value * 10.0).round() / 10.0;
    let seconds = |time: Option<Duration>| time.map(|time| rounded(time.as_secs_f64()));
    let accept_rate = observed.samples.accept_rate();
    let summary = json!({
        "accepted_per_s_mean": accept_rate.map(|rate| rounded(rate.mean)),
        "accepted_per_s_peak": accept_rate.map(|rate| rounded(rate.peak)),
        "accepted_peak_over_mean": accept_rate.map(|rate| rounded(rate.peak_over_mean())),
        "runners": runners, "all_linked_after_s": seconds(observed.first_all_up), "drops": observed.drops, "all_back_after_s": seconds(observed.back_after),
        "down_reasons": reasons.into_iter().map(|(code, count)| (code.to_string(), count)).collect::<HashMap<_, _>>(),
    });
    output::one(
        globals,
        summary,
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
    Ok(if observed.first_all_up.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
