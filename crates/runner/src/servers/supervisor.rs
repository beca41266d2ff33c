//! The supervisor of one server: applies each event to the state machine, commits the new state and performs the
//! resulting actions.
//!
//! The loop never waits for an action: starts, checks and commands run in tasks of their own, so a kill order is always
//! handled. Restart delays are part of the state machine: they grow with consecutive failures and are stored, so a
//! restart of the runner does not shorten them.

use std::{path::PathBuf, sync::Arc, time::Duration};

use domain::{
    RunId,
    job::RunStatus,
    server::{
        OrderKind, RestartPolicy, ServerOp,
        life::{Act, Asked, Happening, Phase, StopStep},
    },
};
use runtime::clock::wall;
use store::server::{Live, Server, ServerRun};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinHandle,
};

use super::{
    check,
    context::ServerContext,
    output::Output,
    process::{End, end_of, limits, order, own_folder, unknown},
};
use crate::{
    exec::{self, Follower, Handle, OutputStream, Position, Redactor, RunEnd, RunState, StartError},
    machine,
};

/// Most lines and bytes per read, and the longest last line of output in an end reason.
const LINES: usize = 2_000;
const BYTES: usize = 1024 * 1024;
const WORDS_MAX: usize = 200;
/// Pause before a failed write or inspection is repeated.
const AGAIN: Duration = Duration::from_secs(1);

/// A message to the supervisor.
pub(super) enum SupervisorMessage {
    /// The definition of the server has changed, or the server was deleted.
    Changed(Box<Server>),
    /// A job requests an operation; the reply is the state of the server at the first request.
    Ask { by: RunId, op: ServerOp, reply: oneshot::Sender<Result<Asked, String>> },
    /// Kill the server, or write a line to its standard input.
    Order { kind: OrderKind, line: String, reply: oneshot::Sender<Result<(), String>> },
}

/// A run with a live process.
struct Running {
    run: RunId,
    handle: Handle,
    /// Notifies the reader of the output when the run has ended.
    is_over: watch::Sender<bool>,
    /// The readiness check; it succeeds once. Aborted when the process exits.
    ready: Option<JoinHandle<()>>,
}

/// The result of a start.
struct StartedRun {
    run: RunId,
    result: Result<Handle, End>,
}

/// The supervisor of one server.
pub(super) struct ServerSupervisor {
    shared: Arc<ServerContext>,
    server: Server,
    inbox: mpsc::Receiver<SupervisorMessage>,
    live: watch::Sender<Live>,
    running: Option<Running>,
    begun: (mpsc::Sender<StartedRun>, mpsc::Receiver<StartedRun>),
}

impl ServerSupervisor {
    pub(super) fn new(
        shared: Arc<ServerContext>,
        server: Server,
        inbox: mpsc::Receiver<SupervisorMessage>,
        live: watch::Sender<Live>,
    ) -> Self {
        Self { shared, server, inbox, live, running: None, begun: mpsc::channel(4) }
    }

    /// Supervises the server until it is removed or the runner stops.
    pub(super) async fn run(mut self) {
        let stopping = self.shared.tasks.stopping();
        let is_removed = self.server.deleted_at.is_some();
        if is_removed {
            // It was removed while no runner was active. Neither a boot nor the end of its run may start it again.
            self.server.body.autostart = false;
            self.server.body.restart.policy = RestartPolicy::Never;
        }
        self.take_up().await;
        if is_removed {
            self.happened(Happening::Asked(ServerOp::Stop)).await;
        }
        loop {
            if self.server.deleted_at.is_some() && self.server.live.life.run().is_none() {
                self.note_gone().await;
                return;
            }
            let wakes_at = self.server.live.life.wakes_at(&self.server.body);
            tokio::select! {
                message = self.inbox.recv() => match message {
                    Some(message) => self.handle_message(message).await,
                    None => return,
                },
                Some(begun) = self.begun.1.recv() => self.has_begun(begun).await,
                next = next(&mut self.running) => match next {
                    Next::Over(ended) => self.has_ended(ended).await,
                    Next::Ready(run) => self.happened(Happening::BecameReady { run }).await,
                },
                () = until(wakes_at) => self.happened(Happening::Tick).await,
                () = stopping.cancelled() => return,
            }
        }
    }

