//! A hub's database out into a file and back, and from one database into another.

use serde_json::Value;

use crate::hub::{Home, Kind, Process, join};

fn file(home: &Home) -> String {
    home.path().join("hub.hostler").display().to_string()
}

fn refused(home: &Home, args: &[&str], code: &str) {
    let output = home.run(&[args, &["-o", "json"]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains(code), "{args:?}: {said}");
}

/// A hub that has done something, and what it shows of it.
fn lived_in(kind: Kind) -> (Home, Process, Value) {
    let home = Home::new(kind);
    let (hub, _) = home.up(&[]);
    home.ok(&["run", "hello", "--wait"]);
    home.ok(&["org", "set", "--timezone", "Europe/Berlin"]);
    let jobs = home.json(&["ps"]);
    (home, hub, jobs)
}

fn out_and_back(from: Kind, to: Kind) {
    let (home, hub, jobs) = lived_in(from);
    let backup = file(&home);
    home.ok(&["backup", "create", &backup]);
    home.ok(&["backup", "verify", &backup]);
    // Restored elsewhere, it is the same hub: same jobs, same people, same key.
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
    // What was cut off or changed is noticed before anything is touched.
    let whole = std::fs::read(&backup).expect("is there");
    for (name, bytes) in [("cut", &whole[..whole.len() / 2]), ("none", &b"hello"[..])] {
        let path = home.path().join(name).display().to_string();
        std::fs::write(&path, bytes).expect("writes");
        refused(&home, &["backup", "verify", &path], "backup_damaged");
        refused(&Home::new(Kind::Sqlite), &["backup", "restore", &path], "backup_damaged");
    }
}

#[test]
fn from_sqlite_out_and_into_postgres() {
    out_and_back(Kind::Sqlite, Kind::Postgres);
}

#[test]
fn from_postgres_out_and_into_sqlite() {
    out_and_back(Kind::Postgres, Kind::Sqlite);
}

#[test]
fn a_hub_moves_from_sqlite_to_postgres() {
    let (home, hub, jobs) = lived_in(Kind::Sqlite);
    let machine = {
        let url = home.json(&["host", "list"]);
        assert_eq!(url.as_array().map(Vec::len), Some(1));
        home.path().join("hub.db").display().to_string()
    };
    let (from, to) = (format!("sqlite:{machine}"), Home::new(Kind::Postgres));
    let target = to.database.clone().expect("postgres");
    refused(&home, &["db", "copy", "--from", &from, "--to", &target], "database_busy");
    assert_eq!(hub.stop(), Some(0));
    refused(&home, &["db", "copy", "--from", &from, "--to", &from], "itself");
    home.ok(&["db", "copy", "--from", &from, "--to", &target]);
    // A second time there is nothing left to do, and all of it is compared again.
    home.ok(&["db", "copy", "--from", &from, "--to", &target]);
    // After an interruption: some of the last rows are missing.
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(&target)).await.expect("opens");
        store.damage("delete from log_chunk").await.expect("damages");
        store.damage("delete from outcome").await.expect("damages");
        store.close().await;
    });
    home.ok(&["db", "copy", "--from", &from, "--to", &target]);
    let (moved, url) = to.serve(&["hub"], "127.0.0.1:0");
    assert_eq!(to.json(&["ps"]), jobs);
    let second = join(&to, &url, "second");
    assert!(second.path().join("runner.json").exists());
    assert_eq!(moved.stop(), Some(0));
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(&target)).await.expect("opens");
        store.damage("update org set name = 'other'").await.expect("damages");
        store.close().await;
    });
    refused(&home, &["db", "copy", "--from", &from, "--to", &target], "backup_damaged");
}
