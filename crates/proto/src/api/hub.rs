//! The hub itself: who it is, how it is, what it watches.

use domain::{HubId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::link::Bytes32;

/// What everybody may know of a hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HubInfo {
    /// The program's version.
    pub version: String,
    /// The hub's public key.
    #[schema(value_type = String)]
    pub public_key: Bytes32,
    /// How people compare it.
    pub fingerprint: String,
    /// The versions of the runner link it speaks, least and most.
    #[schema(value_type = Vec<u32>)]
    pub link_versions: (u32, u32),
    /// Its clock.
    #[schema(value_type = String, format = DateTime)]
    pub time: Timestamp,
}

/// One glance at an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Status {
    /// The hub's version.
    pub hub_version: String,
    /// `sqlite` or `postgres`.
    pub database: String,
    /// Since when hubs have been listening without a break.
    #[schema(value_type = String, format = DateTime)]
    pub watching_since: Timestamp,
    /// The org's slug.
    pub org: String,
    /// Hosts by state; states without hosts are left out.
    pub hosts: std::collections::BTreeMap<String, u32>,
    /// Runner versions and how many hosts have them.
    pub runner_versions: std::collections::BTreeMap<String, u32>,
}

/// How one loop of the hub is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Loop {
    /// Its name.
    pub name: String,
    /// `waiting`, `running`, `backing_off` or `stopped`.
    pub state: String,
    /// Passes so far.
    pub passes: u64,
    /// How many of them failed.
    pub errors: u64,
    /// How many of them panicked.
    pub panics: u64,
    /// When the last one ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub last_at: Option<Timestamp>,
    /// How long it took.
    pub last_ms: Option<u64>,
    /// The last error, until a pass succeeds.
    pub last_error: Option<String>,
    /// When the next one is due.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
}

/// The hub's processes and loops.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HubLoops {
    /// This process.
    #[schema(value_type = String)]
    pub hub_id: HubId,
    /// Its loops.
    pub loops: Vec<Loop>,
}

/// One live event on `/api/v1/events`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LiveEvent {
    /// Its name, as in `host.online`.
    #[serde(rename = "type")]
    pub kind: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The host it is about.
    #[schema(value_type = Option<String>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_id: Option<domain::HostId>,
    /// Pass as `cursor` to hear everything after this event; absent on events that are not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<i64>,
    /// The fields that changed.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub data: serde_json::Value,
}

/// Which events.
#[derive(Debug, Clone, Default, Serialize, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventQuery {
    /// Everything after this: the `cursor` of an event.
    pub cursor: Option<i64>,
    /// Only events whose name begins with one of these, separated by commas, as in `job.,job_run.`.
    pub types: Option<String>,
    /// How many rows of a list, 1 to 1,000.
    pub limit: Option<u32>,
}

/// Events, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    /// The events.
    pub items: Vec<LiveEvent>,
    /// Pass as `cursor` for what comes after; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}
