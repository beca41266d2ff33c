//! Fixture of the queue's tests: a hub with a host that two orgs share, with an open session and without a runner.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use domain::{
    Actor, Caller, HostId, JobId, OrgId, Role, Span,
    claim::Share,
    job::{JobStatus, RunStatus},
    role::Scope,
    secret::SecretHash,
};
use proto::{
    api::{
        host::{HostPatch, HostShareRequest, JoinTokenRequest},
        job::JobRequest,
    },
    link::{Bytes32, JoinRequest},
    metrics::Machine,
    work::{Grant, RunRef, RunResult},
};
use runtime::{Clock, FakeClock};
use serde_json::{Value, json};
use store::{
    insert::{Lease, RunKey},
    session::NewSession,
};
use testkit::TestDb;

use super::{
    cache::lanes,
    claim::{ClaimRequest, Claimant},
    dispatch::{claim_loop::claim_for_worker, finish_and_claim::finish_all},
    finish::Report,
};
use crate::{
    Hub, Options,
    app::{RequestContext, jobs::Maker},
    link::work::settle,
};

pub(crate) fn local() -> RequestContext {
    let caller = Caller { actor: Actor::Local { uid: 0 }, org: None, role: Some(Role::SuperAdmin), scope: Scope::Api };
    RequestContext::new(caller, "test", "test")
}

/// The public key of the key pair with this seed.
fn strong_key(seed: [u8; 32]) -> Bytes32 {
    Bytes32(ed25519_dalek::SigningKey::from_bytes(&seed).verifying_key().to_bytes())
}

/// Adds a host with this number of slots and an open session. Returns its id and the epoch of the session.
async fn host(hub: &Hub, org: OrgId, name: &str, slots: i32) -> (HostId, i64) {
    let token = hub.join_token_create(&local(), org, JoinTokenRequest::default()).await.expect("a token");
    let request = JoinRequest {
        token: token.secret,
        public_key: strong_key(hub.random.bytes()),
        name: name.into(),
        always_on: None,
        machine: Machine::default(),
        runner_version: "0.1.0".into(),
        nonce: Bytes32([7; 32]),
        host_id: None,
        is_bound: false,
    };
    let host = hub.join(&local(), request).await.expect("joins").host_id;
    let patch = HostPatch { max_running: Some(Some(slots)), ..HostPatch::default() };
    hub.host_update(&local(), org, name, patch).await.expect("sets");
    let epoch = open_session(hub, host).await;
    (host, epoch)
}

/// Opens a session of a host that serves the default queue. Returns its epoch.
async fn open_session(hub: &Hub, host: HostId) -> i64 {
    let session = NewSession {
        host_id: host,
        hub_id: hub.id,
        token_hash: SecretHash(hub.random.bytes()),
        incarnation: "test".into(),
        boot_id: "test".into(),
        runner_version: "0.1.0".into(),
        address: "test".into(),
        clock_skew_ms: 0,
    };
    let now = hub.now();
    let open = hub.store.write(move |tx| {
        Box::pin(async move {
            let epoch = tx.host_session_open(&session, now).await?;
            tx.holder_put(host.into(), epoch).await?;
            tx.host_queues_set(host, &["default".to_owned()]).await?;
            lanes::rewrite(tx, host).await?;
            if let Some(view) = tx.host_anywhere(host).await? {
                tx.host_update(&store::host::Host { has_servers: true, ..view.host }).await?;
            }
            Ok::<_, crate::Error>(epoch)
        })
    });
    open.await.expect("opens")
}

/// Options for a clock that advances by hours while no runner sends heartbeats.
fn options() -> Options {
    Options { lost_after: Span::from_secs(1_000_000), ..Options::default() }
}

/// A hub with two orgs and a host that both use.
pub(crate) struct TestQueue {
    pub(crate) hub: Hub,
    pub(crate) clock: FakeClock,
    pub(crate) acme: OrgId,
    pub(crate) beta: OrgId,
    pub(crate) host: HostId,
    pub(crate) epoch: i64,
    /// Removed when the fixture is dropped.
    _db: TestDb,
}

impl TestQueue {
    pub(crate) async fn new(db: TestDb, slots: i32) -> Self {
        let clock = FakeClock::at(Clock::system().now());
        let hub = Hub::open(db.store.clone(), options(), clock.clock()).await.expect("opens");
        let mut orgs = Vec::new();
        for slug in ["acme", "beta"] {
            let request = serde_json::from_value(json!({"slug": slug})).expect("a request");
            orgs.push(hub.org_create(&local(), request).await.expect("makes").id);
        }
        let (acme, beta) = (orgs[0], orgs[1]);
        let (host, epoch) = host(&hub, acme, "web-1", slots).await;
        let share = HostShareRequest { org: "beta".into() };
        hub.host_share(&local(), acme, "web-1", share).await.expect("shares");
        Self { hub, clock, acme, beta, host, epoch, _db: db }
    }

