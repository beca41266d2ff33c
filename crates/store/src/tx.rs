//! A transaction on either database, and the few macros through which all SQL goes.

use sqlx::{Executor as _, PgConnection};

use crate::{Result, postgres::deferred::DeferredWrites, sqlite::connection::SqliteConnection};

/// A connection inside a transaction.
pub(crate) enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// When a transaction on PostgreSQL begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TxMode {
    /// It has, or there is nothing to begin.
    Open,
    /// With its first statement that returns something; if none comes, what it writes is one statement and needs none.
    OnFirstQuery,
    /// Not at all: it asks one question.
    Autocommit,
    /// Not at all: it looks without locks, and then writes in one statement that holds only if what it saw still is so.
    Optimistic,
}

/// A transaction. Every function of the store is a method of it, in the file of its resource.
pub struct Tx<'c> {
    pub(crate) conn: Conn<'c>,
    /// Whether statements may be kept by name on the server: not where a pooler deals out servers.
    pub(crate) is_persistent: bool,
    pub(crate) mode: TxMode,
    /// What is to be written before anything else is asked, or at the end.
    pub(crate) deferred: DeferredWrites,
    is_unlocked_query: bool,
}

impl Tx<'_> {
    pub(crate) fn sqlite(conn: &mut SqliteConnection) -> Tx<'_> {
        Tx {
            conn: Conn::Sqlite(conn),
            is_persistent: true,
            mode: TxMode::Open,
            deferred: DeferredWrites::default(),
            is_unlocked_query: false,
        }
    }

    pub(crate) fn postgres(conn: &mut PgConnection, is_pooled: bool, mode: TxMode) -> Tx<'_> {
        Tx {
            conn: Conn::Postgres(conn),
            is_persistent: !is_pooled,
            mode,
            deferred: DeferredWrites::default(),
            is_unlocked_query: false,
        }
    }

    /// Sends what was put off so far, so that the database works on it while the caller goes on.
    ///
    /// # Errors
    /// The database's.
    pub async fn flush_early(&mut self) -> Result<()> {
        self.begin_and_flush().await
    }

    /// Whether nothing that is seen is locked: see [`crate::Store::write_optimistic`].
    #[must_use]
    pub fn is_optimistic(&self) -> bool {
        self.mode == TxMode::Optimistic
    }

    /// Writes nothing of what was put off.
    pub fn discard_deferred(&mut self) {
        self.deferred = DeferredWrites::default();
    }

    /// The next question may be asked without a lock.
    pub(crate) fn allow_unlocked_query(&mut self) {
        self.is_unlocked_query = true;
    }

    /// Before a statement that returns something: the transaction has begun, and what was put off is written.
    pub(crate) async fn begin_and_flush(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_unlocked_query) && self.mode == TxMode::Optimistic {
            return Ok(());
        }
        if self.mode == TxMode::Optimistic {
            return Err(crate::Error::StaleView);
        }
        if self.mode == TxMode::OnFirstQuery {
            // From here on there is something to roll back, also if the answer to this is lost.
            self.mode = TxMode::Open;
            if let Conn::Postgres(conn) = &mut self.conn {
                conn.execute("begin").await?;
            }
        }
        self.flush().await
    }

    /// Writes what was put off, in one statement.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        let Conn::Postgres(conn) = &mut self.conn else { return Ok(()) };
        self.deferred.send(conn, self.is_persistent).await
    }
}
