//! The control plane: HTTP API, runner link, scheduler and background loops. Several hubs can share one PostgreSQL.
//!
//! A request flows one way: `http` (authenticate, parse) → `app` (authorise, decide with `domain`, store, emit events)
//! → response. All state is in the store; memory holds only caches and open connections, so a hub can be killed at any
//! moment.
//!
//! - `alerts`: compares facts with stored alerts, raises and resolves them, plans notifications
//! - `app`: use cases, one folder per area
//! - `batcher`: collects requests into batches for several writers
//! - `connections`: places of TCP connections, per address and for runners
//! - `error`: the hub's error type and its HTTP response
//! - `http`: router, middleware, authentication and handlers
//! - `identity`: the hub's key pair and TLS certificate
//! - `link`: the hub's side of the runner link
//! - `live`: live event sockets and their revocation
//! - `local_peer`: which processes may use the local socket
//! - `loops`: background loops, one per file
//! - `options`: settings of a hub
//! - `queue`: enqueue, claim, dispatch and finish jobs
//! - `rejections`: data of hosts that was rejected
//! - `samples`: per-minute metrics, buffered in memory until they are stored
//! - `scheduler`: jobs made by schedules, returning hosts and events
//! - `server`: TCP, TLS and Unix socket listeners
//! - `stalled_write`: ends connections whose client reads nothing
//! - `vault`: encryption of secrets at rest

pub(crate) mod alerts;
pub mod app;
pub(crate) mod batcher;
pub(crate) mod connections;
pub mod error;
pub mod http;
pub mod identity;
pub mod link;
pub mod live;
mod local_peer;
pub mod loops;
pub mod options;
pub(crate) mod queue;
mod rejections;
mod samples;
pub(crate) mod scheduler;
pub mod server;
mod stalled_write;
mod vault;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::{
    HubId, Timestamp,
    hubs::{self, HubLiveness},
};
use runtime::{Clock, Ids, LoopSupervisor, Random, Shutdown, TaskTracker, Wake, Writers};
use store::Store;
use tokio_util::sync::CancellationToken;

pub use error::{Error, Result};
pub use identity::Identity;
pub use options::Options;
pub use server::{Listeners, Peer};

/// A hub. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<HubState>);

/// State shared by all clones of a [`Hub`].
pub struct HubState {
    /// Id of this process; every start has a new one. See [`Hub::logical_id`] for the id that hosts know.
    pub id: HubId,
    pub options: Options,
    pub store: Store,
    /// Follows the database's clock, so that all hubs of a database agree.
    pub clock: Clock,
    pub ids: Ids,
    pub random: Random,
    /// Key pair and certificate that runners pin.
    pub identity: Identity,
    pub live: live::Live,
    pub loops: LoopSupervisor,
    /// Tracks connections and other tasks, so that a shutdown can wait for them.
    pub tasks: TaskTracker,
    pub wakes: Wakes,
    pub(crate) heartbeats: link::heartbeat::Heartbeats,
    pub(crate) heartbeat_intervals: link::heartbeat_interval::HeartbeatIntervals,
    pub(crate) promotions: link::promotion::Promotions,
    pub(crate) key_rotations: link::key_rotation::KeyRotations,
    pub(crate) vault: vault::Vault,
    /// Built when the first notification is sent.
    pub(crate) sender: OnceLock<Arc<notify::Sender>>,
    /// Tasks that write for others.
    pub(crate) writers: Writers,
    pub(crate) queue: queue::Queue,
    pub(crate) admission: link::admission::Admission,
    pub(crate) address_limiter: http::rate_limit::AddressLimiter,
    pub(crate) repeated_audit: app::repeated_audit::RepeatedAudit,
    pub(crate) token_lookup: app::people::token_lookup::TokenLookup,
    pub(crate) metrics: http::metrics::Metrics,
    pub(crate) rejections: rejections::RejectionBuffer,
    pub(crate) samples: samples::SampleBuffer,
    /// The `hostler` binary that the install script downloads.
    pub(crate) program: app::hosts::install::Program,
    app: OnceLock<axum::Router>,
    liveness: Mutex<HubLiveness>,
    /// Last position seen in the hub-to-host replication log; replication tasks wait for it to change.
    pub(crate) log_head: tokio::sync::watch::Sender<u64>,
    /// Wakes requests that wait for a host's answer to a server order.
    pub(crate) orders_answered: tokio::sync::Notify,
    stopping: Shutdown,
}

/// Wakes of the hub's loops. A loop without a wake here only runs at its period.
#[derive(Clone, Default)]
pub struct Wakes {
    pub presence: Wake,
    pub socket_revoker: Wake,
    pub delayed_jobs: Wake,
    pub events: Wake,
    pub dispatch_poll: Wake,
    pub alerts: Wake,
    pub notification_sender: Wake,
    pub schedules: Wake,
    pub servers: Wake,
    pub batches: Wake,
    pub retention: Wake,
}

impl std::ops::Deref for Hub {
    type Target = HubState;
    fn deref(&self) -> &HubState {
        &self.0
    }
}

