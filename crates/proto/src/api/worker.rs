//! Workers: programs in other languages that claim jobs over plain HTTP.

use std::collections::BTreeMap;

use domain::{JobId, RunId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Claims jobs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The name of the worker, different for every start of the program, as in `hostname:pid:uuid`.
    pub worker_id: String,
    #[serde(default)]
    pub hostname: String,
    #[serde(default)]
    pub version: String,
    /// The queues that it serves, among those of its token; all of them if empty.
    #[serde(default)]
    pub queues: Vec<String>,
    /// The most jobs to claim; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Seconds to wait for the first job, less than 30.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_s: Option<u64>,
    /// A repeated request with the same id returns the same jobs, for a retry after a lost response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Additional information, shown with the worker.
    #[serde(default)]
    pub metadata: Value,
}

/// A claimed job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkerJob {
    #[schema(value_type = String)]
    pub id: JobId,
    #[schema(value_type = String)]
    pub run_id: RunId,
    /// The number of the run; include it in every report.
    pub fence: i32,
    /// The definition to run.
    pub definition_key: String,
    /// The payload, including its secret values.
    pub payload: Value,
    /// The secrets that the definition names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, String>,
    /// The longest duration of the run.
    pub timeout_seconds: i64,
    /// Groups related jobs.
    pub correlation_id: Option<String>,
}

/// The response to a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimAnswer {
    /// The worker's session.
    pub epoch: i64,
    /// Empty if no job was available in time.
    pub jobs: Vec<WorkerJob>,
    /// Without a heartbeat for this long, the worker's jobs are given to other workers.
    pub lease_seconds: i64,
}

/// A heartbeat of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkerBeat {
    pub worker_id: String,
    /// The number of the run.
    pub fence: i32,
    /// The progress, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// The current step, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The response to a heartbeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkerBeatAnswer {
    /// Whether the worker must end the run because the job was canceled.
    pub cancel: bool,
    /// When the lease expires without another heartbeat.
    #[schema(value_type = String, format = DateTime)]
    pub lease_expires_at: Timestamp,
}

/// Reports a successful run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompleteRequest {
    pub worker_id: String,
    /// The number of the run.
    pub fence: i32,
    /// The result value, at most 64 KiB.
    #[serde(default)]
    pub output: Value,
    /// The last part of standard output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_tail: Option<String>,
}

/// Reports a failed run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FailRequest {
    pub worker_id: String,
    /// The number of the run.
    pub fence: i32,
    /// The error.
    pub error: String,
    /// An exit code. The definition may list it as one that is not retried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The delay before the retry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u32>,
    /// Whether the run was ended by a cancel request.
    #[serde(default)]
    pub canceled: bool,
    /// The last part of standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
}

/// The response to a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportAnswer {
    /// The status of the job.
    pub status: String,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Worker {
    /// The name of the worker or of the host.
    pub worker_id: String,
    pub hostname: String,
    pub version: String,
    /// The queues that it serves.
    pub queues: Vec<String>,
    /// The slug of the org.
    pub org: String,
    /// When it last sent a request.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_seen_at: Option<Timestamp>,
    /// The number of its running jobs.
    pub running_count: i64,
    /// Whether it has sent no heartbeat for too long.
    pub stale: bool,
    /// The additional information that it sent.
    pub metadata: Value,
}

/// All workers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Workers {
    pub items: Vec<Worker>,
}
