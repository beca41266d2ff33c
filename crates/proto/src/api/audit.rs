//! The audit log.

use domain::{AuditId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// One line of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// Its id.
    #[schema(value_type = String)]
    pub id: AuditId,
    /// Its number in the chain, once sealed.
    pub number: Option<i64>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Who: the kind of actor.
    pub actor_kind: String,
    /// Who: the id.
    pub actor_id: Option<String>,
    /// Who: the name at that time.
    pub actor: String,
    /// From where.
    pub address: Option<String>,
    /// What, as in `host.renamed`.
    pub action: String,
    /// To what: the kind.
    pub subject_kind: String,
    /// To what: the id.
    pub subject_id: Option<String>,
    /// To what: the name at that time.
    pub subject: Option<String>,
    /// From what to what.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub diff: serde_json::Value,
    /// The request, as in the hub's log.
    pub request_id: Option<String>,
}

/// Which lines of the audit log.
#[derive(Debug, Clone, Default, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// The name of an actor.
    pub actor: Option<String>,
    /// An action, or its beginning with a `*`, as in `host.*`.
    pub action: Option<String>,
    /// Not before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    pub since: Option<Timestamp>,
    /// Where the page starts: `next` of the page before.
    pub cursor: Option<String>,
    /// How many rows, 1 to 1,000.
    pub limit: Option<u32>,
}

/// What a check of the chain found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditVerdict {
    /// Whether every sealed row is as it was sealed.
    pub is_intact: bool,
    /// The first thing wrong.
    pub problem: Option<String>,
    /// How many rows are sealed.
    pub sealed: i64,
    /// How many rows wait to be sealed.
    pub unsealed: i64,
}
