//! Reports of ended runs, and the next claim of their runner in the same transaction (ADR 25).
//!
//! With separate transactions a runner's holder would be locked twice as long, and jobs that wait for one of its slots
//! would wait for both.

use std::sync::Arc;

use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use super::{DispatchGuard, slow};
use crate::{
    Error, Hub, Result,
    queue::{
        claim::{self, Claimed, JobSource},
        events::Changes,
        finish::{self, Credit, FinishEffects, Finished, Report, Submission},
    },
};

/// Most reports in one transaction with a claim on PostgreSQL. More are finished alone, because other transactions can
/// claim in the meantime; SQLite has one writer.
const REPORTS_MAX: usize = 32;

/// Name of the writer in metrics and logs.
pub(crate) const NAME: &str = "finish";

/// Takes submissions in batches and writes them.
pub(crate) async fn write(hub: Hub, stop: CancellationToken) {
    loop {
        let (batch, slot) = hub.queue.finisher.take(&stop).await;
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

/// On PostgreSQL several submissions share a transaction. The writer of SQLite commits separate ones together anyway.
async fn write_batch(hub: &Hub, batch: Vec<Submission>) {
    if batch.len() == 1 || hub.store.kind() == store::Kind::Sqlite {
        join_all(batch.into_iter().map(|submission| write_one(hub, submission))).await;
        return;
    }
    let reports = batch.iter().map(|submission| submission.reports.clone()).collect();
    match finish_all(hub, reports).await {
        Ok(applied) => {
            let mut applied = applied.into_iter();
            for Submission { reports, reply, .. } in batch {
                let applied = applied.by_ref().take(reports.len()).collect();
                let _ = reply.send(Ok(Finished { applied, is_claimed: false }));
            }
        }
        // A report that the database rejects, or a locked row, must not fail the other submissions.
        Err(_) => {
            let alone = |submission| write_one(hub, Submission { credit: None, ..submission });
            join_all(batch.into_iter().map(alone)).await;
        }
    }
}

/// Writes the reports of one runner, with a claim for its new credit if possible.
async fn write_one(hub: &Hub, Submission { reports, credit, reply }: Submission) {
    if let Some(guard) = credit.and_then(|credit| reserve(hub, credit, reports.len())) {
        match finish_and_claim(hub, reports.clone(), guard).await {
            Ok(finished) => {
                let _ = reply.send(Ok(finished));
                return;
            }
            // The runner sends the reports again in its next session, and their fences decide.
            Err(error) if error.is_commit_unknown() => {
                let _ = reply.send(Err(error));
                return;
            }
            Err(error) => {
                tracing::debug!(error = %error, "cannot finish and claim in one transaction; finishing alone");
            }
        }
    }
    let applied = finish_all(hub, vec![reports]).await;
    let _ = reply.send(applied.map(|applied| Finished { applied, is_claimed: false }));
}

fn reserve(hub: &Hub, credit: Credit, reports: usize) -> Option<DispatchGuard> {
    let is_small = reports <= REPORTS_MAX || hub.store.kind() == store::Kind::Sqlite;
    if is_small { hub.queue.dispatcher.reserve_with(hub, credit) } else { None }
}

/// Finishes reports and claims in one transaction. If the reports release a limit, nothing is claimed: a claim locks
/// limits in ascending order, and some are locked already.
async fn finish_and_claim(hub: &Hub, reports: Arc<Vec<Report>>, guard: DispatchGuard) -> Result<Finished> {
    let (hub_in, request) = (hub.clone(), guard.request());
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let mut changes = Changes::default();
            let effects = finish::finish(&hub_in, tx, &reports, &mut changes).await?;
            let claimed = if effects.has_freed_limit {
                None
            } else {
                Some(claim::claim(&hub_in, tx, &request, JobSource::Lanes, &mut changes).await?)
            };
            changes.write(&hub_in, tx, hub_in.now()).await?;
            Ok::<(FinishEffects, Option<Claimed>), Error>((effects, claimed))
        })
    });
    match written.await {
        Ok((effects, claimed)) => {
            effects.after_commit(hub);
            let is_claimed = claimed.is_some();
            if let Some(claimed) = claimed {
                guard.send_grants(claimed);
            }
            Ok(Finished { applied: effects.applied, is_claimed })
        }
        Err(error) => {
            if error.is_commit_unknown() {
                guard.end_session();
            }
            Err(error)
        }
    }
}

