//! Requests, and the start of their jobs on an idle runner in the same transaction (ADR 25).

use std::sync::Arc;

use domain::JobId;
use futures_util::future::join_all;
use proto::Code;
use store::insert::NewJob as JobRow;
use tokio_util::sync::CancellationToken;

use super::{DispatchGuard, slow};
use crate::{
    Error, Hub, Result,
    queue::{
        claim::{self, ClaimRequest, Claimed, JobSource},
        commit::{self, Outcome, Prepared},
        enqueue::{EnqueueAnswer, EnqueueBatch, EnqueueEffects, EnqueueRequest, PendingRequest, create_missing_lanes},
        events::Changes,
    },
};

/// Largest number of jobs in one transaction.
const JOBS_MAX: usize = 5_000;
/// Largest number of jobs that are started in the transaction that inserts them.
const STARTED_MAX: usize = 16;
/// Attempts to write a request that conflicts with another transaction.
const ATTEMPTS_MAX: u32 = 3;

/// Name of the writer in metrics and logs.
pub(crate) const NAME: &str = "enqueue";

/// Takes requests in batches and writes them.
pub(crate) async fn write(hub: Hub, stop: CancellationToken) {
    loop {
        let (batch, slot) = hub.queue.enqueuer.take(&stop).await;
        if batch.is_empty() {
            return;
        }
        let hub_in = hub.clone();
        slow::run(&hub, NAME, async move {
            write_batch(&hub_in, batch).await;
            drop(slot);
        })
        .await;
    }
}

/// Writes requests in transactions of at most [`JOBS_MAX`] jobs.
async fn write_batch(hub: &Hub, batch: Vec<PendingRequest>) {
    let mut rest = batch.into_iter().peekable();
    while rest.peek().is_some() {
        let (mut group, mut jobs) = (Vec::new(), 0);
        while let Some(next) = rest.next_if(|next| group.is_empty() || jobs + next.request.jobs.len() <= JOBS_MAX) {
            jobs += next.request.jobs.len();
            group.push(next);
        }
        write_group(hub, group).await;
    }
}

/// Writes requests in one transaction. If it fails, each is written alone, so that a request that cannot be written does
/// not fail the others.
async fn write_group(hub: &Hub, mut group: Vec<PendingRequest>) {
    let requests: Vec<Arc<EnqueueRequest>> = group.iter().map(|pending| pending.request.clone()).collect();
    let error = match enqueue_and_claim(hub, &requests).await {
        Ok(answers) => return group.into_iter().zip(answers).for_each(|(pending, answer)| pending.send(answer)),
        Err(error) => error,
    };
    if error.is_commit_unknown() {
        group.into_iter().for_each(|pending| {
            pending.send(Err(Error::outcome_unknown(
                "the connection to the database failed while the jobs were being inserted",
            )))
        });
    } else if group.len() > 1 || is_conflict(&error) {
        join_all(group.into_iter().map(|pending| async move {
            let answer = write_alone(hub, &pending.request).await;
            pending.send(answer);
        }))
        .await;
    } else if let Some(pending) = group.pop() {
        pending.send(Err(error));
    }
}

/// Whether another transaction was in the way, so that the next attempt can succeed.
fn is_conflict(error: &Error) -> bool {
    error.code() == Code::HubBusy || error.is_busy()
}

/// Writes one request. After a conflict the other transaction has committed, so the next attempt finds its rows.
async fn write_alone(hub: &Hub, request: &Arc<EnqueueRequest>) -> EnqueueAnswer {
    let mut attempts = 0;
    loop {
        attempts += 1;
        match enqueue_and_claim(hub, std::slice::from_ref(request)).await {
            Err(error) if is_conflict(&error) && attempts < ATTEMPTS_MAX => {}
            answers => return answers?.pop().unwrap_or_else(|| Ok(Vec::new())),
        }
    }
}

/// Results of a transaction, set before its commit.
struct Transacted {
    effects: EnqueueEffects,
    claimed: Claimed,
    /// The first inserted job, by which the outcome of the commit can be read.
    first_job: Option<JobRow>,
}

