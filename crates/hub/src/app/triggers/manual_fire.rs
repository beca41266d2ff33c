//! Firing a trigger by hand, and backfills.

use domain::{
    JobId, OrgId, Permission, Timestamp,
    trigger::{FireStatus, When},
};
use proto::api::trigger::{BackfillRequest, Backfilled, TriggerFireRequest, TriggerFired};
use serde_json::{Value, json};
use store::{Tx, fire::Fire, trigger::Trigger};

use super::{super::RequestContext, audit_entry_of, must_be_ours};
use crate::{
    Error, Hub, Result,
    scheduler::{
        fire::{FirePlan, fire_of},
        job_from_trigger::{Cause, ResolvedTrigger, request, resolve_trigger, work},
        targets::destinations,
    },
};

/// Most times in one backfill.
const TIMES_MAX: usize = 1_000;

impl Hub {
    /// Creates the jobs of a trigger now, regardless of its schedule.
    ///
    /// # Errors
    /// Fails if the trigger does not exist or its definition cannot run.
    pub async fn trigger_fire(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        request: TriggerFireRequest,
    ) -> Result<TriggerFired> {
        by.must(Permission::TriggerFire)?;
        let trigger = self.trigger_named(org, text).await?;
        must_be_ours(&trigger)?;
        let resolved = resolve_trigger(self, &trigger).await?;
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        let (fired, answer) = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let trigger = tx.trigger_lock(org, trigger.id).await?.unwrap_or(trigger);
                    let mut hand = ManualFire::new(&hub, &trigger, &resolved, now)?;
                    let data = request.event.unwrap_or_else(|| json!({}));
                    hand.fire(tx, &data).await?;
                    let ManualFire { plan, jobs, refused, .. } = hand;
                    let diff = json!({"jobs": [null, jobs.len()]});
                    by.record(&hub, tx, Some(org), audit_entry_of(&trigger, "trigger.fired", diff)).await?;
                    let fired = plan.write(&hub, tx, false).await?;
                    Ok::<_, Error>((fired, TriggerFired { jobs, refused }))
                })
            })
            .await?;
        fired.after_commit(self);
        Ok(answer)
    }

    /// Creates jobs for past times of a schedule that have none.
    ///
    /// # Errors
    /// Fails if the range is invalid or holds too many times, or the trigger has no schedule.
    pub async fn trigger_backfill(
        &self,
        by: &RequestContext,
        org: OrgId,
        text: &str,
        request: BackfillRequest,
    ) -> Result<Backfilled> {
        by.must(Permission::TriggerFire)?;
        let trigger = self.trigger_named(org, text).await?;
        must_be_ours(&trigger)?;
        let now = self.now();
        let times = past_times(&trigger, &request, now)?;
        let resolved = resolve_trigger(self, &trigger).await?;
        let (hub, by) = (self.clone(), by.clone());
        let (fired, answer) = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let trigger = tx.trigger_lock(org, trigger.id).await?.unwrap_or(trigger);
                    let mut hand = ManualFire::new(&hub, &trigger, &resolved, now)?;
                    if !tx.sync_log_of(&[trigger.id]).await?.is_empty() {
                        return Err(Error::invalid(
                            "this schedule fires on its host, which may not have reported all its times yet",
                        )
                        .hint("fire it by hand instead: hostler trigger fire"));
                    }
                    let (taken, done_before) = hand.backfill(tx, &times, request.dry_run).await?;
                    let ManualFire { plan, jobs, .. } = hand;
                    if !request.dry_run {
                        let diff = json!({"from": [null, request.from], "until": [null, request.until],
                            "jobs": [null, jobs.len()]});
                        by.record(&hub, tx, Some(org), audit_entry_of(&trigger, "trigger.backfilled", diff)).await?;
                    }
                    let fired = plan.write(&hub, tx, false).await?;
                    Ok::<_, Error>((fired, Backfilled { times: taken, done_before, jobs }))
                })
            })
            .await?;
        fired.after_commit(self);
        Ok(answer)
    }
}

