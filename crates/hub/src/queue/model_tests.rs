//! Random histories on the queue and on a reference model that executes one operation at a time: the rows must agree.
//!
//! The model keeps plain lists and shares no code with the queue but the pure rules of `domain`: the choice of jobs, the
//! next step after a run, and the shares of orgs. It covers enqueue, claim, finish, pause, limit, share, cancel, the
//! revocation of a host, a new session with an inventory, a hub that is killed, and commits whose answer was lost.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    DefinitionId, HostId, JobId, LaneId, OrgId, Span, Timestamp,
    claim::{Candidate, LaneView, Share, Spent, choose, compare},
    job::{After, End, JobStatus, Record, RunStatus, after},
    lane::{LaneKey, Target},
    quota::Usage,
};
use proto::{
    api::{
        host::HostShareRequest,
        job::{CancelRequest, JobRequest},
        org::OrgPatch,
    },
    work::{RunRef, RunResult},
};
use serde_json::json;
use store::insert::RunKey;

use super::{
    claim::{ClaimRequest, Claimant},
    dispatch::{claim_loop::claim_for_worker, enqueue_and_claim, finish_and_claim::finish_all},
    enqueue::{EnqueueRequest, Enqueued},
    finish::Report,
    test_support::{TestQueue, local},
};
use crate::app::jobs::Maker;

/// Histories per database in the ordinary test. `HOSTLER_HISTORIES` (read at compile time) sets another number.
const HISTORIES: u64 = 4;
const OPERATIONS: usize = 50;

/// A small generator of pseudo-random numbers (splitmix64), so that a seed repeats its history.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % sides as u64).expect("is below the number of sides")
    }

    fn is_one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }
}

/// A lane of the model: an org, and a host that its jobs are bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Lane {
    org: OrgId,
    host: Option<HostId>,
}

/// Where a job is.
#[derive(Debug, Clone, PartialEq)]
enum Place {
    Ready,
    /// Until its next attempt, which these histories never reach.
    Delayed,
    Leased {
        host: HostId,
        charged_ms: Option<f64>,
        is_canceling: bool,
    },
    Over(JobStatus),
}

#[derive(Debug, Clone)]
struct ModelJob {
    id: JobId,
    lane: Lane,
    priority: i32,
    due_at: Timestamp,
    dedupe_key: Option<String>,
    fence: i32,
    attempts: u32,
    free_ends: u32,
    place: Place,
}

impl ModelJob {
    fn is_over(&self) -> bool {
        matches!(self.place, Place::Over(_))
    }

    fn status(&self) -> JobStatus {
        match self.place {
            Place::Ready | Place::Delayed => JobStatus::Queued,
            Place::Leased { .. } => JobStatus::Running,
            Place::Over(status) => status,
        }
    }
}

#[derive(Debug, Clone)]
struct ModelHost {
    id: HostId,
    slots: u32,
    orgs: BTreeSet<OrgId>,
    shares: BTreeMap<OrgId, Share>,
}

/// The reference model.
struct Model {
    now: Timestamp,
    max_attempts: u32,
    jobs: Vec<ModelJob>,
    hosts: Vec<ModelHost>,
    paused: BTreeSet<OrgId>,
    limits: BTreeMap<OrgId, u32>,
}

impl Model {
    fn job(&mut self, id: JobId) -> &mut ModelJob {
        self.jobs.iter_mut().find(|job| job.id == id).expect("is in the model")
    }

    fn host(&mut self, id: HostId) -> &mut ModelHost {
        self.hosts.iter_mut().find(|host| host.id == id).expect("is in the model")
    }

    fn running(&self, is_counted: impl Fn(&ModelJob, HostId) -> bool) -> u32 {
        let leased = |job: &&ModelJob| matches!(job.place, Place::Leased { host, .. } if is_counted(job, host));
        u32::try_from(self.jobs.iter().filter(leased).count()).expect("few")
    }

