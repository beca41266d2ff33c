//! Limits by custom key, the limit of an organization, and pauses.

use domain::{OrgId, Permission, quota::QuotaKind};
use proto::{
    Code,
    api::limit::{Limit, LimitRequest, Limits, Pause as PauseView, PauseRequest, Pauses},
};
use serde_json::json;
use store::{
    Tx,
    quota::{Pause, Quota, QuotaKey},
};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result};

/// Most limits listed for an organization.
const SHOWN_MAX: u32 = 1_000;
/// Longest key or note, in characters.
const TEXT_MAX: usize = 200;

/// The quota key of an organization's own limit.
pub(crate) fn org_key(org: OrgId) -> QuotaKey {
    QuotaKey { org: Some(org), kind: QuotaKind::Org, subject: String::new(), host: None }
}

/// Sets or removes a limit. A new limit also counts the jobs that already run.
pub(crate) async fn set_limit(
    hub: &Hub,
    tx: &mut Tx<'_>,
    key: &QuotaKey,
    max_running: Option<i32>,
    jobs_per_minute: Option<i32>,
) -> Result<()> {
    if max_running.is_none() && jobs_per_minute.is_none() {
        tx.quota_remove(key).await?;
        return Ok(());
    }
    let is_new = tx.quota_get(key).await?.is_none();
    tx.quota_put(key, hub.ids.next(), max_running, jobs_per_minute, hub.now()).await?;
    if is_new && let Some(quota) = tx.quota_get(key).await? {
        tx.quota_recount(&quota).await?;
    }
    Ok(())
}

/// Validates a limit: positive, or absent.
pub(crate) fn check_limit(name: &str, limit: Option<i32>) -> Result<()> {
    match limit {
        Some(limit) if limit < 1 => Err(Error::invalid(format!("`{name}` must be at least 1, or null for no limit"))),
        _ => Ok(()),
    }
}

fn shown(quota: Quota) -> Limit {
    Limit {
        key: quota.subject,
        max_running: quota.max_running,
        jobs_per_minute: quota.jobs_per_minute,
        running: quota.running,
    }
}

impl Hub {
    /// Lists an organization's limits by custom key.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn limit_list(&self, org: OrgId) -> Result<Limits> {
        let quotas = self
            .store
            .read(move |tx| Box::pin(async move { tx.quota_list(org, SHOWN_MAX).await.map_err(Error::from) }))
            .await?;
        let items = quotas.into_iter().filter(|quota| quota.kind == QuotaKind::Key).map(shown).collect();
        Ok(Limits { items })
    }

    /// Sets the limit of a custom key. A request without numbers removes it.
    ///
    /// # Errors
    /// Fails if the key is invalid or a number is not positive.
    pub async fn limit_set(&self, by: &RequestContext, org: OrgId, key: &str, request: LimitRequest) -> Result<Limits> {
        by.must(Permission::LimitManage)?;
        if key.is_empty() || key.chars().count() > TEXT_MAX || key.contains(char::is_control) {
            return Err(Error::invalid(format!(
                "the key must have 1 to {TEXT_MAX} characters and no control characters"
            )));
        }
        check_limit("max_running", request.max_running)?;
        check_limit("jobs_per_minute", request.jobs_per_minute)?;
        let (hub, by, key) = (self.clone(), by.clone(), key.to_owned());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let quota = QuotaKey { org: Some(org), kind: QuotaKind::Key, subject: key.clone(), host: None };
                    set_limit(&hub, tx, &quota, request.max_running, request.jobs_per_minute).await?;
                    let diff = json!({"max_running": [null, request.max_running], "jobs_per_minute": [null, request.jobs_per_minute]});
                    let entry = AuditEntry { action: "limit.set", kind: "limit", id: None, name: Some(&key), diff };
                    by.record(&hub, tx, Some(org), entry).await
                })
            })
            .await?;
        self.wakes.dispatch_poll.wake();
        self.limit_list(org).await
    }

    /// Lists the active pauses of an organization.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn pause_list(&self, org: OrgId) -> Result<Pauses> {
        let now = self.now();
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.pause_list(org, now).await.map_err(Error::from) }))
            .await?;
        let view = |pause: Pause| PauseView {
            kind: pause.kind,
            subject: pause.subject,
            note: pause.note,
            until: pause.until_at,
            created_by: pause.created_by,
            created_at: pause.created_at,
        };
        Ok(Pauses { items: rows.into_iter().map(view).collect() })
    }

    /// Pauses or resumes an organization, a definition, a queue or a limit key.
    ///
    /// # Errors
    /// Fails if the kind is unknown, or `until` is in the past.
    pub async fn pause_set(&self, by: &RequestContext, org: OrgId, request: PauseRequest) -> Result<Pauses> {
        by.must(Permission::QueuePause)?;
        let needs_subject = match request.kind.as_str() {
            "org" => false,
            "definition" | "queue" | "key" => true,
            other => {
                return Err(Error::invalid(format!(
                    "unknown kind `{other}`: use `org`, `definition`, `queue` or `key`"
                )));
            }
        };
        if needs_subject == request.subject.is_empty() {
            return Err(Error::invalid("`subject` is required for every kind but `org`, which has none"));
        }
        let now = self.now();
        if request.until.is_some_and(|until| until <= now) {
            return Err(Error::invalid("`until` is in the past"));
        }
        if request.note.chars().count() > TEXT_MAX || request.subject.chars().count() > TEXT_MAX {
            return Err(Error::invalid(format!("`note` and `subject` must have at most {TEXT_MAX} characters")));
        }
        let (hub, by) = (self.clone(), by.clone());
        self.store.write(move |tx| Box::pin(async move { pause(&hub, tx, &by, org, request).await })).await?;
        self.wakes.dispatch_poll.wake();
        self.pause_list(org).await
    }
}

async fn pause(hub: &Hub, tx: &mut Tx<'_>, by: &RequestContext, org: OrgId, request: PauseRequest) -> Result<()> {
    let action = if request.resume { "queue.resumed" } else { "queue.paused" };
    if request.resume {
        if !tx.pause_remove(org, &request.kind, &request.subject).await? {
            let name = format!("{} {}", request.kind, request.subject);
            return Err(Error::new(Code::NotFound, format!("{} is not paused", name.trim_end()))
                .hint("`hostler pause` lists the pauses"));
        }
    } else {
        let row = Pause {
            kind: request.kind.clone(),
            subject: request.subject.clone(),
            note: request.note.clone(),
            until_at: request.until,
            created_by: by.caller.actor.label(),
            created_at: hub.now(),
        };
        tx.pause_put(org, &row).await?;
    }
    let name = format!("{} {}", request.kind, request.subject);
    let diff = json!({"note": [null, request.note], "until": [null, request.until]});
    let entry = AuditEntry { action, kind: "pause", id: None, name: Some(name.trim()), diff };
    by.record(hub, tx, Some(org), entry).await
}
