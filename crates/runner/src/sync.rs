//! Replication of this machine's rows to a hub: the runner announces changes, the hub requests pages of rows.
//!
//! One task per hub. It reads from the runner's database concurrently with other writes, and itself writes only the
//! rare state that the protocol must persist. The state machine is `domain::sync`.

use std::time::Duration;

use domain::{
    HubId,
    sync::{
        Budget, Place, SyncPriority,
        doc::StoredDoc,
        frame::{Forward, FromHub, FromOrigin},
        origin::{OriginInput, OriginSync, Page},
        tables::SCHEMA,
    },
};
use proto::{
    link::Bytes32,
    sync::{PACKED, Packed, hub_id},
};
use runtime::{Shutdown, Wake, clock::wall};
use serde_json::Value;
use store::{
    Store,
    replication::{Handled, OriginSide, StandaloneHost},
};
use tokio::{
    sync::{mpsc, watch},
    time::Instant,
};

/// Capacity of each channel, in frames.
const FRAMES: usize = 8;
/// Shortest time between two log lines about rejected rows.
const WARN_EVERY: Duration = Duration::from_secs(60);
/// Changes within this time are announced together.
const GATHER: Duration = Duration::from_millis(20);
/// Interval at which obsolete deletion records and marks are removed.
const FORGET_EVERY: Duration = Duration::from_secs(600);

/// A message from the link to the replication task.
#[derive(Debug, Clone, PartialEq)]
pub enum SyncInput {
    /// A session was opened.
    Begun {
        epoch: i64,
        /// Capabilities of the hub.
        caps: Vec<String>,
    },
    /// A replication frame arrived.
    Frame(Packed),
    Ended,
}

/// The link's side of the channels.
pub struct SyncChannel {
    pub(crate) to_replication: mpsc::Sender<SyncInput>,
    /// Outgoing frames, each with the epoch of its session.
    pub(crate) from_replication: mpsc::Receiver<(i64, Packed)>,
}

/// Replication of this machine's rows to one hub.
pub struct RowSync {
    store: Store,
    hub: HubId,
    core: OriginSync,
    session: Option<SyncSession>,
    from_link: mpsc::Receiver<SyncInput>,
    to_link: mpsc::Sender<(i64, Packed)>,
    /// Where this machine fires the triggers of the hub, and the loop to wake when they change.
    standalone: Option<(StandaloneHost, Wake)>,
    /// Whether this hub is the primary hub; only then its triggers fire here.
    role: crate::HubRole,
    /// The page that the hub will probably request next, to be read while the hub stores the previous one.
    to_read_ahead: Option<(SyncPriority, Place, Budget)>,
    ahead: Option<Ahead>,
    /// When rejected rows were last logged.
    warned_at: Option<Instant>,
}

/// A received message, by the urgency of its answer.
enum HubInput {
    Began,
    Now(OriginInput<StoredDoc>),
    Last(OriginInput<StoredDoc>),
}

/// A page that was read before the hub requested it.
struct Ahead {
    priority: SyncPriority,
    after: Place,
    budget: Budget,
    page: Page<StoredDoc>,
}

struct SyncSession {
    epoch: i64,
    is_packed: bool,
    /// The last announced sequence number of each priority, control first.
    hinted: Vec<u64>,
}

impl RowSync {
    /// Creates the replication for the hub with this key, and the channels for its link.
    #[must_use]
    pub fn new(store: Store, key: &Bytes32) -> (SyncChannel, Self) {
        let (to_replication, from_link) = mpsc::channel(FRAMES);
        let (to_link, from_replication) = mpsc::channel(FRAMES);
        let hub = hub_id(key);
        let core = OriginSync::new(hub, SCHEMA);
        let rows = Self {
            store,
            hub,
            core,
            session: None,
            from_link,
            to_link,
            standalone: None,
            role: crate::HubRole::default(),
            to_read_ahead: None,
            ahead: None,
            warned_at: None,
        };
        (SyncChannel { to_replication, from_replication }, rows)
    }

    /// Also stores the hub's triggers and servers for this host and runs them here, if the gate allows it. Wakes `looks`
    /// when triggers change.
    #[must_use]
    pub fn with_standalone(mut self, gate: &crate::HubGate, standalone: StandaloneHost, looks: Wake) -> Self {
        self.standalone = gate.takes_settings().then_some((standalone, looks));
        self
    }

    /// Sets the role of the hub, for a machine with several hubs.
    #[must_use]
    pub fn for_hub(mut self, role: crate::HubRole) -> Self {
        self.role = role;
        self
    }

