//! Rows of the jobs of several requests, collected before they are written.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use domain::{
    HostId, JobId, LaneId, OrgId, Timestamp,
    audit::AuditRow,
    job::{JobStatus, WaitReason},
    lane::{LaneKey, Target},
};
use proto::{Code, api::job::JobEvent};
use store::{
    Tx,
    claim::Position,
    dedupe::KeyHolder,
    insert::{NewJob as JobRow, Place},
};

use super::{
    EnqueueAnswer, EnqueueEffects, EnqueueRequest, Enqueued, Idempotency, NewJob, answer_json,
    effects::{LaneArrivals, keep_lanes},
};
use crate::{
    Error, Hub, Result,
    queue::{events::Changes, servers},
};

/// Dedupe keys, with the job that has each.
type KeyHolders = HashMap<(OrgId, String), JobId>;

/// Prepared rows of requests. Nothing but keys and lanes has been written yet.
pub(crate) struct EnqueueBatch {
    at: Timestamp,
    pub(crate) jobs: Vec<JobRow>,
    audit: Vec<AuditRow>,
    effects: EnqueueEffects,
}

impl EnqueueBatch {
    fn new(now: Timestamp) -> Self {
        Self { at: now, jobs: Vec::new(), audit: Vec::new(), effects: EnqueueEffects::default() }
    }

    /// Takes the keys of requests and resolves the lanes of their jobs. Dedupe keys come first, then idempotency keys,
    /// each in ascending order: an insert waits for another transaction with the same key, and two transactions that
    /// wait for each other would deadlock.
    pub(crate) async fn prepare(
        hub: &Hub,
        tx: &mut Tx<'_>,
        requests: &[Arc<EnqueueRequest>],
        changes: &mut Changes,
    ) -> Result<Self> {
        let mut batch = Self::new(hub.now());
        let mut stored: Vec<Option<EnqueueAnswer>> = Vec::with_capacity(requests.len());
        let mut keyed: BTreeMap<(OrgId, &str), (&Idempotency, usize)> = BTreeMap::new();
        for (index, request) in requests.iter().enumerate() {
            let answer = stored_answer(tx, request, batch.at).await?;
            if let (None, Some((org, own))) = (&answer, key_of(request))
                && keyed.insert((org, &own.key), (own, index)).is_some()
            {
                // Two requests with one key in one batch: written one by one, the second finds the answer to the first.
                return Err(key_in_use());
            }
            stored.push(answer);
        }
        let is_new = |(_, answer): &(&Arc<EnqueueRequest>, &Option<EnqueueAnswer>)| answer.is_none();
        let jobs = requests.iter().zip(&stored).filter(is_new).flat_map(|(request, _)| &request.jobs);
        let holders = take_dedupe_keys(tx, jobs, batch.at).await?;
        for (request, answer) in requests.iter().zip(stored) {
            let answer = match answer {
                Some(answer) => answer,
                None => Ok(batch.admit(hub, tx, request, &holders, changes).await?),
            };
            batch.effects.answers.push(answer);
        }
        for ((org, _), (own, index)) in keyed {
            let Some(Ok(results)) = batch.effects.answers.get(index) else { continue };
            if !tx.idempotency_put(org, &own.key, own.hash, &answer_json(results), own.until, batch.at).await? {
                return Err(key_in_use());
            }
        }
        Ok(batch)
    }

    /// The jobs of one part of a long request.
    pub(super) async fn prepare_part(
        hub: &Hub,
        tx: &mut Tx<'_>,
        jobs: Vec<NewJob>,
        changes: &mut Changes,
    ) -> Result<Self> {
        // The time of this part, not of the request: jobs that were checked since then are due now.
        let mut batch = Self::new(hub.now());
        let request = EnqueueRequest { jobs, audit: None, idempotency: None };
        let holders = take_dedupe_keys(tx, request.jobs.iter(), batch.at).await?;
        let answer = batch.admit(hub, tx, &request, &holders, changes).await?;
        batch.effects.answers.push(Ok(answer));
        Ok(batch)
    }

