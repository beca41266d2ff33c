//! Writes heartbeats in batches: all that have arrived go into one statement, and each is answered after the commit.
//!
//! A statement per heartbeat would cost 10,000 hosts 1,000 transactions per second. A row is only changed if its epoch
//! is the heartbeat's, so an old session of a host cannot keep it alive.

use std::collections::HashSet;

use runtime::TaskTracker;
use store::{Store, session::Beat};
use tokio::sync::{mpsc, oneshot};

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
    /// Not written because the database is unavailable. The session continues; the runner sends the next one anyway.
    Lost,
}

type PendingHeartbeat = (Beat, oneshot::Sender<HeartbeatResult>);

/// Handle to the task that writes heartbeats.
pub(crate) struct Heartbeats(mpsc::Sender<PendingHeartbeat>);

impl Heartbeats {
    pub(crate) fn start(store: Store, tasks: &TaskTracker) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        tasks.spawn(write(store, receiver, tasks.stopping()));
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

async fn write(store: Store, mut waiting: mpsc::Receiver<PendingHeartbeat>, stop: tokio_util::sync::CancellationToken) {
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
        let keys: Vec<_> = beats.iter().map(|beat| (beat.host_id, beat.epoch)).collect();
        let mut written = kept(&store, beats.clone()).await;
        if matches!(&written, Err(error) if error.code() == proto::Code::Internal) {
            // One row that the database rejects must not lose the others of its batch.
            written = Ok(one_by_one(&store, beats).await);
        }
        if let Err(error) = &written {
            tracing::warn!(error = %error, beats = keys.len(), "heartbeats were not written");
        }
        for (key, answer) in keys.into_iter().zip(answers) {
            let result = match &written {
                Ok(kept) if kept.contains(&key) => HeartbeatResult::Kept,
                Ok(_) => HeartbeatResult::Stale,
                Err(_) => HeartbeatResult::Lost,
            };
            let _ = answer.send(result);
        }
    }
}

type Key = (domain::HostId, i64);

/// Writes heartbeats in one statement; returns those whose session is current.
async fn kept(store: &Store, beats: Vec<Beat>) -> Result<HashSet<Key>, Error> {
    let written =
        store.write(move |tx| Box::pin(async move { tx.host_session_beats(&beats).await.map_err(Error::from) }));
    Ok(written.await?.into_iter().collect())
}

async fn one_by_one(store: &Store, beats: Vec<Beat>) -> HashSet<Key> {
    let mut all = HashSet::new();
    for beat in beats {
        let host = beat.host_id;
        match kept(store, vec![beat]).await {
            Ok(one) => all.extend(one),
            Err(error) => tracing::warn!(host.id = %host, error = %error, "a heartbeat was not written"),
        }
    }
    all
}