    /// Serves the hub until shutdown.
    pub async fn run(mut self, shutdown: Shutdown) {
        let mut commits = self.store.commits();
        let mut forget = tokio::time::interval(FORGET_EVERY);
        // A deadline instead of a sleep inside the branch: another branch that becomes ready would cancel the sleep,
        // and the change would never be announced.
        let mut hint_at: Option<Instant> = None;
        loop {
            let done = tokio::select! {
                received = self.from_link.recv() => match received {
                    Some(message) => self.handle_all(message).await,
                    None => return,
                },
                () = std::future::ready(()), if self.to_read_ahead.is_some() => self.read_ahead().await,
                () = changed(&mut commits), if hint_at.is_none() => {
                    hint_at = Some(Instant::now() + GATHER);
                    Ok(())
                }
                () = until(hint_at), if hint_at.is_some() => {
                    hint_at = None;
                    self.hint().await
                }
                _ = forget.tick() => {
                    self.store.write(|tx| Box::pin(async move { tx.sync_forget().await })).await.map(drop)
                }
                () = shutdown.asked() => return,
            };
            if let Err(error) = done {
                tracing::warn!(hub.id = %self.hub, error = %error, "replication to the hub failed");
            }
        }
    }

    /// Handles this message and all others that have arrived, requests for bulk rows (logs) last: their pages are
    /// large, and must not delay control rows.
    async fn handle_all(&mut self, first: SyncInput) -> store::Result<()> {
        let mut patient = Vec::new();
        let mut next = Some(first);
        while let Some(message) = next {
            match self.read(message) {
                Some(HubInput::Now(input)) => self.handle(input).await?,
                Some(HubInput::Last(input)) => patient.push(input),
                Some(HubInput::Began) => {
                    patient.clear();
                    self.handle(OriginInput::Linked).await?;
                }
                None => {}
            }
            next = self.from_link.try_recv().ok();
        }
        for input in patient {
            self.handle(input).await?;
        }
        Ok(())
    }

