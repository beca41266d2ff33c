//! Joining: a machine with a join token becomes a host; leaving removes it.

use domain::{
    Actor, HostId, OrgId, Timestamp,
    join::{JoinRefused, TokenState, may_join},
    name,
    secret::{Secret, SecretKind},
    throttle::Guess,
};
use proto::{
    Code,
    link::{ChannelBinding, JoinAccepted, JoinRequest, signed},
};
use serde_json::json;
use store::{Tx, host::Host, join_token::JoinToken};

use crate::app::{AuditEntry, RequestContext};
use crate::{Error, Hub, Result, app::hosts::runner_texts, link::accept::asked_binding};

/// Retries after another machine took the chosen name first.
const NAME_TRIES: usize = 8;

impl Hub {
    /// Creates a host for a machine that presents a join token and a key. A machine that repeats its request, because
    /// the answer was lost, gets the same host.
    ///
    /// # Errors
    /// Fails if the token is unknown, used up or expired, or after too many wrong tries.
    pub async fn join(&self, by: &RequestContext, request: JoinRequest) -> Result<JoinAccepted> {
        self.join_over(by, request, None).await
    }

    /// As [`Self::join`], over a TLS connection that ends at this hub.
    ///
    /// # Errors
    /// As [`Self::join`].
    pub(crate) async fn join_over(
        &self,
        by: &RequestContext,
        request: JoinRequest,
        binding: Option<ChannelBinding>,
    ) -> Result<JoinAccepted> {
        self.may_guess(Guess::Join, &by.address, None).await?;
        let Ok(secret) = Secret::parse(SecretKind::Join, &request.token) else {
            self.guessed_wrong(Guess::Join, &by.address, None).await?;
            return Err(Error::new(Code::JoinTokenInvalid, "the join token is malformed")
                .hint("copy the whole line, or create a new token: hostler invite"));
        };
        let (nonce, binding) = (request.nonce, asked_binding(request.is_bound, binding)?);
        let (machine, version, name) = (&request.machine, &request.runner_version, Some(request.name.as_str()));
        runner_texts::check_texts("join", machine, version, name, &[])?;
        runner_texts::check_key(&request.public_key)?;
        let mut joined = self.join_once(by, &secret, &request).await;
        // Two machines with one name may join at the same time: the retry sees the first one's name and adds a number.
        for _ in 0..NAME_TRIES {
            if !matches!(&joined, Err(error) if error.code() == Code::NameTaken) {
                break;
            }
            joined = self.join_once(by, &secret, &request).await;
        }
        let joined = match joined {
            Err(error)
                if matches!(error.code(), Code::JoinTokenInvalid | Code::JoinTokenExpired | Code::JoinTokenUsed) =>
            {
                self.guessed_wrong(Guess::Join, &by.address, None).await?;
                return Err(error);
            }
            joined => joined?,
        };
        self.wakes.presence.wake();
        let key = self.identity.public_key();
        Ok(JoinAccepted {
            proof: self.identity.sign(&signed::hub_proof(&key, &nonce, binding.as_ref())),
            time: self.now(),
            ..joined
        })
    }

    async fn join_once(&self, by: &RequestContext, secret: &Secret, request: &JoinRequest) -> Result<JoinAccepted> {
        let (hub, by, secret, request) = (self.clone(), by.clone(), secret.clone(), request.clone());
        self.store.write(move |tx| Box::pin(async move { hub.join_in(tx, &by, &secret, request).await })).await
    }

    async fn join_in(
        &self,
        tx: &mut Tx<'_>,
        by: &RequestContext,
        secret: &Secret,
        request: JoinRequest,
    ) -> Result<JoinAccepted> {
        let now = self.now();
        let token = tx.join_token_by_hash(secret.hash()).await?;
        let token = token.ok_or_else(|| {
            Error::new(Code::JoinTokenInvalid, "the join token is unknown to this hub")
                .hint("on the hub run: hostler invite")
        })?;
        let org = tx.org_get(token.org_id).await?.ok_or_else(|| Error::not_found("org", token.org_id))?;
        if let Some(known) = self.joined_before(tx, &token, &request).await? {
            return Ok(accepted(&known, &request, org.slug, now));
        }
        let state = TokenState {
            uses: token.uses,
            used: token.used,
            expires_at: token.expires_at,
            revoked_at: token.revoked_at,
        };
        may_join(&state, now).map_err(refusal)?;
        if !tx.join_token_use(token.id, now).await? {
            return Err(refusal(JoinRefused::Used { uses: token.uses }));
        }
        let proposed = name::from_machine(&request.name);
        let taken = tx.host_names_like(token.org_id, &proposed).await?;
        let id = match request.host_id {
            Some(id) => claim_id(tx, id, token.org_id, &request.public_key.0).await?,
            None => self.ids.next(),
        };
        let name = name::free(&proposed, |candidate| taken.iter().any(|name| name == candidate));
        let host = new_host(id, name, &token, &request, now);
        tx.host_insert(&host).await?;
        match tx.host_key_insert(host.id, 1, request.public_key.0, now).await {
            Err(store::Error::UniqueViolation(_)) => {
                return Err(Error::new(Code::DuplicateHost, "this machine's key already belongs to a host")
                    .hint("run `hostler leave` on that host, or remove the copied key here, then join again"));
            }
            inserted => inserted?,
        }
        let mut by = by.clone();
        by.caller.actor = Actor::Host { id: host.id, name: host.name.clone() };
        let diff = json!({"join_token": token.hint, "labels": [null, host.labels], "queues": [null, host.queues], "always_on": [null, host.always_on]});
        by.record(
            self,
            tx,
            Some(host.org_id),
            AuditEntry {
                action: "host.joined",
                kind: "host",
                id: Some(host.id.to_string()),
                name: Some(&host.name),
                diff,
            },
        )
        .await?;
        Ok(accepted(&host, &request, org.slug, now))
    }

