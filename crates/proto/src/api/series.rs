//! Metrics over time.

use domain::{Timestamp, series::Unit};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Selects a time range.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeriesQuery {
    /// Start; one hour before `before` if absent. Metrics are stored for eight days.
    #[param(value_type = Option<String>, format = DateTime)]
    pub after: Option<Timestamp>,
    /// End; now if absent.
    #[param(value_type = Option<String>, format = DateTime)]
    pub before: Option<Timestamp>,
}

/// Metrics over a time range, in steps of equal length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeriesSet {
    /// Start of the first step.
    #[schema(value_type = String, format = DateTime)]
    pub after: Timestamp,
    /// End of the last step.
    #[schema(value_type = String, format = DateTime)]
    pub before: Timestamp,
    /// The length of a step in seconds.
    #[schema(example = 60)]
    pub step_s: i64,
    pub series: Vec<Series>,
}

/// The values of one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Series {
    /// For hosts `cpu`, `memory`, `disk`, `load`; for servers `cpu`, `memory`; for jobs `enqueued`, `succeeded`,
    /// `failed`, `dead_letter`, `canceled`, `wait_p50`, `wait_p95`, `run_p50`, `run_p95`.
    #[schema(example = "cpu")]
    pub name: String,
    /// `ratio`, `bytes`, `count` or `seconds`. The CPU usage of a server is a ratio of one core.
    #[schema(value_type = String, example = "ratio")]
    pub unit: Unit,
    /// One value per step; null without a measurement.
    pub values: Vec<Option<f64>>,
}
