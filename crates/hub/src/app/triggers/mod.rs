//! Triggers (schedules and event rules): create, list, show, change, remove.
//!
//! - `events`: receives events
//! - `form`: converts requests to stored triggers and back
//! - `import`: imports crontabs
//! - `manual_fire`: fires triggers by hand, and backfills
//! - `queries`: previews, tests and history

pub(crate) mod events;
mod form;
mod import;
mod manual_fire;
mod queries;

use domain::{
    OrgId, Permission, Timestamp, TriggerId,
    trigger::{FireTarget, FiresAt, TriggerType, When},
};
use proto::{
    Code, Page,
    api::trigger::{Fire as FireView, Trigger as View, TriggerRequest, TriggerTarget},
    page::PageQuery,
};
use serde_json::{Map, Value, json};
use store::{Tx, fire::Fire, host::Host, trigger::Trigger};

use self::form::{body_of, request_of};
use super::{AuditEntry, RequestContext, after_id, diff};
use crate::{
    Error, Hub, Result,
    scheduler::{fire::next_here, placement as place},
};

/// Most triggers per organization.
const TRIGGERS_MAX: usize = 10_000;
/// Hosts named in a note.
const HOSTS_NAMED: usize = 10;

impl Hub {
    /// Creates a trigger.
    ///
    /// # Errors
    /// Fails if the trigger is invalid.
    pub async fn trigger_create(&self, by: &RequestContext, org: OrgId, request: TriggerRequest) -> Result<View> {
        by.must(Permission::TriggerManage)?;
        let body = body_of(self, org, request).await?;
        let now = self.now();
        let trigger = Trigger {
            id: self.ids.next(),
            org_id: org,
            version: 1,
            body,
            settled_at: now,
            next_fire_at: None,
            enabled_at: now,
            origin: None,
            hub_id: None,
            created_by: by.caller.actor.label(),
            created_at: now,
            updated_at: now,
            deleted_at: None,
        };
        self.trigger_checked(&trigger).await?;
        let trigger = timed(trigger, now)?;
        let (hub, by, row) = (self.clone(), by.clone(), trigger.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    if tx.trigger_list(org, TriggerId::from_bytes([0; 16]), TRIGGERS_MAX as u32).await?.len()
                        >= TRIGGERS_MAX
                    {
                        return Err(Error::invalid(format!("an organization has at most {TRIGGERS_MAX} triggers")));
                    }
                    tx.trigger_insert(&row).await?;
                    let entry = audit_entry_of(&row, "trigger.created", json!({"trigger": [null, row.body]}));
                    by.record(&hub, tx, Some(org), entry).await?;
                    place::hand_over(&hub, tx, &row, now).await
                })
            })
            .await?;
        self.trigger_changed();
        self.trigger_shown(trigger).await
    }

    /// Lists the triggers of an organization.
    ///
    /// # Errors
    /// Fails if the cursor is invalid.
    pub async fn trigger_list(&self, org: OrgId, query: &PageQuery) -> Result<Page<View>> {
        let (after, limit) = (after_id(query.cursor.as_deref())?, query.limit());
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.trigger_list(org, after, limit + 1).await?) }))
            .await?;
        let page = Page::cut(rows, limit, |row| row.id.to_string());
        let mut items = Vec::with_capacity(page.items.len());
        for row in page.items {
            items.push(self.trigger_shown(row).await?);
        }
        Ok(Page { items, next: page.next })
    }

    /// Returns a trigger by id or label.
    ///
    /// # Errors
    /// Fails if the trigger does not exist.
    pub async fn trigger_get(&self, org: OrgId, text: &str) -> Result<View> {
        let trigger = self.trigger_named(org, text).await?;
        self.trigger_shown(trigger).await
    }

    /// Changes fields of a trigger.
    ///
    /// # Errors
    /// Fails if the trigger does not exist or the result would be invalid.
    pub async fn trigger_update(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        patch: Map<String, Value>,
    ) -> Result<View> {
        by.must(Permission::TriggerManage)?;
        let before = self.trigger_named(org, text).await?;
        must_be_ours(&before)?;
        let request = request_of(&before.body, &patch)?;
        let body = body_of(self, org, request).await?;
        let now = self.now();
        let changed = Trigger { version: before.version + 1, body, updated_at: now, ..before.clone() };
        self.trigger_checked(&changed).await?;
        let (hub, by) = (self.clone(), by.clone());
        let changed = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let Some(locked) = tx.trigger_lock(org, changed.id).await? else {
                        return Err(Error::not_found("trigger", changed.id));
                    };
                    if locked.version != before.version {
                        let detail = format!("another request changed the trigger `{}`", before.body.label);
                        return Err(
                            Error::new(Code::ChangedMeanwhile, detail).hint("reload it, then repeat the change")
                        );
                    }
                    // `settled_at` never moves back: times up to it have been decided and must not fire again.
                    let row = timed(changed, now.max(locked.settled_at))?;
                    tx.trigger_update(&row).await?;
                    let diff = diff(&json!(before.body), &json!(row.body));
                    by.record(&hub, tx, Some(org), audit_entry_of(&row, "trigger.updated", diff)).await?;
                    place::hand_over(&hub, tx, &row, now).await?;
                    Ok(row)
                })
            })
            .await?;
        self.trigger_changed();
        self.trigger_shown(changed).await
    }

    /// Removes a trigger. Its fires and jobs stay.
    ///
    /// # Errors
    /// Fails if the trigger does not exist.
    pub async fn trigger_remove(&self, by: &RequestContext, org: OrgId, text: &str) -> Result<()> {
        by.must(Permission::TriggerManage)?;
        let trigger = self.trigger_named(org, text).await?;
        must_be_ours(&trigger)?;
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let Some(row) = tx.trigger_lock(org, trigger.id).await? else { return Ok(()) };
                    let row = Trigger {
                        version: row.version + 1,
                        next_fire_at: None,
                        deleted_at: Some(now),
                        updated_at: now,
                        ..row
                    };
                    tx.trigger_update(&row).await?;
                    let entry = audit_entry_of(&row, "trigger.removed", json!({"trigger": [row.body, null]}));
                    by.record(&hub, tx, Some(org), entry).await?;
                    place::hand_over(&hub, tx, &row, now).await
                })
            })
            .await?;
        self.trigger_changed();
        Ok(())
    }

    /// Wakes the loops that fire triggers here and replicate them to hosts.
    fn trigger_changed(&self) {
        self.wakes.schedules.wake();
        self.wakes.dispatch_poll.wake();
    }

    /// Finds a trigger of the organization by id or label.
    pub(crate) async fn trigger_named(&self, org: OrgId, text: &str) -> Result<Trigger> {
        let wanted = text.to_owned();
        let found = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    Ok::<_, Error>(match wanted.parse::<TriggerId>() {
                        Ok(id) => tx.trigger_get(org, id).await?.into_iter().collect(),
                        Err(_) => tx.trigger_by_label(org, &wanted).await?,
                    })
                })
            })
            .await?;
        let shown: String = text.chars().take(100).collect();
        // If one of two triggers with this label is this hub's own and the other a host's, prefer the hub's own.
        let found = match found.as_slice() {
            [first, second] if first.origin.is_none() && second.origin.is_some() => vec![first.clone()],
            _ => found,
        };
        match <[Trigger; 1]>::try_from(found) {
            Ok([trigger]) => Ok(trigger),
            Err(found) if found.is_empty() => {
                Err(Error::not_found("trigger", shown).hint("`hostler trigger list` lists the triggers"))
            }
            Err(_) => Err(Error::invalid(format!("several triggers have the label `{shown}`; use the id"))),
        }
    }

    /// Builds the view of a trigger with its last fire and a note.
    async fn trigger_shown(&self, trigger: Trigger) -> Result<View> {
        let (id, org) = (trigger.id, trigger.org_id);
        let far = Timestamp::from_micros(i64::MAX / 2);
        let host = match trigger.body.target {
            FireTarget::Host(host) => Some(host),
            _ => None,
        };
        let shown_trigger = trigger.clone();
        let (last, host_name, note) = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let last = tx.fire_list(id, (far, i32::MAX), 1).await?.into_iter().next();
                    let last = match last {
                        Some(last) => Some(fire_shown(tx, org, last).await?),
                        None => None,
                    };
                    let host = match host {
                        Some(host) => tx.host_anywhere(host).await?.map(|view| view.host),
                        None => None,
                    };
                    let note = note_of(tx, &shown_trigger, host.as_ref()).await?;
                    Ok::<_, Error>((last, host.map(|host| host.name), note))
                })
            })
            .await?;
        let is_waiting = trigger.body.place == FiresAt::Hub && host.is_some() && note.is_some();
        let view = shown(trigger, last, host_name, self.now());
        let next_fire_at = view.next_fire_at.filter(|_| !is_waiting);
        Ok(View { note, next_fire_at, ..view })
    }
}

