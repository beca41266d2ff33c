//! The shim's file: carried in this binary, written once per version to a folder of ours, and run from there, so that
//! all shims share its pages.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

const BINARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/hostler-shim"));
const NAME: &str = concat!("shim-", env!("HOSTLER_SHIM_HASH"));
/// For its owner to read and run, and for nobody to write.
const MODE: u32 = 0o500;

/// The shim, ready to be run.
#[derive(Clone, Debug)]
pub struct Shim {
    path: PathBuf,
}

/// Why the shim cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// Programs may not be run from that folder.
    #[error(
        "programs cannot be run from {}: it is mounted with `noexec`; \
         choose another data folder, or mount it again with `exec`", .0.display()
    )]
    NoExec(PathBuf),
    /// It cannot be written.
    #[error("cannot write the shim to {}: {}; check that the folder is ours and the disk has room", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
}

impl Shim {
    /// Writes it to this folder, unless it is there already.
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
        // The folder may be named relative to ours, and so would be every start.
        let path = fs::canonicalize(path).map_err(failed)?;
        Ok(Self { path })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Whether the file is exactly ours: what it holds, who may write it, whose it is.
fn is_intact(path: &Path) -> bool {
    let Ok(about) = fs::symlink_metadata(path) else { return false };
    let is_ours = about.is_file() && about.mode() & 0o777 == MODE && about.uid() == rustix::process::geteuid().as_raw();
    is_ours && fs::read(path).is_ok_and(|bytes| bytes == BINARY)
}

/// Written aside and moved into place, so that nobody runs half of it.
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
