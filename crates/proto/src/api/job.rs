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
    #[schema(value_type = String)]
    pub id: JobId,
    #[schema(value_type = String)]
    pub org_id: OrgId,
    pub definition_key: String,
    /// The version of the definition.
    pub definition_version: i32,
    /// The source of the job: `manual`, `event`, `schedule` or `system`.
    #[schema(value_type = String, example = "manual")]
    pub source: Source,
    /// The id of the event, trigger or request that created it.
    pub source_ref: Option<String>,
    #[schema(value_type = String, example = "queued")]
    pub status: JobStatus,
    /// Why it waits; null if it does not wait.
    #[schema(value_type = Option<String>, example = "host_offline")]
    pub wait_reason: Option<WaitReason>,
    /// Why it ended, in addition to its status.
    #[schema(value_type = Option<String>, example = "expired")]
    pub end_reason: Option<EndReason>,
    /// Lower numbers run first.
    pub priority: i32,
    /// The payload; secret values are masked as `•••`.
    pub payload: Value,
    /// While a job with the same key is queued or running, no second one is created.
    pub dedupe_key: Option<String>,
    /// Jobs with the same key share a limit.
    pub limit_key: Option<String>,
    /// Groups related jobs.
    pub correlation_id: Option<String>,
    /// Where the job may run.
    pub target: JobTarget,
    /// The earliest start.
    #[schema(value_type = String, format = DateTime)]
    pub scheduled_for: Timestamp,
    /// The latest start; the job expires if it has not started by then.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub queued_at: Timestamp,
    /// The start of its first run.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// The number of runs, including a running one.
    pub attempt_count: i32,
    /// The number of attempts after which a failed job becomes a dead letter.
    pub max_attempts: i32,
    /// When the run is taken from its holder unless the holder renews its lease.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub lease_expires_at: Option<Timestamp>,
    /// The host of the current or the last run.
    pub host: Option<String>,
    /// The holder of the current run: runner and process.
    pub worker: Option<String>,
    /// The current or the last run.
    #[schema(value_type = Option<String>)]
    pub run_id: Option<RunId>,
    /// The exit code of the last run.
    pub exit_code: Option<i32>,
    /// The error of the last run.
    pub last_error: Option<String>,
    pub created_by: String,
    /// Whether a cancel of the current run was requested.
    pub is_canceling: bool,
    /// Whether the host created the job in its own queue. Such a job can only be changed on the host.
    #[serde(default)]
    pub is_hosts_own: bool,
}

/// Where a job may run: a host, a queue or a selector.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobTarget {
    /// This host, by name or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Any host that serves this queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// Any host whose labels match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// A job to create.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRequest {
    /// The definition to run.
    pub definition_key: String,
    /// The payload.
    #[serde(default)]
    pub payload: Value,
    /// Where the job may run; the definition's queue and selector if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<JobTarget>,
    /// Short for `target` with a host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Lower numbers run first; 100 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// The earliest start; now if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub scheduled_for: Option<Timestamp>,
    /// The latest start; the job expires if it has not started by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// While a job with the same key is queued or running, no second one is created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_key: Option<String>,
    /// Also create no second job within this many seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedupe_window_seconds: Option<u32>,
    /// Jobs with the same key share a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit_key: Option<String>,
    /// Groups related jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    /// The number of attempts; the definition's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
    /// The longest duration of a run; the definition's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
}

/// The result of one row of a bulk request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobMade {
    /// The id of the new job, or of the job with the same dedupe key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub id: Option<JobId>,
    /// Whether a job with the same dedupe key already existed.
    #[serde(default)]
    pub deduplicated: bool,
    /// Why no job was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<crate::Problem>,
}

/// The response to a bulk request: one result per row, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BulkMade {
    /// The number of created jobs.
    pub created: u64,
    /// The number of rejected rows.
    pub refused: u64,
    /// One per row.
    pub results: Vec<JobMade>,
}

/// Selects jobs.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct JobQuery {
    /// A filter, as in `status:failed host:web-* after:-24h`.
    pub filter: Option<String>,
    /// Only these statuses, separated by commas.
    pub status: Option<String>,
    /// Only jobs created by this source.
    pub source: Option<String>,
    /// Only jobs created after this time.
    pub created_after: Option<String>,
    /// Only jobs created before this time.
    pub created_before: Option<String>,
    /// The start of the page: `next` of the previous page.
    pub cursor: Option<String>,
    /// The number of rows to skip, at most 10,000; prefer `cursor`.
    pub offset: Option<u32>,
    /// Page size, 1 to 1,000.
    pub limit: Option<u32>,
}

