//! Rows that a batch of ended runs writes.

use std::collections::{BTreeMap, HashMap};

use domain::{
    HolderId, HostId, JobId, QuotaId, ServerId, Timestamp,
    job::{After, JobStatus, RunStatus, WaitReason},
    presence::end_mark,
    quota::Counted,
    server::ServerOp,
};
use proto::api::job::JobEvent;
use store::{
    Tx,
    claim::Position,
    holder::HolderRelease,
    insert::{EndedRun, JobRecord, Lease, Outcome, Place},
};

use super::{Ended, FinishEffects, Report};
use crate::{
    Hub, Result,
    queue::{claim::share::SpentTime, events::Changes, servers},
};

/// Slots that a holder gets back, and a mark for the result of each ended run.
#[derive(Default)]
struct Released {
    slots: i32,
    marks: String,
}

/// Rows of ended runs, collected before they are written.
pub(super) struct FinishBatch<'a> {
    changes: &'a mut Changes,
    runs: Vec<EndedRun>,
    outcomes: Vec<Outcome>,
    delayed: Vec<Place>,
    ready: Vec<Place>,
    holders: BTreeMap<HolderId, Released>,
    /// Runs to subtract from each limit, in the order in which limits are locked.
    quotas: BTreeMap<QuotaId, i32>,
    /// Servers that jobs start, stop or restart.
    servers: HashMap<JobId, ServerId>,
    spent: SpentTime,
    ended: Vec<Ended>,
}

impl<'a> FinishBatch<'a> {
    /// Decides what follows from each ended run.
    pub(super) async fn of(
        hub: &Hub,
        tx: &mut Tx<'_>,
        ended: &[(Lease, &Report)],
        changes: &'a mut Changes,
        now: Timestamp,
    ) -> Result<Self> {
        let is_bad = |end: &&(Lease, &Report)| end.1.result.status != RunStatus::Succeeded;
        let bad: Vec<JobId> = ended.iter().filter(is_bad).map(|(lease, _)| lease.job_id).collect();
        let records = if bad.is_empty() { Vec::new() } else { tx.job_records(&bad).await? };
        let records: HashMap<JobId, JobRecord> = records.into_iter().map(|record| (record.job_id, record)).collect();
        let mut batch = Self {
            changes,
            runs: Vec::with_capacity(ended.len()),
            outcomes: Vec::new(),
            delayed: Vec::new(),
            ready: Vec::new(),
            holders: BTreeMap::new(),
            quotas: BTreeMap::new(),
            servers: servers_of(tx, ended).await?,
            spent: SpentTime::default(),
            ended: Vec::with_capacity(ended.len()),
        };
        for (lease, report) in ended {
            let after = report.after(hub, tx, lease, records.get(&lease.job_id), now).await?;
            let key = hub.queue.definitions.key_in(tx, lease.definition_id).await?;
            batch.add(lease, report, after, &key, now);
        }
        Ok(batch)
    }

    fn add(&mut self, lease: &Lease, report: &Report, after: After, key: &str, now: Timestamp) {
        let run = report.run(lease, now);
        let was = if lease.held_at.is_some() { JobStatus::Queued } else { JobStatus::Running };
        *self.changes.tally(lease.org_id).of(was) -= 1;
        let status = self.add_next(lease, &run, after, now);
        self.add_events(lease, report.host, &run, status, key);
        self.add_released(lease, &run);
        let took = run.finished_at.since(run.started_at);
        tracing::debug!(
            job.id = %lease.job_id, org.id = %lease.org_id, definition.key = key, run.no = lease.fence,
            host.id = %lease.holder_id, run.status = %run.status, job.status = %status, "run ended"
        );
        self.ended.push(Ended { org: lease.org_id, run: run.status, took, job: status });
        self.runs.push(run);
    }

    /// Adds the outcome of the job, or its next attempt. Returns the job's status.
    fn add_next(&mut self, lease: &Lease, run: &EndedRun, after: After, now: Timestamp) -> JobStatus {
        let tally = self.changes.tally(lease.org_id);
        match after {
            After::Over(status, reason) => {
                *tally.of(status) += 1;
                // A successful run is the outcome of its job (ADR 25).
                if status != JobStatus::Succeeded {
                    self.outcomes.push(Outcome {
                        job_id: lease.job_id,
                        fence: lease.fence,
                        org_id: lease.org_id,
                        status,
                        reason,
                        finished_at: run.finished_at,
                    });
                }
                status
            }
            After::Again(due_at) => {
                (tally.queued, tally.retried) = (tally.queued + 1, tally.retried + 1);
                let place = Place {
                    job_id: lease.job_id,
                    lane_id: lease.lane_id,
                    priority: lease.priority,
                    due_at,
                    fence: lease.fence,
                };
                if due_at <= now {
                    self.ready.push(place)
                } else {
                    self.delayed.push(place)
                }
                JobStatus::Queued
            }
        }
    }

