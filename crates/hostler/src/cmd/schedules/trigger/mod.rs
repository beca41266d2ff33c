//! `hostler trigger`: schedules and event rules that create jobs.
//!
//! - `apply`: triggers from files
//! - `fire`: test, fire, history and backfill
//! - `form`: the options that describe a trigger
//! - `import`: import of crontabs
//! - `next`: the next times of a trigger or expression

mod apply;
mod fire;
mod form;
mod import;
mod next;

use std::process::ExitCode;

use clap::Subcommand;
use reqwest::Method;
use serde_json::{Value, json};

use self::{
    fire::{BackfillArgs, FireArgs},
    form::FormArgs,
    import::ImportArgs,
    next::NextArgs,
};
use crate::{
    client::{Client, WriteOutcome},
    cmd::run::files::FilesArgs,
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, is_table, length, text, when, wide},
    parse, pick,
};

/// The API route of triggers.
const ROUTE: &str = "/jobs/triggers";

/// Manage triggers: schedules and event rules that create jobs
#[derive(Subcommand)]
pub(crate) enum TriggerCommand {
    /// List triggers with their state, next time and last outcome
    #[command(alias = "ls")]
    List,
    /// Show a trigger
    Show {
        /// Trigger label, id or id prefix
        trigger: String,
    },
    /// Create a trigger
    Create(Box<FormArgs>),
    /// Change a trigger; options that are not given keep their values
    Edit {
        /// Trigger label, id or id prefix
        trigger: String,
        #[command(flatten)]
        form: Box<FormArgs>,
    },
    /// Enable a trigger; times before now are not caught up
    Enable {
        /// Trigger label, id or id prefix
        trigger: String,
    },
    /// Disable a trigger
    Disable {
        /// Trigger label, id or id prefix
        trigger: String,
    },
    /// Pause a trigger until a given time
    Pause {
        /// Trigger label, id or id prefix
        trigger: String,
        /// End of the pause: a time such as 2026-12-01T08:00:00Z, or a duration such as 2h
        #[arg(long, value_name = "TIME")]
        until: String,
    },
    /// Resume a paused trigger
    Resume {
        /// Trigger label, id or id prefix
        trigger: String,
    },
    /// Remove a trigger; its jobs and history are kept
    Rm {
        /// Trigger label, id or id prefix
        trigger: String,
    },
    /// Show the next times of a trigger, or of a cron expression (without a hub)
    Next(NextArgs),
    /// Show the jobs that a trigger would create now, or for an event, without creating them
    Test {
        /// Trigger label, id or id prefix
        trigger: String,
        /// Event data: JSON, a file, or - for stdin [default: the last matching event]
        #[arg(long, value_name = "JSON")]
        event: Option<String>,
    },
    /// Create the jobs of a trigger now
    Fire(FireArgs),
    /// List the past times of a trigger with their outcome, newest first
    History {
        /// Trigger label, id or id prefix
        trigger: String,
        /// Maximum number of entries
        #[arg(short = 'n', long, default_value_t = 50)]
        limit: usize,
    },
    /// Create jobs for past times that have none
    Backfill(BackfillArgs),
    /// Create or change triggers from files; labels identify the triggers
    Apply(FilesArgs),
    /// Show how the lines of a crontab would be imported; with --apply, import them
    Import(ImportArgs),
}

const COLUMNS: &[Column] = &[
    column("ON", state),
    column("LABEL", |t| text(t, "label")),
    column("DEFINITION", |t| text(t, "definition_key")),
    column("WHEN", |t| text(t, "description")),
    column("NEXT", |t| when(t, "next_fire_at")),
    column("LAST", last),
    wide("TARGET", target),
    wide("ZONE", |t| text(t, "timezone")),
    wide("PLACE", |t| text(t, "place")),
    wide("MISSED", |t| text(t, "missed")),
    wide("OVERLAP", |t| text(t, "overlap")),
    wide("ID", |t| text(t, "id")),
];

const ROWS: &[Column] = &[
    column("TRIGGER", |t| text(t, "id")),
    column("LABEL", |t| text(t, "label")),
    column("STATE", state),
    column("WHEN", |t| text(t, "description")),
    column("CRON", |t| text(t, "cron_expr")),
    column("ZONE", |t| text(t, "timezone")),
    column("EVENT", |t| text(t, "event_name")),
    column("MATCH", |t| if text(t, "event_name").is_empty() { String::new() } else { text(t, "match") }),
    column("DEFINITION", |t| text(t, "definition_key")),
    column("PAYLOAD", |t| text(t, "payload_template")),
    column("TARGET", target),
    column("DEDUPE KEY", |t| text(t, "dedupe_key")),
    column("DEDUPE WINDOW", |t| length(t, "dedupe_window_seconds")),
    column("PLACE", |t| text(t, "place")),
    column("MISSED", missed),
    column("OVERLAP", |t| text(t, "overlap")),
    column("JITTER", |t| if text(t, "jitter") == "0" { String::new() } else { length(t, "jitter") }),
    column("PRIORITY", |t| text(t, "priority")),
    column("STARTS", |t| output::local_time(&text(t, "starts_at"))),
    column("ENDS", |t| output::local_time(&text(t, "ends_at"))),
    column("PAUSED UNTIL", |t| output::local_time(&text(t, "paused_until"))),
    column("NEXT", |t| when(t, "next_fire_at")),
    column("LAST", last),
    column("REASON", |t| text(t, "last_fire.reason")),
    column("BY", |t| text(t, "created_by")),
    column("CREATED", |t| when(t, "created_at")),
    column("CHANGED", |t| when(t, "updated_at")),
];