    /// Inserts a job, unless another one that is not over has its dedupe key.
    fn enqueue(&mut self, id: JobId, lane: Lane, priority: i32, dedupe_key: Option<String>) -> Enqueued {
        let holds = |job: &&ModelJob| job.lane.org == lane.org && job.dedupe_key == dedupe_key && !job.is_over();
        if let Some(holder) = self.jobs.iter().find(holds).filter(|_| dedupe_key.is_some()) {
            return Enqueued::Duplicate(holder.id);
        }
        let (due_at, place) = (self.now, Place::Ready);
        let (fence, attempts, free_ends) = (0, 0, 0);
        self.jobs.push(ModelJob { id, lane, priority, due_at, dedupe_key, fence, attempts, free_ends, place });
        Enqueued::New(id)
    }

    fn is_open(&self, host: &ModelHost, lane: Lane) -> bool {
        host.orgs.contains(&lane.org)
            && lane.host.is_none_or(|bound| bound == host.id)
            && !self.paused.contains(&lane.org)
    }

    /// Whether a job waits in an open lane of a host.
    fn is_waiting(&self, host: HostId) -> bool {
        let host = self.hosts.iter().find(|one| one.id == host).expect("is in the model");
        self.jobs.iter().any(|job| job.place == Place::Ready && self.is_open(host, job.lane))
    }

    /// Leases jobs to a host. `among` limits the choice to new jobs; `assumed` are lanes that the hub takes for open.
    fn claim(&mut self, id: HostId, capacity: u32, among: Option<&[JobId]>, assumed: &BTreeSet<Lane>) -> Vec<JobId> {
        let host = self.hosts.iter().find(|host| host.id == id).expect("is in the model").clone();
        let capacity = capacity.min(host.slots.saturating_sub(self.running(|_, at| at == id)));
        if capacity == 0 {
            return Vec::new();
        }
        let is_candidate = |job: &&ModelJob| {
            job.place == Place::Ready
                && self.is_open(&host, job.lane)
                && among.is_none_or(|jobs| jobs.contains(&job.id))
        };
        let waiting: Vec<ModelJob> = self.jobs.iter().filter(is_candidate).cloned().collect();
        let lanes: BTreeSet<Lane> = waiting.iter().map(|job| job.lane).collect();
        let open: BTreeSet<Lane> =
            lanes.iter().chain(assumed).filter(|lane| self.is_open(&host, **lane)).copied().collect();
        let lanes: Vec<Lane> = lanes.into_iter().collect();
        let limits: Vec<(OrgId, u32)> = self.limits.iter().map(|(org, most)| (*org, *most)).collect();
        let mut usages: Vec<Usage> = limits
            .iter()
            .map(|(org, most)| Usage {
                max_running: Some(*most),
                running: self.running(|job, _| job.lane.org == *org),
                ..Usage::default()
            })
            .collect();
        let views: Vec<LaneView> = lanes
            .iter()
            .map(|lane| LaneView {
                org: lane.org,
                quotas: (0..limits.len()).filter(|index| limits[*index].0 == lane.org).collect(),
            })
            .collect();
        let candidates: Vec<Candidate> = waiting
            .iter()
            .map(|job| Candidate {
                job: job.id,
                lane: lanes.iter().position(|lane| *lane == job.lane).expect("is listed"),
                priority: job.priority,
                due_at: job.due_at,
            })
            .collect();
        let is_shared = host.orgs.len() > 1;
        let mut shares = if is_shared { host.shares.clone() } else { BTreeMap::new() };
        if is_shared {
            compare(&mut shares, &open.iter().map(|lane| lane.org).collect());
        }
        let costs: BTreeMap<OrgId, f64> = shares.iter().map(|(org, share)| (*org, share.cost_ms.round())).collect();
        let chosen = choose(&candidates, &views, &mut usages, &mut shares, capacity as usize, self.now);
        if chosen.is_empty() {
            return Vec::new();
        }
        if is_shared {
            self.host(id).shares = shares;
        }
        let ids: Vec<JobId> = chosen.into_iter().map(|index| candidates[index].job).collect();
        for job in &ids {
            let job = self.job(*job);
            job.fence += 1;
            let charged_ms = costs.get(&job.lane.org).copied();
            job.place = Place::Leased { host: id, charged_ms, is_canceling: false };
        }
        ids
    }

