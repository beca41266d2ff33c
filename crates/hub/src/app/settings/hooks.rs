//! Webhook addresses for events from other systems, each with its own signing secret.

use data_encoding::HEXLOWER;
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
use sha2::{Digest as _, Sha256};
use store::hook::Hook;

use crate::app::{AuditEntry, RequestContext, triggers::events::EventCause};
use crate::{Error, Hub, Result, vault::Purpose};

/// Most webhook addresses per organization.
const HOOKS_MAX: u32 = 100;
/// Allowed length of a secret that the caller provides.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 16..=500;
/// Longest message id, in bytes.
const MESSAGE_ID_MAX: usize = 200;

/// A received webhook message.
pub(crate) struct Message {
    /// Message id, used to drop repeated deliveries.
    pub(crate) id: Option<String>,
    pub(crate) timestamp: Option<String>,
    pub(crate) signature: Option<String>,
    /// Event type as named by the sender, such as GitHub's `X-GitHub-Event`.
    pub(crate) event: Option<String>,
    pub(crate) body: bytes::Bytes,
}

impl Hub {
    /// Lists the webhook addresses of an organization by name.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn hook_list(&self, org: OrgId) -> Result<Hooks> {
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.hook_list(org, HOOKS_MAX).await?) }))
            .await?;
        Ok(Hooks { items: rows.into_iter().map(|row| self.hook_shown(row)).collect() })
    }

    /// Creates a webhook address. Its secret is returned only here.
    ///
    /// # Errors
    /// Fails if the name is taken or a field is invalid.
    pub async fn hook_create(&self, by: &RequestContext, org: OrgId, request: HookRequest) -> Result<HookMade> {
        by.must(Permission::AlertManage)?;
        name::check(&request.name)?;
        event_match::check_name(&request.event_name).map_err(Error::invalid)?;
        let scheme = request.scheme.unwrap_or(HookScheme::Standard);
        let secret = request.secret.unwrap_or_else(|| domain::channel::webhook_secret(self.random.bytes()));
        if !SECRET_CHARS.contains(&secret.chars().count()) {
            return Err(Error::invalid("the secret must have 16 to 500 characters"));
        }
        if scheme == HookScheme::Standard && domain::channel::webhook_key(&secret).is_none() {
            return Err(Error::invalid("a Standard Webhooks secret starts with `whsec_`")
                .hint("leave out `secret` to generate one"));
        }
        let (id, now, who) = (self.ids.next(), self.now(), by.caller.actor.label());
        let (hub, by, plain) = (self.clone(), by.clone(), secret.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if tx.hook_list(org, HOOKS_MAX).await?.len() >= HOOKS_MAX as usize {
                    return Err(Error::invalid(format!("an organization has at most {HOOKS_MAX} webhooks")));
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
                    Err(store::Error::UniqueViolation(_)) => {
                        return Err(Error::new(
                            Code::NameTaken,
                            format!("a webhook named `{}` already exists", row.name),
                        ));
                    }
                    other => other?,
                }
                let entry = AuditEntry {
                    action: "hook.created",
                    kind: "hook",
                    id: Some(id.to_string()),
                    name: Some(&row.name),
                    diff: json!({"event_name": [null, row.event_name], "scheme": [null, row.scheme]}),
                };
                by.record(&hub, tx, Some(org), entry).await?;
                Ok(row)
            })
        });
        let row = work.await?;
        Ok(HookMade { hook: self.hook_shown(row), secret })
    }

    /// Removes a webhook address.
    ///
    /// # Errors
    /// Fails if the hook does not exist.
    pub async fn hook_remove(&self, by: &RequestContext, org: OrgId, id: HookId) -> Result<()> {
        by.must(Permission::AlertManage)?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if !tx.hook_remove(org, id).await? {
                    return Err(Error::not_found("webhook", id));
                }
                let (id, diff) = (Some(id.to_string()), json!({}));
                by.record(
                    &hub,
                    tx,
                    Some(org),
                    AuditEntry { action: "hook.removed", kind: "hook", id, name: None, diff },
                )
                .await
            })
        });
        work.await
    }

    /// Receives an event from another system: checks signature and age, and processes each message id once.
    pub(crate) async fn hook_receive(&self, id: HookId, message: Message) -> Result<EventMade> {
        let unknown = || Error::new(Code::NotFound, "unknown webhook address");
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
        // GitHub signs the body alone: a captured message is valid under any id.
        let body = (row.scheme == HookScheme::Github)
            .then(|| format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(&message.body))));
        let cause = EventCause::Hook { id, message: message.id.unwrap_or_default(), body };
        let made = self.event_receive(None, org, request, cause).await?;
        // `None`: this message id was processed before; the sender retries because it did not receive our answer.
        Ok(made.unwrap_or_else(|| EventMade {
            id: String::new(),
            triggers: 0,
            jobs: Vec::new(),
            deduplicated: Vec::new(),
            refused: vec!["this message was already processed".to_owned()],
        }))
    }

    /// Checks the signature of a message and returns its body.
    fn hook_checked(&self, row: &Hook, secret: &str, message: &Message) -> Result<Value> {
        let refuse = |why: &str| Error::new(Code::SignatureInvalid, format!("the message was rejected: {why}"));
        let text = |part: &Option<String>, name: &str| {
            part.clone()
                .filter(|text| text.len() <= MESSAGE_ID_MAX * 4)
                .ok_or_else(|| refuse(&format!("it has no {name}")))
        };
        let signature = text(&message.signature, "signature")?;
        let id = text(&message.id, "id").and_then(|id| {
            if id.is_empty() || id.len() > MESSAGE_ID_MAX { Err(refuse("its id is empty or too long")) } else { Ok(id) }
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
            return Err(Error::invalid("the event data must be a JSON object"));
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
