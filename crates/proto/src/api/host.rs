//! Hosts and the tokens they join with.

use std::collections::BTreeMap;

use domain::{
    HostId, JobId, JoinTokenId, Labels, Timestamp, TriggerId, job::RunStatus, presence::HostStatus,
    schedule_history::DayState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::metrics::{HostMetrics, Machine};

/// A host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Host {
    /// Its id.
    #[schema(value_type = String)]
    pub id: HostId,
    /// Its name, unique in its org.
    pub name: String,
    /// Its state.
    #[schema(value_type = String, example = "online")]
    pub status: HostStatus,
    /// Why it is in that state, for people.
    pub status_reason: String,
    /// When its runner was last heard.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_heartbeat_at: Option<Timestamp>,
    /// Its runner's version.
    pub runner_version: Option<String>,
    /// The version of its key in force.
    pub key_version: i32,
    /// The last reading of the machine.
    pub last_metrics: Option<HostMetrics>,
    /// Its labels.
    #[schema(value_type = BTreeMap<String, String>)]
    pub labels: Labels,
    /// Whether silence is a fault.
    pub always_on: bool,
    /// What it takes on at once.
    pub limits: HostLimits,
    /// Where its work comes from, if not from this hub: this one is a mirror to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// When it joined.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// What a host takes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HostLimits {
    /// Jobs running at once; none = no limit.
    pub max_running: Option<i32>,
    /// Jobs started per minute; none = no limit.
    pub jobs_per_minute: Option<i32>,
}

/// A host with all that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostDetail {
    /// The host.
    #[serde(flatten)]
    pub host: Host,
    /// What machine it is.
    pub machine: Machine,
    /// Its session with the hub, if one is or was open.
    pub session: Option<HostSession>,
    /// The pause in force.
    pub pause: Option<HostMark>,
    /// The mark "degraded" in force.
    pub degrade: Option<HostMark>,
    /// Its own threshold, if it differs from the org's.
    pub offline_after_seconds: Option<u32>,
    /// Its own threshold for alerts, if it differs from the org's.
    pub alert_after_seconds: Option<u32>,
    /// The key version it is asked to rotate to at its next hello.
    pub key_version_wanted: Option<i32>,
    /// The other orgs whose jobs it takes too, by slug.
    #[serde(default)]
    pub shared_with: Vec<HostShare>,
    /// Its servers.
    #[serde(default)]
    pub servers: Vec<super::server::Server>,
    /// What runs now, longest first; the first 100.
    #[serde(default)]
    pub running: Vec<HostRun>,
    /// The last 20 runs that ended, newest first.
    #[serde(default)]
    pub last_runs: Vec<HostRun>,
}

/// The schedules of a host, and what it makes up for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostSchedules {
    /// Those whose jobs go to this host and to no other in its stead, by label.
    pub items: Vec<HostSchedule>,
    /// What it missed, for a host that comes and goes and is here.
    pub catch_up: Option<CatchUp>,
}

/// A schedule, as it went on one host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostSchedule {
    /// Its id.
    #[schema(value_type = String)]
    pub id: TriggerId,
    /// What people call it.
    pub label: String,
    /// Whether it makes jobs.
    pub is_enabled: bool,
    /// When, in words.
    pub description: String,
    /// The zone its hours are in.
    pub timezone: String,
    /// What it runs.
    pub definition_key: String,
    /// When it fires next.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_fire_at: Option<Timestamp>,
    /// When it last succeeded on this host.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub succeeded_at: Option<Timestamp>,
    /// When it is called stale, unless it succeeds before; only on hosts that come and go, after a first success.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub stale_at: Option<Timestamp>,
    /// The last 30 days, the oldest first, on its own clocks.
    pub days: Vec<ScheduleDay>,
}

/// One day of a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScheduleDay {
    /// Which.
    #[schema(example = "2026-11-16")]
    pub date: String,
    /// How it went: what went worst counts.
    #[schema(value_type = String, example = "done")]
    pub state: DayState,
    /// How many times were on it.
    pub times: u32,
}

/// How a host that came back makes up for what it missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CatchUp {
    /// When that is looked at: it is left alone for a while after it has come back.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The jobs it came to since the host is back.
    pub jobs: u32,
}

