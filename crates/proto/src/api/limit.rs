//! Limits by free key, and pauses.

use domain::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A limit that jobs of an org share by a key they name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Limit {
    /// The key.
    pub key: String,
    /// How many may run at once; none = any number.
    pub max_running: Option<i32>,
    /// How many may begin in any minute; none = any number.
    pub jobs_per_minute: Option<i32>,
    /// How many run.
    pub running: i32,
}

/// The limits of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Limits {
    /// By key.
    pub items: Vec<Limit>,
}

/// Sets a limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitRequest {
    /// How many may run at once.
    #[serde(default)]
    pub max_running: Option<i32>,
    /// How many may begin in any minute.
    #[serde(default)]
    pub jobs_per_minute: Option<i32>,
}

/// A pause: jobs under it stay queued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pause {
    /// `org`, `definition`, `queue` or `key`.
    pub kind: String,
    /// Which definition, queue or key; empty for the org.
    pub subject: String,
    /// Why.
    pub note: String,
    /// When it ends by itself.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// Who paused it.
    pub created_by: String,
    /// Since when.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// The pauses of an org.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pauses {
    /// Those in force.
    pub items: Vec<Pause>,
}

/// Pauses something, or ends its pause.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PauseRequest {
    /// `org`, `definition`, `queue` or `key`.
    pub kind: String,
    /// Which definition, queue or key; empty for the org.
    #[serde(default)]
    pub subject: String,
    /// Why.
    #[serde(default)]
    pub note: String,
    /// When it ends by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub until: Option<Timestamp>,
    /// End the pause instead.
    #[serde(default)]
    pub resume: bool,
}
