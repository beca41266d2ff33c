//! The values to mask in a run's output, stored in the run folder until the output is uploaded.
//!
//! A restarted runner no longer has the secrets of its grants, but continues to upload the output of adopted runs. So
//! the values are stored next to the raw output, which may contain them, readable only by the same user, and never in
//! the database, which is copied and backed up. After the last line is uploaded or discarded, the raw files are removed,
//! and then this file.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::Path,
};

use proto::work::{Grant, secret_values};
use shim::files;

use crate::exec::{JobFolder, Redactor};

/// The file with the values: a JSON array of strings.
const FILE: &str = "hidden.json";

/// The secret values of a grant.
pub(super) fn values(grant: &Grant) -> Vec<String> {
    secret_values(&grant.secrets, &grant.hidden)
}

/// Creates the folder of a run and stores these values. They must be on disk before the run starts: after a crash the
/// output is still there, and without the values it could not be shown.
pub(super) fn prepare(dir: &Path, values: &[String]) -> io::Result<()> {
    let mut folders = fs::DirBuilder::new();
    folders.recursive(true).mode(0o700);
    folders.create(dir)?;
    if values.is_empty() {
        return Ok(());
    }
    let aside = dir.join(format!("{FILE}.tmp"));
    let mut file = fs::OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&aside)?;
    file.write_all(&serde_json::to_vec(values)?)?;
    file.sync_all()?;
    fs::rename(aside, dir.join(FILE))?;
    fs::File::open(dir)?.sync_all()
}

/// The redactor for the run in this folder.
///
/// # Errors
/// The values exist and cannot be read: then the output must not be shown.
pub(super) fn redactor(dir: &Path) -> io::Result<Redactor> {
    let values: Vec<String> = match fs::read(dir.join(FILE)) {
        Ok(text) => serde_json::from_slice(&text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    Ok(Redactor::new(values))
}

/// Removes the values of the run in this folder, and before them the raw files that may contain them: its output, its
/// result and its working directory. The markers stay, because they keep the run from starting again. Does nothing for a
/// run without values.
pub(super) fn erase(dir: &Path) {
    let values = dir.join(FILE);
    if !values.exists() {
        return;
    }
    let raw = [files::LOG, files::TAILS[0], files::TAILS[1]].map(|name| fs::remove_file(dir.join(name)));
    let removed = raw.into_iter().chain([JobFolder::remove(dir)]);
    let mut failed = removed.filter_map(Result::err).filter(|error| error.kind() != io::ErrorKind::NotFound);
    if let Some(error) = failed.next() {
        tracing::warn!(error = %error, "cannot remove a raw file in {}", dir.display());
        // With the values in place, the next clean-up tries again.
        return;
    }
    if let Err(error) = fs::remove_file(&values) {
        tracing::warn!(error = %error, "cannot remove {}", values.display());
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use serde_json::json;

    use super::*;

    #[test]
    fn values_survive_a_restart_and_are_deleted_with_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path().join("run");
        prepare(&dir, &["hunter2".to_owned(), "pa\"ss\nword".to_owned(), "4711".to_owned()]).expect("prepares");
        let mode = |path: &Path| fs::metadata(path).expect("exists").permissions().mode() & 0o777;
        assert_eq!((mode(&dir), mode(&dir.join(FILE))), (0o700, 0o600));
        let hider = redactor(&dir).expect("reads");
        let output = json!({"a": ["x hunter2"], "hunter2": 4711, "b": "pa\"ss\nword", "c": 12, "d": null});
        let shown = hider.json(output).to_string();
        assert!(!shown.contains("hunter2") && !shown.contains("4711") && !shown.contains("word"), "{shown}");
        assert!(shown.contains("12") && shown.contains("null"), "{shown}");
        fs::create_dir_all(dir.join("job/work")).expect("a folder");
        for raw in ["log", "tail.0", "job/result.json", "job/work/file"] {
            fs::write(dir.join(raw), "hunter2").expect("writes");
        }
        fs::write(dir.join("started"), "1").expect("writes");
        erase(&dir);
        erase(&dir);
        let left: Vec<_> = fs::read_dir(&dir).expect("a folder").flatten().map(|file| file.file_name()).collect();
        assert_eq!(left, ["started"], "the marker keeps the run from starting again");
        assert_eq!(redactor(&dir).expect("nothing to hide").text("hunter2"), "hunter2");
        fs::write(dir.join(FILE), "[").expect("writes");
        assert!(redactor(&dir).is_err(), "an unreadable file is an error");
    }

    #[test]
    fn run_without_secrets_has_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        prepare(&folder.path().join("run"), &[]).expect("prepares");
        assert!(!folder.path().join("run").join(FILE).exists());
        fs::write(folder.path().join("run/log"), "output").expect("writes");
        erase(&folder.path().join("run"));
        assert!(folder.path().join("run/log").exists(), "its raw output stays for a day");
    }
}
