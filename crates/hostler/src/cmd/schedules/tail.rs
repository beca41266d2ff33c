//! `hostler tail`: the event stream, one JSON document per line.

use std::{process::ExitCode, time::Duration};

use clap::Args;
use futures_util::StreamExt as _;
use serde_json::Value;

use crate::{
    client::{Client, encoded},
    fail::Result,
    globals::Globals,
    messages,
    output::{self, filter::Filter, text},
};

/// Stream events as they are published
#[derive(Args)]
pub(crate) struct TailArgs {
    /// Only events whose name begins with one of these prefixes, separated by commas, for example job.,job_run.
    #[arg(long, value_name = "PREFIXES")]
    types: Option<String>,
    /// First print the events after this cursor, the number of an event
    #[arg(long, value_parser = cursor)]
    cursor: Option<i64>,
    /// Exit after this number of events
    #[arg(short = 'n', long)]
    lines: Option<usize>,
}

fn cursor(text: &str) -> Result<i64, &'static str> {
    text.parse().map_err(|_| "a cursor is the number of an event; `hostler event list -o wide` shows it")
}

/// Delay before a broken stream is opened again.
const AGAIN: Duration = Duration::from_secs(1);

pub(crate) async fn tail(globals: &Globals, args: TailArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let filter: Filter = globals.filter.as_deref().unwrap_or_default().parse()?;
    let (mut cursor, mut left) = (args.cursor, args.lines.unwrap_or(usize::MAX));
    let mut is_first = true;
    loop {
        let mut path = format!("/events?types={}", encoded(args.types.as_deref().unwrap_or_default()));
        if let Some(cursor) = cursor {
            path.push_str(&format!("&cursor={cursor}"));
        }
        let stream = match client.stream(&path).await {
            Ok(stream) => stream,
            // Only the first failure ends the command; later the hub may be temporarily unreachable.
            Err(failure) if is_first => return Err(failure),
            Err(_) => {
                tokio::time::sleep(AGAIN).await;
                continue;
            }
        };
        is_first = false;
        let (mut chunks, mut rest) = (stream.bytes_stream(), Vec::new());
        while let Some(Ok(chunk)) = chunks.next().await {
            rest.extend_from_slice(&chunk);
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = rest.drain(..=end).collect();
                let Some(event) = event(&line) else { continue };
                cursor = event.get("cursor").and_then(Value::as_i64).or(cursor);
                if matches!(text(&event, "type").as_str(), "hello") || !filter.matches(&event) {
                    continue;
                }
                output::json_line(&event.to_string());
                left -= 1;
                if left == 0 {
                    return Ok(ExitCode::SUCCESS);
                }
            }
        }
        messages::note(globals, "  connection to the hub lost; reconnecting");
        tokio::time::sleep(AGAIN).await;
    }
}

/// Parses the event from a `data:` line of a server-sent event stream.
fn event(line: &[u8]) -> Option<Value> {
    serde_json::from_slice(line.strip_prefix(b"data:")?).ok()
}
