//! Taking a host away, and what becomes of its jobs.

use domain::{
    OrgId,
    job::{EndReason, RunStatus},
};
use proto::{Code, api::host::HostRemoval, work::RunResult};
use serde_json::json;
use store::{Tx, host::Host, queue::Lease, server::Server};

use super::{By, Deed, hosts::find, jobs::end_queued};
use crate::{
    Error, Hub, Result,
    link::work::bare,
    queue::finish::{self, Done, Report},
};

/// Jobs named in the refusal to remove a host, and those counted for it.
const NAMED: usize = 5;
const COUNTED: u32 = 10_000;
/// Jobs canceled in one transaction while a host is removed.
const CANCELED: u32 = 1_000;

impl Hub {
    /// Removes a host. One that jobs wait for, or that runs some, stays, unless they are to be canceled with it.
    ///
    /// # Errors
    /// There is no such host, or it has jobs.
    pub async fn host_remove(&self, by: &By, org: OrgId, reference: &str, removal: HostRemoval) -> Result<()> {
        let mut canceled = 0;
        loop {
            let (hub, by, reference, how) = (self.clone(), by.clone(), reference.to_owned(), removal.clone());
            let step = self
                .store
                .write(move |tx| {
                    Box::pin(async move { remove_step(&hub, tx, &by, org, &reference, &how, canceled).await })
                })
                .await?;
            match step {
                Removal::Canceled(count, done) => {
                    canceled += count;
                    done.into_iter().for_each(|done| done.wake(self));
                }
                Removal::Done => break,
            }
        }
        self.news();
        self.wakes.rights.wake();
        self.wakes.presence.wake();
        Ok(())
    }
}

/// How far the removal of a host has come.
enum Removal {
    /// Jobs were canceled; there may be more.
    Canceled(usize, Option<Done>),
    /// It is gone.
    Done,
}

/// One bounded step: cancels some of its jobs, or removes it if there are none.
async fn remove_step(
    hub: &Hub,
    tx: &mut Tx<'_>,
    by: &By,
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
            return Ok(Removal::Canceled(ended.len(), None));
        }
        let leases = tx.leases_of_holder(host.id.into()).await?;
        if !leases.is_empty() {
            let done = let_go(hub, tx, &host, &leases).await?;
            return Ok(Removal::Canceled(leases.len(), Some(done)));
        }
        let now = hub.now();
        for server in tx.server_of_host(host.id, COUNTED).await? {
            let (before, version) = (server.version, server.version + 1);
            tx.server_want(&Server { version, deleted_at: Some(now), updated_at: now, ..server }, before).await?;
        }
    } else {
        refuse_in_use(tx, &host).await?;
    }
    tx.host_remove(org, host.id).await?;
    let diff = if canceled > 0 { json!({"canceled_jobs": [null, canceled]}) } else { json!({}) };
    let (id, name) = (Some(host.id.to_string()), Some(host.name.as_str()));
    by.record(hub, tx, Some(org), Deed { action: "host.removed", kind: "host", id, name, diff }).await?;
    Ok(Removal::Done)
}

/// Ends what runs on a host that goes away: what is bound to it is canceled, the rest begins anew elsewhere.
async fn let_go(hub: &Hub, tx: &mut Tx<'_>, host: &Host, leases: &[Lease]) -> Result<Done> {
    let (mut reports, now) = (Vec::new(), hub.now());
    for lease in leases {
        let lane = tx.lane_get(lease.lane_id).await?;
        let is_bound = lane.is_none_or(|lane| lane.key.target.is_bound());
        let status = if is_bound { RunStatus::Canceled } else { RunStatus::Lost };
        if is_bound {
            tx.lease_cancel(lease.job_id, lease.fence, "its host was removed", now).await?;
        }
        let error = Some(format!("its host {} was removed", host.name));
        reports.push(Report {
            key: lease.key(),
            result: RunResult { error, ..bare(lease, status) },
            clock_offset_ms: 0,
            host: Some(host.id),
            is_forced: is_bound,
        });
    }
    finish::apply(hub, tx, &reports).await
}

