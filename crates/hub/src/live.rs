//! Live sockets: what they hear, and how they are closed when their credential is gone.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use domain::{HostId, OrgId, Timestamp};
use proto::api::hub::LiveEvent;
use store::socket_credential::SocketCredential;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::Hub;

/// Events a slow reader may be behind before it is told to start over.
const EVENTS_KEPT: usize = 1_024;

/// An event and the org that may hear it.
#[derive(Debug, Clone)]
pub struct OrgEvent {
    /// The org.
    pub org: OrgId,
    /// Its number, if it is kept.
    pub seq: Option<i64>,
    /// The event.
    pub event: Arc<LiveEvent>,
}

/// All live sockets of this hub.
pub struct Live {
    events: broadcast::Sender<OrgEvent>,
    sockets: Mutex<HashMap<u64, (SocketCredential, CancellationToken)>>,
    count: AtomicU64,
}

impl Default for Live {
    fn default() -> Self {
        Self { events: broadcast::Sender::new(EVENTS_KEPT), sockets: Mutex::default(), count: AtomicU64::new(0) }
    }
}

impl Live {
    /// Tells an event to whoever listens in its org.
    pub fn emit(&self, org: OrgId, kind: &str, at: Timestamp, host: Option<HostId>, data: serde_json::Value) {
        let event = LiveEvent { kind: kind.to_owned(), at, host_id: host, cursor: None, data };
        // Nobody listening is the usual case, not an error.
        let _ = self.events.send(OrgEvent { org, seq: None, event: Arc::new(event) });
    }

    /// Tells a numbered event: one for each thing it happened to, the last of them with the cursor.
    pub fn tell(&self, event: &store::event::Event) {
        if !self.has_listeners() {
            return;
        }
        for event in unfold(event) {
            let _ = self.events.send(event);
        }
    }

    /// Whether anybody listens.
    #[must_use]
    pub fn has_listeners(&self) -> bool {
        self.events.receiver_count() > 0
    }

    /// Listens from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<OrgEvent> {
        self.events.subscribe()
    }

    /// Every credential that some socket stands on, once.
    #[must_use]
    pub fn credentials_of(&self) -> Vec<SocketCredential> {
        let credentials_of: HashSet<SocketCredential> =
            self.lock().values().map(|(credential, _)| *credential).collect();
        credentials_of.into_iter().collect()
    }

    /// Closes all sockets on this credential. Says how many.
    pub fn close(&self, credential: SocketCredential) -> usize {
        let sockets = self.lock();
        let closed = sockets.values().filter(|(held, _)| *held == credential);
        closed.inspect(|(_, token)| token.cancel()).count()
    }

    /// How many sockets there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, (SocketCredential, CancellationToken)>> {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An event row as those who listen see it.
#[must_use]
pub fn unfold(event: &store::event::Event) -> Vec<OrgEvent> {
    let items = event.items.as_array().map(Vec::as_slice).unwrap_or_default();
    let last = items.len().saturating_sub(1);
    let one = |(number, item): (usize, &serde_json::Value)| OrgEvent {
        org: event.org_id,
        seq: Some(event.seq),
        event: Arc::new(LiveEvent {
            kind: event.name.clone(),
            at: event.at,
            host_id: item.get("host_id").and_then(|id| id.as_str()).and_then(|id| id.parse().ok()),
            cursor: (number == last).then_some(event.seq),
            data: item.clone(),
        }),
    };
    items.iter().enumerate().map(one).collect()
}

/// A live socket's entry; gone with it, also when the socket never came to be.
pub struct Registration {
    hub: Hub,
    id: u64,
    closed: CancellationToken,
}

impl Registration {
    /// Enters a socket that stands on this credential.
    #[must_use]
    pub fn new(hub: &Hub, credential: SocketCredential) -> Self {
        let (id, closed) = (hub.live.count.fetch_add(1, Ordering::Relaxed), CancellationToken::new());
        hub.live.lock().insert(id, (credential, closed.clone()));
        Self { hub: hub.clone(), id, closed }
    }

    /// Resolves when the credential is gone.
    pub async fn closed(&self) {
        self.closed.cancelled().await;
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.hub.live.lock().remove(&self.id);
    }
}
