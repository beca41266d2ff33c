//! Jobs without end: batch after batch, each written and answered for itself, two at a time.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use futures_util::{Stream, StreamExt as _};
use proto::api::job::{JobMade, JobRequest};

use super::Maker;
use crate::{Error, Hub, Result};

/// Batches that are checked or written at once.
const BATCHES_AT_ONCE: usize = 2;

/// Rows as they came: each can be wrong.
type Rows = Vec<Result<JobRequest>>;

fn refused(error: &Error) -> JobMade {
    JobMade { id: None, deduplicated: false, error: Some((*error.problem).clone()) }
}

impl Hub {
    /// Makes jobs as they come: one result for each row, in order. If a batch cannot be written, each of its rows says
    /// so and no more batches are taken.
    pub fn job_create_stream<S>(&self, maker: Maker, batches: S) -> impl Stream<Item = Vec<JobMade>> + Send + use<S>
    where
        S: Stream<Item = Result<Rows>> + Send,
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
                    let (count, made) = match rows {
                        Ok(rows) => (rows.len(), hub.job_create_rows(&maker, rows).await),
                        Err(error) => (1, Err(error)),
                    };
                    made.unwrap_or_else(|error| {
                        has_failed.store(true, Ordering::SeqCst);
                        vec![refused(&error); count]
                    })
                }
            })
            .buffered(BATCHES_AT_ONCE)
    }

    /// One result for each row, in order, also for those that could not be read.
    ///
    /// # Errors
    /// As for [`Hub::job_create_bulk`].
    pub async fn job_create_rows(&self, maker: &Maker, rows: Rows) -> Result<Vec<JobMade>> {
        let good: Vec<JobRequest> = rows.iter().filter_map(|row| row.as_ref().ok().cloned()).collect();
        let mut made = self.job_create_bulk(maker, &good).await?.results.into_iter();
        let result = |row: Result<JobRequest>| match row {
            Ok(_) => made.next(),
            Err(error) => Some(refused(&error)),
        };
        Ok(rows.into_iter().filter_map(result).collect())
    }
}
