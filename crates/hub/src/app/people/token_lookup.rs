//! Token look-up: the batched query for the tokens of requests, and the rules that make a token valid.
//!
//! Requests that arrive during a query are answered together by the next one. A look-up never returns an answer older
//! than its request, so a revoked token is rejected immediately, on every hub.

use std::collections::{HashMap, HashSet};

use domain::{OrgId, Role, Span, Timestamp, secret::SecretHash};
use proto::Code;
use store::token::TokenAuth;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{Error, Hub, Result, batcher::Batcher};

/// Tokens looked up by one query.
const QUESTIONS_MAX: usize = 256;
/// Requests that may wait for a look-up.
const QUEUE: usize = 4_096;
/// Minimum interval between two writes of a token's `last_used_at`.
const USED_EVERY: Span = Span::from_secs(60);

type PendingLookup = (SecretHash, oneshot::Sender<Result<Option<TokenAuth>>>);

/// The waiting look-ups.
pub(crate) struct TokenLookup {
    batcher: Batcher<PendingLookup>,
}

impl Default for TokenLookup {
    fn default() -> Self {
        Self { batcher: Batcher::new(QUEUE) }
    }
}

impl TokenLookup {
    /// Reads the token with this secret from the database.
    pub(crate) async fn ask(&self, secret: SecretHash) -> Result<Option<TokenAuth>> {
        let stopping = || Error::new(Code::HubStopping, "the hub is stopping").hint("try again in a moment");
        let (reply, answer) = oneshot::channel();
        self.batcher.sender.send((secret, reply)).await.map_err(|_| stopping())?;
        answer.await.map_err(|_| stopping())?
    }
}

/// Rejects a token that is revoked or expired, or whose user is disabled or no longer a member.
fn in_force(token: &TokenAuth, now: Timestamp) -> Result<()> {
    if let Some(at) = token.revoked_at {
        return Err(Error::new(Code::TokenRevoked, format!("the token was revoked at {at:.0}"))
            .hint("sign in again: hostler login"));
    }
    if let Some(at) = token.expires_at.filter(|at| *at <= now) {
        return Err(Error::new(Code::TokenExpired, format!("the token expired {} ago", now.since(at)))
            .hint("sign in again: hostler login"));
    }
    if token.user_is_disabled || (token.member_role.is_none() && !token.user_is_super) {
        return Err(Error::new(
            Code::TokenRevoked,
            "the user who created this token is disabled or no longer a member",
        ));
    }
    Ok(())
}

/// The role of a token in an organization, or `None` if the token is not valid there.
pub(crate) fn role_in(token: &TokenAuth, org: OrgId) -> Option<Role> {
    let most = if token.user_is_super { Some(Role::SuperAdmin) } else { token.member_role };
    let role = most.map(|most| domain::role::token_role(token.scope, token.role, most));
    // A token is valid in its own organization. Only a super admin's token with that role is valid in all.
    role.filter(|role| token.org_id == org || *role == Role::SuperAdmin)
}

/// The error for an unknown token.
pub(crate) fn unknown() -> Error {
    Error::new(Code::TokenInvalid, "the token is unknown to this hub")
        .hint("create one with `hostler token create`, or sign in: hostler login")
}

/// Whether the use of a token was recorded recently.
fn is_marked(token: &TokenAuth, now: Timestamp) -> bool {
    token.last_used_at.is_some_and(|at| now.since(at) <= USED_EVERY)
}

impl Hub {
    /// Reads the token with this secret, checks that it is valid, and records its use.
    pub(crate) async fn authenticate(&self, secret: SecretHash) -> Result<TokenAuth> {
        let token = self.token_lookup.ask(secret).await?.ok_or_else(unknown)?;
        let (id, now) = (token.id, self.now());
        in_force(&token, now)?;
        if !is_marked(&token, now) {
            self.store
                .write(move |tx| Box::pin(async move { tx.token_used(id, now).await.map_err(Error::from) }))
                .await?;
        }
        Ok(token)
    }
}

/// Answers look-ups until the hub stops.
pub(crate) async fn answer(hub: Hub, stop: CancellationToken) {
    loop {
        let (batch, _slot) = hub.token_lookup.batcher.take(QUESTIONS_MAX, &stop).await;
        if batch.is_empty() {
            return;
        }
        let secrets: HashSet<SecretHash> = batch.iter().map(|(secret, _)| secret.clone()).collect();
        let found = look_up(&hub, secrets.into_iter().collect()).await;
        for (secret, reply) in batch {
            let answer = match &found {
                Ok(found) => Ok(found.get(&secret).cloned()),
                Err(error) => Err(Error::new(error.code(), error.to_string())),
            };
            let _ = reply.send(answer);
        }
    }
}

async fn look_up(hub: &Hub, secrets: Vec<SecretHash>) -> Result<HashMap<SecretHash, TokenAuth>> {
    hub.store
        .query(move |tx| {
            Box::pin(async move {
                let found = tx.token_auth(&secrets).await?;
                Ok::<_, Error>(found.into_iter().collect())
            })
        })
        .await
}
