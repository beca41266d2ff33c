//! `hostler job` and its short forms `ps`, `logs`, `why`, `cancel`, `retry`, `wait` and `queue`.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use domain::batch::BatchAction;
use proto::api::{
    batch::BatchRequest,
    job::{CancelRequest, JobTarget, MoveRequest, RetryRequest},
};
use reqwest::Method;
use serde_json::{Value, json};

use super::{
    batch,
    follow::{Follow, Style},
    outcome::{explained, report_end, succeeded},
    payload::payload,
};
use crate::{
    client::{Client, WriteOutcome, encoded},
    fail::{CHANGES_PENDING, Failure, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, duration, text, when, wide},
};

/// Manage jobs
#[derive(Subcommand)]
pub(crate) enum JobCommand {
    /// List jobs, newest first
    #[command(alias = "ls")]
    List(ListArgs),
    /// Show a job with its runs
    Show {
        /// Job id or id prefix
        job: String,
    },
    /// Change the target or the priority of queued jobs
    Move {
        #[command(flatten)]
        many: ManyArgs,
        /// Move to this host
        #[arg(long, value_name = "HOST", conflicts_with_all = ["labels", "queue"])]
        on: Option<String>,
        /// Move to any host whose labels match
        #[arg(short = 'l', long = "labels", value_name = "SELECTOR", conflicts_with = "queue")]
        labels: Option<String>,
        /// Move to any host that serves this queue
        #[arg(long)]
        queue: Option<String>,
        /// New priority; lower numbers run first
        #[arg(long, allow_negative_numbers = true)]
        priority: Option<i32>,
    },
}

/// Options of job lists
#[derive(Args, Default)]
pub(crate) struct ListArgs {
    /// Only jobs with these statuses, separated by commas
    #[arg(long)]
    status: Option<String>,
    /// Maximum number of jobs
    #[arg(short = 'n', long, default_value_t = 50)]
    limit: usize,
}

/// Jobs by id or filter
#[derive(Args)]
pub(crate) struct ManyArgs {
    /// Job ids or id prefixes; or use --filter
    jobs: Vec<String>,
    /// With --filter: wait until the batch has processed all jobs
    #[arg(long)]
    wait: bool,
}

/// Cancel jobs
#[derive(Args)]
pub(crate) struct CancelArgs {
    #[command(flatten)]
    many: ManyArgs,
    /// Reason, recorded in the audit log
    #[arg(long, default_value = "")]
    reason: String,
    /// Also cancel a job that runs on an unreachable host, which cannot confirm that the run ended
    #[arg(long)]
    force: bool,
}

/// Queue finished jobs again
#[derive(Args)]
pub(crate) struct RetryArgs {
    #[command(flatten)]
    many: ManyArgs,
    /// New payload: JSON, a file as @payload.json, or - for stdin
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
}

/// Wait until jobs end
#[derive(Args)]
pub(crate) struct WaitArgs {
    /// Job ids or id prefixes
    #[arg(required = true)]
    jobs: Vec<String>,
}

/// Show the output of a job
#[derive(Args)]
pub(crate) struct LogsArgs {
    /// Job id or id prefix
    job: String,
    /// Follow the output until the job ends
    #[arg(short = 'f', long)]
    follow: bool,
    /// Show only the last N lines
    #[arg(short = 'n', long)]
    lines: Option<u32>,
    /// Number of the run [default: the last run]
    #[arg(long)]
    attempt: Option<i32>,
    /// Show only standard error
    #[arg(long)]
    stderr: bool,
    /// Show only lines that contain this text
    #[arg(long)]
    grep: Option<String>,
    /// Show time and stream before each line
    #[arg(long)]
    times: bool,
}

const COLUMNS: &[Column] = &[
    column("JOB", |j| text(j, "id")),
    column("DEFINITION", |j| text(j, "definition_key")),
    column("SOURCE", |j| text(j, "source")),
    column("STATUS", |j| format!("{} {}", mark(&text(j, "status")), text(j, "status"))),
    column("ATTEMPTS", |j| format!("{}/{}", text(j, "attempt_count"), text(j, "max_attempts"))),
    column("HOST", |j| text(j, "host")),
    column("QUEUED", |j| when(j, "queued_at")),
    column("WHY", wait_reason),
    wide("FINISHED", |j| when(j, "finished_at")),
    wide("ERROR", |j| text(j, "last_error")),
    wide("BY", |j| text(j, "created_by")),
];

