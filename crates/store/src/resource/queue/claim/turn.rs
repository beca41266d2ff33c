//! A host's turn in one look and one write, on PostgreSQL: what has ended there is taken away, and what it begins with
//! instead is found, without a lock. Whoever writes makes sure that all of it still is so.

use domain::{DefinitionId, HostId, JobId, LaneId, OrgId, Span, Timestamp, claim::Share, job::OnLost};
use serde::Deserialize;
use serde_json::Value;

use super::{Claimed, Head, Holder, HostOpen, LaneRoom, OpenLane, Spot};
use crate::{
    Result, Tx,
    columns::{column, ids, times},
    insert::Lease,
    postgres::deferred::Version,
    sql::Both,
    value::{Db, Json},
};

/// What a host may take, without a lock.
#[derive(Debug, Clone)]
pub struct TurnLook {
    pub open: HostOpen,
    /// Which version of the holder was seen.
    pub version: Version,
    /// What orgs have used of the host.
    pub shares: Vec<(OrgId, Share)>,
    /// The first jobs of each lane.
    pub heads: Vec<Head>,
    /// Lanes that are open, and in which nothing was seen.
    pub empty: Vec<OpenLane>,
}

/// What must still be so of a host when its turn is written.
#[derive(Debug, Clone, Copy)]
pub struct Unchanged<'a> {
    /// Nobody has written to its holder since this version.
    pub version: &'a str,
    /// It was heard from since then.
    pub heard: Timestamp,
    /// No limit, pause, share or switch has changed since this was seen.
    pub rules: i64,
    /// All of them are its own.
    pub lanes: &'a [LaneId],
}

/// A lane where there is one, and a job in it where there is one.
struct TurnRow {
    version: String,
    shares: Option<Json<Value>>,
    lane_id: Option<LaneId>,
    org_id: Option<OrgId>,
    definition_id: Option<DefinitionId>,
    limit_key: Option<String>,
    job_id: Option<JobId>,
    priority: Option<i32>,
    due_at: Option<Timestamp>,
    fence: Option<i32>,
    definition_version: Option<i32>,
    payload: Option<Json<Value>>,
    sealed: Option<Vec<u8>>,
    timeout_ms: Option<Span>,
    on_lost: Option<OnLost>,
    expires_at: Option<Timestamp>,
    correlation_id: Option<String>,
}

/// An org's share as the look writes it: its id in hexadecimal digits, and what it has.
#[derive(Deserialize)]
struct ShareText(String, f64, f64, bool);

rows! {
    TurnRow { version, shares, lane_id, org_id, definition_id, limit_key, job_id, priority, due_at, fence, definition_version, payload, sealed, timeout_ms, on_lost, expires_at, correlation_id }
}

