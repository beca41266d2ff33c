//! Jobs on their way into the store: whatever has arrived is written in one transaction, and each caller is answered
//! after the commit. No timer: what arrives meanwhile is the next batch.

use std::{
    collections::{BTreeMap, HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};

use domain::{
    HostId, JobId, LaneId, OrgId, ServerId, Timestamp,
    audit::AuditRow,
    job::{JobStatus, WaitReason},
    lane::{LaneKey, Target},
    server::ServerOp,
};
use proto::{Code, api::job::JobEvent};
use serde_json::{Value, json};
use store::{
    Tx,
    claim::{Head, Spot},
    dedupe::KeyHolder,
    insert::{NewJob, Place},
};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::{
    bold::{boldly, can_be_bold},
    coming::Expected,
    events::Changes,
    grant::length,
    handover,
    lanes::Found,
    servers,
};
use crate::{
    Error, Hub, Result,
    app::jobs::change::Canceled,
    batcher::Batcher,
    http::deferred_auth::{DeferredAuth, Tokens},
};

/// Jobs in one transaction.
const JOBS_MAX: usize = 5_000;
/// Requests in one transaction.
const WISHES_MAX: usize = 1_000;
/// How often a request is tried whose key somebody else uses at the same time.
const TRIES_MAX: u32 = 3;
/// Long requests that are written at once.
const LONG_MAX: usize = 2;
/// Checked parts of a long request that wait to be written.
const PARTS_AHEAD: usize = 2;
/// Jobs that are so few that they may be handed over in the transaction that makes them.
const HANDED_MAX: usize = 16;
/// What they are to run may be so large to be remembered for the next turn of their host.
const FEW_BYTES_MAX: usize = 64 * 1_024;
/// Jobs that are worth a second transaction beside one that is under way; fewer wait for its end and go together.
const COMPANY: usize = 32;
/// For how many a job counts there whose request came over a network. Measured: with 6, sixteen HTTP clients make a seventh more
/// jobs a second than with 1; with 16 hardly more.
const FROM_AFAR: usize = 6;
/// Requests that may wait; beyond it callers wait with theirs.
const QUEUE: usize = 4_096;

/// A job to be, checked and complete but for its lane.
#[derive(Clone)]
pub(crate) struct NewWork {
    pub(crate) job: NewJob,
    pub(crate) lane: LaneKey,
    pub(crate) definition_key: Arc<str>,
    /// Until when its dedupe key is held at least.
    pub(crate) dedupe_until: Timestamp,
    /// The server it asks something of, and what.
    pub(crate) server: Option<(ServerId, ServerOp)>,
}

impl NewWork {
    /// Whether nothing must be asked about it: keys that others may hold are asked for under a lock.
    pub(super) fn is_plain(&self) -> bool {
        self.job.dedupe_key.is_none() && self.server.is_none()
    }
}

/// What became of one job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    /// It was made.
    New(JobId),
    /// Another holds its key.
    Held(JobId),
}

/// The caller's own key for a request.
#[derive(Clone)]
pub(crate) struct Idempotency {
    pub(crate) key: String,
    pub(crate) hash: [u8; 32],
    pub(crate) until: Timestamp,
}

/// All jobs of one request.
#[derive(Clone)]
pub(crate) struct Wish {
    pub(crate) work: Vec<NewWork>,
    pub(crate) audit: Option<AuditRow>,
    pub(crate) idempotency: Option<Idempotency>,
    /// What must hold when it is written.
    pub(crate) deferred_auth: Option<DeferredAuth>,
}

impl Wish {
    /// How much it counts towards [`COMPANY`]. Who shows a token is far away, and needs a while to ask again once answered:
    /// what has come from there grows less by waiting than what callers in this process ask.
    fn weight(&self) -> usize {
        self.work.len() * if self.deferred_auth.is_some() { FROM_AFAR } else { 1 }
    }
}

/// Jobs of one request that is written while it is still being checked.
pub(crate) enum Part {
    /// Some of them, checked.
    Work(Vec<NewWork>),
    /// Some of them, checked, about which nothing must be asked: all that is left is to write them.
    Plain(Admitted),
    /// That was all; what is noted about it.
    End(Option<Box<AuditRow>>),
}

