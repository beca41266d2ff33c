//! Use cases of the hub, as methods of [`Hub`]. Each one authorizes, decides with `domain`, writes, and emits events.
//!
//! - `alerts`: alerts, their rules, mute windows
//! - `host_state`: the state of a host, from its stored rows
//! - `hosts`: hosts: join, leave, change, schedules, history
//! - `jobs`: jobs: create, list, show, explain, change, follow
//! - `people`: organizations, members, users, sign-in, tokens
//! - `repeated_audit`: audit lines that a caller can cause at any rate, collapsed per minute
//! - `servers`: long-lived processes on hosts
//! - `settings`: definitions, limits, secrets, channels, hooks, pings, saved views
//! - `system`: first start, status, replication, audit log, bulk actions, workers, metrics
//! - `triggers`: schedules and event triggers

pub mod alerts;
pub(crate) mod host_state;
pub mod hosts;
pub mod jobs;
pub mod people;
pub(crate) mod repeated_audit;
pub mod servers;
pub mod settings;
pub mod system;
pub mod triggers;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use data_encoding::HEXLOWER;
use domain::{Actor, Caller, HostId, Id, OrgId, Permission, Role, audit::AuditRow, role::Scope};
use proto::Code;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use store::{Tx, request_key::RequestKey};

use crate::{Error, Hub, Result};

/// The authenticated caller of a request, with the request's address and id, as the audit log records them.
#[derive(Debug, Clone)]
pub struct RequestContext {
    pub caller: Caller,
    pub address: String,
    pub request_id: String,
    reservation: Option<Arc<Reservation>>,
    /// Whether a transaction of the request has recorded a change. Shared by all copies of the context.
    has_recorded: Arc<AtomicBool>,
}

/// An idempotency key that a request has reserved.
#[derive(Debug)]
pub(crate) struct Reservation {
    pub(crate) at: RequestKey,
    /// Identifies the request that holds the key.
    pub(crate) sealed_request: Vec<u8>,
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
    if permission == Permission::WorkerClaim {
        return Err(Error::new(Code::Forbidden, "a token with the scope `worker`, created by an admin, is required")
            .hint("an admin creates one: hostler token create NAME --scope worker --queue QUEUE"));
    }
    let least = permission.least();
    let hint = match least {
        Role::SuperAdmin => "ask a super admin of this hub; `hostler whoami` shows your role",
        _ => "ask an admin of the organization; `hostler whoami` shows your role",
    };
    Err(Error::new(Code::Forbidden, format!("the role {least} is required (permission {permission})")).hint(hint))
}

impl RequestContext {
    /// The context of a request without an idempotency key.
    #[must_use]
    pub fn new(caller: Caller, address: impl Into<String>, request_id: impl Into<String>) -> Self {
        Self {
            caller,
            address: address.into(),
            request_id: request_id.into(),
            reservation: None,
            has_recorded: Arc::default(),
        }
    }

    /// A runner that acts over its link.
    #[must_use]
    pub fn host(id: HostId, name: &str) -> Self {
        let actor = Actor::Host { id, name: name.to_owned() };
        Self::new(Caller { actor, org: None, role: None, scope: Scope::Api }, "link", "")
    }

    /// Hostler itself, for consequences of a request that have no caller of their own.
    #[must_use]
    pub fn system() -> Self {
        let role = Some(Role::SuperAdmin);
        Self::new(Caller { actor: Actor::System, org: None, role, scope: Scope::Api }, "hub", "")
    }

    /// The same caller without an idempotency key, for audit entries that are not part of the request's change.
    #[must_use]
    pub(crate) fn detached(&self) -> Self {
        Self::new(self.caller.clone(), self.address.clone(), self.request_id.clone())
    }

    /// Adds the idempotency key that the request has reserved.
    #[must_use]
    pub(crate) fn with_reservation(mut self, reservation: Reservation) -> Self {
        self.reservation = Some(Arc::new(reservation));
        self
    }

    /// Whether a transaction of the request has recorded a change. The transaction may have been rolled back since.
    pub(crate) fn has_recorded(&self) -> bool {
        self.has_recorded.load(Ordering::Acquire)
    }

    /// An idempotency key for the one job that the request creates, if the request has a key itself: a repetition of
    /// the request then gets the same job.
    pub(crate) fn job_key(&self) -> Option<String> {
        let at = &self.reservation.as_ref()?.at;
        let hash = Sha256::new().chain_update(&at.caller).chain_update(b" ").chain_update(&at.key).finalize();
        Some(format!("request:{}", HEXLOWER.encode(&hash)))
    }

    /// Returns an error if the caller's role lacks the permission.
    ///
    /// # Errors
    /// Fails if the permission is missing.
    pub fn must(&self, permission: Permission) -> Result<()> {
        must(&self.caller, permission)
    }

    /// Marks the request's idempotency key as committed, in the transaction of the request's change. [`Self::record`]
    /// includes this; only a change without an audit entry calls it.
    ///
    /// # Errors
    /// Fails if a repetition of the request has taken the key over, so that the change must be rolled back.
    pub(crate) async fn mark_committed(&self, hub: &Hub, tx: &mut Tx<'_>) -> Result<()> {
        if let Some(Reservation { at, sealed_request }) = self.reservation.as_deref()
            && !tx.request_key_commit(at, sealed_request, hub.now()).await?
        {
            let detail = format!("a repetition with the idempotency key `{}` has replaced this request", at.key);
            return Err(Error::new(Code::KeyHeld, detail).hint("repeat the request with the same key"));
        }
        self.set_recorded();
        Ok(())
    }

    /// Notes that a transaction of the request has recorded a change.
    pub(crate) fn set_recorded(&self) {
        self.has_recorded.store(true, Ordering::Release);
    }

    /// Inserts an audit entry in the transaction of the change it describes, so that neither exists without the other,
    /// and marks the request's idempotency key as committed.
    ///
    /// # Errors
    /// Fails on a database error, or if a repetition of the request has taken its idempotency key over.
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
        tx.audit_insert(&row).await?;
        self.mark_committed(hub, tx).await
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
