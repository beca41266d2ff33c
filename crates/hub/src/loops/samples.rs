//! Stores the buffered metrics of hosts, servers and jobs when their minute is complete.

use domain::Span;
use runtime::{Next, Pass, Task};

use crate::{Error, Hub};

/// Rows written in one transaction.
const BATCH: usize = 1_000;

/// Stores metric samples.
pub struct Samples {
    hub: Hub,
}

impl Samples {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for Samples {
    const NAME: &'static str = "samples";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let (hub, now) = (self.hub.id, cx.now);
        for batch in self.hub.samples.take(now).chunks(BATCH) {
            let batch = batch.to_vec();
            let write = self.hub.store.write(move |tx| {
                Box::pin(async move { tx.sample_append(hub, &batch, now).await.map_err(Error::from) })
            });
            write.await?;
        }
        Ok(Next::Wait)
    }
}
