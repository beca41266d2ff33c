//! The PostgreSQL side: connections that are kept, and calls that come to their end.
//!
//! - `deferred`: writes that are collected and sent as one statement
//! - `detach_on_drop`: a future that goes on in a task of its own when its caller is gone
//! - `pool`: idle connections, chosen by the work they have done

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
    erased::{self, Answer, ErasedWork, erase, unerase},
    postgres::detach_on_drop::DetachOnDrop,
    postgres::pool::Pool,
    schema::migrate,
    tx::TxMode,
};

/// How long one of the connections beside the work is waited for.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a call may take in all: more than the server's own limits.
const CALL_TIME_MAX: Duration = Duration::from_secs(45);
/// Connections beside those for work: the one that listens, and one for what is told and looked at.
const CONNECTIONS_BESIDE: u32 = 2;
/// The first version that may keep the answers of a look-up, and must be told not to.
const MEMOIZE_SINCE: u32 = 140_000;
/// Statements that each connection keeps prepared: all of ours.
const STATEMENTS_KEPT: usize = 1_000;

/// The two kinds of transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One question.
    Query,
    /// One snapshot.
    Read,
    Write,
    /// A look, and a write that holds only if what it saw still is so.
    Optimistic,
}

pub(crate) struct Postgres {
    pool: PgPool,
    warm: Pool,
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
            // Backstops on the server's side: whatever we do, no transaction stays open for ever.
            options = options.statement_cache_capacity(STATEMENTS_KEPT).options([
                ("statement_timeout", "30s"),
                ("lock_timeout", "10s"),
                ("idle_in_transaction_session_timeout", "60s"),
                // A plan that is kept while a table is small must still be good when a burst has filled it.
                ("enable_seqscan", "off"),
                // Ours are the same whatever their parameters are: planning them anew each time would cost more than
                // running them. What is asked for lists is planned for its filter, see `begin`.
                ("plan_cache_mode", "force_generic_plan"),
                // What must be scanned all the same then seems so dear that it would be compiled first.
                ("jit", "off"),
            ]);
        }
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS_BESIDE)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        if !is_pooled && has_pooler(&pool).await? {
            tracing::warn!("a transaction pooler is between us and PostgreSQL; add ?pooler=transaction to the address");
        }
        migrate::postgres(&pool, is_pooled).await?;
        if !is_pooled && pool.acquire().await?.server_version_num() >= Some(MEMOIZE_SINCE) {
            // What is looked up for each row of a batch is another thing each time.
            options = options.options([("enable_memoize", "off")]);
        }
        let warm = Pool::new(options, connections);
        Ok(Self { pool, warm, connections, is_pooled })
    }

    pub(crate) async fn run(&self, kind: Kind, mut piece: Box<dyn ErasedWork>) -> Result<Answer> {
        let (warm, is_pooled) = (self.warm.clone(), self.is_pooled);
        let work = tokio::time::timeout(CALL_TIME_MAX, async move {
            let mut connection = warm.take(piece.kind()).await?;
            let begin = begin(connection.get(), kind, is_pooled).await?;
            let mut tx = Tx::postgres(connection.get(), is_pooled, begin);
            let is_kept = erased::run(piece.as_mut(), &mut tx).await;
            let (committed, is_clean) = tx.end(is_kept).await;
            if is_clean {
                connection.keep();
            }
            Ok(piece.answer(committed))
        });
        match DetachOnDrop::new(AssertUnwindSafe(work).catch_unwind()).await {
            Ok(Ok(answer)) => answer,
            // Longer than the server's own limits allow: it is the way to the server that is broken.
            Ok(Err(_)) => Err(Error::Down(sqlx::Error::PoolTimedOut)),
            Err(_) => Err(Error::Panicked),
        }
    }

    /// In a transaction like everything else: behind a pooler two messages may reach two servers.
    pub(crate) async fn time(&self) -> Result<Timestamp> {
        unerase(self.run(Kind::Read, erase(|tx| Box::pin(async move { tx.time().await }))).await)
    }

    /// Tells the other hubs, outside every transaction: in one it would take a lock that all commits wait for.
    pub(crate) async fn notify(&self) -> Result<()> {
        self.pool.acquire().await?.execute("notify hostler").await?;
        Ok(())
    }

    /// Hears the other hubs, on a connection of its own.
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
        self.warm.close(self.connections).await;
        self.pool.close().await;
    }
}

/// Begins a transaction, unless it can wait until its first question.
async fn begin(connection: &mut PgConnection, kind: Kind, is_pooled: bool) -> Result<TxMode> {
    match kind {
        // A pooler may deal out another server for each message outside of a transaction.
        Kind::Write | Kind::Optimistic if is_pooled => connection.execute("begin").await?,
        Kind::Write => return Ok(TxMode::OnFirstQuery),
        Kind::Optimistic => return Ok(TxMode::Optimistic),
        Kind::Query if !is_pooled => return Ok(TxMode::Autocommit),
        // Two statements in one round trip.
        Kind::Query | Kind::Read => {
            let text = "begin transaction isolation level repeatable read, read only; set local plan_cache_mode = auto";
            connection.execute(text).await?
        }
    };
    Ok(TxMode::Open)
}

impl Tx<'_> {
    /// Ends a transaction on PostgreSQL; says also whether the connection is as good as new.
    async fn end(mut self, is_kept: bool) -> (Result<()>, bool) {
        if is_kept {
            let committed = self.commit().await;
            // After an error the connection may be in any state; but a guard that held is an answer like any other.
            let is_held = self.mode == TxMode::Optimistic && matches!(committed, Err(Error::StaleView));
            let is_clean = committed.is_ok() || is_held;
            return (committed, is_clean);
        }
        // The work's error is what the caller must hear, whatever becomes of the rollback.
        let is_clean = match self.mode {
            TxMode::OnFirstQuery => true,
            // A lone question that failed: nothing to undo, but nothing is known of the connection either.
            TxMode::Autocommit | TxMode::Optimistic => false,
            TxMode::Open => self.tell("rollback").await.is_ok(),
        };
        (Ok(()), is_clean)
    }

    async fn commit(&mut self) -> Result<()> {
        // What was put off is one statement: alone it is a transaction by itself.
        self.flush().await?;
        if self.mode == TxMode::Open { self.tell("commit").await } else { Ok(()) }
    }

    async fn tell(&mut self, what: &'static str) -> Result<()> {
        if let crate::tx::Conn::Postgres(conn) = &mut self.conn {
            conn.execute(what).await?;
        }
        Ok(())
    }

    async fn time(&mut self) -> Result<Timestamp> {
        const TIME: crate::Sql = crate::Sql { name: "TIME", sqlite: "", postgres: "select clock_timestamp()" };
        value!(self, TIME => Timestamp)?.ok_or(Error::Dangling)
    }
}

/// Whether two of our connections share a server: what one sets for its session, the other then sees.
async fn has_pooler(pool: &PgPool) -> Result<bool> {
    let (mut one, mut two) = (pool.acquire().await?, pool.acquire().await?);
    one.execute("select set_config('hostler.probe', 'seen', false)").await?;
    let seen = two.fetch_one("select coalesce(current_setting('hostler.probe', true), '')").await?;
    let seen: String = seen.try_get(0)?;
    one.execute("select set_config('hostler.probe', '', false)").await?;
    Ok(seen == "seen")
}
