//! Token look-up. Requests that arrive during a query are answered together by the next one.
//!
//! A look-up never returns an answer older than its request, so a revoked token is rejected immediately. The answers
//! are also cached for requests that check the token within their own write: see [`crate::http::deferred_auth`].

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use domain::{Span, Timestamp, secret::SecretHash};
use proto::Code;
use store::token::TokenAuth;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::http::deferred_auth::{in_force, unknown};
use crate::{Error, Hub, Result, batcher::Batcher};

/// Tokens looked up by one query.
const QUESTIONS_MAX: usize = 256;
/// Requests that may wait for a look-up.
const QUEUE: usize = 4_096;
/// Cached tokens. One more empties the cache.
const TOKENS_MAX: usize = 4_096;
/// How often the use of a token is recorded at most. Also the lifetime of a cache entry.
const USED_EVERY: Span = Span::from_secs(60);

type PendingLookup = (SecretHash, oneshot::Sender<Result<Option<TokenAuth>>>);

/// The waiting look-ups and the token cache.
pub(crate) struct TokenLookup {
    batcher: Batcher<PendingLookup>,
    known: Mutex<HashMap<SecretHash, Arc<TokenAuth>>>,
}

impl Default for TokenLookup {
    fn default() -> Self {
        Self { batcher: Batcher::new(QUEUE), known: Mutex::default() }
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

    /// Returns the token from the cache. It may be stale, so the caller must check it within its write.
    pub(crate) fn cached(&self, secret: &SecretHash, now: Timestamp) -> Option<Arc<TokenAuth>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(secret).filter(|token| is_marked(token, now) && in_force(token, now).is_ok()).cloned()
    }

    fn remember(&self, token: &Arc<TokenAuth>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= TOKENS_MAX {
            known.clear();
        }
        known.insert(token.secret_hash.clone(), token.clone());
    }

    /// Removes a token from the cache.
    pub(crate) fn forget(&self, secret: &SecretHash) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(secret);
    }
}

/// Whether the use of a token was recorded recently.
fn is_marked(token: &TokenAuth, now: Timestamp) -> bool {
    token.last_used_at.is_some_and(|at| now.since(at) <= USED_EVERY)
}

impl Hub {
    /// Reads the token with this secret, checks that it is valid, records its use, and caches it.
    pub(crate) async fn authenticate(&self, secret: SecretHash) -> Result<Arc<TokenAuth>> {
        let mut token = self.token_lookup.ask(secret).await?.ok_or_else(unknown)?;
        let (id, now) = (token.id, self.now());
        in_force(&token, now)?;
        if !is_marked(&token, now) {
            self.store
                .write(move |tx| Box::pin(async move { tx.token_used(id, now).await.map_err(Error::from) }))
                .await?;
            token.last_used_at = Some(now);
        }
        let token = Arc::new(token);
        self.token_lookup.remember(&token);
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
