//! Progress reports of programs over the runner's socket.

use std::{os::unix::fs::PermissionsExt as _, path::Path};

use domain::{definition::Definition, job::RunStatus};
use proto::work::{Grant, Kept};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
};

use crate::standalone::{Machine, Runner, granted, script};

/// A script that prints its environment and then waits for a line from a named pipe.
fn waiting(machine: &Machine) -> (Definition, Grant) {
    let fifo = machine.path("go");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let text = "printf '%s' \"$HOSTLER_TOKEN\" > ../copied-token; echo \"at $HOSTLER_SOCKET as $HOSTLER_TOKEN\"; read go < \"$1\"";
    let schema = json!({"type": "object", "properties": {"fifo": {"type": "string"}}, "required": ["fifo"]});
    let definition = script(text, &["{{ fifo }}"], schema);
    let grant = granted(&definition, json!({"fifo": fifo.display().to_string()}));
    (definition, grant)
}

/// Sends a request as a program would. Returns status and error code.
async fn post(socket: &Path, path: &str, token: &str, body: &str) -> (u16, String) {
    let mut stream = UnixStream::connect(socket).await.expect("connected");
    let token = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
    let head = format!("POST {path} HTTP/1.1\r\nHost: runner\r\n{token}Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).await.expect("sends");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("answers");
    let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    let json: Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap_or_default()).unwrap_or_default();
    (status, json["code"].as_str().unwrap_or_default().to_owned())
}

async fn begun(machine: &Machine, runner: &mut Runner) -> (Grant, String) {
    let (definition, mut grant) = waiting(machine);
    grant.secrets = Kept([("PASS".to_owned(), "correct-horse".to_owned())].into());
    runner.grant(&grant, &definition).await;
    runner.until(|runner| runner.output().contains("at ")).await;
    let output = runner.output();
    assert!(output.contains("runner.sock as •••"), "the token is masked in the log: {output}");
    let token = std::fs::read_to_string(machine.path("runs").join(grant.run.to_string()).join("job/copied-token"))
        .expect("sent");
    (grant, token)
}

async fn end(machine: &Machine, runner: &mut Runner) {
    let fifo = machine.path("go");
    tokio::task::spawn_blocking(move || std::fs::write(fifo, "go\n").expect("it reads")).await.expect("sent");
    assert_eq!(runner.result().await.status, RunStatus::Succeeded);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn program_reports_progress_with_the_token_of_its_run() {
    let machine = Machine::new();
    let mut runner = machine.start().await;
    let (grant, token) = begun(&machine, &mut runner).await;
    let socket = machine.path("runner.sock");
    // Jobs of a runner of root may have other users.
    let mode = if crate::fixture::is_root() { 0o666 } else { 0o600 };
    assert_eq!(std::fs::metadata(&socket).expect("exists").permissions().mode() & 0o777, mode);
    let long = format!("{{\"percent\": 1, \"message\": \"{}\"}}", "x".repeat(20_000));
    let last = if token.ends_with('a') { 'b' } else { 'a' };
    let other = format!("{}{last}", &token[..token.len() - 1]);
    for (path, token, body, expected) in [
        ("/v1/progress", "", r#"{"percent": 1}"#, (401, "unauthenticated")),
        ("/v1/progress", "hst_nonsense", r#"{"percent": 1}"#, (401, "token_invalid")),
        ("/v1/progress", other.as_str(), r#"{"percent": 1}"#, (401, "token_invalid")),
        ("/v1/other", token.as_str(), r#"{"percent": 1}"#, (404, "unknown_route")),
        ("/v1/progress", token.as_str(), long.as_str(), (413, "body_too_large")),
        ("/v1/progress", token.as_str(), "{", (400, "malformed_request")),
        ("/v1/progress", token.as_str(), r#"{"percent": 101}"#, (422, "invalid_value")),
        ("/v1/progress", token.as_str(), r#"{"percent": 300}"#, (422, "invalid_value")),
        ("/v1/progress", token.as_str(), r#"{"percent": -1}"#, (422, "invalid_value")),
        ("/v1/progress", token.as_str(), r#"{"percent": "x"}"#, (422, "invalid_value")),
        ("/v1/progress", token.as_str(), r#"{"message": "x"}"#, (422, "invalid_value")),
    ] {
        let (status, code) = post(&socket, path, token, body).await;
        assert_eq!((status, code.as_str()), expected, "{path} {}", &body[..body.len().min(40)]);
    }
    for (percent, message) in [(41, "copying correct-horse"), (42, "more"), (43, "still"), (99, "almost")] {
        let body = json!({"percent": percent, "message": message}).to_string();
        assert_eq!(post(&socket, "/v1/progress", &token, &body).await.0, 204);
    }
    runner.until(|runner| runner.progress.iter().any(|frame| frame.percent == 99)).await;
    let first = &runner.progress[0];
    assert_eq!((first.job, first.fence, first.percent, first.message.as_str()), (grant.job, 1, 41, "copying •••"));
    assert_eq!(runner.progress.len(), 2, "at most once per second, and the last report is sent");
    end(&machine, &mut runner).await;
    assert_eq!(post(&socket, "/v1/progress", &token, r#"{"percent": 1}"#).await.0, 401, "the run has ended");
    runner.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adopted_run_keeps_its_token() {
    let machine = Machine::new();
    let mut first = machine.start().await;
    let (_, token) = begun(&machine, &mut first).await;
    first.stop().await;
    let mut second = machine.start().await;
    let socket = machine.path("runner.sock");
    assert_eq!(post(&socket, "/v1/progress", &token, r#"{"percent": 7, "message": "on"}"#).await.0, 204);
    second.until(|runner| !runner.progress.is_empty()).await;
    assert_eq!((second.progress[0].percent, second.progress[0].message.as_str()), (7, "on"));
    end(&machine, &mut second).await;
    second.stop().await;
}
