//! `hostler run`: creating a job and following it.

use std::process::ExitCode;

use clap::Args;
use proto::api::job::{JobRequest, JobTarget};
use reqwest::Method;
use serde_json::json;

use super::{
    follow::{Follow, Style},
    outcome::report_end,
    payload::{coerce_payload, payload},
};
use crate::{
    client::{Client, WriteOutcome},
    fail::{CHANGES_PENDING, Result},
    globals::Globals,
    messages,
    output::{self, text},
    parse,
};

/// Run a definition as a job
#[derive(Args)]
pub(crate) struct RunArgs {
    /// Key of the definition; see `hostler def list`
    definition: String,
    /// Payload values: NAME=VALUE, or NAME:=JSON for numbers, lists and objects
    values: Vec<String>,
    /// Complete payload: JSON, a file as @payload.json, or - for stdin
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
    /// Run on this host
    #[arg(long, value_name = "HOST", conflicts_with_all = ["labels", "queue"])]
    on: Option<String>,
    /// Run on any host whose labels match, for example env=prod
    #[arg(short = 'l', long = "labels", value_name = "SELECTOR", conflicts_with = "queue")]
    labels: Option<String>,
    /// Run on any host that serves this queue
    #[arg(long)]
    queue: Option<String>,
    /// Earliest start: a time such as 2026-12-01T08:00:00Z, or a duration from now such as 2h
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Latest start: a time or a duration from now; a job that is still queued then is canceled
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
    /// Priority; lower numbers run first
    #[arg(long, allow_negative_numbers = true)]
    priority: Option<i32>,
    /// Create no job while a job with this dedupe key is queued or running
    #[arg(long, value_name = "KEY")]
    dedupe: Option<String>,
    /// Also create no job within this duration after such a job was created, for example 10m
    #[arg(long, requires = "dedupe", value_name = "DURATION")]
    window: Option<String>,
    /// Key of a limit that jobs share; see `hostler limit`
    #[arg(long, value_name = "KEY")]
    limit_key: Option<String>,
    /// Correlation id of the job
    #[arg(long, value_name = "ID")]
    correlation: Option<String>,
    /// Wait until the job ends and print its output
    #[arg(long)]
    wait: bool,
    /// Follow the output while the job runs
    #[arg(short = 'f', long)]
    follow: bool,
    /// With --wait or -f: exit with the exit code of the command
    #[arg(long)]
    exit_code: bool,
}

fn request(args: &RunArgs) -> Result<JobRequest> {
    let has_target = args.on.is_some() || args.labels.is_some() || args.queue.is_some();
    let target = JobTarget { host: args.on.clone(), queue: args.queue.clone(), selector: args.labels.clone() };
    Ok(JobRequest {
        definition_key: args.definition.clone(),
        payload: payload(&args.values, args.input.as_deref())?,
        target: has_target.then_some(target),
        priority: args.priority,
        scheduled_for: args.at.as_deref().map(parse::future_time).transpose()?,
        expires_at: args.expires.as_deref().map(parse::future_time).transpose()?,
        dedupe_key: args.dedupe.clone(),
        dedupe_window_seconds: args.window.as_deref().map(parse::seconds).transpose()?,
        limit_key: args.limit_key.clone(),
        correlation_id: args.correlation.clone(),
        ..JobRequest::default()
    })
}

pub(crate) async fn run(globals: &Globals, args: RunArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let mut body = request(&args)?;
    coerce_payload(&client, Some(&args.definition), &args.values, Some(&mut body.payload)).await;
    let made = match client.write(globals, Method::POST, "/jobs", Some(&body)).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(made) => made,
    };
    let id = text(&made, "id");
    if made.get("deduplicated") == Some(&json!(true)) {
        messages::note(globals, format!("no new job: job {id} has the same dedupe key"));
    }
    if !args.wait && !args.follow {
        if output::is_table(globals) {
            output::line(&id);
            messages::note(
                globals,
                format!("  queued; follow it with `hostler logs {id} -f`; `hostler why {id}` explains a wait"),
            );
        } else {
            let job = client.get(&format!("/jobs/{id}")).await?;
            output::one(globals, job, "id", &[])?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let is_json = !output::is_table(globals);
    let style = if args.follow { Style::Live } else { Style::Plain };
    let follow = Follow { client: &client, globals, style: if is_json { Style::Silent } else { style } };
    let job = follow.follow_until_end(&id).await?;
    report_end(globals, &client, &job, is_json, args.exit_code).await
}
