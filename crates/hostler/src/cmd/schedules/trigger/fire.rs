//! `hostler trigger test`, `fire`, `history` and `backfill`.

use std::{path::Path, process::ExitCode};

use clap::Args;
use proto::api::trigger::BackfillRequest;
use reqwest::Method;
use serde_json::{Value, json};

use super::{ROUTE, find, is_table, job_status};
use crate::{
    client::{Client, WriteOutcome, encoded},
    cmd::run::{
        follow::{Follow, Style},
        outcome::report_end,
        payload::object,
    },
    fail::{CHANGES_PENDING, Failure, PARTIAL, Result},
    globals::Globals,
    messages,
    output::{self, Column, column, text, texts, when, wide},
    parse,
};

/// Maximum number of times that a dry run prints.
const PRINTED_MAX: usize = 20;

/// Create the jobs of a trigger now
#[derive(Args)]
pub(crate) struct FireArgs {
    /// Trigger label, id or id prefix
    trigger: String,
    /// For an event rule: event data as JSON, a file, or - for stdin
    #[arg(long, value_name = "JSON")]
    event: Option<String>,
    /// Wait until the jobs end
    #[arg(long)]
    wait: bool,
}

/// Create jobs for past times
#[derive(Args)]
pub(crate) struct BackfillArgs {
    /// Trigger label, id or id prefix
    trigger: String,
    /// Start: a time such as 2026-11-01T00:00:00Z, or a duration before now such as 7d
    #[arg(long, value_name = "TIME")]
    from: String,
    /// End: a time, or a duration before now [default: now]
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

const HISTORY: &[Column] = &[
    column("TIME", |f| when(f, "nominal_at")),
    column("STATUS", |f| match text(f, "stands_for").as_str() {
        "1" | "" => text(f, "status"),
        count => format!("{} ×{count}", text(f, "status")),
    }),
    column("HOST", |f| text(f, "host")),
    column("JOB", |f| text(f, "job_id")),
    column("ENDED", |f| job_status(f, "")),
    column("REASON", |f| text(f, "reason")),
    wide("DECIDED", |f| when(f, "at")),
];

/// Reads event data from an option: inline JSON, stdin or a file.
fn event(source: Option<&str>) -> Result<Value> {
    let Some(source) = source else { return Ok(Value::Null) };
    let is_file = !source.trim_start().starts_with('{') && Path::new(source).is_file();
    let source = if is_file { format!("@{source}") } else { source.to_owned() };
    object("event", &source).map(Value::Object)
}

/// The request body of `test` and `fire`.
fn fire_request(source: Option<&str>) -> Result<Value> {
    Ok(match event(source)? {
        Value::Null => json!({}),
        event => json!({"event": event}),
    })
}

pub(super) async fn test(globals: &Globals, reference: &str, source: Option<&str>) -> Result<ExitCode> {
    let body = fire_request(source)?;
    let client = Client::new(globals)?;
    let id = text(&find(&client, reference).await?, "id");
    // A test creates nothing, so it is sent with --dry-run too.
    let tested = client.send(Method::POST, &client.path(&format!("{ROUTE}/{id}/test")), Some(&body)).await?;
    if !is_table(globals) {
        output::one(globals, tested, "definition_key", &[])?;
        return Ok(ExitCode::SUCCESS);
    }
    let key = text(&tested, "definition_key");
    let jobs = tested["jobs"].as_array().cloned().unwrap_or_default();
    for job in &jobs {
        let (target, refused) = (text(job, "target"), text(job, "refused"));
        let held = match text(job, "held_by") {
            empty if empty.is_empty() => String::new(),
            job => format!("; job {job} has the same dedupe key, so none is created"),
        };
        output::line(&match refused.as_str() {
            "" => format!("would create a job of {key} on {target} with {}{held}", job["payload"]),
            _ => format!("would fail on {target}: {refused}"),
        });
    }
    if jobs.is_empty() {
        output::line("would create no job: the event does not match, or no host matches the target");
    }
    if let (Some(fired), Some(examined)) = (tested["would_have_fired"].as_u64(), tested["events_examined"].as_u64()) {
        output::line(&format!("would have fired for {fired} of {}", output::count(examined, "recent event")));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn fire(globals: &Globals, args: FireArgs) -> Result<ExitCode> {
    let body = fire_request(args.event.as_deref())?;
    let client = Client::new(globals)?;
    let id = text(&find(&client, &args.trigger).await?, "id");
    let fired = match client.write(globals, Method::POST, &format!("{ROUTE}/{id}/fire"), Some(&body)).await? {
        WriteOutcome::DryRun => return Ok(ExitCode::from(CHANGES_PENDING)),
        WriteOutcome::Answer(fired) => fired,
    };
    let (jobs, refused) = (texts(&fired, "jobs"), texts(&fired, "refused"));
    for reason in &refused {
        messages::note(globals, format!("✕ no job: {reason}"));
    }
    if jobs.is_empty() {
        return Err(match refused.first() {
            Some(reason) => Failure::new(proto::Code::InvalidValue, format!("no job was created: {reason}")),
            None => Failure::new(proto::Code::NotFound, "no job was created: no host matches the trigger's target"),
        });
    }
    let mut end = if refused.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(PARTIAL) };
    if args.wait {
        if is_table(globals) {
            jobs.iter().for_each(|job| output::line(job));
        }
        let follow = Follow { client: &client, globals, style: Style::Silent };
        for job in &jobs {
            let job = follow.follow_until_end(job).await?;
            let status = report_end(globals, &client, &job, !is_table(globals), false).await?;
            end = if text(&job, "status") == "succeeded" { end } else { status };
        }
        return Ok(end);
    }
    print_jobs(globals, fired, &jobs)?;
    messages::note(globals, format!("  queued; follow it with `hostler logs {} -f`", jobs[0]));
    Ok(end)
}

pub(super) async fn history(globals: &Globals, reference: &str, limit: usize) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let id = text(&find(&client, reference).await?, "id");
    let (mut items, mut cursor) = (Vec::new(), String::new());
    while items.len() < limit {
        let page = (limit - items.len()).clamp(1, 1_000);
        let from = if cursor.is_empty() { String::new() } else { format!("&cursor={}", encoded(&cursor)) };
        let mut answer = client.get(&format!("{ROUTE}/{id}/history?limit={page}{from}")).await?;
        if let Some(Value::Array(rows)) = answer.get_mut("items").map(Value::take) {
            items.extend(rows);
        }
        cursor = text(&answer, "next");
        if cursor.is_empty() {
            break;
        }
    }
    output::list_of(globals, "past time", items, "nominal_at", HISTORY)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn backfill(globals: &Globals, args: BackfillArgs) -> Result<ExitCode> {
    let from = parse::past_time(&args.from)?;
    let until = args.until.as_deref().map(parse::past_time).transpose()?.unwrap_or_else(runtime::clock::wall);
    let client = Client::new(globals)?;
    let found = find(&client, &args.trigger).await?;
    let path = client.path(&format!("{ROUTE}/{}/backfill", text(&found, "id")));
    let request = BackfillRequest { from, until, dry_run: true };
    let preview = client.send(Method::POST, &path, Some(&request)).await?;
    let (times, done_before) = (texts(&preview, "times"), text(&preview, "done_before"));
    if times.is_empty() {
        let label = text(&found, "label");
        let (done, have) = (output::count(&done_before, "time"), if done_before == "1" { "has" } else { "have" });
        messages::note(
            globals,
            match done_before.as_str() {
                "0" => format!("nothing to backfill: {label} has no times in this range"),
                _ => format!("nothing to backfill: {done} in this range already {have} a job"),
            },
        );
        return Ok(ExitCode::SUCCESS);
    }
    let (count, label) = (times.len(), text(&found, "label"));
    if globals.dry_run {
        let would = output::count(count, "time");
        let have = if done_before == "1" { "has" } else { "have" };
        messages::note(globals, format!("would create jobs for {would} of {label}; {done_before} already {have} one"));
        if is_table(globals) {
            times.iter().take(PRINTED_MAX).for_each(|time| output::line(&output::local_time(time)));
            if count > PRINTED_MAX {
                messages::note(globals, format!("  and {} more", count - PRINTED_MAX));
            }
        } else {
            output::one(globals, preview, "times", &[])?;
        }
        return Ok(ExitCode::from(CHANGES_PENDING));
    }
    let (first, last) = (output::local_time(&times[0]), output::local_time(&times[count - 1]));
    let question = format!("Create jobs for {} of {label} ({first} to {last})", output::count(count, "time"));
    messages::confirm(globals, &question)?;
    let request = BackfillRequest { dry_run: false, ..request };
    let made = client.send(Method::POST, &path, Some(&request)).await?;
    let jobs = texts(&made, "jobs");
    print_jobs(globals, made, &jobs)?;
    messages::done(
        globals,
        format!(
            "queued {} for {}; see `hostler trigger history {label}`",
            output::count(jobs.len(), "job"),
            output::count(count, "time")
        ),
    );
    Ok(ExitCode::SUCCESS)
}

/// Prints the created jobs: their ids as a table, the whole response in other formats.
fn print_jobs(globals: &Globals, answer: Value, jobs: &[String]) -> Result<()> {
    if is_table(globals) {
        jobs.iter().for_each(|job| output::line(job));
        return Ok(());
    }
    output::one(globals, answer, "jobs", &[])
}
