//! The manager of all servers on this machine: starts a supervisor for each server in the database and routes requests
//! to it.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use domain::{
    HubId, RunId, ServerId,
    server::{OrderKind, ServerOp, life::Asked},
};
use proto::metrics::ServerMetrics;
use runtime::{Clock, Shutdown, TaskTracker, clock::Ids, clock::wall};
use store::{
    Store,
    server::{Live, Server},
};
use tokio::sync::{mpsc, oneshot, watch};

use super::{
    context::ServerContext,
    output::Output,
    supervisor::{ServerSupervisor, SupervisorMessage},
    usage::Usage,
};
use crate::{
    Error, Result,
    exec::{Confinement, Shim},
    sync::changed,
};

/// Most servers of one machine.
const SERVERS_MAX: u32 = 10_000;
/// Commits within this time cause one look at the database.
const GATHER: Duration = Duration::from_millis(20);
/// Intervals of measuring resource usage and of deleting old runs and output.
const MEASURE_EVERY: Duration = Duration::from_secs(10);
const FORGET_EVERY: Duration = Duration::from_secs(60);
/// How long deleted servers stay in the database: a hub that was unreachable still has to receive the deletion.
const GONE_KEPT: domain::Span = domain::Span::from_secs(7 * 86_400);
/// Most runs and chunks of output deleted in one transaction.
const PRUNED: u32 = 200;
/// How long a request waits for a server whose definition has not arrived yet.
const ARRIVE_MAX: Duration = Duration::from_secs(20);
/// Capacity of a supervisor's inbox, in messages.
const MESSAGES: usize = 256;

/// The settings of the manager.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Parent of the run folders.
    pub folder: PathBuf,
    /// The isolation and the users of servers and jobs.
    pub confinement: Arc<Confinement>,
}

/// Access to the servers of this machine.
#[derive(Clone)]
pub struct Servers {
    handles: watch::Receiver<Arc<BTreeMap<ServerId, ServerHandle>>>,
    usage: watch::Receiver<Vec<ServerMetrics>>,
    confinement: Arc<Confinement>,
}

/// A server, as far as it decides who may operate it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerOwner {
    pub(crate) server: ServerId,
    pub(crate) name: String,
    /// The hub that its settings come from; `None` for the machine's own servers.
    pub(crate) hub: Option<HubId>,
}

impl ServerOwner {
    fn of(server: &Server) -> Self {
        Self { server: server.id, name: server.name.clone(), hub: server.hub_id }
    }
}

/// Access to one server.
#[derive(Clone)]
pub(super) struct ServerHandle {
    pub(super) owner: ServerOwner,
    pub(super) asks: mpsc::Sender<SupervisorMessage>,
    pub(super) live: watch::Receiver<Live>,
}

/// The manager of all servers on this machine.
pub struct ServerManager {
    shared: Arc<ServerContext>,
    handles: watch::Sender<Arc<BTreeMap<ServerId, ServerHandle>>>,
    /// Last known version of each server, and whether it is deleted.
    known: HashMap<ServerId, (i32, bool)>,
    usage: (watch::Sender<Vec<ServerMetrics>>, Usage),
}

impl ServerManager {
    /// Creates the run folder and installs the shim in it.
    ///
    /// # Errors
    /// The folder is not usable.
    pub fn new(store: Store, settings: &ServerSettings, tasks: TaskTracker) -> Result<(Self, Servers)> {
        let unusable = |error: String| Error::new(proto::Code::FolderUnusable, error);
        std::fs::create_dir_all(&settings.folder)
            .map_err(|error| unusable(format!("cannot create {}: {error}", settings.folder.display())))?;
        let shim = Shim::install(&settings.folder).map_err(|error| unusable(error.to_string()))?;
        let ids = Ids::new(Clock::system());
        let confinement = settings.confinement.clone();
        let servers_confinement = confinement.clone();
        let shared = ServerContext { store, shim, folder: settings.folder.clone(), tasks, ids, confinement };
        let (handles, usage) = (watch::Sender::default(), watch::Sender::default());
        let servers =
            Servers { handles: handles.subscribe(), usage: usage.subscribe(), confinement: servers_confinement };
        let usage = (usage, Usage::default());
        Ok((Self { shared: Arc::new(shared), handles, known: HashMap::new(), usage }, servers))
    }