impl Part {
    /// Does whatever can be done about these jobs outside of the transaction that writes them: the database waits there.
    pub(crate) fn of(hub: &Hub, work: Vec<NewWork>) -> Self {
        let now = hub.now();
        let Some(lanes) = lanes_known(hub, &work, now) else { return Self::Work(work) };
        let mut admitted = Admitted::at(now);
        for (work, lane) in work.into_iter().zip(lanes) {
            admitted.made.push(Made::New(work.job.id));
            admitted.changes.note_created(&work, now);
            admitted.jobs.push(NewJob { lane_id: lane, ..work.job });
        }
        Self::Plain(admitted)
    }
}

/// The lanes of jobs about which nothing must be asked; `None` if that is not so for one of them.
fn lanes_known(hub: &Hub, work: &[NewWork], now: Timestamp) -> Option<Vec<LaneId>> {
    if !work.iter().all(NewWork::is_plain) {
        return None;
    }
    let mut last = None;
    work.iter().map(|work| hub.queue.lanes.get_like(&work.lane, &mut last, now)).collect()
}

/// Jobs that have their lanes, and what follows from them.
pub(crate) struct Admitted {
    at: Timestamp,
    made: Vec<Made>,
    jobs: Vec<NewJob>,
    changes: Changes,
}

impl Admitted {
    fn at(now: Timestamp) -> Self {
        Self { at: now, made: Vec::new(), jobs: Vec::new(), changes: Changes::default() }
    }
}

/// Shared, so that what must be tried again need not be copied first.
type Waiting = (Arc<Wish>, oneshot::Sender<Result<Vec<Made>>>);

/// The way of jobs into the store.
pub(crate) struct Enqueuer {
    inbox: Batcher<Waiting>,
    /// Long requests at once. Checking the rest of one may ask the store: all its connections must not be theirs.
    long: Semaphore,
}

impl Enqueuer {
    pub(crate) fn new() -> Self {
        let inbox = Batcher::with_min_batch(QUEUE, COMPANY, |(wish, _): &Waiting| wish.weight());
        Self { inbox, long: Semaphore::new(LONG_MAX) }
    }

    /// Writes a long request in one transaction while it is still being checked: `check` sends it part by part.
    pub(crate) async fn hand_in_parts<C>(
        &self,
        hub: &Hub,
        check: impl FnOnce(mpsc::Sender<Part>) -> C,
    ) -> Result<Vec<Made>>
    where
        C: Future<Output = Result<()>>,
    {
        let _turn = self.long.acquire().await.map_err(|_| stopping())?;
        let (sender, parts) = mpsc::channel(PARTS_AHEAD);
        let (reply, made) = oneshot::channel();
        let hub_in = hub.clone();
        // A task of its own: what is written must be told also if whoever asked is gone by then.
        hub.tasks.spawn(async move {
            let hub = hub_in.clone();
            let write = hub.store.write(move |tx| Box::pin(async move { insert_parts(&hub_in, tx, parts).await }));
            let _ = reply.send(write.await.map(|written| written.tell(&hub)));
        });
        let (checked, written) = tokio::join!(check(sender), made);
        checked?;
        written.map_err(|_| stopping())??.pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Hands in the jobs of one request and waits until they are written.
    pub(crate) async fn submit(&self, wish: Wish) -> Result<Vec<Made>> {
        let (reply, made) = oneshot::channel();
        self.inbox.sender.send((Arc::new(wish), reply)).await.map_err(|_| stopping())?;
        made.await.map_err(|_| stopping())?
    }
}

fn stopping() -> Error {
    Error::new(Code::HubStopping, "the hub is stopping").hint("try again in a moment")
}

/// One of the writers.
pub(crate) async fn write(hub: Hub, stop: CancellationToken) {
    loop {
        let (batch, _turn) = hub.queue.enqueuer.inbox.take(WISHES_MAX, &stop).await;
        if batch.is_empty() {
            return;
        }
        let (wishes, replies): (Vec<Arc<Wish>>, Vec<_>) = batch.into_iter().unzip();
        let answers = write_batch(&hub, wishes).await;
        for (reply, answer) in replies.into_iter().zip(answers) {
            let _ = reply.send(answer);
        }
    }
}

/// Writes requests together; if that fails for a reason of one of them, each on its own.
async fn write_batch(hub: &Hub, wishes: Vec<Arc<Wish>>) -> Vec<Result<Vec<Made>>> {
    let mut answers = Vec::with_capacity(wishes.len());
    let mut rest = wishes.as_slice();
    while !rest.is_empty() {
        let (mut count, mut jobs) = (0, 0);
        while count < rest.len() && (count == 0 || jobs + rest[count].work.len() <= JOBS_MAX) {
            jobs += rest[count].work.len();
            count += 1;
        }
        let (now, later) = rest.split_at(count);
        rest = later;
        match write_some(hub, now.to_vec()).await {
            Ok(made) => answers.extend(made),
            Err(error) if now.len() == 1 && !is_worth_another(&error) => answers.push(Err(error)),
            Err(_) => {
                for wish in now {
                    answers.push(write_one(hub, wish).await);
                }
            }
        }
    }
    answers
}

/// Whether somebody was in the way who is gone by now.
fn is_worth_another(error: &Error) -> bool {
    error.code() == Code::HubBusy || error.is_busy()
}

/// Writes one request. Whoever was faster with the same key has committed by now: the next try finds their answer.
async fn write_one(hub: &Hub, wish: &Arc<Wish>) -> Result<Vec<Made>> {
    let mut tries = 0;
    loop {
        tries += 1;
        match write_some(hub, vec![wish.clone()]).await {
            Err(error) if is_worth_another(&error) && tries < TRIES_MAX => {}
            one => return one.and_then(|mut one| one.pop().unwrap_or_else(|| Ok(Vec::new()))),
        }
    }
}

/// What a transaction has done, for those who are woken after it.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) made: Vec<Result<Vec<Made>>>,
    found: Vec<Found>,
    /// Who holds the dedupe keys that were asked for.
    keys: HashMap<(OrgId, String), JobId>,
    /// How many came into each lane, and the first of them.
    ready: HashMap<LaneId, (u32, Spot)>,
    /// All of these, if they are few.
    few: Vec<NewJob>,
    has_waiting: bool,
    /// How many jobs each org got.
    created: HashMap<OrgId, u64>,
    /// What gave way to jobs on servers.
    canceled: Vec<Canceled>,
    /// What was made sure of with all of it.
    pledges: Vec<DeferredAuth>,
    /// Turns that wait for some of it, until it is told.
    pub(super) expected: Vec<Expected>,
}

