//! The schedules of a host: results over the last days, the time at which each becomes stale, and the catch-up.

use std::collections::{HashMap, HashSet};

use domain::{
    HostId, JobId, OrgId, Span, Timestamp, TriggerId,
    alert::AlertKind,
    schedule_history::{self, FireOutcome},
    trigger::{FireStatus, When},
};
use proto::api::host::{CatchUp, HostSchedule, HostSchedules, ScheduleDay};
use store::{
    Tx,
    fire::Fire,
    host::{Host, HostView},
    trigger::Trigger,
};

use crate::app::{host_state::judged, hosts};
use crate::{
    Error, Hub, Result,
    alerts::facts::{rule_of, stale_at},
    scheduler::placement::targets_host,
};

/// Schedules of an organization that are read.
const SCHEDULES_MAX: u32 = 10_000;
/// Fires that are read. A schedule that fires every minute has 1,440 a day.
const FIRES_MAX: u32 = 20_000;
/// How far back fires are read: the length of the history bar, with up to 25 hours per day.
const LOOKED_BACK: Span = Span::from_secs(schedule_history::DAYS as u32 * 90_000);

impl Hub {
    /// Lists the schedules of a host by label.
    ///
    /// # Errors
    /// Fails if the host does not exist.
    pub async fn host_schedules(&self, org: OrgId, host: &str) -> Result<HostSchedules> {
        let (host, now, settle) = (host.to_owned(), self.now(), self.options.settle);
        let since = self.judged_since(now);
        let read = self.store.read(move |tx| {
            Box::pin(async move {
                let view = hosts::find(tx, org, &host).await?;
                let fires = tx.fire_of_host(view.host.id, now - LOOKED_BACK, now, FIRES_MAX).await?;
                let is_here = judged(&view, now, since).0.is_here();
                let catch_up = if is_here { catch_up(&view, settle, &fires) } else { None };
                Ok::<_, Error>(HostSchedules { items: schedules(tx, &view.host, fires, now).await?, catch_up })
            })
        });
        read.await
    }
}

/// When the catch-up of an intermittent host runs or ran, and how many jobs it created since the host reconnected.
fn catch_up(view: &HostView, settle: Span, fires: &[Fire]) -> Option<CatchUp> {
    let session = view.session.as_ref().filter(|session| session.closed_at.is_none() && !view.host.always_on)?;
    let caught = fires.iter().filter(|fire| fire.status == FireStatus::CaughtUp).filter_map(|fire| fire.job_id);
    // Rows of one catch-up share a job, and may be older than it. So count distinct jobs, by the time in their ids.
    let jobs: HashSet<JobId> = caught.filter(|job| *job >= JobId::first_at(session.connected_at)).collect();
    Some(CatchUp { at: session.connected_at + settle, jobs: u32::try_from(jobs.len()).unwrap_or(u32::MAX) })
}

async fn schedules(tx: &mut Tx<'_>, host: &Host, fires: Vec<Fire>, now: Timestamp) -> Result<Vec<HostSchedule>> {
    let all = tx.trigger_schedules(host.org_id, TriggerId::from_bytes([0; 16]), SCHEDULES_MAX).await?;
    let is_of =
        |trigger: &Trigger| trigger.origin.map_or_else(|| targets_host(trigger, host), |origin| origin == host.id);
    let own: Vec<Trigger> = all.into_iter().filter(is_of).collect();
    let ids: Vec<TriggerId> = own.iter().map(|trigger| trigger.id).collect();
    let succeeded = succeeded(tx, &ids, host.id).await?;
    let threshold = rule_of(tx, host.org_id, AlertKind::StaleSchedule).await?.threshold();
    let mut outcomes: HashMap<TriggerId, Vec<FireOutcome>> = HashMap::new();
    for fire in fires {
        outcomes.entry(fire.trigger_id).or_default().push(outcome(&fire));
    }
    let mut shown: Vec<HostSchedule> = Vec::with_capacity(own.len());
    for trigger in own {
        let succeeded_at = succeeded.get(&trigger.id).copied();
        let is_watched = !host.always_on && trigger.body.is_enabled;
        let stale_at = succeeded_at.filter(|_| is_watched).and_then(|last| stale_at(&trigger, last, threshold));
        let outcomes = outcomes.remove(&trigger.id).unwrap_or_default();
        shown.extend(schedule(trigger, succeeded_at, stale_at, &outcomes, now));
    }
    shown.sort_by(|a, b| (&a.label, a.id).cmp(&(&b.label, b.id)));
    Ok(shown)
}

async fn succeeded(tx: &mut Tx<'_>, triggers: &[TriggerId], host: HostId) -> Result<HashMap<TriggerId, Timestamp>> {
    let rows = tx.trigger_hosts(triggers).await?;
    let of_host = rows.into_iter().filter(|row| row.host_id == host);
    Ok(of_host.filter_map(|row| Some((row.trigger_id, row.succeeded_at?))).collect())
}

fn outcome(fire: &Fire) -> FireOutcome {
    FireOutcome {
        nominal_at: fire.nominal_at,
        status: fire.status,
        ended: fire.ended_status,
        times: u32::try_from(fire.stands_for).unwrap_or(1),
    }
}

fn schedule(
    trigger: Trigger,
    succeeded_at: Option<Timestamp>,
    stale_at: Option<Timestamp>,
    outcomes: &[FireOutcome],
    now: Timestamp,
) -> Option<HostSchedule> {
    let schedule = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at).ok().flatten()?;
    // A schedule that fires on its host has no stored next time; compute it with the same code.
    let next = || trigger.body.next_fire(&schedule, now);
    let next_fire_at = trigger.next_fire_at.or_else(next).filter(|_| trigger.body.is_enabled);
    let When::Schedule { timezone, .. } = trigger.body.when else { return None };
    let days = schedule_history::days(&timezone, now, outcomes);
    Some(HostSchedule {
        id: trigger.id,
        label: trigger.body.label,
        is_enabled: trigger.body.is_enabled,
        description: schedule.describe(),
        timezone,
        definition_key: trigger.body.definition_key,
        next_fire_at,
        succeeded_at,
        stale_at,
        days: days.into_iter().map(|day| ScheduleDay { date: day.date, state: day.state, times: day.times }).collect(),
    })
}
