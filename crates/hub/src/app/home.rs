//! The home of hosts that have joined several hubs: made this hub by a promotion, and lost by one of another hub.
//!
//! A hub never decides that it is a host's home: it tells its hosts of its promotion, and each says at its next link whose
//! work it does. So a hub that was away and knows nothing learns it from the first host it hears.

use domain::{
    OrgId,
    home::{Known, Promotion},
};
use proto::{api::home::Promoted, sync::hub_id};
use serde_json::json;
use store::{Tx, host::Host};

use super::{By, Deed};
use crate::{Error, Hub, Result};

/// Hosts that are named as those that have yet to move.
const HOSTS_MAX: u32 = 1_000;

impl Hub {
    /// Makes this hub the home of an org's hosts: each that has another one moves as soon as it hears of it.
    ///
    /// # Errors
    /// The org is gone.
    pub async fn promote(&self, by: &By, org: OrgId) -> Result<Promoted> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        let promoted = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let found = tx.org_lock(org).await?.ok_or_else(|| Error::not_found("org", org))?;
                    let before = tx.home_get(org).await?;
                    let after = before.promoted();
                    tx.home_put(org, after, now).await?;
                    let diff = json!({"number": [before.number, after.number]});
                    let deed = Deed {
                        action: "hub.promoted",
                        kind: "org",
                        id: Some(org.to_string()),
                        name: Some(&found.slug),
                        diff,
                    };
                    by.record(&hub, tx, Some(org), deed).await?;
                    let hosts = tx.host_list(org, "", HOSTS_MAX).await?.into_iter().map(|view| view.host);
                    let hosts = hosts.filter(|host| host.revoked_at.is_none() && host.home.is_some());
                    Ok::<_, Error>(Promoted { number: after.number, moving: hosts.map(|host| host.name).collect() })
                })
            })
            .await?;
        self.wakes.presence.wake();
        Ok(promoted)
    }
}

/// A host says which promotion it follows. Returns what it is to hear of this hub's own.
pub(crate) async fn told(hub: &Hub, tx: &mut Tx<'_>, host: &Host, followed: Option<Promotion>) -> Result<Option<u64>> {
    let (org, ours) = (host.org_id, hub_id(&hub.identity.public_key()));
    let known = tx.home_get(org).await?;
    let Some(followed) = followed.filter(|followed| known.told(ours, *followed) != known) else {
        return Ok(known.claim());
    };
    // Others may have told meanwhile: only what is read under the lock is decided by.
    tx.org_lock(org).await?;
    let before = tx.home_get(org).await?;
    let after = before.told(ours, followed);
    if after != before {
        tx.home_put(org, after, hub.now()).await?;
        lost(hub, tx, host, before, after).await?;
    }
    Ok(after.claim())
}

/// Writes down that another hub was promoted, if this one had been before.
async fn lost(hub: &Hub, tx: &mut Tx<'_>, host: &Host, before: Known, after: Known) -> Result<()> {
    if !before.is_ours || after.is_ours {
        return Ok(());
    }
    let diff = json!({"number": [before.number, after.number], "home": [null, host.home]});
    let deed = Deed { action: "hub.superseded", kind: "org", id: Some(host.org_id.to_string()), name: None, diff };
    By::host(host.id, &host.name).record(hub, tx, Some(host.org_id), deed).await
}
