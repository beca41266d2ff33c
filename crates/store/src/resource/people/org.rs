//! Orgs.

use domain::{OrgId, Span, Timestamp};

use crate::{Result, Tx};

/// An org.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Org {
    pub id: OrgId,
    pub slug: String,
    pub name: String,
    pub timezone: String,
    pub offline_after_ms: Span,
    pub alert_after_ms: Span,
    /// How long its jobs are kept, by how they ended; none = as the hub does.
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
    // For whoever reads, decides and writes: on SQLite the one writer is the lock.
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
    // Its jobs can be millions: they are forgotten later, a little at a time.
    ORG_PURGE_PUT = same("insert into org_purge (org_id, created_at, updated_at) values ($1, $2, $2) on conflict do nothing");
    ORG_PURGE_LIST = same("select org_id from org_purge order by created_at limit $1");
    ORG_PURGE_DONE = same("delete from org_purge where org_id = $1");
}

impl Tx<'_> {
    /// Adds an org. A taken slug is a conflict on `org_slug_uq`.
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

    /// The org with this id.
    pub async fn org_get(&mut self, id: OrgId) -> Result<Option<Org>> {
        one!(self, ORG_GET => Org, id)
    }

    /// The org with this id, kept as it is by nobody else until this transaction ends.
    pub async fn org_lock(&mut self, id: OrgId) -> Result<Option<Org>> {
        one!(self, ORG_LOCK => Org, id)
    }

    /// The org with this slug.
    pub async fn org_by_slug(&mut self, slug: &str) -> Result<Option<Org>> {
        one!(self, ORG_BY_SLUG => Org, slug.to_owned())
    }

    /// Orgs by slug, after the one named.
    pub async fn org_list(&mut self, after: &str, limit: u32) -> Result<Vec<Org>> {
        all!(self, ORG_LIST => Org, after.to_owned(), i64::from(limit))
    }

    /// Writes the settings of an org. Says whether it was there.
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

    /// Removes an org and all that belongs to it; its jobs are forgotten by a loop. Its audit rows stay.
    pub async fn org_remove(&mut self, id: OrgId, now: Timestamp) -> Result<bool> {
        execute!(self, ORG_PURGE_PUT, id, now)?;
        Ok(execute!(self, ORG_REMOVE, id)? == 1)
    }

    /// Orgs that were removed and whose jobs have yet to be forgotten.
    pub async fn org_purges(&mut self, limit: u32) -> Result<Vec<OrgId>> {
        Ok(all!(self, ORG_PURGE_LIST => OrgOnly, i64::from(limit))?.into_iter().map(|row| row.org_id).collect())
    }

    /// Nothing is left of an org.
    pub async fn org_purge_done(&mut self, id: OrgId) -> Result<()> {
        execute!(self, ORG_PURGE_DONE, id)?;
        Ok(())
    }
}
