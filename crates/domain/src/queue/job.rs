//! The life of a job: its states, its transitions, and the consequence of the end of a run.
//!
//! [`next`] is the transition table; [`crate::run`] has that of runs. The hub calls it when a user cancels or retries a
//! job. Claims, results, expiry and the reaper of lost runs do not: their statements match only rows of the expected
//! state (a place in a lane, or a lease with its fence, holder and epoch), and [`after`] decides the consequence of a
//! result. Tests compare them with the tables: `run` has a property test of jobs with their runs, and the lease model
//! (`tests/lease_model`) checks each of its steps. `docs/states.md` is generated from the tables.

use crate::{
    string_enum,
    time::{Span, Timestamp},
};

string_enum! {
    /// The status of a job.
    pub enum JobStatus {
        /// The job waits for a claim, with a wait reason.
        Queued = "queued",
        /// A holder (a runner or a worker) has claimed the job.
        Running = "running",
        /// A run succeeded.
        Succeeded = "succeeded",
        /// A run ended in a way that the definition does not retry.
        Failed = "failed",
        /// All attempts are used up.
        DeadLetter = "dead_letter",
        /// Someone canceled the job, or it expired.
        Canceled = "canceled",
    }
}

string_enum! {
    /// The status of a run.
    pub enum RunStatus {
        Running = "running",
        /// The process exited with code 0.
        Succeeded = "succeeded",
        /// The process exited with another code or was killed by a signal, or it could not be started at all.
        Failed = "failed",
        /// The runner ended it after its timeout.
        Timeout = "timeout",
        /// The runner ended it because of a cancel request.
        Canceled = "canceled",
        /// Its holder sent no heartbeat for too long.
        Lost = "lost",
        /// Its machine or its shim stopped during the run.
        Crashed = "crashed",
        /// Its holder never started it.
        NotStarted = "not_started",
    }
}

string_enum! {
    /// The source of a job.
    pub enum Source {
        /// A person or an API token.
        Manual = "manual",
        /// An event rule.
        Event = "event",
        Schedule = "schedule",
        /// Hostler itself.
        System = "system",
    }
}

string_enum! {
    /// Why a queued job does not run yet. API, CLI and UI use the same words.
    pub enum WaitReason {
        /// The job is scheduled for later.
        Later = "later",
        /// Its last run failed and the back-off has not elapsed.
        RetryBackoff = "retry_backoff",
        HostOffline = "host_offline",
        /// Its host is asleep; the job runs when the host returns.
        HostAsleep = "host_asleep",
        HostPaused = "host_paused",
        /// Its host, its definition or its limit key has reached the limit of running jobs.
        AtLimit = "at_limit",
        /// A limit of starts per minute is reached.
        RateLimit = "rate_limit",
        /// Its org has reached its limit of running jobs.
        OrgLimit = "org_limit",
        /// Its definition is disabled.
        DefinitionDisabled = "definition_disabled",
        /// A secret that its definition names is not set in the org.
        SecretMissing = "secret_missing",
        /// The job, its queue, its definition or its org is paused.
        Paused = "paused",
        /// No host matches its target.
        NoHostMatches = "no_host_matches",
        /// The host that ran it is away and only that host knows the result.
        Held = "held",
        /// Its host has another primary hub.
        NotPrimary = "not_primary",
        /// The runners of all matching hosts are too old.
        RunnerTooOld = "runner_too_old",
    }
}

string_enum! {
    /// The handling of a run whose holder is lost.
    pub enum OnLost {
        /// Run the job again, on another host if possible.
        Retry = "retry",
        /// Wait for the holder to report how the run ended.
        Hold = "hold",
    }
}

string_enum! {
    /// Why a job ended, in addition to its status.
    pub enum EndReason {
        /// Someone canceled it.
        Asked = "asked",
        /// It expired before it started.
        Expired = "expired",
        /// A newer request replaced it.
        Superseded = "superseded",
        /// Its host was lost too often.
        HostLost = "host_lost",
        /// Its host was removed.
        HostRemoved = "host_removed",
        /// Someone canceled it by force while its holder was away.
        Forced = "forced",
    }
}

