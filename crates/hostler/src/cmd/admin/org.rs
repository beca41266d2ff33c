//! `hostler org`: organizations.

use std::process::ExitCode;

use clap::Subcommand;
use domain::Span;
use proto::api::org::{OrgPatch, OrgRemoval, OrgRequest};
use reqwest::Method;
use serde_json::Value;

use super::{show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, encoded},
    fail::{Failure, Result},
    output::{self, Column, column, text, when, wide},
    say,
};

/// Manage orgs
#[derive(Subcommand)]
pub(crate) enum OrgCommand {
    /// List all orgs of the installation
    List,
    /// Show the current org
    Show,
    /// Create an org
    Create {
        /// Short name in URLs and commands
        slug: String,
        /// Display name
        #[arg(long)]
        name: Option<String>,
        /// IANA time zone, for example Europe/Berlin
        #[arg(long)]
        timezone: Option<String>,
    },
    /// Change the current org
    Set {
        /// Display name
        #[arg(long)]
        name: Option<String>,
        /// IANA time zone, for example Europe/Berlin
        #[arg(long)]
        timezone: Option<String>,
        /// Time without heartbeats until a host counts as offline, for example 90s
        #[arg(long)]
        offline_after: Option<String>,
        /// Time without heartbeats until an alert is raised, for example 15m
        #[arg(long)]
        alert_after: Option<String>,
        /// Maximum number of jobs of the org that run at the same time, or `none`
        #[arg(long)]
        max_running: Option<String>,
        /// Maximum number of job starts per minute, for example 100/m, or `none`
        #[arg(long)]
        rate: Option<String>,
        /// How long succeeded jobs are kept, for example 30d, or `default` for the hub's setting
        #[arg(long)]
        keep_succeeded: Option<String>,
        /// How long failed jobs are kept: those whose exit code excludes a retry
        #[arg(long)]
        keep_failed: Option<String>,
        /// How long dead-letter jobs are kept: those that failed in their last attempt
        #[arg(long)]
        keep_dead_letter: Option<String>,
        /// How long canceled and expired jobs are kept
        #[arg(long)]
        keep_canceled: Option<String>,
    },
    /// Remove an org with all its hosts, jobs and members
    Rm {
        /// Slug of the org
        slug: String,
        /// Slug of the org, to confirm the removal without a prompt
        #[arg(long)]
        confirm: Option<String>,
    },
}

const COLUMNS: &[Column] = &[
    column("SLUG", |o| text(o, "slug")),
    column("NAME", |o| text(o, "name")),
    column("TIMEZONE", |o| text(o, "timezone")),
    column("OFFLINE AFTER", |o| output::length(o, "offline_after_seconds")),
    column("ALERT AFTER", |o| output::length(o, "alert_after_seconds")),
    column("MAX RUNNING", |o| text(o, "max_running")),
    column("PER MINUTE", |o| text(o, "jobs_per_minute")),
    wide("KEEP SUCCEEDED", |o| kept(o, "keep_succeeded_seconds")),
    wide("KEEP FAILED", |o| kept(o, "keep_failed_seconds")),
    wide("KEEP DEAD LETTER", |o| kept(o, "keep_dead_letter_seconds")),
    wide("KEEP CANCELED", |o| kept(o, "keep_canceled_seconds")),
    wide("ID", |o| text(o, "id")),
    wide("CREATED", |o| when(o, "created_at")),
];

pub(crate) async fn org(globals: &Globals, command: OrgCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        OrgCommand::List => show_list(globals, "slug", COLUMNS, || client.all("/api/v1/admin/orgs")).await,
        OrgCommand::Show => {
            output::one(globals, client.get("/org").await?, "slug", COLUMNS)?;
            Ok(ExitCode::SUCCESS)
        }
        OrgCommand::Create { slug, name, timezone } => {
            let done = client
                .write_at(
                    globals,
                    Method::POST,
                    "/api/v1/admin/orgs",
                    Some(&OrgRequest { slug: slug.clone(), name, timezone }),
                )
                .await?;
            wrote(globals, done, |_| format!("created org {slug}"))
        }
        OrgCommand::Set {
            name,
            timezone,
            offline_after,
            alert_after,
            max_running,
            rate,
            keep_succeeded,
            keep_failed,
            keep_dead_letter,
            keep_canceled,
        } => {
            let patch = OrgPatch {
                name,
                timezone,
                offline_after_seconds: seconds(offline_after)?,
                alert_after_seconds: seconds(alert_after)?,
                max_running: limit(max_running.as_deref())?,
                jobs_per_minute: limit(rate.as_deref())?,
                keep_succeeded_seconds: keep(keep_succeeded)?,
                keep_failed_seconds: keep(keep_failed)?,
                keep_dead_letter_seconds: keep(keep_dead_letter)?,
                keep_canceled_seconds: keep(keep_canceled)?,
            };
            if patch == OrgPatch::default() {
                return Err(Failure::usage("no change given")
                    .hint("write for example hostler org set --timezone Europe/Berlin"));
            }
            let done = client.write(globals, Method::PATCH, "/org", Some(&patch)).await?;
            wrote(globals, done, |org| format!("changed org {}", text(org, "slug")))
        }
        OrgCommand::Rm { slug, confirm } => {
            if !globals.dry_run {
                say::confirm_name(
                    globals,
                    &format!("Removing org {slug} with all its hosts, tokens and members"),
                    &slug,
                    confirm.as_deref(),
                )?;
            }
            let removal = OrgRemoval { confirm: slug.clone() };
            let done = client
                .write_at(globals, Method::DELETE, &format!("/api/v1/admin/orgs/{}", encoded(&slug)), Some(&removal))
                .await?;
            wrote(globals, done, |_| format!("removed org {slug}"))
        }
    }
}

/// Parses a number, a rate such as `10/m`, or `none`.
fn limit(text: Option<&str>) -> Result<Option<Option<i32>>> {
    match text {
        None => Ok(None),
        Some("none") => Ok(Some(None)),
        Some(text) => super::limit::per_minute(text).map(|number| Some(Some(number))),
    }
}

/// Parses a retention: a duration or `default`.
fn keep(text: Option<String>) -> Result<Option<Option<u32>>> {
    match text.as_deref() {
        Some("default") => Ok(Some(None)),
        _ => Ok(seconds(text)?.map(Some)),
    }
}

fn kept(org: &Value, field: &str) -> String {
    let seconds = org[field].as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    seconds.map_or_else(|| "default".to_owned(), |seconds| Span::from_secs(seconds).to_string())
}

fn seconds(text: Option<String>) -> Result<Option<u32>> {
    let Some(text) = text else { return Ok(None) };
    let span: Span = text.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))?;
    Ok(Some(u32::try_from(span.as_millis() / 1_000).unwrap_or(u32::MAX)))
}
