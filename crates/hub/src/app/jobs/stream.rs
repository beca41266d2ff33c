//! Creation of jobs from an endless request: each batch is written and answered on its own, two at a time.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use futures_util::{Stream, StreamExt as _};
use proto::{
    Code,
    api::job::{JobMade, JobRequest},
};
use tokio::sync::oneshot;

use super::Maker;
use crate::{Error, Hub, Result};

/// Batches that are checked or written concurrently.
const BATCHES_AT_ONCE: usize = 2;

/// Parsed rows; a row that could not be parsed is an error.
type ParsedRows = Vec<Result<JobRequest>>;

fn refused(error: &Error) -> JobMade {
    JobMade { id: None, deduplicated: false, error: Some((*error.problem).clone()) }
}

/// Creates the jobs of a batch in a task of its own. This stream is polled only as fast as the client reads the
/// answers; without the task, a slow client would stall the batch while it holds a database connection.
async fn make(hub: &Hub, maker: Maker, rows: ParsedRows) -> Result<Vec<JobMade>> {
    let (reply, made) = oneshot::channel();
    let hub_in = hub.clone();
    hub.tasks.spawn(async move {
        let _ = reply.send(hub_in.job_create_rows(&maker, rows).await);
    });
    made.await.unwrap_or_else(|_| Err(Error::new(Code::HubStopping, "the hub is stopping")))
}

impl Hub {
    /// Creates jobs from a stream of batches: one result per row, in order. If a batch cannot be written, each of its
    /// rows carries the error and the stream ends.
    pub fn job_create_stream<S>(&self, maker: Maker, batches: S) -> impl Stream<Item = Vec<JobMade>> + Send + use<S>
    where
        S: Stream<Item = Result<ParsedRows>> + Send,
    {
        let (hub, has_failed) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let failed = has_failed.clone();
        let going_on = batches.take_while(move |_| std::future::ready(!failed.load(Ordering::SeqCst)));
        going_on
            .enumerate()
            .map(move |(number, rows)| {
                let part = u32::try_from(number).unwrap_or(u32::MAX);
                let (hub, maker, has_failed) = (hub.clone(), Maker { part, ..maker.clone() }, has_failed.clone());
                async move {
                    let count = rows.as_ref().map_or(1, Vec::len);
                    let made = match rows {
                        Ok(rows) => make(&hub, maker, rows).await,
                        Err(error) => Err(error),
                    };
                    made.unwrap_or_else(|error| {
                        has_failed.store(true, Ordering::SeqCst);
                        vec![refused(&error); count]
                    })
                }
            })
            .buffered(BATCHES_AT_ONCE)
    }

    /// Creates the jobs of parsed rows: one result per row, in order, including those that could not be parsed.
    ///
    /// # Errors
    /// Fails as [`Hub::job_create_bulk`] does.
    pub async fn job_create_rows(&self, maker: &Maker, rows: ParsedRows) -> Result<Vec<JobMade>> {
        let (mut good, mut bad) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        for row in rows {
            bad.push(row.map(|request| good.push(request)).err());
        }
        let mut made = self.job_create_bulk(maker, &good).await?.results.into_iter();
        let result = |bad: Option<Error>| match bad {
            None => made.next(),
            Some(error) => Some(refused(&error)),
        };
        Ok(bad.into_iter().filter_map(result).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::queue::test_support::{TestQueue, local};

    testkit::db_test!(batch_is_created_while_its_answer_is_not_read, |db| async move {
        let fixture = TestQueue::new(db, 1).await;
        // The host name makes the hub read the store for each row.
        let request = json!({"definition_key": "hello", "host": "web-1"});
        let request: JobRequest = serde_json::from_value(request).expect("a request");
        let batches = futures_util::stream::iter((0..2).map(|_| Ok(vec![Ok(request.clone())])));
        let maker = Maker::new(local(), fixture.acme);
        let mut made = Box::pin(fixture.hub.job_create_stream(maker, batches));
        let first = made.next().await.expect("the first batch is answered");
        assert!(first[0].id.is_some());
        // The answer of the second batch is never polled.
        let both = async {
            while fixture.hub.job_summary(fixture.acme).await.expect("counts").queued < 2 {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(60), both).await.expect("the second job is created");
    });
}
