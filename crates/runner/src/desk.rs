//! Where the link and the work meet: channels, and nothing shared.

use proto::{
    link::ToHub,
    work::{CancelRun, Grants, Order, Verdicts},
};
use tokio::sync::{mpsc, watch};

/// Frames that may wait on either side.
const FRAMES: usize = 1_024;

/// What the link tells the work.
#[derive(Debug, Clone, PartialEq)]
pub enum FromHub {
    /// A session has begun.
    Begun {
        /// Its number.
        epoch: i64,
        /// How long the hub may be silent before leased runs are ended.
        lost_after_ms: u32,
        /// The host's name, as people know it.
        name: String,
    },
    /// The session has ended; the link comes back by itself.
    Ended,
    /// The hub has answered a heartbeat that was sent at this time since the boot.
    Heard {
        /// In milliseconds, sleep included.
        sent_boot_ms: u64,
    },
    /// Which runs to stop.
    Verdicts(Verdicts),
    /// Jobs to run.
    Grants(Grants),
    /// Results up to this number are kept.
    Settled {
        /// The number.
        through: i64,
    },
    /// Lines up to this one are kept.
    Logged {
        /// The run.
        run: domain::RunId,
        /// The line.
        through: u64,
    },
    /// Runs to end.
    Cancel(Vec<CancelRun>),
    /// What to say to servers.
    Orders(Vec<Order>),
}

/// Something to say, in the session it was meant for. In another it means nothing and is dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct Saying {
    /// The session.
    pub epoch: i64,
    /// What.
    pub frame: ToHub,
}

/// The link's side.
pub struct Desk {
    pub(crate) tell: mpsc::Sender<FromHub>,
    pub(crate) sayings: mpsc::Receiver<Saying>,
    pub(crate) outbox: watch::Receiver<Option<u64>>,
}

/// The work's side.
pub struct Bench {
    /// What the hub says.
    pub heard: mpsc::Receiver<FromHub>,
    /// What to say to it.
    pub say: mpsc::Sender<Saying>,
    /// How many results wait for the hub.
    pub outbox: watch::Sender<Option<u64>>,
}

/// Both sides.
#[must_use]
pub fn desk() -> (Desk, Bench) {
    let (tell, heard) = mpsc::channel(FRAMES);
    let (say, sayings) = mpsc::channel(FRAMES);
    let (depth, outbox) = watch::channel(None);
    (Desk { tell, sayings, outbox }, Bench { heard, say, outbox: depth })
}
