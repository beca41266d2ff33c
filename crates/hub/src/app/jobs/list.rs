//! Job lists: the filter language, keyset pages, and a bounded search that reports how many jobs it has read.

use domain::{
    JobId, Labels, OrgId, Span, Timestamp,
    filter::{Filter, JobFacts},
    job::{JobStatus, WaitReason},
};
use proto::{
    Code,
    api::job::{Job, JobPage, JobQuery},
    page::PageQuery,
};
use store::{Tx, job::JobNow};

use super::{show::shown, why};
use crate::{Error, Hub, Result};

/// Jobs read per query while filtering.
const SCAN: u32 = 500;
/// Jobs read for one page of results; `next` continues after them.
pub(crate) const SEARCHED_MAX: u32 = 10_000;
/// Largest offset. Cursors have no such bound.
const OFFSET_MAX: u32 = 10_000;
/// Tolerated clock difference between the processes that create job ids.
const CLOCKS: Span = Span::from_secs(60);
const NEWEST: JobId = JobId::from_bytes([0xff; 16]);

/// The filter of a query, from its filter text and its separate parameters.
fn filter_of(query: &JobQuery, now: domain::Timestamp) -> Result<Filter> {
    let text = text_of(query);
    parsed(&text, now)
}

/// Joins the parameters of a query into one filter text.
fn text_of(query: &JobQuery) -> String {
    let mut text = query.filter.clone().unwrap_or_default();
    for (key, value) in [
        ("status", &query.status),
        ("source", &query.source),
        ("after", &query.created_after),
        ("before", &query.created_before),
    ] {
        if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
            text.push_str(&format!(" {key}:{value}"));
        }
    }
    text
}

/// Parses a filter.
pub(crate) fn parsed(text: &str, now: domain::Timestamp) -> Result<Filter> {
    Filter::parse(text, now).map_err(|error| {
        let refused = Error::new(Code::FilterInvalid, format!("{} (at character {})", error.detail, error.at + 1));
        match error.hint {
            Some(hint) => refused.hint(hint),
            None => refused.hint("`hostler help filters` describes the language"),
        }
    })
}

impl Hub {
    /// Lists the matching jobs of an organization, newest first.
    ///
    /// # Errors
    /// Fails if the filter, the cursor or the offset is invalid.
    pub async fn job_list(&self, org: OrgId, query: &JobQuery) -> Result<JobPage> {
        let filter = filter_of(query, self.now())?;
        let limit = PageQuery { cursor: None, limit: query.limit }.limit() as usize;
        let mut skip = query.offset.unwrap_or(0);
        if skip > OFFSET_MAX {
            return Err(Error::new(Code::OffsetTooLarge, format!("`offset` must be at most {OFFSET_MAX}"))
                .hint("pass `next` of each page as `cursor` of the following one"));
        }
        let mut before = match &query.cursor {
            // Ids grow with time, so the search can start at the newest id that `before:` allows.
            None => filter.before().map_or(NEWEST, |before| JobId::first_at(before + CLOCKS)),
            Some(text) => text.parse().map_err(|_| Error::invalid("invalid cursor; use `next` of a page"))?,
        };
        let (mut items, mut searched) = (Vec::new(), 0);
        loop {
            let page = self.scan(org, filter.clone(), before).await?;
            searched += page.examined;
            let mut matched = page.matched.into_iter();
            for job in matched.by_ref() {
                before = job.id;
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                items.push(job);
                if items.len() == limit {
                    break;
                }
            }
            let is_full = items.len() == limit;
            if !is_full {
                before = page.last.unwrap_or(before);
            }
            let is_over = page.last.is_none() && matched.next().is_none();
            // The caller asked to skip `offset` jobs, so they do not count against the search bound.
            if is_full || is_over || searched >= SEARCHED_MAX + query.offset.unwrap_or(0) {
                let next = (!is_over).then(|| before.to_string());
                return Ok(JobPage { items, next, searched });
            }
        }
    }

