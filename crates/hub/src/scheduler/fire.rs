//! Fires due schedules: every due nominal time gets a fire row per target, and a job unless a policy skips it.
//!
//! A fire row is unique by trigger, nominal time and ordinal (the number of its host within the trigger). That key and
//! the trigger's `settled_at`, both written with the jobs, are why no time runs twice, whichever hubs decide.

use std::collections::HashMap;

use domain::{
    HostId, JobId, Timestamp, TriggerId,
    job::JobStatus,
    schedule::Schedule,
    trigger::{self, DueFires, FireStatus, Missed, MissedPolicy, OverlapDecision, Planned, UnfinishedJobs},
};
use store::{
    Tx,
    fire::{Fire, OpenFire},
    replication::{Handed, Holding},
    trigger::Trigger,
};

use crate::scheduler::{
    job_from_trigger::{Cause, ResolvedTrigger, actor, request, resolve_trigger, work},
    placement as place,
    targets::{Destination, destinations},
};
use crate::{
    Error, Hub, Result,
    app::jobs::change::{Canceled, ChangedBy, cancel},
    queue::{
        enqueue::{self, EnqueueEffects, EnqueueRequest},
        events::Changes,
    },
};

/// Most triggers decided in one transaction.
const BATCH: u32 = 100;

/// Result of one transaction.
pub(crate) struct Fired {
    enqueued: EnqueueEffects,
    canceled: Vec<Canceled>,
    pub(crate) jobs: usize,
    has_more: bool,
}

impl Fired {
    /// Wakes runners and event sockets. Call it after the commit.
    pub(crate) fn after_commit(self, hub: &Hub) {
        for canceled in self.canceled {
            canceled.after_commit(hub);
        }
        self.enqueued.after_commit(hub);
    }
}

/// Decides due triggers; returns whether more are due.
pub(crate) async fn fire_due(hub: &Hub, now: Timestamp) -> Result<bool> {
    let due = hub.store.read(move |tx| Box::pin(async move { tx.trigger_due(now, BATCH).await.map_err(Error::from) }));
    let due = due.await?;
    if due.is_empty() {
        return Ok(false);
    }
    let is_full = due.len() == BATCH as usize;
    let mut resolved_triggers = HashMap::with_capacity(due.len());
    for trigger in &due {
        resolved_triggers.insert(trigger.id, (trigger.version, resolve_trigger(hub, trigger).await?));
    }
    let hub_in = hub.clone();
    let fired =
        hub.store.write(move |tx| Box::pin(async move { decide(&hub_in, tx, resolved_triggers, now).await })).await?;
    let has_more = fired.has_more || is_full;
    fired.after_commit(hub);
    Ok(has_more)
}

/// Rows to write for the decided triggers.
#[derive(Default)]
pub(crate) struct FirePlan {
    pub(crate) fires: Vec<Fire>,
    pub(crate) requests: Vec<EnqueueRequest>,
    pub(crate) canceled: Vec<Canceled>,
    /// Entries for the hub-to-host replication log.
    pub(crate) handed: Vec<Handed>,
}

/// Stored state of the triggers that are decided.
struct OpenWork {
    /// Fires whose jobs are unfinished.
    open: Vec<OpenFire>,
    /// Triggers that hosts fire themselves.
    host_copies: Vec<Holding>,
}

impl FirePlan {
    /// Writes jobs, fires and log entries in one transaction. The log comes last, because it locks a row that all
    /// transactions need.
    pub(crate) async fn write(self, hub: &Hub, tx: &mut Tx<'_>, has_more: bool) -> Result<Fired> {
        let jobs = self.requests.iter().map(|request| request.jobs.len()).sum();
        let requests: Vec<_> = self.requests.into_iter().map(std::sync::Arc::new).collect();
        let mut changes = Changes::default();
        let enqueued = enqueue::enqueue(hub, tx, &requests, &mut changes).await?;
        changes.write(hub, tx, hub.now()).await?;
        tx.fire_insert(&self.fires).await?;
        tx.sync_log_put(&self.handed, place::mark(hub), hub.now()).await?;
        Ok(Fired { enqueued, canceled: self.canceled, jobs, has_more })
    }
}

