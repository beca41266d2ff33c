//! Matches events with triggers and creates their jobs.

use std::collections::{HashMap, hash_map::Entry};

use domain::{JobId, OrgId, Timestamp, event_match, trigger::When};
use serde_json::Value;
use store::{Tx, trigger::Trigger};

use crate::scheduler::{
    fire::FirePlan,
    job_from_trigger::{Cause, ResolvedTrigger, request, work},
    targets::destinations,
};
use crate::{
    Error, Hub, Result,
    queue::{
        cache::definitions::Compiled,
        enqueue::{self, EnqueueEffects, Enqueued},
        events::Changes,
    },
};

/// Triggers that one event can fire.
pub(crate) const TRIGGERS_MAX: u32 = 1_000;

/// An event to match.
pub(crate) struct Happening<'a> {
    pub(crate) id: String,
    pub(crate) org: OrgId,
    pub(crate) name: &'a str,
    pub(crate) data: &'a Value,
    pub(crate) correlation_id: Option<&'a str>,
    pub(crate) at: Timestamp,
}

/// Result of matching events.
#[derive(Default)]
pub(crate) struct Matched {
    pub(crate) triggers: u64,
    pub(crate) jobs: Vec<JobId>,
    pub(crate) deduplicated: Vec<JobId>,
    pub(crate) refused: Vec<String>,
}

/// Creates the jobs of all triggers that the events fire, in the transaction that stores the events or moves the
/// matcher's cursor, so that each event creates its jobs exactly once.
pub(crate) async fn make_jobs(
    hub: &Hub,
    tx: &mut Tx<'_>,
    happenings: &[Happening<'_>],
    now: Timestamp,
) -> Result<(Matched, EnqueueEffects)> {
    let (mut plan, mut matched) = (FirePlan::default(), Matched::default());
    // Most events of a batch have the same few names.
    let mut triggers: HashMap<(OrgId, &str), Vec<Trigger>> = HashMap::new();
    for happening in happenings {
        let key = (happening.org, happening.name);
        if let Entry::Vacant(entry) = triggers.entry(key) {
            entry.insert(tx.trigger_of_event(happening.org, happening.name, TRIGGERS_MAX).await?);
        }
        for trigger in triggers[&key].iter().filter(|trigger| is_set_off(trigger, happening.data, now)) {
            matched.triggers += 1;
            set_off(hub, tx, trigger, happening, &mut plan, &mut matched, now).await?;
        }
    }
    let requests: Vec<_> = plan.requests.into_iter().map(std::sync::Arc::new).collect();
    let mut changes = Changes::default();
    let effects = enqueue::enqueue(hub, tx, &requests, &mut changes).await?;
    changes.write(hub, tx, now).await?;
    for result in effects.answers.iter().flatten().flatten() {
        match result {
            Enqueued::New(id) => matched.jobs.push(*id),
            Enqueued::Duplicate(id) => matched.deduplicated.push(*id),
        }
    }
    Ok((matched, effects))
}

/// Whether an event with this data fires the trigger.
fn is_set_off(trigger: &Trigger, data: &Value, now: Timestamp) -> bool {
    let body = &trigger.body;
    let When::Event { fields, .. } = &body.when else { return false };
    body.is_enabled
        && body.paused_until.is_none_or(|until| until <= now)
        && body.starts_at.is_none_or(|starts| starts <= now)
        && body.ends_at.is_none_or(|ends| now <= ends)
        && event_match::meets(fields, data)
}

async fn set_off(
    hub: &Hub,
    tx: &mut Tx<'_>,
    trigger: &Trigger,
    happening: &Happening<'_>,
    plan: &mut FirePlan,
    matched: &mut Matched,
    now: Timestamp,
) -> Result<()> {
    let cause = Cause::Event {
        id: &happening.id,
        name: happening.name,
        data: happening.data,
        correlation_id: happening.correlation_id,
        at: happening.at,
    };
    let mut refuse = |error: Error| {
        if error.code().status() >= 500 {
            return Err(error);
        }
        tracing::warn!(trigger.id = %trigger.id, "a trigger did not create a job for an event: {error}");
        matched.refused.push(format!("{}: {error}", trigger.body.label));
        Ok(())
    };
    let compiled = match resolve_trigger_in(hub, tx, trigger).await? {
        ResolvedTrigger::Ready(compiled) => compiled,
        ResolvedTrigger::Wrong(reason) => return refuse(Error::invalid(reason)),
    };
    let compiled: &Compiled = &compiled;
    let places = match destinations(hub, tx, trigger, compiled, now).await {
        Ok(places) => places,
        Err(error) => return refuse(error),
    };
    for destination in places {
        match work(hub, trigger, compiled, &destination, &cause, now) {
            Ok(work) => plan.requests.push(request(hub, trigger, vec![work], now)),
            Err(error) => refuse(error)?,
        }
    }
    Ok(())
}

/// Resolves the definition of a trigger, inside a transaction.
async fn resolve_trigger_in(hub: &Hub, tx: &mut Tx<'_>, trigger: &Trigger) -> Result<ResolvedTrigger> {
    let key = &trigger.body.definition_key;
    let Some(row) = tx.definition_get(key).await? else {
        return Ok(ResolvedTrigger::Wrong(format!("there is no definition `{key}`")));
    };
    let compiled = hub.queue.definitions.newest_in(hub, tx, row.id).await?;
    let org = tx.org_get(trigger.org_id).await?;
    let definition = &compiled.definition;
    if !org.is_some_and(|org| definition.is_for(&org.slug)) {
        return Ok(ResolvedTrigger::Wrong(format!("there is no definition `{key}`")));
    }
    if !definition.is_active {
        return Ok(ResolvedTrigger::Wrong(format!("the definition `{key}` is disabled")));
    }
    Ok(ResolvedTrigger::Ready(compiled))
}
