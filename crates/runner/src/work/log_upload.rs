//! Output on its way to the hub: a chunk at a time, the next when the last is kept. A hub that is away only makes it
//! wait; the files are the queue.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::{JobId, RunId};
use proto::{
    link::ToHub,
    work::{Log, LogLine, RunRef, Stream as LogStream},
};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

use super::{
    engine::{Engine, RunMessage},
    redaction,
};
use crate::exec::{Follower, Line, OutputStream, Position, Progress};

/// Lines and bytes in one chunk.
const LINES: usize = 2_000;
const BYTES: usize = 256 * 1024;
/// How often a file is looked at: often when it grows, less when it is quiet.
const LOOK_SOON: Duration = Duration::from_millis(50);
const LOOK_LATE: Duration = Duration::from_millis(800);
/// How long the hub may take to confirm a chunk before it is said again.
const CONFIRM_MAX: Duration = Duration::from_secs(10);
/// What is remembered of the shipping in a run's folder.
const SHIPPED_FILE: &str = "shipped.json";

/// What is known of a run whose output is shipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct UploadProgress {
    /// The session that may be talked to.
    epoch: Option<i64>,
    /// Whether the run is over.
    is_over: bool,
    /// Whether nobody wants its output.
    is_forgotten: bool,
    /// Lines the hub has.
    kept: u64,
}

/// All runs whose output is shipped.
#[derive(Default)]
pub(super) struct LogUploads(Mutex<UploadState>);

#[derive(Default)]
struct UploadState {
    epoch: Option<i64>,
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

    /// The hub can be talked to.
    pub(super) fn begin(&self, epoch: i64) {
        self.inner().epoch = Some(epoch);
        self.each(|known| known.epoch = Some(epoch));
    }

    /// The hub cannot be talked to.
    pub(super) fn end(&self) {
        self.inner().epoch = None;
        self.each(|known| known.epoch = None);
    }

    /// The hub has lines up to this one.
    pub(super) fn logged(&self, run: RunId, through: u64) {
        self.one(run, |known| known.kept = through);
    }

    /// A run is over: what is in its file now is all.
    pub(super) fn ended(&self, run: RunId) {
        self.one(run, |known| known.is_over = true);
    }

    /// Nobody wants a run's output.
    pub(super) fn forget(&self, run: RunId) {
        self.one(run, |known| known.is_forgotten = true);
    }
}

/// What is remembered in a run's folder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Remembered {
    job: Option<JobId>,
    fence: i32,
    run: Option<RunId>,
    position: Position,
    kept: u64,
    #[serde(default)]
    is_over: bool,
    #[serde(default)]
    is_done: bool,
    /// Which hub it is for; of those that were begun when there was only one, the home.
    #[serde(default)]
    source: String,
}

fn remembered(dir: &Path) -> Option<Remembered> {
    serde_json::from_slice(&std::fs::read(dir.join(SHIPPED_FILE)).ok()?).ok()
}

/// Whether all output of the run in this folder has reached the hub.
pub(super) fn is_done(dir: &Path) -> bool {
    #[derive(Deserialize)]
    struct UploadEnd {
        #[serde(default)]
        is_done: bool,
    }
    let text = std::fs::read(dir.join(SHIPPED_FILE)).unwrap_or_default();
    serde_json::from_slice::<UploadEnd>(&text).is_ok_and(|done| done.is_done)
}

fn remember(dir: &Path, what: &Remembered) {
    let written = serde_json::to_vec(what).map_err(std::io::Error::other).and_then(|text| {
        let tmp = dir.join(format!("{SHIPPED_FILE}.tmp"));
        std::fs::write(&tmp, text)?;
        std::fs::rename(tmp, dir.join(SHIPPED_FILE))
    });
    // Without it the same lines are said again, and the hub keeps them once.
    if let Err(error) = written {
        tracing::debug!(error = %error, "the place in a run's output was not remembered");
    }
}

/// Follows one run's output.
pub(super) struct LogUploader {
    shipping: Arc<LogUploads>,
    run: RunRef,
    id: RunId,
    dir: PathBuf,
    known: watch::Receiver<UploadProgress>,
    events: mpsc::Sender<RunMessage>,
    source: Arc<str>,
}

