//! The supervisor of the background loops: runs their passes, survives errors and panics, records their status and
//! stops them together.

use std::{
    panic::AssertUnwindSafe,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::{Span, backoff::Backoff};
use futures_util::FutureExt as _;
use tokio::{task::JoinHandle, time};
use tokio_util::sync::CancellationToken;

use crate::{Clock, LoopState, LoopStatus, Next, Pass, Random, Task, Wake, status::StatusCell, writers::panic_text};

/// Maximum of the first delay after an error.
const BACKOFF_FIRST: Span = Span::from_secs(1);
/// A longer pass is aborted and counts as an error: otherwise a hanging loop would look like an idle one.
const PASS_TIME_MAX: Duration = Duration::from_secs(60);

/// Interval between passes without a wake-up.
#[derive(Debug, Clone, Copy)]
pub struct Period(pub Span);

/// A group of supervised loops.
pub struct LoopSupervisor {
    clock: Clock,
    stop: CancellationToken,
    loops: Mutex<Vec<(StatusCell, JoinHandle<()>)>>,
}

impl LoopSupervisor {
    /// A supervisor without loops.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, stop: CancellationToken::new(), loops: Mutex::default() }
    }

    /// Starts a loop with an immediate first pass.
    pub fn add<T: Task>(&self, task: T, period: Period, wake: Wake) {
        let status = StatusCell::new(T::NAME);
        let supervised = supervise(task, period, wake, self.clock.clone(), self.stop.clone(), status.clone());
        #[expect(clippy::disallowed_methods, reason = "`stop` waits for the task")]
        let handle = tokio::spawn(supervised);
        self.loops.lock().unwrap_or_else(PoisonError::into_inner).push((status, handle));
    }

    /// The status of every loop.
    #[must_use]
    pub fn status(&self) -> Vec<LoopStatus> {
        self.loops.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(status, _)| status.read()).collect()
    }

    /// Waits until every loop has ended its current pass; aborts the loops that have not done so at the deadline.
    pub async fn stop(&self, grace: Duration) {
        self.stop.cancel();
        let loops = std::mem::take(&mut *self.loops.lock().unwrap_or_else(PoisonError::into_inner));
        let deadline = time::Instant::now() + grace;
        for (status, mut handle) in loops {
            if time::timeout_at(deadline, &mut handle).await.is_err() {
                tracing::warn!(task = status.read().name, "aborted a loop that did not end in time");
                handle.abort();
            }
        }
    }
}

async fn supervise<T: Task>(
    mut task: T,
    period: Period,
    wake: Wake,
    clock: Clock,
    stop: CancellationToken,
    status: StatusCell,
) {
    let mut failures = 0_u32;
    while !stop.is_cancelled() {
        let (began, began_at) = (time::Instant::now(), clock.now());
        status.change(|s| s.state = LoopState::Running);
        let pass = AssertUnwindSafe(task.pass(Pass { now: began_at })).catch_unwind();
        let outcome = match time::timeout(PASS_TIME_MAX, pass).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => {
                status.change(|s| s.panics += 1);
                Err(anyhow::anyhow!("panicked: {}", panic_text(&*panic)))
            }
            Err(_) => Err(anyhow::anyhow!("did not end within {PASS_TIME_MAX:?}")),
        };
        let took = Span::from_millis(i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX));
        let delay = match &outcome {
            Ok(Next::Again) => Span::ZERO,
            Ok(Next::At(due)) => due.since(clock.now()),
            Ok(Next::Wait) => period.0,
            Err(error) => {
                tracing::warn!(task = T::NAME, error = format!("{error:#}"), "a pass of the loop failed");
                Backoff { first: BACKOFF_FIRST, cap: T::BACKOFF_CAP }.delay(failures, Random.unit())
            }
        };
        failures = if outcome.is_ok() { 0 } else { failures + 1 };
        status.change(|s| {
            s.passes += 1;
            s.errors += u64::from(outcome.is_err());
            s.last_at = Some(clock.now());
            s.last_took = Some(took);
            s.last_error = outcome.as_ref().err().map(|error| format!("{error:#}"));
            s.state = if outcome.is_ok() { LoopState::Waiting } else { LoopState::BackingOff };
            s.next_at = Some(clock.now() + delay);
        });
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            // No wake-ups after an error: a busy caller must not turn the back-off into a hot loop.
            () = wake.woken(), if outcome.is_ok() => {}
            () = time::sleep(delay.to_duration()) => {}
        }
    }
    status.change(|s| {
        s.state = LoopState::Stopped;
        s.next_at = None;
    });
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    /// A loop that reports each pass and returns scripted results.
    struct Scripted {
        seen: mpsc::UnboundedSender<()>,
        script: Vec<fn() -> anyhow::Result<Next>>,
    }

    impl Task for Scripted {
        const NAME: &'static str = "scripted";
        async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
            let _ = self.seen.send(());
            if self.script.is_empty() { Ok(Next::Wait) } else { self.script.remove(0)() }
        }
    }

    fn group(script: Vec<fn() -> anyhow::Result<Next>>) -> (LoopSupervisor, Wake, mpsc::UnboundedReceiver<()>) {
        let (group, wake) = (LoopSupervisor::new(Clock::system()), Wake::default());
        let (seen, passes) = mpsc::unbounded_channel();
        group.add(Scripted { seen, script }, Period(Span::from_secs(3_600)), wake.clone());
        (group, wake, passes)
    }

    #[tokio::test]
    async fn again_runs_immediately_and_wait_runs_when_woken() {
        let (group, wake, mut passes) = group(vec![|| Ok(Next::Again)]);
        passes.recv().await.expect("the first pass is immediate");
        passes.recv().await.expect("`Again` causes the second");
        wake.wake();
        passes.recv().await.expect("the wake-up causes the third");
        group.stop(Duration::from_secs(5)).await;
        assert!(group.status().is_empty(), "a stopped supervisor has no loops");
    }

    #[tokio::test(start_paused = true)]
    async fn loop_continues_after_errors_and_panics_and_counts_them() {
        let (group, _, mut passes) = group(vec![|| anyhow::bail!("no database"), || panic!("a bug")]);
        for _ in 0..3 {
            passes.recv().await.expect("goes on");
        }
        // The third pass has started, so the first two are counted.
        let status = group.status().remove(0);
        assert_eq!((status.errors, status.panics), (2, 1));
        group.stop(Duration::from_secs(5)).await;
    }
}
