//! The content of claimed jobs.

use domain::{DefinitionId, JobId, OrgId, Span, Timestamp, job::OnLost};
use serde_json::Value;

use crate::{
    Result, Tx,
    columns::ids,
    insert::{NewJob, job_rows},
    value::Json,
};

/// The content of a claimed job, as its holder needs it to run the job.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimedJob {
    pub job_id: JobId,
    pub org_id: OrgId,
    pub definition_id: DefinitionId,
    pub definition_version: i32,
    pub payload: Value,
    pub sealed: Option<Vec<u8>>,
    pub timeout: Span,
    pub on_lost: OnLost,
    pub expires_at: Option<Timestamp>,
    pub correlation_id: Option<String>,
}

/// A row with the columns of `job_content!`.
pub(super) struct ClaimedRow {
    job_id: JobId,
    org_id: OrgId,
    definition_id: DefinitionId,
    definition_version: i32,
    payload: Json<Value>,
    sealed: Option<Vec<u8>>,
    timeout_ms: Span,
    on_lost: OnLost,
    expires_at: Option<Timestamp>,
    correlation_id: Option<String>,
}

rows! {
    ClaimedRow { job_id, org_id, definition_id, definition_version, payload, sealed, timeout_ms, on_lost, expires_at, correlation_id }
}

statements! {
    CLAIMED_JOBS = pair(
        concat!(
            "select j.id as job_id, ",
            job_content!(),
            " from json_each($1) x
            cross join job j on j.id = unhex(x.value)
            left join redrive d on d.job_id = j.id and d.fence = (select max(y.fence) from redrive y where y.job_id = j.id)"
        ),
        concat!(
            "select x.job_id, ",
            job_content!(),
            " from unnest($1::uuid[]) x (job_id)
            cross join lateral (select * from job where id = x.job_id limit 1) j
            left join lateral (select payload, sealed from redrive where job_id = x.job_id order by fence desc limit 1) d on true"
        )
    );
}

impl Tx<'_> {
    /// Returns the content of these jobs, in any order.
    pub async fn claimed_jobs(&mut self, jobs: &[JobId]) -> Result<Vec<ClaimedJob>> {
        let claimed = split!(
            self, CLAIMED_JOBS => ClaimedRow,
            sqlite(job_rows(jobs, |id| *id)),
            postgres(ids(jobs, |id| *id)),
        )?;
        Ok(claimed.into_iter().map(ClaimedJob::from).collect())
    }
}

impl From<&NewJob> for ClaimedJob {
    fn from(job: &NewJob) -> Self {
        Self {
            job_id: job.id,
            org_id: job.org_id,
            definition_id: job.definition_id,
            definition_version: job.definition_version,
            payload: job.payload.clone(),
            sealed: job.sealed.clone(),
            timeout: job.timeout,
            on_lost: job.on_lost,
            expires_at: job.expires_at,
            correlation_id: job.correlation_id.clone(),
        }
    }
}

impl From<ClaimedRow> for ClaimedJob {
    fn from(row: ClaimedRow) -> Self {
        Self {
            job_id: row.job_id,
            org_id: row.org_id,
            definition_id: row.definition_id,
            definition_version: row.definition_version,
            payload: row.payload.0,
            sealed: row.sealed,
            timeout: row.timeout_ms,
            on_lost: row.on_lost,
            expires_at: row.expires_at,
            correlation_id: row.correlation_id,
        }
    }
}
