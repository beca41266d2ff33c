//! SQLite, asked on the thread of whoever asks.
//!
//! The writer's thread and those of readers run whole transactions. A driver with a thread of its own would change threads
//! twice for every statement, and a claim has a dozen of them.

use std::{path::Path, time::Duration};

use rusqlite::{CachedStatement, Connection, OpenFlags, ToSql, config::DbConfig};

use crate::{Result, sql::FromSqlite};

/// How long a statement waits for a lock held by another process (a backup, a shell).
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// What a connection may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Look.
    Read,
    /// Write to a file that is there.
    Write,
    /// Make the file.
    Create,
}

/// A connection.
pub(crate) struct SqliteConnection(Connection);

impl SqliteConnection {
    /// Opens a file, and says how many statements stay prepared.
    pub(crate) fn open(path: &Path, access: Access, statements: usize) -> Result<Self> {
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        // One thread at a time has it: that is what `&mut` says.
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(statements);
        // One plan for all values: otherwise a statement with `limit $2` is prepared anew at every call.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        let mut lite = Self(connection);
        if access != Access::Read {
            lite.all::<(String,)>("pragma journal_mode = wal", &[])?;
        }
        lite.batch("pragma synchronous = full; pragma foreign_keys = on")?;
        Ok(lite)
    }

    /// Runs statements that take and return nothing, one after the other.
    pub(crate) fn batch(&mut self, text: &str) -> Result<()> {
        Ok(self.0.execute_batch(text)?)
    }

    /// All rows.
    pub(crate) fn all<T: FromSqlite>(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.each(sql, values, |row| {
            found.push(row);
            Ok(())
        })?;
        Ok(found)
    }

