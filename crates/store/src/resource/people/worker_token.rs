//! The queues and definitions that tokens of scope `worker` may claim from.

use domain::{Timestamp, TokenId};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    columns::ids,
    value::{Json, id_texts},
};

/// The limits of a token of scope `worker`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerToken {
    pub token_id: TokenId,
    pub queues: Vec<String>,
    /// Keys of definitions; `None` for all.
    pub definitions: Option<Vec<String>>,
}

struct WorkerTokenRow {
    token_id: TokenId,
    queues: Json<Value>,
    definitions: Option<Json<Value>>,
}

rows! { WorkerTokenRow { token_id, queues, definitions } }

statements! {
    WORKER_TOKEN_PUT = same("
        insert into worker_token (token_id, queues, definitions, created_at, updated_at) values ($1, $2, $3, $4, $4)");
    WORKER_TOKENS = pair(
        "select token_id, queues, definitions from worker_token where token_id in (select unhex(value) from json_each($1))",
        "select token_id, queues, definitions from worker_token where token_id = any ($1::uuid[])"
    );
}

impl Tx<'_> {
    /// Stores the limits of a new token. They never change.
    pub async fn worker_token_put(&mut self, token: &WorkerToken, now: Timestamp) -> Result<()> {
        let definitions = token.definitions.as_ref().map(|keys| Json(json!(keys)));
        execute!(self, WORKER_TOKEN_PUT, token.token_id, Json(json!(token.queues)), definitions, now)?;
        Ok(())
    }

    /// Returns the limits of those of these tokens that have scope `worker`. Callers have read the tokens in their org.
    pub async fn worker_tokens(&mut self, tokens: &[TokenId]) -> Result<Vec<WorkerToken>> {
        let found = split!(
            self, WORKER_TOKENS => WorkerTokenRow,
            sqlite(id_texts(tokens)),
            postgres(ids(tokens, |id| *id)),
        )?;
        let names = |list: Value| serde_json::from_value(list).unwrap_or_default();
        let token = |row: WorkerTokenRow| WorkerToken {
            token_id: row.token_id,
            queues: names(row.queues.0),
            definitions: row.definitions.map(|keys| names(keys.0)),
        };
        Ok(found.into_iter().map(token).collect())
    }
}