    pub(crate) async fn scan(&self, org: OrgId, filter: Filter, before: JobId) -> Result<Scanned> {
        let hub = self.clone();
        self.store.read(move |tx| Box::pin(async move { scan(&hub, tx, org, &filter, before).await })).await
    }
}

/// Result of one step of a search.
pub(crate) struct Scanned {
    pub(crate) matched: Vec<Job>,
    pub(crate) examined: u32,
    /// The last job read, if more may follow.
    pub(crate) last: Option<JobId>,
}

/// The next ids to read: through the index of a status if the filter excludes queued jobs, else all.
async fn ids(tx: &mut Tx<'_>, org: OrgId, filter: &Filter, before: JobId) -> Result<Vec<JobId>> {
    let statuses: Option<Vec<JobStatus>> =
        filter.statuses().map(|words| words.iter().filter_map(|word| word.parse().ok()).collect());
    let Some(statuses) = statuses.filter(|all| !all.contains(&JobStatus::Queued)) else {
        return Ok(tx.job_ids_newest(org, before, SCAN).await?);
    };
    let mut ids = Vec::new();
    for status in statuses {
        ids.extend(match status {
            JobStatus::Running => tx.job_ids_running(org, before, SCAN).await?,
            over => tx.job_ids_over(org, over, before, SCAN).await?,
        });
    }
    ids.sort_by(|a, b| b.cmp(a));
    ids.dedup();
    ids.truncate(SCAN as usize);
    Ok(ids)
}

pub(crate) async fn scan(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, filter: &Filter, before: JobId) -> Result<Scanned> {
    let ids = ids(tx, org, filter, before).await?;
    let mut last = (ids.len() == SCAN as usize).then(|| ids.last().copied()).flatten();
    let (mut matched, mut examined) = (Vec::new(), 0);
    let mut reasons = why::Reasons::default();
    let slug = tx.org_get(org).await?.map(|org| org.slug).unwrap_or_default();
    for job in tx.jobs_by_id(org, &ids).await? {
        examined += 1;
        // Ids grow with time, so a job older than `after:` ends the search.
        if filter.after().is_some_and(|after| job.queued_at < after) {
            last = None;
            continue;
        }
        let mut shown = shown(hub, tx, &job).await?;
        if job.status == JobStatus::Queued && job.parked.is_none() && job.origin.is_none() {
            shown.wait_reason = reasons.of(hub, tx, &job).await?;
        }
        let labels = job.host_labels.clone().unwrap_or_default();
        if filter.matches(&facts(&job, &shown, &job.id.to_string(), &labels, &slug, hub.now())) {
            matched.push(shown);
        }
    }
    Ok(Scanned { matched, examined, last })
}

/// The values of a job that a filter compares.
fn facts<'a>(
    job: &'a JobNow,
    shown: &'a Job,
    id: &'a str,
    labels: &'a Labels,
    org: &'a str,
    now: Timestamp,
) -> JobFacts<'a> {
    let started = shown.started_at;
    JobFacts {
        id,
        status: job.status.as_str(),
        source: job.source.as_str(),
        host: job.host_name.as_deref(),
        definition: &job.definition_key,
        labels,
        payload: &shown.payload,
        queued_at: job.queued_at,
        duration: started.map(|at| shown.finished_at.unwrap_or(now).since(at)),
        attempts: i64::from(shown.attempt_count),
        priority: i64::from(job.priority),
        exit_code: shown.exit_code.map(i64::from),
        user: Some(&job.created_by),
        queue: shown.target.queue.as_deref().unwrap_or_default(),
        dedupe_key: job.dedupe_key.as_deref(),
        correlation_id: job.correlation_id.as_deref(),
        wait_reason: shown.wait_reason.map(WaitReason::as_str),
        last_error: shown.last_error.as_deref(),
        batch: None,
        org,
    }
}