async fn refuse_in_use(tx: &mut Tx<'_>, host: &Host) -> Result<()> {
    let mut jobs: Vec<String> = tx.jobs_bound(host.id, COUNTED).await?.iter().map(ToString::to_string).collect();
    jobs.extend(tx.leases_of_holder(host.id.into()).await?.iter().map(|lease| lease.job_id.to_string()));
    let servers: Vec<String> =
        tx.server_of_host(host.id, COUNTED).await?.into_iter().map(|server| server.name).collect();
    if jobs.is_empty() && !servers.is_empty() {
        let (name, named) = (&host.name, servers.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", "));
        let detail = format!("{name} has {} servers: {named}", servers.len());
        return Err(Error::new(Code::HostInUse, detail).hint(format!(
            "move them (hostler server move), remove them, or all of it: hostler host rm {name} --cancel-jobs"
        )));
    }
    if jobs.is_empty() {
        return Ok(());
    }
    let count = if jobs.len() >= COUNTED as usize { format!("{COUNTED} or more") } else { jobs.len().to_string() };
    let more = jobs.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    jobs.truncate(NAMED);
    let name = &host.name;
    let detail = format!("{count} jobs wait for {name} or run on it: {}{rest}", jobs.join(", "));
    Err(Error::new(Code::HostInUse, detail)
        .hint(format!("move them (hostler job move), or cancel them with it: hostler host rm {name} --cancel-jobs")))
}

#[cfg(test)]
mod tests {
    use domain::job::JobStatus;

    use super::*;
    use crate::queue::pool::{Pool, local};

    testkit::db_test!(a_host_with_jobs_goes_only_with_them, |db| async move {
        let pool = Pool::new(db, 2).await;
        pool.enqueue_as(pool.acme, 7, json!({"definition_key": "hello", "host": "web-1"})).await;
        pool.enqueue_as(
            pool.acme,
            1,
            json!({"definition_key": "hello", "host": "web-1", "scheduled_for": "2100-01-01T00:00:00Z"}),
        )
        .await;
        pool.enqueue_as(pool.beta, 1, json!({"definition_key": "hello", "priority": -5})).await;
        let running = pool.claim().await;
        assert_eq!(running.len(), 2);
        let (bound, free): (Vec<_>, Vec<_>) = running.iter().partition(|grant| grant.org == pool.acme);
        assert_eq!((bound.len(), free.len()), (1, 1));
        let remove = |cancel_jobs| {
            let hub = pool.hub.clone();
            async move { hub.host_remove(&local(), pool.acme, "web-1", HostRemoval { cancel_jobs }).await }
        };
        let refused = remove(false).await.expect_err("it is needed");
        assert_eq!(refused.code(), Code::HostInUse);
        assert!(refused.to_string().contains("9 jobs wait for web-1 or run on it"), "{refused}");
        assert!(refused.to_string().contains("and 4 more"), "{refused}");
        remove(true).await.expect("goes");
        let gone = pool.hub.host_get(pool.acme, "web-1").await.expect_err("gone");
        assert_eq!(gone.code(), Code::NotFound, "{gone:?}");
        let summary = pool.hub.job_summary(pool.acme).await.expect("counts");
        assert_eq!(summary.counts.get("canceled"), Some(&8), "{summary:?}");
        let job = pool.hub.job_get(pool.acme, &bound[0].job.to_string()).await.expect("is there").job;
        assert_eq!((job.status, job.end_reason), (JobStatus::Canceled, Some(EndReason::Forced)));
        let job = pool.hub.job_get(pool.beta, &free[0].job.to_string()).await.expect("is there").job;
        assert_eq!(job.status, JobStatus::Queued, "another host can take it");
    });
}
