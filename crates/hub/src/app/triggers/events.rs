//! Events sent by programs.

use domain::{HookId, OrgId, Permission, Span, event_match};
use proto::{
    Code,
    api::trigger::{EventMade, EventRequest},
};
use serde_json::{Value, json};
use store::{
    Tx,
    event::{EventId, NewEvent},
};

use super::super::{RequestContext, repeated_audit::RepeatedEntry};
use crate::{
    Error, Hub, Result,
    scheduler::event_match::{Happening, make_jobs},
};

/// Largest event.
const EVENT_BYTES_MAX: usize = 256 * 1024;
/// Prefixes of event names reserved for Hostler.
const OWN: [&str; 10] =
    ["job.", "job_run.", "host.", "server.", "agent.", "alert.", "trigger.", "sync.", "org.", "hostler."];

/// How long a message is dropped that has the same body as an earlier one, if only the body is signed.
const BODY_ONCE_PER: Span = Span::from_secs(86_400);
/// Longest event name in an audit line, in characters.
const NAME_SHOWN_MAX: usize = 200;

/// Why an event is received.
pub(crate) enum EventCause {
    /// A caller of the API sends it; `audit` is the line for the first such event of a minute.
    Request { audit: Option<Box<(RequestContext, RepeatedEntry)>> },
    /// A message of another system, with the sender's message id. `body` is the digest of a message whose signature does
    /// not cover that id.
    Hook { id: HookId, message: String, body: Option<String> },
}

impl Hub {
    /// Receives an event. The event, the fires it causes and their jobs are written in one transaction.
    ///
    /// # Errors
    /// Fails if the name or the data is invalid.
    pub async fn event_emit(&self, by: &RequestContext, org: OrgId, request: EventRequest) -> Result<EventMade> {
        by.must(Permission::TriggerFire)?;
        let entry = || RepeatedEntry {
            action: "event.sent",
            kind: "event",
            key: request.name.clone(),
            name: Some(request.name.chars().take(NAME_SHOWN_MAX).collect()),
            detail: json!({}),
        };
        // Checked before it is counted: names that are invalid must not fill the counters.
        event_match::check_name(&request.name).map_err(Error::invalid)?;
        let first = self.first_occurrence(by, Some(org), entry());
        let audit = first.is_some().then(|| (by.detached(), entry()));
        let made = self.event_receive(Some(by), org, request, EventCause::Request { audit: audit.map(Box::new) }).await;
        if let (Err(_), Some(first)) = (&made, first) {
            self.not_written(first);
        }
        made?.ok_or_else(|| {
            Error::internal(anyhow::anyhow!("an event without a message id was treated as a repetition"))
        })
    }

    /// Like [`Hub::event_emit`], for a caller that is already authenticated; `by` is `None` for a webhook message.
    /// Returns `None` if a webhook message with this id was processed before.
    pub(crate) async fn event_receive(
        &self,
        by: Option<&RequestContext>,
        org: OrgId,
        request: EventRequest,
        cause: EventCause,
    ) -> Result<Option<EventMade>> {
        event_match::check_name(&request.name).map_err(Error::invalid)?;
        if let Some(own) = OWN.iter().find(|own| request.name.starts_with(**own)) {
            return Err(Error::invalid(format!("event names that start with `{own}` are reserved for Hostler"))
                .hint("use another name, such as `shop.order_paid`"));
        }
        let data = match request.data {
            Value::Null => json!({}),
            Value::Object(fields) => Value::Object(fields),
            _ => return Err(Error::invalid("the event data must be a JSON object")),
        };
        if let Some(correlation) = &request.correlation_id {
            super::super::jobs::check_key("correlation_id", correlation)?;
        }
        let items = json!([data]).to_string();
        if items.len() > EVENT_BYTES_MAX {
            return Err(Error::new(
                Code::BodyTooLarge,
                format!("an event can have at most {} KiB", EVENT_BYTES_MAX / 1024),
            ));
        }
        let (id, now): (EventId, _) = (self.ids.next(), self.now());
        let (hub, by) = (self.clone(), by.cloned());
        let (name, correlation) = (request.name, request.correlation_id);
        let matched = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    if !is_first(&hub, tx, org, cause).await? {
                        return Ok(None);
                    }
                    if let Some(by) = by {
                        by.mark_committed(&hub, tx).await?;
                    }
                    let event = NewEvent { id, org_id: org, name: name.clone(), at: now, items };
                    tx.event_insert(&[event]).await?;
                    tx.event_matched(id).await?;
                    let happening = Happening {
                        id: id.to_string(),
                        org,
                        name: &name,
                        data: &data,
                        correlation_id: correlation.as_deref(),
                        at: now,
                    };
                    make_jobs(&hub, tx, &[happening], now).await.map(Some)
                })
            })
            .await?;
        let Some((matched, effects)) = matched else { return Ok(None) };
        effects.after_commit(self);
        self.wakes.events.wake();
        Ok(Some(EventMade {
            id: id.to_string(),
            triggers: matched.triggers,
            jobs: matched.jobs,
            deduplicated: matched.deduplicated,
            refused: matched.refused,
        }))
    }
}

/// Records the cause of an event. Returns `false` for a webhook message that was received before.
async fn is_first(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, cause: EventCause) -> Result<bool> {
    let now = hub.now();
    match cause {
        EventCause::Hook { id: hook, message, body } => {
            let is_new = tx.hook_see(hook, &message, now).await?
                && match body {
                    Some(digest) => tx.hook_see_body(hook, &digest, now - BODY_ONCE_PER, now).await?,
                    None => true,
                };
            if is_new {
                tx.hook_ok(hook, now).await?;
            }
            Ok(is_new)
        }
        EventCause::Request { audit } => {
            if let Some((caller, entry)) = audit.as_deref() {
                caller.record(hub, tx, Some(org), entry.first()).await?;
            }
            Ok(true)
        }
    }
}