fn past_times(trigger: &Trigger, request: &BackfillRequest, now: Timestamp) -> Result<Vec<Timestamp>> {
    let schedule = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at).map_err(Error::invalid)?;
    let label = &trigger.body.label;
    let schedule = schedule
        .ok_or_else(|| Error::invalid(format!("`{label}` fires on events; only schedules can be backfilled")))?;
    if request.until <= request.from {
        return Err(Error::invalid("`until` must be after `from`"));
    }
    let from = request.from - domain::Span::from_micros(1);
    let times = schedule.between(from, request.until.min(now), TIMES_MAX + 1);
    if times.len() > TIMES_MAX {
        return Err(Error::invalid(format!("the range holds more than {TIMES_MAX} times"))
            .hint("backfill a shorter range at a time"));
    }
    Ok(times)
}

/// State of a fire by hand or a backfill.
struct ManualFire<'a> {
    hub: &'a Hub,
    trigger: &'a Trigger,
    compiled: &'a crate::queue::cache::definitions::Compiled,
    now: Timestamp,
    plan: FirePlan,
    jobs: Vec<JobId>,
    refused: Vec<String>,
}

impl<'a> ManualFire<'a> {
    fn new(hub: &'a Hub, trigger: &'a Trigger, resolved: &'a ResolvedTrigger, now: Timestamp) -> Result<Self> {
        match resolved {
            ResolvedTrigger::Ready(compiled) => Ok(Self {
                hub,
                trigger,
                compiled,
                now,
                plan: FirePlan::default(),
                jobs: Vec::new(),
                refused: Vec::new(),
            }),
            ResolvedTrigger::Wrong(reason) => Err(Error::invalid(reason)),
        }
    }

    async fn fire(&mut self, tx: &mut Tx<'_>, data: &Value) -> Result<()> {
        for destination in destinations(self.hub, tx, self.trigger, self.compiled, self.now).await? {
            let slots = [self.now];
            let cause = match &self.trigger.body.when {
                When::Schedule { .. } => Cause::Times { nominal: self.now, slots: &slots, is_catch_up: false },
                When::Event { event_name, .. } => {
                    Cause::Event { id: "by-hand", name: event_name, data, correlation_id: None, at: self.now }
                }
            };
            match work(self.hub, self.trigger, self.compiled, &destination, &cause, self.now) {
                Ok(mut work) => {
                    // A fire by hand runs now and ignores the trigger's dedupe key.
                    (work.row.scheduled_for, work.row.dedupe_key) = (self.now, None);
                    let row = fire_of(
                        self.trigger,
                        &destination,
                        self.now,
                        FireStatus::Fired,
                        "fired by hand".to_owned(),
                        self.now,
                    );
                    self.plan.fires.push(Fire { job_id: Some(work.row.id), ..row });
                    self.jobs.push(work.row.id);
                    self.plan.requests.push(request(self.hub, self.trigger, vec![work], self.now));
                }
                Err(error) if error.code().status() < 500 => self.refused.push(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn backfill(&mut self, tx: &mut Tx<'_>, times: &[Timestamp], is_dry: bool) -> Result<(Vec<Timestamp>, u64)> {
        let (mut taken, mut done_before) = (Vec::new(), 0);
        let places = destinations(self.hub, tx, self.trigger, self.compiled, self.now).await?;
        for nominal in times {
            for destination in &places {
                let earlier = tx.fire_get(self.trigger.id, *nominal, destination.ordinal).await?;
                if earlier.as_ref().is_some_and(|fire| fire.job_id.is_some()) {
                    done_before += 1;
                    continue;
                }
                taken.push(*nominal);
                if is_dry {
                    continue;
                }
                let slots = [*nominal];
                let cause = Cause::Times { nominal: *nominal, slots: &slots, is_catch_up: true };
                let work = work(self.hub, self.trigger, self.compiled, destination, &cause, self.now)?;
                let reason = "backfilled by hand".to_owned();
                let row = fire_of(self.trigger, destination, *nominal, FireStatus::Fired, reason, self.now);
                let row = Fire { job_id: Some(work.row.id), ..row };
                if earlier.is_some() {
                    tx.fire_catch_up(&row, *nominal - domain::Span::from_micros(1)).await?;
                } else {
                    self.plan.fires.push(row);
                }
                self.jobs.push(work.row.id);
                self.plan.requests.push(request(self.hub, self.trigger, vec![work], self.now));
            }
        }
        taken.dedup();
        Ok((taken, done_before))
    }
}
