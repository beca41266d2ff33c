//! Ends of runs on their way into the store: fenced, decided by `domain`, one transaction for whatever has arrived.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use domain::{
    HolderId, HostId, JobId, QuotaId, ServerId, Timestamp,
    job::{After, End, EndReason, JobStatus, Record, RunStatus, WaitReason, after},
    presence::end_mark,
    quota::Counted,
    server::ServerOp,
};
use futures_util::future::join_all;
use proto::{Code, api::job::JobEvent, work::RunResult};
use serde_json::json;
use store::{
    Tx,
    holder::GivenBack,
    insert::{EndedRun, JobRecord, Lease, Outcome, Place, RunKey},
    stale_report::StaleReport,
};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::{
    bold::{by_memory, can_go_by_memory, stale_view},
    events::Changes,
    servers,
    share::Taken,
    turn::{self, Ask},
};
use crate::{Error, Hub, Result, batcher::Batcher};

/// Frames of results in one transaction.
const FRAMES_MAX: usize = 64;
/// Results that are worth a second transaction beside one that is under way; fewer wait for its end and go together.
const COMPANY: usize = 32;
/// Frames that may wait.
const QUEUE: usize = 1_024;
/// A lost or refused run is tried again within this: spread, or a lost host's jobs come back in one wave.
const LOST_SPREAD_MS: f64 = 2_000.0;

/// What somebody says about the end of a run.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) key: RunKey,
    pub(crate) result: RunResult,
    /// What to add to the holder's times to have ours.
    pub(crate) clock_offset_ms: i64,
    /// The host, unless the holder is a worker in another language.
    pub(crate) host: Option<HostId>,
    /// Whether it is taken from its holder, who could not be asked.
    pub(crate) is_forced: bool,
}

impl Report {
    /// What is said of a run for its holder.
    pub(crate) async fn instead(tx: &mut Tx<'_>, lease: &Lease, result: RunResult) -> Result<Self> {
        let host = HostId::from_bytes(lease.holder_id.to_bytes());
        let host = tx.host_anywhere(host).await?.map(|view| view.host.id);
        Ok(Self { key: lease.key(), result, clock_offset_ms: 0, host, is_forced: false })
    }
}

/// Reports on their way.
struct Waiting {
    /// Shared, so that what must be tried again need not be copied first.
    reports: Arc<Vec<Report>>,
    /// What their host takes then.
    ask: Option<Ask>,
    reply: oneshot::Sender<Result<Written>>,
}

/// What has become of reports.
pub(crate) struct Written {
    /// Whether each was in force.
    pub(crate) applied: Vec<bool>,
    /// Whether what the host takes then was claimed, too.
    pub(crate) is_claimed: bool,
}

/// The way of results into the store.
pub(crate) struct Finisher(Batcher<Waiting>);

impl Finisher {
    pub(crate) fn new() -> Self {
        Self(Batcher::with_min_batch(QUEUE, COMPANY, |waiting: &Waiting| waiting.reports.len()))
    }

    /// Hands in reports, and what their host takes then; waits until they are written.
    pub(crate) async fn submit(&self, reports: Vec<Report>, ask: Option<Ask>) -> Result<Written> {
        let stopping = || Error::new(Code::HubStopping, "the hub is stopping");
        let (reply, done) = oneshot::channel();
        let waiting = Waiting { reports: Arc::new(reports), ask, reply };
        self.0.sender.send(waiting).await.map_err(|_| stopping())?;
        done.await.map_err(|_| stopping())?
    }
}

/// One of the writers.
pub(crate) async fn write(hub: Hub, stop: CancellationToken) {
    loop {
        let (mut batch, _turn) = hub.queue.finisher.0.take(FRAMES_MAX, &stop).await;
        match batch.pop() {
            None => return,
            Some(alone) if batch.is_empty() => write_one(&hub, alone).await,
            Some(last) => {
                batch.push(last);
                if hub.store.kind() == store::Kind::Sqlite {
                    // Its writer commits them together, and each may claim with its ends.
                    join_all(batch.into_iter().map(|one| write_one(&hub, one))).await;
                } else {
                    write_all(&hub, batch).await;
                }
            }
        }
    }
}

/// Writes one host's reports; with its claim, if that can be.
async fn write_one(hub: &Hub, Waiting { reports, ask, reply }: Waiting) {
    if let Some(ask) = ask
        && let Some(written) = turn::take(hub, &reports, ask).await
    {
        let _ = reply.send(Ok(written));
        return;
    }
    let written = finish(hub, vec![reports]).await;
    let _ = reply.send(written.map(|applied| Written { applied, is_claimed: false }));
}

