//! A control group for the run, where one can simply be made: then one write kills everything, however fast it forks.
//! The shim stays outside. Without one, [`crate::tree`] does the same by walking.

use std::{
    ffi::CString,
    os::fd::{AsRawFd, OwnedFd},
};

use shim::Limits;

use crate::sys;

/// The run's own group.
pub(crate) struct Cgroup {
    path: CString,
    kill: OwnedFd,
    /// Written by the child, before it becomes anybody else.
    pub(crate) members: OwnedFd,
}

/// The path a group for this run would have, if we may make it.
pub(crate) fn plan(run_id: &str) -> Option<CString> {
    let own = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    // The second is where hybrid layouts have it.
    for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
        let parent = format!("{root}{}", own.trim_end_matches('/'));
        let procs = CString::new(format!("{parent}/cgroup.procs")).ok()?;
        // SAFETY: it is a string.
        if unsafe { libc::access(procs.as_ptr(), libc::W_OK) } == 0 && !is_first_version(root) {
            return CString::new(format!("{parent}/hostler-{run_id}")).ok();
        }
    }
    None
}

/// Groups of the first version have the same files but neither a way to kill nor one tree.
fn is_first_version(root: &str) -> bool {
    let Ok(root) = CString::new(root) else { return true };
    // SAFETY: all zeros is a valid answer, and its place is valid.
    unsafe {
        let mut about: libc::statfs = std::mem::zeroed();
        libc::statfs(root.as_ptr(), &raw mut about) != 0 || about.f_type != libc::CGROUP2_SUPER_MAGIC
    }
}

impl Cgroup {
    /// Makes it, with all we need, or leaves no trace. What the run may use is said where the system has a place for
    /// it: whoever watches over the run looks whether it took it.
    pub(crate) fn make(path: CString, limits: &Limits) -> Option<Self> {
        // SAFETY: it is a string.
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

    /// Kills all that is in it.
    pub(crate) fn kill(&self) {
        let _ = sys::write(&self.kill, b"1");
    }

    /// Whether the system has ended something in it for want of memory.
    pub(crate) fn is_oom(&self) -> bool {
        let path = self.path.to_str().unwrap_or_default();
        let events = std::fs::read_to_string(format!("{path}/memory.events")).unwrap_or_default();
        events.lines().any(|line| line.strip_prefix("oom_kill ").is_some_and(|count| count != "0"))
    }

    /// Removes it once it is empty.
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
    // The group above must hand them down. It may not, because it holds processes: then there are no files to write.
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
    // SAFETY: it is a string.
    unsafe { libc::rmdir(path.as_ptr()) };
}