    /// Reads the page that the hub will probably request next. It is used only if the request matches it exactly.
    async fn read_ahead(&mut self) -> store::Result<()> {
        let Some((priority, after, budget)) = self.to_read_ahead.take() else { return Ok(()) };
        let seq = after.at.seq;
        let (epoch, page) = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    Ok::<_, store::Error>((tx.sync_epoch().await?, tx.sync_page(priority, seq, budget).await?))
                })
            })
            .await?;
        self.ahead = (epoch == Some(after.at.epoch)).then_some(Ahead { priority, after, budget, page });
        Ok(())
    }

    fn read(&mut self, message: SyncInput) -> Option<HubInput> {
        match message {
            SyncInput::Begun { epoch, caps } => {
                let is_packed = caps.iter().any(|cap| cap == PACKED);
                self.session = Some(SyncSession { epoch, is_packed, hinted: Vec::new() });
                (self.ahead, self.to_read_ahead) = (None, None);
                Some(HubInput::Began)
            }
            SyncInput::Ended => {
                self.session = None;
                None
            }
            SyncInput::Frame(packed) => match packed.read::<FromHub<Value>>() {
                Ok(FromHub::Request(request)) if request.priority == SyncPriority::Bulk => {
                    Some(HubInput::Last(OriginInput::Received(FromHub::Request(request))))
                }
                Ok(frame) => Some(HubInput::Now(OriginInput::Received(taken_apart(frame)))),
                Err(error) => {
                    tracing::warn!(hub.id = %self.hub, "cannot read a replication frame of the hub: {error}");
                    None
                }
            },
        }
    }

    /// Announces the changes since the last announcement.
    async fn hint(&mut self) -> store::Result<()> {
        if self.session.is_none() {
            return Ok(());
        }
        let heads = self.store.read(|tx| Box::pin(async move { tx.sync_heads().await })).await?;
        let Some(session) = &mut self.session else { return Ok(()) };
        let changed: Vec<SyncPriority> = SyncPriority::ALL
            .iter()
            .zip(heads.iter().enumerate())
            .filter(|(_, (number, head))| session.hinted.get(*number).is_none_or(|hinted| hinted != *head))
            .map(|(priority, _)| *priority)
            .collect();
        session.hinted = heads;
        for priority in changed {
            self.handle(OriginInput::Changed(priority)).await?;
        }
        Ok(())
    }

    /// Handles a message in a read transaction, which runs concurrently with writes. Only if the state machine has to
    /// write is it run again in a write transaction.
    async fn handle(&mut self, input: OriginInput<StoredDoc>) -> store::Result<()> {
        if let OriginInput::Received(FromHub::Error { error, rows }) = &input {
            if let Some(row) = rows.first() {
                let first = format!("{} {}: {}", row.table, row.id, row.error);
                if self.warned_at.is_none_or(|at| at.elapsed() >= WARN_EVERY) {
                    self.warned_at = Some(Instant::now());
                    tracing::warn!(hub.id = %self.hub, %error, rows = rows.len(), first, "the hub rejected rows");
                }
                let (hub, rows) = (self.hub, rows.clone());
                self.store
                    .write(move |tx| Box::pin(async move { tx.sync_refused_put(hub, &rows, wall()).await }))
                    .await?;
            } else {
                tracing::warn!(
                    hub.id = %self.hub, %error,
                    "the hub rejected the rows of this machine: hub and host have no schema version in common; \
                     update the older one"
                );
            }
        }
        let standalone = self.standalone.as_ref().filter(|_| self.role.is_primary()).map(|(standalone, _)| *standalone);
        let side = OriginSide { now: wall(), may_write: false, standalone };
        let (core, asked, budget) = (self.core.clone(), input.clone(), budget_of(&input));
        let ahead = self.read_before(&input);
        let looked = self
            .store
            .read(move |tx| Box::pin(async move { tx.sync_origin_handle(side, core, asked, ahead).await }))
            .await?;
        let (handled, confirmed) = match looked {
            Ok(handled) => handled,
            Err(store::replication::NeedsWrite) => {
                let (core, side) = (self.core.clone(), OriginSide { may_write: true, ..side });
                let written = self
                    .store
                    .write(move |tx| Box::pin(async move { tx.sync_origin_handle(side, core, input, None).await }))
                    .await?;
                if let Some((_, looks)) = &self.standalone {
                    looks.wake();
                }
                match written {
                    Ok(handled) => handled,
                    Err(store::replication::NeedsWrite) => return Ok(()),
                }
            }
        };
        let Handled { core, frames } = handled;
        self.core = core;
        for frame in frames {
            if let (FromOrigin::Response(page), Some(budget)) = (&frame, budget)
                && page.has_more
            {
                self.to_read_ahead = Some((page.priority, page.upto, budget));
            }
            self.send(&frame).await;
        }
        self.confirm(confirmed).await
    }

    /// The requested page, if it was read ahead.
    fn read_before(&mut self, input: &OriginInput<StoredDoc>) -> Option<(u64, Page<StoredDoc>)> {
        let OriginInput::Received(FromHub::Request(request)) = input else { return None };
        self.ahead
            .take_if(|ahead| {
                (ahead.priority, Some(ahead.after), ahead.budget) == (request.priority, request.since, request.budget)
            })
            .map(|ahead| (ahead.after.at.seq, ahead.page))
    }

    async fn confirm(&self, confirmed: Vec<(HubId, SyncPriority, Place)>) -> store::Result<()> {
        if confirmed.is_empty() {
            return Ok(());
        }
        let now = wall();
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    for (hub, priority, place) in confirmed {
                        tx.sync_confirm(hub, priority, place, now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    async fn send(&self, frame: &FromOrigin<StoredDoc>) {
        let Some(session) = &self.session else { return };
        match Packed::from_origin(frame, session.is_packed) {
            // Closed only while the process stops.
            Ok(packed) => drop(self.to_link.send((session.epoch, packed)).await),
            Err(error) => tracing::error!(error = %error, "cannot encode a replication frame"),
        }
    }
}

/// The size limit of the requested page.
fn budget_of(input: &OriginInput<StoredDoc>) -> Option<Budget> {
    match input {
        OriginInput::Received(FromHub::Request(request)) => Some(request.budget),
        _ => None,
    }
}

/// Resolves after the next commit to the database.
pub(crate) async fn changed(commits: &mut Option<watch::Receiver<u64>>) {
    let Some(commits) = commits else { return std::future::pending().await };
    if commits.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn taken_apart(frame: FromHub<Value>) -> FromHub<StoredDoc> {
    match frame {
        FromHub::Request(request) => FromHub::Request(request),
        FromHub::Error { error, rows } => FromHub::Error { error, rows },
        FromHub::Check { req, priority } => FromHub::Check { req, priority },
        FromHub::Forward(forward) => {
            let Forward { hub, from, upto, mark, has_more, rows, complete, ticket } = forward;
            let rows = rows.into_iter().map(|(origin, row)| (origin, row.read(SCHEMA))).collect();
            FromHub::Forward(Forward { hub, from, upto, mark, has_more, rows, complete, ticket })
        }
    }
}
