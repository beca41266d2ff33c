//! Runs missed schedules of intermittent hosts that have reconnected.

use domain::{HostId, Span};
use runtime::{Next, Pass, Task};
use store::host::HostView;

use crate::{Error, Hub, scheduler::catch_up::catch_up};

/// Hosts per page.
const PAGE: u32 = 1_000;

/// Finds reconnected hosts.
pub struct ScheduleCatchUp {
    hub: Hub,
}

impl ScheduleCatchUp {
    /// Creates the loop of this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub }
    }
}

impl Task for ScheduleCatchUp {
    const NAME: &'static str = "schedule_catch_up";
    const BACKOFF_CAP: Span = crate::loops::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let mut after = HostId::from_bytes([0; 16]);
        loop {
            let read = self.hub.store.read(move |tx| {
                Box::pin(async move { tx.host_list_intermittent(after, PAGE).await.map_err(Error::from) })
            });
            let page: Vec<HostView> = read.await?;
            let Some(end) = page.last() else { return Ok(Next::Wait) };
            after = end.host.id;
            catch_up(&self.hub, &page, cx.now).await?;
        }
    }
}
