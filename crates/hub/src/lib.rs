//! The control plane: API, runner link, loops. Any number of hubs can share one PostgreSQL.
//!
//! A request flows one way: `http` (who may call, what was sent) → `app` (authorise, decide with `domain`,
//! store, emit) → answer. Hubs hold no truth of their own: all of it is in the store.

pub(crate) mod alerts;
pub mod app;
pub(crate) mod batcher;
pub mod error;
pub mod http;
pub mod identity;
pub mod link;
pub mod live;
pub mod loops;
pub mod options;
pub(crate) mod queue;
mod samples;
pub(crate) mod scheduler;
pub mod server;
mod vault;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::{
    HubId, Timestamp,
    hubs::{self, Watch},
};
use runtime::{Clock, Crew, Group, Ids, Random, Shutdown, Wake};
use store::Store;

pub use error::{Error, Result};
pub use identity::Identity;
pub use options::Options;
pub use server::{Listeners, Peer};

/// A hub. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<HubState>);

/// What a hub is made of.
pub struct HubState {
    /// This process.
    pub id: HubId,
    /// Its settings.
    pub options: Options,
    /// All truth.
    pub store: Store,
    /// The time, as the database tells it.
    pub clock: Clock,
    /// Ids.
    pub ids: Ids,
    /// Randomness.
    pub random: Random,
    /// Who this hub is, to runners.
    pub identity: Identity,
    /// Live sockets and what they hear.
    pub live: live::Live,
    /// The loops.
    pub loops: Group,
    /// Connections and other tasks.
    pub crew: Crew,
    /// Wakes of the loops.
    pub wakes: Wakes,
    /// Heartbeats on their way to the store.
    pub(crate) heartbeats: link::heartbeat::Heartbeats,
    /// How often each host gives a sign of life.
    pub(crate) heartbeat_intervals: link::heartbeat_interval::HeartbeatIntervals,
    /// For which orgs it was promoted.
    pub(crate) promotions: link::promotion::Promotions,
    /// The key of what is kept encrypted.
    pub(crate) vault: vault::Vault,
    /// What sends notices, once one was to be sent.
    pub(crate) sender: OnceLock<Arc<notify::Sender>>,
    /// The queue.
    pub(crate) queue: queue::Queue,
    /// How many runners are let in per second.
    pub(crate) admission: link::admission::Admission,
    /// How many requests an address may make.
    pub(crate) address_limiter: http::rate_limit::AddressLimiter,
    /// Tokens on their way to be looked up, and what was found.
    pub(crate) token_lookup: app::people::token_lookup::TokenLookup,
    /// Counts for `/metrics`.
    pub(crate) metrics: http::metrics::Metrics,
    /// What was seen and is not yet written down.
    pub(crate) samples: samples::SampleBuffer,
    /// The program that machines without one are given.
    pub(crate) program: app::hosts::install::Program,
    app: OnceLock<axum::Router>,
    watch: Mutex<Watch>,
    /// How far the log of what hosts are to have was seen to be.
    pub(crate) log_head: tokio::sync::watch::Sender<u64>,
    /// Tells those who wait for what became of something that was said to a server.
    pub(crate) orders_answered: tokio::sync::Notify,
    stopping: Shutdown,
}

/// The wakes of the hub's loops.
#[derive(Clone, Default)]
pub struct Wakes {
    /// Judges hosts.
    pub presence: Wake,
    /// Closes sockets that lost their credential.
    pub rights: Wake,
    /// Moves jobs whose time has come into their lanes.
    pub due: Wake,
    /// Numbers events and tells them.
    pub events: Wake,
    /// Looks for work that nobody was woken for.
    pub poll: Wake,
    /// Looks for what is wrong.
    pub alerts: Wake,
    /// Delivers notices.
    pub courier: Wake,
    /// Fires schedules.
    pub schedules: Wake,
    /// Moves servers.
    pub servers: Wake,
    /// Works off bulk actions.
    pub batches: Wake,
    /// Forgets what is old, and what belonged to orgs that are gone.
    pub retention: Wake,
}

impl std::ops::Deref for Hub {
    type Target = HubState;
    fn deref(&self) -> &HubState {
        &self.0
    }
}

