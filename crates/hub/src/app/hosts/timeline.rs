//! The timeline of a host: outages, runs, fires of schedules, alerts. It answers "why did it not run at 03:00?".

use std::collections::HashMap;

use domain::{OrgId, Span, Timestamp, TriggerId, timeline::OutageKind, trigger::FireStatus};
use proto::api::alert::{Timeline, TimelineItem, TimelineQuery};
use store::{Tx, alert::Alert, fire::Fire, job::HostRun, outage::Outage};

use crate::app::hosts;
use crate::{Error, Hub, Result};

/// Entries shown of each kind.
const EACH_MAX: u32 = 500;
/// Longest range shown.
const RANGE_MAX: Span = Span::from_secs(92 * 86_400);

impl Hub {
    /// Returns the timeline of a host, newest first.
    ///
    /// # Errors
    /// Fails if the host does not exist or the range is invalid.
    pub async fn host_timeline(&self, org: OrgId, host: &str, query: &TimelineQuery) -> Result<Timeline> {
        let now = self.now();
        let until = query.until.unwrap_or(now);
        let from = query.from.unwrap_or(until - Span::from_secs(86_400));
        if until <= from || until.since(from) > RANGE_MAX {
            return Err(Error::invalid("`from` must be at most 92 days before `until`"));
        }
        let host = host.to_owned();
        let read = self.store.read(move |tx| Box::pin(async move { timeline(tx, org, &host, from, until).await }));
        read.await
    }
}

async fn timeline(tx: &mut Tx<'_>, org: OrgId, host: &str, from: Timestamp, until: Timestamp) -> Result<Timeline> {
    let view = hosts::find(tx, org, host).await?;
    let id = view.host.id;
    let outages = tx.outage_list(id, from, until, EACH_MAX).await?;
    let runs = tx.host_runs_between(id.into(), from, until, EACH_MAX).await?;
    let fires = tx.fire_of_host(id, from, until, EACH_MAX).await?;
    let alerts = tx.alert_of_host(org, id, from, until, EACH_MAX).await?;
    let has_more = [outages.len(), runs.len(), fires.len(), alerts.len()].contains(&(EACH_MAX as usize));
    let mut labels: HashMap<TriggerId, String> = HashMap::new();
    let mut triggers: Vec<TriggerId> = fires.iter().map(|fire| fire.trigger_id).collect();
    triggers.sort_unstable();
    triggers.dedup();
    for trigger in triggers {
        let label = tx.trigger_get(org, trigger).await?.map_or_else(String::new, |found| found.body.label);
        labels.insert(trigger, label);
    }
    let own = |run: &HostRun| run.org_id == org;
    let mut items: Vec<TimelineItem> = outages.iter().map(outage).collect();
    items.extend(runs.into_iter().filter(own).map(run));
    items.extend(fires.iter().filter(|fire| fire.org_id == org).map(|fire| slot(&labels, fire)));
    items.extend(alerts.into_iter().map(alert));
    items.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| a.kind.cmp(&b.kind)));
    Ok(Timeline { host: view.host.name, from, until, items, has_more })
}

fn item(kind: &str, word: &str, at: Timestamp, until: Option<Timestamp>, text: String) -> TimelineItem {
    TimelineItem {
        at,
        until,
        kind: kind.to_owned(),
        word: word.to_owned(),
        text,
        job_id: None,
        trigger_id: None,
        alert_id: None,
    }
}

fn outage(outage: &Outage) -> TimelineItem {
    let text = match outage.kind {
        OutageKind::Offline => "the host was offline",
        OutageKind::Asleep => "the host was asleep or off",
        OutageKind::Suspended => "the machine was suspended",
        OutageKind::HubAway => "the hub was unreachable from this host",
    };
    let note = if outage.note.is_empty() { String::new() } else { format!(": {}", outage.note) };
    item("outage", outage.kind.as_str(), outage.from_at, outage.until_at, format!("{text}{note}"))
}

fn run(run: HostRun) -> TimelineItem {
    let what = run.definition_key.unwrap_or_else(|| "a job".to_owned());
    let error = run.error_text.map(|error| format!(": {error}")).unwrap_or_default();
    let text = format!("{what}, run {}{error}", run.no);
    TimelineItem { job_id: Some(run.job_id), ..item("run", run.status.as_str(), run.started_at, run.finished_at, text) }
}

fn slot(labels: &HashMap<TriggerId, String>, fire: &Fire) -> TimelineItem {
    let label = labels.get(&fire.trigger_id).filter(|label| !label.is_empty()).map_or("a trigger", String::as_str);
    let what = match fire.status {
        FireStatus::Fired => "created its job",
        FireStatus::CaughtUp => "was caught up",
        FireStatus::Missed => "was missed",
        FireStatus::Asleep => "was not run",
        FireStatus::Skipped => "was skipped",
        FireStatus::Failed => "could not create its job",
    };
    let times = if fire.stands_for > 1 { format!(" ({} times)", fire.stands_for) } else { String::new() };
    let why = if fire.reason.is_empty() { String::new() } else { format!(": {}", fire.reason) };
    TimelineItem {
        job_id: fire.job_id,
        trigger_id: Some(fire.trigger_id),
        ..item("slot", fire.status.as_str(), fire.nominal_at, None, format!("{label} {what}{times}{why}"))
    }
}

fn alert(alert: Alert) -> TimelineItem {
    let over = alert.resolved_reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let at = alert.raised_at.unwrap_or(alert.since_at);
    TimelineItem {
        alert_id: Some(alert.id),
        ..item("alert", alert.kind.as_str(), at, alert.resolved_at, format!("{}{over}", alert.text))
    }
}
