//! How rows become what was asked for. Columns are found by name once for a statement, not in each of its rows.

use rusqlite::{Row as LiteRow, Statement, types::FromSql};
use sqlx::{Decode, Postgres, Row as _, Type, postgres::PgRow};

use crate::Result;

/// What can be read from a row of SQLite.
pub(crate) trait FromLite: Sized {
    /// Where its columns are.
    type Places;

    fn places(statement: &Statement<'_>) -> rusqlite::Result<Self::Places>;

    fn from_lite(row: &LiteRow<'_>, places: &Self::Places) -> rusqlite::Result<Self>;
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

impl<A: FromLite, B: FromLite> FromLite for Both<A, B> {
    type Places = (A::Places, B::Places);

    fn places(statement: &Statement<'_>) -> rusqlite::Result<Self::Places> {
        Ok((A::places(statement)?, B::places(statement)?))
    }

    fn from_lite(row: &LiteRow<'_>, (first, second): &Self::Places) -> rusqlite::Result<Self> {
        Ok(Self(A::from_lite(row, first)?, B::from_lite(row, second)?))
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
        impl<$($t: FromSql),+> FromLite for ($($t,)+) {
            type Places = ();

            fn places(_: &Statement<'_>) -> rusqlite::Result<()> {
                Ok(())
            }

            fn from_lite(row: &LiteRow<'_>, (): &()) -> rusqlite::Result<Self> {
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
