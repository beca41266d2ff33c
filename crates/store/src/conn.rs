//! A transaction on either database, and the few macros through which all SQL goes.

use sqlx::{Executor as _, PgConnection};

use crate::{Result, later::Later, lite::Lite};

/// A connection inside a transaction.
pub(crate) enum Conn<'c> {
    Sqlite(&'c mut Lite),
    Postgres(&'c mut PgConnection),
}

/// When a transaction on PostgreSQL begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begin {
    /// It has, or there is nothing to begin.
    Done,
    /// With its first statement that returns something; if none comes, what it writes is one statement and needs none.
    Lazily,
    /// Not at all: it asks one question.
    Never,
    /// Not at all: it looks without locks, and then writes in one statement that holds only if what it saw still is so.
    Boldly,
}

/// A transaction. Every function of the store is a method of it, in the file of its resource.
pub struct Tx<'c> {
    pub(crate) conn: Conn<'c>,
    /// Whether statements may be kept by name on the server: not where a pooler deals out servers.
    pub(crate) is_persistent: bool,
    pub(crate) begin: Begin,
    /// What is to be written before anything else is asked, or at the end.
    pub(crate) later: Later,
    is_look: bool,
}

impl Tx<'_> {
    pub(crate) fn sqlite(conn: &mut Lite) -> Tx<'_> {
        Tx {
            conn: Conn::Sqlite(conn),
            is_persistent: true,
            begin: Begin::Done,
            later: Later::default(),
            is_look: false,
        }
    }

    pub(crate) fn postgres(conn: &mut PgConnection, is_pooled: bool, begin: Begin) -> Tx<'_> {
        Tx { conn: Conn::Postgres(conn), is_persistent: !is_pooled, begin, later: Later::default(), is_look: false }
    }

    /// Sends what was put off so far, so that the database works on it while the caller goes on.
    ///
    /// # Errors
    /// The database's.
    pub async fn send_off(&mut self) -> Result<()> {
        self.catch_up().await
    }

    /// Whether nothing that is seen is locked: see [`crate::Store::write_boldly`].
    #[must_use]
    pub fn is_bold(&self) -> bool {
        self.begin == Begin::Boldly
    }

    /// Writes nothing of what was put off.
    pub fn give_up(&mut self) {
        self.later = Later::default();
    }

    /// The next question may be asked without a lock.
    pub(crate) fn look(&mut self) {
        self.is_look = true;
    }

    /// Before a statement that returns something: the transaction has begun, and what was put off is written.
    pub(crate) async fn catch_up(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_look) && self.begin == Begin::Boldly {
            return Ok(());
        }
        if self.begin == Begin::Boldly {
            return Err(crate::Error::Outrun);
        }
        if self.begin == Begin::Lazily {
            // From here on there is something to roll back, also if the answer to this is lost.
            self.begin = Begin::Done;
            if let Conn::Postgres(conn) = &mut self.conn {
                conn.execute("begin").await?;
            }
        }
        self.flush().await
    }

    /// Writes what was put off, in one statement.
    pub(crate) async fn flush(&mut self) -> Result<()> {
        let Conn::Postgres(conn) = &mut self.conn else { return Ok(()) };
        self.later.send(conn, self.is_persistent).await
    }
}

/// One statement in the words of each database; the same text unless the dialects truly differ.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// Its name, as in the source.
    pub name: &'static str,
    /// For SQLite.
    pub sqlite: &'static str,
    /// For PostgreSQL.
    pub postgres: &'static str,
}

/// Declares statements, and lists them for the test that prepares each on both databases.
macro_rules! statements {
    ($($name:ident = $kind:ident ( $($text:expr),+ $(,)? );)+) => {
        $(const $name: $crate::conn::Sql = statements!(@$kind stringify!($name), $($text),+);)+
        pub(crate) const STATEMENTS: &[$crate::conn::Sql] = &[$($name),+];
    };
    (@same $name:expr, $text:expr) => { $crate::conn::Sql { name: $name, sqlite: $text, postgres: $text } };
    (@pair $name:expr, $sqlite:expr, $postgres:expr) => { $crate::conn::Sql { name: $name, sqlite: $sqlite, postgres: $postgres } };
}

/// Reads a struct from a row by the names of its fields, on both databases.
macro_rules! rows {
    ($($t:ident { $($f:ident),+ $(,)? })+) => { $(
        impl $crate::row::FromPg for $t {
            type Places = [usize; [$(stringify!($f)),+].len()];

            fn places(row: &sqlx::postgres::PgRow) -> sqlx::Result<Self::Places> {
                use sqlx::{Column as _, Row as _};
                Ok([$(row.try_column(stringify!($f))?.ordinal()),+])
            }

            fn from_pg(row: &sqlx::postgres::PgRow, places: &Self::Places) -> sqlx::Result<Self> {
                use sqlx::Row as _;
                let [$($f),+] = *places;
                Ok($t { $($f: row.try_get::<$crate::codec::Db<_>, _>($f)?.0),+ })
            }
        }
        impl $crate::row::FromLite for $t {
            type Places = [usize; [$(stringify!($f)),+].len()];

            fn places(statement: &rusqlite::Statement<'_>) -> rusqlite::Result<Self::Places> {
                Ok([$(statement.column_index(stringify!($f))?),+])
            }

            fn from_lite(row: &rusqlite::Row<'_>, places: &Self::Places) -> rusqlite::Result<Self> {
                let [$($f),+] = *places;
                Ok($t { $($f: row.get::<_, $crate::codec::Db<_>>($f)?.0),+ })
            }
        }
    )+ };
}

