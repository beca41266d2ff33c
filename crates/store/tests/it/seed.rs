//! Rows that tests start from.

use domain::{
    DefinitionId, FromHost, HolderId, HostId, HostSender, Labels, LaneId, OrgId, Role, Span, Timestamp, UserId,
    id::IdSource,
    job::{EndReason, JobStatus, OnLost, RunStatus, Source},
    lane::{LaneKey, Target},
    secret::SecretHash,
};
use serde_json::json;
use std::sync::{Mutex, OnceLock};
use store::{
    Result, Store,
    claim::{ClaimedJob, LaneCapacity, NewLease},
    definition::Definition,
    host::Host,
    insert::{EndedRun, Lease, NewJob, Outcome, Place},
    org::Org,
    user::User,
};

/// Runs a closure in a write transaction.
#[macro_export]
macro_rules! writes {
    ($store:expr, |$tx:ident| $body:expr) => {
        $store
            .write(move |$tx| {
                Box::pin(async move {
                    let value: store::Result<_> = $body;
                    value
                })
            })
            .await
    };
}

/// Runs a closure in a read transaction and unwraps its result.
#[macro_export]
macro_rules! reads {
    ($store:expr, |$tx:ident| $body:expr) => {
        $store
            .read(move |$tx| {
                Box::pin(async move {
                    let value: store::Result<_> = $body;
                    value
                })
            })
            .await
            .expect("the read succeeds")
    };
}

/// A fixed time; tests add to it.
pub(crate) const T0: Timestamp = Timestamp::from_micros(1_700_000_000_123_456);

pub(crate) fn at(secs: u32) -> Timestamp {
    T0 + Span::from_secs(secs)
}

pub(crate) fn id<K>() -> domain::Id<K> {
    static SOURCE: OnceLock<Mutex<IdSource>> = OnceLock::new();
    SOURCE.get_or_init(Mutex::default).lock().expect("no panic while held").next(T0, 1)
}

pub(crate) fn hash(byte: u8) -> SecretHash {
    SecretHash([byte; 32])
}

pub(crate) fn org(slug: &str) -> Org {
    Org {
        id: id(),
        slug: slug.into(),
        name: slug.to_uppercase(),
        timezone: "Europe/Berlin".into(),
        offline_after_ms: Span::from_secs(90),
        alert_after_ms: Span::from_secs(900),
        keep_succeeded_ms: None,
        keep_failed_ms: None,
        keep_dead_letter_ms: None,
        keep_canceled_ms: None,
        created_at: T0,
        updated_at: T0,
    }
}

pub(crate) fn user(email: &str) -> User {
    User {
        id: id(),
        email: email.into(),
        name: "Ana".into(),
        password_hash: None,
        is_super: false,
        is_disabled: false,
        email_verified_at: Some(T0),
        authz_version: 1,
        created_at: T0,
        updated_at: T0,
    }
}

pub(crate) fn host(org: OrgId, name: &str) -> Host {
    Host {
        id: id(),
        org_id: org,
        name: name.into(),
        is_named_by_person: false,
        labels: Labels::try_from(std::collections::BTreeMap::from([("env".to_owned(), "prod".to_owned())]))
            .expect("valid"),
        always_on: true,
        machine: serde_json::json!({"os": "linux", "cores": 4}),
        max_running: Some(1),
        jobs_per_minute: None,
        offline_after: None,
        alert_after: Some(Span::from_secs(60)),
        pause: None,
        degrade: None,
        key_version: 1,
        key_version_wanted: None,
        revoked_at: None,
        join_token_id: None,
        primary_hub: None,
        has_standalone: false,
        has_servers: false,
        queues: domain::lane::QueueNames::default(),
        created_at: T0,
        updated_at: T0,
    }
}

/// An org with an admin and a host.
pub(crate) async fn world(store: &Store, slug: &str) -> (OrgId, UserId, HostId) {
    let (org, user) = (org(slug), user(&format!("ana@{slug}.example")));
    let host = host(org.id, "web-1");
    let ids = (org.id, user.id, host.id);
    let written: Result<()> = store
        .write(move |tx| {
            Box::pin(async move {
                tx.org_insert(&org).await?;
                tx.user_insert(&user).await?;
                tx.member_put(org.id, user.id, Role::Admin, T0).await?;
                tx.host_insert(&host).await
            })
        })
        .await;
    written.expect("inserts the organization");
    ids
}

pub(crate) fn definition(key: &str) -> Definition {
    Definition {
        id: id(),
        key: key.into(),
        version: 1,
        is_active: true,
        body: json!({"argv": ["true"]}),
        created_by: "ana".into(),
        created_at: T0,
        updated_at: T0,
    }
}

/// An organization with a host that serves the lane of the queue `default`, and the host's first session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yard {
    pub(crate) org: OrgId,
    pub(crate) host: HostId,
    pub(crate) holder: HolderId,
    pub(crate) epoch: i64,
    pub(crate) definition: DefinitionId,
    pub(crate) lane: LaneId,
}

impl Yard {
    /// The session of its host.
    pub(crate) fn sender(&self) -> HostSender {
        HostSender::proven(self.host, self.org, self.epoch)
    }

    /// A value that its host has sent.
    pub(crate) fn sent<T>(&self, value: T) -> FromHost<T> {
        FromHost::new(self.sender(), value)
    }
}

pub(crate) async fn yard(store: &Store, slug: &str) -> Yard {
    let (org, _, host) = world(store, slug).await;
    yard_of(store, slug, org, host).await
}

