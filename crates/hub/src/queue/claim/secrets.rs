//! Secrets and hidden values of a run: which lanes can start, and the values for a grant. Definitions without secrets and
//! without hidden values cost no query.

use domain::{
    OrgId,
    schema::{Concealed, Schema},
    why::SecretFault,
};
use proto::work::Kept;
use store::{
    Tx,
    claim::{ClaimedJob, OpenLane},
};

use super::super::cache::{definitions::Compiled, secret_names::missing};
use crate::{Error, Hub, Result, vault::Purpose};

/// Largest grant: it must fit into one frame, with room for the rest of the frame.
const GRANT_BYTES_MAX: usize = 768 * 1024;

/// Why the secrets of a definition cannot be used in an org.
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

/// The lanes whose secrets all exist. Jobs of the others wait: they start once the secret is set, and a hub with the wrong
/// key must not use up the attempts of jobs that another hub can start.
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

/// Decrypted values that only the holder of a run receives.
#[derive(Default)]
pub(crate) struct RunSecrets {
    pub(crate) secrets: Kept<String>,
    pub(crate) hidden: Kept<serde_json::Value>,
}

/// Decrypts the values of a run. An inner error says why the run cannot start.
pub(crate) async fn open(
    hub: &Hub,
    tx: &mut Tx<'_>,
    compiled: &Compiled,
    job: &ClaimedJob,
) -> Result<Result<RunSecrets, String>> {
    let wanted = &compiled.definition.secrets;
    if wanted.is_empty() && job.sealed.is_none() {
        return Ok(Ok(RunSecrets::default()));
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

async fn opened(hub: &Hub, tx: &mut Tx<'_>, wanted: &[String], job: &ClaimedJob) -> Result<RunSecrets> {
    let rows = if wanted.is_empty() { Vec::new() } else { tx.secret_sealed(job.org_id, wanted).await? };
    if let Some(missing) = wanted.iter().find(|name| !rows.iter().any(|row| row.name == **name)) {
        return Err(is_missing(missing));
    }
    let key = hub.vault.key(tx).await?;
    let mut opened = RunSecrets::default();
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

/// The error for a secret that a definition names and its org does not have.
pub(crate) fn is_missing(name: &str) -> Error {
    Error::new(proto::Code::SecretMissing, format!("the secret `{name}` is not set in this org"))
        .hint(format!("hostler secret set {name}"))
}

/// Splits a payload for storage: the visible part, and the hidden part sealed for its job.
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
