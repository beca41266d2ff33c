//! The engine: one task that handles the messages of the hub and of the runs.
//!
//! Results go through the outbox. A result is written to it in the same commit that ends the run in the journal, it is
//! sent in order of its number, and it is deleted only when the hub confirms that it has stored all results up to that
//! number. So a crash or a lost connection at any point causes at most a second delivery, which the hub recognizes by
//! the fence. Deleted results move to the table `done`, for a hub that was restored from a backup.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::PathBuf,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use domain::{DefinitionId, OrderId, RunId, definition::Definition, log_budget::LogBudget, server::ServerOp};
use proto::{
    link::{Goodbye, ToHub},
    work::{CancelRun, Grant, Grants, Inventory, Kept, Ordered, ProgressFrame, Results, RunRef, RunResult, Started},
};
use runtime::{Shutdown, TaskTracker, clock::wall};
use serde_json::{Value, json};
use store::{
    Store,
    journal::{ConfirmedResult, Entry, JournalState},
};
use tokio::sync::{mpsc, watch};

use super::{
    context::EngineContext,
    log_upload::{LogUploader, LogUploads},
    message::RunMessage,
    run::{Run, RunCommand},
    run_socket::RunSocket,
};
use crate::{
    EngineChannel, Error, HubGate, HubRole, Result,
    channel::{HubMessage, Outgoing},
    exec::{self, Progress, Shim, boot_ms},
    machine,
};

/// Most results in one frame.
const RESULTS_MAX: u32 = 500;
/// Results without an acknowledgement are sent again after this time.
const RESEND_EVERY: Duration = Duration::from_secs(10);
/// Interval at which old run folders are removed.
const CLEAN_EVERY: Duration = Duration::from_secs(600);
/// Minimum age of a run before its process id is reported: it saves a message for each short run.
const LASTS: Duration = Duration::from_millis(500);
/// Minimum interval between two progress messages of a run.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);
/// Number of acknowledged results in the inventory: a hub that was restored from a backup may have lost them.
const INVENTORY_RESULTS: u32 = 1_000;
/// Capacity of the channel from the runs, in messages.
const EVENTS: usize = 1_024;

/// The settings of an engine.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    /// Parent of the run folders.
    pub folder: PathBuf,
    /// Most concurrent runs.
    pub slots: usize,
    /// Path of the socket for progress reports.
    pub socket: PathBuf,
    /// Id of the hub in the tables `journal`, `outbox` and `done`.
    pub source: String,
}

struct Active {
    id: RunId,
    /// Whether it occupies a slot; operations on servers do not.
    takes_place: bool,
    control: watch::Sender<RunCommand>,
    /// Reported progress that is not sent yet.
    progress: Option<Progress>,
    /// When progress was last sent.
    progress_at: Option<tokio::time::Instant>,
}

struct HubSession {
    epoch: i64,
    /// How much output the hub stores.
    log_budget: LogBudget,
    /// Grants received in this session.
    taken: u64,
    /// The last credit that was sent: a limit for `taken`, so it only grows.
    credit: u64,
    /// Whether the hub has answered the inventory. No results, credit or output are sent before that.
    is_settled: bool,
    /// Results up to this outbox number were sent in this session.
    sent_through: i64,
    sent_at: tokio::time::Instant,
    /// When the last answered heartbeat was sent, in milliseconds since boot. New leases start from this time.
    acked_boot_ms: u64,
    /// Acknowledged results that were part of the inventory.
    done: Vec<ConfirmedResult>,
}

/// The engine of a runner for one hub.
pub struct Engine {
    pub(super) shared: Arc<EngineContext>,
    channel: EngineChannel,
    slots: usize,
    session: Option<HubSession>,
    active: HashMap<RunRef, Active>,
    definitions: HashMap<(DefinitionId, i32), Arc<Definition>>,
    /// The last orders and their results; `None` while an order is being carried out.
    pub(super) orders: VecDeque<(OrderId, Option<Ordered>)>,
    pub(super) events: (mpsc::Sender<RunMessage>, mpsc::Receiver<RunMessage>),
    uploads: Arc<LogUploads>,
    pub(super) tasks: TaskTracker,
    /// Whether the hub is the primary hub and so may grant jobs.
    pub(super) role: HubRole,
}