    /// Determines what happened to the server while no runner was active.
    async fn take_up(&mut self) {
        let boot_id = machine::boot_id();
        let was = std::mem::replace(&mut self.server.live.boot_id, boot_id.clone());
        let is_new_boot = !was.is_empty() && was != boot_id;
        let Some(run) = self.server.live.life.run() else {
            return self.happened(Happening::Woke { is_new_boot }).await;
        };
        let dir = self.dir(run);
        if is_new_boot {
            let how = exec::Crash::Reboot.to_string();
            self.close_run(run, &unknown(RunStatus::Crashed, how, false)).await;
            self.happened(Happening::Woke { is_new_boot }).await;
            return self.read_rest(run).await;
        }
        let state = loop {
            match exec::inspect(&dir, &boot_id).await {
                Ok(state) => break state,
                Err(error) => {
                    tracing::warn!(run.id = %run, error = %error, "cannot determine the state of a server yet")
                }
            }
            tokio::time::sleep(AGAIN).await;
        };
        match state {
            RunState::Alive(handle) => {
                tracing::info!(server.id = %self.server.id, pid = handle.pid(), "adopted a running server");
                self.attend(run, handle).await;
                self.repeat_step();
            }
            RunState::Finished(outcome) => {
                let end = end_of(&outcome, None, self.is_stopping());
                self.ended(run, end).await;
                self.read_rest(run).await;
            }
            RunState::Crashed { why } => {
                if let Err(error) = exec::kill_orphans(&dir, &run.to_string()).await {
                    tracing::warn!(run.id = %run, error = %error, "cannot search for orphan processes of a server");
                }
                self.ended(run, unknown(RunStatus::Crashed, why.to_string(), false)).await;
                self.read_rest(run).await;
            }
            // Its start was committed and not performed. A run id is never reused: its folder may carry a void marker
            // now.
            RunState::NotStarted => self.begin_instead(run).await,
        }
    }

    /// Starts a new run in place of one that never started.
    async fn begin_instead(&mut self, run: RunId) {
        let how = "the runner restarted before the run started".to_owned();
        self.close_run(run, &unknown(RunStatus::NotStarted, how.clone(), false)).await;
        if let Phase::Starting { since, .. } = self.server.live.life.phase
            && self.server.deleted_at.is_none()
        {
            let next: RunId = self.shared.ids.next();
            self.server.live.life.phase = Phase::Starting { run: next, since };
            self.write(vec![Act::Begin(next)]).await;
        } else {
            self.ended(run, unknown(RunStatus::NotStarted, how, false)).await;
        }
    }

    async fn handle_message(&mut self, message: SupervisorMessage) {
        match message {
            SupervisorMessage::Changed(server) => {
                let live = std::mem::replace(&mut self.server, *server).live;
                self.server.live = live;
                if self.server.deleted_at.is_some() {
                    self.happened(Happening::Asked(ServerOp::Stop)).await;
                }
            }
            SupervisorMessage::Ask { reply, .. } if self.server.deleted_at.is_some() => {
                let _ = reply.send(Err("the server was removed".to_owned()));
            }
            SupervisorMessage::Ask { by, op, reply } => {
                let asked = match self.server.live.life.asked_by {
                    Some((same, asked)) if same == by => asked,
                    _ => {
                        let asked = self.server.live.life.asked_at();
                        self.server.live.life.asked_by = Some((by, asked));
                        self.happened(Happening::Asked(op)).await;
                        asked
                    }
                };
                let _ = reply.send(Ok(asked));
            }
            SupervisorMessage::Order { kind: OrderKind::Kill, reply, .. } => {
                self.happened(Happening::KillAsked).await;
                let _ = reply.send(Ok(()));
            }
            SupervisorMessage::Order { kind: OrderKind::Input, line, reply } => match &self.running {
                None => drop(reply.send(Err(format!("the server is {}", self.server.live.state)))),
                Some(running) => {
                    let handle = running.handle.clone();
                    self.shared.tasks.spawn(async move {
                        let written = handle.input(&line).await.map_err(|error| error.to_string());
                        let _ = reply.send(written);
                    });
                }
            },
        }
    }

