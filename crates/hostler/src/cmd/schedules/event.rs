//! `hostler event`: publishing events and listing recent ones.

use std::{collections::VecDeque, process::ExitCode};

use clap::Subcommand;
use proto::api::trigger::EventRequest;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    client::{Client, WriteOutcome, encoded},
    cmd::run::payload::object,
    fail::{CHANGES_PENDING, PARTIAL, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, texts, when, wide},
};

/// Send and list events
#[derive(Subcommand)]
pub(crate) enum EventCommand {
    /// Send an event; matching triggers create jobs
    Emit {
        /// Event name, for example folder.changed
        name: String,
        /// Event data: a JSON object, a file as @event.json, or - for stdin
        data: Option<String>,
        /// Correlation id; the created jobs get the same one
        #[arg(long, value_name = "ID")]
        correlation_id: Option<String>,
    },
    /// List recent events, newest last
    #[command(alias = "ls")]
    List {
        /// Only events whose name begins with this prefix
        #[arg(long = "type", value_name = "PREFIX")]
        prefix: Option<String>,
        /// Maximum number of events
        #[arg(short = 'n', long, default_value_t = 50)]
        limit: usize,
    },
}

const COLUMNS: &[Column] = &[
    column("AT", |e| when(e, "at")),
    column("TYPE", |e| text(e, "type")),
    column("DATA", |e| text(e, "data")),
    wide("CURSOR", |e| text(e, "cursor")),
    wide("HOST", |e| text(e, "host_id")),
];

pub(crate) async fn event(globals: &Globals, command: EventCommand) -> Result<ExitCode> {
    match command {
        EventCommand::Emit { name, data, correlation_id } => {
            let data = data.as_deref().map(|source| object("event", source)).transpose()?.unwrap_or_default();
            emit(globals, EventRequest { name, data: Value::Object(data), correlation_id }).await
        }
        EventCommand::List { prefix, limit } => {
            let client = Client::new(globals)?;
            let prefix = prefix.unwrap_or_default();
            output::show_list(globals, "event", "type", COLUMNS, || last(&client, &prefix, limit)).await
        }
    }
}

async fn emit(globals: &Globals, request: EventRequest) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let made = match client.write(globals, Method::POST, "/events", Some(&json!(request))).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    let (jobs, refused) = (texts(&made, "jobs"), texts(&made, "refused"));
    let deduplicated = texts(&made, "deduplicated").len();
    let triggers = made["triggers"].as_u64().unwrap_or(0);
    messages::done(
        globals,
        format!(
            "sent {}: {} matched, {} created, {deduplicated} deduplicated",
            request.name,
            output::count(triggers, "trigger"),
            output::count(jobs.len(), "job"),
        ),
    );
    for reason in &refused {
        messages::note(globals, format!("✕ no job: {reason}"));
    }
    if output::is_table(globals) {
        jobs.iter().for_each(|job| output::line(job));
    } else {
        output::one(globals, made, "id", &[])?;
    }
    Ok(if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(PARTIAL) })
}

/// Reads the most recent events. The API lists the oldest first, so all pages are read and only the tail is kept.
async fn last(client: &Client, prefix: &str, limit: usize) -> Result<Vec<Value>> {
    let (mut kept, mut cursor) = (VecDeque::new(), String::new());
    loop {
        let from = if cursor.is_empty() { String::new() } else { format!("&cursor={cursor}") };
        let mut page = client.get(&format!("/events?types={}&limit=1000{from}", encoded(prefix))).await?;
        if let Some(Value::Array(rows)) = page.get_mut("items").map(Value::take) {
            kept.extend(rows);
        }
        let surplus = kept.len().saturating_sub(limit);
        kept.drain(..surplus);
        cursor = text(&page, "next");
        if cursor.is_empty() {
            return Ok(kept.into());
        }
    }
}
