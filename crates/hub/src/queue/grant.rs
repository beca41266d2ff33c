//! What a claim hands out: notes that runs have begun, and makes what their holder gets.

use std::sync::Arc;

use domain::{
    HostId, RunId, Timestamp,
    job::{JobStatus, OnLost},
    server::ServerOp,
};
use proto::{api::job::JobEvent, work::Grant};
use store::{
    Tx,
    claim::{Claimed as ClaimedJob, NewLease},
};

use super::{
    claim::{Claimant, Claimed},
    events::Changes,
    foresight::Left,
    secrets::{self, Opened},
    servers,
};
use crate::{Hub, Result};

/// Counts what would be written.
#[derive(Default)]
struct Count(usize);

impl std::io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// How many bytes of JSON a value is.
pub(super) fn length(value: &serde_json::Value) -> usize {
    let mut count = Count::default();
    // Nothing that counts can fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// About how many bytes a grant has on the wire.
pub(crate) fn size(grant: &Grant) -> usize {
    400 + length(&grant.payload)
        + grant.secrets.0.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>()
        + grant.hidden.0.iter().map(|(pointer, value)| pointer.len() + length(value)).sum::<usize>()
}

/// Runs that have begun, and those of them that cannot.
#[derive(Default)]
pub(super) struct Begun {
    pub(super) claimed: Claimed,
    /// Each with its reason.
    pub(super) refused: Vec<(NewLease, String)>,
    /// How a turn leaves its host.
    pub(super) left: Option<Left>,
}

/// Notes that these runs have begun, and makes what the holder is handed.
pub(super) async fn grant(
    hub: &Hub,
    tx: &mut Tx<'_>,
    who: &Claimant,
    leases: Vec<NewLease>,
    jobs: Vec<ClaimedJob>,
    changes: &mut Changes,
    now: Timestamp,
) -> Result<Begun> {
    let mut begun = Begun::default();
    let claimed = &mut begun.claimed;
    let mut jobs = jobs.into_iter().peekable();
    for lease in leases {
        // A job that is gone was forgotten with its org.
        let Some(job) = jobs.next_if(|job| job.job_id == lease.head.job_id) else { continue };
        let compiled = hub.queue.definitions.version(tx, job.definition_id, job.definition_version).await?;
        let tally = changes.tally(job.org_id);
        (tally.queued, tally.running) = (tally.queued - 1, tally.running + 1);
        claimed.waits.push((job.org_id, now.since(lease.head.due_at)));
        tracing::debug!(
            job.id = %job.job_id, org.id = %job.org_id, definition.key = %compiled.definition.key,
            run.no = lease.head.fence + 1, host.id = %who.holder(), "claimed"
        );
        changes.event(job.org_id, "job_run.started", &started(&job, &lease, &compiled.definition.key, who.host()));
        let opened = match secrets::open(hub, tx, &compiled, &job).await? {
            Ok(opened) => opened,
            Err(why) => {
                begun.refused.push((lease, why));
                continue;
            }
        };
        let slug = match hub.queue.slugs.get(job.org_id) {
            Some(slug) => slug,
            None => {
                let slug: Arc<str> = tx.org_get(job.org_id).await?.map(|org| org.slug).unwrap_or_default().into();
                hub.queue.slugs.keep(job.org_id, slug.clone());
                slug
            }
        };
        let is_known = claimed.definitions.iter().any(|known| Arc::ptr_eq(known, &compiled));
        if !is_known {
            claimed.definitions.push(compiled);
        }
        claimed.grants.push(granted(&lease, job, slug.to_string(), opened));
    }
    Ok(begun)
}

fn granted(lease: &NewLease, job: ClaimedJob, org_slug: String, opened: Opened) -> Grant {
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
