//! Pings: external programs that report when they run.

use domain::{PingId, Timestamp, ping::PingWord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A monitored external program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ping {
    #[schema(value_type = String)]
    pub id: PingId,
    pub label: String,
    /// When a success is expected, as a cron expression.
    pub cron_expr: Option<String>,
    /// The time zone of `cron_expr`.
    pub timezone: Option<String>,
    /// The longest time between two successes, instead of `cron_expr`.
    pub period_seconds: Option<u32>,
    /// How late a success may be, and how long a run may take after its start.
    pub grace_seconds: u32,
    /// `new`, `up`, `started`, `late` or `down`.
    #[schema(example = "up")]
    pub status: String,
    /// When the next success is expected.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expected_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub succeeded_at: Option<Timestamp>,
    /// When the last report arrived.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub reported_at: Option<Timestamp>,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

/// All pings of an org.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pings {
    pub items: Vec<Ping>,
}

/// A ping to create.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PingRequest {
    /// The name for people.
    pub label: String,
    /// When a success is expected, as a cron expression.
    #[serde(default)]
    pub cron_expr: Option<String>,
    /// The time zone of `cron_expr`; the org's if absent.
    #[serde(default)]
    pub timezone: Option<String>,
    /// The longest time between two successes, instead of `cron_expr`.
    #[serde(default)]
    pub period_seconds: Option<u32>,
    /// How late a success may be, and how long a run may take after its start; one hour if absent.
    #[serde(default)]
    pub grace_seconds: Option<u32>,
}

/// The new ping with its URL, which is shown only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PingMade {
    pub ping: Ping,
    /// The URL for reports; `/start`, `/fail`, `/log` or an exit code may be appended.
    pub url: String,
}

/// A report of an external program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PingReport {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// `start`, `success`, `fail` or `log`.
    #[schema(value_type = String, example = "success")]
    pub word: PingWord,
    /// The run id given by the program.
    pub rid: Option<String>,
    /// The exit code given by the program.
    pub exit_code: Option<i32>,
    /// The client's address.
    pub address: String,
    /// The body of the request, truncated.
    pub body: String,
}

/// The reports of an external program, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PingHistory {
    pub items: Vec<PingReport>,
}

/// Parameters of a report.
#[derive(Debug, Clone, Default, Deserialize, Serialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PingQuery {
    /// An id of the run, to tell simultaneous runs apart.
    pub rid: Option<String>,
}
