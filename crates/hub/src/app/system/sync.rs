//! State of replication: how far the rows of hosts have reached this hub, and its own rows other hubs.

use domain::{OrgId, Permission, Span, Timestamp, sync::tables::TABLES};
use proto::api::sync::{
    DigestQuery, SyncOwnPriorityStatus, SyncParked, SyncPriorityStatus, SyncRefused, SyncStatus, TableDigest,
};
use serde_json::{Value, json};
use store::replication::{OwnPriority, Parked, PriorityLag, RefusedRow};

use crate::app::{FromStore, RequestContext};
use crate::{Error, Hub, Result};

/// Most host priorities shown.
const HOSTS_MAX: u32 = 1_000;
/// Most parked rows shown.
const PARKED_MAX: u32 = 100;
/// Shown in place of a hidden value.
const MASK: &str = "•••";

fn seconds(since: Timestamp, now: Timestamp) -> i64 {
    if now > since { now.since(since).as_millis() / 1_000 } else { Span::ZERO.as_millis() }
}

fn host_priority(lag: PriorityLag, now: Timestamp) -> SyncPriorityStatus {
    SyncPriorityStatus {
        host_id: lag.origin,
        host: lag.host_name,
        priority: lag.priority,
        behind: lag.behind,
        behind_seconds: if lag.behind > 0 { seconds(lag.updated_at, now) } else { 0 },
        is_resetting: lag.is_resetting,
        parked: lag.parked,
        last_error: lag.error,
        updated_at: lag.updated_at,
    }
}

fn own_priority(own: &OwnPriority, now: Timestamp) -> SyncOwnPriorityStatus {
    let since = own.updated_at.filter(|_| own.waiting > 0);
    SyncOwnPriorityStatus {
        hub_id: own.hub,
        priority: own.priority,
        head: own.head,
        waiting: own.waiting,
        waiting_seconds: since.map_or(0, |since| seconds(since, now)),
        confirmed_at: own.updated_at,
    }
}

/// Replaces the values of all objects named `env` or `environment`, at any depth: the variables of servers hold
/// passwords.
fn mask_environments(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if is_environment(name) { mask_all(field) } else { mask_environments(field) }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_environments),
        // Some columns hold JSON as text.
        Value::String(text) if text.starts_with(['{', '[']) => {
            if let Ok(mut inner) = serde_json::from_str::<Value>(text) {
                mask_environments(&mut inner);
                *text = inner.to_string();
            }
        }
        _ => {}
    }
}

fn is_environment(name: &str) -> bool {
    name.eq_ignore_ascii_case("env") || name.eq_ignore_ascii_case("environment")
}

/// Masks every value and keeps the names of an object's fields.
fn mask_all(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| *field = json!(MASK)),
        Value::Null => {}
        other => *other = json!(MASK),
    }
}

impl FromStore<Parked> for SyncParked {
    fn from_store(row: Parked) -> Self {
        let mut body = row.body;
        mask_environments(&mut body);
        Self { host: row.host_name, table: row.table, id: row.id, error: row.error, body, at: row.at }
    }
}

impl FromStore<RefusedRow> for SyncRefused {
    fn from_store(row: RefusedRow) -> Self {
        Self { hub_id: row.hub_id, table: row.tbl, id: row.id, error: row.error, at: row.updated_at }
    }
}

impl Hub {
    /// Returns the state of replication that an organization may see. Only admins see parked rows: a parked row is
    /// shown as its host sent it.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn sync_status(&self, by: &RequestContext, org: OrgId) -> Result<SyncStatus> {
        let (now, is_admin) = (self.now(), by.must(Permission::OrgManage).is_ok());
        let (lags, own, parked, refused) = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let lags = tx.sync_lags(org, "", HOSTS_MAX).await?;
                    let own = tx.sync_own_priorities().await?;
                    let parked = if is_admin { tx.sync_parked_list(org, PARKED_MAX).await? } else { Vec::new() };
                    let refused = if is_admin { tx.sync_refused_list(PARKED_MAX).await? } else { Vec::new() };
                    Ok::<_, Error>((lags, own, parked, refused))
                })
            })
            .await?;
        Ok(SyncStatus {
            hosts: lags.into_iter().map(|lag| host_priority(lag, now)).collect(),
            own: own.iter().map(|own| own_priority(own, now)).collect(),
            parked: parked.into_iter().map(SyncParked::from_store).collect(),
            refused: refused.into_iter().map(SyncRefused::from_store).collect(),
        })
    }

    /// Row counts and checksums per table, of a host's replicated rows or of this machine's own rows.
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn sync_digest(&self, org: OrgId, query: DigestQuery) -> Result<Vec<TableDigest>> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let origin = match &query.host {
                        None => None,
                        Some(name) => {
                            let view = match name.parse() {
                                Ok(id) => tx.host_get(org, id).await?,
                                Err(_) => tx.host_by_name(org, name).await?,
                            };
                            Some(view.ok_or_else(|| Error::not_found("host", name))?.host.id)
                        }
                    };
                    let mut digests = Vec::new();
                    for table in TABLES {
                        let digest = match origin {
                            Some(origin) => tx.sync_digest(origin, table).await?,
                            None => tx.sync_own_digest(table).await?,
                        };
                        let (rows, sum) = (digest.rows, format!("{:016x}", digest.sum));
                        digests.push(TableDigest { table: table.name.to_owned(), rows, sum });
                    }
                    Ok(digests)
                })
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environments_are_masked_at_any_depth() {
        let mut body = json!({"name": "web", "body": {"env": {"TOKEN": "s3cret", "N": 7}, "argv": ["x"]},
            "text": "{\"Environment\":[\"A=s3cret\"]}", "list": [{"ENV": "A=s3cret"}]});
        mask_environments(&mut body);
        assert!(!body.to_string().contains("s3cret"), "{body}");
        assert_eq!(body["body"], json!({"env": {"TOKEN": "•••", "N": "•••"}, "argv": ["x"]}));
    }
}
