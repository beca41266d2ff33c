//! The end of a run: write the outcome, notify waiting runners, and sync the files unless a runner has stored the
//! outcome.

use std::os::fd::OwnedFd;

use shim::{Ending, Moment, Outcome, Why, wire};

use crate::{sys, watch::Watch};

/// Space for any outcome: one block.
const OUTCOME_BYTES: libc::off_t = 4096;

/// The file of the outcome. Its space is reserved at the start, so that a full disk cannot lose the outcome.
pub(crate) struct Finish {
    file: Option<OwnedFd>,
    began: Moment,
}

impl Finish {
    pub(crate) fn new(began: Moment) -> Self {
        let file = sys::open(c"exit.tmp", libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC).ok();
        if let Some(file) = &file {
            // Not every file system can reserve space; then the write at the end may fail.
            let _ = sys::reserve(file, OUTCOME_BYTES);
        }
        Self { file, began }
    }

    /// Records that the program was not started.
    pub(crate) fn record_start_failure(&mut self, ending: Ending) {
        self.write(&Outcome {
            why: Why::Itself,
            ending,
            left_over: 0,
            is_oom: false,
            output_bytes: 0,
            dropped_bytes: 0,
            child_pid: 0,
            began: self.began,
            ended: sys::moment(),
        });
        self.sync();
        sys::unlink(c"sock");
    }

    /// Records the end of the run.
    pub(crate) fn end(&mut self, mut watch: Watch) {
        let (why, ending, left_over) = watch.ended();
        let (output_bytes, dropped_bytes) = watch.output.totals();
        self.write(&Outcome {
            why,
            ending,
            left_over,
            is_oom: watch.cgroup.as_ref().is_some_and(crate::cgroup::Cgroup::is_oom),
            output_bytes,
            dropped_bytes,
            child_pid: watch.child(),
            began: self.began,
            ended: sys::moment(),
        });
        if let Some(cgroup) = &watch.cgroup {
            cgroup.remove();
        }
        if !is_taken_over(&mut watch) {
            watch.output.sync();
            self.sync();
        }
        sys::unlink(c"sock");
    }

    fn write(&mut self, outcome: &Outcome) {
        let text = outcome.to_text();
        let Some(file) = &self.file else { return };
        if sys::write(file, text.as_bytes()) == Ok(text.len()) && sys::cut(file, text.len() as u64).is_ok() {
            let _ = sys::rename(c"exit.tmp", c"exit");
        }
    }

    fn sync(&self) {
        if let Some(file) = &self.file {
            sys::sync(file);
        }
        if let Ok(folder) = sys::open(c".", libc::O_RDONLY | libc::O_DIRECTORY) {
            sys::sync(&folder);
        }
    }
}

/// Sends `exit` to waiting runners and returns whether one confirmed in time that it has stored the outcome. A runner
/// commits many outcomes in one transaction, which is cheaper than an `fsync` in each run folder.
fn is_taken_over(watch: &mut Watch) -> bool {
    watch.clients.announce();
    let until_ms = sys::boot_ms() + wire::ACK_MS;
    while !watch.clients.is_empty() && !watch.clients.is_safe() {
        let Some(left) = until_ms.checked_sub(sys::boot_ms()).filter(|left| *left > 0) else { break };
        let mut interests = watch.clients.interests();
        sys::poll(&mut interests, libc::c_int::try_from(left).unwrap_or(0));
        for (place, interest) in interests.iter().enumerate() {
            if interest.revents != 0 {
                watch.clients.handle_requests(
                    place,
                    sys::boot_ms(),
                    |_| wire::Answer::Refused("the run has ended"),
                    ("", 0),
                );
            }
        }
    }
    watch.clients.is_safe()
}