    /// Whether lanes were read or created, which locks their org.
    pub(crate) fn has_new_lanes(&self) -> bool {
        !self.effects.found_lanes.is_empty()
    }

    /// The jobs that are due now.
    pub(crate) fn due(&self) -> Vec<&JobRow> {
        self.jobs.iter().filter(|job| job.scheduled_for <= self.at).collect()
    }

    /// Resolves the lane of each job of a request, and leaves out jobs whose dedupe key another job has.
    async fn admit(
        &mut self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        request: &EnqueueRequest,
        holders: &KeyHolders,
        changes: &mut Changes,
    ) -> Result<Vec<Enqueued>> {
        let mut results = Vec::with_capacity(request.jobs.len());
        let mut last: Option<(&LaneKey, LaneId)> = None;
        for job in &request.jobs {
            let key = job.row.dedupe_key.as_ref();
            let holder = key.and_then(|key| holders.get(&(job.row.org_id, key.clone())));
            if let Some(holder) = holder.filter(|holder| **holder != job.row.id) {
                results.push(Enqueued::Duplicate(*holder));
                continue;
            }
            if let Some((server, op)) = job.server {
                let canceled = servers::supersede(hub, tx, &job.row, &job.lane.target, server, op).await?;
                self.effects.canceled.extend(canceled);
            }
            // Most jobs of a request have the same lane.
            let lane_id = match last {
                Some((key, id)) if *key == job.lane => id,
                _ => self.lane(hub, tx, &job.lane).await?,
            };
            last = Some((&job.lane, lane_id));
            note_created(changes, job, self.at);
            results.push(Enqueued::New(job.row.id));
            self.jobs.push(JobRow { lane_id, ..job.row.clone() });
        }
        if results.iter().any(|result| matches!(result, Enqueued::New(_))) {
            self.audit.extend(request.audit.clone());
        }
        Ok(results)
    }

    async fn lane(&mut self, hub: &Hub, tx: &mut Tx<'_>, key: &LaneKey) -> Result<LaneId> {
        if let Some(id) = hub.queue.lanes.get(key, self.at) {
            return Ok(id);
        }
        if let Some(found) = self.effects.found_lanes.iter().find(|found| found.key == *key) {
            return Ok(found.id);
        }
        let found = hub.queue.lanes.put(hub, tx, key).await?;
        let id = found.id;
        self.effects.found_lanes.push(found);
        Ok(id)
    }

    /// Inserts the jobs. Those in `started` already have a lease and wait in no lane.
    pub(crate) async fn write(mut self, tx: &mut Tx<'_>, started: &[JobId]) -> Result<EnqueueEffects> {
        if self.jobs.is_empty() {
            return Ok(self.effects);
        }
        tx.job_insert(&self.jobs).await?;
        let place = |job: &JobRow| Place {
            job_id: job.id,
            lane_id: job.lane_id,
            priority: job.priority,
            due_at: job.scheduled_for,
            fence: 0,
        };
        let waiting = self.jobs.iter().filter(|job| !started.contains(&job.id));
        let (ready, delayed): (Vec<&JobRow>, Vec<&JobRow>) = waiting.partition(|job| job.scheduled_for <= self.at);
        if !ready.is_empty() {
            tx.ready_insert(&ready.iter().map(|job| place(job)).collect::<Vec<_>>()).await?;
        }
        if !delayed.is_empty() {
            self.effects.has_delayed = true;
            let places: Vec<Place> = delayed.iter().map(|job| place(job)).collect();
            tx.waiting_insert(&places, WaitReason::Later).await?;
        }
        for job in &self.jobs {
            *self.effects.created.entry(job.org_id).or_default() += 1;
        }
        for job in ready {
            let position = Position { priority: job.priority, due_at: job.scheduled_for, job_id: job.id };
            let arrivals =
                self.effects.arrivals.entry(job.lane_id).or_insert(LaneArrivals { count: 0, first: position });
            (arrivals.count, arrivals.first) = (arrivals.count + 1, position.min(arrivals.first));
        }
        tx.audit_insert_all(&self.audit).await?;
        Ok(self.effects)
    }
}

