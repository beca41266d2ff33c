//! Servers with real processes: a Redis server, crashes, killed runners, sleeping hosts.

use serde_json::Value;

use crate::hub::{Home, Kind, Process, join, until};

/// Settings that shorten alert evaluation and notification from minutes to milliseconds.
const SHORT: [(&str, &str); 2] = [("HOSTLER_ALERTS_EVERY", "300ms"), ("HOSTLER_GROUP_WAIT", "300ms")];

fn serve(hub: &Home) -> (Process, String) {
    let mut command = hub.command(&["hub", "--listen", "127.0.0.1:0"]);
    command.envs(SHORT);
    let process = Process::start(&mut command);
    let url = process.wait_for("listening").split_whitespace().last().expect("an address").to_owned();
    process.wait_for("Press Ctrl-C to stop");
    (process, url)
}

fn runner(machine: &Home) -> Process {
    let process = Process::start(&mut machine.command(&["runner"]));
    process.wait_for("host \"");
    process
}

/// Kills the remaining server processes of a machine when its test ends or fails, because they outlive the runner.
pub(crate) struct KillServersOnDrop<'h>(pub(crate) &'h Home);

impl Drop for KillServersOnDrop<'_> {
    fn drop(&mut self) {
        let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        for pid in folders.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
            let is_here =
                std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd.starts_with(self.0.path()));
            if is_here {
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL);
            }
        }
    }
}

fn server(hub: &Home, name: &str) -> Value {
    hub.json(&["server", "show", name])
}

fn is(hub: &Home, name: &str, state: &str) -> Value {
    until(&format!("{name} {state}"), || Some(server(hub, name)).filter(|server| server["state"] == state))
}

fn pid(server: &Value) -> i32 {
    i32::try_from(server["pid"].as_i64().expect("it has a process")).expect("a pid")
}

fn is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn signal(pid: i32, signal: nix::sys::signal::Signal) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), signal).expect("the process exists");
}

/// A port that is currently free.
fn free_port() -> String {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
    socket.local_addr().expect("an address").port().to_string()
}

/// The line of a server in `hostler server list`.
fn listed(hub: &Home, name: &str) -> String {
    let list = hub.ok(&["server", "list"]);
    list.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned()
}

fn jobs_start_restart_and_stop_a_server(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = serve(&hub);
    let machine = join(&hub, &url, "box");
    let _cleanup = KillServersOnDrop(&machine);
    let working = runner(&machine);
    hub.wait_for_host("box", "online");
    let port = free_port();
    let command = ["--", "redis-server", "--port", &port, "--save", ""];
    hub.ok(&[&["server", "create", "cache", "--on", "box", "--ready-tcp", &port], &command[..]].concat());
    assert!(listed(&hub, "cache").contains("stopped"));

    // Start: the command returns when the port accepts connections.
    hub.ok(&["server", "start", "cache"]);
    std::net::TcpStream::connect(format!("127.0.0.1:{port}")).expect("it is ready");
    let first = is(&hub, "cache", "running");
    assert!(is_alive(pid(&first)) && listed(&hub, "cache").contains("running"));
    assert!(hub.ok(&["server", "console", "cache"]).contains("Ready to accept connections"));

    // Restart: a new process runs and the first has ended.
    hub.ok(&["server", "restart", "cache"]);
    let second = is(&hub, "cache", "running");
    assert!(pid(&second) != pid(&first) && !is_alive(pid(&first)));

    // Crash: the restart policy starts it again.
    signal(pid(&second), nix::sys::signal::Signal::SIGKILL);
    let third = until("another process", || {
        Some(server(&hub, "cache")).filter(|now| now["state"] == "running" && now["pid"] != second["pid"])
    });
    assert_eq!(third["restarts"], 1);
    let runs = hub.json(&["server", "runs", "cache"]);
    assert_eq!((&runs[1]["status"], &runs[1]["signal"]), (&"failed".into(), &9.into()), "{runs}");

    // Stop: the process has ended and is not restarted.
    hub.ok(&["server", "stop", "cache"]);
    let stopped = is(&hub, "cache", "stopped");
    assert!(stopped["pid"].is_null() && !is_alive(pid(&third)) && listed(&hub, "cache").contains("stopped"));
    std::net::TcpStream::connect(format!("127.0.0.1:{port}")).expect_err("the port is closed");
    // Each command created a job.
    let jobs = hub.json(&["job", "list"]);
    let keys: Vec<&str> =
        jobs.as_array().expect("jobs").iter().filter_map(|job| job["definition_key"].as_str()).collect();
    assert_eq!(keys, ["SERVER_STOP", "SERVER_RESTART", "SERVER_START"]);
    assert_eq!(working.stop(), Some(0));
    assert_eq!(process.stop(), Some(0));
}

