//! The cgroup of a run, on systems where the shim may create one: a single write kills every process in it, however
//! fast they fork. The shim itself stays outside. Without a cgroup, [`crate::tree`] kills processes one by one.

use std::{
    ffi::CString,
    os::fd::{AsRawFd, OwnedFd},
};

use shim::Limits;

use crate::sys;

/// The cgroup of a run.
pub(crate) struct Cgroup {
    path: CString,
    kill: OwnedFd,
    /// `cgroup.procs`. The child writes itself into it before it changes its user.
    pub(crate) members: OwnedFd,
}

/// The path for the cgroup of this run, if the shim may create one there.
pub(crate) fn plan(run_id: &str) -> Option<CString> {
    let own = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    // Systems with cgroup versions 1 and 2 together mount version 2 at the second path.
    for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
        let parent = format!("{root}{}", own.trim_end_matches('/'));
        let procs = CString::new(format!("{parent}/cgroup.procs")).ok()?;
        // SAFETY: the pointer is to a NUL-terminated string.
        if unsafe { libc::access(procs.as_ptr(), libc::W_OK) } == 0 && !is_first_version(root) {
            return CString::new(format!("{parent}/hostler-{run_id}")).ok();
        }
    }
    None
}

/// Whether this is cgroup version 1. It also has `cgroup.procs`, but no `cgroup.kill` and no unified hierarchy.
fn is_first_version(root: &str) -> bool {
    let Ok(root) = CString::new(root) else { return true };
    // SAFETY: a zeroed `statfs` is valid, and the pointer to it is valid during the call.
    unsafe {
        let mut about: libc::statfs = std::mem::zeroed();
        libc::statfs(root.as_ptr(), &raw mut about) != 0 || about.f_type != libc::CGROUP2_SUPER_MAGIC
    }
}

impl Cgroup {
    /// Creates the cgroup and opens its files; removes it again on failure. Limits are best effort: the runner checks
    /// afterwards which ones are in force.
    pub(crate) fn make(path: CString, limits: &Limits) -> Option<Self> {
        // SAFETY: the pointer is to a NUL-terminated string.
        if unsafe { libc::mkdir(path.as_ptr(), 0o755) } != 0 {
            return None;
        }
        let member = |name: &str| {
            let file = CString::new([path.as_bytes(), b"/", name.as_bytes()].concat()).ok()?;
            sys::open(&file, libc::O_WRONLY).ok()
        };
        if let (Some(kill), Some(members)) = (member("cgroup.kill"), member("cgroup.procs")) {
            limit(&path, limits);
            return Some(Self { path, kill, members });
        }
        remove(&path);
        None
    }

    /// Kills every process in the cgroup.
    pub(crate) fn kill(&self) {
        let _ = sys::write(&self.kill, b"1");
    }

    /// Whether the kernel killed a process of the cgroup because memory ran out.
    pub(crate) fn is_oom(&self) -> bool {
        let path = self.path.to_str().unwrap_or_default();
        let events = std::fs::read_to_string(format!("{path}/memory.events")).unwrap_or_default();
        events.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count != "0"))
    }

    /// Removes the cgroup, which must be empty.
    pub(crate) fn remove(&self) {
        remove(&self.path);
    }

    pub(crate) fn members_fd(&self) -> libc::c_int {
        self.members.as_raw_fd()
    }
}

fn limit(path: &CString, limits: &Limits) {
    let Limits { memory_bytes, cpu_percent, processes } = limits;
    let Ok(path) = path.to_str() else { return };
    if memory_bytes.is_none() && cpu_percent.is_none() && processes.is_none() {
        return;
    }
    // The parent cgroup must delegate the controllers. It cannot if it contains processes; then the limit files do not
    // exist, and the writes below fail.
    if let Some((above, _)) = path.rsplit_once('/') {
        for controller in ["+memory", "+cpu", "+pids"] {
            let _ = std::fs::write(format!("{above}/cgroup.subtree_control"), controller);
        }
    }
    let cpu = limits.cpu_quota_us().map(|quota| format!("{quota} {}", Limits::CPU_PERIOD_US));
    for (file, value) in [
        ("memory.max", memory_bytes.map(|bytes| bytes.to_string())),
        ("cpu.max", cpu),
        ("pids.max", processes.map(|count| count.to_string())),
    ] {
        if let Some(value) = value {
            let _ = std::fs::write(format!("{path}/{file}"), value);
        }
    }
}

fn remove(path: &CString) {
    // SAFETY: the pointer is to a NUL-terminated string.
    unsafe { libc::rmdir(path.as_ptr()) };
}
