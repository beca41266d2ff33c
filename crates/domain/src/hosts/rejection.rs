//! Rejections: why a hub does not use something that a host sent, and whether an honest runner could have sent it.

use crate::{
    string_enum,
    sync::frame::SyncError,
    time::{Span, Timestamp},
};

string_enum! {
    /// Why a hub rejected data of a host.
    pub enum RejectReason {
        /// The frame cannot be parsed, breaks a limit of the protocol, or has an impossible order.
        MalformedFrame = "malformed_frame",
        /// The row belongs to another host, to another org, or to the hub.
        ForeignRow = "foreign_row",
        /// The run was granted to another host, or was never granted.
        ForeignRun = "foreign_run",
        /// The server belongs to another host.
        ForeignServer = "foreign_server",
        /// The replication position belongs to another host.
        ForeignPosition = "foreign_position",
        /// The row breaks a rule of its table.
        InvalidRow = "invalid_row",
        /// A value in the row is nested too deeply.
        TooDeep = "too_deep",
        /// The row or the block of output is larger than any may be.
        TooLarge = "too_large",
        /// The host claims an epoch of this hub that the hub has not signed.
        UnprovenEpoch = "unproven_epoch",
        /// The data was valid before: its job ended, or its server moved or was removed.
        Superseded = "superseded",
        /// The output exceeds the budget of its run or its host.
        OverBudget = "over_budget",
    }
}

impl RejectReason {
    /// Whether only a faulty or hostile runner sends such data. The other reasons are normal: a runner cannot know yet
    /// that a server moved, a job ended or a budget is used up.
    #[must_use]
    pub const fn is_misbehavior(self) -> bool {
        !matches!(self, Self::Superseded | Self::OverBudget)
    }

    /// The reason for a rejected row; `None` if the row comes from a newer program and is kept for later.
    #[must_use]
    pub const fn of_row(error: SyncError) -> Option<Self> {
        match error {
            SyncError::Ownership => Some(Self::ForeignRow),
            SyncError::Rejected => Some(Self::InvalidRow),
            SyncError::TooLarge => Some(Self::TooLarge),
            SyncError::TooDeep => Some(Self::TooDeep),
            SyncError::Superseded => Some(Self::Superseded),
            SyncError::OverBudget => Some(Self::OverBudget),
            SyncError::SchemaMismatch | SyncError::UnknownTable => None,
        }
    }

    /// The reason as a sentence part, after "sent".
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::MalformedFrame => "malformed frames",
            Self::ForeignRow => "rows that belong to others",
            Self::ForeignRun => "reports of runs that it never had",
            Self::ForeignServer => "data of servers that belong to others",
            Self::ForeignPosition => "replication positions of others",
            Self::InvalidRow => "rows that break the rules of their table",
            Self::TooDeep => "values that are nested too deeply",
            Self::TooLarge => "rows that are too large",
            Self::UnprovenEpoch => "an epoch of the hub that the hub never signed",
            Self::Superseded => "rows that are superseded",
            Self::OverBudget => "output beyond its budget",
        }
    }
}

/// For how long a rejection keeps its host marked.
pub const MARKED_FOR: Span = Span::from_secs(86_400);

/// Whether rejected data still marks its host: the last case is less than a day old and newer than
/// the last resolution of the alert.
#[must_use]
pub fn is_marked(reason: RejectReason, last_at: Timestamp, cleared_at: Option<Timestamp>, now: Timestamp) -> bool {
    reason.is_misbehavior()
        && now.since(last_at) < MARKED_FOR
        && cleared_at.is_none_or(|cleared_at| last_at > cleared_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_honest_runners_never_mark_their_host() {
        let at = Timestamp::from_micros(1_000_000);
        for reason in RejectReason::ALL {
            let is_honest = matches!(reason, RejectReason::Superseded | RejectReason::OverBudget);
            assert_eq!(is_marked(*reason, at, None, at), !is_honest, "{reason}");
        }
    }

    #[test]
    fn a_mark_ends_after_a_quiet_day_or_when_it_is_cleared() {
        let (at, reason) = (Timestamp::from_micros(1_000_000), RejectReason::ForeignRow);
        assert!(is_marked(reason, at, None, at + Span::from_secs(86_399)));
        assert!(!is_marked(reason, at, None, at + MARKED_FOR));
        assert!(!is_marked(reason, at, Some(at), at));
        assert!(is_marked(reason, at + Span::from_secs(1), Some(at), at + Span::from_secs(2)));
    }

    #[test]
    fn every_row_error_has_a_reason_except_those_of_newer_programs() {
        for error in SyncError::ALL {
            let is_of_newer = matches!(error, SyncError::SchemaMismatch | SyncError::UnknownTable);
            assert_eq!(RejectReason::of_row(*error).is_none(), is_of_newer, "{error}");
        }
    }
}
