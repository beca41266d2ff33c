//! The enqueue: inserts the jobs of requests. There is one function, [`enqueue`]; it works inside a transaction of its
//! caller. Requests wait in [`Enqueuer`] while a transaction is being written and then share the next one.
//!
//! - `batch`: rows of the jobs of several requests
//! - `effects`: wake-ups and counts after the commit
//! - `parts`: one long request, written while it is still being checked

mod batch;
mod effects;
mod parts;

use std::sync::Arc;

use domain::{JobId, OrgId, ServerId, Timestamp, audit::AuditRow, lane::LaneKey, server::ServerOp};
use proto::Code;
use serde_json::{Value, json};
use store::{Tx, insert::NewJob as JobRow};
use tokio::sync::{Semaphore, oneshot};
use tokio_util::sync::CancellationToken;

use super::events::Changes;
use crate::{
    Error, Hub, Result,
    batcher::{BatchSlot, Batcher},
};

pub(crate) use batch::{EnqueueBatch, create_missing_lanes};
pub(crate) use effects::EnqueueEffects;
pub(crate) use parts::Part;

/// Largest number of requests in one batch.
const REQUESTS_MAX: usize = 1_000;
/// Long requests that are written at the same time. Checking the rest of one may read the store, so they must leave
/// connections to others.
const LONG_MAX: usize = 2;
/// Requests that can wait; beyond it callers wait to hand in theirs.
const QUEUE: usize = 4_096;

/// A checked job that has no lane yet.
#[derive(Clone)]
pub(crate) struct NewJob {
    /// Its row; `lane_id` is set when the row is inserted.
    pub(crate) row: JobRow,
    pub(crate) lane: LaneKey,
    pub(crate) definition_key: Arc<str>,
    /// Time until which its dedupe key is held at least.
    pub(crate) dedupe_until: Timestamp,
    /// The server that it starts, stops or restarts.
    pub(crate) server: Option<(ServerId, ServerOp)>,
}

/// The result for one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enqueued {
    /// The job was inserted.
    New(JobId),
    /// This job has the same dedupe key.
    Duplicate(JobId),
}

/// The caller's idempotency key.
#[derive(Clone)]
pub(crate) struct Idempotency {
    pub(crate) key: String,
    pub(crate) hash: [u8; 32],
    pub(crate) until: Timestamp,
}

/// All jobs of one request.
#[derive(Clone)]
pub(crate) struct EnqueueRequest {
    pub(crate) jobs: Vec<NewJob>,
    pub(crate) audit: Option<AuditRow>,
    pub(crate) idempotency: Option<Idempotency>,
}

/// The results for all jobs of one request.
pub(crate) type EnqueueAnswer = Result<Vec<Enqueued>>;

/// A request that waits for a writer. Shared, so that it can be written again without a copy.
pub(crate) struct PendingRequest {
    pub(crate) request: Arc<EnqueueRequest>,
    reply: oneshot::Sender<EnqueueAnswer>,
}

impl PendingRequest {
    /// Sends the answer to the caller, if it still waits.
    pub(crate) fn send(self, answer: EnqueueAnswer) {
        let _ = self.reply.send(answer);
    }
}

/// Queue of requests; the writers take them in batches.
pub(crate) struct Enqueuer {
    batcher: Batcher<PendingRequest>,
    long: Semaphore,
}

impl Enqueuer {
    pub(crate) fn new() -> Self {
        Self { batcher: Batcher::new(QUEUE), long: Semaphore::new(LONG_MAX) }
    }

    /// Submits the jobs of one request and waits for the commit.
    pub(crate) async fn submit(&self, request: EnqueueRequest) -> EnqueueAnswer {
        let (reply, answer) = oneshot::channel();
        let pending = PendingRequest { request: Arc::new(request), reply };
        self.batcher.sender.send(pending).await.map_err(|_| stopping())?;
        answer.await.map_err(|_| interrupted())?
    }

    /// The next batch; empty when the hub stops.
    pub(crate) async fn take(&self, stop: &CancellationToken) -> (Vec<PendingRequest>, BatchSlot) {
        self.batcher.take(REQUESTS_MAX, stop).await
    }
}

/// The writer has ended without an answer.
fn interrupted() -> Error {
    Error::outcome_unknown("the hub stopped while the jobs were being inserted")
}

fn stopping() -> Error {
    Error::new(Code::HubStopping, "the hub is stopping").hint("try again in a moment")
}

/// Inserts the jobs of requests inside a transaction: takes dedupe and idempotency keys, resolves lanes, and inserts jobs
/// with their places and audit entries. Events and counts go into `changes`, which the caller writes last.
pub(crate) async fn enqueue(
    hub: &Hub,
    tx: &mut Tx<'_>,
    requests: &[Arc<EnqueueRequest>],
    changes: &mut Changes,
) -> Result<EnqueueEffects> {
    EnqueueBatch::prepare(hub, tx, requests, changes).await?.write(tx, &[]).await
}

impl Idempotency {
    /// The answer stored under this key.
    pub(crate) async fn answered(&self, tx: &mut Tx<'_>, org: OrgId, now: Timestamp) -> Result<Option<EnqueueAnswer>> {
        let Some((hash, answer)) = tx.idempotency_get(org, &self.key, now).await? else { return Ok(None) };
        Ok(Some(if hash == self.hash { Ok(read_answer(&answer)) } else { Err(self.mismatch()) }))
    }

    fn mismatch(&self) -> Error {
        let detail = format!("the idempotency key `{}` was used before with another request", self.key);
        Error::new(Code::IdempotencyMismatch, detail)
    }
}

fn answer_json(results: &[Enqueued]) -> Value {
    results
        .iter()
        .map(|result| match result {
            Enqueued::New(id) => json!([id, false]),
            Enqueued::Duplicate(id) => json!([id, true]),
        })
        .collect()
}

fn read_answer(answer: &Value) -> Vec<Enqueued> {
    let rows: Vec<(JobId, bool)> = serde_json::from_value(answer.clone()).unwrap_or_default();
    rows.into_iter()
        .map(|(id, is_duplicate)| if is_duplicate { Enqueued::Duplicate(id) } else { Enqueued::New(id) })
        .collect()
}
