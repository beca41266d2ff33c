//! Columns of rows: array parameters for PostgreSQL, and columns whose rows all share one value.

use domain::{Id, Timestamp};
use sqlx::{
    Arguments as _, Encode, Postgres, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArguments, PgTypeInfo},
};

use crate::value::{Db, pg};

/// Up to this many rows are passed as single values instead of arrays.
pub(crate) const ROWS_FEW: usize = 2;

/// Ids of rows as a PostgreSQL array.
pub(crate) fn ids<T, K>(rows: &[T], of: impl Fn(&T) -> Id<K>) -> Vec<pg::Uuid> {
    rows.iter().map(|row| pg::Uuid(of(row).to_bytes())).collect()
}

/// Times of rows as a PostgreSQL array.
pub(crate) fn times<T>(rows: &[T], of: impl Fn(&T) -> Timestamp) -> Vec<pg::Instant> {
    rows.iter().map(|row| pg::Instant(of(row).as_micros())).collect()
}

/// Optional times of rows as a PostgreSQL array.
pub(crate) fn times_opt<T>(rows: &[T], of: impl Fn(&T) -> Option<Timestamp>) -> Vec<Option<pg::Instant>> {
    rows.iter().map(|row| of(row).map(|at| pg::Instant(at.as_micros()))).collect()
}

/// Other values of rows as an array.
pub(crate) fn column<'r, T, V>(rows: &'r [T], of: impl Fn(&'r T) -> V) -> Vec<V> {
    rows.iter().map(of).collect()
}

/// Rows whose listed columns may all be equal. Equal columns are sent once, not once per row.
pub(crate) struct SharedColumns<'r, T> {
    rows: &'r [T],
    is_same: bool,
}

/// Checks whether all rows have equal values in the columns that `of` returns. Short lists are not checked: sharing
/// makes another statement text, which every connection would have to prepare.
pub(crate) fn share_columns<'r, T, V: PartialEq>(rows: &'r [T], of: impl Fn(&'r T) -> V) -> SharedColumns<'r, T> {
    let is_same = match rows {
        [first, rest @ ..] if rows.len() > ROWS_FEW => {
            let same = of(first);
            rest.iter().all(|row| of(row) == same)
        }
        _ => false,
    };
    SharedColumns { rows, is_same }
}

impl<'r, T> SharedColumns<'r, T> {
    fn of<V>(&self, column: impl FnOnce(&'r [T]) -> Vec<V>) -> ArrayColumn<V> {
        let rows = if self.is_same { &self.rows[..1] } else { self.rows };
        ArrayColumn { values: column(rows), is_same: self.is_same }
    }

    pub(crate) fn ids<K>(&self, of: impl Fn(&T) -> Id<K>) -> ArrayColumn<pg::Uuid> {
        self.of(|rows| ids(rows, of))
    }

    pub(crate) fn times(&self, of: impl Fn(&T) -> Timestamp) -> ArrayColumn<pg::Instant> {
        self.of(|rows| times(rows, of))
    }

    pub(crate) fn times_opt(&self, of: impl Fn(&T) -> Option<Timestamp>) -> ArrayColumn<Option<pg::Instant>> {
        self.of(|rows| times_opt(rows, of))
    }

    pub(crate) fn column<V>(&self, of: impl Fn(&'r T) -> V) -> ArrayColumn<V> {
        self.of(|rows| column(rows, of))
    }
}

/// A column with one value per row, or one value for all rows.
pub(crate) struct ArrayColumn<V> {
    values: Vec<V>,
    is_same: bool,
}

impl<V> Type<Postgres> for ArrayColumn<V>
where
    Vec<V>: Type<Postgres>,
{
    fn type_info() -> PgTypeInfo {
        Vec::<V>::type_info()
    }
}

impl<'q, V> Encode<'q, Postgres> for ArrayColumn<V>
where
    Vec<V>: Encode<'q, Postgres>,
{
    fn encode_by_ref(&self, buffer: &mut sqlx::postgres::PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        self.values.encode_by_ref(buffer)
    }
}

/// A parameter of a deferred statement.
pub(crate) trait Param<'q> {
    /// Whether this is an array with one value that all rows share.
    fn is_same(&self) -> bool {
        false
    }

    /// Adds the only value of a one-element array instead of the array. `None` if this is not such an array.
    fn as_scalar(&self, _arguments: &mut PgArguments) -> Option<Result<(), BoxDynError>> {
        None
    }
}

impl<'q, V> Param<'q> for ArrayColumn<V>
where
    V: Encode<'q, Postgres> + Type<Postgres>,
{
    fn is_same(&self) -> bool {
        self.is_same
    }

    fn as_scalar(&self, arguments: &mut PgArguments) -> Option<Result<(), BoxDynError>> {
        self.values.as_scalar(arguments)
    }
}

impl<'q, V> Param<'q> for Vec<V>
where
    V: Encode<'q, Postgres> + Type<Postgres>,
{
    fn as_scalar(&self, arguments: &mut PgArguments) -> Option<Result<(), BoxDynError>> {
        match self.as_slice() {
            [value] => Some(arguments.add(value)),
            _ => None,
        }
    }
}

impl<T> Param<'_> for Db<T> {}
impl Param<'_> for i32 {}
impl Param<'_> for i64 {}
impl Param<'_> for f64 {}
impl Param<'_> for &str {}
