//! SQLite errors in the form of the PostgreSQL driver's errors, so that one `From` classifies both.

use std::{borrow::Cow, error::Error as StdError, fmt};

use rusqlite::ffi;
use sqlx::error::{DatabaseError, ErrorKind};

/// An error returned by SQLite.
#[derive(Debug)]
struct Fault {
    /// The extended result code.
    code: i32,
    message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(code: {}) {}", self.code, self.message)
    }
}

impl StdError for Fault {}

impl DatabaseError for Fault {
    fn message(&self) -> &str {
        &self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.code.to_string().into())
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
        match self.code {
            ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => {
                ErrorKind::UniqueViolation
            }
            ffi::SQLITE_CONSTRAINT_FOREIGNKEY => ErrorKind::ForeignKeyViolation,
            ffi::SQLITE_CONSTRAINT_NOTNULL => ErrorKind::NotNullViolation,
            ffi::SQLITE_CONSTRAINT_CHECK => ErrorKind::CheckViolation,
            _ => ErrorKind::Other,
        }
    }
}

impl From<rusqlite::Error> for crate::Error {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::SqliteFailure(failure, message) => {
                let message = message.unwrap_or_else(|| failure.to_string());
                sqlx::Error::Database(Box::new(Fault { code: failure.extended_code, message })).into()
            }
            rusqlite::Error::SqlInputError { error, msg, .. } => {
                sqlx::Error::Database(Box::new(Fault { code: error.extended_code, message: msg })).into()
            }
            // A column has a type or value that its reader does not accept.
            other => sqlx::Error::Decode(Box::new(other)).into(),
        }
    }
}
