//! The limits over the lanes of a claim, and the choice of jobs within them.

use std::collections::{BTreeMap, HashMap, HashSet};

use domain::{
    HostId, LaneId, OrgId, Timestamp,
    claim::{Candidate, LaneView, Share, choose},
    quota::{Counted, QuotaKind, Usage},
    server::ServerOp,
};
use store::{
    Tx,
    claim::{Head, OpenLane},
    quota::{Quota, QuotaKey},
};

use crate::{Hub, Result, app::settings::limits::set_limit};

/// The limits over the lanes of a claim, locked.
pub(super) struct Limits {
    quotas: Vec<Quota>,
    usages: Vec<Usage>,
    running_before: Vec<u32>,
    /// For each lane, the indexes of the limits that it counts towards.
    of_lane: Vec<Vec<usize>>,
    /// For each lane, whether one of its limits does not exist yet and cannot be created now.
    is_closed: Vec<bool>,
}

/// The limit of a definition on one host.
enum HostLimit {
    None,
    Counts(QuotaKey),
    /// It does not exist yet, and another transaction has locked a lease that it must count.
    Busy,
}

impl Limits {
    pub(super) async fn lock(
        hub: &Hub,
        tx: &mut Tx<'_>,
        lanes: &[OpenLane],
        host: Option<HostId>,
        has_limits: bool,
    ) -> Result<Self> {
        let mut keys: Vec<Vec<QuotaKey>> = vec![Vec::new(); lanes.len()];
        if has_limits {
            for (lane, keys) in lanes.iter().zip(&mut keys) {
                *keys = quota_keys(lane);
            }
        }
        let mut is_closed = vec![false; lanes.len()];
        if let Some(host) = host {
            for (index, lane) in lanes.iter().enumerate() {
                match on_host(hub, tx, lane, host).await? {
                    HostLimit::None => {}
                    HostLimit::Counts(key) => keys[index].push(key),
                    HostLimit::Busy => is_closed[index] = true,
                }
            }
        }
        let mut wanted: Vec<QuotaKey> = keys.iter().flatten().cloned().collect();
        wanted.sort();
        wanted.dedup();
        let quotas = if wanted.is_empty() { Vec::new() } else { tx.quota_lock(&wanted).await? };
        let index: HashMap<QuotaKey, usize> =
            quotas.iter().enumerate().map(|(number, quota)| (quota.key(), number)).collect();
        let of_lane = keys.iter().map(|keys| keys.iter().filter_map(|key| index.get(key).copied()).collect()).collect();
        let usages: Vec<Usage> = quotas.iter().map(Usage::from).collect();
        let running_before = usages.iter().map(|usage| usage.running).collect();
        Ok(Self { quotas, usages, running_before, of_lane, is_closed })
    }

    /// How many more jobs of a lane may start.
    pub(super) fn capacity(&self, lane: usize, now: Timestamp) -> u32 {
        if self.is_closed[lane] {
            return 0;
        }
        self.of_lane[lane].iter().map(|&quota| self.usages[quota].room(now)).min().unwrap_or(u32::MAX)
    }

    /// Chooses the heads to start, with the indexes of their lanes: first jobs of servers, which take no slot of the
    /// host, then the others.
    pub(super) fn choose(
        &mut self,
        heads: &[Head],
        lanes: &[OpenLane],
        shares: &mut BTreeMap<OrgId, Share>,
        capacity: u32,
        slots: u32,
        now: Timestamp,
    ) -> Vec<(usize, usize)> {
        let slotless: HashSet<LaneId> =
            lanes.iter().filter(|lane| takes_no_slot(lane)).map(|lane| lane.lane_id).collect();
        if slotless.is_empty() {
            return self.choose_alike(heads, lanes, shares, slots, now);
        }
        let mut chosen = Vec::new();
        for (is_slotless, most) in [(true, capacity), (false, slots)] {
            let indexes: Vec<usize> =
                (0..heads.len()).filter(|head| slotless.contains(&heads[*head].lane_id) == is_slotless).collect();
            let alike: Vec<Head> = indexes.iter().map(|head| heads[*head].clone()).collect();
            let left = most.min(capacity.saturating_sub(u32::try_from(chosen.len()).unwrap_or(u32::MAX)));
            let found = self.choose_alike(&alike, lanes, shares, left, now);
            chosen.extend(found.into_iter().map(|(head, lane)| (indexes[head], lane)));
        }
        chosen
    }

    /// Chooses among heads that all take a slot, or all take none.
    fn choose_alike(
        &mut self,
        heads: &[Head],
        lanes: &[OpenLane],
        shares: &mut BTreeMap<OrgId, Share>,
        most: u32,
        now: Timestamp,
    ) -> Vec<(usize, usize)> {
        let index: HashMap<LaneId, usize> =
            lanes.iter().enumerate().map(|(number, lane)| (lane.lane_id, number)).collect();
        let views: Vec<LaneView> = lanes
            .iter()
            .zip(&self.of_lane)
            .map(|(lane, quotas)| LaneView { org: lane.org_id, quotas: quotas.clone() })
            .collect();
        let candidates: Vec<Candidate> = heads
            .iter()
            .filter_map(|head| {
                let lane = *index.get(&head.lane_id)?;
                Some(Candidate { job: head.job_id, lane, priority: head.priority, due_at: head.due_at })
            })
            .collect();
        let chosen = choose(&candidates, &views, &mut self.usages, shares, most as usize, now);
        chosen.into_iter().map(|number| (number, candidates[number].lane)).collect()
    }