impl Hub {
    /// Makes a hub on an open store: takes or makes its identity, begins its watch, starts its loops.
    ///
    /// # Errors
    /// The database does not answer, or the identity in it cannot be used.
    pub async fn open(store: Store, options: Options, clock: Clock) -> Result<Self> {
        if let Some(time) = store.database_time().await? {
            clock.follow(time);
        }
        let ids = Ids::new(clock.clone());
        let identity = Identity::of_store(&store, clock.now()).await?;
        let now = clock.now();
        let watch = if options.owner.is_some() { looked(&store, now).await? } else { begun(&store, now).await? };
        let is_viewer = options.owner.is_some();
        let crew = Crew::default();
        let hub = Self(Arc::new(HubState {
            id: ids.next(),
            heartbeats: link::heartbeat::Heartbeats::start(store.clone(), &crew),
            heartbeat_intervals: link::heartbeat_interval::HeartbeatIntervals::new(options.heartbeat),
            promotions: link::promotion::Promotions::default(),
            admission: link::admission::Admission::new(options.runners_per_second, std::time::Instant::now()),
            address_limiter: http::rate_limit::AddressLimiter::new(options.requests_per_second),
            metrics: http::metrics::Metrics::default(),
            samples: samples::SampleBuffer::default(),
            program: app::hosts::install::Program::default(),
            vault: vault::Vault::new(options.secret_key_file.clone()),
            sender: OnceLock::new(),
            queue: queue::Queue::new(),
            token_lookup: app::people::token_lookup::TokenLookup::default(),
            live: live::Live::default(),
            loops: Group::new(clock.clone()),
            wakes: Wakes::default(),
            random: Random,
            app: OnceLock::new(),
            watch: Mutex::new(watch),
            log_head: tokio::sync::watch::Sender::new(0),
            orders_answered: tokio::sync::Notify::new(),
            stopping: Shutdown::default(),
            options,
            store,
            clock,
            ids,
            identity,
            crew,
        }));
        if is_viewer {
            loops::start_looking(&hub);
        } else {
            loops::number_left(&hub).await?;
            hub.first_start().await?;
            loops::start(&hub);
            queue::start(&hub, &hub.crew);
        }
        hub.crew.spawn(app::people::token_lookup::answer(hub.clone(), hub.crew.stopping()));
        Ok(hub)
    }

    /// Something has happened that those who listen want to hear now. With nobody there, the herald's own pace will do.
    pub(crate) fn news(&self) {
        if self.live.has_listeners() {
            self.wakes.events.wake();
        }
    }

    /// Since when hubs have been listening without a break.
    #[must_use]
    pub fn watch(&self) -> Watch {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This hub as hosts know it: the same for all its replicas and restarts.
    #[must_use]
    pub fn logical_id(&self) -> HubId {
        proto::sync::hub_id(&self.identity.public_key())
    }

    /// Since when silence of a host counts.
    #[must_use]
    pub fn judged_since(&self, now: Timestamp) -> Timestamp {
        hubs::judged_since(self.watch(), now)
    }

    pub(crate) fn set_watch(&self, watch: Watch) {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    /// All routes and pages, built once.
    pub fn app(&self) -> axum::Router {
        self.app.get_or_init(|| http::app(self)).clone()
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Resolves when the hub is being stopped.
    #[must_use]
    pub fn stopping(&self) -> &Shutdown {
        &self.stopping
    }
}

/// The watch begins, or goes on.
async fn begun(store: &Store, now: Timestamp) -> Result<Watch> {
    let is_alone = store.kind() == store::Kind::Sqlite;
    let begin = store.write(move |tx| {
        Box::pin(async move {
            // The lock on the file says that no other hub lives: what it left open is nobody's.
            if is_alone {
                tx.host_session_close_all(now).await?;
            }
            // What was put aside because nobody knew what it is may be known by now.
            tx.sync_learn().await?;
            Ok::<_, Error>(tx.hub_beat(now).await?)
        })
    });
    begin.await
}

/// The watch, as its owner keeps it.
async fn looked(store: &Store, now: Timestamp) -> Result<Watch> {
    let watch = store.read(|tx| Box::pin(async move { tx.hub_watch().await })).await?;
    Ok(watch.unwrap_or(Watch { since: now, seen_at: now }))
}
