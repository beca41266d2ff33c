//! Orgs.

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

/// Orgs
#[derive(Subcommand)]
pub(crate) enum OrgCommand {
    /// All orgs of the installation
    List,
    /// The org you work in
    Show,
    /// Make an org
    Create {
        /// Its name in addresses and commands
        slug: String,
        /// Its name for people
        #[arg(long)]
        name: Option<String>,
        /// Its IANA time zone, as in Europe/Berlin
        #[arg(long)]
        timezone: Option<String>,
    },
    /// Change the org you work in
    Set {
        /// Its name for people
        #[arg(long)]
        name: Option<String>,
        /// Its IANA time zone, as in Europe/Berlin
        #[arg(long)]
        timezone: Option<String>,
        /// Silence until a host is offline, as in 90s
        #[arg(long)]
        offline_after: Option<String>,
        /// Silence until somebody is told, as in 15m
        #[arg(long)]
        alert_after: Option<String>,
        /// Jobs running at once in all of it, or `none`
        #[arg(long)]
        max_running: Option<String>,
        /// Jobs begun in any minute, as in 100/m, or `none`
        #[arg(long)]
        rate: Option<String>,
        /// How long jobs that succeeded are kept, as in 30d, or `default` for the hub's own
        #[arg(long)]
        keep_succeeded: Option<String>,
        /// The same for those that failed without another try
        #[arg(long)]
        keep_failed: Option<String>,
        /// The same for those that were given up after their last try
        #[arg(long)]
        keep_dead_letter: Option<String>,
        /// The same for those that were canceled or expired
        #[arg(long)]
        keep_canceled: Option<String>,
    },
    /// Remove an org with all that is in it
    Rm {
        /// Its slug
        slug: String,
        /// Its slug, typed out
        #[arg(long)]
        confirm: Option<String>,
    },
}

const COLUMNS: &[Column] = &[
    column("SLUG", |o| text(o, "slug")),
    column("NAME", |o| text(o, "name")),
    column("TIMEZONE", |o| text(o, "timezone")),
    column("OFFLINE AFTER", |o| format!("{} s", text(o, "offline_after_seconds"))),
    column("ALERT AFTER", |o| format!("{} s", text(o, "alert_after_seconds"))),
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
            wrote(globals, done, |_| format!("made org {slug}"))
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
                return Err(Failure::usage("what is to be changed?").hint("hostler org set --timezone Europe/Berlin"));
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

/// A number, a rate as in `10/m`, or `none`.
fn limit(text: Option<&str>) -> Result<Option<Option<i32>>> {
    match text {
        None => Ok(None),
        Some("none") => Ok(Some(None)),
        Some(text) => super::limit::per_minute(text).map(|number| Some(Some(number))),
    }
}

/// How long something is kept, or `default`.
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
