//! Organizations and their settings.

use domain::{OrgId, Span, Timestamp, name, org};
use proto::{
    Code, Page,
    api::org::{Org as OrgView, OrgPatch, OrgRemoval, OrgRequest},
    page::PageQuery,
};
use serde_json::json;
use store::{Tx, org::Org};

use crate::app::{
    AuditEntry, FromStore, RequestContext, diff,
    settings::limits::{check_limit, org_key, set_limit},
};
use crate::{Error, Hub, Result};

impl FromStore<Org> for OrgView {
    fn from_store(org: Org) -> Self {
        Self {
            id: org.id,
            slug: org.slug,
            name: org.name,
            timezone: org.timezone,
            offline_after_seconds: seconds(org.offline_after_ms),
            alert_after_seconds: seconds(org.alert_after_ms),
            max_running: None,
            jobs_per_minute: None,
            keep_succeeded_seconds: org.keep_succeeded_ms.map(seconds),
            keep_failed_seconds: org.keep_failed_ms.map(seconds),
            keep_dead_letter_seconds: org.keep_dead_letter_ms.map(seconds),
            keep_canceled_seconds: org.keep_canceled_ms.map(seconds),
            created_at: org.created_at,
            updated_at: org.updated_at,
        }
    }
}

/// Adds an organization's limits to its view.
async fn with_limits(tx: &mut Tx<'_>, mut org: OrgView) -> Result<OrgView> {
    if let Some(quota) = tx.quota_get(&org_key(org.id)).await? {
        (org.max_running, org.jobs_per_minute) = (quota.max_running, quota.jobs_per_minute);
    }
    Ok(org)
}

/// Finds an organization by id or slug.
pub(crate) async fn find(tx: &mut Tx<'_>, reference: &str) -> Result<Org> {
    let org = match reference.parse::<OrgId>() {
        Ok(id) => tx.org_get(id).await?,
        Err(_) => tx.org_by_slug(reference).await?,
    };
    org.ok_or_else(|| Error::not_found("org", reference).hint("`hostler org list` lists the organizations"))
}

/// Validates the values of a patch.
fn check(patch: &OrgPatch) -> Result<()> {
    if let Some(zone) = &patch.timezone {
        org::check_zone(zone)?;
    }
    for (what, seconds) in [("offline_after", patch.offline_after_seconds), ("alert_after", patch.alert_after_seconds)]
    {
        if let Some(seconds) = seconds {
            org::check_threshold(what, Span::from_secs(seconds))?;
        }
    }
    for (what, seconds) in [
        ("keep_succeeded", patch.keep_succeeded_seconds),
        ("keep_failed", patch.keep_failed_seconds),
        ("keep_dead_letter", patch.keep_dead_letter_seconds),
        ("keep_canceled", patch.keep_canceled_seconds),
    ] {
        if let Some(seconds) = seconds.flatten() {
            org::check_keep(what, Span::from_secs(seconds))?;
        }
    }
    check_limit("max_running", patch.max_running.flatten())?;
    check_limit("jobs_per_minute", patch.jobs_per_minute.flatten())
}

/// Applies a patch to the settings.
fn apply(org: &mut Org, patch: &OrgPatch, now: Timestamp) {
    let keep = |own: Option<Span>, change: Option<Option<u32>>| match change {
        Some(seconds) => seconds.map(Span::from_secs),
        None => own,
    };
    org.name = patch.name.clone().unwrap_or_else(|| org.name.clone());
    org.timezone = patch.timezone.clone().unwrap_or_else(|| org.timezone.clone());
    org.offline_after_ms = patch.offline_after_seconds.map_or(org.offline_after_ms, Span::from_secs);
    org.alert_after_ms = patch.alert_after_seconds.map_or(org.alert_after_ms, Span::from_secs);
    org.keep_succeeded_ms = keep(org.keep_succeeded_ms, patch.keep_succeeded_seconds);
    org.keep_failed_ms = keep(org.keep_failed_ms, patch.keep_failed_seconds);
    org.keep_dead_letter_ms = keep(org.keep_dead_letter_ms, patch.keep_dead_letter_seconds);
    org.keep_canceled_ms = keep(org.keep_canceled_ms, patch.keep_canceled_seconds);
    org.updated_at = now;
}

/// A time span in whole seconds.
pub(crate) fn seconds(span: Span) -> u32 {
    u32::try_from(span.as_millis() / 1_000).unwrap_or(u32::MAX)
}

