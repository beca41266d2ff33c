//! Changes to existing jobs: cancel, retry, move. Each checks the transition table of `domain::job` first.

use std::collections::HashMap;

use domain::{
    JobId, OrgId, Permission,
    job::{EndReason, Event, JobStatus, RunStatus, next},
    lane::LaneKey,
    schema::Concealed,
};
use proto::{
    Code,
    api::job::{CancelRequest, JobDetail, JobEvent, MoveRequest, RetryRequest},
    link::ToRunner,
};
use serde_json::{Value, json};
use store::{
    Tx,
    dedupe::KeyHolder,
    insert::{Lease, Outcome, Place},
    job::JobNow,
};

use crate::app::{
    AuditEntry, RequestContext,
    jobs::{
        create::{checked_payload, checked_priority},
        show::over,
    },
};
use crate::{
    Error, Hub, Result,
    link::work::{bare, cancel_of},
    queue::{
        cache::definitions::Compiled,
        claim::secrets::sealed,
        events::Changes,
        finish::{self, FinishEffects, Report},
    },
    vault::Purpose,
};

/// Longest reason of a cancellation, in characters.
const REASON_CHARS_MAX: usize = 200;

/// A reason as stored: without control characters, cut to the maximum.
pub(crate) fn plain_reason(reason: &str) -> String {
    reason.chars().filter(|c| !c.is_control()).take(REASON_CHARS_MAX).collect()
}

/// The origin of a change. Only a single request writes an audit entry: a batch wrote its own when it was created.
#[derive(Clone, Copy)]
pub(crate) enum ChangedBy<'a> {
    /// A request for this job.
    Request(&'a RequestContext),
    /// A batch, with the label of its creator.
    Batch(&'a str),
}

impl ChangedBy<'_> {
    fn label(self) -> String {
        match self {
            Self::Request(by) => by.caller.actor.label(),
            Self::Batch(by) => by.to_owned(),
        }
    }

    async fn record(self, hub: &Hub, tx: &mut Tx<'_>, org: OrgId, entry: AuditEntry<'_>) -> Result<()> {
        match self {
            Self::Request(by) => by.record(hub, tx, Some(org), entry).await,
            Self::Batch(_) => Ok(()),
        }
    }
}

/// Builds an event about a queued job.
fn event(job: &JobNow, status: JobStatus, reason: Option<String>) -> JobEvent {
    JobEvent {
        job_id: job.id,
        run_id: None,
        attempt: None,
        definition_key: job.definition_key.clone(),
        host_id: None,
        server_id: None,
        status,
        reason,
        duration_ms: None,
        error: None,
        will_retry: None,
    }
}

/// Cancels those of the given jobs that are queued and returns their ids. Other jobs are not changed.
pub(crate) async fn end_queued(hub: &Hub, tx: &mut Tx<'_>, jobs: &[JobId], reason: EndReason) -> Result<Vec<JobId>> {
    let now = hub.now();
    let mut places = tx.ready_take(jobs).await?;
    places.extend(tx.waiting_take(jobs).await?);
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<JobId> = places.iter().map(|place| place.job_id).collect();
    let owners: HashMap<JobId, (OrgId, String)> =
        tx.job_owners(&ids).await?.into_iter().map(|(id, org, key)| (id, (org, key))).collect();
    let (mut outcomes, mut changes) = (Vec::new(), Changes::default());
    for place in &places {
        let Some((org, key)) = owners.get(&place.job_id) else { continue };
        outcomes.push(Outcome {
            job_id: place.job_id,
            // A higher fence keeps the outcome of an earlier run as history.
            fence: place.fence + 1,
            org_id: *org,
            status: JobStatus::Canceled,
            reason: Some(reason),
            finished_at: now,
        });
        let tally = changes.tally(*org);
        (tally.queued, tally.canceled) = (tally.queued - 1, tally.canceled + 1);
        let item = json!({
            "job_id": place.job_id, "definition_key": key, "status": JobStatus::Canceled, "reason": reason,
        });
        changes.raw(*org, "job.canceled", &item);
    }
    tx.outcome_insert(&outcomes).await?;
    changes.write(hub, tx, now).await?;
    hub.metrics.note_over(JobStatus::Canceled, outcomes.len() as u64);
    outcomes.iter().for_each(|outcome| hub.samples.over(outcome.org_id, JobStatus::Canceled, 1, now));
    Ok(ids)
}

