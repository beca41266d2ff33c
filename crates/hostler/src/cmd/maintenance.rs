//! Times in which alerts are noted but not told: maintenance windows and mutes.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::alert::AlertKind;
use proto::api::alert::QuietRequest;
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    run::{moment, seconds},
    show_list, wrote,
};
use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, Column, column, length, text, when, wide},
    pick, say,
};

/// Times in which nobody is told of alerts
#[derive(Subcommand)]
pub(crate) enum MaintenanceCommand {
    /// Windows and mutes
    #[command(alias = "ls")]
    List,
    /// Make a window, for one time or again and again
    Add(Box<WindowAddArgs>),
    /// Remove a window: what still lasts is told
    Rm {
        /// Label, id or the beginning of it
        window: String,
    },
}

/// What a window is about
#[derive(Args)]
pub(crate) struct ScopeArgs {
    /// Only this host
    #[arg(long, conflicts_with = "selector")]
    host: Option<String>,
    /// Only hosts whose labels fit, as in env=prod
    #[arg(short = 'l', long)]
    selector: Option<String>,
    /// Only these kinds of alerts; may be said more than once
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<AlertKind>,
    /// Only this, as in definition:sync
    #[arg(long)]
    subject: Option<String>,
}

/// A window
#[derive(Args)]
pub(crate) struct WindowAddArgs {
    /// What it is for
    #[arg(long)]
    label: String,
    #[command(flatten)]
    scope: ScopeArgs,
    /// When it begins: a time, or a length from now as in 2h; now if absent
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// When it ends: a time, or a length from now; of one with --cron, when it begins for the last time
    #[arg(long, value_name = "TIME", required_unless_present = "cron")]
    until: Option<String>,
    /// When it begins again and again, as in '0 2 * * 0'
    #[arg(long, value_name = "EXPR", requires = "length")]
    cron: Option<String>,
    /// The zone of --cron; the org's if absent
    #[arg(long, value_name = "ZONE", requires = "cron")]
    tz: Option<String>,
    /// With --cron: how long each time lasts, as in 4h
    #[arg(long = "for", id = "length", value_name = "LENGTH", requires = "cron")]
    length: Option<String>,
}

/// A mute
#[derive(Args)]
pub(crate) struct MuteArgs {
    #[command(flatten)]
    scope: ScopeArgs,
    /// All alerts of the org
    #[arg(long, conflicts_with_all = ["host", "selector", "kinds", "subject"])]
    all: bool,
    /// For how long, as in 1h
    #[arg(long = "for", value_name = "LENGTH")]
    length: String,
    /// Why
    #[arg(long)]
    note: Option<String>,
}

const COLUMNS: &[Column] = &[
    column("NOW", |w| if text(w, "is_active") == "true" { "quiet" } else { "" }.to_owned()),
    column("LABEL", |w| text(w, "label")),
    column("WHAT", what),
    column("WHEN", times),
    column("UNTIL", |w| when(w, "ends_at")),
    column("BY", |w| text(w, "created_by")),
    wide("ID", |w| text(w, "id")),
    wide("BEGINS", |w| when(w, "starts_at")),
];

/// What a window is about, in words.
fn what(window: &Value) -> String {
    let host = Some(text(window, "host_name")).filter(|name| !name.is_empty()).unwrap_or_else(|| text(window, "host"));
    let kinds = super::trigger::texts(window, "kinds").join(", ");
    let parts =
        [("host ", host), ("hosts with ", text(window, "selector")), ("", kinds), ("", text(window, "subject"))];
    let parts: Vec<String> =
        parts.iter().filter(|(_, part)| !part.is_empty()).map(|(word, part)| format!("{word}{part}")).collect();
    if parts.is_empty() { "everything".to_owned() } else { parts.join("; ") }
}

fn times(window: &Value) -> String {
    match text(window, "cron_expr") {
        cron if cron.is_empty() => "once".to_owned(),
        cron => format!("{cron} {}, for {}", text(window, "timezone"), length(window, "duration_seconds")),
    }
}

pub(crate) async fn maintenance(globals: &Globals, command: MaintenanceCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        MaintenanceCommand::List => show_list(globals, "label", COLUMNS, || list(&client)).await,
        MaintenanceCommand::Add(args) => {
            let args = *args;
            let time = |given: Option<String>| given.as_deref().map(moment).transpose();
            let request = QuietRequest {
                label: args.label,
                starts_at: time(args.from)?,
                ends_at: time(args.until)?,
                cron_expr: args.cron,
                timezone: args.tz,
                duration_seconds: args.length.as_deref().map(seconds).transpose()?,
                ..args.scope.request()
            };
            add(globals, &client, request).await
        }
        MaintenanceCommand::Rm { window } => {
            let all = client.list("/maintenance").await?;
            let found = pick::pick_one(&all, "maintenance", "label", &window)?;
            let path = format!("/maintenance/{}", text(found, "id"));
            let done = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            wrote(globals, done, |_| format!("removed {}; what still lasts is told", text(found, "label")))
        }
    }
}

pub(crate) async fn mute(globals: &Globals, args: MuteArgs) -> Result<ExitCode> {
    let scope = args.scope.request();
    if scope == QuietRequest::default() && !args.all {
        return Err(Failure::usage("what is to be muted?")
            .hint("say --host NAME, -l SELECTOR, --kind KIND or --subject NAME, or --all for everything"));
    }
    let request = QuietRequest {
        label: args.note.unwrap_or_else(|| "muted".to_owned()),
        ends_at: Some(moment(&args.length)?),
        ..scope
    };
    add(globals, &Client::new(globals)?, request).await
}

impl ScopeArgs {
    fn request(self) -> QuietRequest {
        let Self { host, selector, kinds, subject } = self;
        QuietRequest { host, selector, kinds, subject, ..QuietRequest::default() }
    }
}

async fn add(globals: &Globals, client: &Client, request: QuietRequest) -> Result<ExitCode> {
    let host = request.host.clone();
    let mut made = match client.write(globals, Method::POST, "/maintenance", Some(&request)).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    if let Some(host) = host {
        made["host_name"] = json!(host);
    }
    let until = match text(&made, "cron_expr") {
        cron if cron.is_empty() => format!("until {}", text(&made, "ends_at")),
        _ => times(&made),
    };
    say::done(globals, format!("{}: {} is quiet {until}", text(&made, "label"), what(&made)));
    if output::is_table(globals) {
        output::line(&text(&made, "id"));
    } else {
        output::one(globals, made, "id", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The windows, with the names of their hosts: the hub keeps ids, because hosts are renamed.
async fn list(client: &Client) -> Result<Vec<Value>> {
    let mut windows = client.list("/maintenance").await?;
    if windows.iter().any(|window| !text(window, "host").is_empty()) {
        let hosts = client.list("/hosts").await?;
        for window in &mut windows {
            let host = hosts.iter().find(|host| text(host, "id") == text(window, "host"));
            if let Some(host) = host {
                window["host_name"] = host["name"].clone();
            }
        }
    }
    Ok(windows)
}
