//! Grants for leased jobs, with the events and counts of their start.

use std::sync::Arc;

use domain::{
    HostId, RunId,
    job::{JobStatus, OnLost},
    server::ServerOp,
};
use proto::{api::job::JobEvent, work::Grant};
use store::{
    Tx,
    claim::{ClaimedJob, NewLease},
    insert::RunKey,
};

use super::{
    ClaimRequest, Claimed, RefusedRun,
    secrets::{self, RunSecrets},
};
use crate::{
    Hub, Result,
    queue::{events::Changes, servers},
};

/// Counts the bytes that are written to it.
#[derive(Default)]
struct ByteCount(usize);

impl std::io::Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Length of a value as JSON.
fn json_length(value: &serde_json::Value) -> usize {
    let mut count = ByteCount::default();
    // Writing to a counter cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// Approximate length of a grant in a frame.
pub(crate) fn size(grant: &Grant) -> usize {
    400 + json_length(&grant.payload)
        + grant.secrets.0.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
        + grant.hidden.0.iter().map(|(pointer, value)| pointer.len() + json_length(value)).sum::<usize>()
}

/// Adds grants for leases to `claimed`, and the start of their runs to `changes`.
pub(super) async fn grant(
    hub: &Hub,
    tx: &mut Tx<'_>,
    request: &ClaimRequest,
    leases: Vec<NewLease>,
    jobs: Vec<ClaimedJob>,
    claimed: &mut Claimed,
    changes: &mut Changes,
) -> Result<()> {
    let (now, claimant) = (hub.now(), &request.claimant);
    let mut jobs = jobs.into_iter().peekable();
    for lease in leases {
        // The job is missing if its org was removed.
        let Some(job) = jobs.next_if(|job| job.job_id == lease.head.job_id) else { continue };
        let compiled = hub.queue.definitions.version(tx, job.definition_id, job.definition_version).await?;
        let tally = changes.tally(job.org_id);
        (tally.queued, tally.running) = (tally.queued - 1, tally.running + 1);
        claimed.waits.push((job.org_id, now.since(lease.head.due_at)));
        tracing::debug!(
            job.id = %job.job_id, org.id = %job.org_id, definition.key = %compiled.definition.key,
            run.no = lease.head.fence + 1, host.id = %claimant.holder(), "claimed"
        );
        let event = started(&job, &lease, &compiled.definition.key, claimant.host());
        changes.event(job.org_id, "job_run.started", &event);
        let opened = match secrets::open(hub, tx, &compiled, &job).await? {
            Ok(opened) => opened,
            Err(reason) => {
                let (job_id, fence) = (job.job_id, lease.head.fence + 1);
                let key = RunKey { job_id, fence, holder_id: claimant.holder(), epoch: request.epoch };
                claimed.refused.push(RefusedRun { key, host: claimant.host(), reason });
                continue;
            }
        };
        let slug = org_slug(hub, tx, job.org_id).await?;
        if !claimed.definitions.iter().any(|sent| Arc::ptr_eq(sent, &compiled)) {
            claimed.definitions.push(compiled);
        }
        claimed.grants.push(granted(&lease, job, slug.to_string(), opened));
    }
    Ok(())
}

async fn org_slug(hub: &Hub, tx: &mut Tx<'_>, org: domain::OrgId) -> Result<Arc<str>> {
    if let Some(slug) = hub.queue.org_slugs.get(org) {
        return Ok(slug);
    }
    let slug: Arc<str> = tx.org_get(org).await?.map(|org| org.slug).unwrap_or_default().into();
    hub.queue.org_slugs.keep(org, slug.clone());
    Ok(slug)
}

fn granted(lease: &NewLease, job: ClaimedJob, org_slug: String, opened: RunSecrets) -> Grant {
    Grant {
        job: job.job_id,
        fence: lease.head.fence + 1,
        run: lease.run_id,
        org: job.org_id,
        org_slug,
        definition: job.definition_id,
        version: job.definition_version,
        payload: job.payload,
        secrets: opened.secrets,
        hidden: opened.hidden,
        timeout_ms: job.timeout.as_millis(),
        is_leased: job.on_lost == OnLost::Retry,
        correlation_id: job.correlation_id,
    }
}

fn started(job: &ClaimedJob, lease: &NewLease, key: &str, host: Option<HostId>) -> JobEvent {
    let run: RunId = lease.run_id;
    JobEvent {
        job_id: job.job_id,
        run_id: Some(run),
        attempt: Some(lease.head.fence + 1),
        definition_key: key.to_owned(),
        host_id: host,
        server_id: ServerOp::of_definition(job.definition_id).and_then(|_| servers::named(&job.payload)),
        status: JobStatus::Running,
        reason: None,
        duration_ms: None,
        error: None,
        will_retry: None,
    }
}
