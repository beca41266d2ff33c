//! Use cases of the hub, as methods of [`Hub`]. Each one authorizes, decides with `domain`, writes, and emits events.
//!
//! - `alerts`: alerts, their rules, mute windows
//! - `host_state`: the state of a host, from its stored rows
//! - `hosts`: hosts: join, leave, change, schedules, history
//! - `jobs`: jobs: create, list, show, explain, change, follow
//! - `people`: organizations, members, users, sign-in, tokens
//! - `servers`: long-lived processes on hosts
//! - `settings`: definitions, limits, secrets, channels, hooks, pings, saved views
//! - `system`: first start, status, replication, audit log, bulk actions, workers, metrics
//! - `triggers`: schedules and event triggers

pub mod alerts;
pub(crate) mod host_state;
pub mod hosts;
pub mod jobs;
pub mod people;
pub mod servers;
pub mod settings;
pub mod system;
pub mod triggers;

use domain::{Actor, Caller, HostId, Id, OrgId, Permission, Role, audit::AuditRow, role::Scope};
use proto::Code;
use serde_json::Value;
use store::Tx;

use crate::{Error, Hub, Result};

/// The authenticated caller of a request, with the request's address and id, as the audit log records them.
#[derive(Debug, Clone)]
pub struct RequestContext {
    pub caller: Caller,
    pub address: String,
    pub request_id: String,
}

/// An entry for the audit log.
pub struct AuditEntry<'a> {
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
pub(crate) fn must(caller: &Caller, permission: Permission) -> Result<()> {
    if caller.may(permission) {
        return Ok(());
    }
    let least = permission.least();
    let hint = match least {
        Role::SuperAdmin => "ask a super admin of this hub; `hostler whoami` shows your role",
        _ => "ask an admin of the org; `hostler whoami` shows your role",
    };
    Err(Error::new(Code::Forbidden, format!("the role {least} is required (permission {permission})")).hint(hint))
}

impl RequestContext {
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
        let role = Some(Role::SuperAdmin);
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
    pub async fn record(&self, hub: &Hub, tx: &mut Tx<'_>, org: Option<OrgId>, entry: AuditEntry<'_>) -> Result<()> {
        let actor = &self.caller.actor;
        let row = AuditRow {
            id: hub.ids.next(),
            org,
            at: hub.now(),
            actor_kind: actor.kind(),
            actor_id: actor.id_text(),
            actor_name: actor.label(),
            address: Some(self.address.clone()),
            action: entry.action.to_owned(),
            subject_kind: entry.kind.to_owned(),
            subject_id: entry.id,
            subject_name: entry.name.map(str::to_owned),
            diff: entry.diff.to_string(),
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
