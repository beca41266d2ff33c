//! The processes of a run, found by walking `/proc` from parent to child. The shim is their subreaper: a process whose
//! parent ends becomes a child of the shim, so none leaves the tree.

use std::{
    io::Write,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
};

use libc::c_int;

use crate::sys;

/// Most processes handled in one round; later rounds handle the rest.
const PIDS_MAX: usize = 4096;
/// Most readings of `/proc` in one round.
const PASSES_MAX: u32 = 16;
const LISTING_BYTES: usize = 16 * 1024;

/// A process held by a pidfd, which never refers to a later process with the same id.
pub(crate) struct Process {
    pid: c_int,
    /// `None` on kernels without pidfds (before 5.3); then signals go to the id.
    fd: Option<OwnedFd>,
}

impl Process {
    /// `None` if no such process exists.
    fn open(pid: c_int) -> Option<Self> {
        // SAFETY: a successful call returns a descriptor without another owner.
        let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        match c_int::try_from(fd) {
            // SAFETY: see above.
            Ok(fd @ 0..) => Some(Self { pid, fd: Some(unsafe { OwnedFd::from_raw_fd(fd) }) }),
            _ if sys::errno() == sys::Errno(libc::ESRCH) => None,
            _ => Some(Self { pid, fd: None }),
        }
    }

    fn signal(&self, signal: c_int) {
        match &self.fd {
            Some(fd) => {
                let none = std::ptr::null::<libc::siginfo_t>();
                // SAFETY: the descriptor is open, and a null pointer is allowed.
                unsafe { libc::syscall(libc::SYS_pidfd_send_signal, fd.as_raw_fd(), signal, none, 0) };
            }
            None => sys::kill(self.pid, signal),
        }
    }
}

/// The descendants of the shim found by the last walk.
pub(crate) struct Tree {
    own: c_int,
    proc: OwnedFd,
    /// Sorted.
    pids: Vec<c_int>,
    listing: Vec<u8>,
}

impl Tree {
    /// Allocates all buffers up front, because the event loop must not allocate. Untouched pages cost no memory.
    pub(crate) fn new() -> sys::Result<Self> {
        Ok(Self {
            own: sys::pid(),
            proc: sys::open(c"/proc", libc::O_RDONLY | libc::O_DIRECTORY)?,
            pids: Vec::with_capacity(PIDS_MAX),
            listing: vec![0; LISTING_BYTES],
        })
    }

    /// Number of living processes; zombies do not count.
    pub(crate) fn count(&mut self) -> u32 {
        self.walk(|_| {});
        let alive = self.pids.iter().filter(|pid| self.look(**pid).is_some_and(|(_, state)| state != b'Z'));
        u32::try_from(alive.count()).unwrap_or(u32::MAX)
    }

    /// Sends `SIGTERM` to all of them, and `SIGCONT`, because a stopped process does not handle `SIGTERM`.
    pub(crate) fn ask(&mut self) {
        self.walk(|_| {});
        self.signal_all(&[libc::SIGTERM, libc::SIGCONT]);
    }

    /// Kills all of them. Each process is stopped when it is found, so that it cannot fork during the walk.
    pub(crate) fn kill(&mut self) {
        self.walk(|process| process.signal(libc::SIGSTOP));
        self.signal_all(&[libc::SIGKILL]);
    }

    /// Sends signals to each process of the last walk that still has its parent in the tree. Since the walk, a process
    /// may have ended and its id may belong to a process outside of the run.
    fn signal_all(&self, signals: &[c_int]) {
        for pid in &self.pids {
            let Some(process) = Process::open(*pid) else { continue };
            if self.look(*pid).is_some_and(|(parent, _)| self.is_ours(parent)) {
                signals.iter().for_each(|signal| process.signal(*signal));
            }
        }
    }

    fn is_ours(&self, parent: c_int) -> bool {
        parent == self.own || self.pids.binary_search(&parent).is_ok()
    }

    /// Reads `/proc` until a pass finds no new process. The number of passes is bounded: a fork bomb always shows new
    /// ones, and the shim handles no requests meanwhile.
    fn walk(&mut self, found: impl Fn(&Process)) {
        self.pids.clear();
        for _ in 0..PASSES_MAX {
            if !self.pass(&found) {
                break;
            }
        }
    }

    /// Reads `/proc` once and returns whether it found a new process.
    fn pass(&mut self, found: &impl Fn(&Process)) -> bool {
        let before = self.pids.len();
        // SAFETY: the descriptor is open; this seeks back to the first entry.
        unsafe { libc::lseek(self.proc.as_raw_fd(), 0, libc::SEEK_SET) };
        loop {
            let (fd, place) = (self.proc.as_raw_fd(), self.listing.as_mut_ptr());
            // SAFETY: the buffer is valid for its length.
            let got = unsafe { libc::syscall(libc::SYS_getdents64, fd, place, LISTING_BYTES) };
            let Ok(got @ 1..) = usize::try_from(got) else { break };
            let mut at = 0;
            while let Some((length, pid)) = entry(self.listing.get(at..got).unwrap_or_default()) {
                at += length;
                if let Some(pid) = pid {
                    self.consider(pid, found);
                }
            }
        }
        self.pids.len() > before
    }

    fn consider(&mut self, pid: c_int, found: &impl Fn(&Process)) {
        let Err(place) = self.pids.binary_search(&pid) else { return };
        // Most processes of the machine are not ours: check the parent before the more expensive `pidfd_open`, and
        // again after it, when the id can no longer be reused.
        let is_child = || self.look(pid).is_some_and(|(parent, _)| self.is_ours(parent));
        if self.pids.len() >= PIDS_MAX || !is_child() {
            return;
        }
        let Some(process) = Process::open(pid).filter(|_| is_child()) else { return };
        self.pids.insert(place, pid);
        found(&process);
    }

    /// Parent and state of a process.
    fn look(&self, pid: c_int) -> Option<(c_int, u8)> {
        let mut name = [0_u8; 24];
        write!(&mut name[..], "{pid}/stat\0").ok()?;
        let name = std::ffi::CStr::from_bytes_until_nul(&name).ok()?;
        let stat = sys::open_at(self.proc.as_raw_fd(), name, libc::O_RDONLY).ok()?;
        let mut text = [0; 256];
        let length = sys::read(&stat, &mut text).ok()?;
        let text = text.get(..length)?;
        // The process name may contain any character, so fields are counted from the last `)`.
        let after = text.iter().rposition(|byte| *byte == b')')?;
        let mut fields = text.get(after + 2..)?.split(|byte| *byte == b' ');
        let state = *fields.next()?.first()?;
        Some((number(fields.next()?)?, state))
    }
}

/// The first entry of a directory listing: its length, and its process id if it is a process.
fn entry(listing: &[u8]) -> Option<(usize, Option<c_int>)> {
    let length = usize::from(u16::from_ne_bytes(*listing.get(16..18)?.first_chunk()?));
    let name = listing.get(19..length)?.split(|byte| *byte == 0).next()?;
    Some((length, number(name)))
}

fn number(text: &[u8]) -> Option<c_int> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
