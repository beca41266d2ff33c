//! Where a trigger's jobs go: hosts with their numbers, or a queue.

use std::collections::HashMap;

use domain::{
    HostId, OrgId, Selector, Timestamp,
    lane::Target,
    presence::HostStatus,
    server::ServerOp,
    trigger::{Aim, Missed, Spread},
};
use store::{
    Tx,
    host::HostView,
    trigger::{Trigger, TriggerHost},
};

use crate::scheduler::placement as place;
use crate::{
    Error, Hub, Result,
    app::hosts::judged,
    queue::{definitions::Compiled, servers},
};

/// Hosts that one trigger can be for.
pub(crate) const HOSTS_MAX: usize = 10_000;

/// One place where a fire makes its job.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    /// The host's number within the trigger.
    pub(crate) ordinal: i32,
    /// The host, if it is for one.
    pub(crate) host: Option<HostId>,
    /// Its name.
    pub(crate) name: Option<String>,
    /// Where the job goes.
    pub(crate) target: Target,
    /// Whether the host comes and goes, and is gone.
    pub(crate) is_asleep: bool,
    /// Whether the host comes and goes, has come, and what it slept through is not made up for yet.
    pub(crate) is_returning: bool,
    /// Whether the host can fire the trigger by itself.
    pub(crate) has_desk: bool,
    /// Up to here the host has decided by itself.
    pub(crate) settled_at: Option<Timestamp>,
}

impl Spot {
    pub(crate) fn anywhere(target: Target) -> Self {
        Self {
            ordinal: 0,
            host: None,
            name: None,
            target,
            is_asleep: false,
            is_returning: false,
            has_desk: false,
            settled_at: None,
        }
    }
}

/// Where the jobs of a trigger go now. Hosts that are new to it get their numbers; the trigger must be locked.
///
/// # Errors
/// There is no such host (any more): a sentence for the history, with a code below 500.
pub(crate) async fn spots(
    hub: &Hub,
    tx: &mut Tx<'_>,
    trigger: &Trigger,
    compiled: &Compiled,
    now: Timestamp,
) -> Result<Vec<Spot>> {
    if let Some(spot) = at_server(tx, trigger, compiled).await? {
        return Ok(vec![spot]);
    }
    let hosts = match &trigger.body.target {
        Aim::Definition => {
            let definition = &compiled.definition;
            let target = match &definition.selector {
                Some(selector) => Target::Selector(selector.selector().clone()),
                None => Target::Queue(definition.queue.clone()),
            };
            return Ok(vec![Spot::anywhere(target)]);
        }
        Aim::Queue(queue) => return Ok(vec![Spot::anywhere(Target::Queue(queue.clone()))]),
        Aim::Selector { selector, spread: Spread::Any } => {
            return Ok(vec![Spot::anywhere(Target::Selector(selector.parse()?))]);
        }
        Aim::Host(host) => vec![*host],
        Aim::Selector { selector, spread: Spread::Each } => matching(tx, trigger.org_id, &selector.parse()?).await?,
    };
    let numbers = numbered(tx, trigger, &hosts, now).await?;
    let mut found = Vec::with_capacity(hosts.len());
    for host in hosts {
        let Some(view) = usable(tx, trigger.org_id, host).await? else {
            if matches!(trigger.body.target, Aim::Host(_)) {
                return Err(Error::not_found("host", host).hint("point the trigger at another host"));
            }
            continue;
        };
        let number = numbers.get(&host);
        let spot = at_host(hub, &view, number.map_or(0, |number| number.ordinal), now);
        found.push(Spot {
            has_desk: place::can_fire(&view.host, trigger),
            settled_at: number.and_then(|number| number.settled_at),
            is_returning: !hub.options.is_desk && is_returning(trigger, &view, number),
            ..spot
        });
    }
    Ok(found)
}

/// Where what is asked of a server is done: on its host, wherever that is by now. If it sleeps, the job waits for it.
async fn at_server(tx: &mut Tx<'_>, trigger: &Trigger, compiled: &Compiled) -> Result<Option<Spot>> {
    if ServerOp::of_definition(compiled.definition.id).is_none() {
        return Ok(None);
    }
    let named = servers::named(&trigger.body.payload_template).ok_or_else(|| Error::invalid("it names no server"))?;
    let server = tx.server_get(trigger.org_id, named).await?;
    let server = server.ok_or_else(|| Error::not_found("server", named).hint("point the trigger at another server"))?;
    let host = server.host_id;
    Ok(Some(Spot { host: Some(host), ..Spot::anywhere(Target::Host(host)) }))
}

/// Whether a time that comes now belongs to what the host is made up for once it has settled. Else its job could
/// succeed first, and the times before it would never be answered.
fn is_returning(trigger: &Trigger, view: &HostView, number: Option<&TriggerHost>) -> bool {
    let judged = number.map_or(-1, |number| number.judged_epoch);
    let session = view.session.as_ref().filter(|session| session.closed_at.is_none());
    !view.host.always_on && trigger.body.missed != Missed::Skip && session.is_some_and(|session| session.epoch > judged)
}

/// One host as a place for a trigger's job.
pub(crate) fn at_host(hub: &Hub, view: &HostView, ordinal: i32, now: Timestamp) -> Spot {
    let (status, _) = judged(view, now, hub.judged_since(now));
    Spot {
        ordinal,
        host: Some(view.host.id),
        name: Some(view.host.name.clone()),
        target: Target::Host(view.host.id),
        // Whoever sits at a machine's own desk is awake, whatever the last heartbeat says: it has just woken up.
        is_asleep: status == HostStatus::Asleep && !hub.options.is_desk,
        is_returning: false,
        has_desk: false,
        settled_at: None,
    }
}

/// Hosts within a trigger: their numbers, and what was decided about each.
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

/// Hosts of an org whose labels match, in a fixed order.
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

/// A host that an org may send jobs to from here.
pub(crate) async fn usable(tx: &mut Tx<'_>, org: OrgId, host: HostId) -> Result<Option<HostView>> {
    let is_ours = tx.host_for(org, host).await?.is_some_and(|found| found.revoked_at.is_none() && found.home.is_none());
    if is_ours { Ok(tx.host_anywhere(host).await?) } else { Ok(None) }
}