const ROWS: &[Column] = &[
    column("JOB", |j| text(j, "id")),
    column("DEFINITION", |j| format!("{} v{}", text(j, "definition_key"), text(j, "definition_version"))),
    column("STATUS", |j| format!("{} {}", mark(&text(j, "status")), text(j, "status"))),
    column("WHY", |j| text(j, "why.text")),
    column("TARGET", |j| {
        ["host", "queue", "selector"]
            .iter()
            .map(|kind| (kind, text(j, &format!("target.{kind}"))))
            .find(|(_, name)| !name.is_empty())
            .map(|(kind, name)| format!("{kind} {name}"))
            .unwrap_or_default()
    }),
    column("HOST", |j| text(j, "host")),
    column("WORKER", |j| text(j, "worker")),
    column("ATTEMPTS", |j| format!("{} of {}", text(j, "attempt_count"), text(j, "max_attempts"))),
    column("PRIORITY", |j| text(j, "priority")),
    column("PAYLOAD", |j| text(j, "payload")),
    column("DEDUPE KEY", |j| text(j, "dedupe_key")),
    column("LIMIT KEY", |j| text(j, "limit_key")),
    column("CORRELATION", |j| text(j, "correlation_id")),
    column("SCHEDULED", |j| when(j, "scheduled_for")),
    column("EXPIRES", |j| when(j, "expires_at")),
    column("QUEUED", |j| when(j, "queued_at")),
    column("STARTED", |j| when(j, "started_at")),
    column("FINISHED", |j| when(j, "finished_at")),
    column("ERROR", |j| text(j, "last_error")),
    column("BY", |j| text(j, "created_by")),
];

const RUNS: &[Column] = &[
    column("RUN", |r| text(r, "no")),
    column("STATUS", |r| text(r, "status")),
    column("HOST", |r| text(r, "host")),
    column("PID", |r| text(r, "pid")),
    column("EXIT", |r| text(r, "exit_code")),
    column("STARTED", |r| when(r, "started_at")),
    column("TOOK", |r| {
        r.get("duration_ms")
            .and_then(Value::as_i64)
            .map(|ms| domain::Span::from_millis(ms).to_string())
            .unwrap_or_default()
    }),
    column("ERROR", |r| text(r, "error_text")),
];

/// Why a queued job waits.
fn wait_reason(job: &Value) -> String {
    match text(job, "wait_reason").as_str() {
        "later" => "scheduled".to_owned(),
        "held" => "waits for its host's report".to_owned(),
        "at_limit" => "limit reached".to_owned(),
        other => other.replace('_', " "),
    }
}

/// The glyph of a job status.
pub(crate) fn mark(status: &str) -> &'static str {
    match status {
        "queued" => "○",
        "running" => "◐",
        "succeeded" => "✓",
        "failed" => "✕",
        "dead_letter" => "▣",
        "canceled" => "⊘",
        _ => "?",
    }
}

/// Reads up to `limit` jobs that match the filter.
async fn jobs(client: &Client, filter: &str, status: Option<&str>, limit: usize) -> Result<Vec<Value>> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let mut path = format!("/jobs?limit={}", (limit - items.len()).clamp(1, 1_000));
        for (name, value) in [("filter", filter), ("status", status.unwrap_or_default()), ("cursor", cursor.as_str())] {
            if !value.is_empty() {
                path.push_str(&format!("&{name}={}", encoded(value)));
            }
        }
        let mut page = client.get(&path).await?;
        if let Some(Value::Array(rows)) = page.get_mut("items").map(Value::take) {
            items.extend(rows);
        }
        cursor = text(&page, "next");
        if cursor.is_empty() || items.len() >= limit {
            return Ok(items);
        }
    }
}

pub(crate) async fn list(globals: &Globals, args: ListArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    // The hub applies the filter, so it is not applied again to the result.
    let unfiltered = Globals { filter: None, ..globals.clone() };
    let filter = globals.filter.clone().unwrap_or_default();
    output::show_list(&unfiltered, "job", "id", COLUMNS, || jobs(&client, &filter, args.status.as_deref(), args.limit))
        .await
}

