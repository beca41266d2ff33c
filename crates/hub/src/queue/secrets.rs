//! Secrets on their way to a run: which lanes can begin, and what goes into a grant. Definitions without secrets and
//! without hidden values cost nothing here.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{PoisonError, RwLock},
};

use domain::{
    OrgId, Span, Timestamp,
    job::RunStatus,
    schema::{Concealed, Schema},
    why::SecretFault,
};
use proto::work::{Kept, RunResult};
use store::{
    Tx,
    claim::{Claimed, NewLease, OpenLane},
    insert::RunKey,
};

use super::{
    claim::Claimant,
    definitions::Compiled,
    finish::{self, Report},
};
use crate::{Error, Hub, Result, vault::Purpose};

/// How long an org's list of names is believed without asking.
const FRESH_FOR: Span = Span::from_secs(1);
/// The most secrets of an org.
pub(crate) const SECRETS_MAX: u32 = 1_000;
/// A grant must fit into one frame, with room for what stands around it.
const GRANT_BYTES_MAX: usize = 768 * 1024;

/// The names of the secrets that orgs have, as they were a moment ago.
#[derive(Default)]
pub(crate) struct Names(RwLock<HashMap<OrgId, (BTreeSet<String>, Timestamp)>>);

impl Names {
    /// Whether an org has all of these, as far as is known without asking.
    pub(crate) fn has_all(&self, org: OrgId, wanted: &[String], now: Timestamp) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known
            .get(&org)
            .is_some_and(|(names, at)| now.since(*at) < FRESH_FOR && wanted.iter().all(|name| names.contains(name)))
    }

    fn keep(&self, org: OrgId, names: BTreeSet<String>, now: Timestamp) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(org, (names, now));
    }

    /// An org's secrets have changed.
    pub(crate) fn forget(&self, org: OrgId) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&org);
    }
}

/// Which of these secrets an org does not have.
pub(crate) async fn missing(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, wanted: &[String]) -> Result<Vec<String>> {
    let now = hub.now();
    // That something is there is believed for a moment; that it is not is worth asking again.
    if wanted.is_empty() || hub.queue.secrets.has_all(org, wanted, now) {
        return Ok(Vec::new());
    }
    let names: BTreeSet<String> = tx.secret_list(org, SECRETS_MAX).await?.into_iter().map(|one| one.name).collect();
    let missing = wanted.iter().filter(|name| !names.contains(*name)).cloned().collect();
    hub.queue.secrets.keep(org, names, now);
    Ok(missing)
}

/// What is in the way of a definition's secrets in an org, if something is.
pub(crate) async fn fault(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, of: &Compiled) -> Result<Option<SecretFault>> {
    if of.definition.secrets.is_empty() && !of.schema.has_write_only() {
        return Ok(None);
    }
    let missing = missing(hub, tx, org, &of.definition.secrets).await?;
    if !missing.is_empty() {
        return Ok(Some(SecretFault::Missing(missing)));
    }
    match hub.vault.key(tx).await {
        Ok(_) => Ok(None),
        Err(error) if error.code() == proto::Code::SecretKeyWrong => Ok(Some(SecretFault::Locked(error.to_string()))),
        Err(error) => Err(error),
    }
}

/// Those of these lanes whose secrets are all there. The others wait: a secret that is set later lets them begin, and a
/// hub with the wrong key must not use up the attempts of what another hub can begin.
pub(crate) async fn startable(hub: &Hub, tx: &mut Tx<'_>, lanes: Vec<OpenLane>) -> Result<Vec<OpenLane>> {
    let mut open = Vec::with_capacity(lanes.len());
    for lane in lanes {
        let newest = hub.queue.definitions.newest_in(hub, tx, lane.definition_id).await?;
        match fault(hub, tx, lane.org_id, &newest).await? {
            None => open.push(lane),
            Some(SecretFault::Missing(_)) => {}
            Some(SecretFault::Locked(why)) => {
                tracing::warn!(org.id = %lane.org_id, definition.key = %newest.definition.key, "jobs wait: {why}");
            }
        }
    }
    Ok(open)
}

