//! All processes of the run, found by walking `/proc` from parent to child. We adopt orphans, so none gets away.

use std::{
    io::Write,
    os::fd::{AsRawFd, OwnedFd},
};

use libc::c_int;

use crate::sys;

/// So many are handled in one round; with more, rounds follow each other.
const PIDS_MAX: usize = 4096;
/// So often `/proc` is read in one round.
const PASSES_MAX: u32 = 16;
const LISTING_BYTES: usize = 16 * 1024;

/// The processes below us, as the last walk found them.
pub(crate) struct Tree {
    own: c_int,
    proc: OwnedFd,
    /// Sorted.
    pids: Vec<c_int>,
    listing: Vec<u8>,
}

impl Tree {
    /// Takes all the space it will need; pages that are never touched cost nothing.
    pub(crate) fn new() -> sys::Result<Self> {
        Ok(Self {
            own: sys::pid(),
            proc: sys::open(c"/proc", libc::O_RDONLY | libc::O_DIRECTORY)?,
            pids: Vec::with_capacity(PIDS_MAX),
            listing: vec![0; LISTING_BYTES],
        })
    }

    /// How many are alive.
    pub(crate) fn count(&mut self) -> u32 {
        self.walk(|_| {});
        let alive = self.pids.iter().filter(|pid| self.look(**pid).is_some_and(|(_, state)| state != b'Z'));
        u32::try_from(alive.count()).unwrap_or(u32::MAX)
    }

    /// Asks all of them to end. A stopped one would not hear it, so it is continued.
    pub(crate) fn ask(&mut self) {
        self.walk(|_| {});
        for pid in &self.pids {
            sys::kill(*pid, libc::SIGTERM);
            sys::kill(*pid, libc::SIGCONT);
        }
    }

    /// Kills all of them. They are stopped while we look, so that none forks on unseen.
    pub(crate) fn kill(&mut self) {
        self.walk(|pid| sys::kill(pid, libc::SIGSTOP));
        for pid in &self.pids {
            sys::kill(*pid, libc::SIGKILL);
        }
    }

    /// Looks until a pass finds nobody new, or often enough: who forks without end is always new, and meanwhile the
    /// shim hears nobody.
    fn walk(&mut self, found: impl Fn(c_int)) {
        self.pids.clear();
        for _ in 0..PASSES_MAX {
            if !self.pass(&found) {
                break;
            }
        }
    }

    /// One reading of `/proc`; whether it found somebody new.
    fn pass(&mut self, found: &impl Fn(c_int)) -> bool {
        let before = self.pids.len();
        // SAFETY: a plain call on a descriptor of ours: back to the first entry.
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

    fn consider(&mut self, pid: c_int, found: &impl Fn(c_int)) {
        let Err(place) = self.pids.binary_search(&pid) else { return };
        let Some((parent, _)) = self.look(pid) else { return };
        let is_ours = parent == self.own || self.pids.binary_search(&parent).is_ok();
        if is_ours && self.pids.len() < PIDS_MAX {
            self.pids.insert(place, pid);
            found(pid);
        }
    }

    /// The parent of a process and its state.
    fn look(&self, pid: c_int) -> Option<(c_int, u8)> {
        let mut name = [0_u8; 24];
        write!(&mut name[..], "{pid}/stat\0").ok()?;
        let name = std::ffi::CStr::from_bytes_until_nul(&name).ok()?;
        let stat = sys::open_at(self.proc.as_raw_fd(), name, libc::O_RDONLY).ok()?;
        let mut text = [0; 256];
        let length = sys::read(&stat, &mut text).ok()?;
        let text = text.get(..length)?;
        // The name in it may hold anything, so it is read from behind.
        let after = text.iter().rposition(|byte| *byte == b')')?;
        let mut fields = text.get(after + 2..)?.split(|byte| *byte == b' ');
        let state = *fields.next()?.first()?;
        Some((number(fields.next()?)?, state))
    }
}

/// The first entry of a listing: its length, and its number if it is a process.
fn entry(listing: &[u8]) -> Option<(usize, Option<c_int>)> {
    let length = usize::from(u16::from_ne_bytes(*listing.get(16..18)?.first_chunk()?));
    let name = listing.get(19..length)?.split(|byte| *byte == 0).next()?;
    Some((length, number(name)))
}

fn number(text: &[u8]) -> Option<c_int> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
