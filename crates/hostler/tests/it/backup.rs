//! `hostler backup` and `hostler db copy`: backup and restore of a hub, and copies from SQLite to PostgreSQL.

use serde_json::Value;

use crate::hub::{Home, Kind, Process, join, until};

fn file(home: &Home) -> String {
    home.path().join("hub.hostler").display().to_string()
}

fn refused(home: &Home, args: &[&str], code: &str) {
    let output = home.run(&[args, &["-o", "json"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains(code), "{args:?}: {stderr}");
}

/// Starts a hub and runs a job; returns the hub with its job list.
fn hub_with_a_job(kind: Kind) -> (Home, Process, Value) {
    let home = Home::new(kind);
    let (hub, _) = home.up(&[]);
    home.ok(&["run", "hello", "--wait"]);
    home.ok(&["org", "set", "--timezone", "Europe/Berlin"]);
    let jobs = home.json(&["ps"]);
    (home, hub, jobs)
}

fn out_and_back(from: Kind, to: Kind) {
    let (home, hub, jobs) = hub_with_a_job(from);
    let backup = file(&home);
    home.ok(&["backup", "create", &backup]);
    home.ok(&["backup", "verify", &backup]);
    // After a restore elsewhere it is the same hub, with the same jobs, users and key.
    let other = Home::new(to);
    other.ok(&["backup", "restore", &backup]);
    refused(&other, &["backup", "restore", &backup], "confirmation_needed");
    other.ok(&["backup", "restore", &backup, "--force", "--yes"]);
    assert_eq!(hub.stop(), Some(0));
    let (again, _) = other.serve(&["hub"], "127.0.0.1:0");
    assert_eq!(other.json(&["ps"]), jobs);
    assert!(other.ok(&["logs", jobs[0]["id"].as_str().expect("an id")]).contains("Hello, world!"));
    other.ok(&["audit", "verify"]);
    assert_eq!(again.stop(), Some(0));
    // A truncated or foreign file is detected before anything is changed.
    let whole = std::fs::read(&backup).expect("exists");
    for (name, bytes) in [("cut", &whole[..whole.len() / 2]), ("none", &b"hello"[..])] {
        let path = home.path().join(name).display().to_string();
        std::fs::write(&path, bytes).expect("writes");
        refused(&home, &["backup", "verify", &path], "backup_damaged");
        refused(&Home::new(Kind::Sqlite), &["backup", "restore", &path], "backup_damaged");
    }
}

#[test]
fn backup_of_sqlite_restores_into_postgres() {
    out_and_back(Kind::Sqlite, Kind::Postgres);
}

#[test]
fn backup_of_postgres_restores_into_sqlite() {
    out_and_back(Kind::Postgres, Kind::Sqlite);
}

#[test]
fn db_copy_moves_a_hub_to_postgres_and_resumes() {
    let (home, hub, jobs) = hub_with_a_job(Kind::Sqlite);
    let machine = {
        let url = home.json(&["host", "list"]);
        assert_eq!(url.as_array().map(Vec::len), Some(1));
        home.path().join("hub.db").display().to_string()
    };
    let (from, to) = (format!("sqlite:{machine}"), Home::new(Kind::Postgres));
    let target = to.database.clone().expect("postgres");
    refused(&home, &["db", "copy", "--from", &from, "--to", &target], "database_busy");
    assert_eq!(hub.stop(), Some(0));
    refused(&home, &["db", "copy", "--from", &from, "--to", &from], "name the same database");
    let missing = format!("{from}.missing");
    refused(&home, &["db", "copy", "--from", &missing, "--to", &target], &format!("no database at {machine}.missing"));
    assert!(!std::path::Path::new(&format!("{machine}.missing")).exists(), "the source is not created");
    home.ok(&["db", "copy", "--from", &from, "--to", &target]);
    // A second copy finds nothing to do and compares all rows again.
    home.ok(&["db", "copy", "--from", &from, "--to", &target]);
    // An interrupted copy: some of the last rows are missing.
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(&target)).await.expect("opens");
        store.execute_raw("delete from log_chunk").await.expect("damages");
        store.execute_raw("delete from run").await.expect("damages");
        store.close().await;
    });
    home.ok(&["db", "copy", "--from", &from, "--to", &target]);
    let (moved, url) = to.serve(&["hub"], "127.0.0.1:0");
    assert_eq!(to.json(&["ps"]), jobs);
    let second = join(&to, &url, "second");
    assert!(second.path().join("runner.json").exists());
    assert_eq!(moved.stop(), Some(0));
    // A target whose first rows differ cannot be resumed.
    let third = Home::new(Kind::Sqlite);
    let elsewhere = format!("sqlite:{}", third.path().join("hub.db").display());
    home.ok(&["db", "copy", "--from", &from, "--to", &elsewhere]);
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(&elsewhere)).await.expect("opens");
        let first = "delete from audit where id = (select id from audit order by id limit 1)";
        assert_eq!(store.execute_raw(first).await.expect("damages"), 1);
        store.close().await;
    });
    refused(&home, &["db", "copy", "--from", &from, "--to", &elsewhere], "has other rows");
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(&target)).await.expect("opens");
        store.execute_raw("update org set name = 'other'").await.expect("damages");
        store.close().await;
    });
    refused(&home, &["db", "copy", "--from", &from, "--to", &target], "backup_damaged");
}

