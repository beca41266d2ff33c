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
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot};

use crate::{Error, queue::dispatch::slow};

/// Name of the writer in metrics and logs.
const NAME: &str = "heartbeats";
/// Heartbeats in one statement.
const BATCH: usize = 1_000;
/// Heartbeats that can wait for a batch; beyond it sessions wait to hand in theirs.
const QUEUE: usize = 10_000;
/// Slow batches at the same time, beside which the next one is written: a frozen server process must not end the links of
/// all hosts.
const SLOW_MAX: usize = 2;

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
        let (store, receiver, permits) =
            (store.clone(), Arc::new(Mutex::new(receiver)), Arc::new(Semaphore::new(SLOW_MAX)));
        let (tasks_in, writers_in) = (tasks.clone(), writers.clone());
        writers.spawn(tasks, NAME, move || {
            let writer = Writer {
                store: store.clone(),
                tasks: tasks_in.clone(),
                writers: writers_in.clone(),
                permits: permits.clone(),
            };
            writer.write(receiver.clone())
        });
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

/// The task that writes heartbeats.
struct Writer {
    store: Store,
    tasks: TaskTracker,
    writers: Writers,
    /// Batches that may be slow at the same time.
    permits: Arc<Semaphore>,
}

impl Writer {
    async fn write(self, waiting: Arc<Mutex<mpsc::Receiver<PendingHeartbeat>>>) {
        let (mut waiting, stop) = (waiting.lock().await, self.tasks.stopping());
        loop {
            let mut batch = Vec::new();
            let received = tokio::select! {
                biased;
                received = waiting.recv_many(&mut batch, BATCH) => received,
                () = stop.cancelled() => 0,
            };
            if received == 0 {
                return;
            }
            let work = write_batch(self.store.clone(), batch);
            slow::run_within(&self.tasks, &self.writers, &self.permits, NAME, work).await;
        }
    }
}

/// Writes a batch and answers its sessions.
async fn write_batch(store: Store, batch: Vec<PendingHeartbeat>) {
    let (beats, answers): (Vec<Beat>, Vec<oneshot::Sender<HeartbeatResult>>) = batch.into_iter().unzip();
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

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use testkit::{TestDb, block_on};

    use super::*;
    use crate::queue::test_support::TestQueue;

    /// An update of the session of `web-1` waits for the lock of its org, as if the server process were frozen.
    const FREEZE: [&str; 2] = [
        "create function stall() returns trigger language plpgsql as $$
        begin
            perform 1 from org where id = (select org_id from host where id = new.host_id and name = 'web-1')
                for no key update;
            return new;
        end $$",
        "create trigger stall before update on host_session for each row execute function stall()",
    ];

    const WAITING: &str =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

    #[test]
    fn heartbeat_is_written_beside_a_slow_batch() {
        block_on(async {
            let db = TestDb::postgres().await;
            let fixture = TestQueue::new(db, 1).await;
            let (hub, store, acme) = (fixture.hub.clone(), fixture.hub.store.clone(), fixture.acme);
            let (other, epoch) = fixture.another("web-2", 1).await;
            for sql in FREEZE {
                store.execute_raw(sql).await.expect("freezes");
            }
            let beat = |host, epoch| {
                let (at, sender) = (hub.now(), domain::HostSender::proven(host, acme, epoch));
                hub.heartbeats.submit(Beat { sender, at, clock_skew_ms: 0, metrics: serde_json::json!({}) })
            };
            let (locked, is_locked) = oneshot::channel();
            let (release, is_released) = oneshot::channel::<()>();
            let hold = store.write(move |tx| {
                Box::pin(async move {
                    tx.lanes_lock(acme).await?;
                    let _ = locked.send(());
                    let _ = is_released.await;
                    Ok::<_, Error>(())
                })
            });
            let beats = async {
                is_locked.await.expect("is locked");
                let mut frozen = pin!(beat(fixture.host, fixture.epoch));
                assert!(futures_util::poll!(frozen.as_mut()).is_pending());
                while store.execute_raw(WAITING).await.expect("reads") == 0 {}
                tokio::select! {
                    result = &mut frozen => panic!("{result:?}, although its row is locked"),
                    result = beat(other, epoch) => assert_eq!(result, HeartbeatResult::Kept),
                }
                release.send(()).expect("is held");
                assert_eq!(frozen.await, HeartbeatResult::Kept);
            };
            let (held, ()) = tokio::join!(hold, beats);
            held.expect("commits");
        });
    }
}
