//! Notification channels and the notifications sent to them.

use domain::{Actor, ChannelId, NoticeId, OrgId, Permission, channel::Channel as Config, name};
use notify::{Notice as Outgoing, NoticeState};
use proto::{
    Code, Page,
    api::channel::{Channel as View, ChannelRequest, ChannelTested, Channels, Notice as NoticeView},
    page::PageQuery,
};
use serde_json::{Map, Value, json};
use store::{Tx, channel::Channel};

use crate::app::{AuditEntry, RequestContext};
use crate::{
    Error, Hub, Result,
    alerts::notify::{CHANNELS_MAX, ChannelBody, words},
    vault::Purpose,
};

/// Highest daily limit of a channel.
const PER_DAY_MAX: u32 = 100_000;

impl Hub {
    /// Lists the channels of an organization by name.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn channel_list(&self, org: OrgId) -> Result<Channels> {
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.channel_list(org, CHANNELS_MAX).await?) }))
            .await?;
        Ok(Channels { items: rows.into_iter().map(shown).collect() })
    }

    /// Returns a channel by id or name.
    ///
    /// # Errors
    /// Fails if the channel does not exist.
    pub async fn channel_get(&self, org: OrgId, reference: &str) -> Result<View> {
        let reference = reference.to_owned();
        let row = self.store.read(move |tx| Box::pin(async move { find(tx, org, &reference).await })).await?;
        Ok(shown(row))
    }

    /// Creates a channel.
    ///
    /// # Errors
    /// Fails if a field is invalid or the name is taken.
    pub async fn channel_create(&self, by: &RequestContext, org: OrgId, request: ChannelRequest) -> Result<View> {
        by.must(Permission::AlertManage)?;
        let id = self.ids.next();
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if tx.channel_list(org, CHANNELS_MAX).await?.len() >= CHANNELS_MAX as usize {
                    return Err(Error::invalid(format!("an organization has at most {CHANNELS_MAX} channels")));
                }
                let row = built(&hub, tx, &by, org, id, None, request).await?;
                named(tx.channel_insert(&row).await, &row.name)?;
                let diff = json!({"config": [null, row.shown], "settings": [null, row.body]});
                by.record(&hub, tx, Some(org), entry(&row, "channel.created", diff)).await?;
                Ok(row)
            })
        });
        work.await.map(shown)
    }

    /// Changes fields of a channel. A named field is replaced as a whole; null removes it.
    ///
    /// # Errors
    /// Fails if the channel does not exist or the result would be invalid.
    pub async fn channel_update(
        &self,
        by: &RequestContext,
        org: OrgId,
        reference: &str,
        patch: Map<String, Value>,
    ) -> Result<View> {
        by.must(Permission::AlertManage)?;
        let (hub, by, reference) = (self.clone(), by.clone(), reference.to_owned());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let before = find(tx, org, &reference).await?;
                let request = patched(&before, patch)?;
                let row = built(&hub, tx, &by, org, before.id, Some(&before), request).await?;
                named(tx.channel_update(&row).await, &row.name)?;
                let diff = json!({"config": [before.shown, row.shown], "settings": [before.body, row.body],
                    "is_enabled": [before.is_enabled, row.is_enabled]});
                by.record(&hub, tx, Some(org), entry(&row, "channel.updated", diff)).await?;
                Ok(row)
            })
        });
        work.await.map(shown)
    }

    /// Removes a channel and its unsent notifications.
    ///
    /// # Errors
    /// Fails if the channel does not exist.
    pub async fn channel_remove(&self, by: &RequestContext, org: OrgId, reference: &str) -> Result<()> {
        by.must(Permission::AlertManage)?;
        let (hub, by, reference) = (self.clone(), by.clone(), reference.to_owned());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let row = find(tx, org, &reference).await?;
                tx.channel_remove(org, row.id).await?;
                by.record(&hub, tx, Some(org), entry(&row, "channel.removed", json!({}))).await
            })
        });
        work.await
    }

    /// Sends a test notification through a channel and returns the outcome.
    ///
    /// # Errors
    /// Fails if the channel does not exist or its secret cannot be decrypted.
    pub async fn channel_test(&self, by: &RequestContext, org: OrgId, reference: &str) -> Result<ChannelTested> {
        by.must(Permission::AlertManage)?;
        let (hub, reference) = (self.clone(), reference.to_owned());
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let row = find(tx, org, &reference).await?;
                let config = opened(&hub, tx, &row).await?;
                let slug = tx.org_get(org).await?.map(|org| org.slug).unwrap_or_default();
                Ok::<_, Error>((row, config, slug))
            })
        });
        let (row, config, slug) = read.await?;
        let body: ChannelBody = serde_json::from_value(row.body.clone()).unwrap_or_default();
        let now = self.now();
        let notice = Outgoing {
            id: self.ids.next::<domain::id::kind::Notice>().to_string(),
            org: slug,
            kind: "test".to_owned(),
            severity: "info".to_owned(),
            state: NoticeState::Test,
            title: "Hostler: test notification".to_owned(),
            text: format!("Test of the channel {}, requested by {}.", row.name, requester(&by.caller.actor)),
            subject: row.name.clone(),
            url: Some(self.options.public_url.clone()),
            at: now,
            count: 1,
            fields: json!({}),
        };
        let sender = self.sender()?;
        // From here on the test may be delivered, whatever happens to the database.
        by.set_recorded();
        let sent = sender.send(&config, &notice, body.template.as_deref()).await;
        let error = sent.as_ref().err().map(|failure| failure.text.clone());
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let diff = json!({"is_delivered": error.is_none()});
                match error {
                    None => tx.channel_ok(row.id, now).await?,
                    Some(text) => tx.channel_failed(row.id, &text, now).await?,
                }
                by.record(&hub, tx, Some(org), entry(&row, "channel.tested", diff)).await
            })
        });
        work.await?;
        Ok(match sent {
            Ok(done) => ChannelTested {
                is_delivered: true,
                took_ms: u64::try_from(done.took.as_millis()).unwrap_or(u64::MAX),
                text: done.answer,
            },
            Err(failure) => ChannelTested { is_delivered: false, took_ms: 0, text: failure.text },
        })
    }

    /// Lists sent and pending notifications, newest first.
    ///
    /// # Errors
    /// Fails if the cursor is invalid.
    pub async fn notice_list(&self, org: OrgId, query: &PageQuery) -> Result<Page<NoticeView>> {
        let before = match &query.cursor {
            Some(cursor) => cursor.parse().map_err(|_| Error::invalid("invalid cursor; use `next` of a page"))?,
            None => NoticeId::from_bytes([255; 16]),
        };
        let limit = query.limit();
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let rows = tx.notice_list(org, before, limit + 1).await?;
                Ok::<_, Error>((rows, tx.channel_list(org, CHANNELS_MAX).await?))
            })
        });
        let (rows, channels) = read.await?;
        let name = |id: ChannelId| {
            channels.iter().find(|channel| channel.id == id).map_or_else(|| id.to_string(), |found| found.name.clone())
        };
        let items = rows.into_iter().map(|row| {
            let (title, text, _) = words(&row);
            NoticeView {
                id: row.id,
                channel: name(row.channel_id),
                kind: row.kind,
                state: row.state.to_string(),
                title,
                text,
                count: row.count,
                status: row.status.to_string(),
                tries: row.tries,
                last_error: row.last_error,
                due_at: row.due_at,
                sent_at: row.sent_at,
                created_at: row.created_at,
            }
        });
        Ok(Page::cut(items.collect(), limit, |notice: &NoticeView| notice.id.to_string()))
    }
}

