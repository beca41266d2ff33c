//! The servers of a host, for its metrics: a heartbeat contains ids, and a host reports only servers that it runs.

use std::collections::HashMap;

use domain::{HostSender, ServerId, Span, Timestamp, rejection::RejectReason};
use proto::metrics::HostMetrics;
use store::replication::ServerOwner;

use crate::{Error, Hub};

/// For how long an owner is remembered. A server can move, so it is read again.
const REMEMBERED: Span = Span::from_secs(60);
/// Shortest time between two queries. Bounds the load by a host that invents new ids in every heartbeat; the metrics of
/// a new server begin that much later.
const QUERY_EVERY: Span = Span::from_secs(5);

/// Owners of the servers in the last heartbeats of a session.
#[derive(Default)]
pub(crate) struct HostServers {
    owners: HashMap<ServerId, ServerOwner>,
    read_at: Option<Timestamp>,
}

impl HostServers {
    /// Removes servers that are not on this host from the metrics.
    pub(super) async fn retain_own(&mut self, hub: &Hub, sender: HostSender, metrics: &mut HostMetrics) {
        if metrics.servers.is_empty() {
            return;
        }
        let ids: Vec<ServerId> = metrics.servers.iter().map(|server| server.id).collect();
        let now = hub.now();
        let age = self.read_at.map(|at| now.since(at));
        let is_new = ids.iter().any(|id| !self.owners.contains_key(id));
        if age.is_none_or(|age| age >= REMEMBERED || is_new && age >= QUERY_EVERY) {
            self.read(hub, sender, ids, now).await;
        }
        let owner = |id: &ServerId| self.owners.get(id).copied().unwrap_or(ServerOwner::Unknown);
        let foreign = metrics.servers.iter().filter(|server| owner(&server.id) == ServerOwner::Foreign).count();
        if foreign > 0 {
            hub.reject(sender.host(), RejectReason::ForeignServer, foreign, "metrics of a server of another host");
        }
        metrics.servers.retain(|server| owner(&server.id) == ServerOwner::Sender);
    }

    async fn read(&mut self, hub: &Hub, sender: HostSender, ids: Vec<ServerId>, now: Timestamp) {
        self.read_at = Some(now);
        let owners = hub
            .store
            .read(move |tx| Box::pin(async move { tx.server_owners(sender, &ids).await.map_err(Error::from) }))
            .await;
        match owners {
            Ok(owners) => self.owners = owners,
            // Without the database the metrics of servers are dropped, as the heartbeat itself will be.
            Err(error) => {
                tracing::debug!(host.id = %sender.host(), error = %error, "cannot read the servers of a host")
            }
        }
    }
}