    /// The first row, if there is one.
    pub(crate) fn one<T: FromSqlite>(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<Option<T>> {
        let mut statement = self.prepare(sql, values)?;
        let places = T::places(&statement)?;
        let mut rows = statement.raw_query();
        Ok(rows.next()?.map(|row| T::from_sqlite(row, &places)).transpose()?)
    }

    /// Row by row.
    pub(crate) fn each<T: FromSqlite>(
        &mut self,
        sql: &str,
        values: &[&dyn ToSql],
        take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        read(&mut self.prepare(sql, values)?, take)
    }

    /// How many rows were touched.
    pub(crate) fn execute(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<u64> {
        finish(&mut self.prepare(sql, values)?)?;
        Ok(self.0.changes())
    }

    /// Writes rows in few statements; `bind` gives the values of one, in order.
    pub(crate) fn execute_many<R>(
        &mut self,
        sql: &'static str,
        rows: &[R],
        bind: impl Fn(&R, &mut Binder<'_, '_>) -> Result<()>,
    ) -> Result<()> {
        self.many(sql, rows, bind, &[], finish)
    }

    /// How many rows were touched by a statement about some values (`… in ($1) …`), with others behind them that are the same for
    /// all.
    pub(crate) fn execute_named<R>(
        &mut self,
        sql: &'static str,
        rows: &[R],
        bind: impl Fn(&R, &mut Binder<'_, '_>) -> Result<()>,
        same: &[&dyn ToSql],
    ) -> Result<u64> {
        let mut touched = 0;
        self.many(sql, rows, bind, same, |statement| {
            finish(statement)?;
            touched += self.0.changes();
            Ok(())
        })?;
        Ok(touched)
    }

    /// All rows that some values find, asked for in few statements.
    pub(crate) fn all_many<R, T: FromSqlite>(
        &mut self,
        sql: &'static str,
        rows: &[R],
        bind: impl Fn(&R, &mut Binder<'_, '_>) -> Result<()>,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.many(sql, rows, bind, &[], |statement| {
            read(statement, |row| {
                found.push(row);
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// Whether it is in no transaction.
    pub(crate) fn is_idle(&self) -> bool {
        self.0.is_autocommit()
    }

    /// Whether the database accepts a statement.
    pub(crate) fn check(&mut self, sql: &str) -> Result<()> {
        Ok(self.0.prepare(sql).map(drop)?)
    }

    /// How the database would run a statement: three numbers and a text for each step.
    pub(crate) fn explain(&mut self, sql: &str) -> Result<Vec<(i64, i64, i64, String)>> {
        let mut found = Vec::new();
        // Whatever its parameters are: they are left out.
        let mut statement = self.0.prepare_cached(&format!("explain query plan {sql}"))?;
        read(&mut statement, |row| {
            found.push(row);
            Ok(())
        })?;
        Ok(found)
    }

    /// Calls something again and again while this connection works.
    pub(crate) fn watch(&mut self, steps: i32, mut each: impl FnMut() + Send + 'static) -> Result<()> {
        // `true` would interrupt it.
        let goes_on = move || {
            each();
            false
        };
        Ok(self.0.progress_handler(steps, Some(goes_on))?)
    }

    fn many<R>(
        &self,
        sql: &'static str,
        rows: &[R],
        bind: impl Fn(&R, &mut Binder<'_, '_>) -> Result<()>,
        same: &[&dyn ToSql],
        mut run: impl FnMut(&mut CachedStatement<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut rest = rows;
        while !rest.is_empty() {
            let (chunk, more) = rest.split_at(super::bulk::size(rest.len()));
            rest = more;
            let mut statement = self.0.prepare_cached(&super::bulk::text(sql, chunk.len()))?;
            let mut binder = Binder { statement: &mut statement, bound: 0 };
            for row in chunk {
                bind(row, &mut binder)?;
            }
            for value in same {
                binder.bind(value)?;
            }
            run(&mut statement)?;
        }
        Ok(())
    }

    fn prepare(&self, sql: &str, values: &[&dyn ToSql]) -> Result<CachedStatement<'_>> {
        let mut statement = self.0.prepare_cached(sql)?;
        for place in 1..=statement.parameter_count() {
            // To SQLite `$2` is a name like any other: it counts parameters as they come.
            let number = match statement.parameter_name(place) {
                Some(name) => name.trim_start_matches(['$', '?']).parse().unwrap_or(place),
                None => place,
            };
            let value = number.checked_sub(1).and_then(|number| values.get(number));
            let value = value.ok_or(rusqlite::Error::InvalidParameterCount(values.len(), number))?;
            statement.raw_bind_parameter(place, value)?;
        }
        Ok(statement)
    }
}

/// Gives a statement its values, one after the other.
pub(crate) struct Binder<'s, 'c> {
    statement: &'s mut CachedStatement<'c>,
    bound: usize,
}

impl Binder<'_, '_> {
    pub(crate) fn bind(&mut self, value: impl ToSql) -> Result<()> {
        self.bound += 1;
        Ok(self.statement.raw_bind_parameter(self.bound, value)?)
    }
}

/// Runs a statement to its end; what it returns is of no interest.
fn finish(statement: &mut CachedStatement<'_>) -> Result<()> {
    let mut rows = statement.raw_query();
    while rows.next()?.is_some() {}
    Ok(())
}

fn read<T: FromSqlite>(statement: &mut CachedStatement<'_>, mut take: impl FnMut(T) -> Result<()>) -> Result<()> {
    let places = T::places(statement)?;
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        take(T::from_sqlite(row, &places)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn lite() -> (tempfile::TempDir, SqliteConnection) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut lite = SqliteConnection::open(&folder.path().join("a.db"), Access::Create, 10).expect("opens");
        lite.batch("create table a (id integer primary key, b text unique, c text)").expect("creates");
        lite.batch("create table d (a_id integer not null references a (id))").expect("creates");
        (folder, lite)
    }

    #[test]
    fn parameters_are_taken_by_their_numbers() {
        let (_folder, mut lite) = lite();
        let touched = lite.execute("insert into a (id, c, b) values ($2, $1, $1)", &[&"one", &7_i64]).expect("inserts");
        assert_eq!(touched, 1);
        let rows: Vec<(i64, String, String)> =
            lite.all("select id, b, c from a where c = $1", &[&"one"]).expect("reads");
        assert_eq!(rows, [(7, "one".to_owned(), "one".to_owned())]);
        assert!(lite.all::<(i64,)>("select id from a where c = $2", &[&"one"]).is_err(), "there is no second one");
        assert_eq!(lite.one::<(i64,)>("select id from a where c = $1", &[&"two"]).expect("reads"), None);
    }

    #[test]
    fn many_rows_go_in_and_come_out() {
        let (_folder, mut lite) = lite();
        let rows: Vec<i64> = (0..459).collect();
        let bind = |row: &i64, binder: &mut Binder<'_, '_>| {
            binder.bind(row)?;
            binder.bind(Some(format!("b{row}")))
        };
        lite.execute_many("insert into a (id, b) values ($1, $2)", &rows, bind).expect("inserts");
        let found = lite.all_many::<_, (i64,)>("select id from a where b in ($1)", &rows, |row, binder| {
            binder.bind(format!("b{row}"))
        });
        let mut found: Vec<i64> = found.expect("reads").into_iter().map(|(id,)| id).collect();
        found.sort_unstable();
        assert_eq!(found, rows);
        assert_eq!(lite.execute("delete from a where id < 9 returning id", &[]).expect("deletes"), 9);
        // Some of them are gone, and some are not meant.
        let touched = lite.execute_named(
            "delete from a where id in ($1) and id <> $2 and b <> $3",
            &rows,
            |row, binder| binder.bind(row),
            &[&20_i64, &"b30"],
        );
        assert_eq!(touched.expect("deletes"), 459 - 9 - 2);
        assert_eq!(lite.all::<(i64,)>("select id from a order by id", &[]).expect("reads"), [(20,), (30,)]);
    }

    #[test]
    fn faults_have_our_names() {
        let (_folder, mut lite) = lite();
        lite.execute("insert into a (id, b) values (1, 'x')", &[]).expect("inserts");
        let twice = lite.execute("insert into a (id, b) values (2, 'x')", &[]);
        assert!(matches!(twice, Err(Error::UniqueViolation(name)) if name == "a_b_uq"));
        assert!(matches!(lite.execute("insert into d (a_id) values (9)", &[]), Err(Error::Dangling)));
        assert!(matches!(lite.execute("select from", &[]), Err(Error::Corrupt(_))));
        let wrong = lite.all::<(i64,)>("select b from a", &[]);
        assert!(matches!(&wrong, Err(Error::Corrupt(_))), "a text is no number: {wrong:?}");
        lite.batch("pragma max_page_count = 4").expect("narrows");
        let full = lite.execute("insert into a (b) values (zeroblob(1000000))", &[]);
        assert!(matches!(full, Err(Error::Full(_))), "{full:?}");
    }
}
