//! Bulk actions on many jobs. The request stores a batch; a loop then applies it in small steps, and each job passes
//! the same checks as in a request for that job alone.

use domain::{
    BatchId, HostId, JobId, LaneId, OrgId, Permission,
    batch::{BatchAction, BatchStatus},
    filter::Filter,
    lane::LaneKey,
};
use proto::{
    Code, Page,
    api::{
        batch::{Batch as BatchView, BatchFailure, BatchPreview, BatchRequest},
        job::{JobTarget, RetryRequest},
    },
    page::PageQuery,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Tx, batch::Batch};

use crate::app::{
    AuditEntry, FromStore, RequestContext,
    jobs::{
        change::{self, Canceled, ChangedBy, plain_reason},
        checked_priority,
        list::{SEARCHED_MAX, parsed, scan},
        target_in,
    },
};
use crate::{Error, Hub, Result};

/// Failures stored with a batch.
const FAILURES_KEPT: usize = 20;

/// Parameters of the action, as stored with the batch.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Options {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    target: Option<JobTarget>,
    #[serde(default)]
    priority: Option<i32>,
}

impl FromStore<Batch> for BatchView {
    fn from_store(batch: Batch) -> Self {
        Self {
            id: batch.id,
            action: batch.action,
            filter: batch.filter,
            status: batch.status,
            preview: None,
            examined: batch.examined,
            matched: batch.matched,
            done: batch.done,
            failed: batch.failed,
            failures: serde_json::from_value(batch.failures).unwrap_or_default(),
            created_by: batch.created_by,
            created_at: batch.created_at,
            updated_at: batch.updated_at,
            finished_at: batch.finished_at,
        }
    }
}

/// The filter of a batch, narrowed to job statuses its action applies to. Relative times count from its creation.
fn filter_of(batch: &Batch) -> Result<Filter> {
    let filter = parsed(&batch.filter, batch.created_at)?;
    match batch.action.narrows_to().filter(|_| filter.statuses().is_none()) {
        Some(words) => parsed(&format!("{} {words}", batch.filter), batch.created_at),
        None => Ok(filter),
    }
}