/// Result of a cancellation.
pub(crate) enum Canceled {
    /// The job was queued and has ended.
    Ended,
    /// The job runs; its holder is asked to stop it.
    Asked(Box<Lease>),
    /// The lease was removed by force, without its holder.
    Forced(Box<FinishEffects>),
}

impl Canceled {
    /// Sends the cancellation to the holder. Call it after the commit.
    pub(crate) fn after_commit(self, hub: &Hub) {
        match self {
            Self::Ended => {}
            Self::Asked(lease) => {
                let host = domain::HostId::from_bytes(lease.holder_id.to_bytes());
                hub.queue.dispatcher.send(host, ToRunner::Cancel { runs: vec![cancel_of(&lease)] });
                hub.queue.dispatcher.hub_notify.wake();
            }
            Self::Forced(effects) => effects.after_commit(hub),
        }
    }
}

impl Hub {
    /// Cancels a job. A queued job ends now; a running job is ended by its holder.
    ///
    /// # Errors
    /// Fails if the job does not exist or has finished.
    pub async fn job_cancel(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        request: CancelRequest,
    ) -> Result<JobDetail> {
        by.must(Permission::JobCancel)?;
        let id = self.job_id(org, text).await?;
        let (hub, by) = (self.clone(), by.clone());
        let reason = plain_reason(&request.reason);
        let canceled = self
            .store
            .write(move |tx| {
                Box::pin(
                    async move { cancel(&hub, tx, ChangedBy::Request(&by), org, id, &reason, request.force).await },
                )
            })
            .await?;
        self.news();
        canceled.after_commit(self);
        self.job_get(org, &id.to_string()).await
    }

    /// Puts a finished job back into its queue. Its history stays; its attempts count from zero.
    ///
    /// # Errors
    /// Fails if the job has not finished or has succeeded, another job holds its dedupe key, or the payload is invalid.
    pub async fn job_retry(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        request: RetryRequest,
    ) -> Result<JobDetail> {
        by.must(Permission::JobRetry)?;
        let id = self.job_id(org, text).await?;
        let (hub, by) = (self.clone(), by.clone());
        let lane = self
            .store
            .write(move |tx| Box::pin(async move { retry(&hub, tx, ChangedBy::Request(&by), org, id, request).await }))
            .await?;
        self.news();
        self.queue.lane_cursors.reset(lane);
        self.queue.dispatcher.wake_lane(lane, 1);
        self.job_get(org, &id.to_string()).await
    }

    /// Moves a queued job to another target, or changes its priority.
    ///
    /// # Errors
    /// Fails if the job is running or finished, or the target does not exist.
    pub async fn job_move(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        request: MoveRequest,
    ) -> Result<JobDetail> {
        by.must(Permission::JobRun)?;
        let id = self.job_id(org, text).await?;
        let before = self
            .store
            .read(move |tx| {
                Box::pin(async move { tx.job_get(org, id).await?.ok_or_else(|| Error::not_found("job", id)) })
            })
            .await?;
        let lane = match &request.target {
            None => None,
            Some(target) => {
                let slug = self.org_slug(org).await?;
                let compiled = self.definition_for(&slug, &before.definition_key).await?;
                let target = self.resolve(org, &compiled, target).await?;
                Some(LaneKey { org, target, definition: before.definition_id, limit_key: before.limit_key.clone() })
            }
        };
        let priority = request.priority.map(checked_priority).transpose()?;
        let (hub, by) = (self.clone(), by.clone());
        let moved = self
            .store
            .write(move |tx| {
                Box::pin(async move { shift(&hub, tx, ChangedBy::Request(&by), org, id, lane, priority).await })
            })
            .await?;
        self.news();
        self.queue.dispatcher.serve_lane(moved.0, &moved.1);
        self.queue.lane_cursors.reset(moved.0);
        self.queue.dispatcher.wake_lane(moved.0, 1);
        self.job_get(org, &id.to_string()).await
    }
}

