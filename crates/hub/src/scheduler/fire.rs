//! Times that have come: each gets its fire, and its job if its trigger wants one.

use std::collections::HashMap;

use domain::{
    HostId, JobId, Timestamp, TriggerId,
    job::JobStatus,
    schedule::Schedule,
    trigger::{self, Due, FireStatus, Gone, Lap, Missed, Open, Planned},
};
use store::{
    Tx,
    fire::{Fire, OpenFire},
    replication::{Handed, Holding},
    trigger::Trigger,
};

use crate::scheduler::{
    job_from_trigger::{Material, Occasion, actor, material, wish, work},
    placement as place,
    targets::{Spot, spots},
};
use crate::{
    Error, Hub, Result,
    app::jobs::change::{Canceled, Cause, cancel},
    queue::enqueue::{self, Wish, Written},
};

/// Triggers decided in one transaction.
const BATCH: u32 = 100;

/// What one transaction came to.
pub(crate) struct Fired {
    written: Written,
    canceled: Vec<Canceled>,
    /// How many jobs were made.
    pub(crate) jobs: usize,
    has_more: bool,
}

impl Fired {
    /// Wakes whoever waits for it, once it is committed.
    pub(crate) fn tell(self, hub: &Hub) {
        for canceled in self.canceled {
            canceled.tell(hub);
        }
        self.written.tell(hub);
    }
}

/// Decides about what is due; says whether there is more.
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

/// What is gathered while deciding about several triggers.
#[derive(Default)]
pub(crate) struct FirePlan {
    pub(crate) fires: Vec<Fire>,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) canceled: Vec<Canceled>,
    /// What hosts are to be told.
    pub(crate) handed: Vec<Handed>,
}

/// What is known of the triggers that are decided about.
struct OpenWork {
    /// Their jobs that are not over.
    open: Vec<OpenFire>,
    /// The hosts that decide by themselves.
    held: Vec<Holding>,
}

impl FirePlan {
    /// Writes jobs and fires together.
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
    materials: HashMap<TriggerId, (i32, Material)>,
    now: Timestamp,
) -> Result<Fired> {
    let wanted: Vec<TriggerId> = materials.keys().copied().collect();
    let taken = tx.trigger_take(&wanted).await?;
    let ids: Vec<TriggerId> = taken.iter().map(|trigger| trigger.id).collect();
    let known = OpenWork { open: settle(tx, &ids, now).await?, held: tx.sync_log_of(&ids).await? };
    let (mut plan, mut has_more) = (FirePlan::default(), false);
    for trigger in taken {
        // Another hub was here first.
        if trigger.next_fire_at.is_none_or(|next| next > now) {
            continue;
        }
        match materials.get(&trigger.id) {
            Some((version, material)) if *version == trigger.version => {
                has_more |= decide_one(hub, tx, &mut plan, &trigger, material, &known, now).await?;
            }
            // It was changed since it was read; the next pass reads it again.
            _ => has_more = true,
        }
    }
    plan.write(hub, tx, has_more).await
}

/// Decides about the times of one trigger; says whether there are more.
async fn decide_one(
    hub: &Hub,
    tx: &mut Tx<'_>,
    plan: &mut FirePlan,
    trigger: &Trigger,
    material: &Material,
    known: &OpenWork,
    now: Timestamp,
) -> Result<bool> {
    let Ok(Some(schedule)) = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at) else {
        // It was checked when it was saved, but zones come and go with releases: it stops, and says why.
        tx.trigger_settle(trigger.id, now, None).await?;
        let reason = "its schedule can no longer be read; save it again".to_owned();
        plan.fires.push(fire_of(trigger, &Spot::anywhere_of(trigger), now, FireStatus::Failed, reason, now));
        return Ok(false);
    };
    let due = trigger::due(&trigger.body, &schedule, trigger.settled_at, now);
    let settled_at = due.settled_at.unwrap_or(trigger.settled_at);
    let has_more = due.has_more;
    let found = match material {
        Material::Wrong(reason) => Err(reason.clone()),
        Material::Ready(compiled) => match spots(hub, tx, trigger, compiled, now).await {
            Ok(spots) => Ok((compiled, spots)),
            Err(error) if error.code().status() < 500 => Err(error.to_string()),
            Err(error) => return Err(error),
        },
    };
    match found {
        // Its hosts find out by themselves, and say so.
        Err(_) if known.held.iter().any(|holding| holding.trigger_id == trigger.id) => {}
        Err(reason) => failed(plan, trigger, &due, &reason, now),
        Ok((compiled, spots)) => {
            let is_ours = |spot: &&Spot| {
                !spot.host.is_some_and(|host| spot.has_desk && place::is_held(&known.held, trigger.id, host))
            };
            for spot in spots.iter().filter(is_ours) {
                // Up to there the host has decided by itself.
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
                // Hosts that have come to it since: the next time is theirs.
                let wanted: Vec<HostId> =
                    spots.iter().filter(|spot| spot.has_desk).filter_map(|spot| spot.host).collect();
                let decided = Trigger { settled_at, ..trigger.clone() };
                plan.handed.extend(place::changes(&decided, &wanted, &known.held, false));
            }
        }
    }
    let next = next_here(trigger, &schedule, settled_at);
    tx.trigger_settle(trigger.id, settled_at, next).await?;
    Ok(has_more)
}

/// When this database has to decide about the trigger next.
pub(crate) fn next_here(trigger: &Trigger, schedule: &Schedule, after: Timestamp) -> Option<Timestamp> {
    if trigger.origin.is_some() || trigger.deleted_at.is_some() {
        return None;
    }
    trigger.body.next_fire(schedule, after)
}