impl Hub {
    /// Creates a bulk action. A dry run only counts the matching jobs.
    ///
    /// # Errors
    /// Fails if the filter is invalid or the action's parameters are missing.
    pub async fn batch_create(&self, by: &RequestContext, org: OrgId, request: BatchRequest) -> Result<BatchView> {
        by.must(match request.action {
            BatchAction::Cancel => Permission::JobCancel,
            BatchAction::Retry => Permission::JobRetry,
            BatchAction::Move => Permission::JobRun,
        })?;
        let is_dry = request.dry_run;
        if let Some(target) = &request.target {
            self.check_target(org, target).await?;
        }
        let batch = self.batch_of(by, org, request)?;
        let preview = self.batch_preview(&batch).await?;
        if is_dry {
            let shown = BatchView { status: BatchStatus::Preview, ..BatchView::from_store(batch) };
            return Ok(BatchView { preview: Some(preview), ..shown });
        }
        let (hub, by, row) = (self.clone(), by.clone(), batch.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    tx.batch_insert(&row).await?;
                    let entry = AuditEntry {
                        action: "batch.created",
                        kind: "batch",
                        id: Some(row.id.to_string()),
                        name: Some(row.action.as_str()),
                        diff: json!({"filter": [null, row.filter], "options": [null, row.options], "fit": [null, preview]}),
                    };
                    by.record(&hub, tx, Some(org), entry).await
                })
            })
            .await?;
        self.wakes.batches.wake();
        Ok(BatchView { preview: Some(preview), ..BatchView::from_store(batch) })
    }

    /// Builds the row to store for a new batch.
    fn batch_of(&self, by: &RequestContext, org: OrgId, request: BatchRequest) -> Result<Batch> {
        let is_placed = request.target.is_some() || request.priority.is_some();
        if is_placed != (request.action == BatchAction::Move) {
            return Err(Error::invalid(if is_placed {
                "only the action `move` takes a target or a priority"
            } else {
                "the action `move` needs a target or a priority"
            }));
        }
        let (now, id): (_, BatchId) = (self.now(), self.ids.next());
        let options = Options {
            reason: plain_reason(&request.reason),
            target: request.target,
            priority: request.priority.map(checked_priority).transpose()?,
        };
        let batch = Batch {
            id,
            org_id: org,
            action: request.action,
            filter: request.filter.trim().to_owned(),
            options: json!(options),
            status: BatchStatus::Running,
            // Job ids grow with time, so this bound leaves out jobs created after the batch.
            before_id: JobId::from_bytes(id.to_bytes()),
            examined: 0,
            matched: 0,
            done: 0,
            failed: 0,
            failures: json!([]),
            created_by: by.caller.actor.label(),
            created_at: now,
            updated_at: now,
            finished_at: None,
        };
        filter_of(&batch)?;
        Ok(batch)
    }

    /// Counts the matching jobs, up to `SEARCHED_MAX` jobs read.
    async fn batch_preview(&self, batch: &Batch) -> Result<BatchPreview> {
        let (filter, mut before) = (filter_of(batch)?, batch.before_id);
        let (mut count, mut searched) = (0, 0);
        loop {
            let page = self.scan(batch.org_id, filter.clone(), before).await?;
            searched += page.examined;
            count += page.matched.iter().filter(|job| batch.action.is_for(job.status)).count() as u64;
            let Some(last) = page.last else { return Ok(BatchPreview { count, is_complete: true }) };
            if searched >= SEARCHED_MAX {
                return Ok(BatchPreview { count, is_complete: false });
            }
            before = last;
        }
    }

    /// Lists the batches of an organization, newest first.
    ///
    /// # Errors
    /// Fails if the cursor is invalid.
    pub async fn batch_list(&self, org: OrgId, query: &PageQuery) -> Result<Page<BatchView>> {
        let before = match &query.cursor {
            None => BatchId::from_bytes([0xff; 16]),
            Some(text) => text.parse().map_err(|_| Error::invalid("invalid cursor; use `next` of a page"))?,
        };
        let limit = query.limit();
        let rows = self
            .store
            .read(move |tx| Box::pin(async move { tx.batch_list(org, before, limit + 1).await.map_err(Error::from) }))
            .await?;
        Ok(Page::cut(rows.into_iter().map(BatchView::from_store).collect(), limit, |batch| batch.id.to_string()))
    }

    /// Returns one batch.
    ///
    /// # Errors
    /// Fails if the batch does not exist.
    pub async fn batch_get(&self, org: OrgId, id: BatchId) -> Result<BatchView> {
        let found =
            self.store.read(move |tx| Box::pin(async move { tx.batch_get(org, id).await.map_err(Error::from) }));
        found.await?.map(BatchView::from_store).ok_or_else(|| unknown(id))
    }

    /// Stops a batch. Jobs it already changed stay changed; a batch that has ended is returned as it is.
    ///
    /// # Errors
    /// Fails if the batch does not exist.
    pub async fn batch_stop(&self, by: &RequestContext, org: OrgId, id: BatchId) -> Result<BatchView> {
        let (hub, by, now) = (self.clone(), by.clone(), self.now());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let before = tx.batch_get(org, id).await?.ok_or_else(|| unknown(id))?;
                    if tx.batch_stop(org, id, now).await? {
                        let entry = AuditEntry {
                            action: "batch.stopped",
                            kind: "batch",
                            id: Some(id.to_string()),
                            name: Some(before.action.as_str()),
                            diff: json!({"status": [before.status, BatchStatus::Stopped]}),
                        };
                        by.record(&hub, tx, Some(org), entry).await?;
                    }
                    tx.batch_get(org, id).await?.map(BatchView::from_store).ok_or_else(|| unknown(id))
                })
            })
            .await
    }

    /// Advances the batch that has waited longest by one step. Returns whether there was one.
    ///
    /// # Errors
    /// Fails on a database error.
    pub(crate) async fn batch_advance(&self) -> Result<bool> {
        let hub = self.clone();
        let step = self.store.write(move |tx| Box::pin(async move { advance(&hub, tx).await })).await?;
        let Some(effects) = step else { return Ok(false) };
        effects.after_commit(self);
        Ok(true)
    }
}

