//! Hosts that a trigger or a selector names.

use std::collections::HashMap;

use domain::{HostId, OrgId, Selector, Timestamp};
use store::{
    Tx,
    host::HostView,
    trigger::{Trigger, TriggerHost},
};

use crate::Result;

/// Hosts that one trigger can target.
pub(crate) const HOSTS_MAX: usize = 10_000;

/// The rows of hosts within a trigger, with their ordinals; inserts missing ones.
pub(crate) async fn numbered(
    tx: &mut Tx<'_>,
    trigger: &Trigger,
    hosts: &[HostId],
    now: Timestamp,
) -> Result<HashMap<HostId, TriggerHost>> {
    let known = tx.trigger_hosts(&[trigger.id]).await?;
    let new: Vec<HostId> =
        hosts.iter().filter(|host| !known.iter().any(|known| known.host_id == **host)).copied().collect();
    let known = if new.is_empty() {
        known
    } else {
        tx.trigger_host_put(trigger, &new, now).await?;
        tx.trigger_hosts(&[trigger.id]).await?
    };
    Ok(known.into_iter().map(|known| (known.host_id, known)).collect())
}

/// Hosts of an org whose labels match, ordered by id.
pub(crate) async fn matching(tx: &mut Tx<'_>, org: OrgId, selector: &Selector) -> Result<Vec<HostId>> {
    let mut hosts: Vec<HostId> = tx
        .servants(org)
        .await?
        .into_iter()
        .filter(|servant| selector.matches(&servant.labels))
        .map(|servant| servant.host_id)
        .collect();
    hosts.sort_unstable();
    hosts.truncate(HOSTS_MAX);
    Ok(hosts)
}

/// The host, if this hub can send it jobs of the org: it is not revoked and no other hub is its primary.
pub(crate) async fn usable(tx: &mut Tx<'_>, org: OrgId, host: HostId) -> Result<Option<HostView>> {
    let is_ours =
        tx.host_for(org, host).await?.is_some_and(|found| found.revoked_at.is_none() && found.primary_hub.is_none());
    if is_ours { Ok(tx.host_anywhere(host).await?) } else { Ok(None) }
}