async fn decide(
    hub: &Hub,
    tx: &mut Tx<'_>,
    resolved_triggers: HashMap<TriggerId, (i32, ResolvedTrigger)>,
    now: Timestamp,
) -> Result<Fired> {
    let wanted: Vec<TriggerId> = resolved_triggers.keys().copied().collect();
    let taken = tx.trigger_take(&wanted).await?;
    let ids: Vec<TriggerId> = taken.iter().map(|trigger| trigger.id).collect();
    let known = OpenWork { open: settle(tx, &ids, now).await?, host_copies: tx.sync_log_of(&ids).await? };
    let (mut plan, mut has_more) = (FirePlan::default(), false);
    for trigger in taken {
        // Another hub has decided this time since the read.
        if trigger.next_fire_at.is_none_or(|next| next > now) {
            continue;
        }
        match resolved_triggers.get(&trigger.id) {
            Some((version, resolved)) if *version == trigger.version => {
                has_more |= decide_one(hub, tx, &mut plan, &trigger, resolved, &known, now).await?;
            }
            // The trigger was changed since it was read; the next pass reads it again.
            _ => has_more = true,
        }
    }
    plan.write(hub, tx, has_more).await
}

/// Decides the due times of one trigger; returns whether more are due.
async fn decide_one(
    hub: &Hub,
    tx: &mut Tx<'_>,
    plan: &mut FirePlan,
    trigger: &Trigger,
    resolved: &ResolvedTrigger,
    known: &OpenWork,
    now: Timestamp,
) -> Result<bool> {
    let Ok(Some(schedule)) = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at) else {
        // The schedule was valid when it was saved, but a release can remove a time zone. Stop it and record why.
        tx.trigger_settle(trigger.id, now, None).await?;
        let reason = "the schedule is no longer valid; edit and save it".to_owned();
        plan.fires.push(fire_of(trigger, &Destination::anywhere_of(trigger), now, FireStatus::Failed, reason, now));
        return Ok(false);
    };
    let due = trigger::due(&trigger.body, &schedule, trigger.settled_at, now);
    let settled_at = due.settled_at.unwrap_or(trigger.settled_at);
    let has_more = due.has_more;
    let found = match resolved {
        ResolvedTrigger::Wrong(reason) => Err(reason.clone()),
        ResolvedTrigger::Ready(compiled) => match destinations(hub, tx, trigger, compiled, now).await {
            Ok(destinations) => Ok((compiled, destinations)),
            Err(error) if error.code().status() < 500 => Err(error.to_string()),
            Err(error) => return Err(error),
        },
    };
    match found {
        // Its hosts fire it themselves and record the failure.
        Err(_) if known.host_copies.iter().any(|holding| holding.trigger_id == trigger.id) => {}
        Err(reason) => failed(plan, trigger, &due, &reason, now),
        Ok((compiled, destinations)) => {
            let is_ours = |destination: &&Destination| {
                !destination.host.is_some_and(|host| {
                    destination.has_standalone && place::has_host_copy(&known.host_copies, trigger.id, host)
                })
            };
            for destination in destinations.iter().filter(is_ours) {
                // Times up to `settled_at` were decided by the host itself.
                let is_open = |nominal: Timestamp| destination.settled_at.is_none_or(|settled| nominal > settled);
                for missed in due.gone.iter().filter(|missed| is_open(missed.nominal)) {
                    plan.fires.push(missed_fire(trigger, destination, *missed, now));
                }
                let mut at =
                    AtDestination { trigger, destination, open: open_at(&known.open, trigger.id, destination), now };
                for planned in due.planned.iter().filter(|planned| is_open(planned.nominal)) {
                    at.fire(hub, tx, plan, compiled, planned).await?;
                }
            }
            if place::is_for_hosts(trigger) {
                // Hosts that match since the last fire: they fire the next time themselves.
                let wanted: Vec<HostId> = destinations
                    .iter()
                    .filter(|destination| destination.has_standalone)
                    .filter_map(|destination| destination.host)
                    .collect();
                let decided = Trigger { settled_at, ..trigger.clone() };
                plan.handed.extend(place::changes(&decided, &wanted, &known.host_copies, false));
            }
        }
    }
    let next = next_here(trigger, &schedule, settled_at);
    tx.trigger_settle(trigger.id, settled_at, next).await?;
    Ok(has_more)
}

