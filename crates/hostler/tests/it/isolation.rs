//! Isolation of jobs from the data folder and the local socket: as root, as an ordinary user, as another user, and
//! without a mount namespace.

use std::{
    os::unix::{
        fs::{PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::hub::{HOSTLER, Process, until};

/// The ordinary user of these tests.
const NOBODY: u32 = 65_534;

/// A machine whose data folder is below the home folder of its user, as by default.
struct Machine {
    root: TempDir,
    uid: u32,
    settings: Vec<(&'static str, &'static str)>,
}

impl Machine {
    fn new(uid: u32) -> Self {
        let machine = Self { root: TempDir::new().expect("a folder"), uid, settings: Vec::new() };
        std::fs::set_permissions(machine.root.path(), std::fs::Permissions::from_mode(0o755)).expect("own folder");
        let mut folder = machine.root.path().to_owned();
        for name in ["user", ".local", "share", "hostler"] {
            folder.push(name);
            std::fs::create_dir(&folder).expect("makes");
            if own_uid() == 0 {
                chown(&folder, Some(uid), Some(uid)).expect("allowed");
            }
        }
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700)).expect("own folder");
        machine
    }

    fn user_folder(&self) -> PathBuf {
        self.root.path().join("user")
    }

    fn data(&self) -> PathBuf {
        self.user_folder().join(".local/share/hostler")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(HOSTLER);
        command.args(args).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.user_folder());
        command.env("HOSTLER_HOME", self.data()).envs(self.settings.iter().copied()).current_dir("/");
        if self.uid != own_uid() {
            command.uid(self.uid).gid(self.uid);
        }
        command
    }

    fn up(&self) -> Process {
        let process = Process::start(&mut self.command(&["up", "--listen", "127.0.0.1:0"]));
        process.wait_for("Press Ctrl-C to stop");
        process
    }

    fn run(&self, args: &[&str]) -> (bool, String) {
        let output = self.command(args).stdin(Stdio::null()).output().expect("runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&text).into_owned())
    }

    fn ok(&self, args: &[&str]) -> String {
        let (is_good, text) = self.run(args);
        assert!(is_good, "{args:?}: {text}");
        text
    }

    fn define(&self, key: &str, script: &str, more: &Value) {
        let mut definition = json!({"key": key, "argv": ["/bin/sh", "-c", script], "max_attempts": 1});
        for (name, value) in more.as_object().into_iter().flatten() {
            definition[name] = value.clone();
        }
        let file = self.root.path().join(format!("{key}.json"));
        std::fs::write(&file, definition.to_string()).expect("writes");
        self.ok(&["def", "apply", "-f", text(&file)]);
    }

    /// Runs a script as a job and returns its output.
    fn job(&self, key: &str, script: &str, more: &Value) -> String {
        self.define(key, script, more);
        self.ok(&["run", key, "--wait"])
    }

    fn json(&self, args: &[&str]) -> Value {
        let output = self.command(args).stdin(Stdio::null()).output().expect("runs");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {output:?}"))
    }

    /// The runs of the newest job of this definition.
    fn attempts(&self, key: &str) -> Value {
        let jobs = self.json(&["api", "GET", "/api/v1/jobs?limit=50"]);
        let job = jobs["items"].as_array().into_iter().flatten().find(|job| job["definition_key"] == key);
        let id = job.and_then(|job| job["id"].as_str()).unwrap_or_else(|| panic!("no job of {key}: {jobs}"));
        self.json(&["api", "GET", &format!("/api/v1/jobs/{id}/attempts")])
    }

    fn doctor(&self, check: &str) -> Value {
        let checks = self.json(&["doctor", "-o", "json"]);
        let found = checks.as_array().into_iter().flatten().find(|row| row["check"] == check).cloned();
        found.unwrap_or_else(|| panic!("no check {check}: {checks}"))
    }
}

fn own_uid() -> u32 {
    nix::unistd::geteuid().as_raw()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Whether this test can start processes of another user; prints why it is skipped otherwise.
fn is_root(test: &str) -> bool {
    if own_uid() != 0 {
        println!("skipped: {test} needs root");
    }
    own_uid() == 0
}

/// The users to test with: the own one, and an ordinary one if the tests run as root.
fn users() -> Vec<u32> {
    if own_uid() == 0 { vec![0, NOBODY] } else { vec![own_uid()] }
}

/// A shell function that prints whether a command succeeds.
const ATTEMPT: &str = r#"attempt() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "$name allowed"; else echo "$name refused"; fi; }; "#;

fn is_isolation_offered(machine: &Machine) -> bool {
    let row = machine.doctor("isolation");
    let is_full = row["result"] == "ok";
    if !is_full {
        println!("skipped: this machine does not offer full isolation: {row}");
    }
    is_full
}

#[test]
fn job_reaches_neither_socket_nor_keys_nor_other_runs() {
    for uid in users() {
        let machine = Machine::new(uid);
        let process = machine.up();
        if !is_isolation_offered(&machine) {
            continue;
        }
        let (data, pid) = (machine.data(), process.child.id());
        let data = text(&data);
        std::fs::write(machine.root.path().join("value"), "correct horse\n").expect("writes");
        let value = std::fs::File::open(machine.root.path().join("value")).expect("opens");
        let set = machine.command(&["secret", "set", "PASSWORD"]).stdin(value).output().expect("runs");
        assert!(set.status.success(), "{set:?}");
        machine.ok(&["org", "create", "beta"]);
        let host = machine.ok(&["host", "list", "-o", "name"]);
        machine.ok(&["host", "share", host.trim(), "--org", "beta"]);
        machine.ok(&["host", "set", host.trim(), "--max-running", "4"]);
        let sleeping = machine.ok(&["run", "sleep", "seconds:=600", "--org", "beta", "-o", "name"]);
        let other = until("the run of the other org", || {
            let runs = std::fs::read_dir(machine.data().join("runs")).ok()?.flatten();
            runs.map(|entry| entry.path()).find(|path| path.join("started").exists())
        });
        let script = format!(
            "{ATTEMPT}
            attempt socket curl -sS --unix-socket {data}/hub.sock http://hub/api/v1/me
            attempt database cat {data}/runner.db
            attempt key cat {data}/secret.key
            attempt run ls {other}
            attempt list ls {data}/runs/*/log
            attempt root ls /proc/{pid}/root{data}/runner.db
            attempt memory sh -c ': </proc/{pid}/mem'
            attempt unmount umount {data}
            attempt enter nsenter -t {pid} -m true
            attempt write touch {data}/x
            attempt beside touch {data}/../beside
            attempt home touch \"$HOME/file\"
            attempt temporary touch \"$(mktemp -d)/file\"
            attempt rename sh -c 'echo x >\"$HOME/a\" && mkdir -p \"$HOME/b\" && mv -n \"$HOME/a\" \"$HOME/b/a\" && ln -f \"$HOME/b/a\" \"$HOME/c\"'
            attempt work touch here ../there
            attempt progress curl -sSf -X POST --unix-socket \"$HOSTLER_SOCKET\" -H \"Authorization: Bearer $HOSTLER_TOKEN\" -d '{{\"percent\": 5}}' http://runner/v1/progress
            attempt stranger curl -sSf -X POST --unix-socket \"$HOSTLER_SOCKET\" -H 'Authorization: Bearer x' -d '{{\"percent\": 5}}' http://runner/v1/progress
            echo '{{\"ids\": \"'$(id -u):$(id -g)'\"}}' >\"$HOSTLER_RESULT\"",
            other = other.display(),
        );
        let output = machine.job("probe", &script, &json!({}));
        for (attempt, expected) in [
            ("socket", "refused"),
            ("database", "refused"),
            ("key", "refused"),
            ("run", "refused"),
            ("list", "refused"),
            ("root", "refused"),
            ("memory", "refused"),
            ("unmount", "refused"),
            ("enter", "refused"),
            ("write", "refused"),
            ("beside", "allowed"),
            ("home", "allowed"),
            ("temporary", "allowed"),
            ("rename", "allowed"),
            ("work", "allowed"),
            ("progress", "allowed"),
            ("stranger", "refused"),
        ] {
            assert!(output.contains(&format!("{attempt} {expected}")), "user {uid}, {attempt}: {output}");
        }
        let attempts = machine.attempts("probe").to_string();
        assert!(attempts.contains(&format!("{uid}:")), "the output value with unchanged ids: {attempts}");
        assert!(machine.data().join("secret.key").exists(), "the key that the job could not read");
        assert!(machine.data().join("../beside").exists() && machine.user_folder().join("c").exists());
        machine.ok(&["cancel", sleeping.trim(), "--org", "beta"]);
    }
}

#[test]
fn job_is_refused_at_the_local_socket_also_without_isolation() {
    for uid in users() {
        let mut machine = Machine::new(uid);
        machine.settings.push(("HOSTLER_RUNNER_ISOLATION", "off"));
        let _process = machine.up();
        let row = machine.doctor("isolation");
        assert_eq!(row["result"], "warning", "{row}");
        assert!(row["detail"].as_str().is_some_and(|detail| detail.contains("runner.isolation is off")), "{row}");
        assert!(machine.ok(&["api", "GET", "/api/v1/me"]).contains("is_super_admin"), "a person is let in");

        let socket = machine.data().join("hub.sock");
        let call = format!("curl -sS --unix-socket {} http://hub/api/v1/me", socket.display());
        let output = machine.job("direct", &call, &json!({}));
        assert!(output.contains("\"forbidden\"") && !output.contains("is_super_admin"), "{output}");
        // The hint reaches people who run commands in jobs.
        let home = machine.data();
        let command = format!("unset HOSTLER_RUN_ID; HOSTLER_HOME={} {HOSTLER} ps || true", home.display());
        let output = machine.job("command", &command, &json!({}));
        assert!(output.contains("hostler token create"), "{output}");

        let daemon = "(setsid env -i PATH=$PATH sh -c \"$CALL >answer 2>&1; mv answer done\" &) ; \
            while [ ! -e done ]; do sleep 0.02; done; cat done";
        let output = machine.job("daemon", &format!("export CALL='{call}'; {daemon}"), &json!({}));
        assert!(output.contains("\"forbidden\""), "a daemon that left its session and its parent: {output}");
        assert!(machine.ok(&["api", "GET", "/api/v1/me"]).contains("is_super_admin"), "a person is still let in");
    }
}

#[test]
fn standalone_runner_refuses_jobs_at_its_local_socket() {
    let mut machine = Machine::new(own_uid());
    machine.settings.push(("HOSTLER_RUNNER_ISOLATION", "off"));
    let process = Process::start(&mut machine.command(&["runner"]));
    process.wait_for("standalone mode");
    let socket = machine.data().join("hub.sock");
    let call = format!("curl -sS --unix-socket {} http://hub/api/v1/me", socket.display());
    let output = machine.job("direct", &call, &json!({}));
    assert!(output.contains("\"forbidden\""), "{output}");
}

#[test]
fn job_runs_as_the_user_of_its_definition() {
    if !is_root("job_runs_as_the_user_of_its_definition") {
        return;
    }
    for isolation in ["full", "off"] {
        let mut machine = Machine::new(0);
        machine.settings.push(("HOSTLER_RUNNER_ISOLATION", isolation));
        let _process = machine.up();
        let script = format!(
            "{ATTEMPT} echo \"ids $(id -u):$(id -g) $USER\"; touch here ../there; echo '\"kept\"' >\"$HOSTLER_RESULT\"
            attempt gain setpriv --reuid 0 true
            attempt data ls {data}/runner.db
            grep NoNewPrivs /proc/self/status",
            data = machine.data().display()
        );
        let output = machine.job("as-nobody", &script, &json!({"user": "nobody"}));
        for part in ["ids 65534:65534 nobody", "gain refused", "data refused", "NoNewPrivs:\t1"] {
            assert!(output.contains(part), "{isolation}: {output}");
        }
        assert!(machine.attempts("as-nobody").to_string().contains("kept"), "the output value is read");
        assert!(
            machine.ok(&["def", "list"]).contains("nobody")
                && machine.ok(&["def", "show", "as-nobody"]).contains("nobody")
        );
        let output = machine.job("as-root", "echo ids $(id -u) $HOME", &json!({"user": "root"}));
        assert!(output.contains("ids 0 /root"), "{output}");
        machine.define("as-stranger", "true", &json!({"user": "no-such-user"}));
        let (is_good, output) = machine.run(&["run", "as-stranger", "--wait"]);
        assert!(!is_good && output.contains("no user `no-such-user`"), "{output}");
        if isolation == "full" {
            let socket = "curl -sSf -X POST --unix-socket $HOSTLER_SOCKET -H \"Authorization: Bearer $HOSTLER_TOKEN\" \
                -d '{\"percent\": 5}' http://runner/v1/progress && echo reported";
            assert!(machine.job("reports", socket, &json!({"user": "nobody"})).contains("reported"));
        }
    }
}

#[test]
fn each_org_gets_its_own_user() {
    if !is_root("each_org_gets_its_own_user") {
        return;
    }
    let mut machine = Machine::new(0);
    machine.settings.push(("HOSTLER_RUNNER_USER", "per-org"));
    let _process = machine.up();
    machine.ok(&["org", "create", "beta"]);
    let host = machine.ok(&["host", "list", "-o", "name"]);
    machine.ok(&["host", "share", host.trim(), "--org", "beta"]);
    machine.define("who", "echo \"ids $(id -u):$(id -g)\"; touch \"$HOME/file\" && echo written", &json!({}));
    for (org, ids) in [("default", "1900000000"), ("beta", "1900000001"), ("default", "1900000000")] {
        let output = machine.ok(&["run", "who", "--org", org, "--wait"]);
        assert!(output.contains(&format!("ids {ids}:{ids}")) && output.contains("written"), "{org}: {output}");
    }
    assert!(machine.job("root-job", "id -u", &json!({"user": "root"})).contains('0'));
    assert_eq!(machine.doctor("job users")["result"], "ok");
}

#[test]
fn ordinary_runner_rejects_other_users() {
    let uid = if own_uid() == 0 { NOBODY } else { own_uid() };
    let machine = Machine::new(uid);
    let _process = machine.up();
    machine.define("as-root", "id", &json!({"user": "root"}));
    let (is_good, output) = machine.run(&["run", "as-root", "--wait"]);
    assert!(!is_good && output.contains("the runner must run as root to start a program as user `root`"), "{output}");
}

#[test]
fn server_does_not_see_the_data_folder() {
    for uid in users() {
        let machine = Machine::new(uid);
        let _process = machine.up();
        if !is_isolation_offered(&machine) {
            continue;
        }
        let host = machine.ok(&["host", "list", "-o", "name"]);
        let script = format!(
            "{ATTEMPT} attempt database cat {data}/runner.db; attempt work touch here; attempt home touch \"$HOME/x\"; \
            echo all tried; exec sleep 600",
            data = machine.data().display()
        );
        let create = ["server", "create", "probe", "--on", host.trim(), "--start", "--", "/bin/sh", "-c", &script];
        machine.ok(&create);
        let log = until("the output of the server", || {
            let (_, log) = machine.run(&["server", "console", "probe"]);
            log.contains("all tried").then_some(log)
        });
        for expected in ["database refused", "work allowed", "home allowed"] {
            assert!(log.contains(expected), "user {uid}: {log}");
        }
        machine.ok(&["server", "kill", "probe", "--yes"]);
    }
}

#[test]
fn doctor_warns_of_root_jobs_without_a_user() {
    if !is_root("doctor_warns_of_root_jobs_without_a_user") {
        return;
    }
    let machine = Machine::new(0);
    let _process = machine.up();
    machine.define("backup", "true", &json!({}));
    machine.define("web", "true", &json!({"user": "www-data"}));
    let row = machine.doctor("job users");
    let detail = row["detail"].as_str().unwrap_or_default();
    assert!(row["result"] == "warning" && detail.contains("backup") && !detail.contains("web"), "{row}");
    assert!(machine.run(&["doctor"]).0, "a warning is no failure");
}

#[test]
fn systemd_accepts_the_unit_and_finds_it_hardened() {
    let has_systemd = Command::new("systemd-analyze").arg("--version").stdout(Stdio::null()).status();
    if !has_systemd.is_ok_and(|status| status.success()) {
        println!("skipped: systemd-analyze is not installed");
        return;
    }
    let machine = Machine::new(own_uid());
    let file = machine.root.path().join("hostler.service");
    // Exposure in tenths, as systemd computes it: an unrestricted service of root has 96.
    for (user, limit) in [(&[][..], "60"), (&["--user", "root"], "97")] {
        let unit = machine.ok(&[&["service", "install", "--print"][..], user].concat());
        std::fs::write(&file, unit).expect("writes");
        for args in [&["verify"][..], &["security", "--offline=true", "--threshold", limit]] {
            let output = Command::new("systemd-analyze").args(args).arg(&file).output().expect("runs");
            let text = [output.stdout, output.stderr].concat();
            assert!(output.status.success(), "{user:?} {args:?}: {}", String::from_utf8_lossy(&text));
        }
    }
}
