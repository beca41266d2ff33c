//! Alerts, alert rules and mute windows.

use domain::{
    AlertId, OrgId, Permission, Span, Timestamp, WindowId,
    alert::{AlertKind, Rule, Window, defaults, is_flapping},
};
use proto::{
    Code, Page,
    api::{
        alert::{
            AckRequest, Alert as View, AlertQuery, AlertRule, AlertRuleRequest, AlertRules, MuteWindow as WindowView,
            MuteWindowRequest, MuteWindows, ResolveRequest, SnoozeRequest,
        },
        job::JobTarget,
    },
    page::PageQuery,
};
use serde_json::json;
use store::{Tx, alert::Alert, mute_window::MuteWindow};

use crate::app::{AuditEntry, FromStore, RequestContext};
use crate::{
    Error, Hub, Result,
    alerts::{
        apply::apply,
        plan::{AlertPlan, resolve},
    },
};

/// Longest note or label, in characters.
const TEXT_MAX: usize = 500;
const SNOOZE_MAX: Span = Span::from_secs(90 * 86_400);
/// Most mute windows per organization.
const WINDOWS_MAX: u32 = 1_000;

impl FromStore<Alert> for View {
    fn from_store(alert: Alert) -> Self {
        Self {
            id: alert.id,
            kind: alert.kind,
            severity: alert.severity,
            status: alert.status,
            subject_kind: alert.subject_kind,
            subject_id: alert.subject_id,
            subject_name: alert.subject_name,
            host_id: alert.host_id,
            text: alert.text,
            since: alert.since_at,
            raised_at: alert.raised_at,
            notified_at: alert.notified_at,
            is_flapping: is_flapping(alert.flaps),
            acked_at: alert.acked_at,
            acked_by: alert.acked_by,
            note: alert.note,
            snoozed_until: alert.snoozed_until,
            resolved_at: alert.resolved_at,
            resolved_reason: alert.resolved_reason,
            created_at: alert.created_at,
            updated_at: alert.updated_at,
        }
    }
}

