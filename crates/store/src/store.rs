//! Opening a store, and the ways into it: `read`, `query` and `write`.

use std::{path::PathBuf, sync::Arc};

use futures_util::future::BoxFuture;

use crate::{
    Error, Result, Tx,
    erased::{Answer, ErasedWork, erase, unerase},
    postgres::{self, Postgres},
    sqlite::Sqlite,
};

domain::words! {
    /// The two databases.
    pub enum Kind {
        /// The embedded one.
        Sqlite = "sqlite",
        /// The one for many hubs.
        Postgres = "postgres",
    }
}

/// How to open a store.
#[derive(Debug, Clone)]
pub struct Options {
    /// `sqlite:PATH` or `postgres://…`; `?pooler=transaction` says that a transaction pooler is between.
    pub url: String,
    /// Connections to PostgreSQL, or readers of SQLite.
    pub connections: u32,
    /// Whether somebody else owns this SQLite file: it must be there and up to date, and is not locked.
    pub is_guest: bool,
}

impl Options {
    /// The store at this address, with the usual number of connections.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), connections: 8, is_guest: false }
    }
}

/// The store. Cheap to clone; the last clone does not close it, [`Store::close`] does.
#[derive(Clone)]
pub struct Store {
    pub(crate) side: Backend,
}

#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

/// What hears the other hubs.
pub struct Listener(sqlx::postgres::PgListener);

impl Listener {
    /// Resolves when another hub has told something.
    ///
    /// # Errors
    /// The connection is lost; ask for a new listener.
    pub async fn heard(&mut self) -> Result<()> {
        self.0.recv().await.map(drop).map_err(Error::from)
    }
}

/// A piece of work inside a transaction. `Err` rolls it back.
pub trait Work<T, E>: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<T, E>> + Send + 'static {}
impl<T, E, F> Work<T, E> for F where F: for<'t> FnOnce(&'t mut Tx<'_>) -> BoxFuture<'t, Result<T, E>> + Send + 'static {}

impl Store {
    /// Opens the store and brings its schema up to date.
    ///
    /// # Errors
    /// The address is wrong, the database is newer, in use, or cannot be reached.
    pub async fn open(options: &Options) -> Result<Self> {
        let side = match Address::parse(&options.url)? {
            Address::Sqlite(path) => {
                Backend::Sqlite(Arc::new(Sqlite::open(&path, options.connections, options.is_guest).await?))
            }
            Address::Postgres { url, is_pooled } => {
                Backend::Postgres(Arc::new(Postgres::open(&url, is_pooled, options.connections).await?))
            }
        };
        Ok(Self { side })
    }

    /// Which database this is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.side {
            Backend::Sqlite(_) => Kind::Sqlite,
            Backend::Postgres(_) => Kind::Postgres,
        }
    }

    /// Reads, from one snapshot, beside whatever is being written.
    ///
    /// # Errors
    /// The work's own, or the database's.
    pub async fn read<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unerase(self.run(postgres::Kind::Read, erase(work)).await)
    }

    /// Reads with a single question, which sees one moment anyway: no transaction around it.
    ///
    /// # Errors
    /// The work's own, or the database's.
    pub async fn query<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unerase(self.run(postgres::Kind::Query, erase(work)).await)
    }

    /// Writes. Returns after the commit: what it returns is durable.
    ///
    /// # Errors
    /// The work's own (then nothing was written), or the database's.
    pub async fn write<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unerase(self.run(postgres::Kind::Write, erase(work)).await)
    }

    /// Writes after a single look, without a lock in between: two round trips instead of four. What is written holds only if
    /// the guards put off with it do. Whoever asks more than [`Tx::host_open`] or [`Tx::turn_look`], or finds that somebody was
    /// faster, is told [`Error::StaleView`], and does it again with [`Store::write`]. Where there is one writer, or a pooler, it is that.
    ///
    /// # Errors
    /// The work's own, or the database's; `StaleView` as above. Then nothing was written.
    pub async fn write_optimistic<T, E>(&self, work: impl Work<T, E>) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        unerase(self.run(postgres::Kind::Optimistic, erase(work)).await)
    }

    async fn run(&self, kind: postgres::Kind, piece: Box<dyn ErasedWork>) -> Result<Answer> {
        match (&self.side, kind) {
            (Backend::Postgres(postgres), _) => postgres.run(kind, piece).await,
            (Backend::Sqlite(sqlite), postgres::Kind::Write | postgres::Kind::Optimistic) => sqlite.write(piece).await,
            (Backend::Sqlite(sqlite), postgres::Kind::Read | postgres::Kind::Query) => sqlite.read(piece).await,
        }
    }

    /// The database's clock, or `None` if it has none of its own.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn database_time(&self) -> Result<Option<domain::Timestamp>> {
        match &self.side {
            Backend::Sqlite(_) => Ok(None),
            Backend::Postgres(postgres) => postgres.time().await.map(Some),
        }
    }

    /// Tells the other hubs on this database that there is something new. Only a hint: everything is found without it.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn notify(&self) -> Result<()> {
        match &self.side {
            Backend::Postgres(postgres) if !postgres.is_pooled() => postgres.notify().await,
            // One hub alone, or a pooler that would deal the listener out to others: polling does it.
            _ => Ok(()),
        }
    }

    /// Hears what other hubs tell. `None` where nobody can: one hub alone, or behind a pooler.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn listen(&self) -> Result<Option<Listener>> {
        match &self.side {
            Backend::Postgres(postgres) if !postgres.is_pooled() => Ok(Some(Listener(postgres.listen().await?))),
            _ => Ok(None),
        }
    }

    /// Counts what is written, for whoever waits for changes. `None` where others write, too.
    #[must_use]
    pub fn commits(&self) -> Option<tokio::sync::watch::Receiver<u64>> {
        match &self.side {
            Backend::Sqlite(sqlite) => Some(sqlite.commits()),
            Backend::Postgres(_) => None,
        }
    }

    /// Whether a transaction pooler is between us and PostgreSQL.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        matches!(&self.side, Backend::Postgres(postgres) if postgres.is_pooled())
    }

    /// Gives back memory that is held only to be quicker next time.
    ///
    /// # Errors
    /// The database's.
    pub async fn shrink(&self) -> Result<()> {
        match &self.side {
            Backend::Sqlite(sqlite) => sqlite.shrink().await,
            // The server's own affair.
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// Waits for what is under way, then closes. DeferredWrites calls answer [`Error::Closed`].
    pub async fn close(&self) {
        match &self.side {
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
                return Err(Error::Address("`sqlite:` needs the path of a file".to_owned()));
            }
            return Ok(Self::Sqlite(PathBuf::from(path)));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return pooler(url);
        }
        Err(Error::Address("it must begin with `sqlite:` or `postgres://`".to_owned()))
    }
}

/// Takes our own `pooler=…` out of the address: the driver does not know it.
fn pooler(url: &str) -> Result<Address> {
    let Some((base, query)) = url.split_once('?') else {
        return Ok(Address::Postgres { url: url.to_owned(), is_pooled: false });
    };
    let (mut is_pooled, mut rest) = (false, Vec::new());
    for pair in query.split('&') {
        match pair.split_once('=') {
            Some(("pooler", "transaction")) => is_pooled = true,
            Some(("pooler", other)) => {
                return Err(Error::Address(format!("`pooler={other}` is not known; write `pooler=transaction`")));
            }
            _ => rest.push(pair),
        }
    }
    let url = if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) };
    Ok(Address::Postgres { url, is_pooled })
}
