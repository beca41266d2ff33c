//! One run, from grant to result.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use domain::{
    Timestamp,
    definition::Definition,
    job::RunStatus,
    schema::{DEPTH_MAX, is_deeper},
    secret::Secret,
};
use proto::work::{ERROR_CHARS_MAX, Grant, OUTPUT_BYTES_MAX, RunRef, RunResult};
use serde_json::Value;
use store::journal::JournalState;
use tokio::sync::{mpsc, watch};

use super::{
    context::EngineContext,
    message::RunMessage,
    order::{self, RunPlace},
    redaction, run_socket,
};
use crate::{
    exec::{
        self, Account, Crash, Ending, Follower, Handle, JobFolder, Order, Outcome, Position, Redactor, RunEnd,
        RunState, StartError, Step, Tails, Why,
    },
    machine,
};

/// The current requests to a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RunCommand {
    /// Stop the program and report the run as canceled.
    pub(super) is_canceled: bool,
    /// The hub no longer wants the run: kill the program and report nothing.
    pub(super) is_forgotten: bool,
    /// End of the lease, in milliseconds since boot.
    pub(super) lease_until_ms: u64,
}

/// A run with its channels.
pub(super) struct Run {
    pub(super) shared: Arc<EngineContext>,
    pub(super) grant: Grant,
    pub(super) dir: PathBuf,
    pub(super) control: watch::Receiver<RunCommand>,
    pub(super) events: mpsc::Sender<RunMessage>,
}

/// The result of a run whose program has not run, or whose outcome is lost.
pub(super) fn not_started(grant: &Grant, status: RunStatus, error: &str) -> RunResult {
    let error = Some(error.chars().take(ERROR_CHARS_MAX).collect());
    RunResult { error, ..RunResult::new(grant.job, grant.fence, status) }
}

impl Run {
    fn reference(&self) -> RunRef {
        RunRef { job: self.grant.job, fence: self.grant.fence }
    }

    /// Starts the run and watches it until it ends.
    pub(super) async fn begin(self, definition: Option<Arc<Definition>>) {
        let result = match self.start(definition).await {
            Ok(handle) => return self.see_through(handle).await,
            Err(result) => *result,
        };
        self.report(result, None).await;
    }

    /// Continues a run that an earlier process of the runner started.
    pub(super) async fn adopt(self, handle: Handle) {
        tracing::info!(job.id = %self.grant.job, run.no = self.grant.fence, pid = handle.pid(), "adopted a run");
        self.see_through(handle).await;
    }

    async fn start(&self, definition: Option<Arc<Definition>>) -> Result<Handle, Box<RunResult>> {
        let refuse = |status, error: &str| Box::new(not_started(&self.grant, status, error));
        let Some(definition) = definition else {
            return Err(refuse(RunStatus::NotStarted, "the hub did not send the definition of the job"));
        };
        if self.control.borrow().is_canceled {
            return Err(refuse(RunStatus::Canceled, "canceled before it started"));
        }
        // `Failed` and not `NotStarted`: it must count as an attempt, or the hub would grant the job to this host
        // forever.
        let allowed = self.shared.gate.definition(&self.grant, definition).await;
        let (grant, definition) = allowed.map_err(|error| refuse(RunStatus::Failed, &error))?;
        let lease = self.control.borrow().lease_until_ms;
        let fence = self.grant.is_leased.then(|| order::fence(lease, self.shared.lost_after_ms()));
        let host_name = self.shared.host_name();
        let confinement = self.shared.gate.confinement();
        let account = confinement.account(definition.user.as_deref(), self.grant.org);
        let account = account.map_err(|error| refuse(RunStatus::Failed, &error))?;
        let cannot = |error| refuse(RunStatus::NotStarted, &format!("cannot create {}: {error}", self.dir.display()));
        let (place, token) = self.prepare(account).await.map_err(cannot)?;
        let mut order = order::order(&grant, &definition, &host_name, &place, fence)
            .map_err(|error| refuse(RunStatus::Failed, &error))?;
        // Another user reaches the socket only where the data folder is hidden and so can be entered.
        if order.user.is_none() || !confinement.is_data_folder_closed() {
            order.env.insert("HOSTLER_SOCKET".into(), self.shared.run_socket.path().into());
            order.env.insert("HOSTLER_TOKEN".into(), token.reveal().into());
        }
        let journal = self.shared.journal(self.grant.run, JournalState::Starting).await;
        journal.map_err(|error| {
            refuse(RunStatus::NotStarted, &format!("cannot write the journal of the runner: {error}"))
        })?;
        match exec::start(&self.shared.shim, &self.dir, &order).await {
            Ok(_) => {}
            Err(StartError::NotBegun(outcome)) => return Err(Box::new(self.result_of(&outcome, None, Some(&order)))),
            Err(StartError::Order(error)) => return Err(refuse(RunStatus::Failed, &error.to_string())),
            Err(error) => {
                tracing::warn!(job.id = %self.grant.job, error = %error, "a start failed; inspecting the run")
            }
        }
        match self.inspect().await {
            RunState::Alive(handle) => Ok(handle),
            RunState::Finished(outcome) => Err(Box::new(self.finished(&outcome, Some(&order)).await)),
            RunState::NotStarted => Err(refuse(RunStatus::NotStarted, "the run could not be started")),
            RunState::Crashed { why } => Err(Box::new(self.crashed(why).await)),
        }
    }