statements! {
    // Heads as in `READY_HEADS_AND_JOBS`: from where each lane was left, `$6` to `$9`, or from its start. The holder is found before
    // all else (`offset 0` says so): what is asked of it would be asked for every head again, and its lanes not by their keys.
    TURN_LOOK = pair(
        "select 1",
        concat!(
            "select o.*, l.id as lane_id, l.org_id, l.definition_id, l.limit_key,
                r.job_id, r.priority, r.due_at, r.fence,
                j.definition_version, coalesce(y.payload, j.payload) as payload, coalesce(y.sealed, j.sealed) as sealed,
                j.timeout_ms, j.on_lost, j.expires_at, j.correlation_id
            from (
                select o.id, o.xmin::text as version,
                    (select json_agg(json_build_array(encode(uuid_send(u.org_id), 'hex'), u.used_ms, u.cost_ms, u.is_waiting))
                        from host_usage u where u.host_id = o.id) as shares, ",
            holder!("(select version from config_version where id = 1)"),
            " from holder o left join host h on h.id = o.id left join host_session s on s.host_id = o.id
                where ",
            of_holder!(),
            " offset 0) o
            left join (host_lane hl join lane l on l.id = hl.lane_id join definition d on d.id = l.definition_id)
                on hl.host_id = o.id and ",
            is_open!(),
            " left join lateral (
                select x.priority, x.due_at, x.job_id
                from unnest($6::uuid[], $7::int[], $8::timestamptz[], $9::uuid[]) x (lane_id, priority, due_at, job_id)
                where x.lane_id = l.id limit 1) f on true
            left join lateral (
                select job_id, priority, due_at, fence
                from ready where lane_id = l.id and (priority, due_at, job_id) >= (
                    coalesce(f.priority, -2147483648), coalesce(f.due_at, '-infinity'),
                    coalesce(f.job_id, '00000000-0000-0000-0000-000000000000'))
                order by priority, due_at, job_id limit $5) r on true
            left join lateral (select * from job where id = r.job_id limit 1) j on true
            left join lateral (
                select payload, sealed from redrive where r.fence > 0 and job_id = r.job_id order by fence desc limit 1) y on true"
        )
    );
    // Not by what it runs: what was used of a shared host changes also with an end that gives no place back.
    TURN_GUARD = pair(
        "select 1",
        concat!(
            "select 1 / count(*) from (
                select id from holder where id = $1 and epoch = $2 and xmin::text = $3 and ",
            is_attended!("$4"),
            " and ",
            is_under_rules!("$5"),
            " and (select count(*) from host_lane l where l.host_id = $1 and l.lane_id = any ($6::uuid[]))
                    = cardinality($6::uuid[])
                for update) seen"
        )
    );
    // Those that somebody wants back, that are kept for another session, or that count against a limit that was made since
    // are no longer what was remembered.
    TURN_LEASE_END = pair(
        "select 1",
        "delete from lease using unnest($1::uuid[], $2::text[]) x (job_id, counted)
        where lease.job_id = x.job_id and lease.counted is not distinct from x.counted and lease.job_id = any ($1::uuid[])
            and fence = $3 and holder_id = $4 and epoch = $5 and cancel_at is null and held_at is null
        returning 1"
    );
    // By all of their key: they may have been remembered, and each must be the one that was. What somebody has locked is as
    // good as gone: to wait for it, with the holder locked, would be to wait in a circle.
    TURN_READY_DELETE = pair(
        "select 1",
        "with free as materialized (
            select r.tid from unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::uuid[], $5::int[])
                x (lane_id, priority, due_at, job_id, fence)
            cross join lateral (
                select ctid as tid from ready
                where lane_id = x.lane_id and priority = x.priority and due_at = x.due_at and job_id = x.job_id
                    and fence = x.fence
                for update skip locked) r)
        delete from ready where ctid = any (array(select tid from free)) returning 1"
    );
}