    /// The host that an earlier request with the same token and key created.
    async fn joined_before(&self, tx: &mut Tx<'_>, token: &JoinToken, request: &JoinRequest) -> Result<Option<Host>> {
        let Some(owner) = tx.host_key_owner(request.public_key.0).await? else { return Ok(None) };
        let host = tx.host_anywhere(owner).await?.map(|view| view.host);
        Ok(host.filter(|host| host.join_token_id == Some(token.id) && host.revoked_at.is_none()))
    }
}

/// Takes the id that a machine already has (at another hub, or at this one before it left) for its new host. Every way
/// to use an id again must call this: an id that this hub has ever known is only for the same key and organization.
async fn claim_id(tx: &mut Tx<'_>, id: HostId, org: OrgId, public_key: &[u8; 32]) -> Result<HostId> {
    if tx.host_anywhere(id).await?.is_some() {
        return Err(Error::new(Code::DuplicateHost, "a host with this machine's id already exists on this hub")
            .hint("remove that host here, or run `hostler leave` on the machine it was copied from"));
    }
    if let Some(former) = tx.removed_host_get(id).await? {
        if !former.may_return(org, public_key) {
            let detail = "this machine's id belonged to a host that was removed from this hub, with another key or in another organization";
            return Err(Error::new(Code::DuplicateHost, detail)
                .hint("join the same organization with the data folder that it had there, or join with a new data folder: --home"));
        }
        tx.removed_host_forget(id).await?;
        // A page that was applied while the host was removed would look like a complete copy.
        tx.sync_origin_forget(id).await?;
    }
    Ok(id)
}

/// A host as it joins: the token decides its organization and labels.
fn new_host(id: HostId, name: String, token: &JoinToken, request: &JoinRequest, now: Timestamp) -> Host {
    Host {
        id,
        org_id: token.org_id,
        name,
        is_named_by_person: false,
        labels: token.labels.clone(),
        always_on: token.always_on.or(request.always_on).unwrap_or(true),
        machine: json!(request.machine),
        max_running: Some(1),
        jobs_per_minute: None,
        offline_after: None,
        alert_after: None,
        pause: None,
        degrade: None,
        key_version: 1,
        key_version_wanted: None,
        revoked_at: None,
        join_token_id: Some(token.id),
        primary_hub: None,
        has_standalone: false,
        has_servers: false,
        queues: token.queues.clone(),
        created_at: now,
        updated_at: now,
    }
}

/// Builds the answer. The proof is added by the caller, outside of the transaction.
fn accepted(host: &Host, request: &JoinRequest, org: String, now: Timestamp) -> JoinAccepted {
    JoinAccepted {
        host_id: host.id,
        name: host.name.clone(),
        name_was_taken: host.name != name::from_machine(&request.name),
        org,
        key_version: host.key_version,
        always_on: host.always_on,
        proof: proto::link::Bytes64([0; 64]),
        time: now,
    }
}

pub(crate) fn refusal(refused: JoinRefused) -> Error {
    let code = match refused {
        JoinRefused::Expired { .. } => Code::JoinTokenExpired,
        JoinRefused::Used { .. } => Code::JoinTokenUsed,
        JoinRefused::Revoked { .. } => Code::JoinTokenInvalid,
    };
    Error::new(code, refused.to_string()).hint("on the hub run: hostler invite")
}

impl Hub {
    /// Removes the host of a runner that leaves.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn leave(&self, by: &RequestContext, org: domain::OrgId, host: HostId) -> Result<()> {
        let (hub, by) = (self.clone(), by.clone());
        let now = self.now();
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let view = tx.host_get(org, host).await?.ok_or_else(|| Error::not_found("host", host))?;
                    tx.host_remove(org, host, now).await?;
                    by.record(
                        &hub,
                        tx,
                        Some(org),
                        AuditEntry {
                            action: "host.left",
                            kind: "host",
                            id: Some(host.to_string()),
                            name: Some(&view.host.name),
                            diff: json!({}),
                        },
                    )
                    .await
                })
            })
            .await?;
        self.wakes.socket_revoker.wake();
        Ok(())
    }
}
