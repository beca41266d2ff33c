//! What the databases themselves say: for tests of both schemas and of every statement, and for `doctor`.

use sqlx::{Executor as _, SqlStr};

use crate::{Result, Sql, Store, open::Side};

/// The newest schema this program knows.
pub const NEWEST: i64 = crate::migrate::NEWEST;

/// A column, in words that both databases share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    pub table: String,
    pub name: String,
    /// The type as the database names it.
    pub kind: String,
    pub is_nullable: bool,
}

/// Every statement of the store.
#[must_use]
pub fn statements() -> Vec<Sql> {
    [
        crate::audit::STATEMENTS,
        crate::dedupe::STATEMENTS,
        crate::definition::STATEMENTS,
        crate::device::STATEMENTS,
        crate::event::STATEMENTS,
        crate::host::STATEMENTS,
        crate::hub::STATEMENTS,
        crate::invitation::STATEMENTS,
        crate::job::STATEMENTS,
        crate::join_token::STATEMENTS,
        crate::journal::STATEMENTS,
        crate::key::STATEMENTS,
        crate::lane::STATEMENTS,
        crate::lease::STATEMENTS,
        crate::log::STATEMENTS,
        crate::org::STATEMENTS,
        crate::queue::STATEMENTS,
        crate::quota::STATEMENTS,
        crate::refusal::STATEMENTS,
        crate::rights::STATEMENTS,
        crate::session::STATEMENTS,
        crate::sign_in::STATEMENTS,
        crate::tally::STATEMENTS,
        crate::token::STATEMENTS,
        crate::usage::STATEMENTS,
        crate::user::STATEMENTS,
        crate::worker::STATEMENTS,
    ]
    .concat()
}

impl Store {
    /// Prepares a statement without running it.
    ///
    /// # Errors
    /// The database does not accept it.
    pub async fn prepare(&self, sql: Sql) -> Result<()> {
        match &self.side {
            Side::Sqlite(sqlite) => {
                drop(sqlite.readers().acquire().await?.prepare(SqlStr::from_static(sql.sqlite)).await?)
            }
            Side::Postgres(postgres) => {
                drop(postgres.pool().acquire().await?.prepare(SqlStr::from_static(sql.postgres)).await?)
            }
        }
        Ok(())
    }

    /// All columns of our own tables, sorted.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn columns(&self) -> Result<Vec<Column>> {
        type Row = (String, String, String, bool);
        let rows: Vec<Row> = match &self.side {
            Side::Sqlite(sqlite) => {
                sqlx::query_as(
                    r#"select t.name, c.name, lower(c.type), c."notnull" = 0 and c.pk = 0
                    from sqlite_master t
                    join pragma_table_info(t.name) c
                    where t.type = 'table' and t.name not like 'sqlite%' and t.name <> '_sqlx_migrations'
                    order by 1, 2"#,
                )
                .fetch_all(sqlite.readers())
                .await?
            }
            Side::Postgres(postgres) => {
                sqlx::query_as(
                    r#"select table_name::text, column_name::text, data_type::text, is_nullable = 'YES'
                    from information_schema.columns
                    where table_schema = current_schema() and table_name not in ('_sqlx_migrations', 'migration_lock', 'job_now')
                    order by 1, 2"#,
                )
                .fetch_all(postgres.pool())
                .await?
            }
        };
        let mut columns: Vec<Column> = rows
            .into_iter()
            .map(|(table, name, kind, is_nullable)| Column { table, name, kind, is_nullable })
            .collect();
        columns.sort();
        Ok(columns)
    }

    /// Runs a statement as it is. Only for tests that damage a database on purpose.
    ///
    /// # Errors
    /// The database does not accept it.
    pub async fn damage(&self, sql: &'static str) -> Result<u64> {
        self.write(move |tx| {
            Box::pin(async move {
                let sql = Sql { name: "damage", sqlite: sql, postgres: sql };
                execute!(tx, sql)
            })
        })
        .await
    }
}
