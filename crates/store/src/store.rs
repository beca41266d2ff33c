//! The store: opening it, and running reads and writes on it.

use std::{path::PathBuf, sync::Arc};

use futures_util::future::BoxFuture;

use crate::{
    Error, Result, Tx,
    erased::{Answer, ErasedWork, box_work, unbox_answer},
    postgres::{self, Postgres},
    sqlite::Sqlite,
};

domain::string_enum! {
    /// The database behind a store.
    pub enum Kind {
        Sqlite = "sqlite",
        /// Needed for more than one hub.
        Postgres = "postgres",
    }
}

/// Options for opening a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// `sqlite:PATH` or `postgres://…`. `?pooler=transaction` declares a transaction pooler in front of PostgreSQL.
    pub url: String,
    /// Connections to PostgreSQL, or reading connections to SQLite.
    pub connections: u32,
    /// Whether another process owns this SQLite file. The file must exist with the current schema, and is not locked.
    pub is_guest: bool,
}

impl Options {
    /// Options for this address, with the default number of connections.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), connections: 8, is_guest: false }
    }
}

/// Handle to a database. Cheap to clone; dropping the last clone does not close the store, [`Store::close`] does.
#[derive(Clone)]
pub struct Store {
    pub(crate) backend: Backend,
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

/// Receiver of notifications from other hubs on the same database.
pub struct Listener(sqlx::postgres::PgListener);

impl Listener {
    /// Resolves when another hub has sent a notification.
    ///
    /// # Errors
    /// The connection is lost; call [`Store::listen`] again.
    pub async fn received(&mut self) -> Result<()> {
        self.0.recv().await.map(drop).map_err(Error::from)
    }
}

/// A closure that runs inside a transaction. `Err` rolls the transaction back.
pub trait Work<T, E>: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<T, E>> + Send + 'static {}
impl<T, E, F> Work<T, E> for F where F: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<T, E>> + Send + 'static {}

impl Store {
    /// Opens the store and applies missing migrations.
    ///
    /// # Errors
    /// The address is invalid, or the database has a newer schema, is in use by another process, or cannot be reached.
    pub async fn open(options: &Options) -> Result<Self> {
        let backend = match Address::parse(&options.url)? {
            Address::Sqlite(path) => {
                Backend::Sqlite(Arc::new(Sqlite::open(&path, options.connections, options.is_guest).await?))
            }
            Address::Postgres { url, is_pooled } => {
                Backend::Postgres(Arc::new(Postgres::open(&url, is_pooled, options.connections).await?))
            }
        };
        Ok(Self { backend })
    }

    /// The kind of database behind this store.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.backend {
            Backend::Sqlite(_) => Kind::Sqlite,
            Backend::Postgres(_) => Kind::Postgres,
        }
    }

    /// Reads from one snapshot, concurrently with writers.
    ///
    /// # Errors
    /// Errors of `work`, or of the database.
    pub async fn read<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unbox_answer(self.run(postgres::Kind::Read, box_work(work)).await)
    }

    /// Runs a single query. One statement reads one snapshot anyway, so PostgreSQL needs no transaction around it.
    ///
    /// # Errors
    /// Errors of `work`, or of the database.
    pub async fn query<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unbox_answer(self.run(postgres::Kind::Query, box_work(work)).await)
    }

    /// Runs a write transaction. Returns after the commit, so the result is durable.
    ///
    /// # Errors
    /// Errors of `work` (the transaction is rolled back), or of the database. After [`Error::CommitUnknown`] the
    /// transaction may have been committed; after any other error it was not.
    pub async fn write<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unbox_answer(self.run(postgres::Kind::Write, box_work(work)).await)
    }

    async fn run(&self, kind: postgres::Kind, erased: Box<dyn ErasedWork>) -> Result<Answer> {
        match (&self.backend, kind) {
            (Backend::Postgres(postgres), _) => postgres.run(kind, erased).await,
            (Backend::Sqlite(sqlite), postgres::Kind::Write) => sqlite.write(erased).await,
            (Backend::Sqlite(sqlite), postgres::Kind::Read | postgres::Kind::Query) => sqlite.read(erased).await,
        }
    }

    /// Current time of the PostgreSQL server; `None` on SQLite, which uses this machine's clock.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn database_time(&self) -> Result<Option<domain::Timestamp>> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(postgres) => postgres.time().await.map(Some),
        }
    }

    /// Notifies other hubs on this database of new rows. This is only a hint: hubs also poll, so a lost notification
    /// costs time and no data.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn notify(&self) -> Result<()> {
        match &self.backend {
            Backend::Postgres(postgres) if !postgres.is_pooled() => postgres.notify().await,
            // SQLite has a single hub. Behind a pooler, a listener would lose its server connection to other clients:
            // polling replaces notifications.
            _ => Ok(()),
        }
    }

    /// Listens for notifications of other hubs. `None` on SQLite and behind a pooler.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn listen(&self) -> Result<Option<Listener>> {
        match &self.backend {
            Backend::Postgres(postgres) if !postgres.is_pooled() => Ok(Some(Listener(postgres.listen().await?))),
            _ => Ok(None),
        }
    }

    /// Counter of committed groups of writes. `None` on PostgreSQL, where other processes write too.
    #[must_use]
    pub fn commits(&self) -> Option<tokio::sync::watch::Receiver<u64>> {
        match &self.backend {
            Backend::Sqlite(sqlite) => Some(sqlite.commits()),
            Backend::Postgres(_) => None,
        }
    }

    /// Whether the address declares a transaction pooler in front of PostgreSQL.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        matches!(&self.backend, Backend::Postgres(postgres) if postgres.is_pooled())
    }

    /// Frees memory that SQLite connections use as a cache.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn shrink(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.shrink().await,
            // The PostgreSQL server manages its own memory.
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// Waits for running calls, then closes. Calls made after this return [`Error::Closed`].
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.close().await,
            Backend::Postgres(postgres) => postgres.close().await,
        }
    }
}

enum Address {
    Sqlite(PathBuf),
    Postgres { url: String, is_pooled: bool },
}

impl Address {
    fn parse(url: &str) -> Result<Self> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err(Error::Address("`sqlite:` must be followed by the path of a file".to_owned()));
            }
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return pooler(url);
        }
        Err(Error::Address("it must start with `sqlite:` or `postgres://`".to_owned()))
    }
}

/// Removes our `pooler=…` parameter from the address, which the driver would reject.
fn pooler(url: &str) -> Result<Address> {
    let Some((base, query)) = url.split_once('?') else {
        return Ok(Address::Postgres { url: url.to_owned(), is_pooled: false });
    };
    let (mut is_pooled, mut rest) = (false, Vec::new());
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("pooler", "transaction")) => is_pooled = true,
            Some(("pooler", other)) => {
                return Err(Error::Address(format!("`pooler={other}` is not supported; use `pooler=transaction`")));
            }
            _ => rest.push(pair),
        }
    }
    let url = if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) };
    Ok(Address::Postgres { url, is_pooled })
}