/// The requester of a test, for the text of its notification.
fn requester(actor: &Actor) -> String {
    match actor {
        Actor::Local { uid } => format!("the local user (uid {uid})"),
        actor => actor.label(),
    }
}

async fn find(tx: &mut Tx<'_>, org: OrgId, reference: &str) -> Result<Channel> {
    let found = match reference.parse() {
        Ok(id) => tx.channel_get(org, id).await?,
        Err(_) => tx.channel_by_name(org, reference).await?,
    };
    found.ok_or_else(|| {
        Error::not_found("channel", reference.chars().take(100).collect::<String>())
            .hint("`hostler channel list` lists the channels")
    })
}

fn named<T>(written: store::Result<T>, name: &str) -> Result<T> {
    match written {
        Err(store::Error::UniqueViolation(_)) => {
            Err(Error::new(Code::NameTaken, format!("a channel named `{name}` already exists in this organization")))
        }
        other => Ok(other?),
    }
}

fn entry<'a>(row: &'a Channel, action: &'a str, diff: Value) -> AuditEntry<'a> {
    AuditEntry { action, kind: "channel", id: Some(row.id.to_string()), name: Some(&row.name), diff }
}

async fn opened(hub: &Hub, tx: &mut Tx<'_>, row: &Channel) -> Result<Config> {
    let plain = hub.vault.key(tx).await?.open(Purpose::Channel(row.org_id, row.id), &row.sealed)?;
    serde_json::from_slice(&plain).map_err(Error::internal)
}

