//! Jobs, their runs and their output.

use std::collections::BTreeMap;

use domain::{
    HostId, JobId, OrgId, RunId, Timestamp,
    job::{EndReason, JobStatus, RunStatus, Source, WaitReason},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::work::LogLine;

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Job {
    /// Its id.
    #[schema(value_type = String)]
    pub id: JobId,
    /// Whose it is.
    #[schema(value_type = String)]
    pub org_id: OrgId,
    /// What it runs.
    pub definition_key: String,
    /// In which version.
    pub definition_version: i32,
    /// What made it.
    #[schema(value_type = String, example = "manual")]
    pub source: Source,
    /// Which event, trigger or request.
    pub source_ref: Option<String>,
    /// Where it is in its life.
    #[schema(value_type = String, example = "queued")]
    pub status: JobStatus,
    /// Why it waits, in one word.
    #[schema(value_type = Option<String>, example = "host_offline")]
    pub wait_reason: Option<WaitReason>,
    /// Why it is over, beyond its status.
    #[schema(value_type = Option<String>, example = "expired")]
    pub end_reason: Option<EndReason>,
    /// Lower runs first.
    pub priority: i32,
    /// What it runs with; secret values are shown as `•••`.
    pub payload: Value,
    /// The key it shares with jobs that are the same.
    pub dedupe_key: Option<String>,
    /// The key it shares a limit by.
    pub limit_key: Option<String>,
    /// What it belongs to.
    pub correlation_id: Option<String>,
    /// Where it is to run.
    pub target: JobTarget,
    /// From when on it may run.
    #[schema(value_type = String, format = DateTime)]
    pub scheduled_for: Timestamp,
    /// After this it is not begun any more.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub queued_at: Timestamp,
    /// When its first run began.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// How many runs it has had, with the one under way.
    pub attempt_count: i32,
    /// How many of them may count before it is given up.
    pub max_attempts: i32,
    /// When its run is taken from its holder unless that is heard from.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub lease_expires_at: Option<Timestamp>,
    /// The host that has it, or had it last.
    pub host: Option<String>,
    /// The run under way: runner and process.
    pub worker: Option<String>,
    /// The run under way or the last one.
    #[schema(value_type = Option<String>)]
    pub run_id: Option<RunId>,
    /// The exit code of the last run.
    pub exit_code: Option<i32>,
    /// What went wrong in the last run.
    pub last_error: Option<String>,
    /// Who made it.
    pub created_by: String,
    /// Whether somebody asked to cancel the run under way.
    pub is_canceling: bool,
    /// Whether its host made it for itself: it is only shown here, and changed there.
    #[serde(default)]
    pub is_hosts_own: bool,
}

/// Where a job is to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobTarget {
    /// On this host, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// On any host that serves this queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// On any host whose labels match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// A job to make.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRequest {
    /// What to run.
    pub definition_key: String,
    /// With what.
    #[serde(default)]
    pub payload: Value,
    /// Where; its definition's place if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<JobTarget>,
    /// On this host: short for `target`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Lower runs first; 100 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// From when on it may run; at once if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub scheduled_for: Option<Timestamp>,
    /// After this it is not begun any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// While a job with this key is queued or running, another is not made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_key: Option<String>,
    /// And not within this many seconds either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_window_seconds: Option<u32>,
    /// The key it shares a limit by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_key: Option<String>,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// How many runs may count; its definition's number if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
    /// How long a run may take; its definition's time if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
}

/// What became of one row of a bulk request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobMade {
    /// The job: the new one, or the one that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub id: Option<JobId>,
    /// Whether another job with the same key was there first.
    #[serde(default)]
    pub deduplicated: bool,
    /// Why no job was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<crate::Problem>,
}

/// The answer to a bulk request: one result per row, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BulkMade {
    /// How many jobs were made.
    pub created: u64,
    /// How many rows were refused.
    pub refused: u64,
    /// One for each row.
    pub results: Vec<JobMade>,
}

/// Which jobs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobQuery {
    /// A filter, as in `status:failed host:web-* after:-24h`.
    pub filter: Option<String>,
    /// States, separated by commas.
    pub status: Option<String>,
    /// What made them.
    pub source: Option<String>,
    /// Made after this time.
    pub created_after: Option<String>,
    /// Made before this time.
    pub created_before: Option<String>,
    /// Where the page starts: `next` of the page before.
    pub cursor: Option<String>,
    /// How many rows to pass over, at most 10,000; cursors are better.
    pub offset: Option<u32>,
    /// How many rows, 1 to 1,000.
    pub limit: Option<u32>,
}

