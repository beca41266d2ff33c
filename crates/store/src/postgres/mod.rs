//! PostgreSQL: connections that are reused, and transactions that run to their end.
//!
//! - `deferred`: writes that are collected and sent as one statement
//! - `detach_on_drop`: a future that continues in a spawned task when its caller drops it
//! - `pool`: idle connections, chosen by the statements they have prepared
//! - `settings`: server settings of connections and transactions
//! - `statement`: the SQL text of deferred writes
//! - `type_lookup`: types that the driver reads from the server, for connections behind a pooler
//!
//! Behind a transaction pooler each message outside of a transaction may reach another server connection. There every
//! call begins a transaction, statements have no names, and settings belong to the transaction. A message outside of a
//! transaction is a whole statement in itself.

pub(crate) mod deferred;
mod detach_on_drop;
mod pool;
mod settings;
mod statement;
mod type_lookup;

use std::{
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use domain::Timestamp;
use futures_util::FutureExt as _;
use sqlx::{Executor as _, PgConnection, PgPool, Row as _, postgres::PgPoolOptions};

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
/// The advice for an address that lacks the parameter for a pooler.
const ADD_PARAMETER: &str =
    "a transaction pooler is in front of PostgreSQL; add ?pooler=transaction to the database address";

/// The kind of transaction that a caller requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A single query.
    Query,
    /// Several queries on one snapshot.
    Read,
    Write,
}

/// Whether a write has sent the statement that commits it: from then on, an error without an answer of the server
/// leaves the outcome unknown. Kept outside of the call's future, which a time-out or a panic destroys.
#[derive(Clone)]
struct CommitPhase {
    is_write: bool,
    is_begun: Arc<AtomicBool>,
}

impl CommitPhase {
    fn of(kind: Kind) -> Self {
        Self { is_write: kind == Kind::Write, is_begun: Arc::default() }
    }

    fn begin(&self) {
        self.is_begun.store(self.is_write, Ordering::Relaxed);
    }

    fn classify(&self, error: Error) -> Error {
        if self.is_begun.load(Ordering::Relaxed) { error.in_commit() } else { error }
    }
}

pub(crate) struct Postgres {
    pool: PgPool,
    pooled: Pool,
    connections: u32,
    is_pooled: bool,
}

impl Postgres {
    pub(crate) async fn open(url: &str, is_pooled: bool, connections: u32) -> Result<Self> {
        let mut options = settings::connect_options(url, is_pooled)?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS_BESIDE)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await
            .map_err(explain_rejected_settings)?;
        if !is_pooled && has_pooler(&pool).await? {
            tracing::warn!("{ADD_PARAMETER}");
        }
        migrate::postgres(&pool, is_pooled).await?;
        if !is_pooled && pool.acquire().await?.server_version_num() >= Some(MEMOIZE_SINCE) {
            // Rows of a batch rarely look up the same key twice, so a memoize node only costs time.
            options = options.options([("enable_memoize", "off")]);
        }
        let pooled = Pool::new(options, is_pooled, connections);
        Ok(Self { pool, pooled, connections, is_pooled })
    }

    pub(crate) async fn run(&self, kind: Kind, mut erased: Box<dyn ErasedWork>) -> Result<Answer> {
        let (pooled, is_pooled) = (self.pooled.clone(), self.is_pooled);
        let commit = CommitPhase::of(kind);
        let phase = commit.clone();
        let work = tokio::time::timeout(CALL_TIME_MAX, async move {
            let mut connection = pooled.take(erased.kind()).await?;
            let begin = begin(connection.get(), kind, is_pooled).await?;
            let mut tx = Tx::postgres(connection.get(), is_pooled, begin);
            let is_kept = erased::run(erased.as_mut(), &mut tx).await;
            let (committed, is_clean) = tx.end(is_kept, &phase).await;
            if is_clean {
                connection.keep();
            }
            Ok(erased.answer(committed.map_err(|error| phase.classify(error))))
        });
        match DetachOnDrop::new(AssertUnwindSafe(work).catch_unwind()).await {
            Ok(Ok(answer)) => answer,
            // The server's own limits are shorter, so the connection to the server must be broken.
            Ok(Err(_)) => Err(commit.classify(Error::Down(sqlx::Error::PoolTimedOut))),
            Err(_) => Err(commit.classify(Error::Panicked)),
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
    let text = match kind {
        Kind::Write if !is_pooled => return Ok(TxMode::OnFirstQuery),
        Kind::Query if !is_pooled => return Ok(TxMode::Autocommit),
        Kind::Write => settings::POOLED_BEGIN_WRITE.as_str(),
        Kind::Query | Kind::Read if is_pooled => settings::POOLED_BEGIN_READ.as_str(),
        Kind::Query | Kind::Read => settings::BEGIN_READ,
    };
    connection.execute(text).await?;
    Ok(TxMode::Open)
}

impl Tx<'_> {
    /// Ends the transaction. Also returns whether the connection can be reused.
    async fn end(mut self, is_kept: bool, phase: &CommitPhase) -> (Result<()>, bool) {
        if is_kept {
            let committed = self.commit(phase).await;
            // After an error the state of the connection is unknown, so it is closed.
            let is_clean = committed.is_ok();
            return (committed, is_clean);
        }
        // The caller gets the error of the work, whatever the outcome of the rollback.
        let is_clean = match self.mode {
            TxMode::OnFirstQuery => true,
            // A failed single statement leaves nothing to roll back, but the state of the connection is unknown.
            TxMode::Autocommit => false,
            TxMode::Open => self.execute_control("rollback").await.is_ok(),
        };
        (Ok(()), is_clean)
    }

    async fn commit(&mut self, phase: &CommitPhase) -> Result<()> {
        if self.mode == TxMode::Open {
            self.flush().await?;
            phase.begin();
            self.execute_control("commit").await
        } else {
            // The deferred writes are one statement, which is atomic without a transaction.
            phase.begin();
            self.flush().await
        }
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

/// PgBouncer rejects the settings of a connection before [`has_pooler`] can run.
fn explain_rejected_settings(error: sqlx::Error) -> Error {
    match error.as_database_error() {
        Some(rejected) if rejected.message().contains("unsupported startup parameter") => {
            Error::Address(format!("{ADD_PARAMETER} ({})", rejected.message()))
        }
        _ => error.into(),
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
