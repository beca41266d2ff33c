//! Handles the frames of a runner about its runs: inventory, results, process ids, output and progress.

use std::collections::HashSet;

use axum::extract::ws::WebSocket;
use domain::{
    FromHost, HolderId, JobId, Timestamp,
    job::RunStatus,
    log_budget::{self, LogBudget, LogUse, line_cost},
    rejection::RejectReason,
    schema::{DEPTH_MAX, is_deeper},
};
use proto::{
    Code,
    link::ToRunner,
    work::{
        CancelRun, ERROR_CHARS_MAX, Inventory, LINE_BYTES_MAX, Log, LogLine, OUTPUT_BYTES_MAX, ProgressFrame, Results,
        RunRef, RunResult, Started, TAIL_BYTES_MAX, Verdicts,
    },
};
use serde_json::{Value, json};
use store::{
    Tx,
    insert::{Lease, RunKey},
    log::{CUT_BYTES, Chunk},
    run_owner::RunOwner,
};

use super::runner_session::{RunnerSession, send_frame};
use crate::{
    Error, Hub, Result,
    queue::{
        events::Changes,
        finish::{self, Credit, FinishEffects, Finished, Report},
    },
};

/// Runs in one inventory, results in one frame, and process ids in one frame.
const RUNS_MAX: usize = 10_000;
/// Lines in one frame.
const LINES_MAX: usize = 10_000;

fn too_many(what: &str) -> Error {
    Error::new(Code::MalformedRequest, format!("a frame has too many {what}"))
}

/// Reconciles leases with the runner at the start of a session. Runs that the runner still has stay its own and move to
/// the new epoch. Leases that it does not know are reported as not started, so their jobs can be claimed again. Runs
/// that it has without a lease are stopped.
pub(super) async fn inventory(hub: &Hub, socket: &mut WebSocket, inventory: FromHost<Inventory>) -> Result<()> {
    if inventory.value().runs.len() > RUNS_MAX {
        return Err(too_many("runs"));
    }
    let (sender, inventory) = inventory.into_parts();
    let (hub_in, holder, epoch) = (hub.clone(), sender.holder(), sender.epoch());
    let settled =
        hub.store.write(move |tx| Box::pin(async move { settle(&hub_in, tx, holder, epoch, &inventory.runs).await }));
    let Settled { stop, cancel, effects } = settled.await?;
    effects.after_commit(hub);
    send_frame(socket, &ToRunner::Verdicts(Verdicts { stop })).await?;
    if !cancel.is_empty() {
        send_frame(socket, &ToRunner::Cancel { runs: cancel }).await?;
    }
    Ok(())
}

/// The consequences of an inventory.
pub(crate) struct Settled {
    stop: Vec<RunRef>,
    cancel: Vec<CancelRun>,
    pub(crate) effects: FinishEffects,
}

/// Reconciles leases with the runs of an inventory inside a transaction.
pub(crate) async fn settle(
    hub: &Hub,
    tx: &mut Tx<'_>,
    holder: HolderId,
    epoch: i64,
    runs: &[RunRef],
) -> Result<Settled> {
    let now = hub.now();
    // Leases granted in this session are left out: an inventory that arrives twice must not free them. No claim of an
    // older session can add a lease meanwhile: the transaction that opened this session has waited for its holder.
    let leases = tx.leases_of_holder(holder).await?.into_iter().filter(|lease| lease.epoch < epoch);
    // The holder after its leases, as in every transaction of the queue.
    if tx.holder_lock(holder, epoch, now, now - hub.options.lost_after).await?.is_none() {
        return Err(Error::new(Code::SessionSuperseded, "a newer session of this host was opened"));
    }
    let has: HashSet<RunRef> = runs.iter().copied().collect();
    let (kept, gone): (Vec<Lease>, Vec<Lease>) =
        leases.partition(|lease| has.contains(&RunRef { job: lease.job_id, fence: lease.fence }));
    let known: HashSet<RunRef> = kept.iter().map(|lease| RunRef { job: lease.job_id, fence: lease.fence }).collect();
    let mut changes = Changes::default();
    for lease in kept.iter().filter(|lease| lease.held_at.is_some()) {
        let tally = changes.tally(lease.org_id);
        (tally.queued, tally.running) = (tally.queued - 1, tally.running + 1);
    }
    let jobs: Vec<JobId> = kept.iter().map(|lease| lease.job_id).collect();
    if !jobs.is_empty() {
        tx.lease_rebind(holder, epoch, &jobs).await?;
    }
    let reports: Vec<Report> = gone
        .iter()
        .map(|lease| Report {
            key: lease.key(),
            result: bare(lease, RunStatus::NotStarted),
            clock_offset_ms: 0,
            host: Some(domain::HostId::from_bytes(holder.to_bytes())),
            is_forced: false,
        })
        .collect();
    let effects = finish::finish(hub, tx, &reports, &mut changes).await?;
    changes.write(hub, tx, now).await?;
    let cancel = kept.iter().filter(|lease| lease.cancel_at.is_some()).map(cancel_of).collect();
    Ok(Settled { stop: has.difference(&known).copied().collect(), cancel, effects })
}

