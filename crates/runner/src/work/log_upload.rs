//! Log upload: sends the output of runs to the hub in chunks, each after the hub has stored the previous one. While the
//! hub is unreachable the upload waits; the output files are its queue.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::{
    JobId, RunId, Timestamp,
    log_budget::{LogBudget, LogUse, day, line_cost},
};
use proto::{
    link::ToHub,
    work::{Log, LogLine, RunRef},
};
use runtime::clock::wall;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use super::{message::RunMessage, redaction};
use crate::{
    exec::{Follower, Line, Position, Progress},
    log_line::log_line,
};

/// Most lines and bytes in one chunk.
const LINES: usize = 2_000;
const BYTES: usize = 256 * 1024;
/// Shortest and longest pause between two reads of the files; it doubles while there is no new output.
const LOOK_SOON: Duration = Duration::from_millis(50);
const LOOK_LATE: Duration = Duration::from_millis(800);
/// Time after which an unconfirmed chunk is sent again.
const CONFIRM_MAX: Duration = Duration::from_secs(10);
/// File in the run folder with the progress of the upload.
const UPLOAD_FILE: &str = "upload.json";
/// Name of that file in older versions. It is only read.
const OLD_UPLOAD_FILE: &str = "shipped.json";

/// The state of a run whose output is being uploaded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct UploadProgress {
    /// The open session; `None` without one.
    epoch: Option<i64>,
    is_over: bool,
    /// Whether the hub no longer wants the output.
    is_forgotten: bool,
    /// Number of lines that the hub has stored.
    kept: u64,
}

/// All runs whose output is being uploaded.
#[derive(Default)]
pub(super) struct LogUploads(Mutex<UploadState>);

#[derive(Default)]
struct UploadState {
    epoch: Option<i64>,
    budget: LogBudget,
    /// The current day, and the output that was sent in it since the start of this process.
    today: (Option<Timestamp>, u64),
    runs: HashMap<RunId, watch::Sender<UploadProgress>>,
}

impl LogUploads {
    fn inner(&self) -> std::sync::MutexGuard<'_, UploadState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn each(&self, change: impl Fn(&mut UploadProgress)) {
        for run in self.inner().runs.values() {
            run.send_modify(&change);
        }
    }

    fn one(&self, run: RunId, change: impl FnOnce(&mut UploadProgress)) {
        if let Some(run) = self.inner().runs.get(&run) {
            run.send_modify(change);
        }
    }

    /// A session is open.
    pub(super) fn begin(&self, epoch: i64, budget: LogBudget) {
        {
            let mut inner = self.inner();
            (inner.epoch, inner.budget) = (Some(epoch), budget);
        }
        self.each(|known| known.epoch = Some(epoch));
    }

    /// The number of lines that fit into the budget of the hub, and the line that marks its end.
    fn admit(&self, used: u64, costs: &[u64], now: Timestamp) -> (usize, Option<String>) {
        let mut inner = self.inner();
        let today = Some(day(now));
        if inner.today.0 != today {
            inner.today = (today, 0);
        }
        inner.today.1 = inner.today.1.saturating_add(costs.iter().sum());
        let (count, cut) = inner.budget.admit(LogUse { run: used, day: inner.today.1 }, costs);
        (count, cut.map(|cut| inner.budget.text(cut)))
    }

    /// The session has ended.
    pub(super) fn end(&self) {
        self.inner().epoch = None;
        self.each(|known| known.epoch = None);
    }

    /// The hub has stored the lines up to this one.
    pub(super) fn logged(&self, run: RunId, through: u64) {
        self.one(run, |known| known.kept = through);
    }

    /// A run has ended: its files are complete.
    pub(super) fn ended(&self, run: RunId) {
        self.one(run, |known| known.is_over = true);
    }

    /// The hub no longer wants the output of a run.
    pub(super) fn forget(&self, run: RunId) {
        self.one(run, |known| known.is_forgotten = true);
    }
}

