//! What happened on a host, as a log.

use std::process::ExitCode;

use clap::Args;
use domain::Timestamp;
use serde_json::Value;

use super::{host::find, run::past};
use crate::{
    cli::Globals,
    client::{Client, encoded},
    config,
    fail::Result,
    output::{self, Column, column, text, wide},
    say,
};

/// Which part of a host's past
#[derive(Args)]
pub(crate) struct TimelineArgs {
    /// Name, id or the beginning of it
    host: String,
    /// The last so long, as in 24h
    #[arg(long, value_name = "LENGTH", conflicts_with_all = ["from", "until"])]
    since: Option<String>,
    /// From then: a time, or a length back as in 3d
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Until then: a time, or a length back; now if absent
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

const COLUMNS: &[Column] = &[
    column("AT", |i| at(i, "at")),
    column("", mark),
    column("WHAT", |i| text(i, "word")),
    column("TEXT", |i| text(i, "text")),
    column("LASTED", lasted),
    wide("JOB", |i| text(i, "job_id")),
    wide("ALERT", |i| text(i, "alert_id")),
];

/// A time on the reader's clock for people; the time itself for pipes.
fn at(item: &Value, path: &str) -> String {
    let text = text(item, path);
    if !output::is_terminal() {
        return text;
    }
    let zone = output::reader_zone(config::environment("TZ").as_deref());
    text.parse::<Timestamp>().ok().and_then(|at| at.said_in(&zone)).unwrap_or(text)
}

/// What kind of thing it was, and whether it was good.
fn mark(item: &Value) -> String {
    match (text(item, "kind").as_str(), text(item, "word").as_str()) {
        (_, "asleep" | "suspended") => "☾",
        ("gap", _) | ("alert", _) => "▲",
        (_, "succeeded" | "fired" | "caught_up") => "✓",
        (_, "failed" | "dead_letter" | "timed_out" | "lost" | "missed") => "✕",
        (_, "running" | "started") => "◐",
        _ => "·",
    }
    .to_owned()
}

fn lasted(item: &Value) -> String {
    let time = |path: &str| text(item, path).parse::<Timestamp>().ok();
    match (time("at"), time("until")) {
        (Some(from), Some(until)) => until.since(from).to_string(),
        _ => String::new(),
    }
}

/// Prints it, the newest last.
pub(super) async fn timeline(globals: &Globals, client: &Client, args: &TimelineArgs) -> Result<ExitCode> {
    let id = text(&find(client, &args.host).await?, "id");
    let mut query = Vec::new();
    for (name, given) in [("from", args.from.as_ref().or(args.since.as_ref())), ("until", args.until.as_ref())] {
        if let Some(given) = given {
            query.push(format!("{name}={}", encoded(&past(given)?.to_string())));
        }
    }
    let mut found = client.get(&format!("/hosts/{id}/timeline?{}", query.join("&"))).await?;
    let mut items = match found["items"].take() {
        Value::Array(items) => items,
        _ => Vec::new(),
    };
    items.reverse();
    if items.is_empty() {
        say::note(globals, format!("nothing happened on {} in this time", text(&found, "host")));
    }
    output::list(globals, items, "text", COLUMNS)?;
    if text(&found, "has_more") == "true" {
        say::note(globals, "older things were left out; ask for less with --from and --until");
    }
    Ok(ExitCode::SUCCESS)
}
