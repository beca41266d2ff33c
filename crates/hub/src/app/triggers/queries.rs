//! Read-only queries about triggers: next times, test runs, history.

use domain::{
    OrgId, Timestamp, event_match,
    schedule::Schedule,
    trigger::{Trigger as Body, When},
};
use proto::{
    Page,
    api::trigger::{
        Fire, NextQuery, Preview, PreviewChange, PreviewRequest, PreviewTime, TriggerFireRequest, WouldMake,
        WouldMakeJob,
    },
    page::PageQuery,
};
use serde_json::Value;
use store::{Tx, event::Event, trigger::Trigger};

use super::fire_shown;
use crate::{
    Error, Hub, Result,
    queue::enqueue::NewJob,
    scheduler::{
        job_from_trigger::{Cause, ResolvedTrigger, resolve_trigger, work},
        targets::{Destination, destinations},
    },
};

/// Most times in a preview.
const TIMES_MAX: u32 = 100;
/// Past events that an event rule is tested with.
const EVENTS_TRIED: u32 = 1_000;

impl Hub {
    /// Returns the next times of a trigger.
    ///
    /// # Errors
    /// Fails if the trigger does not exist or has no schedule.
    pub async fn trigger_next(&self, org: OrgId, text: &str, query: &NextQuery) -> Result<Preview> {
        let trigger = self.trigger_named(org, text).await?;
        let schedule =
            trigger.body.schedule(&trigger.id.to_string(), trigger.created_at).map_err(Error::invalid)?.ok_or_else(
                || Error::invalid(format!("`{}` fires on events and has no schedule", trigger.body.label)),
            )?;
        let after = query.after.unwrap_or_else(|| self.now());
        Ok(preview(&schedule, Some(&trigger.body), after, query.count))
    }

    /// Returns the next times of a schedule that need not exist as a trigger.
    ///
    /// # Errors
    /// Fails if the schedule is invalid.
    pub async fn schedule_preview(&self, org: OrgId, request: PreviewRequest) -> Result<Preview> {
        let zone = match request.timezone {
            Some(zone) => zone,
            None => self.org_timezone(org).await?,
        };
        let after = request.after.unwrap_or_else(|| self.now());
        let schedule = Schedule::parse(&request.cron_expr, &zone, "preview", after).map_err(Error::invalid)?;
        Ok(preview(&schedule, None, after, request.count))
    }

    /// Lists the fires of a trigger, newest first.
    ///
    /// # Errors
    /// Fails if the trigger does not exist.
    pub async fn trigger_history(&self, org: OrgId, text: &str, query: &PageQuery) -> Result<Page<Fire>> {
        let trigger = self.trigger_named(org, text).await?;
        let after = match &query.cursor {
            Some(cursor) => place(cursor).ok_or_else(|| Error::invalid("invalid cursor; use `next` of a page"))?,
            None => (Timestamp::from_micros(i64::MAX / 2), i32::MAX),
        };
        let limit = query.limit();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let rows = tx.fire_list(trigger.id, after, limit + 1).await?;
                    // A trigger with several hosts has one row per host and time, so the cursor needs the ordinal, too.
                    let page = Page::cut(rows, limit, |fire| format!("{},{}", fire.nominal_at, fire.ordinal));
                    let mut items = Vec::with_capacity(page.items.len());
                    for row in page.items {
                        items.push(fire_shown(tx, org, row).await?);
                    }
                    Ok::<_, Error>(Page { items, next: page.next })
                })
            })
            .await
    }

    /// Returns which jobs a trigger would create now, or for the given event. Creates no job.
    ///
    /// # Errors
    /// Fails if the trigger does not exist, or no event to test it with was found.
    pub async fn trigger_test(&self, org: OrgId, text: &str, request: TriggerFireRequest) -> Result<WouldMake> {
        let trigger = self.trigger_named(org, text).await?;
        let resolved = resolve_trigger(self, &trigger).await?;
        let (hub, now) = (self.clone(), self.now());
        // `destinations` assigns ordinals to new hosts, so this is a write. It changes nothing else.
        self.store
            .write(move |tx| Box::pin(async move { would_make(&hub, tx, &trigger, &resolved, request, now).await }))
            .await
    }

    /// Returns the time zone of an organization.
    pub(crate) async fn org_timezone(&self, org: OrgId) -> Result<String> {
        let found = self.store.read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.org_get(org).await?) })).await?;
        Ok(found.ok_or_else(|| Error::not_found("org", org))?.timezone)
    }
}

