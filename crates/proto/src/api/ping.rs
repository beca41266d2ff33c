//! Programs elsewhere that say when they run.

use domain::{PingId, Timestamp, ping::PingWord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A program elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ping {
    /// Its id.
    #[schema(value_type = String)]
    pub id: PingId,
    /// What people call it.
    pub label: String,
    /// When it is expected: by the clock.
    pub cron_expr: Option<String>,
    /// The zone of that.
    pub timezone: Option<String>,
    /// Or at least so often.
    pub period_seconds: Option<u32>,
    /// How late it may be, and how long it may take.
    pub grace_seconds: u32,
    /// `new`, `up`, `started`, `late` or `down`.
    #[schema(example = "up")]
    pub status: String,
    /// When its next success is expected.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expected_at: Option<Timestamp>,
    /// When it last succeeded.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub succeeded_at: Option<Timestamp>,
    /// When it last said anything.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub said_at: Option<Timestamp>,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// All of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pings {
    /// Them.
    pub items: Vec<Ping>,
}

/// One to watch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PingRequest {
    /// What people call it.
    pub label: String,
    /// When it is expected: by the clock.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The zone of that; the org's if absent.
    #[serde(default)]
    pub timezone: Option<String>,
    /// Or at least so often.
    #[serde(default)]
    pub period_seconds: Option<u32>,
    /// How late it may be, and how long it may take; an hour if absent.
    #[serde(default)]
    pub grace_seconds: Option<u32>,
}

/// A new one, with the address it says so at. The address is shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PingMade {
    /// It.
    pub ping: Ping,
    /// Where it says that it ran; `/start`, `/fail`, `/log` or an exit code may follow.
    pub url: String,
}

/// Something that it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PingSaid {
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// What.
    #[schema(value_type = String, example = "success")]
    pub word: PingWord,
    /// Which run of it.
    pub rid: Option<String>,
    /// With which exit code.
    pub exit_code: Option<i32>,
    /// From where.
    pub address: String,
    /// What it sent along, cut.
    pub body: String,
}

/// What it said, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PingHistory {
    /// Them.
    pub items: Vec<PingSaid>,
}

/// What a program adds to its sign of life.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PingQuery {
    /// Which run of it: keeps two runs at once apart in its history.
    pub rid: Option<String>,
}
