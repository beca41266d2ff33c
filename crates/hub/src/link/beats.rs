//! Heartbeats on their way to the store: whatever has arrived is written in one statement, and each is
//! answered after the commit.

use std::collections::HashSet;

use runtime::Crew;
use store::{Store, session::Beat};
use tokio::sync::{mpsc, oneshot};

use crate::Error;

/// Heartbeats in one statement.
const BATCH: usize = 1_000;
/// Heartbeats that may wait; beyond it runners wait with theirs.
const QUEUE: usize = 10_000;

/// What became of a heartbeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Written.
    Kept,
    /// The session is no longer in force.
    Stale,
    /// The database did not take it; the next one may be.
    Lost,
}

type Waiting = (Beat, oneshot::Sender<Heard>);

/// The way of heartbeats into the store.
pub(crate) struct Beats(mpsc::Sender<Waiting>);

impl Beats {
    pub(crate) fn start(store: Store, crew: &Crew) -> Self {
        let (sender, receiver) = mpsc::channel(QUEUE);
        crew.spawn(write(store, receiver, crew.stopping()));
        Self(sender)
    }

    /// Hands in a heartbeat and waits until it is written.
    pub(crate) async fn hand_in(&self, beat: Beat) -> Heard {
        let (answer, heard) = oneshot::channel();
        if self.0.send((beat, answer)).await.is_err() {
            return Heard::Lost;
        }
        heard.await.unwrap_or(Heard::Lost)
    }
}

async fn write(store: Store, mut waiting: mpsc::Receiver<Waiting>, stop: tokio_util::sync::CancellationToken) {
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
        let (beats, answers): (Vec<Beat>, Vec<oneshot::Sender<Heard>>) = batch.drain(..).unzip();
        let keys: Vec<_> = beats.iter().map(|beat| (beat.host_id, beat.epoch)).collect();
        let mut written = kept(&store, beats.clone()).await;
        if matches!(&written, Err(error) if error.code() == proto::Code::Internal) {
            // One that the database does not take must not cost the others theirs.
            written = Ok(one_by_one(&store, beats).await);
        }
        if let Err(error) = &written {
            tracing::warn!(error = %error, beats = keys.len(), "heartbeats were not written");
        }
        for (key, answer) in keys.into_iter().zip(answers) {
            let heard = match &written {
                Ok(kept) if kept.contains(&key) => Heard::Kept,
                Ok(_) => Heard::Stale,
                Err(_) => Heard::Lost,
            };
            let _ = answer.send(heard);
        }
    }
}

type Key = (domain::HostId, i64);

/// Writes heartbeats; returns those whose session is in force.
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
