//! Deletion of old finished jobs and of the rows of removed organizations, in bounded steps.

use domain::{JobId, OrgId, RunId, Timestamp, job::JobStatus};

use crate::{Result, Tx, columns::ids, value::id_texts};

struct Old {
    job_id: JobId,
}

struct OldRun {
    id: RunId,
}

rows! {
    Old { job_id }
    OldRun { id }
}

statements! {
    // Ids grow with time, so the index returns the oldest first. Skips jobs that were redriven, and jobs that ended
    // only recently, however old they are.
    JOBS_OLD = same("
        select o.job_id from outcome o
        where o.org_id = $1 and o.status = $2 and o.job_id < $3
            and o.finished_at < $4
            and (select n.status from job_now n where n.id = o.job_id) = $2
        order by o.job_id limit $5");
    // As JOBS_OLD, for jobs that have no outcome row because their run implies success.
    JOBS_OLD_SUCCEEDED = same("
        select r.job_id from run r
        where r.org_id = $1 and r.status = 'succeeded' and r.job_id < $2
            and r.finished_at < $3
            and (select n.status from job_now n where n.id = r.job_id) = 'succeeded'
        order by r.job_id limit $4");
    // Excludes jobs replicated from hosts: their output is in other tables, and their run ids are chosen by the host,
    // so they could name a run of another job.
    RUNS_OF_OLD = pair(
        "select r.id from json_each($1) x cross join job j on j.id = unhex(x.value) and j.origin is null
        cross join run r on r.job_id = j.id",
        "select r.id from unnest($1::uuid[]) x (job_id)
        cross join lateral (select id from job where id = x.job_id and origin is null) j
        cross join lateral (select id from run where job_id = j.id) r"
    );
    FORGET_LOGS = pair(
        "delete from log_chunk where run_id in (select unhex(value) from json_each($1))",
        "delete from log_chunk where run_id = any ($1::uuid[])"
    );
    FORGET_REPLICATED = pair(
        "delete from replicated_job where job_id in (select unhex(value) from json_each($1))",
        "delete from replicated_job where job_id = any ($1::uuid[])"
    );
    FORGET_RUNS = pair(
        "delete from run where job_id in (select unhex(value) from json_each($1))",
        "delete from run where job_id = any ($1::uuid[])"
    );
    FORGET_OUTCOMES = pair(
        "delete from outcome where job_id in (select unhex(value) from json_each($1))",
        "delete from outcome where job_id = any ($1::uuid[])"
    );
    FORGET_REDRIVES = pair(
        "delete from redrive where job_id in (select unhex(value) from json_each($1))",
        "delete from redrive where job_id = any ($1::uuid[])"
    );
    FORGET_STALE = pair(
        "delete from stale_report where job_id in (select unhex(value) from json_each($1))",
        "delete from stale_report where job_id = any ($1::uuid[])"
    );
    FORGET_READY = pair(
        "delete from ready where job_id in (select unhex(value) from json_each($1))",
        "delete from ready where job_id = any ($1::uuid[])"
    );
    FORGET_WAITING = pair(
        "delete from waiting where job_id in (select unhex(value) from json_each($1))",
        "delete from waiting where job_id = any ($1::uuid[])"
    );
    JOBS_OF_ORG = same("select id as job_id from job where org_id = $1 order by id limit $2");
    // Rows of an organization that belong to none of its jobs.
    PURGE_DEDUPE = same("delete from dedupe where org_id = $1 and key in (select key from dedupe where org_id = $1 limit $2)");
    PURGE_IDEMPOTENCY = same("
        delete from idempotency where org_id = $1 and key in (select key from idempotency where org_id = $1 limit $2)");
    PURGE_REQUEST_KEY = same("
        delete from request_key where org_id = $1 and key in (select key from request_key where org_id = $1 limit $2)");
    PURGE_QUOTA = same("delete from quota where id in (select id from quota where org_id = $1 limit $2)");
    PURGE_TALLY = same("delete from tally where id in (select id from tally where org_id = $1 limit $2)");
    PURGE_EVENT = same("
        delete from event where id in (select id from event where org_id = $1 and seq is not null limit $2)");
    FORGET_JOBS = pair(
        "delete from job where id in (select unhex(value) from json_each($1))",
        "delete from job where id = any ($1::uuid[])"
    );
}

impl Tx<'_> {
    /// Returns jobs of an organization with this status that were created and ended before these times, oldest first.
    pub async fn jobs_old(
        &mut self,
        org: OrgId,
        status: JobStatus,
        made: Timestamp,
        ended: Timestamp,
        limit: u32,
    ) -> Result<Vec<JobId>> {
        let mut rows = all!(self, JOBS_OLD => Old, org, status, JobId::first_at(made), ended, i64::from(limit))?;
        if status == JobStatus::Succeeded {
            let more = all!(self, JOBS_OLD_SUCCEEDED => Old, org, JobId::first_at(made), ended, i64::from(limit))?;
            rows.extend(more);
        }
        let mut jobs: Vec<JobId> = rows.into_iter().map(|row| row.job_id).collect();
        jobs.sort();
        jobs.dedup();
        jobs.truncate(limit as usize);
        Ok(jobs)
    }

    /// Returns jobs of an organization in any status, to delete a removed organization.
    pub async fn jobs_of_org(&mut self, org: OrgId, limit: u32) -> Result<Vec<JobId>> {
        Ok(all!(self, JOBS_OF_ORG => Old, org, i64::from(limit))?.into_iter().map(|row| row.job_id).collect())
    }

    /// Removes jobs from their queues. Their rows in `expiry` are ignored when they expire.
    pub async fn jobs_unqueue(&mut self, jobs: &[JobId]) -> Result<()> {
        for sql in [FORGET_READY, FORGET_WAITING] {
            split_execute!(self, sql, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))?;
        }
        Ok(())
    }

    /// Deletes rows of an organization that belong to none of its jobs, at most `limit` per table. Returns how many.
    pub async fn org_purge_rows(&mut self, org: OrgId, limit: u32) -> Result<u64> {
        let mut count = 0;
        for sql in [PURGE_DEDUPE, PURGE_IDEMPOTENCY, PURGE_REQUEST_KEY, PURGE_QUOTA, PURGE_TALLY, PURGE_EVENT] {
            count += execute!(self, sql, org, i64::from(limit))?;
        }
        Ok(count + self.servers_purge(org, limit).await?)
    }

    /// Deletes jobs with all rows that refer to them.
    pub async fn jobs_forget(&mut self, jobs: &[JobId]) -> Result<u64> {
        let runs = split!(self, RUNS_OF_OLD => OldRun, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))?;
        let runs: Vec<RunId> = runs.into_iter().map(|row| row.id).collect();
        split_execute!(self, FORGET_LOGS, sqlite(id_texts(&runs)), postgres(ids(&runs, |id| *id)))?;
        self.replicated_logs_forget(jobs).await?;
        for sql in [FORGET_REPLICATED, FORGET_RUNS, FORGET_OUTCOMES, FORGET_REDRIVES, FORGET_STALE] {
            split_execute!(self, sql, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))?;
        }
        split_execute!(self, FORGET_JOBS, sqlite(id_texts(jobs)), postgres(ids(jobs, |id| *id)))
    }
}
