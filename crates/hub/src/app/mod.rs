//! Use cases of the hub, as methods of [`Hub`]. Each one authorizes, decides with `domain`, writes, and emits events.
//!
//! One file per resource. Beside those:
//! - `first_start` creates the first organization, its owner and the built-in definitions
//! - `home` promotes this hub to the primary hub of its hosts
//! - `host_removal`, `host_schedules` split what [`hosts`] would otherwise hold
//! - `install` serves the script that installs a runner
//! - `join` turns a join token into a host; `join_tokens` manages the tokens
//! - `password` hashes and checks passwords
//! - `pledge` lets a write check the caller's token in its own transaction
//! - `series` reads counts over time; `status` the state of the installation; `timeline` the history of a host
//! - `tokens_asked` looks up API tokens in batches, with a cache
//! - `views` holds the saved views of lists

pub mod alerts;
pub mod audit;
pub mod batches;
pub mod channels;
pub mod definitions;
pub mod first_start;
pub(crate) mod home;
pub mod hooks;
pub mod host_removal;
mod host_schedules;
pub mod hosts;
pub(crate) mod install;
pub mod jobs;
pub mod join;
pub mod join_tokens;
pub mod limits;
pub mod members;
pub mod orgs;
pub mod password;
pub mod pings;
pub mod pledge;
pub mod secrets;
pub(crate) mod series;
pub mod servers;
pub mod sign_in;
pub mod status;
pub mod sync;
pub mod timeline;
pub mod tokens;
pub(crate) mod tokens_asked;
pub mod triggers;
pub mod users;
mod views;
pub mod workers;

use domain::{Actor, Caller, HostId, Id, OrgId, Permission, audit::AuditRow, role::Scope};
use proto::Code;
use serde_json::Value;
use store::Tx;

use crate::{Error, Hub, Result};

/// The authenticated caller of a request, with the request's address and id, as the audit log records them.
#[derive(Debug, Clone)]
pub struct By {
    pub caller: Caller,
    pub address: String,
    pub request_id: String,
}

/// An entry for the audit log.
pub struct Deed<'a> {
    /// Dotted name such as `host.renamed`.
    pub action: &'a str,
    /// Kind of the changed resource, such as `host`.
    pub kind: &'a str,
    pub id: Option<String>,
    pub name: Option<&'a str>,
    /// The changed fields, each as `[before, after]`.
    pub diff: Value,
}

/// Returns `forbidden` if the caller's role lacks a permission.
fn must(caller: &Caller, permission: Permission) -> Result<()> {
    if caller.may(permission) {
        return Ok(());
    }
    let least = permission.least();
    Err(Error::new(Code::Forbidden, format!("this needs the role {least} (permission {permission})"))
        .hint("ask an admin of the org; `hostler whoami` shows your role"))
}

impl By {
    /// A runner that acts over its link.
    #[must_use]
    pub fn host(id: HostId, name: &str) -> Self {
        let actor = Actor::Host { id, name: name.to_owned() };
        Self {
            caller: Caller { actor, org: None, role: None, scope: Scope::Api },
            address: "link".to_owned(),
            request_id: String::new(),
        }
    }

    /// Hostler itself, for consequences of a request that have no caller of their own.
    #[must_use]
    pub fn system() -> Self {
        let role = Some(domain::Role::SuperAdmin);
        Self {
            caller: Caller { actor: Actor::System, org: None, role, scope: Scope::Api },
            address: "hub".to_owned(),
            request_id: String::new(),
        }
    }

    /// Returns an error if the caller's role lacks the permission.
    ///
    /// # Errors
    /// Fails if the permission is missing.
    pub fn must(&self, permission: Permission) -> Result<()> {
        must(&self.caller, permission)
    }

    /// Inserts an audit entry in the transaction of the change it describes, so that neither exists without the other.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn record(&self, hub: &Hub, tx: &mut Tx<'_>, org: Option<OrgId>, deed: Deed<'_>) -> Result<()> {
        let actor = &self.caller.actor;
        let row = AuditRow {
            id: hub.ids.next(),
            org,
            at: hub.now(),
            actor_kind: actor.kind(),
            actor_id: actor.id_text(),
            actor_name: actor.label(),
            address: Some(self.address.clone()),
            action: deed.action.to_owned(),
            subject_kind: deed.kind.to_owned(),
            subject_id: deed.id,
            subject_name: deed.name.map(str::to_owned),
            diff: deed.diff.to_string(),
            request_id: Some(self.request_id.clone()),
        };
        Ok(tx.audit_insert(&row).await?)
    }
}

/// Converts a row of the store into its form in the API.
pub(crate) trait FromStore<T> {
    fn from_store(stored: T) -> Self;
}

/// The id a page starts after: the cursor, or the lowest id if there is no cursor.
pub(crate) fn after_id<K>(cursor: Option<&str>) -> Result<Id<K>> {
    cursor.map_or(Ok(Id::from_bytes([0; 16])), |text| {
        text.parse().map_err(|_| Error::invalid("invalid cursor; use `next` of a page"))
    })
}

/// The fields that differ, as `{field: [before, after]}`.
#[must_use]
pub fn diff(before: &Value, after: &Value) -> Value {
    let (Some(before), Some(after)) = (before.as_object(), after.as_object()) else { return Value::Null };
    let changed = after.iter().filter(|(key, value)| before.get(*key) != Some(*value));
    changed.map(|(key, value)| (key.clone(), serde_json::json!([before.get(key), value]))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn diff_contains_only_changed_fields() {
        assert_eq!(
            super::diff(&json!({"a": 1, "b": 2}), &json!({"a": 1, "b": 3, "c": null})),
            json!({"b": [2, 3], "c": [null, null]})
        );
    }
}
