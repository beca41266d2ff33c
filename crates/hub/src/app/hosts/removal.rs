//! Removal of a host, and the end of the jobs bound to it.

use domain::{
    OrgId,
    job::{EndReason, RunStatus},
};
use proto::{Code, api::host::HostRemoval, work::RunResult};
use serde_json::json;
use store::{Tx, host::Host, insert::Lease, server::Server};

use crate::app::{AuditEntry, RequestContext, hosts::find, jobs::end_queued};
use crate::{
    Error, Hub, Result,
    link::work::bare,
    queue::{
        events::Changes,
        finish::{self, FinishEffects, Report},
    },
};

/// Jobs or servers named in the error that refuses a removal, and how many are counted for it.
const NAMED: usize = 5;
const COUNTED: u32 = 10_000;
/// Jobs canceled in one transaction while a host is removed.
const CANCELED: u32 = 1_000;

impl Hub {
    /// Removes a host. Fails while jobs wait for the host or run on it, unless the request cancels them.
    ///
    /// # Errors
    /// Fails if the host does not exist or has jobs or servers.
    pub async fn host_remove(
        &self,
        by: &RequestContext,
        org: OrgId,
        reference: &str,
        removal: HostRemoval,
    ) -> Result<()> {
        let mut canceled = 0;
        loop {
            let (hub, by, reference, how) = (self.clone(), by.clone(), reference.to_owned(), removal.clone());
            let step = self
                .store
                .write(move |tx| {
                    Box::pin(async move { remove_step(&hub, tx, &by, org, &reference, &how, canceled).await })
                })
                .await;
            match step.map_err(|error| if canceled > 0 { error.after_effect() } else { error })? {
                Removal::Canceled(count, effects) => {
                    canceled += count;
                    effects.into_iter().for_each(|effects| effects.after_commit(self));
                }
                Removal::Done => break,
            }
        }
        self.news();
        self.wakes.socket_revoker.wake();
        self.wakes.presence.wake();
        Ok(())
    }
}

/// Result of one step of a removal.
enum Removal {
    /// Some jobs were canceled; more may be left.
    Canceled(usize, Option<Box<FinishEffects>>),
    Done,
}

/// Runs one bounded step: cancels some of the host's jobs, or removes the host if it has none.
async fn remove_step(
    hub: &Hub,
    tx: &mut Tx<'_>,
    by: &RequestContext,
    org: OrgId,
    reference: &str,
    how: &HostRemoval,
    canceled: usize,
) -> Result<Removal> {
    let host = find(tx, org, reference).await?.host;
    if how.cancel_jobs {
        let bound = tx.jobs_bound(host.id, CANCELED).await?;
        if !bound.is_empty() {
            let ended = end_queued(hub, tx, &bound, EndReason::HostRemoved).await?;
            by.mark_committed(hub, tx).await?;
            return Ok(Removal::Canceled(ended.len(), None));
        }
        let leases = tx.leases_of_holder(host.id.into()).await?;
        if !leases.is_empty() {
            let effects = end_runs(hub, tx, &host, &leases).await?;
            by.mark_committed(hub, tx).await?;
            return Ok(Removal::Canceled(leases.len(), Some(Box::new(effects))));
        }
        let now = hub.now();
        for server in tx.server_of_host(host.id, COUNTED).await? {
            let (before, version) = (server.version, server.version + 1);
            tx.server_want(&Server { version, deleted_at: Some(now), updated_at: now, ..server }, before).await?;
        }
    } else {
        refuse_in_use(tx, org, &host).await?;
    }
    tx.host_remove(org, host.id, hub.now()).await?;
    let diff = if canceled > 0 { json!({"canceled_jobs": [null, canceled]}) } else { json!({}) };
    let (id, name) = (Some(host.id.to_string()), Some(host.name.as_str()));
    by.record(hub, tx, Some(org), AuditEntry { action: "host.removed", kind: "host", id, name, diff }).await?;
    Ok(Removal::Done)
}

/// Ends the runs on a host that is removed. Jobs bound to the host are canceled; others go back to their queue.
async fn end_runs(hub: &Hub, tx: &mut Tx<'_>, host: &Host, leases: &[Lease]) -> Result<FinishEffects> {
    let (mut reports, now) = (Vec::new(), hub.now());
    for lease in leases {
        let lane = tx.lane_get(lease.lane_id).await?;
        let is_bound = lane.is_none_or(|lane| lane.key.target.is_bound());
        let status = if is_bound { RunStatus::Canceled } else { RunStatus::Lost };
        if is_bound {
            tx.lease_cancel(lease.job_id, lease.fence, "the host was removed", now).await?;
        }
        let error = Some(format!("the host {} was removed", host.name));
        reports.push(Report {
            key: lease.key(),
            result: RunResult { error, ..bare(lease, status) },
            clock_offset_ms: 0,
            host: Some(host.id),
            is_forced: is_bound,
        });
    }
    let mut changes = Changes::default();
    let effects = finish::finish(hub, tx, &reports, &mut changes).await?;
    changes.write(hub, tx, now).await?;
    Ok(effects)
}

