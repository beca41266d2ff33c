//! Creation of jobs: validates requests and turns them into rows for the queue.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use domain::{
    HostId, JobId, Labels, OrgId, Permission, Span, Timestamp,
    argv::{Context, ContextName},
    audit::AuditRow,
    job::Source,
    lane::{LaneKey, Target},
    name,
    schema::{Violation, check_payload},
    server::{ServerOp, dedupe_key, limit_key},
};
use proto::{
    Code, Problem,
    api::job::{BulkMade, JobMade, JobRequest, JobTarget},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use store::{Tx, insert::NewJob as JobRow, lane::HostFor};

use crate::app::RequestContext;
use crate::{
    Error, Hub, Result,
    queue::{
        cache::definitions::Compiled,
        enqueue::{EnqueueRequest, Enqueued, Idempotency, NewJob, Part},
    },
};

const PRIORITY: i32 = 100;
/// Priorities that a request may set.
const PRIORITIES: std::ops::RangeInclusive<i32> = -1_000..=1_000;
/// Longest dedupe, limit and correlation key, in characters.
const KEY_CHARS_MAX: usize = 200;
/// How far ahead a job can be scheduled.
const AHEAD_MAX: Span = Span::from_secs(4_000_000_000);
/// Longest dedupe window, in seconds.
const WINDOW_MAX: u32 = 30 * 86_400;
/// Rows of a bulk request sent as one array.
const ROWS_MAX: usize = 10_000;
/// Rows checked as one part while the part before is written.
const PART_ROWS: usize = 1_000;
/// Definitions named in one audit entry.
const KEYS_SHOWN: usize = 10;
/// Retry delay suggested when the queue is full.
const ROOM_AGAIN: Span = Span::from_secs(10);
/// How long the answer for an idempotency key is kept.
pub(crate) const IDEMPOTENT_FOR: Span = Span::from_secs(24 * 3_600);

/// Placeholder context, to check at creation that the payload renders to arguments.
static ANY_RUN: LazyLock<Context> =
    LazyLock::new(|| ContextName::ALL.iter().fold(Context::default(), |context, name| context.with(*name, "x")));

/// Content of the one audit entry for all jobs of a request.
#[derive(Default)]
struct Summary {
    count: usize,
    first: Option<First>,
    last: Option<JobId>,
    keys: Vec<Arc<str>>,
}

struct First {
    id: JobId,
    target: String,
}

impl Summary {
    fn add(&mut self, jobs: &[NewJob]) {
        let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else { return };
        self.count += jobs.len();
        self.last = Some(last.row.id);
        self.first.get_or_insert_with(|| First { id: first.row.id, target: first.lane.target.text() });
        for one in jobs {
            if self.keys.len() < KEYS_SHOWN && self.keys.last() != Some(&one.definition_key) {
                self.keys.push(one.definition_key.clone());
            }
        }
    }
}

/// The creator of jobs: caller, organization, and the request they belong to.
#[derive(Clone)]
pub struct Maker {
    pub by: RequestContext,
    pub org: OrgId,
    /// The caller's `Idempotency-Key`.
    pub idempotency_key: Option<String>,
    /// Index of the part, for a request that is written in several parts. Each part stores its own answer.
    pub part: u32,
}

impl Maker {
    /// A creator without an idempotency key, in one part.
    #[must_use]
    pub fn new(by: RequestContext, org: OrgId) -> Self {
        Self { by, org, idempotency_key: None, part: 0 }
    }
}

impl Hub {
    /// Creates one job. The answer says whether an existing job with the same dedupe key was returned instead.
    ///
    /// # Errors
    /// Fails if the definition, payload, target or a number is invalid.
    pub async fn job_create(&self, maker: &Maker, request: JobRequest) -> Result<JobMade> {
        maker.by.must(Permission::JobRun)?;
        let own = self.idempotency(maker, || json!(request))?;
        let made = match self.answered(maker, own.as_ref()).await? {
            Some(made) => made,
            None => {
                self.must_have_room(maker.org, 1)?;
                let work = self.prepare(maker, &request, self.now()).await?;
                self.submit(maker, vec![work], own).await?
            }
        };
        made.into_iter().next().map(made_of).ok_or_else(|| Error::internal(anyhow::anyhow!("no job was created")))
    }

    /// Creates many jobs and returns one result per row, in order. An invalid row does not affect the others.
    ///
    /// # Errors
    /// Fails if there are too many rows or on a database error.
    pub async fn job_create_bulk(&self, maker: &Maker, requests: &[JobRequest]) -> Result<BulkMade> {
        maker.by.must(Permission::JobRun)?;
        if requests.len() > ROWS_MAX {
            return Err(Error::new(Code::BodyTooLarge, format!("an array can have at most {ROWS_MAX} rows"))
                .hint("send them as NDJSON, one request per line"));
        }
        let own = self.idempotency(maker, || json!(requests))?;
        if let Some(made) = self.answered(maker, own.as_ref()).await?.filter(|made| made.len() == requests.len()) {
            return Ok(bulk_of(made.into_iter().map(made_of).collect()));
        }
        self.must_have_room(maker.org, requests.len())?;
        // A request with an idempotency key stores one answer, so it is written as a whole. A long request without a
        // key is written while it is still being checked. Not on SQLite: its one writer would be blocked meanwhile. Not
        // behind a pooler: the check may have to read, and the open transaction may have the only server connection.
        let is_long = requests.len() > PART_ROWS
            && self.store.kind() == store::Kind::Postgres
            && !self.store.is_pooled()
            && requests.iter().all(is_checked_here);
        let (refusals, made) = if own.is_none() && is_long {
            self.make_in_parts(maker, requests).await?
        } else {
            let (refusals, work) = self.prepare_all(maker, requests).await?;
            let made = if work.is_empty() { Vec::new() } else { self.submit(maker, work, own).await? };
            (refusals, made)
        };
        let mut made = made.into_iter();
        let results = refusals.into_iter().map(|refused| match refused {
            Some(problem) => JobMade { id: None, deduplicated: false, error: Some(problem) },
            None => made.next().map_or(JobMade { id: None, deduplicated: false, error: None }, made_of),
        });
        Ok(bulk_of(results.collect()))
    }

    /// Validates rows. Returns an optional problem per row, and the jobs of the valid rows.
    async fn prepare_all(&self, maker: &Maker, requests: &[JobRequest]) -> Result<(Vec<Option<Problem>>, Vec<NewJob>)> {
        let (mut refusals, mut work) = (Vec::with_capacity(requests.len()), Vec::with_capacity(requests.len()));
        // One time for all rows, so that all become due at the same time and keep their order.
        let now = self.now();
        for request in requests {
            match self.prepare(maker, request, now).await {
                Ok(one) => {
                    work.push(one);
                    refusals.push(None);
                }
                Err(error) if error.code().status() < 500 => refusals.push(Some(*error.problem)),
                Err(error) => return Err(error),
            }
        }
        Ok((refusals, work))
    }

    /// Writes a long request in one transaction while its later rows are still being checked.
    async fn make_in_parts(
        &self,
        maker: &Maker,
        requests: &[JobRequest],
    ) -> Result<(Vec<Option<Problem>>, Vec<Enqueued>)> {
        let mut refusals = Vec::with_capacity(requests.len());
        let refused = &mut refusals;
        let made = self.queue.enqueuer.submit_parts(self, |parts| async move {
            let mut whole = Summary::default();
            for some in requests.chunks(PART_ROWS) {
                let (refusals, work) = self.prepare_all(maker, some).await?;
                refused.extend(refusals);
                whole.add(&work);
                // The receiver is gone: the write has failed and reports its own error.
                if parts.send(Part::Jobs(work)).await.is_err() {
                    return Ok(());
                }
            }
            let _ = parts.send(Part::End(self.created_row(maker, &whole).map(Box::new))).await;
            Ok(())
        });
        let made = made.await?;
        self.count_queued(maker.org, &made);
        Ok((refusals, made))
    }

    /// Rejects jobs above the organization's limit of queued jobs. The cached depth is slightly old, so a burst over
    /// several hubs can exceed the limit a little.
    fn must_have_room(&self, org: OrgId, count: usize) -> Result<()> {
        let (queued, max) = (self.queue.queue_depth.get(org), self.options.max_queued);
        if queued.saturating_add(i64::try_from(count).unwrap_or(i64::MAX)) <= max {
            return Ok(());
        }
        Err(Error::new(Code::QueueFull, format!("the queue is full: {queued} of at most {max} jobs are waiting"))
            .hint("wait until some have finished, or raise the hub's setting `hub.max_queued`")
            .retry_after(ROOM_AGAIN))
    }

    async fn submit(&self, maker: &Maker, jobs: Vec<NewJob>, own: Option<Idempotency>) -> Result<Vec<Enqueued>> {
        let made = self.queue.enqueuer.submit(self.request(maker, jobs, own)).await?;
        self.count_queued(maker.org, &made);
        Ok(made)
    }

    fn count_queued(&self, org: OrgId, made: &[Enqueued]) {
        let new = made.iter().filter(|made| matches!(made, Enqueued::New(_))).count();
        self.queue.queue_depth.add(org, i64::try_from(new).unwrap_or(0));
    }

    /// The caller's idempotency key, with the hash of the request it was used for.
    fn idempotency(&self, maker: &Maker, request: impl FnOnce() -> Value) -> Result<Option<Idempotency>> {
        let Some(key) = &maker.idempotency_key else { return Ok(None) };
        check_key("Idempotency-Key", key)?;
        let key = if maker.part == 0 { key.clone() } else { format!("{key} #{}", maker.part) };
        Ok(Some(Idempotency { key, hash: request_hash(&request()), until: self.now() + IDEMPOTENT_FOR }))
    }

    /// The stored answer to the same request. It is returned even if the request would be rejected now.
    async fn answered(&self, maker: &Maker, own: Option<&Idempotency>) -> Result<Option<Vec<Enqueued>>> {
        let Some(own) = own.cloned() else { return Ok(None) };
        let (org, now) = (maker.org, self.now());
        self.store.read(move |tx| Box::pin(async move { own.answered(tx, org, now).await })).await?.transpose()
    }

    fn request(&self, maker: &Maker, jobs: Vec<NewJob>, idempotency: Option<Idempotency>) -> EnqueueRequest {
        let mut whole = Summary::default();
        whole.add(&jobs);
        let audit = self.created_row(maker, &whole);
        EnqueueRequest { jobs, audit, idempotency }
    }

    /// Builds an enqueue request for tests.
    #[cfg(test)]
    pub(crate) async fn enqueue_request(&self, maker: &Maker, requests: &[JobRequest]) -> Result<EnqueueRequest> {
        let (_, work) = self.prepare_all(maker, requests).await?;
        Ok(self.request(maker, work, None))
    }

    /// The one audit entry for the whole request.
    fn created_row(&self, maker: &Maker, whole: &Summary) -> Option<AuditRow> {
        let (first, last) = (whole.first.as_ref()?, whole.last?);
        let actor = &maker.by.caller.actor;
        let diff = if whole.count == 1 {
            json!({"definition": [null, whole.keys[0]], "target": [null, first.target]})
        } else {
            json!({"count": [null, whole.count], "definitions": [null, whole.keys], "last": [null, last]})
        };
        Some(AuditRow {
            id: self.ids.next(),
            org: Some(maker.org),
            at: self.now(),
            actor_kind: actor.kind(),
            actor_id: actor.id_text(),
            actor_name: actor.label(),
            address: Some(maker.by.address.clone()),
            action: "job.created".to_owned(),
            subject_kind: "job".to_owned(),
            subject_id: Some(first.id.to_string()),
            subject_name: Some(whole.keys[0].to_string()),
            diff: diff.to_string(),
            request_id: Some(maker.by.request_id.clone()),
        })
    }

    /// Validates a request and builds the job to insert.
    async fn prepare(&self, maker: &Maker, request: &JobRequest, now: Timestamp) -> Result<NewJob> {
        let slug = self.org_slug(maker.org).await?;
        let compiled = self.definition_for(&slug, &request.definition_key).await?;
        let definition = &compiled.definition;
        let payload = checked_payload(&compiled, &request.payload)?;
        self.secrets_needed(maker.org, &compiled).await?;
        if let Some(op) = ServerOp::of_definition(definition.id) {
            return self.prepare_for_server(maker, request, &compiled, op, now).await;
        }
        let target = self.target(maker.org, &compiled, request).await?;
        let times = Times::of(request, now)?;
        for (name, key) in [
            ("dedupe_key", &request.dedupe_key),
            ("limit_key", &request.limit_key),
            ("correlation_id", &request.correlation_id),
        ] {
            key.as_ref().map_or(Ok(()), |key| check_key(name, key))?;
        }
        let on_lost = definition.on_lost(target.is_bound());
        let limit_key = request.limit_key.clone().unwrap_or_default();
        let lane = LaneKey { org: maker.org, target, definition: definition.id, limit_key };
        let id = self.ids.next();
        let (payload, sealed) = self.payload_sealed(maker.org, id, &compiled, payload).await?;
        let row = JobRow {
            id,
            org_id: maker.org,
            definition_id: definition.id,
            definition_version: definition.version,
            // Set when the job is inserted.
            lane_id: domain::LaneId::from_bytes([0; 16]),
            source: Source::Manual,
            source_ref: None,
            priority: checked_priority(request.priority.unwrap_or(PRIORITY))?,
            payload,
            sealed,
            dedupe_key: request.dedupe_key.clone(),
            correlation_id: request.correlation_id.clone(),
            scheduled_for: times.scheduled_for,
            expires_at: times.expires_at,
            max_attempts: attempts(request, definition.max_attempts)?,
            timeout: timeout(request, definition.timeout_seconds)?,
            on_lost,
            created_by: maker.by.caller.actor.label(),
            queued_at: now,
        };
        let definition_key = definition.key.as_str().into();
        Ok(NewJob { row, lane, definition_key, dedupe_until: times.dedupe_until, server: None })
    }

    /// Like `prepare`, for an operation on a server: the target is the server's host, one operation at a time.
    async fn prepare_for_server(
        &self,
        maker: &Maker,
        request: &JobRequest,
        compiled: &Compiled,
        op: ServerOp,
        now: Timestamp,
    ) -> Result<NewJob> {
        let definition = &compiled.definition;
        let named = request.payload.get("server").and_then(Value::as_str).unwrap_or_default();
        let server = self.server_named(maker.org, named).await?;
        self.require_primary_hub(&server).await?;
        if request.limit_key.is_some() || request.dedupe_key.is_some() {
            return Err(Error::invalid("leave out `limit_key` and `dedupe_key`: server jobs set their own"));
        }
        if request.host.is_some() || request.target.is_some() {
            let asked = self.target(maker.org, compiled, request).await?;
            if asked != Target::Host(server.host_id) {
                let detail = format!("the server {} is on another host; leave out `host` and `target`", server.name);
                return Err(Error::new(Code::InvalidValue, detail));
            }
        }
        request.correlation_id.as_ref().map_or(Ok(()), |key| check_key("correlation_id", key))?;
        let times = Times::of(request, now)?;
        let target = Target::Host(server.host_id);
        let row = JobRow {
            id: self.ids.next(),
            org_id: maker.org,
            definition_id: definition.id,
            definition_version: definition.version,
            lane_id: domain::LaneId::from_bytes([0; 16]),
            source: Source::Manual,
            source_ref: None,
            priority: checked_priority(request.priority.unwrap_or(PRIORITY))?,
            payload: json!({"server": server.id}),
            sealed: None,
            dedupe_key: Some(dedupe_key(server.id, op)),
            correlation_id: request.correlation_id.clone(),
            scheduled_for: times.scheduled_for,
            expires_at: times.expires_at,
            max_attempts: attempts(request, definition.max_attempts)?,
            timeout: timeout(request, definition.timeout_seconds)?,
            on_lost: definition.on_lost(true),
            created_by: maker.by.caller.actor.label(),
            queued_at: now,
        };
        let lane = LaneKey { org: maker.org, target, definition: definition.id, limit_key: limit_key(server.id) };
        let server = Some((server.id, op));
        Ok(NewJob { row, lane, definition_key: op.key().into(), dedupe_until: now, server })
    }

    /// Returns the slug of an organization, from a cache: it never changes.
    pub(crate) async fn org_slug(&self, org: OrgId) -> Result<Arc<str>> {
        if let Some(slug) = self.queue.org_slugs.get(org) {
            return Ok(slug);
        }
        let found =
            self.store.read(move |tx| Box::pin(async move { tx.org_get(org).await.map_err(Error::from) })).await?;
        let slug: Arc<str> = found.ok_or_else(|| Error::not_found("org", org))?.slug.into();
        self.queue.org_slugs.keep(org, slug.clone());
        Ok(slug)
    }

    /// Returns the newest version of a definition if this organization may use it and it is enabled.
    pub(crate) async fn definition_for(&self, slug: &str, key: &str) -> Result<Arc<Compiled>> {
        let found = self.queue.definitions.newest(self, key).await?;
        let compiled = found.filter(|compiled| compiled.definition.is_for(slug)).ok_or_else(|| {
            Error::not_found("definition", key.chars().take(100).collect::<String>())
                .hint("`hostler def list` lists the definitions")
        })?;
        if !compiled.definition.is_active {
            return Err(Error::new(Code::DefinitionDisabled, format!("the definition `{key}` is disabled"))
                .hint(format!("a super admin can enable it: hostler def enable {key}")));
        }
        Ok(compiled)
    }

    async fn target(&self, org: OrgId, compiled: &Compiled, request: &JobRequest) -> Result<Target> {
        let asked = match (&request.host, &request.target) {
            (Some(_), Some(_)) => return Err(Error::invalid("give either `host` or `target`, not both")),
            (Some(host), None) => Cow::Owned(JobTarget { host: Some(host.clone()), ..JobTarget::default() }),
            (None, Some(target)) => Cow::Borrowed(target),
            (None, None) => Cow::Owned(JobTarget::default()),
        };
        self.resolve(org, compiled, &asked).await
    }

    /// Resolves where a job runs. Without a target in the request, the definition's own applies.
    pub(crate) async fn resolve(&self, org: OrgId, compiled: &Compiled, asked: &JobTarget) -> Result<Target> {
        match place(compiled, asked)? {
            Ok(target) => Ok(target),
            Err(host) => {
                let name = host.clone();
                let found =
                    self.store.read(move |tx| Box::pin(async move { host_named(tx, org, &name).await })).await?;
                bound(compiled, &host, found)
            }
        }
    }

    /// Resolves the host that a target names.
    pub(crate) async fn host_of_target(&self, org: OrgId, asked: &JobTarget) -> Result<HostId> {
        let host = asked.host.clone().unwrap_or_default();
        let wanted = host.clone();
        let found = self.store.read(move |tx| Box::pin(async move { host_named(tx, org, &wanted).await })).await?;
        Ok(known(&host, found)?.0)
    }

    /// Rejects a target that no job could have.
    pub(crate) async fn check_target(&self, org: OrgId, asked: &JobTarget) -> Result<()> {
        let named = [&asked.host, &asked.queue, &asked.selector].into_iter().flatten().count();
        if named != 1 {
            return Err(Error::invalid("a target needs one of `host`, `queue` or `selector`"));
        }
        if let Some(queue) = &asked.queue {
            name::check(queue)?;
        }
        if let Some(selector) = &asked.selector {
            selector.parse::<domain::Selector>()?;
        }
        if let Some(host) = asked.host.clone() {
            let wanted = host.clone();
            let found = self.store.read(move |tx| Box::pin(async move { host_named(tx, org, &wanted).await })).await?;
            known(&host, found)?;
        }
        Ok(())
    }
}

/// Like [`Hub::resolve`], inside a transaction.
pub(crate) async fn target_in(tx: &mut Tx<'_>, org: OrgId, compiled: &Compiled, asked: &JobTarget) -> Result<Target> {
    match place(compiled, asked)? {
        Ok(target) => Ok(target),
        Err(host) => {
            let found = host_named(tx, org, &host).await?;
            bound(compiled, &host, found)
        }
    }
}

/// Resolves a target without the store. A named host is returned as `Err`, because it must be looked up.
fn place(compiled: &Compiled, asked: &JobTarget) -> Result<std::result::Result<Target, String>> {
    let definition = &compiled.definition;
    Ok(match (&asked.host, &asked.queue, &asked.selector) {
        (None, None, None) => Ok(match &definition.selector {
            Some(selector) => Target::Selector(selector.selector().clone()),
            None => Target::Queue(definition.queue.clone()),
        }),
        (Some(host), None, None) => Err(host.clone()),
        (None, Some(queue), None) => {
            name::check(queue)?;
            Ok(Target::Queue(queue.clone()))
        }
        (None, None, Some(selector)) => Ok(Target::Selector(selector.parse()?)),
        _ => return Err(Error::invalid("a target takes only one of `host`, `queue` and `selector`")),
    })
}

type FoundHost = Option<HostFor>;

async fn host_named(tx: &mut Tx<'_>, org: OrgId, wanted: &str) -> Result<FoundHost> {
    Ok(match wanted.parse() {
        Ok(id) => tx.host_for(org, id).await?,
        Err(_) => tx.host_for_by_name(org, wanted).await?,
    })
}

fn known(host: &str, found: FoundHost) -> Result<(HostId, Labels)> {
    let found = found.filter(|found| found.revoked_at.is_none()).ok_or_else(|| {
        Error::not_found("host", host.chars().take(100).collect::<String>()).hint("`hostler host list` lists the hosts")
    })?;
    if let Some(primary) = found.primary_hub {
        return Err(Error::new(
            Code::NotPrimary,
            format!("{primary} is the primary hub of {host}; this hub is a mirror"),
        )
        .hint(format!("use that hub: hostler --hub {primary} …; if it is gone: hostler hub promote")));
    }
    Ok((found.id, found.labels))
}

/// The host a job is bound to. Fails if the host does not match the definition's selector.
fn bound(compiled: &Compiled, host: &str, found: FoundHost) -> Result<Target> {
    let (id, labels) = known(host, found)?;
    match &compiled.definition.selector {
        Some(selector) if !selector.selector().matches(&labels) => Err(Error::invalid(format!(
            "the definition `{}` runs only on hosts that match {}, and {host} does not",
            compiled.definition.key,
            selector.selector()
        ))),
        _ => Ok(Target::Host(id)),
    }
}

/// Whether a request can be validated without the store. The transaction of `make_in_parts` is open meanwhile, and
/// reads inside it would block other writers.
fn is_checked_here(request: &JobRequest) -> bool {
    let names_host = request.host.is_some() || request.target.as_ref().is_some_and(|target| target.host.is_some());
    !names_host && ServerOp::of_key(&request.definition_key).is_none()
}

fn made_of(made: Enqueued) -> JobMade {
    match made {
        Enqueued::New(id) => JobMade { id: Some(id), deduplicated: false, error: None },
        Enqueued::Duplicate(id) => JobMade { id: Some(id), deduplicated: true, error: None },
    }
}

/// Sums up the results of a bulk request.
pub(crate) fn bulk_of(results: Vec<JobMade>) -> BulkMade {
    let refused = results.iter().filter(|row| row.error.is_some()).count() as u64;
    let created = results.iter().filter(|row| row.id.is_some() && !row.deduplicated).count() as u64;
    BulkMade { created, refused, results }
}

fn request_hash(request: &Value) -> [u8; 32] {
    Sha256::digest(request.to_string().as_bytes()).into()
}

/// Validates a dedupe, limit, correlation or idempotency key.
pub(crate) fn check_key(name: &str, key: &str) -> Result<()> {
    if key.is_empty() || key.chars().count() > KEY_CHARS_MAX || key.contains(char::is_control) {
        return Err(Error::invalid(format!(
            "`{name}` must have 1 to {KEY_CHARS_MAX} characters and no control characters"
        )));
    }
    Ok(())
}

fn ranged<T: PartialOrd + std::fmt::Display>(name: &str, value: T, range: &std::ops::RangeInclusive<T>) -> Result<T> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(Error::invalid(format!("`{name}` must be between {} and {}, not {value}", range.start(), range.end())))
}

