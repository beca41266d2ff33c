//! Reads every alert condition that holds now (hosts, schedules, queues, pings, workers, servers, database) from the
//! store.

use std::collections::{HashMap, HashSet};

use domain::{
    HostId, Labels, OrgId, PingId, ServerId, Span, Timestamp, TriggerId,
    alert::{AlertKind, Condition, DatabaseHealth, DatabaseMonitor, Rule, SubjectKind, Window, defaults},
    ping::PingFault,
    presence::{Fault, HostStatus, fault},
    rejection::{MARKED_FOR, is_marked},
    trigger::stale_after,
};
use store::{Tx, host::HostView, org::Org, rejection::Rejection, replication::Behind, trigger::Trigger};

use crate::{
    Hub, Result,
    app::host_state::{facts, judged},
    scheduler::placement::targets_host,
};

/// Bounds of one evaluation. `PAGE` is the page size; rows beyond the others are not evaluated.
const ORGS_MAX: u32 = 100_000;
const PAGE: u32 = 1_000;
const WINDOWS_MAX: u32 = 100_000;
const SCHEDULES_MAX: u32 = 10_000;
const FAILED_FIRES_MAX: u32 = 1_000;
const WORKERS_MAX: u32 = 10_000;
const LAGS_MAX: u32 = 10_000;
const REJECTIONS_MAX: u32 = 1_000;

/// Input of [`plan`](super::plan::plan): everything that decides about alerts, read in one transaction.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) conditions: Vec<(OrgId, Condition)>,
    /// Kinds about which the hub cannot decide yet. Their open alerts are kept.
    pub(crate) undecided: HashSet<(OrgId, AlertKind)>,
    /// Rules that an org has changed; all others are [`defaults`].
    pub(crate) rules: HashMap<OrgId, HashMap<AlertKind, Rule>>,
    /// Mute windows that are not over.
    pub(crate) windows: HashMap<OrgId, Vec<Window>>,
    pub(crate) labels: HashMap<HostId, Labels>,
    /// Name of each host.
    names: HashMap<HostId, String>,
    /// Status of each host, and whether it is `always_on`.
    pub(crate) hosts: HashMap<HostId, (HostStatus, bool)>,
    /// Last heartbeat of each host.
    pub(crate) heartbeat_at: HashMap<HostId, Timestamp>,
}

impl Facts {
    pub(crate) fn rule(&self, org: OrgId, kind: AlertKind) -> Rule {
        self.rules.get(&org).and_then(|rules| rules.get(&kind)).cloned().unwrap_or_else(|| defaults(kind))
    }
}

/// Reads one rule of an org, without gathering the other facts.
pub(crate) async fn rule_of(tx: &mut Tx<'_>, org: OrgId, kind: AlertKind) -> Result<Rule> {
    let stored = tx.alert_rules(org).await?.into_iter().find(|(of, _)| *of == kind);
    Ok(stored.and_then(|(_, body)| serde_json::from_value(body).ok()).unwrap_or_else(|| defaults(kind)))
}

/// Reads all facts. Only reads, so an evaluation that changes nothing takes no write lock.
pub(crate) async fn gather(hub: &Hub, tx: &mut Tx<'_>, monitor: &DatabaseMonitor, now: Timestamp) -> Result<Facts> {
    let mut facts = Facts::default();
    let orgs = tx.org_list("", ORGS_MAX).await?;
    for org in &orgs {
        let stored = tx.alert_rules(org.id).await?;
        let rules = stored.into_iter().filter_map(|(kind, body)| Some((kind, serde_json::from_value(body).ok()?)));
        facts.rules.insert(org.id, rules.collect());
    }
    for window in tx.mute_window_list_all(now, WINDOWS_MAX).await? {
        facts.windows.entry(window.org_id).or_default().push(window.body);
    }
    let orgs: HashMap<OrgId, Org> = orgs.into_iter().map(|org| (org.id, org)).collect();
    hosts(hub, tx, &mut facts, &orgs, now).await?;
    lags(tx, &mut facts, now).await?;
    rejections(tx, &mut facts, now).await?;
    queues(tx, &mut facts, now).await?;
    fires(tx, &mut facts, now).await?;
    pings(tx, &mut facts, now).await?;
    workers(tx, &mut facts, now).await?;
    servers(tx, &mut facts).await?;
    database(tx, &mut facts, &orgs, monitor, now).await?;
    Ok(facts)
}

