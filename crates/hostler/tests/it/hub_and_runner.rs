//! A hub and a runner with two data folders on one machine: join, restart, leave and trust.

use std::os::unix::process::CommandExt as _;

use nix::sys::signal::Signal;

use crate::hub::{HOSTLER, Home, Kind, Process, join, join_with};

fn runner_reports_online_and_offline(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = hub.up(&[]);
    let own = hub.json(&["host", "list"])[0]["name"].as_str().expect("this machine").to_owned();
    hub.ok(&["org", "set", "--offline-after", "2s"]);
    let machine = join(&hub, &url, "second");
    let runner = Process::start(&mut machine.command(&["runner"]));
    let seen = hub.wait_for_host("second", "online");
    hub.wait_for_host(&own, "online");
    // The first heartbeat is sent with the link, and it contains the metrics.
    let with_metrics = (0..100)
        .map(|_| hub.wait_for_host("second", "online"))
        .find(|host| host["last_metrics"]["memory_total_bytes"].as_u64() > Some(0));
    assert!(with_metrics.is_some(), "{seen}");

    assert_eq!(runner.stop(), Some(0), "a planned stop exits with 0");
    let gone = hub.wait_for_host("second", "offline");
    assert!(gone["status_reason"].as_str().is_some_and(|reason| reason.contains("the runner was stopped")), "{gone}");
    let runner = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("second", "online");

    let wait = runner.stop();
    assert_eq!(wait, Some(0));
    assert!(hub.ok(&["audit", "--action", "host.joined", "-o", "jsonl"]).lines().count() >= 2);
    hub.ok(&["audit", "verify"]);
    assert_eq!(process.stop(), Some(0));
}

#[test]
fn runner_reports_online_and_offline_on_sqlite() {
    runner_reports_online_and_offline(Kind::Sqlite);
}

#[test]
fn runner_reports_online_and_offline_on_postgres() {
    runner_reports_online_and_offline(Kind::Postgres);
}

/// The install command on a machine that has only a shell: it downloads hostler, joins the hub and starts the runner.
fn install_command_adds_a_host(kind: Kind) {
    let hub = Home::new(kind);
    let (_process, _url) = hub.up(&[]);
    let line = hub.json(&["invite"])["install"].as_str().expect("a line").to_owned();
    let machine = Home::new(Kind::Sqlite);
    let (bare, bin) = (machine.path().join("bare"), machine.path().join("bin"));
    let mut shell = std::process::Command::new("/bin/sh");
    shell
        .args(["-c", &line])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", &bare)
        .env("HOSTLER_HOME", &bare)
        .env("HOSTLER_BIN", &bin)
        .env("HOSTLER_SERVICE", "no")
        .env("HOSTLER_HOSTNAME", "bare")
        .env("HOSTLER_HEARTBEAT", "200ms");
    let runner = Process::start(shell.process_group(0));
    let _all = Group(runner.child.id());
    hub.wait_for_host("bare", "online");
    let output = hub.ok(&["run", "hello", "--on", "bare", "--wait"]);
    assert!(output.contains("This is bare."), "{output}");
    // A value that looks like a number stays a string where the definition requires one.
    let named = hub.ok(&["run", "hello", "name=98611964", "--on", "bare", "--wait"]);
    assert!(named.contains("Hello, 98611964!"), "{named}");
    let named = hub.ok(&["run", "hello", "name=true", "--on", "bare", "--wait"]);
    assert!(named.contains("Hello, true!"), "{named}");
    // The installed file is the hub's own executable.
    assert_eq!(std::fs::read(bin.join("hostler")).expect("exists"), std::fs::read(HOSTLER).expect("exists"));
    // The command is valid for one machine.
    let again = std::process::Command::new("/bin/sh").args(["-c", &line]).output().expect("it runs");
    assert!(!again.status.success());
    let output = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(output.contains("this join token is used up (1 of 1) (on the hub run: hostler invite)"), "{output}");
}

