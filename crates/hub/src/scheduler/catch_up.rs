//! Catch-up: missed schedules of intermittent hosts (not `always_on`) run once the host is back.
//!
//! No timer is kept in memory. Whether a schedule is behind follows from its last success on the host, and the session
//! for which this was decided is stored as `judged_epoch`. So a hub that is killed during the settle time loses
//! nothing, and no session is caught up twice.

use std::collections::HashMap;

use domain::{
    HostId, OrgId, Timestamp, TriggerId,
    presence::HostStatus,
    trigger::{self, FireStatus, OnHost},
};
use store::{
    Tx,
    fire::Fire,
    host::HostView,
    replication::Holding,
    trigger::{Trigger, TriggerHost},
};

use crate::scheduler::{
    fire::{FirePlan, fire_of, open_at, settle},
    job_from_trigger::{Cause, ResolvedTrigger, request, resolve_trigger, work},
    placement::{self as place, targets_host},
    targets::at_host,
};
use crate::{Error, Hub, Result, app::host_state::judged, queue::cache::definitions::Compiled};

/// Schedules read per org.
const SCHEDULES_MAX: u32 = 10_000;

/// A host that has reconnected and has settled.
struct Returned {
    view: HostView,
    epoch: i64,
    connected_at: Timestamp,
}

/// Catches up all hosts in `hosts` that have reconnected; returns the number of jobs created.
pub(crate) async fn catch_up(hub: &Hub, hosts: &[HostView], now: Timestamp) -> Result<usize> {
    let mut by_org: HashMap<OrgId, Vec<Returned>> = HashMap::new();
    for view in hosts {
        if let Some(returned) = settled(hub, view, now) {
            by_org.entry(view.host.org_id).or_default().push(returned);
        }
    }
    let mut jobs = 0;
    for (org, returned) in by_org {
        jobs += catch_up_org(hub, org, &returned, now).await?;
    }
    Ok(jobs)
}

/// The session of an intermittent host, if the host is connected and has settled.
fn settled(hub: &Hub, view: &HostView, now: Timestamp) -> Option<Returned> {
    let session = view.session.as_ref().filter(|session| session.closed_at.is_none())?;
    let (status, _) = judged(view, now, hub.judged_since(now));
    let is_here = matches!(status, HostStatus::Online | HostStatus::Degraded)
        && now.since(session.heartbeat_at) <= view.offline_after();
    let is_due =
        !view.host.always_on && view.host.primary_hub.is_none() && session.connected_at + hub.options.settle <= now;
    (is_here && is_due).then(|| Returned {
        view: view.clone(),
        epoch: session.epoch,
        connected_at: session.connected_at,
    })
}

async fn catch_up_org(hub: &Hub, org: OrgId, returned: &[Returned], now: Timestamp) -> Result<usize> {
    let (schedules, known, host_copies) = hub
        .store
        .read(move |tx| {
            Box::pin(async move {
                let all = tx.trigger_schedules(org, TriggerId::from_bytes([0; 16]), SCHEDULES_MAX).await?;
                let ids: Vec<TriggerId> = all.iter().map(|trigger| trigger.id).collect();
                let known = tx.trigger_hosts(&ids).await?;
                let host_copies = tx.sync_log_of(&ids).await?;
                Ok::<_, Error>((all, known, host_copies))
            })
        })
        .await?;
    let mut jobs = 0;
    for trigger in schedules {
        for host in returned.iter().filter(|host| is_for(&trigger, &host.view, &host_copies)) {
            let row = known.iter().find(|row| row.trigger_id == trigger.id && row.host_id == host.view.host.id);
            if row.is_some_and(|row| row.judged_epoch >= host.epoch) {
                continue;
            }
            jobs += catch_up_one(hub, &trigger, host, now).await?;
        }
    }
    Ok(jobs)
}

/// Whether a schedule targets this host and is fired by the hub, not by the host itself.
fn is_for(trigger: &Trigger, view: &HostView, host_copies: &[Holding]) -> bool {
    let host = &view.host;
    let fires_there = place::can_fire(host, trigger) && place::has_host_copy(host_copies, trigger.id, host.id);
    trigger.body.is_enabled && trigger.origin.is_none() && !fires_there && targets_host(trigger, host)
}

