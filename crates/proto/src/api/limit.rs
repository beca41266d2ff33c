//! Limits by limit key, and pauses.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A limit shared by the jobs of an org with the same limit key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Limit {
    pub key: String,
    /// The limit of running jobs; null for no limit.
    pub max_running: Option<i32>,
    /// The limit of starts per minute; null for no limit.
    pub jobs_per_minute: Option<i32>,
    /// Running jobs.
    pub running: i32,
}

/// The limits of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Limits {
    /// Sorted by key.
    pub items: Vec<Limit>,
}

/// Sets a limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitRequest {
    /// The limit of running jobs; null for no limit.
    #[serde(default)]
    pub max_running: Option<i32>,
    /// The limit of starts per minute; null for no limit.
    #[serde(default)]
    pub jobs_per_minute: Option<i32>,
}

/// A pause: its jobs stay queued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pause {
    /// `org`, `definition`, `queue` or `key`.
    pub kind: String,
    /// The name of the definition, queue or key; empty for the org.
    pub subject: String,
    /// The reason.
    pub note: String,
    /// When it expires; null if it does not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// The active pauses of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pauses {
    pub items: Vec<Pause>,
}

/// Pauses an org, definition, queue or key, or ends its pause.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseRequest {
    /// `org`, `definition`, `queue` or `key`.
    pub kind: String,
    /// The name of the definition, queue or key; empty for the org.
    #[serde(default)]
    pub subject: String,
    /// The reason.
    #[serde(default)]
    pub note: String,
    /// When it expires; null if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// End the pause.
    #[serde(default)]
    pub resume: bool,
}