    /// Creates the run folder with the values to redact, the token hash and the folder for the program.
    async fn prepare(&self, account: Option<Account>) -> std::io::Result<(RunPlace, Secret)> {
        let (dir, values) = (self.dir.clone(), redaction::values(&self.grant));
        let (confinement, socket) = (self.shared.gate.confinement(), self.shared.run_socket.path().to_owned());
        let made = tokio::task::spawn_blocking(move || {
            redaction::prepare(&dir, &values)?;
            let token = run_socket::issue(&dir)?;
            let job = confinement.make_job_folder(&dir, account.as_ref().and_then(|account| account.ids))?;
            let socket_folder = socket.parent().unwrap_or(&socket);
            let isolation = confinement.isolation(&[job.path(), socket_folder]);
            Ok((RunPlace { account, job, isolation }, token))
        });
        let prepared = made.await.map_err(std::io::Error::other).flatten()?;
        self.register();
        Ok(prepared)
    }

    /// Accepts progress reports with the token of the run.
    pub(super) fn register(&self) {
        if let Err(error) = self.shared.run_socket.register(&self.dir, self.reference(), self.events.clone()) {
            tracing::warn!(job.id = %self.grant.job, error = %error, "a run cannot report progress");
        }
    }

    async fn inspect(&self) -> RunState {
        loop {
            match exec::inspect(&self.dir, &machine::boot_id()).await {
                Ok(state) => return state,
                Err(error) => {
                    tracing::warn!(job.id = %self.grant.job, error = %error, "cannot determine the state of a run yet")
                }
            }
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        }
    }

    async fn see_through(mut self, handle: Handle) {
        let _ = self.events.send(RunMessage::Began { run: self.reference(), pid: handle.pid() }).await;
        let ended = loop {
            tokio::select! {
                ended = handle.wait() => break ended,
                changed = self.control.changed() => {
                    if changed.is_err() {
                        break handle.wait().await;
                    }
                    self.obey(&handle).await;
                }
            }
        };
        match ended {
            RunEnd::Finished(finished) => {
                let result = self.finished(&finished.outcome, None).await;
                self.report(result, Some(finished)).await;
            }
            RunEnd::Crashed { why } => {
                let result = self.crashed(why).await;
                self.report(result, None).await;
            }
        }
    }

    async fn obey(&mut self, handle: &Handle) {
        let control = *self.control.borrow_and_update();
        let done = if control.is_forgotten {
            handle.kill().await
        } else if control.is_canceled {
            handle.stop(order::GRACE).await
        } else if self.grant.is_leased {
            handle.lease(control.lease_until_ms).await
        } else {
            Ok(())
        };
        if let Err(error) = done {
            // The run may have just ended. If it is alive, the next request or heartbeat tries again.
            tracing::debug!(job.id = %self.grant.job, error = ?error, "a request to a run failed");
        }
    }

    /// Reports a run that ended while no runner was active.
    pub(super) async fn end(self, outcome: Outcome) {
        let result = self.finished(&outcome, None).await;
        self.report(result, None).await;
    }

    /// Reports a run whose outcome is lost.
    pub(super) async fn crash(self, why: Crash) {
        let result = self.crashed(why).await;
        self.report(result, None).await;
    }

    async fn crashed(&self, why: Crash) -> RunResult {
        if let Err(error) = exec::kill_orphans(&self.dir, &self.grant.run.to_string()).await {
            tracing::warn!(job.id = %self.grant.job, error = %error, "cannot search for orphan processes");
        }
        not_started(&self.grant, RunStatus::Crashed, &why.to_string())
    }

    async fn finished(&self, outcome: &Outcome, order: Option<&Order>) -> RunResult {
        let dir = self.dir.clone();
        let read = tokio::task::spawn_blocking(move || {
            let redactor = redaction::redactor(&dir)?;
            let output = read_output(&dir).map(|output| redactor.json(output));
            Ok::<_, std::io::Error>((output, read_tails(&dir, redactor)))
        });
        let (output, tails) = read.await.map_err(std::io::Error::other).flatten().unwrap_or_else(|error| {
            tracing::error!(job.id = %self.grant.job, error = %error, "cannot read the values to redact; output is not sent");
            Default::default()
        });
        let result = self.result_of(outcome, output, order);
        let some = |text: String| Some(text).filter(|text| !text.is_empty());
        RunResult { stdout_tail: some(tails.stdout_tail()), stderr_tail: some(tails.stderr_tail()), ..result }
    }

