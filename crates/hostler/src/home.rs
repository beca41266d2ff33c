//! The data folder: where it is, and that it is ours alone.

use std::{
    fs::{self, DirBuilder},
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
};

use proto::Code;

use crate::fail::{Failure, Result};

/// The data folder of this user: `--home`, `HOSTLER_HOME`, or the platform's place for data.
pub(crate) fn folder(given: Option<&Path>) -> PathBuf {
    if let Some(given) = given {
        return given.to_owned();
    }
    if nix::unistd::geteuid().is_root() {
        return PathBuf::from("/var/lib/hostler");
    }
    let data = crate::config::environment("XDG_DATA_HOME").map(PathBuf::from);
    let home = crate::config::environment("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    data.or(home).unwrap_or_else(|| PathBuf::from(".")).join("hostler")
}

/// Makes the folder if it is missing, for its owner only, and checks that it can be written to.
pub(crate) fn prepare(folder: &Path) -> Result<()> {
    let unusable = |error: std::io::Error| {
        let code = if error.kind() == std::io::ErrorKind::StorageFull { Code::DiskFull } else { Code::FolderUnusable };
        Failure::new(code, format!("cannot use the data folder {}: {error}", folder.display()))
            .hint("check who owns it and its free space, or choose another one with --home or HOSTLER_HOME")
    };
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(unusable)?;
    let probe = folder.join(".probe");
    fs::write(&probe, b"hostler").map_err(unusable)?;
    fs::read_dir(folder).map_err(unusable)?;
    fs::remove_file(&probe).map_err(unusable)
}

/// The hub's local socket in this folder.
pub(crate) fn socket(folder: &Path) -> PathBuf {
    folder.join("hub.sock")
}

/// The definitions that this machine allows, if it trusts only its own.
pub(crate) fn catalogue(folder: &Path) -> PathBuf {
    folder.join("catalogue.d")
}

/// Keeps every other hub out of this folder for as long as the returned file is open.
pub(crate) fn lock(folder: &Path) -> Result<fs::File> {
    let path = folder.join("hub.lock");
    let file = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file =
        file.map_err(|error| Failure::new(Code::FolderUnusable, format!("cannot use {}: {error}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(_) => {
            Err(Failure::new(Code::DatabaseBusy, format!("another hub uses the data folder {}", folder.display()))
                .hint("stop that hub first, or give this one its own --home"))
        }
    }
}
