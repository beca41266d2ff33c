//! Bulk actions and their progress.

use domain::{
    BatchId, JobId, OrgId, Timestamp,
    batch::{BatchAction, BatchStatus},
};
use serde_json::Value;

use crate::{Result, Tx, value::Json};

/// A bulk action.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    pub id: BatchId,
    pub org_id: OrgId,
    pub action: BatchAction,
    pub filter: String,
    /// Parameters of the action: a reason, a target, a priority.
    pub options: Value,
    pub status: BatchStatus,
    /// Jobs with this id or a greater one are processed.
    pub before_id: JobId,
    pub examined: i64,
    pub matched: i64,
    pub done: i64,
    pub failed: i64,
    /// The first failures.
    pub failures: Value,
    pub created_by: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

struct Row {
    id: BatchId,
    org_id: OrgId,
    action: BatchAction,
    filter: String,
    options: Json<Value>,
    status: BatchStatus,
    before_id: JobId,
    examined: i64,
    matched: i64,
    done: i64,
    failed: i64,
    failures: Json<Value>,
    created_by: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: Option<Timestamp>,
}

rows! { Row {
    id, org_id, action, filter, options, status, before_id, examined, matched, done, failed, failures, created_by,
    created_at, updated_at, finished_at
} }

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "select id, org_id, action, filter, options, status, before_id, examined, matched, done, failed, failures,
                created_by, created_at, updated_at, finished_at
            from batch ",
            $rest
        )
    };
}

statements! {
    BATCH_INSERT = same("
        insert into batch (id, org_id, action, filter, options, status, before_id, examined, matched, done, failed,
            failures, created_by, created_at, updated_at, finished_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)");
    BATCH_GET = same(select!("where org_id = $1 and id = $2"));
    BATCH_LIST = same(select!("where org_id = $1 and id < $2 order by id desc limit $3"));
    // The batch that was updated longest ago, so that all batches make progress. SQLite needs no row lock: it has one
    // writer.
    BATCH_TAKE = pair(
        select!("where status = 'running' order by updated_at limit 1"),
        select!("where status = 'running' order by updated_at limit 1 for update skip locked")
    );
    // Does not overwrite the status of a batch that was stopped after it was read.
    BATCH_STEP = same("
        update batch
        set before_id = $2, examined = $3, matched = $4, done = $5, failed = $6, failures = $7, status = $8,
            updated_at = $9, finished_at = $10
        where id = $1 and status = 'running'");
    BATCH_STOP = same("
        update batch set status = 'stopped', updated_at = $3, finished_at = $3
        where org_id = $1 and id = $2 and status = 'running'");
    BATCH_PRUNE = same("
        delete from batch where id in (select id from batch where finished_at < $1 limit $2)");
}

impl Tx<'_> {
    /// Adds a batch.
    pub async fn batch_insert(&mut self, batch: &Batch) -> Result<()> {
        let b = batch;
        let (options, failures) = (Json(b.options.clone()), Json(b.failures.clone()));
        execute!(
            self,
            BATCH_INSERT,
            b.id,
            b.org_id,
            b.action,
            b.filter.clone(),
            options,
            b.status,
            b.before_id,
            b.examined,
            b.matched,
            b.done,
            b.failed,
            failures,
            b.created_by.clone(),
            b.created_at,
            b.updated_at,
            b.finished_at
        )?;
        Ok(())
    }

    /// Returns a batch of an organization.
    pub async fn batch_get(&mut self, org: OrgId, id: BatchId) -> Result<Option<Batch>> {
        Ok(one!(self, BATCH_GET => Row, org, id)?.map(Batch::from))
    }

    /// Returns the newest batches of an organization before `before`.
    pub async fn batch_list(&mut self, org: OrgId, before: BatchId, limit: u32) -> Result<Vec<Batch>> {
        Ok(all!(self, BATCH_LIST => Row, org, before, i64::from(limit))?.into_iter().map(Batch::from).collect())
    }

    /// Returns a running batch of any organization and locks it. Other hubs skip locked batches.
    pub async fn batch_take(&mut self) -> Result<Option<Batch>> {
        Ok(one!(self, BATCH_TAKE => Row)?.map(Batch::from))
    }

    /// Stores the progress of a batch. Returns `false` if the batch is no longer running.
    pub async fn batch_step(&mut self, batch: &Batch) -> Result<bool> {
        let b = batch;
        let failures = Json(b.failures.clone());
        let touched = execute!(
            self,
            BATCH_STEP,
            b.id,
            b.before_id,
            b.examined,
            b.matched,
            b.done,
            b.failed,
            failures,
            b.status,
            b.updated_at,
            b.finished_at
        )?;
        Ok(touched == 1)
    }

    /// Stops a batch. Returns `false` if it is not running.
    pub async fn batch_stop(&mut self, org: OrgId, id: BatchId, now: Timestamp) -> Result<bool> {
        Ok(execute!(self, BATCH_STOP, org, id, now)? == 1)
    }

    /// Deletes at most `limit` batches that finished before a time.
    pub async fn batch_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, BATCH_PRUNE, before, i64::from(limit))
    }
}

impl From<Row> for Batch {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            org_id: row.org_id,
            action: row.action,
            filter: row.filter,
            options: row.options.0,
            status: row.status,
            before_id: row.before_id,
            examined: row.examined,
            matched: row.matched,
            done: row.done,
            failed: row.failed,
            failures: row.failures.0,
            created_by: row.created_by,
            created_at: row.created_at,
            updated_at: row.updated_at,
            finished_at: row.finished_at,
        }
    }
}