/// One trigger in one place.
struct AtSpot<'a> {
    trigger: &'a Trigger,
    spot: &'a Spot,
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
        // Its row is there already: it ran on its host, or was made up for.
        if tx.fire_get(self.trigger.id, planned.nominal, self.spot.ordinal).await?.is_some() {
            return Ok(());
        }
        if self.spot.is_asleep || self.spot.is_returning {
            let reason = if self.spot.is_asleep { "its host was asleep" } else { "its host had just returned" };
            self.note(plan, planned, FireStatus::Asleep, reason, None);
            return Ok(());
        }
        let lap = if planned.is_late && self.trigger.body.missed == Missed::All {
            Lap::Make
        } else {
            trigger::overlap(self.trigger.body.overlap, self.counts())
        };
        match lap {
            Lap::Make => {}
            Lap::Skip(reason) => {
                self.note(plan, planned, FireStatus::Skipped, reason, None);
                return Ok(());
            }
            Lap::Replace => self.cancel_open(hub, tx, plan).await?,
        }
        let slots: Vec<Timestamp> = planned.stands_for.iter().copied().chain([planned.nominal]).collect();
        let occasion = Occasion::Times { nominal: planned.nominal, slots: &slots, is_catch_up: planned.is_late };
        match work(hub, self.trigger, compiled, self.spot, &occasion, self.now) {
            Ok(work) => {
                let job = work.job.id;
                self.open.push((job, JobStatus::Queued));
                plan.wishes.push(wish(hub, self.trigger, vec![work], self.now));
                let reason = if planned.is_late { "late: nobody could act on it in time" } else { "" };
                self.note(plan, planned, FireStatus::Fired, reason, Some(job));
            }
            Err(error) if error.code().status() < 500 => {
                self.note(plan, planned, FireStatus::Failed, &error.to_string(), None);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn counts(&self) -> Open {
        let of = |status| self.open.iter().filter(|open| open.1 == status).count();
        Open { queued: of(JobStatus::Queued), running: of(JobStatus::Running) }
    }

    async fn cancel_open(&mut self, hub: &Hub, tx: &mut Tx<'_>, plan: &mut FirePlan) -> Result<()> {
        let by = actor(self.trigger).label();
        for (job, _) in self.open.drain(..) {
            let reason = "replaced by the next fire of its trigger";
            match cancel(hub, tx, Cause::Batch(&by), self.trigger.org_id, job, reason, false).await {
                Ok(canceled) => plan.canceled.push(canceled),
                // It ended by itself meanwhile.
                Err(error) if error.code().status() < 500 => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Rows for the time itself and for those it stands for.
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

impl Spot {
    /// Where nothing can be made.
    fn anywhere_of(trigger: &Trigger) -> Self {
        let target = domain::lane::Target::Queue(trigger.body.definition_key.clone());
        Self::anywhere(target)
    }
}

/// The row of one time in one place.
pub(crate) fn fire_of(
    trigger: &Trigger,
    spot: &Spot,
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

fn gone_fire(trigger: &Trigger, spot: &Spot, gone: Gone, now: Timestamp) -> Fire {
    let (status, reason) = if spot.is_asleep || spot.is_returning {
        (FireStatus::Asleep, "its host was asleep")
    } else {
        (FireStatus::Missed, "nobody could act on it in time")
    };
    let stands_for = i32::try_from(gone.count).unwrap_or(i32::MAX);
    Fire { stands_for, ..fire_of(trigger, spot, gone.nominal, status, reason.to_owned(), now) }
}

fn failed(plan: &mut FirePlan, trigger: &Trigger, due: &Due, reason: &str, now: Timestamp) {
    let nowhere = Spot::anywhere_of(trigger);
    for planned in &due.planned {
        plan.fires.push(fire_of(trigger, &nowhere, planned.nominal, FireStatus::Failed, reason.to_owned(), now));
    }
    for gone in &due.gone {
        plan.fires.push(gone_fire(trigger, &nowhere, *gone, now));
    }
}

/// Notes which jobs of these triggers are over; returns the fires of those that are not.
pub(crate) async fn settle(tx: &mut Tx<'_>, triggers: &[TriggerId], now: Timestamp) -> Result<Vec<OpenFire>> {
    let open = tx.fire_open(triggers).await?;
    let (ended, open): (Vec<OpenFire>, Vec<OpenFire>) =
        open.into_iter().partition(|fire| fire.status.is_none() || fire.finished_at.is_some());
    note_ended(tx, &ended, now).await?;
    Ok(open)
}

/// Notes how the jobs of these fires ended, and the last success of each trigger on its host.
pub(crate) async fn note_ended(tx: &mut Tx<'_>, ended: &[OpenFire], now: Timestamp) -> Result<()> {
    for fire in ended {
        // A job that is no longer kept was over long ago; how it ended is not known any more.
        let status = fire.status.unwrap_or(JobStatus::Canceled);
        let at = fire.finished_at.unwrap_or(now);
        tx.fire_end(fire, status, at).await?;
        if let Some(host) = fire.host_id.filter(|_| status == JobStatus::Succeeded) {
            tx.trigger_host_succeeded(fire.trigger_id, host, at, now).await?;
        }
    }
    Ok(())
}

/// The open jobs of a trigger in one place, each once.
pub(crate) fn open_at(open: &[OpenFire], trigger: TriggerId, spot: &Spot) -> Vec<(JobId, JobStatus)> {
    let mut jobs: Vec<(JobId, JobStatus)> = open
        .iter()
        .filter(|fire| fire.trigger_id == trigger && fire.ordinal == spot.ordinal)
        .filter_map(|fire| Some((fire.job_id, fire.status?)))
        .collect();
    jobs.sort_unstable();
    jobs.dedup();
    jobs
}
