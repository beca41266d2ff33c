//! Bulk actions on the jobs that fit a filter.

use domain::{
    BatchId, JobId, Timestamp,
    batch::{BatchAction, BatchStatus},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::job::JobTarget;

/// Asks for a bulk action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    /// What to do to each job: `cancel`, `retry` or `move`.
    #[schema(value_type = String, example = "retry")]
    pub action: BatchAction,
    /// Which jobs, in the language of lists, as in `status:dead_letter after:-24h`. Those made later are left alone, and
    /// so are those to which the action cannot be done.
    pub filter: String,
    /// Why, for the record; of a cancel.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Where to; of a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<JobTarget>,
    /// The new priority; of a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// Only say how many jobs fit.
    #[serde(default)]
    pub dry_run: bool,
}

/// A bulk action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Batch {
    /// Its id; that of a preview means nothing.
    #[schema(value_type = String)]
    pub id: BatchId,
    /// What is done to each job.
    #[schema(value_type = String, example = "retry")]
    pub action: BatchAction,
    /// Which jobs.
    pub filter: String,
    /// How far it has come: `preview`, `running`, `done` or `stopped`.
    #[schema(value_type = String, example = "running")]
    pub status: BatchStatus,
    /// How many jobs fit, as far as was looked when it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<BatchPreview>,
    /// Jobs looked at so far.
    pub looked_at: i64,
    /// Jobs that fit so far.
    pub matched: i64,
    /// Jobs to which it was done.
    pub done: i64,
    /// Jobs to which it could not be done.
    pub failed: i64,
    /// The first of them.
    pub failures: Vec<BatchFailure>,
    /// Who asked.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it last got on.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

/// How many jobs fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchPreview {
    /// How many.
    pub count: u64,
    /// Whether all jobs were looked at; else there may be more.
    pub is_complete: bool,
}

/// A job to which it could not be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchFailure {
    /// The job.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// The stable code of the reason.
    pub code: String,
    /// The reason.
    pub detail: String,
}