impl Hub {
    /// Lists the alerts of an organization, newest first.
    ///
    /// # Errors
    /// Fails if the query is invalid.
    pub async fn alert_list(&self, org: OrgId, query: &AlertQuery) -> Result<Page<View>> {
        let is_all = match query.status.as_deref() {
            None | Some("open") => false,
            Some("all") => true,
            Some(other) => return Err(Error::invalid(format!("unknown status `{other}`: use `open` or `all`"))),
        };
        let page = PageQuery { cursor: query.cursor.clone(), limit: query.limit };
        let before = match &page.cursor {
            Some(cursor) => cursor.parse().map_err(|_| Error::invalid("invalid cursor; use `next` of a page"))?,
            None => AlertId::from_bytes([255; 16]),
        };
        let limit = page.limit();
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    Ok::<_, Error>(if is_all {
                        tx.alert_list(org, before, limit + 1).await?
                    } else {
                        tx.alert_list_open(org, before, limit + 1).await?
                    })
                })
            })
            .await?;
        let shown = rows.into_iter().map(View::from_store).collect();
        Ok(Page::cut(shown, limit, |alert: &View| alert.id.to_string()))
    }

    /// Returns one alert.
    ///
    /// # Errors
    /// Fails if the alert does not exist.
    pub async fn alert_get(&self, org: OrgId, id: AlertId) -> Result<View> {
        let found =
            self.store.read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.alert_get(org, id).await?) })).await?;
        found.map(View::from_store).ok_or_else(|| Error::not_found("alert", id))
    }

    /// Acknowledges an alert, which stops its reminders, or stops them until a given time.
    ///
    /// # Errors
    /// Fails if the alert does not exist or is resolved.
    pub async fn alert_ack(&self, by: &RequestContext, org: OrgId, id: AlertId, request: AckRequest) -> Result<View> {
        by.must(Permission::AlertOperate)?;
        check_text("note", &request.note)?;
        let now = self.now();
        request.until.map_or(Ok(()), |until| check_until(until, now))?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let alert = find(tx, org, id).await?;
                let who = by.caller.actor.label();
                if !tx.alert_ack(org, id, &who, &request.note, request.until, now).await? {
                    return Err(over(&alert));
                }
                let diff = json!({"status": [alert.status, "acked"], "note": [null, request.note]});
                by.record(&hub, tx, Some(org), entry(&alert, "alert.acked", diff)).await
            })
        });
        work.await?;
        self.alert_get(org, id).await
    }

    /// Snoozes an alert: no notifications until the given time.
    ///
    /// # Errors
    /// Fails if the alert does not exist or is resolved, or if the time is out of range.
    pub async fn alert_snooze(
        &self,
        by: &RequestContext,
        org: OrgId,
        id: AlertId,
        request: SnoozeRequest,
    ) -> Result<View> {
        by.must(Permission::AlertOperate)?;
        let now = self.now();
        check_until(request.until, now)?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let alert = find(tx, org, id).await?;
                if !tx.alert_snooze(org, id, request.until, now).await? {
                    return Err(over(&alert));
                }
                let diff = json!({"snoozed_until": [alert.snoozed_until, request.until]});
                by.record(&hub, tx, Some(org), entry(&alert, "alert.snoozed", diff)).await
            })
        });
        work.await?;
        self.alert_get(org, id).await
    }

    /// Resolves an alert by hand. If its condition still holds, the next pass of the alerts loop raises a new alert.
    ///
    /// # Errors
    /// Fails if the alert does not exist or is already resolved.
    pub async fn alert_resolve(
        &self,
        by: &RequestContext,
        org: OrgId,
        id: AlertId,
        request: ResolveRequest,
    ) -> Result<View> {
        by.must(Permission::AlertOperate)?;
        check_text("note", &request.note)?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                let alert = find(tx, org, id).await?;
                if alert.resolved_at.is_some() {
                    return Err(over(&alert));
                }
                // The condition of this kind is what the host did, which stays done: a person ends it.
                if let (AlertKind::HostMisbehaving, Some(host)) = (alert.kind, alert.host_id) {
                    tx.rejection_clear(org, host, hub.now()).await?;
                }
                let note = if request.note.is_empty() { String::new() } else { format!(": {}", request.note) };
                let reason = format!("resolved by {}{note}", by.caller.actor.label());
                resolve_now(&hub, tx, &by, alert, reason).await
            })
        });
        work.await?;
        self.news();
        self.wakes.notification_sender.wake();
        self.alert_get(org, id).await
    }

    /// Lists the rules of an organization, one per kind of alert.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn alert_rules(&self, org: OrgId) -> Result<AlertRules> {
        let stored =
            self.store.read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.alert_rules(org).await?) })).await?;
        let items = AlertKind::ALL.iter().map(|kind| {
            let own = stored.iter().find(|(own, _)| own == kind);
            let rule: Option<Rule> = own.and_then(|(_, body)| serde_json::from_value(body.clone()).ok());
            rule_shown(*kind, rule)
        });
        Ok(AlertRules { items: items.collect() })
    }

    /// Replaces the rule of one kind. Absent fields go back to their defaults.
    ///
    /// # Errors
    /// Fails if the kind does not exist or a value is out of range.
    pub async fn alert_rule_set(
        &self,
        by: &RequestContext,
        org: OrgId,
        kind: &str,
        request: AlertRuleRequest,
    ) -> Result<AlertRule> {
        by.must(Permission::AlertManage)?;
        let kind: AlertKind = kind.parse().map_err(|_| {
            Error::not_found("kind of alert", kind.chars().take(60).collect::<String>())
                .hint("`hostler alert rules` lists the kinds")
        })?;
        let usual = defaults(kind);
        let rule = Rule {
            is_enabled: request.is_enabled.unwrap_or(usual.is_enabled),
            severity: request.severity.unwrap_or(usual.severity),
            for_seconds: request.for_seconds.unwrap_or(usual.for_seconds),
            clear_seconds: request.clear_seconds.unwrap_or(usual.clear_seconds),
            repeat_seconds: request.repeat_seconds.or(usual.repeat_seconds).filter(|every| *every > 0),
            threshold_seconds: request.threshold_seconds.or(usual.threshold_seconds),
        };
        rule.check(kind).map_err(Error::invalid)?;
        let is_reset = rule == usual;
        let (hub, by, now, body) = (self.clone(), by.clone(), self.now(), json!(rule));
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if is_reset {
                    tx.alert_rule_remove(org, kind).await?;
                } else {
                    tx.alert_rule_put(org, kind, body.clone(), now).await?;
                }
                let entry = AuditEntry {
                    action: "alert_rule.updated",
                    kind: "alert_rule",
                    id: None,
                    name: Some(kind.as_str()),
                    diff: json!({"rule": [null, body]}),
                };
                by.record(&hub, tx, Some(org), entry).await
            })
        });
        work.await?;
        self.wakes.alerts.wake();
        Ok(rule_shown(kind, (!is_reset).then_some(rule)))
    }

    /// Lists the mute windows of an organization.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn mute_window_list(&self, org: OrgId) -> Result<MuteWindows> {
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.mute_window_list(org, WINDOWS_MAX).await?) }))
            .await?;
        let now = self.now();
        Ok(MuteWindows { items: rows.into_iter().map(|row| window_shown(row, now)).collect() })
    }

    /// Creates a mute window, one-off or recurring.
    ///
    /// # Errors
    /// Fails if the fields contradict each other.
    pub async fn mute_window_create(
        &self,
        by: &RequestContext,
        org: OrgId,
        request: MuteWindowRequest,
    ) -> Result<WindowView> {
        by.must(Permission::AlertOperate)?;
        check_text("label", &request.label)?;
        if request.label.trim().is_empty() {
            return Err(Error::invalid("a maintenance window needs a label"));
        }
        let now = self.now();
        let host = match &request.host {
            Some(host) => {
                let asked = JobTarget { host: Some(host.clone()), ..JobTarget::default() };
                Some(self.host_of_target(org, &asked).await?)
            }
            None => None,
        };
        let timezone = match (&request.cron_expr, request.timezone) {
            (Some(_), None) => Some(self.org_timezone(org).await?),
            (_, zone) => zone,
        };
        let body = Window {
            host,
            selector: request.selector,
            kinds: request.kinds,
            subject: request.subject,
            starts_at: request.starts_at.unwrap_or(now),
            ends_at: request.ends_at,
            cron_expr: request.cron_expr,
            timezone,
            duration_seconds: request.duration_seconds,
        };
        body.check().map_err(Error::invalid)?;
        let window = MuteWindow {
            id: self.ids.next(),
            org_id: org,
            label: request.label.trim().to_owned(),
            body,
            created_by: by.caller.actor.label(),
            created_at: now,
            updated_at: now,
        };
        let (hub, by, row) = (self.clone(), by.clone(), window.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if tx.mute_window_list(org, WINDOWS_MAX).await?.len() >= WINDOWS_MAX as usize {
                    return Err(Error::invalid(format!(
                        "an organization has at most {WINDOWS_MAX} maintenance windows"
                    )));
                }
                tx.mute_window_insert(&row).await?;
                let entry = AuditEntry {
                    action: "mute_window.created",
                    kind: "mute_window",
                    id: Some(row.id.to_string()),
                    name: Some(&row.label),
                    diff: json!({"window": [null, row.body]}),
                };
                by.record(&hub, tx, Some(org), entry).await
            })
        });
        work.await?;
        Ok(window_shown(window, now))
    }

    /// Removes a mute window. Alerts that it held back and that are still open are sent in the next pass of the loop.
    ///
    /// # Errors
    /// Fails if the window does not exist.
    pub async fn mute_window_remove(&self, by: &RequestContext, org: OrgId, id: WindowId) -> Result<()> {
        by.must(Permission::AlertOperate)?;
        let (hub, by) = (self.clone(), by.clone());
        let work = self.store.write(move |tx| {
            Box::pin(async move {
                if !tx.mute_window_remove(org, id).await? {
                    return Err(Error::not_found("maintenance window", id));
                }
                let entry = AuditEntry {
                    action: "mute_window.removed",
                    kind: "mute_window",
                    id: Some(id.to_string()),
                    name: None,
                    diff: json!({}),
                };
                by.record(&hub, tx, Some(org), entry).await
            })
        });
        work.await?;
        self.wakes.alerts.wake();
        Ok(())
    }
}

