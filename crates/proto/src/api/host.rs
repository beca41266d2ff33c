//! Hosts, their schedules and runs, and join tokens.

use std::collections::BTreeMap;

use domain::{
    HostId, JobId, JoinTokenId, Labels, Timestamp, TriggerId, job::RunStatus, lane::QueueNames, presence::HostStatus,
    rejection::RejectReason, schedule_history::DayState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::metrics::{HostMetrics, Machine};

/// A host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Host {
    #[schema(value_type = String)]
    pub id: HostId,
    /// Unique in its org.
    pub name: String,
    #[schema(value_type = String, example = "online")]
    pub status: HostStatus,
    /// The reason for the state, in one sentence.
    pub status_reason: String,
    /// When the last heartbeat arrived.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_heartbeat_at: Option<Timestamp>,
    pub runner_version: Option<String>,
    /// The version of its current key.
    pub key_version: i32,
    /// The key version that the host was asked to rotate to.
    #[serde(default)]
    pub key_version_wanted: Option<i32>,
    /// Whether it has not replaced its key yet. A linked host does so immediately, an absent one when it returns.
    #[serde(default)]
    pub rotation_due: bool,
    /// The latest metrics of the machine.
    pub last_metrics: Option<HostMetrics>,
    #[schema(value_type = BTreeMap<String, String>)]
    pub labels: Labels,
    /// The queues that it may serve. It serves those of them that its runner offers.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub queues: QueueNames,
    /// Whether the host should always be online. If not, it counts as asleep instead of offline.
    pub always_on: bool,
    /// Limits of its jobs.
    pub limits: HostLimits,
    /// The address of the host's primary hub, if it is not this one. This hub then is a mirror for the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary_hub: Option<String>,
    /// When it joined.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Limits of the jobs on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostLimits {
    /// The limit of running jobs; null for no limit.
    pub max_running: Option<i32>,
    /// The limit of starts per minute; null for no limit.
    pub jobs_per_minute: Option<i32>,
}

/// A host with its session, marks, servers and runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostDetail {
    #[serde(flatten)]
    pub host: Host,
    /// Operating system and hardware.
    pub machine: Machine,
    /// The current or the last session with the hub.
    pub session: Option<HostSession>,
    /// The active pause.
    pub pause: Option<HostMark>,
    /// The active mark as degraded.
    pub degraded_mark: Option<HostMark>,
    /// The host's own threshold for counting as offline; null for the org's.
    pub offline_after_seconds: Option<u32>,
    /// The host's own delay of offline alerts; null for the org's.
    pub alert_after_seconds: Option<u32>,
    /// The queues that its runner offers to serve.
    #[serde(default)]
    pub queues_offered: Vec<String>,
    /// The other orgs whose jobs it runs.
    #[serde(default)]
    pub shared_with: Vec<HostShare>,
    /// Its servers.
    #[serde(default)]
    pub servers: Vec<super::server::Server>,
    /// The running runs, longest first; at most 100.
    #[serde(default)]
    pub running: Vec<HostRun>,
    /// The last 20 finished runs, newest first.
    #[serde(default)]
    pub last_runs: Vec<HostRun>,
    /// Data of the host that the hub rejected, newest first.
    #[serde(default)]
    pub rejections: Vec<HostRejection>,
}

/// Data of a host that the hub rejected for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostRejection {
    #[schema(value_type = String, example = "foreign_row")]
    pub reason: RejectReason,
    /// Whether only a faulty or hostile runner sends such data.
    pub is_misbehavior: bool,
    pub count: i64,
    /// The last case.
    pub detail: String,
    #[schema(value_type = String, format = DateTime)]
    pub first_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub last_at: Timestamp,
}

/// The schedules of a host, and its catch-up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostSchedules {
    /// The schedules whose jobs run only on this host, sorted by label.
    pub items: Vec<HostSchedule>,
    /// The catch-up of missed times; only for an online host that is not always on.
    pub catch_up: Option<CatchUp>,
}

/// A schedule and its history on one host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostSchedule {
    #[schema(value_type = String)]
    pub id: TriggerId,
    pub label: String,
    /// Whether it creates jobs.
    pub is_enabled: bool,
    /// The schedule in words.
    pub description: String,
    /// The time zone of the schedule.
    pub timezone: String,
    pub definition_key: String,
    /// The next time it fires.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_fire_at: Option<Timestamp>,
    /// The last success on this host.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub succeeded_at: Option<Timestamp>,
    /// When the schedule becomes stale unless it succeeds before; only on hosts that are not always on, after a first
    /// success.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub stale_at: Option<Timestamp>,
    /// The last 30 days in the schedule's time zone, oldest first.
    pub days: Vec<ScheduleDay>,
}

/// One day of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScheduleDay {
    #[schema(example = "2026-11-16")]
    pub date: String,
    /// The worst outcome of the day: `idle`, `done`, `open`, `missed` or `failed`.
    #[schema(value_type = String, example = "done")]
    pub state: DayState,
    /// The number of the schedule's times on this day.
    pub times: u32,
}