/// Creates the lanes of requests that do not exist yet, in a transaction of its own: creating a lane locks its org, which
/// other transactions of the queue do not lock.
pub(crate) async fn create_missing_lanes(hub: &Hub, requests: &[Arc<EnqueueRequest>]) -> Result<()> {
    let now = hub.now();
    let mut missing: Vec<LaneKey> = Vec::new();
    let mut last: Option<&LaneKey> = None;
    for job in requests.iter().flat_map(|request| &request.jobs) {
        if last != Some(&job.lane) && hub.queue.lanes.get(&job.lane, now).is_none() && !missing.contains(&job.lane) {
            missing.push(job.lane.clone());
        }
        last = Some(&job.lane);
    }
    if missing.is_empty() {
        return Ok(());
    }
    missing.sort_by_key(|key| key.org);
    let hub_in = hub.clone();
    let found = hub.store.write(move |tx| {
        Box::pin(async move {
            let mut found = Vec::with_capacity(missing.len());
            for key in &missing {
                found.push(hub_in.queue.lanes.put(&hub_in, tx, key).await?);
            }
            Ok::<_, Error>(found)
        })
    });
    keep_lanes(hub, &found.await?, now);
    Ok(())
}

/// The idempotency key of a request, with its org.
fn key_of(request: &EnqueueRequest) -> Option<(OrgId, &Idempotency)> {
    Some((request.jobs.first()?.row.org_id, request.idempotency.as_ref()?))
}

fn key_in_use() -> Error {
    Error::new(Code::HubBusy, "another request with the same Idempotency-Key is in progress")
        .hint("retry in a moment")
        .retry_after(domain::Span::from_millis(50))
}

/// The answer stored under the idempotency key of a request.
async fn stored_answer(tx: &mut Tx<'_>, request: &EnqueueRequest, now: Timestamp) -> Result<Option<EnqueueAnswer>> {
    let Some((org, own)) = key_of(request) else { return Ok(None) };
    let answer = own.answered(tx, org, now).await?;
    // Some rows were valid in the first request and are not any more, so rows and results cannot be matched.
    Ok(answer.map(|answer| match answer {
        Ok(results) if results.len() != request.jobs.len() => Err(own.mismatch()),
        answer => answer,
    }))
}

/// Takes dedupe keys in ascending order, each for the first job that has it.
async fn take_dedupe_keys<'j>(
    tx: &mut Tx<'_>,
    jobs: impl Iterator<Item = &'j NewJob>,
    now: Timestamp,
) -> Result<KeyHolders> {
    let mut first_jobs: BTreeMap<(OrgId, &str), &NewJob> = BTreeMap::new();
    for job in jobs {
        if let Some(key) = &job.row.dedupe_key {
            first_jobs.entry((job.row.org_id, key)).or_insert(job);
        }
    }
    let mut holders = KeyHolders::new();
    for ((org, key), job) in first_jobs {
        let holder = match tx.dedupe_take(org, key, job.row.id, job.dedupe_until, now).await? {
            KeyHolder::Ours => job.row.id,
            KeyHolder::Theirs(other) => other,
        };
        holders.insert((org, key.to_owned()), holder);
    }
    Ok(holders)
}

fn note_created(changes: &mut Changes, job: &NewJob, now: Timestamp) {
    let org = job.row.org_id;
    let tally = changes.tally(org);
    (tally.queued, tally.created) = (tally.queued + 1, tally.created + 1);
    let host_id: Option<HostId> = match &job.lane.target {
        Target::Host(host) => Some(*host),
        Target::Queue(_) | Target::Selector(_) => None,
    };
    let event = JobEvent {
        job_id: job.row.id,
        run_id: None,
        attempt: None,
        definition_key: job.definition_key.to_string(),
        host_id,
        server_id: job.server.map(|(server, _)| server),
        status: JobStatus::Queued,
        reason: (job.row.scheduled_for > now).then(|| WaitReason::Later.to_string()),
        duration_ms: None,
        error: None,
        will_retry: None,
    };
    changes.event(org, "job.created", &event);
}
