//! A SQLite connection that runs statements on the calling thread.
//!
//! The writer thread and the reader threads each run whole transactions. A driver with its own thread would switch
//! threads twice per statement, and a claim has a dozen statements (ADR 20).

use std::{path::Path, time::Duration};

use rusqlite::{CachedStatement, Connection, OpenFlags, ToSql, config::DbConfig};

use crate::{Result, sql::FromSqlite};

/// Longest wait for a lock held by another process (a backup, a shell).
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Permissions of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    /// The file must exist.
    Write,
    /// The file is created if it does not exist.
    Create,
}

/// A connection to a SQLite file.
pub(crate) struct SqliteConnection(Connection);

impl SqliteConnection {
    /// Opens a file. `statements` is the capacity of the cache of prepared statements.
    pub(crate) fn open(path: &Path, access: Access, statements: usize) -> Result<Self> {
        let flags = match access {
            Access::Read => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Write => OpenFlags::SQLITE_OPEN_READ_WRITE,
            Access::Create => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
        };
        // `&mut self` already guarantees that only one thread uses the connection.
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(statements);
        // One plan for all values of a parameter. Otherwise SQLite prepares a statement with `limit $2` again at every
        // call.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        let mut sqlite = Self(connection);
        if access != Access::Read {
            sqlite.all::<(String,)>("pragma journal_mode = wal", &[])?;
        }
        sqlite.batch("pragma synchronous = full; pragma foreign_keys = on")?;
        Ok(sqlite)
    }

    /// Runs a script of statements without parameters and results.
    pub(crate) fn batch(&mut self, text: &str) -> Result<()> {
        Ok(self.0.execute_batch(text)?)
    }

    /// Returns all rows of a query.
    pub(crate) fn all<T: FromSqlite>(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.each(sql, values, |row| {
            found.push(row);
            Ok(())
        })?;
        Ok(found)
    }

