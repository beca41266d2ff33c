//! `hostler run`: creating a job and following it. Also parsers of times, durations and payloads for other commands.

use std::{io::Read as _, process::ExitCode};

use clap::Args;
use domain::{Span, Timestamp};
use proto::api::job::{JobRequest, JobTarget};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::follow::{Follow, Style};
use crate::{
    cli::Globals,
    client::{Client, Done},
    fail::{CHANGES_PENDING, Failure, Result},
    output::{self, Format, text},
    say,
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

/// Parses a time, or a duration from now.
pub(crate) fn moment(said: &str) -> Result<Timestamp> {
    let now = runtime::clock::wall();
    said.parse::<Timestamp>().or_else(|_| said.parse::<Span>().map(|span| now + span)).map_err(|_| {
        Failure::usage(format!("`{said}` is neither a time nor a duration"))
            .hint("write for example 2026-12-01T08:00:00Z or 2h")
    })
}

/// Parses a time, or a duration before now.
pub(crate) fn past(said: &str) -> Result<Timestamp> {
    let now = runtime::clock::wall();
    said.parse::<Timestamp>().or_else(|_| said.parse::<Span>().map(|span| now - span)).map_err(|_| {
        Failure::usage(format!("`{said}` is neither a time nor a duration"))
            .hint("write for example 24h or 2026-11-01T00:00:00Z")
    })
}

/// Parses a duration in whole seconds.
pub(crate) fn seconds(said: &str) -> Result<u32> {
    let span: Span = said.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))?;
    Ok(u32::try_from(span.as_millis() / 1_000).unwrap_or(u32::MAX))
}

/// Reads a JSON object from an option: inline, from a file (`@payload.json`) or from stdin (`-`).
pub(crate) fn object(what: &str, given: &str) -> Result<Map<String, Value>> {
    let read = match given.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read {path}")).because(&error))?,
        None if given == "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Failure::usage(format!("cannot read the {what} from stdin")).because(&error))?;
            text
        }
        None => given.to_owned(),
    };
    match serde_json::from_str(&read) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Failure::usage(format!("the {what} must be a JSON object, for example {{\"name\": \"value\"}}"))),
        Err(error) => Err(Failure::usage(format!("the {what} is not valid JSON: {error}"))),
    }
}

/// Builds the payload from `--input` and `NAME=VALUE` arguments.
pub(crate) fn payload(values: &[String], input: Option<&str>) -> Result<Value> {
    let mut payload = input.map(|input| object("payload", input)).transpose()?.unwrap_or_default();
    for value in values {
        let (name, value) = match (value.split_once(":="), value.split_once('=')) {
            (Some((name, raw)), _) if !name.contains('=') => {
                let parsed = serde_json::from_str(raw)
                    .map_err(|error| Failure::usage(format!("the value of `{name}` is not valid JSON: {error}")))?;
                (name, parsed)
            }
            (_, Some((name, raw))) => (name, guess(raw)),
            _ => {
                return Err(Failure::usage(format!("`{value}` is not NAME=VALUE"))
                    .hint("write for example seconds=5, or items:='[1,2]' for JSON"));
            }
        };
        payload.insert(name.to_owned(), value);
    }
    Ok(Value::Object(payload))
}

/// Turns guessed numbers and booleans back into strings where the definition's schema requires a string. If the
/// definition cannot be read, the payload stays as it is and the hub validates it.
pub(crate) async fn as_wanted(
    client: &Client,
    definition: Option<&str>,
    values: &[String],
    payload: Option<&mut Value>,
) {
    let (Some(definition), Some(payload)) = (definition, payload) else { return };
    let given = values.iter().filter_map(|value| value.split_once('=')).filter(|(name, _)| !name.ends_with(':'));
    let guessed: Vec<(&str, &str)> = given.filter(|(_, raw)| !guess(raw).is_string()).collect();
    if guessed.is_empty() {
        return;
    }
    let Ok(found) = client.get(&format!("/jobs/definitions/{definition}")).await else { return };
    for (name, raw) in guessed {
        if let Some(value) = payload.get_mut(name).filter(|_| wants_text(&found["arg_schema"], name)) {
            *value = json!(raw);
        }
    }
}

/// Whether the schema allows only a string for a field.
fn wants_text(schema: &Value, name: &str) -> bool {
    schema["properties"][name]["type"] == "string"
}

/// Converts integers, `true` and `false` to JSON values; everything else is a string.
fn guess(raw: &str) -> Value {
    match raw {
        "true" => json!(true),
        "false" => json!(false),
        _ if raw.parse::<i64>().is_ok_and(|number| number.to_string() == raw) => json!(raw.parse::<i64>().unwrap_or(0)),
        _ => json!(raw),
    }
}

