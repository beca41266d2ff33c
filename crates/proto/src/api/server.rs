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
    /// Its id.
    #[schema(value_type = String)]
    pub id: ServerId,
    /// What people call it.
    pub name: String,
    /// Its host.
    #[schema(value_type = String)]
    pub host_id: HostId,
    /// The name of its host.
    pub host: String,
    /// How its host is.
    pub host_status: String,
    /// What people see of it, as its host said last.
    #[schema(value_type = String, example = "running")]
    pub state: ServerState,
    /// Why.
    pub state_reason: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub state_at: Timestamp,
    /// Whether its host is away: then nobody knows whether that still holds.
    pub is_stale: bool,
    /// Whether it is to run.
    #[schema(value_type = String, example = "up")]
    pub wish: DesiredState,
    /// The number of its newest run.
    pub run: i32,
    /// Its process, if it runs.
    pub pid: Option<i32>,
    /// Since when it runs.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    /// How often it was started again by itself since somebody asked for it.
    pub restarts: u32,
    /// What it uses of one core, in percent, if it runs and that was measured.
    pub cpu_percent: Option<f64>,
    /// What it uses of the memory.
    pub memory_bytes: Option<u64>,
    /// The job that waits for it or works on it.
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// As its owner wants it.
    #[schema(value_type = Object)]
    pub spec: Body,
    /// Counts its changes.
    pub version: i32,
    /// Where it goes once its host has let go of it.
    pub moves_to: Option<String>,
    /// Whether its host made it for itself: it is changed there.
    pub is_hosts_own: bool,
    /// Whether a hub owns it: it is changed there. Only on a host.
    pub is_hubs: bool,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed, or was last heard of.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A server to make, or the fields of one to change. What is absent has its default, or stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerRequest {
    /// What people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its host, by name or id. Of one that is there: it is stopped there and, if it ran, started here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// All else: `argv` or `definition_key` and `payload`, `folder`, `env`, `user`, `ports`, `ready`, `stop`, `restart`,
    /// `autostart`, `console`, `caps`, `log`.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub spec: serde_json::Map<String, serde_json::Value>,
}

/// What is asked of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerAct {
    /// Why, for the audit log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The job that does it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerActed {
    /// The job.
    #[serde(flatten)]
    pub made: JobMade,
    /// Earlier jobs of the server that it makes pointless.
    #[schema(value_type = Vec<String>)]
    pub superseded: Vec<JobId>,
}

/// A line for a server's input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerInput {
    /// The line, without its end.
    pub line: String,
}

/// How a server is removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ServerRemoval {
    /// Jobs that wait for it are canceled, and it is stopped if it runs. Without it such a server stays.
    #[serde(default)]
    pub cancel_jobs: bool,
}

/// One start of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerRun {
    /// Its number.
    pub no: i32,
    /// Its id.
    #[schema(value_type = String)]
    pub id: RunId,
    /// The host it was on; none if that is gone.
    #[serde(default)]
    pub host: Option<String>,
    /// How it ended, or that it runs.
    #[schema(value_type = String, example = "running")]
    pub status: RunStatus,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// When it was ready.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ready_at: Option<Timestamp>,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// Its process.
    pub pid: Option<i32>,
    /// What it exited with.
    pub exit_code: Option<i32>,
    /// What ended it.
    pub signal: Option<i32>,
    /// Whether the system ended it for want of memory.
    pub is_oom: bool,
    /// What went wrong.
    pub error: Option<String>,
}

/// Which lines of a server's output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConsoleQuery {
    /// Of this run; the newest if absent. With `after` of a run that is over, lines of the next one follow.
    #[serde(default)]
    pub run: Option<i32>,
    /// Only lines after this one.
    #[serde(default)]
    pub after: Option<u64>,
    /// Only lines before this one: what was there earlier.
    #[serde(default)]
    pub before: Option<u64>,
    /// Without `after`: the last so many.
    #[serde(default)]
    pub tail: Option<u32>,
    /// How many at most.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Seconds to wait for the first of them, at most 30.
    #[serde(default)]
    pub wait: Option<u64>,
}

/// Lines of a server's output.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConsolePage {
    /// Of which run.
    pub run: i32,
    /// They.
    pub lines: Vec<LogLine>,
    /// The number of the last of them: where to go on.
    pub last: u64,
    /// Whether the run is over and these are its last lines.
    pub is_complete: bool,
    /// The run after it, if there is one.
    pub next_run: Option<i32>,
}
