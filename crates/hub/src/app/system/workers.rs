//! The worker API: programs in other languages claim and report jobs over plain HTTP, with the same fences and limits
//! as runners.

use std::{sync::Arc, time::Duration};

use domain::{
    Actor, HolderId, JobId, OrgId, Permission, Timestamp, TokenId, job::RunStatus, name, redact::Redactor,
    schema::reveal,
};
use proto::{
    Code,
    api::worker::{
        ClaimAnswer, ClaimRequest, CompleteRequest, FailRequest, ReportAnswer, Worker as WorkerView, WorkerBeat,
        WorkerBeatAnswer, WorkerJob, Workers,
    },
    work::{Grant, Kept, RunResult, secret_values},
};
use serde_json::{Value, json};
use store::{
    Tx,
    insert::{Lease, RunKey},
    worker::Worker,
    worker_token::WorkerToken,
};

use crate::app::RequestContext;
use crate::{
    Error, Hub, Result,
    queue::{
        claim::{
            self, Claimant,
            secrets::{self, RunSecrets},
            worker::{HandedOut, WorkerTerms, handed_out},
        },
        dispatch::claim_loop::claim_for_worker,
        events::Changes,
        finish::Report,
    },
};

/// Session epoch of every worker: a worker takes a new name at each start, so it has only one session.
const EPOCH: i64 = 1;
/// Longest wait for jobs, in seconds.
const WAIT_MAX: u64 = 30;
/// How often a waiting claim is retried. Jobs created on this hub wake it immediately.
const ASK_EVERY: Duration = Duration::from_millis(500);
/// Most jobs in one claim.
const MAX: u32 = 100;
/// Longest text that a worker sends about itself, in bytes.
const TEXT_MAX: usize = 200;
/// Most workers shown.
const SHOWN_MAX: u32 = 1_000;

fn token_of(by: &RequestContext) -> Result<TokenId> {
    match &by.caller.actor {
        Actor::Token { id, .. } => Ok(*id),
        _ => Err(Error::new(Code::Forbidden, "a token with the scope `worker` is required")
            .hint("an admin creates one: hostler token create NAME --scope worker --queue QUEUE")),
    }
}

fn plain(name: &str, text: &str) -> Result<()> {
    if text.len() > TEXT_MAX || text.contains(char::is_control) {
        return Err(Error::invalid(format!("`{name}` must have at most {TEXT_MAX} bytes and no control characters")));
    }
    Ok(())
}

impl Hub {
    /// Claims jobs for a worker, from the queues and definitions of its token. With `wait_s`, waits for the first job.
    /// `is_confidential` says whether the response is safe from readers on the network.
    ///
    /// # Errors
    /// Fails if the request is invalid, the caller's token has another scope or does not name the queue, or a job has
    /// secrets and the connection is not encrypted.
    pub async fn worker_claim(
        &self,
        by: &RequestContext,
        org: OrgId,
        request: ClaimRequest,
        is_confidential: bool,
    ) -> Result<ClaimAnswer> {
        by.must(Permission::WorkerClaim)?;
        let (worker, limits) = self.worker_register(by, org, &request).await?;
        let terms = Arc::new(WorkerTerms {
            by: by.clone(),
            name: worker.worker_id.clone(),
            definitions: limits.definitions.map(|keys| keys.into_iter().collect()),
            is_confidential,
        });
        let lease_seconds = self.options.lost_after.as_millis() / 1_000;
        if let Some(jobs) = self.worker_repeated(&worker, &request, &terms).await? {
            return Ok(ClaimAnswer { epoch: EPOCH, jobs, lease_seconds });
        }
        let queues: Vec<String> = serde_json::from_value(worker.queues.clone()).unwrap_or_default();
        let until = tokio::time::Instant::now() + Duration::from_secs(request.wait_s.unwrap_or(0).min(WAIT_MAX));
        let max = request.max.unwrap_or(1).clamp(1, MAX);
        loop {
            let woken = self.queue.dispatcher.arrivals();
            let claimant = Claimant::Worker {
                id: worker.id,
                org,
                queues: queues.clone(),
                request: request.request_id.clone(),
                terms: terms.clone(),
            };
            let claim = claim::ClaimRequest { claimant, epoch: EPOCH, capacity: max };
            let claimed = claim_for_worker(self, claim).await?;
            let now = tokio::time::Instant::now();
            if !claimed.grants.is_empty() || now >= until {
                let key = |grant: &Grant| {
                    let known = claimed.definitions.iter().find(|one| one.definition.id == grant.definition);
                    known.map(|one| one.definition.key.clone()).unwrap_or_default()
                };
                let jobs = claimed.grants.iter().map(|grant| job_of(grant, key(grant))).collect();
                return Ok(ClaimAnswer { epoch: EPOCH, jobs, lease_seconds });
            }
            let _ = tokio::time::timeout(ASK_EVERY.min(until - now), woken).await;
        }
    }

