//! `hostler host`: the hosts of an org.

use std::{collections::BTreeMap, process::ExitCode};

use clap::Subcommand;
use domain::Span;
use proto::api::host::{HostMarkRequest, HostPatch, HostShareRequest};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    invite::queues,
    timeline::{self, TimelineArgs},
};
use crate::{
    client::{Client, WriteOutcome, encoded},
    fail::{CHANGES_PENDING, Failure, PARTIAL, Result},
    globals::Globals,
    messages,
    output::{self, Column, bytes, column, length, percent, text, when, wide, yes_no},
    parse, pick,
};

/// Manage hosts
#[derive(Subcommand)]
pub(crate) enum HostCommand {
    /// List hosts
    #[command(alias = "ls")]
    List {
        /// Only hosts whose labels match, for example env=prod,zone in (a,b),!gpu
        #[arg(short = 'l', long)]
        selector: Option<String>,
        /// Only hosts with these statuses, separated by commas
        #[arg(long)]
        status: Option<String>,
    },
    /// Show a host
    Show {
        /// Host name, id or id prefix
        host: String,
    },
    /// Change a host
    Set(SetArgs),
    /// Set or remove labels of a host
    Label {
        /// Host name, id, id prefix or a pattern such as 'web-*'
        host: String,
        /// KEY=VALUE to set a label, KEY- to remove it
        #[arg(required = true)]
        labels: Vec<String>,
    },
    /// Pause a host: it starts no new jobs
    Pause(MarkArgs),
    /// Resume a paused host
    Resume {
        /// Host name, id, id prefix or a pattern such as 'web-*'
        host: String,
    },
    /// Mark a host degraded
    #[command(alias = "degrade")]
    MarkDegraded(MarkArgs),
    /// Remove the manual mark "degraded" from a host
    #[command(alias = "clear")]
    Unmark {
        /// Host name, id, id prefix or a pattern such as 'web-*'
        host: String,
    },
    /// Show CPU, memory, disks and load of a host
    Metrics {
        /// Host name, id or id prefix
        host: String,
    },
    /// Show the history of a host: outages, runs, schedule times and alerts, newest last
    Timeline(TimelineArgs),
    /// Make a host replace its key: at once if it is connected, else when it returns
    RotateKey {
        /// Host name, id, id prefix or a pattern such as 'web-*'
        host: String,
    },
    /// Revoke the keys of a host: its link is closed and its keys are no longer accepted
    Revoke {
        /// Host name, id or id prefix
        host: String,
    },
    /// Share a host with another org; jobs of both orgs run on it by fair share
    Share(ShareArgs),
    /// Stop sharing a host with another org
    Unshare(ShareArgs),
    /// Remove a host
    Rm {
        /// Host name, id or id prefix
        host: String,
        /// Name of the host, to confirm the removal without a prompt
        #[arg(long)]
        confirm: Option<String>,
        /// Also cancel the jobs of the host and remove its servers
        #[arg(long)]
        cancel_jobs: bool,
    },
}

/// Change a host
#[derive(clap::Args)]
pub(crate) struct SetArgs {
    /// Host name, id or id prefix
    host: String,
    /// New name
    #[arg(long)]
    name: Option<String>,
    /// Raise an alert when the host is offline
    #[arg(long)]
    always_on: Option<bool>,
    /// Queues that the host may serve, separated by commas, or `none` for only the jobs that are bound to it
    #[arg(long, value_name = "QUEUES")]
    queues: Option<String>,
    /// Maximum number of jobs that run at the same time, or `none`
    #[arg(long)]
    max_running: Option<String>,
    /// Maximum number of job starts per minute, for example 10/m, or `none`
    #[arg(long)]
    rate: Option<String>,
    /// Time without heartbeats until the host counts as offline, for example 90s, or `none` for the org's value
    #[arg(long)]
    offline_after: Option<String>,
    /// Time without heartbeats until an alert is raised, for example 15m, or `none` for the org's value
    #[arg(long)]
    alert_after: Option<String>,
}

