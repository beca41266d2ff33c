//! Numbers over time.

use domain::{Timestamp, series::Unit};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeriesQuery {
    /// From when; an hour before `before` if absent. Numbers are kept for eight days.
    #[param(value_type = Option<String>, format = DateTime)]
    pub after: Option<Timestamp>,
    /// Until when; now if absent.
    #[param(value_type = Option<String>, format = DateTime)]
    pub before: Option<Timestamp>,
}

/// Numbers over a time, in steps of the same length: few enough for a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeriesSet {
    /// Where the first step begins.
    #[schema(value_type = String, format = DateTime)]
    pub after: Timestamp,
    /// Where the last one ends.
    #[schema(value_type = String, format = DateTime)]
    pub before: Timestamp,
    /// How long each is.
    #[schema(example = 60)]
    pub step_s: i64,
    /// Them.
    pub series: Vec<Series>,
}

/// The values of one name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Series {
    /// Of hosts `cpu`, `memory`, `disk`, `load`; of servers `cpu`, `memory`; of jobs `enqueued`, `succeeded`, `failed`,
    /// `dead_letter`, `canceled`, `wait_p50`, `wait_p95`, `run_p50`, `run_p95`.
    #[schema(example = "cpu")]
    pub name: String,
    /// `ratio`, `bytes`, `count` or `seconds`. The processor time of a server is a ratio of one core.
    #[schema(value_type = String, example = "ratio")]
    pub unit: Unit,
    /// One per step; null where nothing was seen.
    pub values: Vec<Option<f64>>,
}
