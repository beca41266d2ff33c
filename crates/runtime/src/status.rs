//! The status of each loop, readable at any time.

use std::sync::{Arc, Mutex, PoisonError};

use domain::{Span, Timestamp};

domain::string_enum! {
    /// The state of a loop.
    pub enum LoopState {
        /// Waiting for the end of its period or a wake-up.
        Waiting = "waiting",
        /// In a pass.
        Running = "running",
        /// Waiting after an error.
        BackingOff = "backing_off",
        /// Ended with the process.
        Stopped = "stopped",
    }
}

/// The status of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopStatus {
    pub name: &'static str,
    pub state: LoopState,
    pub passes: u64,
    pub errors: u64,
    pub panics: u64,
    pub last_at: Option<Timestamp>,
    pub last_took: Option<Span>,
    /// The error of the last pass; `None` after a pass that succeeded.
    pub last_error: Option<String>,
    pub next_at: Option<Timestamp>,
}

/// A status that its loop writes and others read.
#[derive(Debug, Clone)]
pub(crate) struct StatusCell(Arc<Mutex<LoopStatus>>);

impl StatusCell {
    pub(crate) fn new(name: &'static str) -> Self {
        Self(Arc::new(Mutex::new(LoopStatus {
            name,
            state: LoopState::Waiting,
            passes: 0,
            errors: 0,
            panics: 0,
            last_at: None,
            last_took: None,
            last_error: None,
            next_at: None,
        })))
    }

    pub(crate) fn read(&self) -> LoopStatus {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut LoopStatus)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
