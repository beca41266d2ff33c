//! Dedupe keys of jobs, and responses stored under idempotency keys.
//!
//! Race between two enqueues with the same key: `insert … on conflict do nothing` waits for the other transaction's
//! row, so exactly one inserts it. The loser then locks the row and reads the winner's job.

use domain::{JobId, OrgId, Timestamp};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

struct Winner {
    job_id: JobId,
    until_at: Timestamp,
    is_over: bool,
}

struct Kept {
    request_hash: [u8; 32],
    answer: Json<Value>,
}

rows! {
    Winner { job_id, until_at, is_over }
    Kept { request_hash, answer }
}

statements! {
    DEDUPE_TRY = same("
        insert into dedupe (org_id, key, job_id, until_at) values ($1, $2, $3, $4) on conflict (org_id, key) do nothing");
    // `is_over` is false for a job that does not exist yet: the transaction that took the key is about to insert it.
    DEDUPE_LOCK = pair(
        "select d.job_id, d.until_at,
            exists (select 1 from job_now n where n.id = d.job_id and n.status not in ('queued', 'running')) as is_over
        from dedupe d where d.org_id = $1 and d.key = $2",
        "select d.job_id, d.until_at,
            exists (select 1 from job_now n where n.id = d.job_id and n.status not in ('queued', 'running')) as is_over
        from dedupe d where d.org_id = $1 and d.key = $2
        for update of d"
    );
    DEDUPE_HOLDER = same("
        select d.job_id from dedupe d
        where d.org_id = $1 and d.key = $2
            and (d.until_at > $3 or exists (select 1 from job_now n where n.id = d.job_id and n.status in ('queued', 'running')))");
    DEDUPE_TAKE_OVER = same("update dedupe set job_id = $3, until_at = $4 where org_id = $1 and key = $2");
    DEDUPE_PRUNE = pair(
        "delete from dedupe where (org_id, key) in (
            select d.org_id, d.key from dedupe d
            where d.until_at < $1
                and coalesce((select n.status from job_now n where n.id = d.job_id), '') not in ('queued', 'running')
            order by d.until_at limit $2)",
        "with old as materialized (
            select d.ctid as tid from dedupe d
            where d.until_at < $1
                and coalesce((select n.status from job_now n where n.id = d.job_id), '') not in ('queued', 'running')
            order by d.until_at limit $2 for update of d skip locked)
        delete from dedupe where ctid = any (array(select tid from old))"
    );
    IDEMPOTENCY_GET = same("select request_hash, answer from idempotency where org_id = $1 and key = $2 and expires_at > $3");
    IDEMPOTENCY_PUT = same("
        insert into idempotency (org_id, key, request_hash, answer, expires_at) values ($1, $2, $3, $4, $5)
        on conflict (org_id, key) do update
        set request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at
        where idempotency.expires_at <= $6");
    IDEMPOTENCY_PRUNE = same("
        delete from idempotency where expires_at in (select expires_at from idempotency where expires_at <= $1 order by expires_at limit $2)");
}

/// Outcome of taking a dedupe key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyHolder {
    /// The given job now has the key.
    Ours,
    /// Another job has the key.
    Theirs(JobId),
}

impl Tx<'_> {
    /// Takes a dedupe key for a job, or returns the job that has it. A job keeps its key while it is queued or running,
    /// and at least until `until`.
    pub async fn dedupe_take(
        &mut self,
        org: OrgId,
        key: &str,
        job: JobId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<KeyHolder> {
        let winner = loop {
            if execute!(self, DEDUPE_TRY, org, key.to_owned(), job, until)? == 1 {
                return Ok(KeyHolder::Ours);
            }
            // No row: the key was pruned between the two statements. Try again.
            if let Some(winner) = one!(self, DEDUPE_LOCK => Winner, org, key.to_owned())? {
                break winner;
            }
        };
        if !winner.is_over || winner.until_at > now {
            return Ok(if winner.job_id == job { KeyHolder::Ours } else { KeyHolder::Theirs(winner.job_id) });
        }
        execute!(self, DEDUPE_TAKE_OVER, org, key.to_owned(), job, until)?;
        Ok(KeyHolder::Ours)
    }

    /// Returns the job that currently has a key.
    pub async fn dedupe_holder(&mut self, org: OrgId, key: &str, now: Timestamp) -> Result<Option<JobId>> {
        value!(self, DEDUPE_HOLDER => JobId, org, key.to_owned(), now)
    }

    /// Deletes keys whose window has ended and whose job is neither queued nor running.
    pub async fn dedupe_prune(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, DEDUPE_PRUNE, now, i64::from(limit))
    }

    /// Returns the response stored under an idempotency key, with the hash of its request.
    pub async fn idempotency_get(
        &mut self,
        org: OrgId,
        key: &str,
        now: Timestamp,
    ) -> Result<Option<([u8; 32], Value)>> {
        Ok(one!(self, IDEMPOTENCY_GET => Kept, org, key.to_owned(), now)?
            .map(|kept| (kept.request_hash, kept.answer.0)))
    }

    /// Stores a response under an idempotency key. Returns `false` if an unexpired one exists.
    pub async fn idempotency_put(
        &mut self,
        org: OrgId,
        key: &str,
        request_hash: [u8; 32],
        answer: &Value,
        expires: Timestamp,
        now: Timestamp,
    ) -> Result<bool> {
        Ok(execute!(self, IDEMPOTENCY_PUT, org, key.to_owned(), request_hash, Json(answer.clone()), expires, now)? == 1)
    }

    /// Deletes expired responses.
    pub async fn idempotency_prune(&mut self, now: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, IDEMPOTENCY_PRUNE, now, i64::from(limit))
    }
}
