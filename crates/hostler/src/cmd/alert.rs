//! Alerts and the rules that make them.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::alert::{AlertKind, Severity};
use proto::{
    Code,
    api::alert::{AckRequest, AlertRuleRequest, ResolveRequest, SnoozeRequest},
};
use reqwest::Method;
use serde::Serialize;
use serde_json::Value;

use super::{
    run::{moment, seconds},
    show_list, wrote,
};
use crate::{
    cli::Globals,
    client::Client,
    fail::{Failure, Result},
    output::{self, Column, column, length, text, when, wide},
    pick,
};

/// What is wrong, and what makes it so
#[derive(Subcommand)]
pub(crate) enum AlertCommand {
    /// What is wrong now, newest first
    #[command(alias = "ls")]
    List {
        /// Also what is over
        #[arg(long)]
        all: bool,
    },
    /// One alert with all that is known of it
    Show {
        /// Id or the beginning of it, or the name of what it is about
        alert: String,
    },
    /// Say that you know of it: there are no more reminders
    Ack {
        /// Id or the beginning of it, or the name of what it is about
        alert: String,
        /// What you do about it
        #[arg(long, default_value = "")]
        note: String,
        /// Open it again then if it still lasts: a time, or a length as in 2h
        #[arg(long, value_name = "TIME", conflicts_with = "length")]
        until: Option<String>,
        /// Open it again after this long if it still lasts, as in 1h
        #[arg(long = "for", id = "length", value_name = "LENGTH")]
        length: Option<String>,
    },
    /// Tell nobody of it for a while
    Snooze {
        /// Id or the beginning of it, or the name of what it is about
        alert: String,
        /// For how long, as in 2h
        #[arg(long = "for", value_name = "LENGTH")]
        length: String,
    },
    /// Say that it is over
    Resolve {
        /// Id or the beginning of it, or the name of what it is about
        alert: String,
        /// Why
        #[arg(long, default_value = "")]
        note: String,
    },
    /// What makes an alert, one rule for each kind
    Rules,
    /// Change the rule of a kind: what is not named stays as it is
    Rule(RuleArgs),
}

/// A rule
#[derive(Args)]
pub(crate) struct RuleArgs {
    /// Of which kind; `hostler alert rules` shows them
    kind: AlertKind,
    /// There are such alerts
    #[arg(long, conflicts_with = "off")]
    on: bool,
    /// There are none
    #[arg(long)]
    off: bool,
    /// How bad they are: info, warning or critical
    #[arg(long)]
    severity: Option<Severity>,
    /// How long it must be wrong before anybody is told, as in 5m
    #[arg(long = "for", value_name = "LENGTH")]
    lasting: Option<String>,
    /// How long it must be right again before it is over, as in 1m
    #[arg(long, value_name = "LENGTH")]
    clear: Option<String>,
    /// How often people are reminded, as in 4h, or never
    #[arg(long, value_name = "LENGTH")]
    repeat: Option<String>,
    /// From when on it is wrong, as in 10m, for kinds with such a threshold
    #[arg(long, value_name = "LENGTH")]
    threshold: Option<String>,
    /// As it comes
    #[arg(long, conflicts_with_all = ["on", "off", "severity", "lasting", "clear", "repeat", "threshold"])]
    reset: bool,
}

const COLUMNS: &[Column] = &[
    column("", mark),
    column("KIND", |a| text(a, "kind")),
    column("SUBJECT", |a| text(a, "subject_name")),
    column("SINCE", |a| when(a, "since")),
    column("STATUS", status),
    column("TOLD", |a| when(a, "told_at")),
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
    column("TOLD", |a| when(a, "told_at")),
    column("ACKED", |a| when(a, "acked_at")),
    column("BY", |a| text(a, "acked_by")),
    column("NOTE", |a| text(a, "note")),
    column("SNOOZED UNTIL", |a| text(a, "snoozed_until")),
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

/// How bad an alert is, as a mark that also says so without colours.
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
            show_list(globals, "id", COLUMNS, || client.list(path)).await
        }
        AlertCommand::Show { alert } => {
            output::one(globals, find(&client, &alert).await?, "id", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        AlertCommand::Ack { alert, note, until, length } => {
            let until = until.or(length).as_deref().map(moment).transpose()?;
            act(globals, &client, &alert, "ack", &AckRequest { note, until }, "acknowledged").await
        }
        AlertCommand::Snooze { alert, length } => {
            let until = moment(&length)?;
            act(globals, &client, &alert, "snooze", &SnoozeRequest { until }, &format!("snoozed until {until}")).await
        }
        AlertCommand::Resolve { alert, note } => {
            act(globals, &client, &alert, "resolve", &ResolveRequest { note }, "resolved").await
        }
        AlertCommand::Rules => show_list(globals, "kind", RULES, || client.list("/alert-rules")).await,
        AlertCommand::Rule(args) => rule(globals, &client, args).await,
    }
}