pub(crate) async fn cancel(
    hub: &Hub,
    tx: &mut Tx<'_>,
    cause: ChangedBy<'_>,
    org: OrgId,
    id: JobId,
    reason: &str,
    is_forced: bool,
) -> Result<Canceled> {
    let now = hub.now();
    let job = tx.job_get(org, id).await?.ok_or_else(|| Error::not_found("job", id))?;
    must_be_ours(&job)?;
    let entry = |how: &str| AuditEntry {
        action: "job.canceled",
        kind: "job",
        id: Some(id.to_string()),
        name: Some(&job.definition_key),
        diff: json!({"status": [job.status, how], "reason": [null, reason]}),
    };
    if !end_queued(hub, tx, &[id], EndReason::Asked).await?.is_empty() {
        cause.record(hub, tx, org, entry("canceled")).await?;
        return Ok(Canceled::Ended);
    }
    // Read the lease again: the job may have started or ended since `job_get`.
    let Some(lease) = tx.lease_get(id).await? else { return Err(over(&job)) };
    if next(JobStatus::Running, Event::Cancel).is_none() {
        return Err(over(&job));
    }
    if is_forced {
        tx.lease_cancel(id, lease.fence, reason, now).await?;
        let result = proto::work::RunResult {
            error: Some("canceled by force; the host did not confirm it".to_owned()),
            ..bare(&lease, RunStatus::Canceled)
        };
        let report = Report { is_forced: true, ..Report::for_holder(tx, &lease, result).await? };
        let mut changes = Changes::default();
        let effects = finish::finish(hub, tx, &[report], &mut changes).await?;
        changes.write(hub, tx, now).await?;
        cause.record(hub, tx, org, entry("canceled (by force)")).await?;
        return Ok(Canceled::Forced(Box::new(effects)));
    }
    if tx.lease_cancel(id, lease.fence, reason, now).await? {
        cause.record(hub, tx, org, entry("canceling")).await?;
    }
    let lease = Lease { cancel_at: Some(now), cancel_reason: Some(reason.to_owned()), ..lease };
    Ok(Canceled::Asked(Box::new(lease)))
}

/// Rejects changes to jobs that a host created in standalone mode: this hub holds only their replica.
fn must_be_ours(job: &store::job::JobNow) -> Result<()> {
    if job.origin.is_none() {
        return Ok(());
    }
    let host = job.host_name.as_deref().unwrap_or("its host");
    Err(Error::new(Code::NotPrimary, format!("the job {} belongs to {host}; this hub has only a copy of it", job.id))
        .hint(format!("run the same command on {host}")))
}

pub(crate) async fn retry(
    hub: &Hub,
    tx: &mut Tx<'_>,
    cause: ChangedBy<'_>,
    org: OrgId,
    id: JobId,
    request: RetryRequest,
) -> Result<domain::LaneId> {
    let now = hub.now();
    let job = tx.job_get_locked(org, id).await?.ok_or_else(|| Error::not_found("job", id))?;
    must_be_ours(&job)?;
    if next(job.status, Event::Redrive).is_none() {
        let refused =
            Error::new(Code::JobNotOver, format!("the job {id} is {}; only finished jobs can be retried", job.status));
        return Err(match job.status {
            JobStatus::Succeeded => {
                refused.hint("a succeeded job is not retried; create a new job with the same payload")
            }
            JobStatus::Running => refused.hint(format!("wait for it, or cancel it first: hostler cancel {id}")),
            _ => refused.hint(format!("`hostler why {id}` shows what it waits for")),
        });
    }
    let payload = match request.payload {
        None => None,
        Some(payload) => {
            let compiled = hub.queue.definitions.version(tx, job.definition_id, job.definition_version).await?;
            Some(edited(hub, tx, &job, &compiled, payload).await?)
        }
    };
    if let Some(key) = &job.dedupe_key
        && let KeyHolder::Theirs(holder) = tx.dedupe_take(org, key, id, now, now).await?
    {
        return Err(Error::new(Code::KeyHeld, format!("the job {holder} holds the dedupe key `{key}`"))
            .hint(format!("wait for it or cancel it: hostler cancel {holder}")));
    }
    if job.source == domain::job::Source::Schedule {
        tx.fire_reopen(id).await?;
    }
    let has_new_payload = payload.is_some();
    tx.redrive_insert(id, job.fence, payload, &cause.label(), now).await?;
    let place = Place { job_id: id, lane_id: job.lane_id, priority: job.priority, due_at: now, fence: job.fence };
    tx.ready_insert(&[place]).await?;
    let mut changes = Changes::default();
    let tally = changes.tally(org);
    *tally.of(job.status) -= 1;
    tally.queued += 1;
    changes.event(org, "job.queued", &event(&job, JobStatus::Queued, None));
    changes.write(hub, tx, now).await?;
    let entry = AuditEntry {
        action: "job.retried",
        kind: "job",
        id: Some(id.to_string()),
        name: Some(&job.definition_key),
        diff: json!({"status": [job.status, "queued"], "payload": [null, has_new_payload]}),
    };
    cause.record(hub, tx, org, entry).await?;
    Ok(job.lane_id)
}

