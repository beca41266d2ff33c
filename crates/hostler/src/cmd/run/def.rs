//! `hostler def`: definitions, the commands that jobs may run.

use std::{path::Path, process::ExitCode};

use clap::Subcommand;
use domain::definition::Definition;
use proto::Code;
use reqwest::Method;
use serde_json::{Value, json};

use super::files::{self, FilesArgs};
use crate::{
    client::{Client, encoded},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, command_line, joined, length, text, when, wide, yes_no},
};

/// The admin route of definitions.
const ADMIN: &str = "/api/v1/admin/jobs/definitions";

/// Manage definitions: the commands that jobs may run
#[derive(Subcommand)]
pub(crate) enum DefCommand {
    /// List the definitions that the org may use
    #[command(alias = "ls")]
    List,
    /// Show a definition
    Show {
        /// Definition key
        key: String,
    },
    /// Create or change definitions from files
    Apply(FilesArgs),
    /// Check definition files without a hub
    Validate(FilesArgs),
    /// Enable a definition
    Enable {
        /// Definition key
        key: String,
    },
    /// Disable a definition; its jobs stay queued
    Disable {
        /// Definition key
        key: String,
    },
    /// List the versions of a definition with their changes
    History {
        /// Definition key
        key: String,
    },
}

const COLUMNS: &[Column] = &[
    column("KEY", |d| text(d, "key")),
    column("VERSION", |d| text(d, "version")),
    column("ACTIVE", |d| yes_no(d, "is_active")),
    column("TIMEOUT", |d| length(d, "timeout_seconds")),
    column("ATTEMPTS", |d| text(d, "max_attempts")),
    column("USER", |d| text(d, "user")),
    column("PAYLOAD", payload_fields),
    column("DESCRIPTION", |d| text(d, "description")),
    wide("QUEUE", |d| text(d, "queue")),
    wide("SELECTOR", |d| text(d, "selector")),
    wide("CHANGED", |d| when(d, "updated_at")),
];

const ROWS: &[Column] = &[
    column("KEY", |d| text(d, "key")),
    column("VERSION", |d| text(d, "version")),
    column("DESCRIPTION", |d| text(d, "description")),
    column("ACTIVE", |d| yes_no(d, "is_active")),
    column("COMMAND", |d| command_line(&d["argv"])),
    column("PAYLOAD", payload_fields),
    wide("PAYLOAD SCHEMA", |d| text(d, "arg_schema")),
    column("TIMEOUT", |d| length(d, "timeout_seconds")),
    column("ATTEMPTS", |d| text(d, "max_attempts")),
    column("NO RETRY AFTER", |d| joined(&d["no_retry_exit_codes"])),
    column("ON LOST", |d| text(d, "on_lost")),
    column("QUEUE", |d| text(d, "queue")),
    column("SELECTOR", |d| text(d, "selector")),
    column("MAX RUNNING", |d| text(d, "max_running")),
    column("PER MINUTE", |d| text(d, "jobs_per_minute")),
    column("MAX RUNNING PER HOST", |d| text(d, "max_running_per_host")),
    column("PER MINUTE PER HOST", |d| text(d, "jobs_per_minute_per_host")),
    column("SECRETS", |d| joined(&d["secrets"])),
    column("ENVIRONMENT", |d| joined(&d["env_allow"])),
    column("SETTABLE", |d| joined(&d["env_settable"])),
    column("USER", |d| text(d, "user")),
    column("ORGS", |d| joined(&d["orgs"])),
    column("CHANGED", |d| when(d, "updated_at")),
];

/// The names of the payload fields, required ones with a star.
fn payload_fields(definition: &Value) -> String {
    let schema = &definition["arg_schema"];
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys());
    let names: Vec<String> =
        names.map(|name| if required.contains(&name.as_str()) { format!("{name}*") } else { name.clone() }).collect();
    format!("{{{}}}", names.join(", "))
}

