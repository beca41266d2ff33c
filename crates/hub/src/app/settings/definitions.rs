//! Definitions: the commands that jobs may run. Super admins manage them; an organization sees those it may use.

use domain::{
    DefinitionId, OrgId, Permission,
    argv::Argv,
    definition::{Change, Definition, builtin},
    quota::QuotaKind,
    schema::Violation,
};
use proto::{
    Code,
    api::definition::{
        DefinitionChange, DefinitionHistory, DefinitionPage, DefinitionPut, DefinitionQuery, DefinitionRequest,
        DefinitionVersion,
    },
    page::PageQuery,
};
use serde_json::{Map, Value, json};
use store::{Tx, definition::Definition as Stored, quota::QuotaKey};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result, queue::cache::definitions::read, scheduler::placement::definition_changed};

/// Versions returned in a history.
const HISTORY_MAX: u32 = 100;

fn change(change: Change) -> DefinitionChange {
    DefinitionChange { field: change.field, old: change.old, new: change.new }
}

/// Fields that only the hub sets; a request's values are ignored.
const OWN_FIELDS: &[&str] = &["id", "version", "created_at", "updated_at"];

/// A definition with the given fields replaced.
fn laid_over(base: &Definition, fields: &Map<String, Value>) -> Result<Definition> {
    let mut value = json!(base);
    let Some(object) = value.as_object_mut() else { return Err(Error::internal(anyhow::anyhow!("no object"))) };
    for (name, field) in fields.iter().filter(|(name, _)| !OWN_FIELDS.contains(&name.as_str())) {
        object.insert(name.clone(), field.clone());
    }
    serde_json::from_value(value).map_err(|error| Error::new(Code::DefinitionInvalid, error.to_string()))
}

fn checked(definition: Definition) -> Result<Definition> {
    match definition.check() {
        Ok(()) => Ok(definition),
        Err(faults) => Err(faulty(&definition.key, faults)),
    }
}

fn faulty(key: &str, faults: Vec<Violation>) -> Error {
    let first = faults.first().map(|fault| format!(": {fault}")).unwrap_or_default();
    Error::new(Code::DefinitionInvalid, format!("invalid definition `{key}`{first}")).faults(faults)
}

