//! The hub: identity, status, loops and events.

use domain::{HubId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::link::Bytes32;

/// Public information about a hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HubInfo {
    pub version: String,
    #[schema(value_type = String)]
    pub public_key: Bytes32,
    /// The key's fingerprint, for comparison by people.
    pub fingerprint: String,
    /// The lowest and the highest supported version of the runner protocol.
    #[schema(value_type = Vec<u32>)]
    pub link_versions: (u32, u32),
    /// The hub's time.
    #[schema(value_type = String, format = DateTime)]
    pub time: Timestamp,
}

/// The status of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Status {
    pub hub_version: String,
    /// `sqlite` or `postgres`.
    pub database: String,
    /// Since when at least one hub has been running without a break.
    #[schema(value_type = String, format = DateTime)]
    pub watching_since: Timestamp,
    /// The slug of the org.
    pub org: String,
    /// The number of hosts by state, without states that have none.
    pub hosts: std::collections::BTreeMap<String, u32>,
    /// The number of hosts by runner version.
    pub runner_versions: std::collections::BTreeMap<String, u32>,
}

/// A background loop of the hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Loop {
    pub name: String,
    /// `waiting`, `running`, `backing_off` or `stopped`.
    pub state: String,
    /// The number of passes since the start.
    pub passes: u64,
    /// The number of failed passes.
    pub errors: u64,
    /// The number of passes that panicked.
    pub panics: u64,
    /// The end of the last pass.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_at: Option<Timestamp>,
    /// The duration of the last pass.
    pub last_ms: Option<u64>,
    /// The last error; null after a successful pass.
    pub last_error: Option<String>,
    /// When the next pass is due.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
}

/// The loops of a hub process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HubLoops {
    /// The id of the process.
    #[schema(value_type = String)]
    pub hub_id: HubId,
    pub loops: Vec<Loop>,
}

/// An event on `/api/v1/events`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LiveEvent {
    /// As in `host.online`.
    #[serde(rename = "type")]
    pub kind: String,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The host it is about.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_id: Option<domain::HostId>,
    /// Pass as `cursor` to receive all events after this one; absent for events that are not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<i64>,
    /// The fields that changed.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub data: serde_json::Value,
}

/// Selects events.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// Only events after this one: the `cursor` of an event.
    pub cursor: Option<i64>,
    /// Only events whose name starts with one of these prefixes, separated by commas, as in `job.,job_run.`.
    pub types: Option<String>,
    /// Page size of a list, 1 to 1,000.
    pub limit: Option<u32>,
}

/// A page of events, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    pub items: Vec<LiveEvent>,
    /// Pass as `cursor` for later events; absent if this page is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}
