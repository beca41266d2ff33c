//! Events and the triggers that wait for them.

use domain::{JobId, OrgId, Timestamp, event_match, trigger::When};
use serde_json::Value;
use store::{Tx, trigger::Trigger};

use crate::scheduler::{
    fire::FirePlan,
    job_from_trigger::{Material, Occasion, wish, work},
    targets::spots,
};
use crate::{
    Error, Hub, Result,
    queue::{
        definitions::Compiled,
        enqueue::{self, Made, Written},
    },
};

/// Triggers that one event can set off.
pub(crate) const TRIGGERS_MAX: u32 = 1_000;

/// Something that happened.
pub(crate) struct Happening<'a> {
    pub(crate) id: String,
    pub(crate) org: OrgId,
    pub(crate) name: &'a str,
    pub(crate) data: &'a Value,
    pub(crate) correlation_id: Option<&'a str>,
    pub(crate) at: Timestamp,
}

/// What came of an event, or of several.
#[derive(Default)]
pub(crate) struct Matched {
    pub(crate) triggers: u64,
    pub(crate) jobs: Vec<JobId>,
    pub(crate) deduplicated: Vec<JobId>,
    pub(crate) refused: Vec<String>,
}

/// Makes the jobs of all triggers that an event sets off, in the transaction that knows of the event.
pub(crate) async fn make_jobs(
    hub: &Hub,
    tx: &mut Tx<'_>,
    happenings: &[Happening<'_>],
    now: Timestamp,
) -> Result<(Matched, Written)> {
    let (mut plan, mut matched) = (FirePlan::default(), Matched::default());
    for happening in happenings {
        for trigger in tx.trigger_of_event(happening.org, happening.name, TRIGGERS_MAX).await? {
            if is_set_off(&trigger, happening.data, now) {
                matched.triggers += 1;
                set_off(hub, tx, &trigger, happening, &mut plan, &mut matched, now).await?;
            }
        }
    }
    let wishes = plan.wishes.into_iter().map(std::sync::Arc::new).collect();
    let written = enqueue::insert(hub, tx, wishes).await?;
    for made in written.made.iter().flatten().flatten() {
        match made {
            Made::New(id) => matched.jobs.push(*id),
            Made::Held(id) => matched.deduplicated.push(*id),
        }
    }
    Ok((matched, written))
}

/// Whether a trigger acts on an event with this data.
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
    let occasion = Occasion::Event {
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
        tracing::warn!(trigger.id = %trigger.id, "an event set a trigger off, and it made no job: {error}");
        matched.refused.push(format!("{}: {error}", trigger.body.label));
        Ok(())
    };
    let compiled = match material_in(hub, tx, trigger).await? {
        Material::Ready(compiled) => compiled,
        Material::Wrong(reason) => return refuse(Error::invalid(reason)),
    };
    let compiled: &Compiled = &compiled;
    let places = match spots(hub, tx, trigger, compiled, now).await {
        Ok(places) => places,
        Err(error) => return refuse(error),
    };
    for spot in places {
        match work(hub, trigger, compiled, &spot, &occasion, now) {
            Ok(work) => plan.wishes.push(wish(hub, trigger, vec![work], now)),
            Err(error) => refuse(error)?,
        }
    }
    Ok(())
}

/// What a trigger runs, looked up inside a transaction.
async fn material_in(hub: &Hub, tx: &mut Tx<'_>, trigger: &Trigger) -> Result<Material> {
    let key = &trigger.body.definition_key;
    let Some(row) = tx.definition_get(key).await? else {
        return Ok(Material::Wrong(format!("there is no definition `{key}`")));
    };
    let compiled = hub.queue.definitions.newest_in(hub, tx, row.id).await?;
    let org = tx.org_get(trigger.org_id).await?;
    let definition = &compiled.definition;
    if !org.is_some_and(|org| definition.is_for(&org.slug)) {
        return Ok(Material::Wrong(format!("there is no definition `{key}`")));
    }
    if !definition.is_active {
        return Ok(Material::Wrong(format!("the definition `{key}` is switched off")));
    }
    Ok(Material::Ready(compiled))
}
