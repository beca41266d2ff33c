//! `hostler batch`: bulk actions on the jobs that match a filter. Also the start of batches for other commands.

use std::{process::ExitCode, time::Duration};

use clap::Subcommand;
use proto::api::batch::BatchRequest;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    client::Client,
    fail::{CHANGES_PENDING, Failure, PARTIAL, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, when, wide},
    pick,
};

/// Poll interval while the command waits for a batch.
const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// Number of polls between two progress messages.
const POLLS_PER_MESSAGE: u32 = 33;

/// Manage batches: bulk actions on jobs
#[derive(Subcommand)]
pub(crate) enum BatchCommand {
    /// List batches, newest first
    #[command(alias = "ls")]
    List,
    /// Show a batch and its progress
    Show {
        /// Batch id or id prefix
        batch: String,
    },
    /// Stop a batch; jobs it has already processed keep their new state
    Stop {
        /// Batch id or id prefix
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
    wide("EXAMINED", |b| text(b, "examined")),
];

const ROWS: &[Column] = &[
    column("BATCH", |b| text(b, "id")),
    column("ACTION", |b| text(b, "action")),
    column("FILTER", |b| text(b, "filter")),
    column("STATUS", |b| text(b, "status")),
    column("DONE", |b| format!("{} of {}", text(b, "done"), text(b, "matched"))),
    column("EXAMINED", |b| text(b, "examined")),
    column("FAILED", |b| text(b, "failed")),
    column("FAILURES", |b| {
        let failures = b.get("failures").and_then(Value::as_array).into_iter().flatten();
        failures
            .map(|failure| format!("{}: {}", text(failure, "job_id"), text(failure, "detail")))
            .collect::<Vec<_>>()
            .join("; ")
    }),
    column("BY", |b| text(b, "created_by")),
    column("STARTED", |b| when(b, "created_at")),
    column("FINISHED", |b| when(b, "finished_at")),
];

pub(crate) async fn batch(globals: &Globals, command: BatchCommand) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    match command {
        BatchCommand::List => output::show_list(globals, "batch", "id", COLUMNS, || client.list("/batches")).await,
        BatchCommand::Show { batch } => {
            let id = find(&client, &batch).await?;
            output::one(globals, client.get(&format!("/batches/{id}")).await?, "id", ROWS)?;
            Ok(ExitCode::SUCCESS)
        }
        BatchCommand::Stop { batch } => {
            let id = find(&client, &batch).await?;
            let outcome = client.write(globals, Method::POST, &format!("/batches/{id}/stop"), Some(&json!({}))).await?;
            outcome.report(globals, |batch| {
                format!("batch {id} is {} after {}", text(batch, "status"), output::count(text(batch, "done"), "job"))
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

/// Creates a batch after a prompt with the number of matching jobs, and optionally waits for its end.
pub(crate) async fn start(globals: &Globals, request: BatchRequest, wait: bool) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let path = client.path("/batches");
    let dry_run = BatchRequest { dry_run: true, ..request.clone() };
    let preview = client.send(Method::POST, &path, Some(&dry_run)).await?;
    let (count, is_complete) = (text(&preview, "preview.count"), text(&preview, "preview.is_complete") == "true");
    let count = if is_complete { count } else { format!("{count} or more") };
    if count == "0" {
        messages::note(globals, "no job matches the filter");
        return Ok(ExitCode::SUCCESS);
    }
    let jobs = output::count(count, "job");
    if globals.dry_run {
        messages::note(globals, format!("would {} {jobs}", request.action));
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    messages::confirm(globals, &format!("{} {jobs}", title(request.action.as_str())))?;
    let made = client.send(Method::POST, &path, Some(&BatchRequest { dry_run: false, ..request })).await?;
    let id = text(&made, "id");
    if !wait {
        messages::done(
            globals,
            format!("started batch {id}: {} {jobs}; see `hostler batch show {id}`", text(&made, "action")),
        );
        output::one(globals, made, "id", COLUMNS)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ended = watch(globals, &client, &id).await?;
    let is_partial = text(&ended, "failed") != "0";
    let done = output::count(text(&ended, "done"), "job");
    messages::done(
        globals,
        format!("batch {id} {}: {done} done, {} failed", text(&ended, "status"), text(&ended, "failed")),
    );
    output::one(globals, ended, "id", COLUMNS)?;
    Ok(if is_partial { ExitCode::from(PARTIAL) } else { ExitCode::SUCCESS })
}

/// Waits until a batch ends and prints its progress every few seconds.
async fn watch(globals: &Globals, client: &Client, id: &str) -> Result<Value> {
    for round in 0_u32.. {
        let batch = client.get(&format!("/batches/{id}")).await?;
        if text(&batch, "status") != "running" {
            return Ok(batch);
        }
        if round % POLLS_PER_MESSAGE == POLLS_PER_MESSAGE - 1 {
            messages::note(globals, format!("  {} done, {} failed …", text(&batch, "done"), text(&batch, "failed")));
        }
        tokio::select! {
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            _ = tokio::signal::ctrl_c() => {
                let detail = format!("stopped waiting; batch {id} continues; stop it with `hostler batch stop {id}`");
                return Err(Failure::interrupted(detail));
            }
        }
    }
    Err(Failure::usage(format!("stopped waiting; batch {id} is still running")))
}

fn title(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
