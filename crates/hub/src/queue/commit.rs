//! Commits whose answer was lost: the connection to PostgreSQL failed after the commit was sent.
//!
//! Such a transaction is never guessed: another connection reads whether its first job exists. The read inserts the same
//! row and rolls back, so it waits while the old transaction is still open. A transaction that consisted of a single
//! statement may even reach the server after that read; it is therefore written again with the same job ids, and the
//! primary key lets only one of the two commit.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use proto::Code;
use store::insert::NewJob as JobRow;

use crate::{Error, Hub, Result};

/// Attempts to read the outcome of a commit.
const READS_MAX: u32 = 5;
/// Pause before the second attempt; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// A value that a transaction leaves behind before its commit, so that it survives a commit without an answer.
pub(super) struct Prepared<T>(Arc<Mutex<Option<T>>>);

impl<T> Prepared<T> {
    pub(super) fn set(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    pub(super) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T> Default for Prepared<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Prepared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// The outcome of a transaction.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Committed,
    /// Nothing was written.
    RolledBack,
    /// The database did not answer in time.
    Unknown,
}

/// Reads whether the transaction that inserted this job has committed.
pub(super) async fn outcome(hub: &Hub, job: &JobRow) -> Outcome {
    let mut pause = FIRST_PAUSE;
    for _ in 0..READS_MAX {
        match is_committed(hub, job).await {
            Ok(true) => return Outcome::Committed,
            Ok(false) => return Outcome::RolledBack,
            Err(error) => tracing::debug!(job.id = %job.id, %error, "cannot read the outcome of a commit"),
        }
        tokio::time::sleep(pause).await;
        pause *= 2;
    }
    Outcome::Unknown
}

/// Turns the result of a transaction without an answer into its outcome. Without a first job the transaction inserted
/// nothing that could be read.
pub(super) async fn confirm(hub: &Hub, result: Result<()>, first: Option<&JobRow>) -> Result<()> {
    let Err(error) = result else { return Ok(()) };
    let Some(job) = first.filter(|_| error.is_commit_unknown()) else { return Err(error) };
    match outcome(hub, job).await {
        Outcome::Committed => Ok(()),
        Outcome::RolledBack => Err(Error::new(Code::DatabaseDown, "the connection to the database failed")
            .hint("nothing was written; try again")),
        Outcome::Unknown => Err(error),
    }
}

/// The end of a transaction that only reads an outcome: always an error, so that it rolls back.
enum ReadEnd {
    Read(bool),
    Failed(store::Error),
}

impl From<store::Error> for ReadEnd {
    fn from(error: store::Error) -> Self {
        Self::Failed(error)
    }
}

async fn is_committed(hub: &Hub, job: &JobRow) -> std::result::Result<bool, store::Error> {
    let job = job.clone();
    let read = hub.store.write(move |tx| {
        Box::pin(async move {
            let is_committed = tx.job_is_committed(&job).await?;
            Err::<(), ReadEnd>(ReadEnd::Read(is_committed))
        })
    });
    match read.await {
        Err(ReadEnd::Read(is_committed)) => Ok(is_committed),
        Err(ReadEnd::Failed(error)) => Err(error),
        // The closure always fails.
        Ok(()) => Err(store::Error::Panicked),
    }
}