impl LogUploader {
    /// For this run, unless it is followed already.
    pub(super) fn new(
        shipping: &Arc<LogUploads>,
        run: RunRef,
        id: RunId,
        dir: PathBuf,
        events: mpsc::Sender<RunMessage>,
        source: Arc<str>,
    ) -> Option<Self> {
        let mut inner = shipping.inner();
        if inner.runs.contains_key(&id) {
            return None;
        }
        let (sender, known) = watch::channel(UploadProgress { epoch: inner.epoch, ..UploadProgress::default() });
        inner.runs.insert(id, sender);
        Some(Self { shipping: shipping.clone(), run, id, dir, known, events, source })
    }

    pub(super) async fn run(mut self) {
        let before = remembered(&self.dir).unwrap_or_default();
        if before.is_done || self.follow(before).await {
            let dir = self.dir.clone();
            let _ = tokio::task::spawn_blocking(move || redaction::forget(&dir)).await;
        }
        self.shipping.inner().runs.remove(&self.id);
    }

    /// Follows it to its end; whether nobody needs to know any more what to hide in it.
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
                tracing::error!(run.id = %self.id, error = %error, "what to hide is not known; no output is shown");
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
                tracing::warn!(run.id = %self.id, error = %error, "output cannot be read");
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
            let last = lines.last().map_or(0, |line| line.no + 1);
            self.deliver(&lines).await;
            if !self.confirmed(last, &lines).await {
                return self.known.borrow().is_forgotten;
            }
            at = Remembered { position, kept: last, is_over, ..at };
            let (dir, what) = (self.dir.clone(), at.clone());
            let _ = tokio::task::spawn_blocking(move || remember(&dir, &what)).await;
        }
    }

    /// Tells the progress that is in these lines.
    async fn deliver(&mut self, lines: &[Line]) {
        if let Some(progress) = lines.iter().rev().find_map(Progress::of) {
            let _ = self.events.send(RunMessage::Progress { run: self.run, progress }).await;
        }
    }

    /// Says a chunk until the hub has it; `false` if nobody wants it any more.
    async fn confirmed(&mut self, last: u64, lines: &[Line]) -> bool {
        let log =
            Log { job: self.run.job, fence: self.run.fence, run: self.id, lines: lines.iter().map(log_line).collect() };
        loop {
            let ready = self.known.wait_for(|known| known.epoch.is_some() || known.is_forgotten).await;
            let Ok(known) = ready.map(|known| *known) else { return false };
            if known.is_forgotten {
                return false;
            }
            if self.events.send(RunMessage::Say(Box::new(ToHub::Log(log.clone())))).await.is_err() {
                return false;
            }
            let epoch = known.epoch;
            let heard = self.known.wait_for(|known| known.kept >= last || known.epoch != epoch || known.is_forgotten);
            match tokio::time::timeout(CONFIRM_MAX, heard).await {
                Ok(Ok(known)) if known.kept >= last => return true,
                Ok(Err(_)) => return false,
                _ => {}
            }
        }
    }
}

/// A line as others see it.
pub(crate) fn log_line(line: &Line) -> LogLine {
    LogLine {
        no: line.no + 1,
        at: line.at,
        stream: match line.stream {
            OutputStream::Out => LogStream::Stdout,
            OutputStream::Err => LogStream::Stderr,
            OutputStream::System => LogStream::System,
        },
        text: line.text.clone(),
        is_cut: line.is_cut,
    }
}

impl Engine {
    /// Goes on with the output of runs whose result the hub already has.
    pub(super) async fn resume_upload(&self) {
        let (folder, source, is_home) = (self.shared.folder.clone(), self.shared.source(), self.seat.is_home());
        let is_ours = move |of: &str| *of == *source || of.is_empty() && is_home;
        let left = tokio::task::spawn_blocking(move || {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let found =
                entries.filter_map(|entry| remembered(&entry.path()).filter(|what| what.is_over && !what.is_done));
            let found = found.filter(|what| is_ours(&what.source));
            found.collect::<Vec<_>>()
        });
        for what in left.await.unwrap_or_default() {
            if let (Some(job), Some(run)) = (what.job, what.run) {
                self.ship(RunRef { job, fence: what.fence }, run);
            }
        }
    }
}