    /// Registers the worker of a claim. Also returns the limits of its token.
    async fn worker_register(
        &self,
        by: &RequestContext,
        org: OrgId,
        request: &ClaimRequest,
    ) -> Result<(Worker, WorkerToken)> {
        let token = token_of(by)?;
        if request.worker_id.is_empty() {
            return Err(Error::invalid("`worker_id` must not be empty").hint("use hostname:pid:uuid"));
        }
        for (name, text) in
            [("worker_id", &request.worker_id), ("hostname", &request.hostname), ("version", &request.version)]
        {
            plain(name, text)?;
        }
        request.request_id.as_deref().map_or(Ok(()), |id| plain("request_id", id))?;
        for queue in &request.queues {
            name::check(queue)?;
        }
        let limits = self.worker_limits_of(token).await?;
        let queues = match request.queues.as_slice() {
            [] => limits.queues.clone(),
            queues => queues.to_vec(),
        };
        if let Some(other) = queues.iter().find(|queue| !limits.queues.contains(queue)) {
            let detail = format!("this token may not claim from the queue `{other}`");
            return Err(Error::new(Code::Forbidden, detail)
                .hint(format!("its queues: {}; queues of a token never change", limits.queues.join(", "))));
        }
        let now = self.now();
        let row = Worker {
            id: self.ids.next(),
            org_id: org,
            token_id: token,
            worker_id: request.worker_id.clone(),
            hostname: request.hostname.clone(),
            version: request.version.clone(),
            queues: json!(queues),
            metadata: if request.metadata.is_object() { request.metadata.clone() } else { json!({}) },
            last_seen_at: now,
            last_request: None,
            last_request_at: None,
        };
        let worker = self.store.write(move |tx| {
            Box::pin(async move {
                let worker = tx.worker_put(&row).await?;
                // Only for a new worker: a claim locks the holder before the row of its worker, and two requests of one
                // worker would deadlock.
                if tx.holder_get(worker.id).await?.is_none() {
                    tx.holder_put(worker.id, EPOCH).await?;
                }
                Ok::<_, Error>(worker)
            })
        });
        Ok((worker.await?, limits))
    }

    /// The limits of a worker token. A token of an older version has none and cannot claim.
    async fn worker_limits_of(&self, token: TokenId) -> Result<WorkerToken> {
        let found = self
            .store
            .read(move |tx| Box::pin(async move { tx.worker_tokens(&[token]).await.map_err(Error::from) }))
            .await?;
        found.into_iter().next().ok_or_else(|| {
            Error::new(Code::Forbidden, "this token names no queues, so it cannot claim")
                .hint("an admin creates a new one: hostler token create NAME --scope worker --queue QUEUE")
        })
    }

