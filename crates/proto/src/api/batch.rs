//! Bulk actions on all jobs that match a filter.

use domain::{
    BatchId, JobId, Timestamp,
    batch::{BatchAction, BatchStatus},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::job::JobTarget;

/// Starts a bulk action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchRequest {
    /// The action on each job: `cancel`, `retry` or `move`.
    #[schema(value_type = String, example = "retry")]
    pub action: BatchAction,
    /// Selects the jobs, as in `status:dead_letter after:-24h`. Jobs created later are not changed; jobs to which the
    /// action does not apply are skipped.
    pub filter: String,
    /// The reason, recorded with each job; for `cancel`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The new target; for `move`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<JobTarget>,
    /// The new priority; for `move`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
    /// Only count the matching jobs.
    #[serde(default)]
    pub dry_run: bool,
}

/// A bulk action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Batch {
    /// Not usable for a preview, which is not stored.
    #[schema(value_type = String)]
    pub id: BatchId,
    /// The action on each job.
    #[schema(value_type = String, example = "retry")]
    pub action: BatchAction,
    /// The filter that selects the jobs.
    pub filter: String,
    /// `preview`, `running`, `done` or `stopped`.
    #[schema(value_type = String, example = "running")]
    pub status: BatchStatus,
    /// The count of matching jobs when the action was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<BatchPreview>,
    /// Jobs examined so far.
    pub examined: i64,
    /// Matching jobs so far.
    pub matched: i64,
    /// Jobs changed successfully.
    pub done: i64,
    /// Jobs that could not be changed.
    pub failed: i64,
    /// The first failures.
    pub failures: Vec<BatchFailure>,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When a part of the jobs was last processed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
}

/// The number of matching jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchPreview {
    /// Matching jobs among the examined ones.
    pub count: u64,
    /// Whether all jobs were examined; if not, more may match.
    pub is_complete: bool,
}

/// A job that could not be changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchFailure {
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// The stable error code.
    pub code: String,
    /// The reason.
    pub detail: String,
}
