//! Fixtures: a folder for runs, and helpers to start and inspect them.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Stdio,
    sync::OnceLock,
    time::Duration,
};

use domain::Span;
use runner::{
    exec::{
        Caps, Follower, Handle, Line, Order, Outcome, OutputStream, Position, Redactor, RunEnd, RunState, Shim,
        Started, inspect, prepare, start,
    },
    machine,
};
use tempfile::TempDir;

/// Time limit for every wait.
const PATIENCE: Duration = Duration::from_secs(20);

/// A temporary folder for runs.
pub(crate) struct TestRunFolder {
    root: TempDir,
}

/// A started run.
pub(crate) struct TestRun {
    pub(crate) dir: PathBuf,
    pub(crate) id: String,
    pub(crate) started: Started,
    reached: Result<Handle, Outcome>,
}

pub(crate) fn shim() -> &'static Shim {
    static SHIM: OnceLock<Shim> = OnceLock::new();
    SHIM.get_or_init(|| Shim::install(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("shim")).expect("installed"))
}

pub(crate) fn boot_id() -> String {
    machine::boot_id()
}

pub(crate) fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

impl TestRunFolder {
    pub(crate) fn new() -> Self {
        Self { root: TempDir::new().expect("a folder") }
    }

    pub(crate) fn dir(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Starts this script and connects to its shim.
    pub(crate) async fn begin(&self, script: &str) -> TestRun {
        self.begin_order(&order(script)).await
    }

    pub(crate) async fn begin_order(&self, order: &Order) -> TestRun {
        let dir = self.dir(&order.run_id);
        let started = start(shim(), &dir, order).await.expect("started");
        self.reach(dir, started, order).await
    }

    async fn reach(&self, dir: PathBuf, started: Started, order: &Order) -> TestRun {
        let reached = match verdict(&dir).await {
            RunState::Alive(handle) => Ok(handle),
            // A short run may already be over.
            RunState::Finished(outcome) => Err(outcome),
            other => panic!("{other:?}"),
        };
        assert!(reached.as_ref().map_or_else(|outcome| outcome.child_pid, Handle::pid) == started.pid);
        TestRun { dir, id: order.run_id.clone(), started, reached }
    }

    /// Starts this script as an unprivileged user, who cannot create a cgroup.
    pub(crate) async fn begin_as_nobody(&self, script: &str) -> TestRun {
        let order = order(script);
        if !is_root() {
            return self.begin_order(&order).await;
        }
        let (dir, nobody) = (self.dir(&order.run_id), Some(65534));
        fs::set_permissions(self.root.path(), fs::Permissions::from_mode(0o755)).expect("own file");
        let copy = self.dir("shim");
        fs::copy(shim().path(), &copy).expect("copied");
        fs::set_permissions(&copy, fs::Permissions::from_mode(0o555)).expect("own file");
        prepare(&dir, &order).await.expect("prepared");
        chown(&dir, nobody, nobody).expect("root");
        chown(dir.join("spec"), nobody, nobody).expect("root");
        let mut command = tokio::process::Command::new(copy);
        let output = command.arg(&dir).env_clear().uid(65534).gid(65534).stderr(Stdio::null()).output();
        let line = String::from_utf8(output.await.expect("spawned").stdout).expect("text");
        let pids: Vec<i32> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [shim_pid, pid] = pids[..] else { panic!("unexpected greeting: {line:?}") };
        self.reach(dir, Started { pid, shim_pid }, &order).await
    }
}

impl Drop for TestRun {
    fn drop(&mut self) {
        // Kill the processes of a failed test.
        if std::thread::panicking() {
            processes(&self.id).into_iter().for_each(kill);
        }
    }
}

impl TestRun {
    /// The handle of the live run.
    pub(crate) fn handle(&self) -> &Handle {
        self.reached.as_ref().expect("alive")
    }

    /// Waits for the outcome and checks that no process is left.
    pub(crate) async fn outcome(&self) -> Outcome {
        let handle = match &self.reached {
            Ok(handle) => handle,
            Err(outcome) => return outcome.clone(),
        };
        let ended = tokio::time::timeout(PATIENCE, handle.wait()).await.expect("the run ends in time");
        let RunEnd::Finished(finished) = ended else { panic!("{ended:?}") };
        let outcome = finished.outcome.clone();
        finished.ack().await;
        assert_eq!(processes(&self.id), [0; 0], "no process is left");
        outcome
    }

    pub(crate) fn lines(&self) -> Vec<Line> {
        lines(&self.dir)
    }
}

/// An order for a shell script, with a unique run id.
pub(crate) fn order(script: &str) -> Order {
    static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    Order {
        run_id: format!("test-{}-{number}", std::process::id()),
        program: "sh".into(),
        args: vec!["-c".into(), script.into()],
        env: BTreeMap::from([("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())]),
        folder: "/".into(),
        user: None,
        timeout: None,
        grace: Span::from_millis(200),
        caps: Caps { head_bytes: 64 << 20, tail_bytes: 0 },
        is_merged: false,
        has_stdin: false,
        limits: runner::exec::Limits::default(),
        fence: None,
        isolation: runner::exec::Isolation::default(),
    }
}

pub(crate) async fn verdict(dir: &Path) -> RunState {
    inspect(dir, &boot_id()).await.expect("inspected")
}

/// All lines of an ended run.
pub(crate) fn lines(dir: &Path) -> Vec<Line> {
    let mut follower = Follower::new(dir, Redactor::new([""; 0]), Position::default());
    let mut all = Vec::new();
    loop {
        let more = follower.poll(true, 1000, 1 << 20).expect("readable");
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

/// The lines of one stream.
pub(crate) fn texts(lines: &[Line], stream: OutputStream) -> Vec<&str> {
    lines.iter().filter(|line| line.stream == stream).map(|line| line.text.as_str()).collect()
}

/// The living processes of a run.
pub(crate) fn processes(run_id: &str) -> Vec<i32> {
    let entry = format!("HOSTLER_RUN_ID={run_id}");
    let all = fs::read_dir("/proc").expect("there is one").flatten();
    let found = all.filter(|process| {
        fs::read(process.path().join("environ"))
            .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|have| have == entry.as_bytes()))
    });
    found.filter_map(|process| process.file_name().to_str()?.parse().ok()).collect()
}

pub(crate) async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while !is_so() {
        assert!(tokio::time::Instant::now() < deadline, "{what}: not in time");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub(crate) fn kill(pid: i32) {
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).expect("alive");
}