/// Validates a priority from a request.
pub(crate) fn checked_priority(priority: i32) -> Result<i32> {
    ranged("priority", priority, &PRIORITIES)
}

fn attempts(request: &JobRequest, of_definition: u32) -> Result<i32> {
    let attempts =
        ranged("max_attempts", request.max_attempts.unwrap_or(of_definition), &domain::definition::MAX_ATTEMPTS)?;
    Ok(i32::try_from(attempts).unwrap_or(1))
}

fn timeout(request: &JobRequest, of_definition: u32) -> Result<Span> {
    let seconds = request.timeout_seconds.unwrap_or(of_definition);
    ranged("timeout_seconds", seconds, &domain::definition::TIMEOUT_SECONDS).map(Span::from_secs)
}

/// Validates a payload, fills in its defaults, and checks that it renders to arguments.
pub(crate) fn checked_payload(compiled: &Compiled, payload: &Value) -> Result<Value> {
    let refuse = |faults: Vec<Violation>| {
        let first = faults.first().map(|fault| format!(": {fault}")).unwrap_or_default();
        let detail = format!("invalid payload for the definition `{}`{first}", compiled.definition.key);
        Err(Error::new(Code::PayloadInvalid, detail).faults(faults))
    };
    let payload = if payload.is_null() { json!({}) } else { payload.clone() };
    if let Err(violation) = check_payload(&payload) {
        return refuse(vec![violation]);
    }
    let payload = compiled.schema.with_defaults(payload);
    let faults = compiled.schema.concealed(&payload);
    if !faults.is_empty() {
        return refuse(faults);
    }
    let faults = compiled.schema.check(&payload);
    if !faults.is_empty() {
        return refuse(faults);
    }
    // Reject here what cannot become an argument, not later on the host.
    match compiled.definition.argv.render(&payload, &ANY_RUN) {
        Ok(_) => Ok(payload),
        Err(faults) => refuse(faults),
    }
}

struct Times {
    scheduled_for: Timestamp,
    expires_at: Option<Timestamp>,
    dedupe_until: Timestamp,
}

impl Times {
    fn of(request: &JobRequest, now: Timestamp) -> Result<Self> {
        // A time in the past means now.
        let scheduled_for = request.scheduled_for.unwrap_or(now).max(now);
        if scheduled_for > now + AHEAD_MAX {
            return Err(Error::invalid("`scheduled_for` is too far in the future"));
        }
        if let Some(expires) = request.expires_at
            && expires <= scheduled_for
        {
            return Err(Error::invalid("`expires_at` must be after `scheduled_for`"));
        }
        let window = request.dedupe_window_seconds.unwrap_or(0);
        if window > WINDOW_MAX {
            return Err(Error::invalid(format!("`dedupe_window_seconds` must be at most {WINDOW_MAX}")));
        }
        if window > 0 && request.dedupe_key.is_none() {
            return Err(Error::invalid("`dedupe_window_seconds` needs a `dedupe_key`"));
        }
        Ok(Self { scheduled_for, expires_at: request.expires_at, dedupe_until: now + Span::from_secs(window) })
    }
}