    /// Opens a new session of a host. Returns its epoch.
    pub(crate) async fn open_session(&self, host: HostId) -> i64 {
        open_session(&self.hub, host).await
    }

    /// Receives the inventory of a session.
    pub(crate) async fn inventory(&self, host: HostId, epoch: i64, runs: Vec<RunRef>) {
        let hub = self.hub.clone();
        let settled =
            self.hub.store.write(move |tx| Box::pin(async move { settle(&hub, tx, host.into(), epoch, &runs).await }));
        settled.await.expect("settles").effects.after_commit(&self.hub);
    }

    /// Replaces the hub by a new process on the same database, as after a kill.
    pub(crate) async fn replace_hub(&mut self) {
        let new = Hub::open(self.hub.store.clone(), options(), self.clock.clock()).await.expect("opens");
        let old = std::mem::replace(&mut self.hub, new);
        old.loops.stop(Duration::ZERO).await;
        old.tasks.stop(Duration::ZERO).await;
    }

    /// Adds a host of the first org.
    pub(crate) async fn another(&self, name: &str, slots: i32) -> (HostId, i64) {
        host(&self.hub, self.acme, name, slots).await
    }

    pub(crate) async fn enqueue(&self, org: OrgId, count: usize) {
        self.enqueue_as(org, count, json!({"definition_key": "hello", "priority": 1})).await;
    }

    /// Enqueues equal jobs.
    pub(crate) async fn enqueue_as(&self, org: OrgId, count: usize, request: Value) {
        let maker = Maker::new(local(), org);
        let request: JobRequest = serde_json::from_value(request).expect("a request");
        let made = self.hub.job_create_bulk(&maker, &vec![request; count]).await.expect("makes");
        assert_eq!(made.results.iter().filter(|made| made.id.is_some()).count(), count);
    }

    pub(crate) async fn claim(&self) -> Vec<Grant> {
        self.claim_for((self.host, self.epoch), 100).await
    }

    /// Claims for a host in its session.
    pub(crate) async fn claim_for(&self, (host, epoch): (HostId, i64), capacity: u32) -> Vec<Grant> {
        let request = ClaimRequest { claimant: Claimant::Host(host), epoch, capacity };
        claim_for_worker(&self.hub, request).await.expect("claims").grants
    }

    /// Finishes a run successfully after this time.
    pub(crate) async fn end(&self, grant: &Grant, after: Span) {
        self.end_as(grant, after, RunStatus::Succeeded).await;
    }

    /// Finishes a run with this status after this time.
    pub(crate) async fn end_as(&self, grant: &Grant, after: Span, status: RunStatus) {
        self.clock.advance(after);
        let key = RunKey { job_id: grant.job, fence: grant.fence, holder_id: self.host.into(), epoch: self.epoch };
        let result = RunResult::new(grant.job, grant.fence, status);
        let report = Report { key, result, clock_offset_ms: 0, host: Some(self.host), is_forced: false };
        assert_eq!(finish_all(&self.hub, vec![Arc::new(vec![report])]).await.expect("ends"), [true]);
    }

    /// The status of a job of the first org.
    pub(crate) async fn status(&self, job: JobId) -> JobStatus {
        let org = self.acme;
        let read = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.job_get(org, job).await.map_err(crate::Error::from) }));
        read.await.expect("reads").expect("exists").status
    }

    /// The leases of a host.
    pub(crate) async fn held(&self, host: HostId) -> Vec<Lease> {
        let write = self.hub.store.write(move |tx| {
            Box::pin(async move { tx.leases_of_holder(host.into()).await.map_err(crate::Error::from) })
        });
        write.await.expect("reads")
    }

    /// Number of running jobs of a host.
    pub(crate) async fn running(&self, host: HostId) -> i32 {
        let read = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.holder_get(host.into()).await.map_err(crate::Error::from) }));
        read.await.expect("reads").expect("exists").0
    }

    pub(crate) async fn used(&self) -> BTreeMap<OrgId, Share> {
        let host = self.host;
        let read = self
            .hub
            .store
            .read(move |tx| Box::pin(async move { tx.host_usage(host).await.map_err(crate::Error::from) }));
        read.await.expect("reads").into_iter().collect()
    }
}
