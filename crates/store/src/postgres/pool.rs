//! A pool of PostgreSQL connections without a ping per use.
//!
//! The driver's pool pings the server before and after each use: two extra round trips for a call that may need only
//! one. This pool reuses a connection that was used within the last second without a ping, and pings older ones first.
//!
//! A connection prepares each statement on its first use, which costs more than executing it. A call therefore gets the
//! connection that has done the same kind of work most often.
//!
//! Cancel safety: a connection returns to the pool only by [`PooledConnection::keep`], called after a transaction has
//! ended cleanly. Dropping one at any other point closes it, so no connection with an open transaction or an unread
//! response is reused.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::type_lookup;
use crate::{Error, Result};

/// An idle connection is pinged before use if it was last used longer ago than this.
const FRESH_FOR: Duration = Duration::from_secs(1);
/// Connections are replaced after this time, which bounds leaks on the server.
const LIFETIME: Duration = Duration::from_secs(30 * 60);
/// Longest wait for a permit, and for a new connection.
const TAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// The pool. Its idle connections are ordered by their last use, the latest last.
#[derive(Clone)]
pub(crate) struct Pool {
    options: Arc<PgConnectOptions>,
    is_pooled: bool,
    idle: Arc<Mutex<Vec<IdleConnection>>>,
    turns: Arc<Semaphore>,
}

struct IdleConnection {
    connection: PgConnection,
    made_at: Instant,
    since: Instant,
    done: WorkCounts,
}

/// Number of uses of a connection by kind of work.
type WorkCounts = HashMap<TypeId, u64>;

/// A connection in use. Dropping it closes the connection; [`PooledConnection::keep`] returns it to the pool.
pub(crate) struct PooledConnection {
    connection: PgConnection,
    made_at: Instant,
    done: WorkCounts,
    pooled: Pool,
    /// Declared after `connection`, and so dropped after it: the number of open connections never exceeds the limit.
    turn: OwnedSemaphorePermit,
}

impl Pool {
    pub(crate) fn new(options: PgConnectOptions, is_pooled: bool, most: u32) -> Self {
        let turns = Arc::new(Semaphore::new(usize::try_from(most).unwrap_or(1)));
        Self { options: Arc::new(options), is_pooled, idle: Arc::default(), turns }
    }

    /// A connection for this kind of work: an idle one that is known to work, or a new one.
    pub(crate) async fn take(&self, kind: TypeId) -> Result<PooledConnection> {
        let late = |_| Error::from(sqlx::Error::PoolTimedOut);
        let turn = tokio::time::timeout(TAKE_TIMEOUT, self.turns.clone().acquire_owned()).await.map_err(late)?;
        let turn = turn.map_err(|_| Error::Closed)?;
        let (connection, made_at, mut done) = match self.idle_connection(kind).await {
            Some(IdleConnection { connection, made_at, done, .. }) => (connection, made_at, done),
            None => {
                let made = tokio::time::timeout(TAKE_TIMEOUT, self.connect()).await.map_err(late)??;
                (made, Instant::now(), WorkCounts::new())
            }
        };
        *done.entry(kind).or_default() += 1;
        Ok(PooledConnection { connection, made_at, done, pooled: self.clone(), turn })
    }

    async fn connect(&self) -> Result<PgConnection> {
        let mut connection = PgConnection::connect_with(&self.options).await?;
        if self.is_pooled {
            type_lookup::load(&mut connection).await?;
        }
        Ok(connection)
    }

    /// An idle connection that still works. Expired and broken ones are closed.
    async fn idle_connection(&self, kind: TypeId) -> Option<IdleConnection> {
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

    /// The idle connection with the most uses for this kind of work; among equals, the one used last.
    fn best(&self, kind: TypeId) -> Option<IdleConnection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let times = |one: &IdleConnection| one.done.get(&kind).copied().unwrap_or_default();
        let place = idle.iter().enumerate().max_by_key(|(place, one)| (times(one), *place))?.0;
        Some(idle.remove(place))
    }

    /// Waits for the connections in use, rejects new calls, and closes all connections.
    pub(crate) async fn close(&self, most: u32) {
        // Permits are granted in order, so calls that wait already are served before the semaphore is closed.
        let all = tokio::time::timeout(TAKE_TIMEOUT, self.turns.acquire_many(most)).await;
        self.turns.close();
        drop(all);
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for one in idle {
            let _ = one.connection.close().await;
        }
    }
}

impl PooledConnection {
    pub(crate) fn get(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Returns the connection to the pool. Only for one without an open transaction or an unread response.
    pub(crate) fn keep(self) {
        let Self { connection, made_at, done, pooled, turn } = self;
        let mut idle = pooled.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if !pooled.turns.is_closed() {
            idle.push(IdleConnection { connection, made_at, since: Instant::now(), done });
        }
        drop(idle);
        drop(turn);
    }
}
