//! The context of a claim: the locked holder, its open lanes, and the locked limits over them.

use domain::{Timestamp, quota::Usage, server::ServerOp};
use store::{
    Tx,
    claim::{AssumedOpen, ClaimedJob, Head, Holder, LaneCapacity, LockedHost, NewLease, OpenLane},
};

use super::{
    CAPACITY_MAX, ClaimRequest, Claimant,
    limits::{Limits, takes_no_slot},
    secrets,
    share::Shares,
};
use crate::{Hub, Result};

/// Everything that limits a claim, locked until the end of the transaction.
pub(super) struct ClaimContext<'a> {
    request: &'a ClaimRequest,
    holder: Holder,
    lanes: Vec<OpenLane>,
    /// Whether jobs are waiting in the lanes.
    pub(super) is_waiting: bool,
    limits: Limits,
    /// Use of the holder's own limits.
    usage: Usage,
    /// Largest number of jobs.
    capacity: u32,
    /// Largest number of jobs that take a slot of the host; jobs of servers take none.
    slots: u32,
}

impl<'a> ClaimContext<'a> {
    /// Locks the holder and reads its open lanes. `None` if it cannot claim anything now.
    pub(super) async fn lock(
        hub: &Hub,
        tx: &mut Tx<'_>,
        request: &'a ClaimRequest,
        assumed_open: AssumedOpen<'_>,
        now: Timestamp,
    ) -> Result<Option<Self>> {
        let heard_since = now - hub.options.lost_after;
        let locked = match &request.claimant {
            Claimant::Host(host) => tx.claim_lock_host(*host, request.epoch, now, heard_since, assumed_open).await?,
            Claimant::Worker { id, org, queues, terms, .. } => {
                match tx.holder_lock(*id, request.epoch, now, heard_since).await? {
                    Some(holder) => {
                        let lanes = tx.lanes_of_queues(*org, queues, now).await?;
                        let lanes = terms.allowed(hub, tx, lanes).await?;
                        Some(LockedHost { holder, lanes, is_waiting: true })
                    }
                    None => None,
                }
            }
        };
        let Some(LockedHost { holder, mut lanes, is_waiting }) = locked else { return Ok(None) };
        let usage = Usage::of(holder.max_running, holder.jobs_per_minute, holder.running, holder.recent.clone());
        let capacity = if holder.is_paused { 0 } else { request.capacity.min(CAPACITY_MAX) };
        let slots = usage.room(now).min(capacity);
        lanes.retain(|lane| capacity > 0 && (slots > 0 || takes_no_slot(lane)));
        if lanes.is_empty() {
            return Ok(None);
        }
        let lanes = secrets::startable(hub, tx, lanes).await?;
        if lanes.is_empty() {
            return Ok(None);
        }
        let limits = Limits::lock(hub, tx, &lanes, request.claimant.host(), holder.has_limits).await?;
        Ok(Some(Self { request, holder, lanes, is_waiting, limits, usage, capacity, slots }))
    }

    /// How many jobs of each lane may start, for the lanes where any may.
    pub(super) fn lane_capacities(&self, now: Timestamp) -> Vec<LaneCapacity> {
        let capacity = |(index, lane): (usize, &OpenLane)| {
            let most = if takes_no_slot(lane) { self.capacity } else { self.slots };
            LaneCapacity::new(lane.lane_id, most.min(self.limits.capacity(index, now)))
        };
        self.lanes.iter().enumerate().map(capacity).filter(|lane| lane.capacity > 0).collect()
    }

    /// Chooses among heads, inserts their leases, and charges the holder, its limits and the shares of orgs. Returns the
    /// leases and what their jobs run, in the same order.
    pub(super) async fn lease(
        mut self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        heads: Vec<Head>,
        now: Timestamp,
    ) -> Result<(Vec<NewLease>, Vec<ClaimedJob>)> {
        let (lanes, claimant) = (&self.lanes, &self.request.claimant);
        let shared_host = claimant.host().filter(|_| self.holder.is_shared);
        let mut shares = Shares::read(tx, lanes, shared_host).await?;
        let chosen = self.limits.choose(&heads, lanes, &mut shares.current, self.capacity, self.slots, now);
        if chosen.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut heads: Vec<Option<Head>> = heads.into_iter().map(Some).collect();
        let lease = |&(head, lane): &(usize, usize)| {
            Some(NewLease {
                head: heads[head].take()?,
                run_id: hub.ids.next(),
                org_id: lanes[lane].org_id,
                definition_id: lanes[lane].definition_id,
                counted: self.limits.counted(lane, shares.charge(lanes[lane].org_id)),
            })
        };
        let mut leases: Vec<NewLease> = chosen.iter().filter_map(lease).collect();
        let started = leases.iter().filter(|lease| ServerOp::of_definition(lease.definition_id).is_none()).count();
        let started = u32::try_from(started).unwrap_or(u32::MAX);
        let holder = claimant.holder();
        let jobs = tx.lease_insert(&mut leases, holder, self.request.epoch, now).await?;
        self.usage.take(started, now);
        tx.holder_charge(holder, i32::try_from(started).unwrap_or(i32::MAX), &self.usage.recent).await?;
        self.limits.charge(tx).await?;
        if let Claimant::Worker { id, request, .. } = claimant {
            tx.worker_request(*id, request.as_deref(), now).await?;
        }
        shares.write(tx).await?;
        Ok((leases, jobs))
    }
}
