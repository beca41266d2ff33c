//! Definitions: the allow-listed commands.

use std::collections::BTreeSet;

use domain::{Timestamp, definition::Definition as DefinitionValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// A definition, as its fields stand in the domain. `schema` below describes it for the OpenAPI document.
pub type Definition = DefinitionValue;

/// How long to wait between tries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BackoffSchema {
    /// The ceiling of the first wait.
    pub initial_ms: i64,
    /// The ceiling of all waits.
    pub cap_ms: i64,
    /// How fast they grow.
    pub factor: f64,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Definition)]
pub struct DefinitionSchema {
    /// Its id.
    pub id: String,
    /// The name that people and jobs use.
    pub key: String,
    /// Grows with every change.
    pub version: i32,
    /// What it is for.
    pub description: String,
    /// The command: literal arguments, `{{ slots }}`, and groups that are left out when their value is absent.
    pub argv: Vec<Value>,
    /// What payloads it takes.
    pub arg_schema: Value,
    /// How long one run may take.
    pub timeout_seconds: u32,
    /// How often a job is tried.
    pub max_attempts: u32,
    /// How long it waits between tries.
    pub backoff: BackoffSchema,
    /// Exits after which another try would be in vain.
    pub no_retry_exit_codes: BTreeSet<i32>,
    /// `retry` or `hold`; what its target says if absent.
    pub on_lost: Option<String>,
    /// Which runners take it: those that serve this queue.
    pub queue: String,
    /// Which hosts may run it.
    pub selector: Option<String>,
    /// How many run at once.
    pub max_running: Option<u32>,
    /// How many start in a minute.
    pub jobs_per_minute: Option<u32>,
    /// How many run at once on one host.
    pub max_running_per_host: Option<u32>,
    /// How many start in a minute on one host.
    pub jobs_per_minute_per_host: Option<u32>,
    /// Names of the org's secrets that the process gets.
    pub secrets: Vec<String>,
    /// Names of the runner's environment that the process may see.
    pub env_allow: Vec<String>,
    /// Slugs of the orgs that may use it; none = all.
    pub orgs: Option<Vec<String>>,
    /// Whether jobs can be made from it.
    pub is_active: bool,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

/// One page of definitions, by key.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionPage {
    /// The definitions.
    #[schema(value_type = Vec<DefinitionSchema>)]
    pub items: Vec<Definition>,
    /// Pass as `cursor` for those after these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A definition to make, or changes to one: the fields of a definition; absent ones keep their value or default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DefinitionRequest {
    /// Only look: check it and say what would change.
    #[serde(default)]
    pub dry_run: bool,
    /// The fields.
    #[serde(flatten)]
    #[schema(value_type = DefinitionSchema)]
    pub fields: serde_json::Map<String, Value>,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionPut {
    /// The definition as it is now, or would be.
    #[schema(value_type = DefinitionSchema)]
    pub definition: Definition,
    /// What changed.
    pub changes: Vec<DefinitionChange>,
    /// Whether it is new.
    pub is_new: bool,
}

/// One field that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DefinitionChange {
    /// Which field.
    pub field: String,
    /// What it was.
    pub old: Value,
    /// What it is.
    pub new: Value,
}

/// A version of a definition.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionVersion {
    /// Its number.
    pub version: i32,
    /// Who made it.
    pub created_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// What changed against the version before.
    pub changes: Vec<DefinitionChange>,
}

/// The versions of a definition, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DefinitionHistory {
    /// The versions.
    pub items: Vec<DefinitionVersion>,
}

/// Which definitions.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DefinitionQuery {
    /// Where the page starts: `next` of the page before.
    pub cursor: Option<String>,
    /// How many rows, 1 to 1,000.
    pub limit: Option<u32>,
}
