//! Workers: programs that claim jobs over HTTP.

use domain::{HolderId, OrgId, Timestamp, TokenId};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A worker, as registered.
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    pub id: HolderId,
    pub org_id: OrgId,
    pub token_id: TokenId,
    pub worker_id: String,
    pub hostname: String,
    pub version: String,
    pub queues: Value,
    pub metadata: Value,
    pub last_seen_at: Timestamp,
    /// Request id and time of the last claim that returned jobs. A repeated request gets the same jobs again.
    pub last_request: Option<String>,
    pub last_request_at: Option<Timestamp>,
}

struct Row {
    id: HolderId,
    org_id: OrgId,
    token_id: TokenId,
    worker_id: String,
    hostname: String,
    version: String,
    queues: Json<Value>,
    metadata: Json<Value>,
    last_seen_at: Timestamp,
    last_request: Option<String>,
    last_request_at: Option<Timestamp>,
}

rows! { Row { id, org_id, token_id, worker_id, hostname, version, queues, metadata, last_seen_at, last_request, last_request_at } }

statements! {
    WORKER_PUT = same("
        insert into worker (id, org_id, token_id, worker_id, hostname, version, queues, metadata, last_seen_at, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9)
        on conflict (org_id, token_id, worker_id) do update
        set hostname = excluded.hostname, version = excluded.version, queues = excluded.queues,
            metadata = excluded.metadata, last_seen_at = excluded.last_seen_at, updated_at = excluded.updated_at
        returning id, org_id, token_id, worker_id, hostname, version, queues, metadata, last_seen_at, last_request, last_request_at");
    WORKER_GET = same("
        select id, org_id, token_id, worker_id, hostname, version, queues, metadata, last_seen_at, last_request, last_request_at
        from worker where org_id = $1 and token_id = $2 and worker_id = $3");
    WORKER_SEEN = same("update worker set last_seen_at = $2, updated_at = $2 where id = $1 and last_seen_at < $2");
    WORKER_REQUEST = same("update worker set last_request = $2, last_request_at = $3, updated_at = $3 where id = $1");
    WORKER_AUDIT = same("
        update worker set secrets_audited_at = $2, updated_at = $3
        where id = $1 and (secrets_audited_at is null or secrets_audited_at < $2)");
    WORKER_LIST = same("
        select id, org_id, token_id, worker_id, hostname, version, queues, metadata, last_seen_at, last_request, last_request_at
        from worker order by last_seen_at desc limit $1");
    WORKER_LIST_BUSY = same("
        select w.id, w.org_id, w.token_id, w.worker_id, w.hostname, w.version, w.queues, w.metadata, w.last_seen_at,
            w.last_request, w.last_request_at
        from worker w where exists (select 1 from lease l where l.holder_id = w.id) order by w.last_seen_at limit $1");
    WORKER_SERVES = pair(
        "select 1 from worker
        where org_id = $1 and last_seen_at > $3 and exists (select 1 from json_each(queues) where value = $2)
        limit 1",
        "select 1 from worker
        where org_id = $1 and last_seen_at > $3 and exists (select 1 from jsonb_array_elements_text(queues) q (name) where q.name = $2)
        limit 1"
    );
    WORKER_PRUNE = same("
        delete from worker where id in (
            select w.id from worker w
            where w.last_seen_at < $1 and not exists (select 1 from lease l where l.holder_id = w.id)
            limit $2)");
}

impl Tx<'_> {
    /// Registers a worker, or updates its registration.
    pub async fn worker_put(&mut self, worker: &Worker) -> Result<Worker> {
        let w = worker;
        let row = one!(
            self, WORKER_PUT => Row, w.id, w.org_id, w.token_id, w.worker_id.clone(), w.hostname.clone(), w.version.clone(),
            Json(w.queues.clone()), Json(w.metadata.clone()), w.last_seen_at
        )?;
        row.map(Worker::from).ok_or(crate::Error::Dangling)
    }

    /// Returns the worker with this token and name.
    pub async fn worker_get(&mut self, org: OrgId, token: TokenId, name: &str) -> Result<Option<Worker>> {
        Ok(one!(self, WORKER_GET => Row, org, token, name.to_owned())?.map(Worker::from))
    }

    /// Updates the time of the last request of a worker.
    pub async fn worker_seen(&mut self, id: HolderId, now: Timestamp) -> Result<()> {
        execute!(self, WORKER_SEEN, id, now)?;
        Ok(())
    }

    /// Stores the request id of a worker's last claim.
    pub async fn worker_request(&mut self, id: HolderId, request: Option<&str>, now: Timestamp) -> Result<()> {
        execute!(self, WORKER_REQUEST, id, request.map(str::to_owned), now)?;
        Ok(())
    }

    /// Whether the audit log has no row yet about secrets that the worker received in this minute. Marks the minute.
    pub async fn worker_audit(&mut self, id: HolderId, minute: Timestamp, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, WORKER_AUDIT, id, minute, now)? == 1)
    }

    /// Returns all workers, the most recently seen first.
    pub async fn worker_list(&mut self, limit: u32) -> Result<Vec<Worker>> {
        Ok(all!(self, WORKER_LIST => Row, i64::from(limit))?.into_iter().map(Worker::from).collect())
    }

    /// Returns workers of all organizations that hold leases, the longest silent first.
    pub async fn worker_list_busy(&mut self, limit: u32) -> Result<Vec<Worker>> {
        Ok(all!(self, WORKER_LIST_BUSY => Row, i64::from(limit))?.into_iter().map(Worker::from).collect())
    }

    /// Whether a worker of an organization that was seen since `since` serves a queue.
    pub async fn worker_serves(&mut self, org: OrgId, queue: &str, since: Timestamp) -> Result<bool> {
        Ok(value!(self, WORKER_SERVES => i32, org, queue.to_owned(), since)?.is_some())
    }

    /// Deletes workers not seen since a time that hold no leases.
    pub async fn worker_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, WORKER_PRUNE, before, i64::from(limit))
    }
}

impl From<Row> for Worker {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            org_id: row.org_id,
            token_id: row.token_id,
            worker_id: row.worker_id,
            hostname: row.hostname,
            version: row.version,
            queues: row.queues.0,
            metadata: row.metadata.0,
            last_seen_at: row.last_seen_at,
            last_request: row.last_request,
            last_request_at: row.last_request_at,
        }
    }
}
