//! This machine's own rows on their way to a hub: told of when they change, said when they are asked for.
//!
//! One task for each hub. It reads the runner's database beside whatever is written there; only what the protocol must
//! keep for itself is written, and that seldom.

use std::time::Duration;

use domain::{
    HubId,
    sync::{
        Budget, Lane, Place,
        doc::Held,
        frame::{Forward, FromHub, FromOrigin},
        origin::{Input, OriginSync, Page},
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
    replication::{Handled, OriginSide, Seat},
};
use tokio::{
    sync::{mpsc, watch},
    time::Instant,
};

/// Frames that may wait on either side.
const FRAMES: usize = 8;
/// Changes that come within this time are told of together.
const GATHER: Duration = Duration::from_millis(20);
/// How often deletions and marks that nobody needs are forgotten.
const FORGET_EVERY: Duration = Duration::from_secs(600);

/// What the link tells this side.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A session has begun; these are the hub's abilities.
    Begun {
        /// Its number.
        epoch: i64,
        /// What the hub understands beyond the plain protocol.
        caps: Vec<String>,
    },
    /// The hub said something about rows.
    Said(Packed),
    /// The session has ended.
    Ended,
}

/// The link's end.
pub struct SyncDesk {
    pub(crate) tell: mpsc::Sender<Told>,
    /// What to say, and in which session.
    pub(crate) says: mpsc::Receiver<(i64, Packed)>,
}

/// This machine's rows, for one hub.
pub struct RowSync {
    store: Store,
    hub: HubId,
    core: OriginSync,
    session: Option<Session>,
    heard: mpsc::Receiver<Told>,
    say: mpsc::Sender<(i64, Packed)>,
    /// Where triggers of this hub fire here, and who looks at them then.
    seat: Option<(Seat, Wake)>,
    /// Whether this hub is the home: only then they do.
    home: crate::Seat,
    /// The page that will be asked for next, while the hub keeps the one before it.
    to_read_ahead: Option<(Lane, Place, Budget)>,
    ahead: Option<Ahead>,
}

/// What was heard, and how soon it is to be answered.
enum Heard {
    /// A session has begun.
    Began,
    Now(Input<Held>),
    Last(Input<Held>),
}

/// A page that was read before it was asked for.
struct Ahead {
    lane: Lane,
    after: Place,
    budget: Budget,
    page: Page<Held>,
}

struct Session {
    epoch: i64,
    is_packed: bool,
    /// The changes that were told of, control first.
    hinted: Vec<u64>,
}

impl RowSync {
    /// For the link to the hub with this key.
    #[must_use]
    pub fn new(store: Store, key: &Bytes32) -> (SyncDesk, Self) {
        let (tell, heard) = mpsc::channel(FRAMES);
        let (say, says) = mpsc::channel(FRAMES);
        let hub = hub_id(key);
        let core = OriginSync::new(hub, SCHEMA);
        let rows = Self {
            store,
            hub,
            core,
            session: None,
            heard,
            say,
            seat: None,
            home: crate::Seat::default(),
            to_read_ahead: None,
            ahead: None,
        };
        (SyncDesk { tell, says }, rows)
    }

    /// Takes the hub's triggers to this seat. `looks` is woken when they change.
    #[must_use]
    pub fn seated(mut self, seat: Seat, looks: Wake) -> Self {
        self.seat = Some((seat, looks));
        self
    }

    /// The same for one of several hubs.
    #[must_use]
    pub fn of_home(mut self, home: crate::Seat) -> Self {
        self.home = home;
        self
    }