/// Inserts the jobs of requests in one transaction; if a runner is idle, also starts them there.
pub(crate) async fn enqueue_and_claim(hub: &Hub, requests: &[Arc<EnqueueRequest>]) -> Result<Vec<EnqueueAnswer>> {
    create_missing_lanes(hub, requests).await?;
    let Some(guard) = reserve_idle(hub, requests) else { return enqueue(hub, requests).await };
    let prepared = Prepared::default();
    let result = transact(hub, requests, Some(guard.request()), &prepared).await;
    match (result, prepared.take()) {
        (Ok(()), Some(Transacted { effects, claimed, .. })) => {
            guard.send_grants(claimed);
            Ok(effects.after_commit(hub))
        }
        (Err(error), Some(transacted)) if error.is_commit_unknown() => {
            if transacted.claimed.has_leases() {
                guard.end_session();
            } else {
                // Other claims serve the runner while the outcome is read, which can take a minute.
                drop(guard);
            }
            resolve(hub, requests, transacted, error).await
        }
        (Err(error), _) => {
            // The claim may be at fault and not the jobs; they wait for the next claim.
            tracing::debug!(error = %error, "cannot start new jobs immediately");
            drop(guard);
            enqueue(hub, requests).await
        }
        (Ok(()), None) => Ok(Vec::new()),
    }
}

/// Inserts the jobs of requests in one transaction.
async fn enqueue(hub: &Hub, requests: &[Arc<EnqueueRequest>]) -> Result<Vec<EnqueueAnswer>> {
    let prepared = Prepared::default();
    let result = transact(hub, requests, None, &prepared).await;
    match (result, prepared.take()) {
        (Ok(()), Some(transacted)) => Ok(transacted.effects.after_commit(hub)),
        (Ok(()), None) => Ok(Vec::new()),
        (Err(error), Some(transacted)) if error.is_commit_unknown() => resolve(hub, requests, transacted, error).await,
        (Err(error), _) => Err(error),
    }
}

/// An idle runner that serves the lane of one of these jobs, if there are few jobs.
fn reserve_idle(hub: &Hub, requests: &[Arc<EnqueueRequest>]) -> Option<DispatchGuard> {
    let (mut jobs, now) = (requests.iter().flat_map(|request| &request.jobs), hub.now());
    if jobs.clone().count() > STARTED_MAX {
        return None;
    }
    jobs.find_map(|job| {
        let lane = hub.queue.lanes.get(&job.lane, now).filter(|_| job.row.scheduled_for <= now)?;
        hub.queue.dispatcher.reserve_idle(hub, lane)
    })
}

async fn transact(
    hub: &Hub,
    requests: &[Arc<EnqueueRequest>],
    claim: Option<ClaimRequest>,
    prepared: &Prepared<Transacted>,
) -> Result<()> {
    let (hub_in, requests, prepared) = (hub.clone(), requests.to_vec(), prepared.clone());
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let mut changes = Changes::default();
            let batch = EnqueueBatch::prepare(&hub_in, tx, &requests, &mut changes).await?;
            let claimed = match claim {
                // New lanes have locked their org, which claims do not expect.
                Some(request) if !batch.has_new_lanes() => {
                    let due = batch.due();
                    claim::claim(&hub_in, tx, &request, JobSource::Inserted(&due), &mut changes).await?
                }
                _ => Claimed::default(),
            };
            let first_job = batch.jobs.first().cloned();
            let started: Vec<JobId> = claimed.started().collect();
            let effects = batch.write(tx, &started).await?;
            changes.write(&hub_in, tx, hub_in.now()).await?;
            prepared.set(Transacted { effects, claimed, first_job });
            Ok::<_, Error>(())
        })
    });
    written.await
}

/// Inserts the jobs of requests and claims for a holder in the same transaction, without a linked runner.
#[cfg(test)]
pub(crate) async fn enqueue_for_test(
    hub: &Hub,
    requests: &[Arc<EnqueueRequest>],
    claim: Option<ClaimRequest>,
) -> Result<Vec<EnqueueAnswer>> {
    create_missing_lanes(hub, requests).await?;
    let prepared = Prepared::default();
    transact(hub, requests, claim, &prepared).await?;
    let Transacted { effects, mut claimed, .. } = prepared.take().expect("is set before the commit");
    claimed.after_commit(hub);
    Ok(effects.after_commit(hub))
}