async fn write_some(hub: &Hub, wishes: Vec<Arc<Wish>>) -> Result<Vec<Result<Vec<Made>>>> {
    let is_few = wishes.iter().map(|wish| wish.work.len()).sum::<usize>() <= HANDED_MAX;
    if is_few {
        match handover::write(hub, wishes.clone()).await {
            // Whatever was wrong with the claim is not the fault of the jobs.
            Err(handover::Failed { error, is_undone: true, .. }) => {
                tracing::debug!(error = %error, "cannot start new jobs immediately; they wait for the next claim");
            }
            Err(failed) => return Err(failed.error),
            Ok(made) => return Ok(made),
        }
    }
    let is_pledged = wishes.iter().any(|wish| wish.deferred_auth.is_some());
    if is_pledged && can_be_bold(hub) && handover::is_plain(&wishes) {
        // In one statement with its tokens, instead of a look at them before it.
        let (hub_in, wishes) = (hub.clone(), wishes.clone());
        let written = boldly(hub, move |tx| Box::pin(async move { insert(&hub_in, tx, wishes).await })).await;
        match written {
            Err(error) if error.is_stale_view() => {}
            written => return Ok(written?.tell(hub)),
        }
    }
    let hub_in = hub.clone();
    let written = hub.store.write(move |tx| Box::pin(async move { insert(&hub_in, tx, wishes).await })).await?;
    Ok(written.tell(hub))
}

impl Written {
    /// Whether lanes were made or looked up anew, which locks their org.
    pub(super) fn has_new_lanes(&self) -> bool {
        !self.found.is_empty()
    }

