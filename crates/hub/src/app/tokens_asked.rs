//! Looking tokens up, many at once: whoever asks while an answer is on its way is answered by the next one.
//!
//! An answer is never older than its question, so a token that is revoked is refused at once. What was answered is remembered
//! for those who make sure of it themselves: see [`super::pledge`].

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use domain::{Span, Timestamp, secret::SecretHash};
use proto::Code;
use store::token::TokenAuth;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::pledge::{in_force, unknown};
use crate::{Error, Hub, Result, inbox::Inbox};

/// Questions answered together.
const QUESTIONS_MAX: usize = 256;
/// Questions that may wait.
const QUEUE: usize = 4_096;
/// Tokens that are remembered; with one more all are forgotten.
const TOKENS_MAX: usize = 4_096;
/// Marks of use are written at most this often, and a token is not remembered for longer.
const USED_EVERY: Span = Span::from_secs(60);

type Waiting = (SecretHash, oneshot::Sender<Result<Option<TokenAuth>>>);

/// The questions that wait, and the last answers.
pub(crate) struct TokensAsked {
    inbox: Inbox<Waiting>,
    known: Mutex<HashMap<SecretHash, Arc<TokenAuth>>>,
}

impl Default for TokensAsked {
    fn default() -> Self {
        Self { inbox: Inbox::new(QUEUE), known: Mutex::default() }
    }
}

impl TokensAsked {
    /// The token with this secret, as it is now.
    pub(crate) async fn ask(&self, secret: SecretHash) -> Result<Option<TokenAuth>> {
        let stopping = || Error::new(Code::HubStopping, "the hub is stopping").hint("try again in a moment");
        let (reply, answer) = oneshot::channel();
        self.inbox.sender.send((secret, reply)).await.map_err(|_| stopping())?;
        answer.await.map_err(|_| stopping())?
    }

    /// The token with this secret, as it was when it was last marked as used. Whoever asks so makes sure of it.
    pub(crate) fn recall(&self, secret: &SecretHash, now: Timestamp) -> Option<Arc<TokenAuth>> {
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

    /// What is remembered of a token is no longer so.
    pub(crate) fn forget(&self, secret: &SecretHash) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(secret);
    }
}

/// Whether the use of a token was written down a moment ago.
fn is_marked(token: &TokenAuth, now: Timestamp) -> bool {
    token.last_used_at.is_some_and(|at| now.since(at) <= USED_EVERY)
}

impl Hub {
    /// The token with this secret, if it is in force now. That it was used is written down.
    pub(crate) async fn token_shown(&self, secret: SecretHash) -> Result<Arc<TokenAuth>> {
        let mut token = self.tokens_asked.ask(secret).await?.ok_or_else(unknown)?;
        let (id, now) = (token.id, self.now());
        in_force(&token, now)?;
        if !is_marked(&token, now) {
            self.store
                .write(move |tx| Box::pin(async move { tx.token_used(id, now).await.map_err(Error::from) }))
                .await?;
            token.last_used_at = Some(now);
        }
        let token = Arc::new(token);
        self.tokens_asked.remember(&token);
        Ok(token)
    }
}

/// Answers questions until the hub stops.
pub(crate) async fn answer(hub: Hub, stop: CancellationToken) {
    loop {
        let (batch, _turn) = hub.tokens_asked.inbox.take(QUESTIONS_MAX, &stop).await;
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
