//! The channel of frames to the session of one runner.

use proto::link::ToRunner;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TryRecvError};
use tokio_util::sync::CancellationToken;

/// Frames that can wait for a runner.
const FRAMES: usize = 64;

/// The session's end of the channel.
pub(crate) struct RunnerChannel {
    pub(crate) frames: Frames,
    /// Canceled when the session must end, because grants could not be sent to its runner.
    pub(crate) broken: CancellationToken,
}

/// Creates a channel. Frames are boxed: thousands of runners each reserve space for some dozens, and rarely use it.
pub(super) fn frame_channel() -> (FrameSender, Frames) {
    let (sender, receiver) = channel(FRAMES);
    (FrameSender(sender), Frames(receiver))
}

/// Sends frames to a session.
#[derive(Clone)]
pub(super) struct FrameSender(Sender<Box<ToRunner>>);

impl FrameSender {
    /// Sends a frame. Returns `false` if the channel is full or closed.
    pub(super) fn try_send(&self, frame: ToRunner) -> bool {
        self.0.try_send(Box::new(frame)).is_ok()
    }
}

/// Receives the frames of a session.
pub(crate) struct Frames(Receiver<Box<ToRunner>>);

impl Frames {
    /// The next frame; `None` if the channel is closed.
    pub(crate) async fn recv(&mut self) -> Option<ToRunner> {
        self.0.recv().await.map(|frame| *frame)
    }

    /// The next frame, if there is one.
    pub(crate) fn try_recv(&mut self) -> Result<ToRunner, TryRecvError> {
        self.0.try_recv().map(|frame| *frame)
    }
}