    /// Ends runs, as one transaction does. Returns for each whether its lease exists.
    fn finish(&mut self, host: HostId, ends: &[(JobId, i32, RunStatus)], span: Span) -> Vec<bool> {
        let mut spent: BTreeMap<OrgId, Spent> = BTreeMap::new();
        let (now, max_attempts) = (self.now, self.max_attempts);
        let mut applied = Vec::new();
        for (id, fence, status) in ends {
            let job = self.job(*id);
            let Place::Leased { host: at, charged_ms, is_canceling } = job.place.clone() else {
                applied.push(false);
                continue;
            };
            if job.fence != *fence || at != host {
                applied.push(false);
                continue;
            }
            applied.push(true);
            if status.is_free() {
                job.free_ends += 1
            } else {
                job.attempts += 1
            }
            let record = Record {
                attempts: job.attempts,
                free_ends: job.free_ends,
                max_attempts,
                is_cancel_asked: is_canceling,
                is_final_exit: false,
                expires_at: None,
            };
            let delay = if *status == RunStatus::NotStarted { Span::ZERO } else { Span::from_secs(1) };
            job.place = match after(End { status: *status, exit_code: None, retry_after: None }, &record, delay, now) {
                After::Over(status, _) => Place::Over(status),
                After::Again(due_at) if due_at <= now => {
                    job.due_at = due_at;
                    Place::Ready
                }
                After::Again(_) => Place::Delayed,
            };
            if let Some(charged_ms) = charged_ms {
                let taken = (*status != RunStatus::NotStarted).then_some(span);
                spent.entry(job.lane.org).or_default().add(charged_ms, taken);
            }
        }
        for (org, spent) in spent {
            if let Some(share) = self.host(host).shares.get_mut(&org) {
                share.settle(&spent);
            }
        }
        applied
    }

    fn leased_on(&self, host: HostId) -> Vec<(JobId, i32)> {
        let is_here = |job: &&ModelJob| matches!(job.place, Place::Leased { host: at, .. } if at == host);
        self.jobs.iter().filter(is_here).map(|job| (job.id, job.fence)).collect()
    }
}

/// The queue under test beside its model.
struct Trial {
    queue: TestQueue,
    model: Model,
    /// The current session of each host that is not revoked.
    epochs: BTreeMap<HostId, i64>,
    second: HostId,
    second_name: String,
    definition: DefinitionId,
}

impl Trial {
    async fn new(db: testkit::TestDb) -> Self {
        let queue = TestQueue::new(db, 3).await;
        let second_name = "web-2".to_owned();
        let (second, epoch) = queue.another(&second_name, 2).await;
        let orgs = BTreeSet::from([queue.acme, queue.beta]);
        let shares = BTreeMap::new();
        let first = ModelHost { id: queue.host, slots: 3, orgs, shares: shares.clone() };
        let other = ModelHost { id: second, slots: 2, orgs: BTreeSet::from([queue.acme]), shares };
        let hello = queue.hub.definition_for("acme", "hello").await.expect("is built in").definition.clone();
        let model = Model {
            now: queue.hub.now(),
            max_attempts: hello.max_attempts,
            jobs: Vec::new(),
            hosts: vec![first, other],
            paused: BTreeSet::new(),
            limits: BTreeMap::new(),
        };
        let epochs = BTreeMap::from([(queue.host, queue.epoch), (second, epoch)]);
        Self { queue, model, epochs, second, second_name, definition: hello.id }
    }

