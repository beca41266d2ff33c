//! Places of TCP connections: per address, and some that only runners get.
//!
//! A connection takes a place when it is accepted, before anything is known of its client. A runner link gives its place
//! back when the runner has proven its key: from then on the link counts as one of the hub's hosts, and any number of
//! them can share an address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use domain::throttle;
use proto::Code;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use crate::{Error, Result};

/// Most connections of clients that are no proven runners. Further ones wait in the kernel's accept queue.
const CONNECTIONS_MAX: usize = 20_000;
/// Places among them that serve only the runner link, so that a flood of other connections does not keep runners out.
const KEPT_FOR_RUNNERS: usize = 4_000;

/// All places of a hub.
pub(crate) struct Connections {
    all: Arc<Semaphore>,
    /// Places that any client gets.
    open: Arc<Semaphore>,
    per_address: usize,
    by_address: Mutex<HashMap<String, usize>>,
}

/// The requests that a connection may send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Open,
    /// Only the places for runners were left.
    RunnersOnly,
    /// The address has too many connections: only an error is sent.
    Crowded,
}

/// The place of one connection. Dropping it frees the place.
pub(crate) struct ConnectionPlace {
    connections: Arc<Connections>,
    standing: Standing,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    _all: Option<OwnedSemaphorePermit>,
    _open: Option<OwnedSemaphorePermit>,
    /// The counted address; `None` for loopback addresses and trusted proxies.
    address: Option<String>,
}

impl Connections {
    pub(crate) fn new(per_address: u32) -> Arc<Self> {
        Arc::new(Self {
            all: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            open: Arc::new(Semaphore::new(CONNECTIONS_MAX - KEPT_FOR_RUNNERS)),
            per_address: per_address.max(1) as usize,
            by_address: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the hub can accept a connection. `None` if the hub stops.
    pub(crate) async fn room(&self) -> Option<OwnedSemaphorePermit> {
        self.all.clone().acquire_owned().await.ok()
    }

    /// Gives a place to a new connection. `None`: the address has twice its limit, so the connection gets no error either.
    pub(crate) fn take(
        self: &Arc<Self>,
        room: OwnedSemaphorePermit,
        address: IpAddr,
        is_trusted: bool,
    ) -> Option<Arc<ConnectionPlace>> {
        let address = address.to_canonical();
        let address = (!is_trusted && !address.is_loopback()).then(|| throttle::key(&address.to_string()));
        let mut standing = Standing::Open;
        if let Some(address) = &address {
            let mut counts = self.lock();
            let count = counts.entry(address.clone()).or_default();
            // Each error takes a handshake, so their number is bounded, too.
            if *count >= self.per_address * 2 {
                return None;
            }
            if *count >= self.per_address {
                standing = Standing::Crowded;
            }
            *count += 1;
        }
        let open = match self.open.clone().try_acquire_owned() {
            Ok(permit) => Some(permit),
            Err(TryAcquireError::NoPermits | TryAcquireError::Closed) => {
                if standing == Standing::Open {
                    standing = Standing::RunnersOnly;
                }
                None
            }
        };
        let held = Mutex::new(Held { _all: Some(room), _open: open, address });
        Some(Arc::new(ConnectionPlace { connections: self.clone(), standing, held }))
    }
}

impl ConnectionPlace {
    /// Rejects a request that this connection may not send.
    pub(crate) fn check(&self, is_runner_link: bool) -> Result<()> {
        match self.standing {
            Standing::Open => Ok(()),
            Standing::RunnersOnly if is_runner_link => Ok(()),
            Standing::RunnersOnly => {
                Err(Error::new(Code::TooManyConnections, "the hub has too many open connections")
                    .hint("try again in a moment")
                    .retry_after(domain::Span::from_secs(5)))
            }
            Standing::Crowded => Err(Error::new(
                Code::TooManyConnections,
                "your address has too many open connections to this hub",
            )
            .hint(
                "close some; if many clients share the address, raise `hub.connections_per_address` or set `hub.trusted_proxies`",
            )
            .retry_after(domain::Span::from_secs(5))),
        }
    }

    /// Frees the place: the connection is a runner link whose runner has proven its key.
    pub(crate) fn admit_runner(&self) {
        let held = std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner));
        self.forget(held.address.as_deref());
    }

    fn forget(&self, address: Option<&str>) {
        let Some(address) = address else { return };
        let mut counts = self.connections.lock();
        if let Some(count) = counts.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(address);
            }
        }
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.admit_runner();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn place(connections: &Arc<Connections>, address: &str) -> Option<Arc<ConnectionPlace>> {
        let room = connections.room().await.expect("has room");
        connections.take(room, address.parse().expect("an address"), false)
    }

    #[tokio::test]
    async fn connections_of_one_address_are_limited_and_admitted_runners_are_not() {
        let connections = Connections::new(3);
        let mut places = Vec::new();
        for _ in 0..6 {
            places.push(place(&connections, "203.0.113.7").await.expect("has a place"));
        }
        let codes: Vec<bool> = places.iter().map(|place| place.check(true).is_ok()).collect();
        assert_eq!(codes, [true, true, true, false, false, false], "the error says so, also to runners");
        assert_eq!(places[5].check(false).expect_err("too many").code(), Code::TooManyConnections);
        assert!(place(&connections, "203.0.113.7").await.is_none(), "twice the limit is dropped without an answer");
        assert!(place(&connections, "203.0.113.8").await.expect("another address").check(false).is_ok());
        for place in &places {
            place.admit_runner();
        }
        assert!(place(&connections, "203.0.113.7").await.expect("proven runners do not count").check(false).is_ok());
        drop(places);
        assert!(connections.lock().is_empty(), "{:?}", connections.lock());
    }

    #[tokio::test]
    async fn loopback_and_trusted_proxies_are_not_limited_per_address() {
        let connections = Connections::new(1);
        let mut places = Vec::new();
        for _ in 0..10 {
            places.push(place(&connections, "127.0.0.1").await.expect("loopback"));
            let room = connections.room().await.expect("has room");
            places.push(connections.take(room, "192.0.2.1".parse().expect("valid"), true).expect("a trusted proxy"));
        }
        assert!(places.iter().all(|place| place.check(false).is_ok()));
    }

    #[tokio::test]
    async fn last_places_are_kept_for_the_runner_link() {
        let connections = Connections::new(1);
        let mut places = Vec::new();
        for _ in 0..CONNECTIONS_MAX - KEPT_FOR_RUNNERS {
            places.push(place(&connections, "127.0.0.1").await.expect("open"));
        }
        let last = place(&connections, "127.0.0.1").await.expect("kept for runners");
        assert_eq!(last.check(false).expect_err("not for others").code(), Code::TooManyConnections);
        assert!(last.check(true).is_ok());
        drop(places.pop());
        assert!(place(&connections, "127.0.0.1").await.expect("open again").check(false).is_ok());
    }
}
