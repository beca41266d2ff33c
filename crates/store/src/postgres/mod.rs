//! PostgreSQL: connections that are reused, and transactions that run to their end.
//!
//! - `deferred`: writes that are collected and sent as one statement
//! - `detach_on_drop`: a future that continues in a spawned task when its caller drops it
//! - `pool`: idle connections, chosen by the statements they have prepared

pub(crate) mod deferred;
mod detach_on_drop;
mod pool;

use std::{panic::AssertUnwindSafe, time::Duration};

use domain::Timestamp;
use futures_util::FutureExt as _;
use sqlx::{
    ConnectOptions as _, Executor as _, PgConnection, PgPool, Row as _,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{
    Error, Result, Tx,
    erased::{self, Answer, ErasedWork, box_work, unbox_answer},
    postgres::detach_on_drop::DetachOnDrop,
    postgres::pool::Pool,
    schema::migrate,
    tx::TxMode,
};

/// Longest wait for a connection of `pool`, which serves everything except transactions.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit of a call, above the server's own limits, so that it only applies when the network fails.
const CALL_TIME_MAX: Duration = Duration::from_secs(45);
/// Connections of `pool`: one that listens, and one for notifications and inspection.
const CONNECTIONS_BESIDE: u32 = 2;
/// First server version with `enable_memoize`; earlier ones reject the setting.
const MEMOIZE_SINCE: u32 = 140_000;
/// Prepared statements cached per connection: enough for all statements of this crate.
const STATEMENTS_KEPT: usize = 1_000;

/// The kind of transaction that a caller requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A single query.
    Query,
    /// Several queries on one snapshot.
    Read,
    Write,
    /// One query without locks, and a write with guards that check its premises.
    Optimistic,
}

pub(crate) struct Postgres {
    pool: PgPool,
    pooled: Pool,
    connections: u32,
    is_pooled: bool,
}

impl Postgres {
    pub(crate) async fn open(url: &str, is_pooled: bool, connections: u32) -> Result<Self> {
        let mut options: PgConnectOptions =
            url.parse().map_err(|error: sqlx::Error| Error::Address(error.to_string()))?;
        options = options.application_name("hostler").disable_statement_logging();
        if is_pooled {
            // A prepared statement lives on one server connection; the next call may get another.
            options = options.statement_cache_capacity(0).extra_float_digits(None);
        } else {
            // Limits enforced by the server, so that no transaction stays open forever, whatever this process does.
            options = options.statement_cache_capacity(STATEMENTS_KEPT).options([
                ("statement_timeout", "30s"),
                ("lock_timeout", "10s"),
                ("idle_in_transaction_session_timeout", "60s"),
                // Generic plans are cached. One made while a table was small must still be good after a burst has
                // filled the table.
                ("enable_seqscan", "off"),
                // The best plan does not depend on the parameters, and planning at each execution would cost more than
                // executing. Queries for lists use plans for their parameters, see `begin`.
                ("plan_cache_mode", "force_generic_plan"),
                // With `enable_seqscan = off`, tables that can only be scanned get so high a cost that the server would
                // compile the query first.
                ("jit", "off"),
            ]);
        }
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS_BESIDE)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        if !is_pooled && has_pooler(&pool).await? {
            tracing::warn!(
                "a transaction pooler is in front of PostgreSQL; add ?pooler=transaction to the database address"
            );
        }
        migrate::postgres(&pool, is_pooled).await?;
        if !is_pooled && pool.acquire().await?.server_version_num() >= Some(MEMOIZE_SINCE) {
            // Rows of a batch rarely look up the same key twice, so a memoize node only costs time.
            options = options.options([("enable_memoize", "off")]);
        }
        let pooled = Pool::new(options, connections);
        Ok(Self { pool, pooled, connections, is_pooled })
    }

    pub(crate) async fn run(&self, kind: Kind, mut erased: Box<dyn ErasedWork>) -> Result<Answer> {
        let (pooled, is_pooled) = (self.pooled.clone(), self.is_pooled);
        let work = tokio::time::timeout(CALL_TIME_MAX, async move {
            let mut connection = pooled.take(erased.kind()).await?;
            let begin = begin(connection.get(), kind, is_pooled).await?;
            let mut tx = Tx::postgres(connection.get(), is_pooled, begin);
            let is_kept = erased::run(erased.as_mut(), &mut tx).await;
            let (committed, is_clean) = tx.end(is_kept).await;
            if is_clean {
                connection.keep();
            }
            Ok(erased.answer(committed))
        });
        match DetachOnDrop::new(AssertUnwindSafe(work).catch_unwind()).await {
            Ok(Ok(answer)) => answer,
            // The server's own limits are shorter, so the connection to the server must be broken.
            Ok(Err(_)) => Err(Error::Down(sqlx::Error::PoolTimedOut)),
            Err(_) => Err(Error::Panicked),
        }
    }

    /// In a transaction, because behind a pooler two messages outside of one may reach two servers.
    pub(crate) async fn time(&self) -> Result<Timestamp> {
        unbox_answer(self.run(Kind::Read, box_work(|tx| Box::pin(async move { tx.time().await }))).await)
    }

    /// Notifies the other hubs, outside of any transaction: `notify` in a transaction takes a lock that serializes all
    /// commits.
    pub(crate) async fn notify(&self) -> Result<()> {
        self.pool.acquire().await?.execute("notify hostler").await?;
        Ok(())
    }

    /// Listens for notifications of other hubs, on a separate connection.
    pub(crate) async fn listen(&self) -> Result<sqlx::postgres::PgListener> {
        let mut listener = sqlx::postgres::PgListener::connect_with(&self.pool).await?;
        listener.listen("hostler").await?;
        Ok(listener)
    }

    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub(crate) fn is_pooled(&self) -> bool {
        self.is_pooled
    }

    pub(crate) async fn close(&self) {
        self.pooled.close(self.connections).await;
        self.pool.close().await;
    }
}