    /// The jobs that an earlier claim with the same request id received and that the worker still holds.
    async fn worker_repeated(
        &self,
        worker: &Worker,
        request: &ClaimRequest,
        terms: &Arc<WorkerTerms>,
    ) -> Result<Option<Vec<WorkerJob>>> {
        let (Some(_), Some(claimed_at)) = (&request.request_id, worker.last_request_at) else { return Ok(None) };
        if request.request_id != worker.last_request {
            return Ok(None);
        }
        let (hub, id, terms) = (self.clone(), worker.id, terms.clone());
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let mut leases = tx.leases_of_holder(id).await?;
                    leases.retain(|lease| lease.started_at == claimed_at);
                    let ids: Vec<JobId> = leases.iter().map(|lease| lease.job_id).collect();
                    let jobs = tx.claimed_jobs(&ids).await?;
                    let mut again = Vec::new();
                    for job in jobs {
                        let Some(lease) = leases.iter().find(|lease| lease.job_id == job.job_id) else { continue };
                        let compiled =
                            hub.queue.definitions.version(tx, job.definition_id, job.definition_version).await?;
                        let opened = secrets::open(&hub, tx, &compiled, &job).await?;
                        let RunSecrets { secrets, hidden } =
                            opened.map_err(|why| Error::new(Code::SecretMissing, why))?;
                        let run = (job.job_id, lease.fence);
                        let org = job.org_id;
                        let handed_out = HandedOut { run, org, secrets: &secrets, hidden: &hidden };
                        terms.hand_out(&hub, tx, id, &[handed_out]).await?;
                        again.push(WorkerJob {
                            id: job.job_id,
                            run_id: lease.run_id,
                            fence: lease.fence,
                            definition_key: compiled.definition.key.clone(),
                            payload: revealed(&job.payload, &hidden),
                            secrets: secrets.0,
                            timeout_seconds: job.timeout.as_millis() / 1_000,
                            correlation_id: job.correlation_id,
                        });
                    }
                    Ok(Some(again))
                })
            })
            .await
    }

    /// Finds the worker that sends a report. It must belong to the token, and the job to the organization.
    async fn worker_of(&self, by: &RequestContext, org: OrgId, name: &str, job: JobId) -> Result<HolderId> {
        by.must(Permission::WorkerClaim)?;
        let (token, name) = (token_of(by)?, name.to_owned());
        let now = self.now();
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    let worker = tx.worker_get(org, token, &name).await?;
                    let worker = worker.ok_or_else(|| Error::not_found("worker", &name).hint("claim first"))?;
                    if !tx.job_owners(&[job]).await?.iter().any(|(_, owner, _)| *owner == org) {
                        return Err(Error::not_found("job", job));
                    }
                    tx.worker_seen(worker.id, now).await?;
                    Ok(worker.id)
                })
            })
            .await
    }

    /// Extends the lease of a run and stores its progress.
    ///
    /// # Errors
    /// Fails if this worker no longer holds the run.
    pub async fn worker_beat(
        &self,
        by: &RequestContext,
        org: OrgId,
        job: JobId,
        beat: WorkerBeat,
    ) -> Result<WorkerBeatAnswer> {
        let holder_id = self.worker_of(by, org, &beat.worker_id, job).await?;
        let key = RunKey { job_id: job, fence: beat.fence, holder_id, epoch: EPOCH };
        let (hub, now) = (self.clone(), self.now());
        let lease = self
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let lease: Lease = tx.lease_hits(&[key]).await?.pop().ok_or_else(|| stale(job))?;
                    let mut changes = Changes::default();
                    // The lease had expired, but no other holder has the job yet: give it back to this worker.
                    if lease.held_at.is_some() {
                        tx.lease_rebind(holder_id, EPOCH, &[job]).await?;
                        let tally = changes.tally(lease.org_id);
                        (tally.queued, tally.running) = (tally.queued - 1, tally.running + 1);
                    }
                    if let Some(percent) = beat.percent {
                        let definition = hub.queue.definitions.key_in(tx, lease.definition_id).await?;
                        let message = beat.message.unwrap_or_default();
                        let message = match redactor(&hub, tx, org, (job, beat.fence)).await? {
                            Some(redactor) => redactor.text(&message).chars().take(200).collect(),
                            None => String::new(),
                        };
                        let item = json!({
                            "job_id": lease.job_id, "run_id": lease.run_id, "attempt": lease.fence,
                            "definition_key": &*definition, "status": "running", "percent": percent.min(100), "message": message,
                        });
                        changes.raw(lease.org_id, "job_run.progress", &item);
                    }
                    changes.write(&hub, tx, now).await?;
                    Ok::<_, Error>(lease)
                })
            })
            .await?;
        self.news();
        Ok(WorkerBeatAnswer { cancel: lease.cancel_at.is_some(), lease_expires_at: now + self.options.lost_after })
    }

    /// Reports that a run succeeded.
    ///
    /// # Errors
    /// Fails if this worker no longer holds the run.
    pub async fn worker_complete(
        &self,
        by: &RequestContext,
        org: OrgId,
        job: JobId,
        report: CompleteRequest,
    ) -> Result<ReportAnswer> {
        let output = Some(report.output).filter(|output| !output.is_null());
        if output.as_ref().is_some_and(|output| output.to_string().len() > proto::work::OUTPUT_BYTES_MAX) {
            return Err(Error::new(Code::BodyTooLarge, "`output` must have at most 64 KiB"));
        }
        let result = RunResult {
            output,
            stdout_tail: report.stdout_tail,
            ..RunResult::new(job, report.fence, RunStatus::Succeeded)
        };
        self.worker_report(by, org, &report.worker_id, result).await
    }

    /// Reports that a run failed or was canceled.
    ///
    /// # Errors
    /// Fails if this worker no longer holds the run.
    pub async fn worker_fail(
        &self,
        by: &RequestContext,
        org: OrgId,
        job: JobId,
        report: FailRequest,
    ) -> Result<ReportAnswer> {
        let status = if report.canceled { RunStatus::Canceled } else { RunStatus::Failed };
        let retry_after_ms = report.retry_after_seconds.map(|seconds| i64::from(seconds.min(7 * 86_400)) * 1_000);
        // With the exit code "not now", the job waits this long before its next attempt.
        let exit_code = report.exit_code.or(retry_after_ms.map(|_| domain::job::EXIT_NOT_NOW));
        let result = RunResult {
            error: Some(report.error),
            exit_code,
            retry_after_ms,
            stderr_tail: report.stderr_tail,
            ..RunResult::new(job, report.fence, status)
        };
        self.worker_report(by, org, &report.worker_id, result).await
    }

    async fn worker_report(
        &self,
        by: &RequestContext,
        org: OrgId,
        name: &str,
        result: RunResult,
    ) -> Result<ReportAnswer> {
        let job = result.job;
        let holder_id = self.worker_of(by, org, name, job).await?;
        let key = RunKey { job_id: job, fence: result.fence, holder_id, epoch: EPOCH };
        let run = (job, result.fence);
        let redacted = self.redacted(org, run, result.clone()).await?;
        let report = Report {
            key,
            result: crate::link::work::plain(redacted),
            clock_offset_ms: 0,
            host: None,
            is_forced: false,
        };
        let applied = self.queue.finisher.submit(vec![report], None).await?.applied;
        let found =
            self.store.read(move |tx| Box::pin(async move { tx.job_get(org, job).await.map_err(Error::from) })).await;
        let now = found.map_err(Error::after_effect)?.ok_or_else(|| Error::not_found("job", job))?;
        // Accept a repeated report: the answer to the first one may have been lost.
        let is_repeated = now
            .last
            .as_ref()
            .is_some_and(|last| last.no == result.fence && last.holder_id == holder_id && last.status == result.status);
        if applied.first() != Some(&true) && !is_repeated {
            return Err(stale(job));
        }
        self.forget_handed_out(org, run).await?;
        Ok(ReportAnswer { status: now.status.to_string() })
    }

    /// Masks secrets in everything that a worker reports, before it is stored or sent anywhere.
    async fn redacted(&self, org: OrgId, run: (JobId, i32), result: RunResult) -> Result<RunResult> {
        let hub = self.clone();
        let redactor = self.store.read(move |tx| Box::pin(async move { redactor(&hub, tx, org, run).await })).await?;
        let Some(redactor) = redactor else {
            let error = Some("its report was discarded, because its secrets cannot be masked: the hub has another key");
            return Ok(RunResult {
                error: result.error.and(error.map(str::to_owned)),
                output: None,
                stdout_tail: None,
                stderr_tail: None,
                ..result
            });
        };
        let text = |text: Option<String>| text.map(|text| redactor.text(&text));
        Ok(RunResult {
            error: text(result.error),
            stdout_tail: text(result.stdout_tail),
            stderr_tail: text(result.stderr_tail),
            output: result.output.map(|output| redactor.json(output)),
            ..result
        })
    }

    /// Deletes the values that were stored to mask them in the reports of a run that has ended.
    async fn forget_handed_out(&self, org: OrgId, run: (JobId, i32)) -> Result<()> {
        let read = self
            .store
            .read(move |tx| Box::pin(async move { Ok::<_, Error>(tx.worker_secret_get(org, run).await?.is_some()) }));
        // Most runs have none, and then the writer need not be disturbed.
        if read.await? {
            let forgotten = self
                .store
                .write(move |tx| Box::pin(async move { Ok::<_, Error>(tx.worker_secret_forget(org, run).await?) }));
            forgotten.await?;
        }
        Ok(())
    }

    /// Lists all runners and workers.
    ///
    /// # Errors
    /// Fails on a database error.
    pub async fn worker_list(&self) -> Result<Workers> {
        let (hub, now) = (self.clone(), self.now());
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut items = Vec::new();
                    for worker in tx.worker_list(SHOWN_MAX).await? {
                        let org = tx.org_get(worker.org_id).await?.map(|org| org.slug).unwrap_or_default();
                        let running = tx.holder_get(worker.id).await?.map_or(0, |(running, _)| running);
                        items.push(view(&hub, &worker, org, running, now));
                    }
                    for view in tx.host_list_all(domain::HostId::from_bytes([0; 16]), SHOWN_MAX).await? {
                        let org = tx.org_get(view.host.org_id).await?.map(|org| org.slug).unwrap_or_default();
                        let running = tx.holder_get(view.host.id.into()).await?.map_or(0, |(running, _)| running);
                        let queues = tx.servant(view.host.id).await?.map(|servant| servant.queues).unwrap_or_default();
                        let seen = view.session.as_ref().map(|session| session.heartbeat_at);
                        items.push(WorkerView {
                            worker_id: view.host.name.clone(),
                            hostname: view.host.name.clone(),
                            version: view
                                .session
                                .as_ref()
                                .map(|session| session.runner_version.clone())
                                .unwrap_or_default(),
                            queues,
                            org,
                            last_seen_at: seen,
                            running_count: i64::from(running),
                            stale: seen.is_none_or(|seen| now.since(seen) > hub.options.lost_after),
                            metadata: json!({"kind": "host", "host_id": view.host.id}),
                        });
                    }
                    Ok(Workers { items })
                })
            })
            .await
    }
}