impl Engine {
    /// Creates the run folder and installs the shim in it.
    ///
    /// # Errors
    /// The folder is not usable.
    pub fn new(
        store: Store,
        settings: &EngineSettings,
        host_name: String,
        channel: EngineChannel,
        gate: HubGate,
        tasks: TaskTracker,
    ) -> Result<Self> {
        let unusable = |error: String| Error::new(proto::Code::FolderUnusable, error);
        std::fs::create_dir_all(&settings.folder)
            .map_err(|error| unusable(format!("cannot create {}: {error}", settings.folder.display())))?;
        let shim = Shim::install(&settings.folder).map_err(|error| unusable(error.to_string()))?;
        let shared = EngineContext {
            store,
            shim,
            folder: settings.folder.clone(),
            run_socket: Arc::new(RunSocket::new(&settings.socket)),
            gate,
            host_name: RwLock::new(host_name),
            lost_after_ms: AtomicU32::new(300_000),
            source: settings.source.as_str().into(),
        };
        Ok(Self {
            shared: Arc::new(shared),
            channel,
            slots: settings.slots,
            session: None,
            active: HashMap::new(),
            definitions: HashMap::new(),
            orders: VecDeque::new(),
            events: mpsc::channel(EVENTS),
            uploads: Arc::new(LogUploads::default()),
            tasks,
            role: HubRole::default(),
        })
    }

    /// Sets the role of the hub, for a machine with several hubs: only the primary hub gets credit. Jobs that another
    /// hub granted before are finished and reported. All engines share the progress socket of the first one.
    #[must_use]
    pub fn with_role(mut self, role: HubRole, first: Option<&Self>) -> Self {
        self.role = role;
        if let (Some(first), Some(shared)) = (first, Arc::get_mut(&mut self.shared)) {
            shared.run_socket = first.shared.run_socket.shared();
        }
        self
    }

    /// Recovers the runs of the previous process, then works until shutdown. Live runs continue after that.
    pub async fn run(mut self, shutdown: Shutdown) {
        self.recover().await;
        self.shared.gate.refresh_catalogue().await;
        // Only after recovery has accepted the tokens of the adopted runs: until then they would be rejected.
        self.shared.run_socket.open(&self.tasks);
        let mut again = tokio::time::interval(RESEND_EVERY);
        let mut clean = tokio::time::interval(CLEAN_EVERY);
        loop {
            let done = tokio::select! {
                message = self.channel.from_link.recv() => match message {
                    Some(message) => self.handle_hub_message(message).await,
                    None => return,
                },
                Some(event) = self.events.1.recv() => self.handle_run_message(event).await,
                _ = again.tick() => {
                    // Also while no job is granted.
                    self.shared.gate.refresh_catalogue().await;
                    self.resend_unconfirmed().await
                }
                _ = clean.tick() => self.clean().await,
                () = shutdown.asked() => return,
            };
            if let Err(error) = done {
                tracing::error!(error = %error, "cannot write to the runner database");
            }
        }
    }

    async fn handle_hub_message(&mut self, message: HubMessage) -> store::Result<()> {
        match message {
            HubMessage::Begun { epoch, lost_after_ms, log_budget, name } => {
                *self.shared.host_name.write().unwrap_or_else(PoisonError::into_inner) = name;
                self.begun(epoch, lost_after_ms, log_budget).await;
            }
            HubMessage::Ended => {
                self.session = None;
                self.uploads.end();
            }
            HubMessage::HeartbeatAck { sent_boot_ms } => self.renew(sent_boot_ms),
            HubMessage::Verdicts(verdicts) => self.settled(&verdicts.stop).await?,
            HubMessage::Grants(grants) => self.granted(grants).await?,
            HubMessage::Settled { through } => {
                let source = self.shared.source();
                self.shared
                    .store
                    .write(move |tx| Box::pin(async move { tx.outbox_ack(&source, through).await }))
                    .await?;
            }
            HubMessage::Logged { run, through } => self.uploads.logged(run, through),
            HubMessage::Cancel(runs) => self.cancel(&runs),
            HubMessage::Orders(orders) => self.order(orders).await,
        }
        Ok(())
    }

