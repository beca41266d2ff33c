//! How a row of SQLite becomes what was asked for.

use rusqlite::{Row, Statement, types::FromSql};

/// What can be read from a row. Columns are found by name once for a statement, not in each of its rows.
pub(crate) trait FromLite: Sized {
    /// Where its columns are.
    type Places;

    fn places(statement: &Statement<'_>) -> rusqlite::Result<Self::Places>;

    fn from_lite(row: &Row<'_>, places: &Self::Places) -> rusqlite::Result<Self>;
}

/// Several columns in their order.
macro_rules! tuple {
    ($($t:ident $place:tt),+) => {
        impl<$($t: FromSql),+> FromLite for ($($t,)+) {
            type Places = ();

            fn places(_: &Statement<'_>) -> rusqlite::Result<()> {
                Ok(())
            }

            fn from_lite(row: &Row<'_>, (): &()) -> rusqlite::Result<Self> {
                Ok(($(row.get::<_, $t>($place)?,)+))
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
