//! A job's life: its states, what may happen in each, and what follows from the end of a run.
//!
//! The table [`next`] is the only place that knows which event leads from which state to which. The hub asks it
//! before it writes, the runner before it reports, the tests walk all of it, and the docs print it.

use crate::{
    time::{Span, Timestamp},
    words,
};

words! {
    /// Where a job is in its life.
    pub enum JobStatus {
        /// It waits, with a reason.
        Queued = "queued",
        /// A holder has it.
        Running = "running",
        /// A run of it succeeded.
        Succeeded = "succeeded",
        /// A run ended in a way its definition says not to repeat.
        Failed = "failed",
        /// All its attempts are used up.
        DeadLetter = "dead_letter",
        /// Somebody, or its own expiry, ended it.
        Canceled = "canceled",
    }
}

words! {
    /// How a run stands.
    pub enum RunStatus {
        /// Under way.
        Running = "running",
        /// It ended with exit code 0.
        Succeeded = "succeeded",
        /// It ended with another exit code, or by a signal, or could not be started at all.
        Failed = "failed",
        /// It was ended because it took too long.
        Timeout = "timeout",
        /// It was ended because somebody asked.
        Canceled = "canceled",
        /// Its holder was not heard from for too long.
        Lost = "lost",
        /// Its machine or its shim went down under it.
        Crashed = "crashed",
        /// Its holder never started it.
        NotStarted = "not_started",
    }
}

words! {
    /// What made a job.
    pub enum Source {
        /// A person or a token.
        Manual = "manual",
        /// An event trigger.
        Event = "event",
        /// A schedule.
        Schedule = "schedule",
        /// Hostler itself.
        System = "system",
    }
}

words! {
    /// Why a queued job does not run yet. The same words in API, CLI and UI.
    pub enum WaitReason {
        /// It is scheduled for later.
        Later = "later",
        /// Its last run failed; it is tried again after a while.
        RetryBackoff = "retry_backoff",
        /// Its host is offline.
        HostOffline = "host_offline",
        /// Its host is asleep and will take it on its return.
        HostAsleep = "host_asleep",
        /// Its host is paused.
        HostPaused = "host_paused",
        /// Its host, its definition or its key runs as many as it may.
        AtLimit = "at_limit",
        /// As many were started in the last minute as may be.
        RateLimit = "rate_limit",
        /// Its org runs as many as it may.
        OrgLimit = "org_limit",
        /// Its definition is switched off.
        DefinitionDisabled = "definition_disabled",
        /// A secret that its definition names is not set in its org.
        SecretMissing = "secret_missing",
        /// Somebody paused it, its queue, its definition or its org.
        Paused = "paused",
        /// No host matches what it asks for.
        NoHostMatches = "no_host_matches",
        /// The host that had it is away, and only that host can say what became of it.
        Held = "held",
        /// Its host gets its work from another hub.
        NotHome = "not_home",
        /// Every host that matches has a runner that is too old.
        RunnerTooOld = "runner_too_old",
    }
}

words! {
    /// What to do about a run whose holder is lost.
    pub enum OnLost {
        /// Run it again elsewhere.
        Retry = "retry",
        /// Wait for the holder: only it knows what became of the run.
        Hold = "hold",
    }
}

words! {
    /// Why a job is over, beyond its status.
    pub enum EndReason {
        /// Somebody canceled it.
        Asked = "asked",
        /// It expired before it began.
        Expired = "expired",
        /// A later wish made it pointless.
        Superseded = "superseded",
        /// Its host was lost too often.
        HostLost = "host_lost",
        /// Its host was removed.
        HostRemoved = "host_removed",
        /// It was canceled by force while its holder was away.
        Forced = "forced",
    }
}

words! {
    /// What can happen to a job.
    pub enum Event {
        /// A holder takes it.
        Claim = "claim",
        /// Its run succeeded.
        Succeed = "succeed",
        /// Its run ended in a way not to be repeated.
        Fail = "fail",
        /// Its run ended badly and there are attempts left, or the end does not count.
        Requeue = "requeue",
        /// Its run ended badly and there are no attempts left.
        Exhaust = "exhaust",
        /// Its holder is away and nobody else may decide.
        Hold = "hold",
        /// Its holder is back and still has it.
        Resume = "resume",
        /// It is canceled, and nothing of it runs.
        Cancel = "cancel",
        /// A person wants it tried again.
        Redrive = "redrive",
        /// A person sends it elsewhere.
        Move = "move",
    }
}