    /// Starts a session by sending the inventory: all runs in the journal and the last acknowledged results.
    async fn begun(&mut self, epoch: i64, lost_after_ms: u32, log_budget: LogBudget) {
        if lost_after_ms > 0 {
            self.shared.lost_after_ms.store(lost_after_ms, Ordering::Relaxed);
        }
        self.session = Some(HubSession {
            epoch,
            log_budget,
            taken: 0,
            credit: 0,
            is_settled: false,
            sent_through: 0,
            sent_at: tokio::time::Instant::now(),
            acked_boot_ms: boot_ms(),
            done: Vec::new(),
        });
        let journal = self.shared.entries().await;
        let mut runs: Vec<RunRef> = match journal {
            Ok(entries) => entries.iter().map(|entry| RunRef { job: entry.job_id, fence: entry.fence }).collect(),
            Err(error) => {
                // A session without an inventory would leave the hub waiting for it: say goodbye, so that the link
                // reconnects.
                tracing::error!(error = %error, "cannot read the journal; closing the link to try again");
                let goodbye = Outgoing { epoch, frame: ToHub::Goodbye(Goodbye { reason: "journal".to_owned() }) };
                let _ = self.channel.to_link.send(goodbye).await;
                return;
            }
        };
        let source = self.shared.source();
        let done = self
            .shared
            .store
            .read(move |tx| Box::pin(async move { tx.done_last(&source, INVENTORY_RESULTS).await }))
            .await;
        let done = done.unwrap_or_default();
        runs.extend(done.iter().map(|done| RunRef { job: done.job_id, fence: done.fence }));
        if let Some(session) = &mut self.session {
            session.done = done;
        }
        self.send(ToHub::Inventory(Inventory { runs })).await;
    }