/// Resolves an alert by hand, with the same plan as the alerts loop, so that its channels receive the resolution.
pub(crate) async fn resolve_now(
    hub: &Hub,
    tx: &mut Tx<'_>,
    by: &RequestContext,
    alert: Alert,
    reason: String,
) -> Result<()> {
    let diff = json!({"status": [alert.status, "resolved"], "reason": [null, reason]});
    by.record(hub, tx, Some(alert.org_id), entry(&alert, "alert.resolved", diff)).await?;
    let mut plan = AlertPlan::default();
    let now = hub.now();
    resolve(&mut plan, alert, reason, now);
    apply(hub, tx, plan, now).await
}

async fn find(tx: &mut Tx<'_>, org: OrgId, id: AlertId) -> Result<Alert> {
    tx.alert_get(org, id).await?.ok_or_else(|| Error::not_found("alert", id))
}

fn over(alert: &Alert) -> Error {
    Error::new(Code::AlertOver, format!("the alert for `{}` is already resolved", alert.subject_name))
}

fn entry<'a>(alert: &'a Alert, action: &'a str, diff: serde_json::Value) -> AuditEntry<'a> {
    AuditEntry { action, kind: "alert", id: Some(alert.id.to_string()), name: Some(&alert.subject_name), diff }
}

fn check_text(name: &str, text: &str) -> Result<()> {
    if text.chars().count() > TEXT_MAX || text.contains(|c: char| c.is_control() && c != '\n') {
        return Err(Error::invalid(format!(
            "`{name}` must have at most {TEXT_MAX} characters and no control characters"
        )));
    }
    Ok(())
}

