//! Computes the status of every host and sends changes to live sockets.

use std::collections::HashMap;

use domain::{
    HostId, OrgId, Span, Timestamp,
    presence::{HostStatus, heartbeat_interval},
};
use runtime::{Next, Pass, Task};
use serde_json::json;
use store::host::HostView;

use crate::{
    Error, Hub,
    app::host_state::{judged, outbox},
};

/// Hosts per page.
const PAGE: u32 = 1_000;

/// Most promotions read.
const ORGS_MAX: u32 = 10_000;

/// Status of a host in the last pass.
struct LastStatus {
    org: OrgId,
    name: String,
    status: HostStatus,
    updated_at: Timestamp,
}

/// Watches the status of all hosts. It keeps the last status only to notice changes; the status itself is always
/// computed from the store.
pub struct Presence {
    hub: Hub,
    /// `None` before the first pass, which sends no events.
    last: Option<HashMap<HostId, LastStatus>>,
}

impl Presence {
    /// Creates the loop of this hub.
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
        // Read all hosts before `last` is taken: if the read fails, the next pass must not look like the first one.
        let hosts = self.hosts().await?;
        let mut last = self.last.take();
        let mut seen = HashMap::with_capacity(hosts.len());
        let mut counts: HashMap<HostStatus, i64> = HashMap::new();
        for view in &hosts {
            let (status, reason) = judged(view, cx.now, since);
            *counts.entry(status).or_default() += 1;
            let before = last.as_mut().map(|last| last.remove(&view.host.id));
            if let Some(before) = before {
                self.emit_change(view, status, &reason, before.as_ref(), cx.now);
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
        self.hub
            .heartbeat_intervals
            .set(hosts.iter().map(|view| (view.host.id, heartbeat_interval(usual, view.offline_after()))));
        let rotations = hosts.iter().filter_map(|view| {
            let host = &view.host;
            host.key_version_wanted.filter(|wanted| *wanted > host.key_version).map(|wanted| (host.id, wanted))
        });
        self.hub.key_rotations.set(rotations);
        self.hub.promotions.set(self.promotions().await?);
        self.hub.metrics.set_hosts(&counts);
        let waiting = hosts.iter().filter_map(outbox);
        let (sum, most) = waiting.fold((0_i64, 0_i64), |(sum, most), one| (sum.saturating_add(one), most.max(one)));
        self.hub.metrics.set_outbox(sum, most);
        Ok(Next::Wait)
    }
}

impl Presence {
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

    /// The promotions of this hub to primary, by org.
    async fn promotions(&self) -> Result<Vec<(OrgId, u64)>, Error> {
        let read =
            self.hub.store.read(|tx| Box::pin(async move { tx.primary_ours(ORGS_MAX).await.map_err(Error::from) }));
        read.await
    }

    /// Sends the change of one host; `before` is its last status, `None` for a new host.
    fn emit_change(
        &self,
        view: &HostView,
        status: HostStatus,
        reason: &str,
        before: Option<&LastStatus>,
        now: Timestamp,
    ) {
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
