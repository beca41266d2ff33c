//! The combinations of hub, runner and web UI in one process: each starts, serves its parts only, and stops cleanly.

use crate::hub::{Home, Kind, Process, ask, until};

/// Whether the web UI is served.
fn has_pages(url: &str) -> bool {
    let (status, body) = ask(url, "GET", "/", None, "");
    status == 200 && body.contains("<!doctype html>")
}

fn has_api(url: &str) -> bool {
    ask(url, "GET", "/api/v1/hub", None, "").0 == 200
}

/// Runs a job on this machine until it succeeds.
fn works(home: &Home) {
    assert!(home.ok(&["run", "hello", "--wait"]).contains("Hello, world!"));
    assert_eq!(home.json(&["ps"])[0]["status"], "succeeded");
}

#[test]
fn standalone_runner_runs_jobs_and_keeps_its_history() {
    let home = Home::new(Kind::Sqlite);
    let process = Process::start(&mut home.command(&["runner"]));
    process.wait_for("standalone mode");
    works(&home);
    let own = home.json(&["sync", "digest"]);
    assert_eq!(own.as_array().map(Vec::len), Some(9), "{own}");
    let refused = home.run(&["invite", "-o", "json"]);
    assert_eq!(refused.status.code(), Some(7), "a standalone runner accepts no other machines");
    assert_eq!(process.stop(), Some(0));
    assert!(!home.path().join("hub.sock").exists() && !home.path().join("hub.db").exists());
    let process = Process::start(&mut home.command(&["runner"]));
    process.wait_for("standalone mode");
    assert_eq!(home.json(&["ps"]).as_array().map(Vec::len), Some(1), "the history is kept across a restart");
    works(&home);
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn standalone_runner_serves_the_web_ui() {
    let home = Home::new(Kind::Sqlite);
    let process = Process::start(&mut home.command(&["runner", "--ui", "--listen", "127.0.0.1:0"]));
    let line = process.wait_for("listening");
    let url = line.split_whitespace().last().expect("an address").to_owned();
    process.wait_for("Sign in");
    works(&home);
    assert!(has_pages(&url) && has_api(&url));
    assert_eq!(ask(&url, "GET", "/api/v1/jobs", None, "").0, 401, "requests without credentials are rejected");
    assert_eq!(process.stop(), Some(0));
}

fn up_starts_hub_runner_and_web_ui(kind: Kind) {
    let home = Home::new(kind);
    let (process, url) = home.up(&[]);
    works(&home);
    assert!(has_pages(&url) && has_api(&url));
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn up_starts_hub_runner_and_web_ui_on_sqlite() {
    up_starts_hub_runner_and_web_ui(Kind::Sqlite);
}

#[test]
fn up_starts_hub_runner_and_web_ui_on_postgres() {
    up_starts_hub_runner_and_web_ui(Kind::Postgres);
}

fn a_hub(kind: Kind, args: &[&str], pages: bool) {
    let home = Home::new(kind);
    let (process, url) = home.serve(args, "127.0.0.1:0");
    assert!(has_api(&url));
    assert_eq!(has_pages(&url), pages);
    assert_eq!(home.json(&["host", "list"]), serde_json::json!([]), "the process has no runner");
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn hub_without_web_ui() {
    a_hub(Kind::Sqlite, &["hub"], false);
    a_hub(Kind::Postgres, &["hub"], false);
}

#[test]
fn hub_with_web_ui() {
    a_hub(Kind::Sqlite, &["hub", "--ui"], true);
    a_hub(Kind::Postgres, &["hub", "--ui"], true);
}

/// Starts the web UI on the database of another process; returns it with its address.
fn pages_over(home: &Home, database: &str) -> (Process, String) {
    let args = ["ui", "--database-url", database, "--listen", "127.0.0.1:0"];
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
    // A forwarded change is executed with the credentials of the request, not with those of the local socket.
    assert_eq!(ask(&url, "POST", "/api/v1/jobs", Some(&viewer), make).0, 403);
    assert_eq!(ask(&url, "POST", "/api/v1/jobs", None, make).0, 401, "the local socket's rights are not used");
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
        Kind::Postgres => assert_eq!(status, 201, "on PostgreSQL the web UI process is a hub itself: {answer}"),
    }
    let (status, jobs) = ask(&url, "GET", "/api/v1/jobs", Some(&token), "");
    assert!(status == 200 && jobs.contains("succeeded"), "existing jobs are still readable: {jobs}");
    assert_eq!(pages.stop(), Some(0));
}

#[test]
fn web_ui_on_the_sqlite_file_of_a_hub() {
    pages_over_a_hub(Kind::Sqlite);
}

#[test]
fn web_ui_on_the_postgres_of_a_hub() {
    pages_over_a_hub(Kind::Postgres);
}

#[test]
fn web_ui_on_the_database_of_a_runner() {
    let home = Home::new(Kind::Sqlite);
    let runner = Process::start(&mut home.command(&["runner"]));
    runner.wait_for("standalone mode");
    works(&home);
    let token =
        home.json(&["token", "create", "looker", "--role", "viewer"])["secret"].as_str().expect("one").to_owned();
    let (pages, url) = pages_over(&home, &format!("sqlite:{}", home.path().join("runner.db").display()));
    let (status, jobs) = ask(&url, "GET", "/api/v1/jobs", Some(&token), "");
    assert!(status == 200 && jobs.contains("succeeded"), "{jobs}");
    assert_eq!((runner.stop(), pages.stop()), (Some(0), Some(0)));
}