/// Writes the reports of several.
async fn write_all(hub: &Hub, batch: Vec<Waiting>) {
    let Ok(applied) = finish(hub, batch.iter().map(|waiting| waiting.reports.clone()).collect()).await else {
        // One that the database does not take must not cost the others theirs.
        for waiting in batch {
            write_one(hub, Waiting { ask: None, ..waiting }).await;
        }
        return;
    };
    let mut applied = applied.into_iter();
    for Waiting { reports, reply, .. } in batch {
        let applied = applied.by_ref().take(reports.len()).collect();
        let _ = reply.send(Ok(Written { applied, is_claimed: false }));
    }
}

/// Writes down ends of runs; says of each report whether it was in force.
pub(crate) async fn finish(hub: &Hub, frames: Vec<Arc<Vec<Report>>>) -> Result<Vec<bool>> {
    let frames = Arc::new(frames);
    let done = match finish_boldly(hub, &frames).await {
        Err(error) if error.is_stale_view() => finish_locked(hub, &frames).await?,
        done => done?,
    };
    hub.queue.board.ended(all(&frames));
    done.wake(hub);
    Ok(done.applied)
}

/// The reports of all frames.
fn all(frames: &[Arc<Vec<Report>>]) -> impl Iterator<Item = &Report> + Clone {
    frames.iter().flat_map(|frame| frame.iter())
}

/// With a look at the leases they are about.
async fn finish_locked(hub: &Hub, frames: &Arc<Vec<Arc<Vec<Report>>>>) -> Result<Done> {
    let (hub_in, frames) = (hub.clone(), frames.clone());
    let write = hub.store.write(move |tx| {
        Box::pin(async move {
            let reports: Vec<&Report> = all(&frames).collect();
            apply(&hub_in, tx, &reports).await
        })
    });
    write.await
}

/// Without a look, where all of the leases are remembered and nothing else must be asked; on PostgreSQL in one statement.
/// Otherwise, or if one of them is not what was remembered, nothing is written.
async fn finish_boldly(hub: &Hub, frames: &Arc<Vec<Arc<Vec<Report>>>>) -> Result<Done> {
    if !can_go_by_memory(hub) {
        return Err(stale_view());
    }
    let leases = remembered(hub, all(frames)).ok_or_else(stale_view)?;
    let (hub_in, frames) = (hub.clone(), frames.clone());
    let work =
        by_memory(hub, move |tx| Box::pin(async move { apply_remembered(&hub_in, tx, leases, all(&frames)).await }));
    work.await
}

/// The leases that these reports are about, if all of them are remembered, and can end without asking anything: all went well,
/// and none counts against a limit. They are not remembered from now on.
pub(super) fn remembered<'a>(hub: &Hub, reports: impl Iterator<Item = &'a Report> + Clone) -> Option<Vec<Lease>> {
    if reports.clone().any(|report| report.result.status != RunStatus::Succeeded) {
        return None;
    }
    let leases = hub.queue.board.take_held(reports)?;
    leases.iter().all(|lease| lease.counted.is_none()).then_some(leases)
}

/// Applies reports about leases that are [`remembered`], in the same order. If one of them is not what was remembered, nothing
/// must be written.
pub(super) async fn apply_remembered<'a>(
    hub: &Hub,
    tx: &mut Tx<'_>,
    leases: Vec<Lease>,
    reports: impl Iterator<Item = &'a Report>,
) -> Result<Done> {
    let now = hub.now();
    tx.lease_end(&leases)?;
    let ends: Vec<(Lease, &Report)> = leases.into_iter().zip(reports).collect();
    let mut done = Done { applied: vec![true; ends.len()], ..Done::default() };
    end(hub, tx, &ends, &mut done, now).await?;
    Ok(done)
}

/// Writes the ends of runs whose leases are gone.
async fn end(hub: &Hub, tx: &mut Tx<'_>, ends: &[(Lease, &Report)], done: &mut Done, now: Timestamp) -> Result<()> {
    let mut written = Ends::of(hub, tx, ends, now).await?;
    written.tell(done);
    written.write(hub, tx, now).await
}