impl JobStatus {
    /// Whether nothing more happens by itself.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::DeadLetter | Self::Canceled)
    }
}

impl RunStatus {
    /// Whether this end is the machine's doing, not the command's.
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(self, Self::Lost | Self::NotStarted)
    }
}

/// The state after an event; `None` where the event cannot happen: whoever says so is stale.
#[must_use]
pub const fn next(status: JobStatus, event: Event) -> Option<JobStatus> {
    use JobStatus::{Canceled, DeadLetter, Failed, Queued, Running, Succeeded};
    match (status, event) {
        (Queued, Event::Claim | Event::Resume) => Some(Running),
        (Running, Event::Succeed) => Some(Succeeded),
        (Running, Event::Fail) => Some(Failed),
        (Running, Event::Exhaust) => Some(DeadLetter),
        (Running, Event::Requeue | Event::Hold)
        | (Queued, Event::Move)
        | (Failed | DeadLetter | Canceled, Event::Redrive) => Some(Queued),
        (Queued | Running, Event::Cancel) => Some(Canceled),
        // A held job is queued in name while its holder may still report how its run ended.
        (Queued, Event::Succeed | Event::Fail | Event::Exhaust | Event::Requeue | Event::Hold | Event::Redrive)
        | (Running, Event::Claim | Event::Resume | Event::Redrive | Event::Move)
        | (Succeeded, _)
        | (Failed | DeadLetter | Canceled, _) => None,
    }
}

/// Ends that the holder is to blame for are free this often.
pub const FREE_ENDS: u32 = 3;
/// The exit code that says "not now": the command may name the time to wait.
pub const EXIT_NOT_NOW: i32 = 75;

/// How a run ended, as far as the next step depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// How.
    pub status: RunStatus,
    /// With which exit code, if with one.
    pub exit_code: Option<i32>,
    /// How long the command asks to be left alone, with exit code 75.
    pub retry_after: Option<Span>,
}

/// What is known of the job when a run of it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Runs since it was created or redriven that count, this one among them if it does.
    pub attempts: u32,
    /// Ends since then that were free, this one among them if it is.
    pub free_ends: u32,
    /// How many runs may count.
    pub max_attempts: u32,
    /// Whether somebody has asked to cancel it.
    pub is_cancel_asked: bool,
    /// Whether its definition says not to repeat this exit code.
    pub is_final_exit: bool,
    /// After this it is not worth beginning again.
    pub expires_at: Option<Timestamp>,
}

/// What follows from the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The job is over.
    Over(JobStatus, Option<EndReason>),
    /// It is tried again at this time.
    Again(Timestamp),
}

impl After {
    /// The event this is.
    #[must_use]
    pub const fn event(self) -> Event {
        match self {
            Self::Over(JobStatus::Succeeded, _) => Event::Succeed,
            Self::Over(JobStatus::Failed, _) => Event::Fail,
            Self::Over(JobStatus::DeadLetter, _) => Event::Exhaust,
            Self::Over(..) => Event::Cancel,
            Self::Again(_) => Event::Requeue,
        }
    }
}