/// The progress of an upload, stored in the run folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub(super) job: Option<JobId>,
    pub(super) fence: i32,
    pub(super) run: Option<RunId>,
    pub(super) position: Position,
    pub(super) kept: u64,
    #[serde(default)]
    pub(super) is_over: bool,
    #[serde(default)]
    pub(super) is_done: bool,
    /// The part of the hub's budget that the sent lines have used.
    #[serde(default)]
    pub(super) bytes: u64,
    /// Whether the budget is used up: further lines are read for their progress and not sent.
    #[serde(default)]
    pub(super) is_cut: bool,
    /// Id of the hub. Empty in files of older versions, which knew only one hub: then it is the primary hub.
    #[serde(default)]
    pub(super) source: String,
}

fn read_upload_file(dir: &Path) -> std::io::Result<Vec<u8>> {
    std::fs::read(dir.join(UPLOAD_FILE)).or_else(|_| std::fs::read(dir.join(OLD_UPLOAD_FILE)))
}

pub(super) fn remembered(dir: &Path) -> Option<Remembered> {
    serde_json::from_slice(&read_upload_file(dir).ok()?).ok()
}

/// Whether all output of the run in this folder has reached the hub.
pub(super) fn is_done(dir: &Path) -> bool {
    #[derive(Deserialize)]
    struct UploadEnd {
        #[serde(default)]
        is_done: bool,
    }
    let text = read_upload_file(dir).unwrap_or_default();
    serde_json::from_slice::<UploadEnd>(&text).is_ok_and(|done| done.is_done)
}

fn remember(dir: &Path, what: &Remembered) {
    let written = serde_json::to_vec(what).map_err(std::io::Error::other).and_then(|text| {
        let tmp = dir.join(format!("{UPLOAD_FILE}.tmp"));
        std::fs::write(&tmp, text)?;
        std::fs::rename(tmp, dir.join(UPLOAD_FILE))
    });
    // If the write failed, the same lines are sent again, and the hub stores them once.
    if let Err(error) = written {
        tracing::debug!(error = %error, "cannot save the position in the output of a run");
    }
}

/// The upload of one run's output.
pub(super) struct LogUploader {
    uploads: Arc<LogUploads>,
    run: RunRef,
    id: RunId,
    dir: PathBuf,
    known: watch::Receiver<UploadProgress>,
    events: mpsc::Sender<RunMessage>,
    source: Arc<str>,
}

impl LogUploader {
    /// An upload for this run, unless one is active.
    pub(super) fn new(
        uploads: &Arc<LogUploads>,
        run: RunRef,
        id: RunId,
        dir: PathBuf,
        events: mpsc::Sender<RunMessage>,
        source: Arc<str>,
    ) -> Option<Self> {
        let mut inner = uploads.inner();
        if inner.runs.contains_key(&id) {
            return None;
        }
        let (sender, known) = watch::channel(UploadProgress { epoch: inner.epoch, ..UploadProgress::default() });
        inner.runs.insert(id, sender);
        Some(Self { uploads: uploads.clone(), run, id, dir, known, events, source })
    }

    pub(super) async fn run(mut self) {
        let before = remembered(&self.dir).unwrap_or_default();
        if before.is_done || self.follow(before).await {
            let dir = self.dir.clone();
            let _ = tokio::task::spawn_blocking(move || redaction::erase(&dir)).await;
        }
        self.uploads.inner().runs.remove(&self.id);
    }