    fn add_events(&mut self, lease: &Lease, host_id: Option<HostId>, run: &EndedRun, status: JobStatus, key: &str) {
        let will_retry = status == JobStatus::Queued;
        let event = JobEvent {
            job_id: lease.job_id,
            run_id: Some(lease.run_id),
            attempt: Some(lease.fence),
            definition_key: key.to_owned(),
            host_id,
            server_id: self.servers.get(&lease.job_id).copied(),
            status,
            reason: will_retry.then(|| WaitReason::RetryBackoff.to_string()),
            duration_ms: Some(run.finished_at.since(run.started_at).as_millis()),
            error: run.error_text.clone(),
            will_retry: Some(will_retry),
        };
        let name = if run.status == RunStatus::Succeeded { "job_run.completed" } else { "job_run.failed" };
        self.changes.event(lease.org_id, name, &event);
        match status {
            JobStatus::Canceled => self.changes.event(lease.org_id, "job.canceled", &event),
            JobStatus::DeadLetter => self.changes.event(lease.org_id, "job.dead_letter", &event),
            JobStatus::Queued => self.changes.event(lease.org_id, "job.queued", &event),
            JobStatus::Running | JobStatus::Succeeded | JobStatus::Failed => {}
        }
    }

    /// Adds the slot, limits and shared time that the run gives back.
    fn add_released(&mut self, lease: &Lease, run: &EndedRun) {
        let counted = Counted::read(lease.counted.as_deref());
        self.spent.add(lease, &counted, run);
        // A job of a server takes no slot, and its result says nothing about the host.
        if ServerOp::of_definition(lease.definition_id).is_none() {
            let holder = self.holders.entry(lease.holder_id).or_default();
            holder.slots += 1;
            holder.marks.push(end_mark(run.status));
        }
        if counted.share_ms.is_some() {
            // The shares of a host may be changed only under the lock of its holder.
            self.holders.entry(lease.holder_id).or_default();
        }
        for id in counted.quotas {
            *self.quotas.entry(id).or_default() += 1;
        }
    }

    /// Writes all rows except events.
    pub(super) async fn write(self, tx: &mut Tx<'_>, applied: Vec<bool>) -> Result<FinishEffects> {
        tx.run_insert(&self.runs).await?;
        if !self.outcomes.is_empty() {
            tx.outcome_insert(&self.outcomes).await?;
        }
        if !self.delayed.is_empty() {
            tx.waiting_insert(&self.delayed, WaitReason::RetryBackoff).await?;
        }
        if !self.ready.is_empty() {
            tx.ready_insert(&self.ready).await?;
        }
        let release = |(holder, released): (HolderId, Released)| HolderRelease {
            holder,
            count: released.slots,
            ends: released.marks,
        };
        let releases: Vec<HolderRelease> = self.holders.into_iter().map(release).collect();
        tx.holder_release(&releases, &self.spent.list()).await?;
        for (quota, count) in &self.quotas {
            tx.quota_release(*quota, *count).await?;
        }
        let position =
            |place: &Place| Position { priority: place.priority, due_at: place.due_at, job_id: place.job_id };
        Ok(FinishEffects {
            applied,
            ended: self.ended,
            has_delayed: !self.delayed.is_empty(),
            has_freed_limit: !self.quotas.is_empty(),
            ready: self.ready.iter().map(|place| (place.lane_id, position(place))).collect(),
        })
    }
}

/// The servers that the ended jobs start, stop or restart.
async fn servers_of(tx: &mut Tx<'_>, ended: &[(Lease, &Report)]) -> Result<HashMap<JobId, ServerId>> {
    let is_of_server = |end: &&(Lease, &Report)| ServerOp::of_definition(end.0.definition_id).is_some();
    let jobs: Vec<JobId> = ended.iter().filter(is_of_server).map(|(lease, _)| lease.job_id).collect();
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let jobs = tx.claimed_jobs(&jobs).await?;
    Ok(jobs.into_iter().filter_map(|job| Some((job.job_id, servers::named(&job.payload)?))).collect())
}
