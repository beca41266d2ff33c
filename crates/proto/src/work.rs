//! What hub and runner say about work: grants, results, logs, cancels.
//!
//! ```text
//! runner → hub   inventory  the runs I still have, after every welcome
//! hub → runner   verdicts   which of them to stop
//! runner → hub   credit     how many grants I will take in all, counted from the session's beginning
//! hub → runner   grants     jobs to run, each with its fence
//! runner → hub   started    pids of runs that last
//! runner → hub   log        lines                      hub → runner   logged    up to which line they are kept
//! runner → hub   results    from the outbox            hub → runner   settled   up to which number they are kept
//! hub → runner   cancel     runs to end, repeated until their result is there
//! hub → runner   orders     for servers, at once       runner → hub   ordered   what became of one
//! ```

use std::collections::BTreeMap;

use domain::{
    DefinitionId, JobId, OrderId, OrgId, RunId, ServerId, Timestamp, definition::Definition, job::RunStatus,
    server::OrderKind, string_enum,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Bytes of a frame that senders do not go beyond.
pub const FRAME_BYTES_GOAL: usize = 512 * 1024;
/// The largest tail of a stream in a result.
pub const TAIL_BYTES_MAX: usize = 8 * 1024;
/// The largest output value of a run.
pub const OUTPUT_BYTES_MAX: usize = 64 * 1024;
/// The longest error text.
pub const ERROR_CHARS_MAX: usize = 2_000;
/// The longest line of output.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// One run, by job and fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunRef {
    /// The job.
    pub job: JobId,
    /// Its fence.
    pub fence: i32,
}

/// What a runner still has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inventory {
    /// Runs it has accepted and not been told to forget, ended or not.
    pub runs: Vec<RunRef>,
}

/// The hub's answer to an inventory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdicts {
    /// Runs that are no longer the runner's: end them, report nothing.
    pub stop: Vec<RunRef>,
}

/// A job to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// The job.
    pub job: JobId,
    /// Its fence: the number of this run.
    pub fence: i32,
    /// The run.
    pub run: RunId,
    /// Whose job it is.
    pub org: OrgId,
    /// That org's slug.
    pub org_slug: String,
    /// What to run.
    pub definition: DefinitionId,
    /// In which version.
    pub version: i32,
    /// With what.
    pub payload: Value,
    /// Secrets for its environment, by name.
    #[serde(default, skip_serializing_if = "Kept::is_empty")]
    pub secrets: Kept<String>,
    /// Values of the payload that stand there as `•••`, by JSON pointer.
    #[serde(default, skip_serializing_if = "Kept::is_empty")]
    pub hidden: Kept<Value>,
    /// How long it may take.
    pub timeout_ms: i64,
    /// Whether it must be ended by itself when the hub is silent for too long: another machine may take it then.
    #[serde(default)]
    pub is_leased: bool,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

/// What is said to nobody but the one who runs it. Printed, it is only a sign.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept<T>(pub BTreeMap<String, T>);

impl<T> Kept<T> {
    /// Whether there is nothing in it.
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

/// Jobs to run, and the definitions the runner does not have yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grants {
    /// The jobs.
    pub grants: Vec<Grant>,
    /// The definitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Definition>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The job.
    pub job: JobId,
    /// Its fence.
    pub fence: i32,
    /// How.
    pub status: RunStatus,
    /// When the process began, by the runner's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// How long it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// Its process id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<i32>,
    /// Its exit code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// What went wrong, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The end of its output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_tail: Option<String>,
    /// The end of its error output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// The value it left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// How long it asks to be left alone, with exit code 75.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<i64>,
}

impl RunResult {
    /// An end of which nothing more is known.
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
    /// The number of the last one that was said before in this session, or 0. Whoever has not kept that one must not
    /// confirm these: a confirmation speaks for all before it.
    pub after: i64,
    /// The number of the last one.
    pub through: i64,
    /// The results, in order.
    pub results: Vec<RunResult>,
    /// The runner's credit from now on, as in `credit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<u64>,
}

/// A process that lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The job.
    pub job: JobId,
    /// Its fence.
    pub fence: i32,
    /// The process.
    pub pid: i32,
}

string_enum! {
    /// Where a line came from.
    pub enum Stream {
        /// Standard output.
        Stdout = "out",
        /// Standard error.
        Stderr = "err",
        /// Hostler itself: gaps and marks.
        System = "system",
    }
}

/// A line of output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LogLine {
    /// Its number in its run, from 1.
    pub no: u64,
    /// When it was read.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// From where.
    #[schema(value_type = String, example = "out")]
    pub stream: Stream,
    /// Its text, without the line break.
    pub text: String,
    /// Whether it was longer than a line may be.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// The most bytes that lines may unfold to.
const UNFOLDED_MAX: usize = 8 * 1024 * 1024;

/// Lines as they are kept: compressed, with their size before that.
///
/// # Errors
/// They cannot be compressed.
pub fn fold(lines: &[LogLine]) -> std::io::Result<(Vec<u8>, usize)> {
    let text = serde_json::to_vec(lines).map_err(std::io::Error::other)?;
    Ok((zstd::bulk::compress(&text, 1)?, text.len()))
}

/// The same lines again.
///
/// # Errors
/// They are no lines, or too many.
pub fn unfold(body: &[u8]) -> std::io::Result<Vec<LogLine>> {
    let text = zstd::bulk::decompress(body, UNFOLDED_MAX)?;
    serde_json::from_slice(&text).map_err(std::io::Error::other)
}

/// Something that is said to a server at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Which.
    pub id: OrderId,
    /// To which server.
    pub server: ServerId,
    /// What.
    pub kind: OrderKind,
    /// The line, if it is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub body: String,
}

/// What became of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ordered {
    /// Which.
    pub id: OrderId,
    /// Why it was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Lines of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// The job.
    pub job: JobId,
    /// Its fence.
    pub fence: i32,
    /// The run.
    pub run: RunId,
    /// The lines, in order, without gaps.
    pub lines: Vec<LogLine>,
}

/// How far a run has come, in its own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgressSaid {
    /// The job.
    pub job: JobId,
    /// Its fence.
    pub fence: i32,
    /// 0 to 100.
    pub percent: u8,
    /// What it is at.
    pub message: String,
}

/// A run to end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelRun {
    /// The job.
    pub job: JobId,
    /// Its fence.
    pub fence: i32,
    /// Why.
    pub reason: String,
}
