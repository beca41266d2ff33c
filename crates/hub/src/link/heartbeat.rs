//! Writes heartbeats in batches: all that have arrived go into one statement, and each is answered after the commit.
//!
//! A statement per heartbeat would cost 10,000 hosts 1,000 transactions per second. A row is only changed if its epoch
//! is the heartbeat's, so an old session of a host cannot keep it alive.

use std::sync::Arc;

use runtime::{TaskTracker, Writers};
use store::{
    Store,
    session::{Beat, BeatOutcome},
};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::Error;

/// Heartbeats in one statement.
const BATCH: usize = 1_000;
/// Heartbeats that can wait for a batch; beyond it sessions wait to hand in theirs.
const QUEUE: usize = 10_000;

/// Outcome of a heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeartbeatResult {
    Kept,
    /// A newer session of the host exists, or this one was closed: the link must end.
    Stale,
    /// Not written, because the database is unavailable or another transaction has locked the row. The session continues;
    /// the runner sends the next one anyway.
    Lost,
}

type PendingHeartbeat = (Beat, oneshot::Sender<HeartbeatResult>);

/// Handle to the task that writes heartbeats.
pub(crate) struct Heartbeats(mpsc::Sender<PendingHeartbeat>);

impl Heartbeats {
    pub(crate) fn start(store: &Store, tasks: &TaskTracker, writers: &Writers) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let (store, receiver, stop) = (store.clone(), Arc::new(Mutex::new(receiver)), tasks.stopping());
        writers.spawn(tasks, "heartbeats", move || write(store.clone(), receiver.clone(), stop.clone()));
        Self(sender)
    }

    /// Submits a heartbeat and waits until its batch is committed.
    pub(crate) async fn submit(&self, beat: Beat) -> HeartbeatResult {
        let (answer, result) = oneshot::channel();
        if self.0.send((beat, answer)).await.is_err() {
            return HeartbeatResult::Lost;
        }
        result.await.unwrap_or(HeartbeatResult::Lost)
    }
}

async fn write(store: Store, waiting: Arc<Mutex<mpsc::Receiver<PendingHeartbeat>>>, stop: CancellationToken) {
    let mut waiting = waiting.lock().await;
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        let received = tokio::select! {
            biased;
            received = waiting.recv_many(&mut batch, BATCH) => received,
            () = stop.cancelled() => 0,
        };
        if received == 0 {
            return;
        }
        let (beats, answers): (Vec<Beat>, Vec<oneshot::Sender<HeartbeatResult>>) = batch.drain(..).unzip();
        let results = match stored(&store, beats.clone()).await {
            // One row that the database rejects must not lose the others of its batch.
            Err(error) if error.code() == proto::Code::Internal => one_by_one(&store, beats).await,
            Err(error) => {
                tracing::warn!(error = %error, beats = beats.len(), "heartbeats were not written");
                vec![HeartbeatResult::Lost; beats.len()]
            }
            Ok(results) => results,
        };
        for (answer, result) in answers.into_iter().zip(results) {
            let _ = answer.send(result);
        }
    }
}

/// Writes heartbeats in one statement; returns the result of each.
async fn stored(store: &Store, beats: Vec<Beat>) -> Result<Vec<HeartbeatResult>, Error> {
    let written =
        store.write(move |tx| Box::pin(async move { tx.host_session_beats(&beats).await.map_err(Error::from) }));
    let result = |outcome: BeatOutcome| match outcome {
        BeatOutcome::Stored => HeartbeatResult::Kept,
        BeatOutcome::Superseded => HeartbeatResult::Stale,
        // Another transaction has locked the row of this session. The others of the batch are stored.
        BeatOutcome::Locked => HeartbeatResult::Lost,
    };
    Ok(written.await?.into_iter().map(result).collect())
}

async fn one_by_one(store: &Store, beats: Vec<Beat>) -> Vec<HeartbeatResult> {
    let mut results = Vec::with_capacity(beats.len());
    for beat in beats {
        let host = beat.sender.host();
        let stored = stored(store, vec![beat]).await.map(|results| results.into_iter().next());
        if let Err(error) = &stored {
            tracing::warn!(host.id = %host, error = %error, "a heartbeat was not written");
        }
        results.push(stored.ok().flatten().unwrap_or(HeartbeatResult::Lost));
    }
    results
}