/// The result of a run whose holder cannot report one.
pub(crate) fn bare(lease: &Lease, status: RunStatus) -> RunResult {
    RunResult {
        pid: lease.pid,
        error: Some(match status {
            RunStatus::Lost => "the host sent no heartbeat for too long".to_owned(),
            RunStatus::NotStarted => "the host never started the run".to_owned(),
            other => other.to_string(),
        }),
        ..RunResult::new(lease.job_id, lease.fence, status)
    }
}

/// The frame entry that cancels a run.
pub(crate) fn cancel_of(lease: &Lease) -> CancelRun {
    let reason = lease.cancel_reason.clone().unwrap_or_default();
    CancelRun { job: lease.job_id, fence: lease.fence, reason }
}

/// Writes results, then confirms them by number. Stale results are confirmed, too, so that the runner deletes them.
pub(super) async fn results(
    hub: &Hub,
    socket: &mut WebSocket,
    session: &mut RunnerSession,
    frame: FromHost<Results>,
) -> Result<()> {
    let (sender, frame) = frame.into_parts();
    if frame.results.len() > RUNS_MAX {
        return Err(too_many("results"));
    }
    let (credit, through) = (frame.credit, frame.through);
    // A confirmation covers all numbers up to it. If an earlier frame was not written, this one must not be either; the
    // runner sends both again.
    let is_next = frame.after <= session.settled_through;
    let kept = if is_next { keep_results(hub, session, frame.results, credit).await } else { None };
    let is_claimed = kept.as_ref().is_some_and(|kept| kept.is_claimed);
    if let Some(limit) = credit.filter(|_| !is_claimed) {
        hub.queue.dispatcher.set_credit(Credit { host: sender.host(), epoch: sender.epoch(), limit });
    }
    if kept.is_some() {
        session.settled_through = session.settled_through.max(through);
        let _ = send_frame(socket, &ToRunner::Settled { through }).await;
    }
    Ok(())
}

/// Writes results and claims new jobs for the credit they free. Returns `None` if nothing was written.
async fn keep_results(
    hub: &Hub,
    session: &RunnerSession,
    results: Vec<RunResult>,
    credit: Option<u64>,
) -> Option<Finished> {
    let sender = session.sender;
    let reports: Vec<Report> = results
        .into_iter()
        .map(|result| {
            let key =
                RunKey { job_id: result.job, fence: result.fence, holder_id: sender.holder(), epoch: sender.epoch() };
            Report {
                key,
                result: plain(result),
                clock_offset_ms: -session.clock_skew_ms,
                host: Some(sender.host()),
                is_forced: false,
            }
        })
        .collect();
    let credit = credit.map(|limit| Credit { host: sender.host(), epoch: sender.epoch(), limit });
    let kept = hub.queue.finisher.submit(reports, credit).await;
    if let Err(error) = &kept {
        // The session stays open: the database is unavailable, not the runner, which sends the results again.
        tracing::warn!(host.id = %sender.host(), error = %error, "cannot write results");
    }
    kept.ok()
}

