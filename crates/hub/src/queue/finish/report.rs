//! A report of the end of a run, and what follows from it.

use domain::{
    HostId, Span, Timestamp,
    job::{After, End, EndReason, JobStatus, Record, RunStatus, after},
};
use proto::work::RunResult;
use store::{
    Tx,
    insert::{EndedRun, JobRecord, Lease, RunKey},
};

use crate::{Hub, Result, queue::servers};

/// Runs of a lost host are retried within this time, at random, so that they do not all start at once.
const LOST_SPREAD_MS: f64 = 2_000.0;

/// A report of the end of a run.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) key: RunKey,
    pub(crate) result: RunResult,
    /// Added to the holder's times to convert them to the hub's clock.
    pub(crate) clock_offset_ms: i64,
    /// The host, unless the holder is an HTTP worker.
    pub(crate) host: Option<HostId>,
    /// Whether the run is ended without its holder, by a forced cancellation.
    pub(crate) is_forced: bool,
}

impl Report {
    /// A report that the hub makes for the holder of a lease.
    pub(crate) async fn for_holder(tx: &mut Tx<'_>, lease: &Lease, result: RunResult) -> Result<Self> {
        let host = HostId::from_bytes(lease.holder_id.to_bytes());
        let host = tx.host_anywhere(host).await?.map(|view| view.host.id);
        Ok(Self { key: lease.key(), result, clock_offset_ms: 0, host, is_forced: false })
    }

    /// A report that a leased run could not start.
    pub(crate) fn refused(key: RunKey, host: Option<HostId>, reason: String) -> Self {
        let result = RunResult { error: Some(reason), ..RunResult::new(key.job_id, key.fence, RunStatus::Failed) };
        Self { key, result, clock_offset_ms: 0, host, is_forced: false }
    }

    /// The run as it is stored: times by the hub's clock, never before the claim and never after now.
    pub(super) fn run(&self, lease: &Lease, now: Timestamp) -> EndedRun {
        let result = &self.result;
        let shifted =
            |at: Timestamp| Timestamp::from_micros(at.as_micros().saturating_add(self.clock_offset_ms * 1_000));
        let started_at =
            result.started_at.map_or(lease.started_at, shifted).clamp(lease.started_at, now.max(lease.started_at));
        let finished_at = match result.duration_ms {
            Some(ms) => (started_at + Span::from_millis(ms)).min(now.max(started_at)),
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

    /// The next state of the job. `record` is read only for runs that have not succeeded: a success is always the outcome.
    pub(super) async fn after(
        &self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        lease: &Lease,
        record: Option<&JobRecord>,
        now: Timestamp,
    ) -> Result<After> {
        let result = &self.result;
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
            retry_after: result.retry_after_ms.map(Span::from_millis),
        };
        let delay = match result.status {
            RunStatus::NotStarted => Span::ZERO,
            #[expect(clippy::cast_possible_truncation, reason = "a delay needs no exactness")]
            RunStatus::Lost => Span::from_millis((hub.random.unit() * LOST_SPREAD_MS) as i64),
            _ => compiled.definition.retry_delay(attempts, hub.random.unit()),
        };
        Ok(match after(end, &facts, delay, now) {
            After::Over(JobStatus::Canceled, _) if self.is_forced => {
                After::Over(JobStatus::Canceled, Some(EndReason::Forced))
            }
            After::Over(JobStatus::Canceled, _) if lease.cancel_reason.as_deref() == Some(servers::SUPERSEDED) => {
                After::Over(JobStatus::Canceled, Some(EndReason::Superseded))
            }
            other => other,
        })
    }
}