/// A server that prints a line with a number every few milliseconds.
const COUNTER: &str = "i=0; while :; do i=$((i+1)); echo line $i; sleep 0.02; done";

fn servers_outlive_their_runner(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = serve(&hub);
    let machine = join(&hub, &url, "box");
    let _cleanup = KillServersOnDrop(&machine);
    let mut working = runner(&machine);
    hub.wait_for_host("box", "online");
    let names: Vec<String> = (1..=5).map(|number| format!("counter-{number}")).collect();
    for name in &names {
        hub.ok(&["server", "create", name, "--on", "box", "--start", "--", "sh", "-c", COUNTER]);
    }
    let pids: Vec<i32> = names.iter().map(|name| pid(&is(&hub, name, "running"))).collect();
    for _ in 0..50 {
        working.kill();
        working = runner(&machine);
    }
    hub.wait_for_host("box", "online");
    for (name, before) in names.iter().zip(&pids) {
        let now = is(&hub, name, "running");
        assert_eq!((pid(&now), &now["restarts"], &now["run"]), (*before, &0.into(), &1.into()), "{name}");
    }
    // The console has every line exactly once.
    let lines = |name: &str| {
        let output = hub.ok(&["server", "console", name, "-n", "100000"]);
        output.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    for name in &names {
        let before = lines(name).len();
        let all = until("more lines", || Some(lines(name)).filter(|all| all.len() > before + 50));
        let expected: Vec<String> = (1..=all.len()).map(|number| format!("line {number}")).collect();
        assert_eq!(all, expected, "{name}");
    }
    for name in &names {
        hub.ok(&["server", "stop", name]);
    }
    assert!(pids.iter().all(|pid| !is_alive(*pid)), "no process is left");
    assert_eq!(working.stop(), Some(0));
    assert_eq!(process.stop(), Some(0));
}

fn jobs_for_a_sleeping_host_wait_for_its_return(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = serve(&hub);
    let machine = join(&hub, &url, "laptop");
    let _cleanup = KillServersOnDrop(&machine);
    hub.ok(&["host", "set", "laptop", "--always-on", "false"]);
    let soon = r#"{"offline_after_seconds": 2, "alert_after_seconds": 3}"#;
    hub.ok(&["api", "PATCH", "/api/v1/org", "--input", soon]);
    let working = runner(&machine);
    hub.wait_for_host("laptop", "online");
    for name in ["one", "two"] {
        hub.ok(&["server", "create", name, "--on", "laptop", "--", "sleep", "1000"]);
    }
    assert_eq!(working.stop(), Some(0));
    hub.wait_for_host("laptop", "asleep");
    let start = hub.ok(&["server", "start", "one", "--no-wait"]).trim().to_owned();
    let given_up = hub.ok(&["server", "start", "two", "--no-wait"]).trim().to_owned();
    let why = hub.ok(&["why", &start]);
    assert!(why.contains("laptop") && why.contains("asleep"), "{why}");
    let stop = hub.ok(&["server", "stop", "two", "--no-wait"]).trim().to_owned();
    let ended = hub.json(&["job", "show", &given_up]);
    assert_eq!((&ended["status"], &ended["end_reason"]), (&"canceled".into(), &"superseded".into()));
    assert_eq!(server(&hub, "one")["state"], "stopped");

    let working = runner(&machine);
    hub.wait_for_host("laptop", "online");
    until("the start", || (hub.json(&["job", "show", &start])["status"] == "succeeded").then_some(()));
    until("the stop", || (hub.json(&["job", "show", &stop])["status"] == "succeeded").then_some(()));
    is(&hub, "one", "running");
    let never = server(&hub, "two");
    assert_eq!((&never["state"], &never["run"]), (&"stopped".into(), &0.into()), "it never started");
    hub.ok(&["server", "stop", "one"]);
    assert_eq!(working.stop(), Some(0));
    assert_eq!(process.stop(), Some(0));
}

fn crash_loop_raises_one_alert_and_resolves_it(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = serve(&hub);
    let machine = join(&hub, &url, "box");
    let _cleanup = KillServersOnDrop(&machine);
    let working = runner(&machine);
    hub.wait_for_host("box", "online");
    let flag = machine.path().join("is-well").display().to_string();
    let script = format!("test -e {flag} || {{ echo the map is missing >&2; exit 7; }}; sleep 1000");
    let set = r#"{"restart": {"loop_after": 3, "cap_seconds": 1, "stable_seconds": 2}}"#;
    hub.ok(&["server", "create", "mc", "--on", "box", "--set", set, "--", "sh", "-c", &script]);
    let failed = hub.run(&["server", "start", "mc"]);
    let stderr = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(
        !failed.status.success() && stderr.contains("exited with code 7") && stderr.contains("the map is missing"),
        "{stderr}"
    );
    let looping = is(&hub, "mc", "crash_loop");
    assert!(looping["state_reason"].as_str().is_some_and(|why| why.contains("times in a row")), "{looping}");
    let alerts = || {
        let all = hub.json(&["api", "GET", "/api/v1/alerts?status=all"]);
        let items = all["items"].as_array().expect("items").clone();
        items.into_iter().filter(|alert| alert["kind"] == "crash_loop").collect::<Vec<_>>()
    };
    until("the alert", || alerts().iter().any(|alert| alert["status"] == "open").then_some(()));
    // After the repair the server is started again automatically, and the alert is resolved when it has stayed up.
    std::fs::write(&flag, "").expect("writes");
    is(&hub, "mc", "running");
    until("the end of the alert", || alerts().iter().all(|alert| alert["status"] == "resolved").then_some(()));
    assert_eq!(alerts().len(), 1, "the crash loop raised one alert");
    hub.ok(&["server", "stop", "mc"]);
    assert_eq!(working.stop(), Some(0));
    assert_eq!(process.stop(), Some(0));
}

/// Whether a process belongs to a machine's runner.
fn is_on(machine: &Home, pid: i32) -> bool {
    std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd.starts_with(machine.path()))
}

