//! A hub and a runner behind PgBouncer in transaction mode.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::{block_on, pgbouncer::PgBouncer};

use crate::hub::{Home, Kind, Process, ask, file, join, until};

/// Jobs in each round.
const JOBS: usize = 20;
/// Jobs in an array that is long enough to be written in parts.
const LONG_ARRAY: usize = 1_100;

/// Creates jobs of a definition in one request.
fn create_jobs(hub: &Home, definition: &str) {
    let jobs = vec![json!({"definition_key": definition}); JOBS];
    let created = hub.ok(&["api", "POST", "/api/v1/jobs", "--input", &Value::from(jobs).to_string()]);
    let created: Value = serde_json::from_str(&created).expect("JSON");
    assert_eq!(created["created"], JOBS, "{created}");
}

/// Waits until this number of jobs has this status, each in its first run.
fn wait_for_jobs(hub: &Home, count: usize, status: &str) {
    until(&format!("{count} jobs {status}"), || {
        let page: Value = serde_json::from_str(&hub.ok(&["api", "GET", "/api/v1/jobs?limit=1000"])).expect("JSON");
        let jobs = page["items"].as_array().expect("a list");
        assert!(jobs.iter().all(|job| job["attempt_count"].as_i64() <= Some(1)), "a job ran twice: {page}");
        (jobs.iter().filter(|job| job["status"] == status).count() == count).then_some(())
    });
}

/// A definition whose runs wait for a file, and write a line at their end.
struct GatedRuns {
    name: &'static str,
    gate: PathBuf,
    ends: PathBuf,
}

impl GatedRuns {
    /// Creates the definition, and starts its runs.
    fn start(hub: &Home, name: &'static str) -> Self {
        // In the folder of the hub: runs do not see the folder of their runner.
        let runs = Self { name, gate: file(hub, &format!("{name}-gate")), ends: file(hub, &format!("{name}-ends")) };
        let script = "until [ -e \"$1\" ]; do sleep 0.05; done; echo end >> \"$2\"";
        let text = |path: &Path| path.to_str().expect("a path").to_owned();
        let argv = json!(["sh", "-c", script, "sh", text(&runs.gate), text(&runs.ends)]);
        let definition = file(hub, "definition.json");
        std::fs::write(&definition, json!({"key": name, "argv": argv, "max_attempts": 1}).to_string()).expect("writes");
        hub.ok(&["def", "apply", "-f", &text(&definition)]);
        create_jobs(hub, name);
        wait_for_jobs(hub, JOBS, "running");
        runs
    }

    /// Lets all runs end.
    fn end(&self) {
        std::fs::write(&self.gate, "").expect("writes");
        let lines = || std::fs::read_to_string(&self.ends).unwrap_or_default().lines().count();
        until(&format!("{}: the end of all runs", self.name), || (lines() == JOBS).then_some(()));
    }
}

fn jobs_run_through_outages_of_the_pooler(server_connections: u32) {
    let hub = Home::new(Kind::Postgres);
    let mut pooler = PgBouncer::start(hub.database.as_deref().expect("a URL"), server_connections);
    let database = format!("{}?pooler=transaction", pooler.url());
    let (process, url) = hub.serve(&["hub", "--database-url", &database], "127.0.0.1:0");
    let machine = join(&hub, &url, "worker");
    let runner = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("worker", "online");
    hub.ok(&["host", "set", "worker", "--max-running", "20"]);
    create_jobs(&hub, "hello");
    wait_for_jobs(&hub, JOBS, "succeeded");

    let runs = GatedRuns::start(&hub, "paused");
    block_on(pooler.pause());
    runs.end();
    until("clients that wait", || (block_on(pooler.waiting_clients()) > 0).then_some(()));
    block_on(pooler.resume());
    wait_for_jobs(&hub, 2 * JOBS, "succeeded");

    let runs = GatedRuns::start(&hub, "killed");
    pooler.kill();
    runs.end();
    until("the hub to notice", || (ask(&url, "GET", "/readyz", None, "").0 == 503).then_some(()));
    pooler.start_again();
    until("the hub to recover", || (ask(&url, "GET", "/readyz", None, "").0 == 200).then_some(()));
    wait_for_jobs(&hub, 3 * JOBS, "succeeded");

    let runs = GatedRuns::start(&hub, "restarted");
    block_on(pooler.restart());
    runs.end();
    wait_for_jobs(&hub, 4 * JOBS, "succeeded");
    create_jobs(&hub, "hello");
    wait_for_jobs(&hub, 5 * JOBS, "succeeded");
    // A long array of a definition that the hub has not read yet.
    let jobs = vec![json!({"definition_key": "sleep", "target": {"queue": "unserved"}}); LONG_ARRAY];
    let created = hub.ok(&["api", "POST", "/api/v1/jobs", "--input", &Value::from(jobs).to_string()]);
    let created: Value = serde_json::from_str(&created).expect("JSON");
    assert_eq!(created["created"], LONG_ARRAY, "{created}");
    assert_eq!(runner.stop(), Some(0));
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn jobs_run_through_outages_of_a_pooler() {
    jobs_run_through_outages_of_the_pooler(3);
}

#[test]
fn jobs_run_through_outages_of_a_pooler_with_one_server_connection() {
    jobs_run_through_outages_of_the_pooler(1);
}

#[test]
fn hub_names_the_missing_parameter_for_a_pooler() {
    let hub = Home::new(Kind::Postgres);
    let pooler = PgBouncer::start(hub.database.as_deref().expect("a URL"), 1);
    let noticed =
        Process::start(&mut hub.command(&["hub", "--database-url", &pooler.url(), "--listen", "127.0.0.1:0"]));
    noticed.wait_for("add ?pooler=transaction to the database address");
    drop(noticed);

    let strict = PgBouncer::start_strict(hub.database.as_deref().expect("a URL"));
    let rejected = hub.run(&["hub", "--database-url", &strict.url(), "--listen", "127.0.0.1:0"]);
    let stderr = String::from_utf8_lossy(&rejected.stderr);
    assert!(
        !rejected.status.success() && stderr.contains("add ?pooler=transaction to the database address"),
        "{stderr}"
    );
}
