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
    job_from_trigger::{Cause, ResolvedTrigger, actor, material, wish, work},
    placement as place,
    targets::{Destination, spots},
};
use crate::{
    Error, Hub, Result,
    app::jobs::change::{Canceled, ChangedBy, cancel},
    queue::enqueue::{self, Wish, Written},
};

/// Most triggers decided in one transaction.
const BATCH: u32 = 100;

/// Result of one transaction.
pub(crate) struct Fired {
    written: Written,
    canceled: Vec<Canceled>,
    pub(crate) jobs: usize,
    has_more: bool,
}

impl Fired {
    /// Wakes runners and event sockets. Call it after the commit.
    pub(crate) fn tell(self, hub: &Hub) {
        for canceled in self.canceled {
            canceled.tell(hub);
        }
        self.written.tell(hub);
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
    let mut materials = HashMap::with_capacity(due.len());
    for trigger in &due {
        materials.insert(trigger.id, (trigger.version, material(hub, trigger).await?));
    }
    let hub_in = hub.clone();
    let fired = hub.store.write(move |tx| Box::pin(async move { decide(&hub_in, tx, materials, now).await })).await?;
    let has_more = fired.has_more || is_full;
    fired.tell(hub);
    Ok(has_more)
}

/// Rows to write for the decided triggers.
#[derive(Default)]
pub(crate) struct FirePlan {
    pub(crate) fires: Vec<Fire>,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) canceled: Vec<Canceled>,
    /// Entries for the hub-to-host replication log.
    pub(crate) handed: Vec<Handed>,
}

/// Stored state of the triggers that are decided.
struct OpenWork {
    /// Fires whose jobs are unfinished.
    open: Vec<OpenFire>,
    /// Triggers that hosts fire themselves.
    held: Vec<Holding>,
}

impl FirePlan {
    /// Writes jobs, fires and log entries in one transaction. The log comes last, because it locks a row that all
    /// transactions need.
    pub(crate) async fn write(self, hub: &Hub, tx: &mut Tx<'_>, has_more: bool) -> Result<Fired> {
        let jobs = self.wishes.iter().map(|wish| wish.work.len()).sum();
        let wishes = self.wishes.into_iter().map(std::sync::Arc::new).collect();
        let written = enqueue::insert(hub, tx, wishes).await?;
        tx.fire_insert(&self.fires).await?;
        tx.sync_log_put(&self.handed, place::mark(hub), hub.now()).await?;
        Ok(Fired { written, canceled: self.canceled, jobs, has_more })
    }
}

