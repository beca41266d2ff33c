//! Connections to PostgreSQL that are kept between calls.
//!
//! The driver's pool asks the server whether it is there before every use and after it: two round trips for a call that
//! itself has one. Here a connection that was in use a moment ago is used again without asking; one that has rested is
//! asked first. Each prepares what is said on it for the first time, which costs more than saying it: who does what was done
//! before gets the connection it was done on most.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, Result};

/// A connection that rested longer is asked whether it still is one.
const FRESH_FOR: Duration = Duration::from_secs(1);
/// Connections are replaced after this long, so that none grows old with a leak.
const LIFETIME: Duration = Duration::from_secs(30 * 60);
/// How long a call waits for its turn, and for a new connection.
const TAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections that rest, the last used on top.
#[derive(Clone)]
pub(crate) struct Pool {
    options: Arc<PgConnectOptions>,
    resting: Arc<Mutex<Vec<IdleConnection>>>,
    turns: Arc<Semaphore>,
}

struct IdleConnection {
    connection: PgConnection,
    made_at: Instant,
    since: Instant,
    done: Done,
}

/// How often each kind of work was done on a connection.
type Done = HashMap<TypeId, u64>;

/// A connection in use. Closed when dropped, unless it is kept.
pub(crate) struct PooledConnection {
    connection: PgConnection,
    made_at: Instant,
    done: Done,
    warm: Pool,
    /// After the connection: whoever comes next must find it.
    turn: OwnedSemaphorePermit,
}

impl Pool {
    pub(crate) fn new(options: PgConnectOptions, most: u32) -> Self {
        let turns = Arc::new(Semaphore::new(usize::try_from(most).unwrap_or(1)));
        Self { options: Arc::new(options), resting: Arc::default(), turns }
    }

    /// A connection that works, or did a moment ago, for work of this kind.
    pub(crate) async fn take(&self, kind: TypeId) -> Result<PooledConnection> {
        let late = |_| Error::from(sqlx::Error::PoolTimedOut);
        let turn = tokio::time::timeout(TAKE_TIMEOUT, self.turns.clone().acquire_owned()).await.map_err(late)?;
        let turn = turn.map_err(|_| Error::Closed)?;
        let (connection, made_at, mut done) = match self.rested(kind).await {
            Some(IdleConnection { connection, made_at, done, .. }) => (connection, made_at, done),
            None => {
                let made = PgConnection::connect_with(&self.options);
                (tokio::time::timeout(TAKE_TIMEOUT, made).await.map_err(late)??, Instant::now(), Done::new())
            }
        };
        *done.entry(kind).or_default() += 1;
        Ok(PooledConnection { connection, made_at, done, warm: self.clone(), turn })
    }

    /// One that is still good; those that are not are closed.
    async fn rested(&self, kind: TypeId) -> Option<IdleConnection> {
        loop {
            let mut found = self.best(kind)?;
            if found.made_at.elapsed() > LIFETIME {
                continue;
            }
            if found.since.elapsed() < FRESH_FOR || found.connection.ping().await.is_ok() {
                return Some(found);
            }
        }
    }

    /// The one that has done such work most; the one used last, if none has.
    fn best(&self, kind: TypeId) -> Option<IdleConnection> {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        let times = |one: &IdleConnection| one.done.get(&kind).copied().unwrap_or_default();
        let place = resting.iter().enumerate().max_by_key(|(place, one)| (times(one), *place))?.0;
        Some(resting.remove(place))
    }

    /// Lets nobody in any more, waits for those in use, and closes all.
    pub(crate) async fn close(&self, most: u32) {
        // Whoever is in use is let out before the door is shut.
        let all = tokio::time::timeout(TAKE_TIMEOUT, self.turns.acquire_many(most)).await;
        self.turns.close();
        drop(all);
        let resting = std::mem::take(&mut *self.resting.lock().unwrap_or_else(PoisonError::into_inner));
        for one in resting {
            let _ = one.connection.close().await;
        }
    }
}

impl PooledConnection {
    pub(crate) fn get(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// It is as good as new: the next one may have it.
    pub(crate) fn keep(self) {
        let Self { connection, made_at, done, warm, turn } = self;
        let mut resting = warm.resting.lock().unwrap_or_else(PoisonError::into_inner);
        if !warm.turns.is_closed() {
            resting.push(IdleConnection { connection, made_at, since: Instant::now(), done });
        }
        drop(resting);
        drop(turn);
    }
}
