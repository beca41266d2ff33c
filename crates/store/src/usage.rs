//! What orgs have used of hosts they share, and reports that came too late.

use domain::{HolderId, HostId, JobId, OrgId, Timestamp, claim::Share};
use serde_json::{Value, json};

use crate::{
    Result, Tx,
    codec::{Db, Json, column, hex, ids},
    event::EventId,
};

/// A report that named a run or a session no longer in force.
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

struct UsageRow {
    org_id: OrgId,
    used_ms: f64,
    cost_ms: f64,
    is_waiting: bool,
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
    UsageRow { org_id, used_ms, cost_ms, is_waiting }
    StaleRow { id, org_id, job_id, fence, holder_id, epoch, body, at }
}

statements! {
    HOST_USAGE = same("select org_id, used_ms, cost_ms, is_waiting from host_usage where host_id = $1");
    HOST_USAGE_SET = pair(
        "insert into host_usage (host_id, org_id, used_ms, cost_ms, is_waiting)
        select $2, unhex(value ->> 0), value ->> 1, value ->> 2, value ->> 3 from json_each($1) where true
        on conflict (host_id, org_id) do update
        set used_ms = excluded.used_ms, cost_ms = excluded.cost_ms, is_waiting = excluded.is_waiting",
        "insert into host_usage (host_id, org_id, used_ms, cost_ms, is_waiting)
        select $5, x.org, x.used, x.cost, x.is_waiting
        from unnest($1::uuid[], $2::float8[], $3::float8[], $4::boolean[]) x (org, used, cost, is_waiting)
        on conflict (host_id, org_id) do update
        set used_ms = excluded.used_ms, cost_ms = excluded.cost_ms, is_waiting = excluded.is_waiting"
    );
    HOST_USAGE_REMOVE = same("delete from host_usage where host_id = $1 and org_id = $2");
    // Only of a job that exists, and in the name of its own org: a report cannot name another.
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
    /// What each org has used of a host. Whoever changes it holds the lock on the host's holder.
    pub async fn host_usage(&mut self, host: HostId) -> Result<Vec<(OrgId, Share)>> {
        let rows = all!(self, HOST_USAGE => UsageRow, host)?;
        let share = |row: &UsageRow| Share { used_ms: row.used_ms, cost_ms: row.cost_ms, is_waiting: row.is_waiting };
        Ok(rows.iter().map(|row| (row.org_id, share(row))).collect())
    }

    /// Sets what orgs have used of a host, each at most once.
    pub async fn host_usage_set(&mut self, host: HostId, shares: &[(OrgId, Share)]) -> Result<()> {
        let row = |(org, share): &(OrgId, Share)| json!([hex(*org), share.used_ms, share.cost_ms, share.is_waiting]);
        put_off!(
            self,
            HOST_USAGE_SET,
            sqlite(Value::Array(shares.iter().map(row).collect()).to_string(), Db(host)),
            postgres(
                ids(shares, |row| row.0),
                column(shares, |row| row.1.used_ms),
                column(shares, |row| row.1.cost_ms),
                column(shares, |row| row.1.is_waiting),
                Db(host),
            ),
        )
    }

    /// Forgets what an org has used of a host: it is no longer shared with it.
    pub async fn host_usage_remove(&mut self, host: HostId, org: OrgId) -> Result<()> {
        execute!(self, HOST_USAGE_REMOVE, host, org)?;
        Ok(())
    }

    /// Keeps a stale report as evidence. A mere repetition of what was applied is none.
    pub async fn stale_insert(&mut self, report: &StaleReport, status: domain::job::RunStatus) -> Result<bool> {
        let r = report;
        let body = Json(r.body.clone());
        Ok(execute!(self, STALE_INSERT, r.id, r.job_id, r.fence, r.holder_id, r.epoch, body, r.at, status)? == 1)
    }

    /// The stale reports about a job.
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

    /// Forgets stale reports from before a time.
    pub async fn stale_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, STALE_PRUNE, before, i64::from(limit))
    }
}
