//! How each loop is, readable at any time.

use std::sync::{Arc, Mutex, PoisonError};

use domain::{Span, Timestamp};

domain::string_enum! {
    /// What a loop is doing.
    pub enum LoopState {
        /// Until its period is over or it is woken.
        Waiting = "waiting",
        /// In a pass.
        Running = "running",
        /// After an error.
        BackingOff = "backing_off",
        /// For good.
        Stopped = "stopped",
    }
}

/// How a loop is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopStatus {
    pub name: &'static str,
    pub state: LoopState,
    pub passes: u64,
    pub errors: u64,
    pub panics: u64,
    pub last_at: Option<Timestamp>,
    pub last_took: Option<Span>,
    /// The last error, until a pass succeeds.
    pub last_error: Option<String>,
    pub next_at: Option<Timestamp>,
}

/// A status that its loop writes and everybody reads.
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
