//! Where alerts are told, and how that went. What a kind of channel needs is read in `form`.

mod form;

use std::process::ExitCode;

use clap::Subcommand;
use domain::alert::Severity;
use reqwest::Method;
use serde_json::{Value, json};

use self::form::{PlaceArgs, WishArgs};
use super::{show_list, trigger::texts, wrote};
use crate::{
    cli::Globals,
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, Column, column, text, when, wide},
    pick, say,
};

/// Where alerts are told
#[derive(Subcommand)]
pub(crate) enum ChannelCommand {
    /// The channels of the org
    #[command(alias = "ls")]
    List,
    /// One channel with its settings; secrets are shown as •••
    Show {
        /// Name, id or the beginning of it
        channel: String,
    },
    /// Make a channel
    #[command(after_help = NOTE)]
    Add {
        /// Its name
        name: String,
        #[command(flatten)]
        place: PlaceArgs,
        #[command(flatten)]
        wish: WishArgs,
    },
    /// Change a channel: what is not named stays as it is
    #[command(after_help = NOTE)]
    Edit {
        /// Name, id or the beginning of it
        channel: String,
        #[command(flatten)]
        place: PlaceArgs,
        #[command(flatten)]
        wish: WishArgs,
        /// A new name
        #[arg(long, value_name = "NAME")]
        rename: Option<String>,
        /// It is told again
        #[arg(long, conflicts_with = "off")]
        on: bool,
        /// It is told nothing
        #[arg(long)]
        off: bool,
    },
    /// Remove a channel, with what it was still to be told
    Rm {
        /// Name, id or the beginning of it
        channel: String,
    },
    /// Tell a channel something now, to see whether it arrives
    Test {
        /// Name, id or the beginning of it
        channel: String,
    },
}

/// What was told
#[derive(Subcommand)]
pub(crate) enum NoticeCommand {
    /// What was told or is to be, newest first
    #[command(alias = "ls")]
    List {
        /// At most so many
        #[arg(short = 'n', long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000))]
        limit: u32,
    },
}

const NOTE: &str = "\
Kinds and what they need:
  webhook URL                  signed calls as in Standard Webhooks; --secret, or one is made and shown once
  discord URL, slack URL       the address is a secret: - reads it from stdin, env:NAME from the environment
  ntfy URL                     server and topic; --token if it is protected
  email                        --smtp HOST:PORT --from A --to B, and --username with --password
  command -- PROGRAM ARGUMENT  on the hub's machine, without a shell; for the super admin
Secrets are never arguments: the process list and the history of the shell would show them.";

const COLUMNS: &[Column] = &[
    column("ON", |c| if text(c, "is_enabled") == "true" { "on" } else { "off" }.to_owned()),
    column("NAME", |c| text(c, "name")),
    column("KIND", |c| text(c, "config.kind")),
    column("TELLS", tells),
    column("ARRIVED", |c| when(c, "last_ok_at")),
    column("FAILED", |c| when(c, "last_error_at")),
    column("WHY", |c| text(c, "last_error")),
    wide("QUIET", quiet),
    wide("PER DAY", |c| text(c, "per_day")),
    wide("ID", |c| text(c, "id")),
];

const ROWS: &[Column] = &[
    column("CHANNEL", |c| text(c, "id")),
    column("NAME", |c| text(c, "name")),
    column("ON", |c| if text(c, "is_enabled") == "true" { "on" } else { "off" }.to_owned()),
    column("KIND", |c| text(c, "config.kind")),
    column("CONFIG", |c| text(c, "config")),
    column("TELLS", tells),
    column("QUIET", quiet),
    column("PER DAY", |c| text(c, "per_day")),
    column("TEMPLATE", |c| text(c, "template")),
    column("ARRIVED", |c| when(c, "last_ok_at")),
    column("FAILED", |c| when(c, "last_error_at")),
    column("WHY", |c| text(c, "last_error")),
    column("BY", |c| text(c, "created_by")),
    column("CHANGED", |c| when(c, "updated_at")),
];

const NOTICES: &[Column] = &[
    column("AT", |n| when(n, "created_at")),
    column("CHANNEL", |n| text(n, "channel")),
    column("STATUS", |n| text(n, "status")),
    column("TRIES", |n| text(n, "tries")),
    column("STATE", |n| text(n, "state")),
    column("TITLE", |n| text(n, "title")),
    column("WHY", |n| text(n, "last_error")),
    wide("KIND", |n| text(n, "kind")),
    wide("SENT", |n| when(n, "sent_at")),
    wide("DUE", |n| when(n, "due_at")),
    wide("ID", |n| text(n, "id")),
];

