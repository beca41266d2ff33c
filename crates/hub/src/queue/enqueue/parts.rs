//! One long request, written in one transaction while its later parts are still being checked. This gains a tenth of the
//! rate of bulk requests.

use domain::audit::AuditRow;
use proto::Code;
use store::Tx;
use tokio::sync::{mpsc, oneshot};

use super::{EnqueueAnswer, EnqueueBatch, EnqueueEffects, Enqueuer, NewJob, interrupted, stopping};
use crate::{
    Error, Hub, Result,
    queue::{commit, events::Changes},
};

/// Checked parts that can wait to be written.
const PARTS_AHEAD: usize = 2;

/// A part of a long request.
pub(crate) enum Part {
    /// Some of its jobs.
    Jobs(Vec<NewJob>),
    /// The end of the request, with its audit entry.
    End(Option<Box<AuditRow>>),
}

impl Enqueuer {
    /// Writes a long request in one transaction. `check` sends its parts.
    pub(crate) async fn submit_parts<C>(&self, hub: &Hub, check: impl FnOnce(mpsc::Sender<Part>) -> C) -> EnqueueAnswer
    where
        C: Future<Output = Result<()>>,
    {
        let _permit = self.long.acquire().await.map_err(|_| stopping())?;
        let (sender, parts) = mpsc::channel(PARTS_AHEAD);
        let (reply, written) = oneshot::channel();
        let hub_in = hub.clone();
        // In its own task, because its effects must be applied even if the caller is gone.
        hub.tasks.spawn(async move {
            let _ = reply.send(write(&hub_in, parts).await);
        });
        let (checked, written) = tokio::join!(check(sender), written);
        checked?;
        written.map_err(|_| interrupted())?
    }
}

async fn write(hub: &Hub, parts: mpsc::Receiver<Part>) -> EnqueueAnswer {
    let hub_in = hub.clone();
    let transaction = commit::Prepared::<(EnqueueEffects, Option<store::insert::NewJob>)>::default();
    let prepared = transaction.clone();
    let written = hub.store.write(move |tx| {
        Box::pin(async move {
            prepared.set(enqueue_parts(&hub_in, tx, parts).await?);
            Ok::<_, Error>(())
        })
    });
    let result = written.await;
    let Some((effects, first)) = transaction.take() else { return result.map(|()| Vec::new()) };
    commit::confirm(hub, result, first.as_ref()).await?;
    effects.after_commit(hub).pop().unwrap_or_else(|| Ok(Vec::new()))
}

/// Inserts the parts; returns the effects and the first inserted job.
async fn enqueue_parts(
    hub: &Hub,
    tx: &mut Tx<'_>,
    mut parts: mpsc::Receiver<Part>,
) -> Result<(EnqueueEffects, Option<store::insert::NewJob>)> {
    let (mut effects, mut results, mut first) = (EnqueueEffects::default(), Vec::new(), None);
    while let Some(part) = parts.recv().await {
        let jobs = match part {
            Part::Jobs(jobs) => jobs,
            Part::End(audit) => {
                if let Some(audit) = audit.filter(|_| first.is_some()) {
                    tx.audit_insert_all(&[*audit]).await?;
                }
                effects.answers = vec![Ok(results)];
                return Ok((effects, first));
            }
        };
        let mut changes = Changes::default();
        let batch = EnqueueBatch::prepare_part(hub, tx, jobs, &mut changes).await?;
        if first.is_none() {
            first = batch.jobs.first().cloned();
        }
        let mut part = batch.write(tx, &[]).await?;
        for answer in part.answers.drain(..) {
            results.extend(answer?);
        }
        effects.merge(part);
        changes.write(hub, tx, hub.now()).await?;
        tx.flush_early().await?;
    }
    // The sender is gone without an end: the caller has disconnected, or a later part could not be checked. Nothing is
    // inserted then.
    Err(Error::new(Code::MalformedRequest, "the connection failed while the request was read"))
}
