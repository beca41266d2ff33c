//! Migrations of the schema. Both databases have the same version numbers; a newer schema is rejected.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use data_encoding::HEXLOWER;
use sqlx::{
    Connection as _, Executor as _, PgConnection, PgPool, SqlStr,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use super::reworded;
use crate::{Error, Result, sqlite::connection::SqliteConnection};

/// All migrations: version, name, text for SQLite, text for PostgreSQL.
const MIGRATIONS: &[(i64, &str, &str, &str)] = &[
    (
        1,
        "foundation",
        include_str!("../../migrations/sqlite/0001_foundation.sql"),
        include_str!("../../migrations/postgres/0001_foundation.sql"),
    ),
    (
        2,
        "jobs",
        include_str!("../../migrations/sqlite/0002_jobs.sql"),
        include_str!("../../migrations/postgres/0002_jobs.sql"),
    ),
    (
        3,
        "sync",
        include_str!("../../migrations/sqlite/0003_sync.sql"),
        include_str!("../../migrations/postgres/0003_sync.sql"),
    ),
    (
        4,
        "triggers",
        include_str!("../../migrations/sqlite/0004_triggers.sql"),
        include_str!("../../migrations/postgres/0004_triggers.sql"),
    ),
    (
        5,
        "alerts",
        include_str!("../../migrations/sqlite/0005_alerts.sql"),
        include_str!("../../migrations/postgres/0005_alerts.sql"),
    ),
    (
        6,
        "way_down",
        include_str!("../../migrations/sqlite/0006_way_down.sql"),
        include_str!("../../migrations/postgres/0006_way_down.sql"),
    ),
    (
        7,
        "servers",
        include_str!("../../migrations/sqlite/0007_servers.sql"),
        include_str!("../../migrations/postgres/0007_servers.sql"),
    ),
    (
        8,
        "told",
        include_str!("../../migrations/sqlite/0008_told.sql"),
        include_str!("../../migrations/postgres/0008_told.sql"),
    ),
    (
        9,
        "views",
        include_str!("../../migrations/sqlite/0009_views.sql"),
        include_str!("../../migrations/postgres/0009_views.sql"),
    ),
    (
        10,
        "packing",
        include_str!("../../migrations/sqlite/0010_packing.sql"),
        include_str!("../../migrations/postgres/0010_packing.sql"),
    ),
    (
        11,
        "canceling",
        include_str!("../../migrations/sqlite/0011_canceling.sql"),
        include_str!("../../migrations/postgres/0011_canceling.sql"),
    ),
    (
        12,
        "keys_and_keeping",
        include_str!("../../migrations/sqlite/0012_keys_and_keeping.sql"),
        include_str!("../../migrations/postgres/0012_keys_and_keeping.sql"),
    ),
    (
        13,
        "home",
        include_str!("../../migrations/sqlite/0013_home.sql"),
        include_str!("../../migrations/postgres/0013_home.sql"),
    ),
    (
        14,
        "rules",
        include_str!("../../migrations/sqlite/0014_rules.sql"),
        include_str!("../../migrations/postgres/0014_rules.sql"),
    ),
    (
        15,
        "implied_ends",
        include_str!("../../migrations/sqlite/0015_implied_ends.sql"),
        include_str!("../../migrations/postgres/0015_implied_ends.sql"),
    ),
    (
        16,
        "vocabulary",
        include_str!("../../migrations/sqlite/0016_vocabulary.sql"),
        include_str!("../../migrations/postgres/0016_vocabulary.sql"),
    ),
    (
        17,
        "batch_and_lock",
        include_str!("../../migrations/sqlite/0017_batch_and_lock.sql"),
        include_str!("../../migrations/postgres/0017_batch_and_lock.sql"),
    ),
    (
        18,
        "request_key_commit",
        include_str!("../../migrations/sqlite/0018_request_key_commit.sql"),
        include_str!("../../migrations/postgres/0018_request_key_commit.sql"),
    ),
    (
        19,
        "host_queues",
        include_str!("../../migrations/sqlite/0019_host_queues.sql"),
        include_str!("../../migrations/postgres/0019_host_queues.sql"),
    ),
    (
        21,
        "worker_secrets",
        include_str!("../../migrations/sqlite/0021_worker_secrets.sql"),
        include_str!("../../migrations/postgres/0021_worker_secrets.sql"),
    ),
    (
        22,
        "accounts",
        include_str!("../../migrations/sqlite/0022_accounts.sql"),
        include_str!("../../migrations/postgres/0022_accounts.sql"),
    ),
    (
        23,
        "trust_boundaries",
        include_str!("../../migrations/sqlite/0023_trust_boundaries.sql"),
        include_str!("../../migrations/postgres/0023_trust_boundaries.sql"),
    ),
];

/// The newest schema version this program supports.
pub(crate) const NEWEST: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// The migrations' texts for PostgreSQL.
pub(crate) fn postgres_texts() -> impl Iterator<Item = &'static str> {
    MIGRATIONS.iter().map(|(.., postgres)| *postgres)
}

/// A number that changes with the text of any migration for PostgreSQL, for tests that share a migrated database.
pub(crate) fn postgres_fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    postgres_texts().for_each(|text| text.hash(&mut hasher));
    hasher.finish()
}

const APPLIED: &str = "select coalesce(max(version), 0) from _sqlx_migrations";

/// Applied migrations of a SQLite file, in the same table as the migrator uses on PostgreSQL.
const SQLITE_TABLE: &str = "
    create table if not exists _sqlx_migrations (
        version bigint primary key,
        description text not null,
        installed_on timestamp not null default current_timestamp,
        success boolean not null,
        checksum blob not null,
        execution_time bigint not null
    )";