/// Builds the view of a fire.
pub(crate) async fn fire_shown(tx: &mut Tx<'_>, org: OrgId, fire: Fire) -> Result<FireView> {
    let host = match fire.host_id {
        Some(host) => tx.host_get(org, host).await?.map(|view| view.host.name),
        None => None,
    };
    let job_status = match (fire.ended_status, fire.job_id) {
        (None, Some(job)) => tx.job_get(org, job).await?.map(|job| job.status),
        (ended, _) => ended,
    };
    Ok(FireView {
        nominal_at: fire.nominal_at,
        status: fire.status,
        reason: fire.reason,
        host,
        job_id: fire.job_id,
        job_status,
        stands_for: fire.stands_for,
        at: fire.at,
    })
}

fn shown(trigger: Trigger, last_fire: Option<FireView>, host_name: Option<String>, now: Timestamp) -> View {
    let schedule = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at).ok().flatten();
    // A trigger that fires on its host has no stored next time; compute it with the same code.
    let next = || schedule.as_ref().and_then(|schedule| trigger.body.next_fire(schedule, now));
    let next_fire_at = trigger.next_fire_at.or_else(next);
    let body = trigger.body;
    let (event_name, fields, cron_expr, timezone, trigger_type) = match body.when {
        When::Event { event_name, fields } => (Some(event_name), fields, None, None, TriggerType::Event),
        When::Schedule { cron_expr, timezone } => {
            (None, Map::new(), Some(cron_expr), Some(timezone), TriggerType::Schedule)
        }
    };
    let description = match (&schedule, &event_name) {
        (Some(schedule), _) => schedule.describe(),
        (None, Some(name)) => format!("on event {name}"),
        (None, None) => String::new(),
    };
    View {
        id: trigger.id,
        label: body.label,
        is_enabled: body.is_enabled,
        trigger_type,
        event_name,
        fields,
        cron_expr,
        timezone,
        description,
        definition_key: body.definition_key,
        payload_template: body.payload_template,
        dedupe_key: body.dedupe_key,
        dedupe_window_seconds: body.dedupe_window_seconds,
        target: target_of(&body.target, host_name),
        place: body.place,
        missed: body.missed,
        missed_max: body.missed_max,
        missed_window_seconds: body.missed_window_seconds,
        overlap: body.overlap,
        jitter: body.jitter_seconds,
        starts_at: body.starts_at,
        ends_at: body.ends_at,
        paused_until: body.paused_until,
        priority: body.priority,
        is_hosts_own: trigger.origin.is_some(),
        created_by: trigger.created_by,
        created_at: trigger.created_at,
        updated_at: trigger.updated_at,
        next_fire_at,
        last_fire,
        note: None,
    }
}