/// Runs a statement with its parameters on whichever database this is.
macro_rules! on {
    ($tx:expr, $sql:expr, $row:ty, $lite:ident, $fetch:ident, $read:ident $(, $arg:expr)*) => {{
        $tx.catch_up().await?;
        match &mut $tx.conn {
            $crate::conn::Conn::Sqlite(conn) => conn.$lite::<$row>($sql.sqlite, &[$(&$crate::codec::Db($arg)),*]),
            $crate::conn::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($crate::codec::Db($arg)))*.$fetch(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::row::$read::<$row>),
        }
    }};
}

/// All rows.
macro_rules! all {
    ($tx:expr, $sql:expr => $row:ty $(, $arg:expr)* $(,)?) => { on!($tx, $sql, $row, all, fetch_all, read_rows $(, $arg)*) };
}

/// One row or none.
macro_rules! one {
    ($tx:expr, $sql:expr => $row:ty $(, $arg:expr)* $(,)?) => { on!($tx, $sql, $row, one, fetch_optional, read_row $(, $arg)*) };
}

/// One value of the first column, or none.
macro_rules! value {
    ($tx:expr, $sql:expr => $t:ty $(, $arg:expr)* $(,)?) => {
        on!($tx, $sql, ($crate::codec::Db<$t>,), one, fetch_optional, read_row $(, $arg)*).map(|found| found.map(|(db,)| db.0))
    };
}

/// How many rows were touched.
macro_rules! execute {
    ($tx:expr, $sql:expr $(, $arg:expr)* $(,)?) => {{
        $tx.catch_up().await?;
        match &mut $tx.conn {
            $crate::conn::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$crate::codec::Db($arg)),*]),
            $crate::conn::Conn::Postgres(conn) =>
                sqlx::query($sql.postgres).persistent($tx.is_persistent)$(.bind($crate::codec::Db($arg)))*.execute(&mut **conn).await
                    .map(|done| done.rows_affected()).map_err($crate::Error::from),
        }
    }};
}

/// All rows of a statement whose parameters differ: arrays on PostgreSQL, one JSON text on SQLite.
macro_rules! split {
    ($tx:expr, $sql:expr => $row:ty, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.catch_up().await?;
        match &mut $tx.conn {
            $crate::conn::Conn::Sqlite(conn) => conn.all::<$row>($sql.sqlite, &[$(&$lite),*]),
            $crate::conn::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.fetch_all(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::row::read_rows::<$row>),
        }
    }};
}

/// The same for statements that only write.
macro_rules! split_execute {
    ($tx:expr, $sql:expr, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.catch_up().await?;
        match &mut $tx.conn {
            $crate::conn::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$lite),*]),
            $crate::conn::Conn::Postgres(conn) =>
                sqlx::query($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.execute(&mut **conn).await
                    .map(|done| done.rows_affected()).map_err($crate::Error::from),
        }
    }};
}

/// The same where SQLite takes a list of values, `in ($1)`: each is a parameter of its own.
macro_rules! listed {
    ($tx:expr, $sql:expr => $row:ty, each($rows:expr, |$one:ident| $lite:expr), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.catch_up().await?;
        match &mut $tx.conn {
            $crate::conn::Conn::Sqlite(conn) => conn.all_many::<_, $row>($sql.sqlite, &$rows[..], |$one, binder| binder.bind($lite)),
            $crate::conn::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.fetch_all(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::row::read_rows::<$row>),
        }
    }};
}

/// A write that nothing in this transaction asks about: at once on SQLite, put off on PostgreSQL. With `each`, rows go
/// into SQLite with parameters of their own. `of` says how many rows there are, where that is known.
macro_rules! put_off {
    ($tx:expr, $sql:expr, each($rows:expr, |$row:ident| $($lite:expr),+ $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        if let $crate::conn::Conn::Sqlite(conn) = &mut $tx.conn {
            conn.execute_many($sql.sqlite, &$rows[..], |$row, binder| {
                $(binder.bind($lite)?;)+
                Ok(())
            })
        } else {
            put_off!($tx, $sql, of Some($rows.len()), sqlite(), postgres($($pg),*))
        }
    };
    ($tx:expr, $sql:expr, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        put_off!($tx, $sql, of None, sqlite($($lite),*), postgres($($pg),*))
    };
    ($tx:expr, $sql:expr, of $rows:expr, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        match &mut $tx.conn {
            $crate::conn::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$lite),*]).map(drop),
            $crate::conn::Conn::Postgres(_) => {
                if $tx.later.has(&$sql) {
                    // One statement cannot touch a row twice.
                    $tx.catch_up().await?;
                }
                $tx.later.begin(&$sql, $rows);
                $($tx.later.bind($pg)?;)*
                Ok::<(), $crate::Error>(())
            }
        }
    };
}