    fn a_host(&self, dice: &mut Dice) -> HostId {
        if dice.is_one_in(3) { self.second } else { self.queue.host }
    }

    fn an_org(&self, dice: &mut Dice) -> OrgId {
        if dice.is_one_in(2) { self.queue.beta } else { self.queue.acme }
    }

    fn host_name(&self, host: HostId) -> &str {
        if host == self.second { &self.second_name } else { "web-1" }
    }

    fn key_of(&self, lane: Lane) -> LaneKey {
        let target = lane.host.map_or_else(|| Target::Queue("default".to_owned()), Target::Host);
        LaneKey { org: lane.org, target, definition: self.definition, limit_key: String::new() }
    }

    /// The lanes that the hub takes for open because they were full when they were last read.
    fn assumed(&self) -> BTreeSet<Lane> {
        let hub = &self.queue.hub;
        let full: BTreeSet<LaneId> = hub.queue.lane_cursors.full_lanes(hub.now()).into_iter().collect();
        if full.is_empty() {
            return BTreeSet::new();
        }
        let lanes: BTreeSet<Lane> = self.model.jobs.iter().map(|job| job.lane).collect();
        let is_full =
            |lane: &Lane| hub.queue.lanes.get(&self.key_of(*lane), hub.now()).is_some_and(|id| full.contains(&id));
        lanes.into_iter().filter(is_full).collect()
    }

    async fn request(&self, lane: Lane, count: usize, priority: i32, key: Option<&str>) -> Arc<EnqueueRequest> {
        let fields = json!({
            "definition_key": "hello", "priority": priority, "dedupe_key": key,
            "host": lane.host.map(|host| self.host_name(host)),
        });
        let request: JobRequest = serde_json::from_value(fields).expect("a request");
        let maker = Maker::new(local(), lane.org);
        Arc::new(self.queue.hub.enqueue_request(&maker, &vec![request; count]).await.expect("is valid"))
    }

    fn request_of(&self, host: HostId, capacity: u32) -> ClaimRequest {
        ClaimRequest { claimant: Claimant::Host(host), epoch: self.epochs[&host], capacity }
    }

    async fn enqueue(&mut self, dice: &mut Dice) {
        let org = self.an_org(dice);
        let host = (org == self.queue.acme && dice.is_one_in(3)).then(|| self.a_host(dice));
        let lane = Lane { org, host };
        let (count, priority) = (1 + dice.roll(4), i32::try_from(dice.roll(3)).expect("small"));
        let key = dice.is_one_in(4).then_some("nightly");
        let request = self.request(lane, count, priority, key).await;
        let starts_on = dice.is_one_in(3).then(|| self.a_host(dice));
        println!("enqueue {count} of {lane:?}, priority {priority}, key {key:?}, start on {starts_on:?}");
        let hub = &self.queue.hub;
        let requests = [request.clone()];
        let claim = starts_on.map(|host| self.request_of(host, 10));
        let answers = enqueue_and_claim::enqueue_for_test(hub, &requests, claim).await.expect("commits");
        let is_waiting = starts_on.is_some_and(|host| self.model.is_waiting(host));
        let mut expected = Vec::new();
        for job in &request.jobs {
            expected.push(self.model.enqueue(job.row.id, lane, priority, key.map(str::to_owned)));
        }
        assert_eq!(answers[0].as_deref().expect("is inserted"), expected);
        if let Some(host) = starts_on.filter(|_| !is_waiting) {
            let new: Vec<JobId> = request.jobs.iter().map(|job| job.row.id).collect();
            self.model.claim(host, 10, Some(&new), &BTreeSet::from([lane]));
        }
        if dice.is_one_in(4) {
            println!("repeat it after a lost answer");
            let again = enqueue_and_claim::enqueue_for_test(&self.queue.hub, &requests, None).await;
            let is_same = match again {
                // Every job is a duplicate of itself, or the primary key rejects it.
                Ok(answers) => {
                    answers[0].as_deref().expect("answers").iter().all(|one| matches!(one, Enqueued::Duplicate(_)))
                }
                Err(error) => error.is_unique_violation(),
            };
            assert!(is_same, "nothing is inserted twice");
        }
    }