/// A page of jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobPage {
    /// Newest first.
    pub items: Vec<Job>,
    /// Pass as `cursor` for older jobs; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The number of jobs examined for this page. A search stops after a limited number; continue with `next`.
    pub searched: u32,
}

/// Why a job waits, or how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Why {
    #[schema(value_type = String)]
    pub status: JobStatus,
    /// The reason as a stable word.
    #[schema(value_type = Option<String>)]
    pub reason: Option<WaitReason>,
    /// The reason in one sentence.
    pub text: String,
    /// Suggested actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

/// A job, with the reason why it waits or ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobDetail {
    #[serde(flatten)]
    pub job: Job,
    /// Why it waits, or how it ended.
    pub why: Why,
}

/// A run of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    #[schema(value_type = String)]
    pub id: RunId,
    /// The number of the run within its job, from 1: the job's fence.
    pub no: i32,
    #[schema(value_type = String, example = "succeeded")]
    pub status: RunStatus,
    /// The holder of the run: runner and process.
    pub worker_id: String,
    /// The name of the host.
    pub host: Option<String>,
    pub pid: Option<i32>,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    pub duration_ms: Option<i64>,
    pub exit_code: Option<i32>,
    /// The signal that ended the process.
    pub signal: Option<i32>,
    /// The error, if it failed.
    pub error_text: Option<String>,
    /// The last part of standard output.
    pub stdout_tail: Option<String>,
    /// The last part of standard error.
    pub stderr_tail: Option<String>,
    /// The result value that the program reported.
    pub output: Option<Value>,
    /// The address of its output.
    pub log_url: String,
}

/// All runs of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Runs {
    /// In order, including a running one.
    pub items: Vec<Run>,
}

/// Selects lines of a run's output.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The number of the run; the last run if absent.
    pub attempt: Option<i32>,
    /// Only lines after this one.
    pub after: Option<u64>,
    /// Only the last lines, this many.
    pub tail: Option<u32>,
    /// The number of lines, 1 to 10,000.
    pub limit: Option<u32>,
    /// Wait for the first line, at most this many seconds (less than 30).
    pub wait: Option<u64>,
}

/// Lines of a run's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogPage {
    /// The number of the run.
    pub attempt: i32,
    /// In order.
    pub lines: Vec<LogLine>,
    /// Pass as `after` for the following lines.
    pub last: u64,
    /// Whether the output is complete.
    pub is_complete: bool,
}

/// Counts of an org's jobs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobSummary {
    /// Jobs by status.
    pub counts: BTreeMap<String, i64>,
    /// Running jobs.
    pub running: i64,
    /// Queued jobs.
    pub queued: i64,
    /// How long the oldest claimable job has waited.
    pub oldest_queued_age_seconds: Option<i64>,
}

/// Statistics of one org's jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OrgJobs {
    /// The slug of the org.
    pub org: String,
    /// Jobs by status.
    pub counts: BTreeMap<String, i64>,
    /// How long the oldest claimable job has waited.
    pub oldest_queued_age_seconds: Option<i64>,
    /// The median waiting time of recent jobs, as measured by this hub.
    pub wait_p50_ms: Option<i64>,
    /// The 95th percentile of the waiting time of recent jobs.
    pub wait_p95_ms: Option<i64>,
    /// Jobs created per minute on this hub, averaged over five minutes.
    pub created_per_minute: f64,
    /// The fraction of failed runs among those that ended on this hub within five minutes.
    pub failed_part: Option<f64>,
}

/// Cancels a job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelRequest {
    /// The reason, recorded in the audit log.
    #[serde(default)]
    pub reason: String,
    /// Cancel even if the job's holder is unreachable and cannot confirm. Results that it reports later are only
    /// recorded.
    #[serde(default)]
    pub force: bool,
}

/// Retries a finished job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryRequest {
    /// A new payload; the old one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<Value>,
}

/// Moves a queued job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// The new target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<JobTarget>,
    /// The new priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// The data of an event about a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JobEvent {
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// The run, if the event is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub run_id: Option<RunId>,
    /// The number of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<i32>,
    pub definition_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub host_id: Option<HostId>,
    /// The server, if the job is an operation on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub server_id: Option<domain::ServerId>,
    /// The status of the job after the event.
    #[schema(value_type = String)]
    pub status: JobStatus,
    /// Why the job waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub reason: Option<String>,
    /// The duration of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
    /// The error of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the job will be retried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub will_retry: Option<bool>,
}