/// A run, as its host shows it. Of another org's run on a shared host only the org and the times are shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostRun {
    /// The org whose job it is, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
    /// The job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub job_id: Option<JobId>,
    /// What it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition_key: Option<String>,
    /// Its number among the job's runs.
    pub no: i32,
    /// How it stands.
    #[schema(value_type = String, example = "succeeded")]
    pub status: RunStatus,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// How long it took.
    pub duration_ms: Option<i64>,
    /// How its process ended.
    pub exit_code: Option<i32>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
}

/// How a host is removed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HostRemoval {
    /// Cancel the jobs that wait for it or run on it; without this such a host stays.
    #[serde(default)]
    pub cancel_jobs: bool,
}

/// An org that a host is shared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostShare {
    /// Its slug.
    pub org: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// Puts a host into the pool of another org, or takes it out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostShareRequest {
    /// The other org: slug or id.
    pub org: String,
}

/// A session of a runner with its hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostSession {
    /// Its number.
    pub epoch: i64,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub connected_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub closed_at: Option<Timestamp>,
    /// What the runner said when it left.
    pub goodbye: Option<String>,
    /// From where it connected.
    pub address: Option<String>,
    /// The host's clock minus the hub's.
    pub clock_skew_ms: Option<i64>,
}

/// A note by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HostMark {
    /// Why.
    pub note: String,
    /// When it ends by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

/// Which hosts.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HostQuery {
    /// States, separated by commas.
    pub status: Option<String>,
    /// A selector over labels, as in `env=prod,zone in (a,b),!gpu`.
    pub labels: Option<String>,
    /// A part of the name, with `*` for any letters.
    pub name: Option<String>,
    /// Where the page starts: `next` of the page before.
    pub cursor: Option<String>,
    /// How many rows, 1 to 1,000.
    pub limit: Option<u32>,
}

/// Changes to a host; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Labels to set; `null` removes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<BTreeMap<String, Option<String>>>,
    /// Whether silence is a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always_on: Option<bool>,
    /// Jobs running at once; `null` = no limit.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub max_running: Option<Option<i32>>,
    /// Jobs started per minute; `null` = no limit.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i32>)]
    pub jobs_per_minute: Option<Option<i32>>,
    /// Seconds of silence until it is offline; `null` = the org's.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub offline_after_seconds: Option<Option<u32>>,
    /// Seconds until somebody is told; `null` = the org's.
    #[serde(default, with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub alert_after_seconds: Option<Option<u32>>,
    /// Only say what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// Tells a field that is `null` from one that is absent.
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

/// Pauses a host or marks it degraded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HostMarkRequest {
    /// Why; shown wherever the host is shown.
    #[serde(default)]
    pub note: String,
    /// When it ends by itself.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
}

/// A join token, without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JoinToken {
    /// Its id.
    #[schema(value_type = String)]
    pub id: JoinTokenId,
    /// How it begins.
    pub hint: String,
    /// Labels for the hosts that join with it.
    #[schema(value_type = BTreeMap<String, String>)]
    pub labels: Labels,
    /// Whether silence of these hosts is a fault.
    pub always_on: Option<bool>,
    /// How many hosts may join with it.
    pub uses: i32,
    /// How many have.
    pub used: i32,
    /// When it ends.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// When it was revoked.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub revoked_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// Asks for a join token.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinTokenRequest {
    /// For how many hosts; 1 unless said.
    #[serde(default)]
    pub uses: Option<u32>,
    /// For how long; 15 minutes unless said.
    #[serde(default)]
    pub ttl_seconds: Option<u32>,
    /// Labels for the hosts that join with it.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>)]
    pub labels: Labels,
    /// Whether silence of these hosts is a fault; the joining machine decides if absent.
    #[serde(default)]
    pub always_on: Option<bool>,
}

/// A join token with its secret, shown once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JoinTokenCreated {
    /// The token.
    #[serde(flatten)]
    pub token: JoinToken,
    /// The secret: never shown again.
    pub secret: String,
    /// What to type on a machine that has Hostler.
    pub command: String,
    /// What to type on one that has not: it fetches the hub's own program, joins and keeps it running. For machines of
    /// the hub's own platform; none if the hub does not hand it out.
    #[serde(default)]
    pub install: Option<String>,
}
