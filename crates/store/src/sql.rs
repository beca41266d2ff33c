//! SQL statements in both dialects, the macros that run them, and the conversion of rows to values.
//!
//! Column names are resolved to positions once per statement, not once per row.

use rusqlite::{Row as SqliteRow, Statement, types::FromSql};
use sqlx::{Decode, Postgres, Row as _, Type, postgres::PgRow};

use crate::Result;

/// One statement with its text for each database; the same text unless the dialects differ.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    /// Name of the constant, for tests and plans.
    pub name: &'static str,
    pub sqlite: &'static str,
    pub postgres: &'static str,
}

/// Declares statements, and lists them in `STATEMENTS` for the test that prepares each on both databases.
macro_rules! statements {
    ($($name:ident = $kind:ident ( $($text:expr),+ $(,)? );)+) => {
        $(const $name: $crate::sql::Sql = statements!(@$kind stringify!($name), $($text),+);)+
        pub(crate) const STATEMENTS: &[$crate::sql::Sql] = &[$($name),+];
    };
    (@same $name:expr, $text:expr) => { $crate::sql::Sql { name: $name, sqlite: $text, postgres: $text } };
    (@pair $name:expr, $sqlite:expr, $postgres:expr) => { $crate::sql::Sql { name: $name, sqlite: $sqlite, postgres: $postgres } };
}

/// Implements reading a struct from a row, by the names of its fields, on both databases.
macro_rules! rows {
    ($($t:ident { $($f:ident),+ $(,)? })+) => { $(
        impl $crate::sql::FromPg for $t {
            type Places = [usize; [$(stringify!($f)),+].len()];

            fn places(row: &sqlx::postgres::PgRow) -> sqlx::Result<Self::Places> {
                use sqlx::{Column as _, Row as _};
                Ok([$(row.try_column(stringify!($f))?.ordinal()),+])
            }

            fn from_pg(row: &sqlx::postgres::PgRow, places: &Self::Places) -> sqlx::Result<Self> {
                use sqlx::Row as _;
                let [$($f),+] = *places;
                Ok($t { $($f: row.try_get::<$crate::value::Db<_>, _>($f)?.0),+ })
            }
        }
        impl $crate::sql::FromSqlite for $t {
            type Places = [usize; [$(stringify!($f)),+].len()];

            fn places(statement: &rusqlite::Statement<'_>) -> rusqlite::Result<Self::Places> {
                Ok([$(statement.column_index(stringify!($f))?),+])
            }

            fn from_sqlite(row: &rusqlite::Row<'_>, places: &Self::Places) -> rusqlite::Result<Self> {
                let [$($f),+] = *places;
                Ok($t { $($f: row.get::<_, $crate::value::Db<_>>($f)?.0),+ })
            }
        }
    )+ };
}

/// Runs a statement with its parameters on the database of `$tx`.
macro_rules! on {
    ($tx:expr, $sql:expr, $row:ty, $sqlite:ident, $fetch:ident, $read:ident $(, $arg:expr)*) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.$sqlite::<$row>($sql.sqlite, &[$(&$crate::value::Db($arg)),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($crate::value::Db($arg)))*.$fetch(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::sql::$read::<$row>),
        }
    }};
}

/// Runs a query and returns all rows.
macro_rules! all {
    ($tx:expr, $sql:expr => $row:ty $(, $arg:expr)* $(,)?) => { on!($tx, $sql, $row, all, fetch_all, read_rows $(, $arg)*) };
}

/// Runs a query and returns its first row, if any.
macro_rules! one {
    ($tx:expr, $sql:expr => $row:ty $(, $arg:expr)* $(,)?) => { on!($tx, $sql, $row, one, fetch_optional, read_row $(, $arg)*) };
}

/// Runs a query and returns the first column of its first row, if any.
macro_rules! value {
    ($tx:expr, $sql:expr => $t:ty $(, $arg:expr)* $(,)?) => {
        on!($tx, $sql, ($crate::value::Db<$t>,), one, fetch_optional, read_row $(, $arg)*).map(|found| found.map(|(db,)| db.0))
    };
}

/// Runs a statement and returns the number of rows affected.
macro_rules! execute {
    ($tx:expr, $sql:expr $(, $arg:expr)* $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$crate::value::Db($arg)),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query($sql.postgres).persistent($tx.is_persistent)$(.bind($crate::value::Db($arg)))*.execute(&mut **conn).await
                    .map(|done| done.rows_affected()).map_err($crate::Error::from),
        }
    }};
}

/// Runs a query whose parameters differ by database: arrays on PostgreSQL, one JSON text on SQLite.
macro_rules! split {
    ($tx:expr, $sql:expr => $row:ty, sqlite($($sqlite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.all::<$row>($sql.sqlite, &[$(&$sqlite),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.fetch_all(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::sql::read_rows::<$row>),
        }
    }};
}

/// As `split!`, for statements that return the number of rows affected.
macro_rules! split_execute {
    ($tx:expr, $sql:expr, sqlite($($sqlite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$sqlite),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.execute(&mut **conn).await
                    .map(|done| done.rows_affected()).map_err($crate::Error::from),
        }
    }};
}

/// As `split!`, for a list of values `in ($1)`: on SQLite each value is bound as its own parameter.
macro_rules! listed {
    ($tx:expr, $sql:expr => $row:ty, each($rows:expr, |$one:ident| $sqlite:expr), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.all_many::<_, $row>($sql.sqlite, &$rows[..], |$one, binder| binder.bind($sqlite)),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.fetch_all(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::sql::read_rows::<$row>),
        }
    }};
}