    /// Returns the first row of a query, if any.
    pub(crate) fn one<T: FromSqlite>(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<Option<T>> {
        let mut statement = self.prepare(sql, values)?;
        let places = T::places(&statement)?;
        let mut rows = statement.raw_query();
        Ok(rows.next()?.map(|row| T::from_sqlite(row, &places)).transpose()?)
    }

    /// Passes each row of a query to `take`.
    pub(crate) fn each<T: FromSqlite>(
        &mut self,
        sql: &str,
        values: &[&dyn ToSql],
        take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        read(&mut self.prepare(sql, values)?, take)
    }

    /// Runs a statement and returns the number of rows affected.
    pub(crate) fn execute(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<u64> {
        finish(&mut self.prepare(sql, values)?)?;
        Ok(self.0.changes())
    }

    /// Runs a statement for many rows in few executions. `bind` binds the values of one row, in order.
    pub(crate) fn execute_many<R>(
        &mut self,
        sql: &'static str,
        rows: &[R],
        bind: impl Fn(&R, &mut Binder<'_, '_>) -> Result<()>,
    ) -> Result<()> {
        self.many(sql, rows, bind, finish)
    }

    /// Returns all rows that a list of values selects, in few executions.
    pub(crate) fn all_many<R, T: FromSqlite>(
        &mut self,
        sql: &'static str,
        rows: &[R],
        bind: impl Fn(&R, &mut Binder<'_, '_>) -> Result<()>,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        self.many(sql, rows, bind, |statement| {
            read(statement, |row| {
                found.push(row);
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// Whether no transaction is open.
    pub(crate) fn is_idle(&self) -> bool {
        self.0.is_autocommit()
    }

    /// Checks that SQLite accepts a statement.
    pub(crate) fn check(&mut self, sql: &str) -> Result<()> {
        Ok(self.0.prepare(sql).map(drop)?)
    }

    /// The query plan of a statement: three numbers and a description for each step.
    pub(crate) fn explain(&mut self, sql: &str) -> Result<Vec<(i64, i64, i64, String)>> {
        let mut found = Vec::new();
        // Parameters are left unbound: the plan does not depend on them.
        let mut statement = self.0.prepare_cached(&format!("explain query plan {sql}"))?;
        read(&mut statement, |row| {
            found.push(row);
            Ok(())
        })?;
        Ok(found)
    }

    /// Calls `each` after every `steps` virtual machine steps of this connection.
    pub(crate) fn watch(&mut self, steps: i32, mut each: impl FnMut() + Send + 'static) -> Result<()> {
        // Returning `true` would interrupt the query.
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
            run(&mut statement)?;
        }
        Ok(())
    }

    fn prepare(&self, sql: &str, values: &[&dyn ToSql]) -> Result<CachedStatement<'_>> {
        let mut statement = self.0.prepare_cached(sql)?;
        for place in 1..=statement.parameter_count() {
            // SQLite treats `$2` as a name and numbers parameters by first occurrence, so the index is not the number
            // in the name.
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

/// Binds values to the parameters of a statement, in order.
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

/// Runs a statement to its end and ignores returned rows.
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

    fn sqlite() -> (tempfile::TempDir, SqliteConnection) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut sqlite = SqliteConnection::open(&folder.path().join("a.db"), Access::Create, 10).expect("opens");
        sqlite.batch("create table a (id integer primary key, b text unique, c text)").expect("creates");
        sqlite.batch("create table d (a_id integer not null references a (id))").expect("creates");
        (folder, sqlite)
    }

    #[test]
    fn parameters_are_bound_by_number() {
        let (_folder, mut sqlite) = sqlite();
        let touched =
            sqlite.execute("insert into a (id, c, b) values ($2, $1, $1)", &[&"one", &7_i64]).expect("inserts");
        assert_eq!(touched, 1);
        let rows: Vec<(i64, String, String)> =
            sqlite.all("select id, b, c from a where c = $1", &[&"one"]).expect("reads");
        assert_eq!(rows, [(7, "one".to_owned(), "one".to_owned())]);
        assert!(sqlite.all::<(i64,)>("select id from a where c = $2", &[&"one"]).is_err(), "there is no second one");
        assert_eq!(sqlite.one::<(i64,)>("select id from a where c = $1", &[&"two"]).expect("reads"), None);
    }

    #[test]
    fn bulk_statements_insert_select_and_delete_many_rows() {
        let (_folder, mut sqlite) = sqlite();
        let rows: Vec<i64> = (0..459).collect();
        let bind = |row: &i64, binder: &mut Binder<'_, '_>| {
            binder.bind(row)?;
            binder.bind(Some(format!("b{row}")))
        };
        sqlite.execute_many("insert into a (id, b) values ($1, $2)", &rows, bind).expect("inserts");
        let found = sqlite.all_many::<_, (i64,)>("select id from a where b in ($1)", &rows, |row, binder| {
            binder.bind(format!("b{row}"))
        });
        let mut found: Vec<i64> = found.expect("reads").into_iter().map(|(id,)| id).collect();
        found.sort_unstable();
        assert_eq!(found, rows);
        assert_eq!(sqlite.execute("delete from a where id < 9 returning id", &[]).expect("deletes"), 9);
        sqlite
            .execute_many("delete from a where id in ($1)", &rows[..458], |row, binder| binder.bind(row))
            .expect("deletes, although some ids are deleted already");
        assert_eq!(sqlite.all::<(i64,)>("select id from a", &[]).expect("reads"), [(458,)]);
    }

    #[test]
    fn sqlite_errors_map_to_store_errors() {
        let (_folder, mut sqlite) = sqlite();
        sqlite.execute("insert into a (id, b) values (1, 'x')", &[]).expect("inserts");
        let twice = sqlite.execute("insert into a (id, b) values (2, 'x')", &[]);
        assert!(matches!(twice, Err(Error::UniqueViolation(name)) if name == "a_b_uq"));
        assert!(matches!(sqlite.execute("insert into d (a_id) values (9)", &[]), Err(Error::Dangling)));
        assert!(matches!(sqlite.execute("select from", &[]), Err(Error::Corrupt(_))));
        let wrong = sqlite.all::<(i64,)>("select b from a", &[]);
        assert!(matches!(&wrong, Err(Error::Corrupt(_))), "a text is no number: {wrong:?}");
        sqlite.batch("pragma max_page_count = 4").expect("narrows");
        let full = sqlite.execute("insert into a (b) values (zeroblob(1000000))", &[]);
        assert!(matches!(full, Err(Error::Full(_))), "{full:?}");
    }
}
