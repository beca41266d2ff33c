//! The channel between the link and the engine: both sides exchange messages and share no state.

use domain::log_budget::LogBudget;
use proto::{
    link::ToHub,
    work::{CancelRun, Grants, Order, Verdicts},
};
use tokio::sync::{mpsc, watch};

/// Capacity of each direction, in messages.
const FRAMES: usize = 1_024;

/// A message from the link to the engine.
#[derive(Debug, Clone, PartialEq)]
pub enum HubMessage {
    /// A session was opened.
    Begun {
        epoch: i64,
        /// How long the hub may be silent before the runner ends leased runs.
        lost_after_ms: u32,
        /// How much output the hub stores.
        log_budget: LogBudget,
        /// Display name of the host.
        name: String,
    },
    /// The session ended; the link reconnects by itself.
    Ended,
    /// The hub answered a heartbeat.
    HeartbeatAck {
        /// When the heartbeat was sent: milliseconds since boot, suspend included.
        sent_boot_ms: u64,
    },
    /// The hub's answer to the inventory: the runs that it no longer wants.
    Verdicts(Verdicts),
    Grants(Grants),
    /// The hub has stored the results up to this outbox number.
    Settled {
        through: i64,
    },
    /// The hub has stored the run's output up to this line.
    Logged {
        run: domain::RunId,
        through: u64,
    },
    Cancel(Vec<CancelRun>),
    /// Orders for servers.
    Orders(Vec<Order>),
}

/// A frame for the hub. The link drops it unless this session is still open: after a reconnect the inventory has
/// replaced everything that earlier frames were about.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgoing {
    pub epoch: i64,
    pub frame: ToHub,
}

/// The link's side of the channels.
pub struct LinkChannel {
    pub(crate) to_engine: mpsc::Sender<HubMessage>,
    pub(crate) from_engine: mpsc::Receiver<Outgoing>,
    pub(crate) outbox: watch::Receiver<Option<u64>>,
}

/// The engine's side of the channels.
pub struct EngineChannel {
    /// Messages from the link.
    pub from_link: mpsc::Receiver<HubMessage>,
    /// Frames for the hub.
    pub to_link: mpsc::Sender<Outgoing>,
    /// Number of results in the outbox; `None` before the first count.
    pub outbox: watch::Sender<Option<u64>>,
}

/// Creates both sides of the channels.
#[must_use]
pub fn channels() -> (LinkChannel, EngineChannel) {
    let (to_engine, from_link) = mpsc::channel(FRAMES);
    let (to_link, from_engine) = mpsc::channel(FRAMES);
    let (depth, outbox) = watch::channel(None);
    (LinkChannel { to_engine, from_engine, outbox }, EngineChannel { from_link, to_link, outbox: depth })
}