impl Hub {
    /// Returns an organization.
    ///
    /// # Errors
    /// Fails if the organization does not exist.
    pub async fn org_get(&self, id: OrgId) -> Result<OrgView> {
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let org = tx.org_get(id).await?.ok_or_else(|| Error::not_found("org", id))?;
                    with_limits(tx, OrgView::from_store(org)).await
                })
            })
            .await
    }

    /// Lists all organizations of the installation.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn org_list(&self, query: &PageQuery) -> Result<Page<OrgView>> {
        let (after, limit) = (query.cursor.clone().unwrap_or_default(), query.limit());
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.org_list(&after, limit + 1).await.map_err(Error::from) }))
            .await?;
        Ok(Page::cut(rows.into_iter().map(OrgView::from_store).collect(), limit, |org| org.slug.clone()))
    }

    /// Creates an organization.
    ///
    /// # Errors
    /// Fails if the slug is taken or invalid, or the time zone is unknown.
    pub async fn org_create(&self, by: &RequestContext, request: OrgRequest) -> Result<OrgView> {
        name::check(&request.slug)?;
        let timezone = request.timezone.unwrap_or_else(|| "UTC".to_owned());
        org::check_zone(&timezone)?;
        let now = self.now();
        let new = Org {
            id: self.ids.next(),
            name: request.name.unwrap_or_else(|| request.slug.clone()),
            slug: request.slug,
            timezone,
            offline_after_ms: org::OFFLINE_AFTER,
            alert_after_ms: org::ALERT_AFTER,
            keep_succeeded_ms: None,
            keep_failed_ms: None,
            keep_dead_letter_ms: None,
            keep_canceled_ms: None,
            created_at: now,
            updated_at: now,
        };
        let (hub, by, row) = (self.clone(), by.clone(), new.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    match tx.org_insert(&row).await {
                        Err(store::Error::UniqueViolation(_)) => {
                            return Err(Error::new(
                                Code::NameTaken,
                                format!("an organization named `{}` already exists", row.slug),
                            ));
                        }
                        other => other?,
                    }
                    by.record(
                        &hub,
                        tx,
                        Some(row.id),
                        AuditEntry {
                            action: "org.created",
                            kind: "org",
                            id: Some(row.id.to_string()),
                            name: Some(&row.slug),
                            diff: json!({}),
                        },
                    )
                    .await
                })
            })
            .await?;
        Ok(OrgView::from_store(new))
    }

    /// Changes the settings of an organization.
    ///
    /// # Errors
    /// Fails if a value is invalid.
    pub async fn org_update(&self, by: &RequestContext, id: OrgId, patch: OrgPatch) -> Result<OrgView> {
        check(&patch)?;
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        let view = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let mut org = tx.org_lock(id).await?.ok_or_else(|| Error::not_found("org", id))?;
                    let before = with_limits(tx, OrgView::from_store(org.clone())).await?;
                    apply(&mut org, &patch, now);
                    tx.org_update(&org).await?;
                    let running = patch.max_running.unwrap_or(before.max_running);
                    let rate = patch.jobs_per_minute.unwrap_or(before.jobs_per_minute);
                    if (running, rate) != (before.max_running, before.jobs_per_minute) {
                        set_limit(&hub, tx, &org_key(id), running, rate).await?;
                    }
                    let after = with_limits(tx, OrgView::from_store(org)).await?;
                    let diff = diff(&json!(before), &json!(after));
                    by.record(
                        &hub,
                        tx,
                        Some(id),
                        AuditEntry {
                            action: "org.updated",
                            kind: "org",
                            id: Some(id.to_string()),
                            name: Some(&after.slug),
                            diff,
                        },
                    )
                    .await?;
                    Ok::<_, Error>(after)
                })
            })
            .await?;
        self.wakes.presence.wake();
        self.wakes.dispatch_poll.wake();
        self.wakes.retention.wake();
        Ok(view)
    }

    /// Removes an organization with everything in it. The request must repeat its slug.
    ///
    /// # Errors
    /// Fails if the slug does not match, or it is the last organization.
    pub async fn org_remove(&self, by: &RequestContext, reference: &str, removal: OrgRemoval) -> Result<()> {
        let (hub, by, reference) = (self.clone(), by.clone(), reference.to_owned());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let org = find(tx, &reference).await?;
                    if removal.confirm != org.slug {
                        return Err(Error::new(
                            Code::ConfirmationNeeded,
                            format!("removing `{0}` deletes everything in it; confirm with its name `{0}`", org.slug),
                        ));
                    }
                    if tx.org_list("", 2).await?.len() < 2 {
                        return Err(Error::new(Code::LastAdmin, "this is the only organization")
                            .hint("create another one first"));
                    }
                    tx.org_remove(org.id, hub.now()).await?;
                    // The organization's own audit chain is removed with it, so this entry goes to the installation's.
                    by.record(
                        &hub,
                        tx,
                        None,
                        AuditEntry {
                            action: "org.removed",
                            kind: "org",
                            id: Some(org.id.to_string()),
                            name: Some(&org.slug),
                            diff: json!({}),
                        },
                    )
                    .await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        self.wakes.retention.wake();
        Ok(())
    }
}