/// The hub's database. The alert is raised in the orgs of the super admins, because only they can repair the database
/// and the text names its sessions; without such an org, in the oldest one.
async fn database(
    tx: &mut Tx<'_>,
    found: &mut Facts,
    orgs: &HashMap<OrgId, Org>,
    monitor: &DatabaseMonitor,
    now: Timestamp,
) -> Result<()> {
    const KIND: AlertKind = AlertKind::DatabaseSlow;
    let mut receivers = tx.alert_hub_orgs(ORGS_MAX).await?;
    if receivers.is_empty() {
        receivers.extend(orgs.values().min_by_key(|org| (org.created_at, org.id)).map(|org| org.id));
    }
    for org in receivers {
        match monitor.health(found.rule(org, KIND).threshold(), now) {
            DatabaseHealth::Good => {}
            DatabaseHealth::Unknown => _ = found.undecided.insert((org, KIND)),
            DatabaseHealth::Slow { since, text } => {
                let condition = Condition {
                    kind: KIND,
                    subject_kind: SubjectKind::Hub,
                    subject_id: "database".to_owned(),
                    subject_name: "the database".to_owned(),
                    host: None,
                    since,
                    text,
                };
                found.conditions.push((org, condition));
            }
        }
    }
    Ok(())
}

/// Servers in a crash loop. While the host of a server is offline, its last reported state counts.
async fn servers(tx: &mut Tx<'_>, found: &mut Facts) -> Result<()> {
    let mut after = ServerId::from_bytes([0; 16]);
    loop {
        let page = tx.server_looping(after, PAGE).await?;
        let Some(end) = page.last() else { return Ok(()) };
        after = end.id;
        for server in page {
            let condition = Condition {
                kind: AlertKind::CrashLoop,
                subject_kind: SubjectKind::Server,
                subject_id: server.id.to_string(),
                subject_name: server.name.clone(),
                host: Some(server.host_id),
                since: server.live.state_at,
                text: format!("{} {}", server.name, server.live.state_reason),
            };
            found.conditions.push((server.org_id, condition));
        }
    }
}

async fn hosts(
    hub: &Hub,
    tx: &mut Tx<'_>,
    found: &mut Facts,
    orgs: &HashMap<OrgId, Org>,
    now: Timestamp,
) -> Result<()> {
    let since = hub.judged_since(now);
    let mut after = HostId::from_bytes([0; 16]);
    let mut sleepers: HashMap<OrgId, Vec<HostView>> = HashMap::new();
    loop {
        let page = tx.host_list_all(after, PAGE).await?;
        let Some(end) = page.last() else { break };
        after = end.host.id;
        for view in page {
            let host = &view.host;
            let (status, _) = judged(&view, now, since);
            found.labels.insert(host.id, host.labels.clone());
            found.names.insert(host.id, host.name.clone());
            found.hosts.insert(host.id, (status, host.always_on));
            if let Some(session) = &view.session {
                found.heartbeat_at.insert(host.id, session.heartbeat_at);
            }
            if let Some(org) = orgs.get(&host.org_id) {
                let wrong = host_condition(&view, org, status, since, now).or_else(|| version(&view, status));
                found.conditions.extend(wrong.map(|condition| (host.org_id, condition)));
            }
            if !host.always_on && host.revoked_at.is_none() {
                sleepers.entry(host.org_id).or_default().push(view);
            }
        }
    }
    for (org, views) in sleepers {
        stale(tx, found, org, &views, now).await?;
    }
    Ok(())
}

fn about(kind: AlertKind, view: &HostView, since: Timestamp, text: String) -> Condition {
    Condition {
        kind,
        subject_kind: SubjectKind::Host,
        subject_id: view.host.id.to_string(),
        subject_name: view.host.name.clone(),
        host: Some(view.host.id),
        since,
        text,
    }
}

/// The condition of one host, if its status is one to alert on.
fn host_condition(
    view: &HostView,
    org: &Org,
    status: HostStatus,
    since: Timestamp,
    now: Timestamp,
) -> Option<Condition> {
    let session = view.session.as_ref()?;
    match status {
        HostStatus::Offline => {
            // Silence counts only from when a hub was listening: an outage of all hubs must not alert for every host.
            let silent_since = session.heartbeat_at.max(since);
            let floor = view.host.alert_after.unwrap_or(org.alert_after_ms);
            (now.since(silent_since) > floor).then(|| {
                let text = format!("{} has sent no heartbeat since {:.0}", view.host.name, session.heartbeat_at);
                about(AlertKind::HostOffline, view, silent_since, text)
            })
        }
        HostStatus::Degraded => {
            let facts = facts(view);
            let (what, text) = fault(&facts, facts.seen.as_ref()?, now)?;
            let kind = match what {
                // Marked degraded by a person: they know already.
                Fault::ByHand => return None,
                Fault::Duplicate => AlertKind::DuplicateHost,
                Fault::ClockSkew => AlertKind::ClockSkew,
                Fault::Health => AlertKind::HostDegraded,
            };
            Some(about(kind, view, now, format!("{}: {text}", view.host.name)))
        }
        _ => None,
    }
}