impl Tx<'_> {
    /// What is open to a host, and the first jobs of each of its lanes, at most `room`: without a lock, and only in
    /// [`crate::Store::write_optimistic`].
    pub async fn turn_look(
        &mut self,
        host: HostId,
        epoch: i64,
        (now, heard): (Timestamp, Timestamp),
        room: u32,
        from: &[LaneRoom],
    ) -> Result<Option<TurnLook>> {
        let from: Vec<(LaneId, Spot)> = from.iter().filter_map(|lane| Some((lane.lane_id, lane.from?))).collect();
        self.allow_unlocked_query();
        let rows = split!(
            self, TURN_LOOK => Both<Holder, TurnRow>,
            sqlite(),
            postgres(
                Db(host),
                epoch,
                Db(now),
                Db(heard),
                i64::from(room),
                ids(&from, |row| row.0),
                column(&from, |row| row.1.priority),
                times(&from, |row| row.1.due_at),
                ids(&from, |row| row.1.job_id),
            ),
        )?;
        let mut found: Option<TurnLook> = None;
        for Both(holder, mut row) in rows {
            let look = match &mut found {
                Some(look) => look,
                None => {
                    let shares = row.shares.take().map_or(Ok(Vec::new()), |Json(text)| shares_of(text))?;
                    let open = HostOpen { holder, lanes: Vec::new(), is_waiting: true };
                    found.insert(TurnLook {
                        open,
                        version: Version::from(std::mem::take(&mut row.version)),
                        shares,
                        heads: Vec::new(),
                        empty: Vec::new(),
                    })
                }
            };
            look.note(row);
        }
        Ok(found)
    }

    /// A host must be as it was seen when the rest is written.
    pub fn turn_guard(&mut self, host: HostId, epoch: i64, seen: &Unchanged<'_>) -> Result<()> {
        self.deferred.guard(&TURN_GUARD);
        self.deferred.bind(Db(host))?;
        self.deferred.bind(epoch)?;
        self.deferred.bind(seen.version)?;
        self.deferred.bind(Db(seen.heard))?;
        self.deferred.bind(seen.rules)?;
        self.deferred.bind(ids(seen.lanes, |id| *id))
    }

    /// Tells, once all is written, which version of everything that was written to it has made.
    pub fn version_into(&mut self, version: &Version) {
        self.deferred.version_into(version.clone());
    }

    /// These runs of a session, all with the same fence, are over with what is written. They must be held by it and count
    /// against what they did, and nobody may want them back.
    pub fn turn_end(&mut self, leases: &[&Lease]) -> Result<()> {
        let Some(first) = leases.first() else { return Ok(()) };
        self.deferred.begin(&TURN_LEASE_END, Some(leases.len()));
        self.deferred.bind(ids(leases, |lease| lease.job_id))?;
        self.deferred.bind(column(leases, |lease| lease.counted.as_deref()))?;
        self.deferred.bind(first.fence)?;
        self.deferred.bind(Db(first.holder_id))?;
        self.deferred.bind(first.epoch)?;
        self.deferred.expect_rows(leases.len())
    }

    /// These heads must still wait where they were seen; then they no longer do.
    pub(super) fn turn_take(&mut self, heads: &[&Head]) -> Result<()> {
        self.deferred.begin(&TURN_READY_DELETE, Some(heads.len()));
        self.deferred.bind(ids(heads, |head| head.lane_id))?;
        self.deferred.bind(column(heads, |head| head.priority))?;
        self.deferred.bind(times(heads, |head| head.due_at))?;
        self.deferred.bind(ids(heads, |head| head.job_id))?;
        self.deferred.bind(column(heads, |head| head.fence))?;
        self.deferred.expect_rows(heads.len())
    }
}

fn shares_of(text: Value) -> Result<Vec<(OrgId, Share)>> {
    let wrong = |error: Box<dyn std::error::Error + Send + Sync>| crate::Error::from(sqlx::Error::Decode(error));
    let rows: Vec<ShareText> = serde_json::from_value(text).map_err(|error| wrong(error.into()))?;
    let share = |ShareText(org, used_ms, cost_ms, is_waiting)| {
        let org = u128::from_str_radix(&org, 16).map_err(|error| wrong(error.into()))?;
        Ok((OrgId::from_bytes(org.to_be_bytes()), Share { used_ms, cost_ms, is_waiting }))
    };
    rows.into_iter().map(share).collect()
}

impl TurnLook {
    /// Takes in the lane of a row, and the job in it.
    fn note(&mut self, mut row: TurnRow) {
        let lane = (row.lane_id, row.org_id, row.definition_id, row.limit_key.take());
        let (Some(lane_id), Some(org_id), Some(definition_id), Some(limit_key)) = lane else { return };
        let lane = OpenLane { lane_id, org_id, definition_id, limit_key };
        let Some(head) = head_of(row, &lane) else {
            self.empty.push(lane);
            return;
        };
        self.heads.push(head);
        let lanes = &mut self.open.lanes;
        if lanes.last().is_none_or(|last| last.lane_id != lane_id) && lanes.iter().all(|lane| lane.lane_id != lane_id) {
            lanes.push(lane);
        }
    }
}

/// The job of a row, in its lane.
fn head_of(row: TurnRow, &OpenLane { lane_id, org_id, definition_id, .. }: &OpenLane) -> Option<Head> {
    let (job_id, priority, due_at, fence) = (row.job_id?, row.priority?, row.due_at?, row.fence?);
    let job = Claimed {
        job_id,
        org_id,
        definition_id,
        definition_version: row.definition_version?,
        payload: row.payload?.0,
        sealed: row.sealed,
        timeout: row.timeout_ms?,
        on_lost: row.on_lost?,
        expires_at: row.expires_at,
        correlation_id: row.correlation_id,
    };
    Some(Head { job_id, lane_id, priority, due_at, fence, tid: None, job: Some(job), is_new: false })
}