/// Options of `share` and `unshare`
#[derive(clap::Args)]
pub(crate) struct ShareArgs {
    /// Host name, id or id prefix
    pub(crate) host: String,
    /// The other org: slug or id
    // Replaces the global `--org`; here `--of` names the org that the host belongs to.
    #[arg(long = "org", id = "org", required = true, value_name = "ORG")]
    pub(crate) other: String,
    /// Org that the host belongs to [default: your org]
    #[arg(long, value_name = "ORG")]
    pub(crate) of: Option<String>,
}

/// Options of `pause` and `mark-degraded`
#[derive(clap::Args)]
pub(crate) struct MarkArgs {
    /// Host name, id, id prefix or a pattern such as 'web-*'
    host: String,
    /// Reason
    #[arg(long, default_value = "")]
    note: String,
    /// Automatic end: a time such as 2026-12-01T08:00:00Z, or a duration such as 2h
    #[arg(long)]
    until: Option<String>,
}

fn metrics(host: &Value) -> Option<proto::metrics::HostMetrics> {
    serde_json::from_value(host.get("last_metrics")?.clone()).ok()
}

fn labels(host: &Value) -> String {
    let labels = host.get("labels").and_then(Value::as_object);
    labels
        .map(|map| {
            map.iter()
                .map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default()))
                .collect::<Vec<_>>()
                .join(",")
        })
        .unwrap_or_default()
}

const COLUMNS: &[Column] = &[
    column("NAME", |h| text(h, "name")),
    column("STATUS", |h| text(h, "status") + rotation_due(h)),
    column("CPU", |h| percent(metrics(h).map(|m| m.cpu_percent))),
    column("MEMORY", |h| percent(metrics(h).map(|m| m.memory_percent()))),
    column("DISK", |h| percent(metrics(h).and_then(|m| m.disk_percent()))),
    column("RUNNER", |h| text(h, "runner_version")),
    column("SEEN", |h| when(h, "last_heartbeat_at")),
    column("LABELS", labels),
    wide("ID", |h| text(h, "id")),
    wide("ALWAYS ON", |h| yes_no(h, "always_on")),
    wide("QUEUES", |h| names(h, "queues").join(",")),
    wide("REASON", |h| text(h, "status_reason")),
    wide("JOINED", |h| when(h, "created_at")),
];

const ROWS: &[Column] = &[
    column("NAME", |h| text(h, "name")),
    column("ID", |h| text(h, "id")),
    column("STATUS", |h| status(&text(h, "status"), &text(h, "status_reason"))),
    column("SEEN", |h| when(h, "last_heartbeat_at")),
    column("ALWAYS ON", |h| yes_no(h, "always_on")),
    column("LABELS", labels),
    column("MACHINE", machine),
    column("TRUST", |h| match text(h, "machine.trust").as_str() {
        "local" => "local: runs only the definitions in its catalogue.d".to_owned(),
        other => other.to_owned(),
    }),
    column("RUNNER", |h| match (text(h, "runner_version"), text(h, "session.address")) {
        (version, address) if version.is_empty() || address.is_empty() => version,
        (version, address) => format!("{version}, connected from {address}"),
    }),
    column("SESSION", session),
    column("KEY", |h| format!("version {}{}", text(h, "key_version"), rotation_due(h))),
    column("QUEUES", served),
    column("LIMITS", |h| {
        let rate = match text(h, "limits.jobs_per_minute").as_str() {
            "" => "no rate limit".to_owned(),
            rate => format!("{rate} started per minute"),
        };
        format!("{} running, {rate}", or_unlimited(&text(h, "limits.max_running")))
    }),
    column("SHARED WITH", shares),
    column("CPU", |h| percent(metrics(h).map(|m| m.cpu_percent))),
    column("MEMORY", |h| percent(metrics(h).map(|m| m.memory_percent()))),
    column("DISK", |h| percent(metrics(h).and_then(|m| m.disk_percent()))),
    column("JOINED", |h| when(h, "created_at")),
    column("RUNNING", |h| runs(h, "running")),
    column("LAST RUNS", |h| runs(h, "last_runs")),
    column("REJECTED", rejections),
];

