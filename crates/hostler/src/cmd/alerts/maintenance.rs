//! `hostler maintenance` and `hostler alert mute`: maintenance windows and mutes, in which alerts are recorded but send no
//! notifications.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::{alert::AlertKind, schedule::Schedule};
use proto::api::alert::MuteWindowRequest;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, length, text, texts, when, wide},
    parse, pick,
};

/// Manage maintenance windows, in which alerts send no notifications
#[derive(Subcommand)]
pub(crate) enum MaintenanceCommand {
    /// List maintenance windows and mutes
    #[command(alias = "ls")]
    List,
    /// Add a one-time or recurring maintenance window
    Add(Box<WindowAddArgs>),
    /// Remove a maintenance window or mute; alerts that are still open send notifications again
    Rm {
        /// Label, id or id prefix
        window: String,
    },
}

/// The alerts that a window mutes
#[derive(Args)]
pub(crate) struct ScopeArgs {
    /// Only alerts of this host
    #[arg(long, conflicts_with = "selector")]
    host: Option<String>,
    /// Only alerts of hosts whose labels match, for example env=prod
    #[arg(short = 'l', long)]
    selector: Option<String>,
    /// Only this kind of alert; repeat for several
    #[arg(long = "kind", value_name = "KIND")]
    kinds: Vec<AlertKind>,
    /// Only alerts of this subject, for example definition:sync
    #[arg(long)]
    subject: Option<String>,
}

/// Options of `hostler maintenance add`
#[derive(Args)]
pub(crate) struct WindowAddArgs {
    /// Label of the window, for example its purpose
    #[arg(long)]
    label: String,
    #[command(flatten)]
    scope: ScopeArgs,
    /// Start: a time, or a duration from now such as 2h [default: now]
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// End: a time, or a duration from now; with --cron, the last possible start
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Recurring start as a cron expression, for example '0 2 * * 0'
    #[arg(long, value_name = "EXPR")]
    cron: Option<String>,
    /// Time zone of --cron [default: the org's time zone]
    #[arg(long, value_name = "ZONE", requires = "cron")]
    tz: Option<String>,
    /// With --cron: duration of each occurrence, for example 4h
    #[arg(long = "for", value_name = "DURATION")]
    duration: Option<String>,
}

/// Options of `hostler alert mute`
#[derive(Args)]
pub(crate) struct MuteArgs {
    #[command(flatten)]
    scope: ScopeArgs,
    /// Mute all alerts of the org
    #[arg(long, conflicts_with_all = ["host", "selector", "kinds", "subject"])]
    all: bool,
    /// Duration, for example 1h
    #[arg(long = "for", value_name = "DURATION")]
    duration: String,
    /// Reason
    #[arg(long)]
    note: Option<String>,
}

/// Label of a mute without a reason.
const MUTED: &str = "muted";

const COLUMNS: &[Column] = &[
    column("NOW", |w| if text(w, "is_active") == "true" { "active" } else { "" }.to_owned()),
    column("LABEL", |w| text(w, "label")),
    column("ALERTS", scope),
    column("WHEN", recurrence),
    column("UNTIL", |w| when(w, "ends_at")),
    column("BY", |w| text(w, "created_by")),
    wide("ID", |w| text(w, "id")),
    wide("STARTS", |w| when(w, "starts_at")),
];

/// The summary of the alerts that a window mutes.
fn scope(window: &Value) -> String {
    let host = Some(text(window, "host_name")).filter(|name| !name.is_empty()).unwrap_or_else(|| text(window, "host"));
    let kinds = texts(window, "kinds").join(", ");
    let parts =
        [("host ", host), ("hosts with ", text(window, "selector")), ("", kinds), ("", text(window, "subject"))];
    let parts: Vec<String> =
        parts.iter().filter(|(_, part)| !part.is_empty()).map(|(word, part)| format!("{word}{part}")).collect();
    if parts.is_empty() { "all alerts".to_owned() } else { parts.join("; ") }
}

