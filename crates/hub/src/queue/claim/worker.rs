//! Claims over HTTP: which definitions a worker may claim, and what happens when a claim hands out secrets. Such a claim is
//! refused over an open connection, its values are stored encrypted to mask them in the worker's reports, and it is
//! audited.

use std::collections::BTreeSet;

use domain::{HolderId, JobId, OrgId};
use proto::{
    Code,
    work::{Grant, Kept},
};
use serde_json::{Value, json};
use store::{Tx, claim::OpenLane};

use super::super::cache::definitions::Compiled;
use crate::{
    Error, Hub, Result,
    app::{AuditEntry, RequestContext},
    vault::Purpose,
};

/// Most jobs named by one audit row.
const JOBS_AUDITED: usize = 100;

/// The conditions of a worker's claims.
#[derive(Debug)]
pub(crate) struct WorkerTerms {
    pub(crate) by: RequestContext,
    /// The name that the worker gave itself.
    pub(crate) name: String,
    /// Keys of the only definitions that it may claim; `None` for all.
    pub(crate) definitions: Option<BTreeSet<String>>,
    /// Whether the response is safe from readers on the network.
    pub(crate) is_confidential: bool,
}

/// The secret values of one run in a response.
pub(crate) struct HandedOut<'a> {
    pub(crate) run: (JobId, i32),
    pub(crate) org: OrgId,
    pub(crate) secrets: &'a Kept<String>,
    pub(crate) hidden: &'a Kept<Value>,
}

impl<'a> HandedOut<'a> {
    fn of(grant: &'a Grant) -> Self {
        let run = (grant.job, grant.fence);
        Self { run, org: grant.org, secrets: &grant.secrets, hidden: &grant.hidden }
    }

    fn is_empty(&self) -> bool {
        self.secrets.0.is_empty() && self.hidden.0.is_empty()
    }
}

impl WorkerTerms {
    /// The lanes of definitions that the worker may claim.
    pub(super) async fn allowed(&self, hub: &Hub, tx: &mut Tx<'_>, lanes: Vec<OpenLane>) -> Result<Vec<OpenLane>> {
        let Some(keys) = &self.definitions else { return Ok(lanes) };
        let mut allowed = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let newest: std::sync::Arc<Compiled> = hub.queue.definitions.newest_in(hub, tx, lane.definition_id).await?;
            if keys.contains(&newest.definition.key) {
                allowed.push(lane);
            }
        }
        Ok(allowed)
    }

    /// Completes a claim in its transaction.
    ///
    /// # Errors
    /// Fails, which rolls the claim back, if it hands out secrets over an open connection.
    pub(super) async fn complete(&self, hub: &Hub, tx: &mut Tx<'_>, worker: HolderId, grants: &[Grant]) -> Result<()> {
        let handed_out: Vec<HandedOut<'_>> = grants.iter().map(HandedOut::of).collect();
        self.hand_out(hub, tx, worker, &handed_out).await
    }

    /// Checks and records the secret values of a response.
    ///
    /// # Errors
    /// Fails if the connection is open and there are such values.
    pub(crate) async fn hand_out(
        &self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        worker: HolderId,
        runs: &[HandedOut<'_>],
    ) -> Result<()> {
        let runs: Vec<&HandedOut<'_>> = runs.iter().filter(|run| !run.is_empty()).collect();
        if runs.is_empty() {
            return Ok(());
        }
        if !self.is_confidential {
            let detail = "a claimed job has secrets, and this connection is not encrypted; nothing was claimed";
            return Err(Error::new(Code::NotEncrypted, detail)
                .hint("use an https:// address of the hub, or claim from a queue without such jobs"));
        }
        for run in &runs {
            remember(hub, tx, run).await?;
        }
        self.audit(hub, tx, worker, &runs).await
    }

    /// Writes one audit row per worker and minute.
    async fn audit(&self, hub: &Hub, tx: &mut Tx<'_>, worker: HolderId, runs: &[&HandedOut<'_>]) -> Result<()> {
        let (now, org) = (hub.now(), runs.first().map(|run| run.org));
        if !tx.worker_audit(worker, now.minute(), now).await? {
            return Ok(());
        }
        let jobs: Vec<String> = runs.iter().take(JOBS_AUDITED).map(|run| run.run.0.to_string()).collect();
        let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.secrets.0.keys()).collect();
        let has_hidden = runs.iter().any(|run| !run.hidden.0.is_empty());
        let entry = AuditEntry {
            action: "secret.claimed",
            kind: "worker",
            id: Some(worker.to_string()),
            name: Some(&self.name),
            diff: json!({"jobs": [null, jobs], "secrets": [null, names], "hidden_values": [null, has_hidden]}),
        };
        self.by.record(hub, tx, org, entry).await
    }
}

/// Stores the values of a run, together with those of an earlier response: a secret may have been replaced in between.
async fn remember(hub: &Hub, tx: &mut Tx<'_>, run: &HandedOut<'_>) -> Result<()> {
    let mut values = proto::work::secret_values(run.secrets, run.hidden);
    values.extend(handed_out(hub, tx, run.org, run.run).await?.into_iter().flatten());
    values.sort();
    values.dedup();
    let text = serde_json::to_vec(&values).map_err(Error::internal)?;
    let sealed = hub.vault.key(tx).await?.seal(Purpose::RunValues(run.org, run.run.0), &text)?;
    Ok(tx.worker_secret_put(run.org, run.run, &sealed, hub.now()).await?)
}

/// The values that a worker received for a run; `None` if it received none.
pub(crate) async fn handed_out(
    hub: &Hub,
    tx: &mut Tx<'_>,
    org: OrgId,
    run: (JobId, i32),
) -> Result<Option<Vec<String>>> {
    let Some(sealed) = tx.worker_secret_get(org, run).await? else { return Ok(None) };
    let text = hub.vault.key(tx).await?.open(Purpose::RunValues(org, run.0), &sealed)?;
    serde_json::from_slice(&text).map(Some).map_err(Error::internal)
}
