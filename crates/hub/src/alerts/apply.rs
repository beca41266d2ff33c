//! One evaluation of all alerts: read the facts, compute the changes, write them with their notifications in one
//! transaction.
//!
//! Every hub evaluates. The facts are read without a lock; the transaction that writes then locks the cursor row of the
//! reader [`outcomes::READER`] and compares the facts with the alerts again, so two hubs never open one alert twice.

use std::collections::HashMap;

use domain::{
    AlertId, HostId, OrgId, Timestamp,
    alert::{AlertKind, DatabaseMonitor, FLAP_WINDOW},
    presence::HostStatus,
    timeline::OutageKind,
};
use serde_json::json;
use store::{Tx, alert::Alert, notice::NotificationState, outage::Outage};

use crate::alerts::{
    database::measure,
    facts::{Facts, gather},
    notify, outcomes,
    plan::{AlertPlan, STEP_MAX, plan},
};
use crate::{Error, Hub, Result, queue::events::Changes};

/// Open alerts read in one evaluation.
const LIVE_MAX: u32 = 100_000;
/// New alerts whose earlier raises are counted in one evaluation. In an alert storm flap counts do not matter.
const FLAPS_LOOKED_UP: usize = 200;

/// Open outages read in one evaluation.
const OUTAGES_MAX: u32 = 100_000;

/// Measures the database and evaluates all alerts. Returns whether notifications were queued, and whether to run again
/// immediately.
///
/// Most evaluations change nothing and end after the read.
pub(crate) async fn look(hub: &Hub, monitor: &mut DatabaseMonitor, now: Timestamp) -> Result<(bool, bool)> {
    measure(hub, monitor, now).await;
    let (hub_in, monitor) = (hub.clone(), monitor.clone());
    let read = hub.store.read(move |tx| {
        Box::pin(async move {
            let facts = gather(&hub_in, tx, &monitor, now).await?;
            let ids = hub_in.ids.clone();
            let planned = plan(&facts, tx.alert_live(LIVE_MAX).await?, now, &mut || ids.next());
            let outages = host_outages(&facts, &tx.outage_open(OUTAGES_MAX).await?, now);
            let is_news = tx.event_head().await? > tx.reader_look(outcomes::READER).await?.unwrap_or(0);
            Ok::<_, Error>((facts, planned.is_empty() && outages.is_empty() && !is_news))
        })
    });
    let (facts, is_idle) = read.await?;
    if is_idle {
        return Ok((false, false));
    }
    let hub_in = hub.clone();
    let written = hub.store.write(move |tx| Box::pin(async move { write(&hub_in, tx, &facts, now).await })).await?;
    hub.news();
    Ok(written)
}

async fn write(hub: &Hub, tx: &mut Tx<'_>, facts: &Facts, now: Timestamp) -> Result<(bool, bool)> {
    // Locks the cursor row: a second hub waits here and then reads the alerts that the first one has written.
    let from = match tx.reader_get(outcomes::READER).await? {
        Some(from) => from,
        None => {
            tx.reader_set(outcomes::READER, 0, now).await?;
            0
        }
    };
    let live = tx.alert_live(LIVE_MAX).await?;
    let ids = hub.ids.clone();
    let mut planned = plan(facts, live.clone(), now, &mut || ids.next());
    let has_more = outcomes::read(hub, tx, facts, &live, &mut planned, from, now).await?;
    let mut outages = host_outages(facts, &tx.outage_open(OUTAGES_MAX).await?, now);
    let is_rest = planned.has_more || outages.len() > STEP_MAX;
    outages.truncate(STEP_MAX);
    tx.outage_put(&outages, now).await?;
    let has_notices = !planned.to_notify.is_empty();
    apply(hub, tx, planned, now).await?;
    Ok((has_notices, has_more || is_rest))
}

/// Writes a plan: the alerts, their notifications, and the events for listeners.
pub(crate) async fn apply(hub: &Hub, tx: &mut Tx<'_>, mut plan: AlertPlan, now: Timestamp) -> Result<()> {
    flaps(tx, &mut plan, now).await?;
    tx.alert_insert(&plan.new).await?;
    // The insert does not write `notified_at`; a new alert with a notification is updated after it.
    let notified: Vec<Alert> = plan.new.iter().filter(|alert| alert.notified_at.is_some()).cloned().collect();
    tx.alert_update(&notified, now).await?;
    tx.alert_update(&plan.changed, now).await?;
    tx.alert_forget(&plan.forgotten).await?;
    let mut over: HashMap<(OrgId, AlertKind), Vec<AlertId>> = HashMap::new();
    for alert in &plan.resolved {
        over.entry((alert.org_id, alert.kind)).or_default().push(alert.id);
    }
    for ((org, kind), ids) in over {
        let cancelled = notify::unqueue(tx, org, kind, &ids, now).await?;
        if let Some(alerts) = plan.to_notify.get_mut(&(org, kind, NotificationState::Resolved)) {
            alerts.retain(|alert| !cancelled.contains(&alert.id));
        }
    }
    for (what, alerts) in &plan.to_notify {
        notify::queue(hub, tx, *what, alerts, now).await?;
    }
    let mut changes = Changes::default();
    for (name, alerts) in [("alert.raised", &plan.raised), ("alert.resolved", &plan.resolved)] {
        for alert in alerts {
            let item = json!({
                "alert_id": alert.id, "kind": alert.kind, "severity": alert.severity, "subject": alert.subject_name,
                "host_id": alert.host_id, "text": alert.text, "reason": alert.resolved_reason,
            });
            changes.raw(alert.org_id, name, &item);
        }
    }
    changes.write(hub, tx, now).await
}

/// Counts how often each new alert was raised lately: an alert that flaps is notified less often.
async fn flaps(tx: &mut Tx<'_>, plan: &mut AlertPlan, now: Timestamp) -> Result<()> {
    for alert in plan.new.iter_mut().take(FLAPS_LOOKED_UP) {
        let before = tx.alert_raises(alert.org_id, alert.kind, &alert.subject_id, now - FLAP_WINDOW).await?;
        alert.flaps = i32::try_from(before + 1).unwrap_or(i32::MAX);
    }
    Ok(())
}

/// Outages of hosts that start or end now.
fn host_outages(facts: &Facts, open: &[Outage], now: Timestamp) -> Vec<Outage> {
    let known: HashMap<(HostId, OutageKind), &Outage> =
        open.iter().map(|outage| ((outage.host_id, outage.kind), outage)).collect();
    let mut found = Vec::new();
    for (host, (status, _)) in &facts.hosts {
        for (kind, is_gone) in
            [(OutageKind::Offline, *status == HostStatus::Offline), (OutageKind::Asleep, *status == HostStatus::Asleep)]
        {
            match (known.get(&(*host, kind)), is_gone) {
                (None, true) => found.push(Outage {
                    host_id: *host,
                    kind,
                    from_at: facts.heartbeat_at.get(host).copied().unwrap_or(now),
                    until_at: None,
                    note: String::new(),
                }),
                (Some(outage), false) => found.push(Outage { until_at: Some(now), ..(*outage).clone() }),
                _ => {}
            }
        }
    }
    found
}