fn unknown(id: BatchId) -> Error {
    Error::not_found("batch", id).hint("`hostler batch list` lists the batches")
}

/// Wake-ups to send after the step has committed.
#[derive(Default)]
struct Effects {
    canceled: Vec<Canceled>,
    lanes: Vec<(LaneId, Vec<HostId>)>,
}

impl Effects {
    fn after_commit(self, hub: &Hub) {
        hub.news();
        self.canceled.into_iter().for_each(|one| one.after_commit(hub));
        for (lane, hosts) in self.lanes {
            hub.queue.dispatcher.serve_lane(lane, &hosts);
            hub.queue.lane_cursors.reset(lane);
            hub.queue.dispatcher.wake_lane(lane, 1);
        }
    }
}

/// Runs one step of one batch. The transaction also stores the batch's progress, so each step is applied exactly once.
async fn advance(hub: &Hub, tx: &mut Tx<'_>) -> Result<Option<Effects>> {
    let Some(mut batch) = tx.batch_take().await? else { return Ok(None) };
    let (now, mut effects) = (hub.now(), Effects::default());
    let page = scan(hub, tx, batch.org_id, &filter_of(&batch)?, batch.before_id).await?;
    let options: Options = serde_json::from_value(batch.options.clone()).unwrap_or_default();
    let mut failures: Vec<BatchFailure> = serde_json::from_value(batch.failures.clone()).unwrap_or_default();
    for job in page.matched.iter().filter(|job| batch.action.is_for(job.status)) {
        batch.matched += 1;
        match act(hub, tx, &batch, &options, job.id, &mut effects).await {
            Ok(()) => batch.done += 1,
            // Another request changed the job first, so the action no longer applies to it.
            Err(error) if matches!(error.code(), Code::JobOver | Code::JobNotOver | Code::JobRunning) => {
                batch.matched -= 1
            }
            Err(error) if error.code().status() < 500 => {
                batch.failed += 1;
                let (code, detail) = (error.code().to_string(), error.to_string());
                failures.push(BatchFailure { job_id: job.id, code, detail });
            }
            Err(error) => return Err(error),
        }
    }
    failures.truncate(FAILURES_KEPT);
    batch.failures = json!(failures);
    batch.examined += i64::from(page.examined);
    batch.updated_at = now;
    match page.last {
        Some(last) => batch.before_id = last,
        None => (batch.status, batch.finished_at) = (BatchStatus::Done, Some(now)),
    }
    tx.batch_step(&batch).await?;
    let (org, id) = (batch.org_id, batch.id);
    tracing::debug!(batch.id = %id, org.id = %org, done = batch.done, failed = batch.failed, "batch advanced");
    Ok(Some(effects))
}

/// Applies the action of a batch to one job.
async fn act(
    hub: &Hub,
    tx: &mut Tx<'_>,
    batch: &Batch,
    options: &Options,
    job: JobId,
    effects: &mut Effects,
) -> Result<()> {
    let (org, cause) = (batch.org_id, ChangedBy::Batch(&batch.created_by));
    match batch.action {
        BatchAction::Cancel => {
            effects.canceled.push(change::cancel(hub, tx, cause, org, job, &options.reason, false).await?);
        }
        BatchAction::Retry => {
            let lane = change::retry(hub, tx, cause, org, job, RetryRequest::default()).await?;
            effects.lanes.push((lane, Vec::new()));
        }
        BatchAction::Move => {
            let now = tx.job_get(org, job).await?.ok_or_else(|| Error::not_found("job", job))?;
            let lane = match &options.target {
                None => None,
                Some(asked) => {
                    let compiled = hub.queue.definitions.version(tx, now.definition_id, now.definition_version).await?;
                    let target = target_in(tx, org, &compiled, asked).await?;
                    Some(LaneKey { org, target, definition: now.definition_id, limit_key: now.limit_key })
                }
            };
            effects.lanes.push(change::shift(hub, tx, cause, org, job, lane, options.priority).await?);
        }
    }
    Ok(())
}