fn moved_server_never_runs_on_two_hosts(kind: Kind) {
    let hub = Home::new(kind);
    let (process, url) = serve(&hub);
    let (one, two) = (join(&hub, &url, "one"), join(&hub, &url, "two"));
    let (_first, _second) = (KillServersOnDrop(&one), KillServersOnDrop(&two));
    let (here, there) = (runner(&one), runner(&two));
    hub.wait_for_host("one", "online");
    hub.wait_for_host("two", "online");
    // The program holds a folder as a lock, so a second instance running at the same time fails.
    let taken = hub.path().join("taken");
    let alone = format!(
        "mkdir {0} || exit 9; trap 'rmdir {0}; exit 0' TERM; echo up; while :; do sleep 0.05; done",
        taken.display()
    );
    hub.ok(&["server", "create", "mc", "--on", "one", "--start", "--", "sh", "-c", &alone]);
    let first = pid(&is(&hub, "mc", "running"));
    assert!(is_on(&one, first));

    // Moved while running: stopped on the old host, started on the new one.
    hub.ok(&["server", "move", "mc", "--to", "two"]);
    let moved = until("runs on two", || {
        Some(server(&hub, "mc")).filter(|now| now["state"] == "running" && now["host"] == "two")
    });
    assert!(is_on(&two, pid(&moved)) && !is_alive(first));
    assert_eq!(moved["restarts"], 0, "{moved}");

    // Moved to an offline host: the server waits for it, and the old host does not run it meanwhile.
    assert_eq!(here.stop(), Some(0));
    hub.ok(&["server", "move", "mc", "--to", "one"]);
    until("let go", || (!is_alive(pid(&moved))).then_some(()));
    let back = runner(&one);
    let home = until("runs on one", || {
        Some(server(&hub, "mc")).filter(|now| now["state"] == "running" && now["host"] == "one")
    });
    assert!(is_on(&one, pid(&home)));
    let runs = hub.json(&["server", "runs", "mc"]);
    let hosts: Vec<&str> = runs.as_array().expect("runs").iter().filter_map(|run| run["host"].as_str()).collect();
    assert_eq!(hosts, ["one", "two", "one"], "{runs}");
    hub.ok(&["server", "stop", "mc"]);
    assert!(!taken.exists());
    assert_eq!((back.stop(), there.stop(), process.stop()), (Some(0), Some(0), Some(0)));
}

