//! `hostler ping`: monitoring of programs outside Hostler, which call an address when they run.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::schedule::Schedule;
use proto::api::ping::PingRequest;
use reqwest::Method;
use serde_json::Value;

use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, length, text, when, wide},
    parse, pick,
};

/// Manage pings: alerts when a program outside Hostler does not report in time
#[derive(Subcommand)]
pub(crate) enum PingCommand {
    /// List pings
    #[command(alias = "ls")]
    List,
    /// Add a ping; prints once the URL that the program calls
    Add(PingAddArgs),
    /// Remove a ping; its URL stops working
    Rm {
        /// Ping label, id or id prefix
        ping: String,
    },
    /// List the reports of a program, newest first
    History {
        /// Ping label, id or id prefix
        ping: String,
    },
}

/// Options of `hostler ping add`
#[derive(Args)]
pub(crate) struct PingAddArgs {
    /// Label, for example the name of the program
    label: String,
    /// Expected times as a cron expression, for example '0 3 * * *'
    #[arg(long, value_name = "EXPR", required_unless_present = "every")]
    cron: Option<String>,
    /// Time zone of --cron [default: the org's time zone]
    #[arg(long, value_name = "ZONE", requires = "cron")]
    tz: Option<String>,
    /// Longest expected time between two reports, for example 1h
    #[arg(long, value_name = "DURATION", conflicts_with = "cron")]
    every: Option<String>,
    /// Tolerated delay of a report, and tolerated duration of a run, for example 30m
    #[arg(long, value_name = "DURATION")]
    grace: Option<String>,
}

const COLUMNS: &[Column] = &[
    column("STATUS", |p| text(p, "status")),
    column("LABEL", |p| text(p, "label")),
    column("EXPECTED", expected),
    column("GRACE", |p| length(p, "grace_seconds")),
    column("LAST SUCCESS", |p| when(p, "succeeded_at")),
    column("NEXT", |p| when(p, "expected_at")),
    wide("LAST REPORT", |p| when(p, "reported_at")),
    wide("ID", |p| text(p, "id")),
    wide("BY", |p| text(p, "created_by")),
];

const REPORTS: &[Column] = &[
    column("AT", |s| when(s, "at")),
    column("REPORT", |s| text(s, "word")),
    column("EXIT", |s| text(s, "exit_code")),
    column("RUN", |s| text(s, "rid")),
    column("FROM", |s| text(s, "address")),
    column("TEXT", |s| text(s, "body")),
];

fn expected(ping: &Value) -> String {
    match text(ping, "cron_expr") {
        cron if cron.is_empty() => format!("every {}", length(ping, "period_seconds")),
        cron => format!("{cron} {}", text(ping, "timezone")),
    }
}

/// The expected times in words: `at 03:00 every day (Europe/Berlin)`.
fn expected_in_words(ping: &Value) -> String {
    let (cron, zone) = (text(ping, "cron_expr"), text(ping, "timezone"));
    match Schedule::parse(&cron, &zone, "", runtime::clock::wall()) {
        Ok(schedule) => format!("{} ({zone})", schedule.describe()),
        Err(_) => expected(ping),
    }
}

pub(crate) async fn ping(globals: &Globals, command: PingCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        PingCommand::List => output::show_list(globals, "ping", "label", COLUMNS, || client.list("/pings")).await,
        PingCommand::Add(args) => add(globals, &client, args).await,
        PingCommand::Rm { ping } => {
            let found = find(&client, &ping).await?;
            let label = text(&found, "label");
            if !globals.dry_run {
                messages::confirm(globals, &format!("Remove the ping {label}; its URL stops working"))?;
            }
            let path = format!("/pings/{}", text(&found, "id"));
            let outcome = client.write(globals, Method::DELETE, &path, None::<&()>).await?;
            outcome.report(globals, |_| format!("removed ping {label}"))
        }
        PingCommand::History { ping } => {
            let path = format!("/pings/{}/history", text(&find(&client, &ping).await?, "id"));
            output::show_list(globals, "report", "word", REPORTS, || client.list(&path)).await
        }
    }
}

async fn add(globals: &Globals, client: &Client, args: PingAddArgs) -> Result<ExitCode> {
    let request = PingRequest {
        label: args.label,
        cron_expr: args.cron,
        timezone: args.tz,
        period_seconds: args.every.as_deref().map(parse::seconds).transpose()?,
        grace_seconds: args.grace.as_deref().map(parse::seconds).transpose()?,
    };
    let made = match client.write(globals, Method::POST, "/pings", Some(&request)).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    if !output::is_table(globals) {
        output::one(globals, made, "url", &[])?;
        return Ok(ExitCode::SUCCESS);
    }
    let (ping, url) = (&made["ping"], text(&made, "url"));
    let grace = length(ping, "grace_seconds");
    let (label, expected) = (text(ping, "label"), expected_in_words(ping));
    messages::done(globals, format!("added ping {label}: expected {expected}, at most {grace} late"));
    output::line(&url);
    messages::note(globals, "  (shown once; keep it secret, because any caller of this URL can report a run)");
    messages::note(globals, format!("  call it at the end of the program:  curl -fsS -m 10 --retry 3 {url}"));
    messages::note(
        globals,
        format!("  or report the exit code:            my-program; curl -fsS -m 10 --retry 3 {url}/$?"),
    );
    Ok(ExitCode::SUCCESS)
}

async fn find(client: &Client, reference: &str) -> Result<Value> {
    let all = client.list("/pings").await?;
    pick::pick_one(&all, "ping", "label", reference).cloned()
}
