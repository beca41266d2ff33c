//! Isolation of a run from Hostler's data folders, between `fork` and `exec`.
//!
//! A mount namespace covers each folder with an empty one; all other paths stay as they are. An ordinary user needs a
//! user namespace for that, in which the user and the group keep their ids. Landlock has no rules that deny: a Landlock
//! ruleset for the folders would also deny new files next to them. This ruleset allows all access to files. Its domain
//! prevents the processes from undoing the mounts (`umount`, `nsenter`, `/proc/<pid>/root`) and from opening the memory
//! of processes outside of the run, also as root.

use std::{
    ffi::{CStr, CString},
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    ptr,
};

use libc::{c_int, c_ulong};
use shim::Isolation;

use crate::sys::{self, Errno, check};

/// Options of the empty folder. Only mount points are created in it.
const EMPTY: &CStr = c"mode=0755,size=64k,nr_inodes=256";

/// The right to rename and link files into other folders. Every ruleset denies it where no rule allows it, so it is the
/// smallest set of rights that a ruleset can handle.
const ACCESS_REFER: u64 = 1 << 13;
/// First version of Landlock with that right. In earlier ones a domain could not rename files into other folders.
const ABI_MIN: c_int = 2;
const RULE_PATH_BENEATH: c_int = 1;
const CREATE_RULESET_VERSION: c_int = 1;

#[repr(C)]
struct RulesetAttributes {
    handled_access_fs: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed_access: u64,
    parent_fd: i32,
}

/// Moves this process into a mount namespace in which the hidden folders are empty, except for the visible paths.
pub(crate) fn hide(isolation: &Isolation) -> sys::Result<()> {
    if isolation.hidden.is_empty() {
        return Ok(());
    }
    enter_namespace()?;
    // Opened after `unshare`, because a path of another mount namespace cannot be mounted, and before the folders that
    // contain them are covered.
    let visible = isolation.visible.iter().map(|path| Ok((path, sys::open(path, libc::O_PATH)?)));
    let visible = visible.collect::<sys::Result<Vec<(&CString, OwnedFd)>>>()?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    for folder in &isolation.hidden {
        mount(c"hostler", folder, c"tmpfs", flags, Some(EMPTY))?;
    }
    for (path, source) in &visible {
        make_mount_point(path, source, &isolation.hidden)?;
        let source = CString::new(format!("/proc/self/fd/{}", source.as_raw_fd())).map_err(|_| Errno(libc::EINVAL))?;
        mount(&source, path, c"", libc::MS_BIND, None)?;
    }
    for folder in &isolation.hidden {
        mount(c"", folder, c"", flags | libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY, None)?;
    }
    Ok(())
}

/// Enters a new mount namespace. Mounts of the machine still appear in it; its own mounts stay in it.
fn enter_namespace() -> sys::Result<()> {
    // SAFETY: these calls change only this process and read its ids.
    let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
    let user = if uid == 0 { 0 } else { libc::CLONE_NEWUSER };
    // SAFETY: this process has one thread, which user namespaces require.
    check(unsafe { libc::unshare(libc::CLONE_NEWNS | user) })?;
    if user != 0 {
        for (file, text) in [
            // Without this the kernel does not accept a group.
            (c"/proc/self/setgroups", "deny".to_owned()),
            (c"/proc/self/uid_map", format!("{uid} {uid} 1")),
            (c"/proc/self/gid_map", format!("{gid} {gid} 1")),
        ] {
            sys::write(&sys::open(file, libc::O_WRONLY)?, text.as_bytes())?;
        }
    }
    mount(c"", c"/", c"", libc::MS_REC | libc::MS_SLAVE, None)
}

/// Creates the file or folder that a visible path is mounted on.
fn make_mount_point(path: &CStr, source: &OwnedFd, hidden: &[CString]) -> sys::Result<()> {
    let bytes = path.to_bytes();
    let Some(above) = hidden.iter().find(|folder| is_below(bytes, folder.as_bytes())) else {
        return Err(Errno(libc::EINVAL));
    };
    let start = above.as_bytes().len() + 1;
    let ends = bytes.iter().enumerate().skip(start).filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
    for end in ends {
        make_folder(bytes.get(..end).unwrap_or_default())?;
    }
    if is_folder(source)? {
        return make_folder(bytes);
    }
    sys::open(path, libc::O_WRONLY | libc::O_CREAT).map(drop)
}