fn version(view: &HostView, status: HostStatus) -> Option<Condition> {
    let session = view.session.as_ref().filter(|_| status == HostStatus::Online)?;
    let ours = proto::VERSION;
    (session.runner_version != ours).then(|| {
        let text = format!("{} runs Hostler {}; the hub runs {ours}", view.host.name, session.runner_version);
        about(AlertKind::VersionSkew, view, session.connected_at, text)
    })
}

/// Intermittent hosts whose schedules have not succeeded for too long.
async fn stale(tx: &mut Tx<'_>, found: &mut Facts, org: OrgId, views: &[HostView], now: Timestamp) -> Result<()> {
    let threshold = found.rule(org, AlertKind::StaleSchedule).threshold();
    let schedules = tx.trigger_schedules(org, TriggerId::from_bytes([0; 16]), SCHEDULES_MAX).await?;
    let ids: Vec<TriggerId> = schedules.iter().map(|trigger| trigger.id).collect();
    let known = tx.trigger_hosts(&ids).await?;
    let succeeded: HashMap<(TriggerId, HostId), Timestamp> =
        known.iter().filter_map(|row| Some(((row.trigger_id, row.host_id), row.succeeded_at?))).collect();
    for view in views {
        let mut names = Vec::new();
        let mut oldest: Option<Timestamp> = None;
        for trigger in schedules.iter().filter(|trigger| trigger.body.is_enabled && targets_host(trigger, &view.host)) {
            // A schedule that never succeeded on this host has no start for the interval.
            let Some(last) = succeeded.get(&(trigger.id, view.host.id)).copied() else { continue };
            if let Some(since) = stale_at(trigger, last, threshold).filter(|since| *since < now) {
                names.push(format!("{} (last success {last:.0})", trigger.body.label));
                oldest = Some(oldest.map_or(since, |oldest| oldest.min(since)));
            }
        }
        if let Some(oldest) = oldest {
            let text = format!("{} has overdue schedules: {}", view.host.name, names.join(", "));
            found.conditions.push((org, about(AlertKind::StaleSchedule, view, oldest, text)));
        }
    }
    Ok(())
}

/// The time at which a schedule with this last success becomes stale; `None` if its trigger is not a schedule.
pub(crate) fn stale_at(trigger: &Trigger, last: Timestamp, threshold: Span) -> Option<Timestamp> {
    let schedule = trigger.body.schedule(&trigger.id.to_string(), trigger.created_at).ok().flatten()?;
    Some(last + stale_after(threshold, schedule.period(last)))
}

/// Connected hosts whose rows are not replicated in time. An offline host is left out: its rows follow when it returns.
async fn lags(tx: &mut Tx<'_>, found: &mut Facts, now: Timestamp) -> Result<()> {
    for Behind { org_id, origin, host_name, behind, updated_at } in tx.sync_behind(LAGS_MAX).await? {
        let is_there =
            found.hosts.get(&origin).is_some_and(|host| matches!(host.0, HostStatus::Online | HostStatus::Degraded));
        let threshold = found.rule(org_id, AlertKind::SyncLag).threshold();
        if is_there && now.since(updated_at) > threshold {
            let condition = Condition {
                kind: AlertKind::SyncLag,
                subject_kind: SubjectKind::Host,
                subject_id: origin.to_string(),
                subject_name: host_name.clone(),
                host: Some(origin),
                since: updated_at + threshold,
                text: format!("no rows received from {host_name} since {updated_at:.0} (pending changes: {behind})"),
            };
            found.conditions.push((org_id, condition));
        }
    }
    Ok(())
}

