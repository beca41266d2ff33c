//! `hostler alert`: alerts and the rules that raise them.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::alert::{AlertKind, Severity};
use proto::{
    Code,
    api::alert::{AckRequest, AlertRule, AlertRuleRequest, ResolveRequest, SnoozeRequest},
};
use reqwest::Method;
use serde::Serialize;
use serde_json::Value;

use super::maintenance;
use crate::{
    client::Client,
    fail::{Failure, Result},
    globals::Globals,
    output::{self, Column, column, length, text, when, wide},
    parse, pick,
};

/// Manage alerts and alert rules
#[derive(Subcommand)]
pub(crate) enum AlertCommand {
    /// List open alerts, newest first
    #[command(alias = "ls")]
    List {
        /// Include resolved alerts
        #[arg(long)]
        all: bool,
    },
    /// Show an alert
    Show {
        /// Alert id, id prefix, or the name of its subject
        alert: String,
    },
    /// Acknowledge an alert: no more reminders are sent
    Ack {
        /// Alert id, id prefix, or the name of its subject
        alert: String,
        /// Note, for example what you do about it
        #[arg(long, default_value = "")]
        note: String,
        /// Reopen the alert at this time if it is not resolved: a time, or a duration such as 2h
        #[arg(long, value_name = "TIME", conflicts_with = "duration")]
        until: Option<String>,
        /// Reopen the alert after this duration if it is not resolved, for example 1h
        #[arg(long = "for", id = "duration", value_name = "DURATION")]
        duration: Option<String>,
    },
    /// Snooze an alert: no notifications for a while
    Snooze {
        /// Alert id, id prefix, or the name of its subject
        alert: String,
        /// Duration, for example 2h
        #[arg(long = "for", value_name = "DURATION")]
        duration: String,
    },
    /// Mute notifications of some alerts for a while
    Mute(maintenance::MuteArgs),
    /// Resolve an alert by hand
    Resolve {
        /// Alert id, id prefix, or the name of its subject
        alert: String,
        /// Reason
        #[arg(long, default_value = "")]
        note: String,
    },
    /// List alert rules, one for each kind of alert
    Rules,
    /// Change the rule of a kind of alert; options that are not given keep their values
    Rule(RuleArgs),
}

/// Options of `hostler alert rule`
#[derive(Args)]
pub(crate) struct RuleArgs {
    /// Kind of alert; see `hostler alert rules`
    kind: AlertKind,
    /// Enable the rule
    #[arg(long, conflicts_with = "off")]
    on: bool,
    /// Disable the rule
    #[arg(long)]
    off: bool,
    /// Severity of its alerts: info, warning or critical
    #[arg(long)]
    severity: Option<Severity>,
    /// How long the condition must last before the alert is raised, for example 5m
    #[arg(long = "for", value_name = "DURATION")]
    lasting: Option<String>,
    /// How long the condition must be absent before the alert is resolved, for example 1m
    #[arg(long, value_name = "DURATION")]
    clear: Option<String>,
    /// Interval of reminders, for example 4h, or never
    #[arg(long, value_name = "DURATION")]
    repeat: Option<String>,
    /// Threshold of the condition, for example 10m, for kinds that have one
    #[arg(long, value_name = "DURATION")]
    threshold: Option<String>,
    /// Restore the defaults of the rule
    #[arg(long, conflicts_with_all = ["on", "off", "severity", "lasting", "clear", "repeat", "threshold"])]
    reset: bool,
}

const COLUMNS: &[Column] = &[
    column("", mark),
    column("KIND", |a| text(a, "kind")),
    column("SUBJECT", |a| text(a, "subject_name")),
    column("SINCE", |a| when(a, "since")),
    column("STATUS", status),
    column("NOTIFIED", |a| when(a, "notified_at")),
    column("TEXT", |a| text(a, "text")),
    wide("ID", |a| text(a, "id")),
    wide("BY", |a| text(a, "acked_by")),
    wide("NOTE", |a| text(a, "note")),
];

const ROWS: &[Column] = &[
    column("ALERT", |a| text(a, "id")),
    column("KIND", |a| text(a, "kind")),
    column("SEVERITY", |a| format!("{} {}", mark(a), text(a, "severity"))),
    column("STATUS", status),
    column("SUBJECT", |a| format!("{} {}", text(a, "subject_kind"), text(a, "subject_name"))),
    column("TEXT", |a| text(a, "text")),
    column("SINCE", |a| when(a, "since")),
    column("RAISED", |a| when(a, "raised_at")),
    column("NOTIFIED", |a| when(a, "notified_at")),
    column("ACKED", |a| when(a, "acked_at")),
    column("BY", |a| text(a, "acked_by")),
    column("NOTE", |a| text(a, "note")),
    column("SNOOZED UNTIL", |a| output::local_time(&text(a, "snoozed_until"))),
    column("RESOLVED", |a| when(a, "resolved_at")),
    column("REASON", |a| text(a, "resolved_reason")),
];

const RULES: &[Column] = &[
    column("ON", |r| if text(r, "is_enabled") == "true" { "on" } else { "off" }.to_owned()),
    column("KIND", |r| text(r, "kind")),
    column("SEVERITY", |r| text(r, "severity")),
    column("FOR", |r| length(r, "for_seconds")),
    column("CLEAR", |r| length(r, "clear_seconds")),
    column("REPEAT", |r| length(r, "repeat_seconds")),
    column("THRESHOLD", |r| length(r, "threshold_seconds")),
    column("CHANGED", |r| if text(r, "is_default") == "true" { String::new() } else { "changed".to_owned() }),
];

/// The glyph of an alert's severity, which is readable without colours.
fn mark(alert: &Value) -> String {
    match text(alert, "severity").as_str() {
        "critical" => "✕",
        "warning" => "▲",
        _ => "·",
    }
    .to_owned()
}

