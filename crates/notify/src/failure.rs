//! Failed deliveries: temporary or permanent, and the time limit of an attempt.

use std::{future::Future, time::Duration};

use tokio::time::Instant;

use crate::notice::one_line;

/// Longest `Retry-After` that is respected.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(60 * 60);
/// Characters kept of a response.
const RESPONSE_CHARS_MAX: usize = 200;

/// A failed delivery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    /// The error for people, without secrets of the channel.
    pub text: String,
    /// Whether a retry cannot help until the channel or the receiver is changed.
    pub is_final: bool,
    /// Delay that the receiver asked for.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure that a retry may solve.
    pub(crate) fn temporary(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_final: false, retry_after: None }
    }

    /// A failure that a retry cannot solve.
    pub(crate) fn permanent(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_final: true, retry_after: None }
    }

    /// Adds the delay that the receiver asked for.
    pub(crate) fn after(self, wait: Option<Duration>) -> Self {
        Self { retry_after: wait.map(|wait| wait.min(RETRY_AFTER_MAX)), ..self }
    }
}

/// The time limit of an attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) at: Instant,
    /// Duration of the limit, for messages.
    pub(crate) length: Duration,
}

impl Limit {
    /// Runs `work` until the limit, then drops it.
    pub(crate) async fn cut<T>(
        self,
        target: &str,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::time::timeout_at(self.at, work).await.unwrap_or_else(|_| {
            let seconds = self.length.as_secs_f64();
            Err(Failure::temporary(format!("`{target}` did not finish within {seconds} s")))
        })
    }
}

/// A response as one short line.
pub(crate) fn response_line(bytes: &[u8]) -> String {
    one_line(&String::from_utf8_lossy(bytes), RESPONSE_CHARS_MAX)
}

/// The innermost cause of an error; the outer ones only state that the request failed.
pub(crate) fn cause(error: &dyn std::error::Error) -> String {
    let innermost = std::iter::successors(Some(error), |error| error.source()).last();
    one_line(&innermost.map(ToString::to_string).unwrap_or_default(), RESPONSE_CHARS_MAX)
}