macro_rules! on_both {
    ($($test:ident => $sqlite:ident, $postgres:ident;)+) => { $(
        #[test]
        fn $sqlite() {
            $test(Kind::Sqlite);
        }

        #[test]
        fn $postgres() {
            $test(Kind::Postgres);
        }
    )+ };
}

on_both! {
    jobs_start_restart_and_stop_a_server => jobs_start_restart_and_stop_a_server_on_sqlite, jobs_start_restart_and_stop_a_server_on_postgres;
    servers_outlive_their_runner => servers_outlive_their_runner_on_sqlite, servers_outlive_their_runner_on_postgres;
    jobs_for_a_sleeping_host_wait_for_its_return => jobs_for_a_sleeping_host_wait_for_its_return_on_sqlite, jobs_for_a_sleeping_host_wait_for_its_return_on_postgres;
    crash_loop_raises_one_alert_and_resolves_it => crash_loop_raises_one_alert_and_resolves_it_on_sqlite, crash_loop_raises_one_alert_and_resolves_it_on_postgres;
    moved_server_never_runs_on_two_hosts => moved_server_never_runs_on_two_hosts_on_sqlite, moved_server_never_runs_on_two_hosts_on_postgres;
}

/// Whether the cgroup of a process has a memory limit.
fn has_memory_cap(pid: i32) -> bool {
    let groups = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).unwrap_or_default();
    let Some(group) = groups.lines().find_map(|line| line.strip_prefix("0::")) else { return false };
    ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].iter().any(|root| {
        std::fs::read_to_string(format!("{root}{group}/memory.max"))
            .is_ok_and(|text| text.trim().parse::<u64>().is_ok())
    })
}

