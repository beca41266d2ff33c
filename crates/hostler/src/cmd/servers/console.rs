//! `hostler server console`: the output of a server, optionally followed across its runs.

use std::process::ExitCode;

use clap::Args;
use serde_json::Value;

use super::route;
use crate::{
    client::Client,
    fail::Result,
    globals::{Format, Globals},
    messages,
    output::{self, text},
};

/// Seconds that the hub may hold a request for new lines (long poll).
const POLL_SECONDS: u32 = 20;
/// Page size of requests for lines.
const PAGE_LINES: u32 = 2_000;

/// Options of `hostler server console`
#[derive(Args)]
pub(crate) struct ConsoleArgs {
    /// Server name or id
    server: String,
    /// Follow the output, also across restarts
    #[arg(short, long)]
    follow: bool,
    /// Show only the last N lines
    #[arg(short = 'n', long, value_name = "LINES", default_value_t = 100)]
    lines: u32,
    /// Number of the run [default: the newest run]
    #[arg(long, value_name = "NO")]
    run: Option<i32>,
}

pub(crate) async fn console(globals: &Globals, client: &Client, args: ConsoleArgs) -> Result<ExitCode> {
    let path = format!("{}/console", route(&args.server));
    let mut run = args.run.map(|run| format!("&run={run}")).unwrap_or_default();
    let mut from = format!("tail={}", args.lines);
    // Without --follow print at most the requested lines, however fast the server writes.
    let mut left = if args.follow { usize::MAX } else { args.lines as usize };
    loop {
        let wait = if args.follow { POLL_SECONDS } else { 0 };
        let request = async { client.get(&format!("{path}?{from}&limit={PAGE_LINES}&wait={wait}{run}")).await };
        let page = tokio::select! {
            page = request => page?,
            _ = tokio::signal::ctrl_c() => return Ok(ExitCode::from(130)),
        };
        let lines = page["lines"].as_array().cloned().unwrap_or_default();
        for line in lines.iter().take(left) {
            show(globals, line);
        }
        left = left.saturating_sub(lines.len());
        let no = page["run"].as_i64().unwrap_or(0);
        if let Some(next) = page["next_run"].as_i64().filter(|_| args.follow) {
            messages::note(globals, format!("── run {no} has ended, run {next} starts ──"));
            (run, from) = (format!("&run={next}"), "after=0".to_owned());
            continue;
        }
        let is_last_page = lines.len() < PAGE_LINES as usize;
        if !args.follow && (is_last_page || left == 0) {
            return Ok(ExitCode::SUCCESS);
        }
        if no > 0 {
            (run, from) = (format!("&run={no}"), format!("after={}", text(&page, "last")));
        }
        if args.follow && page["is_complete"] == Value::Bool(true) {
            // The run has ended and no next run has started: the hub does not hold such requests, so wait here.
            tokio::select! {
                () = tokio::time::sleep(std::time::Duration::from_millis(500)) => {}
                _ = tokio::signal::ctrl_c() => return Ok(ExitCode::from(130)),
            }
        }
    }
}

fn show(globals: &Globals, line: &Value) {
    match globals.output {
        None | Some(Format::Table) => output::line(&text(line, "text")),
        Some(Format::Wide) => {
            let at = output::log_time(&text(line, "at"));
            output::line(&format!("{at} {} {}", text(line, "stream"), text(line, "text")));
        }
        Some(_) => output::json_line(&line.to_string()),
    }
}