fn state(trigger: &Value) -> String {
    let is_paused =
        text(trigger, "paused_until").parse::<domain::Timestamp>().is_ok_and(|until| until > runtime::clock::wall());
    match (text(trigger, "is_enabled") == "true", is_paused) {
        (false, _) => "off".to_owned(),
        (true, true) => "paused".to_owned(),
        (true, false) => "on".to_owned(),
    }
}

fn last(trigger: &Value) -> String {
    let parts =
        [when(trigger, "last_fire.nominal_at"), text(trigger, "last_fire.status"), job_status(trigger, "last_fire.")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The status of the job of a fire.
fn job_status(value: &Value, prefix: &str) -> String {
    text(value, &format!("{prefix}job_status"))
}

/// The target of a trigger in one line.
fn target(trigger: &Value) -> String {
    let of = |kind: &str| text(trigger, &format!("target.{kind}"));
    match (of("host"), of("queue"), of("selector")) {
        (host, _, _) if !host.is_empty() => format!("host {host}"),
        (_, queue, _) if !queue.is_empty() => format!("queue {queue}"),
        (_, _, selector) if !selector.is_empty() => format!("{} host with {selector}", of("spread")),
        _ => String::new(),
    }
}

fn missed(trigger: &Value) -> String {
    match text(trigger, "missed").as_str() {
        "all" => format!("all, at most {}", text(trigger, "missed_max")),
        other => other.to_owned(),
    }
}

pub(crate) async fn trigger(globals: &Globals, command: TriggerCommand) -> Result<ExitCode> {
    match command {
        TriggerCommand::Next(args) => next::next(globals, args).await,
        TriggerCommand::Import(args) => import::import(globals, &args).await,
        TriggerCommand::Fire(args) => fire::fire(globals, args).await,
        TriggerCommand::Test { trigger, event } => fire::test(globals, &trigger, event.as_deref()).await,
        TriggerCommand::History { trigger, limit } => fire::history(globals, &trigger, limit).await,
        TriggerCommand::Backfill(args) => fire::backfill(globals, args).await,
        TriggerCommand::Apply(args) => apply::apply(globals, &args).await,
        TriggerCommand::List => {
            let client = Client::new(globals)?;
            output::show_list(globals, "trigger", "label", COLUMNS, || client.list(ROUTE)).await
        }
        TriggerCommand::Show { trigger } => {
            let found = find(&Client::new(globals)?, &trigger).await?;
            output::one(globals, found, "label", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        TriggerCommand::Create(form) => create(globals, &form).await,
        TriggerCommand::Edit { trigger, form } => {
            let patch = form.fields()?;
            if patch.is_empty() {
                return Err(Failure::usage("no change given").hint("`hostler trigger edit --help` lists the options"));
            }
            let mut patch = Value::Object(patch);
            form.coerce_payload(&Client::new(globals)?, &mut patch).await;
            change(globals, &trigger, &patch, "changed").await
        }
        TriggerCommand::Enable { trigger } => change(globals, &trigger, &json!({"is_enabled": true}), "enabled").await,
        TriggerCommand::Disable { trigger } => {
            change(globals, &trigger, &json!({"is_enabled": false}), "disabled").await
        }
        TriggerCommand::Pause { trigger, until } => {
            let until = parse::future_time(&until)?;
            let state = format!("paused until {}", output::local_time(&until.to_string()));
            change(globals, &trigger, &json!({"paused_until": until}), &state).await
        }
        TriggerCommand::Resume { trigger } => {
            change(globals, &trigger, &json!({"paused_until": null}), "no longer paused").await
        }
        TriggerCommand::Rm { trigger } => remove(globals, &trigger).await,
    }
}

async fn create(globals: &Globals, form: &FormArgs) -> Result<ExitCode> {
    let mut body = form.whole()?;
    let client = Client::new(globals)?;
    form.coerce_payload(&client, &mut body).await;
    let made = match client.write(globals, Method::POST, ROUTE, Some(&body)).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    report(globals, made, "created")
}

/// Changes fields of a trigger.
async fn change(globals: &Globals, reference: &str, patch: &Value, state: &str) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let id = text(&find(&client, reference).await?, "id");
    match client.write(globals, Method::PATCH, &format!("{ROUTE}/{id}"), Some(patch)).await? {
        WriteOutcome::DryRun => Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(changed) => report(globals, changed, state),
    }
}

/// Prints a changed trigger: a message and its id, or the requested format.
fn report(globals: &Globals, trigger: Value, state: &str) -> Result<ExitCode> {
    let next = match text(&trigger, "next_fire_at") {
        empty if empty.is_empty() => String::new(),
        _ => format!("; next {}", when(&trigger, "next_fire_at")),
    };
    messages::done(
        globals,
        format!(
            "{} is {state}: {} {}{next}",
            text(&trigger, "label"),
            text(&trigger, "definition_key"),
            text(&trigger, "description")
        ),
    );
    if is_table(globals) {
        output::line(&text(&trigger, "id"));
    } else {
        output::one(globals, trigger, "id", ROWS)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn remove(globals: &Globals, reference: &str) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let found = find(&client, reference).await?;
    let (id, label) = (text(&found, "id"), text(&found, "label"));
    if !globals.dry_run {
        messages::confirm(globals, &format!("Remove the trigger {label}"))?;
    }
    let outcome = client.write(globals, Method::DELETE, &format!("{ROUTE}/{id}"), None::<&()>).await?;
    outcome.report(globals, |_| format!("removed trigger {label}; its jobs and history are kept"))
}

/// Finds a trigger by id, label or id prefix.
async fn find(client: &Client, reference: &str) -> Result<Value> {
    if reference.parse::<domain::TriggerId>().is_ok() {
        return client.get(&format!("{ROUTE}/{reference}")).await;
    }
    let all = client.list(ROUTE).await?;
    pick::pick_one(&all, "trigger", "label", reference).cloned()
}
