//! Making a job, and following it.

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
    /// What to run; `hostler def list` shows what there is
    definition: String,
    /// Values of its payload: NAME=VALUE, or NAME:=JSON for numbers, lists and the like
    values: Vec<String>,
    /// The whole payload: JSON, a file as in @payload.json, or - for stdin
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
    /// On this host
    #[arg(long, value_name = "HOST", conflicts_with_all = ["labels", "queue"])]
    on: Option<String>,
    /// On any host whose labels match, as in env=prod
    #[arg(short = 'l', long = "labels", value_name = "SELECTOR", conflicts_with = "queue")]
    labels: Option<String>,
    /// On any host that serves this queue
    #[arg(long)]
    queue: Option<String>,
    /// Not before: a time as in 2026-12-01T08:00:00Z, or a length as in 2h
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Not after: a time or a length; then it is canceled
    #[arg(long, value_name = "TIME")]
    expires: Option<String>,
    /// Lower runs first
    #[arg(long, allow_negative_numbers = true)]
    priority: Option<i32>,
    /// Not while a job with this key is queued or running
    #[arg(long, value_name = "KEY")]
    dedupe: Option<String>,
    /// And not within this long either, as in 10m
    #[arg(long, requires = "dedupe", value_name = "LENGTH")]
    window: Option<String>,
    /// The key it shares a limit by
    #[arg(long, value_name = "KEY")]
    limit_key: Option<String>,
    /// What it belongs to
    #[arg(long, value_name = "ID")]
    correlation: Option<String>,
    /// Wait until it is over and print its output
    #[arg(long)]
    wait: bool,
    /// Follow its output while it runs
    #[arg(short = 'f', long)]
    follow: bool,
    /// With --wait or -f: end with the exit code of the command
    #[arg(long)]
    exit_code: bool,
}

/// A time, or a length from now.
pub(crate) fn moment(said: &str) -> Result<Timestamp> {
    let now = runtime::clock::wall();
    said.parse::<Timestamp>().or_else(|_| said.parse::<Span>().map(|span| now + span)).map_err(|_| {
        Failure::usage(format!("`{said}` is neither a time nor a length")).hint("write 2026-12-01T08:00:00Z or 2h")
    })
}

/// A time, or a length back from now.
pub(crate) fn past(said: &str) -> Result<Timestamp> {
    let now = runtime::clock::wall();
    said.parse::<Timestamp>().or_else(|_| said.parse::<Span>().map(|span| now - span)).map_err(|_| {
        Failure::usage(format!("`{said}` is neither a time nor a length")).hint("write 24h or 2026-11-01T00:00:00Z")
    })
}

/// A length in whole seconds.
pub(crate) fn seconds(said: &str) -> Result<u32> {
    let span: Span = said.parse().map_err(|error: domain::time::NotASpan| Failure::usage(error.to_string()))?;
    Ok(u32::try_from(span.as_millis() / 1_000).unwrap_or(u32::MAX))
}

/// The JSON object that an option gives: as it is, in a file as in `@payload.json`, or `-` for stdin.
pub(crate) fn object(what: &str, given: &str) -> Result<Map<String, Value>> {
    let read = match given.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| Failure::usage(format!("cannot read {path}")).because(&error))?,
        None if given == "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| Failure::usage(format!("cannot read the {what}")).because(&error))?;
            text
        }
        None => given.to_owned(),
    };
    match serde_json::from_str(&read) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Failure::usage(format!("the {what} must be a JSON object, as in {{\"name\": \"value\"}}"))),
        Err(error) => Err(Failure::usage(format!("the {what} is not JSON: {error}"))),
    }
}

/// The payload from `NAME=VALUE` and `--input`.
pub(crate) fn payload(values: &[String], input: Option<&str>) -> Result<Value> {
    let mut payload = input.map(|input| object("payload", input)).transpose()?.unwrap_or_default();
    for value in values {
        let (name, value) = match (value.split_once(":="), value.split_once('=')) {
            (Some((name, raw)), _) if !name.contains('=') => {
                let parsed = serde_json::from_str(raw)
                    .map_err(|error| Failure::usage(format!("the value of `{name}` is not JSON: {error}")))?;
                (name, parsed)
            }
            (_, Some((name, raw))) => (name, guess(raw)),
            _ => {
                return Err(Failure::usage(format!("`{value}` is not NAME=VALUE"))
                    .hint("write seconds=5, or items:='[1,2]' for JSON"));
            }
        };
        payload.insert(name.to_owned(), value);
    }
    Ok(Value::Object(payload))
}

/// Makes texts again of what looked like a number, or like true or false, where the definition wants a text. If it cannot be
/// asked, the answer to the request says what is wrong.
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

/// Whether a value can be nothing but a text.
fn wants_text(schema: &Value, name: &str) -> bool {
    schema["properties"][name]["type"] == "string"
}

/// Whole numbers and true or false are taken as such: the schema says whether that is right.
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
        say::note(globals, format!("{id} was there already (same dedupe key)"));
    }
    if !args.wait && !args.follow {
        if matches!(globals.output, None | Some(Format::Table | Format::Wide)) {
            output::line(&id);
            say::note(
                globals,
                format!("  queued; hostler logs {id} -f follows it, hostler why {id} says what it waits for"),
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

/// Says how a job ended, and ends likewise.
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
        say::done(globals, format!("{} succeeded on {}", text(job, "id"), text(job, "host")));
    } else {
        say::note(globals, format!("✕ {} {status}: {}", text(job, "id"), text(job, "why.text")));
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
    fn only_what_must_be_a_text_is_made_one() {
        let schema = json!({"properties": {"id": {"type": "string"}, "count": {"type": "integer"}, "any": {},
            "both": {"type": ["string", "integer"]}}});
        let texts = ["id", "count", "any", "both", "unknown"].map(|name| wants_text(&schema, name));
        assert_eq!(texts, [true, false, false, false, false]);
        assert!(!wants_text(&Value::Null, "id"));
    }
}
