//! Why a job waits, or how it ended. API, CLI and pages show the same text.

use std::collections::HashMap;

use domain::{
    HolderId, HostId, LaneId,
    job::{EndReason, JobStatus, WaitReason},
    lane::TargetKind,
    presence::HostStatus,
    quota::{Full, QuotaKind, Usage},
    why::{Facts, HostFact, SecretFault, judge},
};
use proto::api::job::Why;
use store::{Tx, claim::OpenLane, job::JobNow, quota::QuotaKey};

use crate::{
    Hub, Result,
    app::host_state::judged,
    queue::claim::{on_host_key, quota_keys, secrets},
};

/// Hosts considered in one explanation.
const HOSTS_MAX: usize = 200;

/// Explains why a job waits, or how it ended.
pub(super) async fn explain(hub: &Hub, tx: &mut Tx<'_>, job: &JobNow) -> Result<Why> {
    if job.status != JobStatus::Queued {
        return Ok(ended(job));
    }
    if job.origin.is_some() {
        let host = job.host_name.as_deref().unwrap_or("its host");
        let text = format!("this job was created on {host} and waits there");
        return Ok(Why { status: job.status, reason: job.parked.map(|(reason, _)| reason), text, hints: Vec::new() });
    }
    let now = hub.now();
    let facts = facts(hub, tx, job).await?;
    let why = judge(&facts, now);
    Ok(Why { status: job.status, hints: hints(job, why.reason, &facts), reason: why.reason, text: why.text })
}

/// Wait reasons for a list of jobs: computed once per lane, for a bounded number of lanes.
#[derive(Default)]
pub(super) struct Reasons(HashMap<LaneId, Option<WaitReason>>);

/// Lanes explained for one list.
const LANES_MAX: usize = 50;

impl Reasons {
    /// The wait reason of a claimable job, which is the same for all claimable jobs of its lane.
    pub(super) async fn of(&mut self, hub: &Hub, tx: &mut Tx<'_>, job: &JobNow) -> Result<Option<WaitReason>> {
        if let Some(known) = self.0.get(&job.lane_id) {
            return Ok(*known);
        }
        if self.0.len() >= LANES_MAX {
            return Ok(None);
        }
        let reason = judge(&facts(hub, tx, job).await?, hub.now()).reason;
        self.0.insert(job.lane_id, reason);
        Ok(reason)
    }
}

async fn facts(hub: &Hub, tx: &mut Tx<'_>, job: &JobNow) -> Result<Facts> {
    let now = hub.now();
    let definition = tx.definition_get(&job.definition_key).await?;
    let pauses = tx.pause_list(job.org_id, now).await?;
    let pause = pauses.into_iter().find(|pause| match pause.kind.as_str() {
        "org" => true,
        "definition" => pause.subject == job.definition_key,
        "queue" => job.target_kind == TargetKind::Queue && pause.subject == job.target,
        _ => !job.limit_key.is_empty() && pause.subject == job.limit_key,
    });
    let lane = OpenLane {
        lane_id: job.lane_id,
        org_id: job.org_id,
        definition_id: job.definition_id,
        limit_key: job.limit_key.clone(),
    };
    let has_workers = job.target_kind == TargetKind::Queue
        && tx.worker_serves(job.org_id, &job.target, now - hub.options.lost_after).await?;
    let mut hosts = Vec::new();
    for host in tx.hosts_of_lane(job.lane_id).await?.into_iter().take(HOSTS_MAX) {
        hosts.extend(host_fact(hub, tx, host, &lane).await?);
    }
    let mut full = Vec::new();
    for key in quota_keys(&lane) {
        if let Some(why) = full_of(tx, &key, now).await? {
            let subject = if key.kind == QuotaKind::Definition { job.definition_key.clone() } else { key.subject };
            full.push((key.kind, subject, why));
        }
    }
    let own = hub.queue.definitions.version(tx, job.definition_id, job.definition_version).await?;
    let newest = hub.queue.definitions.newest_in(hub, tx, job.definition_id).await?;
    let mut secrets = secrets::fault(hub, tx, job.org_id, &own).await?;
    if secrets.is_none() {
        secrets = secrets::fault(hub, tx, job.org_id, &newest).await?;
    }
    Ok(Facts {
        parked: job.parked,
        is_definition_off: definition.is_none_or(|definition| !definition.is_active),
        secrets,
        pause: pause.map(|pause| (paused(&pause.kind, &pause.subject), pause.note)),
        hosts,
        has_workers,
        full,
        target: target(job),
    })
}

fn paused(kind: &str, subject: &str) -> String {
    if subject.is_empty() { format!("the {kind}") } else { format!("the {kind} {subject}") }
}

fn target(job: &JobNow) -> String {
    match job.target_kind {
        TargetKind::Host => format!("host {}", job.target_name.as_deref().unwrap_or(&job.target)),
        TargetKind::Queue => format!("queue {}", job.target),
        TargetKind::Selector => job.target.clone(),
    }
}

