//! Which processes may use the local socket. A job runs as the runner's user by default, and so could open the socket
//! of a hub of the same user, where every caller is a super admin. Processes below a shim are rejected.
//!
//! This is a seat belt and no border: a job can ask a process outside of its run (a service manager, `cron`) to connect
//! in its place.

use std::{collections::BTreeSet, fs, path::Path};

use domain::RunId;
use proto::Code;

use crate::Error;

/// Longest chain of parents.
const PARENTS_MAX: usize = 256;
/// Number of attempts to read a chain of parents that does not change meanwhile.
const TRIES: usize = 16;
/// Prefix of the file name of a shim; a hash of its content follows.
const SHIM_PREFIX: &str = "shim-";
/// Length of that hash in a file name, and in a process name, which the kernel cuts at 15 bytes.
const HASH_DIGITS: usize = 16;
const HASH_DIGITS_OF_NAME: usize = 10;
/// Prefix of the name of a run's cgroup; the run id follows.
const CGROUP_PREFIX: &str = "hostler-";
/// The environment variable with the run id.
const RUN_VARIABLE: &[u8] = b"HOSTLER_RUN_ID=";

/// A process in a chain of parents. The start time distinguishes it from a later process with the same id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ancestor {
    pid: i32,
    ticks: u64,
}

/// The marks of runs that a process belongs to.
#[derive(Debug, Default, PartialEq, Eq)]
struct RunMarks {
    shims: BTreeSet<Ancestor>,
    /// Run ids in the names of its cgroups and in its environment. They identify a process whose shim was killed.
    runs: BTreeSet<RunId>,
}

impl RunMarks {
    /// Whether the process belongs to a run that the hub's own process is not part of. A hub that was itself started by
    /// a job (a test of Hostler, for example) still serves the other processes of that job.
    fn is_foreign_to(&self, own: &Self) -> bool {
        !self.shims.is_subset(&own.shims) || !self.runs.is_subset(&own.runs)
    }
}

/// Checks that the process which opened a connection is not part of a job or server.
///
/// # Errors
/// The process is part of one, has already ended, or cannot be identified.
pub(crate) fn check(pid: Option<i32>) -> Result<(), Error> {
    // A process of a pid namespace that is not below the hub's has the id 0. No job can be in one.
    let Some(pid) = pid.filter(|pid| *pid > 0 && cfg!(target_os = "linux")) else { return Ok(()) };
    let proc = Path::new("/proc");
    let own = i32::try_from(std::process::id()).ok().and_then(|own| marks(proc, own)).unwrap_or_default();
    match marks(proc, pid) {
        Some(marks) if !marks.is_foreign_to(&own) => Ok(()),
        _ => Err(rejection()),
    }
}

fn rejection() -> Error {
    Error::new(Code::Forbidden, "jobs and servers cannot use the hub's local socket, whose callers are super admins")
        .hint(
            "use an API token: `hostler token create NAME` outside of the job, store it with `hostler secret set`, \
         then call the hub by its address: --hub URL --api-token TOKEN",
        )
}

/// The marks of a process; `None` if it has ended.
fn marks(proc: &Path, pid: i32) -> Option<RunMarks> {
    let shims = chain(proc, pid)?.into_iter().filter(|ancestor| is_shim(proc, ancestor.pid)).collect();
    let folder = proc.join(pid.to_string());
    let cgroups = fs::read_to_string(folder.join("cgroup")).unwrap_or_default();
    let environment = fs::read(folder.join("environ")).unwrap_or_default();
    Some(RunMarks { shims, runs: runs_of_cgroups(&cgroups).chain(run_of_environment(&environment)).collect() })
}

/// The process and its parents. The chain is read until two readings agree: a parent that ends meanwhile changes it,
/// because its children get a new parent, and the id of an ended process can be reused.
fn chain(proc: &Path, pid: i32) -> Option<Vec<Ancestor>> {
    let mut last = None;
    for _ in 0..TRIES {
        let read = read_chain(proc, pid);
        if read.is_some() && read == last {
            return read;
        }
        last = read;
    }
    None
}

fn read_chain(proc: &Path, pid: i32) -> Option<Vec<Ancestor>> {
    let (mut chain, mut next) = (Vec::new(), pid);
    // The parent of a process from outside of this pid namespace is 0.
    while next > 0 && chain.len() < PARENTS_MAX {
        let stat = fs::read(proc.join(next.to_string()).join("stat")).ok()?;
        let (parent, ticks) = parent_and_ticks(&stat)?;
        chain.push(Ancestor { pid: next, ticks });
        next = parent;
    }
    Some(chain)
}

/// Parent and start time in `/proc/<pid>/stat`. The process name in it may contain any character, so fields are counted
/// from the last `)`.
fn parent_and_ticks(stat: &[u8]) -> Option<(i32, u64)> {
    let after = stat.iter().rposition(|byte| *byte == b')')? + 2;
    let mut fields = std::str::from_utf8(stat.get(after..)?).ok()?.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let ticks = fields.nth(17)?.parse().ok()?;
    Some((parent, ticks))
}

