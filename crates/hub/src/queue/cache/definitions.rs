//! Compiled versions of definitions. A version never changes; the number of the newest version is read again after a
//! second.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use domain::{DefinitionId, Span, Timestamp, definition::Definition, schema::Schema};
use store::Tx;

use crate::{Error, Hub, Result};

/// How long the newest version of a definition is trusted to be the newest.
const FRESH_FOR: Span = Span::from_secs(1);

/// A definition with its schema compiled.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) definition: Definition,
    pub(crate) schema: Schema,
}

#[derive(Default)]
struct CachedDefinitions {
    by_version: HashMap<(DefinitionId, i32), Arc<Compiled>>,
    newest: HashMap<String, (Arc<Compiled>, Timestamp)>,
    keys: HashMap<DefinitionId, Arc<str>>,
}

/// Limits of a definition on one host: running jobs, and starts per minute.
type PerHost = (Option<i32>, Option<i32>);

/// The definitions that this hub has read.
#[derive(Default)]
pub(crate) struct Definitions(RwLock<CachedDefinitions>);

fn compile(row: store::definition::Definition) -> Result<Compiled> {
    let definition = read(row)?;
    let schema = Schema::compile(definition.arg_schema.clone()).map_err(|error| {
        Error::internal(anyhow::anyhow!("the schema of {} cannot be used: {error}", definition.key))
    })?;
    Ok(Compiled { definition, schema })
}

/// The definition in a stored row. Columns take precedence over the same fields of the body.
pub(crate) fn read(row: store::definition::Definition) -> Result<Definition> {
    let mut definition: Definition = serde_json::from_value(row.body).map_err(Error::internal)?;
    definition.id = row.id;
    definition.version = row.version;
    definition.is_active = row.is_active;
    definition.created_at = row.created_at;
    definition.updated_at = row.updated_at;
    Ok(definition)
}

impl Definitions {
    fn cached(&self) -> std::sync::RwLockReadGuard<'_, CachedDefinitions> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, compiled: Arc<Compiled>, newest_at: Option<Timestamp>) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let definition = &compiled.definition;
        known.keys.insert(definition.id, definition.key.as_str().into());
        known.by_version.insert((definition.id, definition.version), compiled.clone());
        if let Some(at) = newest_at {
            known.newest.insert(definition.key.clone(), (compiled, at));
        }
    }

    /// Drops the numbers of the newest versions, because one has changed.
    pub(crate) fn forget_newest(&self) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.newest.clear();
    }

    /// The key of a definition, if it is cached.
    pub(crate) fn key(&self, id: DefinitionId) -> Option<Arc<str>> {
        self.cached().keys.get(&id).cloned()
    }

    /// The key of a definition, read if it is not cached.
    pub(crate) async fn key_in(&self, tx: &mut Tx<'_>, id: DefinitionId) -> Result<Arc<str>> {
        if let Some(key) = self.key(id) {
            return Ok(key);
        }
        let newest = tx.definition_history(id, 1).await?.into_iter().next();
        let row = newest.ok_or_else(|| Error::internal(anyhow::anyhow!("there is no definition {id}")))?;
        let key: Arc<str> = row.key.as_str().into();
        self.0.write().unwrap_or_else(PoisonError::into_inner).keys.insert(id, key.clone());
        Ok(key)
    }

    /// The limits per host in the newest version of a definition.
    pub(crate) async fn per_host(&self, hub: &Hub, tx: &mut Tx<'_>, id: DefinitionId) -> Result<PerHost> {
        let newest = self.newest_in(hub, tx, id).await?;
        let number = |limit: Option<u32>| limit.map(|limit| i32::try_from(limit).unwrap_or(i32::MAX));
        let definition = &newest.definition;
        Ok((number(definition.max_running_per_host), number(definition.jobs_per_minute_per_host)))
    }

    /// The newest version of a definition.
    pub(crate) async fn newest(&self, hub: &Hub, key: &str) -> Result<Option<Arc<Compiled>>> {
        let now = hub.now();
        if let Some(compiled) = self.fresh(key, now) {
            return Ok(Some(compiled));
        }
        self.read_newest(hub, key, now).await
    }

    async fn read_newest(&self, hub: &Hub, key: &str, now: Timestamp) -> Result<Option<Arc<Compiled>>> {
        let wanted = key.to_owned();
        let row = hub
            .store
            .read(move |tx| Box::pin(async move { tx.definition_get(&wanted).await.map_err(Error::from) }))
            .await?;
        row.map(|row| self.keep_newest(row, now)).transpose()
    }

    /// The newest version of a definition, inside a transaction.
    pub(crate) async fn newest_in(&self, hub: &Hub, tx: &mut Tx<'_>, id: DefinitionId) -> Result<Arc<Compiled>> {
        let now = hub.now();
        if let Some(compiled) = self.key(id).and_then(|key| self.fresh(&key, now)) {
            return Ok(compiled);
        }
        let row = tx.definition_history(id, 1).await?.into_iter().next();
        let row = row.ok_or_else(|| Error::internal(anyhow::anyhow!("there is no definition {id}")))?;
        self.keep_newest(row, now)
    }

    fn fresh(&self, key: &str, now: Timestamp) -> Option<Arc<Compiled>> {
        let known = self.cached();
        known.newest.get(key).filter(|(_, at)| now.since(*at) < FRESH_FOR).map(|(compiled, _)| compiled.clone())
    }

    fn keep_newest(&self, row: store::definition::Definition, now: Timestamp) -> Result<Arc<Compiled>> {
        let known = self.cached().by_version.get(&(row.id, row.version)).cloned();
        let compiled = match known.filter(|compiled| compiled.definition.is_active == row.is_active) {
            Some(compiled) => compiled,
            None => Arc::new(compile(row)?),
        };
        self.keep(compiled.clone(), Some(now));
        Ok(compiled)
    }

    /// A definition in one version, inside a transaction.
    pub(crate) async fn version(&self, tx: &mut Tx<'_>, id: DefinitionId, version: i32) -> Result<Arc<Compiled>> {
        if let Some(compiled) = self.cached().by_version.get(&(id, version)) {
            return Ok(compiled.clone());
        }
        let row = tx.definition_version(id, version).await?;
        let row = row.ok_or_else(|| Error::internal(anyhow::anyhow!("definition {id} has no version {version}")))?;
        let compiled = Arc::new(compile(row)?);
        self.keep(compiled.clone(), None);
        Ok(compiled)
    }
}