/// The time and ordinal of a cursor.
fn place(cursor: &str) -> Option<(Timestamp, i32)> {
    let (nominal, ordinal) = cursor.split_once(',')?;
    Some((nominal.parse().ok()?, ordinal.parse().ok()?))
}

fn preview(schedule: &Schedule, body: Option<&Body>, after: Timestamp, count: Option<u32>) -> Preview {
    let count = count.unwrap_or(10).clamp(1, TIMES_MAX) as usize;
    let next = |at: &Timestamp| match body {
        Some(body) => body.next_fire(schedule, *at),
        None => schedule.next_after(*at),
    };
    let times: Vec<Timestamp> = std::iter::successors(next(&after), next).take(count).collect();
    let changes = times.last().map(|last| schedule.clock_changes(after, *last)).unwrap_or_default();
    Preview {
        description: schedule.describe(),
        timezone: schedule.zone().to_owned(),
        times: times
            .into_iter()
            .map(|at| PreviewTime { at, local: at.in_zone(schedule.zone()).unwrap_or_else(|| at.to_string()) })
            .collect(),
        clock_changes: changes.into_iter().map(|change| PreviewChange { at: change.at, text: change.text }).collect(),
    }
}

async fn would_make(
    hub: &Hub,
    tx: &mut Tx<'_>,
    trigger: &Trigger,
    resolved: &ResolvedTrigger,
    request: TriggerFireRequest,
    now: Timestamp,
) -> Result<WouldMake> {
    let mut would = WouldMake {
        definition_key: trigger.body.definition_key.clone(),
        jobs: Vec::new(),
        would_have_fired: None,
        events_examined: None,
    };
    let mut data = request.event;
    if let When::Event { event_name, fields } = &trigger.body.when {
        let past = past_events(tx, trigger, event_name).await?;
        let fits = |data: &Value| event_match::meets(fields, data);
        would.events_examined = Some(past.len() as u64);
        would.would_have_fired = Some(past.iter().filter(|data| fits(data)).count() as u64);
        let last = past.into_iter().rev().find(|data| fits(data));
        let chosen = data.or(last).ok_or_else(|| {
            Error::invalid(format!("no stored event `{event_name}` matches; pass an event to test with"))
        })?;
        if !fits(&chosen) {
            return Ok(would);
        }
        data = Some(chosen);
    }
    let compiled = match resolved {
        ResolvedTrigger::Ready(compiled) => compiled,
        ResolvedTrigger::Wrong(reason) => return Err(Error::invalid(reason)),
    };
    let nothing = Value::Null;
    let cause = match (&trigger.body.when, &data) {
        (When::Event { event_name, .. }, data) => Cause::Event {
            id: "test",
            name: event_name,
            data: data.as_ref().unwrap_or(&nothing),
            correlation_id: None,
            at: now,
        },
        (When::Schedule { .. }, _) => Cause::Times { nominal: now, slots: &[now], is_catch_up: false },
    };
    for destination in destinations(hub, tx, trigger, compiled, now).await? {
        let made = work(hub, trigger, compiled, &destination, &cause, now);
        would.jobs.push(would_make_one(tx, trigger, &destination, made, now).await?);
    }
    Ok(would)
}

/// The job that would be created for one destination, or why none would be.
async fn would_make_one(
    tx: &mut Tx<'_>,
    trigger: &Trigger,
    destination: &Destination,
    made: Result<NewJob>,
    now: Timestamp,
) -> Result<WouldMakeJob> {
    let target = destination.name.clone().unwrap_or_else(|| destination.target.text());
    let job = match made {
        Ok(work) => work.row,
        Err(error) if error.code().status() < 500 => {
            let refused = Some(error.to_string());
            return Ok(WouldMakeJob { target, payload: None, refused, dedupe_key: None, held_by: None });
        }
        Err(error) => return Err(error),
    };
    let held_by = match &job.dedupe_key {
        Some(key) => tx.dedupe_holder(trigger.org_id, key, now).await?,
        None => None,
    };
    Ok(WouldMakeJob { target, payload: Some(job.payload), refused: None, dedupe_key: job.dedupe_key, held_by })
}

/// The data of the last events with a name.
async fn past_events(tx: &mut Tx<'_>, trigger: &Trigger, name: &str) -> Result<Vec<Value>> {
    let events: Vec<Event> = tx.event_last_named(trigger.org_id, name, EVENTS_TRIED).await?;
    Ok(events
        .into_iter()
        .flat_map(|event| match event.items {
            Value::Array(items) => items,
            other => vec![other],
        })
        .collect())
}
