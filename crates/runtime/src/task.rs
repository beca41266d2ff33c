//! The trait of a background loop: a function that is called repeatedly.

use std::future::Future;

use domain::{Span, Timestamp};

/// The input of a pass: only the time. A pass reads its work from the store, so a missed wake-up loses nothing.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Start of the pass.
    pub now: Timestamp,
}

/// When the next pass is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Immediately: there is more work than one pass handles.
    Again,
    /// At this time, or when woken.
    At(Timestamp),
    /// After the period, or when woken.
    Wait,
}

/// A loop of bounded, repeatable passes. After an error the pass is repeated with back-off.
pub trait Task: Send + 'static {
    /// Name of the loop in status, metrics and logs.
    const NAME: &'static str;

    /// Longest delay after errors.
    const BACKOFF_CAP: Span = Span::from_secs(60);

    /// Performs the work that is due.
    fn pass(&mut self, cx: Pass) -> impl Future<Output = anyhow::Result<Next>> + Send;
}
