//! The example worker in Python, with a real hub.

use std::{
    process::{Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

use crate::hub::{Home, Kind, Process, file};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/worker.py");

fn has_python() -> bool {
    let version = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// Waits until a job has this status.
fn wait_for(hub: &Home, id: &str, status: &str) -> Value {
    let mut last = Value::Null;
    for _ in 0..600 {
        last = hub.json(&["job", "show", id]);
        if last["status"] == status {
            return last;
        }
        // The command line offers no event to wait for; each poll is a new process.
        #[expect(clippy::disallowed_methods, reason = "see above; bounded by a count")]
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{id} did not become {status}: {last}");
}

fn run(hub: &Home, payload: &Value) -> String {
    hub.ok(&["run", "echo", "--input", &payload.to_string(), "-o", "name"]).trim().to_owned()
}

#[test]
fn python_worker_runs_cancels_and_fails_jobs() {
    if !has_python() {
        println!("skipped: python3 is not installed; `make setup` installs it");
        return;
    }
    let hub = Home::new(Kind::Sqlite);
    let (_process, url) = hub.up(&[]);
    let definition = json!({
        "key": "echo", "argv": ["true"], "arg_schema": {"type": "object"}, "queue": "python", "max_attempts": 1,
    });
    std::fs::write(file(&hub, "echo.json"), definition.to_string()).expect("writes");
    hub.ok(&["def", "apply", "-f", file(&hub, "echo.json").to_str().expect("a path")]);
    let token = hub.ok(&["token", "create", "py", "--scope", "worker", "--queue", "python", "-o", "name"]);
    let before = run(&hub, &json!({"n": 1}));
    let worker = Process::start(
        Command::new("python3")
            .args([EXAMPLE, "python"])
            .env("HOSTLER_URL", &url)
            .env("HOSTLER_TOKEN", token.trim())
            .env("BEAT_SECONDS", "0.1"),
    );
    let done = wait_for(&hub, &before, "succeeded");
    assert_eq!(done["attempt_count"], 1);
    // From here on the worker waits for jobs.
    let failing = run(&hub, &json!({"fail": "no paper"}));
    assert_eq!(wait_for(&hub, &failing, "dead_letter")["last_error"], "ValueError: no paper");
    let long = run(&hub, &json!({"seconds": 600}));
    wait_for(&hub, &long, "running");
    hub.ok(&["cancel", &long, "--yes"]);
    assert_eq!(wait_for(&hub, &long, "canceled")["end_reason"], "asked");
    // After a forced cancel the worker's next heartbeat is rejected; it stops the job and takes the next one.
    let taken = run(&hub, &json!({"seconds": 600}));
    wait_for(&hub, &taken, "running");
    hub.ok(&["cancel", &taken, "--force", "--yes"]);
    worker.wait_for(&taken);
    assert_eq!(wait_for(&hub, &taken, "canceled")["end_reason"], "forced");
    let last = run(&hub, &json!({"n": 2}));
    wait_for(&hub, &last, "succeeded");
    let runs = hub.json(&["api", "GET", &format!("/api/v1/jobs/{last}/attempts")]);
    assert_eq!(runs["items"][0]["output"], json!({"echo": {"n": 2}}));
}