fn is_below(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.first() == Some(&b'/'))
}

fn make_folder(path: &[u8]) -> sys::Result<()> {
    let path = CString::new(path).map_err(|_| Errno(libc::EINVAL))?;
    // SAFETY: the pointer is to a NUL-terminated string.
    match check(unsafe { libc::mkdir(path.as_ptr(), 0o755) }) {
        Ok(_) | Err(Errno(libc::EEXIST)) => Ok(()),
        Err(errno) => Err(errno),
    }
}

fn is_folder(source: &OwnedFd) -> sys::Result<bool> {
    // SAFETY: a zeroed `stat` is valid, and the pointer to it is valid during the call.
    unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        check(libc::fstat(source.as_raw_fd(), &raw mut about))?;
        Ok(about.st_mode & libc::S_IFMT == libc::S_IFDIR)
    }
}

fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: c_ulong, options: Option<&CStr>) -> sys::Result<()> {
    let options = options.map_or(ptr::null(), CStr::as_ptr).cast();
    // SAFETY: all pointers are to NUL-terminated strings, or null where the kernel allows it.
    check(unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options) }).map(drop)
}

/// The version of Landlock that the kernel offers; 0 without one that can be used here.
pub(crate) fn landlock_abi() -> c_int {
    let (none, flags) = (ptr::null::<RulesetAttributes>(), CREATE_RULESET_VERSION);
    // SAFETY: with this flag the kernel reads no attributes.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, flags) };
    c_int::try_from(version).ok().filter(|version| *version >= ABI_MIN).unwrap_or(0)
}

/// Enters a Landlock domain. Must follow [`hide`], because a process in a domain cannot mount.
pub(crate) fn enter_domain() -> sys::Result<()> {
    let attributes = RulesetAttributes { handled_access_fs: ACCESS_REFER };
    let size = size_of::<RulesetAttributes>();
    // SAFETY: the attributes are valid for their size; the returned descriptor has no other owner.
    let ruleset = unsafe {
        let fd = libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0);
        OwnedFd::from_raw_fd(check(c_int::try_from(fd).unwrap_or(-1))?)
    };
    let root = sys::open(c"/", libc::O_PATH | libc::O_DIRECTORY)?;
    let rule = PathBeneath { allowed_access: ACCESS_REFER, parent_fd: root.as_raw_fd() };
    let fd = ruleset.as_raw_fd();
    // SAFETY: both descriptors are open, and the rule is valid during the call.
    unsafe {
        let added = libc::syscall(libc::SYS_landlock_add_rule, fd, RULE_PATH_BENEATH, &raw const rule, 0);
        check(c_int::try_from(added).unwrap_or(-1))?;
    }
    let restrict = || {
        // SAFETY: changes only this process.
        let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, fd, 0) };
        check(c_int::try_from(done).unwrap_or(-1)).map(drop)
    };
    match restrict() {
        // A process without CAP_SYS_ADMIN must first give up gaining privileges. Root keeps that possibility.
        Err(Errno(libc::EPERM)) => {
            no_new_privileges()?;
            restrict()
        }
        other => other,
    }
}

/// Keeps this process and its children from gaining privileges through setuid programs.
pub(crate) fn no_new_privileges() -> sys::Result<()> {
    // SAFETY: changes only this process.
    check(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }).map(drop)
}

/// Tries everything on this process, with a folder to hide. Returns the version of Landlock times two, plus one if the
/// folder is hidden.
pub(crate) fn probe(folder: &CStr) -> c_int {
    let isolation = Isolation { hidden: vec![folder.to_owned()], ..Isolation::default() };
    let is_hidden = hide(&isolation).is_ok();
    let abi = landlock_abi();
    let abi = if abi > 0 && enter_domain().is_ok() { abi.min(60) } else { 0 };
    abi * 2 + c_int::from(is_hidden)
}