/// Decides what follows from the end of a run. `delay` is the definition's back-off for this attempt.
#[must_use]
pub fn after(end: End, record: &Record, delay: Span, now: Timestamp) -> After {
    let again = |due: Timestamp| {
        // Once it is tried again it may be too late to begin.
        if record.expires_at.is_some_and(|expires| expires <= due) {
            After::Over(JobStatus::Canceled, Some(EndReason::Expired))
        } else {
            After::Again(due)
        }
    };
    match end.status {
        // What has happened has happened, also if a cancel was on its way.
        RunStatus::Succeeded => After::Over(JobStatus::Succeeded, None),
        _ if record.is_cancel_asked => After::Over(JobStatus::Canceled, Some(EndReason::Asked)),
        RunStatus::Canceled => After::Over(JobStatus::Canceled, Some(EndReason::Asked)),
        RunStatus::Lost | RunStatus::NotStarted => {
            if record.free_ends > FREE_ENDS {
                After::Over(JobStatus::DeadLetter, Some(EndReason::HostLost))
            } else {
                again(now + delay)
            }
        }
        RunStatus::Failed | RunStatus::Timeout | RunStatus::Crashed | RunStatus::Running => {
            if record.is_final_exit {
                After::Over(JobStatus::Failed, None)
            } else if record.attempts >= record.max_attempts {
                After::Over(JobStatus::DeadLetter, None)
            } else if let (Some(EXIT_NOT_NOW), Some(wait)) = (end.exit_code, end.retry_after) {
                again(now + wait)
            } else {
                again(now + delay)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);
    const DELAY: Span = Span::from_secs(2);

    fn record() -> Record {
        Record {
            attempts: 1,
            free_ends: 0,
            max_attempts: 3,
            is_cancel_asked: false,
            is_final_exit: false,
            expires_at: None,
        }
    }

    fn ended(status: RunStatus) -> End {
        End { status, exit_code: None, retry_after: None }
    }

    #[test]
    fn every_cell_of_the_table_keeps_the_promises() {
        for &status in JobStatus::ALL {
            for &event in Event::ALL {
                let next = next(status, event);
                if status == JobStatus::Succeeded {
                    assert_eq!(next, None, "what has succeeded stays so, whatever happens");
                }
                if status.is_over() && event != Event::Redrive {
                    assert_eq!(next, None, "{status} is over; {event} is stale");
                }
                if next == Some(JobStatus::Running) {
                    assert_eq!(status, JobStatus::Queued, "only a queued job begins");
                }
            }
        }
        let reachable: Vec<JobStatus> =
            JobStatus::ALL.iter().flat_map(|&from| Event::ALL.iter().filter_map(move |&e| next(from, e))).collect();
        for status in JobStatus::ALL {
            assert!(reachable.contains(status), "{status} cannot be reached");
        }
        assert!(Event::ALL.iter().all(|&event| JobStatus::ALL.iter().any(|&from| next(from, event).is_some())));
    }

    #[test]
    fn every_end_of_a_run_is_an_event_that_a_running_job_knows() {
        for &status in RunStatus::ALL {
            for (attempts, free_ends, is_cancel_asked) in [(1, 0, false), (3, 0, false), (1, 4, false), (1, 0, true)] {
                let record = Record { attempts, free_ends, is_cancel_asked, ..record() };
                let after = after(ended(status), &record, DELAY, NOW);
                assert!(next(JobStatus::Running, after.event()).is_some(), "{status}: {after:?}");
            }
        }
    }

    #[test]
    fn retries_end_in_the_dead_letter_and_some_exits_are_final() {
        let dead = After::Over(JobStatus::DeadLetter, None);
        for (attempts, expected) in [(1, After::Again(NOW + DELAY)), (2, After::Again(NOW + DELAY)), (3, dead)] {
            assert_eq!(after(ended(RunStatus::Failed), &Record { attempts, ..record() }, DELAY, NOW), expected);
        }
        let is_final = Record { is_final_exit: true, ..record() };
        assert_eq!(after(ended(RunStatus::Failed), &is_final, DELAY, NOW), After::Over(JobStatus::Failed, None));
    }

    #[test]
    fn a_lost_host_is_free_three_times() {
        for (free_ends, is_over) in [(1, false), (3, false), (4, true)] {
            let record = Record { attempts: 0, free_ends, ..record() };
            let after = after(ended(RunStatus::Lost), &record, DELAY, NOW);
            assert_eq!(after == After::Over(JobStatus::DeadLetter, Some(EndReason::HostLost)), is_over);
        }
    }

    #[test]
    fn a_cancel_wins_over_everything_but_success() {
        let asked = Record { is_cancel_asked: true, ..record() };
        assert_eq!(
            after(ended(RunStatus::Succeeded), &asked, DELAY, NOW),
            After::Over(JobStatus::Succeeded, None),
            "finished before cancel"
        );
        assert_eq!(
            after(ended(RunStatus::Lost), &asked, DELAY, NOW),
            After::Over(JobStatus::Canceled, Some(EndReason::Asked))
        );
    }

    #[test]
    fn not_now_is_honoured_and_expiry_ends_the_waiting() {
        let end =
            End { status: RunStatus::Failed, exit_code: Some(EXIT_NOT_NOW), retry_after: Some(Span::from_secs(60)) };
        assert_eq!(after(end, &record(), DELAY, NOW), After::Again(NOW + Span::from_secs(60)));
        let soon = Record { expires_at: Some(NOW + Span::from_secs(30)), ..record() };
        assert_eq!(after(end, &soon, DELAY, NOW), After::Over(JobStatus::Canceled, Some(EndReason::Expired)));
    }
}
