//! Invalid input and broken environments: each has its own message, error code and exit status, and changes nothing.

use std::{fs, net::TcpListener, os::unix::fs::PermissionsExt as _, process::Output};

use serde_json::Value;

use crate::hub::{Home, Kind, file, join};

/// The problem document that a command with `-o json` printed.
fn problem(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().rev().find(|line| line.starts_with('{')).unwrap_or_else(|| panic!("no problem in: {text}"));
    serde_json::from_str(line).expect("JSON")
}

fn ends(output: &Output, exit: i32, code: &str, says: &str) {
    let problem = problem(output);
    assert_eq!((output.status.code(), problem["code"].as_str()), (Some(exit), Some(code)), "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains(says)), "{problem}");
    let shows_how = problem["detail"].as_str().is_some_and(|detail| detail.contains("(write "));
    assert!(shows_how || problem["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "no hint: {problem}");
    assert!(output.stdout.is_empty(), "stdout carries only results");
}

#[test]
fn join_rejects_wrong_tokens_hubs_and_addresses() {
    let (hub, other) = (Home::new(Kind::Sqlite), Home::new(Kind::Sqlite));
    let (_one, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let (_two, other_url) = other.serve(&["hub"], "127.0.0.1:0");
    let machine = Home::new(Kind::Sqlite);
    let attempt = |url: &str, token: &str| machine.run(&["join", url, token, "-o", "json"]);
    ends(&attempt(&url, "hsj_mistyped"), 4, "join_token_invalid", "mistyped");
    let token = hub.ok(&["invite", "-o", "name"]);
    ends(&attempt(&other_url, token.trim()), 4, "hub_key_mismatch", "does not have the expected key");
    ends(&attempt("http://127.0.0.1:1", token.trim()), 8, "hub_unreachable", "cannot reach the hub");
    ends(&attempt("127.0.0.1:7411", token.trim()), 2, "invalid_value", "not the address of a hub");
    assert!(!file(&machine, "runner.json").exists(), "nothing was changed");
    assert_eq!(hub.json(&["host", "list"]), serde_json::json!([]));
    machine.ok(&["join", &url, token.trim()]);
    ends(&attempt(&url, token.trim()), 7, "already_joined", "already host");
    let late = Home::new(Kind::Sqlite);
    ends(&late.run(&["join", &url, token.trim(), "-o", "json"]), 4, "join_token_used", "used up");
}

#[test]
fn join_over_tls_pins_the_hub_key() {
    let hub = Home::new(Kind::Sqlite);
    // On loopback the runner uses plain HTTP unless the URL says `https`.
    let (_process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let https = url.replace("http://", "https://");
    let token = hub.ok(&["invite", "-o", "name"]);
    let machine = Home::new(Kind::Sqlite);
    machine.ok(&["join", &https, token.trim(), "--name", "pinned"]);
    assert_eq!(hub.json(&["host", "list"])[0]["name"], "pinned");
}

#[test]
fn hub_start_fails_on_bad_port_settings_and_folder() {
    let home = Home::new(Kind::Sqlite);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    ends(&home.run(&["up", "--listen", &address, "-o", "json"]), 1, "port_taken", "is already in use");
    ends(
        &home.run(&["up", "--listen", "nonsense", "-o", "json"]),
        2,
        "config_invalid",
        "not an IP address with a port",
    );
    ends(&home.run(&["hub", "--database-url", "mysql://x", "-o", "json"]), 2, "config_invalid", "database address");
    ends(
        &home.run(&["hub", "--listen", "127.0.0.1:0", "--database-url", "postgres://127.0.0.1:1/x", "-o", "json"]),
        8,
        "database_down",
        "does not answer",
    );

    fs::write(file(&home, "hostler.toml"), "[hub]\nlisten_on = \"x\"\n").expect("writes");
    ends(&home.run(&["up", "-o", "json"]), 2, "config_invalid", "hub.listen_on");
    ends(&home.run(&["config", "check", "-o", "json"]), 2, "config_invalid", "hub.listen_on");
    fs::remove_file(file(&home, "hostler.toml")).expect("removes");

    let not_a_folder = file(&home, "file");
    fs::write(&not_a_folder, "x").expect("writes");
    let unusable =
        home.command(&["up", "-o", "json"]).env("HOSTLER_HOME", not_a_folder.join("home")).output().expect("runs");
    ends(&unusable, 1, "folder_unusable", "data folder");
    if !nix::unistd::geteuid().is_root() {
        let locked = file(&home, "locked");
        fs::create_dir(&locked).expect("makes");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("locks");
        ends(
            &home.command(&["up", "-o", "json"]).env("HOSTLER_HOME", &locked).output().expect("runs"),
            1,
            "folder_unusable",
            "data folder",
        );
    }
}

#[test]
fn second_hub_on_one_folder_and_newer_database_are_rejected() {
    let home = Home::new(Kind::Sqlite);
    let (process, _) = home.serve(&["hub"], "127.0.0.1:0");
    ends(
        &home.run(&["hub", "--listen", "127.0.0.1:0", "-o", "json"]),
        1,
        "database_busy",
        "another hub or runner uses",
    );
    assert_eq!(home.json(&["status"])["org"], "default", "the first hub is still running");
    assert_eq!(process.stop(), Some(0));
    newer(&format!("sqlite:{}", file(&home, "hub.db").display()));
    ends(&home.run(&["hub", "--listen", "127.0.0.1:0", "-o", "json"]), 9, "database_newer", "schema 9999");
}

#[test]
fn two_hubs_share_a_postgres_and_a_newer_schema_is_rejected() {
    let home = Home::new(Kind::Postgres);
    let (one, url) = home.serve(&["hub"], "127.0.0.1:0");
    let mut twin = Home::new(Kind::Sqlite);
    twin.database = home.database.clone();
    let (two, other_url) = twin.serve(&["hub"], "127.0.0.1:0");
    assert_ne!(url, other_url);
    // Both hubs have one identity: a join token of one is valid at the other.
    let machine = Home::new(Kind::Sqlite);
    machine.ok(&["join", &other_url, home.ok(&["invite", "-o", "name"]).trim(), "--name", "shared"]);
    assert_eq!(home.json(&["host", "list"])[0]["name"], "shared");
    drop((one, two));
    newer(home.database.as_deref().expect("postgres"));
    ends(&home.run(&["hub", "--listen", "127.0.0.1:0", "-o", "json"]), 9, "database_newer", "schema 9999");
}

fn newer(url: &str) {
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(url)).await.expect("opens");
        store.execute_raw("update _sqlx_migrations set version = 9999 where version = (select max(version) from _sqlx_migrations)").await.expect("damages");
        store.close().await;
    });
}

fn tampered(kind: Kind) {
    let home = Home::new(kind);
    let (process, url) = home.serve(&["hub"], "127.0.0.1:0");
    for name in ["a", "b", "c"] {
        join(&home, &url, name);
    }
    // All entries are sealed within seconds. Each check is a process of its own.
    let sealed = (0..2_000)
        .map(|_| home.json(&["audit", "verify"]))
        .find(|verdict| verdict["unsealed"] == 0 && verdict["sealed"].as_i64() > Some(5));
    assert!(sealed.is_some_and(|verdict| verdict["is_intact"] == true));
    assert_eq!(process.stop(), Some(0));
    let database = home.database.clone().unwrap_or_else(|| format!("sqlite:{}", file(&home, "hub.db").display()));
    testkit::block_on(async {
        let store = store::Store::open(&store::Options::new(database)).await.expect("opens");
        assert_eq!(
            store
                .execute_raw("update audit set actor_name = 'eve' where number = 2 and org_id is not null")
                .await
                .expect("damages"),
            1
        );
        store.close().await;
    });
    let (_process, _) = home.serve(&["hub"], "127.0.0.1:0");
    let red = home.run(&["audit", "verify"]);
    assert_eq!(red.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&red.stderr).contains("was altered after it was sealed"), "{red:?}");
}

#[test]
fn audit_verify_finds_an_altered_entry_on_sqlite() {
    tampered(Kind::Sqlite);
}

#[test]
fn audit_verify_finds_an_altered_entry_on_postgres() {
    tampered(Kind::Postgres);
}

#[test]
fn unknown_names_and_unreachable_hubs_are_explained() {
    let home = Home::new(Kind::Sqlite);
    let (_process, url) = home.serve(&["hub"], "127.0.0.1:0");
    ends(&home.run(&["host", "show", "nothing", "-o", "json"]), 6, "not_found", "no host `nothing`");
    ends(&home.run(&["why", "01K4ZNOTHING", "-o", "json"]), 6, "not_found", "no job `01K4ZNOTHING`");
    ends(&home.run(&["def", "show", "nothing", "-o", "json"]), 6, "not_found", "no definition `nothing`");
    ends(&home.run(&["sync", "digest", "nothing", "-o", "json"]), 6, "not_found", "no host `nothing`");
    ends(&home.run(&["host", "list", "--org", "elsewhere", "-o", "json"]), 6, "not_found", "no org `elsewhere`");
    ends(&home.run(&["host", "list", "-l", "env in prod", "-o", "json"]), 2, "invalid_value", "selector");
    ends(
        &home.run(&["host", "list", "--hub", "http://127.0.0.1:1", "-o", "json"]),
        8,
        "hub_unreachable",
        "cannot reach",
    );
    ends(&home.run(&["host", "list", "--hub", &url, "-o", "json"]), 4, "unauthenticated", "you are not signed in");
    ends(
        &home.run(&["host", "list", "--hub", &url, "--api-token", "hst_nonsense", "-o", "json"]),
        4,
        "token_invalid",
        "unknown to this hub",
    );
    ends(&home.run(&["org", "set", "--timezone", "Mars/Olympus", "-o", "json"]), 2, "invalid_value", "not a time zone");
    ends(
        &Home::new(Kind::Sqlite).run(&["status", "-o", "json"]),
        8,
        "hub_unreachable",
        "no hub is running on this machine",
    );
    ends(&home.run(&["ui", "--database-url", "sqlite:x", "-o", "json"]), 1, "folder_unusable", "no database");
    for (args, part) in [
        (&["tail", "--cursor", "now"][..], "a cursor is the number of an event"),
        (&["progress", "500"], "a whole number from 0 to 100"),
        (&["maintenance", "add", "--label", "x"], "--until"),
        (&["maintenance", "add", "--label", "x", "--for", "1h"], "--for needs --cron"),
        (&["maintenance", "add", "--label", "x", "--cron", "0 2 * * 0"], "--cron needs --for"),
    ] {
        let output = home.run(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && stderr.contains(part), "{args:?}: {stderr}");
    }
    let text = home.run(&["host", "show", "nothing"]);
    let stderr = String::from_utf8_lossy(&text.stderr);
    assert!(stderr.starts_with("error: there is no host `nothing`\n  `hostler host list` lists the hosts"), "{stderr}");
}

#[test]
fn hub_start_on_a_full_disk_reports_disk_full() {
    // A file system of one megabyte, which only root can mount.
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let home = Home::new(Kind::Sqlite);
    let small = file(&home, "small");
    fs::create_dir(&small).expect("makes");
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(&small)
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        return;
    }
    fs::write(small.join("filler"), vec![0_u8; 1024 * 1024]).unwrap_or_default();
    let full = home
        .command(&["hub", "--listen", "127.0.0.1:0", "-o", "json"])
        .env("HOSTLER_HOME", &small)
        .output()
        .expect("runs");
    let _ = std::process::Command::new("umount").arg(&small).status();
    ends(&full, 1, "disk_full", "");
}