pub(crate) fn sqlite(connection: &mut SqliteConnection) -> Result<()> {
    connection.batch(SQLITE_TABLE)?;
    for (version, former, current) in renewed(&migrator(|(_, _, sqlite, _)| sqlite), reworded::SQLITE) {
        connection.execute(RENEW, &[&version, &former, &&*current])?;
    }
    let applied: Vec<(i64, bool, Vec<u8>)> =
        connection.all("select version, success, checksum from _sqlx_migrations order by version", &[])?;
    refuse_newer(applied.last().map_or(0, |(version, ..)| *version))?;
    if let Some((version, ..)) = applied.iter().find(|(_, is_whole, _)| !is_whole) {
        return Err(Error::Migrate(MigrateError::Dirty(*version)));
    }
    // No lock is needed: the lock file keeps other hubs out.
    for migration in migrator(|(_, _, sqlite, _)| sqlite).iter() {
        match applied.iter().find(|(version, ..)| *version == migration.version) {
            Some((.., checksum)) if checksum[..] != migration.checksum[..] => {
                return Err(Error::Migrate(MigrateError::VersionMismatch(migration.version)));
            }
            Some(_) => {}
            None => apply(connection, migration)?,
        }
    }
    Ok(())
}

/// Replaces the checksum of a migration whose comments were rewritten after it was applied.
const RENEW: &str = "update _sqlx_migrations set checksum = $3 where version = $1 and checksum = $2";

/// The rewritten migrations: version, former checksum, current checksum.
fn renewed(migrator: &Migrator, former: &'static [(i64, &str)]) -> impl Iterator<Item = (i64, Vec<u8>, Vec<u8>)> {
    let current = migrator.iter().map(|migration| (migration.version, migration.checksum.to_vec()));
    let current: BTreeMap<i64, Vec<u8>> = current.collect();
    former.iter().map(move |(version, former)| {
        let former = HEXLOWER.decode(former.as_bytes()).expect("the list holds hexadecimal digits");
        (*version, former, current[version].clone())
    })
}

/// Applies a migration in one transaction.
fn apply(connection: &mut SqliteConnection, migration: &Migration) -> Result<()> {
    connection.execute("begin immediate", &[])?;
    let applied = connection.batch(migration.sql.as_str()).and_then(|()| {
        connection.execute(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
            values ($1, $2, true, $3, 0)",
            &[&migration.version, &migration.description, &&*migration.checksum],
        )?;
        connection.execute("commit", &[])
    });
    if let Err(error) = &applied {
        let _ = connection.execute("rollback", &[]);
        tracing::error!(version = migration.version, name = %migration.description, error = %error, "database migration failed");
    }
    applied.map(drop)
}

/// Checks the schema for a process that does not own the file: the version must match, and nothing is migrated.
pub(crate) fn check_sqlite(connection: &mut SqliteConnection) -> Result<()> {
    let found = connection.one::<(i64,)>(APPLIED, &[])?.map_or(0, |(version,)| version);
    refuse_newer(found)?;
    if found < NEWEST { Err(Error::Older { found, known: NEWEST }) } else { Ok(()) }
}

/// Migrates under a row lock. An advisory lock belongs to a session, and behind a transaction pooler a session is
/// shared with other clients.
pub(crate) async fn postgres(pool: &PgPool, is_pooled: bool) -> Result<()> {
    let mut connection = pool.acquire().await?;
    create_lock(&mut connection).await?;
    let mut transaction = connection.begin().await?;
    // The migrator names its prepared statements. Behind a pooler another hub may have left statements of the same
    // names on this server connection, so all are deallocated before and after. Without a pooler they stay, because the
    // driver caches them.
    if is_pooled {
        transaction.execute("deallocate all").await?;
    }
    transaction.execute("select id from migration_lock for update").await?;
    let exists: Option<i32> = sqlx::query_scalar("select 1 where to_regclass('_sqlx_migrations') is not null")
        .fetch_optional(&mut *transaction)
        .await?;
    if exists.is_some() {
        refuse_newer(sqlx::query_scalar(APPLIED).fetch_one(&mut *transaction).await?)?;
    }
    let migrator = migrator(|(_, _, _, postgres)| postgres);
    if exists.is_some() {
        for (version, former, current) in renewed(&migrator, reworded::POSTGRES) {
            sqlx::query(RENEW).bind(version).bind(former).bind(current).execute(&mut *transaction).await?;
        }
    }
    migrator.run_direct(None, &mut *transaction, false).await.map_err(Error::Migrate)?;
    if is_pooled {
        transaction.execute("deallocate all").await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Creates the table and row to lock, with statements that need no transaction: each may reach another server
/// connection.
async fn create_lock(connection: &mut PgConnection) -> Result<()> {
    let created = connection.execute("create table if not exists migration_lock (id integer primary key)").await;
    let inserted = connection.execute("insert into migration_lock (id) values (1) on conflict do nothing").await;
    // Two hubs that start at the same time may both try to create the table. The loser's `create` fails, its insert
    // succeeds.
    inserted.map_err(|error| created.err().unwrap_or(error))?;
    Ok(())
}

fn migrator(text: impl Fn((i64, &'static str, &'static str, &'static str)) -> &'static str) -> Migrator {
    let list = MIGRATIONS.iter().map(|migration| {
        let sql = SqlStr::from_static(text(*migration));
        Migration::new(migration.0, Cow::Borrowed(migration.1), MigrationType::Simple, sql, false)
    });
    let mut migrator = Migrator::with_migrations(list.collect());
    migrator.set_locking(false);
    migrator
}

fn refuse_newer(found: i64) -> Result<()> {
    if found > NEWEST { Err(Error::Newer { found, known: NEWEST }) } else { Ok(()) }
}
