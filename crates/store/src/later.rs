//! Writes that are put off, and then sent to PostgreSQL in one statement.
//!
//! Every statement is a round trip, and a claim of one job writes to five tables. None of these writes reads what another
//! one of them wrote, so they can be the parts of one statement: `with a as (insert …), b as (delete …) …`. Such parts
//! see the same snapshot and run in no order. Therefore only writes to different tables are put off together, and at
//! most one of them may wait for a lock that others take, too.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use sqlx::{Arguments as _, AssertSqlSafe, Encode, Executor as _, PgConnection, Postgres, Type, postgres::PgArguments};

use crate::{Error, Result, Sql};

/// What is put off.
#[derive(Default)]
pub(crate) struct Later {
    parts: Vec<Part>,
    arguments: PgArguments,
}

struct Part {
    sql: &'static str,
    /// How many parameters stand before its own.
    before: usize,
}

/// Texts by the parts they are made of: few, and always the same.
static TEXTS: LazyLock<Mutex<HashMap<Vec<&'static str>, Arc<str>>>> = LazyLock::new(Mutex::default);

impl Later {
    /// Whether this statement is among them.
    pub(crate) fn has(&self, sql: &Sql) -> bool {
        self.parts.iter().any(|part| part.sql == sql.postgres)
    }

    /// Begins a statement; its parameters follow.
    pub(crate) fn begin(&mut self, sql: &Sql) {
        self.parts.push(Part { sql: sql.postgres, before: self.arguments.len() });
    }

    /// Its next parameter.
    pub(crate) fn bind<'q, T>(&mut self, value: T) -> Result<()>
    where
        T: Encode<'q, Postgres> + Type<Postgres>,
    {
        self.arguments.add(value).map_err(|error| Error::from(sqlx::Error::Encode(error)))
    }

    /// Sends all of it.
    pub(crate) async fn send(&mut self, connection: &mut PgConnection, is_persistent: bool) -> Result<()> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let (parts, arguments) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.arguments));
        let query = sqlx::query_with(AssertSqlSafe(text(&parts)), arguments).persistent(is_persistent);
        connection.execute(query).await?;
        Ok(())
    }
}

/// The parts as one statement.
fn text(parts: &[Part]) -> Arc<str> {
    let key: Vec<&'static str> = parts.iter().map(|part| part.sql).collect();
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry(key).or_insert_with(|| join(parts).into()).clone()
}

fn join(parts: &[Part]) -> String {
    let part = |(number, part): (usize, &Part)| format!("w{number} as ({})", renumbered(part.sql, part.before));
    match parts {
        [alone] => renumbered(alone.sql, alone.before),
        // None of them is the main statement: any may begin with a `with` of its own.
        _ => format!("with {} select 1", parts.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")),
    }
}

/// The same statement with its parameters counted from behind those of others.
fn renumbered(sql: &str, before: usize) -> String {
    let mut pieces = sql.split('$');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let digits = piece.len() - piece.trim_start_matches(|one: char| one.is_ascii_digit()).len();
        let (number, rest) = piece.split_at(digits);
        let number: usize = number.parse().unwrap_or_default();
        let _ = write!(text, "${}{rest}", number + before);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_one_statement_with_its_parameters_in_a_row() {
        let part = |sql, before| Part { sql, before };
        assert_eq!(join(&[part("delete from a where b = $1", 0)]), "delete from a where b = $1");
        let joined = join(&[
            part("delete from a where b = $1", 0),
            part("insert into c select $2, $1::int[]", 1),
            part("update d set e = $10", 3),
        ]);
        let expected = "with w0 as (delete from a where b = $1), w1 as (insert into c select $3, $2::int[]), \
            w2 as (update d set e = $13) select 1";
        assert_eq!(joined, expected);
    }
}
