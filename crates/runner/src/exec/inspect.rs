//! The state of a run, determined from its folder alone. Used when a runner starts and when a shim does not answer.
//!
//! Four facts decide, in this order: a complete `exit` file means finished; a `started` file that this process could
//! create itself means that no shim has started the run and none can any more; a marker of another boot means that the
//! shim died with the machine; a live shim means that the run is alive. Otherwise the shim was killed, and the outcome
//! of the run is lost.

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

/// Time limit for a live shim to answer. It may not have bound its socket yet, or be stopped by a signal.
const ANSWER_MAX: Duration = Duration::from_secs(5);
/// Pause between two inspections.
const PAUSE: Duration = Duration::from_millis(20);

/// The state of a run.
#[derive(Debug)]
pub enum RunState {
    Finished(Outcome),
    /// It has not started and never will.
    NotStarted,
    /// It may have started; it has ended, and its outcome is lost.
    Crashed {
        why: Crash,
    },
    /// It is running under the shim of this handle.
    Alive(Handle),
}

/// Why the outcome of a run is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// The machine restarted.
    Reboot,
    /// The shim was killed.
    ShimGone,
    /// The files in the folder are damaged.
    Unreadable,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reboot => "the machine restarted during the run",
            Self::ShimGone => "the process that supervised the run was killed",
            Self::Unreadable => "the files of the run on disk are damaged",
        })
    }
}

/// Inspects the run in this folder. An error means that its state is unknown for now: try again.
///
/// A run that no shim has claimed is claimed here with a void marker. Otherwise a shim that is still starting could
/// start the program after the run was reported as not started, and the hub would have granted the job again.
pub async fn inspect(dir: &Path, boot_id: &str) -> io::Result<RunState> {
    let deadline = Instant::now() + ANSWER_MAX;
    loop {
        let (folder, boot) = (dir.to_owned(), boot_id.to_owned());
        let run_id = match off_the_loop(move || look(&folder, &boot)).await? {
            Inspection::Finished(outcome) => return Ok(RunState::Finished(outcome)),
            Inspection::NotStarted => return Ok(RunState::NotStarted),
            Inspection::Crashed(why) => return Ok(RunState::Crashed { why }),
            Inspection::Alive { run_id } => run_id,
        };
        // The run may end between the inspection and the answer, so inspect again after every error.
        match Handle::adopt(dir, boot_id, &run_id).await {
            Ok(handle) => return Ok(RunState::Alive(handle)),
            Err(error) if Instant::now() >= deadline => {
                let what = format!("the shim of {} is alive but does not answer: {error}", dir.display());
                return Err(io::Error::new(io::ErrorKind::TimedOut, what));
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// The outcome in this folder, if it is complete.
pub(super) fn read_outcome(dir: &Path) -> io::Result<Option<Outcome>> {
    Ok(read(&dir.join(files::EXIT))?.and_then(|bytes| Outcome::parse(&bytes)))
}

/// The content of a file; `None` if it does not exist.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

enum Inspection {
    Finished(Outcome),
    NotStarted,
    Crashed(Crash),
    Alive { run_id: String },
}

fn look(dir: &Path, boot_id: &str) -> io::Result<Inspection> {
    if let Some(outcome) = read_outcome(dir)? {
        return Ok(Inspection::Finished(outcome));
    }
    // Without a folder no shim was ever started for this run.
    if !dir.try_exists()? || take_marker(dir)? {
        return Ok(Inspection::NotStarted);
    }
    let marker = read(&dir.join(files::STARTED))?.and_then(|bytes| Marker::parse(&bytes));
    let why = match marker {
        Some(Marker::Void) => return Ok(Inspection::NotStarted),
        // Without a boot id only the shim process itself decides.
        Some(Marker::Shim { boot_id: of, .. }) if !of.is_empty() && of != boot_id => Crash::Reboot,
        Some(Marker::Shim { run_id, pid, ticks, .. }) => {
            if is_alive(dir, pid, ticks) {
                return Ok(Inspection::Alive { run_id });
            }
            Crash::ShimGone
        }
        None => Crash::Unreadable,
    };
    // A shim that was killed early did not remove the spec, which contains secrets.
    let _ = fs::remove_file(dir.join(files::SPEC));
    // The shim may have written the outcome after the first check and then ended.
    Ok(read_outcome(dir)?.map_or(Inspection::Crashed(why), Inspection::Finished))
}

/// Claims the run with a void marker, so that it never starts. `false` if it is already claimed.
fn take_marker(dir: &Path) -> io::Result<bool> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let aside = dir.join(format!("void.{}.{number}", std::process::id()));
    fs::write(&aside, Marker::Void.to_text())?;
    let linked = fs::hard_link(&aside, dir.join(files::STARTED));
    let _ = fs::remove_file(&aside);
    match linked {
        Ok(()) => {
            // The spec contains secrets and is not needed any more.
            let _ = fs::remove_file(dir.join(files::SPEC));
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether the shim is alive: it holds its lock, or its process has not ended. A matching process id and start time are
/// not enough, because a zombie has them too.
fn is_alive(dir: &Path, pid: i32, ticks: u64) -> bool {
    let held = fs::File::open(dir.join(files::LOCK))
        .and_then(|file| Ok(rustix::process::fcntl_getlk(file, &Flock::from(FlockType::WriteLock))?));
    let holds = match held {
        // A lock holder in another pid namespace has no id here.
        Ok(Some(lock)) => lock.pid.is_none_or(|holder| holder.as_raw_nonzero().get() == pid),
        Ok(None) | Err(_) => false,
    };
    // Some file systems have no locks; then the process decides.
    holds || is_running(pid, ticks)
}

fn is_running(pid: i32, ticks: u64) -> bool {
    let Some(process) = Pid::from_raw(pid) else { return false };
    // Open the process first and compare its start time afterwards: the pidfd rules out that the id is reused in
    // between.
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
    fn zombie_is_not_running() {
        let mut child = std::process::Command::new("/bin/true").spawn().expect("it runs");
        let pid = i32::try_from(child.id()).expect("small");
        let stat = loop {
            let stat = fs::read(format!("/proc/{pid}/stat")).expect("not reaped yet");
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