/// Sends `begin`, unless the transaction can wait for its first query.
async fn begin(connection: &mut PgConnection, kind: Kind, is_pooled: bool) -> Result<TxMode> {
    match kind {
        // Behind a pooler, each message outside of a transaction may reach another server.
        Kind::Write | Kind::Optimistic if is_pooled => connection.execute("begin").await?,
        Kind::Write => return Ok(TxMode::OnFirstQuery),
        Kind::Optimistic => return Ok(TxMode::Optimistic),
        Kind::Query if !is_pooled => return Ok(TxMode::Autocommit),
        // Two statements, one round trip.
        Kind::Query | Kind::Read => {
            let text = "begin transaction isolation level repeatable read, read only; set local plan_cache_mode = auto";
            connection.execute(text).await?
        }
    };
    Ok(TxMode::Open)
}

impl Tx<'_> {
    /// Ends the transaction. Also returns whether the connection can be reused.
    async fn end(mut self, is_kept: bool) -> (Result<()>, bool) {
        if is_kept {
            let committed = self.commit().await;
            // After an error the state of the connection is unknown, so it is closed. A failed guard is an ordinary
            // response: nothing was written and no transaction is open.
            let is_held = self.mode == TxMode::Optimistic && matches!(committed, Err(Error::StaleView));
            let is_clean = committed.is_ok() || is_held;
            return (committed, is_clean);
        }
        // The caller gets the error of the work, whatever the outcome of the rollback.
        let is_clean = match self.mode {
            TxMode::OnFirstQuery => true,
            // A failed single statement leaves nothing to roll back, but the state of the connection is unknown.
            TxMode::Autocommit | TxMode::Optimistic => false,
            TxMode::Open => self.execute_control("rollback").await.is_ok(),
        };
        (Ok(()), is_clean)
    }

    async fn commit(&mut self) -> Result<()> {
        // The deferred writes are one statement, which is atomic without a transaction.
        self.flush().await?;
        if self.mode == TxMode::Open { self.execute_control("commit").await } else { Ok(()) }
    }

    async fn execute_control(&mut self, sql: &'static str) -> Result<()> {
        if let crate::tx::Conn::Postgres(conn) = &mut self.conn {
            conn.execute(sql).await?;
        }
        Ok(())
    }

    async fn time(&mut self) -> Result<Timestamp> {
        const TIME: crate::Sql = crate::Sql { name: "TIME", sqlite: "", postgres: "select clock_timestamp()" };
        value!(self, TIME => Timestamp)?.ok_or(Error::Dangling)
    }
}

/// Whether two connections share a server connection, as behind a pooler: one then sees a session setting of the other.
async fn has_pooler(pool: &PgPool) -> Result<bool> {
    let (mut one, mut two) = (pool.acquire().await?, pool.acquire().await?);
    one.execute("select set_config('hostler.probe', 'seen', false)").await?;
    let seen = two.fetch_one("select coalesce(current_setting('hostler.probe', true), '')").await?;
    let seen: String = seen.try_get(0)?;
    one.execute("select set_config('hostler.probe', '', false)").await?;
    Ok(seen == "seen")
}
