//! Inspection of the schema and of statements, for tests and `doctor`.

use std::sync::{Arc, atomic::AtomicU64};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _, SqlStr};

use crate::{Result, Sql, Store, store::Backend};

/// The newest schema version this program supports.
pub const NEWEST: i64 = crate::schema::migrate::NEWEST;

/// A number that changes with any migration for PostgreSQL, for tests that share a migrated database.
#[doc(hidden)]
#[must_use]
pub fn fingerprint() -> u64 {
    crate::schema::migrate::postgres_fingerprint()
}

/// A column of a table, in a form that both databases share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    pub table: String,
    pub name: String,
    /// Type name in the dialect of the database.
    pub kind: String,
    pub is_nullable: bool,
}

/// Planner settings for [`Store::explain`].
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planner {
    /// Settings of the store's connections.
    Ours,
    /// Default settings, as behind a pooler.
    Plain,
}

/// All statements of the store.
#[must_use]
pub fn statements() -> Vec<Sql> {
    [
        crate::alert::STATEMENTS,
        crate::audit::STATEMENTS,
        crate::batch::STATEMENTS,
        crate::channel::STATEMENTS,
        crate::claim::STATEMENTS,
        crate::resource::database::STATEMENTS,
        crate::claim::heads::STATEMENTS,
        crate::claim::jobs::STATEMENTS,
        crate::claim::leases::STATEMENTS,
        crate::holder::STATEMENTS,
        crate::dedupe::STATEMENTS,
        crate::definition::STATEMENTS,
        crate::device::STATEMENTS,
        crate::event::STATEMENTS,
        crate::fire::STATEMENTS,
        crate::outage::STATEMENTS,
        crate::primary::STATEMENTS,
        crate::hook::STATEMENTS,
        crate::host::STATEMENTS,
        crate::removed_host::STATEMENTS,
        crate::hub::STATEMENTS,
        crate::invitation::STATEMENTS,
        crate::job::STATEMENTS,
        crate::join_token::STATEMENTS,
        crate::journal::STATEMENTS,
        crate::key::STATEMENTS,
        crate::lane::STATEMENTS,
        crate::lease::STATEMENTS,
        crate::log::STATEMENTS,
        crate::notice::STATEMENTS,
        crate::org::STATEMENTS,
        crate::ping::STATEMENTS,
        crate::insert::STATEMENTS,
        crate::mute_window::STATEMENTS,
        crate::quota::STATEMENTS,
        crate::failed_attempt::STATEMENTS,
        crate::request_key::STATEMENTS,
        crate::retention::STATEMENTS,
        crate::socket_credential::STATEMENTS,
        crate::rejection::STATEMENTS,
        crate::sample::STATEMENTS,
        crate::secret::STATEMENTS,
        crate::server::STATEMENTS,
        crate::session::STATEMENTS,
        crate::sign_in::STATEMENTS,
        crate::tally::STATEMENTS,
        crate::token::STATEMENTS,
        crate::trigger::STATEMENTS,
        crate::fair_share::STATEMENTS,
        crate::run_owner::STATEMENTS,
        crate::stale_report::STATEMENTS,
        crate::user::STATEMENTS,
        crate::view::STATEMENTS,
        crate::worker::STATEMENTS,
        crate::worker_secret::STATEMENTS,
        crate::worker_token::STATEMENTS,
    ]
    .concat()
    .into_iter()
    .chain(crate::replication::statements())
    .collect()
}

impl Store {
    /// Prepares a statement without executing it.
    ///
    /// # Errors
    /// The database does not accept it.
    pub async fn prepare(&self, sql: Sql) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.ask(move |reader| reader.check(sql.sqlite)).await?,
            Backend::Postgres(postgres) => {
                drop(postgres.pool().acquire().await?.prepare(SqlStr::from_static(sql.postgres)).await?)
            }
        }
        Ok(())
    }

    /// All columns of the store's tables, sorted.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn columns(&self) -> Result<Vec<Column>> {
        type Row = (String, String, String, bool);
        let rows: Vec<Row> = match &self.backend {
            Backend::Sqlite(sqlite) => {
                let text = r#"select t.name, c.name, lower(c.type), c."notnull" = 0 and c.pk = 0
                    from sqlite_master t
                    join pragma_table_info(t.name) c
                    where t.type = 'table' and t.name not like 'sqlite%' and t.name <> '_sqlx_migrations'
                    order by 1, 2"#;
                sqlite.ask(move |reader| reader.all(text, &[])).await?
            }
            Backend::Postgres(postgres) => {
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

    /// The query plan of a statement, line by line, independent of parameter values. On PostgreSQL with the planner
    /// settings of the store's connections, or with those of connections behind a pooler.
    ///
    /// # Errors
    /// The database does not accept it.
    #[doc(hidden)]
    pub async fn explain(&self, sql: Sql, planner: Planner) -> Result<Vec<String>> {
        match &self.backend {
            Backend::Sqlite(sqlite) => {
                let rows = sqlite.ask(move |reader| reader.explain(sql.sqlite)).await?;
                Ok(rows.into_iter().map(|row| row.3).collect())
            }
            Backend::Postgres(postgres) => {
                let mut connection = postgres.pool().acquire().await?;
                let mut tx = connection.begin().await?;
                // The generic plan, obtained in a way that also works on servers without `explain (generic_plan)`.
                tx.execute("set local plan_cache_mode = force_generic_plan").await?;
                if planner == Planner::Plain {
                    tx.execute("set local enable_seqscan = on").await?;
                }
                tx.execute(AssertSqlSafe(format!("prepare explained as {}", sql.postgres))).await?;
                let (count,): (i64,) = sqlx::query_as(
                    "select cardinality(parameter_types)::bigint from pg_prepared_statements where name = 'explained'",
                )
                .fetch_one(&mut *tx)
                .await?;
                let nulls = vec!["null"; usize::try_from(count).unwrap_or(0)].join(", ");
                let call = if nulls.is_empty() { String::new() } else { format!("({nulls})") };
                let text = format!("explain (costs off) execute explained{call}");
                let rows = sqlx::raw_sql(AssertSqlSafe(text)).fetch_all(&mut *tx).await?;
                tx.execute("deallocate explained").await?;
                tx.rollback().await?;
                rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
            }
        }
    }

    /// Counts the virtual machine steps of all later SQLite reads, for tests that bound the work of a query. `None` on
    /// PostgreSQL.
    ///
    /// # Errors
    /// The database does not answer.
    #[doc(hidden)]
    pub async fn count_steps(&self) -> Result<Option<Arc<AtomicU64>>> {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.count_steps().await.map(Some),
            Backend::Postgres(_) => Ok(None),
        }
    }

    /// Executes any SQL text. Only for tests that damage a database on purpose.
    ///
    /// # Errors
    /// The database does not accept it.
    pub async fn execute_raw(&self, sql: &'static str) -> Result<u64> {
        self.write(move |tx| {
            Box::pin(async move {
                let sql = Sql { name: "execute_raw", sqlite: sql, postgres: sql };
                execute!(tx, sql)
            })
        })
        .await
    }
}