string_enum! {
    /// The events in the life of a job.
    pub enum Event {
        Claim = "claim",
        Succeed = "succeed",
        Fail = "fail",
        Requeue = "requeue",
        Exhaust = "exhaust",
        Hold = "hold",
        Resume = "resume",
        Cancel = "cancel",
        Redrive = "redrive",
        Move = "move",
    }
}

impl Event {
    /// One sentence for the documentation.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Claim => "A holder (a runner or a worker) claims the job.",
            Self::Succeed => "The run succeeded.",
            Self::Fail => "The run failed with an exit code that the definition does not retry.",
            Self::Requeue => "The run ended, and the job is retried.",
            Self::Exhaust => "The run ended, and no attempts are left, or the job lost its host too often.",
            Self::Hold => "The holder sent no heartbeat for too long, and the job has `on_lost = hold`.",
            Self::Resume => "The holder of a held job is back and still has the run.",
            Self::Cancel => "A user cancels the job or removes its host, a newer request replaces it, or it expires.",
            Self::Redrive => "A user retries the finished job.",
            Self::Move => "A user changes the target or the priority of the job.",
        }
    }
}

impl JobStatus {
    /// Whether the job is finished and changes only by a redrive.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed | Self::DeadLetter | Self::Canceled)
    }
}

impl RunStatus {
    /// Whether the machine caused this end, not the command: it does not count as an attempt.
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(self, Self::Lost | Self::NotStarted)
    }
}

/// The transition table of jobs: the status after an event, or `None` if the event is not allowed in this status. A
/// sender of such an event has a stale view of the job.
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
        // A held job is `queued` while its holder may still run it. If the holder reports an end without a new session,
        // the job passes through [`Event::Resume`] in the same transaction.
        (Queued, Event::Succeed | Event::Fail | Event::Exhaust | Event::Requeue | Event::Hold | Event::Redrive)
        | (Running, Event::Claim | Event::Resume | Event::Redrive | Event::Move)
        | (Succeeded, _)
        | (Failed | DeadLetter | Canceled, _) => None,
    }
}

/// This many ends caused by the machine do not count as attempts.
pub const FREE_ENDS: u32 = 3;
/// The exit code for "try again later"; the program may also request a delay.
pub const EXIT_NOT_NOW: i32 = 75;

/// The end of a run, as far as the next step depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    pub status: RunStatus,
    /// Set if the process exited by itself.
    pub exit_code: Option<i32>,
    /// The delay that the program requested, together with exit code 75.
    pub retry_after: Option<Span>,
}

/// The state of the job when a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Runs that count as attempts since the job was created or redriven, including this one if it counts.
    pub attempts: u32,
    /// Ends that did not count since then, including this one if it does not.
    pub free_ends: u32,
    /// The most attempts.
    pub max_attempts: u32,
    /// Whether someone has requested a cancel.
    pub is_cancel_asked: bool,
    /// Whether the definition does not retry this exit code.
    pub is_final_exit: bool,
    /// The latest start of the job.
    pub expires_at: Option<Timestamp>,
}

/// The consequence of the end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The job is finished.
    Over(JobStatus, Option<EndReason>),
    /// The job is retried at this time.
    Again(Timestamp),
}