fn request(args: &RunArgs) -> Result<JobRequest> {
    let is_placed = args.on.is_some() || args.labels.is_some() || args.queue.is_some();
    let target = JobTarget { host: args.on.clone(), queue: args.queue.clone(), selector: args.labels.clone() };
    let window: Option<Span> = args
        .window
        .as_deref()
        .map(|said| said.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string())))
        .transpose()?;
    Ok(JobRequest {
        definition_key: args.definition.clone(),
        payload: payload(&args.values, args.input.as_deref())?,
        target: is_placed.then_some(target),
        priority: args.priority,
        scheduled_for: args.at.as_deref().map(moment).transpose()?,
        expires_at: args.expires.as_deref().map(moment).transpose()?,
        dedupe_key: args.dedupe.clone(),
        dedupe_window_seconds: window.map(|span| u32::try_from(span.as_millis() / 1_000).unwrap_or(u32::MAX)),
        limit_key: args.limit_key.clone(),
        correlation_id: args.correlation.clone(),
        ..JobRequest::default()
    })
}

pub(crate) async fn run(globals: &Globals, args: RunArgs) -> Result<ExitCode> {
    let client = Client::new(globals)?;
    let mut body = request(&args)?;
    as_wanted(&client, Some(&args.definition), &args.values, Some(&mut body.payload)).await;
    let made = match client.write(globals, Method::POST, "/jobs", Some(&body)).await? {
        Done::WouldDo => return Ok(ExitCode::from(CHANGES_PENDING)),
        Done::Answer(made) => made,
    };
    let id = text(&made, "id");
    if made.get("deduplicated") == Some(&json!(true)) {
        say::note(globals, format!("no new job: job {id} has the same dedupe key"));
    }
    if !args.wait && !args.follow {
        if matches!(globals.output, None | Some(Format::Table | Format::Wide)) {
            output::line(&id);
            say::note(
                globals,
                format!("  queued; follow it with `hostler logs {id} -f`; `hostler why {id}` explains a wait"),
            );
        } else {
            let job = client.get(&format!("/jobs/{id}")).await?;
            output::one(globals, job, "id", &[])?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let is_json = !matches!(globals.output, None | Some(Format::Table | Format::Wide));
    let style = if args.follow { Style::Live } else { Style::Plain };
    let follow = Follow { client: &client, globals, style: if is_json { Style::Silent } else { style } };
    let job = follow.to_the_end(&id).await?;
    ended(globals, &client, &job, is_json, args.exit_code).await
}

/// The outcome of a succeeded job: `succeeded on web-1 in 22 ms`.
pub(super) fn succeeded(job: &Value) -> String {
    let time = |field: &str| text(job, field).parse::<Timestamp>().ok();
    let took = time("started_at").zip(time("finished_at")).map(|(from, until)| format!(" in {}", until.since(from)));
    let on = Some(text(job, "host")).filter(|host| !host.is_empty()).map(|host| format!(" on {host}"));
    format!("succeeded{}{}", on.unwrap_or_default(), took.unwrap_or_default())
}

/// Prints how a job ended, and returns the matching exit code.
pub(crate) async fn ended(
    globals: &Globals,
    client: &Client,
    job: &Value,
    is_json: bool,
    is_remote: bool,
) -> Result<ExitCode> {
    let status = text(job, "status");
    if is_json {
        let runs = client.get(&format!("/jobs/{}/attempts", text(job, "id"))).await?;
        let mut whole = job.clone();
        whole["run"] =
            runs.get("items").and_then(Value::as_array).and_then(|all| all.last()).cloned().unwrap_or_default();
        output::one(globals, whole, "id", &[])?;
    } else if status == "succeeded" {
        say::done(globals, format!("{} {}", text(job, "id"), succeeded(job)));
    } else {
        let why = super::job::explained(&status, &text(job, "why.text"));
        say::note(globals, format!("✕ {} {why}", text(job, "id")));
    }
    let remote = job.get("exit_code").and_then(Value::as_i64).and_then(|code| u8::try_from(code).ok());
    Ok(match (status.as_str(), remote) {
        (_, Some(code)) if is_remote => ExitCode::from(code),
        ("succeeded", _) => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wants_text_only_if_the_schema_allows_nothing_but_a_string() {
        let schema = json!({"properties": {"id": {"type": "string"}, "count": {"type": "integer"}, "any": {},
            "both": {"type": ["string", "integer"]}}});
        let texts = ["id", "count", "any", "both", "unknown"].map(|name| wants_text(&schema, name));
        assert_eq!(texts, [true, false, false, false, false]);
        assert!(!wants_text(&Value::Null, "id"));
    }
}
