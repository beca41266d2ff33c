//! Resolves the target of a trigger: hosts with their ordinals, or a queue.

use domain::{
    HostId, Timestamp,
    lane::Target,
    presence::HostStatus,
    server::ServerOp,
    trigger::{FanOut, FireTarget, MissedPolicy},
};
use store::{
    Tx,
    host::HostView,
    trigger::{Trigger, TriggerHost},
};

use crate::scheduler::{
    hosts::{matching, numbered, usable},
    placement as place,
};
use crate::{
    Error, Hub, Result,
    app::host_state::judged,
    queue::{cache::definitions::Compiled, servers},
};

/// A destination of a trigger's jobs.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    /// The host's number within the trigger, part of the key of fire rows; 0 for a queue.
    pub(crate) ordinal: i32,
    pub(crate) host: Option<HostId>,
    pub(crate) name: Option<String>,
    pub(crate) target: Target,
    /// The host is intermittent and offline.
    pub(crate) is_asleep: bool,
    /// The host is intermittent and connected, and its missed times are not yet caught up.
    pub(crate) is_returning: bool,
    /// The host can fire the trigger itself.
    pub(crate) has_standalone: bool,
    /// The host itself has decided all times up to this one.
    pub(crate) settled_at: Option<Timestamp>,
}

impl Destination {
    pub(crate) fn anywhere(target: Target) -> Self {
        Self {
            ordinal: 0,
            host: None,
            name: None,
            target,
            is_asleep: false,
            is_returning: false,
            has_standalone: false,
            settled_at: None,
        }
    }
}

/// Resolves the destinations of a trigger and assigns ordinals to new hosts. The caller holds the trigger's lock.
///
/// # Errors
/// The host or server does not exist (any more). The message goes into the trigger's history; its code is below 500.
pub(crate) async fn destinations(
    hub: &Hub,
    tx: &mut Tx<'_>,
    trigger: &Trigger,
    compiled: &Compiled,
    now: Timestamp,
) -> Result<Vec<Destination>> {
    if let Some(destination) = at_server(tx, trigger, compiled).await? {
        return Ok(vec![destination]);
    }
    let hosts = match &trigger.body.target {
        FireTarget::Definition => {
            let definition = &compiled.definition;
            let target = match &definition.selector {
                Some(selector) => Target::Selector(selector.selector().clone()),
                None => Target::Queue(definition.queue.clone()),
            };
            return Ok(vec![Destination::anywhere(target)]);
        }
        FireTarget::Queue(queue) => return Ok(vec![Destination::anywhere(Target::Queue(queue.clone()))]),
        FireTarget::Selector { selector, spread: FanOut::Any } => {
            return Ok(vec![Destination::anywhere(Target::Selector(selector.parse()?))]);
        }
        FireTarget::Host(host) => vec![*host],
        FireTarget::Selector { selector, spread: FanOut::Each } => {
            matching(tx, trigger.org_id, &selector.parse()?).await?
        }
    };
    let numbers = numbered(tx, trigger, &hosts, now).await?;
    let mut found = Vec::with_capacity(hosts.len());
    for host in hosts {
        let Some(view) = usable(tx, trigger.org_id, host).await? else {
            if matches!(trigger.body.target, FireTarget::Host(_)) {
                return Err(Error::not_found("host", host).hint("point the trigger at another host"));
            }
            continue;
        };
        let number = numbers.get(&host);
        let destination = at_host(hub, &view, number.map_or(0, |number| number.ordinal), now);
        found.push(Destination {
            has_standalone: place::can_fire(&view.host, trigger),
            settled_at: number.and_then(|number| number.settled_at),
            is_returning: !hub.options.is_standalone && is_returning(trigger, &view, number),
            ..destination
        });
    }
    Ok(found)
}

/// The destination of a server operation: the server's current host. If the host is asleep, the job waits for it.
async fn at_server(tx: &mut Tx<'_>, trigger: &Trigger, compiled: &Compiled) -> Result<Option<Destination>> {
    if ServerOp::of_definition(compiled.definition.id).is_none() {
        return Ok(None);
    }
    let named =
        servers::named(&trigger.body.payload_template).ok_or_else(|| Error::invalid("the payload names no server"))?;
    let server = tx.server_get(trigger.org_id, named).await?;
    let server = server.ok_or_else(|| Error::not_found("server", named).hint("point the trigger at another server"))?;
    let host = server.host_id;
    Ok(Some(Destination { host: Some(host), ..Destination::anywhere(Target::Host(host)) }))
}

/// Whether a due time is left to the catch-up of a host that has just reconnected. If it ran now, its success would
/// make the schedule look up to date, and the times missed before would never be caught up.
fn is_returning(trigger: &Trigger, view: &HostView, number: Option<&TriggerHost>) -> bool {
    let judged = number.map_or(-1, |number| number.judged_epoch);
    let session = view.session.as_ref().filter(|session| session.closed_at.is_none());
    !view.host.always_on
        && trigger.body.missed != MissedPolicy::Skip
        && session.is_some_and(|session| session.epoch > judged)
}

/// A host as the destination of a trigger's job.
pub(crate) fn at_host(hub: &Hub, view: &HostView, ordinal: i32, now: Timestamp) -> Destination {
    let (status, _) = judged(view, now, hub.judged_since(now));
    Destination {
        ordinal,
        host: Some(view.host.id),
        name: Some(view.host.name.clone()),
        target: Target::Host(view.host.id),
        // In standalone mode the host is this machine, so it is awake. Its last heartbeat is old if it has just woken
        // up.
        is_asleep: status == HostStatus::Asleep && !hub.options.is_standalone,
        is_returning: false,
        has_standalone: false,
        settled_at: None,
    }
}
