//! The audit log.

use domain::{AuditId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    #[schema(value_type = String)]
    pub id: AuditId,
    /// The position in the org's hash chain; null until the entry is sealed.
    pub number: Option<i64>,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The kind of actor, as in `user` or `token`.
    pub actor_kind: String,
    /// The id of the actor.
    pub actor_id: Option<String>,
    /// The name of the actor at that time.
    pub actor: String,
    /// The client's address.
    pub address: Option<String>,
    /// The action, as in `host.renamed`.
    pub action: String,
    /// The kind of object that was changed.
    pub subject_kind: String,
    /// The id of the object.
    pub subject_id: Option<String>,
    /// The name of the object at that time.
    pub subject: Option<String>,
    /// The changed fields with their old and new values.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub diff: serde_json::Value,
    /// The id of the request, as in the hub's log.
    pub request_id: Option<String>,
}

/// Selects entries of the audit log.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// Only actions of the actor with this name.
    pub actor: Option<String>,
    /// Only this action; `*` at the end matches any rest, as in `host.*`.
    pub action: Option<String>,
    /// Only entries from this time on.
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    /// The start of the page: `next` of the previous page.
    pub cursor: Option<String>,
    /// Page size, 1 to 1,000.
    pub limit: Option<u32>,
}

/// The result of verifying the hash chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditVerdict {
    /// Whether all sealed entries are unaltered.
    pub is_intact: bool,
    /// The first problem found.
    pub problem: Option<String>,
    /// The number of sealed entries.
    pub sealed: i64,
    /// The number of entries that are not sealed yet.
    pub unsealed: i64,
}
