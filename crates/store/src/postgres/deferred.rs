//! Deferred writes: a transaction collects them and sends them as one statement.
//!
//! Each statement costs a round trip, and a claim or an enqueue writes to five tables. None of these writes reads rows
//! of another one, so the transaction sends them as parts of one statement, `with w0 as (insert …), w1 as (delete …)
//! select 1` (ADR 9). [`super::statement`] puts the text together.
//!
//! The parts of a statement see the same snapshot, and run in no fixed order. Writes that are deferred together must
//! therefore not change the same row (PostgreSQL would apply only one of the changes), and at most one of them may wait
//! for locks of other transactions (two such statements could take their locks in different orders and deadlock). The
//! macro `defer!` sends the collected writes before it adds a statement that is among them; a function whose write
//! changes rows of another deferred statement calls [`crate::Tx::flush_deferred`] first.

use sqlx::{Arguments as _, AssertSqlSafe, Encode, Executor as _, PgConnection, Postgres, Type, postgres::PgArguments};

use super::statement::{Part, text};
use crate::{Error, Result, Sql, columns::Param};

/// The deferred writes of a transaction, with the parameters of all of them.
#[derive(Default)]
pub(crate) struct DeferredWrites {
    parts: Vec<Part>,
    arguments: PgArguments,
}

impl DeferredWrites {
    /// Whether this statement is deferred.
    pub(crate) fn has(&self, sql: &Sql) -> bool {
        self.parts.iter().any(|part| part.sql == sql.postgres)
    }

    /// Adds a statement. `rows` is the length of its arrays, if known. Its parameters follow with [`Self::bind`].
    pub(crate) fn begin(&mut self, sql: &Sql, rows: Option<usize>) {
        self.parts.push(Part::new(sql.postgres, self.arguments.len(), rows));
    }

    /// Adds the next parameter of the last statement.
    pub(crate) fn bind<'q, T>(&mut self, value: T) -> Result<()>
    where
        T: Param<'q> + Encode<'q, Postgres> + Type<Postgres>,
    {
        let wrong = |error| Error::from(sqlx::Error::Encode(error));
        if let Some(part) = self.parts.last_mut() {
            let number = self.arguments.len() + 1 - part.before;
            if part.is_scalar(number, value.is_same()) {
                let added = value.as_scalar(&mut self.arguments);
                return added.unwrap_or_else(|| Err("a row has one value for each column".into())).map_err(wrong);
            }
        }
        self.arguments.add(value).map_err(wrong)
    }

    /// Sends all writes as one statement.
    pub(crate) async fn send(&mut self, connection: &mut PgConnection, is_persistent: bool) -> Result<()> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let (parts, arguments) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.arguments));
        let query = sqlx::query_with(AssertSqlSafe(text(&parts)), arguments);
        connection.execute(query.persistent(is_persistent)).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn sql(postgres: &'static str) -> Sql {
        Sql { name: "", sqlite: "", postgres }
    }

    #[test]
    fn single_row_is_bound_as_scalars() {
        let mut writes = DeferredWrites::default();
        writes.begin(&sql("delete from z where y = $1"), None);
        writes.bind(7_i64).expect("binds");
        let insert =
            sql("insert into a (b, c) select x.b, x.c from unnest($1::int[], $2::text[], $3::int[]) x (b, c, d)
            where x.d = any ($3::int[])");
        writes.begin(&insert, Some(1));
        writes.bind(vec![5_i32]).expect("binds");
        writes.bind(vec!["five"]).expect("binds");
        writes.bind(vec![9_i32]).expect("binds");
        let joined = text(&writes.parts);
        assert!(joined.contains("from (values ($2::int, $3::text, ($4::int[])[1])) x (b, c, d)"), "{joined}");
        assert!(writes.has(&insert));
        writes.begin(&sql("insert into b select * from unnest($1::int[])"), Some(1));
        assert!(writes.bind(Vec::<i32>::new()).is_err(), "a row without a value");
    }
}
