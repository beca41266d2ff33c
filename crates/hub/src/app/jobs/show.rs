//! Views of jobs and runs, and counts of jobs.

use std::collections::BTreeMap;

use domain::{
    JobId, OrgId, Timestamp,
    job::{JobStatus, RunStatus},
    lane::TargetKind,
};
use proto::{
    Code, Page,
    api::job::{Job, JobDetail, JobSummary, JobTarget, OrgJobs, Run, Runs},
    page::PageQuery,
};
use serde_json::Value;
use store::{
    Tx,
    job::{JobNow, Run as StoredRun},
    tally::Tally,
};

use super::why;
use crate::{Error, Hub, Result};

/// The view of a job, without values that its definition marks as write-only.
pub(super) async fn shown(hub: &Hub, tx: &mut Tx<'_>, job: &JobNow) -> Result<Job> {
    // A job replicated from a host comes without write-only values, and its definition may not have arrived yet.
    if job.origin.is_some() {
        return Ok(view(hub, job, job.payload.clone()));
    }
    let compiled = hub.queue.definitions.version(tx, job.definition_id, job.definition_version).await?;
    let payload = compiled.schema.conceal(&job.payload);
    Ok(view(hub, job, payload))
}

pub(super) fn view(hub: &Hub, job: &JobNow, payload: Value) -> Job {
    let (lease, last) = (job.lease.as_ref(), job.last.as_ref());
    let running = lease.filter(|lease| !lease.is_held);
    let started_at = job.first_started_at.or(lease.map(|lease| lease.started_at));
    let is_new_run = lease.is_some_and(|_| last.is_none_or(|last| last.no < job.fence));
    let worker = running.map(|lease| match (&job.host_name, lease.pid) {
        (Some(name), Some(pid)) => format!("{name}:{pid}"),
        (Some(name), None) => name.clone(),
        (None, _) => lease.holder_id.to_string(),
    });
    Job {
        id: job.id,
        org_id: job.org_id,
        definition_key: job.definition_key.clone(),
        definition_version: job.definition_version,
        source: job.source,
        source_ref: job.source_ref.clone(),
        status: job.status,
        wait_reason: job.parked.map(|(reason, _)| reason),
        end_reason: job.end_reason,
        priority: job.priority,
        payload,
        dedupe_key: job.dedupe_key.clone(),
        limit_key: Some(job.limit_key.clone()).filter(|key| !key.is_empty()),
        correlation_id: job.correlation_id.clone(),
        target: target(job),
        scheduled_for: job.scheduled_for,
        expires_at: job.expires_at,
        queued_at: job.queued_at,
        started_at,
        finished_at: job.finished_at,
        attempt_count: last.map_or(0, |last| last.no).max(lease.map_or(0, |_| job.fence)),
        max_attempts: job.max_attempts,
        lease_expires_at: running.and(job.heard_at).map(|heard| heard + hub.options.lost_after),
        host: job.host_name.clone(),
        worker,
        run_id: lease.map(|lease| lease.run_id).or(last.map(|last| last.id)),
        exit_code: last.and_then(|last| last.exit_code),
        last_error: last
            .filter(|last| last.status != RunStatus::Succeeded && !is_new_run)
            .and_then(|last| last.error_text.clone()),
        created_by: job.created_by.clone(),
        is_canceling: lease.is_some_and(|lease| lease.cancel_at.is_some()),
        is_hosts_own: job.origin.is_some(),
    }
}

/// The target of a job, with names instead of ids.
fn target(job: &JobNow) -> JobTarget {
    let text = Some(job.target.clone());
    match job.target_kind {
        TargetKind::Queue => JobTarget { queue: text, ..JobTarget::default() },
        TargetKind::Selector => JobTarget { selector: text, ..JobTarget::default() },
        TargetKind::Host => JobTarget { host: job.target_name.clone().or(text), ..JobTarget::default() },
    }
}

fn run_view(job: JobId, run: StoredRun) -> Run {
    let host = run.host_name;
    let worker_id = match (&host, run.pid) {
        (Some(name), Some(pid)) => format!("{name}:{pid}"),
        (Some(name), None) => name.clone(),
        (None, _) => run.holder_id.to_string(),
    };
    Run {
        id: run.id,
        no: run.no,
        status: run.status,
        worker_id,
        host,
        pid: run.pid,
        started_at: run.started_at,
        finished_at: run.finished_at,
        duration_ms: run.finished_at.map(|at| at.since(run.started_at).as_millis()),
        exit_code: run.exit_code,
        signal: run.signal,
        error_text: run.error_text,
        stdout_tail: run.stdout_tail,
        stderr_tail: run.stderr_tail,
        output: run.output,
        log_url: format!("/api/v1/jobs/{job}/logs?attempt={}", run.no),
    }
}