/// Names what the organization itself has on the host. Jobs and servers of other organizations are only counted.
async fn refuse_in_use(tx: &mut Tx<'_>, org: OrgId, host: &Host) -> Result<()> {
    let mut jobs = tx.jobs_bound(host.id, COUNTED).await?;
    jobs.extend(tx.leases_of_holder(host.id.into()).await?.iter().map(|lease| lease.job_id));
    let servers = tx.server_of_host(host.id, COUNTED).await?;
    if jobs.is_empty() && !servers.is_empty() {
        let own = servers.iter().filter(|server| server.org_id == org).take(NAMED).map(|server| server.name.clone());
        let (name, list) = (&host.name, listed(&own.collect::<Vec<_>>(), servers.len()));
        let detail = format!("the host {name} still has servers ({}){list}", servers.len());
        return Err(Error::new(Code::HostInUse, detail).hint(format!(
            "move them with `hostler server move`, or remove them too: hostler host rm {name} --cancel-jobs"
        )));
    }
    if jobs.is_empty() {
        return Ok(());
    }
    let count = if jobs.len() >= COUNTED as usize { format!("{COUNTED} or more") } else { jobs.len().to_string() };
    let owners = tx.job_owners(&jobs).await?;
    let own = owners.into_iter().filter(|(_, owner, _)| *owner == org).take(NAMED).map(|(job, ..)| job.to_string());
    let (name, list) = (&host.name, listed(&own.collect::<Vec<_>>(), jobs.len()));
    let detail = format!("the host {name} still has waiting or running jobs ({count}){list}");
    Err(Error::new(Code::HostInUse, detail)
        .hint(format!("move them with `hostler job move`, or cancel them too: hostler host rm {name} --cancel-jobs")))
}

/// The end of the error: some names, and the number of the others.
fn listed(named: &[String], count: usize) -> String {
    let more = count.saturating_sub(named.len());
    match (named.is_empty(), more) {
        (true, _) => ", all of other organizations".to_owned(),
        (false, 0) => format!(": {}", named.join(", ")),
        (false, more) => format!(": {} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use domain::job::JobStatus;

    use super::*;
    use crate::queue::test_support::{TestQueue, local};

    testkit::db_test!(host_with_jobs_is_removed_only_with_cancel_jobs, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue_as(fixture.acme, 7, json!({"definition_key": "hello", "host": "web-1"})).await;
        fixture
            .enqueue_as(
                fixture.acme,
                1,
                json!({"definition_key": "hello", "host": "web-1", "scheduled_for": "2100-01-01T00:00:00Z"}),
            )
            .await;
        fixture.enqueue_as(fixture.beta, 1, json!({"definition_key": "hello", "priority": -5})).await;
        let running = fixture.claim().await;
        assert_eq!(running.len(), 2);
        let (bound, free): (Vec<_>, Vec<_>) = running.iter().partition(|grant| grant.org == fixture.acme);
        assert_eq!((bound.len(), free.len()), (1, 1));
        let remove = |cancel_jobs| {
            let hub = fixture.hub.clone();
            async move { hub.host_remove(&local(), fixture.acme, "web-1", HostRemoval { cancel_jobs }).await }
        };
        let refused = remove(false).await.expect_err("the host has jobs");
        assert_eq!(refused.code(), Code::HostInUse);
        assert!(refused.to_string().contains("web-1 still has waiting or running jobs (9)"), "{refused}");
        assert!(refused.to_string().contains("and 4 more"), "{refused}");
        assert!(!refused.to_string().contains(&free[0].job.to_string()), "a job of another org: {refused}");
        remove(true).await.expect("removes");
        let gone = fixture.hub.host_get(fixture.acme, "web-1").await.expect_err("gone");
        assert_eq!(gone.code(), Code::NotFound, "{gone:?}");
        let summary = fixture.hub.job_summary(fixture.acme).await.expect("counts");
        assert_eq!(summary.counts.get("canceled"), Some(&8), "{summary:?}");
        let job = fixture.hub.job_get(fixture.acme, &bound[0].job.to_string()).await.expect("the job exists").job;
        assert_eq!((job.status, job.end_reason), (JobStatus::Canceled, Some(EndReason::Forced)));
        let job = fixture.hub.job_get(fixture.beta, &free[0].job.to_string()).await.expect("the job exists").job;
        assert_eq!(job.status, JobStatus::Queued, "another host can take it");
    });
    testkit::db_test!(host_removal_counts_jobs_of_other_orgs_without_naming_them, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue_as(fixture.beta, 2, json!({"definition_key": "hello"})).await;
        let running = fixture.claim().await;
        assert_eq!(running.len(), 2);
        let removal = HostRemoval { cancel_jobs: false };
        let refused = fixture.hub.host_remove(&local(), fixture.acme, "web-1", removal).await.expect_err("has jobs");
        let expected = "the host web-1 still has waiting or running jobs (2), all of other organizations";
        assert_eq!((refused.code(), refused.to_string().as_str()), (Code::HostInUse, expected));
    });
}
