//! What one process can be made of: each starts, serves what it should and nothing else, and stops cleanly.

use crate::hub::{Home, Kind, Process, ask, until};

/// Whether the pages are there.
fn has_pages(url: &str) -> bool {
    let (status, body) = ask(url, "GET", "/", None, "");
    status == 200 && body.contains("<!doctype html>")
}

fn has_api(url: &str) -> bool {
    ask(url, "GET", "/api/v1/hub", None, "").0 == 200
}

/// A job on this machine, from the command to its outcome.
fn works(home: &Home) {
    assert!(home.ok(&["run", "hello", "--wait"]).contains("Hello, world!"));
    assert_eq!(home.json(&["ps"])[0]["status"], "succeeded");
}

#[test]
fn a_runner_alone() {
    let home = Home::new(Kind::Sqlite);
    let process = Process::start(&mut home.command(&["runner"]));
    process.wait_for("works without a hub");
    works(&home);
    let own = home.json(&["sync", "digest"]);
    assert_eq!(own.as_array().map(Vec::len), Some(9), "{own}");
    let refused = home.run(&["invite", "-o", "json"]);
    assert_eq!(refused.status.code(), Some(7), "it takes no other machines");
    assert_eq!(process.stop(), Some(0));
    assert!(!home.path().join("hub.sock").exists() && !home.path().join("hub.db").exists());
    let process = Process::start(&mut home.command(&["runner"]));
    process.wait_for("works without a hub");
    assert_eq!(home.json(&["ps"]).as_array().map(Vec::len), Some(1), "its history is there after a restart");
    works(&home);
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn a_runner_with_pages() {
    let home = Home::new(Kind::Sqlite);
    let process = Process::start(&mut home.command(&["runner", "--supervisor", "--listen", "127.0.0.1:0"]));
    let line = process.wait_for("listening");
    let url = line.split_whitespace().last().expect("an address").to_owned();
    process.wait_for("Sign in");
    works(&home);
    assert!(has_pages(&url) && has_api(&url));
    assert_eq!(ask(&url, "GET", "/api/v1/jobs", None, "").0, 401, "nobody is let in without a name");
    assert_eq!(process.stop(), Some(0));
}

fn all_in_one(kind: Kind) {
    let home = Home::new(kind);
    let (process, url) = home.up(&[]);
    works(&home);
    assert!(has_pages(&url) && has_api(&url));
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn all_in_one_on_sqlite() {
    all_in_one(Kind::Sqlite);
}

#[test]
fn all_in_one_on_postgres() {
    all_in_one(Kind::Postgres);
}

fn a_hub(kind: Kind, args: &[&str], pages: bool) {
    let home = Home::new(kind);
    let (process, url) = home.serve(args, "127.0.0.1:0");
    assert!(has_api(&url));
    assert_eq!(has_pages(&url), pages);
    assert_eq!(home.json(&["host", "list"]), serde_json::json!([]), "no runner in it");
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn a_hub_alone() {
    a_hub(Kind::Sqlite, &["hub"], false);
    a_hub(Kind::Postgres, &["hub"], false);
}

#[test]
fn a_hub_with_pages() {
    a_hub(Kind::Sqlite, &["hub", "--supervisor"], true);
    a_hub(Kind::Postgres, &["hub", "--supervisor"], true);
}

/// A process that shows the database of another, and its address.
fn pages_over(home: &Home, database: &str) -> (Process, String) {
    let args = ["supervisor", "--database-url", database, "--listen", "127.0.0.1:0"];
    let process = Process::start(&mut home.command(&args));
    let line = process.wait_for("listening");
    process.wait_for("Sign in");
    (process, line.split_whitespace().last().expect("an address").to_owned())
}

fn pages_over_a_hub(kind: Kind) {
    let home = Home::new(kind);
    let (hub, _) = home.up(&[]);
    works(&home);
    let token =
        home.json(&["token", "create", "looker", "--role", "operator"])["secret"].as_str().expect("one").to_owned();
    let viewer =
        home.json(&["token", "create", "viewer", "--role", "viewer"])["secret"].as_str().expect("one").to_owned();
    let file = format!("sqlite:{}", home.path().join("hub.db").display());
    let database = home.database.clone().unwrap_or(file);
    let (pages, url) = pages_over(&home, &database);
    assert!(has_pages(&url) && has_api(&url));
    let (status, jobs) = ask(&url, "GET", "/api/v1/jobs", Some(&token), "");
    assert!(status == 200 && jobs.contains("\"definition_key\":\"hello\""), "{jobs}");
    let make = r#"{"definition_key": "hello"}"#;
    // A change reaches whoever does it, as the person who asked for it and nobody else.
    assert_eq!(ask(&url, "POST", "/api/v1/jobs", Some(&viewer), make).0, 403);
    assert_eq!(ask(&url, "POST", "/api/v1/jobs", None, make).0, 401, "the owner of the socket did not ask");
    let (status, made) = ask(&url, "POST", "/api/v1/jobs", Some(&token), make);
    assert_eq!(status, 201, "{made}");
    until("the job's end", || {
        let jobs = home.json(&["ps"]);
        let all = jobs.as_array().cloned().unwrap_or_default();
        (all.len() == 2 && all.iter().all(|job| job["status"] == "succeeded")).then_some(())
    });
    assert_eq!(hub.stop(), Some(0));
    let (status, answer) = ask(&url, "POST", "/api/v1/jobs", Some(&token), make);
    match kind {
        Kind::Sqlite => assert!(status == 503 && answer.contains("owner_not_running"), "{answer}"),
        Kind::Postgres => assert_eq!(status, 201, "PostgreSQL has room for any number of hubs: {answer}"),
    }
    let (status, jobs) = ask(&url, "GET", "/api/v1/jobs", Some(&token), "");
    assert!(status == 200 && jobs.contains("succeeded"), "what was there can still be read: {jobs}");
    assert_eq!(pages.stop(), Some(0));
}

#[test]
fn pages_over_a_hubs_sqlite() {
    pages_over_a_hub(Kind::Sqlite);
}

#[test]
fn pages_over_a_hubs_postgres() {
    pages_over_a_hub(Kind::Postgres);
}

#[test]
fn pages_over_a_runners_database() {
    let home = Home::new(Kind::Sqlite);
    let runner = Process::start(&mut home.command(&["runner"]));
    runner.wait_for("works without a hub");
    works(&home);
    let token =
        home.json(&["token", "create", "looker", "--role", "viewer"])["secret"].as_str().expect("one").to_owned();
    let (pages, url) = pages_over(&home, &format!("sqlite:{}", home.path().join("runner.db").display()));
    let (status, jobs) = ask(&url, "GET", "/api/v1/jobs", Some(&token), "");
    assert!(status == 200 && jobs.contains("succeeded"), "{jobs}");
    assert_eq!((runner.stop(), pages.stop()), (Some(0), Some(0)));
}
