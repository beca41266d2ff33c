//! Secrets of an organization: set, listed by name, removed. Their values leave the hub only inside grants.

use domain::{JobId, OrgId, Permission, definition::check_env_name};
use proto::api::secret::{Secret, SecretRequest, Secrets};
use serde_json::{Value, json};
use store::{Tx, secret::Secret as Stored};

use crate::app::{AuditEntry, RequestContext};
use crate::{
    Error, Hub, Result,
    queue::{
        cache::{
            definitions::Compiled,
            secret_names::{SECRETS_MAX, missing},
        },
        claim::secrets::{is_missing, sealed},
    },
    vault::Purpose,
};

/// Longest value. Linux limits an environment variable to 128 KiB, and all secrets of a definition are sent in one
/// frame.
const VALUE_BYTES_MAX: usize = 32 * 1024;

fn shown(secret: Stored) -> Secret {
    let Stored { name, created_by, created_at, updated_at } = secret;
    Secret { name, created_by, created_at, updated_at }
}

impl Hub {
    /// Lists the names of an organization's secrets.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn secret_list(&self, org: OrgId) -> Result<Secrets> {
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.secret_list(org, SECRETS_MAX).await.map_err(Error::from) }))
            .await?;
        Ok(Secrets { items: rows.into_iter().map(shown).collect() })
    }

    /// Sets a secret. Jobs that wait for it may then start.
    ///
    /// # Errors
    /// Fails if the name or value is invalid, or this hub's key differs from that of the other hubs.
    pub async fn secret_set(
        &self,
        by: &RequestContext,
        org: OrgId,
        name: &str,
        request: SecretRequest,
    ) -> Result<Secret> {
        by.must(Permission::SecretManage)?;
        check_env_name(name).map_err(Error::invalid)?;
        if request.value.is_empty() || request.value.len() > VALUE_BYTES_MAX || request.value.contains('\0') {
            return Err(Error::invalid(format!("`value` must have 1 to {VALUE_BYTES_MAX} bytes and no NUL")));
        }
        let (hub, by, name) = (self.clone(), by.clone(), name.to_owned());
        let set = self
            .store
            .write(move |tx| Box::pin(async move { set(&hub, tx, &by, org, &name, &request.value).await }))
            .await?;
        self.queue.secret_names.forget(org);
        self.wakes.dispatch_poll.wake();
        Ok(shown(set))
    }

    /// Removes a secret. Jobs whose definition names it wait until it is set again.
    ///
    /// # Errors
    /// Fails if the secret does not exist in this organization.
    pub async fn secret_remove(&self, by: &RequestContext, org: OrgId, name: &str) -> Result<()> {
        by.must(Permission::SecretManage)?;
        let (hub, by, name) = (self.clone(), by.clone(), name.to_owned());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    if !tx.secret_remove(org, &name).await? {
                        return Err(Error::not_found("secret", &name).hint("`hostler secret list` lists the secrets"));
                    }
                    let diff = json!({"value": ["•••", null]});
                    let entry =
                        AuditEntry { action: "secret.removed", kind: "secret", id: None, name: Some(&name), diff };
                    by.record(&hub, tx, Some(org), entry).await
                })
            })
            .await?;
        self.queue.secret_names.forget(org);
        Ok(())
    }

    /// Rejects a job whose definition names a secret that the organization does not have.
    pub(crate) async fn secrets_needed(&self, org: OrgId, compiled: &Compiled) -> Result<()> {
        let wanted = &compiled.definition.secrets;
        if wanted.is_empty() || self.queue.secret_names.has_all(org, wanted, self.now()) {
            return Ok(());
        }
        let (hub, wanted) = (self.clone(), wanted.clone());
        let missing = self.store.read(move |tx| Box::pin(async move { missing(&hub, tx, org, &wanted).await })).await?;
        missing.first().map_or(Ok(()), |name| Err(is_missing(name)))
    }

    /// Seals the write-only values of a payload. A schema without such values returns the payload unchanged.
    pub(crate) async fn payload_sealed(
        &self,
        org: OrgId,
        job: JobId,
        compiled: &Compiled,
        payload: Value,
    ) -> Result<(Value, Option<Vec<u8>>)> {
        if !compiled.schema.has_write_only() {
            return Ok((payload, None));
        }
        if self.vault.known().is_none() {
            let hub = self.clone();
            self.store.read(move |tx| Box::pin(async move { hub.vault.key(tx).await.map(|_| ()) })).await?;
        }
        let key =
            self.vault.known().ok_or_else(|| Error::internal(anyhow::anyhow!("the encryption key is not loaded")))?;
        let (shown, sealed) = sealed(key, &compiled.schema, payload, Purpose::Payload(org, job))?;
        Ok((shown, Some(sealed)))
    }
}

async fn set(hub: &Hub, tx: &mut Tx<'_>, by: &RequestContext, org: OrgId, name: &str, value: &str) -> Result<Stored> {
    let sealed = hub.vault.key(tx).await?.seal(Purpose::Secret(org, name), value.as_bytes())?;
    let before = tx.secret_list(org, SECRETS_MAX).await?;
    let is_new = !before.iter().any(|secret| secret.name == name);
    if is_new && before.len() >= SECRETS_MAX as usize {
        return Err(Error::invalid(format!("an organization has at most {SECRETS_MAX} secrets")));
    }
    tx.secret_put(org, name, &sealed, &by.caller.actor.label(), hub.now()).await?;
    let diff = json!({"value": [(!is_new).then_some("•••"), "•••"]});
    let entry = AuditEntry { action: "secret.set", kind: "secret", id: None, name: Some(name), diff };
    by.record(hub, tx, Some(org), entry).await?;
    let set = tx.secret_list(org, SECRETS_MAX).await?.into_iter().find(|secret| secret.name == name);
    set.ok_or_else(|| Error::internal(anyhow::anyhow!("the secret was not stored")))
}
