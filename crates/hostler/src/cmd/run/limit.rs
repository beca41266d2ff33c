//! `hostler limit`, `hostler pause` and `hostler resume`: limits by key, and pauses.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use proto::api::limit::{LimitRequest, PauseRequest};
use reqwest::Method;
use serde_json::Value;

use crate::{
    client::{Client, encoded},
    fail::{Failure, Result},
    globals::Globals,
    output::{self, Column, column, text, when},
    parse,
};

/// Manage limits that jobs share by key
#[derive(Subcommand)]
pub(crate) enum LimitCommand {
    /// List limits
    List,
    /// Set the limit of a key
    Set {
        /// Limit key, as given with `hostler run --limit-key`
        key: String,
        /// Maximum number of jobs that run at the same time
        #[arg(long)]
        max_running: Option<i32>,
        /// Maximum number of job starts per minute, for example 10/m
        #[arg(long)]
        rate: Option<String>,
    },
    /// Remove the limit of a key
    Rm {
        /// Limit key
        key: String,
    },
}

/// Options of `hostler pause`
#[derive(Args)]
pub(crate) struct PauseArgs {
    /// org, definition, queue or key; without it, lists all pauses
    kind: Option<String>,
    /// Name of the definition, queue or key
    #[arg(default_value = "")]
    subject: String,
    /// Reason
    #[arg(long, default_value = "")]
    note: String,
    /// Automatic end: a time, or a duration such as 2h
    #[arg(long)]
    until: Option<String>,
}

/// Options of `hostler resume`
#[derive(Args)]
pub(crate) struct ResumeArgs {
    /// org, definition, queue or key
    kind: String,
    /// Name of the definition, queue or key
    #[arg(default_value = "")]
    subject: String,
}

const COLUMNS: &[Column] = &[
    column("KEY", |l| text(l, "key")),
    column("MAX RUNNING", |l| text(l, "max_running")),
    column("PER MINUTE", |l| text(l, "jobs_per_minute")),
    column("RUNNING", |l| text(l, "running")),
];

const PAUSES: &[Column] = &[
    column("PAUSED", |p| format!("{} {}", text(p, "kind"), text(p, "subject")).trim().to_owned()),
    column("NOTE", |p| text(p, "note")),
    column("UNTIL", |p| when(p, "until")),
    column("BY", |p| text(p, "created_by")),
    column("SINCE", |p| when(p, "created_at")),
];

async fn set(globals: &Globals, client: &Client, key: &str, body: LimitRequest) -> Result<ExitCode> {
    let outcome = client.write(globals, Method::PUT, &format!("/limits/{}", encoded(key)), Some(&body)).await?;
    outcome.report(globals, |_| match (body.max_running, body.jobs_per_minute) {
        (None, None) => format!("removed the limit of key {key}"),
        (running, rate) => {
            let running = running.map(|max| format!("{max} running")).unwrap_or_default();
            let rate = rate.map(|max| format!("{max} started per minute")).unwrap_or_default();
            format!(
                "limit of key {key}: {}",
                [running, rate].iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(", ")
            )
        }
    })
}

pub(crate) async fn limit(globals: &Globals, command: LimitCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        LimitCommand::List => output::show_list(globals, "limit", "key", COLUMNS, || client.list("/limits")).await,
        LimitCommand::Set { key, max_running, rate } => {
            if max_running.is_none() && rate.is_none() {
                return Err(Failure::usage("no limit given").hint("add --max-running N or --rate N/m"));
            }
            let jobs_per_minute = rate.as_deref().map(parse::per_minute).transpose()?;
            set(globals, &client, &key, LimitRequest { max_running, jobs_per_minute }).await
        }
        LimitCommand::Rm { key } => set(globals, &client, &key, LimitRequest::default()).await,
    }
}

pub(crate) async fn pause(globals: &Globals, args: PauseArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let Some(kind) = args.kind else {
        return output::show_list(globals, "pause", "subject", PAUSES, || client.list("/pauses")).await;
    };
    let until = args.until.as_deref().map(parse::future_time).transpose()?;
    let body =
        PauseRequest { kind: kind.clone(), subject: args.subject.clone(), note: args.note, until, resume: false };
    let outcome = client.write(globals, Method::POST, "/pauses", Some(&body)).await?;
    outcome.report(globals, |_: &Value| {
        format!("paused {}; running jobs continue", format!("{kind} {}", args.subject).trim())
    })
}

pub(crate) async fn resume(globals: &Globals, args: ResumeArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let body = PauseRequest {
        kind: args.kind.clone(),
        subject: args.subject.clone(),
        resume: true,
        ..PauseRequest::default()
    };
    let outcome = client.write(globals, Method::POST, "/pauses", Some(&body)).await?;
    outcome.report(globals, |_: &Value| format!("resumed {}", format!("{} {}", args.kind, args.subject).trim()))
}