impl Hub {
    /// Resolves a job id from a full id or a unique prefix.
    ///
    /// # Errors
    /// Fails if no job or more than one matches.
    pub async fn job_id(&self, org: OrgId, text: &str) -> Result<JobId> {
        if let Ok(id) = text.parse() {
            return Ok(id);
        }
        let unknown = || Error::not_found("job", text.chars().take(64).collect::<String>());
        let upper = text.to_ascii_uppercase();
        if !(4..26).contains(&upper.len()) {
            return Err(unknown());
        }
        let from = format!("{upper:0<26}").parse().map_err(|_| unknown())?;
        let to = format!("{upper:Z<26}").parse().map_err(|_| unknown())?;
        let found = self
            .store
            .read(move |tx| Box::pin(async move { tx.job_ids_between(org, from, to, 6).await.map_err(Error::from) }))
            .await?;
        match found.as_slice() {
            [one] => Ok(*one),
            [] => Err(unknown()),
            several => {
                let list: Vec<String> = several.iter().map(ToString::to_string).collect();
                Err(Error::invalid(format!("`{text}` matches several jobs: {}", list.join(", ")))
                    .hint("use a longer prefix"))
            }
        }
    }

    /// Returns a job with the reason why it waits or how it ended.
    ///
    /// # Errors
    /// Fails if the job does not exist in this organization.
    pub async fn job_get(&self, org: OrgId, text: &str) -> Result<JobDetail> {
        let (id, hub) = (self.job_id(org, text).await?, self.clone());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let job = tx.job_get(org, id).await?.ok_or_else(|| Error::not_found("job", id))?;
                    let why = why::explain(&hub, tx, &job).await?;
                    let mut shown = shown(&hub, tx, &job).await?;
                    shown.wait_reason = shown.wait_reason.or(why.reason);
                    Ok(JobDetail { job: shown, why })
                })
            })
            .await
    }

    /// Lists the runs of a job in order.
    ///
    /// # Errors
    /// Fails if the job does not exist in this organization.
    pub async fn job_runs(&self, org: OrgId, text: &str) -> Result<Runs> {
        let id = self.job_id(org, text).await?;
        let runs = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    tx.job_get(org, id).await?.ok_or_else(|| Error::not_found("job", id))?;
                    Ok::<_, Error>(tx.runs_of_job(org, id).await?)
                })
            })
            .await?;
        Ok(Runs { items: runs.into_iter().map(|run| run_view(id, run)).collect() })
    }

    /// Counts an organization's jobs by status, from the stored counts; the jobs themselves are not counted.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn job_summary(&self, org: OrgId) -> Result<JobSummary> {
        let now = self.now();
        let (tally, oldest): (Tally, Option<Timestamp>) = self
            .store
            .read(move |tx| {
                Box::pin(async move { Ok::<_, Error>((tx.tally_sum(org).await?, tx.queued_oldest(org).await?)) })
            })
            .await?;
        Ok(JobSummary {
            counts: by_status(tally),
            running: tally.running.max(0),
            queued: tally.queued.max(0),
            oldest_queued_age_seconds: oldest.map(|at| now.since(at).as_millis() / 1_000),
        })
    }
}

impl Hub {
    /// Counts and recent rates of every organization's jobs, by slug.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn job_summary_all(&self, query: &PageQuery) -> Result<Page<OrgJobs>> {
        let (after, limit, now) = (query.cursor.clone().unwrap_or_default(), query.limit(), self.now());
        let rows = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    let mut rows = Vec::new();
                    for org in tx.org_list(&after, limit + 1).await? {
                        rows.push((tx.tally_sum(org.id).await?, tx.queued_oldest(org.id).await?, org));
                    }
                    Ok::<_, Error>(rows)
                })
            })
            .await?;
        let shown = rows.into_iter().map(|(tally, oldest, org)| {
            let recent = self.queue.stats.recent(org.id, now);
            OrgJobs {
                org: org.slug,
                counts: by_status(tally),
                oldest_queued_age_seconds: oldest.map(|at| now.since(at).as_millis() / 1_000),
                wait_p50_ms: recent.wait_p50.map(domain::Span::as_millis),
                wait_p95_ms: recent.wait_p95.map(domain::Span::as_millis),
                created_per_minute: recent.created_per_minute,
                failed_part: recent.failed_part,
            }
        });
        Ok(Page::cut(shown.collect(), limit, |org| org.org.clone()))
    }
}

fn by_status(mut tally: Tally) -> BTreeMap<String, i64> {
    JobStatus::ALL.iter().map(|status| (status.to_string(), (*tally.of(*status)).max(0))).collect()
}

/// The error for a change to a finished job.
pub(super) fn over(job: &JobNow) -> Error {
    Error::new(Code::JobOver, format!("the job {} has already finished: {}", job.id, job.status))
}
