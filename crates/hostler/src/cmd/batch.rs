//! Bulk actions on the jobs that fit a filter.

use std::{process::ExitCode, time::Duration};

use clap::Subcommand;
use proto::api::batch::BatchRequest;
use reqwest::Method;
use serde_json::{Value, json};

use super::{show_list, wrote};
use crate::{
    cli::Globals,
    client::Client,
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, Column, column, text, when, wide},
    pick, say,
};

/// How often a batch that is waited for is asked for.
const LOOK_AGAIN: Duration = Duration::from_millis(300);
/// How often its progress is said without a terminal.
const SAY_EVERY: u32 = 33;
/// Some failed.
pub(super) const PARTIAL: u8 = 3;

/// Bulk actions
#[derive(Subcommand)]
pub(crate) enum BatchCommand {
    /// The bulk actions of the org, newest first
    #[command(alias = "ls")]
    List,
    /// One bulk action and how far it has come
    Show {
        /// Its id, or the beginning of it
        batch: String,
    },
    /// Stop a bulk action; what was done stays done
    Stop {
        /// Its id, or the beginning of it
        batch: String,
    },
}

const COLUMNS: &[Column] = &[
    column("BATCH", |b| text(b, "id")),
    column("ACTION", |b| text(b, "action")),
    column("STATUS", |b| text(b, "status")),
    column("DONE", |b| format!("{}/{}", text(b, "done"), text(b, "matched"))),
    column("FAILED", |b| text(b, "failed")),
    column("FILTER", |b| text(b, "filter")),
    column("BY", |b| text(b, "created_by")),
    column("STARTED", |b| when(b, "created_at")),
    wide("FINISHED", |b| when(b, "finished_at")),
    wide("LOOKED AT", |b| text(b, "looked_at")),
];

const ROWS: &[Column] = &[
    column("BATCH", |b| text(b, "id")),
    column("ACTION", |b| text(b, "action")),
    column("FILTER", |b| text(b, "filter")),
    column("STATUS", |b| text(b, "status")),
    column("DONE", |b| format!("{} of {} so far", text(b, "done"), text(b, "matched"))),
    column("LOOKED AT", |b| text(b, "looked_at")),
    column("FAILED", |b| text(b, "failed")),
    column("FAILURES", |b| {
        let failures = b.get("failures").and_then(Value::as_array).into_iter().flatten();
        failures.map(|one| format!("{}: {}", text(one, "job_id"), text(one, "detail"))).collect::<Vec<_>>().join("; ")
    }),
    column("BY", |b| text(b, "created_by")),
    column("STARTED", |b| when(b, "created_at")),
    column("FINISHED", |b| when(b, "finished_at")),
];

pub(crate) async fn batch(globals: &Globals, command: BatchCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        BatchCommand::List => show_list(globals, "id", COLUMNS, || client.list("/batches")).await,
        BatchCommand::Show { batch } => {
            let id = find(&client, &batch).await?;
            output::one(globals, client.get(&format!("/batches/{id}")).await?, "id", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        BatchCommand::Stop { batch } => {
            let id = find(&client, &batch).await?;
            let done = client.write(globals, Method::POST, &format!("/batches/{id}/stop"), Some(&json!({}))).await?;
            wrote(globals, done, |batch| {
                format!("batch {id} is {} after {} jobs", text(batch, "status"), text(batch, "done"))
            })
        }
    }
}

async fn find(client: &Client, reference: &str) -> Result<String> {
    if reference.len() == 26 {
        return Ok(reference.to_owned());
    }
    let all = client.list("/batches").await?;
    Ok(text(pick::pick_one(&all, "batch", "id", reference)?, "id"))
}

/// Makes a batch after a question that says how many jobs fit, and waits for its end if that is wanted.
pub(crate) async fn start(globals: &Globals, request: BatchRequest, is_waited_for: bool) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let path = client.path("/batches");
    let preview = BatchRequest { dry_run: true, ..request.clone() };
    let seen = client.send(Method::POST, &path, Some(&preview)).await?;
    let (count, is_complete) = (text(&seen, "preview.count"), text(&seen, "preview.is_complete") == "true");
    let count = if is_complete { count } else { format!("{count} or more") };
    if count == "0" {
        say::note(globals, "no job fits");
        return Ok(ExitCode::SUCCESS);
    }
    if globals.dry_run {
        say::note(globals, format!("{count} jobs fit: would {} them", request.action));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    say::confirm(globals, &format!("{count} jobs fit. {} all of them", title(request.action.as_str())))?;
    let made = client.send(Method::POST, &path, Some(&BatchRequest { dry_run: false, ..request })).await?;
    let id = text(&made, "id");
    if !is_waited_for {
        say::done(globals, format!("{} under way: hostler batch show {id}", text(&made, "action")));
        output::one(globals, made, "id", COLUMNS)?;
        return Ok(ExitCode::SUCCESS);
    }
    let over = watch(globals, &client, &id).await?;
    let is_partial = text(&over, "failed") != "0";
    let said =
        format!("{} {}, {} failed (batch {id})", text(&over, "done"), text(&over, "status"), text(&over, "failed"));
    say::done(globals, said);
    output::one(globals, over, "id", COLUMNS)?;
    Ok(if is_partial { ExitCode::from(PARTIAL) } else { ExitCode::SUCCESS })
}

/// Waits until a batch is over and says how far it has come: in place on a terminal, now and then elsewhere.
async fn watch(globals: &Globals, client: &Client, id: &str) -> Result<Value> {
    for round in 0_u32.. {
        let batch = client.get(&format!("/batches/{id}")).await?;
        if text(&batch, "status") != "running" {
            return Ok(batch);
        }
        if round % SAY_EVERY == SAY_EVERY - 1 {
            say::note(globals, format!("  {} done, {} failed …", text(&batch, "done"), text(&batch, "failed")));
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_AGAIN) => {}
            _ = tokio::signal::ctrl_c() => {
                return Err(Failure::usage("no longer waited for; the batch goes on")
                    .hint(format!("hostler batch show {id}, hostler batch stop {id}")));
            }
        }
    }
    Err(Failure::usage("waited for too long"))
}

fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
