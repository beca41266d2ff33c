//! Lanes, and the hosts that serve them.

use domain::{
    DefinitionId, HostId, Labels, LaneId, OrgId, Timestamp,
    lane::{LaneKey, QueueNames, Target, TargetKind},
};
use serde_json::{Value, json};

use crate::{Result, Tx, columns::ids, value::hex};

/// A lane with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    pub id: LaneId,
    pub key: LaneKey,
}

struct Row {
    id: LaneId,
    org_id: OrgId,
    target_kind: TargetKind,
    target: String,
    definition_id: DefinitionId,
    limit_key: String,
}

/// A host with all properties that decide which lanes it serves.
#[derive(Debug, Clone, PartialEq)]
pub struct Servant {
    pub host_id: HostId,
    pub orgs: Vec<OrgId>,
    pub labels: Labels,
    pub queues: Vec<String>,
}

struct HostRow {
    host_id: HostId,
    org_id: OrgId,
    labels: Labels,
    queues: QueueNames,
}

struct ShareRow {
    host_id: HostId,
    org_id: OrgId,
}

/// An organization that a host is shared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostShare {
    pub org_id: OrgId,
    pub slug: String,
    pub created_at: Timestamp,
}

struct QueueRow {
    host_id: HostId,
    queue: String,
}

/// A host that an organization may send jobs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostFor {
    pub id: HostId,
    pub revoked_at: Option<Timestamp>,
    pub labels: Labels,
    /// Address of the host's primary hub, if that is another hub.
    pub primary_hub: Option<String>,
}

struct HostOnly {
    host_id: HostId,
}

struct LaneOnly {
    lane_id: LaneId,
}

rows! {
    Row { id, org_id, target_kind, target, definition_id, limit_key }
    HostRow { host_id, org_id, labels, queues }
    ShareRow { host_id, org_id }
    HostShare { org_id, slug, created_at }
    QueueRow { host_id, queue }
    LaneOnly { lane_id }
    HostOnly { host_id }
    HostFor { id, revoked_at, labels, primary_hub }
}

