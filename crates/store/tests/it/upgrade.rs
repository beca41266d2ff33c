//! A database that a hub or runner filled before tables were renamed opens with its rows.
//!
//! The fixtures are dumps of databases with schema 15: a hub on each database and a runner in standalone mode, each
//! with finished and waiting jobs, schedules, a server, a mute window and a ping. The hub's private key was removed.

use domain::{
    HostId, JobId, TriggerId,
    job::{JobStatus, WaitReason},
};
use sqlx::Connection as _;
use store::{Options, Store, schema::NEWEST};
use testkit::{block_on, postgres};

use crate::{reads, seed::T0, writes};

const HUB_SQLITE: &str = include_str!("../fixtures/schema-15-hub.sqlite.sql");
const HUB_POSTGRES: &str = include_str!("../fixtures/schema-15-hub.postgres.sql");
const RUNNER_SQLITE: &str = include_str!("../fixtures/schema-15-runner.sqlite.sql");

async fn sqlite(folder: &tempfile::TempDir, dump: &str) -> Store {
    let path = folder.path().join("old.db");
    let file = rusqlite::Connection::open(&path).expect("creates the file");
    file.execute_batch(&format!("pragma foreign_keys = off; {dump}")).expect("loads the dump");
    drop(file);
    Store::open(&Options::new(format!("sqlite:{}", path.display()))).await.expect("the store migrates and opens")
}

async fn postgres_hub() -> Store {
    let url = postgres::empty_database().await;
    let mut connection = sqlx::PgConnection::connect(&url).await.expect("connects");
    sqlx::raw_sql(HUB_POSTGRES).execute(&mut connection).await.expect("loads the dump");
    connection.close().await.expect("closes");
    Store::open(&Options::new(&url)).await.expect("the store migrates and opens")
}

/// The content is the same in all dumps.
async fn check(store: &Store) {
    let org = reads!(store, |tx| tx.org_by_slug("default").await).expect("the org").id;
    let hosts = reads!(store, |tx| tx.host_list_all(HostId::from_bytes([0; 16]), 10).await);
    let [view] = &hosts[..] else { panic!("{hosts:?}") };
    let host = view.host.id;
    assert_eq!((view.host.name.as_str(), view.host.primary_hub.as_deref()), ("vm", None));

    let ids = reads!(store, |tx| tx.job_ids_newest(org, JobId::from_bytes([255; 16]), 10).await);
    let jobs = reads!(store, |tx| tx.jobs_by_id(org, &ids).await);
    let mut states: Vec<_> = jobs.iter().map(|job| (job.status, job.last.is_some())).collect();
    states.sort_by_key(|(status, _)| status.to_string());
    let ended = (JobStatus::Succeeded, true);
    assert_eq!(states, [(JobStatus::Queued, false), ended, ended]);
    let waiting = jobs.iter().find(|job| job.status == JobStatus::Queued).expect("the job of 2099");
    assert_eq!(waiting.parked.map(|(reason, _)| reason), Some(WaitReason::Later));

    let triggers = reads!(store, |tx| tx.trigger_list(org, TriggerId::from_bytes([0; 16]), 10).await);
    let labels: Vec<&str> = triggers.iter().map(|trigger| trigger.body.label.as_str()).collect();
    assert_eq!(labels, ["nightly", "on the host"]);
    assert!(triggers.iter().all(|trigger| trigger.body.is_enabled));

    let servers = reads!(store, |tx| tx.server_by_name(org, "arena").await);
    let found: Vec<_> = servers.iter().map(|server| (server.host_id, server.name.as_str())).collect();
    assert_eq!(found, [(host, "arena")]);

    assert_eq!(reads!(store, |tx| tx.mute_window_list(org, 10).await).len(), 1);
    assert_eq!(reads!(store, |tx| tx.ping_list(org, 10).await).len(), 1);
    assert!(reads!(store, |tx| tx.hub_heartbeat().await).is_some());

    let applied = store.columns().await.expect("columns");
    assert!(applied.iter().any(|column| column.table == "replicated_job") && NEWEST > 15);
}

#[test]
fn schema_15_opens_on_sqlite() {
    block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        let store = sqlite(&folder, HUB_SQLITE).await;
        check(&store).await;
        store.close().await;
    });
}

#[test]
fn schema_15_opens_on_postgres() {
    block_on(async {
        let store = postgres_hub().await;
        check(&store).await;
        store.close().await;
    });
}

#[test]
fn schema_15_of_a_standalone_runner_opens_and_captures_changes() {
    block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        // An outage that schema 15 recorded: its triggers numbered it as a row of the table `gap`.
        let dump = format!(
            "{RUNNER_SQLITE}
            insert into host_gap (host_id, kind, from_at, until_at, note, created_at, updated_at)
            select id, 'suspended', 1, 2, '', 1, 1 from host;"
        );
        let store = sqlite(&folder, &dump).await;
        check(&store).await;
        writes!(store, |tx| tx.sync_capture(T0)).expect("capture continues");
        store.close().await;

        // The number of the old outage stays, and a new one gets the next number.
        let file = rusqlite::Connection::open(folder.path().join("old.db")).expect("opens the file");
        let numbered = || -> i64 {
            file.query_row("select count(*) from sync_own where tbl = 'outage'", [], |row| row.get(0)).expect("counts")
        };
        assert_eq!(numbered(), 1);
        file.execute(
            "insert into host_outage (host_id, kind, from_at, until_at, note, created_at, updated_at)
            select id, 'suspended', 3, 4, '', 1, 1 from host",
            [],
        )
        .expect("inserts an outage");
        assert_eq!(numbered(), 2);
    });
}
