//! Live event sockets: broadcast of events to them, and revocation when their credential is.
//!
//! A live socket is authenticated once and stays open for hours, so a revoked token, session or membership must close
//! it. Each socket is registered under the credential it depends on; the socket revoker loop checks all registered
//! credentials against the store, because another hub may have revoked one.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use domain::{HostId, OrgId, Timestamp, throttle};
use proto::{Code, api::hub::LiveEvent};
use store::socket_credential::SocketCredential;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::{Error, Hub, Result};

/// Events buffered for a slow socket; one that falls further behind must reload.
const EVENTS_KEPT: usize = 1_024;

/// Most event sockets of one token or browser session: a page has one, a program needs one; a fleet can share a token.
const PER_CREDENTIAL: usize = 100;
/// Most event sockets of one address, with all its credentials. Loopback addresses and trusted proxies are not limited.
const PER_ADDRESS: usize = 500;

/// An event and the org whose sockets may receive it.
#[derive(Debug, Clone)]
pub struct OrgEvent {
    pub org: OrgId,
    /// Sequence number, if the event is stored.
    pub seq: Option<i64>,
    pub event: Arc<LiveEvent>,
}

/// Registry of the live sockets of this hub, and the channel that sends them events.
pub struct Live {
    events: broadcast::Sender<OrgEvent>,
    sockets: Mutex<HashMap<u64, LiveSocket>>,
    count: AtomicU64,
}

/// An open socket.
struct LiveSocket {
    /// `None` for the owner of the local socket, whose rights cannot be revoked.
    credential: Option<SocketCredential>,
    /// The key of the client's address, if its sockets are limited.
    address: Option<String>,
    closed: CancellationToken,
}

impl Default for Live {
    fn default() -> Self {
        Self { events: broadcast::Sender::new(EVENTS_KEPT), sockets: Mutex::default(), count: AtomicU64::new(0) }
    }
}

impl Live {
    /// Sends an event that is not stored to the live sockets of its org.
    pub fn emit(&self, org: OrgId, kind: &str, at: Timestamp, host: Option<HostId>, data: serde_json::Value) {
        let event = LiveEvent { kind: kind.to_owned(), at, host_id: host, cursor: None, data };
        // An error means that no socket is open, which is usual.
        let _ = self.events.send(OrgEvent { org, seq: None, event: Arc::new(event) });
    }

    /// Sends a stored event: one live event per item of its row, the last one with the cursor. A client that reconnects
    /// therefore continues after the whole row, and never in the middle of it.
    pub fn notify(&self, event: &store::event::Event) {
        if !self.has_listeners() {
            return;
        }
        for event in unfold(event) {
            let _ = self.events.send(event);
        }
    }

    /// Whether a socket is subscribed.
    #[must_use]
    pub fn has_listeners(&self) -> bool {
        self.events.receiver_count() > 0
    }

    /// Subscribes to all events from now on, of all orgs.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<OrgEvent> {
        self.events.subscribe()
    }

    /// Every credential that an open socket depends on, without duplicates.
    #[must_use]
    pub fn credentials_of(&self) -> Vec<SocketCredential> {
        let credentials_of: HashSet<SocketCredential> =
            self.lock().values().filter_map(|socket| socket.credential).collect();
        credentials_of.into_iter().collect()
    }

    /// Closes all sockets that depend on this credential; returns their number.
    pub fn close(&self, credential: SocketCredential) -> usize {
        let sockets = self.lock();
        let closed = sockets.values().filter(|socket| socket.credential == Some(credential));
        closed.inspect(|socket| socket.closed.cancel()).count()
    }

    /// Number of open sockets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether no socket is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, LiveSocket>> {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Converts an event row into live events.
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

/// Registration of a live socket. Dropping it removes the entry, also if the WebSocket upgrade failed.
pub struct Registration {
    hub: Hub,
    id: u64,
    closed: CancellationToken,
}

impl Registration {
    /// Registers the link of a proven runner. Its number is limited by the number of hosts.
    #[must_use]
    pub fn of_runner(hub: &Hub, credential: SocketCredential) -> Self {
        Self::insert(hub, &mut hub.live.lock(), Some(credential), None)
    }

    /// Registers an event socket.
    ///
    /// # Errors
    /// Fails if the credential or the address has too many of them.
    pub fn of_client(hub: &Hub, credential: Option<SocketCredential>, address: Option<&str>) -> Result<Self> {
        let address = address.map(throttle::key);
        let mut sockets = hub.live.lock();
        let count = |is_same: &dyn Fn(&LiveSocket) -> bool| sockets.values().filter(|socket| is_same(socket)).count();
        let by_credential = credential
            .map_or(0, |credential| count(&|socket| socket.credential.map(holder) == Some(holder(credential))));
        let by_address =
            address.as_ref().map_or(0, |address| count(&|socket| socket.address.as_ref() == Some(address)));
        if by_credential >= PER_CREDENTIAL {
            return Err(Error::new(
                Code::TooManyConnections,
                format!("this credential has {PER_CREDENTIAL} open event streams, the most that are allowed"),
            )
            .hint("close streams that are not read; one per program is enough"));
        }
        if by_address >= PER_ADDRESS {
            return Err(Error::new(
                Code::TooManyConnections,
                format!("your address has {PER_ADDRESS} open event streams, the most that are allowed"),
            )
            .hint(
                "close some; behind a proxy, set `hub.trusted_proxies` so that the hub sees the clients' addresses",
            ));
        }
        Ok(Self::insert(hub, &mut sockets, credential, address))
    }

    fn insert(
        hub: &Hub,
        sockets: &mut HashMap<u64, LiveSocket>,
        credential: Option<SocketCredential>,
        address: Option<String>,
    ) -> Self {
        let (id, closed) = (hub.live.count.fetch_add(1, Ordering::Relaxed), CancellationToken::new());
        sockets.insert(id, LiveSocket { credential, address, closed: closed.clone() });
        Self { hub: hub.clone(), id, closed }
    }

    /// Resolves when the credential was revoked.
    pub async fn closed(&self) {
        self.closed.cancelled().await;
    }
}

/// The identity of a credential, whatever the version of its rights.
fn holder(credential: SocketCredential) -> SocketCredential {
    match credential {
        SocketCredential::Browser { session, user, .. } => {
            SocketCredential::Browser { session, user, authz_version: 0 }
        }
        SocketCredential::Token { token, user, .. } => SocketCredential::Token { token, user, authz_version: 0 },
        runner @ SocketCredential::Runner { .. } => runner,
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.hub.live.lock().remove(&self.id);
    }
}