    /// Wakes whoever waits for the jobs, once they are committed; returns what became of each request.
    pub(crate) fn tell(self, hub: &Hub) -> Vec<Result<Vec<Made>>> {
        let now = hub.now();
        hub.queue.lanes.keep(&self.found, now);
        for lane in &self.found {
            hub.queue.board.serve_lane(lane.id, &lane.hosts);
        }
        for (lane, (count, first)) in self.ready {
            hub.queue.floors.came(lane, first);
            let few: Vec<&NewJob> = self.few.iter().filter(|job| job.lane_id == lane).collect();
            let is_all = few.len() == count as usize;
            let is_small = || few.iter().map(|job| length(&job.payload)).sum::<usize>() <= FEW_BYTES_MAX;
            let heads = || few.iter().map(|job| Head::waiting(job)).collect();
            hub.queue.board.arrive(lane, count, || (is_all && is_small()).then(heads));
        }
        if self.has_waiting {
            hub.wakes.delayed_jobs.wake();
        }
        for (org, count) in self.created {
            hub.metrics.note_created(count);
            hub.queue.numbers.created(org, count, now);
            hub.samples.created(org, count, now);
        }
        for canceled in self.canceled {
            canceled.after_commit(hub);
        }
        self.pledges.iter().for_each(DeferredAuth::mark_confirmed);
        hub.news();
        self.made
    }
}

/// Requests as they will be written: what is asked of the store for them has been asked.
pub(super) struct Draft {
    pub(super) written: Written,
    pub(super) jobs: Vec<NewJob>,
    pub(super) changes: Changes,
    audits: Vec<AuditRow>,
}

impl Draft {
    pub(super) async fn of(hub: &Hub, tx: &mut Tx<'_>, wishes: Vec<Arc<Wish>>, now: Timestamp) -> Result<Self> {
        let mut draft =
            Self { written: Written::default(), jobs: Vec::new(), changes: Changes::default(), audits: Vec::new() };
        let Self { written, jobs, changes, audits } = &mut draft;
        let tokens = Tokens::of(hub, tx, wishes.iter().filter_map(|wish| wish.deferred_auth.as_ref())).await?;
        for wish in wishes {
            let stands = wish.deferred_auth.as_ref().map_or(Ok(()), |pledge| tokens.check(pledge, now));
            let made = match stands {
                Err(refused) => Err(refused),
                Ok(()) => match answered(tx, &wish, now).await? {
                    Some(answer) => answer,
                    None => Ok(admit(hub, tx, &wish, jobs, written, changes, now).await?),
                },
            };
            written.pledges.extend(wish.deferred_auth.clone().filter(|_| made.is_ok()));
            if let (Ok(made), Some(audit)) = (&made, &wish.audit) {
                audits.extend(is_any_new(made).then(|| audit.clone()));
            }
            written.made.push(made);
        }
        Ok(draft)
    }

    /// Writes all of it. Those that have begun wait nowhere.
    pub(super) async fn write(
        mut self,
        hub: &Hub,
        tx: &mut Tx<'_>,
        begun: &HashSet<JobId>,
        now: Timestamp,
    ) -> Result<Written> {
        if !self.jobs.is_empty() {
            put(tx, &self.jobs, begun, &mut self.written, now).await?;
            tx.audit_insert_all(&self.audits).await?;
            self.changes.write(hub, tx, now).await?;
        }
        if self.jobs.len() <= HANDED_MAX {
            let waits = |job: &NewJob| job.scheduled_for <= now && !begun.contains(&job.id);
            self.written.few = self.jobs.into_iter().filter(waits).collect();
        }
        Ok(self.written)
    }
}

/// Writes the jobs of these requests in a transaction that may do more.
pub(crate) async fn insert(hub: &Hub, tx: &mut Tx<'_>, wishes: Vec<Arc<Wish>>) -> Result<Written> {
    let now = hub.now();
    let draft = Draft::of(hub, tx, wishes, now).await?;
    draft.write(hub, tx, &HashSet::new(), now).await
}

/// Writes one request whose jobs come in parts, each checked while the one before it is being written.
async fn insert_parts(hub: &Hub, tx: &mut Tx<'_>, mut parts: mpsc::Receiver<Part>) -> Result<Written> {
    let (mut written, mut made) = (Written::default(), Vec::new());
    while let Some(part) = parts.recv().await {
        let admitted = match part {
            Part::Plain(admitted) => admitted,
            Part::Work(work) => {
                // Not that of the beginning: what was checked since then is due since then.
                let mut admitted = Admitted::at(hub.now());
                let wish = Wish { work, audit: None, idempotency: None, deferred_auth: None };
                let Admitted { jobs, changes, at, .. } = &mut admitted;
                admitted.made = admit(hub, tx, &wish, jobs, &mut written, changes, *at).await?;
                admitted
            }
            Part::End(audit) => {
                if let Some(audit) = audit.filter(|_| is_any_new(&made)) {
                    tx.audit_insert_all(&[*audit]).await?;
                }
                written.made.push(Ok(made));
                return Ok(written);
            }
        };
        let Admitted { made: some, jobs, changes, at } = admitted;
        made.extend(some);
        if !jobs.is_empty() {
            put(tx, &jobs, &HashSet::new(), &mut written, at).await?;
            changes.write(hub, tx, at).await?;
            tx.flush_early().await?;
        }
    }
    // Whoever asked has gone, or one of the later parts could not be checked: then none of it is to be.
    Err(Error::new(Code::MalformedRequest, "the connection failed while the request was read"))
}