    /// The result for the hub, without the output tails.
    fn result_of(&self, outcome: &Outcome, output: Option<Value>, order: Option<&Order>) -> RunResult {
        let (exit_code, signal) = match outcome.ending {
            Ending::Code(code) => (Some(code), None),
            Ending::Signal(signal) => (None, Some(signal)),
            Ending::NotBegun { .. } => (None, None),
        };
        let status = match (outcome.why, outcome.ending) {
            (Why::TimedOut, _) => RunStatus::Timeout,
            (Why::Stopped, _) => RunStatus::Canceled,
            (Why::Fenced, _) => RunStatus::Lost,
            (Why::Itself, Ending::Code(0)) => RunStatus::Succeeded,
            // The machine could not set up the run, or its lease had expired: not a failure of the program.
            (Why::Itself, Ending::NotBegun { step: Step::Setup, .. }) => RunStatus::NotStarted,
            (Why::Itself, _) => RunStatus::Failed,
        };
        let duration = i64::try_from(outcome.ended.boot_ms.saturating_sub(outcome.began.boot_ms)).unwrap_or(0);
        let retry_after = output.as_ref().and_then(|output| output.get("retry_after_seconds")).and_then(Value::as_i64);
        RunResult {
            job: self.grant.job,
            fence: self.grant.fence,
            status,
            started_at: Some(Timestamp::from_micros(outcome.began.wall_us)),
            duration_ms: Some(duration),
            pid: Some(outcome.child_pid).filter(|pid| *pid > 0),
            exit_code,
            signal,
            error: explain(outcome, status, order),
            stdout_tail: None,
            stderr_tail: None,
            output,
            retry_after_ms: retry_after.map(|seconds| seconds.clamp(0, 7 * 86_400) * 1_000),
        }
    }

    pub(super) async fn report(self, result: RunResult, finished: Option<exec::Finished>) {
        self.shared.run_socket.unregister(self.reference());
        if self.control.borrow().is_forgotten {
            let _ = self.events.send(RunMessage::Forgotten { run: self.reference(), id: self.grant.run }).await;
            return;
        }
        let ended =
            RunMessage::Ended { id: self.grant.run, result: Box::new(result), finished: finished.map(Box::new) };
        let _ = self.events.send(ended).await;
    }
}

/// The error text of a result, for people.
fn explain(outcome: &Outcome, status: RunStatus, order: Option<&Order>) -> Option<String> {
    let left = match outcome.left_over {
        0 => String::new(),
        1 => "; left 1 process behind, which was killed".to_owned(),
        count => format!("; left {count} processes behind, which were killed"),
    };
    let text = match (status, outcome.ending) {
        (RunStatus::Succeeded, _) => return (!left.is_empty()).then(|| left.trim_start_matches("; ").to_owned()),
        (RunStatus::Timeout, _) => "exceeded its timeout and was stopped".to_owned(),
        (RunStatus::Canceled, _) => "stopped on request".to_owned(),
        (RunStatus::Lost, _) => "stopped because the hub was unreachable for too long".to_owned(),
        (_, Ending::Code(code)) => format!("exited with code {code}"),
        (_, Ending::Signal(signal)) => format!("killed by signal {signal}"),
        (_, Ending::NotBegun { step, errno }) => exec::start_error(step, errno, order),
    };
    Some(format!("{text}{left}"))
}

/// Reads the tails of both streams. The files are bounded, so this is, too.
fn read_tails(dir: &Path, redactor: Redactor) -> Tails {
    let (mut follower, mut tails) = (Follower::new(dir, redactor, Position::default()), Tails::default());
    while let Ok(lines) = follower.poll(true, 10_000, 4 * 1024 * 1024) {
        if lines.is_empty() {
            break;
        }
        for line in &lines {
            tails.push(line);
        }
    }
    tails
}

/// The output value that the run stored, unless it is too large.
fn read_output(dir: &Path) -> Option<Value> {
    let most = u64::try_from(OUTPUT_BYTES_MAX).unwrap_or(u64::MAX);
    let text = JobFolder::of(dir).read_result(most + 1).ok()?;
    if text.len() > OUTPUT_BYTES_MAX || text.trim().is_empty() {
        return None;
    }
    // Text that is not JSON, and JSON that is nested too deeply for the hub, becomes a JSON string.
    let value = serde_json::from_str(&text).ok().filter(|value| !is_deeper(value, DEPTH_MAX));
    Some(value.unwrap_or_else(|| Value::String(text.trim_end().to_owned())))
}
