//! What orgs use of a host that several share: charged as expected when a run begins, corrected when it ends.

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

/// What each org has used of the host of a claim; nothing if it is not shared.
pub(super) struct Shares {
    host: Option<HostId>,
    pub(super) now: BTreeMap<OrgId, Share>,
    before: BTreeMap<OrgId, Share>,
}

impl Shares {
    /// The shares of a host, if it is one that several orgs use. Its holder is locked.
    pub(super) async fn read(tx: &mut Tx<'_>, lanes: &[OpenLane], host: Option<HostId>) -> Result<Self> {
        let before: BTreeMap<OrgId, Share> = match host {
            Some(host) => tx.host_usage(host).await?.into_iter().collect(),
            None => BTreeMap::new(),
        };
        Ok(Self::of(before, &Taken::default(), lanes, host))
    }

    /// The same where the shares are known, after what has ended meanwhile.
    pub(super) fn of(before: BTreeMap<OrgId, Share>, taken: &Taken, lanes: &[OpenLane], host: Option<HostId>) -> Self {
        if host.is_none() {
            return Self { host, now: BTreeMap::new(), before: BTreeMap::new() };
        }
        let mut now = before.clone();
        for ((_, org), spent) in &taken.0 {
            if let Some(share) = now.get_mut(org) {
                share.settle(spent);
            }
        }
        compare(&mut now, &lanes.iter().map(|lane| lane.org_id).collect::<BTreeSet<OrgId>>());
        Self { host, now, before }
    }

    /// What a run of this org is charged when it begins.
    pub(super) fn charge(&self, org: OrgId) -> Option<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no exactness")]
        self.now.get(&org).map(|share| share.cost_ms.round() as i64)
    }

    pub(super) async fn write(&self, tx: &mut Tx<'_>) -> Result<()> {
        let Some(host) = self.host else { return Ok(()) };
        let changed = self.now.iter().filter(|(org, share)| self.before.get(org) != Some(*share));
        let changed: Vec<(OrgId, Share)> = changed.map(|(org, share)| (*org, *share)).collect();
        if changed.is_empty() {
            return Ok(());
        }
        Ok(tx.host_usage_set(host, &changed).await?)
    }
}

/// What ended runs have really taken of hosts that are shared, by holder and org.
#[derive(Default)]
pub(super) struct Taken(BTreeMap<(HolderId, OrgId), Spent>);

impl Taken {
    /// A run has ended. Only those that were charged count.
    pub(super) fn add(&mut self, lease: &Lease, counted: &Counted, run: &EndedRun) {
        let Some(charged) = counted.share_ms else { return };
        let taken = (run.status != RunStatus::NotStarted).then(|| run.finished_at.since(run.started_at));
        #[expect(clippy::cast_precision_loss, reason = "a share needs no exactness")]
        self.0.entry((lease.holder_id, lease.org_id)).or_default().add(charged as f64, taken);
    }

    /// Whether none was charged.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By host and org.
    pub(super) fn list(self) -> Vec<(HostId, OrgId, Spent)> {
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

    testkit::db_test!(one_orgs_thousands_do_not_delay_anothers_first, |db| async move {
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
        assert_eq!(next[0].org, fixture.beta, "the next turn is the newcomer's");
        fixture.end(&next[0], Span::from_secs(1)).await;

        // Nor can a newcomer's thousands hold up who was there before.
        fixture.enqueue(fixture.beta, 3_000).await;
        let mut turns = Vec::new();
        for _ in 0..10 {
            let grants = fixture.claim().await;
            turns.push(grants[0].org);
            fixture.end(&grants[0], Span::from_secs(1)).await;
        }
        assert_eq!(turns.iter().filter(|org| **org == fixture.acme).count(), 5, "they take turns");
    });

    testkit::db_test!(real_worker_time_decides_and_is_kept, |db| async move {
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
        assert!((long - short).abs() <= 30_000, "as much time for each, not as many jobs: {long} ms and {short} ms");
        let used = fixture.used().await;
        assert!((used[&fixture.acme].used_ms - used[&fixture.beta].used_ms).abs() <= 31_000.0, "{used:?}");
        assert!(
            used[&fixture.acme].cost_ms > 20_000.0 && used[&fixture.beta].cost_ms < 3_100.0,
            "what is expected follows"
        );
    });

    testkit::db_test!(what_was_charged_is_what_it_took_in_the_end, |db| async move {
        let fixture = TestQueue::new(db, 3).await;
        fixture.enqueue(fixture.acme, 3).await;
        let grants = fixture.claim().await;
        assert_eq!(grants.len(), 3);
        let near = |used: f64, expected: f64| (used - expected).abs() < 1.0;
        assert!(near(fixture.used().await[&fixture.acme].used_ms, 3_000.0), "nothing is known of them: a second each");
        let expected = [(62_000.0, 60_000.0), (181_000.0, 72_000.0), (360_000.0, 93_600.0)];
        for (grant, (total_ms, next_ms)) in grants.iter().zip(expected) {
            fixture.end(grant, Span::from_secs(60)).await;
            let Share { used_ms: used, cost_ms: cost, .. } = fixture.used().await[&fixture.acme];
            assert!(near(used, total_ms), "{used} instead of {total_ms}");
            assert!(near(cost, next_ms), "the next is expected to take {cost} instead of {next_ms}");
        }
        // No longer shared: nothing is charged, and what was is forgotten.
        let share = HostShareRequest { org: "beta".into() };
        let detail = fixture.hub.host_unshare(&local(), fixture.acme, "web-1", share).await.expect("unshares");
        assert!(detail.shared_with.is_empty());
        fixture.enqueue(fixture.beta, 1).await;
        assert!(fixture.claim().await.is_empty(), "beta's jobs are no longer for it");
        fixture.enqueue(fixture.acme, 1).await;
        let before = fixture.used().await;
        let grants = fixture.claim().await;
        fixture.end(&grants[0], Span::from_secs(60)).await;
        assert_eq!(fixture.used().await, before);
        assert!(!before.contains_key(&fixture.beta));
    });
}
