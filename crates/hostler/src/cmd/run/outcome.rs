//! How a job ended, in words and as an exit status.

use std::process::ExitCode;

use domain::Timestamp;
use serde_json::Value;

use crate::{
    client::Client,
    fail::Result,
    globals::Globals,
    messages,
    output::{self, text},
};

/// Exit statuses of a job that did not succeed, as in `hostler help exit-codes`.
const FAILED: u8 = 10;
const DEAD_LETTER: u8 = 11;
const CANCELED: u8 = 12;

/// The outcome of a succeeded job: `succeeded on web-1 in 22 ms`.
pub(super) fn succeeded(job: &Value) -> String {
    let time = |field: &str| text(job, field).parse::<Timestamp>().ok();
    let took = time("started_at").zip(time("finished_at")).map(|(from, until)| format!(" in {}", until.since(from)));
    let on = Some(text(job, "host")).filter(|host| !host.is_empty()).map(|host| format!(" on {host}"));
    format!("succeeded{}{}", on.unwrap_or_default(), took.unwrap_or_default())
}

/// Prints how a job ended, and returns the matching exit status: with `is_remote` the exit code of its command.
pub(crate) async fn report_end(
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
        messages::done(globals, format!("{} {}", text(job, "id"), succeeded(job)));
    } else {
        let why = explained(&status, &text(job, "why.text"));
        messages::note(globals, format!("✕ {} {why}", text(job, "id")));
    }
    let remote = job.get("exit_code").and_then(Value::as_i64).and_then(|code| u8::try_from(code).ok());
    Ok(match (status.as_str(), remote) {
        (_, Some(code)) if is_remote => ExitCode::from(code),
        ("succeeded", _) => ExitCode::SUCCESS,
        ("failed", _) => ExitCode::from(FAILED),
        ("dead_letter", _) => ExitCode::from(DEAD_LETTER),
        ("canceled", _) => ExitCode::from(CANCELED),
        _ => ExitCode::FAILURE,
    })
}

/// `status: text`, without repeating a status that the text begins with.
pub(super) fn explained(status: &str, why: &str) -> String {
    let status = status.replace('_', " ");
    if why.is_empty() || why == status {
        status
    } else if why.starts_with(&status) {
        why.to_owned()
    } else {
        format!("{status}: {why}")
    }
}
