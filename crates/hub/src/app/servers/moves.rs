//! Moves of servers between hosts. A server is assigned to its new host only after the old one has confirmed that it
//! released it, so it never runs on both.

use domain::{OrgId, ServerId, server::ServerOp};
use proto::api::job::JobRequest;
use serde_json::json;
use store::server::{Live, Server};

use super::{super::RequestContext, audit_entry_of, emit, hand_over};
use crate::{Error, Hub, Result, app::jobs::Maker};

/// Servers moved in one pass.
const MOVED_MAX: u32 = 100;

impl Hub {
    /// Moves servers that their old host has released; returns their number.
    pub(crate) async fn servers_move(&self) -> Result<usize> {
        let ready = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.server_movable(MOVED_MAX).await?) }))
            .await?;
        let mut moved = 0;
        for server in ready {
            if let Some((org, id)) = self.server_move(server).await? {
                self.start_moved(org, id).await;
            }
            moved += 1;
        }
        Ok(moved)
    }

    /// Assigns a server to its new host; returns its id if it must be started there.
    async fn server_move(&self, server: Server) -> Result<Option<(OrgId, ServerId)>> {
        let (hub, now) = (self.clone(), self.now());
        let starts = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let Some(row) = tx.server_lock(server.org_id, server.id).await? else { return Ok(None) };
                    let Some(next) = row.next_host.filter(|_| row.version == server.version) else { return Ok(None) };
                    let (before, version) = (row.version, row.version + 1);
                    let moved = Server {
                        version,
                        host_id: next,
                        next_host: None,
                        starts_there: false,
                        updated_at: now,
                        ..row.clone()
                    };
                    tx.server_want(&moved, before).await?;
                    // Run numbers continue: they are unique per server, not per host.
                    let live = Live { run_no: row.live.run_no, ..Live::new(now) };
                    tx.server_live(&moved, &live, hub.ids.next(), now).await?;
                    let by = RequestContext::system();
                    let what = json!({"host": [row.host_id, next]});
                    by.record(&hub, tx, Some(row.org_id), audit_entry_of(&moved, "server.moved", what)).await?;
                    emit(&hub, tx, "server.moved", &moved, now).await?;
                    hand_over(&hub, tx, &moved, next, false, now).await?;
                    Ok::<_, Error>(row.starts_there.then_some((row.org_id, row.id)))
                })
            })
            .await?;
        self.wakes.dispatch_poll.wake();
        self.news();
        Ok(starts)
    }

    async fn start_moved(&self, org: OrgId, server: ServerId) {
        let by = RequestContext::system();
        let maker = Maker::new(by, org);
        let wanted = JobRequest {
            definition_key: ServerOp::Start.key().to_owned(),
            payload: json!({"server": server}),
            ..JobRequest::default()
        };
        if let Err(error) = self.job_create(&maker, wanted).await {
            tracing::warn!(server.id = %server, error = %error, "cannot start a server after its move");
        }
    }
}