/// What a transaction has done, for those who are woken after it.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) applied: Vec<bool>,
    pub(super) has_waiting: bool,
    /// A limit has room again.
    pub(super) has_room: bool,
    /// Runs that have ended: whose, how, after how long, and what became of the job.
    pub(crate) ended: Vec<Ended>,
}

/// A run that has ended, for those who count.
pub(crate) struct Ended {
    pub(crate) org: domain::OrgId,
    pub(crate) run: RunStatus,
    pub(crate) took: domain::Span,
    /// `Queued` if it is tried again.
    pub(crate) job: JobStatus,
}

impl Done {
    /// Wakes whoever waits for what was done, and counts it.
    pub(crate) fn wake(&self, hub: &Hub) {
        hub.metrics.note_ends(&self.ended);
        let now = hub.now();
        for one in &self.ended {
            hub.queue.numbers.ended(one.org, 1, u64::from(end_mark(one.run) == 'x'), now);
            hub.samples.ended(one, now);
        }
        hub.news();
        if self.has_waiting {
            hub.wakes.delayed_jobs.wake();
        }
        if self.has_room {
            hub.wakes.dispatch_poll.wake();
        }
    }
}

/// Applies reports inside a transaction.
pub(crate) async fn apply<R: Borrow<Report> + Sync>(hub: &Hub, tx: &mut Tx<'_>, reports: &[R]) -> Result<Done> {
    let reports: Vec<&Report> = reports.iter().map(Borrow::borrow).collect();
    let now = hub.now();
    let keys: Vec<RunKey> = reports.iter().map(|report| report.key).collect();
    let hits = tx.lease_take(&keys).await?;
    // By the whole key: a stale report must not use up what a right one beside it is about.
    let mut hits: HashMap<RunKey, Lease> = hits.into_iter().map(|lease| (lease.key(), lease)).collect();
    let (mut done, mut ends) = (Done::default(), Vec::new());
    for report in reports {
        // Each lease ends once, also if two reports in one batch name it.
        match hits.remove(&report.key) {
            Some(lease) => {
                ends.push((lease, report));
                done.applied.push(true);
            }
            None => {
                // Its lease waits under another session of the same holder: the inventory comes first, then this again.
                let lease = tx.lease_get(report.key.job_id).await?;
                let (fence, holder) = (report.key.fence, report.key.holder_id);
                if lease.is_some_and(|lease| {
                    lease.fence == fence && lease.holder_id == holder && lease.epoch != report.key.epoch
                }) {
                    return Err(Error::new(Code::SessionSuperseded, "this run is held by another session of its host"));
                }
                stale(hub, tx, report, now).await?;
                done.applied.push(false);
            }
        }
    }
    if !ends.is_empty() {
        end(hub, tx, &ends, &mut done, now).await?;
    }
    Ok(done)
}

/// The servers that these ends are about.
async fn servers_of(tx: &mut Tx<'_>, ends: &[(Lease, &Report)]) -> Result<HashMap<JobId, ServerId>> {
    let is_about = |end: &&(Lease, &Report)| ServerOp::of_definition(end.0.definition_id).is_some();
    let jobs: Vec<JobId> = ends.iter().filter(is_about).map(|(lease, _)| lease.job_id).collect();
    if jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let jobs = tx.claimed_jobs(&jobs).await?;
    Ok(jobs.into_iter().filter_map(|job| Some((job.job_id, servers::named(&job.payload)?))).collect())
}

/// Keeps a stale report as evidence.
async fn stale(hub: &Hub, tx: &mut Tx<'_>, report: &Report, now: Timestamp) -> Result<()> {
    let RunKey { job_id, fence, holder_id, epoch } = report.key;
    let evidence = StaleReport {
        id: hub.ids.next(),
        // The job's own org is taken when it is written.
        org_id: domain::OrgId::from_bytes([0; 16]),
        job_id,
        fence,
        holder_id,
        epoch,
        body: json!({"status": report.result.status, "exit_code": report.result.exit_code, "error": report.result.error}),
        at: now,
    };
    if tx.stale_insert(&evidence, report.result.status).await? {
        tracing::info!(job.id = %job_id, run.no = fence, holder.id = %holder_id, "a stale report was kept as evidence");
    }
    Ok(())
}