/// Hosts that have sent data they may not send.
async fn rejections(tx: &mut Tx<'_>, found: &mut Facts, now: Timestamp) -> Result<()> {
    let mut hosts: HashMap<HostId, Vec<Rejection>> = HashMap::new();
    for rejection in tx.rejections_since(now - MARKED_FOR, REJECTIONS_MAX).await? {
        if is_marked(rejection.reason, rejection.last_at, rejection.cleared_at, now) {
            hosts.entry(rejection.host_id).or_default().push(rejection);
        }
    }
    for (host, all) in hosts {
        let (Some(org), Some(name)) = (all.first().map(|one| one.org_id), found.names.get(&host)) else { continue };
        let reasons: Vec<&str> = all.iter().map(|one| one.reason.text()).collect();
        let last = all.first().map_or("", |one| one.detail.as_str());
        let condition = Condition {
            kind: AlertKind::HostMisbehaving,
            subject_kind: SubjectKind::Host,
            subject_id: host.to_string(),
            subject_name: name.clone(),
            host: Some(host),
            since: all.iter().map(|one| one.last_at).min().unwrap_or(now),
            text: format!("{name} has sent {}; last: {last}", reasons.join(", ")),
        };
        found.conditions.push((org, condition));
    }
    Ok(())
}

async fn queues(tx: &mut Tx<'_>, found: &mut Facts, now: Timestamp) -> Result<()> {
    for (org, due) in tx.pool_heads().await? {
        let threshold = found.rule(org, AlertKind::QueueAge).threshold();
        if now.since(due) > threshold {
            let condition = Condition {
                kind: AlertKind::QueueAge,
                subject_kind: SubjectKind::Queue,
                subject_id: "pool".to_owned(),
                subject_name: "the queue".to_owned(),
                host: None,
                since: due + threshold,
                text: format!("the oldest job that any host can run has waited since {due:.0}"),
            };
            found.conditions.push((org, condition));
        }
    }
    Ok(())
}

/// Triggers whose last fire failed to create a job, for example because their payload is invalid.
async fn fires(tx: &mut Tx<'_>, found: &mut Facts, now: Timestamp) -> Result<()> {
    for (fire, label) in tx.fire_failed_last(now, FAILED_FIRES_MAX).await? {
        let condition = Condition {
            kind: AlertKind::TriggerFailed,
            subject_kind: SubjectKind::Trigger,
            subject_id: fire.trigger_id.to_string(),
            subject_name: label.clone(),
            host: fire.host_id,
            since: fire.at,
            text: format!("the trigger {label} did not create a job: {}", fire.reason),
        };
        found.conditions.push((fire.org_id, condition));
    }
    Ok(())
}

async fn pings(tx: &mut Tx<'_>, found: &mut Facts, now: Timestamp) -> Result<()> {
    let mut after = PingId::from_bytes([0; 16]);
    loop {
        let page = tx.ping_list_all(after, PAGE).await?;
        let Some(end) = page.last() else { return Ok(()) };
        after = end.id;
        for ping in page {
            let Some(fault) = ping.body.fault(ping.received_reports(), now) else { continue };
            let label = &ping.label;
            let (since, text) = match fault {
                PingFault::Late(at) => (at, format!("the ping {label} is late; it was expected at {at:.0}")),
                PingFault::Hangs(at) => {
                    (at, format!("the program of the ping {label} started at {at:.0} and has not finished"))
                }
                PingFault::Failed(at) => (at, format!("the program of the ping {label} reported a failure at {at:.0}")),
            };
            let condition = Condition {
                kind: AlertKind::PingMissed,
                subject_kind: SubjectKind::Ping,
                subject_id: ping.id.to_string(),
                subject_name: ping.label,
                host: None,
                since,
                text,
            };
            found.conditions.push((ping.org_id, condition));
        }
    }
}

/// API workers that hold jobs and have stopped calling the hub.
async fn workers(tx: &mut Tx<'_>, found: &mut Facts, now: Timestamp) -> Result<()> {
    for worker in tx.worker_list_busy(WORKERS_MAX).await? {
        let threshold = found.rule(worker.org_id, AlertKind::StaleWorker).threshold();
        if now.since(worker.last_seen_at) > threshold {
            let condition = Condition {
                kind: AlertKind::StaleWorker,
                subject_kind: SubjectKind::Worker,
                subject_id: worker.id.to_string(),
                subject_name: worker.worker_id.clone(),
                host: None,
                since: worker.last_seen_at + threshold,
                text: format!(
                    "the worker {} holds jobs, and has sent no request since {:.0}",
                    worker.worker_id, worker.last_seen_at
                ),
            };
            found.conditions.push((worker.org_id, condition));
        }
    }
    Ok(())
}
