//! Test fixtures: a hub as a process of its own, and commands against it.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    time::Duration,
};

use serde_json::Value;
use tempfile::TempDir;

/// The binary under test.
pub(crate) const HOSTLER: &str = env!("CARGO_BIN_EXE_hostler");

/// Time limit of every wait, far above the usual duration.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The database of a hub under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// A process that is killed when its test ends.
pub(crate) struct Process {
    pub(crate) child: Child,
    lines: mpsc::Receiver<String>,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let (sender, lines) = mpsc::channel();
        for stream in [
            Box::new(child.stdout.take().expect("piped")) as Box<dyn std::io::Read + Send>,
            Box::new(child.stderr.take().expect("piped")),
        ] {
            let sender = sender.clone();
            std::thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)))
            });
        }
        Self { child, lines }
    }

    /// Waits for an output line that contains this text.
    pub(crate) fn wait_for(&self, part: &str) -> String {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(part) => return line,
                Ok(line) => seen.push(line),
                Err(_) => panic!("`{part}` was not printed; instead:\n{}", seen.join("\n")),
            }
        }
    }

    pub(crate) fn signal(&self, signal: nix::sys::signal::Signal) {
        let pid = nix::unistd::Pid::from_raw(i32::try_from(self.child.id()).expect("a pid"));
        nix::sys::signal::kill(pid, signal).expect("the process exists");
    }

    /// Sends SIGTERM and waits for the end of the process.
    pub(crate) fn stop(mut self) -> Option<i32> {
        self.signal(nix::sys::signal::Signal::SIGTERM);
        self.child.wait().expect("it ends").code()
    }

    /// Sends SIGTERM and returns the output that was not read before.
    pub(crate) fn stop_and_read(mut self) -> Vec<String> {
        self.signal(nix::sys::signal::Signal::SIGTERM);
        self.child.wait().expect("it ends");
        // The channel closes when both streams have ended.
        self.lines.iter().collect()
    }

    /// Kills the process, to simulate a power failure.
    pub(crate) fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A data folder with a database.
pub(crate) struct Home {
    pub(crate) folder: TempDir,
    pub(crate) database: Option<String>,
}

impl Home {
    pub(crate) fn new(kind: Kind) -> Self {
        let database = (kind == Kind::Postgres).then(|| testkit::block_on(testkit::postgres::fresh_database()));
        Self { folder: TempDir::new().expect("a folder"), database }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A command with a clean environment and this data folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(HOSTLER);
        command
            .args(args)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.path())
            .env("HOSTLER_HOME", self.path())
            .env("HOSTLER_HEARTBEAT", "200ms");
        if let Some(database) = &self.database {
            command.env("HOSTLER_DATABASE_URL", database);
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().expect("the binary runs")
    }

    /// Runs a command that must succeed and returns its stdout.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let text = self.ok(&[args, &["-o", "json"]].concat());
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{args:?}: {error}: {text}"))
    }

    /// Starts `hostler up` on a free port; returns it with its address.
    pub(crate) fn up(&self, args: &[&str]) -> (Process, String) {
        self.serve(&[&["up"], args].concat(), "127.0.0.1:0")
    }

    pub(crate) fn serve(&self, args: &[&str], listen: &str) -> (Process, String) {
        let process = Process::start(&mut self.command(&[args, &["--listen", listen]].concat()));
        let line = process.wait_for("listening");
        let url = line.split_whitespace().last().expect("an address").to_owned();
        process.wait_for("Press Ctrl-C to stop");
        (process, url)
    }

    /// Waits until a host has this status. A host that is degraded only because of this machine's full disk counts as
    /// online.
    pub(crate) fn wait_for_host(&self, name: &str, status: &str) -> Value {
        let mut last = Value::Null;
        for _ in 0..600 {
            last = self.json(&["host", "list"]);
            let found =
                last.as_array().and_then(|hosts| hosts.iter().find(|host| host["name"] == name && is_in(host, status)));
            if let Some(found) = found {
                return found.clone();
            }
            // The command line offers no event to wait for; each poll is a new process.
            #[expect(clippy::disallowed_methods, reason = "see above; bounded by a count")]
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{name} did not become {status}: {last}");
    }
}

/// Drops the database, so that those of finished tests do not fill the disk.
impl Drop for Home {
    fn drop(&mut self) {
        if let Some(url) = self.database.take() {
            // A thread of its own, because the test may run inside a runtime.
            let _ = std::thread::spawn(move || testkit::block_on(testkit::postgres::drop_database(&url))).join();
        }
    }
}

/// A second machine: a data folder that joins a hub.
pub(crate) fn join(hub: &Home, url: &str, name: &str) -> Home {
    join_with(hub, url, name, &[])
}

pub(crate) fn join_with(hub: &Home, url: &str, name: &str, more: &[&str]) -> Home {
    let machine = Home::new(Kind::Sqlite);
    let token = hub.ok(&["invite", "-o", "name"]);
    machine.ok(&[&["join", url, token.trim(), "--name", name], more].concat());
    machine
}

/// Sends an HTTP request without cookies; returns the status and the whole response.
pub(crate) fn ask(url: &str, method: &str, path: &str, token: Option<&str>, body: &str) -> (u16, String) {
    use std::io::{Read as _, Write as _};
    let mut stream = std::net::TcpStream::connect(url.trim_start_matches("http://")).expect("connects");
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n{bearer}Content-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("sends");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("answers");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split_whitespace().nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer)
}

/// Polls until a condition holds.
pub(crate) fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = look() {
            return found;
        }
        #[expect(clippy::disallowed_methods, reason = "the command line has no event to wait for; bounded by a count")]
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("{what} did not happen");
}

/// The path of a file in a data folder.
pub(crate) fn file(home: &Home, name: &str) -> PathBuf {
    home.path().join(name)
}

fn is_in(host: &Value, status: &str) -> bool {
    let is_full = host["status_reason"].as_str().is_some_and(|reason| reason.starts_with("a disk is"));
    host["status"] == status || (status == "online" && host["status"] == "degraded" && is_full)
}