fn view(hub: &Hub, worker: &Worker, org: String, running: i32, now: Timestamp) -> WorkerView {
    WorkerView {
        worker_id: worker.worker_id.clone(),
        hostname: worker.hostname.clone(),
        version: worker.version.clone(),
        queues: serde_json::from_value(worker.queues.clone()).unwrap_or_default(),
        org,
        last_seen_at: Some(worker.last_seen_at),
        running_count: i64::from(running),
        stale: now.since(worker.last_seen_at) > hub.options.lost_after,
        metadata: worker.metadata.clone(),
    }
}

/// The redactor for the reports of a run: of the values that its worker received, else of the current ones. `None` if
/// they exist and cannot be decrypted; then nothing that the worker sends may be shown.
async fn redactor(hub: &Hub, tx: &mut Tx<'_>, org: OrgId, run: (JobId, i32)) -> Result<Option<Redactor>> {
    match handed_out(hub, tx, org, run).await {
        Ok(Some(values)) => return Ok(Some(Redactor::new(values))),
        Ok(None) => {}
        Err(error) if error.code() == Code::SecretKeyWrong => return Ok(None),
        Err(error) => return Err(error),
    }
    // Claimed from an older version of the hub, or reported again after the end.
    let Some(claimed) = tx.claimed_jobs(&[run.0]).await?.pop() else { return Ok(Some(Redactor::default())) };
    let compiled = hub.queue.definitions.version(tx, claimed.definition_id, claimed.definition_version).await?;
    Ok(match secrets::open(hub, tx, &compiled, &claimed).await? {
        Ok(RunSecrets { secrets, hidden }) => Some(Redactor::new(secret_values(&secrets, &hidden))),
        Err(_) => None,
    })
}