fn check_until(until: Timestamp, now: Timestamp) -> Result<()> {
    if until <= now || until > now + SNOOZE_MAX {
        return Err(Error::invalid("`until` must be in the future and at most 90 days from now"));
    }
    Ok(())
}

fn rule_shown(kind: AlertKind, own: Option<Rule>) -> AlertRule {
    let is_default = own.is_none();
    let rule = own.unwrap_or_else(|| defaults(kind));
    AlertRule {
        kind,
        is_enabled: rule.is_enabled,
        severity: rule.severity,
        for_seconds: rule.for_seconds,
        clear_seconds: rule.clear_seconds,
        repeat_seconds: rule.repeat_seconds,
        threshold_seconds: rule.threshold_seconds,
        is_default,
    }
}

fn window_shown(window: MuteWindow, now: Timestamp) -> WindowView {
    let is_active = window.body.holds(now);
    let body = window.body;
    WindowView {
        id: window.id,
        label: window.label,
        host: body.host.map(|host| host.to_string()),
        selector: body.selector,
        kinds: body.kinds,
        subject: body.subject,
        starts_at: body.starts_at,
        ends_at: body.ends_at,
        cron_expr: body.cron_expr,
        timezone: body.timezone,
        duration_seconds: body.duration_seconds,
        is_active,
        created_by: window.created_by,
        created_at: window.created_at,
    }
}
