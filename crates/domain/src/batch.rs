//! Bulk actions on the jobs that fit a filter: what they do, to which jobs, and how far one has come.

use crate::{job::JobStatus, words};

words! {
    /// What is done to each job.
    pub enum BatchAction {
        /// Cancel it.
        Cancel = "cancel",
        /// Put it back.
        Retry = "retry",
        /// Send it elsewhere, or change its priority.
        Move = "move",
    }
}

words! {
    /// How far a batch has come.
    pub enum BatchStatus {
        /// Only looked at: nothing is done.
        Preview = "preview",
        /// A loop works it off.
        Running = "running",
        /// All jobs that fit were tried.
        Done = "done",
        /// Somebody stopped it; what was done stays done.
        Stopped = "stopped",
    }
}

impl BatchAction {
    /// Whether it can do anything to a job in this state; others are passed over.
    #[must_use]
    pub const fn is_for(self, status: JobStatus) -> bool {
        match self {
            Self::Cancel => matches!(status, JobStatus::Queued | JobStatus::Running),
            Self::Retry => matches!(status, JobStatus::Failed | JobStatus::DeadLetter | JobStatus::Canceled),
            Self::Move => matches!(status, JobStatus::Queued),
        }
    }

    /// The states that a search can be narrowed to by an index, where the filter names none.
    #[must_use]
    pub const fn narrows_to(self) -> Option<&'static str> {
        match self {
            Self::Retry => Some("status:failed,dead_letter,canceled"),
            Self::Cancel | Self::Move => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Event, next};

    #[test]
    fn an_action_is_for_the_states_that_allow_it() {
        for status in JobStatus::ALL {
            assert_eq!(BatchAction::Cancel.is_for(*status), next(*status, Event::Cancel).is_some(), "cancel {status}");
            let is_redriven = next(*status, Event::Redrive).is_some();
            assert_eq!(BatchAction::Retry.is_for(*status), is_redriven, "retry {status}");
        }
        assert!(BatchAction::Move.is_for(JobStatus::Queued) && !BatchAction::Move.is_for(JobStatus::Running));
    }
}
