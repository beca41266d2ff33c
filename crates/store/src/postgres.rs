//! The PostgreSQL side: a pool, and one task per call.

use std::{panic::AssertUnwindSafe, time::Duration};

use domain::Timestamp;
use futures_util::FutureExt as _;
use sqlx::{
    Connection as _, Executor as _, PgPool, Row as _,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use crate::{Error, Result, Tx, Work, migrate};

/// How long a call waits for a free connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a call may take in all: more than the server's own limits.
const CALL_TIME_MAX: Duration = Duration::from_secs(45);
/// Connections are replaced after this long, so that none grows old with a leak.
const CONNECTION_LIFETIME: Duration = Duration::from_secs(30 * 60);

pub(crate) struct Postgres {
    pool: PgPool,
    is_pooled: bool,
}

impl Postgres {
    pub(crate) async fn open(url: &str, is_pooled: bool, connections: u32) -> Result<Self> {
        let mut options: PgConnectOptions =
            url.parse().map_err(|error: sqlx::Error| Error::Address(error.to_string()))?;
        options = options.application_name("hostler");
        if is_pooled {
            // A prepared statement lives on one server connection; the next call may get another.
            options = options.statement_cache_capacity(0).extra_float_digits(None);
        } else {
            // Backstops on the server's side: whatever we do, no transaction stays open for ever.
            options = options.options([
                ("statement_timeout", "30s"),
                ("lock_timeout", "10s"),
                ("idle_in_transaction_session_timeout", "60s"),
                // A plan that is kept while a table is small must still be good when a burst has filled it.
                ("enable_seqscan", "off"),
                // What must be scanned all the same then seems so dear that it would be compiled first.
                ("jit", "off"),
            ]);
        }
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .max_lifetime(CONNECTION_LIFETIME)
            .connect_with(options)
            .await?;
        if !is_pooled && has_pooler(&pool).await? {
            tracing::warn!("a transaction pooler is between us and PostgreSQL; add ?pooler=transaction to the address");
        }
        migrate::postgres(&pool).await?;
        Ok(Self { pool, is_pooled })
    }

    pub(crate) async fn run<T, E>(&self, begin: &'static str, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (pool, is_pooled) = (self.pool.clone(), self.is_pooled);
        // On a task of its own: the driver's `begin` leaves an open transaction in the pool when its
        // future is dropped, and a client that hangs up drops the handler's future.
        #[expect(clippy::disallowed_methods, reason = "the caller waits for it; see above")]
        let task = tokio::spawn(tokio::time::timeout(CALL_TIME_MAX, async move {
            let mut connection = pool.acquire().await.map_err(Error::from)?;
            let mut transaction = connection.begin_with(begin).await.map_err(Error::from)?;
            let outcome = {
                let mut tx = Tx::postgres(&mut transaction, is_pooled);
                AssertUnwindSafe(work(&mut tx)).catch_unwind().await.unwrap_or_else(|_| Err(Error::Panicked.into()))
            };
            match outcome {
                Ok(value) => transaction.commit().await.map_err(Error::from).map(|()| value).map_err(E::from),
                Err(error) => {
                    // The work's error is what the caller must hear, whatever becomes of the rollback.
                    let _ = transaction.rollback().await;
                    Err(error)
                }
            }
        }));
        match task.await {
            Ok(Ok(outcome)) => outcome,
            // Longer than the server's own limits allow: it is the way to the server that is broken.
            Ok(Err(_)) => Err(Error::Down(sqlx::Error::PoolTimedOut).into()),
            Err(_) => Err(Error::Panicked.into()),
        }
    }

    /// In a transaction like everything else: behind a pooler two messages may reach two servers.
    pub(crate) async fn time(&self) -> Result<Timestamp> {
        self.run("begin", |tx| Box::pin(async move { tx.time().await })).await
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
        self.pool.close().await;
    }
}

impl Tx<'_> {
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
