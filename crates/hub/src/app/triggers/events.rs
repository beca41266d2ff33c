//! Events sent by programs.

use domain::{HookId, OrgId, Permission, event_match};
use proto::{
    Code,
    api::trigger::{EventMade, EventRequest},
};
use serde_json::{Value, json};
use store::event::{EventId, NewEvent};

use super::super::RequestContext;
use crate::{
    Error, Hub, Result,
    scheduler::event_match::{Happening, make_jobs},
};

/// Largest event.
const EVENT_BYTES_MAX: usize = 256 * 1024;
/// Prefixes of event names reserved for Hostler.
const OWN: [&str; 10] =
    ["job.", "job_run.", "host.", "server.", "agent.", "alert.", "trigger.", "sync.", "org.", "hostler."];

impl Hub {
    /// Receives an event. The event, the fires it causes and their jobs are written in one transaction.
    ///
    /// # Errors
    /// Fails if the name or the data is invalid.
    pub async fn event_emit(&self, by: &RequestContext, org: OrgId, request: EventRequest) -> Result<EventMade> {
        by.must(Permission::TriggerFire)?;
        let made = self.event_receive(Some(by), org, request, None).await?;
        made.ok_or_else(|| {
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
        message: Option<(HookId, String)>,
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
                    if let Some((hook, message)) = message {
                        if !tx.hook_see(hook, &message, now).await? {
                            return Ok(None);
                        }
                        tx.hook_ok(hook, now).await?;
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
