//! `hostler channel` and `hostler notice`: notification channels and sent notifications.
//!
//! - `form`: the options of a channel

mod form;

use std::process::ExitCode;

use clap::Subcommand;
use domain::alert::Severity;
use reqwest::Method;
use serde_json::{Value, json};

use self::form::{AlertArgs, DestinationArgs};
use crate::{
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, fields_of, text, texts, when, wide},
    pick,
};

/// Manage notification channels
#[derive(Subcommand)]
pub(crate) enum ChannelCommand {
    /// List channels
    #[command(alias = "ls")]
    List,
    /// Show a channel with its settings; secrets are redacted
    Show {
        /// Channel name, id or id prefix
        channel: String,
    },
    /// Add a channel
    #[command(after_help = NOTE)]
    Add {
        /// Channel name
        name: String,
        #[command(flatten)]
        destination: DestinationArgs,
        #[command(flatten)]
        alerts: AlertArgs,
    },
    /// Change a channel; options that are not given keep their values
    #[command(after_help = NOTE)]
    Edit {
        /// Channel name, id or id prefix
        channel: String,
        #[command(flatten)]
        destination: DestinationArgs,
        #[command(flatten)]
        alerts: AlertArgs,
        /// New name
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        /// Enable the channel
        #[arg(long, conflicts_with = "off")]
        on: bool,
        /// Disable the channel
        #[arg(long)]
        off: bool,
    },
    /// Remove a channel and its unsent notifications
    Rm {
        /// Channel name, id or id prefix
        channel: String,
    },
    /// Send a test notification to a channel
    Test {
        /// Channel name, id or id prefix
        channel: String,
    },
}

/// List sent notifications
#[derive(Subcommand)]
pub(crate) enum NoticeCommand {
    /// List sent and pending notifications, newest first
    #[command(alias = "ls")]
    List {
        /// Maximum number of notifications
        #[arg(short = 'n', long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
        limit: u32,
    },
}

const NOTE: &str = "\
Kinds of channels and their options:
  webhook URL                  POST requests signed as in Standard Webhooks; --secret, or one is generated
  discord URL, slack URL       the URL is a secret: - reads it from stdin, env:NAME from the environment
  ntfy URL                     URL of the server and topic; --token if the topic is protected
  email                        --smtp HOST:PORT --from A --to B, and --username with --password
  command -- PROGRAM ARGUMENT  runs on the hub's machine without a shell; only for super admins
Secrets are not accepted as arguments, because the process list and the shell history would show them.";

const COLUMNS: &[Column] = &[
    column("ON", |c| if text(c, "is_enabled") == "true" { "on" } else { "off" }.to_owned()),
    column("NAME", |c| text(c, "name")),
    column("KIND", |c| text(c, "config.kind")),
    column("ALERTS", alerts),
    column("LAST DELIVERED", |c| when(c, "last_ok_at")),
    column("LAST FAILED", |c| when(c, "last_error_at")),
    column("LAST ERROR", |c| text(c, "last_error")),
    wide("QUIET HOURS", quiet_hours),
    wide("PER DAY", |c| text(c, "per_day")),
    wide("ID", |c| text(c, "id")),
];

const ROWS: &[Column] = &[
    column("CHANNEL", |c| text(c, "id")),
    column("NAME", |c| text(c, "name")),
    column("ON", |c| if text(c, "is_enabled") == "true" { "on" } else { "off" }.to_owned()),
    column("KIND", |c| text(c, "config.kind")),
    column("CONFIG", |c| fields_of(&c["config"])),
    column("ALERTS", alerts),
    column("QUIET HOURS", quiet_hours),
    column("PER DAY", |c| text(c, "per_day")),
    column("TEMPLATE", |c| text(c, "template")),
    column("LAST DELIVERED", |c| when(c, "last_ok_at")),
    column("LAST FAILED", |c| when(c, "last_error_at")),
    column("LAST ERROR", |c| text(c, "last_error")),
    column("BY", |c| text(c, "created_by")),
    column("CHANGED", |c| when(c, "updated_at")),
];

const NOTICES: &[Column] = &[
    column("AT", |n| when(n, "created_at")),
    column("CHANNEL", |n| text(n, "channel")),
    column("STATUS", |n| text(n, "status")),
    column("ATTEMPTS", |n| text(n, "tries")),
    column("REASON", |n| text(n, "state")),
    column("TITLE", |n| text(n, "title")),
    column("LAST ERROR", |n| text(n, "last_error")),
    wide("KIND", |n| text(n, "kind")),
    wide("SENT", |n| when(n, "sent_at")),
    wide("DUE", |n| when(n, "due_at")),
    wide("ID", |n| text(n, "id")),
];

/// The summary of the alerts that a channel receives.
fn alerts(channel: &Value) -> String {
    let kinds = match texts(channel, "kinds") {
        kinds if kinds.is_empty() => "all".to_owned(),
        kinds => kinds.join(", "),
    };
    match text(channel, "min_severity").parse::<Severity>() {
        Ok(severity) if severity > Severity::Info => format!("{kinds}, {severity} or higher"),
        _ => kinds,
    }
}

