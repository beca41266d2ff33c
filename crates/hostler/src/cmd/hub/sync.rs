//! `hostler sync`: the state of replication between hosts and hubs.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::Span;
use serde_json::Value;

use crate::{
    client::{Client, encoded},
    fail::Result,
    globals::Globals,
    output::{self, column, text},
};

/// Show the state of replication between hosts and hubs
#[derive(Subcommand)]
pub(crate) enum SyncCommand {
    /// Show replication progress: of each host at this hub, or of this machine at its hubs
    Status,
    /// List rejected rows: rows that could not be applied, with the error
    #[command(alias = "parked")]
    Rejected,
    /// Show row counts and checksums of a host's tables; equal checksums mean equal rows
    Digest(DigestArgs),
}

/// Options of `hostler sync digest`
#[derive(Args)]
pub(crate) struct DigestArgs {
    /// Host name or id [default: this machine]
    host: Option<String>,
}

pub(crate) async fn sync(globals: &Globals, command: SyncCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        SyncCommand::Status => status(globals, &client.get("/sync").await?),
        SyncCommand::Rejected => {
            let answer = client.get("/sync").await?;
            output::list_of(
                globals,
                "rejected row",
                [items(&answer, "parked"), items(&answer, "refused")].concat(),
                "id",
                &[
                    column("HOST", |row| {
                        let host = text(row, "host");
                        if host.is_empty() { "this machine".to_owned() } else { host }
                    }),
                    column("TABLE", |row| text(row, "table")),
                    column("ROW", |row| text(row, "id")),
                    column("ERROR", |row| text(row, "error")),
                    column("REJECTED", |row| output::when(row, "at")),
                ],
            )
        }
        SyncCommand::Digest(args) => {
            let query = args.host.map(|host| format!("?host={}", encoded(&host))).unwrap_or_default();
            let answer = client.get(&format!("/sync/digest{query}")).await?;
            let columns = [
                column("TABLE", |row| text(row, "table")),
                column("ROWS", |row| text(row, "rows")),
                column("CHECKSUM", |row| text(row, "sum")),
            ];
            output::list(globals, answer.as_array().cloned().unwrap_or_default(), "table", &columns)
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

fn items(answer: &Value, field: &str) -> Vec<Value> {
    answer.get(field).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Prints both directions in one table, because most machines have only one of them.
fn status(globals: &Globals, answer: &Value) -> Result<()> {
    if globals.output.is_some() {
        return output::one(globals, answer.clone(), "hosts", &[]);
    }
    let mut rows = items(answer, "hosts");
    rows.extend(items(answer, "own"));
    output::list_of(
        globals,
        "host",
        rows,
        "host",
        &[
            column("FROM", |row| {
                let host = text(row, "host");
                if host.is_empty() { "this machine".to_owned() } else { host }
            }),
            column("TO", |row| match row.get("hub_id") {
                None => "this hub".to_owned(),
                Some(Value::Null) => "no hub yet".to_owned(),
                Some(_) => format!("hub {}", text(row, "hub_id")),
            }),
            column("PRIORITY", |row| text(row, "priority")),
            column("WAITING", |row| row.get("behind").or(row.get("waiting")).map(Value::to_string).unwrap_or_default()),
            column("LAG", |row| {
                let seconds = row.get("behind_seconds").or(row.get("waiting_seconds")).and_then(Value::as_i64);
                let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0);
                seconds.map(|seconds| Span::from_secs(seconds).to_string()).unwrap_or_default()
            }),
            column("REJECTED", |row| row.get("parked").map(Value::to_string).unwrap_or_default()),
            column("LAST ERROR", |row| text(row, "last_error")),
            column("UPDATED", |row| {
                let of_host = output::when(row, "updated_at");
                if of_host.is_empty() { output::when(row, "confirmed_at") } else { of_host }
            }),
        ],
    )
}
