//! SQL statements of both dialects, the macros that run them, and how rows become values.
//!
//! The columns of a result are looked up by name once for each statement, not once for each row.

use rusqlite::{Row as SqliteRow, Statement, types::FromSql};
use sqlx::{Decode, Postgres, Row as _, Type, postgres::PgRow};

use crate::Result;

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
        $(const $name: $crate::sql::Sql = statements!(@$kind stringify!($name), $($text),+);)+
        pub(crate) const STATEMENTS: &[$crate::sql::Sql] = &[$($name),+];
    };
    (@same $name:expr, $text:expr) => { $crate::sql::Sql { name: $name, sqlite: $text, postgres: $text } };
    (@pair $name:expr, $sqlite:expr, $postgres:expr) => { $crate::sql::Sql { name: $name, sqlite: $sqlite, postgres: $postgres } };
}

/// Reads a struct from a row by the names of its fields, on both databases.
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

/// Runs a statement with its parameters on whichever database this is.
macro_rules! on {
    ($tx:expr, $sql:expr, $row:ty, $lite:ident, $fetch:ident, $read:ident $(, $arg:expr)*) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.$lite::<$row>($sql.sqlite, &[$(&$crate::value::Db($arg)),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($crate::value::Db($arg)))*.$fetch(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::sql::$read::<$row>),
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
        on!($tx, $sql, ($crate::value::Db<$t>,), one, fetch_optional, read_row $(, $arg)*).map(|found| found.map(|(db,)| db.0))
    };
}

/// How many rows were touched.
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

/// All rows of a statement whose parameters differ: arrays on PostgreSQL, one JSON text on SQLite.
macro_rules! split {
    ($tx:expr, $sql:expr => $row:ty, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.all::<$row>($sql.sqlite, &[$(&$lite),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.fetch_all(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::sql::read_rows::<$row>),
        }
    }};
}

/// The same for statements that only write.
macro_rules! split_execute {
    ($tx:expr, $sql:expr, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$lite),*]),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.execute(&mut **conn).await
                    .map(|done| done.rows_affected()).map_err($crate::Error::from),
        }
    }};
}

/// The same where SQLite takes a list of values, `in ($1)`: each is a parameter of its own.
macro_rules! listed {
    ($tx:expr, $sql:expr => $row:ty, each($rows:expr, |$one:ident| $lite:expr), postgres($($pg:expr),* $(,)?) $(,)?) => {{
        $tx.begin_and_flush().await?;
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.all_many::<_, $row>($sql.sqlite, &$rows[..], |$one, binder| binder.bind($lite)),
            $crate::tx::Conn::Postgres(conn) =>
                sqlx::query::<sqlx::Postgres>($sql.postgres).persistent($tx.is_persistent)$(.bind($pg))*.fetch_all(&mut **conn).await
                    .map_err($crate::Error::from).and_then($crate::sql::read_rows::<$row>),
        }
    }};
}

/// A write that nothing in this transaction asks about: at once on SQLite, put off on PostgreSQL. With `each`, rows go
/// into SQLite with parameters of their own. `of` says how many rows there are, where that is known.
macro_rules! defer {
    ($tx:expr, $sql:expr, each($rows:expr, |$row:ident| $($lite:expr),+ $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        if let $crate::tx::Conn::Sqlite(conn) = &mut $tx.conn {
            conn.execute_many($sql.sqlite, &$rows[..], |$row, binder| {
                $(binder.bind($lite)?;)+
                Ok(())
            })
        } else {
            defer!($tx, $sql, of Some($rows.len()), sqlite(), postgres($($pg),*))
        }
    };
    ($tx:expr, $sql:expr, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        defer!($tx, $sql, of None, sqlite($($lite),*), postgres($($pg),*))
    };
    ($tx:expr, $sql:expr, of $rows:expr, sqlite($($lite:expr),* $(,)?), postgres($($pg:expr),* $(,)?) $(,)?) => {
        match &mut $tx.conn {
            $crate::tx::Conn::Sqlite(conn) => conn.execute($sql.sqlite, &[$(&$lite),*]).map(drop),
            $crate::tx::Conn::Postgres(_) => {
                if $tx.deferred.has(&$sql) {
                    // One statement cannot touch a row twice.
                    $tx.begin_and_flush().await?;
                }
                $tx.deferred.begin(&$sql, $rows);
                $($tx.deferred.bind($pg)?;)*
                Ok::<(), $crate::Error>(())
            }
        }
    };
}

/// What can be read from a row of SQLite.
pub(crate) trait FromSqlite: Sized {
    /// Where its columns are.
    type Places;

    fn places(statement: &Statement<'_>) -> rusqlite::Result<Self::Places>;

    fn from_sqlite(row: &SqliteRow<'_>, places: &Self::Places) -> rusqlite::Result<Self>;
}

/// What can be read from a row of PostgreSQL.
pub(crate) trait FromPg: Sized {
    /// Where its columns are.
    type Places;

    fn places(row: &PgRow) -> sqlx::Result<Self::Places>;

    fn from_pg(row: &PgRow, places: &Self::Places) -> sqlx::Result<Self>;
}

/// Reads all rows that a statement returned.
pub(crate) fn read_rows<T: FromPg>(rows: Vec<PgRow>) -> Result<Vec<T>> {
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let places = T::places(first)?;
    rows.into_iter().map(|row| Ok(T::from_pg(&row, &places)?)).collect()
}

/// Reads the row that a statement returned, if it did.
pub(crate) fn read_row<T: FromPg>(row: Option<PgRow>) -> Result<Option<T>> {
    let Some(row) = row else { return Ok(None) };
    Ok(Some(T::from_pg(&row, &T::places(&row)?)?))
}

/// Two things that are in one row.
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

/// Several columns in their order.
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
