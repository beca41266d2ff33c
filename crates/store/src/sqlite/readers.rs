//! The pool of read-only connections. A query has a connection and a blocking thread for its whole duration.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::connection::{Access, SqliteConnection};
use crate::{Error, Result};

/// Prepared statements cached per reader.
const STATEMENTS_KEPT: usize = 100;
/// Longest wait for a permit.
const TURN: Duration = Duration::from_secs(30);

/// All readers of a file, opened on demand.
pub(crate) struct Readers {
    path: PathBuf,
    most: u32,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<SqliteConnection>>,
}

impl Readers {
    pub(crate) fn new(path: PathBuf, most: u32) -> Self {
        let most = most.max(1);
        Self { path, most, turns: Arc::new(Semaphore::new(most as usize)), idle: Mutex::default() }
    }

    /// Runs a query on a blocking thread. The query completes even if the caller drops the future.
    pub(crate) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&mut SqliteConnection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let turn = self.turn().await?;
        let readers = self.clone();
        let task = tokio::task::spawn_blocking(move || {
            let mut reader = readers.take()?;
            let answer = question(&mut reader);
            // A broken reader, or one with an open transaction, is closed: the next query on it would fail or read an
            // old snapshot.
            if reader.is_idle() && !matches!(answer, Err(Error::Corrupt(_) | Error::Down(_))) {
                readers.give(reader);
            } else {
                drop(reader);
            }
            drop(turn);
            answer
        });
        task.await.unwrap_or(Err(Error::Panicked))
    }

    /// Applies a change to each idle reader.
    pub(crate) async fn each_resting(self: &Arc<Self>, change: fn(&mut SqliteConnection) -> Result<()>) -> Result<()> {
        let readers = self.clone();
        let task = tokio::task::spawn_blocking(move || {
            readers.idle.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().try_for_each(change)
        });
        task.await.unwrap_or(Err(Error::Panicked))
    }

    /// Opens all readers up to the limit and applies a change to each.
    pub(crate) async fn each(self: &Arc<Self>, change: impl Fn(&mut SqliteConnection) -> Result<()>) -> Result<()> {
        // Holds all permits, so that each iteration takes a different connection.
        let _all = self.turns.acquire_many(self.most).await.map_err(|_| Error::Closed)?;
        let mut readers = Vec::new();
        for _ in 0..self.most {
            let mut reader = self.take()?;
            change(&mut reader)?;
            readers.push(reader);
        }
        readers.into_iter().for_each(|reader| self.give(reader));
        Ok(())
    }

    /// Waits for running queries, then closes all readers.
    pub(crate) async fn close(&self) {
        let all = self.turns.acquire_many(self.most).await;
        self.turns.close();
        drop(all);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        match tokio::time::timeout(TURN, self.turns.clone().acquire_owned()).await {
            Ok(turn) => turn.map_err(|_| Error::Closed),
            Err(_) => Err(Error::Down(sqlx::Error::PoolTimedOut)),
        }
    }

    fn take(&self) -> Result<SqliteConnection> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.map_or_else(|| SqliteConnection::open(&self.path, Access::Read, STATEMENTS_KEPT), Ok)
    }

    fn give(&self, reader: SqliteConnection) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readers() -> (tempfile::TempDir, Arc<Readers>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let mut writer = SqliteConnection::open(&path, Access::Create, 10).expect("opens");
        writer.batch("create table a (id integer primary key); insert into a values (7)").expect("writes");
        (folder, Arc::new(Readers::new(path, 2)))
    }

    fn idle(readers: &Readers) -> usize {
        readers.idle.lock().expect("is whole").len()
    }

    #[tokio::test]
    async fn idle_reader_is_reused() {
        let (_folder, readers) = readers();
        for _ in 0..3 {
            let found = readers.ask(|reader| reader.all::<(i64,)>("select id from a", &[])).await;
            assert_eq!(found.expect("reads"), [(7,)]);
            assert_eq!(idle(&readers), 1);
        }
        let written = readers.ask(|reader| reader.execute("delete from a", &[])).await;
        assert!(written.is_err(), "readers are read-only");
    }

    #[tokio::test]
    async fn reader_with_open_transaction_is_closed() {
        let (_folder, readers) = readers();
        readers.ask(|reader| reader.execute("begin", &[])).await.expect("begins");
        assert_eq!(idle(&readers), 0);
        let panicked: Result<()> = readers.ask(|_| panic!("on purpose")).await;
        assert!(matches!(panicked, Err(Error::Panicked)));
        readers
            .ask(|reader| reader.execute("begin", &[]))
            .await
            .expect("a new reader begins, and the permit was released");
    }

    #[tokio::test]
    async fn close_waits_for_running_queries() {
        let (_folder, readers) = readers();
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let mut asked = Box::pin(readers.ask(move |_| Ok(wait.recv().is_ok())));
        assert!(futures_util::FutureExt::now_or_never(&mut asked).is_none());
        let mut closed = Box::pin(readers.close());
        assert!(futures_util::FutureExt::now_or_never(&mut closed).is_none());
        go.send(()).expect("the query waits");
        let (answer, ()) = tokio::join!(asked, closed);
        assert!(answer.expect("the query completed"));
        assert!(matches!(readers.ask(|_| Ok(())).await, Err(Error::Closed)));
    }
}