async fn catch_up_one(hub: &Hub, trigger: &Trigger, host: &Returned, now: Timestamp) -> Result<usize> {
    let resolved = resolve_trigger(hub, trigger).await?;
    let (hub_in, org, id, version) = (hub.clone(), trigger.org_id, trigger.id, trigger.version);
    let (view, epoch, connected_at) = (host.view.clone(), host.epoch, host.connected_at);
    let fired = hub
        .store
        .write(move |tx| {
            Box::pin(async move {
                let Some(trigger) = tx.trigger_lock(org, id).await?.filter(|locked| locked.version == version) else {
                    return Ok(None);
                };
                let judge = Judge { hub: &hub_in, trigger: &trigger, view: &view, epoch, connected_at, now };
                let mut plan = FirePlan::default();
                judge.decide(tx, &resolved, &mut plan).await?;
                Ok::<_, Error>(Some(plan.write(&hub_in, tx, false).await?))
            })
        })
        .await?;
    let Some(fired) = fired else { return Ok(0) };
    let jobs = fired.jobs;
    fired.after_commit(hub);
    Ok(jobs)
}

/// Decides about one schedule on one returned host.
struct Judge<'a> {
    hub: &'a Hub,
    trigger: &'a Trigger,
    view: &'a HostView,
    epoch: i64,
    connected_at: Timestamp,
    now: Timestamp,
}

impl Judge<'_> {
    async fn decide(&self, tx: &mut Tx<'_>, resolved: &ResolvedTrigger, plan: &mut FirePlan) -> Result<()> {
        let (trigger, host, now) = (self.trigger, self.view.host.id, self.now);
        let row = self.row(tx, host).await?;
        // Another hub has already decided for this session.
        if row.judged_epoch >= self.epoch {
            return Ok(());
        }
        let destination = at_host(self.hub, self.view, row.ordinal, now);
        let open = settle(tx, &[trigger.id], now).await?;
        // A job of the schedule is queued or running. Decide in a later pass, after its outcome is known.
        if !open_at(&open, trigger.id, &destination).is_empty() {
            return Ok(());
        }
        let row = self.row(tx, host).await?;
        tx.trigger_host_judged(trigger.id, host, self.epoch, now).await?;
        let Ok(Some(schedule)) = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at) else {
            return Ok(());
        };
        let known =
            OnHost { succeeded_at: row.succeeded_at, since: trigger.enabled_at, connected_at: self.connected_at };
        let Some(slots) = trigger::behind(&trigger.body, &schedule, known, now) else { return Ok(()) };
        let reason = match slots.len() {
            0 => "first run on this host".to_owned(),
            1 => "the host has returned".to_owned(),
            count => format!("the host has returned; one run for {count} missed times"),
        };
        // The fire of the newest missed time refers to the job; if none was missed, the time of the reconnect does.
        let nominal = slots.last().copied().unwrap_or(self.connected_at);
        let row = fire_of(trigger, &destination, nominal, FireStatus::CaughtUp, reason, now);
        let cause = Cause::Times { nominal, slots: &slots, is_catch_up: true };
        match self.job(resolved, &destination, &cause) {
            Ok(work) => {
                let row = Fire { job_id: Some(work.row.id), ..row };
                plan.requests.push(request(self.hub, trigger, vec![work], now));
                let after = known.succeeded_at.unwrap_or(known.since);
                tx.fire_catch_up(&row, after).await?;
                let earlier = slots.iter().map(|slot| Fire { nominal_at: *slot, ..row.clone() });
                // Times without a row: no hub was running then either.
                plan.fires.extend(earlier);
                plan.fires.push(row);
            }
            Err(error) if error.code().status() < 500 => {
                plan.fires.push(Fire { status: FireStatus::Failed, reason: error.to_string(), ..row });
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    async fn row(&self, tx: &mut Tx<'_>, host: HostId) -> Result<TriggerHost> {
        crate::scheduler::hosts::numbered(tx, self.trigger, &[host], self.now).await?;
        let rows = tx.trigger_hosts(&[self.trigger.id]).await?;
        rows.into_iter()
            .find(|row| row.host_id == host)
            .ok_or_else(|| Error::internal(anyhow::anyhow!("the host has no ordinal in its trigger")))
    }

    fn job(
        &self,
        resolved: &ResolvedTrigger,
        destination: &crate::scheduler::targets::Destination,
        cause: &Cause<'_>,
    ) -> Result<crate::queue::enqueue::NewJob> {
        let compiled: &Compiled = match resolved {
            ResolvedTrigger::Ready(compiled) => compiled,
            ResolvedTrigger::Wrong(reason) => return Err(Error::invalid(reason)),
        };
        work(self.hub, self.trigger, compiled, destination, cause, self.now)
    }
}