    /// Manages all servers until shutdown. Their processes continue, and the next runner adopts them.
    pub async fn run(mut self, shutdown: Shutdown) {
        let mut commits = self.shared.store.commits();
        let mut measure = tokio::time::interval(MEASURE_EVERY);
        let mut forget = tokio::time::interval(FORGET_EVERY);
        let mut is_changed = true;
        self.tidy().await;
        loop {
            if std::mem::take(&mut is_changed)
                && let Err(error) = self.look().await
            {
                tracing::error!(error = %error, "cannot read the servers of this machine");
                tokio::time::sleep(Duration::from_secs(1)).await;
                is_changed = true;
            }
            tokio::select! {
                () = changed(&mut commits) => {
                    tokio::time::sleep(GATHER).await;
                    is_changed = true;
                }
                _ = measure.tick() => self.measure().await,
                _ = forget.tick() => self.forget().await,
                () = shutdown.asked() => return,
            }
        }
    }

    /// Stores the rest of the output of ended runs whose folders an earlier process left behind.
    async fn tidy(&self) {
        let folder = self.shared.folder.clone();
        let listed = tokio::task::spawn_blocking(move || {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.filter_map(|entry| entry.file_name().to_str()?.parse::<RunId>().ok()).collect::<Vec<_>>()
        });
        for id in listed.await.unwrap_or_default() {
            let found = self.shared.store.read(move |tx| Box::pin(async move { tx.server_run_of(id).await })).await;
            match found {
                Ok(Some(run)) if run.finished_at.is_some() => {
                    let (_, is_over) = watch::channel(true);
                    self.shared.tasks.spawn(Output::of(&self.shared, &run, is_over).follow());
                }
                // The run is alive; or it belongs to no row, and its folder is kept.
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// Reads the servers from the database and passes changes to their supervisors.
    async fn look(&mut self) -> store::Result<()> {
        let servers = self.shared.store.read(|tx| Box::pin(async move { tx.server_kept(SERVERS_MAX).await })).await?;
        for server in servers {
            let seen = (server.version, server.deleted_at.is_some());
            if self.known.get(&server.id) == Some(&seen) {
                continue;
            }
            let handle = self.handles.borrow().get(&server.id).cloned();
            match handle {
                Some(handle) => {
                    // The inbox is full only if the supervisor hangs; the next look tries again.
                    if handle.asks.try_send(SupervisorMessage::Changed(Box::new(server.clone()))).is_err() {
                        continue;
                    }
                    self.note_owner(ServerOwner::of(&server));
                }
                // Deleted and stopped: it needs no supervisor.
                None if server.deleted_at.is_some() && server.live.life.run().is_none() => {}
                None => self.start_supervisor(server.clone()),
            }
            self.known.insert(server.id, seen);
        }
        Ok(())
    }

    fn start_supervisor(&self, server: Server) {
        let (asks, inbox) = mpsc::channel(MESSAGES);
        let (live, seen) = watch::channel(server.live.clone());
        let (id, owner) = (server.id, ServerOwner::of(&server));
        self.handles.send_modify(|handles| {
            let mut more = (**handles).clone();
            more.insert(id, ServerHandle { owner, asks, live: seen });
            *handles = Arc::new(more);
        });
        let supervisor = ServerSupervisor::new(self.shared.clone(), server, inbox, live);
        self.shared.tasks.spawn(supervisor.run());
    }

    /// Updates the owner and the name of a supervised server, if they have changed.
    fn note_owner(&self, owner: ServerOwner) {
        self.handles.send_if_modified(|handles| {
            let is_news = handles.get(&owner.server).is_some_and(|handle| handle.owner != owner);
            if is_news && let Some(handle) = Arc::make_mut(handles).get_mut(&owner.server) {
                handle.owner = owner;
            }
            is_news
        });
    }

    async fn measure(&mut self) {
        let handles = self.handles.borrow().clone();
        let running: Vec<(ServerId, i32)> =
            handles.iter().filter_map(|(id, handle)| Some((*id, handle.live.borrow().pid?))).collect();
        let mut usage = std::mem::take(&mut self.usage.1);
        let measured = tokio::task::spawn_blocking(move || {
            let read = usage.read(&running);
            (usage, read)
        });
        if let Ok((usage, read)) = measured.await {
            self.usage.1 = usage;
            self.usage.0.send_replace(read);
        }
    }

    /// Deletes old runs and output, and servers that were deleted long ago.
    async fn forget(&mut self) {
        let now = wall();
        let read = self.shared.store.read(|tx| Box::pin(async move { tx.server_kept(SERVERS_MAX).await }));
        for server in read.await.unwrap_or_default() {
            let id = server.id;
            let is_gone = server.deleted_at.is_some_and(|at| at < now - GONE_KEPT) && server.live.life.run().is_none();
            let pruned = self.shared.store.write(move |tx| {
                Box::pin(async move {
                    if is_gone {
                        return tx.server_forget(&server).await;
                    }
                    let keep = &server.body.log;
                    tx.server_prune(&server, keep.before(now), keep.bytes, PRUNED).await.map(drop)
                })
            });
            if let Err(error) = pruned.await {
                tracing::warn!(server.id = %id, error = %error, "cannot delete old output of a server");
            }
            if is_gone {
                self.known.remove(&id);
            }
        }
    }
}

impl Servers {
    /// The isolation and the users of servers and jobs.
    pub(crate) fn confinement(&self) -> Arc<Confinement> {
        self.confinement.clone()
    }

    /// The last measured resource usage of the servers.
    #[must_use]
    pub fn usage(&self) -> Vec<ServerMetrics> {
        self.usage.borrow().clone()
    }

    /// The server with this id; waits some time for its definition to arrive.
    pub(super) async fn arrived(&self, server: ServerId) -> std::result::Result<ServerHandle, String> {
        let mut handles = self.handles.clone();
        let arrived = handles.wait_for(|handles| handles.contains_key(&server));
        match tokio::time::timeout(ARRIVE_MAX, arrived).await {
            Ok(Ok(handles)) => handles.get(&server).cloned().ok_or_else(|| "the runner is stopping".to_owned()),
            Ok(Err(_)) => Err("the runner is stopping".to_owned()),
            Err(_) => Err(format!(
                "this machine has no server {server}: the hub has not sent it yet, or the runner accepts no servers \
                 from its hub"
            )),
        }
    }

    /// Requests an operation for a job's run. Returns the state of the server at the first request of that run.
    pub(super) async fn ask(handle: &ServerHandle, by: RunId, op: ServerOp) -> std::result::Result<Asked, String> {
        let (reply, answer) = oneshot::channel();
        let gone = || "the server was removed, or the runner is stopping".to_owned();
        handle.asks.send(SupervisorMessage::Ask { by, op, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Carries out an order for a server that passes the check: kill it, or write a line to its standard input.
    ///
    /// # Errors
    /// The reason for people: the check failed, or the order could not be carried out.
    pub(crate) async fn order<C: Future<Output = std::result::Result<(), String>>>(
        &self,
        server: ServerId,
        kind: OrderKind,
        line: String,
        check: impl FnOnce(ServerOwner) -> C,
    ) -> std::result::Result<(), String> {
        let handle = self.handles.borrow().get(&server).cloned();
        let handle = handle.ok_or_else(|| format!("server {server} is not on this machine"))?;
        check(handle.owner.clone()).await?;
        let (reply, answer) = oneshot::channel();
        let gone = || "the server was removed, or the runner is stopping".to_owned();
        handle.asks.send(SupervisorMessage::Order { kind, line, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}
