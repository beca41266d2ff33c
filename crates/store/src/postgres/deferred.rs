//! Writes that are put off, and then sent to PostgreSQL in one statement.
//!
//! Every statement is a round trip, and a claim of one job writes to five tables. None of these writes reads what another
//! one of them wrote, so they can be the parts of one statement: `with a as (insert …), b as (delete …) …`. Such parts
//! see the same snapshot and run in no order. Therefore no two that are put off together touch the same row, and at most one
//! of them may wait for a lock that others take, too. Only those that must return so many rows ([`DeferredWrites::expect_rows`]) run
//! before all others, one after the other as they were put off.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use sqlx::{
    Arguments as _, AssertSqlSafe, Encode, Executor as _, PgConnection, Postgres, Row as _, Type, postgres::PgArguments,
};

use crate::{
    Error, Result, Sql,
    columns::{Param, ROWS_FEW},
};

/// What is put off.
#[derive(Default)]
pub(crate) struct DeferredWrites {
    parts: Vec<Part>,
    arguments: PgArguments,
    /// Who wants to know which version of things it has made.
    version: Option<Version>,
}

/// The version of everything that one write has changed: what PostgreSQL calls `xmin`. Known once it is written.
#[derive(Debug, Clone, Default)]
pub struct Version(Arc<OnceLock<String>>);

