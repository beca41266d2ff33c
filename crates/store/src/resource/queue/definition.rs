//! Definitions and their versions.

use domain::{DefinitionId, OrgId, Timestamp};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// One version of a definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub id: DefinitionId,
    pub key: String,
    pub version: i32,
    pub is_active: bool,
    pub body: Value,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

struct Row {
    id: DefinitionId,
    key: String,
    version: i32,
    is_active: bool,
    body: Json<Value>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

rows! { Row { id, key, version, is_active, body, created_by, created_at, updated_at } }

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select d.id, d.key, v.version, d.is_active, v.body, v.created_by, d.created_at, v.created_at as updated_at
            from definition d join definition_version v on v.definition_id = d.id ",
            $rest
        )
    };
}

statements! {
    DEFINITION_GET = same(select!("and v.version = d.version where d.key = $1"));
    DEFINITION_IS_FOR = same("
        select 1 from definition d where d.id = $1
            and (d.origin is null or exists (select 1 from host h where h.id = d.origin and h.org_id = $2))");
    DEFINITION_VERSION = same(select!("where d.id = $1 and v.version = $2"));
    DEFINITION_LIST = same(select!("and v.version = d.version where d.key > $1 and d.origin is null order by d.key limit $2"));
    DEFINITION_HISTORY = same(select!("where d.id = $1 order by v.version desc limit $2"));
    DEFINITION_INSERT = same("
        insert into definition (id, key, version, is_active, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)");
    DEFINITION_UPDATE = same("update definition set version = $2, is_active = $3, updated_at = $4 where id = $1 and version = $2 - 1");
    DEFINITION_VERSION_INSERT = same("
        insert into definition_version (definition_id, version, body, created_by, created_at) values ($1, $2, $3, $4, $5)");
}

impl Tx<'_> {
    /// Returns the newest version of a definition.
    pub async fn definition_get(&mut self, key: &str) -> Result<Option<Definition>> {
        Ok(one!(self, DEFINITION_GET => Row, key.to_owned())?.map(Definition::from))
    }

    /// Whether an org may know of a definition: it belongs to the hub, or to a host of the org.
    pub async fn definition_is_for(&mut self, org: OrgId, id: DefinitionId) -> Result<bool> {
        Ok(value!(self, DEFINITION_IS_FOR => i32, id, org)?.is_some())
    }

    /// Returns one version of a definition.
    pub async fn definition_version(&mut self, id: DefinitionId, version: i32) -> Result<Option<Definition>> {
        Ok(one!(self, DEFINITION_VERSION => Row, id, version)?.map(Definition::from))
    }

    /// Returns the newest version of each definition, by key. Leaves out definitions of hosts.
    pub async fn definition_list(&mut self, after: &str, limit: u32) -> Result<Vec<Definition>> {
        let rows = all!(self, DEFINITION_LIST => Row, after.to_owned(), i64::from(limit))?;
        Ok(rows.into_iter().map(Definition::from).collect())
    }

    /// Returns the versions of a definition, newest first.
    pub async fn definition_history(&mut self, id: DefinitionId, limit: u32) -> Result<Vec<Definition>> {
        let rows = all!(self, DEFINITION_HISTORY => Row, id, i64::from(limit))?;
        Ok(rows.into_iter().map(Definition::from).collect())
    }

    /// Inserts a definition or its next version. Returns `false` if another transaction inserted that version first.
    pub async fn definition_put(&mut self, definition: &Definition, now: Timestamp) -> Result<bool> {
        let d = definition;
        if d.version == 1 {
            execute!(self, DEFINITION_INSERT, d.id, d.key.clone(), d.version, d.is_active, now)?;
        } else if execute!(self, DEFINITION_UPDATE, d.id, d.version, d.is_active, now)? == 0 {
            return Ok(false);
        }
        execute!(self, DEFINITION_VERSION_INSERT, d.id, d.version, Json(d.body.clone()), d.created_by.clone(), now)?;
        Ok(true)
    }
}

impl From<Row> for Definition {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            key: row.key,
            version: row.version,
            is_active: row.is_active,
            body: row.body.0,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}
