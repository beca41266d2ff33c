//! The state of replication, for the web UI and the CLI.

use domain::{
    HostId, HubId, OrgId, Span, Timestamp,
    sync::{
        SyncPriority,
        frame::{Rejected, SyncError},
    },
};
use serde_json::Value;

use super::{number, unsigned};
use crate::{Result, Tx, value::Json};

/// Rows stored of one message, and for how long rejected rows are shown.
const REFUSED_MAX: usize = 100;
const REFUSED_KEPT: Span = Span::from_secs(7 * 86_400);

/// How far a hub has received a host's rows of one priority.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriorityLag {
    pub origin: HostId,
    pub host_name: String,
    pub priority: SyncPriority,
    /// Changes that the host has reported and this hub has not stored: an upper bound, since a row that changes again
    /// leaves a gap in the numbers.
    pub behind: u64,
    /// Whether a full resend is in progress.
    pub is_resetting: bool,
    /// When the last page was stored.
    pub updated_at: Timestamp,
    /// Why the last page parked a row.
    pub error: Option<SyncError>,
    /// The number of parked rows.
    pub parked: u64,
}

/// A host with rows that the hub has not received yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    pub org_id: OrgId,
    pub origin: HostId,
    pub host_name: String,
    /// The number of changes that are missing, summed over both priorities.
    pub behind: i64,
    /// When the last page was stored.
    pub updated_at: Timestamp,
}

/// A runner's own rows of one priority, and the position that a hub has confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPriority {
    /// `None` before any hub has confirmed a position.
    pub hub: Option<HubId>,
    pub priority: SyncPriority,
    /// The sequence number of the last change.
    pub head: u64,
    /// The sequence number that the hub has confirmed.
    pub confirmed: u64,
    /// The number of rows that the hub has not confirmed.
    pub waiting: u64,
    /// When the hub last confirmed a position.
    pub updated_at: Option<Timestamp>,
}

/// A row of this machine that a hub has rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRow {
    pub hub_id: HubId,
    pub tbl: String,
    pub id: String,
    pub error: SyncError,
    /// When the hub last rejected it.
    pub updated_at: Timestamp,
}

/// A row that could not be applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Parked {
    pub origin: HostId,
    pub host_name: String,
    pub table: String,
    /// The id of the row.
    pub id: String,
    pub error: SyncError,
    /// The content of the row.
    pub body: Value,
    pub at: Timestamp,
}

struct LagRow {
    origin: HostId,
    host_name: String,
    priority: SyncPriority,
    behind: i64,
    is_resetting: bool,
    updated_at: Timestamp,
    error: Option<SyncError>,
    parked: i64,
}

struct OwnRow {
    hub_id: Option<HubId>,
    priority: SyncPriority,
    head: i64,
    confirmed: i64,
    waiting: i64,
    updated_at: Option<Timestamp>,
}

struct ParkedRow {
    origin: HostId,
    host_name: String,
    tbl: String,
    id: String,
    error: SyncError,
    body: Json<Value>,
    at: Timestamp,
}

rows! {
    RefusedRow { hub_id, tbl, id, error, updated_at }
    LagRow { origin, host_name, priority, behind, is_resetting, updated_at, error, parked }
    Behind { org_id, origin, host_name, behind, updated_at }
    OwnRow { hub_id, priority, head, confirmed, waiting, updated_at }
    ParkedRow { origin, host_name, tbl, id, error, body, at }
}

