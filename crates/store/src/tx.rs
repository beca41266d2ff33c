//! A transaction on either database, and when it begins on PostgreSQL.

use sqlx::{Executor as _, PgConnection};

use crate::{Result, Sql, postgres::deferred::DeferredWrites, sqlite::connection::SqliteConnection};

/// The connection that a transaction runs on.
pub(crate) enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// When a transaction on PostgreSQL begins. Each mode saves round trips for the work that can do without a `begin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TxMode {
    /// `begin` was already sent; or this is SQLite, where the writer opens and commits the transaction.
    Open,
    /// `begin` is sent before the first statement that returns rows. A transaction that only has deferred writes is a
    /// single statement, which is atomic without `begin` and `commit`.
    OnFirstQuery,
    /// No `begin`: the work is a single query.
    Autocommit,
}

/// A transaction. Every function of the store is a method of this type, defined in the file of its resource.
pub struct Tx<'c> {
    pub(crate) conn: Conn<'c>,
    /// Whether prepared statements stay on the server connection. Behind a pooler the next transaction may get another
    /// server connection, which does not have them.
    pub(crate) is_persistent: bool,
    pub(crate) mode: TxMode,
    /// Writes to send before the next query, or at the end of the transaction.
    pub(crate) deferred: DeferredWrites,
}

impl Tx<'_> {
    pub(crate) fn sqlite(conn: &mut SqliteConnection) -> Tx<'_> {
        Tx { conn: Conn::Sqlite(conn), is_persistent: true, mode: TxMode::Open, deferred: DeferredWrites::default() }
    }

    pub(crate) fn postgres(conn: &mut PgConnection, is_pooled: bool, mode: TxMode) -> Tx<'_> {
        Tx { conn: Conn::Postgres(conn), is_persistent: !is_pooled, mode, deferred: DeferredWrites::default() }
    }

    /// Sends the deferred writes now, so that the database executes them while the caller continues.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn flush_early(&mut self) -> Result<()> {
        self.begin_and_flush().await
    }

    /// Sends the deferred writes if this statement is among them: the next write may change the same rows, and one
    /// statement must not change a row twice.
    pub(crate) async fn flush_deferred(&mut self, sql: &Sql) -> Result<()> {
        if self.deferred.has(sql) { self.begin_and_flush().await } else { Ok(()) }
    }

    /// Called before every statement that returns rows: begins the transaction if needed, and sends the deferred
    /// writes, so that the statement sees them.
    pub(crate) async fn begin_and_flush(&mut self) -> Result<()> {
        if self.mode == TxMode::OnFirstQuery {
            // Before the `begin` is sent: if its response is lost, the server may have an open transaction to roll
            // back.
            self.mode = TxMode::Open;
            if let Conn::Postgres(conn) = &mut self.conn {
                conn.execute("begin").await?;
            }
        }
        self.flush().await
    }

    /// Sends the deferred writes as one statement.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        let Conn::Postgres(conn) = &mut self.conn else { return Ok(()) };
        self.deferred.send(conn, self.is_persistent).await
    }
}
