//! Ending a process: the first signal asks, the second insists.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// Resolves when the process is asked to stop. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown(CancellationToken);

impl Shutdown {
    /// Asks.
    pub fn begin(&self) {
        self.0.cancel();
    }

    /// Whether somebody has asked.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until somebody asks.
    pub async fn asked(&self) {
        self.0.cancelled().await;
    }
}

/// Listens for SIGINT and SIGTERM: the first begins the shutdown, the second ends the process at once.
///
/// # Errors
/// The operating system refuses the handler.
pub fn signals(crew: &crate::TaskTracker) -> std::io::Result<Shutdown> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let shutdown = Shutdown::default();
    let asked = shutdown.clone();
    crew.spawn(async move {
        for is_second in [false, true] {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if is_second {
                tracing::warn!("second signal: ending at once");
                std::process::exit(130);
            }
            asked.begin();
        }
    });
    Ok(shutdown)
}
