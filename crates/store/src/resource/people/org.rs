//! Organizations, and the deletion of their rows.

use domain::{OrgId, Span, Timestamp};

use crate::{Result, Tx};

/// An organization with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Org {
    pub id: OrgId,
    pub slug: String,
    pub name: String,
    pub timezone: String,
    pub offline_after_ms: Span,
    pub alert_after_ms: Span,
    /// How long finished jobs are kept, by status; `None` = the hub's setting.
    pub keep_succeeded_ms: Option<Span>,
    pub keep_failed_ms: Option<Span>,
    pub keep_dead_letter_ms: Option<Span>,
    pub keep_canceled_ms: Option<Span>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

struct OrgOnly {
    org_id: OrgId,
}

rows! { OrgOnly { org_id } }
rows! {
    Org {
        id, slug, name, timezone, offline_after_ms, alert_after_ms, keep_succeeded_ms, keep_failed_ms,
        keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at
    }
}

statements! {
    ORG_INSERT = same("
        insert into org (id, slug, name, timezone, offline_after_ms, alert_after_ms,
            keep_succeeded_ms, keep_failed_ms, keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)");
    ORG_GET = same("
        select id, slug, name, timezone, offline_after_ms, alert_after_ms,
            keep_succeeded_ms, keep_failed_ms, keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at
        from org
        where id = $1");
    // Locks the organization for a read-modify-write. SQLite needs no lock: it has one writer.
    ORG_LOCK = pair(
        "select id, slug, name, timezone, offline_after_ms, alert_after_ms,
            keep_succeeded_ms, keep_failed_ms, keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at
        from org
        where id = $1",
        "select id, slug, name, timezone, offline_after_ms, alert_after_ms,
            keep_succeeded_ms, keep_failed_ms, keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at
        from org
        where id = $1
        for update"
    );
    ORG_BY_SLUG = same("
        select id, slug, name, timezone, offline_after_ms, alert_after_ms,
            keep_succeeded_ms, keep_failed_ms, keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at
        from org
        where slug = $1");
    ORG_LIST = same("
        select id, slug, name, timezone, offline_after_ms, alert_after_ms,
            keep_succeeded_ms, keep_failed_ms, keep_dead_letter_ms, keep_canceled_ms, created_at, updated_at
        from org
        where slug > $1
        order by slug
        limit $2");
    ORG_UPDATE = same("
        update org
        set name = $2, timezone = $3, offline_after_ms = $4, alert_after_ms = $5, updated_at = $6,
            keep_succeeded_ms = $7, keep_failed_ms = $8, keep_dead_letter_ms = $9, keep_canceled_ms = $10
        where id = $1");
    ORG_REMOVE = same("delete from org where id = $1");
    // A removed organization can have millions of jobs: a loop deletes them later, in small batches.
    ORG_PURGE_PUT = same("insert into org_purge (org_id, created_at, updated_at) values ($1, $2, $2) on conflict do nothing");
    ORG_PURGE_LIST = same("select org_id from org_purge order by created_at limit $1");
    ORG_PURGE_DONE = same("delete from org_purge where org_id = $1");
}

impl Tx<'_> {
    /// Inserts an organization. A slug in use violates `org_slug_uq`.
    pub async fn org_insert(&mut self, org: &Org) -> Result<()> {
        execute!(
            self,
            ORG_INSERT,
            org.id,
            org.slug.clone(),
            org.name.clone(),
            org.timezone.clone(),
            org.offline_after_ms,
            org.alert_after_ms,
            org.keep_succeeded_ms,
            org.keep_failed_ms,
            org.keep_dead_letter_ms,
            org.keep_canceled_ms,
            org.created_at,
            org.updated_at
        )?;
        Ok(())
    }

    /// Returns the organization with this id.
    pub async fn org_get(&mut self, id: OrgId) -> Result<Option<Org>> {
        one!(self, ORG_GET => Org, id)
    }

    /// Returns the organization with this id and locks it.
    pub async fn org_lock(&mut self, id: OrgId) -> Result<Option<Org>> {
        one!(self, ORG_LOCK => Org, id)
    }

    /// Returns the organization with this slug.
    pub async fn org_by_slug(&mut self, slug: &str) -> Result<Option<Org>> {
        one!(self, ORG_BY_SLUG => Org, slug.to_owned())
    }

    /// Returns organizations by slug, after the given one.
    pub async fn org_list(&mut self, after: &str, limit: u32) -> Result<Vec<Org>> {
        all!(self, ORG_LIST => Org, after.to_owned(), i64::from(limit))
    }

    /// Updates the settings of an organization. Returns `false` if it does not exist.
    pub async fn org_update(&mut self, org: &Org) -> Result<bool> {
        let touched = execute!(
            self,
            ORG_UPDATE,
            org.id,
            org.name.clone(),
            org.timezone.clone(),
            org.offline_after_ms,
            org.alert_after_ms,
            org.updated_at,
            org.keep_succeeded_ms,
            org.keep_failed_ms,
            org.keep_dead_letter_ms,
            org.keep_canceled_ms
        )?;
        Ok(touched == 1)
    }

    /// Deletes an organization and all its rows except jobs, which a loop deletes later, and audit lines, which stay.
    pub async fn org_remove(&mut self, id: OrgId, now: Timestamp) -> Result<bool> {
        execute!(self, ORG_PURGE_PUT, id, now)?;
        self.removed_host_put_all(id, now).await?;
        Ok(execute!(self, ORG_REMOVE, id)? == 1)
    }

    /// Returns removed organizations whose jobs are not yet deleted.
    pub async fn org_purges(&mut self, limit: u32) -> Result<Vec<OrgId>> {
        Ok(all!(self, ORG_PURGE_LIST => OrgOnly, i64::from(limit))?.into_iter().map(|row| row.org_id).collect())
    }

    /// Marks the deletion of an organization's jobs as complete.
    pub async fn org_purge_done(&mut self, id: OrgId) -> Result<()> {
        execute!(self, ORG_PURGE_DONE, id)?;
        Ok(())
    }
}