pub(crate) async fn job(globals: &Globals, command: JobCommand) -> Result<ExitCode> {
    match command {
        JobCommand::List(args) => list(globals, args).await,
        JobCommand::Show { job } => show(globals, &job).await,
        JobCommand::Move { many, on, labels, queue, priority } => {
            let has_target = on.is_some() || labels.is_some() || queue.is_some();
            if !has_target && priority.is_none() {
                return Err(Failure::usage("no new target or priority given")
                    .hint("add --on HOST, -l SELECTOR, --queue NAME or --priority N"));
            }
            let target = has_target.then_some(JobTarget { host: on, queue, selector: labels });
            if let Some(filter) = filter_for(globals, &many.jobs)? {
                let request = BatchRequest { target, priority, ..bulk(BatchAction::Move, filter) };
                return batch::start(globals, request, many.wait).await;
            }
            let body = json!(MoveRequest { target, priority });
            each(globals, &Client::new(globals)?, &many.jobs, "move", &body).await
        }
    }
}

async fn show(globals: &Globals, reference: &str) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let job = client.get(&route(reference)).await?;
    let is_table = output::is_table(globals);
    let runs = client.get(&format!("/jobs/{}/attempts", text(&job, "id"))).await?;
    let runs = runs.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
    if is_table {
        output::one(globals, job, "id", ROWS)?;
        if !runs.is_empty() {
            output::line("");
            output::list(&Globals { filter: None, ..globals.clone() }, runs, "no", RUNS)?;
        }
    } else {
        let mut whole = job;
        whole["attempts"] = json!(runs);
        output::one(globals, whole, "id", ROWS)?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn why(globals: &Globals, reference: &str) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let why = client.get(&format!("{}/why", route(reference))).await?;
    if !output::is_table(globals) {
        output::one(globals, why, "text", &[])?;
        return Ok(ExitCode::SUCCESS);
    }
    let (status, reason) = (text(&why, "status"), output::with_local_times(&text(&why, "text")));
    if status == "succeeded" {
        output::line(&succeeded(&client.get(&route(reference)).await?));
    } else {
        output::line(&explained(&status, &reason));
    }
    for hint in why.get("hints").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        messages::note(globals, format!("  try: {hint}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The API route of a job.
fn route(job: &str) -> String {
    format!("/jobs/{}", encoded(job))
}

/// The filter of a command that names no jobs.
fn filter_for<'a>(globals: &'a Globals, jobs: &[String]) -> Result<Option<&'a String>> {
    match (&globals.filter, jobs.is_empty()) {
        (Some(_), false) => Err(Failure::usage("use either job ids or --filter, not both")),
        (None, true) => Err(Failure::usage("no jobs given").hint("name job ids, or add --filter")),
        (filter, _) => Ok(filter.as_ref()),
    }
}

/// A bulk action on the jobs that match a filter.
fn bulk(action: BatchAction, filter: &str) -> BatchRequest {
    let filter = filter.to_owned();
    BatchRequest { action, filter, reason: String::new(), target: None, priority: None, dry_run: false }
}

/// Applies an action to jobs one by one. After a failure the remaining jobs are still tried; the first failure sets the
/// exit status.
async fn each(globals: &Globals, client: &Client, ids: &[String], action: &str, body: &Value) -> Result<ExitCode> {
    let mut first = None;
    for id in ids {
        match client.write(globals, Method::POST, &format!("{}/{action}", route(id)), Some(body)).await {
            Ok(WriteOutcome::DryRun) => {}
            Ok(WriteOutcome::Answer(job)) => {
                let (id, status) = (text(&job, "id"), text(&job, "status"));
                if action == "cancel" && status == "running" {
                    // Its holder ends the run later.
                    messages::done(globals, format!("{id}: cancel requested"));
                } else {
                    messages::done(globals, format!("{id} {}", explained(&status, &text(&job, "why.text"))));
                }
            }
            Err(failure) if ids.len() == 1 => return Err(failure),
            Err(failure) => {
                messages::note(globals, format!("✕ {id}: {}", failure.problem.detail));
                first = first.or(Some(failure));
            }
        }
    }
    match first {
        Some(failure) => Err(failure),
        None if globals.dry_run => Ok(ExitCode::from(CHANGES_PENDING)),
        None => Ok(ExitCode::SUCCESS),
    }
}

pub(crate) async fn cancel(globals: &Globals, args: CancelArgs) -> Result<ExitCode> {
    if let Some(filter) = filter_for(globals, &args.many.jobs)? {
        if args.force {
            return Err(Failure::usage("--force cannot be combined with --filter; name the job ids"));
        }
        let request = BatchRequest { reason: args.reason, ..bulk(BatchAction::Cancel, filter) };
        return batch::start(globals, request, args.many.wait).await;
    }
    let body = json!(CancelRequest { reason: args.reason, force: args.force });
    each(globals, &Client::new(globals)?, &args.many.jobs, "cancel", &body).await
}

pub(crate) async fn retry(globals: &Globals, args: RetryArgs) -> Result<ExitCode> {
    if let Some(filter) = filter_for(globals, &args.many.jobs)? {
        if args.input.is_some() {
            return Err(Failure::usage("--input cannot be combined with --filter; name the job ids"));
        }
        return batch::start(globals, bulk(BatchAction::Retry, filter), args.many.wait).await;
    }
    let payload = args.input.as_deref().map(|input| payload(&[], Some(input))).transpose()?;
    let body = json!(RetryRequest { payload });
    each(globals, &Client::new(globals)?, &args.many.jobs, "retry", &body).await
}

pub(crate) async fn wait(globals: &Globals, args: WaitArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let follow = Follow { client: &client, globals, style: Style::Silent };
    let is_json = !output::is_table(globals);
    let mut worst = ExitCode::SUCCESS;
    for id in &args.jobs {
        let job = follow.follow_until_end(id).await?;
        let end = report_end(globals, &client, &job, is_json, false).await?;
        if text(&job, "status") != "succeeded" {
            worst = end;
        }
    }
    Ok(worst)
}

pub(crate) async fn logs(globals: &Globals, args: LogsArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let style = if args.times { Style::Marked } else { Style::Plain };
    let follow = Follow { client: &client, globals, style };
    let attempt = args.attempt.map(|no| format!("&attempt={no}")).unwrap_or_default();
    let mut from = args.lines.map_or_else(|| "after=0".to_owned(), |lines| format!("tail={lines}"));
    loop {
        let wait = if args.follow { "&wait=5" } else { "" };
        let page = client.get(&format!("{}/logs?{from}{attempt}{wait}", route(&args.job))).await?;
        let lines = page.get("lines").and_then(Value::as_array).cloned().unwrap_or_default();
        for line in lines.iter().filter(|line| is_selected(&args, line)) {
            if output::is_table(globals) {
                follow.line(line);
            } else {
                output::json_line(&line.to_string());
            }
        }
        from = format!("after={}", text(&page, "last"));
        let is_complete = page.get("is_complete").and_then(Value::as_bool) == Some(true);
        if (!args.follow && lines.is_empty()) || (is_complete && lines.is_empty()) {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

fn is_selected(args: &LogsArgs, line: &Value) -> bool {
    (!args.stderr || text(line, "stream") == "err")
        && args.grep.as_ref().is_none_or(|part| text(line, "text").contains(part))
}

pub(crate) async fn queue(globals: &Globals) -> Result<ExitCode> {
    const ROWS: &[Column] = &[
        column("QUEUED", |s| text(s, "queued")),
        column("RUNNING", |s| text(s, "running")),
        column("SUCCEEDED", |s| text(s, "counts.succeeded")),
        column("FAILED", |s| text(s, "counts.failed")),
        column("DEAD LETTER", |s| text(s, "counts.dead_letter")),
        column("CANCELED", |s| text(s, "counts.canceled")),
        column("OLDEST QUEUED", |s| duration(s, "oldest_queued_age_seconds")),
    ];
    let summary = Client::new(globals)?.get("/jobs/summary").await?;
    output::one(globals, summary, "queued", ROWS)?;
    Ok(ExitCode::SUCCESS)
}
