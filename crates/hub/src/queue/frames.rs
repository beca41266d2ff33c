//! What a session is to say to its runner, on its way there.

use proto::link::ToRunner;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TryRecvError};

/// Frames that may wait for a runner.
const FRAMES: usize = 64;

/// The way of frames to one runner. In boxes: room for some dozens is kept for each of thousands of runners, and hardly ever used.
pub(super) fn way() -> (FrameSender, Frames) {
    let (sender, receiver) = channel(FRAMES);
    (FrameSender(sender), Frames(receiver))
}

/// Where frames are handed in.
#[derive(Clone)]
pub(super) struct FrameSender(Sender<Box<ToRunner>>);

impl FrameSender {
    /// Hands in a frame. Says no if the runner does not keep up, or is gone.
    pub(super) fn try_send(&self, frame: ToRunner) -> bool {
        self.0.try_send(Box::new(frame)).is_ok()
    }
}

/// Where they come out.
pub(crate) struct Frames(Receiver<Box<ToRunner>>);

impl Frames {
    /// The next one; `None` if there will be none.
    pub(crate) async fn recv(&mut self) -> Option<ToRunner> {
        self.0.recv().await.map(|frame| *frame)
    }

    /// The next one, if it is there.
    pub(crate) fn try_recv(&mut self) -> Result<ToRunner, TryRecvError> {
        self.0.try_recv().map(|frame| *frame)
    }
}
