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
    /// How many rows its arrays hold, if that is known.
    rows: Option<usize>,
}

/// Parts, with the number of rows where they are few.
type Key = Vec<(&'static str, usize)>;

/// Texts by the parts they are made of: few, and always the same.
static TEXTS: LazyLock<Mutex<HashMap<Key, Arc<str>>>> = LazyLock::new(Mutex::default);

impl Later {
    /// Whether this statement is among them.
    pub(crate) fn has(&self, sql: &Sql) -> bool {
        self.parts.iter().any(|part| part.sql == sql.postgres)
    }

    /// Begins a statement for so many rows, if it is known how many; its parameters follow.
    pub(crate) fn begin(&mut self, sql: &Sql, rows: Option<usize>) {
        let rows = if sql.postgres.contains(UNNEST) { rows } else { Some(0) };
        self.parts.push(Part { sql: sql.postgres, before: self.arguments.len(), rows });
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
    // All or none: each text is one more that every connection prepares.
    let are_few = parts.iter().all(|part| part.rows.is_some_and(|rows| rows <= ROWS_FEW));
    let rows = |part: &Part| part.rows.filter(|_| are_few).unwrap_or_default();
    let key = parts.iter().map(|part| (part.sql, rows(part))).collect();
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry(key).or_insert_with(|| join(parts, rows).into()).clone()
}

/// How arrays become rows.
const UNNEST: &str = "unnest(";
/// So many rows are taken out of their arrays one by one.
const ROWS_FEW: usize = 2;

/// The same statement for arrays of few rows: taking these out one by one costs a fraction of unfolding the arrays.
fn without_arrays(sql: &str, rows: usize) -> String {
    let mut pieces = sql.split(UNNEST);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (arrays, rest) = piece.split_once(')').unwrap_or((piece, ""));
        let row = |number: usize| {
            let values: Vec<String> = arrays.split(',').map(|array| format!("({})[{number}]", array.trim())).collect();
            format!("({})", values.join(", "))
        };
        let has_name = rest.trim_start().starts_with(|one: char| one.is_ascii_alphabetic());
        let name = if has_name { "" } else { " u" };
        let _ = write!(text, "(values {}){name}{rest}", (1..=rows).map(row).collect::<Vec<_>>().join(", "));
    }
    text
}

fn join(parts: &[Part], rows: impl Fn(&Part) -> usize) -> String {
    let alone = |part: &Part| {
        let text = renumbered(part.sql, part.before);
        if rows(part) == 0 { text } else { without_arrays(&text, rows(part)) }
    };
    match parts {
        [one] => alone(one),
        // None of them is the main statement: any may begin with a `with` of its own.
        _ => {
            let part = |(number, part): (usize, &Part)| format!("w{number} as ({})", alone(part));
            format!("with {} select 1", parts.iter().enumerate().map(part).collect::<Vec<_>>().join(", "))
        }
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
        let part = |sql, before| Part { sql, before, rows: None };
        assert_eq!(join(&[part("delete from a where b = $1", 0)], |_| 0), "delete from a where b = $1");
        let parts = [
            part("delete from a where b = $1", 0),
            part("insert into c select $2, $1::int[]", 1),
            part("update d set e = $10", 3),
        ];
        let joined = join(&parts, |_| 0);
        let expected = "with w0 as (delete from a where b = $1), w1 as (insert into c select $3, $2::int[]), \
            w2 as (update d set e = $13) select 1";
        assert_eq!(joined, expected);
    }

    #[test]
    fn few_rows_are_taken_out_of_their_arrays() {
        let plain = "insert into a (b, c) select * from unnest($1::int[], $2::text[])";
        assert_eq!(
            without_arrays(plain, 2),
            "insert into a (b, c) select * from (values (($1::int[])[1], ($2::text[])[1]), (($1::int[])[2], ($2::text[])[2])) u"
        );
        let named = "insert into a select x.b, $2 from unnest($1::int[]) x (b) on conflict do nothing";
        assert_eq!(
            without_arrays(named, 1),
            "insert into a select x.b, $2 from (values (($1::int[])[1])) x (b) on conflict do nothing"
        );
    }

    #[test]
    fn one_long_part_leaves_all_their_arrays() {
        let part = |sql, rows| Part { sql, before: 0, rows };
        let (few, many) = ("select * from unnest($1::int[])", "insert into a select * from unnest($1::int[])");
        assert!(!text(&[part(few, Some(1)), part("delete from b", Some(0))]).contains(UNNEST));
        assert_eq!(text(&[part(few, Some(1)), part(many, Some(3))]).matches(UNNEST).count(), 2);
        assert_eq!(text(&[part(few, Some(1)), part(many, None)]).matches(UNNEST).count(), 2, "nobody knows how long");
    }
}
