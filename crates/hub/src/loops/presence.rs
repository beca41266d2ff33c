//! Judges every host and tells those who listen what changed.

use std::collections::HashMap;

use domain::{HostId, Timestamp, presence::HostStatus};
use runtime::{Next, Pass, Task};
use serde_json::json;

use crate::{Error, Hub, app::hosts::judged};

/// Hosts read at a time.
const PAGE: u32 = 1_000;

/// Watches the state of all hosts. It remembers what it last saw only to notice changes: the state itself
/// is always computed from the store.
pub struct Presence {
    hub: Hub,
    last: HashMap<HostId, (HostStatus, Timestamp)>,
}

impl Presence {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub, last: HashMap::new() }
    }
}

impl Task for Presence {
    const NAME: &'static str = "presence";

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let since = self.hub.watch().since;
        let is_first = self.last.is_empty();
        let mut now_seen = HashMap::with_capacity(self.last.len());
        let mut counts: HashMap<HostStatus, i64> = HashMap::new();
        let mut after = HostId::from_bytes([0; 16]);
        loop {
            let page = self
                .hub
                .store
                .read(move |tx| Box::pin(async move { tx.host_list_all(after, PAGE).await.map_err(Error::from) }))
                .await?;
            let Some(last) = page.last() else { break };
            after = last.host.id;
            for view in &page {
                let host = &view.host;
                let (status, reason) = judged(view, cx.now, since);
                *counts.entry(status).or_default() += 1;
                match self.last.get(&host.id) {
                    Some((before, _)) if *before != status => {
                        let data =
                            json!({"name": host.name, "status": status, "status_reason": reason, "before": before});
                        self.hub.live.emit(host.org_id, &format!("host.{status}"), cx.now, Some(host.id), data);
                    }
                    Some((_, updated_at)) if *updated_at != host.updated_at => {
                        self.hub.live.emit(
                            host.org_id,
                            "host.changed",
                            cx.now,
                            Some(host.id),
                            json!({"name": host.name}),
                        );
                    }
                    None if !is_first => {
                        let data = json!({"name": host.name, "status": status, "status_reason": reason});
                        self.hub.live.emit(host.org_id, "host.joined", cx.now, Some(host.id), data);
                    }
                    _ => {}
                }
                now_seen.insert(host.id, (status, host.updated_at));
            }
        }
        self.last = now_seen;
        self.hub.metrics.set_hosts(&counts);
        Ok(Next::Wait)
    }
}