statements! {
    LANE_PUT = same("
        insert into lane (id, org_id, target_kind, target, host_id, definition_id, limit_key, touched_at, created_at, updated_at)
        values ($1, $2, $3, $4, $8, $5, $6, $7, $7, $7)
        on conflict (org_id, target_kind, target, definition_id, limit_key) do update
        set touched_at = excluded.touched_at, updated_at = excluded.updated_at
        returning id");
    // `for no key update` conflicts with the deletion of the organization and with itself, but not with the foreign-key
    // checks of inserted rows.
    LANES_LOCK = pair(
        "select id from org where id = $1",
        "select id from org where id = $1 for no key update"
    );
    LANE_GET = same("select id, org_id, target_kind, target, definition_id, limit_key from lane where id = $1");
    LANES_OF_ORG = same("
        select id, org_id, target_kind, target, definition_id, limit_key from lane where org_id = $1");
    // Lanes that are empty and were not used for long. Rows that refer to them are deleted by cascade.
    LANE_PRUNE = pair(
        "delete from lane where id in (
            select l.id from lane l
            where l.org_id = $1 and l.touched_at < $2 and not exists (select 1 from ready r where r.lane_id = l.id)
                and not exists (select 1 from waiting w where w.lane_id = l.id)
                and not exists (select 1 from lease e where e.lane_id = l.id)
            limit $3)",
        "with old as materialized (
            select l.id from lane l
            where l.org_id = $1 and l.touched_at < $2 and not exists (select 1 from ready r where r.lane_id = l.id)
                and not exists (select 1 from waiting w where w.lane_id = l.id)
                and not exists (select 1 from lease e where e.lane_id = l.id)
            limit $3 for update of l skip locked)
        delete from lane where id in (select id from old)"
    );
    SERVANTS_HOSTS = same("
        select h.id as host_id, h.org_id, h.labels, h.queues from host h
        where h.revoked_at is null and (h.org_id = $1
            or exists (select 1 from host_share s where s.host_id = h.id and s.org_id = $1))");
    SERVANT_HOST = same("
        select h.id as host_id, h.org_id, h.labels, h.queues from host h where h.id = $1 and h.revoked_at is null");
    SHARES_OF_ORG = same("
        select s.host_id, s.org_id from host_share s
        where exists (select 1 from host h where h.id = s.host_id and h.org_id = $1)
            or exists (select 1 from host_share o where o.host_id = s.host_id and o.org_id = $1)");
    SHARES_OF_HOST = same("select host_id, org_id from host_share where host_id = $1 order by org_id");
    QUEUES_OF_ORG = same("
        select q.host_id, q.queue from host_queue q
        where exists (select 1 from host h where h.id = q.host_id and h.org_id = $1)
            or exists (select 1 from host_share o where o.host_id = q.host_id and o.org_id = $1)");
    QUEUES_OF_HOST = same("select host_id, queue from host_queue where host_id = $1 order by queue");
    HOST_FOR = same("
        select h.id, h.revoked_at, h.labels, h.primary_hub from host h
        where h.id = $2 and (h.org_id = $1 or exists (select 1 from host_share s where s.host_id = h.id and s.org_id = $1))");
    // A host of the organization itself is preferred to a shared host with the same name.
    HOST_FOR_BY_NAME = same("
        select h.id, h.revoked_at, h.labels, h.primary_hub from host h
        where h.name = $2 and (h.org_id = $1 or exists (select 1 from host_share s where s.host_id = h.id and s.org_id = $1))
        order by case when h.org_id = $1 then 0 else 1 end, h.id
        limit 1");
    HOST_QUEUES_CLEAR = same("delete from host_queue where host_id = $1");
    HOST_QUEUE_PUT = same("insert into host_queue (host_id, queue) values ($1, $2)");
    HOST_SHARE_PUT = same("
        insert into host_share (host_id, org_id, created_at, updated_at) values ($1, $2, $3, $3)
        on conflict (host_id, org_id) do nothing");
    HOST_SHARE_REMOVE = same("delete from host_share where host_id = $1 and org_id = $2");
    HOST_SHARE_LIST = same("
        select s.org_id, o.slug, s.created_at from host_share s join org o on o.id = s.org_id
        where s.host_id = $1 order by o.slug");
    HOST_LANES_CLEAR = same("delete from host_lane where host_id = $1");
    HOST_LANES_LIST = same("select lane_id from host_lane where host_id = $1 order by lane_id");
    HOSTS_OF_LANE = same("select host_id from host_lane where lane_id = $1");
    HOST_LANES_PUT = pair(
        "insert into host_lane (host_id, lane_id)
        select unhex(value ->> 0), unhex(value ->> 1) from json_each($1) where true
        on conflict do nothing",
        "insert into host_lane (host_id, lane_id) select * from unnest($1::uuid[], $2::uuid[]) on conflict do nothing"
    );
    // Lanes with ready jobs, without counting the jobs, for the hub that wakes its runners.
    LANES_READY = pair(
        "with recursive next (lane_id) as (
            select min(lane_id) from ready
            union all
            select (select min(r.lane_id) from ready r where r.lane_id > next.lane_id) from next where next.lane_id is not null)
        select lane_id from next where lane_id is not null limit $1",
        "with recursive next (lane_id) as (
            (select lane_id from ready order by lane_id limit 1)
            union all
            select r.lane_id from next cross join lateral (
                select lane_id from ready where ready.lane_id > next.lane_id order by lane_id limit 1) r)
        select lane_id from next limit $1"
    );
}

impl Tx<'_> {
    /// Returns the lane with this key and inserts it if it does not exist.
    pub async fn lane_put(&mut self, key: &LaneKey, id: LaneId, now: Timestamp) -> Result<LaneId> {
        let (kind, target) = (key.target.kind(), key.target.text());
        let host = match key.target {
            Target::Host(host) => Some(host),
            Target::Queue(_) | Target::Selector(_) => None,
        };
        let found = value!(self, LANE_PUT => LaneId, id, key.org, kind, target, key.definition, key.limit_key.clone(), now, host)?;
        found.ok_or(crate::Error::Dangling)
    }

    /// Serializes changes to the assignment of lanes to hosts of an organization. Without this lock, a new lane and a
    /// new host in concurrent transactions would not see each other, and the host would never serve the lane.
    pub async fn lanes_lock(&mut self, org: OrgId) -> Result<()> {
        value!(self, LANES_LOCK => OrgId, org)?;
        Ok(())
    }

    /// Returns a lane.
    pub async fn lane_get(&mut self, id: LaneId) -> Result<Option<Lane>> {
        one!(self, LANE_GET => Row, id)?.map(Lane::try_from).transpose()
    }

    /// Returns all lanes of an organization.
    pub async fn lanes_of_org(&mut self, org: OrgId) -> Result<Vec<Lane>> {
        all!(self, LANES_OF_ORG => Row, org)?.into_iter().map(Lane::try_from).collect()
    }

    /// Deletes lanes of an organization that are empty and were not used since `before`.
    pub async fn lane_prune(&mut self, org: OrgId, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, LANE_PRUNE, org, before, i64::from(limit))
    }

    /// Returns lanes with ready jobs.
    pub async fn lanes_ready(&mut self, limit: u32) -> Result<Vec<LaneId>> {
        Ok(all!(self, LANES_READY => LaneOnly, i64::from(limit))?.into_iter().map(|row| row.lane_id).collect())
    }

    /// Returns the hosts that may serve lanes of an organization: its own and those shared with it.
    pub async fn servants(&mut self, org: OrgId) -> Result<Vec<Servant>> {
        let hosts = all!(self, SERVANTS_HOSTS => HostRow, org)?;
        let shares = all!(self, SHARES_OF_ORG => ShareRow, org)?;
        let queues = all!(self, QUEUES_OF_ORG => QueueRow, org)?;
        Ok(hosts.into_iter().map(|host| servant(host, &shares, &queues)).collect())
    }

    /// Returns one host with the properties that decide which lanes it serves.
    pub async fn servant(&mut self, host: HostId) -> Result<Option<Servant>> {
        let shares = all!(self, SHARES_OF_HOST => ShareRow, host)?;
        let queues = all!(self, QUEUES_OF_HOST => QueueRow, host)?;
        Ok(one!(self, SERVANT_HOST => HostRow, host)?.map(|row| servant(row, &shares, &queues)))
    }

    /// Returns a host that an organization may send jobs to: its own, or one shared with it.
    pub async fn host_for(&mut self, org: OrgId, host: HostId) -> Result<Option<HostFor>> {
        one!(self, HOST_FOR => HostFor, org, host)
    }

    /// As [`Self::host_for`], by name.
    pub async fn host_for_by_name(&mut self, org: OrgId, name: &str) -> Result<Option<HostFor>> {
        one!(self, HOST_FOR_BY_NAME => HostFor, org, name.to_owned())
    }

    /// Returns the queues that a host's runner offers.
    pub async fn host_queues(&mut self, host: HostId) -> Result<Vec<String>> {
        Ok(all!(self, QUEUES_OF_HOST => QueueRow, host)?.into_iter().map(|row| row.queue).collect())
    }

    /// Replaces the queues that a host's runner offers. The host serves those of them that it may serve.
    pub async fn host_queues_set(&mut self, host: HostId, queues: &[String]) -> Result<()> {
        execute!(self, HOST_QUEUES_CLEAR, host)?;
        for queue in queues {
            execute!(self, HOST_QUEUE_PUT, host, queue.clone())?;
        }
        Ok(())
    }

    /// Shares a host with another organization.
    pub async fn host_share_put(&mut self, host: HostId, org: OrgId, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, HOST_SHARE_PUT, host, org, now)? == 1)
    }

    /// Stops sharing a host with another organization.
    pub async fn host_share_remove(&mut self, host: HostId, org: OrgId) -> Result<bool> {
        Ok(execute!(self, HOST_SHARE_REMOVE, host, org)? == 1)
    }

    /// Returns the organizations that a host is shared with, by slug.
    pub async fn host_shares(&mut self, host: HostId) -> Result<Vec<HostShare>> {
        all!(self, HOST_SHARE_LIST => HostShare, host)
    }

    /// Returns the lanes that a host serves.
    pub async fn host_lanes(&mut self, host: HostId) -> Result<Vec<LaneId>> {
        Ok(all!(self, HOST_LANES_LIST => LaneOnly, host)?.into_iter().map(|row| row.lane_id).collect())
    }

    /// Returns the hosts that serve a lane.
    pub async fn hosts_of_lane(&mut self, lane: LaneId) -> Result<Vec<HostId>> {
        Ok(all!(self, HOSTS_OF_LANE => HostOnly, lane)?.into_iter().map(|row| row.host_id).collect())
    }

    /// Replaces the lanes that a host serves.
    pub async fn host_lanes_set(&mut self, host: HostId, lanes: &[LaneId]) -> Result<()> {
        execute!(self, HOST_LANES_CLEAR, host)?;
        let pairs: Vec<(HostId, LaneId)> = lanes.iter().map(|lane| (host, *lane)).collect();
        self.host_lanes_add(&pairs).await
    }

    /// Adds lanes to the lanes that hosts serve.
    pub async fn host_lanes_add(&mut self, pairs: &[(HostId, LaneId)]) -> Result<()> {
        if pairs.is_empty() {
            return Ok(());
        }
        let rows = || Value::Array(pairs.iter().map(|(host, lane)| json!([hex(*host), hex(*lane)])).collect());
        split_execute!(
            self,
            HOST_LANES_PUT,
            sqlite(rows().to_string()),
            postgres(ids(pairs, |pair| pair.0), ids(pairs, |pair| pair.1)),
        )?;
        Ok(())
    }
}

fn servant(host: HostRow, shares: &[ShareRow], queues: &[QueueRow]) -> Servant {
    let shared = shares.iter().filter(|share| share.host_id == host.host_id).map(|share| share.org_id);
    let offered = queues.iter().filter(|queue| queue.host_id == host.host_id).map(|queue| &queue.queue);
    let queues = offered.filter(|queue| host.queues.contains(queue)).cloned();
    Servant {
        host_id: host.host_id,
        orgs: std::iter::once(host.org_id).chain(shared).collect(),
        labels: host.labels,
        queues: queues.collect(),
    }
}

impl TryFrom<Row> for Lane {
    type Error = crate::Error;
    fn try_from(row: Row) -> Result<Self> {
        let target = Target::read(row.target_kind, &row.target)
            .map_err(|error| crate::Error::Corrupt(sqlx::Error::Decode(error.into())))?;
        let key = LaneKey { org: row.org_id, target, definition: row.definition_id, limit_key: row.limit_key };
        Ok(Self { id: row.id, key })
    }
}