/// A process group that is killed when the test ends.
struct Group(u32);

impl Drop for Group {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.0).expect("a pid"));
        let _ = nix::sys::signal::killpg(pid, Signal::SIGKILL);
    }
}

#[test]
fn install_command_adds_a_host_on_sqlite() {
    install_command_adds_a_host(Kind::Sqlite);
}

#[test]
fn install_command_adds_a_host_on_postgres() {
    install_command_adds_a_host(Kind::Postgres);
}

#[test]
fn second_signal_ends_the_process_immediately() {
    use std::io::Write as _;
    let hub = Home::new(Kind::Sqlite);
    let (mut process, url) = hub.up(&[]);
    // The hub waits for this endless request after the first signal, so only the second signal can end the process.
    let mut held = std::net::TcpStream::connect(url.trim_start_matches("http://")).expect("connects");
    held.write_all(b"POST /api/v1/sign-in/device HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        .expect("sends");
    hub.ok(&["status"]);
    process.signal(Signal::SIGTERM);
    process.wait_for("a second signal ends the process");
    process.signal(Signal::SIGINT);
    assert_eq!(process.child.wait().expect("it ends").code(), Some(130));
    drop(held);
}

#[test]
fn killed_hub_restarts_with_its_hosts_and_address() {
    let hub = Home::new(Kind::Sqlite);
    let (process, url) = hub.up(&[]);
    let machine = join(&hub, &url, "second");
    let before = hub.json(&["host", "list"]);
    process.kill();
    let (_process, again) = hub.serve(&["up"], url.trim_start_matches("http://"));
    assert_eq!(again, url);
    let after = hub.json(&["host", "list"]);
    assert_eq!(
        before.as_array().map(Vec::len),
        after.as_array().map(Vec::len),
        "this machine did not join a second time"
    );
    let _runner = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("second", "online");
}

#[test]
fn leave_removes_the_host_and_the_identity() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    assert_eq!(hub.json(&["host", "list"]), serde_json::json!([]));
    let machine = join(&hub, &url, "guest");
    let again = machine.run(&["join", &url, "hsj_x"]);
    assert_eq!(again.status.code(), Some(7), "already joined");
    assert_eq!(machine.run(&["leave"]).status.code(), Some(2), "no terminal, no --yes");
    machine.ok(&["leave", "--yes"]);
    assert_eq!(hub.json(&["host", "list"]), serde_json::json!([]));
    assert!(!machine.path().join("runner.json").exists());
}

#[test]
fn host_with_local_trust_runs_only_its_catalogue() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let machine = join_with(&hub, &url, "wary", &["--trust", "local"]);
    std::fs::write(
        machine.path().join("catalogue.d/hello.toml"),
        "key = \"hello\"\nargv = [\"echo\", \"as I please\"]\narg_schema = { type = \"object\" }\n",
    )
    .expect("the folder exists");
    let _runner = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("wary", "online");
    assert_eq!(hub.json(&["host", "show", "wary"])["machine"]["trust"], "local");
    assert!(hub.ok(&["host", "show", "wary"]).contains("runs only the definitions in its catalogue.d"));
    assert!(hub.ok(&["run", "hello", "--on", "wary", "--wait"]).contains("as I please"));
    let other = serde_json::json!({"key": "other", "argv": ["true"], "max_attempts": 1}).to_string();
    std::fs::write(hub.path().join("other.json"), other).expect("writes");
    hub.ok(&["def", "apply", "-f", hub.path().join("other.json").to_str().expect("a path")]);
    let refused = hub.run(&["run", "other", "--on", "wary", "--wait"]);
    let output = format!("{}{}", String::from_utf8_lossy(&refused.stdout), String::from_utf8_lossy(&refused.stderr));
    assert!(
        !refused.status.success() && output.contains("this host runs only definitions from its catalogue.d"),
        "{output}"
    );
}