/// Finishes the reports of several submissions in one transaction; returns for each report whether its lease existed.
pub(crate) async fn finish_all(hub: &Hub, submissions: Vec<Arc<Vec<Report>>>) -> Result<Vec<bool>> {
    let hub_in = hub.clone();
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let reports: Vec<&Report> = submissions.iter().flat_map(|reports| reports.iter()).collect();
            let mut changes = Changes::default();
            let effects = finish::finish(&hub_in, tx, &reports, &mut changes).await?;
            changes.write(&hub_in, tx, hub_in.now()).await?;
            Ok::<_, Error>(effects)
        })
    });
    let effects = written.await?;
    effects.after_commit(hub);
    Ok(effects.applied)
}

#[cfg(test)]
mod tests {
    use domain::{JobId, Span, job::RunStatus};
    use proto::{
        api::org::OrgPatch,
        link::ToRunner,
        work::{Grant, RunResult},
    };
    use store::insert::RunKey;

    use super::*;
    use crate::queue::{
        dispatch::RunnerChannel,
        test_support::{TestQueue, local},
    };

    fn report(fixture: &TestQueue, job: JobId, fence: i32, status: RunStatus) -> Report {
        let key = RunKey { job_id: job, fence, holder_id: fixture.host.into(), epoch: fixture.epoch };
        let result = RunResult::new(job, fence, status);
        Report { key, result, clock_offset_ms: 0, host: Some(fixture.host), is_forced: false }
    }

    fn succeeded(fixture: &TestQueue, grant: &Grant) -> Report {
        report(fixture, grant.job, grant.fence, RunStatus::Succeeded)
    }

    /// Links the fixture's host without lanes, so that only its own reports make it claim.
    fn link(fixture: &TestQueue) -> RunnerChannel {
        fixture.hub.queue.dispatcher.link(fixture.host, fixture.epoch, &[])
    }

    async fn submit(fixture: &TestQueue, reports: Vec<Report>, limit: u64) -> Finished {
        let credit = Credit { host: fixture.host, epoch: fixture.epoch, limit };
        fixture.hub.queue.finisher.submit(reports, Some(credit)).await.expect("commits")
    }

    async fn grants(channel: &mut RunnerChannel) -> Vec<Grant> {
        let Some(ToRunner::Grants(frame)) = channel.frames.recv().await else { panic!("grants") };
        frame.grants
    }

