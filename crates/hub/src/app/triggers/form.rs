//! Conversion between the request form of a trigger and its stored body, with defaults and validation.

use domain::{
    OrgId,
    trigger::{FanOut, FireTarget, FiresAt, MissedPolicy, Overlap, Trigger as Body, TriggerType, When},
};
use proto::api::{
    job::JobTarget,
    trigger::{TriggerRequest, TriggerTarget},
};
use serde_json::{Map, Value, json};
use store::trigger::Trigger;

use super::target_of;
use crate::{
    Error, Hub, Result,
    scheduler::{
        job_from_trigger::{Cause, ResolvedTrigger, payload, resolve_trigger},
        placement as place,
        targets::Destination,
    },
};

/// Default for the most jobs that `missed: all` creates.
const MISSED_MAX: u32 = 10;
/// Default for how far back missed times are caught up.
const MISSED_WINDOW_SECONDS: u32 = 7 * 86_400;
/// Default priority of the jobs.
const PRIORITY: i32 = 100;

/// Applies a patch to a trigger's form. A named field is replaced as a whole; null removes it.
pub(super) fn request_of(body: &Body, patch: &Map<String, Value>) -> Result<TriggerRequest> {
    let mut form = match serde_json::to_value(body) {
        Ok(Value::Object(form)) => form,
        _ => Map::new(),
    };
    form.insert("target".to_owned(), json!(target_of(&body.target, None)));
    // A patch with `cron_expr` or `event_name` can change the type; fields of the old type are then dropped.
    let asks = |field: &str| patch.get(field).is_some_and(|value| !value.is_null());
    let gone: &[&str] = match body.when {
        When::Event { .. } if asks("cron_expr") => {
            &["trigger_type", "event_name", "match", "dedupe_key", "dedupe_window_seconds"]
        }
        When::Schedule { .. } if asks("event_name") => &["trigger_type", "cron_expr", "timezone"],
        _ => &[],
    };
    form.retain(|field, _| !gone.contains(&field.as_str()));
    for (field, value) in patch {
        form.insert(field.clone(), value.clone());
    }
    form.retain(|_, value| !value.is_null());
    serde_json::from_value(Value::Object(form)).map_err(Error::invalid)
}

/// Builds the stored body from a request.
pub(super) async fn body_of(hub: &Hub, org: OrgId, request: TriggerRequest) -> Result<Body> {
    let needed = |field: &str| Error::invalid(format!("missing field `{field}`"));
    let when = when_of(hub, org, &request).await?;
    let is_event = matches!(when, When::Event { .. });
    let request = for_server(hub, org, request).await?;
    Ok(Body {
        label: request.label.ok_or_else(|| needed("label"))?.trim().to_owned(),
        is_enabled: request.is_enabled.unwrap_or(true),
        when,
        definition_key: request.definition_key.ok_or_else(|| needed("definition_key"))?,
        payload_template: request.payload_template.unwrap_or_else(|| json!({})),
        dedupe_key: request.dedupe_key,
        dedupe_window_seconds: request
            .dedupe_window_seconds
            .or(is_event.then_some(domain::trigger::EVENT_WINDOW_SECONDS)),
        target: aim_of(hub, org, request.target.unwrap_or_default()).await?,
        place: request.place.unwrap_or(FiresAt::Hub),
        missed: request.missed.unwrap_or(MissedPolicy::Once),
        missed_max: request.missed_max.unwrap_or(MISSED_MAX),
        missed_window_seconds: request.missed_window_seconds.unwrap_or(MISSED_WINDOW_SECONDS),
        overlap: request.overlap.unwrap_or(Overlap::Forbid),
        jitter_seconds: request.jitter.unwrap_or(0),
        starts_at: request.starts_at,
        ends_at: request.ends_at,
        paused_until: request.paused_until,
        priority: crate::app::jobs::checked_priority(request.priority.unwrap_or(PRIORITY))?,
    })
}

/// Replaces a server's name by its id in a trigger for a server operation, so that a renamed server stays the target.
async fn for_server(hub: &Hub, org: OrgId, mut request: TriggerRequest) -> Result<TriggerRequest> {
    if request.definition_key.as_deref().and_then(domain::server::ServerOp::of_key).is_none() {
        return Ok(request);
    }
    if request.target.as_ref().is_some_and(|target| *target != TriggerTarget::default()) {
        return Err(Error::invalid("leave out `target`: server jobs run on the server's host"));
    }
    if request.place == Some(FiresAt::Host) {
        return Err(Error::invalid("leave out `place`: server jobs are created by the hub"));
    }
    let template = request.payload_template.take().unwrap_or_else(|| json!({}));
    let named = template.get("server").and_then(Value::as_str).unwrap_or_default().to_owned();
    let server = hub.server_named(org, &named).await?;
    request.payload_template = Some(json!({"server": server.id}));
    Ok(request)
}

async fn when_of(hub: &Hub, org: OrgId, request: &TriggerRequest) -> Result<When> {
    let is_event = request.event_name.is_some() || request.fields.is_some();
    let is_schedule = request.cron_expr.is_some() || request.timezone.is_some();
    match (is_event, is_schedule, request.trigger_type) {
        (true, true, _) => {
            Err(Error::invalid("set either `event_name` (an event rule) or `cron_expr` (a schedule), not both"))
        }
        (true, false, None | Some(TriggerType::Event)) => {
            let event_name = request.event_name.clone().ok_or_else(|| Error::invalid("`match` needs `event_name`"))?;
            Ok(When::Event { event_name, fields: request.fields.clone().unwrap_or_default() })
        }
        (false, true, None | Some(TriggerType::Schedule)) => {
            let cron_expr = request.cron_expr.clone().ok_or_else(|| Error::invalid("`timezone` needs `cron_expr`"))?;
            let timezone = match &request.timezone {
                Some(zone) => zone.clone(),
                None => hub.org_timezone(org).await?,
            };
            Ok(When::Schedule { cron_expr, timezone })
        }
        (_, _, Some(TriggerType::Event)) => Err(Error::invalid("an event rule needs `event_name`")),
        (_, _, Some(TriggerType::Schedule)) => Err(Error::invalid("a schedule needs `cron_expr`")),
        (false, false, None) => {
            Err(Error::invalid("a trigger needs `cron_expr` (a schedule) or `event_name` (an event rule)"))
        }
    }
}