/// A note about where a trigger fires, if that is not obvious.
async fn note_of(tx: &mut Tx<'_>, trigger: &Trigger, host: Option<&Host>) -> Result<Option<String>> {
    if trigger.hub_id.is_some() {
        return Ok(Some("managed by this machine's hub; fires on this machine".to_owned()));
    }
    if let Some(host) = host.filter(|host| place::is_for_hosts(trigger) && !place::can_fire(host, trigger)) {
        return Ok(Some(format!("fires at the hub: the runner on {} cannot fire it itself", host.name)));
    }
    let mut waits = Vec::new();
    for holding in tx.sync_log_of(&[trigger.id]).await?.iter().filter(|holding| holding.is_deleted).take(HOSTS_NAMED) {
        let host = tx.host_get(trigger.org_id, holding.host_id).await?;
        waits.extend(host.filter(|view| place::can_fire(&view.host, trigger)).map(|view| view.host.name));
    }
    let note = |hosts: String| format!("waits for {hosts} to confirm that it no longer fires this trigger itself");
    Ok((!waits.is_empty()).then(|| note(waits.join(", "))))
}

fn target_of(target: &FireTarget, host_name: Option<String>) -> Option<TriggerTarget> {
    let none = TriggerTarget::default();
    match target {
        FireTarget::Definition => None,
        FireTarget::Host(host) => {
            Some(TriggerTarget { host: Some(host_name.unwrap_or_else(|| host.to_string())), ..none })
        }
        FireTarget::Queue(queue) => Some(TriggerTarget { queue: Some(queue.clone()), ..none }),
        FireTarget::Selector { selector, spread } => {
            Some(TriggerTarget { selector: Some(selector.clone()), spread: Some(*spread), ..none })
        }
    }
}

/// Sets the next time, counted from now: a change does not make up for times before it.
fn timed(trigger: Trigger, now: Timestamp) -> Result<Trigger> {
    let schedule = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at).map_err(Error::invalid)?;
    let next = schedule.and_then(|schedule| next_here(&trigger, &schedule, now));
    Ok(Trigger { settled_at: now, next_fire_at: next, enabled_at: now, ..trigger })
}

fn must_be_ours(trigger: &Trigger) -> Result<()> {
    if trigger.origin.is_none() && trigger.hub_id.is_none() {
        return Ok(());
    }
    let whose = if trigger.origin.is_some() { "managed by its host" } else { "managed by this machine's hub" };
    Err(Error::new(Code::NotPrimary, format!("the trigger `{}` is {whose} and read-only here", trigger.body.label))
        .hint("run the same command there"))
}

fn audit_entry_of<'a>(trigger: &'a Trigger, action: &'a str, diff: Value) -> AuditEntry<'a> {
    AuditEntry { action, kind: "trigger", id: Some(trigger.id.to_string()), name: Some(&trigger.body.label), diff }
}
