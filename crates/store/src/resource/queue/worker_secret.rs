//! Encrypted values that workers received for runs over HTTP, kept until the run ends to mask them in its reports.

use domain::{JobId, OrgId, Timestamp};

use crate::{Result, Tx};

struct SealedValues {
    sealed: Vec<u8>,
}

rows! { SealedValues { sealed } }

statements! {
    WORKER_SECRET_PUT = same("
        insert into worker_secret (job_id, fence, org_id, sealed, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
        on conflict (job_id, fence) do update set sealed = excluded.sealed, updated_at = excluded.updated_at");
    WORKER_SECRET_GET = same("select sealed from worker_secret where org_id = $1 and job_id = $2 and fence = $3");
    WORKER_SECRET_FORGET = same("delete from worker_secret where org_id = $1 and job_id = $2 and fence = $3");
    WORKER_SECRET_PRUNE = same("
        delete from worker_secret where (job_id, fence) in (
            select s.job_id, s.fence from worker_secret s
            where s.created_at < $1
                and not exists (select 1 from lease l where l.job_id = s.job_id and l.fence = s.fence)
            order by s.created_at limit $2)");
}

impl Tx<'_> {
    /// Stores the values of a run, or replaces them.
    pub async fn worker_secret_put(
        &mut self,
        org: OrgId,
        (job, fence): (JobId, i32),
        sealed: &[u8],
        now: Timestamp,
    ) -> Result<()> {
        execute!(self, WORKER_SECRET_PUT, job, fence, org, sealed.to_vec(), now)?;
        Ok(())
    }

    /// Returns the values of a run.
    pub async fn worker_secret_get(&mut self, org: OrgId, (job, fence): (JobId, i32)) -> Result<Option<Vec<u8>>> {
        Ok(one!(self, WORKER_SECRET_GET => SealedValues, org, job, fence)?.map(|values| values.sealed))
    }

    /// Deletes the values of a run that has ended.
    pub async fn worker_secret_forget(&mut self, org: OrgId, (job, fence): (JobId, i32)) -> Result<()> {
        execute!(self, WORKER_SECRET_FORGET, org, job, fence)?;
        Ok(())
    }

    /// Deletes values stored before a time whose run is not leased any more, of all organizations.
    pub async fn worker_secret_prune(&mut self, before: Timestamp, limit: u32) -> Result<u64> {
        execute!(self, WORKER_SECRET_PRUNE, before, i64::from(limit))
    }
}