    /// Applies an event: computes the new state, commits it and performs the actions.
    async fn happened(&mut self, what: Happening) {
        let (life, next, now) = (self.server.live.life.clone(), self.shared.ids.next(), wall());
        if what == Happening::Tick && life.wakes_at(&self.server.body).is_none_or(|at| at > now) {
            return;
        }
        let is_ready = matches!(what, Happening::BecameReady { .. });
        let (life, acts) = life.after(&self.server.body, what, next, now);
        self.server.live.life = life;
        if is_ready && let Some(run) = self.server.live.life.run() {
            self.change_run(run, |run| run.ready_at = Some(now)).await;
        }
        self.write(acts).await;
    }

    /// Commits the new state, then performs the actions. In the other order, a crash in between would leave a process
    /// that no row knows, and the next runner would start a second one.
    async fn write(&mut self, acts: Vec<Act>) {
        let now = wall();
        let before = self.live.borrow().clone();
        let (body, live) = (&self.server.body, &mut self.server.live);
        live.state = live.life.state(body);
        live.state_reason = live.life.reason(body);
        if live.state != before.state {
            live.state_at = now;
        }
        if live.life.run().is_none() {
            (live.pid, live.started_at) = (None, None);
        }
        let begins = acts.iter().find_map(|act| match act {
            Act::Begin(run) => Some(*run),
            _ => None,
        });
        if let Some(run) = begins {
            live.run_no += 1;
            (live.run_id, live.pid, live.started_at) = (Some(run), None, Some(now));
        }
        let row = begins.map(|run| self.new_run(run, now));
        self.keep(before, row).await;
        for act in &acts {
            self.act(act);
        }
    }

