//! The result of one check of `hostler doctor`.

use crate::fail::{Failure, Result};

/// The result of a check: a detail text, or a failure with a hint.
pub(super) type CheckResult = Result<String>;

/// The line of a check.
pub(super) enum Finding {
    Ok(String),
    /// The machine works, but less is guaranteed than could be. The exit status stays 0.
    Warning {
        detail: String,
        hint: String,
    },
    Failed(Failure),
}

impl Finding {
    pub(super) fn of(result: CheckResult) -> Self {
        match result {
            Ok(detail) => Self::Ok(detail),
            Err(failure) => Self::Failed(failure),
        }
    }
}
