//! From a trigger to the job it makes.

use std::sync::Arc;

use domain::{
    Actor, Span, Timestamp,
    audit::AuditRow,
    job::Source,
    lane::{LaneKey, Target},
    schema::Violation,
    server::{ServerOp, limit_key},
    template,
    trigger::{EVENT_WINDOW_SECONDS, Trigger as Body, When},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{insert::NewJob, trigger::Trigger};

use crate::scheduler::targets::Spot;
use crate::{
    Error, Hub, Result,
    app::jobs::checked_payload,
    queue::{
        definitions::Compiled,
        enqueue::{NewWork, Wish},
        servers,
    },
};

/// What a trigger runs, looked up before the transaction; or why there is nothing.
#[derive(Clone)]
pub(crate) enum Material {
    /// This version of its definition.
    Ready(Arc<Compiled>),
    /// A sentence for its history.
    Wrong(String),
}

/// Looks up what a trigger runs.
pub(crate) async fn material(hub: &Hub, trigger: &Trigger) -> Result<Material> {
    let slug = hub.org_slug(trigger.org_id).await?;
    match hub.definition_for(&slug, &trigger.body.definition_key).await {
        Ok(compiled) => Ok(Material::Ready(compiled)),
        Err(error) if error.code().status() < 500 => Ok(Material::Wrong(error.to_string())),
        Err(error) => Err(error),
    }
}

/// Why a job is made, as it is told to templates and kept with the job.
pub(crate) enum Occasion<'a> {
    /// One or more times of a schedule.
    Times {
        /// The time whose fire carries the job.
        nominal: Timestamp,
        /// All times it stands for.
        slots: &'a [Timestamp],
        /// Whether it makes up for times that passed.
        is_catch_up: bool,
    },
    /// Something that happened.
    Event {
        /// Its id.
        id: &'a str,
        /// Its name.
        name: &'a str,
        /// What it says.
        data: &'a Value,
        /// What it belongs to.
        correlation_id: Option<&'a str>,
        /// When.
        at: Timestamp,
    },
}

impl Occasion<'_> {
    /// What templates may name.
    pub(crate) fn context(&self, trigger: &Trigger, host: Option<&str>) -> Value {
        let mut context = json!({
            "trigger": {"id": trigger.id, "label": trigger.body.label},
            "host": {"name": host},
        });
        match self {
            Self::Times { nominal, slots, is_catch_up } => {
                context["schedule"] = json!({"at": nominal, "slots": slots, "is_catch_up": is_catch_up});
            }
            Self::Event { id, name, data, at, .. } => {
                context["event"] = (*data).clone();
                context["meta"] = json!({"id": id, "name": name, "at": at});
            }
        }
        context
    }
}

/// The payload of a trigger's job, if it is right.
pub(crate) fn payload(body: &Body, compiled: &Compiled, context: &Value) -> Result<Value> {
    let rendered = template::render(&body.payload_template, context).map_err(|fault| wrong(body, fault))?;
    let hidden = compiled.schema.write_only();
    if let Some(path) = hidden.iter().find(|path| rendered.pointer(path).is_some_and(|value| !value.is_null())) {
        let detail = "is secret and would lie in the trigger for all to see; keep it with `hostler secret set`";
        return Err(wrong(body, Violation::new(path.clone(), detail)));
    }
    checked_payload(compiled, &rendered)
}

fn wrong(body: &Body, fault: Violation) -> Error {
    let detail = format!("the payload template of `{}`: {} {}", body.label, fault.pointer, fault.detail);
    Error::new(proto::Code::PayloadInvalid, detail).faults(vec![fault])
}

