//! What can go wrong with a database, in words the rest of the program understands.

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A unique constraint: somebody was there first. Named `<table>_<columns>_uq` on both databases.
    #[error("conflict on {0}")]
    UniqueViolation(String),
    /// The row it refers to is gone.
    #[error("a row it refers to does not exist")]
    Dangling,
    /// Another transaction was in the way; trying again can help.
    #[error("the database is busy")]
    Busy(#[source] sqlx::Error),
    /// What was seen without a lock has changed since then, or more was asked than can be without one. Nothing was written.
    #[error("this must be done with locks")]
    StaleView,
    /// The database cannot be reached.
    #[error("the database does not answer")]
    Down(#[source] sqlx::Error),
    /// No space is left.
    #[error("the disk of the database is full")]
    Full(#[source] sqlx::Error),
    /// The database says something this program does not understand.
    #[error("the database holds or said something unexpected")]
    Corrupt(#[source] sqlx::Error),
    /// The work panicked; its transaction was rolled back.
    #[error("the work inside a transaction panicked")]
    Panicked,
    /// The store was closed while the call waited.
    #[error("the store is closed")]
    Closed,
    /// The schema is from a later version.
    #[error("the database has schema {found}, this program knows {known} at most")]
    Newer {
        /// The version in the database.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
    /// The schema is from an earlier version, and is not ours to change.
    #[error("the database has schema {found}, this program needs {known}; start its hub or runner once")]
    Older {
        /// The version in the database.
        found: i64,
        /// The version this program needs.
        known: i64,
    },
    /// Another process has the file.
    #[error("another hub uses {path}{}", owner.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    InUse {
        /// The database file.
        path: String,
        /// The process that has it, if it left its number.
        owner: Option<u32>,
    },
    /// The file or its folder cannot be used.
    #[error("cannot use {path}")]
    Folder {
        /// The path.
        path: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The address of the database cannot be read.
    #[error("cannot read the database address: {0}")]
    Address(String),
    /// A migration failed.
    #[error("cannot bring the schema up to date")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The linked SQLite has a known corruption bug.
    #[error("SQLite {found} can corrupt its file; at least {floor} is needed")]
    OldSqlite {
        /// What is linked.
        found: String,
        /// What is needed.
        floor: &'static str,
    },
}

/// A result of the store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether a write that ended with this may have been committed all the same: its answer was lost.
    #[must_use]
    pub fn is_unsure(&self) -> bool {
        match self {
            Self::Down(_) | Self::Panicked | Self::Closed => true,
            Self::Corrupt(error) => error.as_database_error().is_none(),
            _ => false,
        }
    }
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        let Some(database) = error.as_database_error() else { return of_transport(error) };
        let code = database.code().unwrap_or_default().into_owned();
        if database.is_unique_violation() {
            return Self::UniqueViolation(constraint(database));
        }
        if database.is_foreign_key_violation() {
            return Self::Dangling;
        }
        match code.as_str() {
            // SQLite: FULL, and FULL inside IOERR. PostgreSQL: disk_full.
            "13" | "53100" => Self::Full(error),
            // SQLite: BUSY and LOCKED. PostgreSQL: serialization, deadlock, lock timeout, cancelled by statement timeout.
            "5" | "6" | "261" | "517" | "40001" | "40P01" | "55P03" | "57014" => Self::Busy(error),
            // PostgreSQL: division by zero, which only our guards do.
            "22012" => Self::StaleView,
            // PostgreSQL: shutting down, starting, too many connections, connection class.
            "57P01" | "57P02" | "57P03" | "53300" => Self::Down(error),
            code if code.starts_with("08") => Self::Down(error),
            _ => Self::Corrupt(error),
        }
    }
}

fn of_transport(error: sqlx::Error) -> Error {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => Error::Down(error),
        _ => Error::Corrupt(error),
    }
}

/// SQLite names columns (`host.org_id, host.name`), PostgreSQL names the constraint: one form for both.
fn constraint(error: &dyn sqlx::error::DatabaseError) -> String {
    if let Some(name) = error.constraint() {
        return name.to_owned();
    }
    let columns = error.message().rsplit_once(": ").map_or("", |(_, columns)| columns);
    let mut parts = columns.split(", ").filter_map(|column| column.split_once('.'));
    let Some((table, first)) = parts.next() else { return error.message().to_owned() };
    let rest: String = parts.map(|(_, column)| format!("_{column}")).collect();
    format!("{table}_{first}{rest}_uq")
}