async fn decide(
    hub: &Hub,
    tx: &mut Tx<'_>,
    lease: &Lease,
    report: &Report,
    record: Option<&JobRecord>,
    now: Timestamp,
) -> Result<After> {
    let result = &report.result;
    let Some(record) = record else { return Ok(After::Over(JobStatus::Succeeded, None)) };
    let compiled = hub.queue.definitions.version(tx, record.definition_id, record.definition_version).await?;
    let count = |ended: i64, counts: bool| u32::try_from(ended + i64::from(counts)).unwrap_or(u32::MAX);
    let attempts = count(record.attempts, !result.status.is_free());
    let facts = Record {
        attempts,
        free_ends: count(record.free_ends, result.status.is_free()),
        max_attempts: u32::try_from(record.max_attempts).unwrap_or(1),
        is_cancel_asked: lease.cancel_at.is_some(),
        is_final_exit: result.exit_code.is_some_and(|code| compiled.definition.no_retry_exit_codes.contains(&code)),
        expires_at: record.expires_at,
    };
    let end = End {
        status: result.status,
        exit_code: result.exit_code,
        retry_after: result.retry_after_ms.map(domain::Span::from_millis),
    };
    let delay = match result.status {
        RunStatus::NotStarted => domain::Span::ZERO,
        #[expect(clippy::cast_possible_truncation, reason = "a delay needs no exactness")]
        RunStatus::Lost => domain::Span::from_millis((hub.random.unit() * LOST_SPREAD_MS) as i64),
        _ => compiled.definition.retry_delay(attempts, hub.random.unit()),
    };
    Ok(match after(end, &facts, delay, now) {
        After::Over(JobStatus::Canceled, _) if report.is_forced => {
            After::Over(JobStatus::Canceled, Some(EndReason::Forced))
        }
        After::Over(JobStatus::Canceled, _) if lease.cancel_reason.as_deref() == Some(servers::SUPERSEDED) => {
            After::Over(JobStatus::Canceled, Some(EndReason::Superseded))
        }
        other => other,
    })
}

/// Rows to write for a batch of ends.
#[derive(Default)]
pub(super) struct Ends {
    runs: Vec<EndedRun>,
    outcomes: Vec<Outcome>,
    again: Vec<Place>,
    at_once: Vec<Place>,
    /// What each gives back, and a mark for how each run ended.
    holders: BTreeMap<HolderId, (i32, String)>,
    quotas: BTreeMap<QuotaId, i32>,
    /// The servers that some of them are about.
    servers: HashMap<JobId, ServerId>,
    pub(super) taken: Taken,
    pub(super) changes: Changes,
    ended: Vec<Ended>,
}

impl Ends {
    /// What follows from the ends of these runs. About those that ended well nothing must be asked.
    pub(super) async fn of(hub: &Hub, tx: &mut Tx<'_>, ends: &[(Lease, &Report)], now: Timestamp) -> Result<Self> {
        let is_bad = |end: &&(Lease, &Report)| end.1.result.status != RunStatus::Succeeded;
        let bad: Vec<JobId> = ends.iter().filter(is_bad).map(|(lease, _)| lease.job_id).collect();
        let records = if bad.is_empty() { Vec::new() } else { tx.job_records(&bad).await? };
        let records: HashMap<JobId, JobRecord> = records.into_iter().map(|record| (record.job_id, record)).collect();
        let mut written = Self { servers: servers_of(tx, ends).await?, ..Self::default() };
        for (lease, report) in ends {
            let after = decide(hub, tx, lease, report, records.get(&lease.job_id), now).await?;
            let key = hub.queue.definitions.key_in(tx, lease.definition_id).await?;
            written.add(lease, report, after, &key, now);
        }
        Ok(written)
    }

    /// What is to be told of them.
    pub(super) fn tell(&mut self, done: &mut Done) {
        done.ended = std::mem::take(&mut self.ended);
        done.has_waiting = !self.again.is_empty();
        done.has_room = self.quotas.values().any(|count| *count > 0);
    }

    /// What one holder gives back, if it is the only one.
    pub(super) fn given(&mut self) -> Option<GivenBack> {
        let (holder, (count, ends)) = self.holders.pop_first().filter(|_| self.holders.is_empty())?;
        Some(GivenBack { holder, count, ends })
    }