fn recurrence(window: &Value) -> String {
    match text(window, "cron_expr") {
        cron if cron.is_empty() => "once".to_owned(),
        cron => {
            let (zone, duration) = (text(window, "timezone"), length(window, "duration_seconds"));
            let words = Schedule::parse(&cron, &zone, "", runtime::clock::wall()).map(|schedule| schedule.describe());
            let words = words.map(|words| format!(" ({words})")).unwrap_or_default();
            format!("{cron}{words} {zone}, for {duration}")
        }
    }
}

pub(crate) async fn maintenance(globals: &Globals, command: MaintenanceCommand) -> Result<ExitCode> {
    if let MaintenanceCommand::Add(args) = &command {
        args.check()?;
    }
    let client = Client::new(globals)?;
    match command {
        MaintenanceCommand::List => {
            output::show_list(globals, "maintenance window", "label", COLUMNS, || list(&client)).await
        }
        MaintenanceCommand::Add(args) => {
            let args = *args;
            let time = |argument: Option<String>| argument.as_deref().map(parse::future_time).transpose();
            let request = MuteWindowRequest {
                label: args.label,
                starts_at: time(args.from)?,
                ends_at: time(args.until)?,
                cron_expr: args.cron,
                timezone: args.tz,
                duration_seconds: args.duration.as_deref().map(parse::seconds).transpose()?,
                ..args.scope.request()
            };
            add(globals, &client, request).await
        }
        MaintenanceCommand::Rm { window } => {
            let all = client.list("/maintenance").await?;
            let found = pick::pick_one(&all, "maintenance window", "label", &window)?;
            let path = format!("/maintenance/{}", text(found, "id"));
            let outcome = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            outcome
                .report(globals, |_| format!("removed {}; open alerts send notifications again", text(found, "label")))
        }
    }
}

pub(crate) async fn mute(globals: &Globals, args: MuteArgs) -> Result<ExitCode> {
    let scope = args.scope.request();
    if scope == MuteWindowRequest::default() && !args.all {
        return Err(Failure::usage("no alerts to mute given")
            .hint("add --host NAME, -l SELECTOR, --kind KIND or --subject NAME, or --all for all alerts"));
    }
    let request = MuteWindowRequest {
        label: args.note.unwrap_or_else(|| MUTED.to_owned()),
        ends_at: Some(parse::future_time(&args.duration)?),
        ..scope
    };
    add(globals, &Client::new(globals)?, request).await
}

impl WindowAddArgs {
    /// Checks that the options describe one window: either an end, or a recurring start with a duration.
    fn check(&self) -> Result<()> {
        let detail = match (&self.cron, &self.duration, &self.until) {
            (Some(_), Some(_), _) | (None, None, Some(_)) => return Ok(()),
            (Some(_), None, _) => "--cron needs --for, the duration of each occurrence",
            (None, Some(_), _) => "--for needs --cron, the start of each occurrence",
            (None, None, None) => "no end of the window given",
        };
        Err(Failure::usage(detail)
            .hint("add --until 2h for a one-time window, or --cron '0 2 * * 0' --for 4h for a recurring one"))
    }
}

impl ScopeArgs {
    fn request(self) -> MuteWindowRequest {
        let Self { host, selector, kinds, subject } = self;
        MuteWindowRequest { host, selector, kinds, subject, ..MuteWindowRequest::default() }
    }
}

async fn add(globals: &Globals, client: &Client, request: MuteWindowRequest) -> Result<ExitCode> {
    let host = request.host.clone();
    let mut made = match client.write(globals, Method::POST, "/maintenance", Some(&request)).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    if let Some(host) = host {
        made["host_name"] = json!(host);
    }
    let until = match text(&made, "cron_expr") {
        cron if cron.is_empty() => format!("until {}", output::local_time(&text(&made, "ends_at"))),
        _ => recurrence(&made),
    };
    let label = match text(&made, "label") {
        label if label == MUTED => String::new(),
        label => format!("{label}: "),
    };
    messages::done(globals, format!("{label}muted {} {until}", scope(&made)));
    if output::is_table(globals) {
        output::line(&text(&made, "id"));
    } else {
        output::one(globals, made, "id", &[])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads the windows and adds the names of their hosts. The hub stores host ids, because hosts can be renamed.
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