/// Misbehaving servers and their expected state, with a hub and a runner in one process.
#[test]
fn misbehaving_servers_reach_a_defined_state() {
    let hub = Home::new(Kind::Sqlite);
    let _cleanup = KillServersOnDrop(&hub);
    let (process, _) = hub.up(&[]);
    let host = hub.ok(&["host", "list", "-o", "name"]).trim().to_owned();
    let refused = |name: &str, args: &[&str], reason: &str| {
        let tried = hub.run(&[&["server", "create", name, "--on", &host, "--start"], args].concat());
        let text = String::from_utf8_lossy(&tried.stderr).into_owned();
        assert!(!tried.status.success() && text.contains(reason), "{name}: {text}");
    };
    let never = ["--restart", "never"];
    refused("missing", &["--", "/no/such/program"], "cannot run /no/such/program");
    is(&hub, "missing", "failed");
    let folder = ["--folder", "/no/such/folder", "--", "sleep", "9"];
    refused("folder", &folder, "cannot enter the working directory /no/such/folder");
    refused("user", &["--user", "nobody-at-all", "--", "sleep", "9"], "no user");
    refused(
        "quits",
        &[&never[..], &["--", "sh", "-c", "echo cannot bind: Address in use >&2; exit 1"]].concat(),
        "Address in use",
    );
    is(&hub, "quits", "failed");
    let slow = ["--ready-tcp", "1", "--ready-within", "1s", "--restart", "never", "--", "sleep", "1000"];
    refused("never-ready", &slow, "not ready within 1 s");
    is(&hub, "never-ready", "failed");
    refused("daemon", &[&never[..], &["--", "sh", "-c", "setsid sleep 1000 & sleep 0.2"]].concat(), "foreground");
    is(&hub, "daemon", "failed");

    // Ignores its stop signal and its stop command: killed after both time limits.
    let deaf = "trap '' TERM; while :; do sleep 0.1; done";
    let stops = ["--set", r#"{"stop": {"command": "stop", "command_seconds": 1, "signal_seconds": 1}}"#];
    hub.ok(&[&["server", "create", "deaf", "--on", &host, "--start"], &stops[..], &["--", "sh", "-c", deaf]].concat());
    let was = pid(&is(&hub, "deaf", "running"));
    hub.ok(&["server", "stop", "deaf"]);
    assert!(!is_alive(was));
    // `server kill` during a long stop ends it immediately.
    let patient = ["--set", r#"{"stop": {"signal_seconds": 600}}"#];
    hub.ok(
        &[&["server", "create", "patient", "--on", &host, "--start"], &patient[..], &["--", "sh", "-c", deaf]].concat()
    );
    let was = pid(&is(&hub, "patient", "running"));
    hub.ok(&["server", "stop", "patient", "--no-wait"]);
    is(&hub, "patient", "stopping");
    hub.ok(&["server", "kill", "patient", "--yes"]);
    is(&hub, "patient", "stopped");
    assert!(!is_alive(was));
    // Stop while stopped, start while running, removal while running.
    hub.ok(&["server", "stop", "patient"]);
    hub.ok(&["server", "create", "plain", "--on", &host, "--start", "--", "cat"]);
    hub.ok(&["server", "start", "plain"]);
    hub.ok(&["server", "input", "plain", "hello", "there"]);
    until("its echo", || hub.ok(&["server", "console", "plain"]).contains("hello there").then_some(()));
    let was = pid(&server(&hub, "plain"));
    assert!(
        !hub.run(&["server", "rm", "plain", "--yes"]).status.success(),
        "a running server is not removed without --force"
    );
    hub.ok(&["server", "rm", "plain", "--force", "--yes"]);
    until("its end", || (!is_alive(was)).then_some(()));
    // The state reason names a limit that the machine cannot enforce, and only then.
    hub.ok(&["server", "create", "capped", "--on", &host, "--memory", "64", "--start", "--", "sleep", "1000"]);
    let capped = is(&hub, "capped", "running");
    let names_limit = capped["state_reason"].as_str().unwrap_or_default().contains("limits not enforced (memory)");
    assert_ne!(names_limit, has_memory_cap(pid(&capped)), "{capped}");
    hub.ok(&["server", "stop", "capped"]);
    // Endless output: the log is bounded, and a line marks the omitted part.
    let loud = ["--set", r#"{"log": {"bytes": 100000}}"#, "--", "sh", "-c", "yes abcdefghijklmnopqrstuvwxyz"];
    hub.ok(&[&["server", "create", "loud", "--on", &host, "--start"], &loud[..]].concat());
    until("the mark of omitted lines", || {
        hub.ok(&["server", "console", "loud", "-n", "100000"]).contains("left out").then_some(())
    });
    hub.ok(&["server", "stop", "loud"]);
    is(&hub, "loud", "stopped");
    assert_eq!(process.stop(), Some(0));
}

/// In standalone mode the same commands manage the machine's own servers, which outlive a killed runner.
#[test]
fn servers_in_standalone_mode_outlive_the_runner() {
    let machine = Home::new(Kind::Sqlite);
    let _cleanup = KillServersOnDrop(&machine);
    let working = runner(&machine);
    let host = machine.ok(&["host", "list", "-o", "name"]).trim().to_owned();
    machine.ok(&["server", "create", "mine", "--on", &host, "--start", "--", "sh", "-c", COUNTER]);
    let before = is(&machine, "mine", "running");
    working.kill();
    let working = runner(&machine);
    let after = is(&machine, "mine", "running");
    assert_eq!(pid(&before), pid(&after));
    until("output", || machine.ok(&["server", "console", "mine"]).contains("line ").then_some(()));
    machine.ok(&["server", "stop", "mine"]);
    assert!(!is_alive(pid(&after)));
    assert_eq!(working.stop(), Some(0));
}