/// Cuts a result to its limits and replaces characters that a database rejects.
pub(crate) fn plain(mut result: RunResult) -> RunResult {
    if result.status == RunStatus::Running {
        result.status = RunStatus::Crashed;
    }
    result.error = result.error.map(|text| clean(text.chars().take(ERROR_CHARS_MAX).collect()));
    result.stdout_tail = result.stdout_tail.map(|text| clean(last_bytes(text, TAIL_BYTES_MAX)));
    result.stderr_tail = result.stderr_tail.map(|text| clean(last_bytes(text, TAIL_BYTES_MAX)));
    // Deep values could be stored, but no JSON parser would read them again.
    let is_fine = |output: &Value| !is_deeper(output, DEPTH_MAX) && output.to_string().len() <= OUTPUT_BYTES_MAX;
    result.output = result.output.filter(is_fine).map(clean_value);
    result.duration_ms = result.duration_ms.map(|ms| ms.clamp(0, i64::from(u32::MAX) * 1_000));
    result
}

/// Replaces NUL, which PostgreSQL rejects in text.
fn clean(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

fn clean_value(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text)),
        Value::Array(items) => items.into_iter().map(clean_value).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (clean(name), clean_value(value))).collect(),
        other => other,
    }
}

fn last_bytes(text: String, most: usize) -> String {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    if from == 0 { text } else { text[from..].to_owned() }
}

/// Stores the process ids of runs that have started.
pub(super) async fn started(hub: &Hub, runs: FromHost<Vec<Started>>) -> Result<()> {
    if runs.value().len() > RUNS_MAX {
        return Err(too_many("runs"));
    }
    let sender = runs.sender();
    let runs = runs.map(|runs| runs.into_iter().map(|run| (run.job, run.fence, run.pid)).collect::<Vec<_>>());
    let written =
        hub.store.write(move |tx| Box::pin(async move { tx.lease_started(&runs).await.map_err(Error::from) }));
    if let Err(error) = written.await {
        tracing::warn!(host.id = %sender.host(), error = %error, "cannot write process ids");
    }
    Ok(())
}

/// Stores lines of output if the run is this runner's, then confirms the last stored line. Lines that are stored are
/// skipped. Lines after a gap are not stored; the confirmation makes the runner send again from the gap.
pub(super) async fn log(hub: &Hub, socket: &mut WebSocket, frame: FromHost<Log>) -> Result<()> {
    let (sender, frame) = frame.into_parts();
    let is_whole = frame.lines.windows(2).all(|pair| pair[1].no == pair[0].no + 1);
    let is_short = frame.lines.iter().all(|line| line.text.len() <= LINE_BYTES_MAX * 3);
    if frame.lines.len() > LINES_MAX || !is_whole || !is_short {
        return Err(Error::new(Code::MalformedRequest, "output lines have gaps, are too long or are too many"));
    }
    let (run, now, budget) = (frame.run, hub.now(), hub.options.log_budget);
    let frame = FromHost::new(sender, frame);
    let kept = hub.store.write(move |tx| Box::pin(async move { keep_lines(tx, frame, budget, now).await }));
    match kept.await {
        Ok(Kept { through, rejected }) => {
            if let Some(reason) = rejected {
                hub.reject(sender.host(), reason, 1, &format!("output of run {run}"));
            }
            hub.queue.log_waiters.changed(run);
            let _ = send_frame(socket, &ToRunner::Logged { run, through }).await;
        }
        Err(error) => tracing::warn!(host.id = %sender.host(), error = %error, "cannot write output lines"),
    }
    Ok(())
}

/// The result of storing lines.
struct Kept {
    /// The line up to which the runner need not send again.
    through: u64,
    /// Why lines were not stored.
    rejected: Option<RejectReason>,
}

