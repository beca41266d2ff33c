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
    /// The database is unreachable, or closed the connection. Nothing was committed.
    #[error("the database does not answer")]
    Down(#[source] sqlx::Error),
    /// The answer to the commit was lost. The transaction may have been committed, or may still be open on the server.
    #[error("the connection failed while the transaction was being committed")]
    CommitUnknown(#[source] sqlx::Error),
    /// The database rejects writes: a PostgreSQL standby (as after a failover), or a read-only file or transaction.
    #[error("the database is read-only")]
    ReadOnly(#[source] sqlx::Error),
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
    /// Whether a write that failed with this error may have been committed.
    #[must_use]
    pub fn is_commit_unknown(&self) -> bool {
        matches!(self, Self::CommitUnknown(_))
    }

    /// Reclassifies an error that occurred after the committing statement was sent. Only an error that the server
    /// returned for the statement proves that nothing was committed.
    pub(crate) fn in_commit(self) -> Self {
        match self {
            Self::Down(error) | Self::Corrupt(error) if !is_rejection(&error) => Self::CommitUnknown(error),
            Self::Panicked => Self::CommitUnknown(sqlx::Error::WorkerCrashed),
            other => other,
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
            // SQLite: READONLY and its extended codes. PostgreSQL: read_only_sql_transaction.
            "8" | "264" | "520" | "776" | "1032" | "1288" | "1544" | "25006" => Self::ReadOnly(error),
            // PostgreSQL: shutting down, starting, too many connections, connection class.
            "57P01" | "57P02" | "57P03" | "53300" => Self::Down(error),
            code if code.starts_with("08") => Self::Down(error),
            _ => Self::Corrupt(error),
        }
    }
}

/// Whether the server returned this error for the statement. A server that shuts down or ends the connection returns an
/// error too, but may have committed before.
fn is_rejection(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|database| {
        let code = database.code().unwrap_or_default();
        !matches!(&*code, "57P01" | "57P02" | "57P03") && !code.starts_with("08")
    })
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

#[cfg(test)]
mod tests {
    use std::{borrow::Cow, error::Error as StdError, fmt};

    use sqlx::error::{DatabaseError, ErrorKind};

    use super::*;

    /// An error as the server returns it.
    #[derive(Debug)]
    struct Returned(&'static str);

    impl fmt::Display for Returned {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl StdError for Returned {}

    impl DatabaseError for Returned {
        fn message(&self) -> &str {
            self.0
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }

        fn as_error(&self) -> &(dyn StdError + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn StdError + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn StdError + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    fn returned(code: &'static str) -> Error {
        sqlx::Error::Database(Box::new(Returned(code))).into()
    }

    #[test]
    fn commit_is_unknown_after_a_lost_answer_and_certain_after_a_rejection() {
        let lost = || std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        for error in [
            sqlx::Error::Io(lost()).into(),
            sqlx::Error::Protocol("a message without its end".to_owned()).into(),
            sqlx::Error::PoolTimedOut.into(),
            Error::Panicked,
            returned("57P01"),
            returned("08006"),
        ] {
            assert!(!error.is_commit_unknown(), "before the commit: {error:?}");
            let error = error.in_commit();
            assert!(error.is_commit_unknown(), "{error:?}");
        }
        for code in ["40001", "53100", "57014", "25006", "XX000", "53300"] {
            let error = returned(code).in_commit();
            assert!(!error.is_commit_unknown(), "{error:?}");
        }
    }

    #[test]
    fn write_on_a_read_only_database_is_read_only() {
        for code in ["25006", "8", "1032"] {
            assert!(matches!(returned(code), Error::ReadOnly(_)), "{code}");
        }
    }
}
