//! Definitions: the commands that jobs can run.

use std::collections::BTreeSet;

use domain::{Timestamp, definition::Definition as DefinitionValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// A definition; the OpenAPI document describes it by [`DefinitionSchema`].
pub type Definition = DefinitionValue;

/// The delays between attempts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BackoffSchema {
    /// The maximum of the first delay.
    pub initial_ms: i64,
    /// The maximum of all delays.
    pub cap_ms: i64,
    /// The growth of the maximum from one delay to the next.
    pub factor: f64,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Definition)]
pub struct DefinitionSchema {
    pub id: String,
    /// The name used by people and in jobs.
    pub key: String,
    /// Incremented by every change.
    pub version: i32,
    /// The purpose.
    pub description: String,
    /// The command: literal arguments, `{{ slots }}`, and groups (lists) that are omitted if a value is absent.
    pub argv: Vec<Value>,
    /// The JSON Schema of payloads.
    pub arg_schema: Value,
    /// The longest duration of a run.
    pub timeout_seconds: u32,
    pub max_attempts: u32,
    pub backoff: BackoffSchema,
    /// Exit codes that end the job without a retry.
    pub no_retry_exit_codes: BTreeSet<i32>,
    /// The handling of jobs whose host is lost: `retry` or `hold`; null means the default for its target.
    pub on_lost: Option<String>,
    /// Only runners that serve this queue take the jobs.
    pub queue: String,
    /// Only hosts with these labels run the jobs; null for all hosts.
    pub selector: Option<String>,
    /// The limit of running jobs; null for no limit.
    pub max_running: Option<u32>,
    /// The limit of starts per minute; null for no limit.
    pub jobs_per_minute: Option<u32>,
    /// The limit of running jobs on one host; null for no limit.
    pub max_running_per_host: Option<u32>,
    /// The limit of starts per minute on one host; null for no limit.
    pub jobs_per_minute_per_host: Option<u32>,
    /// Names of the org's secrets that are set in the environment of the process.
    pub secrets: Vec<String>,
    /// Names of the runner's environment variables that the process inherits.
    pub env_allow: Vec<String>,
    /// Names of environment variables that users of a server made from it may set; all others need a super admin.
    pub env_settable: Vec<String>,
    /// The user of the host that the process runs as; absent for the runner's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Slugs of the orgs that may use it; null for all.
    pub orgs: Option<Vec<String>>,
    /// Whether jobs can be created from it.
    pub is_active: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// A page of definitions, sorted by key.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionPage {
    #[schema(value_type = Vec<DefinitionSchema>)]
    pub items: Vec<Definition>,
    /// Pass as `cursor` for the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A definition to create, or the fields to change. Absent fields keep their value or get their default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DefinitionRequest {
    /// Only validate, and return what would change.
    #[serde(default)]
    pub dry_run: bool,
    /// The fields of the definition.
    #[serde(flatten)]
    #[schema(value_type = DefinitionSchema)]
    pub fields: serde_json::Map<String, Value>,
}

/// The result of creating or changing a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionPut {
    /// The definition after the change; with `dry_run` as it would be.
    #[schema(value_type = DefinitionSchema)]
    pub definition: Definition,
    pub changes: Vec<DefinitionChange>,
    /// Whether it was created.
    pub is_new: bool,
}

/// A changed field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DefinitionChange {
    pub field: String,
    /// The old value.
    pub old: Value,
    /// The new value.
    pub new: Value,
}

/// A version of a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionVersion {
    pub version: i32,
    pub created_by: String,
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// The differences from the previous version.
    pub changes: Vec<DefinitionChange>,
}

/// The versions of a definition, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionHistory {
    pub items: Vec<DefinitionVersion>,
}

/// Selects a page of definitions.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DefinitionQuery {
    /// The start of the page: `next` of the previous page.
    pub cursor: Option<String>,
    /// Page size, 1 to 1,000.
    pub limit: Option<u32>,
}