/// Checks an edited payload and fills in the write-only values that its editor could not see.
async fn edited(
    hub: &Hub,
    tx: &mut Tx<'_>,
    job: &JobNow,
    compiled: &Compiled,
    payload: Value,
) -> Result<(Value, Option<Vec<u8>>)> {
    if !compiled.schema.has_write_only() {
        return Ok((checked_payload(compiled, &payload)?, None));
    }
    let before = tx.claimed_jobs(&[job.id]).await?.pop().and_then(|job| job.sealed);
    let (key, place) = (hub.vault.key(tx).await?, Purpose::Payload(job.org_id, job.id));
    let hidden: Concealed = match before {
        Some(sealed) => serde_json::from_slice(&key.open(place, &sealed)?).map_err(Error::internal)?,
        None => Concealed::new(),
    };
    let payload = checked_payload(compiled, &compiled.schema.restore(payload, &job.payload, &hidden))?;
    // Seal even an empty set: otherwise the values sealed before would still apply.
    let (shown, sealed) = sealed(key, &compiled.schema, payload, place)?;
    Ok((shown, Some(sealed)))
}

/// Moves a queued job. Returns its lane and the hosts that serve the lane.
pub(crate) async fn shift(
    hub: &Hub,
    tx: &mut Tx<'_>,
    cause: ChangedBy<'_>,
    org: OrgId,
    id: JobId,
    lane: Option<LaneKey>,
    priority: Option<i32>,
) -> Result<(domain::LaneId, Vec<domain::HostId>)> {
    let now = hub.now();
    let job = tx.job_get(org, id).await?.ok_or_else(|| Error::not_found("job", id))?;
    must_be_ours(&job)?;
    let (ready, waiting) = (tx.ready_take(&[id]).await?.pop(), tx.waiting_take(&[id]).await?.pop());
    let is_ready = ready.is_some();
    let Some(mut place) = ready.or(waiting) else {
        return Err(if job.status.is_over() {
            over(&job)
        } else {
            Error::new(Code::JobRunning, format!("the job {id} is running; only queued jobs can be moved"))
                .hint(format!("cancel it first (hostler cancel {id}), then run a copy elsewhere"))
        });
    };
    let (before_lane, before_priority) = (place.lane_id, place.priority);
    let mut hosts = Vec::new();
    if let Some(key) = lane {
        let found = hub.queue.lanes.put(hub, tx, &key).await?;
        (place.lane_id, hosts) = (found.id, found.hosts);
    }
    place.priority = priority.unwrap_or(place.priority);
    let lane_id = place.lane_id;
    match job.parked.filter(|_| !is_ready) {
        Some((reason, _)) => tx.waiting_insert(&[place], reason).await?,
        None => tx.ready_insert(&[place.clone()]).await?,
    }
    let mut changes = Changes::default();
    changes.event(org, "job.queued", &event(&job, JobStatus::Queued, Some("moved".to_owned())));
    changes.write(hub, tx, now).await?;
    let entry = AuditEntry {
        action: "job.moved",
        kind: "job",
        id: Some(id.to_string()),
        name: Some(&job.definition_key),
        diff: json!({"lane": [before_lane, lane_id], "priority": [before_priority, priority.unwrap_or(before_priority)]}),
    };
    cause.record(hub, tx, org, entry).await?;
    Ok((lane_id, hosts))
}
