//! Hosts that trust only themselves: no request of a hub runs a command there that the host does not allow, whichever
//! source says so.

use std::process::Output;

use serde_json::{Value, json};

use crate::{
    hub::{Home, Kind, Process, file, join, join_with, until},
    servers::KillServersOnDrop,
};

/// The source that says `local`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Flag,
    Setting,
    Environment,
}

fn everything(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs a command that must fail with this text.
fn refused(hub: &Home, args: &[&str], reason: &str) {
    let output = hub.run(args);
    let text = everything(&output);
    assert!(!output.status.success() && text.contains(reason), "{args:?}: {text}");
}

/// The process of a server, once it runs.
fn pid(hub: &Home, name: &str) -> Value {
    until(&format!("{name} runs"), || {
        let output = hub.run(&["server", "show", name, "-o", "json"]);
        let server: Value = serde_json::from_slice(&output.stdout).ok()?;
        (server["state"] == "running").then(|| server["pid"].clone())
    })
}

/// A machine on which `source` says `local`, and all other sources say `hub`.
fn machine(hub: &Home, url: &str, source: Source) -> (Home, Process) {
    let says = |own: Source| if source == own { "local" } else { "hub" };
    let machine = join_with(hub, url, "wary", &["--trust", says(Source::Flag)]);
    let (file, variable) = (says(Source::Setting), says(Source::Environment));
    std::fs::write(machine.path().join("hostler.toml"), format!("[runner]\ntrust = \"{file}\"\n")).expect("writes");
    let runner = Process::start(machine.command(&["runner"]).env("HOSTLER_TRUST", variable));
    runner.wait_for("host \"");
    hub.wait_for_host("wary", "online");
    (machine, runner)
}

fn host_that_trusts_only_itself_refuses_its_hub(kind: Kind, source: Source) {
    let hub = Home::new(kind);
    let (_process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let (machine, _runner) = machine(&hub, &url, source);
    let _cleanup = KillServersOnDrop(&machine);
    let proof = machine.path().join("proof");
    let touch = format!("touch {}", proof.display());
    assert_eq!(hub.json(&["host", "show", "wary"])["machine"]["trust"], "local");

    // The machine's owner starts a shell through the standalone hub; the joined hub gets a copy of the row.
    let own = machine.json(&["host", "list"])[0]["name"].as_str().expect("this machine").to_owned();
    machine.ok(&["server", "create", "own-sh", "--on", &own, "--start", "--", "/bin/sh"]);
    let first = pid(&hub, "own-sh");

    // Jobs, servers from the hub, input, kill, stop, restart.
    let job = json!({"key": "evil", "argv": ["/bin/sh", "-c", touch], "max_attempts": 1});
    std::fs::write(file(&hub, "evil.json"), job.to_string()).expect("writes");
    hub.ok(&["def", "apply", "-f", file(&hub, "evil.json").to_str().expect("a path")]);
    let run = ["run", "evil", "--on", "wary", "--wait"];
    refused(&hub, &run, "this host runs only definitions from its catalogue.d");
    let server = ["server", "create", "evil", "--on", "wary", "--start", "--", "/bin/sh", "-c", &touch];
    refused(&hub, &server, "accepts no servers");
    refused(&hub, &["server", "input", "own-sh", &touch], "operate = true");
    refused(&hub, &["server", "kill", "own-sh", "--yes"], "operate = true");
    refused(&hub, &["server", "stop", "own-sh"], "operate = true");
    refused(&hub, &["server", "restart", "own-sh"], "operate = true");
    assert_eq!(pid(&hub, "own-sh"), first, "the same process runs");
    assert_eq!(machine.json(&["server", "show", "own-sh"])["pid"], first);
    assert!(!proof.exists(), "the hub ran a command");

    // The catalogue allows this server, and no other one.
    std::fs::create_dir_all(machine.path().join("catalogue.d")).expect("a folder");
    let rule = "[[server]]\nserver = \"own-sh\"\noperate = true\n";
    std::fs::write(machine.path().join("catalogue.d/servers.toml"), rule).expect("writes");
    hub.ok(&["server", "input", "own-sh", &touch]);
    until("the line was executed", || proof.exists().then_some(()));
    hub.ok(&["server", "stop", "own-sh"]);
    refused(&hub, &run, "this host runs only definitions from its catalogue.d");
}

#[test]
fn host_joined_with_local_trust_refuses_its_hub() {
    host_that_trusts_only_itself_refuses_its_hub(Kind::Sqlite, Source::Flag);
}

#[test]
fn host_with_the_local_trust_setting_refuses_its_hub() {
    host_that_trusts_only_itself_refuses_its_hub(Kind::Postgres, Source::Setting);
}

#[test]
fn host_with_the_local_trust_variable_refuses_its_hub() {
    host_that_trusts_only_itself_refuses_its_hub(Kind::Sqlite, Source::Environment);
}

#[test]
fn servers_of_a_hub_end_when_the_host_stops_trusting_it() {
    let hub = Home::new(Kind::Sqlite);
    let (_process, url) = hub.serve(&["hub"], "127.0.0.1:0");
    let machine = join(&hub, &url, "wary");
    let _cleanup = KillServersOnDrop(&machine);
    let starts = machine.path().join("starts");
    let script = format!("echo started >> {}; exec sleep 1000", starts.display());
    let count = || std::fs::read_to_string(&starts).unwrap_or_default().lines().count();
    let trusting = Process::start(&mut machine.command(&["runner"]));
    hub.wait_for_host("wary", "online");
    hub.ok(&["server", "create", "sleeper", "--on", "wary", "--autostart", "--start", "--", "/bin/sh", "-c", &script]);
    let first = pid(&hub, "sleeper").as_i64().expect("a process");
    assert_eq!((trusting.stop(), count()), (Some(0), 1));

    let wary = Process::start(machine.command(&["runner"]).env("HOSTLER_TRUST", "local"));
    let stat = format!("/proc/{first}/stat");
    until("the hub's server has ended", || {
        let stat = std::fs::read_to_string(&stat).unwrap_or_default();
        (stat.is_empty() || stat.contains(") Z ")).then_some(())
    });
    until("the machine has no servers", || (machine.json(&["server", "list"]) == json!([])).then_some(()));
    assert_eq!((wary.stop(), count()), (Some(0), 1), "it was not started again");
}