async fn decide(
    hub: &Hub,
    tx: &mut Tx<'_>,
    materials: HashMap<TriggerId, (i32, ResolvedTrigger)>,
    now: Timestamp,
) -> Result<Fired> {
    let wanted: Vec<TriggerId> = materials.keys().copied().collect();
    let taken = tx.trigger_take(&wanted).await?;
    let ids: Vec<TriggerId> = taken.iter().map(|trigger| trigger.id).collect();
    let known = OpenWork { open: settle(tx, &ids, now).await?, held: tx.sync_log_of(&ids).await? };
    let (mut plan, mut has_more) = (FirePlan::default(), false);
    for trigger in taken {
        // Another hub has decided this time since the read.
        if trigger.next_fire_at.is_none_or(|next| next > now) {
            continue;
        }
        match materials.get(&trigger.id) {
            Some((version, material)) if *version == trigger.version => {
                has_more |= decide_one(hub, tx, &mut plan, &trigger, material, &known, now).await?;
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
    material: &ResolvedTrigger,
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
    let found = match material {
        ResolvedTrigger::Wrong(reason) => Err(reason.clone()),
        ResolvedTrigger::Ready(compiled) => match spots(hub, tx, trigger, compiled, now).await {
            Ok(spots) => Ok((compiled, spots)),
            Err(error) if error.code().status() < 500 => Err(error.to_string()),
            Err(error) => return Err(error),
        },
    };
    match found {
        // Its hosts fire it themselves and record the failure.
        Err(_) if known.held.iter().any(|holding| holding.trigger_id == trigger.id) => {}
        Err(reason) => failed(plan, trigger, &due, &reason, now),
        Ok((compiled, spots)) => {
            let is_ours = |spot: &&Destination| {
                !spot.host.is_some_and(|host| spot.has_standalone && place::is_held(&known.held, trigger.id, host))
            };
            for spot in spots.iter().filter(is_ours) {
                // Times up to `settled_at` were decided by the host itself.
                let is_open = |nominal: Timestamp| spot.settled_at.is_none_or(|settled| nominal > settled);
                for gone in due.gone.iter().filter(|gone| is_open(gone.nominal)) {
                    plan.fires.push(gone_fire(trigger, spot, *gone, now));
                }
                let mut at = AtSpot { trigger, spot, open: open_at(&known.open, trigger.id, spot), now };
                for planned in due.planned.iter().filter(|planned| is_open(planned.nominal)) {
                    at.fire(hub, tx, plan, compiled, planned).await?;
                }
            }
            if place::is_for_hosts(trigger) {
                // Hosts that match since the last fire: they fire the next time themselves.
                let wanted: Vec<HostId> =
                    spots.iter().filter(|spot| spot.has_standalone).filter_map(|spot| spot.host).collect();
                let decided = Trigger { settled_at, ..trigger.clone() };
                plan.handed.extend(place::changes(&decided, &wanted, &known.held, false));
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
struct AtSpot<'a> {
    trigger: &'a Trigger,
    spot: &'a Destination,
    open: Vec<(JobId, JobStatus)>,
    now: Timestamp,
}

impl AtSpot<'_> {
    async fn fire(
        &mut self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        plan: &mut FirePlan,
        compiled: &crate::queue::definitions::Compiled,
        planned: &Planned,
    ) -> Result<()> {
        // The row exists: the host has fired this time itself, or it was caught up.
        if tx.fire_get(self.trigger.id, planned.nominal, self.spot.ordinal).await?.is_some() {
            return Ok(());
        }
        if self.spot.is_asleep || self.spot.is_returning {
            let reason = if self.spot.is_asleep { "the host was asleep" } else { "the host had just reconnected" };
            self.note(plan, planned, FireStatus::Asleep, reason, None);
            return Ok(());
        }
        let lap = if planned.is_late && self.trigger.body.missed == MissedPolicy::All {
            OverlapDecision::Make
        } else {
            trigger::overlap(self.trigger.body.overlap, self.counts())
        };
        match lap {
            OverlapDecision::Make => {}
            OverlapDecision::Skip(reason) => {
                self.note(plan, planned, FireStatus::Skipped, reason, None);
                return Ok(());
            }
            OverlapDecision::Replace => self.cancel_open(hub, tx, plan).await?,
        }
        let slots: Vec<Timestamp> = planned.stands_for.iter().copied().chain([planned.nominal]).collect();
        let occasion = Cause::Times { nominal: planned.nominal, slots: &slots, is_catch_up: planned.is_late };
        match work(hub, self.trigger, compiled, self.spot, &occasion, self.now) {
            Ok(work) => {
                let job = work.job.id;
                self.open.push((job, JobStatus::Queued));
                plan.wishes.push(wish(hub, self.trigger, vec![work], self.now));
                let reason = if planned.is_late { "late: no hub or host could fire it in time" } else { "" };
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
            let row = fire_of(self.trigger, self.spot, *nominal, earlier, reason.to_owned(), self.now);
            plan.fires.push(Fire { job_id: job, ..row });
        }
        let row = fire_of(self.trigger, self.spot, planned.nominal, status, reason.to_owned(), self.now);
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
    spot: &Destination,
    nominal: Timestamp,
    status: FireStatus,
    reason: String,
    now: Timestamp,
) -> Fire {
    Fire {
        trigger_id: trigger.id,
        nominal_at: nominal,
        ordinal: spot.ordinal,
        org_id: trigger.org_id,
        host_id: spot.host,
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

fn gone_fire(trigger: &Trigger, spot: &Destination, gone: Missed, now: Timestamp) -> Fire {
    let (status, reason) = if spot.is_asleep || spot.is_returning {
        (FireStatus::Asleep, "the host was asleep")
    } else {
        (FireStatus::Missed, "no hub or host could fire it in time")
    };
    let stands_for = i32::try_from(gone.count).unwrap_or(i32::MAX);
    Fire { stands_for, ..fire_of(trigger, spot, gone.nominal, status, reason.to_owned(), now) }
}

fn failed(plan: &mut FirePlan, trigger: &Trigger, due: &DueFires, reason: &str, now: Timestamp) {
    let nowhere = Destination::anywhere_of(trigger);
    for planned in &due.planned {
        plan.fires.push(fire_of(trigger, &nowhere, planned.nominal, FireStatus::Failed, reason.to_owned(), now));
    }
    for gone in &due.gone {
        plan.fires.push(gone_fire(trigger, &nowhere, *gone, now));
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
pub(crate) fn open_at(open: &[OpenFire], trigger: TriggerId, spot: &Destination) -> Vec<(JobId, JobStatus)> {
    let mut jobs: Vec<(JobId, JobStatus)> = open
        .iter()
        .filter(|fire| fire.trigger_id == trigger && fire.ordinal == spot.ordinal)
        .filter_map(|fire| Some((fire.job_id, fire.status?)))
        .collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs
}
