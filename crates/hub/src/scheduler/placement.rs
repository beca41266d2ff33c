//! Schedules that fire on their hosts: which host is to have which trigger, and who decides meanwhile.
//!
//! A host decides by itself from the moment the hub has written that it is to, and until the host has said that it
//! stopped and up to where it had decided. In between nobody else makes jobs for this host: a time never runs twice.
//! A runner that cannot fire by itself says so by not saying that it can; then the hub fires for it.

use domain::{
    HostId, Timestamp, TriggerId,
    trigger::{Aim, FiresAt, Spread},
};
use store::{
    Tx,
    host::Host,
    replication::{Handed, Holding},
    trigger::Trigger,
};

use crate::scheduler::targets::{matching, numbered, usable};
use crate::{Hub, Result};

/// Schedules of an org looked at when one of its hosts changes.
const SCHEDULES_MAX: u32 = 10_000;

/// Whether hosts that can are to fire this trigger by themselves.
pub(crate) fn is_for_hosts(trigger: &Trigger) -> bool {
    let is_ours = trigger.hub_id.is_none() && trigger.origin.is_none() && trigger.deleted_at.is_none();
    is_ours && trigger.body.place == FiresAt::Host
}

/// Whether a host decides about a trigger, or has not said yet that it stopped.
pub(crate) fn is_held(held: &[Holding], trigger: TriggerId, host: HostId) -> bool {
    held.iter().any(|holding| holding.trigger_id == trigger && holding.host_id == host)
}

/// What hosts have to be told so that these ones have the trigger, and no others. It must be locked, and everything up
/// to where it is settled decided.
pub(crate) fn changes(trigger: &Trigger, wanted: &[HostId], held: &[Holding], is_changed: bool) -> Vec<Handed> {
    let from_at = trigger.settled_at.max(trigger.enabled_at);
    let of = |host: HostId| held.iter().find(|holding| holding.trigger_id == trigger.id && holding.host_id == host);
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
    let end = held.iter().filter(ends).map(|holding| Handed {
        host_id: holding.host_id,
        trigger_id: trigger.id,
        is_deleted: true,
        from_at: holding.from_at,
    });
    begin.chain(end).collect()
}

/// A trigger was made, changed or removed: its hosts are told, at the end of the transaction.
pub(crate) async fn hand_over(hub: &Hub, tx: &mut Tx<'_>, trigger: &Trigger, now: Timestamp) -> Result<()> {
    let held = tx.sync_log_of(&[trigger.id]).await?;
    let wanted = wanted(tx, trigger).await?;
    if !wanted.is_empty() {
        numbered(tx, trigger, &wanted, now).await?;
    }
    tx.sync_log_put(&changes(trigger, &wanted, &held, true), mark(hub), now).await?;
    Ok(())
}

/// A definition has another version: whoever holds triggers that run it is told.
pub(crate) async fn definition_changed(hub: &Hub, tx: &mut Tx<'_>, key: &str, now: Timestamp) -> Result<()> {
    let held = tx.sync_log_of_definition(key).await?;
    let again: Vec<Handed> = held
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

/// A host has other labels, or another runner: it is told what it is to fire from now on.
pub(crate) async fn host_changed(hub: &Hub, tx: &mut Tx<'_>, host: &Host, now: Timestamp) -> Result<()> {
    // What it does here is its home's affair.
    if host.home.is_some() {
        return Ok(());
    }
    let held = tx.sync_log_of_host(host.id).await?;
    let schedules = tx.trigger_schedules(host.org_id, TriggerId::from_bytes([0; 16]), SCHEDULES_MAX).await?;
    let mut handed = Vec::new();
    for trigger in schedules {
        let is_wanted = is_for_hosts(&trigger) && aims_at(&trigger, host) && host.has_desk;
        let has_it = held.iter().any(|holding| holding.trigger_id == trigger.id && !holding.is_deleted);
        if is_wanted == has_it {
            continue;
        }
        let Some(trigger) = tx.trigger_lock(host.org_id, trigger.id).await? else { continue };
        if is_wanted {
            numbered(tx, &trigger, &[host.id], now).await?;
        }
        let wanted: &[HostId] = if is_wanted { &[host.id] } else { &[] };
        handed.extend(changes(&trigger, wanted, &held, false));
    }
    tx.sync_log_put(&handed, mark(hub), now).await?;
    Ok(())
}

/// Whether a schedule's jobs go to this host, and to no other in its stead.
pub(crate) fn aims_at(trigger: &Trigger, host: &Host) -> bool {
    match &trigger.body.target {
        Aim::Host(id) => *id == host.id,
        Aim::Selector { selector, spread: Spread::Each } => {
            selector.parse::<domain::Selector>().is_ok_and(|selector| selector.matches(&host.labels))
        }
        _ => false,
    }
}

/// A mark for what is written now. Some who speak JSON have no larger numbers.
pub(crate) fn mark(hub: &Hub) -> u64 {
    u64::from_be_bytes(hub.random.bytes()) >> 11
}

/// The hosts that are to fire a trigger by themselves.
async fn wanted(tx: &mut Tx<'_>, trigger: &Trigger) -> Result<Vec<HostId>> {
    if !is_for_hosts(trigger) {
        return Ok(Vec::new());
    }
    let hosts = match &trigger.body.target {
        Aim::Host(host) => vec![*host],
        Aim::Selector { selector, spread: Spread::Each } => matching(tx, trigger.org_id, &selector.parse()?).await?,
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

/// Whether a host can fire this trigger by itself: its runner can, and it is of the same org. A host that is lent out
/// tells only its own org what it does.
pub(crate) fn can_fire(host: &Host, trigger: &Trigger) -> bool {
    host.has_desk && host.org_id == trigger.org_id
}