fn is_any_new(made: &[Made]) -> bool {
    made.iter().any(|made| matches!(made, Made::New(_)))
}

/// Writes jobs and puts each where it waits, unless it has begun.
async fn put(
    tx: &mut Tx<'_>,
    jobs: &[NewJob],
    begun: &HashSet<JobId>,
    written: &mut Written,
    now: Timestamp,
) -> Result<()> {
    tx.job_insert(jobs).await?;
    let place = |job: &NewJob| Place {
        job_id: job.id,
        lane_id: job.lane_id,
        priority: job.priority,
        due_at: job.scheduled_for,
        fence: 0,
    };
    let waiting = jobs.iter().filter(|job| !begun.contains(&job.id));
    let (ready, later): (Vec<&NewJob>, Vec<&NewJob>) = waiting.partition(|job| job.scheduled_for <= now);
    if !ready.is_empty() {
        tx.ready_insert(&ready.iter().map(|job| place(job)).collect::<Vec<_>>()).await?;
    }
    if !later.is_empty() {
        written.has_waiting = true;
        tx.waiting_insert(&later.iter().map(|job| place(job)).collect::<Vec<_>>(), WaitReason::Later).await?;
    }
    for job in jobs {
        *written.created.entry(job.org_id).or_default() += 1;
    }
    for job in ready {
        let spot = Spot { priority: job.priority, due_at: job.scheduled_for, job_id: job.id };
        let (count, first) = written.ready.entry(job.lane_id).or_insert((0, spot));
        (*count, *first) = (*count + 1, spot.min(*first));
    }
    Ok(())
}

/// The answer already given to the same request, if it was.
async fn answered(tx: &mut Tx<'_>, wish: &Wish, now: Timestamp) -> Result<Option<Result<Vec<Made>>>> {
    let (Some(own), Some(first)) = (&wish.idempotency, wish.work.first()) else { return Ok(None) };
    let answer = own.answered(tx, first.job.org_id, now).await?;
    // Rows that were right then and are not now: the answer cannot be told apart by rows any more.
    Ok(answer.map(|answer| match answer {
        Ok(made) if made.len() != wish.work.len() => Err(own.mismatch()),
        answer => answer,
    }))
}

impl Idempotency {
    /// The answer already given under this key.
    pub(crate) async fn answered(
        &self,
        tx: &mut Tx<'_>,
        org: OrgId,
        now: Timestamp,
    ) -> Result<Option<Result<Vec<Made>>>> {
        let Some((hash, answer)) = tx.idempotency_get(org, &self.key, now).await? else { return Ok(None) };
        Ok(Some(if hash == self.hash { Ok(read_answer(&answer)) } else { Err(self.mismatch()) }))
    }

    fn mismatch(&self) -> Error {
        let detail = format!("the idempotency key `{}` was used before with another request", self.key);
        Error::new(Code::IdempotencyMismatch, detail)
    }
}

fn answer_of(made: &[Made]) -> Value {
    made.iter()
        .map(|made| match made {
            Made::New(id) => json!([id, false]),
            Made::Held(id) => json!([id, true]),
        })
        .collect()
}

fn read_answer(answer: &Value) -> Vec<Made> {
    let rows: Vec<(JobId, bool)> = serde_json::from_value(answer.clone()).unwrap_or_default();
    rows.into_iter().map(|(id, is_held)| if is_held { Made::Held(id) } else { Made::New(id) }).collect()
}