const METRICS: &[Column] = &[
    column("CPU", |h| percent(metrics(h).map(|m| m.cpu_percent))),
    column("MEMORY", |h| {
        metrics(h).map(|m| format!("{:.0}% of {}", m.memory_percent(), bytes(m.memory_total_bytes))).unwrap_or_default()
    }),
    column("LOAD", |h| metrics(h).and_then(|m| m.load_1).map(|load| format!("{load:.2}")).unwrap_or_default()),
    column("DISKS", |h| {
        let disks = metrics(h).map(|m| m.disks).unwrap_or_default();
        disks
            .iter()
            .map(|d| format!("{} {:.0}% of {}", d.mount, d.used_percent(), bytes(d.total_bytes)))
            .collect::<Vec<_>>()
            .join(", ")
    }),
    column("BATTERY", |h| {
        metrics(h)
            .and_then(|m| m.battery)
            .map(|b| format!("{:.0}%{}", b.percent, if b.is_charging { " charging" } else { "" }))
            .unwrap_or_default()
    }),
    column("UPTIME", |h| {
        metrics(h)
            .map(|m| Span::from_secs(u32::try_from(m.uptime_seconds).unwrap_or(u32::MAX)).to_string())
            .unwrap_or_default()
    }),
    column("REPORTED", |h| when(h, "last_heartbeat_at")),
];

/// System, architecture and cores of a host; empty until its runner has reported them.
fn machine(host: &Value) -> String {
    let system = text(host, "machine.os_version");
    if system.is_empty() {
        return system;
    }
    let cores = output::count(text(host, "machine.cores"), "core");
    format!("{system} · {} · {cores}", text(host, "machine.arch"))
}

/// The last session of a host: its number, its start, and the difference between the clocks.
fn session(host: &Value) -> String {
    let number = text(host, "session.epoch");
    if number.is_empty() {
        return number;
    }
    let clock = host.pointer("/session/clock_skew_ms").and_then(Value::as_i64).and_then(clock_difference);
    let clock = clock.map(|difference| format!(", {difference}")).unwrap_or_default();
    format!("number {number}, connected {}{clock}", when(host, "session.connected_at"))
}

/// The difference between a host's clock and the hub's; `None` if it is shorter than a second.
fn clock_difference(skew_ms: i64) -> Option<String> {
    let difference = skew_ms.saturating_abs();
    let direction = if skew_ms > 0 { "ahead of" } else { "behind" };
    (difference >= 1_000).then(|| format!("clock {} {direction} the hub's", Span::from_millis(difference)))
}

/// The mark of a host that has not replaced its key yet.
fn rotation_due(host: &Value) -> &'static str {
    if host["rotation_due"] == true { ", rotation due" } else { "" }
}

/// A list of texts.
fn names<'a>(host: &'a Value, field: &str) -> Vec<&'a str> {
    host.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The queues that a host serves, then those in only one of the two lists.
fn served(host: &Value) -> String {
    let (allowed, offered) = (names(host, "queues"), names(host, "queues_offered"));
    let of = |list: &[&str], other: &[&str], is_in_both: bool| {
        let queues: Vec<&str> = list.iter().filter(|queue| other.contains(queue) == is_in_both).copied().collect();
        queues.join(", ")
    };
    let mut parts = vec![unless_empty(of(&allowed, &offered, true), "none")];
    for (queues, why) in
        [(of(&offered, &allowed, false), "not allowed"), (of(&allowed, &offered, false), "not offered")]
    {
        if !queues.is_empty() {
            parts.push(format!("{why}: {queues}"));
        }
    }
    parts.join("; ")
}

/// `status · reason`, without repeating a status that the reason begins with.
fn status(status: &str, reason: &str) -> String {
    if reason.is_empty() {
        status.to_owned()
    } else if reason.starts_with(status) {
        reason.to_owned()
    } else {
        format!("{status} · {reason}")
    }
}

fn or_unlimited(text: &str) -> &str {
    if text.is_empty() { "unlimited" } else { text }
}

