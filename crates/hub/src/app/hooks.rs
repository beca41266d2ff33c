//! Addresses at which other systems tell events, each signed with its own secret.

use domain::{HookId, OrgId, Permission, event_match, hook::HookScheme, name};
use notify::inbound::{Signed, TOLERANCE, verify_github, verify_webhook};
use proto::{
    Code,
    api::{
        hook::{Hook as View, HookMade, HookRequest, Hooks},
        trigger::{EventMade, EventRequest},
    },
};
use serde_json::{Value, json};
use store::hook::Hook;

use super::{By, Deed};
use crate::{Error, Hub, Result, vault::Purpose};

/// Addresses of an org.
const HOOKS_MAX: u32 = 100;
/// The shortest and the longest secret that another system brings along.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 16..=500;
/// The longest id of a message.
const MESSAGE_ID_MAX: usize = 200;

/// A message as it came.
pub(crate) struct Message {
    /// Its id, so that none is taken twice.
    pub(crate) id: Option<String>,
    /// When it was signed.
    pub(crate) timestamp: Option<String>,
    /// The signature.
    pub(crate) signature: Option<String>,
    /// What kind of event the other system calls it.
    pub(crate) event: Option<String>,
    /// What it says.
    pub(crate) body: bytes::Bytes,
}

impl Hub {
    /// The addresses of an org, by name.
    ///
    /// # Errors
    /// The database's.
    pub async fn hook_list(&self, org: OrgId) -> Result<Hooks> {
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.hook_list(org, HOOKS_MAX).await?) }))
            .await?;
        Ok(Hooks { items: rows.into_iter().map(|row| self.hook_shown(row)).collect() })
    }

    /// Makes an address; its secret is shown once.
    ///
    /// # Errors
    /// Its name is taken, or something about it is not right.
    pub async fn hook_create(&self, by: &By, org: OrgId, request: HookRequest) -> Result<HookMade> {
        by.must(Permission::AlertManage)?;
        name::check(&request.name)?;
        event_match::check_name(&request.event_name).map_err(Error::invalid)?;
        let scheme = request.scheme.unwrap_or(HookScheme::Standard);
        let secret = request.secret.unwrap_or_else(|| domain::channel::webhook_secret(self.random.bytes()));
        if !SECRET_CHARS.contains(&secret.chars().count()) {
            return Err(Error::invalid("a secret has 16 to 500 characters"));
        }
        if scheme == HookScheme::Standard && domain::channel::webhook_key(&secret).is_none() {
            return Err(Error::invalid("a secret of Standard Webhooks begins with `whsec_`")
                .hint("leave it out, and one is made"));
        }
        let (id, now, who) = (self.ids.next(), self.now(), by.caller.actor.label());
        let (hub, by, plain) = (self.clone(), by.clone(), secret.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if tx.hook_list(org, HOOKS_MAX).await?.len() >= HOOKS_MAX as usize {
                    return Err(Error::invalid(format!("an org has at most {HOOKS_MAX} addresses for events")));
                }
                let sealed = hub.vault.key(tx).await?.seal(Purpose::Hook(org, id), plain.as_bytes())?;
                let row = Hook {
                    id,
                    org_id: org,
                    name: request.name,
                    scheme,
                    event_name: request.event_name,
                    sealed,
                    is_enabled: true,
                    last_ok_at: None,
                    last_error: None,
                    last_error_at: None,
                    created_by: who,
                    created_at: now,
                    updated_at: now,
                };
                match tx.hook_insert(&row).await {
                    Err(store::Error::Conflict(_)) => {
                        return Err(Error::new(Code::NameTaken, format!("there is already a hook `{}`", row.name)));
                    }
                    other => other?,
                }
                let deed = Deed {
                    action: "hook.created",
                    kind: "hook",
                    id: Some(id.to_string()),
                    name: Some(&row.name),
                    diff: json!({"event_name": [null, row.event_name], "scheme": [null, row.scheme]}),
                };
                by.record(&hub, tx, Some(org), deed).await?;
                Ok(row)
            })
        });
        let row = work.await?;
        Ok(HookMade { hook: self.hook_shown(row), secret })
    }

    /// Removes an address.
    ///
    /// # Errors
    /// There is no such one.
    pub async fn hook_remove(&self, by: &By, org: OrgId, id: HookId) -> Result<()> {
        by.must(Permission::AlertManage)?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if !tx.hook_remove(org, id).await? {
                    return Err(Error::not_found("hook", id));
                }
                let (id, diff) = (Some(id.to_string()), json!({}));
                by.record(&hub, tx, Some(org), Deed { action: "hook.removed", kind: "hook", id, name: None, diff })
                    .await
            })
        });
        work.await
    }

    /// Another system tells an event. It is taken once, if its signature is right and fresh.
    pub(crate) async fn hook_heard(&self, id: HookId, message: Message) -> Result<EventMade> {
        let unknown = || Error::new(Code::NotFound, "there is no such hook");
        let (hub, now) = (self.clone(), self.now());
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let row = tx.hook_anywhere(id).await?.filter(|row| row.is_enabled).ok_or_else(unknown)?;
                let secret = hub.vault.key(tx).await?.open(Purpose::Hook(row.org_id, id), &row.sealed)?;
                Ok::<_, Error>((row, String::from_utf8_lossy(&secret).into_owned()))
            })
        });
        let (row, secret) = read.await?;
        let (org, event_name) = (row.org_id, row.event_name.clone());
        let data = match self.hook_checked(&row, &secret, &message) {
            Ok(data) => data,
            Err(error) => {
                let text = error.to_string();
                let note = self
                    .store
                    .write(move |tx| Box::pin(async move { Ok::<_, Error>(tx.hook_failed(id, &text, now).await?) }));
                note.await?;
                return Err(error);
            }
        };
        let request = EventRequest { name: event_name, data, correlation_id: None };
        let made = self.event_told(org, request, Some((id, message.id.unwrap_or_default()))).await?;
        // The other system asks again because it did not hear our answer.
        Ok(made.unwrap_or_else(|| EventMade {
            id: String::new(),
            triggers: 0,
            jobs: Vec::new(),
            deduplicated: Vec::new(),
            refused: vec!["this message was taken before".to_owned()],
        }))
    }

    /// What a message says, if it is to be believed.
    fn hook_checked(&self, row: &Hook, secret: &str, message: &Message) -> Result<Value> {
        let refuse = |why: &str| Error::new(Code::SignatureInvalid, format!("the message is not believed: {why}"));
        let text = |part: &Option<String>, name: &str| {
            part.clone()
                .filter(|text| text.len() <= MESSAGE_ID_MAX * 4)
                .ok_or_else(|| refuse(&format!("it has no {name}")))
        };
        let signature = text(&message.signature, "signature")?;
        let id = text(&message.id, "id").and_then(|id| {
            if id.is_empty() || id.len() > MESSAGE_ID_MAX { Err(refuse("its id is not one")) } else { Ok(id) }
        })?;
        match row.scheme {
            HookScheme::Standard => {
                let timestamp = text(&message.timestamp, "time")?;
                let signed = Signed { id: &id, timestamp: &timestamp, signature: &signature };
                verify_webhook(secret, signed, &message.body, self.now(), TOLERANCE)
                    .map_err(|error| refuse(&error.to_string()))?;
            }
            HookScheme::Github => {
                verify_github(secret, &signature, &message.body).map_err(|error| refuse(&error.to_string()))?;
            }
        }
        let mut data: Value = serde_json::from_slice(&message.body)
            .map_err(|error| Error::new(Code::MalformedRequest, format!("the body is not JSON: {error}")))?;
        if !data.is_object() {
            return Err(Error::invalid("the data of an event is an object"));
        }
        if let Some(event) = &message.event {
            data["hook_event"] = json!(event.chars().take(100).collect::<String>());
        }
        Ok(data)
    }

    fn hook_shown(&self, row: Hook) -> View {
        View {
            id: row.id,
            name: row.name,
            url: format!("{}/in/{}", self.options.public_url, row.id),
            scheme: row.scheme,
            event_name: row.event_name,
            last_ok_at: row.last_ok_at,
            last_error: row.last_error,
            last_error_at: row.last_error_at,
            created_by: row.created_by,
            created_at: row.created_at,
        }
    }
}