async fn aim_of(hub: &Hub, org: OrgId, target: TriggerTarget) -> Result<FireTarget> {
    let TriggerTarget { host, queue, selector, spread } = target;
    if spread.is_some() && selector.is_none() {
        return Err(Error::invalid("`spread` needs `selector`"));
    }
    match (host, queue, selector) {
        (None, None, None) => Ok(FireTarget::Definition),
        (Some(host), None, None) => {
            let asked = JobTarget { host: Some(host), ..JobTarget::default() };
            Ok(FireTarget::Host(hub.host_of_target(org, &asked).await?))
        }
        (None, Some(queue), None) => {
            domain::name::check(&queue)?;
            Ok(FireTarget::Queue(queue))
        }
        (None, None, Some(selector)) => {
            selector.parse::<domain::Selector>()?;
            Ok(FireTarget::Selector { selector, spread: spread.unwrap_or(FanOut::Any) })
        }
        _ => Err(Error::invalid("a target takes only one of `host`, `queue` and `selector`")),
    }
}

impl Hub {
    /// Rejects a trigger that could never create a job: its definition, its times, its payload. The payload of an event
    /// rule depends on the event, so it is checked when an event arrives.
    pub(super) async fn trigger_checked(&self, trigger: &Trigger) -> Result<()> {
        let (now, body) = (trigger.updated_at, &trigger.body);
        body.check(&trigger.id.to_string(), now).map_err(Error::invalid)?;
        let compiled = match resolve_trigger(self, trigger).await? {
            ResolvedTrigger::Ready(compiled) => compiled,
            ResolvedTrigger::Wrong(reason) => return Err(Error::invalid(reason)),
        };
        if place::is_for_hosts(trigger) && !self.options.is_standalone && !compiled.definition.secrets.is_empty() {
            let key = &body.definition_key;
            return Err(Error::invalid(format!("`{key}` needs secrets, which only the hub can provide"))
                .hint("use `place: hub`"));
        }
        if matches!(body.when, When::Schedule { .. }) {
            let destination = Destination::anywhere(domain::lane::Target::Queue(String::new()));
            let cause = Cause::Times { nominal: now, slots: &[now], is_catch_up: false };
            let host = if matches!(body.target, FireTarget::Host(_) | FireTarget::Selector { .. }) {
                Some("host")
            } else {
                None
            };
            payload(body, &compiled, &cause.context(trigger, host.or(destination.name.as_deref())))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(when: &Value) -> Body {
        let mut form = json!({"label": "x", "is_enabled": true, "definition_key": "hello", "payload_template": {},
            "place": "hub", "missed": "once", "missed_max": 10, "missed_window_seconds": 60, "overlap": "forbid",
            "jitter": 0, "priority": 100});
        form.as_object_mut().expect("an object").extend(when.as_object().expect("an object").clone());
        serde_json::from_value(form).expect("a trigger")
    }

    fn patched(body: &Body, patch: &Value) -> TriggerRequest {
        request_of(body, patch.as_object().expect("an object")).expect("can be read")
    }

    #[test]
    fn patch_keeps_fields_it_does_not_name() {
        let schedule =
            body(&json!({"trigger_type": "schedule", "cron_expr": "0 2 * * *", "timezone": "Europe/Berlin"}));
        let later = patched(&schedule, &json!({"cron_expr": "0 3 * * *"}));
        assert_eq!(later.cron_expr.as_deref(), Some("0 3 * * *"));
        assert_eq!(later.timezone.as_deref(), Some("Europe/Berlin"), "the time zone is kept");
        let rule = body(&json!({"trigger_type": "event", "event_name": "a.b", "match": {"size": 1},
            "dedupe_window_seconds": 300}));
        let renamed = patched(&rule, &json!({"event_name": "a.c"}));
        assert_eq!(
            (renamed.event_name.as_deref(), renamed.fields),
            (Some("a.c"), Some(Map::from_iter([("size".to_owned(), json!(1))])))
        );
        assert_eq!(renamed.dedupe_window_seconds, Some(300));
    }

    #[test]
    fn change_of_type_drops_fields_of_the_old_type() {
        let rule = body(&json!({"trigger_type": "event", "event_name": "a.b", "match": {"size": 1},
            "dedupe_key": "k", "dedupe_window_seconds": 300}));
        let timed = patched(&rule, &json!({"cron_expr": "@daily"}));
        assert_eq!((timed.trigger_type, timed.event_name, timed.fields), (None, None, None));
        assert_eq!((timed.dedupe_key, timed.dedupe_window_seconds), (None, None));
        let schedule = body(&json!({"trigger_type": "schedule", "cron_expr": "0 2 * * *", "timezone": "UTC"}));
        let request = patched(&schedule, &json!({"event_name": "a.b"}));
        assert_eq!((request.trigger_type, request.cron_expr, request.timezone), (None, None, None));
    }
}