/// A write whose result this transaction does not read: executed immediately on SQLite, deferred on PostgreSQL (ADR 9).
/// With `each`, rows are bound as separate parameters on SQLite. `of` passes the number of rows, if known.
macro_rules! defer {
    ($tx:expr, $sql:expr, each($rows:expr, |$row:ident| $($sqlite:expr),+ $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        if let $crate::tx::Conn::Sqlite(conn) = &mut $tx.conn {
            conn.execute_many($sql.sqlite, &$rows[..], |$row, binder| {
                $(binder.bind($sqlite)?;)+
                Ok(())
            })
        } else {
            defer!($tx, $sql, of Some($rows.len()), sqlite(), postgres($($pg),*))
        }
    };
    ($tx:expr, $sql:expr, sqlite($($sqlite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        defer!($tx, $sql, of None, sqlite($($sqlite),*), postgres($($pg),*))
    };
    ($tx:expr, $sql:expr, of $rows:expr, sqlite($($sqlite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$sqlite),*]).map(drop),
            $crate::tx::Conn::Postgres(_) => {
                if $tx.deferred.has(&$sql) {
                    // The parts of one statement run on the same snapshot, so two of the same kind must not change the
                    // same row.
                    $tx.begin_and_flush().await?;
                }
                $tx.deferred.begin(&$sql, $rows);
                $($tx.deferred.bind($pg)?;)*
                Ok::<(), $crate::Error>(())
            }
        }
    };
}

/// A type that can be read from a SQLite row.
pub(crate) trait FromSqlite: Sized {
    /// Positions of the columns of this type.
    type Places;

    fn places(statement: &Statement<'_>) -> rusqlite::Result<Self::Places>;

    fn from_sqlite(row: &SqliteRow<'_>, places: &Self::Places) -> rusqlite::Result<Self>;
}

/// A type that can be read from a PostgreSQL row.
pub(crate) trait FromPg: Sized {
    /// Positions of the columns of this type.
    type Places;

    fn places(row: &PgRow) -> sqlx::Result<Self::Places>;

    fn from_pg(row: &PgRow, places: &Self::Places) -> sqlx::Result<Self>;
}

/// Converts all rows of a result.
pub(crate) fn read_rows<T: FromPg>(rows: Vec<PgRow>) -> Result<Vec<T>> {
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let places = T::places(first)?;
    rows.into_iter().map(|row| Ok(T::from_pg(&row, &places)?)).collect()
}

/// Converts the row of a result, if there is one.
pub(crate) fn read_row<T: FromPg>(row: Option<PgRow>) -> Result<Option<T>> {
    let Some(row) = row else { return Ok(None) };
    Ok(Some(T::from_pg(&row, &T::places(&row)?)?))
}

/// Two structs read from one row.
pub(crate) struct Both<A, B>(pub(crate) A, pub(crate) B);

impl<A: FromSqlite, B: FromSqlite> FromSqlite for Both<A, B> {
    type Places = (A::Places, B::Places);

    fn places(statement: &Statement<'_>) -> rusqlite::Result<Self::Places> {
        Ok((A::places(statement)?, B::places(statement)?))
    }

    fn from_sqlite(row: &SqliteRow<'_>, (first, second): &Self::Places) -> rusqlite::Result<Self> {
        Ok(Self(A::from_sqlite(row, first)?, B::from_sqlite(row, second)?))
    }
}

impl<A: FromPg, B: FromPg> FromPg for Both<A, B> {
    type Places = (A::Places, B::Places);

    fn places(row: &PgRow) -> sqlx::Result<Self::Places> {
        Ok((A::places(row)?, B::places(row)?))
    }

    fn from_pg(row: &PgRow, (first, second): &Self::Places) -> sqlx::Result<Self> {
        Ok(Self(A::from_pg(row, first)?, B::from_pg(row, second)?))
    }
}

/// Implements reading tuples by the positions of the columns.
macro_rules! tuple {
    ($($t:ident $place:tt),+) => {
        impl<$($t: FromSql),+> FromSqlite for ($($t,)+) {
            type Places = ();

            fn places(_: &Statement<'_>) -> rusqlite::Result<()> {
                Ok(())
            }

            fn from_sqlite(row: &SqliteRow<'_>, (): &()) -> rusqlite::Result<Self> {
                Ok(($(row.get::<_, $t>($place)?,)+))
            }
        }

        impl<$($t: for<'r> Decode<'r, Postgres> + Type<Postgres>),+> FromPg for ($($t,)+) {
            type Places = ();

            fn places(_: &PgRow) -> sqlx::Result<()> {
                Ok(())
            }

            fn from_pg(row: &PgRow, (): &()) -> sqlx::Result<Self> {
                Ok(($(row.try_get::<$t, _>($place)?,)+))
            }
        }
    };
}
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
