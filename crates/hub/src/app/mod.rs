//! Use cases: authorise → decide with `domain` → store → emit. They read as sentences on [`Hub`].

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

/// Who does something, from where, in which request.
#[derive(Debug, Clone)]
pub struct By {
    /// Who, and what they may do.
    pub caller: Caller,
    /// From where.
    pub address: String,
    /// In which request.
    pub request_id: String,
}

/// What was done to what.
pub struct Deed<'a> {
    /// As in `host.renamed`.
    pub action: &'a str,
    /// As in `host`.
    pub kind: &'a str,
    /// The id of what it was done to.
    pub id: Option<String>,
    /// Its name.
    pub name: Option<&'a str>,
    /// From what to what.
    pub diff: Value,
}

/// Refuses what a caller's role does not allow.
fn must(caller: &Caller, permission: Permission) -> Result<()> {
    if caller.may(permission) {
        return Ok(());
    }
    let least = permission.least();
    Err(Error::new(Code::Forbidden, format!("this needs the role {least} (permission {permission})"))
        .hint("ask an admin of the org; `hostler whoami` shows your role"))
}

impl By {
    /// A runner, on its link.
    #[must_use]
    pub fn host(id: HostId, name: &str) -> Self {
        let actor = Actor::Host { id, name: name.to_owned() };
        Self {
            caller: Caller { actor, org: None, role: None, scope: Scope::Api },
            address: "link".to_owned(),
            request_id: String::new(),
        }
    }

    /// Hostler itself, for what follows from what somebody asked for.
    #[must_use]
    pub fn system() -> Self {
        let role = Some(domain::Role::SuperAdmin);
        Self {
            caller: Caller { actor: Actor::System, org: None, role, scope: Scope::Api },
            address: "hub".to_owned(),
            request_id: String::new(),
        }
    }

    /// Refuses what the caller's role does not allow.
    ///
    /// # Errors
    /// The permission is missing.
    pub fn must(&self, permission: Permission) -> Result<()> {
        must(&self.caller, permission)
    }

    /// Writes down a deed, in the transaction of the deed itself.
    ///
    /// # Errors
    /// The database's.
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

/// Turns what is stored into what is shown.
pub(crate) trait FromStore<T> {
    fn from_store(stored: T) -> Self;
}

/// The id after which a page begins: the cursor, or the beginning.
pub(crate) fn after_id<K>(cursor: Option<&str>) -> Result<Id<K>> {
    cursor.map_or(Ok(Id::from_bytes([0; 16])), |text| {
        text.parse().map_err(|_| Error::invalid("this cursor is not one of ours"))
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
    fn a_diff_names_only_what_changed() {
        assert_eq!(
            super::diff(&json!({"a": 1, "b": 2}), &json!({"a": 1, "b": 3, "c": null})),
            json!({"b": [2, 3], "c": [null, null]})
        );
    }
}