impl Hub {
    /// Lists all definitions by key.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn definition_list(&self, query: &DefinitionQuery) -> Result<DefinitionPage> {
        let limit = PageQuery { cursor: None, limit: query.limit }.limit();
        let after = query.cursor.clone().unwrap_or_default();
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.definition_list(&after, limit + 1).await.map_err(Error::from) }))
            .await?;
        let mut items: Vec<Definition> = rows.into_iter().map(read).collect::<Result<_>>()?;
        let has_more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next = if has_more { items.last().map(|definition| definition.key.clone()) } else { None };
        Ok(DefinitionPage { items, next })
    }

    /// Lists the definitions that an organization may use.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn definition_list_for(&self, org: OrgId, query: &DefinitionQuery) -> Result<DefinitionPage> {
        let slug = self.org_slug(org).await?;
        let mut page = self.definition_list(query).await?;
        page.items.retain(|definition| definition.is_for(&slug));
        Ok(page)
    }

    /// Returns a definition that an organization may use.
    ///
    /// # Errors
    /// Fails if the definition does not exist or is not for this organization.
    pub async fn definition_get_for(&self, org: OrgId, key: &str) -> Result<Definition> {
        let (slug, wanted) = (self.org_slug(org).await?, key.to_owned());
        let row = self.store.read(move |tx| {
            Box::pin(async move {
                let Some(row) = find(tx, &wanted).await? else { return Ok(None) };
                Ok::<_, Error>(tx.definition_is_for(org, row.id).await?.then_some(row))
            })
        });
        let row = row.await?.ok_or_else(|| Error::not_found("definition", key))?;
        let definition = read(row).map_err(|_| {
            Error::new(Code::DefinitionInvalid, format!("the definition {key} cannot be read"))
                .hint("its host may have a newer version: update the hub")
        })?;
        if definition.is_for(&slug) { Ok(definition) } else { Err(Error::not_found("definition", key)) }
    }

    /// Returns a definition by key or id.
    ///
    /// # Errors
    /// Fails if the definition does not exist.
    pub async fn definition_get(&self, reference: &str) -> Result<Definition> {
        let wanted = reference.to_owned();
        let row = self.store.read(move |tx| Box::pin(async move { find(tx, &wanted).await })).await?;
        row.ok_or_else(|| Error::not_found("definition", reference)).and_then(read)
    }

    /// Lists the versions of a definition, newest first, each with its changes.
    ///
    /// # Errors
    /// Fails if the definition does not exist.
    pub async fn definition_history(&self, reference: &str) -> Result<DefinitionHistory> {
        let wanted = reference.to_owned();
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let row = find(tx, &wanted).await?.ok_or_else(|| Error::not_found("definition", &wanted))?;
                    Ok::<_, Error>(tx.definition_history(row.id, HISTORY_MAX).await?)
                })
            })
            .await?;
        let mut items = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let new = read(row.clone())?;
            let changes = match rows.get(number + 1) {
                Some(old) => Definition::diff(&read(old.clone())?, &new),
                None => Vec::new(),
            };
            items.push(DefinitionVersion {
                version: row.version,
                created_by: row.created_by.clone(),
                created_at: row.updated_at,
                changes: changes.into_iter().map(change).collect(),
            });
        }
        Ok(DefinitionHistory { items })
    }

    /// Creates a definition, or a new version if the key exists. Unchanged fields create no version.
    ///
    /// # Errors
    /// Fails if the definition is invalid or was changed at the same time.
    pub async fn definition_put(&self, by: &RequestContext, request: DefinitionRequest) -> Result<DefinitionPut> {
        by.must(Permission::Installation)?;
        let key = request.fields.get("key").and_then(Value::as_str).map(str::to_owned);
        let key = key.ok_or_else(|| Error::new(Code::DefinitionInvalid, "a definition needs a key"))?;
        self.definition_write(by, key, request, true).await
    }

    /// Changes some fields of an existing definition.
    ///
    /// # Errors
    /// Fails if the definition does not exist or the result is invalid.
    pub async fn definition_update(
        &self,
        by: &RequestContext,
        reference: &str,
        request: DefinitionRequest,
    ) -> Result<DefinitionPut> {
        by.must(Permission::Installation)?;
        let key = self.definition_get(reference).await?.key;
        self.definition_write(by, key, request, false).await
    }

    async fn definition_write(
        &self,
        by: &RequestContext,
        key: String,
        request: DefinitionRequest,
        replaces: bool,
    ) -> Result<DefinitionPut> {
        let (hub, by) = (self.clone(), by.clone());
        let put = self
            .store
            .write(move |tx| Box::pin(async move { write(&hub, tx, &by, &key, &request, replaces).await }))
            .await?;
        self.queue.definitions.forget_newest();
        self.wakes.dispatch_poll.wake();
        Ok(put)
    }
}

async fn find(tx: &mut Tx<'_>, reference: &str) -> Result<Option<Stored>> {
    match reference.parse::<DefinitionId>() {
        Ok(id) => Ok(tx.definition_history(id, 1).await?.into_iter().next()),
        Err(_) => Ok(tx.definition_get(reference).await?),
    }
}

