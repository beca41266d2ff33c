//! Events: telling one, and looking at those that are kept.

use std::{collections::VecDeque, process::ExitCode};

use clap::Subcommand;
use proto::api::trigger::EventRequest;
use reqwest::Method;
use serde_json::{Value, json};

use super::{batch::PARTIAL, run::object, show_list, trigger::texts};
use crate::{
    cli::Globals,
    client::{Client, Done, encoded},
    fail::{CHANGES_PENDING, Result},
    output::{self, Column, Format, column, text, when, wide},
    say,
};

/// Things that happen
#[derive(Subcommand)]
pub(crate) enum EventCommand {
    /// Tell an event: the triggers it fits make their jobs
    Emit {
        /// Its name, as in folder.changed
        name: String,
        /// What it says: a JSON object, a file as in @event.json, or - for stdin
        data: Option<String>,
        /// What it belongs to; its jobs carry it
        #[arg(long, value_name = "ID")]
        correlation_id: Option<String>,
    },
    /// The last events that are kept, the newest last
    #[command(alias = "ls")]
    List {
        /// Only those whose name begins with this
        #[arg(long = "type", value_name = "PREFIX")]
        prefix: Option<String>,
        /// At most so many
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
            let data = data.as_deref().map(|given| object("event", given)).transpose()?.unwrap_or_default();
            emit(globals, EventRequest { name, data: Value::Object(data), correlation_id }).await
        }
        EventCommand::List { prefix, limit } => {
            let client = Client::new(globals)?;
            let prefix = prefix.unwrap_or_default();
            show_list(globals, "type", COLUMNS, || last(&client, &prefix, limit)).await
        }
    }
}

async fn emit(globals: &Globals, request: EventRequest) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let made = match client.write(globals, Method::POST, "/events", Some(&json!(request))).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    let (jobs, refused) = (texts(&made, "jobs"), texts(&made, "refused"));
    let deduplicated = texts(&made, "deduplicated").len();
    let triggers = made["triggers"].as_u64().unwrap_or(0);
    say::done(
        globals,
        format!(
            "{} → {triggers} {}, {} {}, {deduplicated} deduped",
            request.name,
            if triggers == 1 { "trigger" } else { "triggers" },
            jobs.len(),
            if jobs.len() == 1 { "job" } else { "jobs" },
        ),
    );
    for reason in &refused {
        say::note(globals, format!("✕ not made: {reason}"));
    }
    if matches!(globals.output, None | Some(Format::Table | Format::Wide)) {
        jobs.iter().for_each(|job| output::line(job));
    } else {
        output::one(globals, made, "id", &[])?;
    }
    Ok(if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(PARTIAL) })
}

/// The last events: the list begins with the oldest, so it is read to its end and only its tail is kept.
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