/// Resolves a commit without an answer. If nothing was committed, the requests are written again with the same job ids:
/// if the first transaction reaches the server late after all, the primary key rejects one of the two.
async fn resolve(
    hub: &Hub,
    requests: &[Arc<EnqueueRequest>],
    transacted: Transacted,
    unknown: Error,
) -> Result<Vec<EnqueueAnswer>> {
    let Transacted { effects, first_job, .. } = transacted;
    if let Some(job) = &first_job {
        match commit::outcome(hub, job).await {
            Outcome::Committed => return Ok(effects.after_commit(hub)),
            Outcome::Unknown => return Err(unknown),
            Outcome::RolledBack => {}
        }
    }
    let again = Prepared::default();
    match (transact(hub, requests, None, &again).await, again.take()) {
        (Ok(()), Some(transacted)) => Ok(transacted.effects.after_commit(hub)),
        (Err(error), _) if error.is_unique_violation() => Ok(effects.after_commit(hub)),
        _ => Err(unknown),
    }
}

#[cfg(test)]
mod tests {
    use domain::{JobId, Span, job::JobStatus};
    use proto::{
        api::{host::HostShareRequest, job::JobRequest, org::OrgPatch},
        link::ToRunner,
    };
    use serde_json::json;

    use super::*;
    use crate::{
        app::jobs::Maker,
        queue::{
            claim::Claimant,
            dispatch::RunnerChannel,
            enqueue::Enqueued,
            finish::Credit,
            test_support::{TestQueue, local},
        },
    };

    async fn request(fixture: &TestQueue, count: usize, fields: serde_json::Value) -> Arc<EnqueueRequest> {
        let maker = Maker::new(local(), fixture.acme);
        let request: JobRequest = serde_json::from_value(fields).expect("a request");
        Arc::new(fixture.hub.enqueue_request(&maker, &vec![request; count]).await.expect("is valid"))
    }

    /// Enqueues jobs with a claim for the fixture's host in the same transaction. Returns the jobs with their status.
    async fn start(fixture: &TestQueue, count: usize) -> Vec<(JobId, JobStatus)> {
        let requests = [request(fixture, count, json!({"definition_key": "hello"})).await];
        create_missing_lanes(&fixture.hub, &requests).await.expect("creates lanes");
        let claim = ClaimRequest { claimant: Claimant::Host(fixture.host), epoch: fixture.epoch, capacity: 100 };
        let prepared = Prepared::default();
        transact(&fixture.hub, &requests, Some(claim), &prepared).await.expect("commits");
        let answers = prepared.take().expect("is prepared").effects.after_commit(&fixture.hub);
        let mut jobs = Vec::new();
        for result in answers.into_iter().flat_map(|answer| answer.expect("is inserted")) {
            let Enqueued::New(id) = result else { panic!("{result:?} has no dedupe key") };
            jobs.push((id, fixture.status(id).await));
        }
        jobs
    }