    /// Answers until shutdown.
    pub async fn run(mut self, shutdown: Shutdown) {
        let mut commits = self.store.commits();
        let mut forget = tokio::time::interval(FORGET_EVERY);
        // Not a sleep inside one of the branches: whatever comes first would cut it short, and the change be forgotten.
        let mut hint_at: Option<Instant> = None;
        loop {
            let done = tokio::select! {
                told = self.heard.recv() => match told {
                    Some(told) => self.all_told(told).await,
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
                tracing::warn!(hub.id = %self.hub, error = %error, "rows could not be read or confirmed");
            }
        }
    }

    /// What has been said meanwhile is heard together: requests for logs come last.
    async fn all_told(&mut self, first: Told) -> store::Result<()> {
        let mut patient = Vec::new();
        let mut next = Some(first);
        while let Some(told) = next {
            match self.read(told) {
                Some(Heard::Now(input)) => self.handle(input).await?,
                Some(Heard::Last(input)) => patient.push(input),
                Some(Heard::Began) => {
                    patient.clear();
                    self.handle(Input::Linked).await?;
                }
                None => {}
            }
            next = self.heard.try_recv().ok();
        }
        for input in patient {
            self.handle(input).await?;
        }
        Ok(())
    }

    /// The hub keeps a page: meanwhile the next one is read.
    async fn read_ahead(&mut self) -> store::Result<()> {
        let Some((lane, after, budget)) = self.to_read_ahead.take() else { return Ok(()) };
        let seq = after.at.seq;
        let (epoch, page) = self
            .store
            .read(move |tx| {
                Box::pin(async move {
                    Ok::<_, store::Error>((tx.sync_epoch().await?, tx.sync_page(lane, seq, budget).await?))
                })
            })
            .await?;
        self.ahead = (epoch == Some(after.at.epoch)).then_some(Ahead { lane, after, budget, page });
        Ok(())
    }

    fn read(&mut self, told: Told) -> Option<Heard> {
        match told {
            Told::Begun { epoch, caps } => {
                let is_packed = caps.iter().any(|cap| cap == PACKED);
                self.session = Some(Session { epoch, is_packed, hinted: Vec::new() });
                (self.ahead, self.to_read_ahead) = (None, None);
                Some(Heard::Began)
            }
            Told::Ended => {
                self.session = None;
                None
            }
            Told::Said(packed) => match packed.read::<FromHub<Value>>() {
                Ok(FromHub::Request(request)) if request.lane == Lane::Bulk => {
                    Some(Heard::Last(Input::Heard(FromHub::Request(request))))
                }
                Ok(said) => Some(Heard::Now(Input::Heard(taken_apart(said)))),
                Err(error) => {
                    tracing::warn!(hub.id = %self.hub, "the hub said something about rows that was not understood: {error}");
                    None
                }
            },
        }
    }

    /// Tells of changes that were not told of yet.
    async fn hint(&mut self) -> store::Result<()> {
        if self.session.is_none() {
            return Ok(());
        }
        let heads = self.store.read(|tx| Box::pin(async move { tx.sync_heads().await })).await?;
        let Some(session) = &mut self.session else { return Ok(()) };
        let changed: Vec<Lane> = Lane::ALL
            .iter()
            .zip(heads.iter().enumerate())
            .filter(|(_, (number, head))| session.hinted.get(*number).is_none_or(|hinted| hinted != *head))
            .map(|(lane, _)| *lane)
            .collect();
        session.hinted = heads;
        for lane in changed {
            self.handle(Input::Changed(lane)).await?;
        }
        Ok(())
    }

    /// First beside all that is written; only what must be written waits its turn.
    async fn handle(&mut self, input: Input<Held>) -> store::Result<()> {
        if let Input::Heard(FromHub::Error { error, rows }) = &input {
            let first = rows.first().map(|row| format!("{} {}: {}", row.table, row.id, row.error)).unwrap_or_default();
            tracing::warn!(hub.id = %self.hub, %error, rows = rows.len(), first, "the hub put rows aside");
        }
        let seat = self.seat.as_ref().filter(|_| self.home.is_home()).map(|(seat, _)| *seat);
        let side = OriginSide { now: wall(), may_write: false, seat };
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
                if let Some((_, looks)) = &self.seat {
                    looks.wake();
                }
                match written {
                    Ok(handled) => handled,
                    Err(store::replication::NeedsWrite) => return Ok(()),
                }
            }
        };
        let Handled { core, says } = handled;
        self.core = core;
        for frame in says {
            if let (FromOrigin::Response(page), Some(budget)) = (&frame, budget)
                && page.has_more
            {
                self.to_read_ahead = Some((page.lane, page.upto, budget));
            }
            self.say(&frame).await;
        }
        self.confirm(confirmed).await
    }

    /// The page that is asked for, if it was read before.
    fn read_before(&mut self, input: &Input<Held>) -> Option<(u64, Page<Held>)> {
        let Input::Heard(FromHub::Request(request)) = input else { return None };
        self.ahead
            .take_if(|ahead| {
                (ahead.lane, Some(ahead.after), ahead.budget) == (request.lane, request.since, request.budget)
            })
            .map(|ahead| (ahead.after.at.seq, ahead.page))
    }

    async fn confirm(&self, confirmed: Vec<(HubId, Lane, Place)>) -> store::Result<()> {
        if confirmed.is_empty() {
            return Ok(());
        }
        let now = wall();
        self.store
            .write(move |tx| {
                Box::pin(async move {
                    for (hub, lane, place) in confirmed {
                        tx.sync_confirm(hub, lane, place, now).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    async fn say(&self, frame: &FromOrigin<Held>) {
        let Some(session) = &self.session else { return };
        match Packed::from_origin(frame, session.is_packed) {
            // Gone only while the process stops.
            Ok(packed) => drop(self.say.send((session.epoch, packed)).await),
            Err(error) => tracing::error!(error = %error, "a frame about rows could not be said"),
        }
    }
}

/// How much a request asks for.
fn budget_of(input: &Input<Held>) -> Option<Budget> {
    match input {
        Input::Heard(FromHub::Request(request)) => Some(request.budget),
        _ => None,
    }
}

/// Resolves when something was written.
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

fn taken_apart(said: FromHub<Value>) -> FromHub<Held> {
    match said {
        FromHub::Request(request) => FromHub::Request(request),
        FromHub::Error { error, rows } => FromHub::Error { error, rows },
        FromHub::Check { req, lane } => FromHub::Check { req, lane },
        FromHub::Forward(forward) => {
            let Forward { hub, from, upto, mark, has_more, rows, complete } = forward;
            let rows = rows.into_iter().map(|(origin, row)| (origin, row.read(SCHEMA))).collect();
            FromHub::Forward(Forward { hub, from, upto, mark, has_more, rows, complete })
        }
    }
}
