//! Stale reports: reports of runs from holders that no longer own the run. They are stored as evidence and change
//! nothing.

use domain::{HolderId, JobId, OrgId, Timestamp};
use serde_json::Value;

use crate::{Result, Tx, event::EventId, value::Json};

/// A report whose run or session is no longer current.
#[derive(Debug, Clone, PartialEq)]
pub struct StaleReport {
    pub id: EventId,
    pub org_id: OrgId,
    pub job_id: JobId,
    pub fence: i32,
    pub holder_id: HolderId,
    pub epoch: i64,
    pub body: Value,
    pub at: Timestamp,
}

struct StaleRow {
    id: EventId,
    org_id: OrgId,
    job_id: JobId,
    fence: i32,
    holder_id: HolderId,
    epoch: i64,
    body: Json<Value>,
    at: Timestamp,
}

rows! {
    StaleRow { id, org_id, job_id, fence, holder_id, epoch, body, at }
}

statements! {
    // Takes the organization from the job, so that a report cannot name another one. Skips a report that was already
    // applied.
    STALE_INSERT = same("
        insert into stale_report (id, org_id, job_id, fence, holder_id, epoch, body, at)
        select $1, j.org_id, j.id, $3, $4, $5, $6, $7 from job j
        where j.id = $2
            and not exists (select 1 from run r where r.job_id = j.id and r.no = $3 and r.holder_id = $4 and r.status = $8)");
    STALE_OF_JOB = same("
        select id, org_id, job_id, fence, holder_id, epoch, body, at
        from stale_report where job_id = $1 and org_id = $2 order by at limit 100");
    STALE_PRUNE = same("delete from stale_report where id in (select id from stale_report where at < $1 limit $2)");
}

impl Tx<'_> {
    /// Stores a stale report. Returns `false` if the job does not exist or the report repeats one that was applied.
    pub async fn stale_insert(&mut self, report: &StaleReport, status: domain::job::RunStatus) -> Result<bool> {
        let r = report;
        let body = Json(r.body.clone());
        Ok(execute!(self, STALE_INSERT, r.id, r.job_id, r.fence, r.holder_id, r.epoch, body, r.at, status)? == 1)
    }

    /// Returns the stale reports of a job, oldest first.
    pub async fn stale_of_job(&mut self, org: OrgId, job: JobId) -> Result<Vec<StaleReport>> {
        let rows = all!(self, STALE_OF_JOB => StaleRow, job, org)?;
        Ok(rows
            .into_iter()
            .map(|row| StaleReport {
                id: row.id,
                org_id: row.org_id,
                job_id: row.job_id,
                fence: row.fence,
                holder_id: row.holder_id,
                epoch: row.epoch,
                body: row.body.0,
                at: row.at,
            })
            .collect())
    }

    /// Deletes at most `limit` stale reports from before a time.
    pub async fn stale_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, STALE_PRUNE, before, i64::from(limit))
    }
}
