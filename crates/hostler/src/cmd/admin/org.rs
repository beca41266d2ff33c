//! `hostler org`: organizations.

use std::process::ExitCode;

use clap::Subcommand;
use proto::api::org::{OrgPatch, OrgRemoval, OrgRequest};
use reqwest::Method;
use serde_json::Value;

use crate::{
    client::{Client, encoded},
    fail::{Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, length, text, when, wide},
    parse,
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

/// The word that restores the hub's retention.
const DEFAULT: &str = "default";

const COLUMNS: &[Column] = &[
    column("SLUG", |o| text(o, "slug")),
    column("NAME", |o| text(o, "name")),
    column("TIMEZONE", |o| text(o, "timezone")),
    column("OFFLINE AFTER", |o| length(o, "offline_after_seconds")),
    column("ALERT AFTER", |o| length(o, "alert_after_seconds")),
    column("MAX RUNNING", |o| text(o, "max_running")),
    column("PER MINUTE", |o| text(o, "jobs_per_minute")),
    wide("KEEP SUCCEEDED", |o| retention_text(o, "keep_succeeded_seconds")),
    wide("KEEP FAILED", |o| retention_text(o, "keep_failed_seconds")),
    wide("KEEP DEAD LETTER", |o| retention_text(o, "keep_dead_letter_seconds")),
    wide("KEEP CANCELED", |o| retention_text(o, "keep_canceled_seconds")),
    wide("ID", |o| text(o, "id")),
    wide("CREATED", |o| when(o, "created_at")),
];

pub(crate) async fn org(globals: &Globals, command: OrgCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        OrgCommand::List => {
            output::show_list(globals, "org", "slug", COLUMNS, || client.all("/api/v1/admin/orgs")).await
        }
        OrgCommand::Show => {
            output::one(globals, client.get("/org").await?, "slug", COLUMNS)?;
            Ok(ExitCode::SUCCESS)
        }
        OrgCommand::Create { slug, name, timezone } => {
            let outcome = client
                .write_at(
                    globals,
                    Method::POST,
                    "/api/v1/admin/orgs",
                    Some(&OrgRequest { slug: slug.clone(), name, timezone }),
                )
                .await?;
            outcome.report(globals, |_| format!("created org {slug}"))
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
                offline_after_seconds: offline_after.as_deref().map(parse::seconds).transpose()?,
                alert_after_seconds: alert_after.as_deref().map(parse::seconds).transpose()?,
                max_running: limit(max_running)?,
                jobs_per_minute: limit(rate)?,
                keep_succeeded_seconds: retention(keep_succeeded.as_deref())?,
                keep_failed_seconds: retention(keep_failed.as_deref())?,
                keep_dead_letter_seconds: retention(keep_dead_letter.as_deref())?,
                keep_canceled_seconds: retention(keep_canceled.as_deref())?,
            };
            if patch == OrgPatch::default() {
                return Err(Failure::usage("no change given")
                    .hint("write for example hostler org set --timezone Europe/Berlin"));
            }
            let outcome = client.write(globals, Method::PATCH, "/org", Some(&patch)).await?;
            outcome.report(globals, |org| format!("changed org {}", text(org, "slug")))
        }
        OrgCommand::Rm { slug, confirm } => {
            if !globals.dry_run {
                messages::confirm_name(
                    globals,
                    &format!("Removing org {slug} with all its hosts, tokens and members"),
                    &slug,
                    confirm.as_deref(),
                )?;
            }
            let removal = OrgRemoval { confirm: slug.clone() };
            let outcome = client
                .write_at(globals, Method::DELETE, &format!("/api/v1/admin/orgs/{}", encoded(&slug)), Some(&removal))
                .await?;
            outcome.report(globals, |_| format!("removed org {slug}"))
        }
    }
}

/// Parses a number, a rate such as `10/m`, or `none`.
fn limit(text: Option<String>) -> Result<Option<Option<i32>>> {
    text.map(|text| parse::none_or(&text, parse::per_minute)).transpose()
}

/// Parses a retention: a duration or `default`.
fn retention(text: Option<&str>) -> Result<Option<Option<u32>>> {
    match text {
        Some(DEFAULT) => Ok(Some(None)),
        text => Ok(text.map(parse::seconds).transpose()?.map(Some)),
    }
}

fn retention_text(org: &Value, field: &str) -> String {
    Some(length(org, field)).filter(|length| !length.is_empty()).unwrap_or_else(|| DEFAULT.to_owned())
}