/// Which alerts a channel is told.
fn tells(channel: &Value) -> String {
    let kinds = match texts(channel, "kinds") {
        kinds if kinds.is_empty() => "all".to_owned(),
        kinds => kinds.join(", "),
    };
    match text(channel, "min_severity").parse::<Severity>() {
        Ok(severity) if severity > Severity::Info => format!("{kinds} from {severity}"),
        _ => kinds,
    }
}

fn quiet(channel: &Value) -> String {
    let of = |field: &str| text(channel, &format!("quiet_hours.{field}"));
    if of("from").is_empty() { String::new() } else { format!("{}-{} {}", of("from"), of("until"), of("timezone")) }
}

pub(crate) async fn channel(globals: &Globals, command: ChannelCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        ChannelCommand::List => show_list(globals, "name", COLUMNS, || client.list("/channels")).await,
        ChannelCommand::Show { channel } => {
            output::one(globals, find(&client, &channel).await?, "name", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        ChannelCommand::Add { name, place, wish } => {
            let (config, secret) = place.config(None)?;
            let config = config.ok_or_else(|| {
                Failure::usage("of which kind is it?").hint("webhook, discord, slack, ntfy, email or command")
            })?;
            let mut body = wish.fields()?;
            body.insert("name".to_owned(), json!(name));
            body.insert("config".to_owned(), config);
            let made = write(globals, &client, Method::POST, "/channels", &Value::Object(body)).await?;
            said(globals, made, "made", secret)
        }
        ChannelCommand::Edit { channel, place, wish, rename, on, off } => {
            let found = find(&client, &channel).await?;
            let mut body = wish.fields()?;
            let (config, secret) = place.config(Some(&found["config"]))?;
            let is_enabled = (on || off).then_some(json!(on));
            let named = [("config", config), ("name", rename.map(Value::String)), ("is_enabled", is_enabled)];
            body.extend(named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
            if body.is_empty() {
                let hint = "hostler channel edit --help shows the options";
                return Err(Failure::usage("what is to be changed?").hint(hint));
            }
            let path = format!("/channels/{}", text(&found, "id"));
            let changed = write(globals, &client, Method::PATCH, &path, &Value::Object(body)).await?;
            said(globals, changed, "changed", secret)
        }
        ChannelCommand::Rm { channel } => {
            let found = find(&client, &channel).await?;
            let name = text(&found, "name");
            if !globals.dry_run {
                say::confirm(globals, &format!("Remove the channel {name}"))?;
            }
            let path = format!("/channels/{}", text(&found, "id"));
            let done = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            wrote(globals, done, |_| format!("removed {name}"))
        }
        ChannelCommand::Test { channel } => test(globals, &client, &channel).await,
    }
}

pub(crate) async fn notice(globals: &Globals, command: NoticeCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let NoticeCommand::List { limit } = command;
    show_list(globals, "id", NOTICES, || async {
        let mut page = client.get(&format!("/notices?limit={limit}")).await?;
        Ok(match page["items"].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        })
    })
    .await
}

/// Sends it, or with `--dry-run` says so without its secrets.
async fn write(globals: &Globals, client: &Client, method: Method, path: &str, body: &Value) -> Result<Option<Value>> {
    if globals.dry_run {
        let names: Vec<&str> = body.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        say::note(globals, format!("would send {method} {} with {}", client.path(path), names.join(", ")));
        return Ok(None);
    }
    client.send(method, &client.path(path), Some(body)).await.map(Some)
}

/// Says what a channel is now, and a secret that was made for it.
fn said(globals: &Globals, channel: Option<Value>, word: &str, secret: Option<String>) -> Result<ExitCode> {
    let Some(mut channel) = channel else { return Ok(ExitCode::from(CHANGES_PENDING)) };
    let name = text(&channel, "name");
    let kind = text(&channel, "config.kind");
    say::done(globals, format!("{name} is {word}: {kind}, tells {}", tells(&channel)));
    if output::is_table(globals) {
        if let Some(secret) = secret {
            output::line(&secret);
            say::note(globals, "  (what its calls are signed with; shown once)");
        }
        say::note(globals, format!("  see whether it arrives: hostler channel test {name}"));
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
        say::done(globals, format!("test delivered to {name} ({} ms)", text(&tested, "took_ms")));
    } else {
        say::note(globals, format!("✕ the test did not reach {name}: {}", text(&tested, "text")));
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
