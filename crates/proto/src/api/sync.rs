//! The progress of replication between hosts and hubs.

use domain::{
    HostId, HubId, Timestamp,
    sync::{SyncPriority, frame::SyncError},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// The progress of replication.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncStatus {
    /// The rows of hosts on this hub, by host and priority.
    pub hosts: Vec<SyncPriorityStatus>,
    /// This machine's own rows, by hub and priority; only in standalone mode.
    pub own: Vec<SyncOwnPriorityStatus>,
    /// Parked rows, newest first; at most 100, and none if the caller is no admin.
    pub parked: Vec<SyncParked>,
    /// Rows of this machine that hubs have rejected in the last week, newest first; at most 100, only for admins and in
    /// standalone mode.
    #[serde(default)]
    pub refused: Vec<SyncRefused>,
}

/// A row of this machine that a hub has rejected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncRefused {
    #[schema(value_type = String)]
    pub hub_id: HubId,
    pub table: String,
    pub id: String,
    #[schema(value_type = String, example = "ownership_violation")]
    pub error: SyncError,
    /// When the hub last rejected it.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// Replication of one host's rows with one priority to this hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncPriorityStatus {
    #[schema(value_type = String)]
    pub host_id: HostId,
    /// The name of the host.
    pub host: String,
    /// The priority: `control` or `bulk`.
    #[schema(value_type = String)]
    pub priority: SyncPriority,
    /// Changes that the host has reported and this hub has not stored yet.
    pub behind: u64,
    /// How long this hub has been behind.
    pub behind_seconds: i64,
    /// Whether a full resend is in progress.
    pub is_resetting: bool,
    /// Parked rows of the host.
    pub parked: u64,
    /// The reason of the last parked row.
    #[schema(value_type = Option<String>)]
    pub last_error: Option<SyncError>,
    /// When rows were last stored.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// Replication of this machine's rows with one priority to a hub.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncOwnPriorityStatus {
    /// The hub; null if no hub has confirmed any row.
    #[schema(value_type = Option<String>)]
    pub hub_id: Option<HubId>,
    /// The priority: `control` or `bulk`.
    #[schema(value_type = String)]
    pub priority: SyncPriority,
    /// The sequence number of the last change.
    pub head: u64,
    /// Rows that the hub has not confirmed.
    pub waiting: u64,
    /// Seconds since the last confirmation, if rows are waiting.
    pub waiting_seconds: i64,
    /// The last confirmation by the hub.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub confirmed_at: Option<Timestamp>,
}

/// A parked row: received, but not stored in its table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncParked {
    /// The name of the host.
    pub host: String,
    pub table: String,
    /// The id of the row.
    pub id: String,
    /// Why the row is parked.
    #[schema(value_type = String)]
    pub error: SyncError,
    /// The content of the row, with the values of environments masked.
    pub body: Value,
    /// When it was parked.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

/// Selects the host whose rows are summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
pub struct DigestQuery {
    /// The host, by name or id; this machine's own rows if absent.
    pub host: Option<String>,
}

/// The checksum of a table. Two sides with equal counts and sums have the same rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableDigest {
    pub table: String,
    /// The number of rows.
    pub rows: u64,
    /// The checksum, in hexadecimal.
    pub sum: String,
}
