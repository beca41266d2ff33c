//! Messages of runs to their engine.

use domain::RunId;
use proto::{
    link::ToHub,
    work::{Ordered, RunRef, RunResult},
};

use crate::exec::{self, Progress};

/// A message from a run to the engine.
pub(super) enum RunMessage {
    /// The program runs.
    Began { run: RunRef, pid: i32 },
    /// The run has ended. `finished` is acknowledged after the result is committed.
    Ended { id: RunId, result: Box<RunResult>, finished: Option<Box<exec::Finished>> },
    /// The run was killed because the hub no longer wants it.
    Forgotten { run: RunRef, id: RunId },
    /// A frame for the hub.
    Send(Box<ToHub>),
    /// An order for a server was carried out.
    Ordered(Ordered),
    /// The program reported progress.
    Progress { run: RunRef, progress: Progress },
    /// The minimum interval has passed, so the last progress may be sent.
    ProgressDue { run: RunRef },
    /// The run has reached the minimum age for reporting its process.
    Lasts { run: RunRef, pid: i32 },
}
