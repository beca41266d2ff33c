//! Sums the increments of job counts, so that reading the counts stays fast, and updates the cached queue depths.
//!
//! Transactions append increments instead of updating one row per org, which would serialize them.

use std::collections::BTreeMap;

use domain::{OrgId, Span};
use runtime::{Next, Pass, Task};
use store::tally::Tally;

use crate::{Error, Hub};

/// Increments summed in one transaction.
const BATCH: u32 = 5_000;

/// Sums increments of job counts.
pub struct CountRollup {
    hub: Hub,
}

impl CountRollup {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for CountRollup {
    const NAME: &'static str = "count_rollup";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, _: Pass) -> anyhow::Result<Next> {
        let ids = self.hub.ids.clone();
        let folded = self.hub.store.write(move |tx| {
            Box::pin(async move {
                let taken = tx.tally_take(BATCH).await?;
                let mut sums: BTreeMap<OrgId, Tally> = BTreeMap::new();
                for (org, tally) in &taken {
                    sums.entry(*org).or_default().add(tally);
                }
                let sums: Vec<(OrgId, Tally)> = sums.into_iter().collect();
                tx.tally_add(&sums, &mut move || ids.next::<domain::id::kind::Audit>().to_bytes()).await?;
                Ok::<_, Error>(taken.len())
            })
        });
        let is_more = folded.await? == BATCH as usize;
        let counts = self.hub.store.read(|tx| Box::pin(async move { tx.tally_all().await.map_err(Error::from) }));
        self.hub.queue.queue_depth.set(&counts.await?);
        Ok(if is_more { Next::Again } else { Next::Wait })
    }
}