    async fn claim(&mut self, dice: &mut Dice) {
        let (host, capacity) = (self.a_host(dice), 1 + u32::try_from(dice.roll(4)).expect("small"));
        let (request, assumed) = (self.request_of(host, capacity), self.assumed());
        println!("claim {capacity} for {}, open {assumed:?}", self.host_name(host));
        let claimed = claim_for_worker(&self.queue.hub, request.clone()).await.expect("commits");
        let expected: BTreeSet<JobId> = self.model.claim(host, capacity, None, &assumed).into_iter().collect();
        let grants: BTreeSet<JobId> = claimed.grants.iter().map(|grant| grant.job).collect();
        for job in expected.difference(&grants) {
            let lane = self.model.job(*job).lane;
            let shown = self.queue.hub.job_get(lane.org, &job.to_string()).await.expect("exists");
            println!("{job} was expected in {lane:?}: {:?}, {:?}", shown.job.status, shown.why);
        }
        assert_eq!(grants, expected);
        let stale = ClaimRequest { epoch: request.epoch - 1, ..request };
        assert!(claim_for_worker(&self.queue.hub, stale).await.expect("commits").grants.is_empty(), "an old session");
        if dice.is_one_in(5) {
            println!("its answer was lost");
            self.reconnect(host, |job| !grants.contains(job)).await;
        }
    }

    fn report(&self, host: HostId, (job, fence, status): (JobId, i32, RunStatus), span: Span) -> Report {
        let key = RunKey { job_id: job, fence, holder_id: host.into(), epoch: self.epochs[&host] };
        let result = RunResult { duration_ms: Some(span.as_millis()), ..RunResult::new(job, fence, status) };
        Report { key, result, clock_offset_ms: 0, host: Some(host), is_forced: false }
    }

    async fn finish(&mut self, dice: &mut Dice) {
        let busy: Vec<HostId> =
            self.epochs.keys().copied().filter(|id| !self.model.leased_on(*id).is_empty()).collect();
        if busy.is_empty() {
            return;
        }
        let host = busy[dice.roll(busy.len())];
        let mut ends = Vec::new();
        for (job, fence) in self.model.leased_on(host) {
            if !dice.is_one_in(3) {
                let status = [RunStatus::Succeeded, RunStatus::Succeeded, RunStatus::Failed, RunStatus::NotStarted];
                ends.push((job, fence, status[dice.roll(4)]));
            }
            if dice.is_one_in(6) {
                ends.push((job, fence - 1, RunStatus::Succeeded));
            }
        }
        println!("finish {ends:?} on {}", self.host_name(host));
        let repeats = if dice.is_one_in(3) { 2 } else { 1 };
        for repeat in 0..repeats {
            let reports = ends.iter().map(|end| self.report(host, *end, Span::ZERO)).collect();
            let applied = finish_all(&self.queue.hub, vec![Arc::new(reports)]).await.expect("commits");
            assert_eq!(applied, self.model.finish(host, &ends, Span::ZERO), "report number {repeat}");
        }
    }

    /// Opens a new session of a host, whose inventory lists the kept runs.
    async fn reconnect(&mut self, host: HostId, is_kept: impl Fn(&JobId) -> bool) {
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for (job, fence) in self.model.leased_on(host) {
            if is_kept(&job) {
                kept.push(RunRef { job, fence });
            } else {
                gone.push((job, fence, RunStatus::NotStarted));
            }
        }
        println!("new session of {}, which has {kept:?}", self.host_name(host));
        let epoch = self.queue.open_session(host).await;
        self.epochs.insert(host, epoch);
        self.queue.inventory(host, epoch, kept).await;
        self.model.finish(host, &gone, Span::ZERO);
    }

