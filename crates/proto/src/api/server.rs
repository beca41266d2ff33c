//! Servers: long-lived processes on hosts.

use domain::{
    HostId, JobId, RunId, ServerId, Timestamp,
    job::RunStatus,
    server::{DesiredState, Server as Body, ServerState},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::job::JobMade;
use crate::work::LogLine;

/// A long-lived process on one host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Server {
    #[schema(value_type = String)]
    pub id: ServerId,
    pub name: String,
    #[schema(value_type = String)]
    pub host_id: HostId,
    /// The name of the host.
    pub host: String,
    /// The state of the host.
    pub host_status: String,
    /// The state that the host has reported last.
    #[schema(value_type = String, example = "running")]
    pub state: ServerState,
    /// The reason for the state, in one sentence.
    pub state_reason: String,
    /// When the state changed.
    #[schema(value_type = String, format = DateTime)]
    pub state_at: Timestamp,
    /// Whether the host is unreachable, so the state may be outdated.
    pub is_stale: bool,
    /// The desired state: `up` or `down`.
    #[schema(value_type = String, example = "up")]
    pub desired_state: DesiredState,
    /// The number of its newest run.
    pub run: i32,
    /// The process id; null if it does not run.
    pub pid: Option<i32>,
    /// When the process started.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    /// Automatic restarts since the last requested start.
    pub restarts: u32,
    /// CPU usage in percent of one core; null if not measured.
    pub cpu_percent: Option<f64>,
    /// Memory usage; null if not measured.
    pub memory_bytes: Option<u64>,
    /// The queued or running operation on the server.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// The settings.
    #[schema(value_type = Object)]
    pub spec: Body,
    /// Incremented by every change of the settings.
    pub version: i32,
    /// The host to which it moves once the current host has stopped it.
    pub moves_to: Option<String>,
    /// Whether the host created it. Such a server can only be changed on the host.
    pub is_hosts_own: bool,
    /// Only on a host: whether a hub owns it. Such a server can only be changed on the hub.
    pub is_hubs: bool,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed or reported.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A server to create, or the fields to change. Absent fields get their default or keep their value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The host, by name or id. A change moves the server: it is stopped on the old host and, if it was running,
    /// started on the new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// All other settings: `argv`, or `definition_key` and `payload`; `folder`, `env`, `user`, `ports`, `ready`,
    /// `stop`, `restart`, `autostart`, `console`, `caps`, `log`.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub spec: serde_json::Map<String, serde_json::Value>,
}

/// An operation on a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerAct {
    /// The reason, stored as the correlation id of the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The job of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerActed {
    /// The new job, or the queued one with the same operation.
    #[serde(flatten)]
    pub made: JobMade,
    /// Queued jobs of the server that this operation replaces.
    #[schema(value_type = Vec<String>)]
    pub superseded: Vec<JobId>,
}

/// A line for a server's standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerInput {
    /// The line, without a line break.
    pub line: String,
}

/// Options for the removal of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ServerRemoval {
    /// Cancel the server's jobs and stop it; otherwise a running server, or one with jobs, is not removed.
    #[serde(default)]
    pub cancel_jobs: bool,
}

/// A run of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerRun {
    /// The number of the run within its server, from 1.
    pub no: i32,
    #[schema(value_type = String)]
    pub id: RunId,
    /// The name of the host; null if the host was removed.
    #[serde(default)]
    pub host: Option<String>,
    /// `running` until it ends.
    #[schema(value_type = String, example = "running")]
    pub status: RunStatus,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// When the readiness check succeeded.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ready_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    pub pid: Option<i32>,
    pub exit_code: Option<i32>,
    /// The signal that ended the process.
    pub signal: Option<i32>,
    /// Whether the kernel killed the process because memory ran out.
    pub is_oom: bool,
    /// The error, if it failed.
    pub error: Option<String>,
}

/// Selects lines of a server's output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConsoleQuery {
    /// The number of the run; the newest if absent. With `after`, lines of the next run follow when this run has ended.
    #[serde(default)]
    pub run: Option<i32>,
    /// Only lines after this one.
    #[serde(default)]
    pub after: Option<u64>,
    /// Only lines before this one.
    #[serde(default)]
    pub before: Option<u64>,
    /// Without `after`: only the last lines, this many.
    #[serde(default)]
    pub tail: Option<u32>,
    /// The number of lines.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Wait for the first line, at most this many seconds (less than 30).
    #[serde(default)]
    pub wait: Option<u64>,
}

/// Lines of a server's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConsolePage {
    /// The number of the run.
    pub run: i32,
    /// In order.
    pub lines: Vec<LogLine>,
    /// The number of the last line; pass as `after` for the following lines.
    pub last: u64,
    /// Whether the run has ended and these are its last lines.
    pub is_complete: bool,
    /// The next run; null if there is none.
    pub next_run: Option<i32>,
}
