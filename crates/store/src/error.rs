//! Errors of the store: database errors mapped to the cases that callers distinguish.

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A row with the same unique value exists. The constraint's name, `<table>_<columns>_uq` on both databases.
    #[error("a row with the same unique value already exists")]
    UniqueViolation(String),
    /// A foreign key refers to a row that does not exist.
    #[error("a referenced row does not exist")]
    Dangling,
    /// A lock conflict, deadlock or timeout. A retry can succeed.
    #[error("the database is busy")]
    Busy(#[source] sqlx::Error),
    /// An optimistic write was rejected: a row it read without a lock has changed, or it ran a query that needs a
    /// transaction. Nothing was written.
    #[error("rows changed during an optimistic write; retry with locks")]
    StaleView,
    #[error("the database does not answer")]
    Down(#[source] sqlx::Error),
    #[error("the database's disk is full")]
    Full(#[source] sqlx::Error),
    /// The database returned an error or a value that this program does not handle.
    #[error("unexpected error or value from the database")]
    Corrupt(#[source] sqlx::Error),
    /// The transaction closure panicked. The transaction was rolled back.
    #[error("a database transaction panicked and was rolled back")]
    Panicked,
    /// The store was closed before the call completed.
    #[error("the store is closed")]
    Closed,
    /// The schema was created by a later version of this program.
    #[error("the database has schema {found}, but this hostler supports at most {known}")]
    Newer { found: i64, known: i64 },
    /// The schema was created by an earlier version, and this process does not own the database and may not migrate it.
    #[error("the database has schema {found}, but {known} is required; start its hub or runner once")]
    Older { found: i64, known: i64 },
    /// Another process has locked the SQLite file.
    #[error("another process uses {path}{}", owner.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    InUse {
        path: String,
        /// Process id from the lock file, if readable.
        owner: Option<u32>,
    },
    /// The database file or its folder cannot be opened.
    #[error("cannot open {path}")]
    Folder {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// The database address is invalid.
    #[error("invalid database address: {0}")]
    Address(String),
    #[error("cannot migrate the database schema")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The linked SQLite version has a known corruption bug.
    #[error("SQLite {found} has a bug that can corrupt the database; version {floor} or later is required")]
    OldSqlite { found: String, floor: &'static str },
}

/// Result of a store call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Whether a write that failed with this error may have been committed: its response was lost.
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
            // SQLite: BUSY and LOCKED. PostgreSQL: serialization, deadlock, lock timeout, statement timeout.
            "5" | "6" | "261" | "517" | "40001" | "40P01" | "55P03" | "57014" => Self::Busy(error),
            // PostgreSQL: division by zero. Only guards divide by zero, to fail a statement whose premise is false.
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

/// Returns the constraint name in one form: SQLite reports columns (`host.org_id, host.name`), PostgreSQL the
/// constraint.
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
