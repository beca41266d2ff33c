//! Secrets of a run: present in its environment and nowhere else.

use std::path::Path;

use domain::{definition::Definition, job::RunStatus};
use proto::work::{Grant, Kept};
use serde_json::json;

use crate::standalone::{Machine, granted, script};

const TOKEN: &str = "correct-horse-battery";
const PIN: &str = "pin-of-kim";

/// A script that waits for a line and then prints its secrets.
fn talkative() -> (Definition, Grant) {
    let text = "echo ready; read go < \"$1\"; echo \"token $TOKEN pin $2\"; echo \"$TOKEN\" >&2
        printf '{\"seen\": [\"%s\", \"%s\"]}' \"$TOKEN\" \"$2\" > \"$HOSTLER_RESULT\"";
    let schema = json!({"type": "object", "required": ["pin", "fifo"], "properties": {"fifo": {"type": "string"}, "pin": {"type": "string", "writeOnly": true}}});
    let definition = script(text, &["{{ fifo }}", "{{ pin }}"], schema);
    let mut grant = granted(&definition, json!({"fifo": "", "pin": "•••"}));
    grant.secrets = Kept([("TOKEN".to_owned(), TOKEN.to_owned())].into());
    grant.hidden = Kept([("/pin".to_owned(), json!(PIN))].into());
    (definition, grant)
}

fn fifo(machine: &Machine) -> String {
    let path = machine.path("go");
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    path.display().to_string()
}

/// Whether a file of the runner's database contains a secret.
fn is_in_database(machine: &Machine) -> bool {
    let files = std::fs::read_dir(machine.home.path()).expect("a folder").flatten();
    let ours = files.filter(|file| file.file_name().to_string_lossy().starts_with("runner.db"));
    ours.into_iter().any(|file| {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        [TOKEN, PIN].iter().any(|value| bytes.windows(value.len()).any(|part| part == value.as_bytes()))
    })
}

/// The files below this folder that contain a secret.
fn contains_secret(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        if entry.file_type().expect("a type").is_dir() {
            found.extend(contains_secret(&entry.path()));
            continue;
        }
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        if [TOKEN, PIN].iter().any(|value| bytes.windows(value.len()).any(|part| part == value.as_bytes())) {
            found.push(entry.path());
        }
    }
    found
}

fn release(path: &str) {
    std::fs::write(Path::new(path), "go\n").expect("the script reads it");
}

async fn check(runner: &mut crate::standalone::Runner, machine: &Machine, grant: &Grant) {
    let result = runner.result().await;
    assert_eq!(result.status, RunStatus::Succeeded, "{result:?}");
    assert_eq!(result.output, Some(json!({"seen": ["•••", "•••"]})));
    assert_eq!(result.stderr_tail.as_deref().map(str::trim), Some("•••"));
    runner.until(|runner| runner.lines.len() >= 3).await;
    let output = runner.output();
    assert!(output.contains("token ••• pin •••") && !output.contains(TOKEN) && !output.contains(PIN), "{output}");
    assert!(!is_in_database(machine), "the database contains no secret");
    let kept = machine.path("runs").join(grant.run.to_string()).join("hidden.json");
    while kept.exists() {
        tokio::task::yield_now().await;
    }
    let raw = contains_secret(&machine.path("runs").join(grant.run.to_string()));
    assert_eq!(raw, Vec::<std::path::PathBuf>::new(), "the raw files are removed");
}

/// Lets the run of this grant end.
async fn let_end(grant: &Grant) {
    let path = grant.payload["fifo"].as_str().expect("a path").to_owned();
    tokio::task::spawn_blocking(move || release(&path)).await.expect("sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_masked_in_output_and_absent_from_the_database() {
    let machine = Machine::new();
    let mut runner = machine.start().await;
    let (definition, mut grant) = talkative();
    grant.payload["fifo"] = json!(fifo(&machine));
    runner.grant(&grant, &definition).await;
    runner.until(|runner| runner.output().contains("ready")).await;
    let_end(&grant).await;
    check(&mut runner, &machine, &grant).await;
    runner.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn output_of_an_adopted_run_is_redacted() {
    let machine = Machine::new();
    let mut first = machine.start().await;
    let (definition, mut grant) = talkative();
    grant.payload["fifo"] = json!(fifo(&machine));
    first.grant(&grant, &definition).await;
    first.until(|runner| runner.output().contains("ready")).await;
    first.stop().await;
    let mut second = machine.start().await;
    let_end(&grant).await;
    second.until(|runner| runner.lines.len() >= 2).await;
    second.lines.insert(0, second.lines[0].clone());
    check(&mut second, &machine, &grant).await;
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn output_of_a_run_that_ended_without_a_runner_is_redacted() {
    let machine = Machine::new();
    let mut first = machine.start().await;
    let (definition, mut grant) = talkative();
    grant.payload["fifo"] = json!(fifo(&machine));
    first.grant(&grant, &definition).await;
    first.until(|runner| runner.output().contains("ready")).await;
    first.stop().await;
    let_end(&grant).await;
    let exit = machine.path("runs").join(grant.run.to_string()).join("exit");
    while !std::fs::read_to_string(&exit).is_ok_and(|text| text.ends_with("end\n")) {
        tokio::task::yield_now().await;
    }
    let mut second = machine.start().await;
    second.until(|runner| runner.lines.len() >= 2).await;
    second.lines.insert(0, second.lines[0].clone());
    check(&mut second, &machine, &grant).await;
    second.stop().await;
}