fn quiet_hours(channel: &Value) -> String {
    let of = |field: &str| text(channel, &format!("quiet_hours.{field}"));
    if of("from").is_empty() { String::new() } else { format!("{}-{} {}", of("from"), of("until"), of("timezone")) }
}

pub(crate) async fn channel(globals: &Globals, command: ChannelCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        ChannelCommand::List => {
            output::show_list(globals, "channel", "name", COLUMNS, || client.list("/channels")).await
        }
        ChannelCommand::Show { channel } => {
            output::one(globals, find(&client, &channel).await?, "name", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        ChannelCommand::Add { name, destination, alerts } => {
            let (config, secret) = destination.config(None)?;
            let config = config.ok_or_else(|| {
                Failure::usage("the kind of the channel is missing")
                    .hint("add webhook, discord, slack, ntfy, email or command after the name")
            })?;
            let mut body = alerts.fields()?;
            body.insert("name".to_owned(), json!(name));
            body.insert("config".to_owned(), config);
            let made = write(globals, &client, Method::POST, "/channels", &Value::Object(body)).await?;
            report(globals, made, "added", secret)
        }
        ChannelCommand::Edit { channel, destination, alerts, rename, on, off } => {
            let found = find(&client, &channel).await?;
            let mut body = alerts.fields()?;
            let (config, secret) = destination.config(Some(&found["config"]))?;
            let is_enabled = (on || off).then_some(json!(on));
            let options = [("config", config), ("name", rename.map(Value::String)), ("is_enabled", is_enabled)];
            body.extend(options.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
            if body.is_empty() {
                let hint = "`hostler channel edit --help` lists the options";
                return Err(Failure::usage("no change given").hint(hint));
            }
            let path = format!("/channels/{}", text(&found, "id"));
            let changed = write(globals, &client, Method::PATCH, &path, &Value::Object(body)).await?;
            report(globals, changed, "changed", secret)
        }
        ChannelCommand::Rm { channel } => {
            let found = find(&client, &channel).await?;
            let name = text(&found, "name");
            if !globals.dry_run {
                messages::confirm(globals, &format!("Remove the channel {name}"))?;
            }
            let path = format!("/channels/{}", text(&found, "id"));
            let outcome = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            outcome.report(globals, |_| format!("removed channel {name}"))
        }
        ChannelCommand::Test { channel } => test(globals, &client, &channel).await,
    }
}

pub(crate) async fn notice(globals: &Globals, command: NoticeCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let NoticeCommand::List { limit } = command;
    output::show_list(globals, "notification", "id", NOTICES, || async {
        let mut page = client.get(&format!("/notices?limit={limit}")).await?;
        Ok(match page["items"].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        })
    })
    .await
}

/// Sends a write, or with `--dry-run` prints the names of its fields, because their values may be secrets.
async fn write(globals: &Globals, client: &Client, method: Method, path: &str, body: &Value) -> Result<Option<Value>> {
    if globals.dry_run {
        let names: Vec<&str> = body.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        messages::note(globals, format!("would send {method} {} with {}", client.path(path), names.join(", ")));
        return Ok(None);
    }
    client.send(method, &client.path(path), Some(body)).await.map(Some)
}

/// Prints the changed channel, and its secret if one was generated.
fn report(globals: &Globals, channel: Option<Value>, action: &str, secret: Option<String>) -> Result<ExitCode> {
    let Some(mut channel) = channel else { return Ok(ExitCode::from(CHANGES_PENDING)) };
    let name = text(&channel, "name");
    let kind = text(&channel, "config.kind");
    messages::done(globals, format!("{action} channel {name}: {kind}, alerts: {}", alerts(&channel)));
    if output::is_table(globals) {
        if let Some(secret) = secret {
            output::line(&secret);
            messages::note(globals, "  (signing secret; shown once)");
        }
        messages::note(globals, format!("  send a test notification with `hostler channel test {name}`"));
    } else {
        if let Some(secret) = secret {
            channel["config"]["secret"] = json!(secret);
        }
        output::one(globals, channel, "name", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn test(globals: &Globals, client: &Client, reference: &str) -> Result<ExitCode> {
    let found = find(client, reference).await?;
    let path = format!("/channels/{}/test", text(&found, "id"));
    let Some(tested) = write(globals, client, Method::POST, &path, &json!({})).await? else {
        return Ok(ExitCode::from(CHANGES_PENDING));
    };
    let (name, is_delivered) = (text(&found, "name"), tested["is_delivered"] == json!(true));
    if is_delivered {
        messages::done(globals, format!("test delivered to {name} ({} ms)", text(&tested, "took_ms")));
    } else {
        messages::note(globals, format!("✕ the test notification to {name} failed: {}", text(&tested, "text")));
    }
    if !output::is_table(globals) {
        output::one(globals, tested, "is_delivered", &[])?;
    }
    Ok(if is_delivered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn find(client: &Client, reference: &str) -> Result<Value> {
    let all = client.list("/channels").await?;
    pick::pick_one(&all, "channel", "name", reference).cloned()
}
