//! What became of a run, from its folder alone. Asked by a runner that starts, and whenever a shim does not answer.

use std::{
    fmt, fs, io,
    os::fd::{AsFd, BorrowedFd},
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec},
    process::{Flock, FlockType, Pid, PidfdFlags},
};
use shim::{Marker, Outcome, files, marker::ticks_of};
use tokio::time::{Instant, sleep};

use super::{Handle, off_the_loop};

/// How long a shim that lives may take to answer. It may be about to bind its socket, or be stopped.
const ANSWER_MAX: Duration = Duration::from_secs(5);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What became of a run.
#[derive(Debug)]
pub enum Verdict {
    /// It is over.
    Finished(Outcome),
    /// It has not begun, and never will.
    NotStarted,
    /// It may have begun, and nobody knows how it ended.
    Crashed {
        /// Why nobody knows.
        why: Crash,
    },
    /// It runs, and this is how to reach it.
    Alive(Handle),
}

/// Why nobody knows how a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// The machine was started again meanwhile.
    Reboot,
    /// The shim was killed.
    ShimGone,
    /// What it left cannot be read.
    Unreadable,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reboot => "the machine was restarted while it ran",
            Self::ShimGone => "the process that watched over it was killed",
            Self::Unreadable => "what it left on disk cannot be read",
        })
    }
}

/// Judges the run in this folder. An error means that it cannot be judged now: ask again.
///
/// If nobody has begun it, this takes the right to it, so that a shim that is still on its way does not begin either.
pub async fn judge(dir: &Path, boot_id: &str) -> io::Result<Verdict> {
    let deadline = Instant::now() + ANSWER_MAX;
    loop {
        let (folder, boot) = (dir.to_owned(), boot_id.to_owned());
        let run_id = match off_the_loop(move || look(&folder, &boot)).await? {
            Look::Finished(outcome) => return Ok(Verdict::Finished(outcome)),
            Look::NotStarted => return Ok(Verdict::NotStarted),
            Look::Crashed(why) => return Ok(Verdict::Crashed { why }),
            Look::Alive { run_id } => run_id,
        };
        // It may end between the look and the answer, so every error leads to another look.
        match Handle::adopt(dir, boot_id, &run_id).await {
            Ok(handle) => return Ok(Verdict::Alive(handle)),
            Err(error) if Instant::now() >= deadline => {
                let what = format!("the shim of {} is alive but does not answer: {error}", dir.display());
                return Err(io::Error::new(io::ErrorKind::TimedOut, what));
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// The outcome in this folder, if there is a complete one.
pub(super) fn read_outcome(dir: &Path) -> io::Result<Option<Outcome>> {
    Ok(read(&dir.join(files::EXIT))?.and_then(|bytes| Outcome::parse(&bytes)))
}

/// What is in a file, if there is one.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

enum Look {
    Finished(Outcome),
    NotStarted,
    Crashed(Crash),
    Alive { run_id: String },
}

fn look(dir: &Path, boot_id: &str) -> io::Result<Look> {
    if let Some(outcome) = read_outcome(dir)? {
        return Ok(Look::Finished(outcome));
    }
    // Without a folder there was never a shim in it.
    if !dir.try_exists()? || take_marker(dir)? {
        return Ok(Look::NotStarted);
    }
    let marker = read(&dir.join(files::STARTED))?.and_then(|bytes| Marker::parse(&bytes));
    let why = match marker {
        Some(Marker::Void) => return Ok(Look::NotStarted),
        // Where boots have no name, only the shim itself can tell.
        Some(Marker::Shim { boot_id: of, .. }) if !of.is_empty() && of != boot_id => Crash::Reboot,
        Some(Marker::Shim { run_id, pid, ticks, .. }) => {
            if is_alive(dir, pid, ticks) {
                return Ok(Look::Alive { run_id });
            }
            Crash::ShimGone
        }
        None => Crash::Unreadable,
    };
    // A shim that was killed early has not removed it, and it holds secrets.
    let _ = fs::remove_file(dir.join(files::SPEC));
    // It may have ended while we looked.
    Ok(read_outcome(dir)?.map_or(Look::Crashed(why), Look::Finished))
}

/// Takes the right to the run, so that it never begins; whether that was still possible.
fn take_marker(dir: &Path) -> io::Result<bool> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let aside = dir.join(format!("void.{}.{number}", std::process::id()));
    fs::write(&aside, Marker::Void.to_text())?;
    let linked = fs::hard_link(&aside, dir.join(files::STARTED));
    let _ = fs::remove_file(&aside);
    match linked {
        Ok(()) => {
            // It holds secrets that nobody will need.
            let _ = fs::remove_file(dir.join(files::SPEC));
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the shim lives: it holds its lock, or its process has not ended. That its number and its start match is not
/// enough: they do for a zombie too.
fn is_alive(dir: &Path, pid: i32, ticks: u64) -> bool {
    let held = fs::File::open(dir.join(files::LOCK))
        .and_then(|file| Ok(rustix::process::fcntl_getlk(file, &Flock::from(FlockType::WriteLock))?));
    let holds = match held {
        // A holder in another pid namespace has no number here.
        Ok(Some(lock)) => lock.pid.is_none_or(|holder| holder.as_raw_nonzero().get() == pid),
        Ok(None) | Err(_) => false,
    };
    // Not every file system has locks.
    holds || is_running(pid, ticks)
}

fn is_running(pid: i32, ticks: u64) -> bool {
    let Some(process) = Pid::from_raw(pid) else { return false };
    // First the process is held, then its start is compared: now it cannot become another.
    let Ok(held) = rustix::process::pidfd_open(process, PidfdFlags::empty()) else { return false };
    let is_same = fs::read(format!("/proc/{pid}/stat")).is_ok_and(|stat| ticks_of(&stat) == Some(ticks));
    is_same && !has_ended(held.as_fd())
}

/// Whether a process has ended, reaped or not.
pub(super) fn has_ended(process: BorrowedFd<'_>) -> bool {
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    let mut interest = [PollFd::new(&process, PollFlags::IN)];
    rustix::event::poll(&mut interest, Some(&now)).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zombie_is_not_alive() {
        let mut child = std::process::Command::new("/bin/true").spawn().expect("it runs");
        let pid = i32::try_from(child.id()).expect("small");
        let stat = loop {
            let stat = fs::read(format!("/proc/{pid}/stat")).expect("nobody reaped it");
            if stat.windows(4).any(|part| part == b") Z ") {
                break stat;
            }
            std::thread::yield_now();
        };
        let ticks = ticks_of(&stat).expect("a zombie has ticks");
        assert!(!is_running(pid, ticks));
        child.wait().expect("it ended");
        let own = i32::try_from(std::process::id()).expect("small");
        let ticks = ticks_of(&fs::read("/proc/self/stat").expect("ours")).expect("ours");
        assert!(is_running(own, ticks));
        assert!(!is_running(own, ticks + 1));
    }
}
