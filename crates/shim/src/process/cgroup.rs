//! A control group for the run, where one can simply be made: then one write kills everything, however fast it forks.
//! The shim stays outside. Without one, [`crate::tree`] does the same by walking.

use std::{
    ffi::CString,
    os::fd::{AsRawFd, OwnedFd},
};

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
    /// Makes it, with all we need, or leaves no trace.
    pub(crate) fn make(path: CString) -> Option<Self> {
        // SAFETY: it is a string.
        if unsafe { libc::mkdir(path.as_ptr(), 0o755) } != 0 {
            return None;
        }
        let member = |name: &str| {
            let file = CString::new([path.as_bytes(), b"/", name.as_bytes()].concat()).ok()?;
            sys::open(&file, libc::O_WRONLY).ok()
        };
        if let (Some(kill), Some(members)) = (member("cgroup.kill"), member("cgroup.procs")) {
            return Some(Self { path, kill, members });
        }
        remove(&path);
        None
    }

    /// Kills all that is in it.
    pub(crate) fn kill(&self) {
        let _ = sys::write(&self.kill, b"1");
    }

    /// Removes it once it is empty.
    pub(crate) fn remove(&self) {
        remove(&self.path);
    }

    pub(crate) fn members_fd(&self) -> libc::c_int {
        self.members.as_raw_fd()
    }
}

fn remove(path: &CString) {
    // SAFETY: it is a string.
    unsafe { libc::rmdir(path.as_ptr()) };
}
