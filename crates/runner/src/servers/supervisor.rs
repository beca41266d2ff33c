//! One server, minded: what happens to it is decided, written down, and then done. It never waits for anything but the
//! next happening, so a kill always passes.

use std::{path::PathBuf, sync::Arc, time::Duration};

use domain::{
    RunId,
    job::RunStatus,
    server::{
        OrderKind, ServerOp,
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
    manager::ServerContext,
    output::Output,
    process::{End, end_of, limits, order, own_folder, unknown},
};
use crate::{
    exec::{self, Follower, Handle, OutputStream, Position, Redactor, RunEnd, RunState, StartError},
    machine,
};

/// Lines and bytes read at a time, and the longest last line that is told.
const LINES: usize = 2_000;
const BYTES: usize = 1024 * 1024;
const WORDS_MAX: usize = 200;
/// How long before the database is asked again to take what it must keep.
const AGAIN: Duration = Duration::from_secs(1);

/// What is said to a minder.
pub(super) enum SupervisorMessage {
    /// What is wanted of the server has changed, or it is to go.
    Changed(Box<Server>),
    /// A job asks for something; the answer is where the server stood then.
    Ask { by: RunId, op: ServerOp, reply: oneshot::Sender<Result<Asked, String>> },
    /// Something for the server at once.
    Order { kind: OrderKind, line: String, reply: oneshot::Sender<Result<(), String>> },
}

/// A run that has a process.
struct Running {
    run: RunId,
    handle: Handle,
    /// Told when it is over, for whoever follows its output.
    is_over: watch::Sender<bool>,
    /// Resolves when it is ready.
    ready: Option<JoinHandle<()>>,
}

/// What a start came to.
struct StartedRun {
    run: RunId,
    result: Result<Handle, End>,
}

/// Minds one server.
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

    /// Minds it until it is gone or the process stops.
    pub(super) async fn run(mut self) {
        let stopping = self.shared.crew.stopping();
        self.take_up().await;
        loop {
            if self.server.deleted_at.is_some() && self.server.live.life.run().is_none() {
                self.note_gone().await;
                return;
            }
            let wakes_at = self.server.live.life.wakes_at(&self.server.body);
            tokio::select! {
                message = self.inbox.recv() => match message {
                    Some(message) => self.told(message).await,
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

    /// After a start of the runner: what became of the server meanwhile.
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
        let verdict = loop {
            match exec::inspect(&dir, &boot_id).await {
                Ok(verdict) => break verdict,
                Err(error) => tracing::warn!(run.id = %run, error = %error, "a server cannot be judged yet"),
            }
            tokio::time::sleep(AGAIN).await;
        };
        match verdict {
            RunState::Alive(handle) => {
                tracing::info!(server.id = %self.server.id, pid = handle.pid(), "a server was taken up again");
                self.attend(run, handle).await;
                self.repeat_step();
            }
            RunState::Finished(outcome) => {
                let end = end_of(&outcome, self.is_stopping());
                self.ended(run, end).await;
                self.read_rest(run).await;
            }
            RunState::Crashed { why } => {
                if let Err(error) = exec::kill_orphans(&dir, &run.to_string()).await {
                    tracing::warn!(run.id = %run, error = %error, "could not look for what a server left behind");
                }
                self.ended(run, unknown(RunStatus::Crashed, why.to_string(), false)).await;
                self.read_rest(run).await;
            }
            // It was to begin and did not: it begins now, as another run.
            RunState::NotStarted => self.begin_instead(run).await,
        }
    }

    /// Begins another run in place of one that never began.
    async fn begin_instead(&mut self, run: RunId) {
        let how = "the runner was restarted before it began".to_owned();
        self.close_run(run, &unknown(RunStatus::NotStarted, how.clone(), false)).await;
        if let Phase::Starting { since, .. } = self.server.live.life.phase {
            let next: RunId = self.shared.ids.next();
            self.server.live.life.phase = Phase::Starting { run: next, since };
            self.write(vec![Act::Begin(next)]).await;
        } else {
            self.ended(run, unknown(RunStatus::NotStarted, how, false)).await;
        }
    }

    async fn told(&mut self, message: SupervisorMessage) {
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
                None => drop(reply.send(Err(format!("it is {}", self.server.live.state)))),
                Some(running) => {
                    let handle = running.handle.clone();
                    self.shared.crew.spawn(async move {
                        let said = handle.input(&line).await.map_err(|error| error.to_string());
                        let _ = reply.send(said);
                    });
                }
            },
        }
    }

    /// Decides what follows, writes it down, and does it.
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

    /// Writes down how it lives, then does what follows from that.
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

    /// Keeps how it lives, and a run with it. Nothing is done that is not kept.
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
                    tracing::error!(server.id = %self.server.id, error = %error, "a server's state is not kept yet")
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

    /// Does the step of stopping that it is in once more: nobody knows whether the process before us did.
    fn repeat_step(&self) {
        if let Phase::Stopping { step, .. } = self.server.live.life.phase {
            self.command(step);
        }
    }

    /// Tells the process to end. If there is none yet, it is told when there is.
    fn command(&self, step: StopStep) {
        let Some(running) = &self.running else { return };
        let (handle, id) = (running.handle.clone(), self.server.id);
        let (line, signal) = (self.server.body.stop.command.clone(), self.server.body.stop.signal_number());
        self.shared.crew.spawn(async move {
            let done = match (step, line) {
                (StopStep::Command, Some(line)) => match handle.input(&line).await {
                    Ok(()) => Ok(()),
                    // It does not hear us: no need to wait for what it does about it.
                    Err(_) => handle.signal(signal).await,
                },
                (StopStep::Command, None) | (StopStep::Signal, _) => handle.signal(signal).await,
                (StopStep::Kill, _) => handle.kill().await,
            };
            if let Err(error) = done {
                // It may just have ended; if it lives, the next step comes by itself.
                tracing::debug!(server.id = %id, error = %error, "a server did not take an order");
            }
        });
    }

    /// Begins a run beside everything else that may happen.
    fn begin(&self, run: RunId) {
        let (shared, server, begun) = (self.shared.clone(), self.server.clone(), self.begun.0.clone());
        let dir = self.dir(run);
        self.shared.crew.spawn(async move {
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

    /// Attends to a process that lives: its output is followed, and whether it is ready.
    async fn attend(&mut self, run: RunId, handle: Handle) {
        let (pid, dir) = (handle.pid(), self.dir(run));
        let (is_over, receiver) = watch::channel(false);
        self.follow(run, receiver).await;
        let is_starting = matches!(self.server.live.life.phase, Phase::Starting { .. });
        let ready = is_starting.then(|| {
            let check = check::ready(self.server.body.ready.check.clone(), dir);
            #[expect(clippy::disallowed_methods, reason = "ends with the run it asks about: see `Running`")]
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

    /// Which caps its run has only on paper.
    async fn unmet_caps(&self, run: RunId) -> Vec<String> {
        let (dir, limits) = (self.dir(run), limits(&self.server.body));
        let unmet = tokio::task::spawn_blocking(move || exec::unmet_limits(&dir, &limits)).await.unwrap_or_default();
        if !unmet.is_empty() {
            tracing::warn!(server.name = %self.server.name, caps = ?unmet, "caps of a server are not in force");
        }
        unmet.into_iter().map(str::to_owned).collect()
    }

    /// Follows a run's output.
    async fn follow(&self, run: RunId, is_over: watch::Receiver<bool>) {
        let read = self.shared.store.read(move |tx| Box::pin(async move { tx.server_run_of(run).await }));
        match read.await {
            Ok(Some(row)) => self.shared.crew.spawn(Output::of(&self.shared, &row, is_over).follow()),
            Ok(None) => {}
            Err(error) => tracing::error!(run.id = %run, error = %error, "a server's output cannot be followed"),
        }
    }

    /// Reads what is left of the output of a run that is over. Not before that is written down: its folder goes with it.
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
            RunEnd::Finished(finished) => (end_of(&finished.outcome, is_asked), Some(finished)),
            RunEnd::Crashed { why } => {
                if let Err(error) = exec::kill_orphans(&self.dir(run), &run.to_string()).await {
                    tracing::warn!(run.id = %run, error = %error, "could not look for what a server left behind");
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

    /// Writes down how a run ended.
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
            tracing::error!(server.id = %server, error = %error, "a server's run could not be written down");
        }
    }

    /// It is to go and nothing of it runs: whoever waits for that hears so.
    async fn note_gone(&self) {
        let (mut server, now) = (self.server.clone(), wall());
        server.updated_at = now;
        let written = self.shared.store.write(move |tx| Box::pin(async move { tx.server_put(&server).await }));
        if let Err(error) = written.await {
            tracing::error!(server.id = %self.server.id, error = %error, "that a server is gone could not be written down");
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

/// Adds the last line that a run wrote before it ended badly: most say there what was wrong.
async fn with_last_words(end: End, dir: PathBuf) -> End {
    if end.is_good || end.status == RunStatus::NotStarted {
        return end;
    }
    let read = tokio::task::spawn_blocking(move || last_words(&dir)).await;
    match read.ok().flatten() {
        Some(line) => End { how: format!("{}; it said last: {line}", end.how), ..end },
        None => end,
    }
}

/// The last line of a run that is over, what it wrote to its error stream first.
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

/// Starts a run; what it was before that is written down already.
async fn start(shared: &ServerContext, server: &Server, run: RunId, dir: &std::path::Path) -> Result<Handle, End> {
    let hopeless = |why: String| unknown(RunStatus::NotStarted, why, true);
    let order = order(server, run, server.live.run_no, &shared.folder).map_err(hopeless)?;
    if server.body.folder.is_none() {
        let (folder, user) = (order.folder.clone(), order.user);
        let made = tokio::task::spawn_blocking(move || make_folder(&folder, user)).await;
        if let Err(error) = made.map_err(std::io::Error::other).flatten() {
            return Err(hopeless(format!("its folder cannot be made: {error}")));
        }
    }
    match exec::start(&shared.shim, dir, &order).await {
        Ok(_) => {}
        Err(StartError::NotBegun(outcome)) => return Err(end_of(&outcome, false)),
        Err(StartError::Order(error)) => return Err(hopeless(error.to_string())),
        Err(error) => tracing::warn!(server.id = %server.id, error = %error, "a start is judged"),
    }
    loop {
        match exec::inspect(dir, &machine::boot_id()).await {
            Ok(RunState::Alive(handle)) => return Ok(handle),
            Ok(RunState::Finished(outcome)) => return Err(end_of(&outcome, false)),
            Ok(RunState::NotStarted) => {
                return Err(unknown(RunStatus::NotStarted, "it could not be started".to_owned(), false));
            }
            Ok(RunState::Crashed { why }) => return Err(unknown(RunStatus::Crashed, why.to_string(), false)),
            Err(error) => tracing::warn!(server.id = %server.id, error = %error, "a server cannot be judged yet"),
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// A folder of the server's own, for the user it runs as.
fn make_folder(folder: &std::path::Path, user: Option<exec::User>) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    match user {
        Some(user) => std::os::unix::fs::chown(folder, Some(user.uid), Some(user.gid)),
        None => Ok(()),
    }
}

/// What happens to a process next.
enum Next {
    Over(RunEnd),
    Ready(RunId),
}

/// Resolves when the process is over, or ready for the first time.
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

/// Resolves at a time of the wall's clock. Looked at again now and then: that clock is set by people.
async fn until(at: Option<domain::Timestamp>) {
    let Some(at) = at else { return std::future::pending().await };
    let left = at.since(wall()).to_duration().min(Duration::from_secs(10));
    tokio::time::sleep(left + Duration::from_millis(1)).await;
}
