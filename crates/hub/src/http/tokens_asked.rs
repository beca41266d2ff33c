//! Looking tokens up, many at once: whoever asks while an answer is on its way is answered by the next one.
//!
//! Nothing is kept in memory: an answer is never older than its question, so a token that is revoked is refused at once.

use std::collections::{HashMap, HashSet};

use domain::secret::SecretHash;
use proto::Code;
use store::token::TokenAuth;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::{Error, Hub, Result, inbox::Inbox};

/// Questions answered together.
const QUESTIONS_MAX: usize = 256;
/// Questions that may wait.
const QUEUE: usize = 4_096;

type Waiting = (SecretHash, oneshot::Sender<Result<Option<TokenAuth>>>);

/// The questions that wait.
pub(crate) struct TokensAsked(Inbox<Waiting>);

impl Default for TokensAsked {
    fn default() -> Self {
        Self(Inbox::new(QUEUE))
    }
}

impl TokensAsked {
    /// The token with this secret, as it is now.
    pub(crate) async fn ask(&self, secret: SecretHash) -> Result<Option<TokenAuth>> {
        let stopping = || Error::new(Code::HubStopping, "the hub is stopping").hint("try again in a moment");
        let (reply, answer) = oneshot::channel();
        self.0.sender.send((secret, reply)).await.map_err(|_| stopping())?;
        answer.await.map_err(|_| stopping())?
    }
}

/// Answers questions until the hub stops.
pub(crate) async fn answer(hub: Hub, stop: CancellationToken) {
    loop {
        let (batch, _turn) = hub.tokens_asked.0.take(QUESTIONS_MAX, &stop).await;
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
        .glance(move |tx| {
            Box::pin(async move {
                let found = tx.token_auth(&secrets).await?;
                Ok::<_, Error>(found.into_iter().collect())
            })
        })
        .await
}