    /// Sends the acknowledged results again that the hub does not list in `stop`: a hub that was restored from a backup
    /// still waits for them.
    async fn resend_results(&mut self, stop: &[RunRef]) -> store::Result<()> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let unwanted: HashSet<&RunRef> = stop.iter().collect();
        let mut wanted = std::mem::take(&mut session.done);
        wanted.retain(|done| !unwanted.contains(&RunRef { job: done.job_id, fence: done.fence }));
        self.requeue_results(wanted).await
    }

    /// Puts acknowledged results back into the outbox.
    async fn requeue_results(&self, done: Vec<ConfirmedResult>) -> store::Result<()> {
        if done.is_empty() {
            return Ok(());
        }
        tracing::info!(
            results = done.len(),
            "sending acknowledged results again; the hub was probably restored from a backup"
        );
        let (source, boot_id, now) = (self.shared.source(), machine::boot_id(), wall());
        // The journal entry was deleted with the first acknowledgement, so use the job id in place of the run id.
        let rows: Vec<(RunId, Value)> =
            done.into_iter().map(|done| (RunId::from_bytes(done.job_id.to_bytes()), done.body)).collect();
        self.shared
            .store
            .write(move |tx| Box::pin(async move { tx.outbox_put(&source, &rows, &boot_id, now).await }))
            .await?;
        Ok(())
    }

    /// Removes the grants that this machine has already finished and puts their results into the outbox. A hub that was
    /// restored from a backup grants them again, and they must not run twice.
    async fn without_finished(&self, granted: Vec<Grant>) -> store::Result<Vec<Grant>> {
        let (source, runs) = (self.shared.source(), granted.iter().map(|grant| (grant.job, grant.fence)).collect());
        let runs: Vec<(domain::JobId, i32)> = runs;
        let done =
            self.shared.store.read(move |tx| Box::pin(async move { tx.done_find(&source, &runs).await })).await?;
        if done.is_empty() {
            return Ok(granted);
        }
        let known: HashSet<(domain::JobId, i32)> = done.iter().map(|done| (done.job_id, done.fence)).collect();
        self.requeue_results(done).await?;
        Ok(granted.into_iter().filter(|grant| !known.contains(&(grant.job, grant.fence))).collect())
    }

    /// Handles the hub's answer to the inventory: ends the runs in `stop`, then sends results and credit.
    async fn settled(&mut self, stop: &[RunRef]) -> store::Result<()> {
        let mut gone = Vec::new();
        for run in stop {
            match self.active.get(run) {
                Some(active) => active.control.send_modify(|control| control.is_forgotten = true),
                None => gone.push(*run),
            }
        }
        if !gone.is_empty() {
            self.forget(&gone).await?;
        }
        self.resend_results(stop).await?;
        if let Some(session) = &mut self.session {
            session.is_settled = true;
            self.uploads.begin(session.epoch, session.log_budget);
        }
        self.send_results().await?;
        self.send_credit().await;
        Ok(())
    }

    /// Deletes ended runs that the hub does not want from journal and outbox.
    async fn forget(&self, runs: &[RunRef]) -> store::Result<()> {
        let (runs, source) = (runs.to_vec(), self.shared.source());
        self.shared
            .store
            .write(move |tx| {
                Box::pin(async move {
                    let all = tx.journal_all(&source).await?;
                    let ids: Vec<RunId> = all
                        .iter()
                        .filter(|entry| runs.contains(&RunRef { job: entry.job_id, fence: entry.fence }))
                        .map(|entry| entry.run_id)
                        .collect();
                    tx.outbox_forget(&ids).await?;
                    tx.journal_forget(&ids).await
                })
            })
            .await?;
        Ok(())
    }

    async fn granted(&mut self, grants: Grants) -> store::Result<()> {
        for definition in grants.definitions {
            self.definitions.insert((definition.id, definition.version), Arc::new(definition));
        }
        let Some(session) = &mut self.session else { return Ok(()) };
        session.taken += grants.grants.len() as u64;
        let (boot_id, now) = (machine::boot_id(), wall());
        let fresh: Vec<Grant> = grants
            .grants
            .into_iter()
            .filter(|grant| !self.active.contains_key(&RunRef { job: grant.job, fence: grant.fence }))
            .collect();
        let count = fresh.len();
        let fresh = self.without_finished(fresh).await?;
        if fresh.len() < count {
            self.send_results().await?;
        }
        let entries: Vec<Entry> = fresh
            .iter()
            .map(|grant| Entry {
                run_id: grant.run,
                job_id: grant.job,
                fence: grant.fence,
                state: JournalState::Accepted,
                boot_id: boot_id.clone(),
                // No secrets in the database: it is copied and backed up.
                grant: json!(Grant { secrets: Kept::default(), hidden: Kept::default(), ..grant.clone() }),
                accepted_at: now,
            })
            .collect();
        // Commit before a run starts: after a crash or power cut the inventory must list every run that may have
        // started, or the hub would grant its job to another host while it runs here.
        let source = self.shared.source();
        self.shared.store.write(move |tx| Box::pin(async move { tx.journal_accept(&source, &entries).await })).await?;
        for grant in fresh {
            let definition = self.definitions.get(&(grant.definition, grant.version)).cloned();
            let op = ServerOp::of_definition(grant.definition);
            let run = self.take_on(grant);
            match op {
                Some(op) => self.tasks.spawn(run.operate(op)),
                None => self.tasks.spawn(run.begin(definition)),
            }
        }
        Ok(())
    }

    /// Registers an active run.
    pub(super) fn take_on(&mut self, grant: Grant) -> Run {
        let reference = RunRef { job: grant.job, fence: grant.fence };
        let acked = self.session.as_ref().map_or_else(boot_ms, |session| session.acked_boot_ms);
        let lease_until_ms = acked + u64::from(self.shared.lost_after_ms());
        let (control, receiver) = watch::channel(RunCommand { lease_until_ms, ..RunCommand::default() });
        let (progress, progress_at) = (None, None);
        let takes_place = ServerOp::of_definition(grant.definition).is_none();
        self.active.insert(reference, Active { id: grant.run, takes_place, control, progress, progress_at });
        let dir = self.shared.dir(grant.run);
        Run { shared: self.shared.clone(), dir, grant, control: receiver, events: self.events.0.clone() }
    }

    fn renew(&mut self, sent_boot_ms: u64) {
        let until = sent_boot_ms + u64::from(self.shared.lost_after_ms());
        if let Some(session) = &mut self.session {
            session.acked_boot_ms = sent_boot_ms;
        }
        for active in self.active.values() {
            active.control.send_modify(|control| control.lease_until_ms = control.lease_until_ms.max(until));
        }
    }

    fn cancel(&self, runs: &[CancelRun]) {
        for run in runs {
            if let Some(active) = self.active.get(&RunRef { job: run.job, fence: run.fence }) {
                tracing::info!(job.id = %run.job, run.no = run.fence, reason = run.reason, "canceling a run");
                active.control.send_modify(|control| control.is_canceled = true);
            }
        }
    }

    async fn handle_run_message(&mut self, event: RunMessage) -> store::Result<()> {
        match event {
            RunMessage::Began { run, pid } => {
                if let Some(active) = self.active.get(&run) {
                    self.upload_log(run, active.id);
                }
                let events = self.events.0.clone();
                self.tasks.spawn(async move {
                    tokio::time::sleep(LASTS).await;
                    let _ = events.send(RunMessage::Lasts { run, pid }).await;
                });
            }
            RunMessage::Lasts { run, pid } => {
                if self.active.contains_key(&run) {
                    let runs = vec![Started { job: run.job, fence: run.fence, pid }];
                    self.send(ToHub::Started { runs }).await;
                }
            }
            RunMessage::Send(frame) => self.send(*frame).await,
            RunMessage::Ordered(done) => self.order_done(done).await,
            RunMessage::Progress { run, progress } => self.progress(run, progress).await,
            RunMessage::ProgressDue { run } => self.send_progress(run).await,
            RunMessage::Forgotten { run, id } => {
                self.active.remove(&run);
                self.uploads.forget(id);
                self.shared.store.write(move |tx| Box::pin(async move { tx.journal_forget(&[id]).await })).await?;
                self.send_credit().await;
            }
            RunMessage::Ended { id, result, finished } => self.ended(id, *result, finished).await?,
        }
        Ok(())
    }

    /// Sends the first progress immediately, later ones at the minimum interval, and always the last one.
    async fn progress(&mut self, run: RunRef, progress: Progress) {
        let Some(active) = self.active.get_mut(&run) else { return };
        let is_waiting = active.progress.replace(progress).is_some();
        let since = active.progress_at.map_or(PROGRESS_EVERY, |at| at.elapsed());
        if since >= PROGRESS_EVERY {
            self.send_progress(run).await;
        } else if !is_waiting {
            let events = self.events.0.clone();
            self.tasks.spawn(async move {
                tokio::time::sleep(PROGRESS_EVERY - since).await;
                let _ = events.send(RunMessage::ProgressDue { run }).await;
            });
        }
    }

    async fn send_progress(&mut self, run: RunRef) {
        let Some(active) = self.active.get_mut(&run) else { return };
        let Some(Progress { percent, message }) = active.progress.take() else { return };
        active.progress_at = Some(tokio::time::Instant::now());
        self.send(ToHub::Progress(ProgressFrame { job: run.job, fence: run.fence, percent, message })).await;
    }

    async fn ended(
        &mut self,
        id: RunId,
        result: RunResult,
        finished: Option<Box<exec::Finished>>,
    ) -> store::Result<()> {
        let run = RunRef { job: result.job, fence: result.fence };
        let mut batch = vec![(id, result, finished)];
        // Other runs that have ended meanwhile share the commit.
        let mut others = Vec::new();
        while let Ok(event) = self.events.1.try_recv() {
            match event {
                RunMessage::Ended { id, result, finished } => batch.push((id, *result, finished)),
                other => others.push(other),
            }
        }
        tracing::debug!(job.id = %run.job, run.no = run.fence, count = batch.len(), "runs ended");
        let (boot_id, now) = (machine::boot_id(), wall());
        let rows: Vec<(RunId, Value)> = batch.iter().map(|(id, result, _)| (*id, json!(result))).collect();
        let source = self.shared.source();
        self.shared
            .store
            .write(move |tx| Box::pin(async move { tx.outbox_put(&source, &rows, &boot_id, now).await }))
            .await?;
        for (id, result, finished) in batch {
            let run = RunRef { job: result.job, fence: result.fence };
            let is_process = self.active.remove(&run).is_none_or(|active| active.takes_place);
            // A run that ended before its `Began` message was handled has output, too.
            if is_process {
                self.upload_log(run, id);
                self.uploads.ended(id);
            }
            if let Some(finished) = finished {
                self.tasks.spawn(finished.ack());
            }
        }
        self.send_results().await?;
        for event in others {
            Box::pin(self.handle_run_message(event)).await?;
        }
        Ok(())
    }

    /// Starts the log upload of a run, unless it is already running.
    pub(super) fn upload_log(&self, run: RunRef, id: RunId) {
        let dir = self.shared.dir(id);
        if let Some(uploader) =
            LogUploader::new(&self.uploads, run, id, dir, self.events.0.clone(), self.shared.source())
        {
            self.tasks.spawn(uploader.run());
        }
    }

    /// Sends the results that were not sent in this session.
    async fn send_results(&mut self) -> store::Result<()> {
        loop {
            let Some(session) = self.session.as_mut().filter(|session| session.is_settled) else { return Ok(()) };
            let after = session.sent_through;
            let source = self.shared.source();
            let entries = self
                .shared
                .store
                .read(move |tx| Box::pin(async move { tx.outbox_list(&source, after, RESULTS_MAX).await }))
                .await?;
            let Some(last) = entries.last() else { return Ok(()) };
            (session.sent_through, session.sent_at) = (last.seq, tokio::time::Instant::now());
            let through = last.seq;
            let is_last = entries.len() < RESULTS_MAX as usize;
            let results: Vec<RunResult> =
                entries.into_iter().filter_map(|entry| serde_json::from_value(entry.body).ok()).collect();
            let credit = self.credit();
            self.send(ToHub::Results(Results { after, through, results, credit })).await;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Sends results without an acknowledgement again: the hub's database may have been unavailable.
    async fn resend_unconfirmed(&mut self) -> store::Result<()> {
        let source = self.shared.source();
        let depth = self.shared.store.read(move |tx| Box::pin(async move { tx.outbox_depth(&source).await })).await?;
        self.channel.outbox.send_replace(u64::try_from(depth).ok());
        if let Some(session) = &mut self.session
            && session.sent_at.elapsed() >= RESEND_EVERY
        {
            session.sent_through = 0;
        }
        self.send_results().await?;
        self.send_credit().await;
        Ok(())
    }

    /// The new credit, if it has grown: grants received plus free slots. It is a total and not a difference, so a lost
    /// or repeated message cannot give the hub too much.
    fn credit(&mut self) -> Option<u64> {
        let taken = self.active.values().filter(|active| active.takes_place).count();
        let slots = if self.role.is_primary() { self.slots } else { 0 };
        let free = slots.saturating_sub(taken) as u64;
        let session = self.session.as_mut()?;
        let credit = session.taken + free;
        (credit > session.credit).then(|| {
            session.credit = credit;
            credit
        })
    }

    async fn send_credit(&mut self) {
        if self.session.as_ref().is_some_and(|session| session.is_settled)
            && let Some(limit) = self.credit()
        {
            self.send(ToHub::Credit { limit }).await;
        }
    }

    pub(super) async fn send(&self, frame: ToHub) {
        if let Some(session) = &self.session {
            let _ = self.channel.to_link.send(Outgoing { epoch: session.epoch, frame }).await;
        }
    }
}