    fn new_run(&self, id: RunId, now: domain::Timestamp) -> ServerRun {
        ServerRun {
            server_id: self.server.id,
            no: self.server.live.run_no,
            id,
            org_id: self.server.org_id,
            host_id: self.server.host_id,
            status: RunStatus::Running,
            started_at: now,
            ready_at: None,
            finished_at: None,
            pid: None,
            exit_code: None,
            signal: None,
            is_oom: false,
            error_text: None,
            log_position: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// Commits the state and, if given, a run. Retries until it succeeds: no action may precede its commit.
    async fn keep(&self, before: Live, run: Option<ServerRun>) {
        if before == self.server.live && run.is_none() {
            return;
        }
        loop {
            let (server, live, run) = (self.server.clone(), self.server.live.clone(), run.clone());
            let server = Server { live: before.clone(), ..server };
            let (event, now) = (self.shared.ids.next(), wall());
            let written = self.shared.store.write(move |tx| {
                Box::pin(async move {
                    if let Some(run) = run {
                        tx.server_run_put(&run).await?;
                    }
                    tx.server_live(&server, &live, event, now).await
                })
            });
            match written.await {
                Ok(()) => break,
                Err(error) => {
                    tracing::error!(server.id = %self.server.id, error = %error, "cannot store a server's state; trying again")
                }
            }
            tokio::time::sleep(AGAIN).await;
        }
        self.live.send_replace(self.server.live.clone());
    }

    fn act(&self, act: &Act) {
        match act {
            Act::Begin(run) => self.begin(*run),
            Act::SayStop => self.command(StopStep::Command),
            Act::Signal => self.command(StopStep::Signal),
            Act::Kill => self.command(StopStep::Kill),
        }
    }

    /// Repeats the current step of a stop: the previous runner may have committed it and not performed it.
    fn repeat_step(&self) {
        if let Phase::Stopping { step, .. } = self.server.live.life.phase {
            self.command(step);
        }
    }

    /// Performs a step of stopping. Without a process yet, `repeat_step` does it after the start.
    fn command(&self, step: StopStep) {
        let Some(running) = &self.running else { return };
        let (handle, id) = (running.handle.clone(), self.server.id);
        let (line, signal) = (self.server.body.stop.command.clone(), self.server.body.stop.signal_number());
        self.shared.tasks.spawn(async move {
            let done = match (step, line) {
                (StopStep::Command, Some(line)) => match handle.input(&line).await {
                    Ok(()) => Ok(()),
                    // The server cannot receive the stop command, so do not wait for its effect.
                    Err(_) => handle.signal(signal).await,
                },
                (StopStep::Command, None) | (StopStep::Signal, _) => handle.signal(signal).await,
                (StopStep::Kill, _) => handle.kill().await,
            };
            if let Err(error) = done {
                // The process may have just ended. If it is alive, the next step follows after its timeout.
                tracing::debug!(server.id = %id, error = %error, "a stop step of a server failed");
            }
        });
    }

    /// Starts a run in a task of its own.
    fn begin(&self, run: RunId) {
        let (shared, server, begun) = (self.shared.clone(), self.server.clone(), self.begun.0.clone());
        let dir = self.dir(run);
        self.shared.tasks.spawn(async move {
            let result = start(&shared, &server, run, &dir).await;
            let _ = begun.send(StartedRun { run, result }).await;
        });
    }

    async fn has_begun(&mut self, StartedRun { run, result }: StartedRun) {
        if self.server.live.life.run() != Some(run) {
            return;
        }
        match result {
            Ok(handle) => {
                self.attend(run, handle).await;
                self.repeat_step();
            }
            Err(end) => {
                let end = with_last_words(end, self.dir(run)).await;
                self.ended(run, end).await;
                self.read_rest(run).await;
            }
        }
    }

    /// Watches a live process: stores its output and runs the readiness check.
    async fn attend(&mut self, run: RunId, handle: Handle) {
        let (pid, dir) = (handle.pid(), self.dir(run));
        let (is_over, receiver) = watch::channel(false);
        self.follow(run, receiver).await;
        let is_starting = matches!(self.server.live.life.phase, Phase::Starting { .. });
        // An account that has disappeared since the start leaves the server without a check, and so not ready.
        let user = self.shared.confinement.account(self.server.body.user.as_deref(), self.server.org_id);
        let ready = user.ok().filter(|_| is_starting).map(|account| {
            let user = account.and_then(|account| account.ids);
            let check = check::ready(self.server.body.ready.check.clone(), dir, user);
            #[expect(clippy::disallowed_methods, reason = "aborted when its run ends")]
            tokio::spawn(check)
        });
        self.running = Some(Running { run, handle, is_over, ready });
        if self.server.live.pid != Some(pid) {
            let before = self.live.borrow().clone();
            self.server.live.pid = Some(pid);
            self.server.live.life.unmet_caps = self.unmet_caps(run).await;
            self.server.live.state_reason = self.server.live.life.reason(&self.server.body);
            self.change_run(run, |run| run.pid = Some(pid)).await;
            self.keep(before, None).await;
        }
    }

    /// The names of the resource limits that are not enforced for this run.
    async fn unmet_caps(&self, run: RunId) -> Vec<String> {
        let (dir, limits) = (self.dir(run), limits(&self.server.body));
        let unmet = tokio::task::spawn_blocking(move || exec::unmet_limits(&dir, &limits)).await.unwrap_or_default();
        if !unmet.is_empty() {
            tracing::warn!(server.name = %self.server.name, caps = ?unmet, "resource limits are not enforced");
        }
        unmet.into_iter().map(str::to_owned).collect()
    }

    /// Starts storing the output of a run.
    async fn follow(&self, run: RunId, is_over: watch::Receiver<bool>) {
        let read = self.shared.store.read(move |tx| Box::pin(async move { tx.server_run_of(run).await }));
        match read.await {
            Ok(Some(row)) => self.shared.tasks.spawn(Output::of(&self.shared, &row, is_over).follow()),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(run.id = %run, error = %error, "cannot read a server's run; its output is not stored")
            }
        }
    }

    /// Stores the rest of the output of an ended run, then deletes its folder. Call it only after the end is committed:
    /// the folder is the proof of the end.
    async fn read_rest(&self, run: RunId) {
        let (_, is_over) = watch::channel(true);
        self.follow(run, is_over).await;
    }

    async fn has_ended(&mut self, ended: RunEnd) {
        let Some(Running { run, is_over, ready, .. }) = self.running.take() else { return };
        if let Some(ready) = ready {
            ready.abort();
        }
        let is_asked = self.is_stopping();
        let (end, finished) = match ended {
            RunEnd::Finished(finished) => (end_of(&finished.outcome, None, is_asked), Some(finished)),
            RunEnd::Crashed { why } => {
                if let Err(error) = exec::kill_orphans(&self.dir(run), &run.to_string()).await {
                    tracing::warn!(run.id = %run, error = %error, "cannot search for orphan processes of a server");
                }
                (unknown(RunStatus::Crashed, why.to_string(), false), None)
            }
        };
        let end = if is_asked { end } else { with_last_words(end, self.dir(run)).await };
        self.ended(run, end).await;
        is_over.send_replace(true);
        if let Some(finished) = finished {
            finished.ack().await;
        }
    }

    async fn ended(&mut self, run: RunId, end: End) {
        self.close_run(run, &end).await;
        let End { is_good, is_hopeless, how, .. } = end;
        self.happened(Happening::Ended { run, is_good, is_hopeless, how }).await;
    }

    /// Stores the end of a run.
    async fn close_run(&self, run: RunId, end: &End) {
        let now = wall();
        self.change_run(run, |run| {
            run.status = end.status;
            run.finished_at = Some(now);
            (run.exit_code, run.signal, run.is_oom) = (end.exit_code, end.signal, end.is_oom);
            run.error_text = (!end.is_good).then(|| end.how.clone());
        })
        .await;
    }

    async fn change_run(&self, id: RunId, change: impl FnOnce(&mut ServerRun)) {
        let (server, no) = (self.server.id, self.server.live.run_no);
        let read = self.shared.store.read(move |tx| Box::pin(async move { tx.server_run_get(server, no).await }));
        let Ok(Some(mut run)) = read.await else { return };
        if run.id != id {
            return;
        }
        change(&mut run);
        (run.updated_at, run.log_position) = (wall(), None);
        let written = self.shared.store.write(move |tx| Box::pin(async move { tx.server_run_put(&run).await }));
        if let Err(error) = written.await {
            tracing::error!(server.id = %server, error = %error, "cannot store a run of a server");
        }
    }

    /// Touches the row of the deleted server after its process is gone, so that the hub learns that it has stopped, and
    /// removes its working directory if it is empty.
    async fn note_gone(&self) {
        let (mut server, now) = (self.server.clone(), wall());
        server.updated_at = now;
        let written = self.shared.store.write(move |tx| Box::pin(async move { tx.server_put(&server).await }));
        if let Err(error) = written.await {
            tracing::error!(server.id = %self.server.id, error = %error, "cannot store the removal of a server");
        }
        let own = own_folder(&self.shared.folder, &self.server);
        let _ = tokio::task::spawn_blocking(move || std::fs::remove_dir(own)).await;
    }

    fn is_stopping(&self) -> bool {
        matches!(self.server.live.life.phase, Phase::Stopping { .. })
    }

    fn dir(&self, run: RunId) -> PathBuf {
        self.shared.folder.join(run.to_string())
    }
}

/// Appends the last line of output to the reason of a failed run: it usually names the error.
async fn with_last_words(end: End, dir: PathBuf) -> End {
    if end.is_good || end.status == RunStatus::NotStarted {
        return end;
    }
    let read = tokio::task::spawn_blocking(move || last_words(&dir)).await;
    match read.ok().flatten() {
        Some(line) => End { how: format!("{}; last line of output: {line}", end.how), ..end },
        None => end,
    }
}

/// The last line of an ended run, from standard error if it has any.
fn last_words(dir: &std::path::Path) -> Option<String> {
    let mut follower = Follower::new(dir, Redactor::new([""; 0]), Position::default());
    let (mut out, mut err) = (None, None);
    while let Ok(lines) = follower.poll(true, LINES, BYTES) {
        if lines.is_empty() {
            break;
        }
        for line in lines.into_iter().filter(|line| !line.text.trim().is_empty()) {
            match line.stream {
                OutputStream::Err => err = Some(line.text),
                OutputStream::Out => out = Some(line.text),
                OutputStream::System => {}
            }
        }
    }
    err.or(out).map(|line| line.trim().chars().filter(|c| !c.is_control()).take(WORDS_MAX).collect())
}

/// Starts a run. Its row is already committed.
async fn start(shared: &ServerContext, server: &Server, run: RunId, dir: &std::path::Path) -> Result<Handle, End> {
    let hopeless = |why: String| unknown(RunStatus::NotStarted, why, true);
    let order = order(server, run, server.live.run_no, &shared.folder, &shared.confinement);
    let mut order = order.map_err(hopeless)?;
    if server.body.folder.is_none() {
        let (folder, user) = (order.folder.clone(), order.user);
        let made = tokio::task::spawn_blocking(move || make_folder(&folder, user)).await;
        if let Err(error) = made.map_err(std::io::Error::other).flatten() {
            return Err(hopeless(format!("cannot create the working directory: {error}")));
        }
    }
    // A folder that a super admin has configured inside of the data folder stays reachable.
    order.isolation = shared.confinement.isolation(&[&order.folder]);
    match exec::start(&shared.shim, dir, &order).await {
        Ok(_) => {}
        Err(StartError::NotBegun(outcome)) => return Err(end_of(&outcome, Some(&order), false)),
        Err(StartError::Order(error)) => return Err(hopeless(error.to_string())),
        Err(error) => {
            tracing::warn!(server.id = %server.id, error = %error, "a start failed; inspecting the run")
        }
    }
    loop {
        match exec::inspect(dir, &machine::boot_id()).await {
            Ok(RunState::Alive(handle)) => return Ok(handle),
            Ok(RunState::Finished(outcome)) => return Err(end_of(&outcome, Some(&order), false)),
            Ok(RunState::NotStarted) => {
                return Err(unknown(RunStatus::NotStarted, "the server could not be started".to_owned(), false));
            }
            Ok(RunState::Crashed { why }) => return Err(unknown(RunStatus::Crashed, why.to_string(), false)),
            Err(error) => {
                tracing::warn!(server.id = %server.id, error = %error, "cannot determine the state of a server yet")
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Creates the server's working directory, owned by the user it runs as.
fn make_folder(folder: &std::path::Path, user: Option<exec::User>) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    match user {
        Some(user) => std::os::unix::fs::chown(folder, Some(user.uid), Some(user.gid)),
        None => Ok(()),
    }
}

/// The next event of a process.
enum Next {
    Over(RunEnd),
    Ready(RunId),
}

/// Resolves when the process has ended, or is ready for the first time.
async fn next(running: &mut Option<Running>) -> Next {
    let Some(running) = running else { return std::future::pending().await };
    let (run, handle) = (running.run, running.handle.clone());
    let is_ready = async {
        match running.ready.as_mut() {
            Some(check) => check.await.is_ok(),
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = handle.wait() => Next::Over(ended),
        is_ready = is_ready => {
            running.ready = None;
            if is_ready { Next::Ready(run) } else { Next::Over(handle.wait().await) }
        }
    }
}

/// Resolves at a wall clock time, or after 10 s: people may set that clock, so the caller computes the time again.
async fn until(at: Option<domain::Timestamp>) {
    let Some(at) = at else { return std::future::pending().await };
    let left = at.since(wall()).to_duration().min(Duration::from_secs(10));
    tokio::time::sleep(left + Duration::from_millis(1)).await;
}
