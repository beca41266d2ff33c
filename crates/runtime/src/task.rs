//! A loop is a function that is called again and again.

use std::future::Future;

use domain::{Span, Timestamp};

/// What a pass is given: the time and nothing else. What to do is read from the store.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// When the pass began.
    pub now: Timestamp,
}

/// When the next pass is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// At once: there is more to do than one pass may take.
    Again,
    /// At this time, unless woken before.
    At(Timestamp),
    /// After the period, unless woken before.
    Wait,
}

/// One bounded, repeatable pass. An error is counted and shown; the period is the retry.
pub trait Task: Send + 'static {
    /// Its name in status, metrics and logs.
    const NAME: &'static str;

    /// The longest pause after errors.
    const BACKOFF_CAP: Span = Span::from_secs(60);

    /// Does what is due.
    fn pass(&mut self, cx: Pass) -> impl Future<Output = anyhow::Result<Next>> + Send;
}