    /// Uploads the output to its end. Returns whether the raw output is not needed any more.
    async fn follow(&mut self, before: Remembered) -> bool {
        let (job, run, source) = (Some(self.run.job), Some(self.id), self.source.to_string());
        let mut at = Remembered { job, fence: self.run.fence, run, source, ..before };
        let (dir, position) = (self.dir.clone(), at.position.clone());
        let begun = tokio::task::spawn_blocking(move || {
            redaction::redactor(&dir).map(|redactor| Follower::new(&dir, redactor, position))
        });
        let mut follower = match begun.await.map_err(std::io::Error::other).flatten() {
            Ok(follower) => Some(follower),
            Err(error) => {
                tracing::error!(run.id = %self.id, error = %error, "cannot read the values to redact; output is not sent");
                return false;
            }
        };
        let mut pause = LOOK_SOON;
        loop {
            let known = *self.known.borrow_and_update();
            if known.is_forgotten {
                return true;
            }
            let is_over = known.is_over || at.is_over;
            let Some(mut reading) = follower.take() else { return false };
            let read = tokio::task::spawn_blocking(move || {
                let lines = reading.poll(is_over, LINES, BYTES);
                (reading, lines)
            });
            let Ok((reading, lines)) = read.await else { return false };
            let position = reading.position().clone();
            follower = Some(reading);
            let lines = lines.unwrap_or_else(|error| {
                tracing::warn!(run.id = %self.id, error = %error, "cannot read the output of a run");
                Vec::new()
            });
            if lines.is_empty() {
                if is_over {
                    at.is_done = true;
                    remember(&self.dir, &at);
                    return true;
                }
                pause = (pause * 2).min(LOOK_LATE);
                let _ = tokio::time::timeout(pause, self.known.changed()).await;
                continue;
            }
            pause = LOOK_SOON;
            self.deliver(&lines).await;
            at = Remembered { position, is_over, ..at };
            if !at.is_cut && !self.send(&mut at, &lines).await {
                return self.known.borrow().is_forgotten;
            }
            let (dir, what) = (self.dir.clone(), at.clone());
            let _ = tokio::task::spawn_blocking(move || remember(&dir, &what)).await;
        }
    }

    /// Sends the lines that fit into the budget. `false` if the upload has to end.
    async fn send(&mut self, at: &mut Remembered, lines: &[Line]) -> bool {
        let mut lines: Vec<LogLine> = lines.iter().map(log_line).collect();
        let costs: Vec<u64> = lines.iter().map(|line| line_cost(line.text.len())).collect();
        let (count, cut) = self.uploads.admit(at.bytes, &costs, wall());
        lines.truncate(count);
        at.bytes += costs.iter().take(count).sum::<u64>();
        if let Some(text) = cut {
            at.is_cut = true;
            lines.push(LogLine::system(lines.last().map_or(at.kept, |line| line.no) + 1, wall(), text));
        }
        at.kept = lines.last().map_or(at.kept, |line| line.no);
        self.confirmed(at.kept, lines).await
    }

    /// Reports the progress that these lines contain.
    async fn deliver(&mut self, lines: &[Line]) {
        if let Some(progress) = lines.iter().rev().find_map(Progress::of) {
            let _ = self.events.send(RunMessage::Progress { run: self.run, progress }).await;
        }
    }

    /// Sends a chunk until the hub has stored it. `false` if the upload has to end.
    async fn confirmed(&mut self, last: u64, lines: Vec<LogLine>) -> bool {
        let log = Log { job: self.run.job, fence: self.run.fence, run: self.id, lines };
        loop {
            let ready = self.known.wait_for(|known| known.epoch.is_some() || known.is_forgotten).await;
            let Ok(known) = ready.map(|known| *known) else { return false };
            if known.is_forgotten {
                return false;
            }
            if self.events.send(RunMessage::Send(Box::new(ToHub::Log(log.clone())))).await.is_err() {
                return false;
            }
            let epoch = known.epoch;
            let confirmed =
                self.known.wait_for(|known| known.kept >= last || known.epoch != epoch || known.is_forgotten);
            match tokio::time::timeout(CONFIRM_MAX, confirmed).await {
                Ok(Ok(known)) if known.kept >= last => return true,
                Ok(Err(_)) => return false,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upload_file_of_an_older_version_is_read_until_a_new_one_is_written() {
        let dir = tempfile::tempdir().expect("a folder");
        assert!(!is_done(dir.path()));
        std::fs::write(dir.path().join(OLD_UPLOAD_FILE), r#"{"is_done":true}"#).expect("a file");
        assert!(is_done(dir.path()));
        remember(dir.path(), &Remembered { kept: 7, ..Remembered::default() });
        assert!(!is_done(dir.path()));
        assert_eq!(remembered(dir.path()).map(|remembered| remembered.kept), Some(7));
    }
}