/// Stores lines, up to the budget of the run and its host. Behind the budget the log ends with a mark; the run goes on.
async fn keep_lines(tx: &mut Tx<'_>, frame: FromHost<Log>, budget: LogBudget, now: Timestamp) -> Result<Kept> {
    let (sender, frame) = frame.into_parts();
    let claimed = frame.lines.last().map_or(0, |line| line.no);
    // Lines that are not stored are confirmed nevertheless, so that the runner stops sending them.
    let dropped = |reason| Ok(Kept { through: claimed, rejected: Some(reason) });
    match tx.run_owner_by_id(frame.job, frame.fence, frame.run, sender.holder()).await? {
        RunOwner::Holder => {}
        RunOwner::Other => return dropped(RejectReason::ForeignRun),
        // The job was deleted after its retention.
        RunOwner::Deleted => return dropped(RejectReason::Superseded),
    }
    let state = tx.log_state(frame.run).await?;
    if state.is_cut {
        return dropped(RejectReason::OverBudget);
    }
    let last = u64::try_from(state.last).unwrap_or(0);
    let mut lines = frame.lines;
    lines.retain(|line| line.no > last);
    if lines.first().is_none_or(|first| first.no != last + 1) {
        return Ok(Kept { through: last, rejected: None });
    }
    for line in &mut lines {
        line.text = clean(std::mem::take(&mut line.text));
    }
    let costs: Vec<u64> = lines.iter().map(|line| line_cost(line.text.len())).collect();
    let today = tx.host_log_add(sender, log_budget::day(now), costs.iter().sum(), now).await?;
    let used = LogUse { run: state.bytes, day: today };
    let (fitting, cut) = budget.admit(used, &costs);
    lines.truncate(fitting);
    let chunk = |lines: &[LogLine], size: Option<i32>| {
        let (body, bytes) = proto::work::fold(lines).map_err(Error::internal)?;
        let first_line = lines.first().map_or(0, |line| line.no);
        Ok::<_, Error>(Chunk {
            run_id: frame.run,
            first_line: i64::try_from(first_line).unwrap_or(i64::MAX),
            lines: i32::try_from(lines.len()).unwrap_or(i32::MAX),
            bytes: size.unwrap_or_else(|| i32::try_from(bytes).unwrap_or(i32::MAX)),
            body,
            at: now,
        })
    };
    let mut chunks = Vec::new();
    if !lines.is_empty() {
        chunks.push(chunk(&lines, None)?);
    }
    if let Some(cut) = cut {
        let no = last + 1 + lines.len() as u64;
        chunks.push(chunk(&[LogLine::system(no, now, budget.text(cut))], Some(CUT_BYTES))?);
    }
    tx.log_insert(&chunks).await?;
    Ok(Kept { through: claimed, rejected: cut.map(|_| RejectReason::OverBudget) })
}

/// Publishes the progress of a run as an event. It is not stored with the job.
pub(super) async fn progress(hub: &Hub, progress: FromHost<ProgressFrame>) -> Result<()> {
    let (sender, progress) = progress.into_parts();
    let now = hub.now();
    let key = RunKey { job_id: progress.job, fence: progress.fence, holder_id: sender.holder(), epoch: sender.epoch() };
    let hub_in = hub.clone();
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            let Some(lease) = tx.lease_hits(&[key]).await?.into_iter().next() else { return Ok(()) };
            let definition = hub_in.queue.definitions.key_in(tx, lease.definition_id).await?;
            let message: String = progress.message.chars().take(200).collect();
            let item = json!({
                "job_id": lease.job_id, "run_id": lease.run_id, "attempt": lease.fence, "definition_key": &*definition,
                "status": "running", "percent": progress.percent.min(100), "message": clean(message),
            });
            let mut changes = Changes::default();
            changes.raw(lease.org_id, "job_run.progress", &item);
            changes.write(&hub_in, tx, now).await
        })
    });
    match written.await {
        Ok(()) => hub.news(),
        Err(error) => tracing::warn!(host.id = %sender.host(), error = %error, "cannot write a progress event"),
    }
    Ok(())
}