/// Creates a definition whose runs append a line to a file and last while another file exists; returns both paths.
fn witness(hub: &Home) -> (std::path::PathBuf, std::path::PathBuf) {
    let (lines, hold) = (hub.path().join("witness"), hub.path().join("hold"));
    let script = format!("echo run >> {}; while [ -e {} ]; do sleep 0.1; done", lines.display(), hold.display());
    let definition = serde_json::json!({"key": "witness", "argv": ["/bin/sh", "-c", script]}).to_string();
    let path = hub.path().join("witness.json");
    std::fs::write(&path, definition).expect("writes");
    hub.ok(&["def", "apply", "-f", path.to_str().expect("a path")]);
    (lines, hold)
}

fn status(hub: &Home, job: &str) -> Value {
    hub.json(&["job", "show", job])["status"].clone()
}

/// A hub restored from an old backup receives the results of later runs from its hosts.
fn restored(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let machine = join(&hub, &url, "second");
    let runner = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("second", "online");
    hub.ok(&["host", "set", "second", "--max-running", "2"]);
    let (lines, hold) = witness(&hub);
    std::fs::write(&hold, "").expect("writes");
    // One job is running when the backup is created, one is queued.
    let running = hub.ok(&["run", "witness", "--on", "second", "-o", "name"]).trim().to_owned();
    until("the start", || (status(&hub, &running) == "running" && lines.exists()).then_some(()));
    hub.ok(&["host", "pause", "second"]);
    let queued = hub.ok(&["run", "witness", "--on", "second", "-o", "name"]).trim().to_owned();
    let backup = file(&hub);
    hub.ok(&["backup", "create", &backup]);
    hub.ok(&["host", "resume", "second"]);
    until("the second run", || {
        let output = std::fs::read_to_string(&lines).unwrap_or_default();
        (output.lines().count() == 2).then_some(())
    });
    std::fs::remove_file(&hold).expect("exists");
    for job in [&running, &queued] {
        until("its end", || (status(&hub, job) == "succeeded").then_some(()));
    }
    assert_eq!(process.stop(), Some(0));
    hub.ok(&["backup", "restore", &backup, "--force", "--yes"]);
    let (process, _) = hub.serve(&["hub"], url.trim_start_matches("http://"));
    hub.wait_for_host("second", "paused");
    hub.ok(&["host", "resume", "second"]);
    for job in [&running, &queued] {
        until("its end after the restore", || (status(&hub, job) == "succeeded").then_some(()));
    }
    let output = std::fs::read_to_string(&lines).expect("exists");
    assert_eq!(output.lines().count(), 2, "finished jobs are not run again");
    assert_eq!((runner.stop(), process.stop()), (Some(0), Some(0)));
}

#[test]
fn restored_sqlite_hub_runs_no_job_twice() {
    restored(Kind::Sqlite);
}

#[test]
fn restored_postgres_hub_runs_no_job_twice() {
    restored(Kind::Postgres);
}

#[test]
fn backup_is_written_to_a_new_file_and_replaces_only_backups() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let home = Home::new(Kind::Sqlite);
    let (hub, _) = home.serve(&["hub"], "127.0.0.1:0");
    let backup = file(&home);
    let (partial, other) = (format!("{backup}.part"), home.path().join("other"));
    std::fs::write(&other, "keep").expect("writes");
    let keeps = || assert_eq!(std::fs::read_to_string(&other).expect("exists"), "keep");
    // In a shared folder another user has put a link at the path of the partial file.
    symlink(&other, &partial).expect("links");
    refused(&home, &["backup", "create", &backup], "folder_unusable");
    keeps();
    std::fs::remove_file(&partial).expect("removes");
    // The partial file of an interrupted backup is removed, not written to, although another link to it exists.
    std::fs::hard_link(&other, &partial).expect("links");
    home.ok(&["backup", "create", &backup]);
    keeps();
    assert!(!std::path::Path::new(&partial).exists());
    assert_eq!(std::fs::metadata(&backup).expect("exists").permissions().mode() & 0o777, 0o600);
    home.ok(&["backup", "create", &backup]);
    home.ok(&["backup", "verify", &backup]);
    // Anything else is not replaced.
    refused(&home, &["backup", "create", other.to_str().expect("text")], "is no backup");
    keeps();
    let link = home.path().join("link");
    symlink(&backup, &link).expect("links");
    refused(&home, &["backup", "create", link.to_str().expect("text")], "symbolic link");
    // A running backup keeps its partial file.
    let running = std::fs::File::create(&partial).expect("creates");
    running.lock().expect("locks");
    refused(&home, &["backup", "create", &backup], "a backup that is running");
    assert!(std::path::Path::new(&partial).exists());
    assert_eq!(hub.stop(), Some(0));
}