    async fn cancel(&mut self, dice: &mut Dice) {
        let open: Vec<ModelJob> = self.model.jobs.iter().filter(|job| !job.is_over()).cloned().collect();
        if open.is_empty() {
            return;
        }
        let job = &open[dice.roll(open.len())];
        println!("cancel {}", job.id);
        let (org, id) = (job.lane.org, job.id.to_string());
        self.queue.hub.job_cancel(&local(), org, &id, CancelRequest::default()).await.expect("cancels");
        let job = self.model.job(job.id);
        match &mut job.place {
            Place::Leased { is_canceling, .. } => *is_canceling = true,
            place => *place = Place::Over(JobStatus::Canceled),
        }
    }

    /// Revokes the second host: it claims nothing more, and its runs are canceled by force. A new host replaces it.
    async fn revoke(&mut self) {
        println!("revoke {}", self.second_name);
        let (hub, acme, revoked) = (&self.queue.hub, self.queue.acme, self.second);
        hub.host_revoke(&local(), acme, &self.second_name).await.expect("revokes");
        let claimed = claim_for_worker(hub, self.request_of(revoked, 4)).await.expect("commits");
        assert!(claimed.grants.is_empty(), "a revoked host");
        for (job, _) in self.model.leased_on(revoked) {
            let request = CancelRequest { force: true, ..CancelRequest::default() };
            hub.job_cancel(&local(), acme, &job.to_string(), request).await.expect("cancels");
            self.model.job(job).place = Place::Over(JobStatus::Canceled);
        }
        self.epochs.remove(&revoked);
        self.second_name = format!("web-{}", self.model.hosts.len() + 1);
        let (second, epoch) = self.queue.another(&self.second_name, 2).await;
        let orgs = BTreeSet::from([acme]);
        self.model.hosts.push(ModelHost { id: second, slots: 2, orgs, shares: BTreeMap::new() });
        self.epochs.insert(second, epoch);
        self.second = second;
    }

    async fn change_settings(&mut self, dice: &mut Dice) {
        let (hub, org, acme) = (&self.queue.hub, self.an_org(dice), self.queue.acme);
        match dice.roll(3) {
            0 => {
                let is_paused = !self.model.paused.contains(&org);
                println!("pause {org}: {is_paused}");
                let request = json!({"kind": "org", "resume": !is_paused});
                let request = serde_json::from_value(request).expect("a request");
                hub.pause_set(&local(), org, request).await.expect("pauses");
                if is_paused {
                    self.model.paused.insert(org)
                } else {
                    self.model.paused.remove(&org)
                };
            }
            1 => {
                let most = dice.roll(3).checked_sub(1).map(|most| u32::try_from(most + 1).expect("small"));
                println!("limit {org} to {most:?}");
                let patch = OrgPatch {
                    max_running: Some(most.map(|most| i32::try_from(most).expect("small"))),
                    ..OrgPatch::default()
                };
                hub.org_update(&local(), org, patch).await.expect("limits");
                match most {
                    Some(most) => _ = self.model.limits.insert(org, most),
                    None => _ = self.model.limits.remove(&org),
                }
            }
            _ => {
                let beta = self.queue.beta;
                let request = HostShareRequest { org: "beta".to_owned() };
                let host = self.queue.host;
                let is_shared = self.model.host(host).orgs.contains(&beta);
                println!("share web-1 with beta: {}", !is_shared);
                if is_shared {
                    hub.host_unshare(&local(), acme, "web-1", request).await.expect("unshares");
                    self.model.host(host).orgs.remove(&beta);
                    self.model.host(host).shares.remove(&beta);
                } else {
                    hub.host_share(&local(), acme, "web-1", request).await.expect("shares");
                    self.model.host(host).orgs.insert(beta);
                }
            }
        }
    }

