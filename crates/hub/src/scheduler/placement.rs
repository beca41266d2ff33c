//! Placement of schedules on hosts: which host fires which trigger itself, also while the hub is unreachable.
//!
//! A placement is an entry in the hub-to-host replication log. The host fires the trigger for all times after the
//! entry's `from_at`. To take the trigger back, the hub marks the entry as deleted; the host remains responsible until
//! it has confirmed the deletion and reported up to which time it has decided. Until then the hub creates no jobs for
//! this host, so a time never runs twice. For runners without this capability the hub fires.

use domain::{
    HostId, Timestamp, TriggerId,
    trigger::{FanOut, FireTarget, FiresAt},
};
use store::{
    Tx,
    host::Host,
    replication::{Handed, Holding},
    trigger::Trigger,
};

use crate::scheduler::hosts::{matching, numbered, usable};
use crate::{Hub, Result};

/// Schedules read per org when one of its hosts changes.
const SCHEDULES_MAX: u32 = 10_000;

/// Whether hosts with the capability fire this trigger themselves.
pub(crate) fn is_for_hosts(trigger: &Trigger) -> bool {
    let is_ours = trigger.hub_id.is_none() && trigger.origin.is_none() && trigger.deleted_at.is_none();
    is_ours && trigger.body.place == FiresAt::Host
}

/// Whether a host fires a trigger itself, or has not yet confirmed that it stopped.
pub(crate) fn has_host_copy(host_copies: &[Holding], trigger: TriggerId, host: HostId) -> bool {
    host_copies.iter().any(|holding| holding.trigger_id == trigger && holding.host_id == host)
}

/// Log entries after which exactly the hosts in `wanted` fire the trigger. The caller holds the trigger's lock and has
/// decided all times up to its `settled_at`, from which the hosts continue: a gap or an overlap would skip a time or
/// run it twice.
pub(crate) fn changes(trigger: &Trigger, wanted: &[HostId], host_copies: &[Holding], is_changed: bool) -> Vec<Handed> {
    let from_at = trigger.settled_at.max(trigger.enabled_at);
    let of =
        |host: HostId| host_copies.iter().find(|holding| holding.trigger_id == trigger.id && holding.host_id == host);
    let begins = |host: &&HostId| is_changed || of(**host).is_none_or(|holding| holding.is_deleted);
    let begin = wanted.iter().filter(begins).map(|host| Handed {
        host_id: *host,
        trigger_id: trigger.id,
        is_deleted: false,
        from_at,
    });
    let ends = |holding: &&Holding| {
        holding.trigger_id == trigger.id && !holding.is_deleted && !wanted.contains(&holding.host_id)
    };
    let end = host_copies.iter().filter(ends).map(|holding| Handed {
        host_id: holding.host_id,
        trigger_id: trigger.id,
        is_deleted: true,
        from_at: holding.from_at,
    });
    begin.chain(end).collect()
}

/// Writes the log entries of a trigger that was created, changed or removed. Call it last in the transaction.
pub(crate) async fn hand_over(hub: &Hub, tx: &mut Tx<'_>, trigger: &Trigger, now: Timestamp) -> Result<()> {
    let host_copies = tx.sync_log_of(&[trigger.id]).await?;
    let wanted = wanted(tx, trigger).await?;
    if !wanted.is_empty() {
        numbered(tx, trigger, &wanted, now).await?;
    }
    tx.sync_log_put(&changes(trigger, &wanted, &host_copies, true), mark(hub), now).await?;
    Ok(())
}

/// Repeats the log entries of all triggers that run a changed definition, so that their hosts receive its new version.
pub(crate) async fn definition_changed(hub: &Hub, tx: &mut Tx<'_>, key: &str, now: Timestamp) -> Result<()> {
    let host_copies = tx.sync_log_of_definition(key).await?;
    let again: Vec<Handed> = host_copies
        .into_iter()
        .map(|Holding { host_id, trigger_id, is_deleted, from_at, .. }| Handed {
            host_id,
            trigger_id,
            is_deleted,
            from_at,
        })
        .collect();
    tx.sync_log_put(&again, mark(hub), now).await?;
    Ok(())
}

/// Updates the placements of a host whose labels or capabilities have changed.
pub(crate) async fn host_changed(hub: &Hub, tx: &mut Tx<'_>, host: &Host, now: Timestamp) -> Result<()> {
    // Another hub is this host's primary and places its schedules.
    if host.primary_hub.is_some() {
        return Ok(());
    }
    let host_copies = tx.sync_log_of_host(host.id).await?;
    let schedules = tx.trigger_schedules(host.org_id, TriggerId::from_bytes([0; 16]), SCHEDULES_MAX).await?;
    let mut handed = Vec::new();
    for trigger in schedules {
        let is_wanted = is_for_hosts(&trigger) && targets_host(&trigger, host) && host.has_standalone;
        let has_it = host_copies.iter().any(|holding| holding.trigger_id == trigger.id && !holding.is_deleted);
        if is_wanted == has_it {
            continue;
        }
        let Some(trigger) = tx.trigger_lock(host.org_id, trigger.id).await? else { continue };
        if is_wanted {
            numbered(tx, &trigger, &[host.id], now).await?;
        }
        let wanted: &[HostId] = if is_wanted { &[host.id] } else { &[] };
        handed.extend(changes(&trigger, wanted, &host_copies, false));
    }
    tx.sync_log_put(&handed, mark(hub), now).await?;
    Ok(())
}

/// Whether a schedule creates jobs for this host in particular.
pub(crate) fn targets_host(trigger: &Trigger, host: &Host) -> bool {
    match &trigger.body.target {
        FireTarget::Host(id) => *id == host.id,
        FireTarget::Selector { selector, spread: FanOut::Each } => {
            selector.parse::<domain::Selector>().is_ok_and(|selector| selector.matches(&host.labels))
        }
        _ => false,
    }
}

/// A random mark for log entries. 53 bits, because JSON readers that use doubles cannot represent more.
pub(crate) fn mark(hub: &Hub) -> u64 {
    u64::from_be_bytes(hub.random.bytes()) >> 11
}

/// The hosts that must fire a trigger themselves.
async fn wanted(tx: &mut Tx<'_>, trigger: &Trigger) -> Result<Vec<HostId>> {
    if !is_for_hosts(trigger) {
        return Ok(Vec::new());
    }
    let hosts = match &trigger.body.target {
        FireTarget::Host(host) => vec![*host],
        FireTarget::Selector { selector, spread: FanOut::Each } => {
            matching(tx, trigger.org_id, &selector.parse()?).await?
        }
        _ => Vec::new(),
    };
    let mut wanted = Vec::new();
    for host in hosts {
        let view = usable(tx, trigger.org_id, host).await?;
        if view.is_some_and(|view| can_fire(&view.host, trigger)) {
            wanted.push(host);
        }
    }
    Ok(wanted)
}

/// Whether a host can fire this trigger itself: its runner has the capability, and the trigger is of the host's own
/// org. A shared host replicates its rows to its own org only.
pub(crate) fn can_fire(host: &Host, trigger: &Trigger) -> bool {
    host.has_standalone && host.org_id == trigger.org_id
}
