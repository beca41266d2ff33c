//! Fair shares of orgs on a shared host: an expected duration is charged when a run starts, and corrected when it ends.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    HolderId, HostId, OrgId,
    claim::{Share, Spent, compare},
    job::RunStatus,
    quota::Counted,
};
use store::{
    Tx,
    claim::OpenLane,
    insert::{EndedRun, Lease},
};

use crate::Result;

/// Use of a shared host by org. Empty for a host that is not shared.
pub(super) struct Shares {
    host: Option<HostId>,
    pub(super) current: BTreeMap<OrgId, Share>,
    stored: BTreeMap<OrgId, Share>,
}

impl Shares {
    /// Reads the shares. The host's holder must be locked.
    pub(super) async fn read(tx: &mut Tx<'_>, lanes: &[OpenLane], host: Option<HostId>) -> Result<Self> {
        let Some(id) = host else { return Ok(Self { host, current: BTreeMap::new(), stored: BTreeMap::new() }) };
        let stored: BTreeMap<OrgId, Share> = tx.host_usage(id).await?.into_iter().collect();
        let mut current = stored.clone();
        compare(&mut current, &lanes.iter().map(|lane| lane.org_id).collect::<BTreeSet<OrgId>>());
        Ok(Self { host, current, stored })
    }

    /// Expected duration that a run of this org is charged when it starts.
    pub(super) fn charge(&self, org: OrgId) -> Option<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no exactness")]
        self.current.get(&org).map(|share| share.cost_ms.round() as i64)
    }

    /// Stores the shares that have changed.
    pub(super) async fn write(&self, tx: &mut Tx<'_>) -> Result<()> {
        let Some(host) = self.host else { return Ok(()) };
        let changed = self.current.iter().filter(|(org, share)| self.stored.get(org) != Some(*share));
        let changed: Vec<(OrgId, Share)> = changed.map(|(org, share)| (*org, *share)).collect();
        if changed.is_empty() {
            return Ok(());
        }
        Ok(tx.host_usage_set(host, &changed).await?)
    }
}

/// Real durations of ended runs on shared hosts, by holder and org.
#[derive(Default)]
pub(crate) struct SpentTime(BTreeMap<(HolderId, OrgId), Spent>);

impl SpentTime {
    /// Adds an ended run, if it was charged.
    pub(crate) fn add(&mut self, lease: &Lease, counted: &Counted, run: &EndedRun) {
        let Some(charged) = counted.share_ms else { return };
        let spent = (run.status != RunStatus::NotStarted).then(|| run.finished_at.since(run.started_at));
        #[expect(clippy::cast_precision_loss, reason = "a share needs no exactness")]
        self.0.entry((lease.holder_id, lease.org_id)).or_default().add(charged as f64, spent);
    }

    /// All durations, by host and org.
    pub(crate) fn list(self) -> Vec<(HostId, OrgId, Spent)> {
        let host = |holder: HolderId| HostId::from_bytes(holder.to_bytes());
        self.0.into_iter().map(|((holder, org), spent)| (host(holder), org, spent)).collect()
    }
}

#[cfg(test)]
mod tests {
    use domain::Span;
    use proto::api::host::HostShareRequest;

    use super::*;
    use crate::queue::test_support::{TestQueue, local};

    testkit::db_test!(thousands_of_jobs_of_one_org_do_not_delay_another_org, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 3_000).await;
        for _ in 0..5 {
            let grants = fixture.claim().await;
            assert_eq!(grants.iter().map(|grant| grant.org).collect::<Vec<_>>(), [fixture.acme], "one slot, one job");
            fixture.end(&grants[0], Span::from_secs(1)).await;
        }
        let running = fixture.claim().await;
        fixture.enqueue(fixture.beta, 1).await;
        assert!(fixture.claim().await.is_empty(), "the slot is taken");
        fixture.end(&running[0], Span::from_secs(1)).await;
        let next = fixture.claim().await;
        assert_eq!(next[0].org, fixture.beta, "the next slot goes to the new org");
        fixture.end(&next[0], Span::from_secs(1)).await;

        // Thousands of jobs of the new org do not delay the other one either.
        fixture.enqueue(fixture.beta, 3_000).await;
        let mut orgs = Vec::new();
        for _ in 0..10 {
            let grants = fixture.claim().await;
            orgs.push(grants[0].org);
            fixture.end(&grants[0], Span::from_secs(1)).await;
        }
        assert_eq!(orgs.iter().filter(|org| **org == fixture.acme).count(), 5, "the orgs alternate");
    });

    testkit::db_test!(orgs_get_equal_worker_time_on_a_shared_host, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 20).await;
        fixture.enqueue(fixture.beta, 200).await;
        let mut times = BTreeMap::new();
        for _ in 0..60 {
            let grants = fixture.claim().await;
            let grant = &grants[0];
            let taken = if grant.org == fixture.acme { Span::from_secs(30) } else { Span::from_secs(3) };
            *times.entry(grant.org).or_insert(0) += taken.as_millis();
            fixture.end(grant, taken).await;
        }
        let (long, short) = (times[&fixture.acme], times[&fixture.beta]);
        assert!(
            (long - short).abs() <= 30_000,
            "equal time for each org, not equal numbers of jobs: {long} ms and {short} ms"
        );
        let used = fixture.used().await;
        assert!((used[&fixture.acme].used_ms - used[&fixture.beta].used_ms).abs() <= 31_000.0, "{used:?}");
        assert!(
            used[&fixture.acme].cost_ms > 20_000.0 && used[&fixture.beta].cost_ms < 3_100.0,
            "the expected duration follows the real one"
        );
    });

    testkit::db_test!(charge_is_corrected_to_the_real_duration, |db| async move {
        let fixture = TestQueue::new(db, 3).await;
        fixture.enqueue(fixture.acme, 3).await;
        let grants = fixture.claim().await;
        assert_eq!(grants.len(), 3);
        let near = |used: f64, expected: f64| (used - expected).abs() < 1.0;
        assert!(
            near(fixture.used().await[&fixture.acme].used_ms, 3_000.0),
            "a second each as long as no run has ended"
        );
        let expected = [(62_000.0, 60_000.0), (181_000.0, 72_000.0), (360_000.0, 93_600.0)];
        for (grant, (total_ms, next_ms)) in grants.iter().zip(expected) {
            fixture.end(grant, Span::from_secs(60)).await;
            let Share { used_ms: used, cost_ms: cost, .. } = fixture.used().await[&fixture.acme];
            assert!(near(used, total_ms), "{used} instead of {total_ms}");
            assert!(near(cost, next_ms), "the next is expected to take {cost} instead of {next_ms}");
        }
        // The host is no longer shared: nothing is charged, and the other org's use is removed.
        let share = HostShareRequest { org: "beta".into() };
        let detail = fixture.hub.host_unshare(&local(), fixture.acme, "web-1", share).await.expect("unshares");
        assert!(detail.shared_with.is_empty());
        fixture.enqueue(fixture.beta, 1).await;
        assert!(fixture.claim().await.is_empty(), "the host no longer serves the other org");
        fixture.enqueue(fixture.acme, 1).await;
        let before = fixture.used().await;
        let grants = fixture.claim().await;
        fixture.end(&grants[0], Span::from_secs(60)).await;
        assert_eq!(fixture.used().await, before);
        assert!(!before.contains_key(&fixture.beta));
    });
}