/// What only the one who runs a job is told.
#[derive(Default)]
pub(crate) struct Opened {
    pub(crate) secrets: Kept<String>,
    pub(crate) hidden: Kept<serde_json::Value>,
}

/// Opens what a run needs; an inner error says why it cannot begin.
pub(crate) async fn open(
    hub: &Hub,
    tx: &mut Tx<'_>,
    compiled: &Compiled,
    job: &Claimed,
) -> Result<Result<Opened, String>> {
    let wanted = &compiled.definition.secrets;
    if wanted.is_empty() && job.sealed.is_none() {
        return Ok(Ok(Opened::default()));
    }
    match opened(hub, tx, wanted, job).await {
        Ok(opened) => {
            let bytes =
                serde_json::to_vec(&(&opened.secrets, &opened.hidden, &job.payload)).map_or(0, |text| text.len());
            let is_too_large = bytes > GRANT_BYTES_MAX;
            let refused =
                || format!("payload and secrets have {bytes} bytes; at most {GRANT_BYTES_MAX} reach a runner");
            Ok(if is_too_large { Err(refused()) } else { Ok(opened) })
        }
        Err(error) if error.code().status() < 500 || error.code() == proto::Code::SecretKeyWrong => {
            let hint = error.problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
            Ok(Err(format!("{error}{hint}")))
        }
        Err(error) => Err(error),
    }
}

async fn opened(hub: &Hub, tx: &mut Tx<'_>, wanted: &[String], job: &Claimed) -> Result<Opened> {
    let rows = if wanted.is_empty() { Vec::new() } else { tx.secret_sealed(job.org_id, wanted).await? };
    if let Some(missing) = wanted.iter().find(|name| !rows.iter().any(|row| row.name == **name)) {
        return Err(is_missing(missing));
    }
    let key = hub.vault.key(tx).await?;
    let mut opened = Opened::default();
    for row in rows {
        let value = key.open(Purpose::Secret(job.org_id, &row.name), &row.sealed)?;
        opened.secrets.0.insert(row.name, String::from_utf8(value).map_err(Error::internal)?);
    }
    if let Some(sealed) = &job.sealed {
        opened.hidden = Kept(
            serde_json::from_slice(&key.open(Purpose::Payload(job.org_id, job.job_id), sealed)?)
                .map_err(Error::internal)?,
        );
    }
    Ok(opened)
}

/// The refusal of a job whose definition names a secret that its org does not have.
pub(crate) fn is_missing(name: &str) -> Error {
    Error::new(proto::Code::SecretMissing, format!("the secret `{name}` is not set in this org"))
        .hint(format!("hostler secret set {name}"))
}

/// A payload as it is stored: what may be seen, and the rest sealed for its job.
pub(crate) fn sealed(
    key: &crate::vault::VaultKey,
    schema: &Schema,
    payload: serde_json::Value,
    place: Purpose<'_>,
) -> Result<(serde_json::Value, Vec<u8>)> {
    let (shown, hidden): (_, Concealed) = schema.split(payload);
    let text = serde_json::to_vec(&hidden).map_err(Error::internal)?;
    Ok((shown, key.seal(place, &text)?))
}

/// Ends runs that were claimed and cannot begin, in the claim's own transaction.
pub(crate) async fn refuse(
    hub: &Hub,
    tx: &mut Tx<'_>,
    who: &Claimant,
    epoch: i64,
    refused: Vec<(NewLease, String)>,
) -> Result<finish::Done> {
    if refused.is_empty() {
        return Ok(finish::Done::default());
    }
    let report = |(lease, why): (NewLease, String)| {
        let (job_id, fence) = (lease.head.job_id, lease.head.fence + 1);
        let result = RunResult { error: Some(why), ..RunResult::new(job_id, fence, RunStatus::Failed) };
        let key = RunKey { job_id, fence, holder_id: who.holder(), epoch };
        Report { key, result, clock_offset_ms: 0, host: who.host(), is_forced: false }
    };
    finish::apply(hub, tx, &refused.into_iter().map(report).collect::<Vec<_>>()).await
}