/// A definition and its lane for a host.
pub(crate) async fn yard_of(store: &Store, slug: &str, org: OrgId, host: HostId) -> Yard {
    let new = definition(&format!("deploy-{slug}"));
    let lane = id();
    let yard = Yard { org, host, holder: host.into(), epoch: 1, definition: new.id, lane };
    let key = lane_key(org, new.id, "default");
    let written: Result<LaneId> = writes!(store, |tx| {
        assert!(tx.definition_put(&new, T0).await?);
        tx.host_queues_set(host, &["default".to_owned()]).await?;
        let lane = tx.lane_put(&key, lane, T0).await?;
        tx.host_lanes_set(host, &[lane]).await?;
        tx.holder_put(host.into(), 1).await?;
        Ok(lane)
    });
    assert_eq!(written.expect("inserts the yard"), lane);
    yard
}

pub(crate) fn lane_key(org: OrgId, definition: DefinitionId, queue: &str) -> LaneKey {
    LaneKey { org, target: Target::Queue(queue.to_owned()), definition, limit_key: String::new() }
}

/// A job of a yard, due immediately.
pub(crate) fn job(yard: &Yard) -> NewJob {
    NewJob {
        id: id(),
        org_id: yard.org,
        definition_id: yard.definition,
        definition_version: 1,
        lane_id: yard.lane,
        source: Source::Manual,
        source_ref: None,
        priority: 100,
        payload: json!({"n": 1}),
        sealed: None,
        dedupe_key: None,
        correlation_id: None,
        scheduled_for: T0,
        expires_at: None,
        max_attempts: 3,
        timeout: Span::from_secs(60),
        on_lost: OnLost::Retry,
        created_by: "ana".into(),
        queued_at: T0,
    }
}

pub(crate) fn jobs(yard: &Yard, count: usize) -> Vec<NewJob> {
    (0..count).map(|_| job(yard)).collect()
}

pub(crate) fn place(job: &NewJob, fence: i32) -> Place {
    Place { job_id: job.id, lane_id: job.lane_id, priority: job.priority, due_at: job.scheduled_for, fence }
}

/// Inserts jobs and makes them claimable.
pub(crate) async fn enqueue(store: &Store, jobs: &[NewJob]) {
    let jobs = jobs.to_vec();
    let places: Vec<Place> = jobs.iter().map(|job| place(job, 0)).collect();
    writes!(store, |tx| {
        tx.job_insert(&jobs).await?;
        tx.ready_insert(&places).await
    })
    .expect("enqueues");
}

/// Claims at most `limit` jobs of a yard's lane.
pub(crate) async fn claim(store: &Store, yard: &Yard, limit: u32, now: Timestamp) -> (Vec<Lease>, Vec<ClaimedJob>) {
    let yard = *yard;
    writes!(store, |tx| {
        assert!(tx.holder_lock(yard.holder, yard.epoch, now, now - domain::Span::from_secs(300)).await?.is_some());
        let heads = tx.ready_heads(&[LaneCapacity::new(yard.lane, limit)]).await?;
        let order: Vec<_> = heads.iter().map(|head| head.job_id).collect();
        let mut leases: Vec<NewLease> = heads
            .into_iter()
            .map(|head| NewLease {
                head,
                run_id: id(),
                org_id: yard.org,
                definition_id: yard.definition,
                counted: None,
            })
            .collect();
        let claimed = tx.lease_insert(&mut leases, yard.holder, yard.epoch, now).await?;
        let mut taken = tx.leases_of_holder(yard.holder).await?;
        taken.retain(|lease| order.contains(&lease.job_id));
        taken.sort_by_key(|lease| order.iter().position(|job| *job == lease.job_id));
        Ok((taken, claimed))
    })
    .expect("claims")
}

pub(crate) fn ended(lease: &Lease, status: RunStatus, now: Timestamp) -> EndedRun {
    EndedRun {
        job_id: lease.job_id,
        no: lease.fence,
        id: lease.run_id,
        org_id: lease.org_id,
        holder_id: lease.holder_id,
        status,
        started_at: lease.started_at,
        finished_at: now,
        pid: lease.pid,
        exit_code: None,
        signal: None,
        error_text: None,
        stdout_tail: None,
        stderr_tail: None,
        output: None,
    }
}

pub(crate) fn outcome(lease: &Lease, status: JobStatus, reason: Option<EndReason>, now: Timestamp) -> Outcome {
    Outcome { job_id: lease.job_id, fence: lease.fence, org_id: lease.org_id, status, reason, finished_at: now }
}

/// Ends runs as the hub does: finds the leases, inserts runs, and outcomes for ended jobs. Returns how many reports
/// matched.
pub(crate) async fn finish(
    store: &Store,
    leases: &[Lease],
    end: (RunStatus, Option<JobStatus>),
    now: Timestamp,
) -> usize {
    let leases = leases.to_vec();
    writes!(store, |tx| {
        let keys: Vec<_> = leases.iter().map(Lease::key).collect();
        let hits = tx.lease_take(&keys).await?;
        tx.run_insert(&hits.iter().map(|lease| ended(lease, end.0, now)).collect::<Vec<_>>()).await?;
        if let Some(status) = end.1.filter(|status| *status != JobStatus::Succeeded) {
            tx.outcome_insert(&hits.iter().map(|lease| outcome(lease, status, None, now)).collect::<Vec<_>>()).await?;
        }
        Ok(hits.len())
    })
    .expect("finishes")
}