async fn act(
    globals: &Globals,
    client: &Client,
    reference: &str,
    word: &str,
    body: &impl Serialize,
    said: &str,
) -> Result<ExitCode> {
    let found = find(client, reference).await?;
    let path = format!("/alerts/{}/{word}", text(&found, "id"));
    let done = client.write(globals, Method::POST, &path, Some(body)).await?;
    wrote(globals, done, |_| format!("{} {} is {said}", text(&found, "kind"), text(&found, "subject_name")))
}

/// The alert that is meant: among those that last first, because a name may have many that are over.
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

/// Changes a rule. The hub takes rules as a whole, so what is not named is read first.
async fn rule(globals: &Globals, client: &Client, args: RuleArgs) -> Result<ExitCode> {
    let kind = args.kind;
    let path = format!("/alert-rules/{kind}");
    if args.reset {
        let done = client.write(globals, Method::PUT, &path, Some(&AlertRuleRequest::default())).await?;
        return wrote(globals, done, |rule| format!("{kind} is as it comes: {}", told(rule)));
    }
    let length = |given: Option<String>| given.as_deref().map(seconds).transpose();
    let named = AlertRuleRequest {
        is_enabled: (args.on || args.off).then_some(args.on),
        severity: args.severity,
        for_seconds: length(args.lasting)?,
        clear_seconds: length(args.clear)?,
        repeat_seconds: if args.repeat.as_deref() == Some("never") { Some(0) } else { length(args.repeat)? },
        threshold_seconds: length(args.threshold)?,
    };
    if named == AlertRuleRequest::default() {
        let hint = format!("hostler alert rule {kind} --severity critical, --off, --for 5m or --reset");
        return Err(Failure::usage("what is to be changed?").hint(hint));
    }
    let rules = client.list("/alert-rules").await?;
    let now = rules.iter().find(|rule| text(rule, "kind") == kind.as_str());
    let now: Option<proto::api::alert::AlertRule> = now.and_then(|rule| serde_json::from_value(rule.clone()).ok());
    let now = now.ok_or_else(|| Failure::new(Code::NotFound, format!("this hub has no rule for {kind}")))?;
    let body = AlertRuleRequest {
        is_enabled: named.is_enabled.or(Some(now.is_enabled)),
        severity: named.severity.or(Some(now.severity)),
        for_seconds: named.for_seconds.or(Some(now.for_seconds)),
        clear_seconds: named.clear_seconds.or(Some(now.clear_seconds)),
        repeat_seconds: named.repeat_seconds.or(now.repeat_seconds),
        threshold_seconds: named.threshold_seconds.or(now.threshold_seconds),
    };
    let done = client.write(globals, Method::PUT, &path, Some(&body)).await?;
    wrote(globals, done, |rule| format!("{kind}: {}", told(rule)))
}

/// A rule in words.
fn told(rule: &Value) -> String {
    if text(rule, "is_enabled") != "true" {
        return "off".to_owned();
    }
    let parts = [
        ("after", "for_seconds"),
        ("over after", "clear_seconds"),
        ("again every", "repeat_seconds"),
        ("from", "threshold_seconds"),
    ];
    let parts = parts.iter().map(|(word, field)| (word, length(rule, field))).filter(|(_, length)| !length.is_empty());
    let parts: Vec<String> = parts.map(|(word, length)| format!("{word} {length}")).collect();
    format!("{}, {}", text(rule, "severity"), parts.join(", "))
}
