//! Judges every host and tells those who listen what changed.

use std::collections::HashMap;

use domain::{
    HostId, OrgId, Span, Timestamp,
    presence::{HostStatus, pace},
};
use runtime::{Next, Pass, Task};
use serde_json::json;
use store::host::HostView;

use crate::{
    Error, Hub,
    app::hosts::{judged, outbox},
};

/// Hosts read at a time.
const PAGE: u32 = 1_000;

/// Orgs for which a hub can be promoted: more than anybody has.
const ORGS_MAX: u32 = 10_000;

/// What was last seen of a host.
struct LastStatus {
    org: OrgId,
    name: String,
    status: HostStatus,
    updated_at: Timestamp,
}

/// Watches the state of all hosts. It remembers what it last saw only to notice changes: the state itself
/// is always computed from the store.
pub struct Presence {
    hub: Hub,
    /// `None` before the first pass: what is there then is not news.
    last: Option<HashMap<HostId, LastStatus>>,
}

impl Presence {
    /// For this hub.
    #[must_use]
    pub fn new(hub: Hub) -> Self {
        Self { hub, last: None }
    }
}

impl Task for Presence {
    const NAME: &'static str = "presence";
    const BACKOFF_CAP: Span = super::SOON;

    async fn pass(&mut self, cx: Pass) -> anyhow::Result<Next> {
        let since = self.hub.judged_since(cx.now);
        // All of it is read before anything is told: a pass that fails must not look like a first one.
        let hosts = self.hosts().await?;
        let mut last = self.last.take();
        let mut seen = HashMap::with_capacity(hosts.len());
        let mut counts: HashMap<HostStatus, i64> = HashMap::new();
        for view in &hosts {
            let (status, reason) = judged(view, cx.now, since);
            *counts.entry(status).or_default() += 1;
            let before = last.as_mut().map(|last| last.remove(&view.host.id));
            if let Some(before) = before {
                self.tell(view, status, &reason, before.as_ref(), cx.now);
            }
            let host = &view.host;
            seen.insert(
                host.id,
                LastStatus { org: host.org_id, name: host.name.clone(), status, updated_at: host.updated_at },
            );
        }
        for (id, gone) in last.into_iter().flatten() {
            self.hub.live.emit(gone.org, "host.removed", cx.now, Some(id), json!({"name": gone.name}));
        }
        self.last = Some(seen);
        let usual = self.hub.options.heartbeat;
        self.hub.heartbeat_intervals.set(hosts.iter().map(|view| (view.host.id, pace(usual, view.offline_after()))));
        self.hub.promotions.set(self.promotions().await?);
        self.hub.metrics.set_hosts(&counts);
        let waiting = hosts.iter().filter_map(outbox);
        let (sum, most) = waiting.fold((0_i64, 0_i64), |(sum, most), one| (sum.saturating_add(one), most.max(one)));
        self.hub.metrics.set_outbox(sum, most);
        Ok(Next::Wait)
    }
}

impl Presence {
    /// All hosts of all orgs.
    async fn hosts(&self) -> Result<Vec<HostView>, Error> {
        let (mut all, mut after) = (Vec::new(), HostId::from_bytes([0; 16]));
        loop {
            let read = self
                .hub
                .store
                .read(move |tx| Box::pin(async move { tx.host_list_all(after, PAGE).await.map_err(Error::from) }));
            let page = read.await?;
            let Some(end) = page.last() else { return Ok(all) };
            after = end.host.id;
            all.extend(page);
        }
    }

    /// The orgs for whose hosts this hub was promoted.
    async fn promotions(&self) -> Result<Vec<(OrgId, u64)>, Error> {
        let read = self.hub.store.read(|tx| Box::pin(async move { tx.home_ours(ORGS_MAX).await.map_err(Error::from) }));
        read.await
    }

    /// Tells what is new of one host; `before` is what was known of it, if anything.
    fn tell(&self, view: &HostView, status: HostStatus, reason: &str, before: Option<&LastStatus>, now: Timestamp) {
        let host = &view.host;
        let data = json!({"name": host.name, "status": status, "status_reason": reason, "before": before.map(|known| known.status)});
        let kind = match before {
            None => "host.joined".to_owned(),
            Some(known) if known.status != status => format!("host.{status}"),
            Some(known) if known.updated_at != host.updated_at => "host.changed".to_owned(),
            Some(_) => return,
        };
        self.hub.live.emit(host.org_id, &kind, now, Some(host.id), data);
    }
}