    testkit::db_test!(jobs_start_with_their_request_up_to_the_slots, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let status: Vec<JobStatus> = start(&fixture, 3).await.into_iter().map(|(_, status)| status).collect();
        assert_eq!(status, [JobStatus::Running, JobStatus::Running, JobStatus::Queued]);
        assert!(fixture.claim().await.is_empty(), "both slots are taken");
        assert_eq!(fixture.held(fixture.host).await.len(), 2);
    });

    testkit::db_test!(jobs_that_wait_for_the_host_come_before_a_new_request, |db| async move {
        let fixture = TestQueue::new(db, 5).await;
        fixture.enqueue(fixture.beta, 1).await;
        assert_eq!(start(&fixture, 1).await[0].1, JobStatus::Queued);
        let grants = fixture.claim().await;
        assert_eq!(grants.len(), 2);
        for grant in &grants {
            fixture.end(grant, Span::from_secs(1)).await;
        }
        assert_eq!(start(&fixture, 1).await[0].1, JobStatus::Running, "no job waits any more");
    });

    testkit::db_test!(paused_job_does_not_start_with_its_request, |db| async move {
        let fixture = TestQueue::new(db, 5).await;
        let pause = serde_json::from_value(json!({"kind": "definition", "subject": "hello"})).expect("a request");
        fixture.hub.pause_set(&local(), fixture.acme, pause).await.expect("pauses");
        assert_eq!(start(&fixture, 1).await[0].1, JobStatus::Queued);
        assert!(fixture.claim().await.is_empty());
    });

    testkit::db_test!(limit_of_the_org_holds_for_a_start_with_the_request, |db| async move {
        let fixture = TestQueue::new(db, 5).await;
        let limit = OrgPatch { max_running: Some(Some(1)), ..OrgPatch::default() };
        fixture.hub.org_update(&local(), fixture.acme, limit).await.expect("limits");
        let status: Vec<JobStatus> = start(&fixture, 2).await.into_iter().map(|(_, status)| status).collect();
        assert_eq!(status, [JobStatus::Running, JobStatus::Queued]);
    });

    /// Links the fixture's host with this credit, as the only org's host.
    async fn link(fixture: &TestQueue, credit: u64) -> RunnerChannel {
        let alone = HostShareRequest { org: "beta".to_owned() };
        fixture.hub.host_unshare(&local(), fixture.acme, "web-1", alone).await.expect("unshares");
        let requests = [request(fixture, 1, json!({"definition_key": "hello"})).await];
        create_missing_lanes(&fixture.hub, &requests).await.expect("creates lanes");
        let lane = fixture.hub.queue.lanes.get(&requests[0].jobs[0].lane, fixture.hub.now()).expect("is cached");
        let channel = fixture.hub.queue.dispatcher.link(fixture.host, fixture.epoch, &[lane]);
        let credit = Credit { host: fixture.host, epoch: fixture.epoch, limit: credit };
        fixture.hub.queue.dispatcher.set_credit(credit);
        channel
    }

    testkit::db_test!(idle_runner_receives_the_grant_of_a_new_job, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        let mut channel = link(&fixture, 2).await;
        let maker = Maker::new(local(), fixture.acme);
        for count in 1..=2 {
            let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
            let made = fixture.hub.job_create(&maker, request).await.expect("creates");
            let Some(ToRunner::Grants(frame)) = channel.frames.recv().await else { panic!("grants") };
            assert_eq!(frame.grants.iter().map(|grant| Some(grant.job)).collect::<Vec<_>>(), [made.id]);
            assert_eq!(frame.definitions.len(), usize::from(count == 1), "a definition is sent once per session");
            assert_eq!(fixture.running(fixture.host).await, count);
        }
        assert_eq!(fixture.held(fixture.host).await.len(), 2);
    });

    testkit::db_test!(request_is_inserted_once_although_it_is_written_twice, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let fields = json!({"definition_key": "hello", "dedupe_key": "nightly"});
        let requests =
            [request(&fixture, 1, fields).await, request(&fixture, 2, json!({"definition_key": "hello"})).await];
        let first = enqueue_and_claim(&fixture.hub, &requests).await.expect("commits");
        assert_eq!(first.iter().flatten().flatten().count(), 3);
        // As after a commit whose answer was lost: the outcome is read from the first job, and nothing is inserted again.
        let job = requests[0].jobs[0].row.clone();
        let lane_id = fixture.hub.queue.lanes.get(&requests[0].jobs[0].lane, fixture.hub.now()).expect("is cached");
        let job = JobRow { lane_id, ..job };
        assert_eq!(commit::outcome(&fixture.hub, &job).await, Outcome::Committed);
        let absent = JobRow { id: fixture.hub.ids.next(), ..job };
        assert_eq!(commit::outcome(&fixture.hub, &absent).await, Outcome::RolledBack);
        let again = Prepared::default();
        let written = transact(&fixture.hub, &requests, None, &again).await;
        assert!(written.is_err_and(|error| error.is_unique_violation()), "the primary key rejects the second write");
        assert_eq!(fixture.hub.job_summary(fixture.acme).await.expect("counts").queued, 3);
    });

    testkit::db_test!(requests_with_one_idempotency_key_get_one_answer, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        let maker = Maker { idempotency_key: Some("order-7".to_owned()), ..Maker::new(local(), fixture.acme) };
        let request: JobRequest = serde_json::from_value(json!({"definition_key": "hello"})).expect("a request");
        let made = (0..20).map(|_| fixture.hub.job_create(&maker, request.clone()));
        let made = futures_util::future::join_all(made).await;
        let ids: std::collections::BTreeSet<_> = made.iter().map(|made| made.as_ref().expect("answers").id).collect();
        assert_eq!(ids.len(), 1, "all get the same job");
        assert_eq!(fixture.hub.job_summary(fixture.acme).await.expect("counts").queued, 1);
    });
}