statements! {
    SYNC_REFUSED_PUT = same("
        insert into sync_refused (hub_id, tbl, id, error, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
        on conflict (hub_id, tbl, id) do update set error = excluded.error, updated_at = excluded.updated_at");
    SYNC_REFUSED_PRUNE = same("delete from sync_refused where updated_at < $1");
    SYNC_REFUSED_LIST = same("
        select hub_id, tbl, id, error, updated_at from sync_refused order by updated_at desc, tbl, id limit $1");
    SYNC_LAGS = same("
        select c.origin, h.name as host_name, c.priority,
            case when c.head_epoch > c.epoch then c.head_seq when c.head_seq > c.seq then c.head_seq - c.seq else 0 end as behind,
            c.resetting_over is not null as is_resetting, c.updated_at, c.error,
            (select count(*) from sync_parked p where p.origin = c.origin) as parked
        from sync_cursor c join host h on h.id = c.origin
        where c.org_id = $1 and h.name > $2 order by h.name, c.priority limit $3");
    SYNC_BEHIND = pair(
        "select c.org_id, c.origin, h.name as host_name,
            sum(case when c.head_epoch > c.epoch then c.head_seq else c.head_seq - c.seq end) as behind,
            min(c.updated_at) as updated_at
        from sync_cursor c join host h on h.id = c.origin
        where c.head_epoch > c.epoch or (c.head_epoch = c.epoch and c.head_seq > c.seq)
        group by c.org_id, c.origin, h.name order by c.origin limit $1",
        "select c.org_id, c.origin, h.name as host_name,
            sum(case when c.head_epoch > c.epoch then c.head_seq else c.head_seq - c.seq end)::bigint as behind,
            min(c.updated_at) as updated_at
        from sync_cursor c join host h on h.id = c.origin
        where c.head_epoch > c.epoch or (c.head_epoch = c.epoch and c.head_seq > c.seq)
        group by c.org_id, c.origin, h.name order by c.origin limit $1"
    );
    SYNC_OWN_PRIORITIES = same("
        select c.hub_id, l.priority, l.head, case when c.epoch = o.epoch then c.seq else 0 end as confirmed,
            (select count(*) from sync_own i where i.priority = l.priority
                and i.seq > case when c.epoch = o.epoch then c.seq else 0 end) as waiting,
            c.updated_at
        from sync_priority l join sync_origin o on o.id = 1 left join sync_confirmed c on c.priority = l.priority
        order by l.priority, c.hub_id");
    SYNC_PARKED_LIST = same("
        select p.origin, h.name as host_name, p.tbl, p.id, p.error, p.body, p.at
        from sync_parked p join host h on h.id = p.origin
        where p.org_id = $1 order by p.at desc, p.tbl, p.id limit $2");
    SYNC_HEADS = same("select head from sync_priority order by priority desc");
    SYNC_WAITING = same("select count(*) from sync_own where priority = $1 and seq > $2");
}

impl Tx<'_> {
    /// Stores which rows of this machine a hub has rejected, and forgets those of the last week.
    pub async fn sync_refused_put(&mut self, hub: HubId, rows: &[Rejected], now: Timestamp) -> Result<()> {
        for row in rows.iter().take(REFUSED_MAX) {
            execute!(
                self,
                SYNC_REFUSED_PUT,
                hub,
                row.table.clone(),
                row.id.clone(),
                row.error.as_str().to_owned(),
                now
            )?;
        }
        execute!(self, SYNC_REFUSED_PRUNE, now - REFUSED_KEPT)?;
        Ok(())
    }

    /// Returns the rows of this machine that hubs have rejected lately, newest first.
    pub async fn sync_refused_list(&mut self, limit: u32) -> Result<Vec<RefusedRow>> {
        all!(self, SYNC_REFUSED_LIST => RefusedRow, i64::from(limit))
    }

    /// Hosts of all orgs with rows that this hub has not received yet.
    pub async fn sync_behind(&mut self, limit: u32) -> Result<Vec<Behind>> {
        all!(self, SYNC_BEHIND => Behind, i64::from(limit))
    }

    /// How far each host's rows are received, by host name and priority.
    pub async fn sync_lags(&mut self, org: OrgId, after: &str, limit: u32) -> Result<Vec<PriorityLag>> {
        let rows = all!(self, SYNC_LAGS => LagRow, org, after.to_owned(), i64::from(limit))?;
        Ok(rows
            .into_iter()
            .map(|row| PriorityLag {
                origin: row.origin,
                host_name: row.host_name,
                priority: row.priority,
                behind: unsigned(row.behind),
                is_resetting: row.is_resetting,
                updated_at: row.updated_at,
                error: row.error,
                parked: unsigned(row.parked),
            })
            .collect())
    }

    /// This database's own rows by priority, and the position that each hub has confirmed.
    pub async fn sync_own_priorities(&mut self) -> Result<Vec<OwnPriority>> {
        let rows = all!(self, SYNC_OWN_PRIORITIES => OwnRow)?;
        Ok(rows
            .into_iter()
            .map(|row| OwnPriority {
                hub: row.hub_id,
                priority: row.priority,
                head: unsigned(row.head),
                confirmed: unsigned(row.confirmed),
                waiting: unsigned(row.waiting),
                updated_at: row.updated_at,
            })
            .collect())
    }

    /// The last sequence number of each priority, control first. Compare two results to notice changes.
    pub async fn sync_heads(&mut self) -> Result<Vec<u64>> {
        let rows = all!(self, SYNC_HEADS => LogHeadRow)?;
        Ok(rows.into_iter().map(|row| unsigned(row.head)).collect())
    }

    /// Parked rows, newest first.
    pub async fn sync_parked_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Parked>> {
        let rows = all!(self, SYNC_PARKED_LIST => ParkedRow, org, i64::from(limit))?;
        Ok(rows
            .into_iter()
            .map(|row| Parked {
                origin: row.origin,
                host_name: row.host_name,
                table: row.tbl,
                id: row.id,
                error: row.error,
                body: row.body.0,
                at: row.at,
            })
            .collect())
    }

    /// The number of own rows that changed after a sequence number.
    pub async fn sync_waiting(&mut self, priority: SyncPriority, after: u64) -> Result<u64> {
        Ok(unsigned(value!(self, SYNC_WAITING => i64, priority, number(after))?.unwrap_or(0)))
    }
}

struct LogHeadRow {
    head: i64,
}
rows! { LogHeadRow { head } }
