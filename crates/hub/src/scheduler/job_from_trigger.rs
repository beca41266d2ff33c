//! Builds the job of a trigger.

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
use store::{insert::NewJob as JobRow, trigger::Trigger};

use crate::scheduler::targets::Destination;
use crate::{
    Error, Hub, Result,
    app::jobs::checked_payload,
    queue::{
        cache::definitions::Compiled,
        enqueue::{EnqueueRequest, NewJob},
        servers,
    },
};

/// The definition of a trigger, resolved before the transaction.
#[derive(Clone)]
pub(crate) enum ResolvedTrigger {
    Ready(Arc<Compiled>),
    /// Why there is none, for the trigger's history.
    Wrong(String),
}

/// Resolves the definition of a trigger.
pub(crate) async fn resolve_trigger(hub: &Hub, trigger: &Trigger) -> Result<ResolvedTrigger> {
    let slug = hub.org_slug(trigger.org_id).await?;
    match hub.definition_for(&slug, &trigger.body.definition_key).await {
        Ok(compiled) => Ok(ResolvedTrigger::Ready(compiled)),
        Err(error) if error.code().status() < 500 => Ok(ResolvedTrigger::Wrong(error.to_string())),
        Err(error) => Err(error),
    }
}

/// Why a job is created: passed to templates and stored with the job.
pub(crate) enum Cause<'a> {
    /// Nominal times of a schedule.
    Times {
        /// The time whose fire row refers to the job.
        nominal: Timestamp,
        /// All times that the job covers.
        slots: &'a [Timestamp],
        is_catch_up: bool,
    },
    Event {
        id: &'a str,
        name: &'a str,
        data: &'a Value,
        correlation_id: Option<&'a str>,
        at: Timestamp,
    },
}

impl Cause<'_> {
    /// Values that templates can use.
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

/// Renders and checks the payload of a trigger's job.
pub(crate) fn payload(body: &Body, compiled: &Compiled, context: &Value) -> Result<Value> {
    let rendered = template::render(&body.payload_template, context).map_err(|fault| wrong(body, fault))?;
    let hidden = compiled.schema.write_only();
    if let Some(path) = hidden.iter().find(|path| rendered.pointer(path).is_some_and(|value| !value.is_null())) {
        let detail = "is a secret field and must not be stored in the trigger; use `hostler secret set`";
        return Err(wrong(body, Violation::new(path.clone(), detail)));
    }
    checked_payload(compiled, &rendered)
}

fn wrong(body: &Body, fault: Violation) -> Error {
    let detail = format!("invalid payload template of the trigger `{}`: {fault}", body.label);
    Error::new(proto::Code::PayloadInvalid, detail).faults(vec![fault])
}

/// Builds the job of a trigger for one cause and one destination.
///
/// # Errors
/// The payload is invalid; the message goes into the trigger's history.
pub(crate) fn work(
    hub: &Hub,
    trigger: &Trigger,
    compiled: &Compiled,
    destination: &Destination,
    cause: &Cause<'_>,
    now: Timestamp,
) -> Result<NewJob> {
    let (body, definition) = (&trigger.body, &compiled.definition);
    let context = cause.context(trigger, destination.name.as_deref());
    let payload = payload(body, compiled, &context)?;
    let (source, source_ref, correlation_id, due) = match cause {
        Cause::Times { nominal, is_catch_up, .. } => {
            let jitter = domain::schedule::jitter(
                &format!("{}:{}", trigger.id, destination.ordinal),
                *nominal,
                Span::from_secs(body.jitter_seconds),
            );
            let due = if *is_catch_up { now } else { *nominal + jitter };
            (Source::Schedule, trigger.id.to_string(), None, due)
        }
        Cause::Event { id, correlation_id, .. } => {
            (Source::Event, (*id).to_owned(), correlation_id.map(str::to_owned), now)
        }
    };
    let dedupe = dedupe(trigger, &payload, &context)?;
    let window = dedupe.as_ref().map_or(0, |_| body.dedupe_window_seconds.unwrap_or(EVENT_WINDOW_SECONDS));
    let row = JobRow {
        id: hub.ids.next(),
        org_id: trigger.org_id,
        definition_id: definition.id,
        definition_version: definition.version,
        // Set when the job is inserted.
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
        on_lost: definition.on_lost(matches!(destination.target, Target::Host(_))),
        created_by: actor(trigger).label(),
        queued_at: now,
    };
    let server = ServerOp::of_definition(definition.id).and_then(|op| Some((servers::named(&row.payload)?, op)));
    let lane = LaneKey {
        org: trigger.org_id,
        target: destination.target.clone(),
        definition: definition.id,
        limit_key: server.map(|(server, _)| limit_key(server)).unwrap_or_default(),
    };
    let key = definition.key.as_str().into();
    Ok(NewJob { row, lane, definition_key: key, dedupe_until: now + Span::from_secs(window), server })
}

/// The dedupe key of an event trigger's job: its rendered template, or a hash of trigger and payload. A schedule needs
/// none, because its fire row is unique.
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

/// The trigger as the actor in the audit log.
pub(crate) fn actor(trigger: &Trigger) -> Actor {
    Actor::Trigger { id: trigger.id, label: trigger.body.label.clone() }
}

/// The enqueue request for a trigger's jobs, with their audit log entry.
pub(crate) fn request(hub: &Hub, trigger: &Trigger, jobs: Vec<NewJob>, now: Timestamp) -> EnqueueRequest {
    let actor = actor(trigger);
    let audit = jobs.first().map(|first| AuditRow {
        id: hub.ids.next(),
        org: Some(trigger.org_id),
        at: now,
        actor_kind: actor.kind(),
        actor_id: actor.id_text(),
        actor_name: actor.label(),
        address: None,
        action: "job.created".to_owned(),
        subject_kind: "job".to_owned(),
        subject_id: Some(first.row.id.to_string()),
        subject_name: Some(first.definition_key.to_string()),
        diff: json!({"definition": [null, first.definition_key], "target": [null, first.lane.target.text()],
            "count": [null, jobs.len()]})
        .to_string(),
        request_id: None,
    });
    EnqueueRequest { jobs, audit, idempotency: None }
}