impl Version {
    /// Which it is, once all is written.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

impl From<String> for Version {
    fn from(version: String) -> Self {
        Self(Arc::new(version.into()))
    }
}

struct Part {
    sql: &'static str,
    /// How many parameters stand before its own.
    before: usize,
    /// How many rows its arrays hold, if that is known.
    rows: Option<usize>,
    /// Which of its parameters are one value for all rows.
    same: Vec<usize>,
    /// Whether it writes nothing, and fails if the rest must not be written.
    is_guard: bool,
    /// Which parameter says how many rows it must return; otherwise nothing must be written.
    exactly: Option<usize>,
    /// Which of its own parameters are nothing but columns of its rows.
    columns: Arc<[usize]>,
}

/// Parts, with the number of rows where they are few, and with what all rows have; and whether the version is wanted.
type Key = (Vec<(&'static str, usize, Vec<usize>)>, bool);

/// Texts by the parts they are made of: few, and always the same.
static TEXTS: LazyLock<Mutex<HashMap<Key, Arc<str>>>> = LazyLock::new(Mutex::default);

impl DeferredWrites {
    /// Whether this statement is among them.
    pub(crate) fn has(&self, sql: &Sql) -> bool {
        self.parts.iter().any(|part| part.sql == sql.postgres)
    }

    /// Notes the version of what is written there.
    pub(crate) fn version_into(&mut self, version: Version) {
        self.version = Some(version);
    }

    /// Begins a statement for so many rows, if it is known how many; its parameters follow.
    pub(crate) fn begin(&mut self, sql: &Sql, rows: Option<usize>) {
        let rows = if sql.postgres.contains(UNNEST) { rows } else { Some(0) };
        self.parts.push(Part {
            sql: sql.postgres,
            before: self.arguments.len(),
            rows,
            same: Vec::new(),
            is_guard: false,
            exactly: None,
            columns: columns(sql.postgres),
        });
    }

    /// Begins a question that fails if the rest must not be written; its parameters follow.
    pub(crate) fn guard(&mut self, sql: &Sql) {
        self.begin(sql, Some(0));
        if let Some(part) = self.parts.last_mut() {
            part.is_guard = true;
        }
    }

    /// It must return so many rows, or nothing of all this is written. After its parameters.
    pub(crate) fn expect_rows(&mut self, rows: usize) -> Result<()> {
        self.bind(i64::try_from(rows).unwrap_or(i64::MAX))?;
        let count = self.arguments.len();
        if let Some(part) = self.parts.last_mut() {
            part.exactly = Some(count);
        }
        Ok(())
    }

    /// Its next parameter.
    pub(crate) fn bind<'q, T>(&mut self, value: T) -> Result<()>
    where
        T: Param<'q> + Encode<'q, Postgres> + Type<Postgres>,
    {
        let number = self.arguments.len() + 1;
        let wrong = |error| Error::from(sqlx::Error::Encode(error));
        if let Some(part) = self.parts.last_mut() {
            if value.is_same() {
                part.same.push(number);
            }
            // The column of a single row is its value, and so is what all rows have: an array would be put together here and
            // taken apart there, for each row again.
            let is_one = part.rows == Some(1) || value.is_same();
            if is_one && part.columns.contains(&(number - part.before)) {
                let alone = value.as_scalar(&mut self.arguments);
                return alone.unwrap_or_else(|| Err("a row has one value for each column".into())).map_err(wrong);
            }
        }
        self.arguments.add(value).map_err(wrong)
    }

    /// Sends all of it.
    pub(crate) async fn send(&mut self, connection: &mut PgConnection, is_persistent: bool) -> Result<()> {
        if self.parts.is_empty() {
            return Ok(());
        }
        let (parts, arguments) = (std::mem::take(&mut self.parts), std::mem::take(&mut self.arguments));
        let version = self.version.take();
        let query = sqlx::query_with(AssertSqlSafe(text(&parts, version.is_some())), arguments);
        let query = query.persistent(is_persistent);
        let Some(version) = version else {
            connection.execute(query).await?;
            return Ok(());
        };
        // To the end, not only to the first row: it is written then.
        for row in connection.fetch_all(query).await? {
            let _ = version.0.set(row.try_get(1)?);
        }
        Ok(())
    }
}

/// The parts as one statement.
fn text(parts: &[Part], is_version_wanted: bool) -> Arc<str> {
    // All or none: each text is one more that every connection prepares.
    let are_few = parts.iter().all(|part| part.rows.is_some_and(|rows| rows <= ROWS_FEW));
    // But the values of a single row stand alone, whatever is beside it.
    let rows = |part: &Part| part.rows.filter(|rows| are_few || *rows == 1).unwrap_or_default();
    let key = parts.iter().map(|part| (part.sql, rows(part), part.same.clone())).collect();
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry((key, is_version_wanted)).or_insert_with(|| join(parts, is_version_wanted, rows).into()).clone()
}

/// How arrays become rows.
const UNNEST: &str = "unnest(";

/// A column's value in one of the rows; `is_alone` says which parameters are no arrays but the value itself.
fn value(array: &str, row: usize, is_alone: impl Fn(usize) -> bool) -> String {
    match array.strip_suffix("[]") {
        Some(value) if number(array).is_some_and(is_alone) => value.to_owned(),
        _ => format!("({array})[{row}]"),
    }
}

/// The same statement with its arrays unfolded side by side in a list of columns. As tables in a `from` each of them would be
/// copied into a table of its own first, and all of these then joined row by row. What all rows have is not unfolded at all.
fn in_columns(sql: &str, same: &[usize], is_alone: impl Fn(usize) -> bool) -> String {
    over_arrays(sql, |arrays| {
        let column = |array: &&str| match number(array).is_some_and(|number| same.contains(&number)) {
            true => value(array, 1, &is_alone),
            false => format!("{UNNEST}{array})"),
        };
        format!("(select {})", arrays.iter().map(column).collect::<Vec<_>>().join(", "))
    })
}

/// Columns by the address of their statement's text.
static COLUMNS: LazyLock<Mutex<HashMap<usize, Arc<[usize]>>>> = LazyLock::new(Mutex::default);

/// The parameters of a statement that stand in it once, as one of the arrays that become rows.
fn columns(sql: &'static str) -> Arc<[usize]> {
    let mut known = COLUMNS.lock().unwrap_or_else(PoisonError::into_inner);
    let find = || sql.split(UNNEST).skip(1).flat_map(arrays).filter_map(number).filter(|one| stands_once(sql, *one));
    known.entry(sql.as_ptr().addr()).or_insert_with(|| find().collect()).clone()
}

/// The arrays that a text begins with, up to the bracket that ends them.
fn arrays(text: &str) -> impl Iterator<Item = &str> {
    text.split_once(')').map_or("", |(arrays, _)| arrays).split(',').map(str::trim)
}

/// The number of a parameter: of `$7::int[]` it is 7.
fn number(parameter: &str) -> Option<usize> {
    let rest = parameter.strip_prefix('$')?;
    let digits = rest.len() - rest.trim_start_matches(|one: char| one.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

fn stands_once(sql: &str, parameter: usize) -> bool {
    sql.match_indices('$').filter(|(at, _)| number(&sql[*at..]) == Some(parameter)).count() == 1
}

/// The same statement for arrays of few rows: taking these out one by one costs a fraction of unfolding the arrays. `is_alone`
/// says which parameters are no arrays but the value of the only row.
fn without_arrays(sql: &str, rows: usize, is_alone: impl Fn(usize) -> bool) -> String {
    over_arrays(sql, |arrays| {
        let row = |number: usize| {
            let values: Vec<String> = arrays.iter().map(|array| value(array, number, &is_alone)).collect();
            format!("({})", values.join(", "))
        };
        format!("(values {})", (1..=rows).map(row).collect::<Vec<_>>().join(", "))
    })
}

/// The same statement with something else in place of its unfolded arrays.
fn over_arrays(sql: &str, instead: impl Fn(&[&str]) -> String) -> String {
    let mut pieces = sql.split(UNNEST);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (arrays, rest) = piece.split_once(')').unwrap_or((piece, ""));
        let arrays: Vec<&str> = arrays.split(',').map(str::trim).collect();
        let has_name = rest.trim_start().starts_with(|one: char| one.is_ascii_alphabetic());
        let name = if has_name { "" } else { " u" };
        let _ = write!(text, "{}{name}{rest}", instead(&arrays));
    }
    text
}

fn join(parts: &[Part], is_version_wanted: bool, rows: impl Fn(&Part) -> usize) -> String {
    let alone = |part: &Part| {
        let text = renumbered(part.sql, part.before);
        let is_column = |number: usize| part.columns.contains(&(number - part.before));
        match rows(part) {
            0 => in_columns(&text, &part.same, is_column),
            1 => without_arrays(&text, 1, is_column),
            rows => without_arrays(&text, rows, |_| false),
        }
    };
    match parts {
        [one] if one.exactly.is_none() && !is_version_wanted => alone(one),
        // None of them is the main statement: any may begin with a `with` of its own.
        _ => {
            // A question that was folded into the rest would not be asked at all: nobody wants to know its answer.
            let kept = |part: &Part| if part.is_guard { "materialized " } else { "" };
            let part = |(number, part): (usize, &Part)| format!("w{number} as {}({})", kept(part), alone(part));
            let all = parts.iter().enumerate().map(part).collect::<Vec<_>>().join(", ");
            // What only asks is done only if somebody wants to know, and then before everything that writes.
            let guards = parts.iter().enumerate().filter(|(_, part)| part.is_guard);
            let guards: Vec<String> = guards.map(|(number, _)| format!("w{number}")).collect();
            let from = if guards.is_empty() { String::new() } else { format!(" from {}", guards.join(", ")) };
            let exact = parts.iter().enumerate().filter_map(|(number, part)| Some((number, part.exactly?)));
            let exact: String = exact
                .map(|(number, count)| {
                    format!(" / (case when (select count(*) from w{number}) = ${count} then 1 else 0 end)")
                })
                .collect();
            let version = if is_version_wanted { ", pg_current_xact_id()::xid::text" } else { "" };
            format!("with {all} select 1{exact}{version}{from}")
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
        let part = |sql, before| Part {
            sql,
            before,
            rows: None,
            same: Vec::new(),
            is_guard: false,
            exactly: None,
            columns: [].into(),
        };
        assert_eq!(join(&[part("delete from a where b = $1", 0)], false, |_| 0), "delete from a where b = $1");
        let parts = [
            part("delete from a where b = $1", 0),
            part("insert into c select $2, $1::int[]", 1),
            part("update d set e = $10", 3),
        ];
        let joined = join(&parts, false, |_| 0);
        let expected = "with w0 as (delete from a where b = $1), w1 as (insert into c select $3, $2::int[]), \
            w2 as (update d set e = $13) select 1";
        assert_eq!(joined, expected);
        let guard = Part { is_guard: true, ..part("select 1 / count(*) from a", 0) };
        let guarded = join(&[guard, part("delete from b", 0)], false, |_| 0);
        assert_eq!(
            guarded,
            "with w0 as materialized (select 1 / count(*) from a), w1 as (delete from b) select 1 from w0"
        );
        let versioned = join(&[part("delete from b", 0)], true, |_| 0);
        assert_eq!(versioned, "with w0 as (delete from b) select 1, pg_current_xact_id()::xid::text");
        let exact = Part { exactly: Some(2), ..part("delete from a where b = $1 returning 1", 0) };
        let counted = join(&[exact], false, |_| 0);
        let expected = "with w0 as (delete from a where b = $1 returning 1) \
            select 1 / (case when (select count(*) from w0) = $2 then 1 else 0 end)";
        assert_eq!(counted, expected);
    }

    #[test]
    fn few_rows_are_taken_out_of_their_arrays() {
        let plain = "insert into a (b, c) select * from unnest($1::int[], $2::text[])";
        assert_eq!(
            without_arrays(plain, 2, |_| false),
            "insert into a (b, c) select * from (values (($1::int[])[1], ($2::text[])[1]), (($1::int[])[2], ($2::text[])[2])) u"
        );
        let named = "insert into a select x.b, $2 from unnest($1::int[]) x (b) on conflict do nothing";
        assert_eq!(
            without_arrays(named, 1, |_| false),
            "insert into a select x.b, $2 from (values (($1::int[])[1])) x (b) on conflict do nothing"
        );
    }

    #[test]
    fn the_values_of_a_single_row_stand_alone() {
        let sql = "insert into a (b, c) select x.b, x.c from unnest($1::int[], $2::text[], $3::int[]) x (b, c, d)
            where x.d = any ($3::int[])";
        assert_eq!(columns(sql)[..], [1, 2], "the third is wanted as an array, too");
        let mut later = DeferredWrites::default();
        let sql = Sql { name: "", sqlite: sql, postgres: sql };
        later.begin(&Sql { name: "", sqlite: "", postgres: "delete from z where y = $1" }, None);
        later.bind(7_i64).expect("binds");
        later.begin(&sql, Some(1));
        later.bind(vec![5_i32]).expect("binds");
        later.bind(vec!["five"]).expect("binds");
        later.bind(vec![9_i32]).expect("binds");
        let joined = text(&later.parts, false);
        assert!(joined.contains("from (values ($2::int, $3::text, ($4::int[])[1])) x (b, c, d)"), "{joined}");
        later.begin(&Sql { name: "", sqlite: "", postgres: "insert into b select * from unnest($1::int[])" }, Some(1));
        assert!(later.bind(Vec::<i32>::new()).is_err(), "a row without a value");
    }

    #[test]
    fn arrays_are_unfolded_side_by_side_and_what_all_rows_have_is_not() {
        let plain = "insert into a (b, c, d) select * from unnest($4::int[], $5::text[], $6::uuid[])";
        assert_eq!(
            in_columns(plain, &[5], |_| false),
            "insert into a (b, c, d) select * from (select unnest($4::int[]), ($5::text[])[1], unnest($6::uuid[])) u"
        );
        let named = "insert into a select x.c, $3 from unnest($1::int[], $2::int[]) x (b, c)";
        assert_eq!(
            in_columns(named, &[1], |number| number == 1),
            "insert into a select x.c, $3 from (select $1::int, unnest($2::int[])) x (b, c)",
            "its value alone, where it is wanted nowhere else"
        );
    }

    #[test]
    fn one_long_part_leaves_all_their_arrays() {
        let part = |sql, rows| Part {
            sql,
            before: 0,
            rows,
            same: Vec::new(),
            is_guard: false,
            exactly: None,
            columns: columns(sql),
        };
        let (few, many) = ("select * from unnest($1::int[])", "insert into a select * from unnest($1::int[])");
        assert!(!text(&[part(few, Some(2)), part("delete from b", Some(0))], false).contains(UNNEST));
        assert_eq!(text(&[part(few, Some(2)), part(many, Some(3))], false).matches(UNNEST).count(), 2);
        assert_eq!(
            text(&[part(few, Some(2)), part(many, None)], false).matches(UNNEST).count(),
            2,
            "nobody knows how long"
        );
        assert_eq!(
            text(&[part(few, Some(1)), part(many, None)], false).matches(UNNEST).count(),
            1,
            "a single row is no array"
        );
    }
}
