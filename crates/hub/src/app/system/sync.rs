//! State of replication: how far the rows of hosts have reached this hub, and its own rows other hubs.

use domain::{OrgId, Span, Timestamp, sync::tables::TABLES};
use proto::api::sync::{DigestQuery, SyncOwnPriorityStatus, SyncParked, SyncPriorityStatus, SyncStatus, TableDigest};
use store::replication::{OwnPriority, Parked, PriorityLag};

use crate::app::FromStore;
use crate::{Error, Hub, Result};

/// Most host priorities shown.
const HOSTS_MAX: u32 = 1_000;
/// Most parked rows shown.
const PARKED_MAX: u32 = 100;

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

impl FromStore<Parked> for SyncParked {
    fn from_store(row: Parked) -> Self {
        Self { host: row.host_name, table: row.table, id: row.id, error: row.error, body: row.body, at: row.at }
    }
}

impl Hub {
    /// Returns the state of replication that an organization may see.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn sync_status(&self, org: OrgId) -> Result<SyncStatus> {
        let now = self.now();
        let (lags, own, parked) = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let lags = tx.sync_lags(org, "", HOSTS_MAX).await?;
                    let own = tx.sync_own_priorities().await?;
                    Ok::<_, Error>((lags, own, tx.sync_parked_list(org, PARKED_MAX).await?))
                })
            })
            .await?;
        Ok(SyncStatus {
            hosts: lags.into_iter().map(|lag| host_priority(lag, now)).collect(),
            own: own.iter().map(|own| own_priority(own, now)).collect(),
            parked: parked.into_iter().map(SyncParked::from_store).collect(),
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
