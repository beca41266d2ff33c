//! Frames about work: grants, results, logs, cancel requests.
//!
//! ```text
//! runner → hub   inventory  the runs that the runner still has, after every welcome
//! hub → runner   verdicts   the runs that it must stop
//! runner → hub   credit     the number of grants it accepts, counted from the start of the session
//! hub → runner   grants     jobs to run, each with its fence
//! runner → hub   started    process ids of runs that take longer
//! runner → hub   log        lines                      hub → runner   logged    up to which line they are stored
//! runner → hub   results    from the outbox            hub → runner   settled   up to which number they are stored
//! hub → runner   cancel     runs to end, repeated until their results arrive
//! hub → runner   orders     requests to servers       runner → hub   ordered   the result of one
//! ```

use std::collections::BTreeMap;

use domain::{
    DefinitionId, JobId, OrderId, OrgId, RunId, ServerId, Timestamp, definition::Definition, job::RunStatus,
    server::OrderKind, string_enum,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The size above which senders start a new frame.
pub const FRAME_BYTES_GOAL: usize = 512 * 1024;
/// The longest tail of an output stream in a result.
pub const TAIL_BYTES_MAX: usize = 8 * 1024;
/// The largest result value of a run.
pub const OUTPUT_BYTES_MAX: usize = 64 * 1024;
/// The longest error text.
pub const ERROR_CHARS_MAX: usize = 2_000;
/// The longest line of output.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// A run, identified by job and fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunRef {
    pub job: JobId,
    pub fence: i32,
}

/// The runs that a runner still has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inventory {
    /// Accepted runs, running or ended, that the hub has not confirmed yet.
    pub runs: Vec<RunRef>,
}

/// The hub's response to an inventory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdicts {
    /// Runs that no longer belong to the runner: it ends them and reports nothing.
    pub stop: Vec<RunRef>,
}

/// A job to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    pub job: JobId,
    /// The number of this run.
    pub fence: i32,
    pub run: RunId,
    pub org: OrgId,
    /// The slug of the org.
    pub org_slug: String,
    pub definition: DefinitionId,
    /// The version of the definition.
    pub version: i32,
    pub payload: Value,
    /// Secrets for the environment, by name.
    #[serde(default, skip_serializing_if = "Kept::is_empty")]
    pub secrets: Kept<String>,
    /// Secret values of the payload by JSON pointer; the payload contains `•••` in their place.
    #[serde(default, skip_serializing_if = "Kept::is_empty")]
    pub hidden: Kept<Value>,
    pub timeout_ms: i64,
    /// Whether the runner must end the run if it receives nothing from the hub for too long: another runner may then
    /// get the job.
    #[serde(default)]
    pub is_leased: bool,
    /// Groups related jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

/// Secret values for the runner. `Debug` prints only the names.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept<T>(pub BTreeMap<String, T>);

impl<T> Kept<T> {
    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> std::fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// Jobs to run, with the definitions that the runner does not have yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grants {
    pub grants: Vec<Grant>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Definition>,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    pub job: JobId,
    pub fence: i32,
    pub status: RunStatus,
    /// The start of the process, by the runner's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// The error, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The last part of standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_tail: Option<String>,
    /// The last part of standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// The result value that the program reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// The delay before a retry that the program requested, with exit code 75.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<i64>,
}

impl RunResult {
    /// A result without details.
    #[must_use]
    pub const fn new(job: JobId, fence: i32, status: RunStatus) -> Self {
        Self {
            job,
            fence,
            status,
            started_at: None,
            duration_ms: None,
            pid: None,
            exit_code: None,
            signal: None,
            error: None,
            stdout_tail: None,
            stderr_tail: None,
            output: None,
            retry_after_ms: None,
        }
    }
}

/// Results from a runner's outbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The number of the previous result sent in this session, or 0. A confirmation covers all results before it, so a
    /// hub that has not stored the previous result must not confirm these.
    pub after: i64,
    /// The number of the last result.
    pub through: i64,
    /// In order.
    pub results: Vec<RunResult>,
    /// The runner's new credit, as in `credit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<u64>,
}

/// A process that has started and still runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    pub job: JobId,
    pub fence: i32,
    pub pid: i32,
}

string_enum! {
    /// The origin of a line.
    pub enum Stream {
        Stdout = "out",
        Stderr = "err",
        /// Hostler itself, for gaps and marks.
        System = "system",
    }
}

/// A line of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LogLine {
    /// The number of the line within its run, from 1.
    pub no: u64,
    /// When the runner read the line.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    #[schema(value_type = String, example = "out")]
    pub stream: Stream,
    /// The text without the line break.
    pub text: String,
    /// Whether the line was too long and was cut.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

impl LogLine {
    /// A line of Hostler itself.
    #[must_use]
    pub fn system(no: u64, at: Timestamp, text: String) -> Self {
        Self { no, at, stream: Stream::System, text, is_cut: false }
    }
}

/// The largest decompressed block of lines.
const UNFOLDED_MAX: usize = domain::sync::doc::LOG_BYTES_MAX as usize;

/// Compresses lines for storage; also returns their uncompressed size.
///
/// # Errors
/// The lines cannot be compressed.
pub fn fold(lines: &[LogLine]) -> std::io::Result<(Vec<u8>, usize)> {
    let text = serde_json::to_vec(lines).map_err(std::io::Error::other)?;
    Ok((zstd::bulk::compress(&text, 1)?, text.len()))
}

/// Decompresses lines.
///
/// # Errors
/// The data is invalid or too large.
pub fn unfold(body: &[u8]) -> std::io::Result<Vec<LogLine>> {
    let text = zstd::bulk::decompress(body, UNFOLDED_MAX)?;
    serde_json::from_slice(&text).map_err(std::io::Error::other)
}

/// Whether a block contains these lines and has this size.
#[must_use]
pub fn is_folded(body: &[u8], first_line: i64, lines: i32, bytes: i32) -> bool {
    let Ok(most) = usize::try_from(bytes) else { return false };
    let Ok(text) = zstd::bulk::decompress(body, most.min(UNFOLDED_MAX)) else { return false };
    let Ok(found) = serde_json::from_slice::<Vec<LogLine>>(&text) else { return false };
    let numbers = (first_line..).map(u64::try_from);
    text.len() == most
        && usize::try_from(lines) == Ok(found.len())
        && found.iter().zip(numbers).all(|(line, number)| number == Ok(line.no))
}

/// The texts to mask in the output of a run that received these values.
#[must_use]
pub fn secret_values(secrets: &Kept<String>, hidden: &Kept<Value>) -> Vec<String> {
    let mut values: Vec<String> = secrets.0.values().cloned().collect();
    hidden.0.values().for_each(|value| collect_texts(value, &mut values));
    values
}

fn collect_texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Number(number) => into.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| collect_texts(item, into)),
        Value::Object(members) => members.values().for_each(|member| collect_texts(member, into)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// A request to a server that is delivered immediately, without a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub id: OrderId,
    pub server: ServerId,
    pub kind: OrderKind,
    /// The line for standard input.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
}

/// The result of a request to a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ordered {
    pub id: OrderId,
    /// Why it was not performed; absent if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Lines of a run's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    pub job: JobId,
    pub fence: i32,
    pub run: RunId,
    /// In order, without gaps.
    pub lines: Vec<LogLine>,
}

/// The progress that a run reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressFrame {
    pub job: JobId,
    pub fence: i32,
    /// 0 to 100.
    pub percent: u8,
    /// The current step, for people.
    pub message: String,
}

/// A run to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelRun {
    pub job: JobId,
    pub fence: i32,
    pub reason: String,
}