/// The catch-up of missed times after a host has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CatchUp {
    /// When the missed times are evaluated: some time after the host has returned.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The number of jobs created since the host has returned.
    pub jobs: u32,
}

/// A run on a host. For a run of another org on a shared host only the org and the times are set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostRun {
    /// The slug of the org, if it is another org.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_key: Option<String>,
    /// The number of the run within its job, from 1.
    pub no: i32,
    #[schema(value_type = String, example = "succeeded")]
    pub status: RunStatus,
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    pub duration_ms: Option<i64>,
    pub exit_code: Option<i32>,
    /// The error, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
}

/// Options for the removal of a host.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HostRemoval {
    /// Cancel the host's queued and running jobs and remove its servers; otherwise a host with such jobs or servers is
    /// not removed.
    #[serde(default)]
    pub cancel_jobs: bool,
}

/// An org with which a host is shared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostShare {
    /// The slug of the org.
    pub org: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// Shares a host with another org, or ends the sharing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostShareRequest {
    /// The slug or id of the other org.
    pub org: String,
}

/// A session of a runner with its hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostSession {
    /// The number of the session; a new session has a higher one.
    pub epoch: i64,
    #[schema(value_type = String, format = DateTime)]
    pub connected_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub closed_at: Option<Timestamp>,
    /// The reason that the runner gave when it disconnected.
    pub goodbye: Option<String>,
    /// The address from which it connected.
    pub address: Option<String>,
    /// The host's clock minus the hub's.
    pub clock_skew_ms: Option<i64>,
}

/// A pause, or a mark as degraded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostMark {
    /// The reason.
    pub note: String,
    /// When it expires; null if it does not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

/// Selects hosts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HostQuery {
    /// Only hosts in these states, separated by commas.
    pub status: Option<String>,
    /// A label selector, as in `env=prod,zone in (a,b),!gpu`.
    pub labels: Option<String>,
    /// Only names that match; `*` matches any characters.
    pub name: Option<String>,
    /// The start of the page: `next` of the previous page.
    pub cursor: Option<String>,
    /// Page size, 1 to 1,000.
    pub limit: Option<u32>,
}

/// Changes to a host. Absent fields keep their value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostPatch {
    /// The new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Labels to set; `null` removes a label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, Option<String>>>,
    /// The queues that it may serve; an empty list for only the jobs that are bound to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub queues: Option<QueueNames>,
    /// Whether the host should always be online.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always_on: Option<bool>,
    /// The limit of running jobs; `null` for no limit.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub max_running: Option<Option<i32>>,
    /// The limit of starts per minute; `null` for no limit.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub jobs_per_minute: Option<Option<i32>>,
    /// Seconds without a heartbeat until the host counts as offline; `null` for the org's setting.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub offline_after_seconds: Option<Option<u32>>,
    /// Seconds offline until an alert is raised; `null` for the org's setting.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub alert_after_seconds: Option<Option<u32>>,
    /// Only validate, and return what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// Distinguishes a field that is `null` from an absent one.
pub(crate) mod present {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }

    #[expect(clippy::ref_option, reason = "the signature is serde's")]
    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<Option<T>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().and_then(Option::as_ref).serialize(serializer)
    }
}

/// Pauses a host or marks it as degraded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostMarkRequest {
    /// The reason, shown with the host.
    #[serde(default)]
    pub note: String,
    /// When it expires; null if it does not.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

/// A join token, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JoinToken {
    #[schema(value_type = String)]
    pub id: JoinTokenId,
    /// The first characters of the secret.
    pub hint: String,
    /// Labels of the hosts that join with it.
    #[schema(value_type = BTreeMap<String, String>)]
    pub labels: Labels,
    /// The queues that these hosts may serve.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub queues: QueueNames,
    /// Whether these hosts should always be online; null leaves it to the joining machine.
    pub always_on: Option<bool>,
    /// The number of hosts that may join with it.
    pub uses: i32,
    /// The number of hosts that have joined with it.
    pub used: i32,
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// A join token to create.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinTokenRequest {
    /// The number of hosts that may join with it; 1 if absent.
    #[serde(default)]
    pub uses: Option<u32>,
    /// The lifetime; 15 minutes if absent.
    #[serde(default)]
    pub ttl_seconds: Option<u32>,
    /// Labels of the hosts that join with it.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>)]
    pub labels: Labels,
    /// The queues that these hosts may serve; the default queue if absent.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub queues: QueueNames,
    /// Whether these hosts should always be online; if absent, the joining machine decides.
    #[serde(default)]
    pub always_on: Option<bool>,
}

/// The new join token with its secret, which is shown only once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JoinTokenCreated {
    #[serde(flatten)]
    pub token: JoinToken,
    /// The secret; it cannot be shown again.
    pub secret: String,
    /// The command to run on a machine where Hostler is installed.
    pub command: String,
    /// The command for a machine without Hostler: it downloads the program from this hub, joins and installs a service.
    /// Only for machines with the hub's platform; null if the hub does not offer the download.
    #[serde(default)]
    pub install: Option<String>,
}