    /// Ids of the limits that a run of this lane counts towards, as stored with its lease.
    pub(super) fn counted(&self, lane: usize, share_ms: Option<i64>) -> Option<String> {
        let quotas = self.of_lane[lane].iter().map(|&quota| self.quotas[quota].id).collect();
        Counted { quotas, share_ms }.text()
    }

    /// Adds the started jobs to the limits.
    pub(super) async fn charge(&self, tx: &mut Tx<'_>) -> Result<()> {
        for ((quota, usage), before) in self.quotas.iter().zip(&self.usages).zip(&self.running_before) {
            let started = i32::try_from(usage.running - before).unwrap_or(i32::MAX);
            if started > 0 {
                tx.quota_charge(quota.id, started, &usage.recent).await?;
            }
        }
        Ok(())
    }
}

/// The limit of a definition on one host. Its row is created when it is first needed. The holder is locked, so no other
/// transaction creates the same row; its leases are locked without waiting, because other transactions lock them before
/// the holder.
async fn on_host(hub: &Hub, tx: &mut Tx<'_>, lane: &OpenLane, host: HostId) -> Result<HostLimit> {
    let (running, rate) = hub.queue.definitions.per_host(hub, tx, lane.definition_id).await?;
    if running.is_none() && rate.is_none() {
        return Ok(HostLimit::None);
    }
    let key = on_host_key(lane, host);
    let stored = tx.quota_get(&key).await?;
    if stored.is_none() && !tx.quota_leases_on_host_lock(lane.definition_id, host).await? {
        return Ok(HostLimit::Busy);
    }
    if stored.is_none_or(|quota| (quota.max_running, quota.jobs_per_minute) != (running, rate)) {
        set_limit(hub, tx, &key, running, rate).await?;
    }
    Ok(HostLimit::Counts(key))
}

/// Key of the limit of a lane's definition on one host.
pub(crate) fn on_host_key(lane: &OpenLane, host: HostId) -> QuotaKey {
    let subject = lane.definition_id.to_string();
    QuotaKey { org: None, kind: QuotaKind::DefinitionOnHost, subject, host: Some(host) }
}

/// Whether the jobs of a lane take no slot of their host, as jobs that start, stop or restart a server.
pub(super) fn takes_no_slot(lane: &OpenLane) -> bool {
    ServerOp::of_definition(lane.definition_id).is_some()
}

/// Keys of all limits that a lane can count towards.
pub(crate) fn quota_keys(lane: &OpenLane) -> Vec<QuotaKey> {
    let mut keys = Vec::new();
    if !takes_no_slot(lane) {
        keys.push(QuotaKey { org: Some(lane.org_id), kind: QuotaKind::Org, subject: String::new(), host: None });
    }
    let subject = lane.definition_id.to_string();
    keys.push(QuotaKey { org: None, kind: QuotaKind::Definition, subject, host: None });
    if !lane.limit_key.is_empty() {
        let subject = lane.limit_key.clone();
        keys.push(QuotaKey { org: Some(lane.org_id), kind: QuotaKind::Key, subject, host: None });
    }
    keys
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Span;
    use serde_json::{Value, json};
    use testkit::{TestDb, block_on};

    use crate::{
        Error,
        queue::test_support::{TestQueue, local},
    };

    async fn define(fixture: &TestQueue, max_running_per_host: Value) {
        let fields = json!({
            "key": "work", "argv": ["/bin/true"], "arg_schema": {}, "max_running_per_host": max_running_per_host,
        });
        let request = serde_json::from_value(fields).expect("a request");
        fixture.hub.definition_put(&local(), request).await.expect("defines");
        // The cached version is no longer fresh.
        fixture.clock.advance(Span::from_secs(2));
    }

    #[test]
    fn new_limit_on_a_host_waits_for_no_lease() {
        block_on(async {
            let fixture = Arc::new(TestQueue::new(TestDb::postgres().await, 4).await);
            define(&fixture, Value::Null).await;
            fixture.enqueue_as(fixture.acme, 3, json!({"definition_key": "work"})).await;
            let running = fixture.claim_for((fixture.host, fixture.epoch), 1).await.remove(0);
            define(&fixture, json!(2)).await;
            let other = fixture.clone();
            let end = fixture.hub.store.write(move |tx| {
                Box::pin(async move {
                    // As at the end of the run, which locks the holder next.
                    tx.lease_get(running.job).await?;
                    Ok::<_, Error>(other.claim().await.len())
                })
            });
            assert_eq!(end.await.expect("commits"), 0, "the limit cannot count the run now");
            assert_eq!(fixture.claim().await.len(), 1, "the limit counts the run that started before it");
        });
    }
}