/// Whether the process is a shim, by its program, or by its name if the program of another user's process is hidden.
fn is_shim(proc: &Path, pid: i32) -> bool {
    let folder = proc.join(pid.to_string());
    match fs::read_link(folder.join("exe")) {
        // The file of an older version may be removed while its shims still run; then the link ends in " (deleted)".
        Ok(program) => program
            .file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| is_shim_name(name.trim_end_matches(" (deleted)"), HASH_DIGITS)),
        Err(_) => {
            fs::read_to_string(folder.join("comm")).is_ok_and(|name| is_shim_name(name.trim_end(), HASH_DIGITS_OF_NAME))
        }
    }
}

fn is_shim_name(name: &str, digits: usize) -> bool {
    let hash = name.strip_prefix(SHIM_PREFIX);
    hash.is_some_and(|hash| hash.len() == digits && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The run ids in the text of `/proc/<pid>/cgroup`.
fn runs_of_cgroups(text: &str) -> impl Iterator<Item = RunId> {
    let names = text.lines().flat_map(|line| line.split('/'));
    names.filter_map(|name| name.strip_prefix(CGROUP_PREFIX)?.parse().ok())
}

/// The run id in the environment that the process was started with.
fn run_of_environment(environment: &[u8]) -> Option<RunId> {
    let value = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(RUN_VARIABLE))?;
    std::str::from_utf8(value).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const RUN: &str = "01J8ZQ3V5XK6M7N8P9QRSTVWXY";

    /// A process in a made-up `/proc`.
    fn process(proc: &Path, pid: i32, parent: i32, program: &str) {
        let folder = proc.join(pid.to_string());
        fs::create_dir_all(&folder).expect("a folder");
        let rest = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
        fs::write(folder.join("stat"), format!("{pid} (a) b) S {parent} {rest} {pid}77 0 0\n")).expect("writes");
        symlink(program, folder.join("exe")).expect("links");
    }

    #[test]
    fn processes_below_a_shim_are_recognized() {
        let proc = tempfile::tempdir().expect("a folder");
        let shim = "/var/lib/hostler/runs/shim-0123456789abcdef";
        for (pid, parent, program) in [
            (1, 0, "/sbin/init"),
            (10, 1, "/usr/bin/bash"),
            (20, 1, shim),
            (21, 20, "/usr/bin/bash"),
            (22, 21, "/usr/bin/curl"),
            (30, 1, "/old/shim-0123456789abcdef (deleted)"),
            (31, 30, "/usr/bin/curl"),
            (40, 1, "/usr/bin/containerd-shim-runc-v2"),
            (41, 40, "/usr/bin/curl"),
        ] {
            process(proc.path(), pid, parent, program);
        }
        let marks = |pid| marks(proc.path(), pid).expect("alive");
        let outside = marks(10);
        for (pid, is_job) in [(10, false), (22, true), (21, true), (31, true), (41, false)] {
            assert_eq!(marks(pid).is_foreign_to(&outside), is_job, "{pid}");
        }
        assert!(!marks(22).is_foreign_to(&marks(21)), "a hub in the same job");
        assert!(marks(31).is_foreign_to(&marks(21)), "a hub in another job");
        assert_eq!(super::marks(proc.path(), 99), None, "it has ended");
    }

    #[test]
    fn processes_of_a_killed_shim_are_recognized_by_cgroup_and_environment() {
        let proc = tempfile::tempdir().expect("a folder");
        let outside = RunMarks::default();
        for (pid, file, text) in [
            (5, "cgroup", format!("0::/system.slice/hostler-{RUN}\n")),
            (6, "environ", format!("A=b\0HOSTLER_RUN_ID={RUN}\0")),
        ] {
            process(proc.path(), pid, 0, "/usr/bin/curl");
            assert!(!marks(proc.path(), pid).expect("alive").is_foreign_to(&outside));
            fs::write(proc.path().join(pid.to_string()).join(file), text).expect("writes");
            assert!(marks(proc.path(), pid).expect("alive").is_foreign_to(&outside), "{file}");
        }
        assert_eq!(runs_of_cgroups("0::/system.slice/hostler-ui.service\n").count(), 0, "not a run");
    }

    #[test]
    fn process_with_a_hidden_program_is_recognized_by_its_name() {
        let proc = tempfile::tempdir().expect("a folder");
        process(proc.path(), 7, 0, "/usr/bin/curl");
        fs::remove_file(proc.path().join("7/exe")).expect("removes");
        for (name, is_job) in [("shim-0123456789\n", true), ("shim-x\n", false), ("bash\n", false)] {
            fs::write(proc.path().join("7/comm"), name).expect("writes");
            assert_eq!(is_shim(proc.path(), 7), is_job, "{name}");
        }
    }
}
