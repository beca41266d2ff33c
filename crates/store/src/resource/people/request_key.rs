//! Requests under their callers' own keys, and what was answered to them. What is sealed here, and how, is the caller's
//! business.

use domain::{OrgId, Timestamp};

use crate::{Result, Tx};

/// A key for a request, as somebody calls it. Nobody else meets it, whatever they call theirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The org the request is about, or zeros.
    pub org_id: OrgId,
    /// Who asks: kind and id.
    pub caller: String,
    /// What they call it.
    pub key: String,
}

/// What is known of a request that came first under its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// What was asked. No two are the same, so it also says which request holds the key.
    pub sealed_request: Vec<u8>,
    /// How it was answered; none while it is under way, and for good if nobody knows how it ended.
    pub status: Option<i32>,
    pub content_type: Option<String>,
    /// The answer; none also if it was too long.
    pub sealed_answer: Option<Vec<u8>>,
    pub created_at: Timestamp,
}

/// An answer as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    pub status: i32,
    pub content_type: Option<String>,
    /// None if it is too long.
    pub sealed_answer: Option<Vec<u8>>,
}

/// Who has a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestKeyState {
    /// This request.
    Ours,
    /// One before it.
    Before(Asked),
}

rows! { Asked { sealed_request, status, content_type, sealed_answer, created_at } }

statements! {
    REQUEST_KEY_TAKE = same("
        insert into request_key (org_id, caller, key, sealed_request, expires_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $6)
        on conflict (org_id, caller, key) do update
        set sealed_request = excluded.sealed_request, status = null, content_type = null, sealed_answer = null,
            expires_at = excluded.expires_at, created_at = excluded.created_at, updated_at = excluded.updated_at
        where request_key.expires_at <= excluded.created_at");
    REQUEST_KEY_GET = same("
        select sealed_request, status, content_type, sealed_answer, created_at from request_key
        where org_id = $1 and caller = $2 and key = $3");
    REQUEST_KEY_KEEP = same("
        update request_key
        set status = $5, content_type = $6, sealed_answer = $7, updated_at = $8
        where org_id = $1 and caller = $2 and key = $3 and sealed_request = $4 and status is null");
    REQUEST_KEY_FREE = same("
        delete from request_key
        where org_id = $1 and caller = $2 and key = $3 and sealed_request = $4 and status is null");
    REQUEST_KEY_PRUNE = same("
        delete from request_key where expires_at in (select expires_at from request_key where expires_at <= $1 order by expires_at limit $2)");
}

impl Tx<'_> {
    /// Takes a key for a request, or says what is known of the one that has it.
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
            // None: it was freed between the two statements.
            if let Some(asked) = one!(self, REQUEST_KEY_GET => Asked, org, caller.clone(), key.clone())? {
                return Ok(RequestKeyState::Before(asked));
            }
        }
    }

    /// Keeps the answer to the request that took the key. Says no if the key has gone to another since.
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

    /// Frees a key whose request was not done. Says no if the key has gone to another since, or was answered.
    pub async fn request_key_free(&mut self, at: &RequestKey, sealed_request: &[u8]) -> Result<bool> {
        let sealed = sealed_request.to_vec();
        Ok(execute!(self, REQUEST_KEY_FREE, at.org_id, at.caller.clone(), at.key.clone(), sealed)? == 1)
    }

    /// Forgets keys whose time is over.
    pub async fn request_key_prune(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, REQUEST_KEY_PRUNE, now, i64::from(limit))
    }
}
