//! How far rows have come between hosts and hubs.

use domain::{
    HostId, HubId, Timestamp,
    sync::{SyncPriority, frame::SyncError},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// How far the sync is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncStatus {
    /// What hosts have told this hub, by host and lane.
    pub hosts: Vec<SyncLane>,
    /// What this machine has told its hubs, by hub and lane. Only a runner's own desk has some.
    pub own: Vec<SyncOwnLane>,
    /// Rows that were put aside, newest first; the first hundred.
    pub parked: Vec<SyncParked>,
}

/// How far a host's lane is kept here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncLane {
    /// Whose.
    #[schema(value_type = String)]
    pub host_id: HostId,
    /// Its name.
    pub host: String,
    /// `control` or `bulk`.
    #[schema(value_type = String)]
    pub lane: SyncPriority,
    /// Changes that the host has told of and that are not kept here yet.
    pub behind: u64,
    /// For how long.
    pub behind_seconds: i64,
    /// Whether the host is telling everything anew.
    pub is_resetting: bool,
    /// Rows of the host that were put aside.
    pub parked: u64,
    /// Why the last of them was.
    #[schema(value_type = Option<String>)]
    pub last_error: Option<SyncError>,
    /// When something was last taken.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// How far a hub has this machine's lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncOwnLane {
    /// The hub; none if no hub has confirmed anything.
    #[schema(value_type = Option<String>)]
    pub hub_id: Option<HubId>,
    /// `control` or `bulk`.
    #[schema(value_type = String)]
    pub lane: SyncPriority,
    /// The number of the last change.
    pub head: u64,
    /// Rows that the hub does not have.
    pub waiting: u64,
    /// For how long nothing was confirmed, if some wait.
    pub waiting_seconds: i64,
    /// When the hub last confirmed something.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub confirmed_at: Option<Timestamp>,
}

/// A row that was put aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncParked {
    /// Whose.
    pub host: String,
    /// Its table.
    pub table: String,
    /// Which row.
    pub id: String,
    /// Why.
    #[schema(value_type = String)]
    pub error: SyncError,
    /// What it holds.
    pub body: Value,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// Whose rows to sum up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
pub struct DigestQuery {
    /// The host; this machine's own rows if absent.
    pub host: Option<String>,
}

/// A table's rows, summed up: two sides with the same number and sum have the same rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableDigest {
    /// The table.
    pub table: String,
    /// How many rows.
    pub rows: u64,
    /// Their sum, in hexadecimal.
    pub sum: String,
}
