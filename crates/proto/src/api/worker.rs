//! Programs in other languages that claim jobs over plain HTTP.

use std::collections::BTreeMap;

use domain::{JobId, RunId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Asks for jobs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// Who asks: a name that is new with every start of the program, as in `hostname:pid:uuid`.
    pub worker_id: String,
    /// On which machine.
    #[serde(default)]
    pub hostname: String,
    /// Of which version.
    #[serde(default)]
    pub version: String,
    /// Which queues it serves; `default` if none.
    #[serde(default)]
    pub queues: Vec<String>,
    /// How many jobs at most; 1 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// How long to wait for the first one, in seconds; 30 at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_s: Option<u64>,
    /// The same id gives the same jobs: for a request whose answer was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Anything else worth knowing.
    #[serde(default)]
    pub metadata: Value,
}

/// A job for a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkerJob {
    /// The job.
    #[schema(value_type = String)]
    pub id: JobId,
    /// The run.
    #[schema(value_type = String)]
    pub run_id: RunId,
    /// Its number: name it in every report.
    pub fence: i32,
    /// What to run.
    pub definition_key: String,
    /// With what; values that are shown to nobody else are in it.
    pub payload: Value,
    /// The secrets that its definition names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, String>,
    /// How long it may take.
    pub timeout_seconds: i64,
    /// What it belongs to.
    pub correlation_id: Option<String>,
}

/// Jobs for a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimAnswer {
    /// The worker's session.
    pub epoch: i64,
    /// The jobs; none if none came in time.
    pub jobs: Vec<WorkerJob>,
    /// How long the worker may be silent before its jobs are given to others.
    pub lease_seconds: i64,
}

/// Says that a run goes on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkerBeat {
    /// Who.
    pub worker_id: String,
    /// Which run.
    pub fence: i32,
    /// How far it has come, 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<u8>,
    /// What it is at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The answer to a sign of life.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WorkerBeatAnswer {
    /// Whether the run is to end: somebody canceled the job.
    pub cancel: bool,
    /// Until when the lease holds.
    #[schema(value_type = String, format = DateTime)]
    pub lease_expires_at: Timestamp,
}

/// How a run ended well.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompleteRequest {
    /// Who.
    pub worker_id: String,
    /// Which run.
    pub fence: i32,
    /// The value it leaves, at most 64 KiB.
    #[serde(default)]
    pub output: Value,
    /// The end of its output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout_tail: Option<String>,
}

/// How a run ended badly.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FailRequest {
    /// Who.
    pub worker_id: String,
    /// Which run.
    pub fence: i32,
    /// What went wrong.
    pub error: String,
    /// An exit code, as a process would have; the definition may say not to repeat it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// How long to leave it alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u32>,
    /// Whether it was ended because somebody asked.
    #[serde(default)]
    pub canceled: bool,
    /// The end of its error output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
}

/// What became of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportAnswer {
    /// The job's status now.
    pub status: String,
}

/// A worker, as people see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Worker {
    /// Its name: that of its host, or what it calls itself.
    pub worker_id: String,
    /// Its machine.
    pub hostname: String,
    /// Its version.
    pub version: String,
    /// What it serves.
    pub queues: Vec<String>,
    /// The slug of its org.
    pub org: String,
    /// When it was last heard from.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_seen_at: Option<Timestamp>,
    /// What it runs.
    pub running_count: i64,
    /// Whether it has been silent for too long.
    pub stale: bool,
    /// What it says of itself.
    pub metadata: Value,
}

/// All workers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Workers {
    /// The workers.
    pub items: Vec<Worker>,
}
