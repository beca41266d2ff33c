//! Stores a server's output in the database. Lines and the position behind them are committed together, so that a
//! killed runner neither loses nor repeats lines. The rate is limited: of a server that writes faster, output in the
//! middle is dropped, and a system line states how much.

use std::{path::PathBuf, sync::Arc, time::Duration};

use domain::{RunId, ServerId};
use runtime::clock::wall;
use serde_json::Value;
use store::{log::Chunk, server::ServerRun};
use tokio::sync::watch;

use super::context::ServerContext;
use crate::{
    exec::{Follower, Line, Position, Redactor},
    log_line::log_line,
};

/// Most lines and bytes per write.
const LINES: usize = 2_000;
const BYTES: usize = 256 * 1024;
/// Pause between two writes, and the longest pause while there is no new output.
const PAUSE: Duration = Duration::from_millis(50);
const PAUSE_MAX: Duration = Duration::from_millis(400);

/// The output of one run of a server.
pub(super) struct Output {
    pub(super) shared: Arc<ServerContext>,
    pub(super) server: ServerId,
    pub(super) no: i32,
    pub(super) run: RunId,
    pub(super) dir: PathBuf,
    /// Position to continue from; absent for the start.
    pub(super) position: Option<Value>,
    /// Whether the run has ended, so that its files are complete.
    pub(super) is_over: watch::Receiver<bool>,
}

impl Output {
    /// The output of this run, from the stored position.
    pub(super) fn of(shared: &Arc<ServerContext>, run: &ServerRun, is_over: watch::Receiver<bool>) -> Self {
        Self {
            shared: shared.clone(),
            server: run.server_id,
            no: run.no,
            run: run.id,
            dir: shared.folder.join(run.id.to_string()),
            position: run.log_position.clone(),
            is_over,
        }
    }

    /// Stores the output to its end, then deletes the run folder.
    pub(super) async fn follow(mut self) {
        let position: Position =
            self.position.take().and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default();
        let mut follower = Some(Follower::new(&self.dir, Redactor::new([""; 0]), position));
        let mut pause = PAUSE;
        loop {
            let is_over = *self.is_over.borrow_and_update();
            let Some(mut reading) = follower.take() else { return };
            let read = tokio::task::spawn_blocking(move || {
                let lines = reading.poll(is_over, LINES, BYTES);
                (reading, lines)
            });
            let Ok((reading, lines)) = read.await else { return };
            let position = serde_json::to_value(reading.position()).ok();
            follower = Some(reading);
            let lines = lines.unwrap_or_else(|error| {
                tracing::warn!(server.id = %self.server, run.id = %self.run, error = %error, "cannot read a server's output");
                Vec::new()
            });
            if lines.is_empty() {
                if is_over {
                    // All output is in the database.
                    let dir = self.dir.clone();
                    let _ = tokio::task::spawn_blocking(move || std::fs::remove_dir_all(dir)).await;
                    return;
                }
                pause = (pause * 2).min(PAUSE_MAX);
                let _ = tokio::time::timeout(pause, self.is_over.changed()).await;
                continue;
            }
            self.keep(&lines, position).await;
            pause = PAUSE;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Stores lines; retries until the database accepts them.
    async fn keep(&self, lines: &[Line], position: Option<Value>) {
        let log_lines: Vec<_> = lines.iter().map(log_line).collect();
        let Ok((body, size)) = proto::work::fold(&log_lines) else { return };
        let chunk = Chunk {
            run_id: self.run,
            first_line: log_lines.first().and_then(|line| i64::try_from(line.no).ok()).unwrap_or(1),
            lines: i32::try_from(log_lines.len()).unwrap_or(i32::MAX),
            bytes: i32::try_from(size).unwrap_or(i32::MAX),
            body,
            at: wall(),
        };
        loop {
            let (server, no, chunk, position) = (self.server, self.no, chunk.clone(), position.clone());
            let written = self
                .shared
                .store
                .write(move |tx| Box::pin(async move { tx.server_lines(server, no, &[chunk], position).await }));
            let Err(error) = written.await else { return };
            tracing::warn!(server.id = %self.server, error = %error, "cannot store a server's output; trying again");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}
