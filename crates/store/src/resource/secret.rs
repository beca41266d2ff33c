//! Secrets of organizations, stored encrypted. Encryption and keys are the caller's.

use domain::{OrgId, Timestamp};

use crate::{Result, Tx, value::Json};

/// A secret of an organization, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    pub name: String,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A secret of an organization with its encrypted value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub name: String,
    pub sealed: Vec<u8>,
}

rows! {
    Secret { name, created_by, created_at, updated_at }
    Sealed { name, sealed }
}

statements! {
    SECRET_PUT = same("
        insert into secret (org_id, name, sealed, created_by, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
        on conflict (org_id, name) do update
        set sealed = excluded.sealed, created_by = excluded.created_by, updated_at = excluded.updated_at");
    SECRET_LIST = same("
        select name, created_by, created_at, updated_at from secret where org_id = $1 order by name limit $2");
    SECRET_SEALED = pair(
        "select name, sealed from secret where org_id = $1 and name in (select value from json_each($2)) order by name",
        "select name, sealed from secret where org_id = $1 and name in (select jsonb_array_elements_text($2)) order by name"
    );
    SECRET_REMOVE = same("delete from secret where org_id = $1 and name = $2");
    SECRET_ANY = same("select name, sealed from secret order by updated_at limit 1");
}

impl Tx<'_> {
    /// Creates or replaces a secret of an organization.
    pub async fn secret_put(&mut self, org: OrgId, name: &str, sealed: &[u8], by: &str, now: Timestamp) -> Result<()> {
        execute!(self, SECRET_PUT, org, name.to_owned(), sealed.to_vec(), by.to_owned(), now)?;
        Ok(())
    }

    /// Returns the secrets of an organization, by name.
    pub async fn secret_list(&mut self, org: OrgId, limit: u32) -> Result<Vec<Secret>> {
        all!(self, SECRET_LIST => Secret, org, i64::from(limit))
    }

    /// Returns those of these secrets that exist, with their encrypted values.
    pub async fn secret_sealed(&mut self, org: OrgId, names: &[String]) -> Result<Vec<Sealed>> {
        all!(self, SECRET_SEALED => Sealed, org, Json(serde_json::json!(names)))
    }

    /// Deletes a secret of an organization.
    pub async fn secret_remove(&mut self, org: OrgId, name: &str) -> Result<bool> {
        Ok(execute!(self, SECRET_REMOVE, org, name.to_owned())? == 1)
    }

    /// Returns any secret of any organization, to find out which key encrypts them.
    pub async fn secret_any(&mut self) -> Result<Option<Sealed>> {
        one!(self, SECRET_ANY => Sealed)
    }
}
