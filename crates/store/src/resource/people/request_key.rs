//! Idempotency keys of requests, and the responses to these requests. The caller encrypts requests and responses.

use domain::{OrgId, Timestamp};

use crate::{Result, Tx};

/// An idempotency key within its namespace: callers with the same key do not affect each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The organization that the request is about, or zeros.
    pub org_id: OrgId,
    /// The caller: kind and id.
    pub caller: String,
    /// The key that the caller sent.
    pub key: String,
}

/// The request that first used a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The encrypted request. No two ciphertexts are equal, so it also identifies the request that holds the key.
    pub sealed_request: Vec<u8>,
    /// Status of the response; `None` while the request runs, and if its response was lost.
    pub status: Option<i32>,
    pub content_type: Option<String>,
    /// The response body; `None` also if it was too long to keep.
    pub sealed_answer: Option<Vec<u8>>,
    /// Set by the transaction of the request's change: if it is set, the request took effect.
    pub committed_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

/// A response to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    pub status: i32,
    pub content_type: Option<String>,
    /// `None` if it is too long to keep.
    pub sealed_answer: Option<Vec<u8>>,
}

/// Outcome of taking a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestKeyState {
    /// This request now has the key.
    Ours,
    /// An earlier request has the key.
    Before(Asked),
}

rows! { Asked { sealed_request, status, content_type, sealed_answer, committed_at, created_at } }

statements! {
    REQUEST_KEY_TAKE = same("
        insert into request_key (org_id, caller, key, sealed_request, expires_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
        on conflict (org_id, caller, key) do update
        set sealed_request = excluded.sealed_request, status = null, content_type = null, sealed_answer = null,
            committed_at = null, expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at
        where request_key.expires_at <= excluded.created_at");
    REQUEST_KEY_GET = same("
        select sealed_request, status, content_type, sealed_answer, committed_at, created_at from request_key
        where org_id = $1 and caller = $2 and key = $3");
    // Waits for an open transaction that has marked the key, and then finds it committed or not.
    REQUEST_KEY_TAKE_OVER = same("
        update request_key
        set sealed_request = $5, expires_at = $6, created_at = $7, updated_at = $7
        where org_id = $1 and caller = $2 and key = $3 and sealed_request = $4 and status is null
            and committed_at is null");
    REQUEST_KEY_COMMIT = same("
        update request_key
        set committed_at = $5, updated_at = $5
        where org_id = $1 and caller = $2 and key = $3 and sealed_request = $4");
    REQUEST_KEY_KEEP = same("
        update request_key
        set status = $5, content_type = $6, sealed_answer = $7, updated_at = $8
        where org_id = $1 and caller = $2 and key = $3 and sealed_request = $4 and status is null");
    REQUEST_KEY_FREE = same("
        delete from request_key
        where org_id = $1 and caller = $2 and key = $3 and sealed_request = $4 and status is null
            and committed_at is null");
    REQUEST_KEY_PRUNE = same("
        delete from request_key where expires_at in (select expires_at from request_key where expires_at <= $1 order by expires_at limit $2)");
}

impl Tx<'_> {
    /// Takes a key for a request, or returns the request that has it. An expired key can be taken again.
    pub async fn request_key_take(
        &mut self,
        at: &RequestKey,
        sealed_request: &[u8],
        expires: Timestamp,
        now: Timestamp,
    ) -> Result<RequestKeyState> {
        let (org, caller, key) = (at.org_id, &at.caller, &at.key);
        loop {
            let sealed = sealed_request.to_vec();
            if execute!(self, REQUEST_KEY_TAKE, org, caller.clone(), key.clone(), sealed, expires, now)? == 1 {
                return Ok(RequestKeyState::Ours);
            }
            // No row: the key was freed between the two statements. Try again.
            if let Some(asked) = one!(self, REQUEST_KEY_GET => Asked, org, caller.clone(), key.clone())? {
                return Ok(RequestKeyState::Before(asked));
            }
        }
    }

    /// Takes the key of a request that was not committed for its repetition, and waits for an open transaction of that
    /// request. Returns `false` if that request is committed or answered, or another one has the key now.
    pub async fn request_key_take_over(
        &mut self,
        at: &RequestKey,
        abandoned_request: &[u8],
        sealed_request: &[u8],
        expires: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        let (caller, key) = (at.caller.clone(), at.key.clone());
        let (before, after) = (abandoned_request.to_vec(), sealed_request.to_vec());
        Ok(execute!(self, REQUEST_KEY_TAKE_OVER, at.org_id, caller, key, before, after, expires, now)? == 1)
    }

    /// Marks the request that took the key as committed, in the transaction of its change. Returns `false` if another
    /// request has the key now; the transaction must then be rolled back.
    pub async fn request_key_commit(&mut self, at: &RequestKey, sealed_request: &[u8], now: Timestamp) -> Result<bool> {
        let (caller, key, sealed) = (at.caller.clone(), at.key.clone(), sealed_request.to_vec());
        Ok(execute!(self, REQUEST_KEY_COMMIT, at.org_id, caller, key, sealed, now)? == 1)
    }

    /// Stores the response to the request that took the key. Returns `false` if another request has the key now.
    pub async fn request_key_keep(
        &mut self,
        at: &RequestKey,
        sealed_request: &[u8],
        answer: &KeptAnswer,
        now: Timestamp,
    ) -> Result<bool> {
        let touched = execute!(
            self,
            REQUEST_KEY_KEEP,
            at.org_id,
            at.caller.clone(),
            at.key.clone(),
            sealed_request.to_vec(),
            answer.status,
            answer.content_type.clone(),
            answer.sealed_answer.clone(),
            now
        )?;
        Ok(touched == 1)
    }

    /// Frees a key whose request was not committed, and waits for an open transaction of that request. Returns `false`
    /// if the request is committed or answered, or another one has the key now.
    pub async fn request_key_free(&mut self, at: &RequestKey, sealed_request: &[u8]) -> Result<bool> {
        let sealed = sealed_request.to_vec();
        Ok(execute!(self, REQUEST_KEY_FREE, at.org_id, at.caller.clone(), at.key.clone(), sealed)? == 1)
    }

    /// Deletes expired keys.
    pub async fn request_key_prune(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, REQUEST_KEY_PRUNE, now, i64::from(limit))
    }
}
