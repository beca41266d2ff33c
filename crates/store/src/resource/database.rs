//! The health of the database: snapshots that hold back vacuum on PostgreSQL, and the load of the writer on SQLite.

use domain::alert::{VacuumBlocker, WriterTime};

use crate::{Result, Store, Tx, store::Backend};

rows! { VacuumBlocker { kind, name, application, user_name, snapshot, open_ms } }

statements! {
    // The start of a transaction is null for sessions of other roles, unless the hub's role may read all statistics;
    // `backend_xmin` and `backend_xid` are not. Sessions without a user are autovacuum workers, and vacuum ignores the
    // snapshots of other vacuums. `clock_timestamp()` is only used for lengths of time, which do not depend on the
    // difference between the clocks of the hub and of the database.
    VACUUM_BLOCKERS = pair(
        "select '' as kind, '' as name, '' as application, '' as user_name, '' as snapshot, null as open_ms
        where false
        limit $1",
        "select kind, name, application, user_name, snapshot, open_ms
        from (
            select 'session' as kind, a.pid::text as name, coalesce(a.application_name, '') as application,
                coalesce(a.usename::text, '') as user_name,
                coalesce(extract(epoch from a.xact_start)::text, a.backend_xmin::text, a.backend_xid::text) as snapshot,
                (extract(epoch from clock_timestamp() - a.xact_start) * 1000)::bigint as open_ms,
                greatest(age(a.backend_xmin), age(a.backend_xid)) as transactions
            from pg_stat_activity a
            where (a.backend_xmin is not null or a.backend_xid is not null)
                and (a.datname = current_database() or a.datname is null)
                and a.pid <> pg_backend_pid() and a.usesysid is not null and a.leader_pid is null
                and not exists (select 1 from pg_stat_progress_vacuum v where v.pid = a.pid)
            union all
            select 'prepared_transaction', p.gid, '', p.owner::text, extract(epoch from p.prepared)::text,
                (extract(epoch from clock_timestamp() - p.prepared) * 1000)::bigint, age(p.transaction)
            from pg_prepared_xacts p
            where p.database = current_database()
            union all
            select 'replication_slot', s.slot_name::text, '', '', s.xmin::text, null, age(s.xmin)
            from pg_replication_slots s
            where s.xmin is not null
        ) blocker
        order by transactions desc
        limit $1"
    );
}

impl Tx<'_> {
    /// Returns snapshots that hold back vacuum on PostgreSQL, in the order of their effect; none on SQLite.
    pub async fn database_vacuum_blockers(&mut self, limit: u32) -> Result<Vec<VacuumBlocker>> {
        all!(self, VACUUM_BLOCKERS => VacuumBlocker, i64::from(limit))
    }
}

impl Store {
    /// The use of SQLite's writer since the store was opened; `None` on PostgreSQL.
    #[must_use]
    pub fn writer_time(&self) -> Option<WriterTime> {
        match &self.backend {
            Backend::Sqlite(sqlite) => Some(sqlite.writer_time()),
            Backend::Postgres(_) => None,
        }
    }

    /// The address of an SQLite database, as `hostler db copy` takes it; `None` on PostgreSQL.
    #[must_use]
    pub fn sqlite_url(&self) -> Option<String> {
        match &self.backend {
            Backend::Sqlite(sqlite) => Some(format!("sqlite:{}", sqlite.path().display())),
            Backend::Postgres(_) => None,
        }
    }
}