pub(crate) async fn host(globals: &Globals, command: HostCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        HostCommand::List { selector, status } => {
            let query = format!(
                "/hosts?labels={}&status={}",
                encoded(&selector.unwrap_or_default()),
                encoded(&status.unwrap_or_default())
            );
            output::show_list(globals, "host", "name", COLUMNS, || client.list(&query)).await
        }
        HostCommand::Show { host } => show(globals, &client, &host, ROWS).await,
        HostCommand::Metrics { host } => show(globals, &client, &host, METRICS).await,
        HostCommand::Timeline(args) => {
            let id = text(&find(&client, &args.host).await?, "id");
            timeline::timeline(globals, &client, &id, &args).await
        }
        HostCommand::Set(args) => {
            let host = args.host.clone();
            let patch = patch(globals, args)?;
            set(globals, &client, &host, patch).await
        }
        HostCommand::Label { host, labels } => {
            on_each(globals, &client, &host, &HostAction::label(changes(&labels)?)).await
        }
        HostCommand::Pause(mark) => {
            let action = HostAction::mark("/pause", json!(request(&mark)?), "Pause", |host| format!("paused {host}"));
            on_each(globals, &client, &mark.host, &action).await
        }
        HostCommand::MarkDegraded(mark) => {
            let done = |host: &str| format!("marked {host} degraded");
            let action =
                HostAction::mark("/mark-degraded", json!(request(&mark)?), "Set the mark \"degraded\" on", done);
            on_each(globals, &client, &mark.host, &action).await
        }
        HostCommand::Resume { host } => {
            let action = HostAction::mark("/resume", json!({}), "Resume", |host| format!("resumed {host}"));
            on_each(globals, &client, &host, &action).await
        }
        HostCommand::Unmark { host } => {
            let done = |host: &str| format!("unmarked {host}");
            let action = HostAction::mark("/unmark", json!({}), "Remove the mark \"degraded\" from", done);
            on_each(globals, &client, &host, &action).await
        }
        HostCommand::RotateKey { host } => {
            let done = |host: &str| format!("requested a new key from {host}");
            let action = HostAction::plain(Method::POST, "/rotate-key", json!({}), "Rotate the keys of", done);
            on_each(globals, &client, &host, &action).await
        }
        HostCommand::Revoke { host } => revoke(globals, &client, &host).await,
        HostCommand::Share(args) => share(globals, args, "/share", "shared").await,
        HostCommand::Unshare(args) => share(globals, args, "/unshare", "stopped sharing").await,
        HostCommand::Rm { host, confirm, cancel_jobs } => {
            remove(globals, &client, &host, confirm.as_deref(), cancel_jobs).await
        }
    }
}

async fn revoke(globals: &Globals, client: &Client, host: &str) -> Result<ExitCode> {
    let name = text(&find(client, host).await?, "name");
    if !globals.dry_run {
        messages::confirm(globals, &format!("Permanently revoke the keys of host {name}"))?;
    }
    let done = |host: &str| format!("revoked the keys of {host}");
    let action = HostAction::plain(Method::POST, "/revoke", json!({}), "Revoke the keys of", done);
    on_each(globals, client, &name, &action).await
}

async fn remove(
    globals: &Globals,
    client: &Client,
    host: &str,
    confirm: Option<&str>,
    cancel_jobs: bool,
) -> Result<ExitCode> {
    let name = text(&find(client, host).await?, "name");
    if !globals.dry_run {
        messages::confirm_name(globals, &format!("Removing host {name}"), &name, confirm)?;
    }
    let route = if cancel_jobs { "?cancel_jobs=true" } else { "" };
    let action = HostAction::plain(Method::DELETE, route, Value::Null, "Remove", |host| format!("removed {host}"));
    on_each(globals, client, &name, &action).await
}

/// Shares a host with another org, or stops sharing it.
async fn share(globals: &Globals, args: ShareArgs, route: &str, action: &str) -> Result<ExitCode> {
    let client = Client::new(&Globals { org: args.of, ..globals.clone() })?;
    let found = find(&client, &args.host).await?;
    let (name, body) = (text(&found, "name"), json!(HostShareRequest { org: args.other.clone() }));
    let outcome =
        client.write(globals, Method::POST, &format!("/hosts/{}{route}", text(&found, "id")), Some(&body)).await?;
    outcome.report(globals, |_| format!("{action} {name} with {}", args.other))
}

