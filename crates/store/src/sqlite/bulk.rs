//! Many rows into SQLite in few statements, each value a parameter of its own. As JSON every value would be written,
//! parsed and turned into what it was before: half of the time of a claim.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// Rows of one statement, the largest first. Few sizes, so that all of them stay prepared.
const SIZES: [usize; 4] = [400, 50, 8, 1];

/// Texts by the statement for one row and the number of rows.
type Texts = HashMap<(&'static str, usize), Arc<str>>;

static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

/// How many of so many rows go into the next statement.
pub(crate) fn size(rows: usize) -> usize {
    SIZES.into_iter().find(|size| *size <= rows).unwrap_or(rows)
}

/// `insert … values ($1, …)` for several rows, or `… in ($1)` for several values. Its parameters must stand in order.
pub(crate) fn text(sql: &'static str, rows: usize) -> Arc<str> {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    texts.entry((sql, rows)).or_insert_with(|| widened(sql, rows).into()).clone()
}

/// Without numbers: SQLite finds a numbered parameter by going through all before it.
fn widened(sql: &str, rows: usize) -> String {
    if let Some((head, row)) = sql.split_once("values ") {
        let row = format!("({})", vec!["?"; row.matches('$').count()].join(", "));
        // A row that cannot be written ends its piece of work anyway, and all of that is undone. Otherwise SQLite would copy
        // every page before it changes it, to be able to undo this statement alone.
        let head = head.replacen("insert into", "insert or fail into", 1);
        return format!("{head}values {}", vec![row.as_str(); rows].join(", "));
    }
    sql.replacen("in ($1)", &format!("in ({})", vec!["?"; rows].join(", ")), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_for_one_row_takes_several() {
        let three = "insert or fail into a (b, c) values (?, ?), (?, ?), (?, ?)";
        assert_eq!(widened("insert into a (b, c) values ($1, $2)", 3), three);
    }

    #[test]
    fn a_statement_for_one_value_takes_several() {
        let three = "delete from a where b in (?, ?, ?) returning c";
        assert_eq!(widened("delete from a where b in ($1) returning c", 3), three);
    }

    #[test]
    fn rows_go_into_few_statements() {
        for (rows, expected) in [(1, 1), (7, 1), (8, 8), (399, 50), (400, 400), (5_000, 400)] {
            assert_eq!(size(rows), expected, "{rows}");
        }
    }
}
