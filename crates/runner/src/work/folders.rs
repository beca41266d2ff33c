//! Removal of old run folders and of old acknowledged results.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use domain::RunId;
use runtime::clock::wall;

use super::engine::Engine;
use crate::exec::JobFolder;

/// How long a folder is kept after its output has reached the hub. Its marker also keeps the run from starting again.
const KEPT: Duration = Duration::from_secs(24 * 3_600);
/// Size limit for all such folders together, in bytes; the oldest are removed first.
const BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Acknowledged results: how many are kept per hub, and for how long. They are sent again to a hub that was restored
/// from a backup.
const DONE_KEPT: (u32, domain::Span) = (50_000, domain::Span::from_secs(30 * 86_400));

impl Engine {
    /// Removes old run folders and old acknowledged results.
    pub(super) async fn clean(&self) -> store::Result<()> {
        let (source, before) = (self.shared.source(), wall() - DONE_KEPT.1);
        self.shared
            .store
            .write(move |tx| Box::pin(async move { tx.done_forget(&source, before, DONE_KEPT.0).await }))
            .await?;
        // The journal entries of all hubs, because their runs share this folder.
        let journal = self.shared.store.read(|tx| Box::pin(async move { tx.journal_runs().await })).await?;
        let journal = journal.into_iter().collect();
        let folder = self.shared.folder.clone();
        #[expect(clippy::disallowed_methods, reason = "compared with times of files, never used to decide about runs")]
        let removal = move || remove_old_folders(&folder, &journal, std::time::SystemTime::now());
        let _ = tokio::task::spawn_blocking(removal).await;
        Ok(())
    }
}

struct Folder {
    path: PathBuf,
    changed: SystemTime,
    bytes: u64,
}

/// Removes the folders of runs whose output is uploaded and that are not in the journal. Returns their number.
fn remove_old_folders(runs: &Path, journal: &HashSet<RunId>, now: SystemTime) -> usize {
    let entries = std::fs::read_dir(runs).into_iter().flatten().flatten();
    let mut done: Vec<Folder> = entries
        .filter_map(|entry| {
            let id: RunId = entry.file_name().to_str()?.parse().ok()?;
            let is_done = !journal.contains(&id) && super::log_upload::is_done(&entry.path());
            is_done.then(|| {
                // Left by a runner that was killed between the last upload and this step.
                super::redaction::erase(&entry.path());
                folder(entry.path())
            })?
        })
        .collect();
    done.sort_by_key(|folder| std::cmp::Reverse(folder.changed));
    let (mut kept_bytes, mut removed) = (0, 0);
    for folder in done {
        let is_old = now.duration_since(folder.changed).is_ok_and(|age| age > KEPT);
        kept_bytes += folder.bytes;
        if is_old || kept_bytes > BYTES_MAX {
            let outside = JobFolder::remove_outside(&folder.path);
            match outside.and_then(|()| std::fs::remove_dir_all(&folder.path)) {
                Ok(()) => removed += 1,
                Err(error) => tracing::warn!(error = %error, "cannot remove {}", folder.path.display()),
            }
        }
    }
    removed
}

fn folder(path: PathBuf) -> Option<Folder> {
    let changed = std::fs::metadata(&path).and_then(|meta| meta.modified()).ok()?;
    let bytes = std::fs::read_dir(&path).into_iter().flatten().flatten().filter_map(|entry| entry.metadata().ok());
    Some(Folder { bytes: bytes.map(|meta| meta.len()).sum(), changed, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_uploaded_folders_without_journal_entry_are_removed() {
        let runs = tempfile::tempdir().expect("a folder");
        let id = |number: u8| RunId::from_bytes([number; 16]);
        for (number, state) in [(1, r#"{"fence":1,"position":null,"kept":0,"is_done":true}"#), (2, "{}"), (3, "{}")] {
            let dir = runs.path().join(id(number).to_string());
            std::fs::create_dir(&dir).expect("a folder");
            let state = if number == 3 { r#"{"is_done":true}"# } else { state };
            std::fs::write(dir.join("upload.json"), state).expect("a file");
        }
        std::fs::write(runs.path().join("shim-1"), "not a run").expect("a file");
        let raw = |number: u8| {
            for file in ["log", "hidden.json"] {
                std::fs::write(runs.path().join(id(number).to_string()).join(file), "[]").expect("a file");
            }
            runs.path().join(id(number).to_string()).join("log")
        };
        let (shipped, unshipped, in_journal) = (raw(1), raw(2), raw(3));
        let journal = HashSet::from([id(3)]);
        assert_eq!(remove_old_folders(runs.path(), &journal, SystemTime::UNIX_EPOCH), 0, "no folder is old yet");
        assert!(!shipped.exists(), "the raw output of a run with secrets goes when it is uploaded");
        assert!(unshipped.exists() && in_journal.exists());
        let later = std::fs::metadata(runs.path()).and_then(|meta| meta.modified()).expect("a time") + KEPT * 2;
        assert_eq!(remove_old_folders(runs.path(), &journal, later), 1);
        assert!(!runs.path().join(id(1).to_string()).exists(), "its output is uploaded");
        assert!(runs.path().join(id(2).to_string()).exists(), "its output is not uploaded");
        assert!(runs.path().join(id(3).to_string()).exists(), "it is still in the journal");
    }
}