/// The job that a trigger makes on one occasion in one place.
///
/// # Errors
/// Its payload is not right: a sentence for the history.
pub(crate) fn work(
    hub: &Hub,
    trigger: &Trigger,
    compiled: &Compiled,
    spot: &Spot,
    occasion: &Occasion<'_>,
    now: Timestamp,
) -> Result<NewWork> {
    let (body, definition) = (&trigger.body, &compiled.definition);
    let context = occasion.context(trigger, spot.name.as_deref());
    let payload = payload(body, compiled, &context)?;
    let (source, source_ref, correlation_id, due) = match occasion {
        Occasion::Times { nominal, is_catch_up, .. } => {
            let jitter = domain::schedule::jitter(
                &format!("{}:{}", trigger.id, spot.ordinal),
                *nominal,
                Span::from_secs(body.jitter_seconds),
            );
            let due = if *is_catch_up { now } else { *nominal + jitter };
            (Source::Schedule, trigger.id.to_string(), None, due)
        }
        Occasion::Event { id, correlation_id, .. } => {
            (Source::Event, (*id).to_owned(), correlation_id.map(str::to_owned), now)
        }
    };
    let dedupe = dedupe(trigger, &payload, &context)?;
    let window = dedupe.as_ref().map_or(0, |_| body.dedupe_window_seconds.unwrap_or(EVENT_WINDOW_SECONDS));
    let job = NewJob {
        id: hub.ids.next(),
        org_id: trigger.org_id,
        definition_id: definition.id,
        definition_version: definition.version,
        // Looked up when it is written.
        lane_id: domain::LaneId::from_bytes([0; 16]),
        source,
        source_ref: Some(source_ref),
        priority: body.priority,
        payload,
        sealed: None,
        dedupe_key: dedupe,
        correlation_id,
        scheduled_for: due.max(now),
        expires_at: None,
        max_attempts: i32::try_from(definition.max_attempts).unwrap_or(1),
        timeout: Span::from_secs(definition.timeout_seconds),
        on_lost: definition.on_lost(matches!(spot.target, Target::Host(_))),
        created_by: actor(trigger).label(),
        queued_at: now,
    };
    let server = ServerOp::of_definition(definition.id).and_then(|op| Some((servers::named(&job.payload)?, op)));
    let lane = LaneKey {
        org: trigger.org_id,
        target: spot.target.clone(),
        definition: definition.id,
        limit_key: server.map(|(server, _)| limit_key(server)).unwrap_or_default(),
    };
    let key = definition.key.as_str().into();
    Ok(NewWork { job, lane, definition_key: key, dedupe_until: now + Span::from_secs(window), server })
}

/// The key by which the jobs of an event trigger are told apart: its own template, or trigger and payload. A schedule
/// needs none: its fire is its key.
fn dedupe(trigger: &Trigger, payload: &Value, context: &Value) -> Result<Option<String>> {
    if matches!(trigger.body.when, When::Schedule { .. }) {
        return Ok(None);
    }
    let Some(template) = &trigger.body.dedupe_key else {
        let hash = Sha256::digest(payload.to_string().as_bytes());
        let hash: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        return Ok(Some(format!("trigger:{}:{hash}", trigger.id)));
    };
    let key = template::render_text(template, context).map_err(|fault| wrong(&trigger.body, fault))?;
    crate::app::jobs::check_key("the dedupe key", &key)?;
    Ok(Some(key))
}

/// The trigger, as the audit log names it.
pub(crate) fn actor(trigger: &Trigger) -> Actor {
    Actor::Trigger { id: trigger.id, label: trigger.body.label.clone() }
}

/// The request for a trigger's jobs, with their line in the audit log.
pub(crate) fn wish(hub: &Hub, trigger: &Trigger, work: Vec<NewWork>, now: Timestamp) -> Wish {
    let actor = actor(trigger);
    let audit = work.first().map(|first| AuditRow {
        id: hub.ids.next(),
        org: Some(trigger.org_id),
        at: now,
        actor_kind: actor.kind(),
        actor_id: actor.id_text(),
        actor_name: actor.label(),
        address: None,
        action: "job.created".to_owned(),
        subject_kind: "job".to_owned(),
        subject_id: Some(first.job.id.to_string()),
        subject_name: Some(first.definition_key.to_string()),
        diff: json!({"definition": [null, first.definition_key], "target": [null, first.lane.target.text()],
            "count": [null, work.len()]})
        .to_string(),
        request_id: None,
    });
    Wish { work, audit, idempotency: None, deferred_auth: None }
}