/// One page of jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobPage {
    /// The jobs, newest first.
    pub items: Vec<Job>,
    /// Pass as `cursor` for older ones; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// How many jobs were looked at for this page. A search stops after a bounded number; `next` goes on.
    pub searched: u32,
}

/// Why a job waits, or how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Why {
    /// The job's status.
    #[schema(value_type = String)]
    pub status: JobStatus,
    /// In one word.
    #[schema(value_type = Option<String>)]
    pub reason: Option<WaitReason>,
    /// In one sentence.
    pub text: String,
    /// What can be done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// A job with everything about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobDetail {
    /// The job.
    #[serde(flatten)]
    pub job: Job,
    /// Why it waits, or how it ended.
    pub why: Why,
}

/// A run of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    /// Its id.
    #[schema(value_type = String)]
    pub id: RunId,
    /// Its number: the job's fence.
    pub no: i32,
    /// How it stands.
    #[schema(value_type = String, example = "succeeded")]
    pub status: RunStatus,
    /// Who ran it: runner and process.
    pub worker_id: String,
    /// On which host.
    pub host: Option<String>,
    /// Its process.
    pub pid: Option<i32>,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// How long it took.
    pub duration_ms: Option<i64>,
    /// Its exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What went wrong.
    pub error_text: Option<String>,
    /// The end of its output.
    pub stdout_tail: Option<String>,
    /// The end of its error output.
    pub stderr_tail: Option<String>,
    /// The value it left.
    pub output: Option<Value>,
    /// Where its output is.
    pub log_url: String,
}

/// All runs of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Runs {
    /// In order, with the one under way.
    pub items: Vec<Run>,
}

/// Which lines.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// Which run, by its number; the last one if absent.
    pub attempt: Option<i32>,
    /// Lines after this one.
    pub after: Option<u64>,
    /// The last so many lines.
    pub tail: Option<u32>,
    /// How many lines, 1 to 10,000.
    pub limit: Option<u32>,
    /// Wait for the first of them, at most this many seconds (30 at most).
    pub wait: Option<u64>,
}

/// Lines of a run's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogPage {
    /// Which run.
    pub attempt: i32,
    /// The lines, in order.
    pub lines: Vec<LogLine>,
    /// Pass as `after` for what comes next.
    pub last: u64,
    /// Whether nothing more will come.
    pub is_complete: bool,
}

/// Counts of an org's jobs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobSummary {
    /// Jobs by status.
    pub counts: BTreeMap<String, i64>,
    /// How many run.
    pub running: i64,
    /// How many wait.
    pub queued: i64,
    /// For how long the oldest claimable job has been waiting.
    pub oldest_queued_age_seconds: Option<i64>,
}

/// How the jobs of one org do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OrgJobs {
    /// The org's slug.
    pub org: String,
    /// Jobs by status.
    pub counts: BTreeMap<String, i64>,
    /// For how long the oldest claimable job has been waiting.
    pub oldest_queued_age_seconds: Option<i64>,
    /// How long half of its last jobs waited at most, as this hub saw it.
    pub wait_p50_ms: Option<i64>,
    /// How long nineteen of twenty of them waited at most.
    pub wait_p95_ms: Option<i64>,
    /// Jobs made per minute at this hub, over five minutes.
    pub created_per_minute: f64,
    /// Which part of the runs that ended at this hub within five minutes did so badly.
    pub failed_part: Option<f64>,
}

/// Cancels a job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelRequest {
    /// Why, for the record.
    #[serde(default)]
    pub reason: String,
    /// Also if its holder is away and cannot confirm: what it reports later is kept as evidence only.
    #[serde(default)]
    pub force: bool,
}

/// Puts a finished job back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryRequest {
    /// Another payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
}

/// Sends a queued job elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// Where to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<JobTarget>,
    /// A new priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// What an event about a job carries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobEvent {
    /// The job.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// The run, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub run_id: Option<RunId>,
    /// The run's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<i32>,
    /// What it runs.
    pub definition_key: String,
    /// On which host.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub host_id: Option<HostId>,
    /// For which server.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub server_id: Option<domain::ServerId>,
    /// The job's status after it.
    #[schema(value_type = String)]
    pub status: JobStatus,
    /// Why it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub reason: Option<String>,
    /// How long the run took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether it will be tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub will_retry: Option<bool>,
}
