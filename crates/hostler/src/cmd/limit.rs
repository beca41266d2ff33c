//! Limits by key, and pauses.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use proto::api::limit::{LimitRequest, PauseRequest};
use reqwest::Method;
use serde_json::Value;

use super::{run::moment, show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, encoded},
    fail::{Failure, Result},
    output::{Column, column, text, when},
};

/// Limits that jobs share by a key
#[derive(Subcommand)]
pub(crate) enum LimitCommand {
    /// The limits of the org
    List,
    /// Set the limit of a key
    Set {
        /// The key that jobs name with --limit-key
        key: String,
        /// Jobs running at once
        #[arg(long)]
        max_running: Option<i32>,
        /// Jobs begun in any minute, as in 10/m
        #[arg(long)]
        rate: Option<String>,
    },
    /// Remove the limit of a key
    Rm {
        /// The key
        key: String,
    },
}

/// What to pause
#[derive(Args)]
pub(crate) struct PauseArgs {
    /// org, definition, queue or key; none lists what is paused
    kind: Option<String>,
    /// Which definition, queue or key
    #[arg(default_value = "")]
    subject: String,
    /// Why
    #[arg(long, default_value = "")]
    note: String,
    /// When it ends by itself: a time, or a length as in 2h
    #[arg(long)]
    until: Option<String>,
}

/// What to resume
#[derive(Args)]
pub(crate) struct ResumeArgs {
    /// org, definition, queue or key
    kind: String,
    /// Which definition, queue or key
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

/// A rate as in `10/m`, or a bare number.
pub(crate) fn per_minute(said: &str) -> Result<i32> {
    let number = said.strip_suffix("/m").or(said.strip_suffix("/min")).unwrap_or(said);
    number.parse().map_err(|_| Failure::usage(format!("`{said}` is not a rate")).hint("write 10/m"))
}

async fn set(globals: &Globals, client: &Client, key: &str, body: LimitRequest) -> Result<ExitCode> {
    let done = client.write(globals, Method::PUT, &format!("/limits/{}", encoded(key)), Some(&body)).await?;
    wrote(globals, done, |_| match (body.max_running, body.jobs_per_minute) {
        (None, None) => format!("{key}: no limit"),
        (running, rate) => {
            let running = running.map(|max| format!("{max} running")).unwrap_or_default();
            let rate = rate.map(|max| format!("{max} a minute")).unwrap_or_default();
            format!(
                "{key}: {}",
                [running, rate].iter().filter(|text| !text.is_empty()).cloned().collect::<Vec<_>>().join(", ")
            )
        }
    })
}

pub(crate) async fn limit(globals: &Globals, command: LimitCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        LimitCommand::List => show_list(globals, "key", COLUMNS, || client.list("/limits")).await,
        LimitCommand::Set { key, max_running, rate } => {
            if max_running.is_none() && rate.is_none() {
                return Err(Failure::usage("say how many: --max-running N or --rate N/m"));
            }
            let jobs_per_minute = rate.as_deref().map(per_minute).transpose()?;
            set(globals, &client, &key, LimitRequest { max_running, jobs_per_minute }).await
        }
        LimitCommand::Rm { key } => set(globals, &client, &key, LimitRequest::default()).await,
    }
}

pub(crate) async fn pause(globals: &Globals, args: PauseArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let Some(kind) = args.kind else {
        return show_list(globals, "subject", PAUSES, || client.list("/pauses")).await;
    };
    let until = args.until.as_deref().map(moment).transpose()?;
    let body =
        PauseRequest { kind: kind.clone(), subject: args.subject.clone(), note: args.note, until, resume: false };
    let done = client.write(globals, Method::POST, "/pauses", Some(&body)).await?;
    wrote(globals, done, |_: &Value| format!("{kind} {} is paused; what runs goes on", args.subject))
}

pub(crate) async fn resume(globals: &Globals, args: ResumeArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let body = PauseRequest {
        kind: args.kind.clone(),
        subject: args.subject.clone(),
        resume: true,
        ..PauseRequest::default()
    };
    let done = client.write(globals, Method::POST, "/pauses", Some(&body)).await?;
    wrote(globals, done, |_: &Value| format!("{} {} goes on", args.kind, args.subject))
}
