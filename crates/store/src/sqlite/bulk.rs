//! Statements for many rows on SQLite, with each value as its own parameter. Passing rows as JSON took half of the time
//! of a claim, because each value is formatted and parsed again.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// Rows per statement, the largest first. Few sizes, so that all texts stay prepared.
const SIZES: [usize; 4] = [400, 50, 8, 1];

/// Statement texts by the statement for one row and the number of rows.
type Texts = HashMap<(&'static str, usize), Arc<str>>;

static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

/// Number of rows in the next statement, given the number of rows left.
pub(crate) fn size(rows: usize) -> usize {
    SIZES.into_iter().find(|size| *size <= rows).unwrap_or(rows)
}

/// `insert … values ($1, …)` for several rows, or `… in ($1)` for several values. The parameters must be numbered in
/// order.
pub(crate) fn text(sql: &'static str, rows: usize) -> Arc<str> {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry((sql, rows)).or_insert_with(|| widened(sql, rows).into()).clone()
}

/// Uses unnumbered parameters: SQLite resolves a numbered one by scanning all parameters before it.
fn widened(sql: &str, rows: usize) -> String {
    if let Some((head, row)) = sql.split_once("values ") {
        let row = format!("({})", vec!["?"; row.matches('$').count()].join(", "));
        // `or fail` skips the undo of this single statement, for which SQLite would copy every page before it changes
        // it. The undo is not needed: a failed row fails its transaction or savepoint, which is rolled back as a whole.
        let head = head.replacen("insert into", "insert or fail into", 1);
        return format!("{head}values {}", vec![row.as_str(); rows].join(", "));
    }
    sql.replacen("in ($1)", &format!("in ({})", vec!["?"; rows].join(", ")), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insert_is_widened_to_several_rows() {
        let three = "insert or fail into a (b, c) values (?, ?), (?, ?), (?, ?)";
        assert_eq!(widened("insert into a (b, c) values ($1, $2)", 3), three);
    }

    #[test]
    fn in_list_is_widened_to_several_values() {
        let three = "delete from a where b in (?, ?, ?) returning c";
        assert_eq!(widened("delete from a where b in ($1) returning c", 3), three);
    }

    #[test]
    fn rows_are_split_into_few_sizes() {
        for (rows, expected) in [(1, 1), (7, 1), (8, 8), (399, 50), (400, 400), (5_000, 400)] {
            assert_eq!(size(rows), expected, "{rows}");
        }
    }
}