/// The next time that this hub decides for the trigger; `None` if its hosts or another hub do.
pub(crate) fn next_here(trigger: &Trigger, schedule: &Schedule, after: Timestamp) -> Option<Timestamp> {
    if trigger.origin.is_some() || trigger.deleted_at.is_some() {
        return None;
    }
    trigger.body.next_fire(schedule, after)
}

/// One trigger at one destination.
struct AtDestination<'a> {
    trigger: &'a Trigger,
    destination: &'a Destination,
    open: Vec<(JobId, JobStatus)>,
    now: Timestamp,
}

impl AtDestination<'_> {
    async fn fire(
        &mut self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        plan: &mut FirePlan,
        compiled: &crate::queue::cache::definitions::Compiled,
        planned: &Planned,
    ) -> Result<()> {
        // The row exists: the host has fired this time itself, or it was caught up.
        if tx.fire_get(self.trigger.id, planned.nominal, self.destination.ordinal).await?.is_some() {
            return Ok(());
        }
        if self.destination.is_asleep || self.destination.is_returning {
            let reason =
                if self.destination.is_asleep { "the host was asleep" } else { "the host had just reconnected" };
            self.note(plan, planned, FireStatus::Asleep, reason, None);
            return Ok(());
        }
        let overlap = if planned.is_late && self.trigger.body.missed == MissedPolicy::All {
            OverlapDecision::Make
        } else {
            trigger::overlap(self.trigger.body.overlap, self.counts())
        };
        match overlap {
            OverlapDecision::Make => {}
            OverlapDecision::Skip(reason) => {
                self.note(plan, planned, FireStatus::Skipped, reason, None);
                return Ok(());
            }
            OverlapDecision::Replace => self.cancel_open(hub, tx, plan).await?,
        }
        let slots: Vec<Timestamp> = planned.stands_for.iter().copied().chain([planned.nominal]).collect();
        let cause = Cause::Times { nominal: planned.nominal, slots: &slots, is_catch_up: planned.is_late };
        match work(hub, self.trigger, compiled, self.destination, &cause, self.now) {
            Ok(work) => {
                let job = work.row.id;
                self.open.push((job, JobStatus::Queued));
                plan.requests.push(request(hub, self.trigger, vec![work], self.now));
                let reason = if planned.is_late { "fired late: no hub was running at that time" } else { "" };
                self.note(plan, planned, FireStatus::Fired, reason, Some(job));
            }
            Err(error) if error.code().status() < 500 => {
                self.note(plan, planned, FireStatus::Failed, &error.to_string(), None);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn counts(&self) -> UnfinishedJobs {
        let of = |status| self.open.iter().filter(|open| open.1 == status).count();
        UnfinishedJobs { queued: of(JobStatus::Queued), running: of(JobStatus::Running) }
    }

    async fn cancel_open(&mut self, hub: &Hub, tx: &mut Tx<'_>, plan: &mut FirePlan) -> Result<()> {
        let by = actor(self.trigger).label();
        for (job, _) in self.open.drain(..) {
            let reason = "replaced by the next fire of its trigger";
            match cancel(hub, tx, ChangedBy::Batch(&by), self.trigger.org_id, job, reason, false).await {
                Ok(canceled) => plan.canceled.push(canceled),
                // The job has ended in the meantime.
                Err(error) if error.code().status() < 500 => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Adds the fire rows of the time itself and of the earlier times that it covers.
    fn note(&self, plan: &mut FirePlan, planned: &Planned, status: FireStatus, reason: &str, job: Option<JobId>) {
        let earlier = if status == FireStatus::Fired { FireStatus::CaughtUp } else { status };
        for nominal in &planned.stands_for {
            let row = fire_of(self.trigger, self.destination, *nominal, earlier, reason.to_owned(), self.now);
            plan.fires.push(Fire { job_id: job, ..row });
        }
        let row = fire_of(self.trigger, self.destination, planned.nominal, status, reason.to_owned(), self.now);
        plan.fires.push(Fire { job_id: job, ..row });
    }
}

impl Destination {
    /// A destination for fires that create no job.
    fn anywhere_of(trigger: &Trigger) -> Self {
        let target = domain::lane::Target::Queue(trigger.body.definition_key.clone());
        Self::anywhere(target)
    }
}

/// The fire row of one nominal time at one destination.
pub(crate) fn fire_of(
    trigger: &Trigger,
    destination: &Destination,
    nominal: Timestamp,
    status: FireStatus,
    reason: String,
    now: Timestamp,
) -> Fire {
    Fire {
        trigger_id: trigger.id,
        nominal_at: nominal,
        ordinal: destination.ordinal,
        org_id: trigger.org_id,
        host_id: destination.host,
        status,
        reason,
        job_id: None,
        stands_for: 1,
        at: now,
        ended_status: None,
        ended_at: None,
        origin: None,
    }
}

fn missed_fire(trigger: &Trigger, destination: &Destination, missed: Missed, now: Timestamp) -> Fire {
    let (status, reason) = if destination.is_asleep || destination.is_returning {
        (FireStatus::Asleep, "the host was asleep")
    } else {
        (FireStatus::Missed, "no hub or host was running at that time")
    };
    let stands_for = i32::try_from(missed.count).unwrap_or(i32::MAX);
    Fire { stands_for, ..fire_of(trigger, destination, missed.nominal, status, reason.to_owned(), now) }
}

fn failed(plan: &mut FirePlan, trigger: &Trigger, due: &DueFires, reason: &str, now: Timestamp) {
    let nowhere = Destination::anywhere_of(trigger);
    for planned in &due.planned {
        plan.fires.push(fire_of(trigger, &nowhere, planned.nominal, FireStatus::Failed, reason.to_owned(), now));
    }
    for missed in &due.gone {
        plan.fires.push(missed_fire(trigger, &nowhere, *missed, now));
    }
}

/// Records the outcome of ended jobs of these triggers; returns the fires whose jobs are unfinished.
pub(crate) async fn settle(tx: &mut Tx<'_>, triggers: &[TriggerId], now: Timestamp) -> Result<Vec<OpenFire>> {
    let open = tx.fire_open(triggers).await?;
    let (ended, open): (Vec<OpenFire>, Vec<OpenFire>) =
        open.into_iter().partition(|fire| fire.status.is_none() || fire.finished_at.is_some());
    note_ended(tx, &ended, now).await?;
    Ok(open)
}

/// Records how the jobs of these fires ended, and the last success of each trigger on its host.
pub(crate) async fn note_ended(tx: &mut Tx<'_>, ended: &[OpenFire], now: Timestamp) -> Result<()> {
    for fire in ended {
        // The job was deleted by retention, so its outcome is unknown.
        let status = fire.status.unwrap_or(JobStatus::Canceled);
        let at = fire.finished_at.unwrap_or(now);
        tx.fire_end(fire, status, at).await?;
        if let Some(host) = fire.host_id.filter(|_| status == JobStatus::Succeeded) {
            tx.trigger_host_succeeded(fire.trigger_id, host, at, now).await?;
        }
    }
    Ok(())
}

/// The unfinished jobs of a trigger at one destination, each once.
pub(crate) fn open_at(open: &[OpenFire], trigger: TriggerId, destination: &Destination) -> Vec<(JobId, JobStatus)> {
    let mut jobs: Vec<(JobId, JobStatus)> = open
        .iter()
        .filter(|fire| fire.trigger_id == trigger && fire.ordinal == destination.ordinal)
        .filter_map(|fire| Some((fire.job_id, fire.status?)))
        .collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs
}
