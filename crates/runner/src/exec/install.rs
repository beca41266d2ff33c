//! The shim binary: embedded in the runner, written to disk once per version and run from there, so that all shims
//! share its memory pages.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

const BINARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hostler-shim"));
const NAME: &str = concat!("shim-", env!("HOSTLER_SHIM_HASH"));
/// Readable and executable by the owner, writable by none.
const MODE: u32 = 0o500;

/// The installed shim binary.
#[derive(Clone, Debug)]
pub struct Shim {
    path: PathBuf,
}

/// Why the shim cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The file system of the folder is mounted with `noexec`.
    #[error(
        "cannot run programs from {}: its file system is mounted with `noexec`; \
        choose another data folder, or remount it with `exec`", .0.display()
    )]
    NoExec(PathBuf),
    /// The file cannot be written.
    #[error("cannot write the shim to {}: {}; check the owner of the folder and the free disk space", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
}

impl Shim {
    /// Writes the shim to this folder, unless an intact copy exists.
    pub fn install(folder: &Path) -> Result<Self, InstallError> {
        let path = folder.join(NAME);
        let failed = |error| InstallError::Write(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        if !is_intact(&path) {
            write(folder, &path).map_err(failed)?;
        }
        let about = rustix::fs::statvfs(folder).map_err(|errno| failed(errno.into()))?;
        if about.f_flag.contains(rustix::fs::StatVfsMountFlags::NOEXEC) {
            return Err(InstallError::NoExec(folder.to_owned()));
        }
        // Make the path absolute: shims start in other working directories.
        let path = fs::canonicalize(path).map_err(failed)?;
        Ok(Self { path })
    }

    /// Absolute path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether the file has our content, mode and owner. A file that others can write could be replaced by them, and the
/// runner would execute it.
fn is_intact(path: &Path) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else { return false };
    let is_ours = about.is_file() && about.mode() & 0o777 == MODE && about.uid() == rustix::process::geteuid().as_raw();
    is_ours && fs::read(path).is_ok_and(|bytes| bytes == BINARY)
}

/// Writes the file under another name and renames it, so that half a file is never executed.
fn write(folder: &Path, path: &Path) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let aside = folder.join(format!("{NAME}.{}.{number}", std::process::id()));
    let _ = fs::remove_file(&aside);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(MODE).open(&aside)?;
    file.write_all(BINARY)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&aside, path)
}
