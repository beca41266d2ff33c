//! `hostler host timeline`: the history of a host.

use std::process::ExitCode;

use clap::Args;
use domain::Timestamp;
use serde_json::Value;

use crate::{
    client::{Client, encoded},
    fail::Result,
    globals::Globals,
    messages,
    output::{self, Column, column, text, wide},
    parse,
};

/// Options of `hostler host timeline`
#[derive(Args)]
pub(crate) struct TimelineArgs {
    /// Host name, id or id prefix
    pub(super) host: String,
    /// Duration before now, for example 24h
    #[arg(long, value_name = "DURATION", conflicts_with_all = ["from", "until"])]
    since: Option<String>,
    /// Start: a time, or a duration before now such as 3d
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// End: a time, or a duration before now [default: now]
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

const COLUMNS: &[Column] = &[
    column("AT", |i| output::local_time(&text(i, "at"))),
    column("", mark),
    column("EVENT", event),
    column("DETAIL", |i| text(i, "text")),
    column("DURATION", duration),
    wide("JOB", |i| text(i, "job_id")),
    wide("ALERT", |i| text(i, "alert_id")),
];

/// The glyph of an entry: its kind and outcome.
fn mark(item: &Value) -> String {
    match (text(item, "kind").as_str(), text(item, "word").as_str()) {
        (_, "asleep" | "suspended") => "☾",
        ("outage", _) | ("alert", _) => "▲",
        (_, "succeeded" | "fired" | "caught_up") => "✓",
        (_, "failed" | "timeout" | "crashed" | "lost" | "missed") => "✕",
        (_, "running" | "started") => "◐",
        _ => "·",
    }
    .to_owned()
}

fn event(item: &Value) -> String {
    match text(item, "word").as_str() {
        "hub_away" => "hub unreachable".to_owned(),
        word => word.replace('_', " "),
    }
}

fn duration(item: &Value) -> String {
    let time = |path: &str| text(item, path).parse::<Timestamp>().ok();
    match (time("at"), time("until")) {
        (Some(from), Some(until)) => until.since(from).to_string(),
        _ => String::new(),
    }
}

/// Prints the timeline, newest entry last.
pub(super) async fn timeline(globals: &Globals, client: &Client, id: &str, args: &TimelineArgs) -> Result<ExitCode> {
    let mut query = Vec::new();
    for (name, time) in [("from", args.from.as_ref().or(args.since.as_ref())), ("until", args.until.as_ref())] {
        if let Some(time) = time {
            query.push(format!("{name}={}", encoded(&parse::past_time(time)?.to_string())));
        }
    }
    let mut found = client.get(&format!("/hosts/{id}/timeline?{}", query.join("&"))).await?;
    let mut items = match found["items"].take() {
        Value::Array(items) => items,
        _ => Vec::new(),
    };
    items.reverse();
    if items.is_empty() {
        messages::note(globals, format!("no entries for host {} in this period", text(&found, "host")));
        if output::is_table(globals) && output::is_terminal() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    output::list(globals, items, "text", COLUMNS)?;
    if text(&found, "has_more") == "true" {
        messages::note(globals, "older entries are not shown; choose a shorter period with --from and --until");
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use domain::job::RunStatus;
    use serde_json::json;

    use super::*;

    #[test]
    fn mark_shows_every_run_that_went_wrong() {
        for status in [RunStatus::Failed, RunStatus::Timeout, RunStatus::Crashed, RunStatus::Lost] {
            assert_eq!(mark(&json!({"kind": "run", "word": status.as_str()})), "✕", "{status}");
        }
        assert_eq!(mark(&json!({"kind": "run", "word": "succeeded"})), "✓");
        assert_eq!(mark(&json!({"kind": "run", "word": "canceled"})), "·");
    }
}
