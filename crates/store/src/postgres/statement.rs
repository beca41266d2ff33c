//! The SQL text of deferred writes: the only place where SQL text is put together at run time.
//!
//! The statements of one transaction are joined into one, and their parameters are renumbered. The arrays of each
//! statement, `unnest($1::uuid[], $2::int[])`, are rewritten by the number of rows:
//!
//! - one row: `(values ($1::uuid, $2::int))`, with scalar parameters
//! - few rows: `(values (($1::uuid[])[1], ($2::int[])[1]), …)`, a fraction of the cost of `unnest`
//! - many rows: `(select unnest($1::uuid[]), unnest($2::int[]))`. In a `from`, the server would copy each array into a
//!   table of its own and join these tables row by row.
//!
//! A column whose rows all share one value is not unnested in either case. Texts are cached: there are few, and each
//! connection prepares each of them once.

use std::{
    collections::HashMap,
    fmt::Write as _,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use crate::columns::ROWS_FEW;

/// The beginning of the expression that turns arrays into rows.
const UNNEST: &str = "unnest(";

/// One statement among those that are sent together.
pub(super) struct Part {
    pub(super) sql: &'static str,
    /// Number of parameters of the statements before it.
    pub(super) before: usize,
    /// Length of its arrays, if known; 0 for a statement without arrays.
    rows: Option<usize>,
    /// Numbers of its parameters with one value for all rows.
    shared: Vec<usize>,
    /// Numbers of its parameters that occur only as an array inside `unnest`.
    columns: Arc<[usize]>,
}

impl Part {
    pub(super) fn new(sql: &'static str, before: usize, rows: Option<usize>) -> Self {
        let rows = if sql.contains(UNNEST) { rows } else { Some(0) };
        Self { sql, before, rows, shared: Vec::new(), columns: columns(sql) }
    }

    /// Notes the next parameter, and returns whether it is bound as a scalar instead of an array.
    pub(super) fn is_scalar(&mut self, number: usize, is_shared: bool) -> bool {
        if is_shared {
            self.shared.push(number);
        }
        (is_shared || self.rows == Some(1)) && self.columns.contains(&number)
    }
}

/// Parts, each with the number of rows in its text and the numbers of its shared parameters.
type Key = Vec<(&'static str, usize, Vec<usize>)>;

static TEXTS: LazyLock<Mutex<HashMap<Key, Arc<str>>>> = LazyLock::new(Mutex::default);

/// The text of one statement with all parts.
pub(super) fn text(parts: &[Part]) -> Arc<str> {
    // Few rows are written out only if all parts have few: each combination is another text to prepare.
    let are_few = parts.iter().all(|part| part.rows.is_some_and(|rows| rows <= ROWS_FEW));
    // A single row always is, because its parameters are bound as scalars.
    let rows = |part: &Part| part.rows.filter(|rows| are_few || *rows == 1).unwrap_or_default();
    let key = parts.iter().map(|part| (part.sql, rows(part), part.shared.clone())).collect();
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry(key).or_insert_with(|| join(parts, rows).into()).clone()
}

fn join(parts: &[Part], rows: impl Fn(&Part) -> usize) -> String {
    match parts {
        [one] => rewritten(one, rows(one)),
        // No part is the main statement, so that each may begin with a `with` of its own.
        _ => {
            let part = |(number, part): (usize, &Part)| format!("w{number} as ({})", rewritten(part, rows(part)));
            format!("with {} select 1", parts.iter().enumerate().map(part).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The text of one part, with its arrays rewritten for this number of rows (0: any number) and its parameters
/// renumbered.
fn rewritten(part: &Part, rows: usize) -> String {
    let is_column = |number: usize| part.columns.contains(&number);
    let text = match rows {
        0 => in_columns(part.sql, &part.shared, is_column),
        1 => in_rows(part.sql, 1, is_column),
        rows => in_rows(part.sql, rows, |_| false),
    };
    renumbered(&text, part.before)
}

/// Replaces the arrays by a select list that unnests them side by side.
fn in_columns(sql: &str, shared: &[usize], is_scalar: impl Fn(usize) -> bool) -> String {
    over_arrays(sql, |arrays| {
        let column = |array: &&str| match number(array).is_some_and(|number| shared.contains(&number)) {
            true => value(array, 1, &is_scalar),
            false => format!("{UNNEST}{array})"),
        };
        format!("(select {})", arrays.iter().map(column).collect::<Vec<_>>().join(", "))
    })
}

/// Replaces the arrays by a list of rows.
fn in_rows(sql: &str, rows: usize, is_scalar: impl Fn(usize) -> bool) -> String {
    over_arrays(sql, |arrays| {
        let row = |number: usize| {
            let values: Vec<String> = arrays.iter().map(|array| value(array, number, &is_scalar)).collect();
            format!("({})", values.join(", "))
        };
        format!("(values {})", (1..=rows).map(row).collect::<Vec<_>>().join(", "))
    })
}

/// The value of an array in one row: the parameter itself if it is a scalar.
fn value(array: &str, row: usize, is_scalar: impl Fn(usize) -> bool) -> String {
    match array.strip_suffix("[]") {
        Some(value) if number(array).is_some_and(is_scalar) => value.to_owned(),
        _ => format!("({array})[{row}]"),
    }
}

/// Replaces each `unnest(…)` by the text that `replace` returns for its arrays.
fn over_arrays(sql: &str, replace: impl Fn(&[&str]) -> String) -> String {
    let mut pieces = sql.split(UNNEST);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (arrays, rest) = piece.split_once(')').unwrap_or((piece, ""));
        let arrays: Vec<&str> = arrays.split(',').map(str::trim).collect();
        // A subquery needs an alias.
        let has_alias = rest.trim_start().starts_with(|one: char| one.is_ascii_alphabetic());
        let alias = if has_alias { "" } else { " u" };
        let _ = write!(text, "{}{alias}{rest}", replace(&arrays));
    }
    text
}

/// Columns by the address of the text of their statement.
static COLUMNS: LazyLock<Mutex<HashMap<usize, Arc<[usize]>>>> = LazyLock::new(Mutex::default);

/// The numbers of the parameters that occur once in a statement, as an array inside `unnest`.
fn columns(sql: &'static str) -> Arc<[usize]> {
    let mut cached = COLUMNS.lock().unwrap_or_else(PoisonError::into_inner);
    let find = || sql.split(UNNEST).skip(1).flat_map(arrays).filter_map(number).filter(|one| occurs_once(sql, *one));
    cached.entry(sql.as_ptr().addr()).or_insert_with(|| find().collect()).clone()
}

/// The arrays at the beginning of a text, up to their closing bracket.
fn arrays(text: &str) -> impl Iterator<Item = &str> {
    text.split_once(')').map_or("", |(arrays, _)| arrays).split(',').map(str::trim)
}

/// The number of a parameter: 7 of `$7::int[]`.
fn number(parameter: &str) -> Option<usize> {
    let rest = parameter.strip_prefix('$')?;
    let digits = rest.len() - rest.trim_start_matches(|one: char| one.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

fn occurs_once(sql: &str, parameter: usize) -> bool {
    sql.match_indices('$').filter(|(at, _)| number(&sql[*at..]) == Some(parameter)).count() == 1
}

/// Adds `before` to the number of each parameter.
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
    fn parts_are_joined_and_their_parameters_renumbered() {
        let part = |sql, before| Part::new(sql, before, None);
        assert_eq!(join(&[part("delete from a where b = $1", 0)], |_| 0), "delete from a where b = $1");
        let parts = [
            part("delete from a where b = $1", 0),
            part("insert into c select $2, $1::int[]", 1),
            part("update d set e = $10", 3),
        ];
        let expected = "with w0 as (delete from a where b = $1), w1 as (insert into c select $3, $2::int[]), \
            w2 as (update d set e = $13) select 1";
        assert_eq!(join(&parts, |_| 0), expected);
    }

    #[test]
    fn few_rows_become_a_values_list() {
        let plain = "insert into a (b, c) select * from unnest($1::int[], $2::text[])";
        assert_eq!(
            in_rows(plain, 2, |_| false),
            "insert into a (b, c) select * from (values (($1::int[])[1], ($2::text[])[1]), (($1::int[])[2], ($2::text[])[2])) u"
        );
        let named = "insert into a select x.b, $2 from unnest($1::int[]) x (b) on conflict do nothing";
        assert_eq!(
            in_rows(named, 1, |_| false),
            "insert into a select x.b, $2 from (values (($1::int[])[1])) x (b) on conflict do nothing"
        );
    }

    #[test]
    fn many_rows_become_a_select_list_without_shared_columns() {
        let plain = "insert into a (b, c, d) select * from unnest($4::int[], $5::text[], $6::uuid[])";
        assert_eq!(
            in_columns(plain, &[5], |_| false),
            "insert into a (b, c, d) select * from (select unnest($4::int[]), ($5::text[])[1], unnest($6::uuid[])) u"
        );
        let named = "insert into a select x.c, $3 from unnest($1::int[], $2::int[]) x (b, c)";
        assert_eq!(
            in_columns(named, &[1], |number| number == 1),
            "insert into a select x.c, $3 from (select $1::int, unnest($2::int[])) x (b, c)",
            "a shared column that occurs nowhere else is a scalar"
        );
    }

    #[test]
    fn parameter_that_occurs_twice_is_no_scalar_column() {
        let sql = "insert into a select * from unnest($1::int[], $2::int[]) x (b, c) where x.c = any ($2::int[])";
        assert_eq!(columns(sql)[..], [1]);
        let mut one = Part::new(sql, 4, Some(1));
        assert!(one.is_scalar(1, false) && !one.is_scalar(2, false));
        let mut many = Part::new(sql, 4, Some(9));
        assert!(many.is_scalar(1, true) && !many.is_scalar(1, false));
    }

    #[test]
    fn values_lists_are_used_only_if_all_parts_have_few_rows() {
        let (few, many) = ("select * from unnest($1::int[])", "insert into a select * from unnest($1::int[])");
        let count = |parts: &[Part]| text(parts).matches(UNNEST).count();
        assert_eq!(count(&[Part::new(few, 0, Some(2)), Part::new("delete from b", 0, None)]), 0);
        assert_eq!(count(&[Part::new(few, 0, Some(2)), Part::new(many, 0, Some(3))]), 2);
        assert_eq!(count(&[Part::new(few, 0, Some(2)), Part::new(many, 0, None)]), 2, "an unknown number of rows");
        assert_eq!(count(&[Part::new(few, 0, Some(1)), Part::new(many, 0, None)]), 1, "a single row is no array");
    }
}