impl Hub {
    /// Starts a task that writes for others.
    fn spawn_writer<F: Future<Output = ()> + Send + 'static>(
        &self,
        tasks: &TaskTracker,
        name: &'static str,
        start: fn(Self, CancellationToken) -> F,
    ) {
        let (hub, stop) = (self.clone(), tasks.stopping());
        self.writers.spawn(tasks, name, move || start(hub.clone(), stop.clone()));
    }

    /// Builds a hub on an open store: loads or creates its identity, writes its first hub heartbeat, starts its loops.
    ///
    /// # Errors
    /// The database is unavailable, or its stored identity cannot be parsed.
    pub async fn open(store: Store, options: Options, clock: Clock) -> Result<Self> {
        if let Some(time) = store.database_time().await? {
            clock.follow(time);
        }
        let ids = Ids::new(clock.clone());
        let identity = Identity::of_store(&store, clock.now()).await?;
        let now = clock.now();
        let liveness = if options.owner.is_some() {
            read_liveness(&store, now).await?
        } else {
            write_first_heartbeat(&store, now).await?
        };
        let is_viewer = options.owner.is_some();
        let (tasks, writers) = (TaskTracker::default(), Writers::default());
        let hub = Self(Arc::new(HubState {
            id: ids.next(),
            heartbeats: link::heartbeat::Heartbeats::start(&store, &tasks, &writers),
            heartbeat_intervals: link::heartbeat_interval::HeartbeatIntervals::new(options.heartbeat),
            promotions: link::promotion::Promotions::default(),
            key_rotations: link::key_rotation::KeyRotations::default(),
            admission: link::admission::Admission::new(options.runners_per_second, std::time::Instant::now()),
            address_limiter: http::rate_limit::AddressLimiter::new(options.requests_per_second),
            metrics: http::metrics::Metrics::default(),
            rejections: rejections::RejectionBuffer::default(),
            samples: samples::SampleBuffer::default(),
            program: app::hosts::install::Program::default(),
            vault: vault::Vault::new(options.secret_key_file.clone()),
            sender: OnceLock::new(),
            writers: writers.clone(),
            queue: queue::Queue::new(),
            repeated_audit: app::repeated_audit::RepeatedAudit::default(),
            token_lookup: app::people::token_lookup::TokenLookup::default(),
            live: live::Live::default(),
            loops: LoopSupervisor::new(clock.clone()),
            wakes: Wakes::default(),
            random: Random,
            app: OnceLock::new(),
            liveness: Mutex::new(liveness),
            log_head: tokio::sync::watch::Sender::new(0),
            orders_answered: tokio::sync::Notify::new(),
            stopping: Shutdown::default(),
            options,
            store,
            clock,
            ids,
            identity,
            tasks,
        }));
        if is_viewer {
            loops::start_polling(&hub);
        } else {
            loops::number_left(&hub).await?;
            hub.first_start().await?;
            loops::start(&hub);
            queue::start(&hub, &hub.tasks);
        }
        hub.spawn_writer(&hub.tasks, "token_lookup", app::people::token_lookup::answer);
        Ok(hub)
    }

    /// Wakes the event publisher if a live socket is open; otherwise its regular period is soon enough.
    pub(crate) fn news(&self) {
        if self.live.has_listeners() {
            self.wakes.events.wake();
        }
    }

    /// Period during which at least one hub has been running without interruption.
    #[must_use]
    pub fn liveness(&self) -> HubLiveness {
        *self.liveness.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Id of this hub as hosts know it, derived from its public key: equal for all hubs of a database, across restarts.
    #[must_use]
    pub fn logical_id(&self) -> HubId {
        proto::sync::hub_id(&self.identity.public_key())
    }

    /// Time from which a missing heartbeat counts against a host; earlier, no hub was running that could receive it.
    #[must_use]
    pub fn judged_since(&self, now: Timestamp) -> Timestamp {
        hubs::judged_since(self.liveness(), now)
    }

    pub(crate) fn set_liveness(&self, liveness: HubLiveness) {
        *self.liveness.lock().unwrap_or_else(PoisonError::into_inner) = liveness;
    }

    /// The router with all routes and pages, built once.
    pub fn app(&self) -> axum::Router {
        self.app.get_or_init(|| http::app(self)).clone()
    }

    /// The current time by the database's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The shutdown signal of this hub.
    #[must_use]
    pub fn stopping(&self) -> &Shutdown {
        &self.stopping
    }
}

/// Writes the first hub heartbeat of this process; returns since when a hub has been running.
async fn write_first_heartbeat(store: &Store, now: Timestamp) -> Result<HubLiveness> {
    let is_alone = store.kind() == store::Kind::Sqlite;
    let begin = store.write(move |tx| {
        Box::pin(async move {
            // This process holds the lock on the SQLite file, so no other hub runs: open sessions are left from a
            // crash.
            if is_alone {
                tx.host_session_close_all(now).await?;
            }
            // Replicated rows that an older version could not parse were parked; this version may parse them.
            tx.sync_learn().await?;
            Ok::<_, Error>(tx.hub_beat(now).await?)
        })
    });
    begin.await
}

/// Reads the hub heartbeats of the process that owns the database.
async fn read_liveness(store: &Store, now: Timestamp) -> Result<HubLiveness> {
    let liveness = store.read(|tx| Box::pin(async move { tx.hub_heartbeat().await })).await?;
    Ok(liveness.unwrap_or(HubLiveness { since: now, seen_at: now }))
}
