//! Batches: one bulk action on all jobs that match a filter, and its progress.

use crate::{job::JobStatus, string_enum};

string_enum! {
    /// The action on each job.
    pub enum BatchAction {
        /// Cancels the job.
        Cancel = "cancel",
        /// Puts the job back into the queue.
        Retry = "retry",
        /// Changes the job's target or priority.
        Move = "move",
    }
}

string_enum! {
    /// The status of a batch.
    pub enum BatchStatus {
        /// The matching jobs are counted, but not changed.
        Preview = "preview",
        /// A loop applies the action.
        Running = "running",
        /// All matching jobs were processed.
        Done = "done",
        /// Someone stopped the batch; changes made so far stay.
        Stopped = "stopped",
    }
}

impl BatchAction {
    /// Whether the action applies to a job in this status; other jobs are skipped.
    #[must_use]
    pub const fn is_for(self, status: JobStatus) -> bool {
        match self {
            Self::Cancel => matches!(status, JobStatus::Queued | JobStatus::Running),
            Self::Retry => matches!(status, JobStatus::Failed | JobStatus::DeadLetter | JobStatus::Canceled),
            Self::Move => matches!(status, JobStatus::Queued),
        }
    }

    /// A filter on status that lets the database use an index, for actions that apply to few statuses.
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
    fn actions_apply_to_the_statuses_the_state_table_allows() {
        for status in JobStatus::ALL {
            assert_eq!(BatchAction::Cancel.is_for(*status), next(*status, Event::Cancel).is_some(), "cancel {status}");
            let is_redriven = next(*status, Event::Redrive).is_some();
            assert_eq!(BatchAction::Retry.is_for(*status), is_redriven, "retry {status}");
        }
        assert!(BatchAction::Move.is_for(JobStatus::Queued) && !BatchAction::Move.is_for(JobStatus::Running));
    }
}
