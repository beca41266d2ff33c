//! Both schemas agree, and both databases accept every statement.

use std::collections::BTreeSet;

use testkit::{TestDb, block_on, postgres};

testkit::db_test!(every_statement_prepares, |db| async move {
    for sql in store::schema::statements() {
        if let Err(error) = db.store.prepare(sql).await {
            panic!("{} does not prepare: {error:?}", sql.name);
        }
    }
});

#[test]
fn statement_names_are_unique() {
    let mut seen = BTreeSet::new();
    for sql in store::schema::statements() {
        assert!(seen.insert(sql.name), "{} is declared twice", sql.name);
    }
    assert!(seen.len() > 60, "only {} statements are listed", seen.len());
}

/// The type a column of PostgreSQL must have on SQLite.
fn on_sqlite(kind: &str) -> &'static str {
    match kind {
        "uuid" | "bytea" => "blob",
        "timestamp with time zone" | "bigint" | "integer" | "boolean" => "integer",
        "text" | "jsonb" => "text",
        "double precision" => "real",
        other => panic!("no rule for columns of type {other}"),
    }
}

#[test]
fn schemas_agree_column_by_column() {
    block_on(async {
        let (sqlite, postgres) = (TestDb::sqlite().await, TestDb::postgres().await);
        let mut expected = postgres.store.columns().await.expect("columns");
        for column in &mut expected {
            column.kind = on_sqlite(&column.kind).to_owned();
        }
        expected.sort();
        assert!(expected.len() > 100);
        assert_eq!(sqlite.store.columns().await.expect("columns"), expected);
    });
}

/// Tables whose rows are never changed, or are the record of a moment.
const WITHOUT_TIMES: &[&str] = &[
    "audit",
    "definition_version",
    // The hot path: rows that are inserted once, or exist only while a job waits or runs.
    "dedupe",
    "done",
    "event",
    "event_head",
    "expiry",
    "fire",
    "holder",
    "hook_seen",
    "host_lane",
    "host_queue",
    "host_usage",
    "idempotency",
    "job",
    "journal",
    "lease",
    "log_chunk",
    "replicated_job",
    "replicated_log",
    "outbox",
    "outbox_head",
    "outcome",
    "ping_report",
    "ready",
    "redrive",
    "run",
    "stale_report",
    // Deleted within minutes.
    "server_order",
    "sync_witness",
    "sync_host_copy",
    "sync_hub_mark",
    "sync_mark",
    "sync_own",
    "sync_parked",
    "sync_priority",
    "sync_row",
    "tally",
    "waiting",
];

testkit::db_test!(mutable_tables_have_created_and_updated_times, |db| async move {
    let columns = db.store.columns().await.expect("columns");
    let tables: BTreeSet<&str> = columns.iter().map(|column| column.table.as_str()).collect();
    for table in tables.into_iter().filter(|table| !WITHOUT_TIMES.contains(table)) {
        for time in ["created_at", "updated_at"] {
            assert!(
                columns.iter().any(|c| c.table == table && c.name == time && !c.is_nullable),
                "{table} has no {time}"
            );
        }
    }
});

testkit::db_test!(newer_schema_is_rejected, |db| async move {
    db.store
        .execute_raw(
            "update _sqlx_migrations set version = 9999 where version = (select max(version) from _sqlx_migrations)",
        )
        .await
        .expect("damages");
    db.store.close().await;
    let error = store::Store::open(&store::Options::new(&db.url)).await.err().expect("refused");
    assert_eq!(
        error.to_string(),
        format!("the database has schema 9999, but this hostler supports at most {}", store::schema::NEWEST)
    );
});

#[test]
fn two_hubs_migrate_an_empty_postgres_concurrently() {
    block_on(async {
        let options = store::Options::new(postgres::empty_database().await);
        let opens = (0..4).map(|_| store::Store::open(&options));
        for opened in futures_util::future::join_all(opens).await {
            opened.expect("each hub finds or creates the schema");
        }
    });
}

#[test]
fn second_hub_on_one_sqlite_file_is_rejected() {
    block_on(async {
        let db = TestDb::sqlite().await;
        let error = store::Store::open(&store::Options::new(&db.url)).await.err().expect("refused");
        assert!(
            matches!(&error, store::Error::InUse { owner: Some(pid), .. } if *pid == std::process::id()),
            "{error:?}"
        );
        db.store.close().await;
    });
}

#[test]
fn database_addresses_are_parsed_or_rejected() {
    block_on(async {
        for wrong in ["", "mysql://x", "sqlite:", "postgres://h/db?pooler=session"] {
            let error = store::Store::open(&store::Options::new(wrong)).await.err().expect("refused");
            assert!(matches!(error, store::Error::Address(_)), "{wrong}: {error:?}");
        }
        let pooled = format!("{}?pooler=transaction", postgres::fresh_database().await);
        assert!(store::Store::open(&store::Options::new(pooled)).await.expect("opens").is_pooled());
    });
}

#[test]
fn sqlite_file_is_private_and_complete_after_close() {
    use std::os::unix::fs::PermissionsExt as _;
    block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("hub.db");
        let store =
            store::Store::open(&store::Options::new(format!("sqlite:{}", path.display()))).await.expect("opens");
        crate::seed::world(&store, "acme").await;
        for name in ["hub.db", "hub.db-wal", "hub.db.lock"] {
            let mode = std::fs::metadata(folder.path().join(name)).expect(name).permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{name}");
        }
        store.close().await;
        let log = std::fs::metadata(folder.path().join("hub.db-wal")).map_or(0, |log| log.len());
        assert_eq!(log, 0, "the WAL is merged into the file");
    });
}

testkit::db_test!(sqlite_reader_steps_are_counted, |db| async move {
    let (acme, ..) = crate::seed::world(&db.store, "acme").await;
    let Some(steps) = db.store.count_steps().await.expect("counts") else {
        assert!(db.url.starts_with("postgres"), "only SQLite counts steps");
        return;
    };
    for _ in 0..50 {
        crate::reads!(db.store, |tx| tx.host_list(acme, "", 10).await);
    }
    assert!(steps.load(std::sync::atomic::Ordering::Relaxed) > 0);
});

testkit::db_test!(store_works_after_shrink, |db| async move {
    let (acme, ..) = crate::seed::world(&db.store, "acme").await;
    let before = crate::reads!(db.store, |tx| tx.host_list(acme, "", 10).await);
    db.store.shrink().await.expect("shrinks");
    assert_eq!(crate::reads!(db.store, |tx| tx.host_list(acme, "", 10).await), before);
    crate::seed::world(&db.store, "globex").await;
});
