//! The shutdown of the process: the first signal starts it, the second one exits immediately.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// A handle that starts the shutdown or waits for it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown(CancellationToken);

impl Shutdown {
    /// Starts the shutdown.
    pub fn begin(&self) {
        self.0.cancel();
    }

    /// Whether the shutdown has started.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until the shutdown starts.
    pub async fn asked(&self) {
        self.0.cancelled().await;
    }
}

/// Listens for SIGINT and SIGTERM: the first signal starts the shutdown, the second one exits immediately.
///
/// # Errors
/// The signal handler cannot be installed.
pub fn signals(tasks: &crate::TaskTracker) -> std::io::Result<Shutdown> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let shutdown = Shutdown::default();
    let asked = shutdown.clone();
    tasks.spawn(async move {
        for is_second in [false, true] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if is_second {
                tracing::warn!("received a second signal, exiting immediately");
                std::process::exit(130);
            }
            asked.begin();
        }
    });
    Ok(shutdown)
}