    fn add(&mut self, lease: &Lease, report: &Report, after: After, key: &str, now: Timestamp) {
        let run = ended(lease, report, now);
        let was = if lease.held_at.is_some() { JobStatus::Queued } else { JobStatus::Running };
        let tally = self.changes.tally(lease.org_id);
        *tally.of(was) -= 1;
        let (status, will_retry) = match after {
            After::Over(status, reason) => {
                *tally.of(status) += 1;
                // That it has succeeded is said by its run.
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
                (status, false)
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
                    self.at_once.push(place)
                } else {
                    self.again.push(place)
                }
                (JobStatus::Queued, true)
            }
        };
        self.events(lease, report.host, &run, status, will_retry, key);
        let counted = Counted::read(lease.counted.as_deref());
        self.taken.add(lease, &counted, &run);
        let took = run.finished_at.since(run.started_at);
        tracing::debug!(
            job.id = %lease.job_id, org.id = %lease.org_id, definition.key = key, run.no = lease.fence,
            host.id = %lease.holder_id, run.status = %run.status, job.status = %status, "a run has ended"
        );
        self.ended.push(Ended { org: lease.org_id, run: run.status, took, job: status });
        self.runs.push(run);
        // What is asked of servers took no place on its host, and says nothing about it.
        if ServerOp::of_definition(lease.definition_id).is_none() {
            let holder = self.holders.entry(lease.holder_id).or_default();
            holder.0 += 1;
            holder.1.push(end_mark(report.result.status));
        }
        if counted.share_ms.is_some() {
            // Who corrects what was used of a host holds its holder.
            self.holders.entry(lease.holder_id).or_default();
        }
        for id in counted.quotas {
            *self.quotas.entry(id).or_default() += 1;
        }
    }

    fn events(
        &mut self,
        lease: &Lease,
        host_id: Option<HostId>,
        run: &EndedRun,
        status: JobStatus,
        will_retry: bool,
        key: &str,
    ) {
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

    /// Writes the runs, and what becomes of their jobs.
    pub(super) async fn write_runs(&self, tx: &mut Tx<'_>) -> Result<()> {
        tx.run_insert(&self.runs).await?;
        if !self.outcomes.is_empty() {
            tx.outcome_insert(&self.outcomes).await?;
        }
        if !self.again.is_empty() {
            tx.waiting_insert(&self.again, WaitReason::RetryBackoff).await?;
        }
        if !self.at_once.is_empty() {
            tx.ready_insert(&self.at_once).await?;
        }
        Ok(())
    }

    async fn write(self, hub: &Hub, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        self.write_runs(tx).await?;
        let given = |(holder, (count, ends)): (HolderId, (i32, String))| GivenBack { holder, count, ends };
        let given: Vec<GivenBack> = self.holders.into_iter().map(given).collect();
        tx.holder_release(&given, &self.taken.list()).await?;
        self.changes.write(hub, tx, now).await?;
        // Holders before limits, as a claim locks them: these are written after what was put off.
        for (quota, count) in self.quotas {
            tx.quota_release(quota, count).await?;
        }
        Ok(())
    }
}

/// The run as it is kept: times by our clock, never before the claim and never after now.
fn ended(lease: &Lease, report: &Report, now: Timestamp) -> EndedRun {
    let result = &report.result;
    let shifted = |at: Timestamp| Timestamp::from_micros(at.as_micros().saturating_add(report.clock_offset_ms * 1_000));
    let started_at =
        result.started_at.map_or(lease.started_at, shifted).clamp(lease.started_at, now.max(lease.started_at));
    let finished_at = match result.duration_ms {
        Some(ms) => (started_at + domain::Span::from_millis(ms)).min(now.max(started_at)),
        None => now.max(started_at),
    };
    EndedRun {
        job_id: lease.job_id,
        no: lease.fence,
        id: lease.run_id,
        org_id: lease.org_id,
        holder_id: lease.holder_id,
        status: result.status,
        started_at,
        finished_at,
        pid: result.pid.or(lease.pid),
        exit_code: result.exit_code,
        signal: result.signal,
        error_text: result.error.clone(),
        stdout_tail: result.stdout_tail.clone(),
        stderr_tail: result.stderr_tail.clone(),
        output: result.output.clone(),
    }
}

#[cfg(test)]
mod tests {
    use domain::Span;

    use super::*;
    use crate::queue::{
        claim::{self, Claimant},
        test_support::TestQueue,
    };

    fn report(lease: &Lease, host: HostId, status: RunStatus) -> Report {
        let result = RunResult::new(lease.job_id, lease.fence, status);
        Report { key: lease.key(), result, clock_offset_ms: 0, host: Some(host), is_forced: false }
    }