/// Stores a new version. With `replaces`, fields absent from the request go back to their defaults.
async fn write(
    hub: &Hub,
    tx: &mut Tx<'_>,
    by: &RequestContext,
    key: &str,
    request: &DefinitionRequest,
    replaces: bool,
) -> Result<DefinitionPut> {
    let now = hub.now();
    let before = tx.definition_get(key).await?.map(read).transpose()?;
    let mut fields = request.fields.clone();
    // Parse argv on its own first: an error from serde would not say which element is wrong.
    if let Some(Err(refused)) = fields.get("argv").map(|argv| Argv::parse(argv.clone())) {
        return Err(faulty(key, vec![Violation::new(refused.pointer, refused.detail).inside("/argv")]));
    }
    fields.insert("key".to_owned(), json!(key));
    let mut after = match &before {
        Some(before) if !replaces => laid_over(before, &fields)?,
        _ => {
            for (name, value) in [
                ("id", json!(before.as_ref().map_or_else(|| hub.ids.next(), |before| before.id))),
                ("version", json!(1)),
                ("created_at", json!(before.as_ref().map_or(now, |before| before.created_at))),
                ("updated_at", json!(now)),
            ] {
                fields.insert(name.to_owned(), value);
            }
            serde_json::from_value(Value::Object(fields))
                .map_err(|error| Error::new(Code::DefinitionInvalid, error.to_string()))?
        }
    };
    after.version = before.as_ref().map_or(1, |before| before.version + 1);
    after.updated_at = now;
    let after = checked(after)?;
    let changes = before.as_ref().map(|before| Definition::diff(before, &after)).unwrap_or_default();
    let is_new = before.is_none();
    if let Some(before) = before.filter(|_| changes.is_empty()) {
        return Ok(DefinitionPut { definition: before, changes: Vec::new(), is_new: false });
    }
    if !request.dry_run {
        store_version(hub, tx, &after, &by.caller.actor.label()).await?;
        let diff: Map<String, Value> =
            changes.iter().map(|change| (change.field.clone(), json!([change.old, change.new]))).collect();
        let entry = AuditEntry {
            action: if is_new { "definition.created" } else { "definition.updated" },
            kind: "definition",
            id: Some(after.id.to_string()),
            name: Some(&after.key),
            diff: json!(diff),
        };
        by.record(hub, tx, None, entry).await?;
    }
    Ok(DefinitionPut { definition: after, changes: changes.into_iter().map(change).collect(), is_new })
}

async fn store_version(hub: &Hub, tx: &mut Tx<'_>, definition: &Definition, by: &str) -> Result<()> {
    let now = hub.now();
    let row = Stored {
        id: definition.id,
        key: definition.key.clone(),
        version: definition.version,
        is_active: definition.is_active,
        body: json!(definition),
        created_by: by.to_owned(),
        created_at: definition.created_at,
        updated_at: now,
    };
    if !tx.definition_put(&row, now).await? {
        let detail = format!("another request changed the definition `{}`", definition.key);
        return Err(Error::new(Code::NameTaken, detail).hint("try again"));
    }
    limits(hub, tx, definition).await?;
    definition_changed(hub, tx, &definition.key, now).await
}

/// Writes the limits of a definition as quotas of the queue.
async fn limits(hub: &Hub, tx: &mut Tx<'_>, definition: &Definition) -> Result<()> {
    let key = QuotaKey { org: None, kind: QuotaKind::Definition, subject: definition.id.to_string(), host: None };
    let number = |limit: Option<u32>| limit.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX));
    let (running, rate) = (number(definition.max_running), number(definition.jobs_per_minute));
    crate::app::settings::limits::set_limit(hub, tx, &key, running, rate).await
}

/// Inserts the built-in definitions, or updates those from an older version of the program.
pub(crate) async fn put_builtin(hub: &Hub, tx: &mut Tx<'_>) -> Result<()> {
    for mut definition in builtin(hub.now()) {
        match tx.definition_get(&definition.key).await?.map(read).transpose()? {
            None => store_version(hub, tx, &definition, "hostler").await?,
            // Update only what the definition runs: an admin may have disabled or limited it.
            Some(known) if known.argv != definition.argv || known.arg_schema != definition.arg_schema => {
                definition = Definition {
                    argv: definition.argv,
                    arg_schema: definition.arg_schema,
                    version: known.version + 1,
                    ..known
                };
                store_version(hub, tx, &definition, "hostler").await?;
            }
            Some(_) => {}
        }
    }
    Ok(())
}