    async fn step(&mut self, dice: &mut Dice) {
        match dice.roll(15) {
            0..=3 => self.enqueue(dice).await,
            4..=7 => self.claim(dice).await,
            8..=10 => self.finish(dice).await,
            11 => self.cancel(dice).await,
            12 => self.change_settings(dice).await,
            13 => self.revoke().await,
            _ if dice.is_one_in(2) => {
                let (host, kept) = (self.a_host(dice), dice.roll(2));
                let runs: Vec<JobId> = self.model.leased_on(host).into_iter().map(|(job, _)| job).collect();
                let kept: BTreeSet<JobId> = runs.into_iter().skip(kept).step_by(2).collect();
                self.reconnect(host, |job| kept.contains(job)).await;
            }
            _ => {
                println!("kill the hub");
                self.queue.replace_hub().await;
                // The runners connect again with all of their runs.
                for host in [self.queue.host, self.second] {
                    self.reconnect(host, |_| true).await;
                }
            }
        }
    }

    /// Compares the rows with the model; those of finished jobs only at the end of a history.
    async fn check(&mut self, is_end: bool) {
        for job in self.model.jobs.iter().filter(|job| is_end || !job.is_over()).cloned() {
            let org = job.lane.org;
            let stored = self.queue.hub.job_get(org, &job.id.to_string()).await.expect("exists").job;
            assert_eq!((stored.status, stored.attempt_count), (job.status(), job.fence), "{job:?}");
        }
        for host in [self.queue.host, self.second] {
            let leases = self.queue.held(host).await;
            let held: BTreeSet<(JobId, i32)> = leases.iter().map(|lease| (lease.job_id, lease.fence)).collect();
            assert_eq!(held, self.model.leased_on(host).into_iter().collect(), "{}", self.host_name(host));
            let running = i32::try_from(held.len()).expect("few");
            assert_eq!(self.queue.running(host).await, running, "slots of {}", self.host_name(host));
        }
        let used = self.queue.used().await;
        let host = self.queue.host;
        for (org, share) in self.model.host(host).shares.clone() {
            let stored = used[&org];
            assert!((stored.used_ms - share.used_ms).abs() < 0.01, "{org}: {stored:?} instead of {share:?}");
            assert!((stored.cost_ms - share.cost_ms).abs() < 0.01, "{org}: {stored:?} instead of {share:?}");
        }
        for org in [self.queue.acme, self.queue.beta] {
            let counts = self.queue.hub.job_summary(org).await.expect("counts");
            let count = |status: JobStatus| {
                self.model.jobs.iter().filter(|job| job.lane.org == org && job.status() == status).count() as i64
            };
            assert_eq!((counts.queued, counts.running), (count(JobStatus::Queued), count(JobStatus::Running)));
            for status in [JobStatus::Succeeded, JobStatus::DeadLetter, JobStatus::Canceled] {
                let stored = counts.counts.get(status.as_str()).copied().unwrap_or_default();
                assert_eq!(stored, count(status), "{status}");
            }
        }
    }
}

testkit::db_test!(random_histories_leave_the_rows_of_the_reference_model, |db| async move {
    let seeds = option_env!("HOSTLER_HISTORIES").map_or(HISTORIES, |text| text.parse().expect("a number"));
    let mut trial = Trial::new(db).await;
    let mut operations = 0;
    for seed in 0..seeds {
        let mut dice = Dice(seed);
        println!("seed {seed}");
        for _ in 0..OPERATIONS {
            trial.step(&mut dice).await;
            trial.check(false).await;
            operations += 1;
        }
        trial.check(true).await;
    }
    let ended = trial.model.jobs.iter().filter(|job| job.is_over()).count();
    println!("{operations} operations on {} jobs, {ended} of them over", trial.model.jobs.len());
    assert!(ended > 20, "the histories end jobs");
});