    /// What a host of one org holds and this hub remembers of it.
    async fn begins(fixture: &TestQueue, jobs: usize) -> (HostId, super::super::board::Seated, Vec<Lease>) {
        let (host, epoch) = fixture.another("web-2", 100).await;
        fixture.enqueue(fixture.acme, jobs).await;
        let claimed = claim::claim(&fixture.hub, Claimant::Host(host), epoch, 100).await.expect("claims");
        let seated = fixture.hub.queue.board.join(host, epoch, &[]);
        fixture.hub.queue.board.remember_for_test(host, claimed.leases.clone());
        (host, seated, claimed.leases)
    }

    testkit::db_test!(ends_of_remembered_runs_are_written_without_a_look, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (host, seated, leases) = begins(&fixture, 50).await;
        let reports: Vec<Report> = leases.iter().map(|lease| report(lease, host, RunStatus::Succeeded)).collect();
        let frames: Arc<Vec<_>> = Arc::new(reports.chunks(20).map(|some| Arc::new(some.to_vec())).collect());
        let done = finish_boldly(&fixture.hub, &frames).await;
        let done = done.unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!((done.applied.len(), done.ended.len()), (50, 50));
        assert_eq!((fixture.running(host).await, fixture.held(host).await.len()), (0, 0));
        let counts = fixture.hub.job_summary(fixture.acme).await.expect("counts");
        assert_eq!((counts.queued, counts.running, counts.counts["succeeded"]), (0, 0, 50));
        // A second time nothing is remembered, and nothing is in force.
        assert!(finish_boldly(&fixture.hub, &frames).await.is_err_and(|error| error.is_stale_view()));
        assert_eq!(finish(&fixture.hub, frames.to_vec()).await.expect("writes"), [false; 50]);
        drop(seated);
    });

    testkit::db_test!(what_is_not_as_remembered_ends_with_a_look, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let (host, seated, leases) = begins(&fixture, 4).await;
        let (wanted, now) = (leases[0].clone(), fixture.hub.now());
        let cancel = fixture.hub.store.write(move |tx| {
            Box::pin(async move { Ok::<_, Error>(tx.lease_cancel(wanted.job_id, wanted.fence, "test", now).await?) })
        });
        assert!(cancel.await.expect("writes"));
        let ends = |status: RunStatus, leases: &[Lease]| {
            vec![Arc::new(leases.iter().map(|lease| report(lease, host, status)).collect::<Vec<_>>())]
        };
        let both = Arc::new(ends(RunStatus::Succeeded, &leases[..2]));
        let bold = finish_boldly(&fixture.hub, &both).await;
        assert!(bold.is_err_and(|error| error.is_stale_view()), "somebody wants one of them back");
        assert_eq!(fixture.held(host).await.len(), 4, "nothing was written");
        assert_eq!(finish(&fixture.hub, both.to_vec()).await.expect("writes"), [true, true]);
        // What ended badly is asked about; and one of these is named twice.
        let twice = [leases[2].clone(), leases[3].clone(), leases[3].clone()];
        assert_eq!(finish(&fixture.hub, ends(RunStatus::Failed, &twice)).await.expect("writes"), [true, true, false]);
        assert_eq!((fixture.running(host).await, fixture.held(host).await.len()), (0, 0));
        let counts = fixture.hub.job_summary(fixture.acme).await.expect("counts");
        assert_eq!(
            (counts.queued, counts.running, counts.counts["succeeded"]),
            (2, 0, 2),
            "what failed is tried again"
        );
        drop(seated);
    });

    testkit::db_test!(a_stale_report_costs_the_right_one_beside_it_nothing, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 1).await;
        let first = fixture.claim().await;
        fixture.end_as(&first[0], Span::ZERO, RunStatus::NotStarted).await;
        let second = fixture.claim().await;
        assert_eq!((second[0].job, second[0].fence), (first[0].job, 2), "tried again at once");
        let report = |fence| Report {
            key: RunKey { job_id: first[0].job, fence, holder_id: fixture.host.into(), epoch: fixture.epoch },
            result: proto::work::RunResult::new(first[0].job, fence, RunStatus::Succeeded),
            clock_offset_ms: 0,
            host: Some(fixture.host),
            is_forced: false,
        };
        let applied = finish(&fixture.hub, vec![Arc::new(vec![report(1), report(2), report(2)])]).await;
        assert_eq!(applied.expect("writes"), [false, true, false]);
        let (org, job) = (fixture.acme, first[0].job);
        let read = fixture
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.job_get(org, job).await.map_err(crate::Error::from) }));
        assert_eq!(read.await.expect("reads").expect("is there").status, JobStatus::Succeeded);
    });
}