fn stale(job: JobId) -> Error {
    Error::new(Code::RunStale, format!("this worker no longer holds the run of job {job}"))
        .hint("stop working on it and claim a new job")
}

fn revealed(payload: &Value, hidden: &Kept<Value>) -> Value {
    let mut payload = payload.clone();
    reveal(&mut payload, &hidden.0);
    payload
}

fn job_of(grant: &Grant, definition_key: String) -> WorkerJob {
    WorkerJob {
        id: grant.job,
        run_id: grant.run,
        fence: grant.fence,
        definition_key,
        payload: revealed(&grant.payload, &grant.hidden),
        secrets: grant.secrets.0.clone(),
        timeout_seconds: grant.timeout_ms / 1_000,
        correlation_id: grant.correlation_id.clone(),
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        Caller, Role,
        role::Scope,
        secret::{Secret, SecretKind},
    };
    use testkit::{TestDb, block_on};

    use super::*;
    use crate::queue::test_support::TestQueue;

    #[test]
    fn registration_does_not_wait_for_a_claim_of_the_same_worker() {
        block_on(async {
            let fixture = TestQueue::new(TestDb::postgres().await, 1).await;
            let (hub, org) = (fixture.hub.clone(), fixture.acme);
            let (id, user, now) = (hub.ids.next(), hub.ids.next(), hub.now());
            let actor = Actor::Token { id, user, name: "worker".to_owned() };
            let limits = WorkerToken { token_id: id, queues: vec!["default".to_owned()], definitions: None };
            let token = store::token::Token {
                id,
                org_id: org,
                user_id: user,
                parent_id: None,
                name: "worker".to_owned(),
                hint: "hst_abcd".to_owned(),
                role: Role::Operator,
                scope: Scope::Worker,
                is_login: false,
                may_create_tokens: false,
                created_by: String::new(),
                expires_at: None,
                revoked_at: None,
                last_used_at: None,
                created_at: now,
            };
            let made = hub.store.write(move |tx| {
                Box::pin(async move {
                    tx.user_insert(&store::user::User {
                        id: user,
                        email: "ana@example.org".to_owned(),
                        name: "Ana".to_owned(),
                        password_hash: None,
                        is_super: false,
                        is_disabled: false,
                        email_verified_at: None,
                        authz_version: 1,
                        created_at: now,
                        updated_at: now,
                    })
                    .await?;
                    tx.token_insert(&token, Secret::new(SecretKind::Token, [7; 32], &[]).hash()).await?;
                    tx.worker_token_put(&limits, now).await.map_err(Error::from)
                })
            });
            made.await.expect("inserts");
            let caller = Caller { actor, org: Some(org), role: Some(Role::Admin), scope: Scope::Worker };
            let by = RequestContext::new(caller, "test", "test");
            let request = ClaimRequest { worker_id: "box:1:a".to_owned(), ..ClaimRequest::default() };
            let worker = hub.worker_register(&by, org, &request).await.expect("registers").0.id;
            let claim = fixture.hub.store.write(move |tx| {
                Box::pin(async move {
                    let (now, long_ago) = (hub.now(), Timestamp::from_micros(0));
                    assert!(tx.holder_lock(worker, EPOCH, now, long_ago).await?.is_some(), "is registered");
                    // In another transaction, while this one holds the lock that a claim takes first.
                    hub.worker_register(&by, org, &request).await?;
                    tx.worker_request(worker, Some("r-1"), now).await.map_err(Error::from)
                })
            });
            claim.await.expect("neither waits for the other");
        });
    }
}