    testkit::db_test!(ended_runs_free_slots_for_the_claim_of_the_same_transaction, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 5).await;
        let running = fixture.claim().await;
        assert_eq!(running.len(), 2, "the host has two slots");
        let mut channel = link(&fixture);
        let reports = vec![
            report(&fixture, running[0].job, 7, RunStatus::Succeeded),
            succeeded(&fixture, &running[0]),
            succeeded(&fixture, &running[1]),
        ];
        let finished = submit(&fixture, reports, 2).await;
        assert_eq!(
            (finished.applied, finished.is_claimed),
            (vec![false, true, true], true),
            "the first fence is stale"
        );
        let next = grants(&mut channel).await;
        assert_eq!(next.iter().map(|grant| grant.fence).collect::<Vec<_>>(), [1, 1]);
        assert!(next.iter().all(|grant| running.iter().all(|before| before.job != grant.job)));
        assert!(fixture.claim().await.is_empty(), "both slots are taken again");
        assert_eq!(fixture.running(fixture.host).await, 2);
    });

    testkit::db_test!(report_counts_once_and_only_with_its_fence, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        fixture.enqueue(fixture.acme, 1).await;
        let first = fixture.claim().await;
        fixture.end_as(&first[0], Span::ZERO, RunStatus::NotStarted).await;
        let second = fixture.claim().await;
        assert_eq!((second[0].job, second[0].fence), (first[0].job, 2), "a run that did not start is retried");
        let reports = [1, 2, 2].map(|fence| report(&fixture, first[0].job, fence, RunStatus::Succeeded));
        let applied = finish_all(&fixture.hub, vec![Arc::new(reports.to_vec())]).await;
        assert_eq!(applied.expect("commits"), [false, true, false]);
        assert_eq!(fixture.status(first[0].job).await, domain::job::JobStatus::Succeeded);
        let again = finish_all(&fixture.hub, vec![Arc::new(reports.to_vec())]).await;
        assert_eq!(again.expect("commits"), [false; 3], "the run has ended");
        assert_eq!((fixture.running(fixture.host).await, fixture.held(fixture.host).await.len()), (0, 0));
    });

    testkit::db_test!(failed_run_is_retried_and_a_canceled_one_ends, |db| async move {
        let fixture = TestQueue::new(db, 4).await;
        fixture.enqueue(fixture.acme, 4).await;
        let running = fixture.claim().await;
        let (canceled, now) = (running[0].job, fixture.hub.now());
        let cancel = fixture
            .hub
            .store
            .write(move |tx| Box::pin(async move { Ok::<_, Error>(tx.lease_cancel(canceled, 1, "test", now).await?) }));
        assert!(cancel.await.expect("commits"));
        let reports = vec![
            report(&fixture, canceled, 1, RunStatus::Canceled),
            succeeded(&fixture, &running[1]),
            report(&fixture, running[2].job, 1, RunStatus::Failed),
            report(&fixture, running[3].job, 1, RunStatus::Failed),
        ];
        let applied = finish_all(&fixture.hub, vec![Arc::new(reports)]).await;
        assert_eq!(applied.expect("commits"), [true; 4]);
        let counts = fixture.hub.job_summary(fixture.acme).await.expect("counts");
        let ended = |status: &str| counts.counts[status];
        assert_eq!((counts.queued, counts.running, ended("succeeded"), ended("canceled")), (2, 0, 1, 1));
    });

    testkit::db_test!(real_duration_is_charged_before_the_next_claim, |db| async move {
        let fixture = TestQueue::new(db, 2).await;
        fixture.enqueue(fixture.acme, 6).await;
        fixture.enqueue(fixture.beta, 2).await;
        let running = fixture.claim().await;
        let mut channel = link(&fixture);
        fixture.clock.advance(Span::from_secs(3));
        let before = fixture.used().await;
        submit(&fixture, vec![succeeded(&fixture, &running[0])], 1).await;
        let next = grants(&mut channel).await;
        assert_eq!(next.len(), 1);
        let (org, after) = (running[0].org, fixture.used().await);
        let charged = after[&org].used_ms - before[&org].used_ms;
        let started = if next[0].org == org { after[&org].cost_ms } else { 0.0 };
        assert!((charged - started - 2_000.0).abs() < 1.0, "three seconds instead of the expected one: {charged}");
        assert!((after[&org].cost_ms - 3_000.0).abs() < 1.0, "the expected duration follows");
        assert_eq!(fixture.running(fixture.host).await, 2);
    });

    testkit::db_test!(released_limit_is_claimed_after_the_commit, |db| async move {
        let fixture = TestQueue::new(db, 5).await;
        let limit = OrgPatch { max_running: Some(Some(1)), ..OrgPatch::default() };
        fixture.hub.org_update(&local(), fixture.acme, limit).await.expect("limits");
        fixture.enqueue(fixture.acme, 2).await;
        let running = fixture.claim().await;
        assert_eq!(running.len(), 1);
        let mut channel = link(&fixture);
        let finished = submit(&fixture, vec![succeeded(&fixture, &running[0])], 5).await;
        assert!(!finished.is_claimed, "limits are locked in ascending order, so another transaction claims");
        // The released limit wakes the dispatch poll, which finds the lane of this host.
        assert_eq!(grants(&mut channel).await.len(), 1);
    });
}