async fn full_of(tx: &mut Tx<'_>, key: &QuotaKey, now: domain::Timestamp) -> Result<Option<Full>> {
    Ok(tx.quota_get(key).await?.and_then(|quota| Usage::from(&quota).full(now)))
}

async fn host_fact(hub: &Hub, tx: &mut Tx<'_>, host: HostId, lane: &OpenLane) -> Result<Option<HostFact>> {
    let now = hub.now();
    let Some(view) = tx.host_anywhere(host).await? else { return Ok(None) };
    let (status, mut reason) = judged(&view, now, hub.judged_since(now));
    if view.host.org_id != lane.org_id {
        // For a shared host of another organization, show its state but not the notes of that organization's members.
        "shared by another organization".clone_into(&mut reason);
    }
    if status == HostStatus::Revoked {
        return Ok(None);
    }
    let (running, recent) = tx.holder_get(HolderId::from(host)).await?.unwrap_or_default();
    let own = Usage::of(view.host.max_running, view.host.jobs_per_minute, running, recent);
    let mut full = own.full(now);
    full = full.or(full_of(tx, &on_host_key(lane, host), now).await?);
    Ok(Some(HostFact {
        name: view.host.name,
        status,
        reason,
        full,
        is_too_old: false,
        primary_hub: view.host.primary_hub,
    }))
}

/// The explanation of a job that runs or has ended.
fn ended(job: &JobNow) -> Why {
    let last = job.last.as_ref();
    let error = last.and_then(|last| last.error_text.as_ref()).filter(|error| !error.is_empty());
    let error = error.map(|error| format!(": {error}")).unwrap_or_default();
    let exit = last.and_then(|last| last.exit_code).map(|code| format!(" (exit {code})")).unwrap_or_default();
    let id = job.id;
    let (text, hints) = match job.status {
        JobStatus::Running => {
            let host = job.host_name.clone().unwrap_or_default();
            (format!("running on {host}"), vec![format!("hostler logs {id} -f")])
        }
        JobStatus::Succeeded => ("succeeded".to_owned(), Vec::new()),
        JobStatus::Failed => (
            format!("failed{exit}{error}; the job is not retried, because its definition excludes this exit code"),
            vec![format!("hostler logs {id}"), format!("hostler retry {id}")],
        ),
        JobStatus::DeadLetter if job.end_reason == Some(EndReason::HostLost) => {
            ("gave up: its host was lost too often".to_owned(), vec![format!("hostler retry {id}")])
        }
        JobStatus::DeadLetter => (
            format!(
                "gave up after {} of {} attempts{exit}{error}",
                last.map_or(0, |last| last.no - job.redriven_at),
                job.max_attempts
            ),
            vec![format!("hostler logs {id}"), format!("hostler retry {id}")],
        ),
        JobStatus::Canceled => (canceled(job.end_reason).to_owned(), vec![format!("hostler retry {id}")]),
        JobStatus::Queued => (String::new(), Vec::new()),
    };
    Why { status: job.status, reason: None, text, hints }
}

/// Why a job was canceled, in words.
const fn canceled(reason: Option<EndReason>) -> &'static str {
    match reason {
        None => "canceled",
        Some(EndReason::Asked) => "canceled on request",
        Some(EndReason::Expired) => "canceled: it expired before it started",
        Some(EndReason::Superseded) => "canceled: a newer request replaced it",
        Some(EndReason::HostLost) => "canceled: its host was lost too often",
        Some(EndReason::HostRemoved) => "canceled: its host was removed",
        Some(EndReason::Forced) => "canceled by force; its host did not confirm the end",
    }
}

fn hints(job: &JobNow, reason: Option<WaitReason>, facts: &Facts) -> Vec<String> {
    let id = job.id;
    match reason {
        Some(WaitReason::HostOffline | WaitReason::HostAsleep | WaitReason::HostPaused)
            if job.target_kind == TargetKind::Host =>
        {
            let mut hints = vec![format!("hostler job move {id} --on HOST"), format!("hostler cancel {id}")];
            if reason == Some(WaitReason::HostPaused) {
                hints.insert(
                    0,
                    format!("hostler host resume {}", facts.hosts.first().map_or("HOST", |host| &host.name)),
                );
            }
            hints
        }
        Some(WaitReason::NoHostMatches) => vec!["hostler host list".to_owned(), format!("hostler cancel {id}")],
        Some(WaitReason::DefinitionDisabled) => vec![format!("hostler def enable {}", job.definition_key)],
        Some(WaitReason::SecretMissing) => match &facts.secrets {
            Some(SecretFault::Missing(names)) => {
                names.iter().map(|name| format!("hostler secret set {name}")).collect()
            }
            _ => vec!["hostler help secret_key_wrong".to_owned()],
        },
        Some(WaitReason::NotPrimary) => vec!["hostler hub promote".to_owned(), format!("hostler cancel {id}")],
        Some(WaitReason::Held) => vec![format!("hostler cancel {id} --force")],
        _ => Vec::new(),
    }
}
