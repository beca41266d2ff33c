//! Triggers: schedules and event rules.

mod act;
mod apply;
mod form;
mod import;
mod next;

use std::process::ExitCode;

use clap::Subcommand;
use reqwest::Method;
use serde_json::{Value, json};

pub(super) use self::act::texts;
use self::{
    act::{BackfillArgs, FireArgs},
    form::FormArgs,
    import::ImportArgs,
    next::NextArgs,
};
use super::{files::FilesArgs, run::moment, show_list, wrote};
use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, Column, column, is_table, length, text, when, wide},
    pick, say,
};

/// Where triggers are.
const ROUTE: &str = "/jobs/triggers";

/// Schedules and event rules
#[derive(Subcommand)]
pub(crate) enum TriggerCommand {
    /// The triggers of the org: what is on, when it fires next, what became of its last time
    #[command(alias = "ls")]
    List,
    /// One trigger with all its fields
    Show {
        /// Label, id or the beginning of it
        trigger: String,
    },
    /// Make a trigger
    Create(Box<FormArgs>),
    /// Change a trigger: what is not named stays as it is
    Edit {
        /// Label, id or the beginning of it
        trigger: String,
        #[command(flatten)]
        form: Box<FormArgs>,
    },
    /// Switch a trigger on: its times count from now
    Enable {
        /// Label, id or the beginning of it
        trigger: String,
    },
    /// Switch a trigger off until it is enabled again
    Disable {
        /// Label, id or the beginning of it
        trigger: String,
    },
    /// No fires for a while; then it goes on by itself
    Pause {
        /// Label, id or the beginning of it
        trigger: String,
        /// When it goes on: a time as in 2026-12-01T08:00:00Z, or a length as in 2h
        #[arg(long, value_name = "TIME")]
        until: String,
    },
    /// End a pause
    Resume {
        /// Label, id or the beginning of it
        trigger: String,
    },
    /// Remove a trigger; what it did stays known
    Rm {
        /// Label, id or the beginning of it
        trigger: String,
    },
    /// The next times of a trigger, or of a cron expression without any hub
    Next(NextArgs),
    /// What a trigger would do now, or with an event; nothing is made
    Test {
        /// Label, id or the beginning of it
        trigger: String,
        /// The event to try it with: JSON, a file, or - for stdin; its last fitting one if absent
        #[arg(long, value_name = "JSON")]
        event: Option<String>,
    },
    /// Make the jobs of a trigger now
    Fire(FireArgs),
    /// What became of a trigger's times, newest first
    History {
        /// Label, id or the beginning of it
        trigger: String,
        /// At most so many
        #[arg(short = 'n', long, default_value_t = 50)]
        limit: usize,
    },
    /// Make jobs for past times that have none
    Backfill(BackfillArgs),
    /// Make or change triggers from files, by their labels
    Apply(FilesArgs),
    /// Read a crontab: say what it means here, and take it over with --apply
    Import(ImportArgs),
}

const COLUMNS: &[Column] = &[
    column("ON", state),
    column("LABEL", |t| text(t, "label")),
    column("RUNS", |t| text(t, "definition_key")),
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
    column("RUNS", |t| text(t, "definition_key")),
    column("PAYLOAD", |t| text(t, "payload_template")),
    column("TARGET", target),
    column("DEDUPE KEY", |t| text(t, "dedupe_key")),
    column("DEDUPE WINDOW", |t| length(t, "dedupe_window_seconds")),
    column("PLACE", |t| text(t, "place")),
    column("MISSED", missed),
    column("OVERLAP", |t| text(t, "overlap")),
    column("JITTER", |t| if text(t, "jitter") == "0" { String::new() } else { length(t, "jitter") }),
    column("PRIORITY", |t| text(t, "priority")),
    column("STARTS", |t| text(t, "starts_at")),
    column("ENDS", |t| text(t, "ends_at")),
    column("PAUSED UNTIL", |t| text(t, "paused_until")),
    column("NEXT", |t| when(t, "next_fire_at")),
    column("LAST", last),
    column("REASON", |t| text(t, "last_fire.reason")),
    column("BY", |t| text(t, "created_by")),
    column("MADE", |t| when(t, "created_at")),
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
        [when(trigger, "last_fire.nominal_at"), text(trigger, "last_fire.status"), ended(trigger, "last_fire.")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// How the job of a time ended, or what it does.
fn ended(value: &Value, under: &str) -> String {
    text(value, &format!("{under}job_status"))
}

/// Where the jobs of a trigger go, in words.
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
        TriggerCommand::Fire(args) => act::fire(globals, args).await,
        TriggerCommand::Test { trigger, event } => act::test(globals, &trigger, event.as_deref()).await,
        TriggerCommand::History { trigger, limit } => act::history(globals, &trigger, limit).await,
        TriggerCommand::Backfill(args) => act::backfill(globals, args).await,
        TriggerCommand::Apply(args) => apply::apply(globals, &args).await,
        TriggerCommand::List => {
            let client = Client::new(globals)?;
            show_list(globals, "label", COLUMNS, || client.list(ROUTE)).await
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
                return Err(
                    Failure::usage("what is to be changed?").hint("hostler trigger edit --help shows the options")
                );
            }
            let mut patch = Value::Object(patch);
            form.settle(&Client::new(globals)?, &mut patch).await;
            change(globals, &trigger, &patch, "changed").await
        }
        TriggerCommand::Enable { trigger } => change(globals, &trigger, &json!({"is_enabled": true}), "on").await,
        TriggerCommand::Disable { trigger } => change(globals, &trigger, &json!({"is_enabled": false}), "off").await,
        TriggerCommand::Pause { trigger, until } => {
            let until = moment(&until)?;
            change(globals, &trigger, &json!({"paused_until": until}), &format!("paused until {until}")).await
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
    form.settle(&client, &mut body).await;
    let made = match client.write(globals, Method::POST, ROUTE, Some(&body)).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    said(globals, made, "made")
}

/// Changes fields of a trigger.
async fn change(globals: &Globals, reference: &str, patch: &Value, word: &str) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let id = text(&find(&client, reference).await?, "id");
    match client.write(globals, Method::PATCH, &format!("{ROUTE}/{id}"), Some(patch)).await? {
        Done::WouldDo => Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(changed) => said(globals, changed, word),
    }
}

/// Says what a trigger is now: in words, or as asked for.
fn said(globals: &Globals, trigger: Value, word: &str) -> Result<ExitCode> {
    let next = match text(&trigger, "next_fire_at") {
        none if none.is_empty() => String::new(),
        _ => format!("; next {}", when(&trigger, "next_fire_at")),
    };
    say::done(
        globals,
        format!(
            "{} is {word}: {} {}{next}",
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
        say::confirm(globals, &format!("Remove the trigger {label}"))?;
    }
    let done = client.write(globals, Method::DELETE, &format!("{ROUTE}/{id}"), None::<&()>).await?;
    wrote(globals, done, |_| format!("{label} is removed; its jobs and its history stay"))
}

/// The trigger that is meant: by its whole id, its label, or the beginning of its id.
async fn find(client: &Client, reference: &str) -> Result<Value> {
    if reference.parse::<domain::TriggerId>().is_ok() {
        return client.get(&format!("{ROUTE}/{reference}")).await;
    }
    let all = client.list(ROUTE).await?;
    pick::pick_one(&all, "trigger", "label", reference).cloned()
}