/// The data of the host that its hub rejected: reason, number, last case.
fn rejections(host: &Value) -> String {
    let all = host.get("rejections").and_then(Value::as_array).into_iter().flatten();
    let lines = all.map(|one| {
        let count = one.get("count").and_then(Value::as_i64).unwrap_or(0);
        let last = when(one, "last_at");
        format!("{} ({count}, last {last}: {})", text(one, "reason"), text(one, "detail"))
    });
    lines.collect::<Vec<_>>().join("; ")
}

/// Runs of a host in one line: definition, status and start of each.
fn runs(host: &Value, field: &str) -> String {
    let runs = host.get(field).and_then(Value::as_array).into_iter().flatten();
    let lines = runs.map(|run| {
        // Runs of another org have no definition, only the org.
        let name = [text(run, "definition_key"), text(run, "org")].into_iter().find(|word| !word.is_empty());
        format!("{} {} {}", name.unwrap_or_default(), text(run, "status"), when(run, "started_at"))
    });
    lines.collect::<Vec<_>>().join("; ")
}

/// The other orgs whose jobs a host takes.
fn shares(host: &Value) -> String {
    let orgs = host.get("shared_with").and_then(Value::as_array).into_iter().flatten();
    orgs.map(|share| text(share, "org")).collect::<Vec<_>>().join(", ")
}

async fn find(client: &Client, reference: &str) -> Result<Value> {
    let hosts = client.list("/hosts").await?;
    pick::pick_one(&hosts, "host", "name", reference).cloned()
}

async fn show(globals: &Globals, client: &Client, reference: &str, rows: &[Column]) -> Result<ExitCode> {
    let id = text(&find(client, reference).await?, "id");
    output::one(globals, client.get(&format!("/hosts/{id}")).await?, "name", rows)?;
    Ok(ExitCode::SUCCESS)
}

/// An action on hosts: its request, and its texts.
struct HostAction {
    method: Method,
    route: &'static str,
    /// The request body; null for none.
    body: Value,
    /// The prompt for several hosts, up to the word for the hosts.
    prompt: String,
    /// The message for a host.
    done: fn(&str) -> String,
    /// Whether the message ends with the reason of the host's new status.
    shows_reason: bool,
}

impl HostAction {
    fn plain(method: Method, route: &'static str, body: Value, prompt: &str, done: fn(&str) -> String) -> Self {
        Self { method, route, body, prompt: prompt.to_owned(), done, shows_reason: false }
    }

    /// An action that changes the status of a host.
    fn mark(route: &'static str, body: Value, prompt: &str, done: fn(&str) -> String) -> Self {
        Self { shows_reason: true, ..Self::plain(Method::POST, route, body, prompt, done) }
    }

    fn label(labels: BTreeMap<String, Option<String>>) -> Self {
        let prompt = label_prompt(&labels);
        let body = json!(HostPatch { labels: Some(labels), ..HostPatch::default() });
        Self::plain(Method::PATCH, "", body, &prompt, |host| format!("labelled {host}"))
    }
}

/// The prompt for label changes, up to the word for the hosts.
fn label_prompt(labels: &BTreeMap<String, Option<String>>) -> String {
    let changes: Vec<(&String, &Option<String>)> = labels.iter().collect();
    match changes.as_slice() {
        [(key, Some(value))] => format!("Set label {key}={value} on"),
        [(key, None)] => format!("Remove label {key} from"),
        several => {
            let keys: Vec<&str> = several.iter().map(|(key, _)| key.as_str()).collect();
            format!("Change labels {} of", keys.join(", "))
        }
    }
}