pub(crate) async fn def(globals: &Globals, command: DefCommand) -> Result<ExitCode> {
    if let DefCommand::Validate(args) = &command {
        return validate(globals, args);
    }
    let client = Client::new(globals)?;
    match command {
        DefCommand::List => {
            output::show_list(globals, "definition", "key", COLUMNS, || client.list("/jobs/definitions")).await
        }
        DefCommand::Show { key } => {
            let definition = client.get(&format!("/jobs/definitions/{}", encoded(&key))).await?;
            output::one(globals, definition, "key", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        DefCommand::Apply(args) => apply(globals, &client, &args).await,
        DefCommand::Enable { key } => switch(globals, &client, &key, true).await,
        DefCommand::Disable { key } => switch(globals, &client, &key, false).await,
        DefCommand::History { key } => history(globals, &client, &key).await,
        DefCommand::Validate(_) => Ok(ExitCode::SUCCESS),
    }
}

async fn switch(globals: &Globals, client: &Client, key: &str, is_active: bool) -> Result<ExitCode> {
    let body = json!({"is_active": is_active});
    let outcome = client.write_at(globals, Method::PATCH, &format!("{ADMIN}/{}", encoded(key)), Some(&body)).await?;
    let word = if is_active { "enabled" } else { "disabled" };
    outcome.report(globals, |_| format!("{word} definition {key}"))
}

async fn history(globals: &Globals, client: &Client, key: &str) -> Result<ExitCode> {
    const COLUMNS: &[Column] = &[
        column("VERSION", |v| text(v, "version")),
        column("CREATED", |v| when(v, "created_at")),
        column("BY", |v| text(v, "created_by")),
        column("CHANGES", changes),
    ];
    let versions = client.all(&format!("{ADMIN}/{}/history", encoded(key))).await?;
    output::list_of(globals, "version", versions, "version", COLUMNS)?;
    Ok(ExitCode::SUCCESS)
}

fn changes(version: &Value) -> String {
    let all = version["changes"].as_array().into_iter().flatten();
    let all: Vec<String> =
        all.map(|change| format!("{} {} → {}", text(change, "field"), change["old"], change["new"])).collect();
    all.join(", ")
}

/// Validates a definition with the same rules as the hub.
fn check(path: &Path, value: &Value) -> Result<Definition> {
    Definition::from_fields(value.clone()).map_err(|faults| {
        let all: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::new(Code::DefinitionInvalid, format!("{}: {}", path.display(), all.join("; ")))
    })
}

fn validate(globals: &Globals, args: &FilesArgs) -> Result<ExitCode> {
    let definitions = files::read(args, "definition")?;
    let mut first = None;
    for (path, value) in &definitions {
        match check(path, value) {
            Ok(definition) => messages::done(globals, format!("{} ({})", definition.key, path.display())),
            Err(failure) => {
                messages::note(globals, format!("✕ {}", failure.problem.detail));
                first = first.or(Some(failure));
            }
        }
    }
    first.map_or(Ok(ExitCode::SUCCESS), Err)
}

async fn apply(globals: &Globals, client: &Client, args: &FilesArgs) -> Result<ExitCode> {
    let definitions = files::read(args, "definition")?;
    for (path, value) in &definitions {
        check(path, value)?;
    }
    let mut has_changes = false;
    for (_, value) in definitions {
        let mut body = value;
        body["dry_run"] = json!(globals.dry_run);
        let put = client.send(Method::POST, ADMIN, Some(&body)).await?;
        let key = text(&put, "definition.key");
        let is_new = put["is_new"] == json!(true);
        has_changes |= is_new || put["changes"].as_array().is_some_and(|changes| !changes.is_empty());
        let line = match (is_new, changes(&put)) {
            (true, _) => format!("+ {key}"),
            (false, changed) if changed.is_empty() => format!("= {key} (unchanged)"),
            (false, changed) => format!("~ {key} v{}: {changed}", text(&put, "definition.version")),
        };
        messages::note(globals, line);
    }
    Ok(if globals.dry_run && has_changes { ExitCode::from(CHANGES_PENDING) } else { ExitCode::SUCCESS })
}
