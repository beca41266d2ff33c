//! The primary hub of hosts that have joined several hubs. A promotion makes this hub the primary; a later promotion of
//! another hub ends that.
//!
//! A hub never decides alone that it is a host's primary. It sends its promotion to its hosts, and each host reports
//! the promotion it follows with every new link. So a hub that was away learns of a newer promotion from the first
//! host that connects.

use domain::{
    OrgId,
    primary::{HubPromotions, Promotion},
};
use proto::{api::primary::Promoted, sync::hub_id};
use serde_json::json;
use store::{Tx, host::Host};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result};

/// Hosts named in an answer as still to move.
const HOSTS_MAX: u32 = 1_000;

impl Hub {
    /// Makes this hub the primary of an organization's hosts. Hosts with another primary move when they receive the
    /// promotion.
    ///
    /// # Errors
    /// Fails if the organization does not exist.
    pub async fn promote(&self, by: &RequestContext, org: OrgId) -> Result<Promoted> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        let promoted = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let found = tx.org_lock(org).await?.ok_or_else(|| Error::not_found("org", org))?;
                    let before = tx.primary_get(org).await?;
                    let after = before.promoted();
                    tx.primary_put(org, after, now).await?;
                    let diff = json!({"number": [before.number, after.number]});
                    let entry = AuditEntry {
                        action: "hub.promoted",
                        kind: "org",
                        id: Some(org.to_string()),
                        name: Some(&found.slug),
                        diff,
                    };
                    by.record(&hub, tx, Some(org), entry).await?;
                    let hosts = tx.host_list(org, "", HOSTS_MAX).await?.into_iter().map(|view| view.host);
                    let hosts = hosts.filter(|host| host.revoked_at.is_none() && host.primary_hub.is_some());
                    Ok::<_, Error>(Promoted { number: after.number, moving: hosts.map(|host| host.name).collect() })
                })
            })
            .await?;
        self.wakes.presence.wake();
        Ok(promoted)
    }
}

/// Handles the promotion a host reports. Returns the number of this hub's own promotion, if the host must learn it.
pub(crate) async fn receive_promotion(
    hub: &Hub,
    tx: &mut Tx<'_>,
    host: &Host,
    followed: Option<Promotion>,
) -> Result<Option<u64>> {
    let (org, ours) = (host.org_id, hub_id(&hub.identity.public_key()));
    let known = tx.primary_get(org).await?;
    let Some(followed) = followed.filter(|followed| known.received(ours, *followed) != known) else {
        return Ok(known.claim());
    };
    // Read again under the lock: another host's session may have stored a newer promotion.
    tx.org_lock(org).await?;
    let before = tx.primary_get(org).await?;
    let after = before.received(ours, followed);
    if after != before {
        tx.primary_put(org, after, hub.now()).await?;
        lost(hub, tx, host, before, after).await?;
    }
    Ok(after.claim())
}

/// Writes an audit entry if this hub was the primary and is not any more.
async fn lost(hub: &Hub, tx: &mut Tx<'_>, host: &Host, before: HubPromotions, after: HubPromotions) -> Result<()> {
    if !before.is_ours || after.is_ours {
        return Ok(());
    }
    let diff = json!({"number": [before.number, after.number], "primary_hub": [null, host.primary_hub]});
    let entry =
        AuditEntry { action: "hub.superseded", kind: "org", id: Some(host.org_id.to_string()), name: None, diff };
    RequestContext::host(host.id, &host.name).record(hub, tx, Some(host.org_id), entry).await
}