/// Builds the row of a channel from a request: checks it, merges hidden values from `before`, and seals the config.
async fn built(
    hub: &Hub,
    tx: &mut Tx<'_>,
    by: &RequestContext,
    org: OrgId,
    id: ChannelId,
    before: Option<&Channel>,
    request: ChannelRequest,
) -> Result<Channel> {
    let needed = |field: &str| Error::invalid(format!("missing field `{field}`"));
    let name = request.name.ok_or_else(|| needed("name"))?;
    name::check(&name)?;
    let config: Config =
        serde_json::from_value(request.config.ok_or_else(|| needed("config"))?).map_err(Error::invalid)?;
    let config = match before {
        Some(before) => config.merged(&opened(hub, tx, before).await?),
        None => config,
    };
    config.check().map_err(Error::invalid)?;
    if config.needs_super_admin() {
        by.must(Permission::Installation)?;
    }
    let body = ChannelBody {
        wants: domain::alert::ChannelFilter {
            kinds: request.kinds.unwrap_or_default(),
            min_severity: request.min_severity,
        },
        quiet_hours: request.quiet_hours,
        per_day: request.per_day,
        template: request.template,
    };
    check_body(&body)?;
    let plain = serde_json::to_vec(&config).map_err(Error::internal)?;
    let sealed = hub.vault.key(tx).await?.seal(Purpose::Channel(org, id), &plain)?;
    let now = hub.now();
    Ok(Channel {
        id,
        org_id: org,
        name,
        kind: config.kind(),
        shown: json!(config.masked()),
        sealed,
        body: json!(body),
        is_enabled: request.is_enabled.unwrap_or(true),
        last_ok_at: before.and_then(|before| before.last_ok_at),
        last_error: before.and_then(|before| before.last_error.clone()),
        last_error_at: before.and_then(|before| before.last_error_at),
        created_by: before.map_or_else(|| by.caller.actor.label(), |before| before.created_by.clone()),
        created_at: before.map_or(now, |before| before.created_at),
        updated_at: now,
    })
}

fn check_body(body: &ChannelBody) -> Result<()> {
    if let Some(hours) = &body.quiet_hours {
        hours.check().map_err(Error::invalid)?;
    }
    if body.per_day.is_some_and(|per_day| per_day == 0 || per_day > PER_DAY_MAX) {
        return Err(Error::invalid(format!("`per_day` must be between 1 and {PER_DAY_MAX}")));
    }
    if let Some(template) = &body.template {
        notify::check_template(template).map_err(Error::invalid)?;
    }
    Ok(())
}

/// The request that would create this channel, with the fields of a patch applied.
fn patched(before: &Channel, patch: Map<String, Value>) -> Result<ChannelRequest> {
    let mut form = match &before.body {
        Value::Object(body) => body.clone(),
        _ => Map::new(),
    };
    form.insert("name".to_owned(), json!(before.name));
    form.insert("config".to_owned(), before.shown.clone());
    form.insert("is_enabled".to_owned(), json!(before.is_enabled));
    form.extend(patch);
    form.retain(|_, value| !value.is_null());
    serde_json::from_value(Value::Object(form)).map_err(Error::invalid)
}

fn shown(row: Channel) -> View {
    let body: ChannelBody = serde_json::from_value(row.body).unwrap_or_default();
    View {
        id: row.id,
        name: row.name,
        config: row.shown,
        kinds: body.wants.kinds,
        min_severity: body.wants.min_severity,
        quiet_hours: body.quiet_hours,
        per_day: body.per_day,
        template: body.template,
        is_enabled: row.is_enabled,
        last_ok_at: row.last_ok_at,
        last_error: row.last_error,
        last_error_at: row.last_error_at,
        created_by: row.created_by,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}