fn status(alert: &Value) -> String {
    let flapping = if text(alert, "is_flapping") == "true" { ", flapping" } else { "" };
    format!("{}{flapping}", text(alert, "status"))
}

pub(crate) async fn alert(globals: &Globals, command: AlertCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        AlertCommand::List { all } => {
            let path = if all { "/alerts?status=all" } else { "/alerts" };
            output::show_list(globals, "alert", "id", COLUMNS, || client.list(path)).await
        }
        AlertCommand::Show { alert } => {
            output::one(globals, find(&client, &alert).await?, "id", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        AlertCommand::Ack { alert, note, until, duration } => {
            let until = until.or(duration).as_deref().map(parse::future_time).transpose()?;
            act(globals, &client, &alert, "ack", &AckRequest { note, until }, "acknowledged").await
        }
        AlertCommand::Snooze { alert, duration } => {
            let until = parse::future_time(&duration)?;
            let state = format!("snoozed until {}", output::local_time(&until.to_string()));
            act(globals, &client, &alert, "snooze", &SnoozeRequest { until }, &state).await
        }
        AlertCommand::Mute(args) => maintenance::mute(globals, args).await,
        AlertCommand::Resolve { alert, note } => {
            act(globals, &client, &alert, "resolve", &ResolveRequest { note }, "resolved").await
        }
        AlertCommand::Rules => {
            output::show_list(globals, "alert rule", "kind", RULES, || client.list("/alert-rules")).await
        }
        AlertCommand::Rule(args) => rule(globals, &client, args).await,
    }
}

async fn act(
    globals: &Globals,
    client: &Client,
    reference: &str,
    action: &str,
    body: &impl Serialize,
    state: &str,
) -> Result<ExitCode> {
    let found = find(client, reference).await?;
    let path = format!("/alerts/{}/{action}", text(&found, "id"));
    let outcome = client.write(globals, Method::POST, &path, Some(body)).await?;
    let (kind, subject) = (text(&found, "kind"), text(&found, "subject_name"));
    outcome.report(globals, |_| format!("the {kind} alert for {subject} is {state}"))
}

/// Finds an alert. Open alerts are searched first, because a subject may have many resolved ones.
async fn find(client: &Client, reference: &str) -> Result<Value> {
    if reference.parse::<domain::AlertId>().is_ok() {
        return client.get(&format!("/alerts/{reference}")).await;
    }
    let open = client.list("/alerts").await?;
    match pick::pick_one(&open, "alert", "subject_name", reference) {
        Err(failure) if failure.problem.code == Code::NotFound => {
            let all = client.list("/alerts?status=all").await?;
            pick::pick_one(&all, "alert", "subject_name", reference).cloned()
        }
        found => found.cloned(),
    }
}

/// Changes a rule. The hub replaces rules as a whole, so the values that are not given are read first.
async fn rule(globals: &Globals, client: &Client, args: RuleArgs) -> Result<ExitCode> {
    let kind = args.kind;
    let path = format!("/alert-rules/{kind}");
    if args.reset {
        let outcome = client.write(globals, Method::PUT, &path, Some(&AlertRuleRequest::default())).await?;
        return outcome
            .report(globals, |rule| format!("alert rule {kind} is reset to its defaults: {}", summary(rule)));
    }
    let seconds = |duration: Option<String>| duration.as_deref().map(parse::seconds).transpose();
    let change = AlertRuleRequest {
        is_enabled: (args.on || args.off).then_some(args.on),
        severity: args.severity,
        for_seconds: seconds(args.lasting)?,
        clear_seconds: seconds(args.clear)?,
        repeat_seconds: if args.repeat.as_deref() == Some("never") { Some(0) } else { seconds(args.repeat)? },
        threshold_seconds: seconds(args.threshold)?,
    };
    if change == AlertRuleRequest::default() {
        let hint =
            format!("write for example hostler alert rule {kind} --severity critical; see --help for all options");
        return Err(Failure::usage("no change given").hint(hint));
    }
    let rules = client.list("/alert-rules").await?;
    let rule = rules.into_iter().find(|rule| text(rule, "kind") == kind.as_str());
    let current: Option<AlertRule> = rule.and_then(|rule| serde_json::from_value(rule).ok());
    let current = current.ok_or_else(|| Failure::new(Code::NotFound, format!("this hub has no rule for {kind}")))?;
    let body = AlertRuleRequest {
        is_enabled: change.is_enabled.or(Some(current.is_enabled)),
        severity: change.severity.or(Some(current.severity)),
        for_seconds: change.for_seconds.or(Some(current.for_seconds)),
        clear_seconds: change.clear_seconds.or(Some(current.clear_seconds)),
        repeat_seconds: change.repeat_seconds.or(current.repeat_seconds),
        threshold_seconds: change.threshold_seconds.or(current.threshold_seconds),
    };
    let outcome = client.write(globals, Method::PUT, &path, Some(&body)).await?;
    outcome.report(globals, |rule| format!("alert rule {kind}: {}", summary(rule)))
}

/// The summary of a rule.
fn summary(rule: &Value) -> String {
    if text(rule, "is_enabled") != "true" {
        return "off".to_owned();
    }
    let parts = [
        ("raised after", "for_seconds"),
        ("resolved after", "clear_seconds"),
        ("reminder every", "repeat_seconds"),
        ("threshold", "threshold_seconds"),
    ];
    let parts = parts.iter().map(|(word, field)| (word, length(rule, field))).filter(|(_, length)| !length.is_empty());
    let parts: Vec<String> = parts.map(|(word, length)| format!("{word} {length}")).collect();
    format!("{}, {}", text(rule, "severity"), parts.join(", "))
}