impl After {
    /// The event for [`next`].
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

/// Decides the consequence of the end of a run. `delay` is the definition's back-off for this attempt.
#[must_use]
pub fn after(end: End, record: &Record, delay: Span, now: Timestamp) -> After {
    let again = |due: Timestamp| {
        // The job may expire before the retry.
        if record.expires_at.is_some_and(|expires| expires <= due) {
            After::Over(JobStatus::Canceled, Some(EndReason::Expired))
        } else {
            After::Again(due)
        }
    };
    match end.status {
        // A success stands, even if a cancel request was already under way.
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
    fn finished_jobs_change_only_by_redrive() {
        for &status in JobStatus::ALL {
            for &event in Event::ALL {
                let next = next(status, event);
                if status == JobStatus::Succeeded {
                    assert_eq!(next, None, "a succeeded job never changes");
                }
                if status.is_over() && event != Event::Redrive {
                    assert_eq!(next, None, "{status} is final; {event} is stale");
                }
                if next == Some(JobStatus::Running) {
                    assert_eq!(status, JobStatus::Queued, "only a queued job starts");
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
    fn every_run_end_is_a_valid_event_of_a_running_job() {
        for &status in RunStatus::ALL {
            for (attempts, free_ends, is_cancel_asked) in [(1, 0, false), (3, 0, false), (1, 4, false), (1, 0, true)] {
                let record = Record { attempts, free_ends, is_cancel_asked, ..record() };
                let after = after(ended(status), &record, DELAY, NOW);
                assert!(next(JobStatus::Running, after.event()).is_some(), "{status}: {after:?}");
            }
        }
    }

    #[test]
    fn every_end_reason_belongs_to_a_valid_event() {
        for &reason in EndReason::ALL {
            let (event, statuses): (Event, &[JobStatus]) = match reason {
                EndReason::Asked | EndReason::Expired | EndReason::Superseded | EndReason::Forced => {
                    (Event::Cancel, &[JobStatus::Queued, JobStatus::Running])
                }
                EndReason::HostRemoved => (Event::Cancel, &[JobStatus::Queued]),
                EndReason::HostLost => (Event::Exhaust, &[JobStatus::Running]),
            };
            for &status in statuses {
                assert!(next(status, event).is_some_and(JobStatus::is_over), "{reason} from {status}");
            }
        }
    }

    #[test]
    fn retries_end_in_dead_letter_and_some_exit_codes_are_final() {
        let dead = After::Over(JobStatus::DeadLetter, None);
        for (attempts, expected) in [(1, After::Again(NOW + DELAY)), (2, After::Again(NOW + DELAY)), (3, dead)] {
            assert_eq!(after(ended(RunStatus::Failed), &Record { attempts, ..record() }, DELAY, NOW), expected);
        }
        let is_final = Record { is_final_exit: true, ..record() };
        assert_eq!(after(ended(RunStatus::Failed), &is_final, DELAY, NOW), After::Over(JobStatus::Failed, None));
    }

    #[test]
    fn a_lost_host_uses_no_attempt_three_times() {
        for (free_ends, is_over) in [(1, false), (3, false), (4, true)] {
            let record = Record { attempts: 0, free_ends, ..record() };
            let after = after(ended(RunStatus::Lost), &record, DELAY, NOW);
            assert_eq!(after == After::Over(JobStatus::DeadLetter, Some(EndReason::HostLost)), is_over);
        }
    }

    #[test]
    fn a_cancel_request_overrides_every_end_but_success() {
        let asked = Record { is_cancel_asked: true, ..record() };
        assert_eq!(
            after(ended(RunStatus::Succeeded), &asked, DELAY, NOW),
            After::Over(JobStatus::Succeeded, None),
            "finished before the cancel"
        );
        assert_eq!(
            after(ended(RunStatus::Lost), &asked, DELAY, NOW),
            After::Over(JobStatus::Canceled, Some(EndReason::Asked))
        );
    }

    #[test]
    fn exit_code_75_sets_the_delay_and_expiry_ends_the_retries() {
        let end =
            End { status: RunStatus::Failed, exit_code: Some(EXIT_NOT_NOW), retry_after: Some(Span::from_secs(60)) };
        assert_eq!(after(end, &record(), DELAY, NOW), After::Again(NOW + Span::from_secs(60)));
        let soon = Record { expires_at: Some(NOW + Span::from_secs(30)), ..record() };
        assert_eq!(after(end, &soon, DELAY, NOW), After::Over(JobStatus::Canceled, Some(EndReason::Expired)));
    }
}