/// Gives each job of a request its lane, and leaves out those whose key another holds.
async fn admit(
    hub: &Hub,
    tx: &mut Tx<'_>,
    wish: &Wish,
    jobs: &mut Vec<NewJob>,
    written: &mut Written,
    changes: &mut Changes,
    now: Timestamp,
) -> Result<Vec<Made>> {
    let mut made = Vec::with_capacity(wish.work.len());
    let mut fresh = Vec::with_capacity(wish.work.len());
    take_keys(tx, wish, written, now).await?;
    let mut last = None;
    for work in &wish.work {
        let job = &work.job;
        if let Some(key) = &job.dedupe_key {
            let holder = written.keys.get(&(job.org_id, key.clone())).copied().unwrap_or(job.id);
            if holder != job.id {
                made.push(Made::Held(holder));
                continue;
            }
        }
        if let Some((server, op)) = work.server {
            let way = servers::make_way(hub, tx, work, server, op).await?;
            written.canceled.extend(way.canceled);
        }
        made.push(Made::New(job.id));
        let lane_id = lane_of(hub, tx, (&work.lane, &mut last), written, now).await?;
        fresh.push(NewJob { lane_id, ..job.clone() });
        changes.note_created(work, now);
    }
    if let (Some(own), Some(first)) = (&wish.idempotency, wish.work.first()) {
        let answer = answer_of(&made);
        if !tx.idempotency_put(first.job.org_id, &own.key, own.hash, &answer, own.until, now).await? {
            // Somebody was faster with the same key: begin anew and find their answer.
            return Err(Error::new(Code::HubBusy, "another request with the same Idempotency-Key is in progress")
                .hint("retry in a moment")
                .retry_after(domain::Span::from_millis(50)));
        }
    }
    jobs.append(&mut fresh);
    Ok(made)
}

/// Takes the dedupe keys of a request, each for the first job that has it, in the order of the keys: two requests with the
/// same keys must not wait for each other in a circle.
async fn take_keys(tx: &mut Tx<'_>, wish: &Wish, written: &mut Written, now: Timestamp) -> Result<()> {
    let mut firsts: BTreeMap<(OrgId, String), &NewWork> = BTreeMap::new();
    for work in &wish.work {
        if let Some(key) = &work.job.dedupe_key {
            firsts.entry((work.job.org_id, key.clone())).or_insert(work);
        }
    }
    for (key, work) in firsts {
        // What this transaction has yet to write cannot be seen in the store.
        if let Entry::Vacant(free) = written.keys.entry(key) {
            let (org, text) = free.key();
            let holder = match tx.dedupe_take(*org, text, work.job.id, work.dedupe_until, now).await? {
                KeyHolder::Ours => work.job.id,
                KeyHolder::Theirs(winner) => winner,
            };
            free.insert(holder);
        }
    }
    Ok(())
}

/// The lane of a job; that of the one before it is known to whoever asks.
async fn lane_of<'w>(
    hub: &Hub,
    tx: &mut Tx<'_>,
    (key, last): (&'w LaneKey, &mut Option<(&'w LaneKey, LaneId)>),
    written: &mut Written,
    now: Timestamp,
) -> Result<LaneId> {
    if let Some(id) = hub.queue.lanes.get_like(key, last, now) {
        return Ok(id);
    }
    if let Some(found) = written.found.iter().find(|found| found.is(key)) {
        return Ok(found.id);
    }
    let found = hub.queue.lanes.put(hub, tx, key).await?;
    let id = found.id;
    written.found.push(found);
    Ok(id)
}

impl Changes {
    /// A job was made.
    fn note_created(&mut self, work: &NewWork, now: Timestamp) {
        let org = work.job.org_id;
        let tally = self.tally(org);
        (tally.queued, tally.created) = (tally.queued + 1, tally.created + 1);
        self.event(org, "job.created", &created(work, now));
    }
}

fn created(work: &NewWork, now: Timestamp) -> JobEvent {
    let host: Option<HostId> = match &work.lane.target {
        Target::Host(host) => Some(*host),
        Target::Queue(_) | Target::Selector(_) => None,
    };
    JobEvent {
        job_id: work.job.id,
        run_id: None,
        attempt: None,
        definition_key: work.definition_key.to_string(),
        host_id: host,
        server_id: work.server.map(|(server, _)| server),
        status: JobStatus::Queued,
        reason: (work.job.scheduled_for > now).then(|| WaitReason::Later.to_string()),
        duration_ms: None,
        error: None,
        will_retry: None,
    }
}
