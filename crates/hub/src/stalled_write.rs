//! A stream that fails when its client has not read for a time limit. Without it, an unread response stays in memory
//! until the client closes the connection.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep_until},
};

use crate::connections::ConnectionPlace;

/// A client that accepts no byte for this long is disconnected. Longer than a changed network takes to recover, and
/// than a runner's link may be silent.
pub(crate) const STALL_MAX: Duration = Duration::from_secs(60);

/// A stream with a time limit for pending writes. It also keeps the connection's place for as long as the stream lives,
/// which is longer than the HTTP connection if it becomes a WebSocket.
pub(crate) struct StalledWrite<S> {
    stream: S,
    most: Duration,
    /// Set while a write waits for the client.
    deadline: Option<Pin<Box<Sleep>>>,
    _place: Option<Arc<ConnectionPlace>>,
}

impl<S> StalledWrite<S> {
    pub(crate) fn new(stream: S, most: Duration, place: Option<Arc<ConnectionPlace>>) -> Self {
        Self { stream, most, deadline: None, _place: place }
    }

    /// Passes a finished write on. A pending one fails after the time limit.
    fn limited<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let most = self.most;
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + most)));
        ready!(deadline.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StalledWrite<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for StalledWrite<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.limited(written, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, pieces);
        this.limited(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(cx);
        this.limited(flushed, cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let shut = Pin::new(&mut this.stream).poll_shutdown(cx);
        this.limited(shut, cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[tokio::test]
    async fn write_fails_when_the_client_reads_nothing() {
        let (ours, mut theirs) = tokio::io::duplex(16);
        let mut stream = StalledWrite::new(ours, Duration::from_millis(20), None);
        stream.write_all(&[1; 16]).await.expect("fits into the buffer");
        let stalled = stream.write_all(&[2; 16]).await.expect_err("the client does not read");
        assert_eq!(stalled.kind(), io::ErrorKind::TimedOut);
        // Progress clears the deadline.
        let mut read = [0; 16];
        theirs.read_exact(&mut read).await.expect("reads");
        stream.deadline = None;
        stream.write_all(&[3; 16]).await.expect("the client has read");
        assert!(stream.deadline.is_none());
    }
}
