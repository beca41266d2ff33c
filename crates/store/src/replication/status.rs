//! How far the sync is, for people.

use domain::{
    HostId, HubId, OrgId, Timestamp,
    sync::{Lane, frame::SyncError},
};
use serde_json::Value;

use super::{number, unsigned};
use crate::{Result, Tx, value::Json};

/// How far a hub has a host's lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneLag {
    /// Whose.
    pub origin: HostId,
    /// The host's name.
    pub host_name: String,
    /// Which.
    pub lane: Lane,
    /// Changes that the host has told of and that are not kept here yet, at most.
    pub behind: u64,
    /// Whether the host is telling everything anew.
    pub is_resetting: bool,
    /// When something was last taken.
    pub updated_at: Timestamp,
    /// Why something was put aside last.
    pub error: Option<SyncError>,
    /// How many rows are put aside.
    pub parked: u64,
}

/// A host whose rows a hub does not have all of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// Of which org.
    pub org_id: OrgId,
    /// Which.
    pub origin: HostId,
    /// Its name.
    pub host_name: String,
    /// Changes that are missing.
    pub behind: i64,
    /// When something last arrived.
    pub updated_at: Timestamp,
}

/// How far a runner's own lane is, and how far a hub has confirmed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLane {
    /// Which hub; `None` = the lane itself.
    pub hub: Option<HubId>,
    /// Which.
    pub lane: Lane,
    /// Its last change.
    pub head: u64,
    /// Up to where the hub has it.
    pub confirmed: u64,
    /// Rows that the hub does not have.
    pub waiting: u64,
    /// When the hub last confirmed something.
    pub updated_at: Option<Timestamp>,
}

/// A row that was put aside.
#[derive(Debug, Clone, PartialEq)]
pub struct Parked {
    /// Whose.
    pub origin: HostId,
    /// The host's name.
    pub host_name: String,
    /// Its table.
    pub table: String,
    /// Which row.
    pub id: String,
    /// Why.
    pub error: SyncError,
    /// What it holds.
    pub body: Value,
    /// When.
    pub at: Timestamp,
}

struct LagRow {
    origin: HostId,
    host_name: String,
    lane: Lane,
    behind: i64,
    is_resetting: bool,
    updated_at: Timestamp,
    error: Option<SyncError>,
    parked: i64,
}

struct OwnRow {
    hub_id: Option<HubId>,
    lane: Lane,
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
    LagRow { origin, host_name, lane, behind, is_resetting, updated_at, error, parked }
    Behind { org_id, origin, host_name, behind, updated_at }
    OwnRow { hub_id, lane, head, confirmed, waiting, updated_at }
    ParkedRow { origin, host_name, tbl, id, error, body, at }
}

statements! {
    SYNC_LAGS = same("
        select c.origin, h.name as host_name, c.lane,
            case when c.head_epoch > c.epoch then c.head_seq when c.head_seq > c.seq then c.head_seq - c.seq else 0 end as behind,
            c.resetting_over is not null as is_resetting, c.updated_at, c.error,
            (select count(*) from sync_parked p where p.origin = c.origin) as parked
        from sync_cursor c join host h on h.id = c.origin
        where c.org_id = $1 and h.name > $2 order by h.name, c.lane limit $3");
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
    SYNC_OWN_LANES = same("
        select c.hub_id, l.lane, l.head, case when c.epoch = o.epoch then c.seq else 0 end as confirmed,
            (select count(*) from sync_own i where i.lane = l.lane
                and i.seq > case when c.epoch = o.epoch then c.seq else 0 end) as waiting,
            c.updated_at
        from sync_lane l join sync_origin o on o.id = 1 left join sync_confirmed c on c.lane = l.lane
        order by l.lane, c.hub_id");
    SYNC_PARKED_LIST = same("
        select p.origin, h.name as host_name, p.tbl, p.id, p.error, p.body, p.at
        from sync_parked p join host h on h.id = p.origin
        where p.org_id = $1 order by p.at desc, p.tbl, p.id limit $2");
    SYNC_HEADS = same("select head from sync_lane order by lane desc");
    SYNC_WAITING = same("select count(*) from sync_own where lane = $1 and seq > $2");
}

impl Tx<'_> {
    /// Hosts of all orgs that have told of more than is kept here.
    pub async fn sync_behind(&mut self, limit: u32) -> Result<Vec<Behind>> {
        all!(self, SYNC_BEHIND => Behind, i64::from(limit))
    }

    /// How far each host's lanes are kept here, by the host's name.
    pub async fn sync_lags(&mut self, org: OrgId, after: &str, limit: u32) -> Result<Vec<LaneLag>> {
        let rows = all!(self, SYNC_LAGS => LagRow, org, after.to_owned(), i64::from(limit))?;
        Ok(rows
            .into_iter()
            .map(|row| LaneLag {
                origin: row.origin,
                host_name: row.host_name,
                lane: row.lane,
                behind: unsigned(row.behind),
                is_resetting: row.is_resetting,
                updated_at: row.updated_at,
                error: row.error,
                parked: unsigned(row.parked),
            })
            .collect())
    }

    /// How far this database's own lanes are, and how far each hub has them.
    pub async fn sync_own_lanes(&mut self) -> Result<Vec<OwnLane>> {
        let rows = all!(self, SYNC_OWN_LANES => OwnRow)?;
        Ok(rows
            .into_iter()
            .map(|row| OwnLane {
                hub: row.hub_id,
                lane: row.lane,
                head: unsigned(row.head),
                confirmed: unsigned(row.confirmed),
                waiting: unsigned(row.waiting),
                updated_at: row.updated_at,
            })
            .collect())
    }

    /// The last change of each lane, control first: whoever waits for changes compares them.
    pub async fn sync_heads(&mut self) -> Result<Vec<u64>> {
        let rows = all!(self, SYNC_HEADS => HeadRow)?;
        Ok(rows.into_iter().map(|row| unsigned(row.head)).collect())
    }

    /// Rows that were put aside, newest first.
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

    /// How many own rows changed after a number.
    pub async fn sync_waiting(&mut self, lane: Lane, after: u64) -> Result<u64> {
        Ok(unsigned(value!(self, SYNC_WAITING => i64, lane, number(after))?.unwrap_or(0)))
    }
}

struct HeadRow {
    head: i64,
}
rows! { HeadRow { head } }