/// Applies an action to every host that a reference matches. Exit status 3 if only some of them failed.
async fn on_each(globals: &Globals, client: &Client, reference: &str, action: &HostAction) -> Result<ExitCode> {
    let hosts = client.list("/hosts").await?;
    let chosen = pick::pick(&hosts, "host", "name", reference)?;
    if chosen.len() > 1 && !globals.dry_run {
        let hosts = output::count(chosen.len(), "host");
        messages::confirm(globals, &format!("{} {hosts} that match `{reference}`", action.prompt))?;
    }
    let (mut failed, mut last, mut is_dry) = (0, None, false);
    for host in &chosen {
        let path = format!("/hosts/{}{}", text(host, "id"), action.route);
        let body = (!action.body.is_null()).then_some(&action.body);
        match client.write(globals, action.method.clone(), &path, body).await {
            Ok(WriteOutcome::Answer(answer)) => {
                let reason = Some(text(&answer, "status_reason"))
                    .filter(|reason| action.shows_reason && !reason.is_empty())
                    .map(|reason| format!(" ({reason})"));
                let done = (action.done)(&text(host, "name"));
                messages::done(globals, format!("{done}{}", reason.unwrap_or_default()));
            }
            Ok(WriteOutcome::DryRun) => is_dry = true,
            Err(failure) if chosen.len() == 1 => return Err(failure),
            Err(failure) => {
                messages::note(globals, format!("✕ {}: {}", text(host, "name"), failure.problem.detail));
                (failed, last) = (failed + 1, Some(failure));
            }
        }
    }
    match last {
        Some(failure) if failed == chosen.len() => Err(failure),
        Some(_) => Ok(ExitCode::from(PARTIAL)),
        None if is_dry => Ok(ExitCode::from(CHANGES_PENDING)),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Changes settings of one host and prints the changes. The hub performs the dry run, so that it validates the values.
async fn set(globals: &Globals, client: &Client, reference: &str, patch: HostPatch) -> Result<ExitCode> {
    let found = find(client, reference).await?;
    let before = client.get(&format!("/hosts/{}", text(&found, "id"))).await?;
    let path = client.path(&format!("/hosts/{}", text(&found, "id")));
    let after = client.send(Method::PATCH, &path, Some(&patch)).await?;
    let (changed, name) = (setting_changes(&before, &after), text(&found, "name"));
    if changed.is_empty() {
        messages::note(globals, format!("{name}: no changes"));
        return Ok(ExitCode::SUCCESS);
    }
    if globals.dry_run {
        changed.iter().for_each(|change| messages::note(globals, format!("would change {name}: {change}")));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    changed.iter().for_each(|change| messages::done(globals, format!("{name}: {change}")));
    Ok(ExitCode::SUCCESS)
}

/// The changed settings of a host in words: `max running 4 → 2`.
fn setting_changes(before: &Value, after: &Value) -> Vec<String> {
    let settings = |host: &Value| {
        let rate = text(host, "limits.jobs_per_minute");
        [
            ("name", text(host, "name")),
            ("always on", yes_no(host, "always_on")),
            ("queues", unless_empty(names(host, "queues").join(","), "none")),
            ("max running", unless_empty(text(host, "limits.max_running"), "none")),
            ("rate", if rate.is_empty() { "none".to_owned() } else { format!("{rate}/m") }),
            ("offline after", unless_empty(length(host, "offline_after_seconds"), "the org's value")),
            ("alert after", unless_empty(length(host, "alert_after_seconds"), "the org's value")),
        ]
    };
    let pairs = settings(before).into_iter().zip(settings(after));
    pairs
        .filter(|(before, after)| before != after)
        .map(|((setting, before), (_, after))| format!("{setting} {before} → {after}"))
        .collect()
}

fn unless_empty(text: String, otherwise: &str) -> String {
    if text.is_empty() { otherwise.to_owned() } else { text }
}

fn patch(globals: &Globals, args: SetArgs) -> Result<HostPatch> {
    let number = |text: String| {
        let parsed = text.parse().map_err(|_| Failure::usage(format!("`{text}` is neither a number nor `none`")));
        if text == parse::NONE { Ok(None) } else { parsed.map(Some) }
    };
    let rate = |text: String| parse::none_or(&text, parse::per_minute);
    let seconds = |text: String| parse::none_or(&text, parse::seconds);
    let patch = HostPatch {
        name: args.name,
        always_on: args.always_on,
        queues: args.queues.map(|text| queues(queue_list(&text))).transpose()?,
        max_running: args.max_running.map(number).transpose()?,
        jobs_per_minute: args.rate.map(rate).transpose()?,
        offline_after_seconds: args.offline_after.map(seconds).transpose()?,
        alert_after_seconds: args.alert_after.map(seconds).transpose()?,
        labels: None,
        dry_run: globals.dry_run,
    };
    if (HostPatch { dry_run: false, ..patch.clone() }) == HostPatch::default() {
        return Err(
            Failure::usage("no change given").hint("write for example hostler host set web-1 --always-on false")
        );
    }
    Ok(patch)
}

/// Splits a comma-separated list of queues; `none` is the empty list.
fn queue_list(text: &str) -> Vec<String> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty() && *word != parse::NONE);
    words.map(str::to_owned).collect()
}

fn changes(words: &[String]) -> Result<BTreeMap<String, Option<String>>> {
    let change = |word: &String| match (word.split_once('='), word.strip_suffix('-')) {
        (Some((key, value)), _) => Ok((key.to_owned(), Some(value.to_owned()))),
        (None, Some(key)) => Ok((key.to_owned(), None)),
        (None, None) => Err(Failure::usage(format!("`{word}` is not a label change"))
            .hint("write env=prod to set a label, or env- to remove it")),
    };
    words.iter().map(change).collect()
}

fn request(mark: &MarkArgs) -> Result<HostMarkRequest> {
    let until = mark.until.as_deref().map(parse::future_time).transpose()?;
    Ok(HostMarkRequest { note: mark.note.clone(), until })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_changes_are_in_words() {
        let before =
            json!({"name": "web-1", "always_on": true, "limits": {"max_running": 4}, "alert_after_seconds": 900});
        let after = json!({"name": "web-2", "always_on": false, "limits": {"jobs_per_minute": 10}});
        assert_eq!(
            setting_changes(&before, &after),
            [
                "name web-1 → web-2",
                "always on yes → no",
                "max running 4 → none",
                "rate none → 10/m",
                "alert after 15m → the org's value",
            ]
        );
        assert!(setting_changes(&after, &after).is_empty());
    }

    #[test]
    fn queues_are_shown_with_the_reason_that_they_are_not_served() {
        for (allowed, offered, shown) in [
            (&["default"] as &[&str], &["default"] as &[&str], "default"),
            (&["default", "gpu"], &["default", "payments"], "default; not allowed: payments; not offered: gpu"),
            (&[], &["default"], "none; not allowed: default"),
        ] {
            assert_eq!(served(&json!({"queues": allowed, "queues_offered": offered})), shown);
        }
        assert_eq!(queue_list("a, b"), ["a", "b"]);
        assert_eq!(queue_list("none"), [] as [&str; 0]);
    }

    #[test]
    fn clock_difference_names_the_direction() {
        assert_eq!(clock_difference(3_400).as_deref(), Some("clock 3 s ahead of the hub's"));
        assert_eq!(clock_difference(-120_000).as_deref(), Some("clock 2 min behind the hub's"));
        assert_eq!(clock_difference(-999), None);
    }

    #[test]
    fn label_prompt_names_the_changes() {
        let prompt = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            label_prompt(&changes(&words).expect("reads"))
        };
        assert_eq!(prompt(&["env=prod"]), "Set label env=prod on");
        assert_eq!(prompt(&["zone-"]), "Remove label zone from");
        assert_eq!(prompt(&["zone-", "env=prod"]), "Change labels env, zone of");
    }

    #[test]
    fn changes_parses_set_and_remove() {
        let words = ["env=prod".to_owned(), "gpu-".to_owned()];
        assert_eq!(
            changes(&words).expect("reads"),
            BTreeMap::from([("env".into(), Some("prod".into())), ("gpu".into(), None)])
        );
        assert!(changes(&["env".to_owned()]).is_err());
    }
}
